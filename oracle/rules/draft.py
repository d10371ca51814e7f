"""A spec while it is being read: what its parts know of each other, and the reading of what they share."""

from __future__ import annotations

from oracle.rules.answers import AnswerError, Atom, parse_answer
from oracle.rules.cite import Cite
from oracle.rules.fields import Fields, parse_cite, texts
from oracle.rules.link import References
from oracle.rules.model import Source
from oracle.rules.nodes import Node, Scalar, SpecFile
from oracle.rules.questions import QUESTIONS, Question
from oracle.spans import Span
from oracle.text import did_you_mean


class Draft:
    """The file, its document, and the names given and used so far.

    `for_one` says that the document counts the stake in when it writes odds.
    """

    def __init__(self, file: SpecFile) -> None:
        self.file = file
        self.source: Source | None = None
        self.rule_sets: tuple[str, ...] = ()
        self.for_one = False
        self.ids: dict[str, Span] = {}
        self.references = References()

    @property
    def source_id(self) -> str:
        """The id of the source; empty where it is missing."""
        return self.source.id if self.source else ""

    def register(self, name: str, span: Span) -> None:
        """Take an id; a problem if it is taken."""
        if name in self.ids:
            what = f"`{name}` stands twice, first in line {self.ids[name].line}"
            self.file.problem("duplicate-id", what, span, help="ids are unique in a file")
        elif name:
            self.ids[name] = span

    def tables(self, fields: Fields) -> tuple[str, ...]:
        """The rule sets that an entry is limited to."""
        for table, span in fields.places("tables"):
            if table not in self.rule_sets:
                what = f"no rule set `{table[:40]}` in this file"
                help = did_you_mean(table, self.rule_sets) or "declare it under `rule_sets`"
                self.file.problem("unknown-rule-set", what, span, help=help)
        return fields.names("tables")

    def question(self, fields: Fields, inherited: Question | None) -> Question | None:
        """The question that `about` names, else the one of the block around."""
        if "about" not in fields:
            return inherited
        text = fields.text("about")
        return self.known_question(text, fields.place("about")) if text else None

    def known_question(self, text: str, span: Span) -> Question | None:
        """The question `text`; a problem if there is none."""
        question = QUESTIONS.get(text)
        if question is None:
            what = f"unknown question `{text[:40]}`"
            self.file.problem("unknown-question", what, span, help=did_you_mean(text, QUESTIONS))
        return question

    def answer(self, node: Node, question: Question, *, for_one: bool) -> tuple[Atom, ...]:
        """The answer that `node` gives, odds to one; empty (with a problem) if it is none."""
        written = texts(self.file, node)
        found = [text for text, _ in written]
        if not found:
            return ()
        try:
            answer = parse_answer(question, found, is_list=not isinstance(node, Scalar))
        except AnswerError as error:
            place = node.span if error.item is None else written[error.item][1]
            self.file.problem(error.code, str(error), place, help=error.help)
            return ()
        if question.answer != "odds" or not for_one:
            return answer
        profits = tuple(atom - 1 for atom in answer if not isinstance(atom, (str, tuple)))
        if any(profit < 0 for profit in profits):
            what = f"odds `{found[0][:40]}` for one give back less than the stake"
            help = "write what a winner gets for each stake, or make the notation `to-one`"
            self.file.problem("bad-answer", what, node.span, help=help)
            return ()
        return profits

    def cites(self, fields: Fields, inherited: tuple[Cite, ...] = (), *, ranges: bool = True) -> tuple[Cite, ...]:
        """The places in the document that `cite` names, else those of the block around."""
        node = fields.get("cite")
        if node is None:
            return inherited
        cites = []
        for text, span in texts(self.file, node):
            parsed = parse_cite(text)
            if parsed is None:
                what = f"`{text[:40]}` is no place in the document"
                help = 'write a line, line.sentence, or a range of lines: "16", "26.1", "61-68"'
                self.file.problem("bad-cite", what, span, help=help)
                continue
            cite = Cite(*parsed)
            if self.backwards(cite, text, span):
                continue
            if cite.last_line and not ranges:
                what = f"a range of lines `{text}` for what is no table"
                help = 'list the lines and sentences that say it, as in ["16", "17.2"]'
                self.file.problem("bad-cite", what, span, help=help)
            elif self.inside(cite, text, span):
                cites.append(cite)
        return tuple(cites)

    def backwards(self, cite: Cite, text: str, span: Span) -> bool:
        """Whether `text` is a range that ends before it begins; a problem if it is."""
        if "-" not in text or cite.last_line >= cite.line:
            return False
        what = f"the range `{text}` runs backwards"
        self.file.problem("backwards-range", what, span, help="the lower line comes first")
        return True

    def inside(self, cite: Cite, text: str, span: Span) -> bool:
        """Whether the document has such a place; a problem if it has none."""
        lines = self.source.lines if self.source else 0
        if self.source is None or not lines:
            return True
        if not 1 <= cite.line <= lines or cite.last_line > lines:
            what = f"the document has no line {cite.last_line or cite.line}"
            self.file.problem("cite-outside", what, span, help=f"lines go from 1 to {lines}")
            return False
        have = self.source.sentences_of(cite.line)
        if not cite.last_line and have == 0:
            what = f"line {cite.line} is blank"
            help = "cite the line that says it, or mend `blank` and `sentences` of the source"
            self.file.problem("cite-outside", what, span, help=help)
            return False
        if cite.sentence > have or (cite.sentence == 0 and "." in text):
            what = f"line {cite.line} has {have} sentence{'s' * (have != 1)}, not {cite.sentence}"
            if cite.sentence == 0:
                what = "there is no sentence 0"
            help = "mend the cite, or `sentences` of the source"
            self.file.problem("cite-outside", what, span, help=help)
            return False
        return True

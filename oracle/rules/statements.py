"""Reading statements: what one sentence or table of the document says, as clauses."""

from __future__ import annotations

import msgspec

from oracle.rules.answers import Atom
from oracle.rules.cite import Cite
from oracle.rules.draft import Draft
from oracle.rules.fields import Fields, check_id
from oracle.rules.grids import read_grid
from oracle.rules.guard import Test
from oracle.rules.model import Clause, Statement
from oracle.rules.nodes import Node
from oracle.rules.questions import Question
from oracle.rules.read_guard import read_guard
from oracle.spans import Span

MAX_READINGS = 6
BODIES = ("then", "cases", "grid", "readings")


class _Context(msgspec.Struct, frozen=True):
    """What a case inherits from the blocks around it; `cited` and `asked` even if it can't be read."""

    statement: str
    says: str
    question: Question | None = None
    cites: tuple[Cite, ...] = ()
    guards: tuple[Node, ...] = ()
    tables: tuple[str, ...] = ()
    reading: str = ""
    cited: bool = False
    asked: bool = False


class StatementReader:
    """Reads the statements of one file."""

    def __init__(self, draft: Draft) -> None:
        self.draft = draft
        self.file = draft.file
        self.clause_ids: dict[str, int] = {}
        self.told: set[str] = set()
        self.guards: dict[tuple[int, str], tuple[Test, ...]] = {}

    def read(self, node: Node) -> tuple[Statement, list[Clause]] | None:
        """A statement and its clauses; None if it is no mapping."""
        fields = Fields.read(self.file, node, "statement")
        if fields is None:
            return None
        self.told = set()
        self.guards = {}
        name = fields.id()
        self.draft.register(name, fields.place("id"))
        body = self._body(fields)
        context = self._inherit(
            fields,
            _Context(statement=name, says=fields.text("says"), tables=self.draft.tables(fields)),
            ranges=body in ("cases", "grid", ""),
        )
        clauses = self._clauses(body, fields, context)
        clauses += self._otherwise(fields, context, clauses, body)
        cited = context.cites or tuple(dict.fromkeys(c for clause in clauses for c in clause.cites))
        yields = fields.places("yields_to")
        self.draft.references.yields += [(name, other, span) for other, span in yields]
        others = tuple(other for other, _ in yields)
        return Statement(name, cited, context.says, fields.head, others), clauses

    def _body(self, fields: Fields) -> str:
        """How the statement answers; empty (with a problem) unless in exactly one way."""
        bodies = [name for name in BODIES if name in fields]
        if len(bodies) == 1:
            return bodies[0]
        help = "give exactly one of `then`, `cases`, `grid`, `readings`"
        if bodies:
            bodies.sort(key=lambda name: fields.keys[name])
            both = " and ".join(f"`{body}`" for body in bodies)
            self.file.problem("two-answers", f"a statement with {both}", fields.keys[bodies[1]], help=help)
        else:
            self.file.problem("no-answer", "a statement that answers nothing", fields.head, help=help)
        return ""

    def _clauses(self, body: str, fields: Fields, context: _Context) -> list[Clause]:
        match body:
            case "then":
                return self._clause(fields, context, context.statement)
            case "cases":
                return self._cases(fields, context)
            case "grid":
                return self._grid(fields, context)
            case "readings":
                return self._readings(fields, context)
            case _:
                return []

    def _inherit(self, fields: Fields, outer: _Context, *, ranges: bool = False) -> _Context:
        """`outer` with what `fields` say themselves."""
        when = fields.get("when")
        return msgspec.structs.replace(
            outer,
            question=self.draft.question(fields, outer.question),
            cites=self.draft.cites(fields, outer.cites, ranges=ranges),
            guards=outer.guards if when is None else (*outer.guards, when),
            cited=outer.cited or "cite" in fields,
            asked=outer.asked or "about" in fields,
        )

    def _once(self, code: str, message: str, span: Span, help: str) -> None:
        """Note what a statement lacks once, not for each of its cases."""
        if code + message not in self.told:
            self.told.add(code + message)
            self.file.problem(code, message, span, help=help)

    def _guard(self, context: _Context, question: Question) -> tuple[Test, ...]:
        """The guards of all blocks around, read as tests on the question's fields."""
        tests: list[Test] = []
        for node in context.guards:
            key = (id(node), question.name)
            if key not in self.guards:
                self.guards[key] = read_guard(self.file, node, question)
            tests += self.guards[key]
        return tuple(tests)

    def _answer(self, node: Node, question: Question) -> tuple[Atom, ...]:
        return self.draft.answer(node, question, for_one=self.draft.for_one)

    def _clause(self, fields: Fields, context: _Context, name: str) -> list[Clause]:
        """The clause of a fully read context, none if something is missing."""
        question, span, then = context.question, fields.head, fields.get("then")
        if question is None:
            self._no_question(span, context)
            return []
        if not context.cited and "cite" not in fields:
            help = 'cite the line that says it, as in cite: "16"'
            if fields.form.name != "statement":
                help += ", here or for the whole statement"
            self._once("missing-cite", f"{fields.form.title} without `cite`", span, help)
        guard = self._guard(context, question)
        if "then" not in fields:
            what = f"{fields.form.title} without `then`"
            self.file.problem("missing-key", what, span, help="add `then`: the answer")
        answer = self._answer(then, question) if then is not None else ()
        if not answer or then is None:
            return []
        return [
            Clause(
                id=self._fresh(name),
                statement=context.statement,
                question=question.name,
                cites=context.cites,
                guard=guard,
                answer=answer,
                span=Span(span.file, span.line, span.column, fields.span.end_line, fields.span.end_column),
                answer_span=then.span,
                says=context.says,
                source=self.draft.source_id,
                reading=context.reading,
                tables=context.tables,
            )
        ]

    def _no_question(self, span: Span, context: _Context) -> None:
        """Note that nothing says which question is answered, unless what says so can't be read."""
        if context.asked:
            return
        what = f"`{context.statement}` doesn't say which question it answers"
        help = "add `about` to the statement, or to each of its cases"
        self._once("missing-key", what, span, help)

    def _fresh(self, name: str) -> str:
        """`name`, numbered where several cases cite one place: `x/13.3`, `x/13.3#2`."""
        count = self.clause_ids[name] = self.clause_ids.get(name, 0) + 1
        return f"{name}#{count}" if count > 1 else name

    def _cases(self, fields: Fields, context: _Context) -> list[Clause]:
        clauses = []
        for node in fields.items("cases"):
            case = Fields.read(self.file, node, "case")
            if case is None:
                continue
            inner = self._inherit(case, context)
            prefix = f"{context.statement}/{context.reading}" if context.reading else context.statement
            place = "+".join(str(cite) for cite in inner.cites) or "?"
            clauses += self._clause(case, inner, f"{prefix}/{place}")
        return clauses

    def _readings(self, fields: Fields, context: _Context) -> list[Clause]:
        pairs = fields.pairs("readings")
        if len(pairs) == 1 or len(pairs) > MAX_READINGS:
            self.file.problem(
                "one-reading" if len(pairs) == 1 else "too-many-readings",
                "a single reading" if len(pairs) == 1 else f"{len(pairs)} readings",
                fields.keys["readings"],
                help=f"write from 2 to {MAX_READINGS}; what can be read in one way has `then` or `cases`",
            )
        clauses = []
        for key, node in pairs:
            reading = Fields.read(self.file, node, "reading")
            if reading is None:
                continue
            check_id(self.file, key.text, key.span)
            inner = msgspec.structs.replace(self._inherit(reading, context), reading=key.text)
            if "cases" in reading and "then" in reading:
                what = "a reading with `then` and `cases`"
                place = max(reading.keys["then"], reading.keys["cases"])
                self.file.problem("two-answers", what, place, help="give one of them")
            elif "cases" in reading:
                clauses += self._cases(reading, inner)
            else:
                clauses += self._clause(reading, inner, f"{context.statement}/{key.text}")
        return clauses

    def _grid(self, fields: Fields, context: _Context) -> list[Clause]:
        node, question = fields.get("grid"), context.question
        grid = Fields.read(self.file, node, "grid") if node is not None else None
        if grid is None:
            return []
        if question is None:
            self._no_question(fields.head, context)
            return []
        clauses = []
        block = self._guard(context, question)
        for row in read_grid(self.file, grid, question, lambda answer: self._answer(answer, question)):
            cite = Cite(row.line)
            answer = "-".join(str(atom) for atom in row.answer)
            if row.line and not self.draft.inside(cite, str(cite), grid.place("lines")):
                break
            clauses.append(
                Clause(
                    id=self._fresh(f"{context.statement}/{row.line}-{answer}"),
                    statement=context.statement,
                    question=question.name,
                    cites=(cite,),
                    guard=(*block, *row.guard),
                    answer=row.answer,
                    span=row.span,
                    answer_span=row.span,
                    says=context.says,
                    source=self.draft.source_id,
                    tables=context.tables,
                )
            )
        return clauses

    def _otherwise(self, fields: Fields, context: _Context, clauses: list[Clause], body: str) -> list[Clause]:
        node = fields.get("otherwise")
        if node is None or (entry := Fields.read(self.file, node, "otherwise")) is None:
            return []
        place = fields.keys["otherwise"]
        if body not in ("cases", "grid"):
            if body:
                what = "an `otherwise` without cases before it"
                self.file.problem("lone-otherwise", what, place, help="it belongs to `cases` or to a `grid`")
            return []
        if context.question is None:
            if "about" not in fields:
                what = "an `otherwise` in a block without a question of its own"
                self.file.problem("missing-key", what, place, help="add `about` to the statement")
            return []
        inner = msgspec.structs.replace(context, cites=self.draft.cites(entry, context.cites, ranges=False))
        made = self._clause(entry, inner, f"{context.statement}/otherwise")
        question = context.question.name
        excludes = tuple(dict.fromkeys(c.id for c in clauses if c.question == question))
        return [msgspec.structs.replace(clause, otherwise=True, excludes=excludes) for clause in made]

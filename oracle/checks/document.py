"""A spec beside its document: is it about this very copy, and what cites each sentence."""

from __future__ import annotations

import hashlib
from collections.abc import Iterator

import msgspec

from oracle.checks.coverage import Place, own_clauses, own_statements, places
from oracle.rules.answers import show_atom
from oracle.rules.model import Clause, Spec
from oracle.rules.questions import QUESTIONS
from oracle.rules.sentences import Document
from oracle.spans import Problem, SpecError

_SHOWN = 20


class Citation(msgspec.Struct, frozen=True):
    """What cites a sentence: a statement, the notation, a claim, or a silent entry.

    `says` is the author's sentence for it, for a silent entry the reason. `answers` are what a statement
    makes of this sentence: the question, where, and the answer.
    """

    kind: str
    id: str
    says: str
    answers: tuple[str, ...] = ()


class CitedSentence(msgspec.Struct, frozen=True):
    """A sentence of the document as `cite` names it, with all that cites it; `number` counts in the line."""

    line: int
    number: int
    cite: str
    text: str
    citations: tuple[Citation, ...]


def cited_sentences(spec: Spec, document: Document) -> tuple[CitedSentence, ...]:
    """Every sentence of `document` with what cites it in `spec`.

    Raises `SpecError` if the spec is about another copy, or counts its lines and sentences otherwise.
    """
    problems = list(_differences(spec, document))
    if problems:
        raise SpecError(problems)
    cited = citations(spec)
    return tuple(
        CitedSentence(
            line=line,
            number=number,
            cite=str(line) if len(sentences) == 1 else f"{line}.{number}",
            text=text,
            citations=cited.get((line, number), ()),
        )
        for line in range(1, len(document.lines) + 1)
        if (sentences := document.sentences(line))
        for number, text in enumerate(sentences, start=1)
    )


def citations(spec: Spec) -> dict[Place, tuple[Citation, ...]]:
    """What cites each sentence of the document: statements, the notation, claims, then silent entries."""
    found: dict[Place, list[Citation]] = {}
    source = spec.source

    def cite(kind: str, name: str, says: str, cited: set[Place]) -> None:
        for place in cited:
            found.setdefault(place, []).append(Citation(kind, name, says))

    clauses: dict[str, list[Clause]] = {}
    for clause in own_clauses(spec):
        clauses.setdefault(clause.statement, []).append(clause)
    for statement in own_statements(spec):
        answers: dict[Place, dict[str, None]] = {place: {} for place in places(source, statement.cites)}
        for clause in clauses.get(statement.id, ()):
            for place in places(source, clause.cites):
                answers.setdefault(place, {})[show_clause(clause)] = None
        for place, said in answers.items():
            entry = Citation("statement", statement.id, statement.says, tuple(said))
            found.setdefault(place, []).append(entry)
    if spec.notation is not None:
        cite("notation", spec.notation.odds, spec.notation.because, places(source, spec.notation.cites))
    for claim in spec.claims:
        cite("claim", claim.id, claim.says, places(source, claim.cites))
    for silent in spec.silent:
        cite("silent", "", silent.because, places(source, silent.cites))
    return {place: tuple(entries) for place, entries in found.items()}


def show_clause(clause: Clause) -> str:
    """A clause in one line: `banker_draw: draw where banker2: 3, player_third: not 8`."""
    question = QUESTIONS[clause.question]
    answer = " | ".join(show_atom(question, atom) for atom in clause.answer)
    texts = [(test.field, f"[{test.text}]" if "," in test.text else test.text) for test in clause.guard]
    guard = ", ".join(f"{field}: {text}" for field, text in texts)
    reading = f"{clause.reading}: " if clause.reading else ""
    where = "otherwise" if clause.otherwise else "where" if guard else ""
    return " ".join(f"{reading}{clause.question}: {answer} {where} {guard}".split())


def _differences(spec: Spec, document: Document) -> Iterator[Problem]:
    """What keeps the document from being the one that the spec is about."""
    source = spec.source
    if not source.sha256:
        what = "the spec doesn't say which document it is about"
        yield Problem("no-digest", what, source.span, f"{document.path} has sha256: {document.sha256}")
        return
    if source.sha256 != document.sha256:
        what = f"the spec is about another copy than {document.path}"
        help = f"the spec's is {source.sha256}, this one's {document.sha256}"
        if source.sha256 in _digests_otherwise_ended(document):
            help = f"the copies differ in nothing but how lines end; {help}"
        yield Problem("other-document", what, source.span, help)
        return
    lines = len(document.lines)
    if source.lines != lines:
        what = f"{document.path} has {lines} lines, the spec says {source.lines}"
        yield Problem("other-count", what, source.span, f"write lines: {lines}")
    told = 0
    for line in range(1, min(lines, source.lines) + 1):
        actual, said = len(document.sentences(line)), source.sentences_of(line)
        if actual != said and told < _SHOWN:
            told += 1
            what = f"line {line} has {_count(actual)}, the spec says {_count(said)}"
            help = f"list {line} under `blank`" if not actual else f"write {line}: {actual} in `sentences`"
            if actual == 1:
                help = f"take {line} out of `sentences` and `blank`"
            yield Problem("other-count", what, source.span, help)


def _count(sentences: int) -> str:
    return f"{sentences} sentence{'s' * (sentences != 1)}"


def _digests_otherwise_ended(document: Document) -> set[str]:
    """Digests of the document with other line ends, with and without the last one and a byte order mark."""
    return {
        hashlib.sha256(f"{mark}{end.join(document.lines)}{last}".encode()).hexdigest()
        for end in ("\n", "\r\n", "\r")
        for last in ("", end)
        for mark in ("", "\ufeff")
    }

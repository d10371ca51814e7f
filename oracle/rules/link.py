"""The last step of reading a spec: names meet what they name, and extended questions are taken in."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from typing import TypeVar

import msgspec

from oracle.rules.conventions import CONVENTIONS
from oracle.rules.model import Accepted, Clause, Extends, Resolution, RuleSet, Spec
from oracle.rules.nodes import SpecFile
from oracle.spans import Span
from oracle.text import did_you_mean, quoted

Entry = TypeVar("Entry", Resolution, Accepted)


class Base(msgspec.Struct, frozen=True):
    """What an `extends` takes its questions from; `shadows` says in words which file of that name it passes over."""

    spec: Spec
    table: RuleSet
    shadows: str = ""


FindBase = Callable[[SpecFile, Extends], Base | None]


class References(msgspec.Struct):
    """Names of statements, readings and questions that a file uses, with who uses them and where."""

    yields: list[tuple[str, str, Span]] = []
    instead: list[tuple[str, Span]] = []
    chosen: list[tuple[str, Span]] = []
    readings: list[tuple[str, str, Span]] = []
    borrowed: list[tuple[str, Span]] = []


def no_base(file: SpecFile, extends: Extends) -> Base | None:
    """A finder that knows no other source."""
    what = f"no source {quoted(extends.source, 60)} is loaded"
    file.problem("unknown-source", what, extends.span, help="give its folder with --specs")
    return None


def link(file: SpecFile, spec: Spec, references: References, find_base: FindBase) -> Spec:
    """`spec` with borrowed questions and `yields_to` worked in; problems for names without an owner."""
    if spec.extends is not None:
        base = find_base(file, spec.extends)
        if base is None:
            return spec
        spec = _borrow(file, spec, references, base.spec, base.table)
        lent = base.spec.extends.shadows if base.spec.extends is not None else ()
        shadows = (*((base.shadows,) if base.shadows else ()), *lent)
        extends = msgspec.structs.replace(spec.extends, shadows=shadows) if spec.extends is not None else None
        spec = msgspec.structs.replace(spec, extends=extends)
    _check_yields(file, spec, references)
    _check_resolutions(file, spec, references)
    return msgspec.structs.replace(spec, clauses=tuple(_with_yields(spec)))


def _borrow(file: SpecFile, spec: Spec, references: References, base: Spec, table: RuleSet) -> Spec:
    """`spec` with the questions that it takes from a rule set of another source."""
    questions = {question for question, _ in references.borrowed}
    clauses = [
        msgspec.structs.replace(clause, tables=(), borrowed=True)
        for clause in base.clauses_of(table)
        if clause.question in questions
    ]
    statements = {clause.statement for clause in clauses}
    resolutions = [_everywhere(r) for r in base.resolutions if _concerns(r, questions, statements) and _holds(r, table)]
    subjects = statements | questions | {clause.id for clause in clauses} | {r.id for r in resolutions}
    accepted = [
        msgspec.structs.replace(_everywhere(a), borrowed=True)
        for a in base.accepted
        if a.finding.partition(" ")[2] in subjects and _holds(a, table)
    ]
    answered = {clause.question for clause in clauses}
    for question, span in references.borrowed:
        if question not in answered:
            what = f"{table.id} says nothing about {question}"
            file.problem("nothing-borrowed", what, span, help=f"take {question} out of `extends`")
    _check_twice(file, spec, base, answered)
    taken = statements | {resolution.id for resolution in resolutions}
    own = [(s.id, s.span) for s in spec.statements] + [(r.id, r.span) for r in spec.resolutions]
    for name, span in own:
        if name in taken:
            what = f"`{name}` is taken from {base.id} already"
            help = "remove it" if name in CONVENTIONS else "name it otherwise"
            file.problem("duplicate-id", what, span, help=help)
    return msgspec.structs.replace(
        spec,
        statements=(*(s for s in base.statements if s.id in statements), *spec.statements),
        clauses=(*clauses, *spec.clauses),
        resolutions=(*resolutions, *spec.resolutions),
        accepted=(*accepted, *spec.accepted),
        choosers={**{q: who for q, who in base.choosers.items() if q in questions}, **spec.choosers},
    )


def _check_twice(file: SpecFile, spec: Spec, base: Spec, answered: set[str]) -> None:
    told: set[tuple[str, str]] = set()
    for clause in spec.clauses:
        if clause.question in answered and (clause.statement, clause.question) not in told:
            told.add((clause.statement, clause.question))
            what = f"`{clause.statement}` answers {clause.question}, which is taken from {base.id}"
            help = f"remove the answer, or take {clause.question} out of `extends`"
            file.problem("answered-twice", what, clause.span, help=help)


def _holds(entry: Resolution | Accepted, table: RuleSet) -> bool:
    return not entry.tables or table.name in entry.tables


def _everywhere(entry: Entry) -> Entry:
    return msgspec.structs.replace(entry, tables=())


def _concerns(resolution: Resolution, questions: set[str], statements: set[str]) -> bool:
    if resolution.convention:
        return CONVENTIONS[resolution.convention].question in questions
    return resolution.question in questions or resolution.choose in statements


def _with_yields(spec: Spec) -> list[Clause]:
    """The clauses with what their statement yields to among their excludes."""
    yields = {statement.id: statement.yields_to for statement in spec.statements}
    answers: dict[tuple[str, str], list[str]] = {}
    for clause in spec.clauses:
        answers.setdefault((clause.statement, clause.question), []).append(clause.id)
    made = []
    for clause in spec.clauses:
        to = yields.get(clause.statement, ())
        more = [name for other in to for name in answers.get((other, clause.question), ())]
        excludes = tuple(dict.fromkeys((*clause.excludes, *more)))
        yielding = msgspec.structs.replace(clause, excludes=excludes, yields=tuple(dict.fromkeys(more)))
        made.append(yielding if more else clause)
    return made


def _check_yields(file: SpecFile, spec: Spec, references: References) -> None:
    """Problems for `yields_to` that names nothing, has no effect, or goes in a circle."""
    questions: dict[str, set[str]] = {statement.id: set() for statement in spec.statements}
    for clause in spec.clauses:
        questions.setdefault(clause.statement, set()).add(clause.question)
    yields: dict[str, list[str]] = {}
    for owner, name, span in references.yields:
        if not _known(file, name, questions, "statement", span):
            continue
        yields.setdefault(owner, []).append(name)
        mine, theirs = questions.get(owner, set()), questions[name]
        if mine and theirs and not mine & theirs:
            what = f"`{owner}` yields to `{name}`, which answers none of its questions"
            file.problem("idle-yields", what, span, help=f"`{name}` answers {', '.join(sorted(theirs))}")
    places = {(owner, name): span for owner, name, span in references.yields}
    for circle in _circles(_circling(yields)):
        what = "statements that yield in a circle: " + " → ".join(f"`{name}`" for name in circle)
        place = places[circle[0], circle[1]]
        file.problem("cyclic-yields", what, place, help="remove one of the `yields_to`")


def _circling(yields: Mapping[str, list[str]]) -> dict[str, list[str]]:
    """What is left when everything that yields to nothing is taken away, again and again."""
    left = {owner: set(names) for owner, names in yields.items()}
    owners: dict[str, list[str]] = {}
    for owner, names in left.items():
        for name in names:
            owners.setdefault(name, []).append(owner)
    free = [name for name in owners if name not in left]
    while free:
        name = free.pop()
        for owner in owners.get(name, ()):
            left[owner].discard(name)
            if not left[owner]:
                free.append(owner)
    return {owner: sorted(names) for owner, names in left.items() if names}


def _circles(yields: Mapping[str, list[str]]) -> Iterator[list[str]]:
    """Circles in what `_circling` left, each from its first member in file order back to that."""
    order = {name: number for number, name in enumerate(yields)}
    visited: set[str] = set()
    for start in yields:
        way: list[str] = []
        here = start
        while here not in visited:
            visited.add(here)
            way.append(here)
            here = yields[here][0]
        if here in way:
            circle = way[way.index(here) :]
            first = circle.index(min(circle, key=order.__getitem__))
            yield [*circle[first:], *circle[: first + 1]]


def _check_resolutions(file: SpecFile, spec: Spec, references: References) -> None:
    """Problems for resolutions that name no statement, case or reading."""
    names = {statement.id for statement in spec.statements} | {clause.id for clause in spec.clauses}
    for name, span in references.instead:
        _known(file, name, names, "statement or case", span)
    readings: dict[str, set[str]] = {}
    for clause in spec.clauses:
        if clause.reading:
            readings.setdefault(clause.statement, set()).add(clause.reading)
    for statement, span in references.chosen:
        if statement in names and statement not in readings:
            what = f"`{statement}` has no readings to choose from"
            file.problem("unknown-id", what, span, help=did_you_mean(statement, readings) or "no statement has any")
        else:
            _known(file, statement, readings, "statement with readings", span)
    for statement, reading, span in references.readings:
        if statement in readings:
            known = readings[statement]
            if reading not in known:
                what = f"`{statement}` has no reading `{reading[:60]}`"
                file.problem("unknown-id", what, span, help=did_you_mean(reading, known))


def _known(file: SpecFile, name: str, known: Iterable[str], what: str, span: Span) -> bool:
    if name in known:
        return True
    file.problem("unknown-id", f"no {what} `{name[:60]}`", span, help=did_you_mean(name, known) or "there is none")
    return False

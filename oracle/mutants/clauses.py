"""Slips of whoever writes a spec: one clause left out, one answer changed, one value in or out of a guard, or moved."""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction

import msgspec
from msgspec.structs import replace

from oracle.game.rules import Rules
from oracle.rules.answers import Atom
from oracle.rules.model import Clause, Spec, Test
from oracle.rules.questions import COUP_QUESTIONS, QUESTIONS
from oracle.rules.values import Among, Value, contains

ASKED = COUP_QUESTIONS
_MOST = 30  # values of a field up to which each is tried


class Slip(msgspec.Struct, frozen=True):
    """A spec with one slip. `kind` is left-out, answer, value or moved; `says` names the clause and what happened."""

    kind: str
    question: str
    clause: str
    says: str
    spec: Spec


def slips(rules: Rules) -> Iterator[Slip]:
    """Every slip in what the source of these rules says of coups and money at this table. Borrowed clauses are left."""
    spec = rules.spec
    for clause in rules.clauses:
        if clause.question not in ASKED or clause.borrowed:
            continue
        yield _slip("left-out", clause, "left out", _without(spec, clause))
        for answer in _answers(clause):
            says = f"answers {' | '.join(map(str, answer))}, not {' | '.join(map(str, clause.answer))}"
            yield _slip("answer", clause, says, _with(spec, replace(clause, answer=answer)))
        for test in clause.guard:
            for value in _values(rules, clause, test):
                word = "without" if contains(test.values, value) else "with"
                yield _slip(
                    "value", clause, f"{test.field} {word} {value}", _with(spec, _toggled(rules, clause, test, value))
                )
        yield from _moved(rules, clause)


def _moved(rules: Rules, clause: Clause) -> Iterator[Slip]:
    """A value moved from a guard to that of another case of the same statement."""
    others = [c for c in rules.clauses if c.statement == clause.statement and c.id != clause.id]
    for test in clause.guard:
        for value in _values(rules, clause, test):
            if not contains(test.values, value):
                continue
            for other in others:
                there = next((t for t in other.guard if t.field == test.field), None)
                if other.question == clause.question and there and not contains(there.values, value):
                    spec = _with(rules.spec, _toggled(rules, clause, test, value))
                    spec = _with(spec, _toggled(rules, other, there, value))
                    yield _slip("moved", clause, f"{test.field} {value} moved to {other.id}", spec)


def _slip(kind: str, clause: Clause, says: str, spec: Spec) -> Slip:
    return Slip(kind, clause.question, clause.id, f"{clause.id}: {says}", spec)


def _with(spec: Spec, clause: Clause) -> Spec:
    return replace(spec, clauses=tuple(clause if c.id == clause.id else c for c in spec.clauses))


def _without(spec: Spec, clause: Clause) -> Spec:
    left = (c for c in spec.clauses if c.id != clause.id)
    return replace(
        spec, clauses=tuple(replace(c, excludes=tuple(id for id in c.excludes if id != clause.id)) for c in left)
    )


def _values(rules: Rules, clause: Clause, test: Test) -> list[Value]:
    """The values of a tested field among the states of the question, where they are few."""
    space = rules.evaluation(clause.question).space
    if not space.has(test.field):
        return []
    found = list(dict.fromkeys(space.column(test.field)))
    return found if len(found) <= _MOST else []


def _toggled(rules: Rules, clause: Clause, test: Test, value: Value) -> Clause:
    """The clause with a value taken into the guard, or out of it."""
    kept = {v for v in _values(rules, clause, test) if contains(test.values, v)} ^ {value}
    changed = replace(test, values=Among(frozenset(kept)))
    return replace(clause, guard=tuple(changed if t is test else t for t in clause.guard))


def _answers(clause: Clause) -> Iterator[tuple[Atom, ...]]:
    """What else the clause could say: another option, or a number that a slip makes of its own."""
    question = QUESTIONS[clause.question]
    if question.options:
        yield from ((option,) for option in question.options if (option,) != clause.answer)
        return
    (said,) = clause.answer if len(clause.answer) == 1 else (None,)
    match question.answer, said:
        case "points", "face":
            yield (0,)
        case "points", int():
            yield ((said + 1) % 10,)
            yield ((said - 1) % 10,)
        case "total", str():
            yield ("sum" if said == "units" else "units",)
        case "odds", int() | Fraction():
            yield (Fraction(said) + 1,)
            if said > 1:
                yield (Fraction(said) - 1,)
        case "share", int() | Fraction():
            yield (Fraction(said) * 2 if said else Fraction(1, 20),)
            if said:
                yield (Fraction(0),)
        case _:
            return

"""dead and vacuous: statements that speak of no state, and questions that have none."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import product

from oracle.checks.finding import Finding
from oracle.checks.make_finding import finding
from oracle.game.rules import ALIKE_FIELDS, Rules
from oracle.game.space import Space
from oracle.rules.model import Clause, Test
from oracle.rules.questions import (
    COUP_QUESTIONS,
    DIGITS,
    FIELDS,
    KNOWN,
    NOTHING,
    QUESTIONS,
    THIRD,
    THIRD_CARD,
    TWO_CARDS,
    YES_NO,
    before,
)
from oracle.rules.values import contains

_FREE = ("bet", "winner", "player_backed", *ALIKE_FIELDS)


def check_dead(rules: Rules, question: str) -> Iterator[Finding]:
    """One finding for each clause without a reachable state: contradictory in itself, or unreachable."""
    evaluation = rules.evaluation(question)
    if evaluation.clauses and not len(evaluation.space):
        if _open_before(rules, question, ()):
            return
        yield finding(
            rules,
            question,
            "vacuous",
            0,
            message=f"statements say {evaluation.question.asks}, and no coup gets there",
            subject=question,
            clauses=evaluation.clauses,
            given=_given(rules, question, ()),
        )
        return
    for clause in evaluation.clauses:
        if evaluation.masks[clause.id]:
            continue
        alone = evaluation.space.select(clause.guard)
        if alone and clause.otherwise:
            yield finding(
                rules,
                question,
                "vacuous",
                0,
                message=f"{clause.id} has nothing to decide: the cases before it leave no state",
                subject=clause.id,
                clauses=[clause],
                help="remove it, or see which case is too wide",
            )
        elif alone:
            excepted = [other.statement for other in evaluation.clauses if other.id in clause.excludes]
            names = " and ".join(dict.fromkeys(excepted))
            yield finding(
                rules, question, "dead", 0,
                message=f"{clause.id} never speaks: it yields to {names} everywhere",
                subject=clause.id, clauses=[clause],
            )  # fmt: skip
        elif evaluation.question.stage == "table":
            if _open_before(rules, question, ()):
                continue
            yield finding(
                rules, question, "dead", 0,
                message=f"{clause.id} speaks of no state of this table: {_show_guard(clause)}",
                subject=clause.id, clauses=[clause],
                help="mend the guard; if the document says so, accept the finding",
            )  # fmt: skip
        elif not conceivable(rules, question, clause.guard):
            yield finding(
                rules,
                question,
                "dead",
                0,
                message=f"{clause.id} contradicts itself: no state has {_show_guard(clause)}",
                subject=clause.id,
                clauses=[clause],
                help="mend the guard; if the document says so, accept the finding",
            )
        elif not _open_before(rules, question, clause.guard):
            given = _given(rules, question, clause.guard)
            yield finding(
                rules,
                question,
                "dead",
                0,
                message=f"{clause.id} is never reached: {_show_guard(clause)} is settled before",
                subject=clause.id,
                clauses=[clause],
                given=given,
                help="remove it; if the document says so, accept the finding",
            )


def _show_guard(clause: Clause) -> str:
    return ", ".join(f"{test.field}: {test.text}" for test in clause.guard) or "anything"


def conceivable(rules: Rules, question: str, guard: tuple[Test, ...]) -> bool:
    """Whether any hands of two or three cards meet a guard, whatever the rules say about reaching them."""
    space = _everything(question)
    fields: dict[str, list[Test]] = {}
    bound = []
    for test in guard:
        if test.field in _FREE or not space.has(test.field):
            fields.setdefault(test.field, []).append(test)
        else:
            bound.append(test)
    for field, tests in fields.items():
        domain = rules.bets if field == "bet" else FIELDS[field].domain if field in FIELDS else YES_NO
        if domain and not any(all(contains(test.values, value) for test in tests) for value in domain):
            return False
    return bool(space.select(bound))


def _everything(question: str) -> Space:
    """All hands in the fields of a question, reachable or not."""
    stage = QUESTIONS[question]
    known = KNOWN[stage.needs]
    if stage.needs == NOTHING:
        field = stage.fields[0] if stage.fields else ""
        return Space(stage.fields[:1], ((v,) for v in (FIELDS[field].domain if field else ())))
    if stage.needs == TWO_CARDS:
        return Space(known, product(DIGITS, DIGITS))
    if stage.needs == THIRD_CARD:
        return Space(known, ((p, b, t, _total(p, t)) for p, b, t in product(DIGITS, DIGITS, THIRD)))
    return Space(
        known,
        ((p, b, s, t, _total(p, s), _total(b, t)) for p, b, s, t in product(DIGITS, DIGITS, THIRD, THIRD)),
    )


def _total(two: int, third: object) -> int:
    return (two + third) % 10 if isinstance(third, int) else two


def _coup_before(question: str) -> tuple[str, ...]:
    """The questions of a coup that lead to this one; to one around it whole coups lead, with all that they turn on."""
    if question in COUP_QUESTIONS:
        return before(question)
    return tuple(name for name in COUP_QUESTIONS if any(name in before(later) for later in COUP_QUESTIONS))


def _open_before(rules: Rules, question: str, guard: tuple[Test, ...]) -> bool:
    """Whether states that this guard would need are open in an earlier question: then that is the finding."""
    around = () if question in COUP_QUESTIONS else before(question)
    if any(rules.evaluation(earlier).open for earlier in around):
        return True
    for earlier in _coup_before(question):
        evaluation = rules.evaluation(earlier)
        if evaluation.open & evaluation.space.select([t for t in guard if evaluation.space.has(t.field)]):
            return True
    return False


def _given(rules: Rules, question: str, guard: tuple[Test, ...]) -> tuple[str, ...]:
    """The resolutions of earlier questions that decide states which this guard would need."""
    names: dict[str, None] = {}
    for earlier in _coup_before(question):
        if not QUESTIONS[earlier].needs:  # what cards count decides every state
            continue
        evaluation = rules.evaluation(earlier)
        mask = evaluation.space.select([t for t in guard if evaluation.space.has(t.field)])
        for applied in evaluation.applied:
            if applied.closes & mask:
                names[applied.resolution.id] = None
    return tuple(names)

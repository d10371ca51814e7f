"""masked, overlap, assumed: notes on statements that say what others say, and on silence with a default."""

from __future__ import annotations

from collections.abc import Iterator

from oracle.checks.finding import Finding
from oracle.checks.parts import finding
from oracle.checks.regions import show_region
from oracle.game.rules import Rules


def check_masked(rules: Rules, question: str) -> Iterator[Finding]:
    """A note for each clause in whose every state another one speaks too."""
    evaluation = rules.evaluation(question)
    active = evaluation.active({})
    once = twice = 0
    for clause in active:
        twice |= once & evaluation.masks[clause.id]
        once |= evaluation.masks[clause.id]
    alike = twice & ~evaluation.literal.conflict
    for clause in active:
        mask = evaluation.masks[clause.id]
        if mask and not mask & ~alike:
            yield finding(
                rules, question, "masked", mask,
                message=f"{clause.id} says nothing that others don't say too",
                subject=clause.id, clauses=[clause], level="note", region=show_region(rules, question, mask),
            )  # fmt: skip


def check_overlap(rules: Rules, question: str) -> Iterator[Finding]:
    """A note for each question with states that several statements answer alike."""
    evaluation = rules.evaluation(question)
    once = twice = 0
    for statement in dict.fromkeys(clause.statement for clause in evaluation.active({})):
        mask = 0
        for clause in evaluation.active({}):
            if clause.statement == statement:
                mask |= evaluation.masks[clause.id]
        twice |= once & mask
        once |= mask
    twice &= ~evaluation.literal.conflict
    if twice:
        clauses = [c for c in evaluation.active({}) if evaluation.masks[c.id] & twice]
        yield finding(
            rules, question, "overlap", twice,
            message=f"several statements say alike {evaluation.question.asks}",
            subject=question, clauses=clauses, level="note", region=show_region(rules, question, twice),
        )  # fmt: skip


def check_assumed(rules: Rules, question: str) -> Iterator[Finding]:
    """A note where the text is silent and the language has a default."""
    evaluation = rules.evaluation(question)
    if evaluation.assumed:
        yield finding(
            rules, question, "assumed", evaluation.assumed,
            message=f"nothing says {evaluation.question.asks}; assumed: {evaluation.question.default}",
            subject=question, level="note", region=show_region(rules, question, evaluation.assumed),
            span=rules.rule_set.span,
        )  # fmt: skip

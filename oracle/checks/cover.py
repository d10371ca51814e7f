"""masked, overlap, assumed: notes on statements that say what others say, and on silence with a default."""

from __future__ import annotations

from collections.abc import Iterator

from oracle.checks.finding import Finding
from oracle.checks.make_finding import finding
from oracle.checks.regions import show_region
from oracle.game.covering import covering
from oracle.game.rules import Rules


def check_masked(rules: Rules, question: str) -> Iterator[Finding]:
    """A note for each clause in whose every state other ones speak too, with a minimal set of these."""
    evaluation = rules.evaluation(question)
    clauses = {clause.id: clause for clause in evaluation.clauses}
    for name, cover in covering(evaluation).items():
        clause = clauses[name]
        yield finding(
            rules, question, "masked", evaluation.masks[name],
            message=f"{name} says nothing that {' and '.join(cover)} {'do' if len(cover) > 1 else 'does'}n't say too",
            subject=name, clauses=[clause, *(clauses[other] for other in cover)], span=clause.span,
            region=show_region(rules, question, evaluation.masks[name]),
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
            subject=question, clauses=clauses, region=show_region(rules, question, twice),
        )  # fmt: skip


def check_assumed(rules: Rules, question: str) -> Iterator[Finding]:
    """A note where the text is silent and the language has a default."""
    evaluation = rules.evaluation(question)
    if evaluation.assumed:
        yield finding(
            rules, question, "assumed", evaluation.assumed,
            message=f"nothing says {evaluation.question.asks}; assumed: {evaluation.question.default}",
            subject=question, region=show_region(rules, question, evaluation.assumed),
            span=rules.rule_set.span,
        )  # fmt: skip

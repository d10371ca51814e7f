"""Claims about how often something comes and what a bet costs: measures against numbers and against each other."""

from __future__ import annotations

from fractions import Fraction

from oracle.checks.claim_context import ClaimContext, Judgement, holds_or_fails, open_before
from oracle.game.rules import Rules
from oracle.rules.assertions import BoundClaim, CompareClaim, ConsecutiveClaim, Measured
from oracle.spans import BadChoice, OracleError, Undecided


def _shown(
    measure: str, of: Measured, value: Fraction, rules: Rules, context: ClaimContext, *, whole: bool = True
) -> str:
    """A measure of something with its value; of a frequency the sequences too, and with `whole` of how many."""
    shown = f"{_named(of)} {_percent(value)}"
    if measure != "frequency":
        return shown
    total = context.odds(rules).total
    return f"{shown} ({int(value * total):,}{f' of {total:,} sequences' if whole else ''})"


def _measure(measure: str, of: Measured, rules: Rules, context: ClaimContext) -> Fraction:
    odds = context.odds(rules)
    return -odds.expectation(of.bet) if measure == "edge" else odds.frequency(of.guard)


def _named(of: Measured) -> str:
    return of.bet or f"({of.text})"


def _percent(value: Fraction) -> str:
    return f"{float(value) * 100:.4f} %"


def judge_compare(body: CompareClaim, rules: Rules, context: ClaimContext) -> Judgement:
    """A measure against another one, or against that of every other bet."""
    missing = _unoffered(rules, body.of, body.than)
    if missing:
        return Judgement("vacuous", missing)
    left_open = open_before(rules, "pays")
    if left_open is not None:
        return left_open
    others = [body.than] if body.than else [Measured(bet=b, text=b) for b in rules.bets if b != body.of.bet]
    try:
        left = _measure(body.measure, body.of, rules, context)
        rights = [(other, _measure(body.measure, other, rules, context)) for other in others]
    except (Undecided, BadChoice):
        raise
    except OracleError as error:
        return Judgement("skipped", str(error))
    holds = all({"less": left < r, "more": left > r, "equal": left == r}[body.relation] for _, r in rights)
    against = ", ".join(_shown(body.measure, other, r, rules, context, whole=False) for other, r in rights)
    of = _shown(body.measure, body.of, left, rules, context)
    return holds_or_fails(holds, f"{body.measure} of {of}, of {against}")


def judge_bound(body: BoundClaim, rules: Rules, context: ClaimContext) -> Judgement:
    """A measure against a number."""
    missing = _unoffered(rules, body.of, None)
    if missing:
        return Judgement("vacuous", missing)
    left_open = open_before(rules, "pays")
    if left_open is not None:
        return left_open
    try:
        value = _measure(body.measure, body.of, rules, context)
    except (Undecided, BadChoice):
        raise
    except OracleError as error:
        return Judgement("skipped", str(error))
    bound = body.bound
    holds = {
        "<": value < bound,
        "<=": value <= bound,
        ">": value > bound,
        ">=": value >= bound,
        "=": value == bound,
    }[body.relation]
    of = _shown(body.measure, body.of, value, rules, context)
    return holds_or_fails(holds, f"{body.measure} of {of}")


def judge_consecutive(body: ConsecutiveClaim, rules: Rules, context: ClaimContext) -> Judgement:
    """Whether the winner of a coup depends on that of the one before."""
    from oracle.odds.consecutive import shuffled_between

    left_open = open_before(rules, "outcome")
    if left_open is not None:
        return left_open
    if shuffled_between(rules):
        return holds_or_fails(body.independent, "the shoe is shuffled after every coup: the largest deviation is zero")
    try:
        found = context.consecutive(rules)
    except (Undecided, BadChoice):
        raise
    except OracleError as error:
        return Judgement("skipped", str(error))
    first, second = found.largest
    after, share = found.after(first, second), found.share(second)
    evidence = (
        f"of nine pairs of winners from a fresh shoe {second} after {first} deviates most: {_percent(after)} instead "
        f"of {_percent(share)}, {found.counts[first, second]:,} of {found.total:,} sequences of twelve cards"
    )
    return holds_or_fails((after == share) == body.independent, evidence)


def _unoffered(rules: Rules, of: Measured, than: Measured | None) -> str:
    for measured in (of, than):
        if measured is not None and measured.bet and measured.bet not in rules.bets:
            return f"{rules.id} has no bet {measured.bet}"
    return ""

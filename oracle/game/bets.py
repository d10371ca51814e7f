"""Which bets may be laid: offered ones, sets allowed together, stakes, and the balance. Refusals cite statements."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from fractions import Fraction

import msgspec

from oracle.game.around import can_be_laid, unoffered
from oracle.game.coup import show_state, why_open
from oracle.game.rules import Rules
from oracle.game.settle import no_stake
from oracle.rules.answers import show_number
from oracle.rules.model import Clause
from oracle.rules.questions import SIDES
from oracle.rules.values import Value
from oracle.spans import BadBet, Undecided
from oracle.text import did_you_mean, quoted


class Refusal(msgspec.Struct, frozen=True):
    """Why bets are not taken: the question that refuses them, in words, and the statements or resolution behind it."""

    question: str
    reason: str
    clauses: tuple[Clause, ...] = ()
    resolution: str = ""

    def __str__(self) -> str:
        """The reason, and below it each statement that gives it."""
        said = dict.fromkeys(f"line {c.lines} ({c.statement}): {c.says}" for c in self.clauses)
        lines = list(said) or ([f"as resolved by {self.resolution}"] if self.resolution else [])
        return "\n".join([self.reason, *(f"  {line}" for line in lines)])


def refusals(rules: Rules, bets: Mapping[str, Fraction], *, balance: Fraction | None = None) -> Iterator[Refusal]:
    """Every reason why these bets (stakes by name) are not legal at this table; none if they are.

    `balance` is what the bettor has, if it matters. Where the source is silent nothing is refused. Raises `Undecided`.
    """
    unknown = [bet for bet in bets if bet not in rules.bets]
    for bet in unknown:
        clauses = rules.clauses_about("bets_offered")
        what = f"{rules.id} has no bet {quoted(bet)}"
        near = did_you_mean(bet, rules.bets)
        yield Refusal("bets_offered", f"{what}: {near}" if near else what, clauses)
    for bet, stake in bets.items():
        if stake <= 0:
            yield Refusal("stake", no_stake(show_number(stake)), _against(rules, bet, stake))
    known = {bet: stake for bet, stake in bets.items() if bet in rules.bets and stake > 0}
    if known:
        yield from _together(rules, list(known))
    for bet, stake in known.items():
        yield from _stake(rules, bet, stake)
    total = sum(known.values(), Fraction(0))
    if balance is not None and rules.clauses_about("total_stake"):
        over = "yes" if total > balance else "no"
        what = f"stakes of {show_number(total)} together, with a balance of {show_number(balance)}, are refused"
        yield from refused(rules, "total_stake", {"over_balance": over}, what)


def _against(rules: Rules, bet: str, stake: Fraction) -> tuple[Clause, ...]:
    """The statements that refuse a stake that is none anyway."""
    try:
        return tuple(c for refusal in _stake(rules, bet, stake) for c in refusal.clauses)
    except Undecided:
        return ()


def require_legal(rules: Rules, bets: Mapping[str, Fraction], *, balance: Fraction | None = None) -> None:
    """Raises `BadBet` with every reason if the bets are not legal."""
    found = list(refusals(rules, bets, balance=balance))
    if found:
        raise BadBet("\n".join(str(refusal) for refusal in found))


def _together(rules: Rules, bets: list[str]) -> Iterator[Refusal]:
    if not rules.clauses_about("bets_together") and not any(r.question == "bets_together" for r in rules.resolutions):
        return
    sides = sum(1 for bet in bets if bet in SIDES)
    state: dict[str, Value] = {bet: "yes" if bet in bets else "no" for bet in (*rules.bets, *unoffered(rules))}
    counts: dict[str, Value] = {"count": len(bets), "sides": sides, "extras": len(bets) - sides}
    what = f"{' and '.join(bets)} together are refused" if len(bets) > 1 else f"{bets[0]} alone is refused"
    yield from refused(rules, "bets_together", {**state, **counts}, what)


def _stake(rules: Rules, bet: str, stake: Fraction) -> Iterator[Refusal]:
    clauses = rules.clauses_about("stake")
    if not clauses:
        return
    what = f"{show_number(stake)} on {bet} is refused"
    if stake.denominator != 1:
        yield Refusal("stake", f"{what}: stakes are whole numbers", clauses)
        return
    chips = rules.value("chips")
    state: dict[str, Value] = {"bet": bet, "stake": int(stake)}
    if isinstance(chips, tuple):
        state["in_chips"] = "yes" if can_be_laid(int(stake), [int(str(chip)) for chip in chips]) else "no"
    elif rules.tests("stake", "in_chips"):
        raise Undecided("stake", f"in_chips of {show_number(stake)}", "no statement says which chips there are")
    yield from refused(rules, "stake", state, what)


def refused(rules: Rules, question: str, state: Mapping[str, Value], what: str) -> Iterator[Refusal]:
    """The refusal of a state of an allowed/refused question, if it is refused. Raises `Undecided`."""
    evaluation = rules.at(question, state)
    answer = evaluation.answer(0)
    if not answer:
        raise Undecided(question, show_state(state), why_open(evaluation, 0))
    if answer[0] == "refused":
        filled = evaluation.filled_by(0)
        yield Refusal(question, what, () if filled else tuple(evaluation.fired(0)), filled.id if filled else "")

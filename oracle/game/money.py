"""Stakes and nets of a table: which stakes are legal, what a win nets, and what chips can't pay."""

from __future__ import annotations

from fractions import Fraction

import msgspec

from oracle.game.around import can_be_laid
from oracle.game.rules import Rules
from oracle.game.space import first_bit
from oracle.spans import OracleError


def legal_stakes(rules: Rules, bet: str) -> list[int] | None:
    """The stakes that the source allows on a bet, ascending; None if it doesn't limit them."""
    evaluation = rules.evaluation("stake")
    if not evaluation.clauses:
        return None
    space = evaluation.space
    allowed = evaluation.resolved.permits.get("allowed", 0) & ~evaluation.open
    bets = space.column("bet") if "bet" in space.fields else [bet] * len(space)
    stakes = space.column("stake")
    found = [int(stakes[i]) for i in range(len(space)) if allowed >> i & 1 and bets[i] == bet]
    top = max((int(stake) for stake in stakes), default=0)
    return None if top in found else sorted(found)


def round_net(rules: Rules, net: Fraction) -> Fraction:
    """A winning net rounded as the table rounds; exact where it doesn't say."""
    rounding = rules.value("rounding")
    if not isinstance(rounding, str) or rounding == "exact":
        return net
    way, _, unit_text = rounding.partition(" ")
    unit = int(unit_text)
    units = net / unit
    whole = units.numerator // units.denominator
    if units == whole:
        return net
    if way == "down" or (way == "nearest" and units - whole < Fraction(1, 2)):
        return Fraction(whole * unit)
    return Fraction((whole + 1) * unit)


def net_of(rules: Rules, i: int, stake: Fraction) -> Fraction:
    """The net of a stake in state i of the outcome question. Raises `OracleError` if the state is open."""
    outcomes = rules.evaluation("outcome")
    answer = outcomes.answer(i)
    if not answer:
        raise OracleError(f"{rules.id}: outcome is open")
    if answer[0] != "win":
        return -stake if answer[0] == "lose" else Fraction(0)
    return round_net(rules, stake * prize(rules, i))


def prize(rules: Rules, i: int) -> Fraction:
    """What a winning unit stake nets in state i of the outcome question, before rounding."""
    row = rules.evaluation("outcome").space.rows[i]
    pays, commission = rules.evaluation("pays"), rules.evaluation("commission")
    place = pays.space.index(row)
    if place is None or not pays.answer(place) or not commission.answer(place):
        raise OracleError(f"{rules.id}: what a win pays is open")
    odds, rate = pays.answer(place)[0], commission.answer(place)[0]
    return Fraction(odds) * (1 - Fraction(rate))  # type: ignore[arg-type]


class Unpayable(msgspec.Struct, frozen=True):
    """Legal stakes on a bet whose net chips can't pay: how many of how many, the least one, and where.

    `states` are those of the outcome question in which this prize is won, as a mask; `net` is the net of the least
    such stake, `balance` the start balance with it, None if no start is said.
    """

    bet: str
    states: int
    stakes: int
    of_stakes: int
    least: int
    net: Fraction
    balance: Fraction | None


def unpayable(rules: Rules) -> list[Unpayable]:
    """For each bet and kind of win the legal stakes whose net is no sum of chips; none where chips aren't said."""
    chips = rules.value("chips")
    if not isinstance(chips, tuple):
        return []
    values = [int(str(chip)) for chip in chips]
    outcomes = rules.evaluation("outcome")
    wins = outcomes.resolved.permits.get("win", 0) & ~outcomes.open
    start = rules.value("start_balance")
    kinds: dict[tuple[str, Fraction], int] = {}
    for i, row in enumerate(outcomes.space.rows):
        if wins >> i & 1:
            key = (str(row[0]), prize(rules, i))
            kinds[key] = kinds.get(key, 0) | 1 << i
    found = []
    for (bet, _), states in kinds.items():
        place = first_bit(states)
        stakes = legal_stakes(rules, bet) or []
        bad = [stake for stake in stakes if not _payable(net_of(rules, place, Fraction(stake)), values)]
        if bad:
            net = net_of(rules, place, Fraction(bad[0]))
            balance = Fraction(start) + net if isinstance(start, int) else None
            found.append(Unpayable(bet, states, len(bad), len(stakes), bad[0], net, balance))
    return found


def _payable(net: Fraction, chips: list[int]) -> bool:
    return net.denominator == 1 and can_be_laid(int(net), chips)

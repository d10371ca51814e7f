"""Stakes and nets of a table: which stakes are legal, what a win nets, and what chips can't pay."""

from __future__ import annotations

from fractions import Fraction
from math import ceil, lcm
from weakref import WeakKeyDictionary

import msgspec

from oracle.game.chip_sums import can_be_laid, chip_period, known_chips
from oracle.game.listed_numbers import stake_period
from oracle.game.rules import Rules
from oracle.game.space import MAX_ROWS, Row, Space, bits, first_bit
from oracle.game.table_spaces import over
from oracle.spans import OracleError

_STAKES: WeakKeyDictionary[Rules, dict[tuple[str, int], list[int]]] = WeakKeyDictionary()


def legal_stakes(rules: Rules, bet: str) -> list[int] | None:
    """The stakes that the source allows on a bet, ascending; None if it doesn't limit them, or to too many to list."""
    if not rules.evaluation("stake").clauses:
        return None
    period, start = stake_period(rules)
    top = start + period - 1
    if top > MAX_ROWS:
        return None
    stakes = stakes_up_to(rules, bet, top)
    return None if stakes and stakes[-1] >= start else stakes


def stakes_up_to(rules: Rules, bet: str, top: int) -> list[int]:
    """The legal stakes on a bet from 1 to `top`; where no statement speaks of stakes, those that chips make."""
    known = _STAKES.setdefault(rules, {})
    if not rules.tests("stake", "bet"):
        bet = ""  # one list for all bets
    if (bet, top) not in known:
        known[bet, top] = _stakes(rules, bet, top)
    return list(known[bet, top])


def _stakes(rules: Rules, bet: str, top: int) -> list[int]:
    evaluation = rules.evaluation("stake")
    chips = known_chips(rules)
    if not evaluation.clauses:
        return [stake for stake in range(1, top + 1) if chips is None or can_be_laid(stake, chips)]
    fields = evaluation.space.fields
    rows: list[Row] = []
    for stake in range(1, top + 1):
        words: tuple[str, ...] = ("yes", "no")
        if "in_chips" not in fields:
            words = ("",)
        elif chips is not None:
            words = ("yes" if can_be_laid(stake, chips) else "no",)
        rows += [(bet, stake, word) for word in words]
    dense = over(evaluation, Space(("bet", "stake", "in_chips"), rows))
    allowed = dense.resolved.permits.get("allowed", 0) & ~dense.open
    return list(dict.fromkeys(int(rows[i][1]) for i in bits(allowed)))


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
    such stake, `balance` the start balance with it, None if no start is said. `among` is empty if `of_stakes` are all
    that are legal; where stakes have no limit it is `every` if so many of every so many are meant, else `the first`.
    """

    bet: str
    states: int
    stakes: int
    of_stakes: int
    least: int
    net: Fraction
    balance: Fraction | None
    among: str = ""


def unpayable(rules: Rules) -> list[Unpayable]:
    """For each bet and kind of win the legal stakes whose net is no sum of chips; none where chips aren't said."""
    chips = known_chips(rules)
    if chips is None:
        return []
    outcomes = rules.evaluation("outcome")
    wins = outcomes.resolved.permits.get("win", 0) & ~outcomes.open
    first = rules.value("start_balance")
    legal: dict[str, list[int] | None] = {}
    kinds: dict[tuple[str, Fraction], int] = {}
    for i, row in enumerate(outcomes.space.rows):
        if wins >> i & 1:
            key = (str(row[0]), prize(rules, i))
            kinds[key] = kinds.get(key, 0) | 1 << i
    found = []
    for (bet, _), states in kinds.items():
        place = first_bit(states)
        known = legal.get(bet)
        if known is None and bet not in legal:
            known = legal[bet] = legal_stakes(rules, bet)
        start, period = (0, 0) if known is not None else _repeats(rules, prize(rules, place), chips)
        stakes = stakes_up_to(rules, bet, min(start + period, MAX_ROWS)) if known is None else known
        bad = [stake for stake in stakes if not _payable(net_of(rules, place, Fraction(stake)), chips)]
        if not bad:
            continue
        net = net_of(rules, place, Fraction(bad[0]))
        balance = Fraction(first) + net if isinstance(first, int) else None
        among, least = "" if known is not None else "the first", bad[0]
        if known is None and start + period <= MAX_ROWS and bad[-1] > start:
            among, bad, stakes = "every", [s for s in bad if s > start], [s for s in stakes if s > start]
        found.append(Unpayable(bet, states, len(bad), len(stakes), least, net, balance, among))
    return found


def _repeats(rules: Rules, odds: Fraction, chips: list[int]) -> tuple[int, int]:
    """Past which stake, and after how many, it repeats which stakes are legal and whether chips pay their nets."""
    period, start = stake_period(rules)
    unit, regular = chip_period(chips)
    if not rules.evaluation("stake").clauses:
        period, start = lcm(period, unit), max(start, regular)
    rounding = rules.value("rounding")
    step = int(rounding.rpartition(" ")[2]) if isinstance(rounding, str) and rounding != "exact" else 1
    paid = ceil((regular + step) / odds) if odds else 0
    return max(start, paid), lcm(period, odds.denominator * lcm(step, unit))


def _payable(net: Fraction, chips: list[int]) -> bool:
    return net.denominator == 1 and can_be_laid(int(net), chips)

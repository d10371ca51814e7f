"""What a bet gains and loses, how often: expectation, edge, return, hit frequency and variance, exactly."""

from __future__ import annotations

from fractions import Fraction
from functools import cached_property
from math import floor, isqrt, lcm

import msgspec

from oracle.game.chip_sums import chip_period, known_chips
from oracle.game.listed_numbers import stake_period
from oracle.game.money import legal_stakes, round_net, stakes_up_to
from oracle.game.rules import Rules
from oracle.spans import OracleError

MOST_STAKES = 100_000
_MOST_LOOKED_AT = 1_000_000
_NORMAL = Fraction("1.959964")  # between -z and z lie 95 % of the normal distribution


class Hit(msgspec.Struct, frozen=True):
    """One way in which a bet ends: win, lose or push, what a unit stake nets, and how many sequences end so."""

    outcome: str
    net: Fraction
    sequences: int


class BetOdds(msgspec.Struct, frozen=True, dict=True):
    """A bet on one shoe: `hits` are its ends, out of `total` sequences. All figures are for each unit initially staked.

    A push counts as a coup that nets nothing; figures "excluding ties" are other ones.
    """

    bet: str
    total: int
    hits: tuple[Hit, ...]

    @cached_property
    def expectation(self) -> Fraction:
        """The mean net; below zero the house gains."""
        return sum((hit.net * hit.sequences for hit in self.hits), Fraction(0)) / self.total

    @property
    def edge(self) -> Fraction:
        """The house edge: what the bettor loses on average."""
        return -self.expectation

    @property
    def payback(self) -> Fraction:
        """What comes back of a stake on average, the stake of a winning bet included."""
        return 1 + self.expectation

    def share(self, outcome: str) -> Fraction:
        """The share of coups that end in win, push or lose."""
        return Fraction(sum(hit.sequences for hit in self.hits if hit.outcome == outcome), self.total)

    @property
    def hit(self) -> Fraction:
        """The share of coups in which the bet wins."""
        return self.share("win")

    @cached_property
    def variance(self) -> Fraction:
        """The variance of the net of one coup."""
        squares = sum((hit.net**2 * hit.sequences for hit in self.hits), Fraction(0)) / self.total
        return squares - self.expectation**2

    def at_stake(self, rules: Rules, stake: int) -> BetOdds:
        """The same bet with a stake of so many, nets rounded as the table rounds; still for each unit staked."""
        hits = tuple(
            Hit(hit.outcome, round_net(rules, hit.net * stake) / stake, hit.sequences) if hit.outcome == "win" else hit
            for hit in self.hits
        )
        return BetOdds(self.bet, self.total, hits)


def confidence(odds: BetOdds, coups: int) -> tuple[Fraction, Fraction]:
    """Between which returns the mean of so many coups lies with a probability of 95 %, each way cut at 12 decimals.

    The return, less and more 1.959964 standard deviations of the mean: as if coups were independent, their mean normal.
    """
    squared = odds.variance / coups
    deviation = Fraction(isqrt(squared.numerator * 10**24 // squared.denominator), 10**12)
    return odds.payback - _NORMAL * deviation, odds.payback + _NORMAL * deviation


class Stakes(msgspec.Struct, frozen=True):
    """The edges of a bet over the stakes that the table takes.

    `checked` are how many; `least` and `most` the lowest and the highest edge, each with the least stake that has it.
    `favourable` are the stakes with an edge below zero, `all_favour` that every stake past those looked at has one.
    """

    checked: int
    least: tuple[int, Fraction]
    most: tuple[int, Fraction]
    favourable: tuple[int, ...]
    limited: bool
    all_favour: bool = False


def depends_on_stake(rules: Rules) -> bool:
    """Whether nets are rounded, so that the edge depends on the stake."""
    return isinstance(rules.value("rounding"), str) and rules.value("rounding") != "exact"


def over_stakes(rules: Rules, odds: BetOdds) -> Stakes | None:
    """The edges of a bet over every legal stake; None if no stake is legal.

    Rounding moves a win by less than its unit u, so a stake above u x hit / |edge| can't turn the sign of the exact
    edge: where stakes have no limit they are looked at up to there. Raises `OracleError` if those are too many.
    """
    stakes = legal_stakes(rules, odds.bet)
    limited = stakes is not None
    if stakes is None:
        stakes = stakes_up_to(rules, odds.bet, _turning(rules, odds))
    if not stakes:
        return None
    if not depends_on_stake(rules):
        favour = odds.edge < 0
        return Stakes(
            len(stakes), (stakes[0], odds.edge), (stakes[0], odds.edge),
            tuple(stakes) if favour else (), limited, favour and not limited,
        )  # fmt: skip
    edges = [(stake, odds.at_stake(rules, stake).edge) for stake in stakes]
    return Stakes(
        checked=len(stakes),
        least=min(edges, key=lambda entry: entry[1]),
        most=max(edges, key=lambda entry: entry[1]),
        favourable=tuple(stake for stake, edge in edges if edge < 0),
        limited=limited,
        all_favour=not limited and odds.edge < 0,
    )


def least_favourable(rules: Rules, odds: BetOdds) -> int | None:
    """The least legal stake whose mean net is above zero as wins are rounded; None if there is none.

    A stake s nets S(s) = sum w_i round(s n_i) - s l over all sequences: with n_i what a unit stake wins in w_i of them,
    and l that lose. Two bounds leave few stakes to look at. Rounding moves a win by less than its unit u, so that
    S(s) < u w + s S, with w all wins and S the exact sum for a unit stake: where S < 0 only stakes below u w / |S| can
    favour. And what rounding adds repeats after the least common multiple of u times the denominators of n_i, as what
    is legal does (`stake_period`): a stake past one period of both is one that was looked at, plus whole periods, of
    which each adds S times its length, nothing above zero where S <= 0. Where S > 0 every stake past u w / S
    favours. Raises `OracleError` where that leaves more than a million stakes.
    """
    if not depends_on_stake(rules):
        found = stakes_up_to(rules, odds.bet, sum(stake_period(rules))) if odds.edge < 0 else ()
        return found[0] if found else None
    unit = int(str(rules.value("rounding")).rpartition(" ")[2])
    wins = [hit for hit in odds.hits if hit.outcome == "win" and hit.sequences]
    lost = sum(hit.sequences for hit in odds.hits if hit.outcome == "lose")
    all_wins = sum(hit.sequences for hit in wins)
    exact = odds.expectation * odds.total
    period, start = stake_period(rules)
    chips = known_chips(rules)
    if chips is not None and not rules.evaluation("stake").clauses:
        step, regular = chip_period(chips)
        period, start = lcm(period, step), max(start, regular)
    cycle = lcm(period, *(unit * hit.net.denominator for hit in wins))
    turning = floor(unit * all_wins / abs(exact)) + 1 if exact else 0
    top = start + cycle
    if exact < 0:
        top = min(top, turning)
    elif exact > 0:
        top = max(top, turning + cycle)
    if top > _MOST_LOOKED_AT:
        raise OracleError(f"{rules.id}: whom rounding favours on {odds.bet} depends on too many stakes")
    for stake in stakes_up_to(rules, odds.bet, top):
        won = sum(hit.sequences * round_net(rules, hit.net * stake) for hit in wins)
        if won > stake * lost:
            return stake
    return None


def _turning(rules: Rules, odds: BetOdds) -> int:
    """From which stake on rounding can't turn who gains."""
    if not depends_on_stake(rules):
        return 1_000
    unit = int(str(rules.value("rounding")).rpartition(" ")[2])
    if not odds.edge:
        raise OracleError(f"{rules.id}: without rounding {odds.bet} is even, so that no stake settles who gains")
    top = floor(unit * odds.hit / abs(odds.edge)) + 1
    if top > MOST_STAKES:
        raise OracleError(f"{rules.id}: whom rounding favours on {odds.bet} depends on too many stakes")
    return top

"""Small wrong programs: the game of `right_program` with one thing gone wrong, by the id of the catalogued mistake.

Each is written from what the catalogue says of it, as somebody would write it who makes that mistake, and not from the
oracle's own account of it. Nothing here may import from `oracle`.
"""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction
from itertools import combinations
from typing import Any

from tests.conformance.right_program import ROWS, Baccarat, Coup, Hand

WRONG: dict[str, type[Baccarat]] = {}


class Wrong(Baccarat):
    """A program that makes the mistake of this id; `way` tells several of one id apart."""

    def __init_subclass__(cls, id: str, way: str = "") -> None:
        WRONG[f"{id}: {way}" if way else id] = cls


# The banker's table


class BankerNegates(Wrong, id="rows-5-6-negated"):
    def banker_draws(self, total: int, third: int | None, player: int) -> bool:
        if third is not None and total in (5, 6):
            return third not in ROWS[total]
        return super().banker_draws(total, third, player)


class BankerSwapsRows(Wrong, id="rows-5-6-swapped"):
    def banker_draws(self, total: int, third: int | None, player: int) -> bool:
        if third is not None and total in (5, 6):
            return third in ROWS[11 - total]
        return super().banker_draws(total, third, player)


class BankerSixSix(Wrong, id="six-six-stands"):
    def banker_draws(self, total: int, third: int | None, player: int) -> bool:
        return (total, third) != (6, 6) and super().banker_draws(total, third, player)


class BankerFourTwo(Wrong, id="four-two-stands"):
    def banker_draws(self, total: int, third: int | None, player: int) -> bool:
        return (total, third) != (4, 2) and super().banker_draws(total, third, player)


class BankerThreeTestsTotal(Wrong, id="row-3-tests-total"):
    def banker_draws(self, total: int, third: int | None, player: int) -> bool:
        if total == 3 and third is not None:
            return player != 8
        return super().banker_draws(total, third, player)


class BankerTestsTotal(Wrong, id="banker-tests-total"):
    def banker_draws(self, total: int, third: int | None, player: int) -> bool:
        return super().banker_draws(total, None if third is None else player, player)


class BankerTwoEight(Wrong, id="row-2-tests-eight"):
    def banker_draws(self, total: int, third: int | None, player: int) -> bool:
        return (total, third) != (2, 8) and super().banker_draws(total, third, player)


class BankerThreeInverted(Wrong, id="row-3-inverted"):
    def banker_draws(self, total: int, third: int | None, player: int) -> bool:
        if total == 3 and third is not None:
            return third == 8
        return super().banker_draws(total, third, player)


class BankerEightWithNine(Wrong, id="eight-with-nine"):
    def banker_draws(self, total: int, third: int | None, player: int) -> bool:
        return total == 3 or super().banker_draws(total, third, player)


class BankerRowsCut(Wrong, id="rows-cut"):
    def banker_draws(self, total: int, third: int | None, player: int) -> bool:
        if third is not None and total in (4, 5):
            return third in {4: (2, 3), 5: (4, 5)}[total]
        return super().banker_draws(total, third, player)


class BankerFourAlways(Wrong, id="row-4-always-draws"):
    def banker_draws(self, total: int, third: int | None, player: int) -> bool:
        return total == 4 or super().banker_draws(total, third, player)


class BankerAsPlayer(Wrong, id="banker-follows-player-rule"):
    def banker_draws(self, total: int, third: int | None, player: int) -> bool:
        return total <= 5


class BankerStandsOnFive(Wrong, id="banker-stands-on-five"):
    def banker_draws(self, total: int, third: int | None, player: int) -> bool:
        return total <= 4 if third is None else super().banker_draws(total, third, player)


class BankerDrawsOnSix(Wrong, id="banker-draws-on-six"):
    def banker_draws(self, total: int, third: int | None, player: int) -> bool:
        return total <= 6 if third is None else super().banker_draws(total, third, player)


class StoodAsZero(Wrong, id="stood-as-zero"):
    def banker_draws(self, total: int, third: int | None, player: int) -> bool:
        return super().banker_draws(total, third or 0, player)


class ThirdTen(Wrong, id="third-ten-as-ten"):
    def seen(self, rank: str) -> int:
        return 10 if rank in "TJQK" else self.points(rank)


class ThirdTenStands(ThirdTen, id="third-ten-as-ten", way="no row at all"):
    def banker_draws(self, total: int, third: int | None, player: int) -> bool:
        return third != 10 and super().banker_draws(total, third, player)


class StandsAgainstThreeCardNatural(Wrong, id="three-card-natural"):
    def banker_draws(self, total: int, third: int | None, player: int) -> bool:
        return not self.is_natural(player) and super().banker_draws(total, third, player)


class StandsAsThePlayer(Wrong, id="banker-stands-when-player-stood"):
    def banker_draws(self, total: int, third: int | None, player: int) -> bool:
        return False if third is None else super().banker_draws(total, third, player)


class DrewAndStoodSwapped(Wrong, id="drew-and-stood-swapped"):
    missing: int | None = 0  # a card that isn't there, as the table sees it

    def banker_draws(self, total: int, third: int | None, player: int) -> bool:
        if third is not None:
            return total <= 5
        return total <= 2 or self.missing in ROWS.get(total, ())


class DrewAndStoodSwappedNoRow(DrewAndStoodSwapped, id="drew-and-stood-swapped", way="no row has a missing card"):
    missing = None


class BankerNever(Wrong, id="banker-never-draws"):
    def banker_draws(self, total: int, third: int | None, player: int) -> bool:
        return False


class PlayersHandForBankers(Wrong, id="player-hand-for-banker"):
    def draw(self, shoe: Iterator[str], hands: dict[str, Hand]) -> None:
        player, banker = hands["player"], hands["banker"]
        mistaken = self.total(player)
        if self.player_draws(mistaken):
            player.append(next(shoe))
        third = self.seen(player[2][0]) if len(player) == 3 else None
        if self.banker_draws(mistaken, third, self.total(player)):
            banker.append(next(shoe))


# Naturals and the winner


class PlayersNatural(Wrong, id="natural-of-player-only"):
    def ends(self, player: int, banker: int) -> bool:
        return player >= 8


class BankersNatural(Wrong, id="natural-of-banker-only"):
    def ends(self, player: int, banker: int) -> bool:
        return banker >= 8


class PlayersNaturalTold(PlayersNatural, id="natural-of-player-only", way="told so"):
    def naturals(self, coup: Coup) -> str:
        return "player" if coup.first["player"] >= 8 else "none"


class BankersNaturalTold(BankersNatural, id="natural-of-banker-only", way="told so"):
    def naturals(self, coup: Coup) -> str:
        return "banker" if coup.first["banker"] >= 8 else "none"


class NineOnly(Wrong, id="natural-nine-only"):
    def is_natural(self, total: int) -> bool:
        return total == 9


class NoNaturals(Wrong, id="no-naturals"):
    def ends(self, player: int, banker: int) -> bool:
        return False


class NineOnlyEnds(Wrong, id="natural-nine-only", way="eight is told"):
    def ends(self, player: int, banker: int) -> bool:
        return 9 in (player, banker)


class NaturalsUnknown(NoNaturals, id="no-naturals", way="none is told"):
    def naturals(self, coup: Coup) -> str:
        return "none"


class EqualPairsEnd(Wrong, id="equal-pairs-end"):
    def ends(self, player: int, banker: int) -> bool:
        return player == banker or super().ends(player, banker)


class DrawnNatural(Wrong, id="drawn-natural"):
    def naturals(self, coup: Coup) -> str:
        sides = [side for side, total in coup.totals.items() if total >= 8]
        return "both" if len(sides) == 2 else "".join(sides) or "none"


class NaturalsTie(Wrong, id="naturals-tie"):
    def wins(self, totals: dict[str, int], first: dict[str, int]) -> str:
        return "tie" if min(first.values()) >= 8 else super().wins(totals, first)


class EightBeatsNine(Wrong, id="eight-beats-nine"):
    def wins(self, totals: dict[str, int], first: dict[str, int]) -> str:
        return "player" if min(first.values()) >= 8 else super().wins(totals, first)


class EightsAndNinesTie(Wrong, id="eights-and-nines-tie"):
    def wins(self, totals: dict[str, int], first: dict[str, int]) -> str:
        return "tie" if all(total in (8, 9) for total in totals.values()) else super().wins(totals, first)


class EightsAndNinesTieTold(EightsAndNinesTie, DrawnNatural, id="eights-and-nines-tie", way="called naturals"):
    """Whose eights and nines of three cards are naturals in what it tells, too."""


class WinnerOfTwoCards(Wrong, id="winner-of-two-cards"):
    def wins(self, totals: dict[str, int], first: dict[str, int]) -> str:
        return super().wins(first, first)


# What cards are worth


class TensNotReduced(Wrong, id="tens-not-reduced"):
    def points(self, rank: str) -> int:
        return 10 if rank in "TJQK" else super().points(rank)

    def last_digit(self, summed: int) -> int:
        return summed


class TensNotReducedOver(TensNotReduced, id="tens-not-reduced", way="eight or more is a natural"):
    def is_natural(self, total: int) -> bool:
        return total >= 8


class TensNotReducedSeen(TensNotReduced, id="tens-not-reduced", way="all but eight on three"):
    def banker_draws(self, total: int, third: int | None, player: int) -> bool:
        return (total, third) == (3, 10) or super().banker_draws(total, third, player)


class TensNotReducedStands(TensNotReduced, id="tens-not-reduced", way="no row at all"):
    def banker_draws(self, total: int, third: int | None, player: int) -> bool:
        return third != 10 and super().banker_draws(total, third, player)


class SumsNotReduced(Wrong, id="sums-not-reduced"):
    def last_digit(self, summed: int) -> int:
        return summed


class SumsNotReducedOver(SumsNotReduced, id="sums-not-reduced", way="eight or more is a natural"):
    def is_natural(self, total: int) -> bool:
        return total >= 8


class TenOnce(Wrong, id="ten-subtracted-once"):
    def last_digit(self, summed: int) -> int:
        return summed - 10 if summed >= 10 else summed


class TenLess(Wrong, id="ten-less-the-sum"):
    def last_digit(self, summed: int) -> int:
        return 10 - summed if summed > 9 else summed


class AceAsZero(Wrong, id="ace-as-zero"):
    def points(self, rank: str) -> int:
        return 0 if rank == "A" else super().points(rank)


class AceAsEleven(Wrong, id="ace-as-eleven"):
    def points(self, rank: str) -> int:
        return 11 if rank == "A" else super().points(rank)


class AceAsElevenStands(AceAsEleven, id="ace-as-eleven", way="no row at all"):
    def banker_draws(self, total: int, third: int | None, player: int) -> bool:
        return third != 11 and super().banker_draws(total, third, player)


class CourtsCount(Wrong, id="courts-eleven-to-thirteen"):
    def points(self, rank: str) -> int:
        return {"J": 1, "Q": 2, "K": 3}.get(rank) or super().points(rank)


class CourtsSeen(CourtsCount, id="courts-eleven-to-thirteen", way="looked up so"):
    def seen(self, rank: str) -> int:
        return {"T": 10, "J": 11, "Q": 12, "K": 13}.get(rank) or self.points(rank)


class CourtsSeenAsNothing(CourtsCount, id="courts-eleven-to-thirteen", way="looked up as nothing"):
    def seen(self, rank: str) -> int:
        return 0 if rank in "JQK" else self.points(rank)


class TwoCardsCount(Wrong, id="two-cards-count"):
    def total(self, hand: Hand) -> int:
        return super().total(hand[:2])


# The player


class PlayerToFour(Wrong, id="player-draws-to-four"):
    def player_draws(self, total: int) -> bool:
        return total <= 4


class PlayerOnSix(Wrong, id="player-draws-on-six"):
    def player_draws(self, total: int) -> bool:
        return total <= 6


# Money


class TieLoses(Wrong, id="tie-loses-sides"):
    def unit(self, bet: str, coup: Coup) -> Fraction:
        if coup.winner == "tie" and bet in ("player", "banker"):
            return Fraction(-1)
        return super().unit(bet, coup)


class TiePaysNine(Wrong, id="tie-pays-nine"):
    def prize(self, bet: str, coup: Coup) -> Fraction:
        return Fraction(9) if bet == "tie" else super().prize(bet, coup)


class TieForOne(Wrong, id="tie-for-one"):
    def prize(self, bet: str, coup: Coup) -> Fraction:
        return super().prize(bet, coup) - (bet == "tie")


class Commission(Wrong, id="commission-left-out"):
    """A program with another prize for the banker where five per cent are taken."""

    instead = Fraction(1)

    def prize(self, bet: str, coup: Coup) -> Fraction:
        taken = self.table.prizes["banker"] < 1
        return self.instead if bet == "banker" and taken else super().prize(bet, coup)


class CommissionTwice(Commission, id="commission-from-stake"):
    instead = 1 - Fraction("0.05") - Fraction("0.05")


class CommissionOnPlayer(Commission, id="commission-on-player"):
    def prize(self, bet: str, coup: Coup) -> Fraction:
        if bet == "player":
            return min(Fraction(1), self.table.prizes["banker"])
        return super().prize(bet, coup)


class CommissionOnTies(Wrong, id="commission-on-ties"):
    def unit(self, bet: str, coup: Coup) -> Fraction:
        if bet == "banker" and coup.winner == "tie":
            return self.table.prizes["banker"] - 1
        return super().unit(bet, coup)


class CommissionOnEveryBet(Wrong, id="commission-on-every-bet"):
    def prize(self, bet: str, coup: Coup) -> Fraction:
        left = self.table.prizes["banker"]  # of one won by the banker
        return super().prize(bet, coup) * (1 if bet == "banker" else left)


class CommissionOnLosses(Wrong, id="commission-on-losses"):
    bets: tuple[str, ...] = ("banker",)

    def unit(self, bet: str, coup: Coup) -> Fraction:
        unit = super().unit(bet, coup)
        return unit - (1 - self.table.prizes["banker"]) if unit < 0 and bet in self.bets else unit


class CommissionOnAllLosses(CommissionOnLosses, id="commission-on-losses", way="of every bet"):
    bets = ("player", "banker", "tie", "player_pair", "banker_pair")


class TiePaysSides(Wrong, id="tie-pays-sides"):
    def unit(self, bet: str, coup: Coup) -> Fraction:
        if coup.winner == "tie" and bet in ("player", "banker"):
            return Fraction(1)
        return super().unit(bet, coup)


class Floats(Wrong, id="commission-in-floats"):
    def net(self, bet: str, stake: Fraction, coup: Coup) -> Any:
        return float(stake) * float(self.unit(bet, coup))


class Rounded(Wrong, id="commission-rounded"):
    def net(self, bet: str, stake: Fraction, coup: Coup) -> Any:
        return round(stake * self.unit(bet, coup))


class RoundedUp(Wrong, id="commission-rounded", way="halves up"):
    def net(self, bet: str, stake: Fraction, coup: Coup) -> Any:
        return (stake * self.unit(bet, coup) + Fraction(1, 2)) // 1


class CutOff(Wrong, id="commission-rounded", way="cut off"):
    def net(self, bet: str, stake: Fraction, coup: Coup) -> Any:
        return int(stake * self.unit(bet, coup))


class HalfOnPlayersSix(Wrong, id="half-on-player-six"):
    def prize(self, bet: str, coup: Coup) -> Fraction:
        if bet == "player" and self.table.half_on_six and coup.totals["player"] == 6:
            return Fraction(1, 2)
        return super().prize(bet, coup)


class HalfOnLosingSix(Wrong, id="half-on-losing-six"):
    def unit(self, bet: str, coup: Coup) -> Fraction:
        unit = super().unit(bet, coup)
        six = bet == "banker" and self.table.half_on_six and coup.totals["banker"] == 6
        return Fraction(-1, 2) if six and unit < 0 else unit


class LossNotTaken(Wrong, id="loss-not-taken"):
    def unit(self, bet: str, coup: Coup) -> Fraction:
        return max(Fraction(0), super().unit(bet, coup))


class WinCountsStake(Wrong, id="win-nets-two"):
    def prize(self, bet: str, coup: Coup) -> Fraction:
        return 1 + super().prize(bet, coup)


# Pairs


class PairsByValue(Wrong, id="pairs-by-value"):
    def is_pair(self, hand: Hand) -> bool:
        return self.points(hand[0][0]) == self.points(hand[1][0])


class PairsBySuit(Wrong, id="pairs-by-suit"):
    def is_pair(self, hand: Hand) -> bool:
        return hand[0] == hand[1]


class AnyTwo(Wrong, id="pairs-of-any-two"):
    def is_pair(self, hand: Hand) -> bool:
        return any(one[0] == other[0] for one, other in combinations(hand, 2))


class PairOfTwoCards(Wrong, id="pair-lost-with-third-card"):
    def is_pair(self, hand: Hand) -> bool:
        return len(hand) == 2 and super().is_pair(hand)


class PairsPushed(Wrong, id="pairs-pushed-on-tie"):
    def unit(self, bet: str, coup: Coup) -> Fraction:
        if bet.endswith("_pair") and coup.winner == "tie":
            return Fraction(0)
        return super().unit(bet, coup)


# Single cells


def flipped(cell: str) -> type[Baccarat]:
    """The program that does the other thing in a decision cell, as `banker_draw 3/8`, and plays on as by the rules."""
    question, _, place = cell.partition(" ")
    first, _, second = place.partition("/")
    name = {"natural": "ends", "player_draw": "player_draws", "banker_draw": "banker_draws"}[question]
    right = getattr(Baccarat, name)

    def turned(self: Baccarat, *state: int | None) -> bool:
        shown = [first] if question == "player_draw" else [first, second]
        here = ["none" if part is None else str(part) for part in state][: len(shown)] == shown
        return bool(right(self, *state)) != here

    return type(cell, (Baccarat,), {name: turned})

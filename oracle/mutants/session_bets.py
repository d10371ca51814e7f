"""Wrong programs that keep sessions: bets that lie on, and bets that are refused."""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction

from oracle.cards import Card
from oracle.mutants.wrong_bettor import limited, tests, wrong
from oracle.programs.behaviour import Behaviour, Played
from oracle.programs.bettor import Bettor, Stakes


class _Lying(Bettor):
    """A program on whose table bets of earlier coups lie on."""

    def __init__(self, behaviour: Behaviour, start: Fraction) -> None:
        super().__init__(behaviour, start)
        self.lying: dict[str, Fraction] = {}

    def put(self, stakes: Stakes) -> Stakes:
        """All bets that lie there once these are laid."""
        self.lying = {**self.lying, **stakes}
        return self.lying

    def settle(self, played: Played, stakes: Stakes) -> None:
        super().settle(played, self.put(stakes))


@wrong("bets-left-lying", "bets of earlier coups lie on, beside those of the coup")
class _LyingOn(_Lying):
    pass


@wrong("bets-left-lying", "bets of earlier coups lie on, and those of the coup are added to them")
class _LyingAdded(_Lying):
    def put(self, stakes: Stakes) -> Stakes:
        self.lying = {bet: self.lying.get(bet, Fraction(0)) + stakes.get(bet, 0) for bet in {**self.lying, **stakes}}
        return self.lying


@wrong("bets-lie-until-lost", "bets that don't lose lie on in the coups that follow")
class _UntilLost(_Lying):
    def settle(self, played: Played, stakes: Stakes) -> None:
        super().settle(played, stakes)
        self.lying = {bet: stake for bet, stake in self.lying.items() if self.net(played, bet, stake) >= 0}


@wrong("refused-bets-lie", "bets that were refused lie on in the next coup")
class _RefusedLie(_Lying):
    def refuse(self, cards: Sequence[Card], stakes: Stakes) -> None:
        self.lying = {bet: stake for bet, stake in stakes.items() if bet in self.rules.bets}

    def settle(self, played: Played, stakes: Stakes) -> None:
        super().settle(played, stakes)
        self.lying = {}


@wrong("first-bets-again", "the bets of the first coup are settled in every coup")
class _FirstBets(_Lying):
    def put(self, stakes: Stakes) -> Stakes:
        self.lying = self.lying or dict(stakes)
        return self.lying


@wrong("bets-of-before", "the bets of the coup before are settled")
class _BetsOfBefore(_Lying):
    def put(self, stakes: Stakes) -> Stakes:
        before, self.lying = self.lying, dict(stakes)
        return before or stakes


@wrong("balance-of-the-start", "stakes are held against the balance of the start", limited)
class _AgainstStart(Bettor):
    def takes(self, stakes: Stakes, balance: Fraction) -> bool:
        return super().takes(stakes, self.start)


@wrong("each-stake-alone", "each stake is held against the balance, not all of them together", limited)
class _EachAlone(Bettor):
    def takes(self, stakes: Stakes, balance: Fraction) -> bool:
        enough = all(stake <= balance for stake in stakes.values())
        return enough and super().takes(stakes, max(balance, sum(stakes.values(), Fraction(0))))


@wrong("paid-before-checked", "a coup is paid before its stakes are held against the balance", limited)
class _PaidFirst(Bettor):
    def coup(self, cards: Sequence[Card], stakes: Stakes) -> None:
        if all(bet in self.rules.bets for bet in stakes):
            played = self.play(cards)
            won = sum((max(self.net(played, bet, stake), Fraction(0)) for bet, stake in stakes.items()), Fraction(0))
            if self.takes(stakes, self.balance + won):
                self.play_on(cards, stakes)


@wrong("cut-to-the-balance", "a stake above the balance is cut to what is there", limited)
class _CutStakes(Bettor):
    def refuse(self, cards: Sequence[Card], stakes: Stakes) -> None:
        cut = {bet: min(stake, self.balance) for bet, stake in stakes.items()}
        if len(cut) == 1 and self.balance > 0 and cut != stakes and self.takes(stakes, sum(stakes.values())):  # type: ignore[arg-type]
            self.play_on(cards, cut)


@wrong("refused-played", "a coup whose bets are refused is played all the same")
class _RefusedPlayed(Bettor):
    def refuse(self, cards: Sequence[Card], stakes: Stakes) -> None:
        self.play_on(cards, {bet: stake for bet, stake in stakes.items() if bet in self.rules.bets})


@wrong("refused-cost", "bets that are refused cost their stake")
class _RefusedCost(Bettor):
    def refuse(self, cards: Sequence[Card], stakes: Stakes) -> None:
        self.balance -= sum(stakes.values(), Fraction(0))


@wrong("refused-in-part", "of bets that are refused together the first is played")
class _RefusedInPart(Bettor):
    def refuse(self, cards: Sequence[Card], stakes: Stakes) -> None:
        first = dict([*stakes.items()][:1])
        if first and len(stakes) > 1 and self.takes(first, self.balance):
            self.play_on(cards, first)


@wrong("refusal-ends", "bets that are refused end the session")
class _RefusalEnds(Bettor):
    def refuse(self, cards: Sequence[Card], stakes: Stakes) -> None:
        self.over = True


@wrong("refused-count", "a coup whose bets are refused counts as played", tests("coups"))
class _RefusedCount(Bettor):
    def refuse(self, cards: Sequence[Card], stakes: Stakes) -> None:
        self.coups += 1
        self.over = self.ends("coup")

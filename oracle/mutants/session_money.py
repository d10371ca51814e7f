"""Wrong programs that keep sessions: what a coup changes the balance by, and when."""

from __future__ import annotations

from collections.abc import Iterable
from fractions import Fraction
from math import floor

from oracle.mutants.wrong_bettor import KEPT, commission, fractions, several, starts_with_something, wrong
from oracle.programs.behaviour import Behaviour, Played, net, unit_net
from oracle.programs.bettor import Bettor, Stakes, Step


@wrong("balance-unmoved", "coups don't change the balance")
class _Unmoved(Bettor):
    def settle(self, played: Played, stakes: Stakes) -> None:
        pass


@wrong("wins-unpaid", "what wins is not paid")
class _WinsUnpaid(Bettor):
    def net(self, played: Played, bet: str, stake: Fraction) -> Fraction:
        return min(super().net(played, bet, stake), Fraction(0))


@wrong("losses-untaken", "stakes that lose are not taken")
class _LossesUntaken(Bettor):
    def net(self, played: Played, bet: str, stake: Fraction) -> Fraction:
        return max(super().net(played, bet, stake), Fraction(0))


@wrong("stake-of-a-win-kept", "the stake of a bet that wins doesn't come back")
class _StakeKept(Bettor):
    def net(self, played: Played, bet: str, stake: Fraction) -> Fraction:
        change = super().net(played, bet, stake)
        return change - stake if change > 0 else change


@wrong("stake-of-a-push-kept", "a stake that should come back on a tie doesn't")
class _PushKept(Bettor):
    def net(self, played: Played, bet: str, stake: Fraction) -> Fraction:
        change = super().net(played, bet, stake)
        return change or -stake


@wrong("stake-of-a-win-twice", "the stake of a bet that wins comes back, though it was never taken")
class _StakeTwice(Bettor):
    def net(self, played: Played, bet: str, stake: Fraction) -> Fraction:
        change = super().net(played, bet, stake)
        return change + stake if change > 0 else change


@wrong("last-bet-alone", "only the last bet of a coup is settled", several)
class _LastAlone(Bettor):
    def settle(self, played: Played, stakes: Stakes) -> None:
        super().settle(played, dict([*stakes.items()][-1:]))


@wrong("first-bet-alone", "only the first bet of a coup is settled", several)
class _FirstAlone(Bettor):
    def settle(self, played: Played, stakes: Stakes) -> None:
        super().settle(played, dict([*stakes.items()][:1]))


@wrong("net-from-start", "each coup changes the balance from the start, not that of the coup before")
class _FromStart(Bettor):
    def settle(self, played: Played, stakes: Stakes) -> None:
        self.balance = self.start
        super().settle(played, stakes)


@wrong("one-coup-late", "a coup is paid once the next one is over")
class _OneLate(Bettor):
    owed = Fraction(0)

    def settle(self, played: Played, stakes: Stakes) -> None:
        before = self.balance
        super().settle(played, stakes)
        self.owed, self.balance = self.balance - before, before + self.owed


@wrong("told-before", "the balance that is told is that before the coup")
class _ToldBefore(Bettor):
    before: Fraction

    def take(self, step: Step) -> None:
        self.before = self.balance
        super().take(step)

    def told(self) -> Fraction:
        return self.before


@wrong("starts-at-nothing", "a session starts with nothing", starts_with_something)
class _FromNothing(Bettor):
    def sit(self, steps: Iterable[Step]) -> tuple[tuple[Fraction, ...], bool]:
        self.start = self.balance = Fraction(0)
        return super().sit(steps)


@wrong("rounded", "the balance is rounded to whole units after each coup", fractions)
class _Rounded(Bettor):
    def settle(self, played: Played, stakes: Stakes) -> None:
        super().settle(played, stakes)
        self.balance = Fraction(round(self.balance))


@wrong("rounded", "the balance is rounded to whole units after each coup", fractions)
class _RoundedUp(Bettor):
    def settle(self, played: Played, stakes: Stakes) -> None:
        super().settle(played, stakes)
        self.balance = Fraction(floor(self.balance + Fraction(1, 2)))


@wrong("rounded", "the balance is cut to whole units after each coup", fractions)
class _Cut(Bettor):
    def settle(self, played: Played, stakes: Stakes) -> None:
        super().settle(played, stakes)
        self.balance = Fraction(int(self.balance))


@wrong("floats", "the balance is kept in floating point", floats=True)
class _Floats(Bettor):
    pass


def _fee(behaviour: Behaviour, played: Played, bet: str, stake: Fraction) -> Fraction:
    """The commission on a bet that won."""
    return stake - net(behaviour, played, bet, stake) if KEPT <= unit_net(behaviour, played, bet) < 1 else Fraction(0)


@wrong("commission-in-the-end", "commission is taken when the session ends, not at the win", commission)
class _FeeInTheEnd(Bettor):
    owed = Fraction(0)

    def net(self, played: Played, bet: str, stake: Fraction) -> Fraction:
        fee = _fee(self.behaviour, played, bet, stake)
        self.owed += fee
        return super().net(played, bet, stake) + fee

    def take(self, step: Step) -> None:
        was = self.over
        super().take(step)
        if self.over and not was:
            self.balance -= self.owed


@wrong("commission-again", "commission of earlier coups is taken again with each new one", commission)
class _FeeAgain(Bettor):
    owed = Fraction(0)

    def net(self, played: Played, bet: str, stake: Fraction) -> Fraction:
        fee, before = _fee(self.behaviour, played, bet, stake), self.owed
        self.owed += fee
        return super().net(played, bet, stake) - (before if fee else 0)

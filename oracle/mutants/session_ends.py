"""Wrong programs that keep sessions: when a session is over, and what happens then."""

from __future__ import annotations

from collections.abc import Iterable
from fractions import Fraction

from oracle.game.one_bettor import leaving_ends
from oracle.mutants.wrong_bettor import end, tests, wrong
from oracle.programs.bettor import Bettor, Step, ends

_HAIR = Fraction(1, 10**6)


@wrong("never-ends", "a session never ends", end)
class _NeverEnds(Bettor):
    def ends(self, event: str) -> bool:
        return False


@wrong("ends-one-coup-late", "a session goes on for one coup too many", tests("coups"))
class _OneMore(Bettor):
    def ends(self, event: str) -> bool:
        return ends(self.rules, event, self.coups - 1, self.balance)


@wrong("ends-one-coup-early", "a session ends a coup too early", tests("coups"))
class _OneLess(Bettor):
    def ends(self, event: str) -> bool:
        return ends(self.rules, event, self.coups + 1, self.balance)


@wrong("coups-unbounded", "the number of coups ends no session", tests("coups"))
class _Unbounded(Bettor):
    def ends(self, event: str) -> bool:
        return ends(self.rules, event, 0, self.balance)


@wrong("balance-at-the-bound", "a balance just at a bound is taken for one that is past it", tests("balance"))
class _AtTheBound(Bettor):
    def ends(self, event: str) -> bool:
        near = (self.balance - _HAIR, self.balance + _HAIR)
        return super().ends(event) or any(ends(self.rules, event, self.coups, balance) for balance in near)


@wrong("balance-ends-nothing", "no balance ends a session", tests("balance"))
class _BalanceUnseen(Bettor):
    def ends(self, event: str) -> bool:
        return ends(self.rules, event, self.coups, Fraction(1_000_000))


@wrong("ends-with-nothing-left", "a session ends only once nothing is left", tests("balance"))
class _Broke(_BalanceUnseen):
    def ends(self, event: str) -> bool:
        return super().ends(event) or (event == "coup" and self.balance <= 0)


@wrong("ends-below-one", "a session ends only once less than one is left", tests("balance"))
class _BelowOne(_BalanceUnseen):
    def ends(self, event: str) -> bool:
        return super().ends(event) or (event == "coup" and self.balance < 1)


@wrong(
    "ends-when-broke",
    "a session ends once nothing is left, though the rules let it go on",
    lambda rules: not tests("balance")(rules),
)
class _BrokeAnyway(Bettor):
    def ends(self, event: str) -> bool:
        return super().ends(event) or self.balance <= 0


@wrong("leaving-unseen", "leaving doesn't end a session", leaving_ends)
class _Stays(Bettor):
    def leave(self) -> None:
        pass


@wrong("leaving-empties", "whoever leaves has nothing any more", leaving_ends)
class _Empties(Bettor):
    def leave(self) -> None:
        super().leave()
        self.balance = Fraction(0)


@wrong("plays-on", "coups after the end of a session are played", end)
class _PlaysOn(Bettor):
    ended = False

    def take(self, step: Step) -> None:
        super().take(step)
        self.ended |= self.over
        self.over = False

    def sit(self, steps: Iterable[Step]) -> tuple[tuple[Fraction, ...], bool]:
        balances, _ = super().sit(steps)
        return balances, self.ended


@wrong("end-told-late", "the end of a session is told with the step that follows it", end)
class _ToldLate(Bettor):
    before = False

    def take(self, step: Step) -> None:
        self.before = self.over
        super().take(step)

    def sit(self, steps: Iterable[Step]) -> tuple[tuple[Fraction, ...], bool]:
        balances, _ = super().sit(steps)
        return balances, self.before

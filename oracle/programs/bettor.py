"""A program that keeps a session for one bettor: which bets it takes, how it plays and settles, and when it is over.

The right one plays as the rules have it; a wrong one is a subclass that goes about one thing otherwise.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from fractions import Fraction
from functools import lru_cache
from typing import Literal

from oracle.cards import Card
from oracle.game.bets import refused
from oracle.game.rules import Rules
from oracle.programs.behaviour import Behaviour, Played, net, play
from oracle.programs.placed_bets import BetJudge, PlacedBets, placed

Stakes = Mapping[str, Fraction]
Step = tuple[Sequence[Card], Stakes] | Literal["leave"]


class Bettor:
    """A session of one bettor who started with `start`, so far."""

    def __init__(self, behaviour: Behaviour, start: Fraction, judge: BetJudge | None = None) -> None:
        self.behaviour = behaviour
        self.rules = behaviour.rules
        self.start = start
        self.balance = start
        self.coups = 0
        self.over = False
        self.judge = judge
        self.balances: list[Fraction] = []

    def sit(self, steps: Iterable[Step]) -> tuple[tuple[Fraction, ...], bool]:
        """The balance after each step, and whether the session is over in the end."""
        for step in steps:
            self.take(step)
            self.balances.append(self.told())
        return tuple(self.balances), self.over

    def take(self, step: Step) -> None:
        """One step."""
        if self.over:
            return
        if step == "leave":
            self.leave()
        else:
            self.coup(*step)

    def leave(self) -> None:
        """Get up."""
        self.over = self.ends("leave")

    def coup(self, cards: Sequence[Card], stakes: Stakes) -> None:
        """A coup, if its bets are taken."""
        if not self.takes(stakes, self.balance):
            self.refuse(cards, stakes)
            return
        self.play_on(cards, stakes)

    def play_on(self, cards: Sequence[Card], stakes: Stakes) -> None:
        """A coup whose bets are taken."""
        self.settle(self.play(cards), stakes)
        self.coups += 1
        self.over = self.ends("coup")

    def refuse(self, cards: Sequence[Card], stakes: Stakes) -> None:
        """Bets that are not taken: nothing happens."""

    def takes(self, stakes: Stakes, balance: Fraction) -> bool:
        """Whether these bets are taken of one who has so much."""
        if not _predicts(self.rules, len(stakes)):
            return False
        if not stakes:
            return True
        asked = _placed(self.rules, frozenset(stakes.items()), balance)
        return asked.legal if self.judge is None else self.judge(asked)

    def play(self, cards: Sequence[Card]) -> Played:
        """The coup of these cards."""
        return play(self.behaviour, cards)

    def settle(self, played: Played, stakes: Stakes) -> None:
        """Change the balance by what the bets net."""
        self.balance += sum((self.net(played, bet, stake) for bet, stake in stakes.items()), Fraction(0))

    def net(self, played: Played, bet: str, stake: Fraction) -> Fraction:
        """What a bet changes the balance by."""
        return net(self.behaviour, played, bet, stake)

    def ends(self, event: str) -> bool:
        """Whether the session is over after a coup, or by leaving."""
        return ends(self.rules, event, self.coups, self.balance)

    def told(self) -> Fraction:
        """The balance as it is told."""
        return self.balance


def start_of(rules: Rules, balance: Fraction | None) -> Fraction:
    """What a session starts with: as the rules say, else `balance`."""
    said = rules.value("start_balance")
    return Fraction(said) if isinstance(said, int) else balance or Fraction(0)


@lru_cache(maxsize=100_000)
def ends(rules: Rules, event: str, coups: int, balance: Fraction) -> bool:
    """Whether the rules end a session there. States that they leave open are none."""
    return rules.at("session_end", {"event": event, "coups": coups, "balance": balance}).answer(0) == ("end",)


@lru_cache(maxsize=10_000)
def _predicts(rules: Rules, count: int) -> bool:
    if not rules.clauses_about("predictions"):
        return True
    return not list(refused(rules, "predictions", {"predictions": count}, ""))


@lru_cache(maxsize=100_000)
def _placed(rules: Rules, stakes: frozenset[tuple[str, Fraction]], balance: Fraction) -> PlacedBets:
    return placed(rules, dict(stakes), balance)

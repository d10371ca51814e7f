"""Facts of a state: what a program may look at when it decides, or when it says who wins, each computed in one place.

A state is what lies on the table at that moment. Learning a rule from answers and playing by it ask the same facts.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import NamedTuple

import msgspec

from oracle.cards import RANKS, SUITS, Card
from oracle.game.end import BankerState
from oracle.game.space import who_is_higher
from oracle.rules.values import NONE, Value


class Spot(NamedTuple):
    """A state: both hands so far, the totals that decisions are made on, and the next card if it is known.

    `player2` and `banker2` are totals of two cards, `player_total` and `banker_total` those of all cards so far;
    `third` is what the player's third card counts where the banker looks at it, `none` if he has two cards.
    """

    player: tuple[Card, ...]
    banker: tuple[Card, ...]
    player2: int
    banker2: int
    player_total: int
    banker_total: int
    third: Value
    points: Mapping[str, int]
    following: Card | None = None

    @property
    def state(self) -> BankerState:
        """What the banker's table is read with."""
        return BankerState(self.player2, self.banker2, self.third, self.player_total)


class Fact(msgspec.Struct, frozen=True):
    """One fact: its name, how it is read, all its values in order, and how long a condition on it makes a rule."""

    name: str
    of: Callable[[Spot], Value]
    values: tuple[Value, ...]
    length: float
    ordered: bool = True


_TOTALS = tuple(range(-60, 61))


def _points(side: str, place: int) -> Callable[[Spot], Value]:
    def of(spot: Spot) -> Value:
        hand = getattr(spot, side)
        return spot.points[hand[place].rank] if len(hand) > place else NONE

    return of


def _rank(side: str, place: int) -> Callable[[Spot], Value]:
    def of(spot: Spot) -> Value:
        hand = getattr(spot, side)
        return hand[place].rank if len(hand) > place else NONE

    return of


def _suit(side: str, place: int) -> Callable[[Spot], Value]:
    def of(spot: Spot) -> Value:
        hand = getattr(spot, side)
        return hand[place].suit if len(hand) > place else NONE

    return of


def _pair(side: str) -> Callable[[Spot], Value]:
    def of(spot: Spot) -> Value:
        hand = getattr(spot, side)
        return "yes" if hand[0].rank == hand[1].rank else "no"

    return of


_DREW = ("yes", "no")
_CARDS = tuple(range(2, 10))

TABLEAU: tuple[Fact, ...] = (
    Fact("banker2", lambda spot: spot.banker2, _TOTALS, 0.8),
    Fact("third", lambda spot: spot.third, (NONE, *range(14)), 0.8),
    Fact("drew", lambda spot: "yes" if len(spot.player) > 2 else "no", _DREW, 0.8, ordered=False),
    Fact("player2", lambda spot: spot.player2, _TOTALS, 1.0),
    Fact("player_total", lambda spot: spot.player_total, _TOTALS, 1.0),
    Fact(
        "higher",
        lambda spot: who_is_higher(spot.player_total, spot.banker_total),
        ("player", "banker", "equal"),
        1.0,
        ordered=False,
    ),
)
ENDS: tuple[Fact, ...] = (
    Fact("banker_total", lambda spot: spot.banker_total, _TOTALS, 0.8),
    Fact("player_cards", lambda spot: len(spot.player), _CARDS, 0.8),
    Fact("banker_cards", lambda spot: len(spot.banker), _CARDS, 0.8),
)
SINGLE: tuple[Fact, ...] = (
    *(
        Fact(f"{side}_{word}", _points(side, place), (NONE, *range(14)), 1.6)
        for side in ("player", "banker")
        for place, word in enumerate(("first", "second"))
    ),
    Fact("banker_third", _points("banker", 2), (NONE, *range(14)), 1.6),
    Fact("third_rank", _rank("player", 2), (NONE, *RANKS), 1.7),
    Fact(
        "next",
        lambda spot: NONE if spot.following is None else spot.points[spot.following.rank],
        (NONE, *range(14)),
        1.8,
    ),
    Fact("player_pair", _pair("player"), _DREW, 1.6, ordered=False),
    Fact("banker_pair", _pair("banker"), _DREW, 1.6, ordered=False),
    *(
        Fact(f"{side}_{word}_rank", _rank(side, place), (NONE, *RANKS), 1.8)
        for side in ("player", "banker")
        for place, word in enumerate(("first", "second"))
    ),
    Fact("third_suit", _suit("player", 2), (NONE, "", *SUITS), 1.8, ordered=False),
)
FACTS: dict[str, Fact] = {fact.name: fact for fact in (*TABLEAU, *ENDS, *SINGLE)}
"""Every fact by name, those of the tableau first."""

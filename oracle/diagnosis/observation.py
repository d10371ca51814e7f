"""What a program answered about one coup, as diagnosis reads it, whatever it came from: a run, a file, a log."""

from __future__ import annotations

from collections.abc import Mapping
from fractions import Fraction

import msgspec
from msgspec.structs import replace

from oracle.cards import Card
from oracle.game.space import is_pair
from oracle.programs.behaviour import Behaviour, Played, net
from oracle.programs.program import Program, play_program

Hands = tuple[tuple[Card, ...], tuple[Card, ...]]


class Observation(msgspec.Struct, frozen=True, kw_only=True):
    """One coup: the cards in the order in which they leave the shoe, the stakes, and what was answered.

    What wasn't answered is None. `nets` are by bet; `floating` are bets whose net is off by no more than floating point
    makes of it. `right`: all of it is as the rules have it. `weight` is how often it was seen. `key` is whatever the
    caller knows it by.
    """

    cards: tuple[Card, ...]
    stakes: Mapping[str, Fraction] = {}
    winner: str | None = None
    hands: Hands | None = None
    totals: tuple[int, int] | None = None
    natural: str | None = None
    pairs: tuple[bool, bool] | None = None
    nets: Mapping[str, Fraction] | None = None
    floating: frozenset[str] = frozenset()
    right: bool = True
    weight: int = 1
    key: object = None


def gives(program: Program, seen: Observation) -> bool:
    """Whether a program gives this answer. Where the cards don't suffice the hands are compared as far as they go."""
    played, short = play_program(program, seen.cards)
    if seen.hands is not None:
        hands = (played.player, played.banker)
        if short:
            return all(said[: len(due)] == due for due, said in zip(hands, seen.hands, strict=True))
        if hands != seen.hands:
            return False
    elif short:
        return True
    if seen.totals is not None and played.end.totals != seen.totals:
        return False
    if seen.winner is not None and played.winner != seen.winner:
        return False
    if seen.natural is not None and played.natural != seen.natural:
        return False
    if seen.pairs is not None and tuple(map(is_pair, played.alike)) != seen.pairs:
        return False
    return gives_nets(program.behaviour, played, seen)


def gives_nets(behaviour: Behaviour, played: Played, seen: Observation) -> bool:
    """Whether a behaviour nets this. One that keeps money in floating point may be off by a hair in any net."""
    floats = behaviour.money == "float"
    exact = replace(behaviour, money="exact") if floats else behaviour
    return all(
        (floats and bet in seen.floating) or net(exact, played, bet, seen.stakes[bet]) == amount
        for bet, amount in (seen.nets or {}).items()
    )

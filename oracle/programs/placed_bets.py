"""Bets that a bettor wants to place, as the rules judge them."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from fractions import Fraction

import msgspec

from oracle.game.bets import Refusal, refusals
from oracle.game.rules import Rules

Stakes = Mapping[str, Fraction]


class PlacedBets(msgspec.Struct, frozen=True):
    """Bets that somebody with `balance` (None: not said) wants to place, and why the rules refuse them, if they do."""

    stakes: Stakes
    balance: Fraction | None
    refusals: tuple[Refusal, ...]

    @property
    def legal(self) -> bool:
        """Whether the rules allow these bets."""
        return not self.refusals


def placed(rules: Rules, stakes: Stakes, balance: Fraction | None) -> PlacedBets:
    """Bets as judged by the rules."""
    ordered = dict(sorted(stakes.items()))
    return PlacedBets(ordered, balance, tuple(refusals(rules, ordered, balance=balance)))


BetJudge = Callable[[PlacedBets], bool]
"""Whether a program takes bets; the right one takes what is legal."""

"""A shoe as a program sees it before a coup: how many cards are left, and whether it is due to be shuffled."""

from __future__ import annotations

from functools import lru_cache

import msgspec

from oracle.game.rules import Rules
from oracle.game.shoe import is_due

DECK = 52


class Left(msgspec.Struct, frozen=True):
    """A shoe before a coup: its cards when it was full, those left, those that coups took, and whether it is due."""

    whole: int
    left: int
    dealt: int
    due: bool


@lru_cache(maxsize=10_000)
def left_of(
    rules: Rules, dealt: int, *, burnt: int = 0, decks: int | None = None, cut_card: bool | None = None
) -> Left:
    """A shoe from which coups took `dealt` cards, after `burnt` ones. Raises `Undecided`."""
    said = rules.value("decks")
    count = decks or (said if isinstance(said, int) else 0)
    left = count * DECK - burnt - dealt
    return Left(count * DECK, left, dealt, is_due(rules, left, decks=count, first=not dealt, cut_card=cut_card))

"""How a coup ended, and what the banker decides on: rows of field values whose places have names."""

from __future__ import annotations

from typing import NamedTuple

from oracle.rules.values import NONE, Value


class BankerState(NamedTuple):
    """What the banker decides on: both two-card totals, the points of the player's third card or none, his total."""

    player2: int
    banker2: int
    player_third: Value
    player_total: int

    @property
    def player_drew(self) -> bool:
        """Whether the player has a third card."""
        return self.player_third != NONE

    @property
    def cell(self) -> tuple[int, Value]:
        """Where it is in a printed table: the banker's total, and the player's third card or none."""
        return self.banker2, self.player_third


class End(NamedTuple):
    """How a coup ended: both two-card totals, the points of both third cards or none, and both final totals."""

    player2: int
    banker2: int
    player_third: Value
    banker_third: Value
    player_total: int
    banker_total: int

    @property
    def two_cards(self) -> tuple[int, int]:
        """Both two-card totals."""
        return self.player2, self.banker2

    @property
    def totals(self) -> tuple[int, int]:
        """Both final totals."""
        return self.player_total, self.banker_total

    @property
    def before_banker(self) -> BankerState:
        """What the banker decided on."""
        return BankerState(self.player2, self.banker2, self.player_third, self.player_total)

"""Free cells: every way to play them, and what is best for each side against what the other does."""

from __future__ import annotations

from fractions import Fraction
from itertools import product

import msgspec

from oracle.game.rules import Rules
from oracle.odds.composition import Composition
from oracle.odds.counts import Odds
from oracle.odds.decisions import FreeCell, Strategy, free_cells
from oracle.spans import BadChoice

MOST_CELLS = 8
ACTIONS = ("draw", "stand")


class Play(msgspec.Struct, frozen=True):
    """One way to play all free cells, in their order, and what a unit stake on each side then nets.

    `best` has the sides for which nothing else of theirs is better while the other side plays so.
    """

    actions: tuple[str, ...]
    player: Fraction
    banker: Fraction
    best: tuple[str, ...]


class Replies(msgspec.Struct, frozen=True):
    """The free cells of a rule set, whose id is `rules`, and every way to play them."""

    rules: str
    cells: tuple[FreeCell, ...]
    lines: tuple[Play, ...]

    def best(self, side: str, against: Strategy) -> dict[FreeCell, str]:
        """The best reply of a side if the other plays so: the action in each of the side's cells; the first if several.

        Raises `BadChoice` if `against` leaves a cell of the other side out.
        """
        missing = [cell for cell in self.cells if cell.side != side and cell not in against]
        if missing:
            raise BadChoice(f"{missing[0]} is left free: say draw or stand")
        for line in self.lines:
            played = dict(zip(self.cells, line.actions, strict=True))
            if side in line.best and all(played[cell] == against[cell] for cell in self.cells if cell.side != side):
                return {cell: action for cell, action in played.items() if cell.side == side}
        raise AssertionError("some line is the best of finitely many")


def replies(rules: Rules, composition: Composition | None = None) -> Replies:
    """Every way to play the free cells of a rule set. Raises `BadChoice` if there are more than eight of them.

    Each side plays for the mean net of a unit stake on itself. Cells are as the sides see them: the player knows its
    own total, the banker the player's third card too.
    """
    cells = free_cells(rules)
    if len(cells) > MOST_CELLS:
        raise BadChoice(
            f"{rules.id} leaves {len(cells)} cells free: say what is done in {len(cells) - MOST_CELLS} of them"
        )
    nets = {}
    for actions in product(ACTIONS, repeat=len(cells)):
        odds = Odds(rules, composition, strategy=dict(zip(cells, actions, strict=True)))
        nets[actions] = {side: odds.expectation(side) for side in ("player", "banker")}
    lines = []
    for actions, net in nets.items():
        best = tuple(side for side in ("player", "banker") if net[side] == _most(side, cells, actions, nets))
        lines.append(Play(actions, net["player"], net["banker"], best))
    return Replies(rules.id, cells, tuple(lines))


def _most(
    side: str,
    cells: tuple[FreeCell, ...],
    actions: tuple[str, ...],
    nets: dict[tuple[str, ...], dict[str, Fraction]],
) -> Fraction:
    """The most that a side can net if the other one plays as in `actions`."""
    fixed = [i for i, cell in enumerate(cells) if cell.side != side]
    return max(net[side] for other, net in nets.items() if all(other[i] == actions[i] for i in fixed))

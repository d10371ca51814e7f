"""The layer of the deal: who got which card, read from the hands that were answered."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import permutations, product

from msgspec.structs import replace

from oracle.diagnosis.observation import Observation
from oracle.programs.behaviour import Behaviour
from oracle.programs.program import dealt

_SKIPPED = (frozenset[int](), *(frozenset((place,)) for place in range(6)))
_TRIED = 300  # coups by which the ways of dealing are ranked


def learn_deal(right: Behaviour, seen: Sequence[Observation]) -> tuple[Behaviour, int]:
    """The behaviour that gives cards as most answers show, and how many hands it gives otherwise than answered.

    Of ways that show alike the one nearest to the rules comes first.
    """
    asked = [each for each in seen if each.hands is not None]
    if not asked or not _misdealt(right, asked, len(asked)):
        return right, 0
    few = asked[:: max(1, len(asked) // _TRIED)]
    ways = [
        replace(right, deals=deals, from_back=back, skipped=skipped, banker_first=first)
        for back, skipped, deals, first in product(
            (False, True), _SKIPPED, sorted(set(permutations(right.deals)), key=right.deals.__ne__), (False, True)
        )
    ]
    least = len(few) + 1
    best = right
    for way in ways:
        wrong = _misdealt(way, few, least)
        if wrong < least:
            least, best = wrong, way
    return best, _misdealt(best, asked, len(asked) + 1)


def _misdealt(behaviour: Behaviour, seen: Sequence[Observation], most: int) -> int:
    """How many coups show other cards than those that come in this way; no more than `most` are counted."""
    wrong = 0
    for each in seen:
        wrong += not fits(behaviour, each)
        if wrong >= most:
            return wrong
    return wrong


def fits(behaviour: Behaviour, each: Observation) -> bool:
    """Whether the hands of a coup hold the cards in the order in which this way deals them."""
    assert each.hands is not None
    player, banker = each.hands
    hands, left = dealt(behaviour, each.cards)
    if list(player[:2]) != hands[0] or list(banker[:2]) != hands[1]:
        return False
    thirds = [*banker[2:], *player[2:]] if behaviour.banker_first else [*player[2:], *banker[2:]]
    known = list(left)
    return thirds[: len(known)] == known[: len(thirds)]

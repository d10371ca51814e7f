"""The layer of points and sums: what each rank counts, and how sums are reduced, from hands and totals answered."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence

import msgspec
from msgspec.structs import replace

from oracle.cards import RANKS
from oracle.diagnosis.observation import Observation
from oracle.programs.behaviour import Behaviour

_TENS = ("T", "J", "Q", "K")
_SUMS = range(-20, 60)
RIGHT_REDUCTION = "units"
REDUCTIONS: dict[str, Callable[[int], int]] = {
    RIGHT_REDUCTION: lambda summed: summed % 10,
    "once": lambda summed: summed - 10 if summed > 9 else summed,
    "ten less": lambda summed: 10 - summed if summed > 9 else summed,
    "none": lambda summed: summed,
    "over ten": lambda summed: summed - 10 if summed > 10 else summed,
}
"""How sums of points are reduced, by name; the first is right."""


class Counts(msgspec.Struct, frozen=True):
    """How cards are counted: points by rank, how sums are reduced, whether third cards count.

    `missed` are the hands whose total isn't what this makes of their cards.
    """

    points: Mapping[str, int]
    reduction: str
    thirds: bool
    missed: int

    def changed(self, right: Behaviour) -> Behaviour:
        """A behaviour that counts so."""
        points = dict(self.points)
        third_points = {
            rank: points[rank] if points[rank] != right.points[rank] else count
            for rank, count in right.third_points.items()
        }
        same = self.reduction == RIGHT_REDUCTION
        return replace(
            right,
            points=right.points if points == right.points else points,
            third_points=right.third_points if third_points == right.third_points else third_points,
            totals=right.totals if same else totals_of(self.reduction),
            thirds_uncounted=not self.thirds,
        )


def totals_of(reduction: str) -> dict[int, int]:
    """Every sum with its total."""
    reduce = REDUCTIONS[reduction]
    return {summed: reduce(summed) for summed in _SUMS}


def learn_counts(right: Behaviour, seen: Sequence[Observation]) -> Counts:
    """How the totals come of the cards of the hands answered, at its best."""
    hands: Counter[tuple[tuple[str, ...], int]] = Counter()
    for each in seen:
        if each.hands is not None and each.totals is not None:
            for hand, total in zip(each.hands, each.totals, strict=True):
                hands[tuple(card.rank for card in hand), total] += each.weight
    best = Counts(
        right.points, RIGHT_REDUCTION, thirds=True, missed=_missed(hands, right.points, RIGHT_REDUCTION, thirds=True)
    )
    if not best.missed:
        return best
    for reduction in REDUCTIONS:
        for thirds in (True, False):
            found = _fitted(right, hands, reduction, thirds=thirds)
            if _worth(right, found) < _worth(right, best):
                best = found
    return best


def _worth(right: Behaviour, counts: Counts) -> tuple[int, int]:
    """Fewest missed, then fewest changes."""
    changed = len({points for rank, points in counts.points.items() if points != right.points[rank]})
    return counts.missed, changed + (counts.reduction != RIGHT_REDUCTION) + (not counts.thirds)


def _fitted(right: Behaviour, hands: Counter[tuple[tuple[str, ...], int]], reduction: str, *, thirds: bool) -> Counts:
    """The points that fit best with a way to reduce sums, changed group by group, then rank by rank."""
    points = dict(right.points)
    least = _missed(hands, points, reduction, thirds=thirds)
    while least:
        best = None
        for changed in _changes(points):
            missed = _missed(hands, changed, reduction, thirds=thirds)
            if missed < least:
                least, best = missed, changed
        if best is None:
            break
        points = best
    return Counts(points, reduction, thirds, least)


def _changes(points: Mapping[str, int]) -> Iterator[dict[str, int]]:
    yield {**points, **dict.fromkeys(_TENS, 10)}
    yield {**points, **dict.fromkeys(_TENS[1:], 10)}
    yield {**points, "J": 11, "Q": 12, "K": 13}
    yield {**points, "J": 1, "Q": 2, "K": 3}
    for rank in RANKS:
        yield from ({**points, rank: count} for count in range(14) if count != points[rank])


def _missed(
    hands: Counter[tuple[tuple[str, ...], int]], points: Mapping[str, int], reduction: str, *, thirds: bool
) -> int:
    reduce = REDUCTIONS[reduction]
    counting = None if thirds else 2
    return sum(
        count
        for (ranks, total), count in hands.items()
        if reduce(sum([points[rank] for rank in ranks[:counting]])) != total
    )

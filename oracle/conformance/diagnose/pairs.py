"""Two changes at once, or many cells, that explain answers which no single change explains.

Two changes are looked for that each explain some of the failures: a failure to begin with leaves few for the first, a
failure in which the first makes no difference leaves few for the second. Several failures are begun with, as one may
show both changes at once. Two changes that only show together are not found.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from typing import Protocol

from oracle.mutants.single import Mutant, both
from oracle.programs.behaviour import Behaviour

_MOST = 20  # pairs kept, of those that explain all failures
_STARTS = 8  # failures to begin with


class Failure(Protocol):
    """A coup that was answered wrongly."""

    def agrees(self, mutant: Mutant, /) -> bool:
        """Whether a mutant answers as the implementation did."""

    def gives(self, behaviour: Behaviour, /) -> bool:
        """Whether a behaviour answers so."""

    def unmoved(self, mutant: Mutant, /) -> bool:
        """Whether a mutant answers this coup as by the rules."""


def explaining_pairs(right: Behaviour, mutants: Sequence[Mutant], failures: Sequence[Failure]) -> Iterator[Mutant]:
    """Pairs of mutants that give all these answers together, as mutants of family pair; a few if there are many."""
    seen: set[frozenset[str]] = set()
    tried: set[str] = set()
    for start in failures[:: max(1, len(failures) // _STARTS)]:
        found = 0
        for first in mutants:
            if first.id in tried or not start.agrees(first):
                continue
            tried.add(first.id)
            for pair in _with(right, first, mutants, failures, seen):
                yield pair
                found += 1
                if found == _MOST:
                    return
        if found:
            return


def _with(
    right: Behaviour, first: Mutant, mutants: Sequence[Mutant], failures: Sequence[Failure], seen: set[frozenset[str]]
) -> Iterator[Mutant]:
    """The pairs of this mutant and another one; `seen` are those that were tried."""
    left = [failure for failure in failures if not failure.agrees(first)]
    if not left:
        return
    alone = next((failure for failure in left if failure.unmoved(first)), left[0])
    for second in mutants:
        names = frozenset((first.id, second.id))
        if names in seen or not alone.agrees(second):
            continue
        seen.add(names)
        behaviour = both(right, first.behaviour, second.behaviour)
        if behaviour is not None and all(failure.gives(behaviour) for failure in failures):
            cells = tuple(dict.fromkeys((*first.cells, *second.cells))) if first.cells and second.cells else ()
            yield Mutant(f"{first.id} + {second.id}", "pair", f"{first.says}, and {second.says}", behaviour, cells)


def explaining_cells(right: Behaviour, flips: Iterable[Mutant], holds: Callable[[Behaviour], bool]) -> Iterator[Mutant]:
    """All these flips together as one mutant of family cells, if it gives all answers (as `holds` says)."""
    behaviour: Behaviour | None = right
    names: list[str] = []
    cells: list[str] = []
    for flip in flips:
        behaviour = behaviour and both(right, behaviour, flip.behaviour)
        names.append(flip.says)
        cells += flip.cells
    if behaviour is not None and len(cells) > 1 and holds(behaviour):
        yield Mutant(f"flips of {len(cells)} cells", "cells", "; ".join(names), behaviour, tuple(cells))

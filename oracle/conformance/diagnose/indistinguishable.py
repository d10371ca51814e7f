"""Explanations that no coup tells apart through what a program reports, and what it would have to report besides."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import combinations

import msgspec

from oracle.cases.reference import Reference
from oracle.mutants.domain import telling
from oracle.mutants.single import Mutant
from oracle.programs.observables import OBSERVABLES

_MOST = 12  # mutants that are held against each other


class Alike(msgspec.Struct, frozen=True):
    """Changes of the rules that answer every coup alike through the declared observables (proved).

    `further` are the other observables through which some coup tells two of them apart. `same` are those of the names
    that nothing tells apart, together; one group if that are all.
    """

    names: tuple[str, ...]
    further: tuple[str, ...]
    same: tuple[tuple[str, ...], ...]


def alike(reference: Reference, mutants: Sequence[Mutant], observables: Sequence[str]) -> tuple[Alike, ...]:
    """The classes of two or more among the first few of some mutants."""
    classes = _grouped(reference, mutants[:_MOST], frozenset(observables))
    return tuple(_told(reference, members) for members in classes if len(members) > 1)


def _told(reference: Reference, members: Sequence[Mutant]) -> Alike:
    groups = _grouped(reference, members, frozenset(OBSERVABLES))
    told: set[str] = set()
    for first, second in combinations(groups, 2):
        told |= telling(reference.domain, first[0], second[0]) or set()
    return Alike(
        names=tuple(mutant.id for mutant in members),
        further=tuple(name for name in OBSERVABLES if name in told),
        same=tuple(tuple(mutant.id for mutant in group) for group in groups),
    )


def _grouped(reference: Reference, mutants: Sequence[Mutant], observables: frozenset[str]) -> list[list[Mutant]]:
    """Mutants together that no coup tells apart through these observables."""
    groups: list[list[Mutant]] = []
    for mutant in mutants:
        for group in groups:
            told = telling(reference.domain, group[0], mutant)
            if told is not None and not told & observables:
                group.append(mutant)
                break
        else:
            groups.append([mutant])
    return groups

"""Explanations that no coup tells apart through what a program reports, and what it would have to report besides."""

from __future__ import annotations

from collections.abc import Sequence

import msgspec

from oracle.fixtures.reference import Reference
from oracle.mutants.observables import OBSERVABLES
from oracle.mutants.observe import telling
from oracle.mutants.single import Mutant

_MOST = 12  # mutants that are held against each other


class Alike(msgspec.Struct, frozen=True):
    """Changes of the rules that answer every coup alike through the declared observables (proved).

    `further` are the other observables through which some coup tells two of them apart; none if they are one change.
    """

    names: tuple[str, ...]
    further: tuple[str, ...]


def alike(reference: Reference, mutants: Sequence[Mutant], observables: Sequence[str]) -> tuple[Alike, ...]:
    """The classes of two or more among the first few of some mutants."""
    classes: list[tuple[list[Mutant], set[str]]] = []
    for mutant in mutants[:_MOST]:
        for members, further in classes:
            told = telling(reference.domain, members[0], mutant)
            if told is not None and not told & set(observables):
                members.append(mutant)
                further.update(told)
                break
        else:
            classes.append(([mutant], set()))
    return tuple(
        Alike(tuple(mutant.id for mutant in members), tuple(name for name in OBSERVABLES if name in further))
        for members, further in classes
        if len(members) > 1
    )

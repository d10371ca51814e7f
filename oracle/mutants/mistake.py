"""A mistake of the catalogue."""

from __future__ import annotations

import msgspec

from oracle.mutants.change import Change

NOT_FOUND = "told of in the field; no public example found"


class Mistake(msgspec.Struct, frozen=True):
    """One catalogued mistake: what the program does wrong, in a line, and where it was seen.

    `also` are other ways to make it, which come out otherwise in places where the rules never get.
    """

    id: str
    says: str
    source: str
    changed: Change
    also: tuple[Change, ...] = ()

"""Loops over what a test has found: over nothing they would pass, whatever they assert."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import TypeVar

T = TypeVar("T")


def nonempty(things: Iterable[T]) -> Iterator[T]:
    """Each of `things`, one at a time. Raises `AssertionError` at the end if there was none."""
    empty = True
    for thing in things:
        empty = False
        yield thing
    assert not empty, "nothing was there to look at"

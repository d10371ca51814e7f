"""How far something has come, told to whoever watches; nothing here prints.

Whatever may take more than two seconds tells what it does. Without a watcher that costs a look at a variable.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from typing import Protocol, TypeVar

T = TypeVar("T")


class Watcher(Protocol):
    """Whoever is told: what is done, how many of how many, 0 where no total is known, and a remark."""

    def __call__(self, what: str, done: int, of: int, note: str, /) -> None:
        """It has come so far."""


_WATCHER: ContextVar[Watcher | None] = ContextVar("watcher", default=None)


@contextmanager
def watched(watcher: Watcher) -> Iterator[None]:
    """Within the block the watcher is told, in this thread."""
    token = _WATCHER.set(watcher)
    try:
        yield
    finally:
        _WATCHER.reset(token)


def tell(what: str, done: int = 0, of: int = 0, note: str = "") -> None:
    """Say what is done now, and how far it has come."""
    watcher = _WATCHER.get()
    if watcher is not None:
        watcher(what, done, of, note)


def track(items: Iterable[T], what: str, *, of: int = 0, every: int = 1) -> Iterator[T]:
    """The items, telling how many were taken before each `every`th."""
    if _WATCHER.get() is None:
        yield from items
        return
    for count, item in enumerate(items):
        if not count % every:
            tell(what, count, of)
        yield item

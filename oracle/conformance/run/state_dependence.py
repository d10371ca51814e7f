"""Whether answers depend on more than what was asked, from the cases that a log says were asked again.

A program freshly started, asked a case alone, has to answer as in the run. If it doesn't, and answers as in the run
once the same was asked before, it keeps something from one coup to the next. If the same questions in the same order
are answered in two ways, its answers vary.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from itertools import islice
from typing import Literal

import msgspec

from oracle.conformance.run.log import Again, Line, Log

Kind = Literal["state", "varies", "unknown"]
ENOUGH = 3  # times that the same cases have to show it, since whoever guesses does so once by luck
ANEW = {"start", "batch", "case"}


class Dependent(msgspec.Struct, frozen=True):
    """A case that is answered in two ways: `alone`, asked first by a program freshly started, and as `other`.

    Kind state: it is answered as `other` after the cases `after`. Kind varies: `other` answers the same questions in
    the same order as another answer, those of `after` and itself. Kind unknown: `other` is the answer of the run, and
    neither was found.
    """

    kind: Kind
    line: Line
    alone: Again
    other: Line | Again
    after: tuple[str, ...] = ()


def dependent(log: Log) -> tuple[Dependent, ...]:
    """Every case of a run that was answered otherwise when it was asked again."""
    asked: dict[str, list[Again]] = {}
    for again in log.again:
        asked.setdefault(again.id, []).append(again)
    if not asked:
        return ()
    lines = {line.id: line for line in log.lines(passed=False) if line.id in asked}
    return tuple(found for id, line in lines.items() for found in _found(log, line, asked[id]))


def _found(log: Log, line: Line, asked: list[Again]) -> Iterator[Dependent]:
    alone = next((again for again in asked if not again.after), None)
    if alone is None:
        return
    first: dict[tuple[str, ...], Again] = {}
    for again in asked:
        if not alike(first.setdefault(again.after, again), again):
            yield Dependent("varies", line, alone, again, again.after)
            return
    others = [again for again in asked if not alike(again, alone)]
    if not alike(alone, line):
        whole = next((again for again in asked if _is_whole(log, again)), None)
        if whole is not None and not alike(whole, line):
            yield Dependent("varies", line, alone, whole, whole.after)
            return
        others = [again for again in others if alike(again, line)]
    shown = Counter(again.after for again in others)
    if max(shown.values(), default=0) >= ENOUGH:
        other = min(others, key=lambda again: len(again.after))
        yield Dependent("state", line, alone, other, other.after)
    elif others or not alike(alone, line):
        yield Dependent("unknown", line, alone, others[0] if alike(alone, line) else line)


def _is_whole(log: Log, again: Again) -> bool:
    """Whether a case was asked again after all that stood before it in the run, in one program."""
    return _before(log, again.id, len(again.after) + 1) == again.after


def _before(log: Log, id: str, most: int) -> tuple[str, ...] | None:
    """The cases before one in the run, if they are at most so many; None also if the program was started anew."""
    if any(event.what in ANEW for event in log.events):
        return None
    found: list[str] = []
    for line in islice(log.lines(), most + 1):
        if line.id == id:
            return tuple(found)
        found.append(line.id)
    return None


def alike(again: Again, line: Line | Again) -> bool:
    """Whether a case was answered alike both times."""
    return _said(again) == _said(line)


def _said(of: Line | Again) -> tuple[object, ...]:
    return of.outcome, of.differs, of.why, of.said

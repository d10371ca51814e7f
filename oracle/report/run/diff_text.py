"""Two runs beside each other, for a terminal."""

from __future__ import annotations

from collections.abc import Iterator

from oracle.conformance.summary.changes import KINDS, Changes
from oracle.programs.cells import in_words
from oracle.report.words.layout import more_words, plural, wrap
from oracle.text import printable

_SHOWN = 20
_TITLES = {"broke": "regressed", "mended": "fixed", "still": "still failing"}


def diff_text(changes: Changes) -> str:
    """The changes as people read them."""
    return "\n".join(_lines(changes))


def _lines(changes: Changes) -> Iterator[str]:
    counts = ", ".join(f"{changes.count(kind):,} {_TITLES[kind]}" for kind in KINDS)
    yield wrap(f"{printable(changes.new.rules)}: {counts}", rest="  ")
    yield f"old: {changes.old.verdict}, new: {changes.new.verdict}"
    if not changes.by_case:
        yield wrap("by counts of faults alone: a test.json holds no cases, two logs do", rest="  ")
        if set(changes.old.tiers) != set(changes.new.tiers):
            yield "of other tiers: counts can't be compared"
    if changes.dropped:
        yield f"no longer asked: {plural(changes.dropped, 'case')}"
    if changes.added:
        yield f"not asked before: {plural(changes.added, 'case')}"
    for kind in KINDS:
        found = [change for change in changes.changes if change.kind == kind]
        if not found:
            continue
        yield ""
        yield _TITLES[kind]
        for change in found[:_SHOWN]:
            name = printable(change.fault)
            yield wrap(f"{in_words(name)}  ({name})" if change.is_cell else name, first="  ", rest="    ")
            example = f", such as {printable(change.example)}" if change.example else ""
            other = f", {change.otherwise:,} in another way" if change.otherwise else ""
            yield wrap(f"{plural(change.count, 'case')}{other}{example}", first="    ", rest="      ")
        if len(found) > _SHOWN:
            yield f"  {more_words(len(found) - _SHOWN, 'fault')}"

"""Laying out plain text: wrapping, columns, plurals."""

from __future__ import annotations

import textwrap
from collections.abc import Iterable, Sequence

WIDTH = 80


def plural(count: int, noun: str) -> str:
    """`1 cell`, `3,394 states`."""
    return f"{count:,} {noun}{'' if count == 1 else 's'}"


def more_words(count: int, noun: str) -> str:
    """What stands for entries that aren't shown: `… 3 more faults in the JSON report`."""
    nouns = noun if count == 1 else f"{noun.removesuffix('y')}ies" if noun.endswith("y") else f"{noun}s"
    return f"… {count:,} more {nouns} in the JSON report"


def wrap(text: str, *, first: str = "", rest: str = "", width: int = WIDTH) -> str:
    """`text` in lines of at most `width` characters, long words left whole."""
    return textwrap.fill(
        text,
        width,
        initial_indent=first,
        subsequent_indent=rest,
        break_long_words=False,
        break_on_hyphens=False,
    )


def columns(rows: Sequence[Sequence[str]], *, indent: str = "  ") -> list[str]:
    """Rows as aligned columns, the last one as it is."""
    widths = [max(len(row[i]) for row in rows) for i in range(len(rows[0]) - 1)] if rows else []
    return [
        (indent + "  ".join([cell.ljust(width) for cell, width in zip(row, widths, strict=False)] + [row[-1]])).rstrip()
        for row in rows
    ]


def markdown_row(cells: Iterable[str]) -> list[str]:
    """A row of a Markdown table, as the one line that it is."""
    return [f"| {' | '.join(cells)} |"]

"""Text made harmless for the format that it goes into; that of other programs most of all."""

from __future__ import annotations

import re

from oracle.text import printable

MAX_TEXT = 2000


def shown(text: object, limit: int = MAX_TEXT) -> str:
    """One line of printable text, cut off where it is too long."""
    line = printable(str(text))
    return line if len(line) <= limit else f"{line[:limit]}…"


def markdown(text: str) -> str:
    """Text of our own sources that means what it says in Markdown, also in a table."""
    return text.replace("&", "&amp;").replace("<", "&lt;").replace("|", "\\|").replace("*", "\\*")


def code_span(text: object, limit: int = MAX_TEXT) -> str:
    """Text as a code span of Markdown, in which nothing is markup. Not for tables, whose pipes come first."""
    line = shown(text, limit)
    if not line.strip():
        return ""
    fence = "`" * (_longest_run(line) + 1)
    pad = " " if line[0] in "` " or line[-1] in "` " else ""
    return f"{fence}{pad}{line}{pad}{fence}"


def code_block(lines: list[str], limit: int = MAX_TEXT) -> list[str]:
    """Lines as a code block of Markdown."""
    safe = [shown(line, limit) for line in lines]
    fence = "`" * max(3, *(_longest_run(line) + 1 for line in safe))
    return [f"{fence}text", *safe, fence]


def _longest_run(line: str) -> int:
    return max(map(len, re.findall("`+", line)), default=0)

"""Ids of cases on the wire: of a run, random, and taken out of whatever a program says before anybody sees it."""

from __future__ import annotations

import re
import secrets

HIDDEN = "(id)"
_BEGIN = 8  # hexadecimal digits that all ids of a run begin with
_LENGTH = 16


class WireIds:
    """The ids of one run. No seed leads to them, so that a program gets them from the message alone.

    They begin alike, so that they can be told from all else that a program says: `hide` takes them out of it, and
    logs of the same answers are the same.
    """

    def __init__(self) -> None:
        self._begin = secrets.token_hex(_BEGIN // 2)
        rest = f"[0-9a-f]{{0,{_LENGTH - _BEGIN}}}"
        self._text = re.compile(f"{self._begin}{rest}", re.IGNORECASE)
        self._bytes = re.compile(self._text.pattern.encode(), re.IGNORECASE)

    def fresh(self, count: int) -> list[str]:
        """So many new ids."""
        size = _LENGTH - _BEGIN
        text = secrets.token_hex(count * size // 2)
        return [self._begin + text[at : at + size] for at in range(0, len(text), size)]

    def occurs(self, line: bytes) -> int:
        """How often ids stand in a line."""
        return line.count(self._begin.encode())

    def hide(self, text: str) -> str:
        """A text without the ids of this run, whole ones or the beginnings of some."""
        return self._text.sub(HIDDEN, text)

    def hide_in(self, line: bytes) -> bytes:
        """The same for a line as it came."""
        return self._bytes.sub(HIDDEN.encode(), line)

"""Places in a document."""

from __future__ import annotations

import msgspec


class Cite(msgspec.Struct, frozen=True, order=True):
    """A place in the document: a line, a sentence of it, or for a table a range of lines."""

    line: int
    sentence: int = 0
    last_line: int = 0

    def __str__(self) -> str:
        if self.last_line:
            return f"{self.line}-{self.last_line}"
        return f"{self.line}.{self.sentence}" if self.sentence else str(self.line)

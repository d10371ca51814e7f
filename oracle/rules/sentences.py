"""Documents as lines and sentences: how `cite: "12.3"` counts, and checking a copy against its spec.

Lines are counted from 1 as the file has them. Within a line a sentence ends with `.`, `!`, `?` or `…`
(several, and a closing quote or bracket, belong to it) where white space and more words follow; the dot of a
numbered line ("1. Aim", "12. Aim") ends none.
"""

from __future__ import annotations

import hashlib
import re
from pathlib import Path

import msgspec

from oracle.spans import OracleError
from oracle.text import printable

MAX_DOCUMENT_BYTES = 20_000_000
_END = re.compile(r"(?<![.!?…])[.!?…]++[\"”»’')\]]*+\s++")
_FULL_STOP = re.compile(r"\.(?![.!?…])")
_WORD = re.compile(r"\w")
_NUMBERED = 4  # digits before the dot of a numbered line


class Document(msgspec.Struct, frozen=True):
    """A document as read: its lines, and the digest of its bytes."""

    path: str
    sha256: str
    lines: tuple[str, ...]

    def sentences(self, line: int) -> list[str]:
        """The sentences of a line (from 1)."""
        return split_sentences(self.lines[line - 1])

    def text(self, line: int, sentence: int = 0) -> str:
        """A sentence of a line (from 1), or the whole line; empty if there is none."""
        if not 1 <= line <= len(self.lines):
            return ""
        if not sentence:
            return self.lines[line - 1].strip()
        found = self.sentences(line)
        return found[sentence - 1] if sentence <= len(found) else ""


def read_document(path: Path) -> Document:
    """The document at `path`. Raises `OracleError` if it can't be read as UTF-8 text."""
    name = printable(str(path))
    try:
        if not path.is_file():
            raise OracleError(f"{name}: no such file; give the document's text as a UTF-8 file")
        with path.open("rb") as stream:
            data = stream.read(MAX_DOCUMENT_BYTES + 1)
    except (OSError, ValueError) as error:
        reason = error.strerror if isinstance(error, OSError) and error.strerror else str(error)
        raise OracleError(f"{name}: can't be read: {reason}") from error
    if len(data) > MAX_DOCUMENT_BYTES:
        raise OracleError(f"{name}: larger than {MAX_DOCUMENT_BYTES:,} bytes; give the rules as plain text")
    try:
        text = data.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        help = "convert the document to UTF-8 text"
        raise OracleError(f"{name}: byte {error.start} is not UTF-8; {help}") from error
    lines = text.replace("\r\n", "\n").replace("\r", "\n").split("\n")
    if lines and not lines[-1]:
        lines.pop()
    return Document(name, hashlib.sha256(data).hexdigest(), tuple(lines))


def split_sentences(line: str) -> list[str]:
    """The sentences of one line; none if it is blank."""
    text = line.strip()
    if not text:
        return []
    words = len(text)
    while words and not _WORD.match(text, words - 1):
        words -= 1
    found, start = [], 0
    for match in _END.finditer(text, 0, words):
        if match.start() <= _NUMBERED and text[: match.start()].isdecimal() and _FULL_STOP.match(match.group()):
            continue
        found.append(text[start : match.end()].strip())
        start = match.end()
    found.append(text[start:])
    return found

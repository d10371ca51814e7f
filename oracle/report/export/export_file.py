"""Long files of lines, written atomically; an interrupted one can be resumed.

Until it is complete a file is called `NAME.part`. What is there of an interrupted one is compared with what is made
again, line by line, and the rest is added: the end is the same as without the interruption, to the byte.
"""

from __future__ import annotations

import os
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import BinaryIO

from oracle.files import part_file, part_of
from oracle.rules.library import display_path
from oracle.spans import OracleError
from oracle.text import printable


def write_lines(path: Path, chunks: Iterable[bytes], *, resume: bool = False) -> None:
    """Write chunks of whole lines into a file. With `resume` an interrupted one is resumed, if there is any.

    Raises `OracleError` if that fails, or if what is there is not the beginning of this.
    """
    with part_file(path, resume=resume, keep=True) as stream:
        for chunk in _missing(stream, part_of(path), chunks) if resume else chunks:
            stream.write(chunk)


def _missing(stream: BinaryIO, part: Path, chunks: Iterable[bytes]) -> Iterator[bytes]:
    """The chunks that a file lacks, the first perhaps cut; the file is then at its last whole line."""
    done = 0
    following = iter(chunks)
    for chunk in following:
        there = stream.read(len(chunk))
        if there == chunk:
            done += chunk.count(b"\n")
            continue
        kept = there[: there.rfind(b"\n") + 1]
        if len(there) == len(chunk) or not chunk.startswith(kept):
            pairs = zip(chunk.split(b"\n"), there.split(b"\n"), strict=False)
            raise _foreign(part, done + next(i for i, (due, has) in enumerate(pairs, start=1) if due != has))
        stream.seek(len(kept) - len(there), os.SEEK_CUR)
        stream.truncate()
        yield chunk[len(kept) :]
        yield from following
        return
    if stream.read(1):
        raise _foreign(part, done + 1)


def _foreign(part: Path, line: int) -> OracleError:
    return OracleError(
        f"{printable(display_path(part))} is not the beginning of what is asked for, from line {line:,} on: "
        "remove it, or leave out --resume"
    )

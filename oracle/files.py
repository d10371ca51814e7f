"""Files written atomically: under a temporary name beside their place, and moved there when they are complete.

Every writer has a temporary name of its own, or holds a lock on the one that all know. A link is never followed, and
only a regular file is ever replaced. `compare_files` is the other side: what is in a folder against what would be
written.
"""

from __future__ import annotations

import difflib
import os
import stat
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import BinaryIO

from oracle.rules.library import display_path
from oracle.spans import OracleError
from oracle.text import printable

_DIFFERENCE_LINES = 40
_DIFFERENCE_WIDTH = 1_000  # characters of a line, some of which have a whole script's answers


def write_files(folder: Path, files: dict[str, str], *, told: Path | None = None) -> list[str]:
    """Write each file atomically, by its name below `folder`; the paths written. Raises `OracleError` if that fails.

    `told` is the folder as errors name it, if that is another one.
    """
    written = []
    at = ""
    try:
        folder.mkdir(parents=True, exist_ok=True)
        for name, text in files.items():
            path, at = folder / name, f"{name}: "
            check_file(path)
            path.parent.mkdir(parents=True, exist_ok=True)
            handle, temporary = tempfile.mkstemp(dir=path.parent, prefix=f".{path.name}.")
            try:
                with os.fdopen(handle, "w", encoding="utf-8", newline="\n") as stream:
                    stream.write(text)
                Path(temporary).chmod(0o644)
                Path(temporary).replace(path)
            except BaseException:
                Path(temporary).unlink(missing_ok=True)
                raise
            written.append(display_path(path))
    except OSError as error:
        raise OracleError(
            f"can't write to {printable(str(told or folder))}: {printable(at)}{error.strerror}"
        ) from error
    return written


def check_file(path: Path, *, follow: bool = True) -> None:
    """Only a regular file may be in the place of one that is to be written: what is moved there would end a device.

    A link is judged by what it leads to, unless it would be written through: then there may be none (`follow`).
    Raises `OracleError`.
    """
    try:
        mode = path.stat(follow_symlinks=follow).st_mode
    except OSError:  # not there, or writing it says why it can't be
        return
    if not stat.S_ISREG(mode):
        what = "a folder" if stat.S_ISDIR(mode) else "a link" if stat.S_ISLNK(mode) else "not a regular file"
        raise _cannot_write(path, f"it is {what}")


def part_of(path: Path) -> Path:
    """Where a long file is until it is complete, and where one is that was interrupted."""
    return path.with_name(f"{path.name}.part")


@contextmanager
def part_file(path: Path, *, resume: bool = False, keep: bool = False) -> Iterator[BinaryIO]:
    """A stream into `part_of(path)`, which is moved to `path` when the block ends without an error.

    With `resume` the stream begins at the start of what is there already, else there is nothing in it. With `keep`
    what was written before an error stays, for another call to resume. Where the platform has file locks a second
    writer of the same file is refused. Raises `OracleError` if something can't be written.
    """
    part = part_of(path)
    check_file(path)
    check_file(part, follow=False)
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        with _locked(part) as stream:
            try:
                if not resume:
                    stream.truncate()
                yield stream
                stream.flush()
                os.fsync(stream.fileno())
                _finish(stream, part, path)
            except BaseException as error:
                empty = isinstance(error, OracleError) and not os.fstat(stream.fileno()).st_size
                if (empty or not keep) and _is_at(stream, part):
                    _remove(stream, part)
                raise
    except OSError as error:
        raise _cannot_write(path, str(error.strerror or error)) from error


def _locked(part: Path) -> BinaryIO:
    """A stream at the start of `part`, which nobody else has. Raises `OSError`, and `OracleError` if somebody has."""
    while True:
        flags = os.O_RDWR | os.O_CREAT | getattr(os, "O_NOFOLLOW", 0) | getattr(os, "O_BINARY", 0)
        stream = os.fdopen(os.open(part, flags, 0o666), "r+b")
        try:
            _claim(stream, part)
            if _is_at(stream, part):
                return stream
        except BaseException:
            stream.close()
            raise
        stream.close()  # another writer was done with it in the meantime: what it made is no longer to be touched


def _claim(stream: BinaryIO, part: Path) -> None:
    """Lock a file, and make sure that it is in no other place, too. Raises `OracleError` if it can't be ours."""
    if os.fstat(stream.fileno()).st_nlink > 1:
        raise _cannot_write(part, "it has another name, too")
    try:
        import fcntl
    except ImportError:  # Windows, where no file can be moved or removed that is open elsewhere
        return
    try:
        fcntl.flock(stream, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError:
        raise _cannot_write(part, "another process is writing it") from None
    except OSError:  # a file system without locks
        return


def _is_at(stream: BinaryIO, part: Path) -> bool:
    """Whether a name still means the file that is open."""
    try:
        return os.path.samestat(os.fstat(stream.fileno()), part.lstat())
    except OSError:
        return False


def _finish(stream: BinaryIO, part: Path, path: Path) -> None:
    if not _is_at(stream, part):
        raise _cannot_write(part, "something else was put in its place")
    if os.name == "nt":  # what is open can't be moved there
        stream.close()
    part.replace(path)


def _remove(stream: BinaryIO, part: Path) -> None:
    if os.name == "nt":
        stream.close()
    with suppress(OSError):
        part.unlink()


def _cannot_write(path: Path, why: str) -> OracleError:
    shown = Path(display_path(path.parent), path.name)  # a link is named itself, not what it leads to
    return OracleError(f"can't write {printable(shown.as_posix())}: {why}")


def compare_files(folder: Path, files: dict[str, str], *, command: str = "baccarat-oracle report") -> list[str]:
    """A readable difference for each file that is not what it should be to the byte; `command` would write it.

    Raises `OracleError` for one that can't be read.
    """
    found = []
    for name, text in files.items():
        path = folder / name
        shown = display_path(path)
        if not path.is_file():
            found.append(f"{shown} is missing: run `{command}`")
            continue
        try:
            there = path.read_bytes()
        except OSError as error:
            raise OracleError(f"can't read {shown}: {error.strerror}") from error
        if there != text.encode():
            found.append("\n".join([f"{shown} is out of date: run `{command}`", *_difference(there, text, shown)]))
    return found


def _difference(there: bytes, text: str, shown: str) -> list[str]:
    """How the bytes of a file differ from the text that it should have, line by line, safe for a terminal."""
    has = [printable(line) for line in there.decode("utf-8", "backslashreplace").split("\n")]
    due = [printable(line) for line in text.split("\n")]
    lines = list(difflib.unified_diff(has, due, shown, "as it should be", lineterm="", n=1))
    more = [f"… {len(lines) - _DIFFERENCE_LINES} more lines"] if len(lines) > _DIFFERENCE_LINES else []
    return [*(_shortened(line) for line in lines[:_DIFFERENCE_LINES]), *more]


def _shortened(line: str) -> str:
    left = len(line) - _DIFFERENCE_WIDTH
    return line if left <= 0 else f"{line[:_DIFFERENCE_WIDTH]}… {left:,} more characters"

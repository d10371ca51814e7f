"""A suite in a folder, read as it is: what `fixtures check` and `lint` look at."""

from __future__ import annotations

from pathlib import Path

from oracle.cases.manifest import MANIFEST
from oracle.rules.library import display_path
from oracle.spans import OracleError, UnknownName
from oracle.text import printable


def read_suite(folder: Path) -> dict[str, bytes]:
    """The files of a suite by path: all JSON below a folder.

    Raises `UnknownName` if there is no manifest, `OracleError` for a file that can't be read.
    """
    if not (folder / MANIFEST).is_file():
        raise UnknownName(f"{printable(display_path(folder))} holds no suite: there is no {MANIFEST}")
    try:
        return {
            path.relative_to(folder).as_posix(): path.read_bytes()
            for path in sorted(folder.rglob("*"))
            if path.is_file() and path.suffix in (".json", ".jsonl")
        }
    except OSError as error:
        raise OracleError(f"can't read {printable(display_path(folder))}: {error.strerror}") from error

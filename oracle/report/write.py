"""The committed reports: what they are, writing them whole or not at all, and comparing them."""

from __future__ import annotations

import difflib
import os
import tempfile
from pathlib import Path

from oracle.checks.engines import check_all
from oracle.report.check_markdown import check_markdown
from oracle.rules.library import Library, display_path
from oracle.spans import OracleError

_DIFFERENCE_LINES = 40


def report_files(library: Library) -> dict[str, str]:
    """The text of each report by file name."""
    return {"checks.md": check_markdown(check_all(library.specs(), solvers="none"))}


def write_files(folder: Path, files: dict[str, str]) -> list[str]:
    """Write each file at once or not at all; the paths written. Raises `OracleError` if that fails."""
    written = []
    try:
        folder.mkdir(parents=True, exist_ok=True)
        for name, text in files.items():
            path = folder / name
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
        raise OracleError(f"can't write to {folder}: {error.strerror}") from error
    return written


def compare_files(folder: Path, files: dict[str, str]) -> list[str]:
    """A readable difference for each file that is not what it should be."""
    found = []
    for name, text in files.items():
        path = folder / name
        shown = display_path(path)
        if not path.is_file():
            found.append(f"{shown} is missing: run `baccarat-oracle report`")
            continue
        there = path.read_text(encoding="utf-8")
        if there != text:
            lines = list(
                difflib.unified_diff(there.splitlines(), text.splitlines(), shown, "as it should be", lineterm="", n=1)
            )
            more = [f"… {len(lines) - _DIFFERENCE_LINES} more lines"] if len(lines) > _DIFFERENCE_LINES else []
            found.append(
                "\n".join(
                    [
                        f"{shown} is out of date: run `baccarat-oracle report`",
                        *lines[:_DIFFERENCE_LINES],
                        *more,
                    ]
                )
            )
    return found

"""The committed reports: what they are, writing them whole or not at all, and comparing them."""

from __future__ import annotations

import difflib
import os
import stat
import tempfile
from pathlib import Path

from oracle.checks.engines import check_all
from oracle.game.rules import Rules
from oracle.report.catalogue.smt_files import all_scripts, kept_files, script_files
from oracle.report.catalogue.tables_markdown import tables_markdown
from oracle.report.check.baseline import baseline_text
from oracle.report.check.check_markdown import check_markdown
from oracle.report.compare.contradictions import contradictions_markdown
from oracle.report.odds.odds_markdown import odds_reports
from oracle.rules.library import Library, display_path
from oracle.spans import OracleError, printable

_DIFFERENCE_LINES = 40
_DIFFERENCE_WIDTH = 1_000  # characters of a line, some of which have a whole script's answers


def slow_report_files(library: Library) -> dict[str, str]:
    """The text of each report that takes minutes to make, by file name."""
    from oracle.cases.experiments.left_alive import left_alive
    from oracle.cases.experiments.strength import strength
    from oracle.cases.reference import reference_of
    from oracle.conformance.diagnose.adaptive import coups_to_locate, table_of
    from oracle.programs.observables import OBSERVABLES
    from oracle.report.catalogue.fixtures_markdown import Located, fixtures_markdown
    from oracle.report.catalogue.verification_markdown import verification_markdown

    specs = library.specs()
    tables = [Rules(spec, rule_set) for spec in specs for rule_set in spec.rule_sets]
    references = [reference_of(rules) for rules in tables]
    searches = [coups_to_locate(table_of(reference, OBSERVABLES), "flip") for reference in references]
    located = [Located(rules.id, tuple(found.values())) for rules, found in zip(tables, searches, strict=True)]
    return {
        "verification.md": verification_markdown([strength(rules, specs) for rules in tables]),
        "fixtures.md": fixtures_markdown([left_alive(reference) for reference in references], located),
    }


def report_files(library: Library) -> dict[str, str]:
    """The text of each other report by file name."""
    specs = library.specs()
    tables = [Rules(spec, rule_set) for spec in specs for rule_set in spec.rule_sets]
    result = check_all(specs, solvers="none", proofs=True)
    return {
        "checks.md": check_markdown(result),
        "findings.json": baseline_text(result),
        "contradictions.md": contradictions_markdown(tables),
        "tables.md": tables_markdown(tables),
        **kept_files(script_files(all_scripts(library))),
        **odds_reports(tables),
    }


def write_files(folder: Path, files: dict[str, str]) -> list[str]:
    """Write each file at once or not at all; the paths written. Raises `OracleError` if that fails."""
    written = []
    try:
        folder.mkdir(parents=True, exist_ok=True)
        for name, text in files.items():
            path = folder / name
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
        raise OracleError(f"can't write to {printable(str(folder))}: {error.strerror}") from error
    return written


def check_file(path: Path) -> None:
    """Only a regular file may be in the place of one that is to be written: what is moved there would end a device.

    Raises `OracleError`.
    """
    try:
        mode = path.stat().st_mode
    except OSError:  # not there, or writing it says why it can't be
        return
    if not stat.S_ISREG(mode):
        what = "a folder" if stat.S_ISDIR(mode) else "no regular file"
        raise OracleError(f"can't write {printable(display_path(path))}: it is {what}")


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

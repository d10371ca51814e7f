"""A log counts as complete only with a footer that agrees with its lines."""

from __future__ import annotations

from pathlib import Path

import pytest

from oracle.cases.case import Case
from oracle.conformance.run.log import EXIT, Line, Log, LogWriter, verdict_of
from oracle.conformance.run.runner import Runner, Subject
from oracle.conformance.run.tally import Record
from oracle.conformance.summary.summary import summarise
from oracle.report.run.outline import outline
from oracle.report.run.run_junit import run_junit
from oracle.report.run.run_payload import run_payload
from oracle.report.run.run_text import run_text
from oracle.spans import OracleError
from tests.conformance.conftest import Run, command


@pytest.fixture
def lines(run: Run, totals: list[Case]) -> list[bytes]:
    """The lines of a whole log: 250 cases that pass."""
    return run(["right"], totals[:250]).log.path.read_bytes().splitlines(keepends=True)


@pytest.fixture
def reread(tmp_path: Path) -> object:
    def read(lines: list[bytes]) -> Log:
        path = tmp_path / "again.ndjson"
        path.write_bytes(b"".join(lines))
        return Log(path)

    return read


def test_a_whole_log_reads_back(lines: list[bytes], reread: type[Log]) -> None:
    log = reread(lines)  # type: ignore[arg-type]
    assert (log.verdict, log.problems, log.checked) == ("conforms", [], 250)
    assert len(lines) == 252


def no_footer(lines: list[bytes]) -> list[bytes]:
    return lines[:-1]


def torn(lines: list[bytes]) -> list[bytes]:
    return [*lines[:-1], lines[-1][:20]]


def line_lost(lines: list[bytes]) -> list[bytes]:
    return lines[:5] + lines[6:]


def line_twice(lines: list[bytes]) -> list[bytes]:
    return lines[:5] + lines[4:]


def goes_on(lines: list[bytes]) -> list[bytes]:
    return [*lines, lines[5]]


def footer_only(lines: list[bytes]) -> list[bytes]:
    return [lines[0], lines[-1]]


def outcome_changed(lines: list[bytes]) -> list[bytes]:
    return [*lines[:5], lines[5].replace(b'"pass"', b'"skipped"'), *lines[6:]]


def garbage(lines: list[bytes]) -> list[bytes]:
    return [*lines[:5], b"\xff\n", *lines[5:]]


def given_up(lines: list[bytes]) -> list[bytes]:
    return [*lines[:-1], lines[-1].replace(b'"finished":true', b'"finished":false')]


def other_verdict(lines: list[bytes]) -> list[bytes]:
    return [*lines[:-1], lines[-1].replace(b'"verdict":"conforms"', b'"verdict":"differs"')]


DAMAGES = (
    other_verdict, no_footer, torn, line_lost, line_twice, goes_on, footer_only, outcome_changed, garbage, given_up,
)  # fmt: skip


@pytest.mark.parametrize("damage", DAMAGES)
def test_a_damaged_log_is_never_complete(lines: list[bytes], reread: type[Log], damage: object) -> None:
    log = reread(damage(lines))  # type: ignore[operator]
    assert log.problems
    assert log.verdict == "incomplete"
    summary = summarise(log)
    assert run_text(outline(summary)).startswith("\x1b[1mincomplete\x1b[0m: ")
    assert run_payload(summary).exit == 3
    assert '<error message="' in run_junit(summary, outline(summary))


def test_a_file_that_is_no_log_is_refused(reread: type[Log], lines: list[bytes]) -> None:
    for wrong in ([], [b"{}\n"], lines[1:], [lines[0].replace(b'"format":1', b'"format":9')]):
        with pytest.raises(OracleError):
            reread(wrong)  # type: ignore[arg-type]


def test_an_interrupt_leaves_a_log_without_footer(totals: list[Case], tmp_path: Path) -> None:
    def interrupted(_: Record) -> None:
        raise KeyboardInterrupt

    path = tmp_path / "log.ndjson"
    with pytest.raises(KeyboardInterrupt), LogWriter(path) as log:
        Runner(command("right"), Subject(rules="home-pt", target=()), Record(log, interrupted), log).run(totals)
    assert Log(path).problems == ["the log has no footer: the run was ended"]


@pytest.mark.parametrize(
    ("counts", "verdict"),
    [
        ({}, "incomplete"),
        ({"skipped": 3}, "incomplete"),
        ({"pass": 3}, "conforms"),
        ({"pass": 3, "fail": 1}, "differs"),
        ({"fail": 1}, "differs"),
        ({"pass": 3, "skipped": 1}, "incomplete"),
        ({"pass": 3, "error": 1}, "incomplete"),
        ({"pass": 3, "fail": 1, "crashed": 1}, "incomplete"),
    ],
)
def test_only_answers_make_a_verdict(counts: dict[str, int], verdict: str) -> None:
    assert verdict_of(counts) == verdict


def test_exit_codes_are_those_of_every_command() -> None:
    assert EXIT == {"conforms": 0, "differs": 1, "incomplete": 3}


def test_wire_ids_are_new_in_every_run_and_never_those_of_fixtures(run: Run, totals: list[Case]) -> None:
    first, second = (run(["right"], totals[:3]).log.header.seed for _ in range(2))
    assert first != second


def test_lines_of_passed_cases_are_written_as_any(tmp_path: Path) -> None:
    ids = ["coup-1", 'a","b', "\\", "é\n", '"', ""]
    for name in ("one", "all"):
        with LogWriter(tmp_path / name) as log:
            if name == "all":
                log.write_passed(ids)
                log.write_passed([])
            else:
                log.write(*(Line(id, "pass") for id in ids))
    assert (tmp_path / "one").read_bytes() == (tmp_path / "all").read_bytes()

"""A log counts as complete only with a footer that agrees with its lines."""

from __future__ import annotations

import hashlib
import sys
from pathlib import Path
from typing import Any

import pytest

from oracle.cases.case import Case
from oracle.cases.tiers import DEFAULT
from oracle.conformance.request import TestRequest, run_test
from oracle.conformance.run.log import EXIT, Footer, Header, Line, Log, LogWriter, verdict_of
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
    assert (log.verdict, log.problems, log.checked) == ("agrees", [], 250)
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
    return [*lines[:-1], lines[-1].replace(b'"verdict":"agrees"', b'"verdict":"differs"')]


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
    for wrong in ([], [b"{}\n"], lines[1:], [lines[0].replace(b'"format":2', b'"format":9')]):
        with pytest.raises(OracleError):
            reread(wrong)  # type: ignore[arg-type]


def test_an_interrupt_leaves_a_log_without_footer(totals: list[Case], tmp_path: Path) -> None:
    def interrupted(_: Record) -> None:
        raise KeyboardInterrupt

    path = tmp_path / "log.ndjson"
    with pytest.raises(KeyboardInterrupt), LogWriter(path) as log:
        Runner(command("right"), Subject(rules="home-pt", target=()), Record(log, interrupted)).run(lambda _: totals)
    assert Log(path).problems == ["the log has no footer: the run was ended"]


ALL = ("winner", "totals")
EXAMPLES = Path(__file__).resolve().parents[2] / "examples"


def header(**change: Any) -> Header:
    """The header of a whole run of a program that reports winner and totals, and knows bets."""
    plain = {
        "protocol": 2, "rules": "home-pt", "tiers": (), "only": (), "specs": (), "target": ("--", "x"), "seed": "7f3a",
        "implementation": None, "kinds": ("coup", "bets"), "observables": ALL, "fresh": True,
    }  # fmt: skip
    return Header(**{**plain, **change})


def footer(**change: Any) -> Footer:
    """The footer of a whole run in which everything was answered, and rightly."""
    plain = {
        "verdict": "incomplete", "finished": True, "counts": {"pass": 30}, "not_asked": {}, "restarts": 0, "cells": {},
        "answered": {"coup": 20, "bets": 10}, "compared": ALL,
        "fresh": {"coup": {"pass": 9}, "bets": {"pass": 9}}, "repeated": {"pass": 5},
    }  # fmt: skip
    return Footer(**{**plain, **change})


@pytest.mark.parametrize(
    ("of_header", "of_footer", "word"),
    [
        ({}, {}, "conforms"),
        ({}, {"counts": {"pass": 29, "fail": 1}}, "differs"),
        ({}, {"fresh": {"coup": {"pass": 8, "fail": 1}}}, "differs"),
        ({}, {"repeated": {"pass": 4, "fail": 1}}, "differs"),
        # less was asked
        ({"fresh": False}, {"fresh": {}, "repeated": {}}, "agrees"),
        ({"chosen": ("totals",)}, {}, "agrees"),
        ({"chosen": ("minimal", *DEFAULT)}, {}, "conforms"),
        ({"only": ("coup-1",)}, {}, "agrees"),
        ({"ask": ("{}",)}, {}, "agrees"),
        ({"adaptive": True}, {}, "agrees"),
        ({"target": ("--results", "x.csv")}, {}, "agrees"),
        ({"kinds": ("cards",)}, {"answered": {"cards": 30}}, "agrees"),
        ({"chosen": ("totals",)}, {"counts": {"fail": 1}}, "differs"),
        # something was not answered, or the program failed
        *(({}, {"counts": {"pass": 29, word: 1}}, "incomplete") for word in ("skipped", "error", "crashed")),
        ({}, {"counts": {"pass": 28, "fail": 1, "crashed": 1}}, "incomplete"),
        ({}, {"fresh": {"coup": {"pass": 8, "skipped": 1}}}, "incomplete"),
        ({}, {"repeated": {"error": 1}}, "incomplete"),
        ({}, {"troubles": 1}, "incomplete"),
        ({}, {"restarts": 1}, "incomplete"),
        ({}, {"finished": False}, "incomplete"),
        ({"chosen": ("totals",)}, {"troubles": 1}, "incomplete"),
        # something that was declared was compared with nothing
        ({}, {"counts": {}, "answered": {}}, "incomplete"),
        ({"observables": ()}, {"compared": (), "answered": {"bets": 10}}, "incomplete"),
        ({}, {"compared": ("winner",)}, "incomplete"),
        ({"kinds": ("coup", "bets", "shoe")}, {}, "incomplete"),
        ({"kinds": ("coup", "bets", "shoe")}, {"silent": {"shoe": "the rules don't say"}}, "conforms"),
        ({"chosen": ("totals",), "kinds": ("coup", "bets")}, {"answered": {"coup": 30}}, "agrees"),
    ],
)  # fmt: skip
def test_the_word_says_what_was_compared(of_header: dict[str, Any], of_footer: dict[str, Any], word: str) -> None:
    assert verdict_of(header(**of_header), footer(**of_footer)) == word


def test_exit_codes_are_those_of_every_command() -> None:
    assert EXIT == {"conforms": 0, "agrees": 0, "differs": 1, "incomplete": 3}


FORGER = """\
import json, os, pathlib, sys
HOW = sys.argv[1]
ADAPTER = pathlib.Path(sys.argv[2]).read_text()
def forge():
    above, pid = [], os.getppid()
    while pid > 1:
        above += pathlib.Path(f"/proc/{pid}/fd").iterdir()
        pid = int(pathlib.Path(f"/proc/{pid}/stat").read_text().rpartition(") ")[2].split()[1])
    for link in above:
        try:
            name = os.readlink(link)
        except OSError:
            continue
        if name.endswith("log.ndjson"):
            if HOW == "through the descriptor":
                with open(link, "r+b") as file:
                    text = file.read()
                    file.seek(0)
                    file.write(text.replace(b'"rules":"home-pt"', b'"rules":"home-xx"'))
            elif HOW == "in its place":
                other = pathlib.Path(name + ".mine")
                other.write_bytes(pathlib.Path(name).read_bytes())
                other.replace(name)
            elif HOW == "gone":
                os.unlink(name)
import atexit
atexit.register(forge)
exec(compile(ADAPTER, "mine.py", "exec"))
"""


@pytest.mark.skipif(not Path("/proc/self/fd").is_dir(), reason="descriptors of others are found in /proc")
@pytest.mark.parametrize("how", ["not at all", "through the descriptor", "in its place", "gone"])
def test_what_a_program_does_to_the_log_is_noticed(how: str, tmp_path: Path) -> None:
    program = tmp_path / "forger.py"
    program.write_text(FORGER, encoding="utf-8")
    command = (sys.executable, str(program), how, str(EXAMPLES / "mine.py"))
    request = TestRequest(rules="home-pt", command=command, log=tmp_path / "log.ndjson")
    summary = run_test(request)
    forged = how != "not at all"
    assert (summary.verdict == "incomplete") == forged, summary.log.problems
    assert summary.verdict == ("incomplete" if forged else "conforms")
    assert summary.log.checked > 4_000, "what was judged stays"
    assert summary.log.header.rules == "home-pt" or how == "through the descriptor"


def test_the_digest_in_the_report_is_that_of_the_log(tmp_path: Path) -> None:
    request = TestRequest(
        rules="home-pt", command=(sys.executable, str(EXAMPLES / "mine.py")), log=tmp_path / "log.ndjson", seed="7f3a"
    )
    first = run_test(request)
    found = hashlib.sha256((tmp_path / "log.ndjson").read_bytes()).hexdigest()
    assert first.log.sha256 == found == Log(tmp_path / "log.ndjson").sha256
    assert f"the log has sha256 {found}" in run_text(outline(first))
    assert run_test(request).log.sha256 == found, "the same seed, the same bytes"


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

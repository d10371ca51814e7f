"""`test` and `serve` as people and programs call them."""

from __future__ import annotations

import json
import os
import shlex
import signal
import subprocess
import sys
import time
from fnmatch import fnmatch
from pathlib import Path
from typing import Any
from xml.etree import ElementTree as ET

import pytest

from oracle.cli import run
from oracle.conformance.run.log import Log
from tests.conformance.conftest import command
from tests.conftest import ROOT

HOME = ["test", "--rules", "home-pt", "--tier", "totals"]
ORACLE = [sys.executable, "-m", "oracle"]


def test_a_right_program_conforms(capsys: pytest.CaptureFixture[str]) -> None:
    assert run([*HOME, "--", *command("right")]) == 0
    out, err = capsys.readouterr()
    first = "agrees with home-pt in winner, totals, cards, natural, pairs, as far as\n  --tier goes\n"
    assert out.startswith(f"{first}fake 1 (python): winner, ")
    assert "\nand 399 fresh cases, seed " in out
    assert "\nnot confirmed\n  tier settlement: not asked for\n" in out
    assert err == "", "progress is only for terminals"


def test_a_mistake_that_what_is_reported_cannot_show_counts_as_that(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """Four mistakes are about pairs alone, of which this program says nothing; no minimal set is for all the rest."""
    text = (ROOT / "examples" / "mine.py").read_text(encoding="utf-8")
    assert text.count('"natural", "pairs", "net"]') == 1
    program = tmp_path / "mine.py"
    program.write_text(text.replace('"natural", "pairs", "net"]', '"natural", "net"]'), encoding="utf-8")
    assert run(["test", "--rules", "home-pt", "--", sys.executable, str(program)]) == 0
    out = capsys.readouterr().out
    assert "\n  4 known mistakes that these observables can't show:\n" in out
    assert "of the others\n  41 show in no coup through what is reported\n" in out, "37 that never show, and these"


def test_why_a_program_did_not_start_is_read_to_the_end(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """An interpreter names the whole path first, and then what is wrong with it."""
    path = tmp_path / ("long-" * 20) / "mine.py"
    assert run([*HOME, "--", sys.executable, str(path)]) == 3
    lines = [line for line in capsys.readouterr().out.splitlines() if line.startswith("  | ")]
    assert "No such file or directory" in "".join(line.removeprefix("  | ") for line in lines)
    assert max(map(len, lines)) <= 79
    program = tmp_path / "mine.py"
    program.write_text("import sys\nsys.exit('x' * 1000)\n", encoding="utf-8")
    assert run([*HOME, "--", sys.executable, str(program)]) == 3
    assert "xx\n  | … 700 more characters\n" in capsys.readouterr().out


def test_a_wrong_program_is_told_the_rule_first(capsys: pytest.CaptureFixture[str]) -> None:
    assert run([*HOME, "--", *command("always-player")]) == 1
    out = capsys.readouterr().out
    assert "\n1 fault of home-pt gives all 3,394 answers about coups:\n  the player always wins  " in out
    lines = out.splitlines()
    first = next(i for i, line in enumerate(lines) if line.startswith("banker on "))
    assert lines[first + 1].startswith("  the rules: ")
    assert lines[first + 2].endswith(" cases differ")
    assert lines[first + 3].startswith("  such as ")
    assert lines[first + 4] == "    winner: banker expected, player answered"
    assert lines[first + 5].startswith("  baccarat-oracle test --rules home-pt --case coup-")
    assert lines[first + 5].endswith(" always-player")
    assert all(len(line) <= 80 for line in lines if "baccarat-oracle test" not in line and "sha256" not in line)


def test_the_command_that_is_shown_shows_the_failure_again(capsys: pytest.CaptureFixture[str]) -> None:
    assert run([*HOME, "--format", "json", "--", *command("off-by-one")]) == 1
    fault = json.loads(capsys.readouterr().out)["faults"][0]
    words = shlex.split(fault["reproduce"])
    assert words[:2] == ["baccarat-oracle", "test"]
    assert run(["test", "--format", "json", *words[2:]]) == 1
    again = json.loads(capsys.readouterr().out)
    assert again["checked"] == 1
    assert again["faults"][0]["example"] == fault["example"]
    assert again["not_confirmed"][0]["what"] == "cases"


def test_reports_say_the_same_as_what_is_printed(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    out = tmp_path / "out"
    assert run([*HOME, "--report", str(out), "--format", "json", "--", *command("off-by-one")]) == 1
    assert sorted(path.name for path in out.iterdir()) == [
        "badge.svg", "junit.xml", "log.ndjson", "report.html", "summary.md", "test.json", "test.txt",
    ]  # fmt: skip
    printed = capsys.readouterr().out
    assert (out / "test.json").read_text() == printed
    assert (out / "test.txt").read_text().startswith("differs: 3,394 of 3,394 answers differ from home-pt, ")
    assert "\x1b" not in (out / "test.txt").read_text()
    payload = json.loads(printed)
    assert Log(out / "log.ndjson").counts == payload["counts"]
    suite = ET.parse(out / "junit.xml").getroot().find("testsuite")
    assert suite is not None
    fresh = [entry for entry in suite.findall("testcase") if entry.get("name", "").startswith("fresh")]
    told = [entry for entry in fresh if entry.find("failure") is not None]
    assert len(told) == len(payload["fresh_faults"]) + 1, "each of them, and the fresh cases as a whole"
    assert suite.get("failures") == str(len(payload["faults"]) + len(told))
    assert suite.get("tests") == str(len(suite.findall("testcase")))


def test_json_has_its_shape(capsys: pytest.CaptureFixture[str]) -> None:
    assert run([*HOME, "--format", "json", "--", *command("always-player")]) == 1
    payload: dict[str, Any] = json.loads(capsys.readouterr().out)
    assert list(payload) == [
        "format", "verdict", "rules", "compared", "tiers", "restricted", "seed", "adaptive", "implementation", "kinds",
        "observables", "checked", "counts", "not_asked", "fresh", "repeated", "power", "not_confirmed", "matches",
        "explained", "dependent", "tableau", "faults", "fresh_faults", "fresh_card", "unanswered", "events", "restarts",
        "troubles", "log_sha256", "problems", "known", "exit",
    ]  # fmt: skip
    assert payload["format"] == 2
    assert payload["implementation"] == {"name": "fake", "version": "1", "language": "python"}
    assert set(payload["faults"][0]) == {"name", "cells", "differ", "checked", "example", "reproduce", "known"}


def test_hostile_words_are_escaped_everywhere(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    out = tmp_path / "out"
    for fake in (["refuses"], ["babbles"], ["crashes-at", "none"]):
        run([*HOME, "--restarts", "1", "--report", str(out), "--", *command(*fake)])
        shown = capsys.readouterr().out
        assert all(char.isprintable() or char == "\n" for char in shown)
        assert all(char.isprintable() or char == "\n" for char in (out / "junit.xml").read_text())
        ET.parse(out / "junit.xml")


@pytest.mark.parametrize(
    ("arguments", "told"),
    [
        (["test", "--rules", "home-pt"], "give one of: -- COMMAND, --python MODULE:FUNCTION, --results FILE"),
        (["test", "--rules", "home-pt", "--python", "a:b", "--", "c"], "give one of"),
        (["test", "--rules", "home-p", "--", "true"], "did you mean"),
        (["test", "--rules", "home-pt", "--tier", "total", "--", "true"], "no tier `total`: did you mean `totals`?"),
        (["test", "--rules", "home-pt", "--case", "coup-0", "--", *command("right")], "no case coup-0 in the tiers"),
        (["test", "--rules", "home-pt", "--", "/no/such\x1bprogram"], "can't start /no/such\\x1bprogram: No such file"),
        (
            ["test", "--rules", "home-pt", "--log", "/no/such/log", "--", *command("right")],
            "can't write the log /no/such/log",
        ),
        (["test", "--rules", "home-pt", "--memory", "0", "--", "true"], "--memory"),
        (["test", "--rules", "home-pt", "--case-timeout", "0", "--", "true"], "--case-timeout"),
        (["serve", "--rules", "nothing"], "nothing"),
    ],
)
def test_bad_use_is_told(arguments: list[str], told: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert run(arguments) == 2
    assert told in capsys.readouterr().err


def test_a_program_that_can_not_be_started_leaves_what_was_there(tmp_path: Path) -> None:
    path = tmp_path / "log"
    assert run([*HOME, "--log", str(path), "--", "/no/such/program"]) == 2
    assert not path.exists()
    path.write_bytes(b"of an earlier run")
    assert run([*HOME, "--log", str(path), "--", "/no/such/program"]) == 2
    assert path.read_bytes() == b"of an earlier run"


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM, signal.SIGHUP, signal.SIGQUIT])
@pytest.mark.parametrize("kept", [True, False])
def test_being_ended_takes_the_program_and_what_is_temporary_along(
    tmp_path: Path, number: signal.Signals, *, kept: bool
) -> None:
    log, note, temporary = tmp_path / "log.ndjson", tmp_path / "pid", tmp_path / "temporary"
    temporary.mkdir()
    # The first batch is slow, so that the signal comes while the program is asked.
    words = [*(["--log", str(log)] if kept else []), "--", sys.executable, "-S", "-E", "-c", SLEEPER, str(note)]
    env = {**os.environ, "TMPDIR": str(temporary)}
    with subprocess.Popen(
        [*ORACLE, *HOME, *words],
        stderr=subprocess.PIPE,
        env=env,
        preexec_fn=lambda: signal.signal(number, signal.SIG_DFL),  # noqa: PLW1509 (a shell ignores some behind it)
    ) as harness:
        try:
            until = time.monotonic() + 30
            while not note.exists() and time.monotonic() < until:
                time.sleep(0.02)
            time.sleep(0.2)
            assert len(list(temporary.iterdir())) == (not kept)
            harness.send_signal(number)
            _, err = harness.communicate(timeout=20)
        finally:
            harness.kill()  # one that stays would be a child of every test after this one
    assert harness.returncode == 128 + number
    assert b"Traceback" not in err
    assert list(temporary.iterdir()) == []
    if kept:
        assert Log(log).problems == ["the log has no footer: the run was ended"]
    with pytest.raises(ProcessLookupError):
        os.kill(int(note.read_text()), 0)


def test_a_hangup_that_is_ignored_still_is(tmp_path: Path) -> None:
    """As by nohup."""
    note = tmp_path / "pid"
    words = ["--case-timeout", "0.5", "--batch-timeout", "1", "--restarts", "0", "--", sys.executable, "-S", "-E", "-c"]
    command = [*ORACLE, *HOME, *words, SLEEPER, str(note)]
    ignoring = (
        "import os, signal, sys; signal.signal(signal.SIGHUP, signal.SIG_IGN); os.execv(sys.argv[1], sys.argv[1:])"
    )
    with subprocess.Popen([sys.executable, "-c", ignoring, *command], stdout=subprocess.PIPE) as harness:
        until = time.monotonic() + 30
        while not note.exists() and time.monotonic() < until:
            time.sleep(0.02)
        harness.send_signal(signal.SIGHUP)
        harness.communicate(timeout=20)
    assert harness.returncode == 3


def test_a_slow_program_is_stopped_by_the_limit_of_the_run(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """Right, and a little slow: what it answered in time counts, and is no green."""
    begun = time.monotonic()
    log = tmp_path / "log.ndjson"
    assert run([*HOME, "--run-timeout", "1.5", "--log", str(log), "--", *command("slow", "0.002")]) == 3
    assert time.monotonic() - begun < 6
    out = capsys.readouterr().out
    assert out.startswith("incomplete: ")
    assert "given up: stopped by the limit of the run: 1.5 s" in out
    read = Log(log)
    assert read.counts["pass"] >= 200
    assert read.problems == ["the run was given up before its end"]
    assert [event.what for event in read.events] == ["gave-up"]


LIMITED = """
import resource, sys
sys.dont_write_bytecode = True  # else the limit would cut off what is compiled, for whoever reads it next
resource.setrlimit(resource.RLIMIT_FSIZE, (40_000, 40_000))
from oracle.cli import main
main(sys.argv[1:])
"""


@pytest.mark.parametrize(
    ("options", "told"),
    [
        (["--log", "log.ndjson"], "error: can't write the log log.ndjson: File too large\n"),
        (["--report", "out"], "error: can't write the log out/log.ndjson: File too large\n"),
        (["--evidence", "out"], "error: can't write the log {tmp}/baccarat-oracle-*/log.ndjson: File too large\n"),
        (["--tier", "minimal", "--no-fresh", "--evidence", "out"], "error: can't write to out: *: File too large\n"),
        (["--tier", "minimal", "--no-fresh", "--write-known", "known.jsonl"], ""),
    ],
    ids=["log", "report", "evidence", "files", "fits"],
)
def test_a_full_disk_names_the_file(tmp_path: Path, options: list[str], told: str, root: Path) -> None:
    """A limit of file sizes fails in the same places; 40 kB hold the log of `minimal`, and no spec."""
    tier = [] if "--tier" in options else ["--tier", "totals"]
    temporary = tmp_path / "temporary"
    temporary.mkdir()
    arguments = ["test", "--rules", "home-pt", *tier, *options, "--", *command("off-by-one")]
    env = {**os.environ, "PYTHONPATH": str(root), "TMPDIR": str(temporary), "PYTHONDONTWRITEBYTECODE": "1"}
    done = subprocess.run(
        [sys.executable, "-c", LIMITED, *arguments], cwd=tmp_path, env=env, capture_output=True, text=True, check=False
    )
    assert fnmatch(done.stderr, told.format(tmp=temporary))
    assert done.returncode == (2 if told else 1)
    assert list(temporary.iterdir()) == []
    left = {path.name for path in tmp_path.iterdir()} - {"temporary", "log.ndjson", "known.jsonl"}
    assert left <= {"out"}
    assert not (tmp_path / "out" / "evidence.json").exists()


SLEEPER = """
import os, sys, time
sys.stdin.readline()
print('{"protocol":1,"implementation":{"name":"s"},"rules":["*"],"kinds":["coup"],"observables":["winner"]}')
sys.stdout.flush()
sys.stdin.readline()
with open(sys.argv[1] + ".new", "w") as file:
    file.write(str(os.getpid()))
os.rename(sys.argv[1] + ".new", sys.argv[1])
time.sleep(300)
"""


def test_serve_answers_until_its_input_ends() -> None:
    done = subprocess.run(
        [*ORACLE, "serve", "--rules", "punto-es"],
        input=b'{"cmd":"start","protocol":1}\nwhat\n',
        capture_output=True,
        check=False,
    )
    first, second = done.stdout.splitlines()
    assert (done.returncode, done.stderr) == (0, b"")
    assert json.loads(first)["rules"] == ["punto-es"]
    assert "error" in json.loads(second)


def test_own_specs_are_asked_of_and_named_again(root: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    text = (root / "specs" / "home-pt.yaml").read_text(encoding="utf-8")
    (tmp_path / "mine.yaml").write_text(
        text.replace("id: home-pt,", "id: mine,", 1).replace("id: home-pt\n", "id: mine\n", 1)
    )
    code = run(["test", "--rules", "mine", "--specs", str(tmp_path), "--tier", "totals", "--", *command("off-by-one")])
    out = capsys.readouterr().out
    assert code == 1
    assert f"--rules mine --specs {tmp_path} --case " in out


def test_schema_of_the_protocol_is_printed(capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["schema", "protocol"]) == 0
    assert json.loads(capsys.readouterr().out)["title"] == "The adapter protocol, version 2"

"""What takes over two seconds says what it does, how far it has come and how long it still takes; and then is gone."""

from __future__ import annotations

import io
import os
import pty
import re
import subprocess
import sys
import threading
import time
from collections.abc import Callable
from pathlib import Path

import pytest

from oracle.cli import progress, run
from oracle.cli.progress import Display, showing
from oracle.progress import tell, track, watched
from tests.conformance.conftest import command


@pytest.fixture(autouse=True)
def _shown(monkeypatch: pytest.MonkeyPatch) -> None:
    """Other tests ask for quiet."""
    monkeypatch.delenv(progress.QUIET)


class Terminal(io.StringIO):
    """A stream that says it is one."""

    def isatty(self) -> bool:
        return True


def in_terminal(arguments: list[str], cwd: Path) -> tuple[int, str, str]:
    """Runs a command with its standard error on a pseudo-terminal: exit code, output, and what was shown."""
    parent, child = pty.openpty()
    env = {**os.environ, "PYTHONPATH": str(Path(__file__).resolve().parents[2])}
    out = cwd / "printed"
    with out.open("wb") as stdout:
        process = subprocess.Popen(
            [sys.executable, "-m", "oracle", *arguments], cwd=cwd, env=env, stdout=stdout, stderr=child
        )
    os.close(child)
    shown = b""
    while True:
        try:
            piece = os.read(parent, 65_536)
        except OSError:  # how Linux says that the other end is closed
            break
        if not piece:
            break
        shown += piece
    os.close(parent)
    process.wait(60)
    return process.returncode, out.read_text(), shown.decode()


def lines_of(shown: str) -> list[str]:
    """What stood on the line, one after the other."""
    return [line for line in shown.split("\r\033[K") if line]


@pytest.mark.slow
def test_a_slow_run_shows_what_is_asked_and_how_long_it_takes(tmp_path: Path) -> None:
    words = ["test", "--rules", "home-pt", "--run-timeout", "6", "--", *command("slow", "0.003")]
    code, out, shown = in_terminal(words, tmp_path)
    assert code == 3
    assert out.startswith("incomplete: ")
    assert "so far" not in out
    assert shown.endswith("\r\033[K"), "it is gone in the end"
    assert all(len(line) < 80 and "\n" not in line for line in lines_of(shown))
    assert re.search(r"asking: [\d,]+ of [45],\d{3}, \d+ s so far, about \d+ s left", shown)


@pytest.mark.slow
@pytest.mark.parametrize(
    ("arguments", "told"),
    [
        (["check"], "so far"),
        (["compare", "--solvers", "none"], r"comparing pairs of rule sets: \d+ of \d+"),
        (["fixtures", "check"], r"answers of [\w/-]+: \d+ of \d+"),
        (["fixtures", "build", "--rules", "home-pt", "--out", "made"], "searching for a smallest set for home-pt"),
        (["report", "--out", "made"], r"so far"),
        (["report", "--smt", "made"], r"scripts: \d+"),
        (["fixtures", "export", "--rules", "home-pt", "--tier", "values", "--out", "made.jsonl"], r"cases: [\d,]+"),
    ],
    ids=lambda value: " ".join(value[:2]) if isinstance(value, list) else "",
)
def test_what_takes_long_is_not_silent(arguments: list[str], told: str, tmp_path: Path) -> None:
    begun = time.monotonic()
    code, _, shown = in_terminal(arguments, tmp_path)
    assert code == 0
    if time.monotonic() - begun > 4:
        assert re.search(told, shown)
        assert shown.endswith("\r\033[K")
    assert all(len(line) < 80 for line in lines_of(shown))


@pytest.mark.parametrize("arguments", [["rules"], ["check", "home-pt", "--solvers", "none"]])
def test_what_is_quick_shows_nothing(arguments: list[str], tmp_path: Path) -> None:
    begun = time.monotonic()
    shown = in_terminal(arguments, tmp_path)[2]
    assert shown == "" or time.monotonic() - begun > 2


@pytest.mark.parametrize("quiet", ["option", "variable"])
def test_it_can_be_asked_to_be_quiet(quiet: str, monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    if quiet == "variable":
        monkeypatch.setenv(progress.QUIET, "1")
    words = ["test", "--rules", "home-pt", "--run-timeout", "3.5", "--", *command("slow", "0.003")]
    assert in_terminal(["--quiet"] * (quiet == "option") + words, tmp_path)[2] == ""


def test_where_nobody_watches_a_line_comes_now_and_then(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(progress, "LINES", 0.1)
    with showing("working"):
        tell("counting", 5, 20)
        time.sleep(0.5)
    err = capsys.readouterr().err
    assert set(err.splitlines()) == {"counting: 5 of 20, 0 s so far"}
    assert "\r" not in err


def test_nothing_is_shown_once_it_is_over(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(progress, "AFTER", 0.0)
    monkeypatch.setattr(progress, "EVERY", 0.001)
    stream = Terminal()
    with Display(stream, "working") as display, watched(display.tell):
        for _ in track(range(3), "counting", of=3):
            time.sleep(0.02)
    assert stream.getvalue().endswith("\r\033[K")
    before = stream.getvalue()
    tell("nobody hears this")
    time.sleep(0.02)
    assert stream.getvalue() == before
    assert not [thread for thread in threading.enumerate() if thread.name == "progress"]


@pytest.mark.parametrize("error", [ValueError, KeyboardInterrupt, SystemExit])
def test_an_error_and_an_interrupt_take_the_line_away(
    monkeypatch: pytest.MonkeyPatch, error: type[BaseException]
) -> None:
    monkeypatch.setattr(progress, "AFTER", 0.0)
    stream = Terminal()
    monkeypatch.setattr(sys, "stderr", stream)

    def work() -> None:
        with showing("working"):
            time.sleep(0.1)
            raise error

    with pytest.raises(error):
        work()
    assert stream.getvalue().endswith("\r\033[K")


def test_a_line_fits_and_says_how_long() -> None:
    display = Display(Terminal(), "working")
    begun = display._begun
    assert display.line(begun + 3) == "working: 3 s so far"
    display.tell("asking", 0, 4_000, "")
    display._since = begun
    display.tell("asking", 1_000, 4_000, "2 fail")
    assert display.line(begun + 90) == "asking: 1,000 of 4,000, 2 fail, 1 min 30 s so far, about 4 min 30 s left"
    assert display.line(begun + 1) == "asking: 1,000 of 4,000, 2 fail, 1 s so far", "too early to tell"
    display.tell("x" * 200 + "\x1b[2J", 1, 2, "")
    display._since = begun
    assert len(display.line(begun + 7_300)) == 79
    assert "2 h 1 min so far" in display.line(begun + 7_300)
    assert "\x1b" not in display.line(begun + 7_300)
    display.tell("asking", 9, 4, "")
    assert "left" not in display.line(begun + 90), "more than there were to be"


def test_a_closed_standard_error_is_no_trouble(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(progress, "AFTER", 0.0)
    stream = Terminal()
    with Display(stream, "working"):
        stream.close()
        time.sleep(0.05)
    monkeypatch.setattr(sys, "stderr", None)
    with showing("working"):
        tell("working")


def test_whoever_calls_from_python_hears_nothing(capsys: pytest.CaptureFixture[str]) -> None:
    import oracle

    oracle.check("home-pt", solvers="none", claims=False)
    assert capsys.readouterr() == ("", "")


def test_a_search_for_the_coups_of_own_rules_is_told(plain_text: Callable[..., str], tmp_path: Path) -> None:
    """It is made while the program waits, and takes seconds."""
    (tmp_path / "plain.yaml").write_text(plain_text(), encoding="utf-8")
    heard: list[str] = []
    with watched(lambda what, *_: heard.append(what)):
        words = ["--specs", str(tmp_path), "--tier", "minimal", "--", *command("right")]
        run(["--quiet", "test", "--rules", "plain", *words])
    assert "choosing coups that show every change of plain" in heard

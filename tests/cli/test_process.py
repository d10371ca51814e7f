"""The command as a process: exit codes, pipes, colours, and what is imported."""

from __future__ import annotations

import os
import pty
import re
import shlex
import subprocess
import sys
from pathlib import Path

import pytest

HEAVY = {"z3", "cvc5", "numpy", "rich", "hypothesis", "pyarrow"}
PLAY = ("play", "--rules", "home-pt", "4H", "2S", "9C", "AD", "8D", "--bet", "banker=20")


def oracle(*args: str, cwd: Path, **options: object) -> subprocess.CompletedProcess[str]:
    command = [sys.executable, "-m", "oracle", *args]
    environment = {**os.environ, "PYTHONPATH": str(Path(__file__).resolve().parents[2])}
    return subprocess.run(  # type: ignore[call-overload,no-any-return]
        command, cwd=cwd, env=environment, capture_output=True, text=True, timeout=60, check=False, **options
    )


def test_play_works_from_anywhere(tmp_path: Path) -> None:
    done = oracle(*PLAY, cwd=tmp_path)
    assert (done.returncode, done.stderr) == (0, "")
    assert "banker 20: wins, net +19" in done.stdout
    assert list(tmp_path.iterdir()) == []


def test_exit_codes_reach_the_shell(tmp_path: Path) -> None:
    assert oracle("--version", cwd=tmp_path).returncode == 0
    assert oracle("play", "--rules", "nosuch", cwd=tmp_path).returncode == 2
    undecided = oracle("play", "--rules", "grid-pt", "--literal", "4", "2", "9", "A", "8", cwd=tmp_path)
    assert (undecided.returncode, undecided.stdout) == (3, "")


def test_the_installed_command_is_the_same_program(tmp_path: Path) -> None:
    command = Path(sys.executable).with_name("baccarat-oracle")
    assert command.is_file(), "install the project into this interpreter's environment: make setup"
    done = subprocess.run([command, "--version"], cwd=tmp_path, capture_output=True, text=True, check=True)
    assert done.stdout == oracle("--version", cwd=tmp_path).stdout


@pytest.mark.parametrize(
    "args", [("--version",), PLAY, (*PLAY, "--format", "json"), ("rules",), ("--help",)], ids=" ".join
)
def test_no_heavy_library_is_imported_on_the_way_to_a_coup(tmp_path: Path, args: tuple[str, ...]) -> None:
    command = [sys.executable, "-X", "importtime", "-m", "oracle", *args]
    environment = {**os.environ, "PYTHONPATH": str(Path(__file__).resolve().parents[2])}
    done = subprocess.run(command, cwd=tmp_path, env=environment, capture_output=True, text=True, check=True)
    imported = {line.rpartition("|")[2].strip().partition(".")[0] for line in done.stderr.splitlines()}
    assert "click" in imported
    assert not imported & HEAVY


def test_check_without_solvers_imports_no_solver(tmp_path: Path) -> None:
    command = [sys.executable, "-X", "importtime", "-m", "oracle", "check", "home-pt", "--solvers", "none"]
    environment = {**os.environ, "PYTHONPATH": str(Path(__file__).resolve().parents[2])}
    done = subprocess.run(command, cwd=tmp_path, env=environment, capture_output=True, text=True, check=False)
    imported = {line.rpartition("|")[2].strip().partition(".")[0] for line in done.stderr.splitlines()}
    assert not imported & {"z3", "cvc5", "hypothesis"}  # claims are counted with numpy


def test_a_reader_that_goes_away_is_no_error_message(tmp_path: Path) -> None:
    root = Path(__file__).resolve().parents[2]
    for command in ("rules", "schema"):
        script = f"{shlex.quote(sys.executable)} -m oracle {command} | true; echo ${{PIPESTATUS[0]}}"
        environment = {**os.environ, "PYTHONPATH": str(root)}
        done = subprocess.run(
            ["bash", "-c", script], cwd=tmp_path, env=environment, capture_output=True, text=True, check=False
        )
        assert (done.stdout, done.stderr) == ("141\n", "")


@pytest.mark.parametrize(
    ("command", "told"),
    [
        ("rules >&-", "error: the standard output is closed: there is nowhere to print\n"),
        ("--version >&-", "error: the standard output is closed: there is nowhere to print\n"),
        ("session - --rules home-pt <&-", "error: the standard input is closed: name a file, or give it a script\n"),
        ("session - --rules home-pt <&- >&- 2>&-", ""),
        ("rules --specs /nosuch 2>&-", ""),
    ],
)
def test_closed_streams_are_told_in_one_line(tmp_path: Path, command: str, told: str) -> None:
    environment = {**os.environ, "PYTHONPATH": str(Path(__file__).resolve().parents[2])}
    script = f"{shlex.quote(sys.executable)} -m oracle {command}"
    done = subprocess.run(
        ["bash", "-c", script], cwd=tmp_path, env=environment, capture_output=True, text=True, check=False
    )
    assert (done.returncode, done.stdout, done.stderr) == (2, "", told)


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="no /dev/full here")
def test_a_full_disk_is_told_in_one_line(tmp_path: Path) -> None:
    with Path("/dev/full").open("w") as full:
        command = [sys.executable, "-m", "oracle", "rules"]
        environment = {**os.environ, "PYTHONPATH": str(Path(__file__).resolve().parents[2])}
        done = subprocess.run(
            command, cwd=tmp_path, env=environment, stdout=full, stderr=subprocess.PIPE, text=True, check=False
        )
    assert (done.returncode, done.stderr) == (3, "error: the output: No space left on device\n")


def in_terminal(*args: str, cwd: Path, **environment: str) -> str:
    """What a command writes to a terminal."""
    parent, child = pty.openpty()
    command = [sys.executable, "-m", "oracle", *args]
    env = {**os.environ, "PYTHONPATH": str(Path(__file__).resolve().parents[2]), "TERM": "xterm", **environment}
    process = subprocess.Popen(command, cwd=cwd, env=env, stdout=child, stderr=child, stdin=child)
    os.close(child)
    parts = []
    while True:
        try:
            part = os.read(parent, 65536)
        except OSError:  # how Linux says that the other end is closed
            break
        if not part:
            break
        parts.append(part)
    os.close(parent)
    process.wait(timeout=60)
    return b"".join(parts).decode().replace("\r\n", "\n")


def test_colours_are_for_terminals_only(tmp_path: Path) -> None:
    piped = oracle(*PLAY, cwd=tmp_path).stdout
    shown = in_terminal(*PLAY, cwd=tmp_path)
    assert "\x1b[" not in piped
    assert "\x1b[1mbanker wins" in shown
    assert re.sub(r"\x1b\[[0-9;]*m", "", shown) == piped


def test_errors_go_to_stderr_without_a_traceback(tmp_path: Path) -> None:
    done = oracle("check", "nosuch", cwd=tmp_path)
    assert (done.returncode, done.stdout) == (2, "")
    assert done.stderr == "error: no source `nosuch`: known: grid-pt, home-pt, punto-es, selminha\n"


def test_output_is_utf_8_whatever_the_locale(tmp_path: Path) -> None:
    command = [sys.executable, "-m", "oracle", "check", "grid-pt", "--solvers", "none", "--all"]
    environment = {**os.environ, "PYTHONPATH": str(Path(__file__).resolve().parents[2]), "LC_ALL": "C"}
    done = subprocess.run(command, cwd=tmp_path, env=environment, capture_output=True, check=False)
    assert done.stderr == b""
    done.stdout.decode("utf-8")


@pytest.mark.parametrize(
    "args",
    [
        ("check", "nosuch-source-of-rules", "--solvers", "none"),
        ("play", "--rules", "selminha/classica", "9", "2", "K", "A", "--bet", "tie=7"),
        ("play", "--rules", "grid-pt", "--literal", "4", "2", "9", "A", "8"),
    ],
    ids=" ".join,
)
def test_errors_are_wrapped_on_a_terminal_only(tmp_path: Path, args: tuple[str, ...]) -> None:
    piped = oracle(*args, cwd=tmp_path).stderr
    shown = in_terminal(*args, cwd=tmp_path)
    assert max(len(line) for line in shown.splitlines()) <= 80
    assert shown.split() == piped.split()


def test_excerpts_of_specs_are_never_wrapped(tmp_path: Path) -> None:
    (tmp_path / "bad.yaml").write_text(f"source: {{id: bad, {'x' * 90}: 1}}\n", encoding="utf-8")
    args = ("check", "bad.yaml", "--solvers", "none")
    assert in_terminal(*args, cwd=tmp_path) == oracle(*args, cwd=tmp_path).stderr

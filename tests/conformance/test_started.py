"""All that a program starts is found, weighed and ended; where a system can't do that, the run ends and says so."""

from __future__ import annotations

import os
import select
import signal
import subprocess
import sys
import textwrap
import threading
import time
from collections.abc import Callable
from pathlib import Path

import pytest

from oracle.cases.case import Case
from oracle.conformance.run import started, supervisor
from oracle.conformance.run.pipes import PIPE, Threaded, pipes_of
from oracle.conformance.run.process import Child, Spent, Trouble
from oracle.report.run.outline import outline
from oracle.report.run.run_text import run_text
from tests.conformance.conftest import Run

linux = pytest.mark.skipif(sys.platform != "linux", reason="only Linux hands orphans over")

LEAVE = """
import os, sys, time
def rest(name):
    with open(os.path.join(sys.argv[1], name), "w") as file:
        file.write(str(os.getpid()))
    time.sleep(300)
"""
WAYS = {
    "session": "if os.fork() == 0: os.setsid(); rest('a')",
    "daemon": """
        if os.fork() == 0:
            os.setsid()
            if os.fork(): os._exit(0)
            os.chdir('/'); os.closerange(0, 1024); rest('a')
    """,
    "group": "if os.fork() == 0: os.setpgid(0, 0); rest('a')",
    "cleared": """
        if os.fork() == 0:
            os.setsid()
            code = 'import sys, time; print(%d, file=open(sys.argv[1], "w"), flush=True); time.sleep(300)'
            os.execve(sys.executable, ['x', '-S', '-c', code % os.getpid(), os.path.join(sys.argv[1], 'a')], {})
    """,
    "generations": """
        for name in 'abcdef':
            if os.fork() == 0:
                os.setsid()
                if os.fork() == 0: rest(name)
                os._exit(0)
    """,
    "first-thread-ends": """
        if os.fork() == 0:
            os.setsid()
            import ctypes, threading
            if os.fork() == 0: rest('a')
            threading.Thread(target=rest, args=('b',)).start()
            ctypes.CDLL(None).pthread_exit(None)
    """,
    "deaf": """
        import signal
        if os.fork() == 0:
            os.setsid()
            for number in (signal.SIGTERM, signal.SIGHUP, signal.SIGINT, signal.SIGQUIT):
                signal.signal(number, signal.SIG_IGN)
            rest('a')
    """,
    "relay": """
        if os.fork() == 0:  # each hands on to the next and ends, faster than a list of processes is read
            os.setsid()
            while True:
                if os.fork(): os._exit(0)
                os.setsid()
                with open(os.path.join(sys.argv[1], 'a'), 'w') as file: file.write(str(os.getpid()))
    """,
}
NAMES = {"generations": "abcdef", "first-thread-ends": "ab"}


def program(way: str, folder: Path, then: str = "time.sleep(300)") -> Child:
    """One that starts others, says so, and goes on."""
    names = NAMES.get(way, "a")
    code = f"""{LEAVE}{textwrap.dedent(WAYS[way])}
while not all(os.path.exists(os.path.join(sys.argv[1], name)) for name in {names!r}): time.sleep(0.01)
time.sleep(0.05)
os.write(1, b'ready\\n')
{then}
"""
    return Child([sys.executable, "-S", "-E", "-c", code, str(folder)], memory=1 << 30, spent=Spent())


def alive_below(folder: Path) -> list[str]:
    """Living processes that name a folder on their command line."""
    found = []
    for entry in Path("/proc").iterdir():
        if entry.name.isdigit() and int(entry.name) != os.getpid():
            try:
                if str(folder).encode() in (entry / "cmdline").read_bytes():
                    found.append((entry / "stat").read_text())
            except OSError:
                pass
    return found


@linux
@pytest.mark.parametrize("way", WAYS)
@pytest.mark.parametrize("then", ["time.sleep(300)", "os._exit(0)"], ids=["stays", "ends"])
def test_nothing_that_a_program_started_is_left(tmp_path: Path, way: str, then: str) -> None:
    with program(way, tmp_path, then) as child:
        assert child.receive(20) == b"ready"
        assert alive_below(tmp_path)
    assert alive_below(tmp_path) == []


@linux
def test_what_left_the_session_counts_in_memory(tmp_path: Path) -> None:
    code = f"""{LEAVE}
if os.fork() == 0:
    os.setsid()
    if os.fork(): os._exit(0)
    held = bytearray(os.urandom(1) * (200 << 20))
    rest('a')
time.sleep(300)
"""
    command = [sys.executable, "-S", "-E", "-c", code, str(tmp_path)]
    with (
        Child(command, memory=150 << 20, spent=Spent()) as child,
        pytest.raises(Trouble, match="it took more than 150 MiB of memory"),
    ):
        child.receive(20)
    assert alive_below(tmp_path) == []


@linux
def test_a_harness_that_is_killed_leaves_nothing(tmp_path: Path) -> None:
    code = f"""
import sys
sys.path.insert(0, {str(Path(__file__).resolve().parents[2])!r})
from pathlib import Path
from tests.conformance.test_started import program
child = program("daemon", Path(sys.argv[1]))
print(child.receive(20), flush=True)
child.receive(300)
"""
    with subprocess.Popen([sys.executable, "-c", code, str(tmp_path)], stdout=subprocess.PIPE) as harness:
        assert harness.stdout is not None
        assert harness.stdout.readline() == b"b'ready'\n"
        harness.kill()
    until = time.monotonic() + 10
    while alive_below(tmp_path) and time.monotonic() < until:
        time.sleep(0.02)
    assert alive_below(tmp_path) == []


@linux
@pytest.mark.parametrize("number", [signal.SIGKILL, signal.SIGSTOP])
def test_one_that_turns_on_its_supervisor_is_ended_and_told_of(
    monkeypatch: pytest.MonkeyPatch, number: signal.Signals
) -> None:
    monkeypatch.setattr(supervisor, "SECONDS", 0.3)
    monkeypatch.setattr(started, "_PATIENCE", 0.3)
    code = f"import os, time; os.kill(os.getppid(), {number:d}); os.write(1, b'done\\n'); time.sleep(300)"
    spent = Spent()
    with Child([sys.executable, "-S", "-E", "-c", code], memory=1 << 30, spent=spent) as child:
        assert child.receive(10) == b"done"
        if number == signal.SIGKILL:
            with pytest.raises(Trouble, match="it ended"):
                child.receive(10)
        pid = child.pid
    until = time.monotonic() + 5
    while Path(f"/proc/{pid}").exists() and time.monotonic() < until:
        time.sleep(0.01)
    assert not Path(f"/proc/{pid}").exists()
    assert spent.unwatched == [started.BEREFT]


def test_a_program_gets_no_pipe_of_its_supervisor() -> None:
    """Only its own three, as any program that is started."""
    code = "import os; os.write(1, repr(sorted(os.listdir('/proc/self/fd'))).encode() + b'\\n')"
    with Child([sys.executable, "-S", "-E", "-c", code], memory=1 << 30, spent=Spent()) as child:
        assert child.receive(10) == b"['0', '1', '2', '3']", "3 is the folder that is read"


def test_signals_are_as_programs_expect_them() -> None:
    code = """
import os, signal
names = [number.name for number in signal.Signals if signal.getsignal(number) == signal.SIG_IGN]
os.write(1, repr(sorted(set(names) - {'SIGPIPE', 'SIGXFSZ'})).encode() + b'\\n')
"""  # those two Python itself ignores
    with Child([sys.executable, "-S", "-E", "-c", code], memory=1 << 30, spent=Spent()) as child:
        assert child.receive(10) == b"[]"


# --- systems that have less ---------------------------------------------------------------------

Switch = Callable[[pytest.MonkeyPatch], None]


def no_subreaper(patch: pytest.MonkeyPatch) -> None:
    patch.setattr(started, "SUPERVISED", False)


def refused_subreaper(patch: pytest.MonkeyPatch) -> None:
    """The supervisor itself finds that it gets no orphans, as in an old kernel."""
    script = Path(supervisor.__file__).read_text().replace("_SUBREAPER = 36", "_SUBREAPER = 3600")
    path = Path(os.environ["PYTEST_FOLDER"]) / "supervisor.py"
    path.write_text(script)
    patch.setattr(supervisor, "__file__", str(path))


def no_python(patch: pytest.MonkeyPatch) -> None:
    """As in a program that embeds an interpreter."""
    patch.setattr(started, "_interpreter", str)


def no_proc(patch: pytest.MonkeyPatch) -> None:
    patch.setattr(started, "_PROC", Path("/no-such-folder"))


def no_groups(patch: pytest.MonkeyPatch) -> None:
    for name in ("killpg", "waitid"):
        patch.delattr(os, name)


def no_poll(patch: pytest.MonkeyPatch) -> None:
    patch.delattr(select, "poll")


def nothing(patch: pytest.MonkeyPatch) -> None:
    for switch in (no_subreaper, no_proc, no_groups, no_poll):
        switch(patch)


LEFT, NO_PROC, NO_GROUPS = (f"unwatched: {note}" for note in (started.LEFT, started.NO_PROC, started.NO_GROUPS))
SYSTEMS: dict[Switch, list[str]] = {
    no_subreaper: [LEFT],
    refused_subreaper: [LEFT],
    no_python: [LEFT],
    no_proc: [LEFT, NO_PROC],
    no_groups: [NO_GROUPS],
    no_poll: [],
    nothing: [NO_GROUPS, NO_PROC],
}


@pytest.mark.parametrize(("switch", "told"), SYSTEMS.items(), ids=[switch.__name__ for switch in SYSTEMS])
@pytest.mark.parametrize("fake", ["right", "escapes", "crashes-at", pytest.param("hangs-at", marks=pytest.mark.slow)])
def test_a_run_ends_wherever_it_is_and_says_what_it_could_not_watch(
    run: Run,
    totals: list[Case],
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    *,
    switch: Switch,
    told: list[str],
    fake: str,
) -> None:
    monkeypatch.setenv("PYTEST_FOLDER", str(tmp_path))
    note = tmp_path / "pid"
    words = {"escapes": [str(note)], "right": []}.get(fake, [" ".join(totals[3].cards)])
    with monkeypatch.context() as patch:
        switch(patch)
        ran = run([fake, *words], totals[:250])
    if note.exists():
        try:
            os.kill(int(note.read_text()), signal.SIGKILL)
        except ProcessLookupError:
            assert not told
        for thread in threading.enumerate():  # who waits at a pipe that was held until now
            if thread.name == PIPE:
                thread.join(5)
    bad = fake in ("crashes-at", "hangs-at")
    assert ran.counts == ({"pass": 249, "crashed": 1} if bad else {"pass": 250})
    assert [event for event in ran.events() if event.startswith("unwatched")] == told
    for entry in told:
        assert f"not watched: {entry.partition(': ')[2]}" in " ".join(run_text(outline(ran.summary)).split())
    assert ran.seconds < 12


@pytest.fixture
def by_threads(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delattr(select, "poll")


@pytest.mark.usefixtures("by_threads")
def test_threads_do_what_the_loop_does() -> None:
    """Programs that write before they read, close their input, or leave their output to somebody else."""
    flood = "import sys\nfor line in sys.stdin: print('r' * 3_000_000, flush=True)"
    with Child([sys.executable, "-S", "-c", flood], memory=1 << 30, spent=Spent()) as child:
        assert isinstance(child._pipes, Threaded)
        for _ in range(3):
            child.send(b"q" * (2 << 20) + b"\n")
        for _ in range(3):
            assert len(child.receive(20)) == 3_000_000
        child.stop()
    deaf = "import os, time; os.close(0); time.sleep(0.2); os.write(2, b'e' * 3_000_000); os.write(1, b'here\\n')"
    with Child([sys.executable, "-S", "-c", deaf], memory=1 << 30, spent=Spent()) as child:
        for _ in range(20):
            child.send(b"x" * (1 << 20) + b"\n")
        assert child.receive(10) == b"here"
        with pytest.raises(Trouble, match="it ended with exit code 0"):
            child.receive(10)
        assert len(child.stderr()) == 1 << 20
    endless = "import os\nwhile True: os.write(1, b'x' * 65536)"
    with (
        Child([sys.executable, "-S", "-c", endless], memory=1 << 30, spent=Spent()) as child,
        pytest.raises(Trouble, match="a line is longer"),
    ):
        child.receive(20)


@pytest.mark.usefixtures("by_threads")
def test_threads_read_no_further_ahead_than_they_may() -> None:
    """A program that nobody listens to is held up, and fills no memory here."""
    code = "import os\nwhile True: os.write(1, b'x' * 65536)"
    with subprocess.Popen([sys.executable, "-S", "-c", code], stdin=-1, stdout=-1, stderr=-1, bufsize=0) as process:
        pipes = pipes_of(process)
        assert isinstance(pipes, Threaded)
        time.sleep(0.5)
        assert sum(len(piece) for piece in list(pipes._pieces[1].queue)) <= 16 << 18
        process.kill()
        pipes.close()

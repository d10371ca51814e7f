"""A program that was started, and all that it starts in turn: found, weighed and ended.

Under Linux a supervisor stands between (`oracle.conformance.run.supervisor`), from which nothing escapes. Elsewhere the
program gets a session of its own, which is killed by its groups; where there are no process groups either, the
program alone is. What can't be watched so is told (`unwatched`).
"""

from __future__ import annotations

import contextlib
import os
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import NamedTuple, Protocol

from oracle.conformance.run import supervisor
from oracle.spans import OracleError
from oracle.text import printable

SUPERVISED = sys.platform == "linux"  # who is asked for orphans grants it, unless the kernel is of before 2012
LEFT = "what leaves its session was neither ended nor counted in its memory"
NO_PROC = "its memory was not watched: this system has no /proc"
NO_GROUPS = "what it started was neither ended nor counted in its memory: this system has no process groups"
ALIVE = "something that it started could not be ended"
BEREFT = "it ended the process that watches over it: what left its session may still run"
_PATIENCE = 2.0  # seconds beyond those that the supervisor takes to end everything
_PROC = Path("/proc")
_PAGE = os.sysconf("SC_PAGE_SIZE") if hasattr(os, "sysconf") else 4096


class Started(Protocol):
    """A program, from its start to the end of everything that it started."""

    process: subprocess.Popen[bytes]
    unwatched: list[str]

    @property
    def pid(self) -> int:
        """The id of the program; also of its session and group, where there are any."""

    def dead(self) -> bool:
        """Whether the program itself has ended."""

    @property
    def code(self) -> int | None:
        """Its exit code, below zero for a signal; None while it runs, or if nobody knows."""

    def memory(self, *, whole: bool) -> int:
        """Resident memory in bytes, of all of them or of the program alone; 0 where that isn't told."""

    def end(self) -> None:
        """Kill them all."""


def start(command: Sequence[str]) -> Started:
    """Start a program. Raises `OracleError` if that fails."""
    if SUPERVISED and _interpreter() and hasattr(os, "killpg") and _PROC.is_dir():
        with contextlib.suppress(_Alone):
            return Supervised(command)
    return Session(command)


def _interpreter() -> str:
    """The Python that runs this; empty in a program that embeds one."""
    return sys.executable or ""


class _Alone(Exception):
    """There is no supervisor here."""


class Session:
    """A program in a session of its own, where there are sessions."""

    def __init__(self, command: Sequence[str]) -> None:
        groups = hasattr(os, "killpg")
        self.process = _popen(command, command[0], start_new_session=groups)
        self.unwatched = [LEFT if groups else NO_GROUPS, *(() if _PROC.is_dir() else (NO_PROC,))]

    @property
    def pid(self) -> int:
        """The id of the program, its session and its group."""
        return self.process.pid

    def dead(self) -> bool:
        """It stays a zombie where that can be, so that nobody else gets its id."""
        if self.process.returncode is not None:
            return True
        if hasattr(os, "waitid"):
            return os.waitid(os.P_PID, self.pid, os.WEXITED | os.WNOHANG | os.WNOWAIT) is not None
        return self.process.poll() is not None

    @property
    def code(self) -> int | None:
        """Its exit code, once it is known."""
        return self.process.returncode

    def memory(self, *, whole: bool) -> int:
        """Resident memory in bytes."""
        return sum(entry.resident for entry in _session(self.pid)) if whole else _resident(self.pid)

    def end(self) -> None:
        """Kill all that can be found."""
        if hasattr(os, "killpg"):
            _kill_session(self.pid)
        else:
            self.process.kill()
        with contextlib.suppress(subprocess.TimeoutExpired):
            self.process.wait(5)


class Supervised:
    """A program below a supervisor, which is the process that is waited for here. Raises `_Alone` if none works."""

    def __init__(self, command: Sequence[str]) -> None:
        self.unwatched: list[str] = []
        self._status: int | None = None
        self._told, self._first = b"", ""
        self._ended = self._bereft = False
        alive, self._alive = os.pipe()  # ours is held as long as the program may run
        self._report, report = os.pipe()
        os.set_blocking(self._report, False)
        theirs = (alive, report)
        python = (_interpreter(), "-I", "-S", supervisor.__file__, *map(str, theirs))
        try:
            try:
                self.process = _popen((*python, *command), command[0], start_new_session=True, pass_fds=theirs)
            finally:
                for pipe in theirs:
                    os.close(pipe)
            self.pid = self._began(command[0])
        except BaseException:
            self._let_go()
            raise

    def _let_go(self) -> None:
        """Close the pipes to the supervisor, which ends everything."""
        for pipe in (self._alive, self._report):
            if pipe >= 0:
                os.close(pipe)
        self._alive = self._report = -1

    def _began(self, name: str) -> int:
        """The id of the program. Raises `OracleError` if it could not be started."""
        what, number = "", 0
        try:
            self._wait(lambda: bool(self._first), supervisor.SECONDS)
            what, _, told = self._first.partition(" ")
            number = int(told or 0)
        finally:
            if what != "pid":
                self.process.kill()
                self.process.wait()
                for stream in (self.process.stdin, self.process.stdout, self.process.stderr):
                    if stream is not None:
                        stream.close()
        if what == "error":
            raise _cannot_start(name, os.strerror(number))
        if what != "pid":  # it hangs or is gone, before anything was started
            raise _Alone
        return number

    def _wait(self, done: Callable[[], bool], seconds: float) -> None:
        """Hear what the supervisor tells until that is so, or it is gone, or so long."""
        until = time.monotonic() + seconds
        while not (done() or self._bereft) and time.monotonic() < until:
            self._hear()
            if not done():
                time.sleep(0.001)

    def _hear(self) -> None:
        """Take in what the supervisor has told."""
        try:
            piece = os.read(self._report, 4096)
        except BlockingIOError:
            return
        self._told += piece
        if not piece:
            self._bereft = True
        *lines, self._told = self._told.split(b"\n")
        for line in lines:
            what, _, status = line.decode().partition(" ")
            if not self._first:
                self._first = line.decode()
            elif what == "status":
                self._status = int(status)
            else:
                self._ended = True
                if what == "left":
                    self.unwatched.append(ALIVE)

    def dead(self) -> bool:
        """Whether the program has ended, as far as the supervisor tells."""
        if self._status is None and not self._bereft:
            self._hear()
        return self._status is not None or self._bereft

    @property
    def code(self) -> int | None:
        """Its exit code, once it is known."""
        return None if self._status is None else os.waitstatus_to_exitcode(self._status)

    def memory(self, *, whole: bool) -> int:
        """Resident memory in bytes."""
        if not whole:
            return _resident(self.pid)
        there = _processes()
        family = supervisor.below(self.process.pid, {pid: (entry.parent, entry.group) for pid, entry in there.items()})
        return sum(there[pid].resident for pid in family)

    def end(self) -> None:
        """Kill all that can be found."""
        with contextlib.suppress(OSError):  # a fork of this process may hold the pipe, too: closing it doesn't do
            os.write(self._alive, b".")
        self._wait(lambda: self._ended, supervisor.SECONDS + _PATIENCE)
        if not self._ended:  # the program ended or stopped it
            _kill_session(self.pid)
            self.unwatched.append(BEREFT)
        self._let_go()
        self.process.kill()
        with contextlib.suppress(subprocess.TimeoutExpired):
            self.process.wait(5)


def _popen(
    command: Sequence[str], name: str, *, start_new_session: bool, pass_fds: Sequence[int] = ()
) -> subprocess.Popen[bytes]:
    """A process with three pipes. `name` is what the user calls it. Raises `OracleError`."""
    try:
        return subprocess.Popen(
            list(command),
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            bufsize=0,
            start_new_session=start_new_session,
            pass_fds=pass_fds,
        )
    except (OSError, ValueError) as error:
        told = error.strerror if isinstance(error, OSError) and error.strerror else str(error)
        raise _cannot_start(name, told) from error


def _cannot_start(name: str, why: str) -> OracleError:
    return OracleError(f"can't start {printable(name[:200])}: {printable(why)}")


class _Entry(NamedTuple):
    """What /proc says of a process: its state, and its resident memory in bytes."""

    state: bytes
    parent: int
    group: int
    session: int
    resident: int


def _processes() -> Mapping[int, _Entry]:
    """Every process by its id; none where there is no /proc."""
    found = {}
    for entry in _PROC.iterdir() if _PROC.is_dir() else ():
        if not entry.name.isdigit():
            continue
        try:
            fields = (entry / "stat").read_bytes().rpartition(b") ")[2].split()
        except OSError:
            continue
        if len(fields) > 21:
            parent, group, session = map(int, fields[1:4])
            found[int(entry.name)] = _Entry(fields[0], parent, group, session, int(fields[21]) * _PAGE)
    return found


def _session(session: int) -> Iterator[_Entry]:
    """The living processes of a session."""
    return (entry for entry in _processes().values() if entry.session == session and entry.state not in (b"Z", b"X"))


def _kill_session(session: int) -> None:
    """Kill every group of a session; again while there are new ones, as a program that forks might make."""
    for _ in range(20):
        groups = {session} | {entry.group for entry in _session(session)}
        found = False
        for group in groups:
            with contextlib.suppress(ProcessLookupError, PermissionError):
                os.killpg(group, signal.SIGKILL)
                found = True
        if not found or not any(_session(session)):
            return
        time.sleep(0.005)


def _resident(pid: int) -> int:
    try:
        return int((_PROC / str(pid) / "statm").read_bytes().split()[1]) * _PAGE
    except (OSError, IndexError, ValueError):
        return 0

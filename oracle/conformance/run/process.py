"""A program under test: its process, what it is told and what it says, and an end to it whatever it does.

One loop feeds and drains the three pipes without blocking, so that neither side waits for the other. The program has
a session of its own; all of that is killed at the end, also what it forked or left behind.
"""

from __future__ import annotations

import contextlib
import os
import select
import signal
import subprocess
import time
from collections import deque
from collections.abc import Iterator, Sequence
from pathlib import Path
from types import TracebackType

import msgspec

from oracle.conformance.protocol.trouble import Trouble
from oracle.spans import OracleError
from oracle.text import printable

MIB = 1 << 20
MAX_LINE = 4 * MIB
MAX_OUTPUT = 512 * MIB
MAX_STDERR = 1 * MIB
STOP_SECONDS = 2.0
_TICK = 0.1  # seconds between looks at memory, and at whether the process is still there
_READ = 1 << 18
_PROC = Path("/proc")
_PAGE = os.sysconf("SC_PAGE_SIZE") if hasattr(os, "sysconf") else 4096


class Spent(msgspec.Struct):
    """What a run has read from its programs so far, over all restarts, in bytes."""

    output: int = 0


class Child:
    """A running program. `send` queues a line, `receive` waits for one; `stop` or `kill` ends it."""

    def __init__(self, command: Sequence[str], *, memory: int, spent: Spent) -> None:
        self.memory = memory
        self._spent = spent
        self._process = _spawn(command)
        self._outgoing: deque[memoryview] = deque()
        self._buffer = bytearray()
        self._searched = 0
        self._stderr: deque[bytes] = deque()
        self._stderr_kept = 0
        self._eof = False
        self._looked = time.monotonic()
        self._looks = 0
        self._over = ""
        self._ended = False
        assert self._process.stdin is not None
        assert self._process.stdout is not None
        assert self._process.stderr is not None
        self._stdin, self._stdout, self._err = (
            stream.fileno() for stream in (self._process.stdin, self._process.stdout, self._process.stderr)
        )
        self._poll = select.poll()
        for pipe in (self._stdin, self._stdout, self._err):
            os.set_blocking(pipe, False)
        self._open = {self._stdin, self._stdout, self._err}
        for pipe in (self._stdout, self._err):
            self._poll.register(pipe, select.POLLIN)

    def __enter__(self) -> Child:
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, at: TracebackType | None) -> None:
        self.kill()

    @property
    def pid(self) -> int:
        """The id of the process; also of its session and group."""
        return self._process.pid

    def send(self, line: bytes) -> None:
        """Queue a line; as much of it as the pipe takes is written at once."""
        if self._stdin not in self._open:
            return
        if not self._outgoing:
            self._poll.register(self._stdin, select.POLLOUT)
        self._outgoing.append(memoryview(line))
        self._write()

    def receive(self, seconds: float) -> bytes:
        """The next line, without its end. Raises `Trouble` if none comes in time, or none can come."""
        until = time.monotonic() + seconds
        while True:
            end = self._buffer.find(b"\n", self._searched)
            if (end if end >= 0 else len(self._buffer)) > MAX_LINE:
                raise Trouble("nonsense", f"a line is longer than {MAX_LINE // MIB} MiB")
            if end >= 0:
                line = bytes(self._buffer[:end])
                del self._buffer[: end + 1]
                self._searched = 0
                return line
            self._searched = len(self._buffer)
            if self._over:
                raise Trouble("crashed", self._over)
            if self._eof:
                raise Trouble("crashed", self._how_it_ended())
            left = until - time.monotonic()
            if left <= 0:
                raise Trouble("timeout", f"no answer within {seconds:g} s")
            self._pump(min(left, _TICK))

    def stop(self, line: bytes = b"") -> None:
        """Send a last line, give the program two seconds to end, and end it."""
        with contextlib.suppress(Trouble):
            if line:
                self.send(line)
            until = time.monotonic() + STOP_SECONDS
            while not self._dead() and (left := until - time.monotonic()) > 0:
                if not self._outgoing:
                    self._close(self._stdin)
                self._pump(min(left, 0.01))
                self._buffer.clear()
                self._searched = 0
        self.kill()

    def kill(self) -> None:
        """Kill the whole session, and take leave of the process. May be called again."""
        if not self._ended:
            self._ended = True
            _kill_session(self.pid)
            self._read_rest()
            with contextlib.suppress(subprocess.TimeoutExpired):
                self._process.wait(5)
        for stream in (self._process.stdin, self._process.stdout, self._process.stderr):
            if stream is not None:
                with contextlib.suppress(OSError):
                    stream.close()
        self._open.clear()
        self._outgoing.clear()

    def stderr(self, most: int = MAX_STDERR) -> str:
        """The end of what the program wrote to standard error."""
        return b"".join(self._stderr)[-most:].decode("utf-8", "replace")

    # --- pipes --------------------------------------------------------------------------------

    def _pump(self, seconds: float) -> None:
        """Move what can be moved within so many seconds, and now and then look at the process."""
        for pipe, _ in self._poll.poll(max(seconds, 0.0) * 1000):
            if pipe == self._stdin:
                self._write()
            elif pipe == self._stdout:
                self._read_stdout()
            else:
                self._read_stderr()
        now = time.monotonic()
        if now - self._looked >= _TICK or self._looks == 0:
            self._looked = now
            self._look()

    def _write(self) -> None:
        while self._outgoing:
            try:
                written = os.write(self._stdin, self._outgoing[0])
            except BlockingIOError:
                return
            except OSError:  # the program closed its input: what it still says counts
                self._close(self._stdin)
                return
            if written < len(self._outgoing[0]):
                self._outgoing[0] = self._outgoing[0][written:]
            else:
                self._outgoing.popleft()
        self._poll.unregister(self._stdin)

    def _read_stdout(self) -> bool:
        try:
            piece = os.read(self._stdout, _READ)
        except BlockingIOError:
            return False
        except OSError:
            piece = b""
        self._spent.output += len(piece)
        if self._spent.output > MAX_OUTPUT:
            raise Trouble("too-much", f"the program wrote more than {MAX_OUTPUT // MIB} MiB")
        self._buffer += piece
        if not piece:
            self._close(self._stdout)
            self._eof = True
        return bool(piece)

    def _read_stderr(self) -> bool:
        try:
            piece = os.read(self._err, _READ)
        except BlockingIOError:
            return False
        except OSError:
            piece = b""
        if not piece:
            self._close(self._err)
            return False
        self._stderr.append(piece)
        self._stderr_kept += len(piece)
        while self._stderr_kept - len(self._stderr[0]) >= MAX_STDERR:
            self._stderr_kept -= len(self._stderr.popleft())
        return True

    def _read_rest(self) -> None:
        """What stands in the pipe of standard error now; whoever still holds it is not waited for."""
        pieces = 0
        while self._err in self._open and pieces < 64 and self._read_stderr():
            pieces += 1

    def _close(self, pipe: int) -> None:
        if pipe not in self._open:
            return
        self._open.discard(pipe)
        with contextlib.suppress(KeyError):
            self._poll.unregister(pipe)
        if pipe == self._stdin:
            self._outgoing.clear()
            with contextlib.suppress(OSError):
                assert self._process.stdin is not None
                self._process.stdin.close()

    # --- the process --------------------------------------------------------------------------

    def _look(self) -> None:
        """Notice a program that takes too much memory, or that is gone while somebody else holds its output."""
        self._looks += 1
        whole = self._looks % 10 == 0
        used = sum(pages for _, _, pages in _session(self.pid)) if whole else _resident(self.pid)
        if used * _PAGE > self.memory:
            self._over = f"it took more than {self.memory / MIB:,.0f} MiB of memory"
            self._eof = True
        elif not self._eof and self._dead():
            while self._stdout in self._open and len(self._buffer) <= MAX_LINE and self._read_stdout():
                pass
            self._eof = True

    def _dead(self) -> bool:
        """Whether the process has ended. It stays a zombie where that can be, so that nobody else gets its id."""
        if self._process.returncode is not None:
            return True
        if hasattr(os, "waitid"):
            return os.waitid(os.P_PID, self.pid, os.WEXITED | os.WNOHANG | os.WNOWAIT) is not None
        return self._process.poll() is not None

    def _how_it_ended(self) -> str:
        until = time.monotonic() + 0.5
        while not (dead := self._dead()) and time.monotonic() < until:
            time.sleep(0.005)
        if not dead:
            return "it closed its output"
        self.kill()
        code = self._process.returncode
        if code is None:
            return "it ended"
        if code < 0:
            with contextlib.suppress(ValueError):
                return f"it was killed by {signal.Signals(-code).name}"
            return f"it was killed by signal {-code}"
        return f"it ended with exit code {code}"


def _spawn(command: Sequence[str]) -> subprocess.Popen[bytes]:
    if not hasattr(os, "killpg"):
        raise OracleError("running a program needs a POSIX system: use --results FILE here")
    try:
        return subprocess.Popen(
            list(command),
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            bufsize=0,
            start_new_session=True,
        )
    except (OSError, ValueError) as error:
        told = error.strerror if isinstance(error, OSError) and error.strerror else str(error)
        raise OracleError(f"can't start {printable(command[0][:200])}: {printable(told)}") from error


def _kill_session(session: int) -> None:
    """Kill every group of a session; again while there are new ones, as a program that forks might make."""
    for _ in range(20):
        groups = {session} | {group for _, group, _ in _session(session)}
        found = False
        for group in groups:
            with contextlib.suppress(ProcessLookupError, PermissionError):
                os.killpg(group, signal.SIGKILL)
                found = True
        if not found or not any(pid != session for pid, _, _ in _session(session)):
            return
        time.sleep(0.005)


def _session(session: int) -> Iterator[tuple[int, int, int]]:
    """The living processes of a session, each with its group and its resident pages; none where there is no /proc."""
    for entry in _PROC.iterdir() if _PROC.is_dir() else ():
        if not entry.name.isdigit():
            continue
        try:
            fields = (entry / "stat").read_bytes().rpartition(b") ")[2].split()
        except OSError:
            continue
        if len(fields) > 21 and int(fields[3]) == session and fields[0] not in (b"Z", b"X"):
            yield int(entry.name), int(fields[2]), int(fields[21])


def _resident(pid: int) -> int:
    try:
        return int((_PROC / str(pid) / "statm").read_bytes().split()[1])
    except (OSError, IndexError, ValueError):
        return 0

"""A program under test: its process, what it is told and what it says, and an end to it whatever it does.

Its pipes are fed and drained without either side waiting for the other (`oracle.conformance.run.pipes`); it and all
that it started is killed at the end (`oracle.conformance.run.started`).
"""

from __future__ import annotations

import contextlib
import signal
import time
from collections import deque
from collections.abc import Sequence
from types import TracebackType

import msgspec

from oracle.conformance.protocol.trouble import Trouble
from oracle.conformance.run.limits import Limits
from oracle.conformance.run.pipes import ERR, OUT, pipes_of
from oracle.conformance.run.started import start

MIB = 1 << 20
MAX_LINE = 4 * MIB
MAX_OUTPUT = 512 * MIB
MAX_STDERR = 1 * MIB
STOP_SECONDS = 2.0
_TICK = 0.1  # seconds between looks at memory, and at whether the process is still there


class OutOfTime(Exception):
    """The whole run has taken as long as it may. The text says so, and how long that is."""


class Spent(msgspec.Struct):
    """What a run has taken so far, over all its programs: bytes read, and the time until which it may go on.

    `unwatched` is what could not be watched or ended, in words.
    """

    output: int = 0
    until: float = float("inf")
    limit: float = float("inf")
    unwatched: list[str] = []

    @classmethod
    def of(cls, limits: Limits) -> Spent:
        """Nothing yet, of a run that begins now."""
        return cls(until=time.monotonic() + limits.run, limit=limits.run)

    def left(self) -> float:
        """How many seconds are left of the run. Raises `OutOfTime` if none are."""
        left = self.until - time.monotonic()
        if left <= 0:
            raise OutOfTime(f"stopped by the limit of the run: {self.limit:g} s")
        return left


class Child:
    """A running program. `send` queues a line, `receive` waits for one; `stop` or `kill` ends it."""

    def __init__(self, command: Sequence[str], *, memory: int, spent: Spent) -> None:
        self.memory = memory
        self._spent = spent
        self._started = start(command)
        self._pipes = pipes_of(self._started.process)
        self._buffer = bytearray()
        self._searched = 0
        self._stderr: deque[bytes] = deque()
        self._stderr_kept = 0
        self._eof = False
        self._looked = time.monotonic()
        self._looks = 0
        self._over = ""
        self._ended = False

    def __enter__(self) -> Child:
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, at: TracebackType | None) -> None:
        self.kill()

    @property
    def pid(self) -> int:
        """The id of the process; also of its session and group."""
        return self._started.pid

    def send(self, line: bytes) -> None:
        """Queue a line; as much of it as the pipe takes is written at once."""
        self._pipes.send(line)

    def receive(self, seconds: float) -> bytes:
        """The next line, without its end. Raises `Trouble` if none comes in time, or none can come, and `OutOfTime`."""
        until = time.monotonic() + seconds
        self._spent.left()
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
            self._pump(min(left, _TICK, self._spent.left()))

    def stop(self, line: bytes = b"") -> None:
        """Send a last line, give the program two seconds to end, and end it."""
        with contextlib.suppress(Trouble):
            if line:
                self.send(line)
            until = time.monotonic() + STOP_SECONDS
            while not self._started.dead() and (left := until - time.monotonic()) > 0:
                if not self._pipes.unsent:
                    self._pipes.close_input()
                self._pump(min(left, 0.01))
                self._buffer.clear()
                self._searched = 0
        self.kill()

    def kill(self) -> None:
        """Kill it and all that it started, and take leave of the process. May be called again."""
        if not self._ended:
            self._ended = True
            try:
                self._started.end()
                for piece, _ in zip(self._pipes.standing(ERR), range(64), strict=False):
                    self._keep(piece)
            finally:
                self._pipes.close()
                known = self._spent.unwatched
                known += [note for note in self._started.unwatched if note not in known]

    def stderr(self, most: int = MAX_STDERR) -> str:
        """The end of what the program wrote to standard error."""
        return b"".join(self._stderr)[-most:].decode("utf-8", "replace")

    # --- what it says, and whether it is still there --------------------------------------------

    def _pump(self, seconds: float) -> None:
        """Move what can be moved within so many seconds, and now and then look at the process."""
        for pipe, piece in self._pipes.move(seconds):
            if pipe == OUT:
                self._hear(piece)
            else:
                self._keep(piece)
        now = time.monotonic()
        if now - self._looked >= _TICK or self._looks == 0:
            self._looked = now
            self._look()

    def _hear(self, piece: bytes) -> None:
        self._spent.output += len(piece)
        if self._spent.output > MAX_OUTPUT:
            raise Trouble("too-much", f"the program wrote more than {MAX_OUTPUT // MIB} MiB")
        self._buffer += piece
        if not piece:
            self._eof = True

    def _keep(self, piece: bytes) -> None:
        if not piece:
            return
        self._stderr.append(piece)
        self._stderr_kept += len(piece)
        while self._stderr_kept - len(self._stderr[0]) >= MAX_STDERR:
            self._stderr_kept -= len(self._stderr.popleft())

    def _look(self) -> None:
        """Notice a program that takes too much memory, or that is gone while somebody else holds its output."""
        self._looks += 1
        if self._started.memory(whole=self._looks % 10 == 0) > self.memory:
            self._over = f"it took more than {self.memory / MIB:,.0f} MiB of memory"
            self._eof = True
        elif not self._eof and self._started.dead():
            for piece in self._pipes.standing(OUT):
                self._hear(piece)
                if len(self._buffer) > MAX_LINE:
                    break
            self._eof = True

    def _how_it_ended(self) -> str:
        until = time.monotonic() + 0.5
        while not (dead := self._started.dead()) and time.monotonic() < until:
            time.sleep(0.005)
        if not dead:
            return "it closed its output"
        self.kill()
        code = self._started.code
        if code is None:
            return "it ended"
        if code < 0:
            with contextlib.suppress(ValueError):
                return f"it was killed by {signal.Signals(-code).name}"
            return f"it was killed by signal {-code}"
        return f"it ended with exit code {code}"

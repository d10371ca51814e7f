"""The three pipes of a program, fed and drained without either side waiting for the other.

One loop over poll(2), where there is one. Elsewhere, as on Windows, whose pipes can't be polled, a thread for each pipe
waits in its place: slower, and otherwise the same.
"""

from __future__ import annotations

import contextlib
import os
import queue
import select
import subprocess
import threading
import time
from collections import deque
from collections.abc import Iterator
from typing import IO, Protocol

OUT, ERR = 1, 2
PIPE = "pipe of a program"  # what its threads are called
_READ = 1 << 18
_WAITING = 16  # pieces of each pipe that threads read ahead
_LEAVE = 0.5  # seconds that threads have to end; one stays at a pipe that somebody else holds
_IDLE = 0.05  # seconds after which nothing is taken to stand in a pipe that a thread reads


class Pipes(Protocol):
    """What a program is told and what it says."""

    @property
    def unsent(self) -> bool:
        """Whether something queued is not written yet."""

    def send(self, line: bytes) -> None:
        """Queue a line; as much of it as the pipe takes at once is written."""

    def move(self, seconds: float) -> Iterator[tuple[int, bytes]]:
        """Move what can be moved, waiting so long at most: pieces of OUT and ERR; an empty one is the end of a pipe."""

    def standing(self, pipe: int) -> Iterator[bytes]:
        """What stands in a pipe now; whoever still holds its other end is not waited for."""

    def close_input(self) -> None:
        """Let the program see the end of its input; what is queued is dropped."""

    def close(self) -> None:
        """Close all three."""


def pipes_of(process: subprocess.Popen[bytes]) -> Pipes:
    """The pipes of a process, by poll(2) or by threads."""
    return Polled(process) if hasattr(select, "poll") else Threaded(process)


def _three(process: subprocess.Popen[bytes]) -> tuple[IO[bytes], IO[bytes], IO[bytes]]:
    assert process.stdin is not None
    assert process.stdout is not None
    assert process.stderr is not None
    return process.stdin, process.stdout, process.stderr


class Polled:
    """Pipes of which one loop asks what can be moved."""

    def __init__(self, process: subprocess.Popen[bytes]) -> None:
        self._streams = _three(process)
        self._stdin, stdout, stderr = (stream.fileno() for stream in self._streams)
        self._name = {stdout: OUT, stderr: ERR}
        self._number = {OUT: stdout, ERR: stderr}
        self._outgoing: deque[memoryview] = deque()
        self._poll = select.poll()
        for pipe in (self._stdin, stdout, stderr):
            os.set_blocking(pipe, False)
        self._open = {self._stdin, stdout, stderr}
        for pipe in (stdout, stderr):
            self._poll.register(pipe, select.POLLIN)

    @property
    def unsent(self) -> bool:
        """Whether something queued is not written yet."""
        return bool(self._outgoing)

    def send(self, line: bytes) -> None:
        """Queue a line."""
        if self._stdin not in self._open:
            return
        if not self._outgoing:
            self._poll.register(self._stdin, select.POLLOUT)
        self._outgoing.append(memoryview(line))
        self._write()

    def move(self, seconds: float) -> Iterator[tuple[int, bytes]]:
        """Pieces of what the program says within so many seconds."""
        for pipe, _ in self._poll.poll(max(seconds, 0.0) * 1000):
            if pipe == self._stdin:
                self._write()
            elif (piece := self._read(pipe)) is not None:
                yield self._name[pipe], piece

    def standing(self, pipe: int) -> Iterator[bytes]:
        """What stands in a pipe now."""
        number = self._number[pipe]
        while number in self._open and (piece := self._read(number)):
            yield piece

    def close_input(self) -> None:
        """End the input of the program."""
        self._outgoing.clear()
        self._end(self._stdin)
        with contextlib.suppress(OSError):
            self._streams[0].close()

    def close(self) -> None:
        """Close all three."""
        self._open.clear()
        self._outgoing.clear()
        for stream in self._streams:
            with contextlib.suppress(OSError):
                stream.close()

    def _write(self) -> None:
        while self._outgoing:
            try:
                written = os.write(self._stdin, self._outgoing[0])
            except BlockingIOError:
                return
            except OSError:  # the program closed its input: what it still says counts
                self.close_input()
                return
            if written < len(self._outgoing[0]):
                self._outgoing[0] = self._outgoing[0][written:]
            else:
                self._outgoing.popleft()
        self._poll.unregister(self._stdin)

    def _read(self, pipe: int) -> bytes | None:
        """A piece of what stands in a pipe; None if nothing does."""
        try:
            piece = os.read(pipe, _READ)
        except BlockingIOError:
            return None
        except OSError:
            piece = b""
        if not piece:
            self._end(pipe)
        return piece

    def _end(self, pipe: int) -> None:
        if pipe in self._open:
            self._open.discard(pipe)
            with contextlib.suppress(KeyError):
                self._poll.unregister(pipe)


class Threaded:
    """Pipes at each of which a thread waits.

    Threads read no further ahead than `_WAITING` pieces, so that the output of a program is bounded as ever. A thread
    whose pipe somebody else still holds ends with it, or with the process: it is not waited for.
    """

    def __init__(self, process: subprocess.Popen[bytes]) -> None:
        self._stdin, self._stdout, self._stderr = _three(process)
        self._outgoing: queue.SimpleQueue[bytes | None] = queue.SimpleQueue()
        self._queued = self._written = 0
        self._pieces: dict[int, queue.Queue[bytes]] = {OUT: queue.Queue(_WAITING), ERR: queue.Queue(_WAITING)}
        self._open = {OUT, ERR}
        self._moved = threading.Event()
        self._closed = self._fed = False
        self._threads: list[threading.Thread] = []
        for work, arguments in (
            (self._feed, ()),
            (self._drain, (OUT, self._stdout)),
            (self._drain, (ERR, self._stderr)),
        ):
            self._threads.append(threading.Thread(target=work, args=arguments, name=PIPE, daemon=True))
            self._threads[-1].start()

    @property
    def unsent(self) -> bool:
        """Whether something queued is not written yet."""
        return not self._fed and self._written < self._queued

    def send(self, line: bytes) -> None:
        """Queue a line."""
        self._queued += 1
        self._outgoing.put(line)

    def move(self, seconds: float) -> Iterator[tuple[int, bytes]]:
        """Pieces of what the program says within so many seconds."""
        self._moved.wait(max(seconds, 0.0))
        self._moved.clear()
        for pipe in (OUT, ERR):
            with contextlib.suppress(queue.Empty):
                while True:
                    piece = self._pieces[pipe].get_nowait()
                    if not piece:
                        self._open.discard(pipe)
                    yield pipe, piece

    def standing(self, pipe: int) -> Iterator[bytes]:
        """What stands in a pipe now."""
        with contextlib.suppress(queue.Empty):
            while pipe in self._open:
                piece = self._pieces[pipe].get(timeout=_IDLE)
                if not piece:
                    self._open.discard(pipe)
                    return
                yield piece

    def close_input(self) -> None:
        """End the input of the program."""
        self._outgoing.put(None)

    def close(self) -> None:
        """Ask the threads to end; each closes its own pipe, since a stream that is being read can't be closed."""
        self._closed = True
        self._open.clear()
        self._outgoing.put(None)
        until = time.monotonic() + _LEAVE
        for thread in self._threads:
            thread.join(max(until - time.monotonic(), 0))

    def _feed(self) -> None:
        with contextlib.suppress(OSError, ValueError):
            while (line := self._outgoing.get()) is not None:
                left = memoryview(line)
                while left:
                    left = left[self._stdin.write(left) :]
                self._written += 1
                self._moved.set()
        self._fed = True
        with contextlib.suppress(OSError):
            self._stdin.close()

    def _drain(self, pipe: int, stream: IO[bytes]) -> None:
        piece = b"."
        while piece and not self._closed:
            try:
                piece = stream.read(_READ)
            except (OSError, ValueError):
                piece = b""
            while not self._closed:
                with contextlib.suppress(queue.Full):
                    self._pieces[pipe].put(piece, timeout=_IDLE)
                    break
            self._moved.set()
        with contextlib.suppress(OSError):
            stream.close()

"""An engine in a process of its own: it works while enumeration does, and can crash or hang without taking that along.

    <- {"engine":"z3","rlimit":5000000,"text":"(set-logic …"}
    -> {"answers":[["unsat",""],…]}  or  {"error":"why"}

One request and one reply a line, both JSON.
"""

from __future__ import annotations

import contextlib
import subprocess
import sys
from concurrent.futures import Future, ThreadPoolExecutor
from types import TracebackType

import msgspec

from oracle.solver.engine import RLIMIT, Answer, Engine, SolverError, engine_named


class Request(msgspec.Struct, frozen=True):
    """A script for an engine."""

    engine: str
    rlimit: int
    text: str


class Reply(msgspec.Struct, frozen=True, omit_defaults=True):
    """Its answers, verdict and reason of each check, or why there are none."""

    answers: list[tuple[str, str]] = []
    error: str = ""


class Worker:
    """An engine running elsewhere. Scripts are taken in order; `close` ends it, whatever it is at."""

    def __init__(self, engine: Engine) -> None:
        self.engine = engine
        self._queue = ThreadPoolExecutor(1, thread_name_prefix=engine.name)
        self._process = subprocess.Popen(
            [sys.executable, "-P", "-m", "oracle.solver.worker"],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
        )

    def __enter__(self) -> Worker:
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, at: TracebackType | None) -> None:
        self.close()

    def submit(self, text: str, *, rlimit: int = RLIMIT) -> Future[list[Answer]]:
        """The answers to a script, later. The result raises `SolverError` if the engine failed."""
        return self._queue.submit(self._ask, text, rlimit)

    def _ask(self, text: str, rlimit: int) -> list[Answer]:
        stdin, stdout = self._process.stdin, self._process.stdout
        assert stdin is not None
        assert stdout is not None
        try:
            stdin.write(msgspec.json.encode(Request(self.engine.name, rlimit, text)) + b"\n")
            stdin.flush()
            line = stdout.readline()
            reply = msgspec.json.decode(line, type=Reply)
        except (OSError, ValueError, msgspec.DecodeError) as error:
            raise SolverError(f"{self.engine} ended without an answer") from error
        if reply.error:
            raise SolverError(reply.error)
        return [Answer(verdict, reason) for verdict, reason in reply.answers]

    def close(self) -> None:
        """End the process; what was not answered fails."""
        self._queue.shutdown(wait=False, cancel_futures=True)
        self._process.kill()
        self._process.wait()
        for stream in (self._process.stdin, self._process.stdout):
            if stream is not None:
                with contextlib.suppress(OSError):
                    stream.close()


def main() -> None:
    """Answer requests until the input ends."""
    for line in sys.stdin.buffer:
        request = msgspec.json.decode(line, type=Request)
        try:
            answers = engine_named(request.engine).run(request.text, rlimit=request.rlimit)
            reply = Reply([(answer.verdict, answer.reason) for answer in answers])
        except SolverError as error:
            reply = Reply(error=str(error))
        sys.stdout.buffer.write(msgspec.json.encode(reply) + b"\n")
        sys.stdout.buffer.flush()


if __name__ == "__main__":
    main()

"""An engine in a process of its own: it works while enumeration does, and can crash or hang without taking that along.

    <- {"engine":"z3","rlimit":5000000,"text":"(set-logic …"}
    -> {"answers":[["unsat","",null],…]}  or  {"error":"why"}

One request and one reply a line, both JSON. How hard an engine tries is bounded in units of its own work; the clock
only ends one that hangs.
"""

from __future__ import annotations

import contextlib
import subprocess
import sys
import threading
from concurrent.futures import Future, ThreadPoolExecutor
from types import TracebackType

import msgspec

from oracle.solver.engine import RLIMIT, Engine, EngineAnswer, SolverError, engine_named


class Request(msgspec.Struct, frozen=True):
    """A script for an engine."""

    engine: str
    rlimit: int
    text: str


class Reply(msgspec.Struct, frozen=True, omit_defaults=True):
    """Its answers, verdict and reason of each check, or why there are none."""

    answers: list[tuple[str, str, list[str] | None]] = []
    error: str = ""


PATIENCE = 120.0
"""Seconds after which an engine that has not answered a script hangs: hundreds of times what a script takes."""

COMMAND = (sys.executable, "-P", "-m", "oracle.solver.worker")


class Worker:
    """An engine running elsewhere. Scripts are taken in order; `close` ends it, whatever it is at."""

    def __init__(self, engine: Engine, *, patience: float | None = None) -> None:
        self.engine = engine
        self.patience = PATIENCE if patience is None else patience
        self._queue = ThreadPoolExecutor(1, thread_name_prefix=engine.name)
        self._process = subprocess.Popen(
            COMMAND,
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
        )

    def __enter__(self) -> Worker:
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, at: TracebackType | None) -> None:
        self.close()

    def submit(self, text: str, *, rlimit: int = RLIMIT) -> Future[list[EngineAnswer]]:
        """The answers to a script, later. The result raises `SolverError` if the engine failed or hangs."""
        return self._queue.submit(self._ask, text, rlimit)

    def _ask(self, text: str, rlimit: int) -> list[EngineAnswer]:
        stdin, stdout = self._process.stdin, self._process.stdout
        assert stdin is not None
        assert stdout is not None
        hung = threading.Event()
        watch = threading.Timer(self.patience, self._give_up, (hung,))
        watch.start()
        try:
            stdin.write(msgspec.json.encode(Request(self.engine.name, rlimit, text)) + b"\n")
            stdin.flush()
            line = stdout.readline()
            reply = msgspec.json.decode(line, type=Reply)
        except (OSError, ValueError, msgspec.DecodeError) as error:
            why = f"hangs: no answer in {self.patience:g} seconds" if hung.is_set() else "ended without an answer"
            raise SolverError(f"{self.engine} {why}") from error
        finally:
            watch.cancel()
        if reply.error:
            raise SolverError(reply.error)
        return [
            EngineAnswer(verdict, reason, None if core is None else tuple(core))
            for verdict, reason, core in reply.answers
        ]

    def _give_up(self, hung: threading.Event) -> None:
        hung.set()
        self._process.kill()

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
            reply = Reply([(a.verdict, a.reason, None if a.core is None else list(a.core)) for a in answers])
        except SolverError as error:
            reply = Reply(error=str(error))
        sys.stdout.buffer.write(msgspec.json.encode(reply) + b"\n")
        sys.stdout.buffer.flush()


if __name__ == "__main__":
    main()

"""Asking every engine everything, side by side, and keeping each script on which they don't all agree."""

from __future__ import annotations

from collections.abc import Sequence
from concurrent.futures import CancelledError, Future
from contextlib import ExitStack
from types import TracebackType

import msgspec

from oracle.progress import track
from oracle.solver.agree import compare_answers
from oracle.solver.engine import Engine, EngineAnswer, SolverError
from oracle.solver.smtlib import Script
from oracle.solver.worker import Worker


class Doubt(msgspec.Struct, frozen=True):
    """A script on which some engine doesn't confirm enumeration, and what was said."""

    script: Script
    said: tuple[str, ...]

    @property
    def file(self) -> str:
        """Where to keep it, below some folder."""
        return f"{self.script.name}.smt2"

    @property
    def text(self) -> str:
        """The script, with what was said at its end, where it changes nothing."""
        told = "".join(f"; {line}\n" for entry in self.said for line in entry.splitlines())
        return f"{self.script.text}\n; ---- not confirmed\n\n{told}"


class PoolOutcome(msgspec.Struct, frozen=True):
    """Of `properties` asked of every engine, `agreed` were answered as by enumeration; `doubts` has the others."""

    properties: int = 0
    agreed: int = 0
    doubts: tuple[Doubt, ...] = ()

    @property
    def disagreements(self) -> tuple[str, ...]:
        """What was not confirmed, with all answers; an engine that gave up, hung or broke down counts too."""
        return tuple(entry for doubt in self.doubts for entry in doubt.said)


class EnginePool:
    """Engines at work in processes of their own while the caller goes on. Leaving it ends them."""

    def __init__(self, engines: Sequence[Engine], *, patience: float | None = None) -> None:
        self.engines = list(engines)
        self._patience = patience
        self._stack = ExitStack()
        self._asked: list[tuple[Script, list[Future[list[EngineAnswer]]]]] = []
        self._workers: list[Worker] = []

    def __enter__(self) -> EnginePool:
        self._workers = [self._stack.enter_context(Worker(e, patience=self._patience)) for e in self.engines]
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, at: TracebackType | None) -> None:
        self._stack.close()

    def ask(self, script: Script) -> None:
        """Give a script to every engine; nothing waits for the answers."""
        if self._workers:
            self._asked.append((script, [worker.submit(script.text) for worker in self._workers]))

    def outcome(self) -> PoolOutcome:
        """What they said to all of it, once they have."""
        properties = agreed = 0
        doubts = []
        for script, answers in track(self._asked, "waiting for solvers, scripts", of=len(self._asked)):
            properties += len(script.properties)
            try:
                agreement = compare_answers(script, self.engines, [_result(answer) for answer in answers])
            except SolverError as error:
                doubts.append(Doubt(script, (f"{script.rule_set} {script.question}: {error}",)))
                continue
            agreed += sum(check.agreed for check in agreement.checks)
            said = tuple(agreement.show(check) for check in agreement.checks if not check.agreed)
            if said:
                doubts.append(Doubt(script, said))
        return PoolOutcome(properties, agreed, tuple(doubts))


def _result(answer: Future[list[EngineAnswer]]) -> list[EngineAnswer]:
    try:
        return answer.result()
    except CancelledError as error:
        raise SolverError("the engine was ended before it came to this") from error

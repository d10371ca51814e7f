"""A run: cases go out in batches, two at most under way, and outcomes go to the log in the order of the cases."""

from __future__ import annotations

import random
import secrets
from collections import Counter, deque
from collections.abc import Callable, Iterable, Iterator, Sequence

import msgspec

from oracle.conformance.judge import PASS, Judge, Outcome, checkable
from oracle.conformance.log import Event, Footer, Header, Line, LogWriter, Verdict, verdict_of
from oracle.conformance.process import Child, Spent, Trouble
from oracle.conformance.protocol import ANY_RULES, PROTOCOL, Start, Started, Stop, encode, run_message
from oracle.conformance.reply import Reader, read_started
from oracle.fixtures.case import Case, Kind
from oracle.spans import printable

MAX_BATCH = 200
IN_FLIGHT = 2
_TAIL = 4096


class Limits(msgspec.Struct, frozen=True, kw_only=True):
    """How long a program may take, in seconds, what memory it may use, in bytes, how often it is started anew."""

    start: float = 20.0
    batch: float = 60.0
    case: float = 5.0
    restarts: int = 20
    memory: int = 4 << 30


class Subject(msgspec.Struct, frozen=True, kw_only=True):
    """What is tested, as the log names it: how it is run, by which rules, with which cases."""

    rules: str
    command: tuple[str, ...]
    mode: str = "command"
    named: tuple[str, ...] = ()
    tiers: tuple[str, ...] = ()
    only: tuple[str, ...] = ()


class Progress(msgspec.Struct):
    """How far a run is."""

    counts: Counter[str]
    restarts: int = 0


class Batch:
    """Cases of one kind that went out, or will, in one message."""

    def __init__(self, cases: list[Case]) -> None:
        self.cases = cases
        self.kind: Kind = cases[0].kind
        self.seq = 0
        self.ids: list[str] = []


class _GaveUp(Exception):
    """The run can't go on."""


class Runner:
    """Runs one program through cases. `tell` is called now and then with the progress."""

    def __init__(
        self,
        subject: Subject,
        log: LogWriter,
        *,
        limits: Limits | None = None,
        tell: Callable[[Progress], None] | None = None,
    ) -> None:
        self.subject = subject
        self.limits = limits or Limits()
        self._log = log
        self._tell = tell
        self._seed = secrets.token_hex(16)
        self._random = random.Random(self._seed)
        self._spent = Spent()
        self._child: Child | None = None
        self._declared: Started | None = None
        self._readers: dict[Kind, Reader] = {}
        self._judge = Judge(())
        self._seq = 0
        self._sent: deque[Batch] = deque()
        self._size = MAX_BATCH
        self.progress = Progress(Counter())
        self._not_asked: Counter[str] = Counter()
        self._cells: dict[tuple[str, ...], list[int]] = {}

    def run(self, cases: Iterable[Case]) -> Verdict:
        """Ask every case that was declared, and close the log. The verdict is that of the log.

        Raises `OracleError` if the program can't be started at all.
        """
        finished = False
        try:
            self._begin()
            self._ask_all(self._batches(cases))
            finished = True
            self._say_goodbye()
        except _GaveUp as error:
            self._log.write(Event("gave-up", str(error)))
        finally:
            if self._child is not None:
                self._child.kill()
        verdict = verdict_of(self.progress.counts) if finished else "incomplete"
        self._log.write(
            Footer(
                verdict=verdict,
                finished=finished,
                counts=dict(self.progress.counts),
                not_asked=dict(self._not_asked),
                restarts=self.progress.restarts,
                cells=self._by_cell(),
            )
        )
        return verdict

    # --- starting -----------------------------------------------------------------------------

    def _begin(self) -> None:
        """Start the program the first time; the header of the log is written whatever comes of it."""
        trouble: Trouble | None = None
        stderr = ""
        child = self._open()
        try:
            self._declared = self._start(child)
        except Trouble as error:
            trouble = error
            child.kill()
            stderr = child.stderr(_TAIL)
        declared = self._declared
        self._log.write(
            Header(
                protocol=PROTOCOL,
                rules=self.subject.rules,
                tiers=self.subject.tiers,
                only=self.subject.only,
                mode=self.subject.mode,
                command=self.subject.named or self.subject.command,
                seed=self._seed,
                implementation=declared.implementation if declared else None,
                kinds=declared.kinds if declared else (),
                observables=declared.observables if declared else (),
            )
        )
        if trouble is not None:
            hint = "" if trouble.kind != "timeout" else ": does it flush its output after each line?"
            self._log.write(Event("start", f"it did not start: {trouble.why}{hint}", stderr))
            raise _GaveUp("the program did not start")
        assert declared is not None
        if ANY_RULES not in declared.rules and self.subject.rules not in declared.rules:
            names = ", ".join(printable(name[:40]) for name in declared.rules[:20]) or "none"
            raise _GaveUp(f"it does not play {self.subject.rules}; it declares: {names}")
        self._judge = Judge(declared.observables)

    def _open(self) -> Child:
        self._child = Child(self.subject.command, memory=self.limits.memory, spent=self._spent)
        return self._child

    def _start(self, child: Child) -> Started:
        child.send(encode(Start()))
        return read_started(child.receive(self.limits.start))

    def _running(self) -> Child:
        """The program, started anew if it is not there. Raises `_GaveUp` once that was too often."""
        while self._child is None:
            if self.progress.restarts >= self.limits.restarts:
                raise _GaveUp(f"it had to be started anew more than {self.limits.restarts} times")
            self.progress.restarts += 1
            child = self._open()
            try:
                declared = self._start(child)
            except Trouble as trouble:
                self._drop("start", trouble)
                continue
            if declared != self._declared:
                raise _GaveUp("after a restart it declares something else than before")
        return self._child

    def _drop(self, what: str, trouble: Trouble) -> None:
        """End a program that gave no usable answer, and note it."""
        assert self._child is not None
        self._child.kill()
        self._log.write(Event(what, trouble.why, self._child.stderr(_TAIL)))
        self._child = None
        if trouble.kind == "too-much":
            raise _GaveUp(trouble.why)

    def _say_goodbye(self) -> None:
        if self._child is not None:
            self._child.stop(encode(Stop()))

    # --- asking -------------------------------------------------------------------------------

    def _batches(self, cases: Iterable[Case]) -> Iterator[Batch]:
        """Cases that can be asked, by kind and in order, as many together as is wise."""
        declared = self._declared
        assert declared is not None
        batch: list[Case] = []
        for case in cases:
            if case.kind not in declared.kinds or not checkable(case, declared.observables):
                self._not_asked[case.kind] += 1
                continue
            if batch and (len(batch) >= self._size or batch[0].kind != case.kind):
                yield Batch(batch)
                batch = []
            batch.append(case)
        if batch:
            yield Batch(batch)

    def _ask_all(self, batches: Iterator[Batch]) -> None:
        following = next(batches, None)
        while following is not None or self._sent:
            while following is not None and len(self._sent) < IN_FLIGHT:
                self._post(following)
                following = next(batches, None)
            batch = self._sent.popleft()
            try:
                line = self._running().receive(self.limits.batch)
                if following is not None:  # the program works on while we read
                    self._post(following)
                    following = None
                said = self._reader(batch.kind).read(line, batch.seq, batch.ids)
            except Trouble as trouble:
                self._drop("batch", trouble)
                self._replay(batch, trouble)
                self._post_again()
            else:
                self._note([(c, self._judge.outcome(c, s)) for c, s in zip(batch.cases, said, strict=True)])
            if following is None:
                following = next(batches, None)

    def _post(self, batch: Batch) -> None:
        """Send a batch under new ids."""
        child = self._running()
        self._seq += 1
        batch.seq = self._seq
        bits = self._random.getrandbits
        batch.ids = [f"{bits(64):016x}" for _ in batch.cases]
        child.send(run_message(batch.seq, self.subject.rules, batch.kind, batch.cases, batch.ids))
        self._sent.append(batch)

    def _post_again(self) -> None:
        """What was under way when the program was ended goes out again."""
        waiting = list(self._sent)
        self._sent.clear()
        for batch in waiting:
            self._post(batch)

    def _replay(self, batch: Batch, trouble: Trouble) -> None:
        """Ask the cases of a batch that failed one by one: what can't be answered costs only itself."""
        waiting = list(self._sent)
        unanswered = 0
        for case in batch.cases:
            self._sent.clear()
            single = Batch([case])
            self._post(single)
            self._sent.clear()
            try:
                line = self._running().receive(self.limits.case)
                (said,) = self._reader(case.kind).read(line, single.seq, single.ids)
            except Trouble as error:
                unanswered += 1
                word = "error" if error.kind == "nonsense" else "crashed"
                self._note([(case, Outcome(word, why=error.why))])  # type: ignore[arg-type]
                self._drop("case", error)
            else:
                self._note([(case, self._judge.outcome(case, said))])
        self._sent.extend(waiting)
        if trouble.kind == "timeout" and not unanswered:  # only slow: smaller batches get through
            self._size = max(1, self._size // 4)

    def _reader(self, kind: Kind) -> Reader:
        reader = self._readers.get(kind)
        if reader is None:
            assert self._declared is not None
            reader = self._readers[kind] = Reader(kind, self._declared.observables)
        return reader

    # --- noting -------------------------------------------------------------------------------

    def _note(self, outcomes: Sequence[tuple[Case, Outcome]]) -> None:
        lines = []
        for case, outcome in outcomes:
            word = outcome.outcome
            self.progress.counts[word] += 1
            cell = self._cells.get(case.cells)
            if cell is None:
                cell = self._cells[case.cells] = [0, 0]
            cell[1] += 1
            if outcome is PASS:
                cell[0] += 1
                lines.append(Line(case.id, "pass"))
            else:
                lines.append(line_of(case, outcome))
        self._log.write(*lines)
        if self._tell is not None:
            self._tell(self.progress)

    def _by_cell(self) -> dict[str, tuple[int, int]]:
        found: dict[str, list[int]] = {}
        for cells, (passed, checked) in self._cells.items():
            for cell in cells:
                counts = found.setdefault(cell, [0, 0])
                counts[0] += passed
                counts[1] += checked
        return {cell: (passed, checked) for cell, (passed, checked) in sorted(found.items())}


def line_of(case: Case, outcome: Outcome) -> Line:
    """The line of a log for a case that did not pass, with what was asked."""
    return Line(
        case.id,
        outcome.outcome,
        outcome.differs,
        outcome.why,
        kind=case.kind,
        cards=case.cards,
        bets=case.bets,
        balance=case.balance,
        cells=case.cells,
    )

"""A run: cases go out in batches, two at most under way, and outcomes go to the log in the order of the cases."""

from __future__ import annotations

import random
from collections import deque
from collections.abc import Callable, Iterable, Iterator, Sequence
from itertools import islice
from operator import attrgetter
from typing import Protocol

import msgspec
from msgspec import UNSET

from oracle._collector import rare_collections
from oracle.cases.case import KINDS, Case, Kind
from oracle.cases.tiers import DEFAULT
from oracle.conformance.judge import Judge, Outcome, Word, checkable
from oracle.conformance.protocol.decode import Reader, read_started
from oracle.conformance.protocol.messages import ANY_RULES, PROTOCOL, Start, Started, Stop, encode, run_message
from oracle.conformance.protocol.trouble import Trouble
from oracle.conformance.run.again import Asker, History, ask_again
from oracle.conformance.run.asked import adaptive_tiers, tiers_of
from oracle.conformance.run.limits import MAX_BATCH, Limits
from oracle.conformance.run.log import Event, Header, Line, Verdict
from oracle.conformance.run.process import Child, OutOfTime, Spent
from oracle.conformance.run.repeats import Repeats
from oracle.conformance.run.tally import Record, line_of
from oracle.mutants.single import Mutant
from oracle.spans import OracleError
from oracle.text import printable

IN_FLIGHT = 2
_TAIL = 4096
_KIND, _WINNER = attrgetter("kind"), attrgetter("expect.winner")


class Subject(msgspec.Struct, frozen=True, kw_only=True):
    """What is tested, as the log names it: by which rules, with which cases, and how the user named the program."""

    rules: str
    target: tuple[str, ...]
    chosen: tuple[str, ...] = ()
    only: tuple[str, ...] = ()
    ask: tuple[str, ...] = ()
    specs: tuple[str, ...] = ()
    adaptive: bool = False
    fresh: bool = False
    seed: str = ""

    def header(self, declared: Started | None) -> Header:
        """The header of the log; `declared` is None if the program never got so far."""
        observables = declared.observables if declared else ()
        tiers = adaptive_tiers(observables) if self.adaptive else tiers_of(self.chosen, observables)
        if self.target[:1] == ("--results",) and not self.chosen:
            tiers = DEFAULT  # what is exported, unless it is said otherwise
        return Header(
            protocol=PROTOCOL,
            rules=self.rules,
            chosen=self.chosen,
            tiers=() if self.ask else tiers,
            only=self.only,
            ask=self.ask,
            fresh=self.fresh,
            specs=self.specs,
            target=self.target,
            seed=self.seed,
            implementation=declared.implementation if declared else None,
            kinds=declared.kinds if declared else (),
            observables=declared.observables if declared else (),
            adaptive=self.adaptive or UNSET,
        )


class NextCase(Protocol):
    """What to ask next, by what was answered so far."""

    def next(self) -> Case | None:
        """The next case; None once there is none."""

    def tell(self, case: Case, line: Line, /) -> None:
        """It was answered so."""

    @property
    def undecided(self) -> Mutant | None:
        """A change of the rules that right answers so far don't rule out, if there is one."""


class AskedBatch:
    """Cases of one kind that went out, or will, in one message."""

    def __init__(self, cases: list[Case]) -> None:
        self.cases = cases
        self.kind: Kind = cases[0].kind
        self.seq = 0
        self.ids: list[str] = []


class _GaveUp(Exception):
    """The run can't go on."""


class Runner:
    """Runs one program through cases."""

    def __init__(self, command: Sequence[str], subject: Subject, record: Record, limits: Limits | None = None) -> None:
        self.command = tuple(command)
        self.subject = subject
        self.limits = limits or Limits()
        self.record = record
        self._seed = subject.seed
        self._random = random.SystemRandom()
        self._note_into = record.note
        self._repeats = Repeats(subject.seed)
        self._spent = Spent.of(self.limits)
        self._child: Child | None = None
        self._declared: Started | None = None
        self._readers: dict[Kind, Reader] = {}
        self._judge = Judge(())
        self._seq = 0
        self._sent: deque[AskedBatch] = deque()
        self._cases: Iterator[Case] = iter(())
        self._back: deque[Case] = deque()
        self._size = MAX_BATCH
        self._history = History()

    def run(
        self, cases: Callable[[Header], Iterable[Case]], fresh: Callable[[Kind], Iterable[Case]] | None = None
    ) -> Verdict:
        """Ask every case that was declared, and close the log. The verdict is that of the log.

        `cases` are those of a suite for what the program declares; with `fresh` those of each kind follow, and some
        cases that passed are asked a second time. Raises `OracleError` if the program can't be started at all.
        """
        return self._through(lambda: self._ask_suite(cases, fresh))

    def run_adaptive(self, plan: Callable[[Sequence[str]], NextCase]) -> Verdict:
        """Ask as `plan` says for the declared observables, one case at a time, and close the log; see `run`."""
        return self._through(lambda: self._ask_planned(plan))

    def _through(self, ask: Callable[[], None]) -> Verdict:
        """A run from the start to the end."""
        finished = False
        self._spent = Spent.of(self.limits)
        try:
            with rare_collections():
                self._begin()
                ask()
            finished = True
            if self._child is not None:
                self._child.stop(encode(Stop()))
            self._ask_again()
        except (_GaveUp, OutOfTime) as error:
            self.record.event(Event("again" if finished else "gave-up", str(error)))
        finally:
            if self._child is not None:
                self._child.kill()
        for note in self._spent.unwatched:
            self.record.event(Event("unwatched", note))
        return self.record.close(finished=finished)

    # --- starting -----------------------------------------------------------------------------

    def _begin(self) -> None:
        """Start the program the first time; the header of the log is written whatever comes of it."""
        trouble: Trouble | None = None
        child = self._open()
        try:
            self._declared = declared = self._start(child)
        except Trouble as error:
            trouble = error
            declared = None
            child.kill()
        except OutOfTime:
            self.record.begin(self.subject.header(None))
            raise
        self.record.begin(self.subject.header(declared))
        if declared is None:
            assert trouble is not None
            hint = "; does it flush its output after each line?" if trouble.kind == "timeout" else ""
            self.record.event(Event("start", f"{trouble.why}{hint}", child.stderr(_TAIL)))
            raise _GaveUp("the program did not start")
        if ANY_RULES not in declared.rules and self.subject.rules not in declared.rules:
            names = ", ".join(printable(name[:40]) for name in declared.rules[:20]) or "none"
            raise _GaveUp(f"it does not play {self.subject.rules}; it declares: {names}")
        self._judge = Judge(declared.observables)

    def _open(self) -> Child:
        self._child = Child(self.command, memory=self.limits.memory, spent=self._spent)
        return self._child

    def _start(self, child: Child) -> Started:
        child.send(encode(Start()))
        return read_started(child.receive(self.limits.start))

    def _running(self) -> Child:
        """The program, started anew if it is not there. Raises `_GaveUp` once that was too often."""
        while self._child is None:
            if self.record.restarts >= self.limits.restarts:
                raise _GaveUp(f"it had to be started anew more than {self.limits.restarts} times")
            self.record.restarts += 1
            self._history.restarted()
            try:
                child = self._open()
            except OracleError as error:
                raise _GaveUp(f"it could not be started anew: {error}") from error
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
        self.record.event(Event(what, trouble.why, self._child.stderr(_TAIL)))
        self._child = None
        if trouble.kind == "too-much":
            raise _GaveUp(trouble.why)

    def _ask_again(self) -> None:
        """Ask some of the failing cases again, which changes nothing about what was answered."""
        assert self._declared is not None
        left = msgspec.structs.replace(self.limits, restarts=self.limits.restarts - self.record.restarts)
        asker = Asker(self.command, self.subject.rules, self._declared, limits=left, spent=self._spent, seed=self._seed)
        for again in ask_again(self._history, asker.ask):
            self.record.note_again(again)

    # --- asking -------------------------------------------------------------------------------

    def _next_batch(self) -> AskedBatch | None:
        """The next cases of one kind that can be asked, as many together as is wise; the others are counted."""
        assert self._declared is not None
        kinds, observables = self._declared.kinds, self._declared.observables
        batch: list[Case] = []
        while len(batch) < self._size:
            if not self._back:
                self._back.extend(islice(self._cases, self._size))
                if not self._back:
                    break
                if not batch and self._are_all_askable():
                    batch = list(self._back)
                    self._back.clear()
                    break
            case = self._back.popleft()
            if case.kind not in kinds or not checkable(case, observables):
                if self._in_suite:
                    self.record.not_asked[case.kind] += 1
            elif batch and case.kind != batch[0].kind:
                self._back.appendleft(case)
                break
            else:
                batch.append(case)
        return AskedBatch(batch) if batch else None

    def _are_all_askable(self) -> bool:
        """Whether the cases that wait are coups with a winner, and that is asked: as good as always, and fast."""
        assert self._declared is not None
        if "coup" not in self._declared.kinds or "winner" not in self._declared.observables:
            return False
        return all(map(_WINNER, self._back)) and set(map(_KIND, self._back)) == {"coup"}

    def _ask_planned(self, make: Callable[[Sequence[str]], NextCase]) -> None:
        assert self._declared is not None
        if "coup" not in self._declared.kinds:
            raise _GaveUp("it declares no coups, and there is nothing else to choose from")
        plan = make(self._declared.observables)
        while (case := plan.next()) is not None:
            outcome, _ = self._ask_one(case)
            plan.tell(case, line_of(case, outcome))
        if not self.record.counts["fail"] and (undecided := plan.undecided):
            raise _GaveUp(f"the coups that were asked don't rule out that {undecided.says}")

    def _ask_suite(
        self, cases: Callable[[Header], Iterable[Case]], fresh: Callable[[Kind], Iterable[Case]] | None
    ) -> None:
        """Ask the suite, then fresh cases of each kind that it had cases of, then some of the suite a second time."""
        assert self._declared is not None
        self._ask_all(cases(self.subject.header(self._declared)))
        if fresh is None:
            return
        self._note_into = self.record.note_fresh
        for kind in KINDS:
            if kind in self.record.answered:
                self._ask_all(fresh(kind))
        self._note_into = self.record.note_repeated
        for kind in KINDS:
            self._ask_all(self._repeats.of(kind))

    def _ask_all(self, cases: Iterable[Case]) -> None:
        self._cases = iter(cases)
        following = self._next_batch()
        while following is not None or self._sent:
            while following is not None and len(self._sent) < IN_FLIGHT:
                self._post(following)
                following = self._next_batch()
            batch = self._sent.popleft()
            try:
                line = self._running().receive(self.limits.batch)
                if following is not None:  # the program works on while we read
                    self._post(following)
                    following = None
                said = self._reader(batch.kind).read(line, batch.seq, batch.ids)
            except Trouble as trouble:
                waiting = [*self._sent, following] if following is not None else [*self._sent]
                self._sent.clear()
                self._drop("batch", trouble)
                self._replay(batch, trouble)
                self._back.extendleft(reversed([case for other in waiting for case in other.cases]))
                following = None
            else:
                self._note(batch.cases, self._judge.outcomes(batch.cases, said))
            if following is None:
                following = self._next_batch()

    def _post(self, batch: AskedBatch) -> None:
        """Send a batch under new ids."""
        child = self._running()
        self._seq += 1
        batch.seq = self._seq
        text = self._random.randbytes(8 * len(batch.cases)).hex()
        batch.ids = [text[i : i + 16] for i in range(0, len(text), 16)]
        child.send(run_message(batch.seq, self.subject.rules, batch.kind, batch.cases, batch.ids))
        self._sent.append(batch)

    def _replay(self, batch: AskedBatch, trouble: Trouble) -> None:
        """Ask the cases of a batch that failed one by one: what can't be answered costs only itself."""
        unanswered = 0
        for case in batch.cases:
            unanswered += self._ask_one(case)[1]
        if trouble.kind == "timeout" and not unanswered:  # only slow: smaller batches get through
            self._size = max(1, self._size // 4)

    def _ask_one(self, case: Case) -> tuple[Outcome, bool]:
        """Ask a case in a message of its own: its outcome, and whether the program had to be ended over it."""
        single = AskedBatch([case])
        self._post(single)
        self._sent.clear()
        try:
            line = self._running().receive(self.limits.case)
            (said,) = self._reader(case.kind).read(line, single.seq, single.ids)
        except Trouble as error:
            word: Word = "error" if error.kind == "nonsense" else "crashed"
            outcome = Outcome(word, why=error.why)
            self._note_into([case], [outcome])
            self._drop("case", error)
            return outcome, True
        outcome = self._judge.outcome(case, said)
        self._note([case], [outcome])
        return outcome, False

    def _note(self, cases: list[Case], outcomes: list[Outcome]) -> None:
        """These were answered, by the program that runs now."""
        self._note_into(cases, outcomes)
        if self._in_suite:
            self._history.note(cases, outcomes)
            self._repeats.add(cases, outcomes)

    @property
    def _in_suite(self) -> bool:
        """Whether the cases that are asked now are those of the suite."""
        return self._note_into == self.record.note

    def _reader(self, kind: Kind) -> Reader:
        reader = self._readers.get(kind)
        if reader is None:
            assert self._declared is not None
            reader = self._readers[kind] = Reader(kind, self._declared.observables)
        return reader

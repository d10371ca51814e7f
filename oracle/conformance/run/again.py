"""Asking failing cases again by a program freshly started, to tell an answer that depends on what was asked before.

A case is asked alone. If the answer is not that of the run it is asked alone once more, and then after the cases that
stood before it: the last one, those of a message, all of them. What comes of it goes to the log; what it means is told
by `oracle.conformance.run.state_dependence`.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Iterator, Sequence

import msgspec

from oracle.cases.case import KINDS, Case
from oracle.conformance.judge import PASS, Judge, Outcome, Word
from oracle.conformance.protocol.decode import read_started, reader_of
from oracle.conformance.protocol.messages import Start, Started, Stop, encode, run_message
from oracle.conformance.protocol.trouble import Trouble
from oracle.conformance.protocol.wire_ids import WireIds
from oracle.conformance.run.limits import MAX_BATCH, Limits
from oracle.conformance.run.log import Again
from oracle.conformance.run.process import Child, Spent
from oracle.conformance.run.state_dependence import ENOUGH
from oracle.spans import OracleError

_BATCHES = 10  # remembered, of what was asked before a failing case
_PICKED = 3  # failing cases that are asked again alone
_OTHERS = 20  # failing cases that are asked again in another order
STARTS = 24


class Picked(msgspec.Struct, frozen=True):
    """A failing case: how it was answered in the run, and the messages before it, the last up to it.

    `whole`: these are all that the program had been asked since it was started.
    """

    case: Case
    outcome: Outcome
    before: tuple[tuple[Case, ...], ...]
    whole: bool

    @property
    def cases(self) -> list[Case]:
        """The cases before it, in order."""
        return [case for batch in self.before for case in batch]


class History:
    """What a program was asked since it was started, as far back as it is kept, and some of what it failed at."""

    def __init__(self) -> None:
        self.picked: list[Picked] = []
        self._batches: deque[tuple[Case, ...]] = deque(maxlen=_BATCHES)
        self._whole = True
        self._kinds: set[tuple[str, ...]] = set()
        self._first: list[Picked] = []
        self._last: deque[Picked] = deque(maxlen=_OTHERS // 2)

    def restarted(self) -> None:
        """The program was started anew."""
        self._batches.clear()
        self._whole = True

    def note(self, cases: Sequence[Case], outcomes: Sequence[Outcome]) -> None:
        """The cases of a message were answered so."""
        if outcomes.count(PASS) < len(outcomes):
            self._failed(cases, [(place, o) for place, o in enumerate(outcomes) if o.outcome == "fail"])
        self._whole = self._whole and len(self._batches) < _BATCHES
        self._batches.append(tuple(cases))

    def others(self) -> list[Picked]:
        """Failing cases besides those picked, the last first."""
        taken = {picked.case.id for picked in self.picked}
        found = {other.case.id: other for other in (*self._first, *self._last) if other.case.id not in taken}
        return list(reversed(found.values()))

    def _failed(self, cases: Sequence[Case], failed: Sequence[tuple[int, Outcome]]) -> None:
        """The first failure of each kind is picked; of the others the first and the last are kept."""
        for number, (place, outcome) in enumerate(failed):
            kind = tuple(sorted({difference.observable for difference in outcome.differs}))
            fresh = kind not in self._kinds and len(self.picked) < _PICKED
            early, late = len(self._first) < _OTHERS // 2, len(failed) - number <= _OTHERS // 2
            if not (fresh or early or late):
                continue
            picked = Picked(cases[place], outcome, (*self._batches, tuple(cases[:place])), self._whole)
            if fresh:
                self._kinds.add(kind)
                self.picked.append(picked)
            elif early:
                self._first.append(picked)
            else:
                self._last.append(picked)


class Asker:
    """Asks cases by programs freshly started, so many times at most."""

    def __init__(
        self, command: Sequence[str], rules: str, declared: Started, *, limits: Limits, spent: Spent, ids: WireIds
    ) -> None:
        self.starts = min(STARTS, limits.restarts)
        self._command = command
        self._rules = rules
        self._declared = declared
        self._limits = limits
        self._spent = spent
        self._ids = ids
        self._judge = Judge(declared.observables)

    def ask(self, batches: Sequence[Sequence[Case]]) -> list[Outcome] | None:
        """The outcomes of the last message, after the others; None if there is no start left, or it doesn't start."""
        if not self.starts:
            return None
        self.starts -= 1
        try:
            started = Child(self._command, memory=self._limits.memory, spent=self._spent)
        except OracleError:  # it is gone; what was answered counts
            self.starts = 0
            return None
        with started as child:
            try:
                child.send(encode(Start()))
                if read_started(child.receive(self._limits.start)) != self._declared:
                    self.starts = 0
                    return None
            except Trouble:
                self.starts = 0
                return None
            said: list[Outcome] = []
            for seq, batch in enumerate(batches, 1):
                try:
                    said = self._message(child, seq, batch)
                except Trouble as trouble:
                    word: Word = "error" if trouble.kind == "nonsense" else "crashed"
                    return [Outcome(word, why=trouble.why, said=trouble.said)] * len(batch)
            child.stop(encode(Stop()))
        return said

    def _message(self, child: Child, seq: int, batch: Sequence[Case]) -> list[Outcome]:
        ids = self._ids.fresh(len(batch))
        kind = batch[0].kind
        child.send(run_message(seq, self._rules, kind, batch, ids))
        line = child.receive(self._limits.case if len(batch) == 1 else self._limits.batch)
        results = reader_of(self._declared, kind, self._ids).read(line, seq, ids)
        return [self._judge.outcome(case, said) for case, said in zip(batch, results, strict=True)]


Ask = Callable[[Sequence[Sequence[Case]]], list[Outcome] | None]


def ask_again(history: History, ask: Ask) -> Iterator[Again]:
    """Ask some failing cases again. `ask` puts messages to a program freshly started, and judges the last one."""
    for picked in history.picked:
        odd = False
        for again in _alone(picked, ask):
            odd = odd or not _same(again, picked.outcome)
            yield again
        if odd:  # one case is enough to tell
            return
    for kind in KINDS:
        others = [other for other in history.others() if other.case.kind == kind]
        said = ask([[other.case for other in others]]) if len(others) > 1 else None
        for place, (other, outcome) in enumerate(zip(others, said or (), strict=False)):
            if outcome != other.outcome:
                before = [each.case for each in others[:place]]
                yield _again(other.case, before, outcome)
                if before:
                    yield from _alone(other, ask)
                    for _ in range(ENOUGH - 1):
                        once_more = ask([[*before, other.case]])
                        yield from (_again(other.case, before, again) for again in (once_more or ())[-1:])
                else:
                    yield from _alone(other, ask)
                return


def _alone(picked: Picked, ask: Ask) -> Iterator[Again]:
    """A case alone, and if that is answered otherwise than in the run, what it depends on."""
    for _ in range(2):
        said = ask([[picked.case]])
        if said is None:
            return
        yield _again(picked.case, (), said[0])
        if said[0] == picked.outcome:
            return
    yield from _after(picked, ask)


def _after(picked: Picked, ask: Ask) -> Iterator[Again]:
    """A case after those that stood before it, few or all, until it is answered as in the run."""
    before = picked.cases
    for count in dict.fromkeys((1, min(len(before), MAX_BATCH - 1))):
        if before and all(case.kind == picked.case.kind for case in before[-count:]):
            said = ask([[*before[-count:], picked.case]])
            if said is None:
                return
            yield _again(picked.case, before[-count:], said[-1])
            if said[-1] == picked.outcome:
                yield from _confirmed(picked, before[-count:], ask)
                return
    if picked.whole:
        *earlier, last = picked.before
        for _ in range(ENOUGH):
            said = ask([*earlier, (*last, picked.case)])
            if said is None:
                return
            yield _again(picked.case, before, said[-1])
            if said[-1] != picked.outcome:
                return


def _confirmed(picked: Picked, enough: Sequence[Case], ask: Ask) -> Iterator[Again]:
    """The same cases twice more, since a program that guesses gives the same wrong answer at times; then fewer."""
    for _ in range(ENOUGH - 1):
        said = ask([[*enough, picked.case]])
        if said is None:
            return
        yield _again(picked.case, enough, said[-1])
        if said[-1] != picked.outcome:
            return
    yield from _fewer(picked, enough, ask)


def _fewer(picked: Picked, enough: Sequence[Case], ask: Ask) -> Iterator[Again]:
    """Fewer of the cases after which a case is answered as in the run: as few of the last as do, then their first."""
    least, most = 1, len(enough)  # the last alone doesn't do, unless it is all there is
    while most - least > 1:
        middle = (least + most) // 2
        said = ask([[*enough[-middle:], picked.case]])
        if said is None:
            return
        yield _again(picked.case, enough[-middle:], said[-1])
        if said[-1] == picked.outcome:
            most = middle
        else:
            least = middle
    if most > 1:
        said = ask([[enough[-most], picked.case]])
        if said is not None:
            yield _again(picked.case, enough[-most : len(enough) - most + 1], said[-1])


def _again(case: Case, after: Sequence[Case], outcome: Outcome) -> Again:
    ids = tuple(before.id for before in after)
    return Again(case.id, outcome.outcome, outcome.differs, outcome.why, after=ids, said=outcome.said)


def _same(again: Again, outcome: Outcome) -> bool:
    return _said(again) == _said(outcome)


def _said(of: Again | Outcome) -> tuple[object, ...]:
    return of.outcome, of.differs, of.why, of.said

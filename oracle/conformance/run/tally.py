"""What a run has come to so far, on its way into the log."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Sequence
from operator import attrgetter

import msgspec
from msgspec import UNSET

from oracle.cases.case import Case
from oracle.conformance.judge import PASS, Outcome, compared
from oracle.conformance.run.log import (
    TROUBLES,
    Again,
    Event,
    Footer,
    Fresh,
    Header,
    Line,
    LogWriter,
    Repeat,
    Verdict,
    verdict_of,
)
from oracle.programs.observables import BY_BET

_CELLS = attrgetter("cells")


class Record:
    """Writes a run to its log and counts it; memory depends on the number of cells, not of cases.

    `tell` is called with this record after every few outcomes. `silent` says of tiers why the rules have no cases for
    them. `fresh` counts outcomes of fresh cases by kind, `repeated` those of
    cases asked a second time, `answered` by kind the cases of the suite that got an answer.
    """

    def __init__(self, log: LogWriter, tell: Callable[[Record], None] | None = None) -> None:
        self.counts: Counter[str] = Counter()
        self.fresh: dict[str, Counter[str]] = {}
        self.repeated: Counter[str] = Counter()
        self.not_asked: Counter[str] = Counter()
        self.restarts = 0
        self.again = 0
        self.troubles = 0
        self.silent: dict[str, str] = {}
        self._log = log
        self._tell = tell
        self._header: Header | None = None
        self.answered: Counter[str] = Counter()
        self._checked: Counter[tuple[str, ...]] = Counter()
        self._failed: Counter[tuple[str, ...]] = Counter()
        self._open: set[str] = set()
        self._compared: set[str] = set()
        self._bets: set[str] = set()

    def begin(self, header: Header) -> None:
        """Write the header: what is run, and what the program declares."""
        self._header = header
        self._open = set(header.observables)
        self._log.write(header)

    def event(self, event: Event) -> None:
        """Add something that happened to the program."""
        self.troubles += event.what in TROUBLES
        self._log.write(event)

    def note(self, cases: Sequence[Case], outcomes: Sequence[Outcome]) -> None:
        """Add the outcomes of some cases of the suite, in their order."""
        failed = [(case, outcome) for case, outcome in zip(cases, outcomes, strict=True) if outcome is not PASS]
        self._checked.update(map(_CELLS, cases))
        self.counts["pass"] += len(cases) - len(failed)
        if failed:
            self._failed.update(case.cells for case, _ in failed)
            self.counts.update(outcome.outcome for _, outcome in failed)
            for case, outcome in zip(cases, outcomes, strict=True):
                self._log.write(Line(case.id, "pass") if outcome is PASS else line_of(case, outcome))
        else:
            self._log.write_passed([case.id for case in cases])
        self._note_compared(cases, outcomes)
        self.told()

    def note_fresh(self, cases: Sequence[Case], outcomes: Sequence[Outcome]) -> None:
        """Add the outcomes of some fresh cases, each with all that was asked."""
        for case, outcome in zip(cases, outcomes, strict=True):
            self.fresh.setdefault(case.kind, Counter())[outcome.outcome] += 1
        self._log.write(*(Fresh(line_of(case, outcome)) for case, outcome in zip(cases, outcomes, strict=True)))
        self.told()

    def note_repeated(self, cases: Sequence[Case], outcomes: Sequence[Outcome]) -> None:
        """Add the outcomes of some cases that were asked a second time."""
        pairs = list(zip(cases, outcomes, strict=True))
        self.repeated.update(outcome.outcome for _, outcome in pairs)
        self._log.write(*(Repeat(line_of(case, outcome)) for case, outcome in pairs))
        self.told()

    def note_again(self, again: Again) -> None:
        """Add a case that was asked again by a program freshly started."""
        self.again += 1
        self._log.write(again)

    def told(self) -> None:
        """Say how far it is, if somebody wants to know."""
        if self._tell is not None:
            self._tell(self)

    def _note_compared(self, cases: Sequence[Case], outcomes: Sequence[Outcome]) -> None:
        """Remember of which kinds there were answers, and with what they were compared."""
        answered = [case for case, o in zip(cases, outcomes, strict=True) if o.outcome in ("pass", "fail")]
        self.answered.update(case.kind for case in answered)
        if self._open:
            for case in answered:
                self._compared |= compared(case, self._open)
            self._open -= self._compared
        if answered and BY_BET & self._compared:
            self._bets.update(bet for case in answered if case.kind == "coup" for bet in case.bets)

    def close(self, *, finished: bool) -> Verdict:
        """Write the footer; the verdict that stands in it."""
        assert self._header is not None, "a run begins with its header"
        by_cell: dict[str, list[int]] = {}
        for cells, checked in self._checked.items():
            for cell in cells:
                counts = by_cell.setdefault(cell, [0, 0])
                counts[0] += checked - self._failed[cells]
                counts[1] += checked
        footer = Footer(
            verdict="incomplete",
            finished=finished,
            counts=dict(self.counts),
            not_asked=dict(self.not_asked),
            restarts=self.restarts,
            cells={cell: (passed, checked) for cell, (passed, checked) in by_cell.items()},
            answered=dict(self.answered),
            compared=tuple(sorted(self._compared)),
            bets=tuple(sorted(self._bets)),
            fresh={kind: dict(counts) for kind, counts in self.fresh.items()},
            repeated=dict(self.repeated),
            troubles=self.troubles,
            again=self.again or UNSET,
            silent=self.silent,
        )
        footer = msgspec.structs.replace(footer, verdict=verdict_of(self._header, footer))
        self._log.write(footer)
        return footer.verdict


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
        dealt=case.dealt,
        burnt=case.burnt,
        decks=case.decks,
        cut_card=case.cut_card,
        steps=case.steps,
        text=case.text,
    )

"""What a run has come to so far, on its way into the log."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Collection, Sequence
from operator import attrgetter

from msgspec import UNSET

from oracle.cases.case import Case
from oracle.conformance.judge import PASS, Outcome, compared
from oracle.conformance.run.log import Again, Footer, Line, LogWriter, Verdict, verdict_of

_CELLS = attrgetter("cells")


class Record:
    """Writes outcomes to a log and counts them; memory depends on the number of cells, not of cases.

    `tell` is called with this record after every few outcomes. `silent` says of tiers why the rules have no cases for
    them, `left_out` which bets of the rules the program doesn't declare.
    """

    def __init__(self, log: LogWriter, tell: Callable[[Record], None] | None = None) -> None:
        self.counts: Counter[str] = Counter()
        self.not_asked: Counter[str] = Counter()
        self.restarts = 0
        self.again = 0
        self.silent: dict[str, str] = {}
        self.left_out: tuple[str, ...] = ()
        self._log = log
        self._tell = tell
        self._checked: Counter[tuple[str, ...]] = Counter()
        self._failed: Counter[tuple[str, ...]] = Counter()
        self._open: set[str] = set()
        self._compared: set[str] = set()

    def expect(self, observables: Collection[str]) -> None:
        """The observables of which to note whether any case asked for them."""
        self._open = set(observables)

    def note(self, cases: Sequence[Case], outcomes: Sequence[Outcome]) -> None:
        """Add the outcomes of some cases, in their order."""
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
        if self._open:
            for case, outcome in zip(cases, outcomes, strict=True):
                if outcome.outcome in ("pass", "fail"):
                    self._compared |= compared(case, self._open)
            self._open -= self._compared
        if self._tell is not None:
            self._tell(self)

    def note_again(self, again: Again) -> None:
        """Add a case that was asked again."""
        self.again += 1
        self._log.write(again)

    def close(self, *, finished: bool) -> Verdict:
        """Write the footer; the verdict that stands in it."""
        verdict = verdict_of(self.counts) if finished else "incomplete"
        by_cell: dict[str, list[int]] = {}
        for cells, checked in self._checked.items():
            for cell in cells:
                counts = by_cell.setdefault(cell, [0, 0])
                counts[0] += checked - self._failed[cells]
                counts[1] += checked
        self._log.write(
            Footer(
                verdict=verdict,
                finished=finished,
                counts=dict(self.counts),
                not_asked=dict(self.not_asked),
                restarts=self.restarts,
                cells={cell: (passed, checked) for cell, (passed, checked) in by_cell.items()},
                compared=tuple(sorted(self._compared)),
                again=self.again or UNSET,
                silent=self.silent,
                left_out=self.left_out or UNSET,
            )
        )
        return verdict


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
        said=outcome.said,
    )

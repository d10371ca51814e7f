"""What a run has come to so far, on its way into the log."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Collection, Sequence

from oracle.conformance.judge import PASS, Outcome, compared
from oracle.conformance.log import Footer, Line, LogWriter, Verdict, verdict_of
from oracle.fixtures.case import Case


class Record:
    """Writes outcomes to a log and counts them; memory depends on the number of cells, not of cases.

    `tell` is called with this record after every few outcomes.
    """

    def __init__(self, log: LogWriter, tell: Callable[[Record], None] | None = None) -> None:
        self.counts: Counter[str] = Counter()
        self.not_asked: Counter[str] = Counter()
        self.restarts = 0
        self._log = log
        self._tell = tell
        self._cells: dict[tuple[str, ...], list[int]] = {}
        self._open: set[str] = set()
        self._compared: set[str] = set()

    def expect(self, observables: Collection[str]) -> None:
        """The observables of which to note whether any case asked for them."""
        self._open = set(observables)

    def note(self, outcomes: Sequence[tuple[Case, Outcome]]) -> None:
        """Add outcomes, in the order of the cases."""
        lines = []
        for case, outcome in outcomes:
            self.counts[outcome.outcome] += 1
            cell = self._cells.get(case.cells)
            if cell is None:
                cell = self._cells[case.cells] = [0, 0]
            cell[1] += 1
            if outcome is PASS:
                cell[0] += 1
                lines.append(Line(case.id, "pass"))
            else:
                lines.append(line_of(case, outcome))
            if self._open and outcome.outcome in ("pass", "fail"):
                found = compared(case, self._open)
                self._compared |= found
                self._open -= found
        self._log.write(*lines)
        if self._tell is not None:
            self._tell(self)

    def close(self, *, finished: bool) -> Verdict:
        """Write the footer; the verdict that stands in it."""
        verdict = verdict_of(self.counts) if finished else "incomplete"
        by_cell: dict[str, list[int]] = {}
        for cells, (passed, checked) in self._cells.items():
            for cell in cells:
                counts = by_cell.setdefault(cell, [0, 0])
                counts[0] += passed
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
    )

"""`odds` as CSV: a row for each way in which a bet ends, or for each way to play free cells. Counts are exact."""

from __future__ import annotations

import csv
import io
from collections.abc import Sequence
from fractions import Fraction

from oracle.odds.replies import Replies
from oracle.odds.summary import END_FIELDS, OddsSummary
from oracle.report.words.figures import decimal
from oracle.rules.answers import show_number

_BET_COLUMNS = ("rules", "shoe", "bet", "outcome", "net", "sequences", "of", "share")
_END_COLUMNS = ("rules", "decks", *END_FIELDS, "sequences")


def render(found: OddsSummary | Replies) -> str:
    """What `odds --format csv` prints."""
    return replies_csv(found) if isinstance(found, Replies) else bets_csv(found)


def bets_csv(odds: OddsSummary) -> str:
    """A row for each way in which a bet ends: what a unit stake nets, and in how many sequences."""
    rows = [
        (
            odds.rules, str(odds.shoe), bet.bet, hit.outcome, show_number(hit.net), hit.sequences, bet.total,
            decimal(Fraction(hit.sequences, bet.total), 12),
        )
        for bet in (summary.odds for summary in odds.bets.values())
        for hit in bet.hits
    ]  # fmt: skip
    return _csv_text(_BET_COLUMNS, rows)


def ends_csv(odds: OddsSummary) -> str:
    """Every end by winner, natural, totals and number of cards, with its sequences; the summary has details."""
    assert odds.details is not None
    ends = odds.details.ends
    rows = [(odds.rules, str(odds.shoe), *key, ends[key]) for key in sorted(ends, key=str)]
    return _csv_text(_END_COLUMNS, rows)


def replies_csv(found: Replies) -> str:
    """A row for each way to play free cells."""
    cells = [str(cell) for cell in found.cells]
    rows = [
        (found.rules, *line.actions, str(line.player), str(line.banker), " ".join(line.best)) for line in found.lines
    ]
    return _csv_text(("rules", *cells, "player", "banker", "best"), rows)


def _csv_text(head: Sequence[str], rows: Sequence[Sequence[object]]) -> str:
    """A table as CSV, lines ended by a line feed."""
    stream = io.StringIO()
    writer = csv.writer(stream, lineterminator="\n")
    writer.writerow(head)
    writer.writerows(rows)
    return stream.getvalue()

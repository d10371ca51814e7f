"""What changes when a rule does: how many coups go otherwise, and what each bet then costs.

Both rule sets get the same cards, six at a time in the order of the shoe; each uses what it needs of them. So a third
card that one of them doesn't deal is the next hand's in the other, as at a table.

This module needs numpy; import it where it is used.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from fractions import Fraction

import msgspec
import numpy as np  # noqa: TID253 (imported where it is used)

from oracle.odds.counts import Odds
from oracle.odds.pair_kinds import shares
from oracle.odds.settlement_table import WINNERS, SettlementTable
from oracle.odds.tableau import six_cards
from oracle.odds.ways import Numbers, all_ways
from oracle.spans import OracleError


class RuleChange(msgspec.Struct, frozen=True):
    """One rule set beside another on the same cards.

    `otherwise` is the share of coups that end with other cards, totals or another winner, `winners` that with another
    winner; `nets` by bet that in which a unit stake nets something else; `edges` by bet how much the house edge grows.
    Only bets of both are compared.
    """

    otherwise: Fraction
    winners: Fraction
    nets: Mapping[str, Fraction]
    edges: Mapping[str, Fraction]


def change(before: Odds, after: Odds) -> RuleChange:
    """What changes from one rule set to another on one shoe.

    Raises `OracleError` if the shoes are not the same, or cards don't count alike (then no two coups are alike).
    """
    if before.composition.by_rank() != after.composition.by_rank():
        raise OracleError("two rule sets are compared on one shoe, not on two")
    if before.book.points != after.book.points:
        raise OracleError(f"cards don't count alike in {before.rules.id} and {after.rules.id}")
    wider = before if before.composition.cards >= after.composition.cards else after
    deals = _Deals(wider)
    numbers: dict[object, int] = {}
    books = before.book, after.book
    ends = [deals.by_end(book, _numbered(zip(book.ends, book.winners, strict=True), numbers)) for book in books]
    winners = [deals.by_end(book, np.array([WINNERS.index(w) for w in book.winners])) for book in books]
    bets = [bet for bet in before.rules.bets if bet in after.rules.bets]
    nets = {}
    for bet in bets:
        known: dict[object, int] = {}
        one, two = (
            _numbered(odds.book.nets(odds.rules, bet), known)[deals.by_class(odds.book)] for odds in (before, after)
        )
        nets[bet] = deals.share(one != two)
    return RuleChange(
        otherwise=deals.share(ends[0] != ends[1]),
        winners=deals.share(winners[0] != winners[1]),
        nets=nets,
        edges={bet: after.bet(bet).edge - before.bet(bet).edge for bet in bets},
    )


def _numbered(things: Iterable[object], known: dict[object, int]) -> Numbers:
    """A number for each thing, equal ones alike, also over several calls."""
    return np.array([known.setdefault(thing, len(known)) for thing in things])


class _Deals:
    """All sequences of six cards of a shoe, by value and by how alike the first cards of each hand are."""

    def __init__(self, odds: Odds) -> None:
        ways, rows = all_ways(), six_cards()
        places = np.full(len(ways.player), -1)
        places[rows] = np.arange(len(rows))
        by_row = ways.grouped(places).sums(odds.weights)
        table = shares(odds.composition, odds.book.points)
        player = np.where(ways.player_equal, ways.player // 2 + 1, 0)[rows]
        banker = np.where(ways.banker_equal, ways.banker // 2 + 1, 0)[rows]
        deals, kinds, numbers = [], [], []
        for (first, second), (whole, parts) in table.items():
            these = np.flatnonzero((player == first) & (banker == second))
            for pair, count in parts.items():
                if count:
                    deals.append(these)
                    kinds.append(np.tile(pair, (len(these), 1)))
                    numbers.append(by_row[these] // max(whole, 1) * count)
        self._deals = np.concatenate(deals)
        self._kinds = np.concatenate(kinds)
        self._numbers = np.concatenate(numbers)
        kept = self._numbers > 0
        self._deals, self._kinds, self._numbers = self._deals[kept], self._kinds[kept], self._numbers[kept]
        self._total = odds.total
        assert sum(self._numbers.tolist()) == self._total

    def by_end(self, book: SettlementTable, of_end: Numbers) -> Numbers:
        """What is known of ends, for each deal."""
        found: Numbers = of_end[book.tableau.of_six[self._deals]]
        return found

    def by_class(self, book: SettlementTable) -> Numbers:
        """The place among the states of a book, for each deal."""
        ends = book.tableau.of_six[self._deals]
        return book.class_of(ends, self._kinds[:, 0], self._kinds[:, 1])

    def share(self, these: Numbers) -> Fraction:
        """The share of all sequences that these deals are."""
        return Fraction(sum(self._numbers[these].tolist()), self._total)

"""Two coups in a row from one shoe: what the winner of one tells of the next, exactly.

This module needs numpy; import it where it is used.
"""

from __future__ import annotations

from collections.abc import Mapping
from fractions import Fraction

import msgspec
import numpy as np  # noqa: TID253 (imported where it is used)

from oracle.game.rules import Rules
from oracle.odds.composition import PLACES
from oracle.odds.counts import Odds
from oracle.odds.settlement_table import WINNERS
from oracle.odds.ways import all_ways
from oracle.spans import OracleError

_TOGETHER = 32  # shoes counted at once


class Consecutive(msgspec.Struct, frozen=True):
    """The winners of two coups from a fresh shoe with no shuffle between them, of 12 cards in `total` orders.

    `counts` has the sequences by the winner of the first and of the second coup.
    """

    total: int
    counts: Mapping[tuple[str, str], int]

    def share(self, winner: str) -> Fraction:
        """How often this side wins the second coup; the same for the first."""
        return Fraction(sum(n for (_, second), n in self.counts.items() if second == winner), self.total)

    def after(self, first: str, second: str) -> Fraction:
        """How often the second coup ends so among those whose first ended so."""
        return Fraction(self.counts[first, second], sum(self.counts[first, other] for other in WINNERS))

    def deviation(self, first: str, second: str) -> Fraction:
        """By how much the first winner changes the chance of the second one."""
        return self.after(first, second) - self.share(second)

    @property
    def largest(self) -> tuple[str, str]:
        """The winners between which the change is largest."""
        return max(self.counts, key=lambda pair: abs(self.deviation(*pair)))


def shuffled_between(rules: Rules) -> bool:
    """Whether nothing of a coup is left for the next: an endless shoe, or one shuffled before every later coup."""
    if rules.value("decks") == "endless":
        return True
    evaluation = rules.evaluation("reshuffle")
    later = (
        [i for i, coup in enumerate(evaluation.space.column("coup")) if coup == "later"]
        if len(evaluation.space)
        else []
    )
    return bool(later) and all(evaluation.answer(i) == ("shuffle",) for i in later)


def consecutive(odds: Odds) -> Consecutive:
    """The winners of two coups in a row from the shoe of `odds`.

    The shoe is not shuffled between them, nor are cards burnt (which changes nothing while nobody sees them). Raises
    `OracleError` for an endless shoe, and one of fewer than twelve cards.
    """
    shoe = odds.composition
    if shoe.endless or shoe.cards < 2 * PLACES:
        raise OracleError("two coups in a row are counted from a shoe that ends, of twelve cards at least")
    ways = all_ways()
    stock = shoe.stock(odds.book.points)
    by_winner = odds.book.by_winner
    winner = np.repeat(by_winner.names, np.diff(np.r_[by_winner.starts, len(by_winner.multisets)]))
    orders = np.zeros((len(WINNERS), len(ways.sizes)), dtype=np.int64)
    orders[winner, by_winner.multisets] = by_winner.orders
    used = np.flatnonzero(orders.any(axis=0))
    drawn = ways.weights(stock, unused=False)[used]
    used, drawn = used[drawn > 0], drawn[drawn > 0]
    counts = dict.fromkeys(((one, two) for one in WINNERS for two in WINNERS), 0)
    for start in range(0, len(used), _TOGETHER):
        these = used[start : start + _TOGETHER]
        left = ways.weights(np.array(stock)[:, None] - ways.held[these].T)
        second = np.einsum("wm,ms->sw", orders, left).tolist()  # of integers twice as fast as `@`
        for place, multiset in enumerate(these.tolist()):
            first = orders[:, multiset].tolist()
            size = int(ways.sizes[multiset])
            rest = 1
            for more in range(size + PLACES, 2 * PLACES):
                rest *= shoe.cards - more
            ways_to = int(drawn[start + place]) * rest
            for i, one in enumerate(WINNERS):
                for j, two in enumerate(WINNERS):
                    counts[one, two] += first[i] * second[place][j] * ways_to
    total = 1
    for place in range(2 * PLACES):
        total *= shoe.cards - place
    if sum(counts.values()) != total:
        raise OracleError(f"{odds.rules.id}: not every two coups have been counted")
    return Consecutive(total, counts)

"""How alike the first two cards of both hands are: exactly, from counts that know values only.

Given which places hold a card of value v, those cards are any of the shoe's cards of value v, each order as likely as
any other. So of all coups that begin with twice v, the share whose two cards are one rank is that among the pairs of
cards of value v, whatever else the coup holds; and where both hands begin with twice v, it is the share among four
cards of value v. Counts by value are multiples of the number of such pairs (or fours), so nothing is rounded.
"""

from __future__ import annotations

from collections.abc import Mapping
from itertools import product

from oracle.odds.composition import Composition

KINDS = ("none", "value", "rank", "card")
Table = dict[tuple[int, int], tuple[int, dict[tuple[int, int], int]]]
"""By the values (plus one, 0 = none) that hands begin with twice: of how many, and how many are alike in each way."""

Kind = tuple[str, str]
_NONE, _VALUE, _RANK, _CARD = range(4)


def shares(composition: Composition, points: Mapping[str, int]) -> Table:
    """For all values with which both hands can begin twice, how often their cards are alike in which way.

    Without known suits two of a rank are `rank`.
    """
    take = 0 if composition.endless else 1
    piles = [_Pile(_kinds(composition, points, value), take) for value in range(10)]
    pairs = [pile.pairs() for pile in piles]
    found: Table = {(0, 0): (1, {(_NONE, _NONE): 1})}
    for value, (whole, kinds) in enumerate(pairs):
        found[value + 1, 0] = whole, {(kind, _NONE): count for kind, count in kinds.items()}
        found[0, value + 1] = whole, {(_NONE, kind): count for kind, count in kinds.items()}
        found[value + 1, value + 1] = piles[value].fours()
        for other, (rest, others) in enumerate(pairs):
            if other != value:
                both = {(k, other_kind): n * m for (k, n), (other_kind, m) in product(kinds.items(), others.items())}
                found[value + 1, other + 1] = whole * rest, both
    return found


def _kinds(composition: Composition, points: Mapping[str, int], value: int) -> dict[Kind, int]:
    """The cards of a value by rank and suit; the suit is empty where suits are not known."""
    found: dict[Kind, int] = {}
    for rank, count in composition.ranks.items():
        if count and points[rank] == value:
            suits = {"": count} if composition.suited is None else composition.suited[rank]
            found |= {(rank, suit): copies for suit, copies in suits.items() if copies}
    return found


class _Pile:
    """The cards of one value."""

    def __init__(self, cards: dict[Kind, int], take: int) -> None:
        self.cards = cards
        self.take = take
        self.ranks: dict[str, int] = {}
        for (rank, _), count in cards.items():
            self.ranks[rank] = self.ranks.get(rank, 0) + count
        self.size = sum(cards.values())
        self.same_rank = sum(n * (n - take) for n in self.ranks.values())
        self.same_card = sum(n * (n - take) for (_, suit), n in cards.items() if suit)

    def pairs(self) -> tuple[int, dict[int, int]]:
        """The ordered pairs of these cards: all, and by how alike they are."""
        whole = self.size * max(self.size - self.take, 0)
        return whole, {
            _VALUE: whole - self.same_rank,
            _RANK: self.same_rank - self.same_card,
            _CARD: self.same_card,
        }

    def fours(self) -> tuple[int, dict[tuple[int, int], int]]:
        """The ordered fours of these cards: all, and by how alike the first two and the last two are."""
        found: dict[tuple[int, int], int] = {}
        whole = 0
        for first in list(self.cards):
            ways = self.cards[first]
            self._move(first, -self.take)
            for second in list(self.cards):
                count = ways * self.cards[second]
                if count > 0:
                    kind = _alike(first, second)
                    self._move(second, -self.take)
                    rest, kinds = self.pairs()
                    whole += count * rest
                    for other, more in kinds.items():
                        found[kind, other] = found.get((kind, other), 0) + count * more
                    self._move(second, self.take)
            self._move(first, self.take)
        return whole, found

    def _move(self, card: Kind, by: int) -> None:
        """Take a card out or put it back: n (n - t) grows by b (2 n + b - t) as n grows by b."""
        rank, suit = card
        count, of_rank = self.cards[card], self.ranks[rank]
        self.same_rank += by * (2 * of_rank + by - self.take)
        if suit:
            self.same_card += by * (2 * count + by - self.take)
        self.cards[card] = count + by
        self.ranks[rank] = of_rank + by
        self.size += by


def _alike(first: Kind, second: Kind) -> int:
    if first[0] != second[0]:
        return _VALUE
    return _CARD if first == second and first[1] else _RANK

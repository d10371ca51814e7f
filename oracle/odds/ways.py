"""In how many ways cards of these values come: one table of coups for every rule set and every shoe.

A coup in which the player's first cards are {a, b}, the banker's {c, d}, and the third cards e and f, comes in as
many ways as its *multiset* of values does, times the orders in which it is dealt: a product of falling factorials,
whatever the rules. So the coups of all rule sets are put together once, by what decisions and ends can depend on, each
with the multisets behind it. A shoe gives each of 8,008 multisets a weight; rules say which coups happen.

Six cards of a shoe of n come in n (n - 1) … (n - 5) orders. Each number here counts some of them, none twice, so all
of them, and every sum on the way, are at most that: below 2^63 they are 64-bit integers, else Python's.

This module needs numpy; import it where it is used.
"""

from __future__ import annotations

from functools import lru_cache
from itertools import combinations_with_replacement
from math import comb
from typing import Any

import numpy as np  # noqa: TID253 (imported where it is used)
import numpy.typing as npt  # noqa: TID253

Numbers = npt.NDArray[Any]

VALUES = 10
PLACES = 6
_LIMIT = 2**63
_MULTISETS = comb(VALUES + PLACES, PLACES)  # of up to six values: 8,008
_BASE = PLACES + 1


class Grouped:
    """Numbers summed by group: an order that puts the members of a group together, and where each group starts."""

    def __init__(self, groups: Numbers) -> None:
        self.order = np.argsort(groups, kind="stable")
        ordered = groups[self.order]
        self.starts = np.flatnonzero(np.r_[True, ordered[1:] != ordered[:-1]][: len(ordered)])
        self.names = ordered[self.starts]

    def sums(self, numbers: Numbers) -> Numbers:
        """The sum of each group, in the order of `names`."""
        return np.add.reduceat(numbers[self.order], self.starts) if len(self.starts) else numbers[:0]


class Weighed:
    """Groups of coups as one long list of multisets: which, in how many orders, and where each group starts."""

    def __init__(self, multisets: Numbers, orders: Numbers, groups: Numbers) -> None:
        merged = Grouped(groups * _MULTISETS + multisets)
        self.orders = merged.sums(orders)
        self.multisets = merged.names % _MULTISETS
        names = merged.names // _MULTISETS
        self.starts = np.flatnonzero(np.r_[True, names[1:] != names[:-1]][: len(names)])
        self.names = names[self.starts]

    def sums(self, weights: Numbers) -> Numbers:
        """How many sequences each group has, in the order of `names`, if multisets have these weights."""
        if not len(self.starts):
            return weights[:0]
        return np.add.reduceat(self.orders * weights[self.multisets], self.starts)


class Ways:
    """All coups by value, in rows: the sum of each hand's first cards, whether these are equal, and both third cards.

    `player`, `banker` are sums 0-18, `player_equal`, `banker_equal` 0 or 1, `player_third`, `banker_third` 0-9, or -1
    for no card; each has an entry for every row. Entries (`row`, `multiset`, `orders`) say what a row is made of.
    """

    def __init__(self) -> None:
        self._multisets()
        self._coups()

    def _multisets(self) -> None:
        """Every multiset of up to six values: shorter ones first, each made of a shorter one and its last value."""
        found = [m for size in range(PLACES + 1) for m in combinations_with_replacement(range(VALUES), size)]
        place = {multiset: i for i, multiset in enumerate(found)}
        self.sizes = np.array([len(m) for m in found])
        self.firsts = np.searchsorted(self.sizes, np.arange(PLACES + 2))
        self._shorter = np.array([place[m[:-1]] for m in found])
        self._last = np.array([m[-1] if m else 0 for m in found])
        self._copies = np.array([m.count(m[-1]) - 1 if m else 0 for m in found])
        self.held = np.array([[m.count(value) for value in range(VALUES)] for m in found])
        codes = self.held @ _BASE ** np.arange(VALUES)
        self._order = np.argsort(codes)
        self._codes = codes[self._order]

    def _coups(self) -> None:
        hands = list(combinations_with_replacement(range(VALUES), 2))
        sums = np.array([a + b for a, b in hands])
        equal = np.array([int(a == b) for a, b in hands])
        codes = np.array([_BASE**a + _BASE**b for a, b in hands])
        thirds = np.array([0, *(_BASE**value for value in range(VALUES))])
        shape = (len(hands), len(hands), len(thirds), len(thirds))
        player, banker, first, second = (index.ravel() for index in np.indices(shape))
        multisets = codes[player] + codes[banker] + thirds[first] + thirds[second]
        multisets = self._order[np.searchsorted(self._codes, multisets)]
        orders = (2 - equal)[player] * (2 - equal)[banker]
        kind = sums * 2 + equal
        row = ((kind[player] * 38 + kind[banker]) * 11 + first) * 11 + second
        names, row = np.unique(row, return_inverse=True)
        sort = np.argsort(row, kind="stable")
        self.row, self.multiset, self.orders = row[sort], multisets[sort], orders[sort]
        self.banker_third = names % 11 - 1
        self.player_third = names // 11 % 11 - 1
        banker_kind, player_kind = names // 121 % 38, names // 121 // 38
        self.player, self.player_equal = player_kind // 2, player_kind % 2
        self.banker, self.banker_equal = banker_kind // 2, banker_kind % 2

    def weights(
        self, stock: list[int] | Numbers, *, endless: bool = False, unused: bool = True, whole: int | None = None
    ) -> Numbers:
        """The ways to draw each multiset in one order from a stock of values, and then what makes it six cards.

        Of multisets of fewer than four values, and of all without `unused`, the weight is without what follows.
        Several stocks may come at once, along the second axis of an array; their weights then do as well. Unused places
        are drawn from all that is left, of `whole` cards where the stock is not all of the shoe.
        """
        take = 0 if endless else 1
        held = np.array(stock)
        size = np.array(held.sum(axis=0) if whole is None else whole)
        most = int(size.max())
        exact = most**PLACES if endless else _falling(most, PLACES)
        kind: Any = np.int64 if exact < _LIMIT else object
        left = np.stack([np.maximum(held.astype(kind) - take * copies, 0) for copies in range(PLACES)], axis=1)
        weights: Numbers = left[self._last, self._copies]
        weights[0] = 1
        for length in range(2, PLACES + 1):
            these = slice(self.firsts[length], self.firsts[length + 1])
            weights[these] *= weights[self._shorter[these]]
        for length in (4, 5) if unused else ():
            these = slice(self.firsts[length], self.firsts[length + 1])
            for used in range(length, PLACES):
                weights[these] *= size.astype(kind) - take * used
        return weights

    def grouped(self, groups: Numbers) -> Weighed:
        """The coups of some rows put together: `groups` names the group of each row, -1 leaves a row out."""
        named = groups[self.row]
        kept = named >= 0
        return Weighed(self.multiset[kept], self.orders[kept], named[kept])


def _falling(n: int, places: int) -> int:
    found = 1
    for used in range(places):
        found *= n - used
    return found


@lru_cache(maxsize=1)
def all_ways() -> Ways:
    """The table of all coups, made once."""
    return Ways()

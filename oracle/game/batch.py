"""Coups by the million: six numpy arrays of cards in, winners, totals and numbers of cards out.

A coup depends on the sum of each hand's first two cards and on the fifth and sixth card: 19 x 19 x 10 x 10 cases. All
of them are played once with `Tables`; after that a coup is one look-up. Coups are worked through in pieces that stay
in the processor's cache.

This module needs numpy; import it where it is used.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from itertools import product

import msgspec
import numpy as np  # noqa: TID253 (imported where it is used)
import numpy.typing as npt  # noqa: TID253

from oracle.cards import RANKS
from oracle.game.coup import ORDINALS, decide
from oracle.game.rules import Rules
from oracle.game.tables import TableResult, Tables
from oracle.spans import BadCards, OracleError

Bytes = npt.NDArray[np.uint8]
Codes = npt.NDArray[np.uint16]
Cards = npt.NDArray[np.uint8] | Sequence[npt.NDArray[np.uint8]]

WINNERS = ("player", "banker", "tie")

_PLACES = 6
_VALUES = 10
_SUMS = 2 * (_VALUES - 1) + 1
_PIECE = 1 << 15  # coups at a time: with 16 bits each, all buffers together fit the second-level cache
_THIRDS = _VALUES * _VALUES
# A code holds the winner's place in WINNERS, five bits for each total (three nines are 27), and who drew.
_PLAYER_TOTAL, _BANKER_TOTAL, _PLAYER_DREW, _BANKER_DREW = 2, 7, 12, 13
_TOTAL, _WON = 31, 3


class Results(msgspec.Struct, frozen=True):
    """What came of n coups: arrays of n unsigned bytes.

    `winner` is a place in `WINNERS`: 0 player, 1 banker, 2 tie. Totals are final ones; `player_cards` and
    `banker_cards` are two or three.
    """

    winner: Bytes
    player_total: Bytes
    banker_total: Bytes
    player_cards: Bytes
    banker_cards: Bytes

    @property
    def cards_used(self) -> Bytes:
        """How many cards each coup took: four to six."""
        return self.player_cards + self.banker_cards

    def wins(self) -> dict[str, int]:
        """How many coups each side won, and how many were ties."""
        counts = np.bincount(self.winner, minlength=len(WINNERS))
        return {side: int(count) for side, count in zip(WINNERS, counts, strict=True)}


class Batch:
    """A rule set compiled for many coups at once.

    Raises `Undecided` if the rules leave open anything that a coup can come to, `BadChoice` if they leave a choice.
    """

    def __init__(self, rules: Rules) -> None:
        for rank in RANKS:
            if rank not in rules.points:
                decide(rules, "card_points", {"rank": rank})
        for (total,) in rules.space("hand_total").rows:
            if total not in rules.totals:
                decide(rules, "hand_total", {"sum": total})
        tables = Tables(rules)
        self._player = [place for place in range(4) if tables.deals[place]]
        self._banker = [place for place in range(4) if not tables.deals[place]]
        if len(self._player) != len(self._banker):
            raise OracleError(f"{rules.id} deals {len(self._player)} of the first four cards to the player, not two")
        self._known = np.zeros(256, dtype=bool)
        self._known[list(rules.points.values())] = True
        self._codes = _compiled(tables, self._player, self._banker, sorted(set(rules.points.values())))
        points = np.array([rules.points[rank] for rank in RANKS], dtype=np.uint16)
        pairs = points[:, None] + points[None, :]
        self._of_player = (pairs * (_SUMS * _THIRDS)).ravel()
        self._of_banker = (pairs * _THIRDS).ravel()
        self._of_thirds = (points[:, None] * _VALUES + points[None, :]).ravel()

    def play(self, values: Cards) -> Results:
        """Play n coups by card values.

        `values`: an array of shape (6, n), or six arrays of n, of dtype uint8 with values 0 to 9 that some rank has:
        row k has the k-th card of each coup in the order in which they leave the shoe. All six are asked for; those
        that a coup doesn't need are not looked at, but have to be values too. Fastest where rows are contiguous.
        Raises `BadCards` for another shape or dtype, and for a value that no card has.
        """
        rows = _rows(values)
        for place, row in enumerate(rows):
            if not self._known[: int(row.max(initial=0)) + 1].all() and not self._known[row].all():
                at = int(np.argmin(self._known[row]))
                raise _no_card(at, place, f"{row[at]} is not the value of a card")
        first, second, third, fourth = (*self._player, *self._banker)

        def index(a: int, b: int, into: Codes, spare: Codes) -> None:
            np.add(rows[first][a:b], rows[second][a:b], out=spare)
            np.multiply(spare, _SUMS * _THIRDS, out=into)
            np.add(rows[third][a:b], rows[fourth][a:b], out=spare)
            np.multiply(spare, _THIRDS, out=spare)
            np.add(into, spare, out=into)
            np.multiply(rows[4][a:b], _VALUES, out=spare)
            np.add(into, spare, out=into)
            np.add(into, rows[5][a:b], out=into)

        return self._results(len(rows[0]), index)

    def play_ranks(self, ranks: Cards) -> Results:
        """Play n coups by ranks: as `play`, with places in `oracle.cards.RANKS` (0 ace, 1 two, … 12 king)."""
        rows = _rows(ranks)
        for place, row in enumerate(rows):
            if row.max(initial=0) >= len(RANKS):
                at = int(np.argmax(row >= len(RANKS)))
                raise _no_card(at, place, f"{row[at]} is not a rank: they are 0 (ace) to 12 (king)")
        pairs = (self._player, self._banker, (4, 5))
        tables = (self._of_player, self._of_banker, self._of_thirds)

        def index(a: int, b: int, into: Codes, spare: Codes) -> None:
            into.fill(0)
            for (first, second), table in zip(pairs, tables, strict=True):
                np.multiply(rows[first][a:b], len(RANKS), out=spare)
                np.add(spare, rows[second][a:b], out=spare)
                np.add(into, table.take(spare, mode="clip"), out=into)

        return self._results(len(rows[0]), index)

    def _results(self, n: int, index: Callable[[int, int, Codes, Codes], None]) -> Results:
        """The results of n coups, of which `index` puts the places in the table into an array, piece by piece."""
        found = Results(*(np.empty(n, dtype=np.uint8) for _ in range(5)))
        buffers = [np.empty(min(n, _PIECE), dtype=np.uint16) for _ in range(3)]
        for a in range(0, n, _PIECE):
            b = min(a + _PIECE, n)
            places, spare, codes = (buffer[: b - a] for buffer in buffers)
            index(a, b, places, spare)
            self._codes.take(places, out=codes, mode="clip")
            np.bitwise_and(codes, _WON, out=found.winner[a:b], casting="unsafe")
            for shift, mask, out in (
                (_PLAYER_TOTAL, _TOTAL, found.player_total),
                (_BANKER_TOTAL, _TOTAL, found.banker_total),
                (_PLAYER_DREW, 1, found.player_cards),
                (_BANKER_DREW, 1, found.banker_cards),
            ):
                np.right_shift(codes, shift, out=spare)
                np.bitwise_and(spare, mask, out=out[a:b], casting="unsafe")
            found.player_cards[a:b] += 2
            found.banker_cards[a:b] += 2
        return found


def _rows(cards: Cards) -> list[Bytes]:
    """The six rows, of one length. Raises `BadCards`."""
    rows = list(cards)
    shapes = {np.shape(row) for row in rows}
    if len(rows) != _PLACES or len(shapes) != 1 or len(shapes.pop()) != 1:
        given = np.shape(cards) if isinstance(cards, np.ndarray) else [np.shape(row) for row in rows]
        raise BadCards(f"cards come as an array of shape (6, n), or as six arrays of n: these are {given}")
    for row in rows:
        if not isinstance(row, np.ndarray) or row.dtype != np.uint8:
            kind = row.dtype if isinstance(row, np.ndarray) else type(row).__name__
            raise BadCards(f"cards come as numpy arrays of uint8, not {kind}: see numpy.ndarray.astype")
    return rows


def _no_card(at: int, place: int, what: str) -> BadCards:
    return BadCards(f"coup {at}, {ORDINALS[place]} card: {what}")


def _compiled(tables: Tables, player: Sequence[int], banker: Sequence[int], values: Sequence[int]) -> Codes:
    """The code of every coup, by both sums and the values of two more cards; 0 where no cards make such a coup."""
    pairs = {a + b: (a, b) for a, b in product(values, values)}
    codes = np.zeros((_SUMS, _SUMS, _VALUES, _VALUES), dtype=np.uint16)
    cards = [0] * _PLACES
    for player_sum, banker_sum in product(pairs, pairs):
        for places, total in ((player, player_sum), (banker, banker_sum)):
            for place, value in zip(places, pairs[total], strict=True):
                cards[place] = value
        for cards[4], cards[5] in product(values, values):
            drew = _drew(tables, player_sum, banker_sum)
            codes[player_sum, banker_sum, cards[4], cards[5]] = _code(tables.play(cards), player_drew=drew)
    return codes.ravel()


def _drew(tables: Tables, player_sum: int, banker_sum: int) -> bool:
    """Whether the player draws on these sums of two cards."""
    totals = (tables.totals[player_sum], tables.totals[banker_sum])
    return not tables.stops[totals] and tables.player_draws[totals]


def _code(result: TableResult, *, player_drew: bool) -> int:
    banker_drew = result.cards_used - 4 - player_drew
    return (
        WINNERS.index(result.winner)
        | result.player_total << _PLAYER_TOTAL
        | result.banker_total << _BANKER_TOTAL
        | player_drew << _PLAYER_DREW
        | banker_drew << _BANKER_DREW
    )

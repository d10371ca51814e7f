"""One tableau over all coups: which of them happen, and how they end. Made once, then counted for any shoe.

This module needs numpy; import it where it is used.
"""

from __future__ import annotations

from functools import cached_property, lru_cache

import numpy as np  # noqa: TID253 (imported where it is used)

from oracle.game.end import End
from oracle.game.space import Row
from oracle.odds.decisions import Decisions
from oracle.odds.ways import Numbers, Weighed, all_ways
from oracle.rules.questions import THIRD
from oracle.rules.values import NONE, Value

_NO = -1


class Tableau:
    """The coups that decisions let happen, grouped by end.

    `ends` are those that happen; `happens` says for each row of `Ways` whether coups go so.
    """

    def __init__(self, made: Decisions) -> None:
        ways = all_ways()
        totals = np.full(28, _NO)
        for sum_, total in made.totals:
            totals[sum_] = total
        stops, draws = np.full((10, 10), _NO), np.full((10, 10), _NO)
        banker_draws = np.full((10, 10, 11, 10), _NO)
        for table, answers in ((stops, made.stops), (draws, made.player_draws), (banker_draws, made.banker_draws)):
            for state, answer in answers:
                table[_place(state)] = answer
        player2, banker2 = totals[ways.player], totals[ways.banker]
        drew, banker_drew = ways.player_third >= 0, ways.banker_third >= 0
        player = totals[ways.player + np.where(drew, ways.player_third, 0)]
        banker = totals[ways.banker + np.where(banker_drew, ways.banker_third, 0)]
        stop = stops[player2, banker2]
        then = banker_draws[player2, banker2, ways.player_third + 1, player]
        happens = np.where(
            stop == 1, ~drew & ~banker_drew, (stop == 0) & (draws[player2, banker2] == drew) & (then == banker_drew)
        )
        happens &= (player2 >= 0) & (banker2 >= 0) & (player >= 0) & (banker >= 0)
        code = _code(player2, banker2, ways.player_third, ways.banker_third, player, banker)
        self.happens = happens
        self._names = np.unique(code[happens])
        self._end = np.where(happens, np.searchsorted(self._names, code), _NO)
        self.ends = [_end(int(name)) for name in self._names]
        self._tables = totals, stops, draws, banker_draws

    @cached_property
    def of_six(self) -> Numbers:
        """The place among `ends` of the end of each of `six_cards`, however many of its cards the coup uses.

        -1 where it has none, which is where the rules know of no such cards.
        """
        ways, rows = all_ways(), six_cards()
        totals, stops, draws, banker_draws = self._tables
        fifth, sixth = ways.player_third[rows], ways.banker_third[rows]
        player2, banker2 = totals[ways.player[rows]], totals[ways.banker[rows]]
        drew = (stops[player2, banker2] == 0) & (draws[player2, banker2] == 1)
        third = np.where(drew, fifth, _NO)
        player = totals[ways.player[rows] + np.where(drew, fifth, 0)]
        banker_drew = (stops[player2, banker2] == 0) & (banker_draws[player2, banker2, third + 1, player] == 1)
        fourth = np.where(banker_drew, np.where(drew, sixth, fifth), _NO)
        banker = totals[ways.banker[rows] + np.where(banker_drew, fourth, 0)]
        code = _code(player2, banker2, third, fourth, player, banker)
        place = np.minimum(np.searchsorted(self._names, code), len(self._names) - 1)
        return np.where(self._names[place] == code, place, _NO)

    @cached_property
    def by_end(self) -> Weighed:
        """The coups by end."""
        return all_ways().grouped(self._end)

    @cached_property
    def by_equals(self) -> Weighed:
        """The coups by end, and by the value of each hand's first two cards if these are of the same value."""
        ways = all_ways()
        player = np.where(ways.player_equal, ways.player // 2 + 1, 0)
        banker = np.where(ways.banker_equal, ways.banker // 2 + 1, 0)
        return ways.grouped(np.where(self._end >= 0, (self._end * 11 + player) * 11 + banker, _NO))

    @cached_property
    def equals(self) -> tuple[Numbers, Numbers, Numbers]:
        """For each group of `by_equals` its end, and both values that come twice, plus one (0 = none)."""
        names = self.by_equals.names
        return names // 121, names // 11 % 11, names % 11

    def classes(self, class_of_end: Numbers) -> Weighed:
        """The coups by class, if ends are of these classes."""
        return all_ways().grouped(np.where(self._end >= 0, class_of_end[self._end], _NO))


@lru_cache(maxsize=32)
def tableau_of(made: Decisions) -> Tableau:
    """The tableau of these decisions; the last ones are kept."""
    return Tableau(made)


@lru_cache(maxsize=1)
def six_cards() -> Numbers:
    """The rows of `Ways` in which all six cards are told; the two thirds are then the fifth and the sixth card."""
    ways = all_ways()
    return np.flatnonzero((ways.player_third >= 0) & (ways.banker_third >= 0))


def _code(  # noqa: PLR0917 (the six fields of an end)
    player2: Numbers, banker2: Numbers, player_third: Numbers, banker_third: Numbers, player: Numbers, banker: Numbers
) -> Numbers:
    code = (player2 * 10 + banker2) * 11 + player_third + 1
    found: Numbers = ((code * 11 + banker_third + 1) * 10 + player) * 10 + banker
    return found


def _place(state: Row) -> tuple[int, ...]:
    """Where a state stands in a table: totals as they are, a third card by its place among none and the values."""
    return tuple(THIRD.index(value) if i == 2 else int(value) for i, value in enumerate(state))


def _end(code: int) -> End:
    code, banker = divmod(code, 10)
    code, player = divmod(code, 10)
    code, banker_third = divmod(code, 11)
    code, player_third = divmod(code, 11)
    player2, banker2 = divmod(code, 10)
    return End(player2, banker2, _third(player_third), _third(banker_third), player, banker)


def _third(number: int) -> Value:
    return NONE if number == 0 else number - 1

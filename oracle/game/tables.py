"""A resolved rule set as plain lookup tables: coups by card values at the speed of dictionary look-ups."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import msgspec

from oracle.game.end import End
from oracle.game.rules import Rules
from oracle.rules.values import NONE, Value
from oracle.spans import BadChoice, Undecided


class TableResult(msgspec.Struct, frozen=True):
    """A coup by values: winner, final totals and number of cards used."""

    winner: str
    player_total: int
    banker_total: int
    cards_used: int


class Tables:
    """Every decision of a coup, compiled. Raises `Undecided` if one is open, `BadChoice` if it is free."""

    def __init__(self, rules: Rules) -> None:
        self.points = rules.points
        self.totals = rules.totals
        self.deals = tuple(_single(rules, "deal_order", (place,)) == "player" for place in (1, 2, 3, 4))
        self.stops = {row: answer == "stop" for row, answer in _all(rules, "natural").items()}
        self.player_draws = {row: answer == "draw" for row, answer in _all(rules, "player_draw").items()}
        self.banker_draws = {row: answer == "draw" for row, answer in _all(rules, "banker_draw").items()}
        winners = dict(zip(rules.every_end, _all(rules, "winner").values(), strict=True))
        self.winners = _by_totals(winners)
        self.ends = {} if self.winners else winners

    def play(self, values: Sequence[int]) -> TableResult:
        """Play a coup from values 0-9 in deal order. Raises `IndexError` if some lack."""
        sums = [0, 0]
        for place in range(4):
            sums[0 if self.deals[place] else 1] += values[place]
        used = 4
        totals = self.totals
        player2, banker2 = totals[sums[0]], totals[sums[1]]
        player_third: Value = NONE
        banker_third: Value = NONE
        player_total, banker_total = player2, banker2
        if not self.stops[player2, banker2]:
            if self.player_draws[player2, banker2]:
                player_third = values[used]
                player_total = totals[sums[0] + player_third]
                used += 1
            if self.banker_draws[player2, banker2, player_third, player_total]:
                banker_third = values[used]
                banker_total = totals[sums[1] + banker_third]
                used += 1
        if self.winners:
            winner = self.winners[player_total, banker_total]
        else:
            winner = self.ends[End(player2, banker2, player_third, banker_third, player_total, banker_total)]
        return TableResult(winner, player_total, banker_total, used)


def _single(rules: Rules, question: str, row: tuple[Value, ...]) -> str:
    return _all(rules, question)[row]


def _all(rules: Rules, question: str) -> dict[tuple[Value, ...], str]:
    from oracle.game.coup import show_state, shown_state, why_open

    evaluation = rules.evaluation(question)
    found = {}
    for i, row in enumerate(evaluation.space.rows):
        answer = evaluation.answer(i)
        if not answer:
            raise Undecided(question, show_state(shown_state(evaluation, i)), why_open(evaluation, i))
        if len(answer) > 1:
            raise BadChoice(f"{question} is a free choice for {show_state(shown_state(evaluation, i))}")
        found[row] = str(answer[0])
    return found


def _by_totals(winners: Mapping[End, str]) -> dict[tuple[int, int], str]:
    """The winners by final totals; empty where they don't follow from these alone."""
    found: dict[tuple[int, int], str] = {}
    alone = all(found.setdefault(end.totals, winner) == winner for end, winner in winners.items())
    return found if alone else {}

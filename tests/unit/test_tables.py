"""Compiled tables play every coup as the oracle with its trace does."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st

from oracle.cards import Card
from oracle.game.coup import play
from oracle.game.rules import Rules
from oracle.game.tables import Tables
from oracle.rules.library import Library
from oracle.spans import BadChoice, Undecided

Make = Callable[..., Rules]

RANK = {0: "K", 1: "A", **{value: str(value) for value in range(2, 10)}}
SHIPPED = {rule_set.id: Rules(spec, rule_set) for spec in Library().specs() for rule_set in spec.rule_sets}
COMPILED = {id: Tables(rules) for id, rules in SHIPPED.items()}


@settings(deadline=None, max_examples=300)
@given(st.sampled_from(sorted(SHIPPED)), st.lists(st.integers(0, 9), min_size=6, max_size=6))
def test_tables_play_like_the_oracle(id: str, values: list[int]) -> None:
    assume(id != "grid-pt" or all(values.count(value) <= 4 for value in values))  # it has one deck
    coup = play(SHIPPED[id], [Card(RANK[value]) for value in values])
    result = COMPILED[id].play(values)
    assert result.winner == coup.winner
    assert result.player_total == coup.player.total
    assert result.banker_total == coup.banker.total
    assert result.cards_used == coup.cards_used


@pytest.mark.parametrize(
    ("values", "expected"),
    [
        ([4, 2, 9, 1, 8, 5], ("banker", 1, 3, 5)),
        ([4, 2, 9, 1, 7, 5], ("banker", 0, 8, 6)),
        ([8, 9, 0, 0], ("banker", 8, 9, 4)),
        ([3, 2, 3, 3, 4], ("banker", 6, 9, 5)),
    ],
)
def test_tables_play_coups_worked_out_by_hand(values: list[int], expected: tuple[str, int, int, int]) -> None:
    for tables in COMPILED.values():
        result = tables.play(values)
        assert (result.winner, result.player_total, result.banker_total, result.cards_used) == expected


def test_too_few_values_are_an_error_and_never_a_stand() -> None:
    with pytest.raises(IndexError):
        COMPILED["home-pt"].play([4, 2, 9, 1])


def test_rules_that_leave_a_state_open_cant_be_compiled(plain_rules: Make) -> None:
    player = "  - {id: player, cite: '5', says: x, about: player_draw, when: {player2: 0-5}, then: draw}\n"
    with pytest.raises(Undecided, match="player_draw is undecided for player2 6.*no statement speaks"):
        Tables(plain_rules({"player": player}))


def test_literal_rules_with_open_states_cant_be_compiled(shipped_literal: dict[str, Rules]) -> None:
    with pytest.raises(Undecided):
        Tables(shipped_literal["grid-pt"])
    assert Tables(shipped_literal["home-pt"]).play([8, 9, 0, 0]).winner == "banker"


def test_a_free_choice_cant_be_compiled(plain_rules: Make) -> None:
    player = """\
  - id: player
    cite: "5"
    says: x
    about: player_draw
    cases:
      - {when: {player2: 5}, then: draw | stand}
      - {when: {player2: 0-4}, then: draw}
      - {when: {player2: 6-7}, then: stand}
"""
    with pytest.raises(BadChoice, match="player_draw is a free choice for player2 5"):
        Tables(plain_rules({"player": player}, tail="choosers: {player_draw: player}\n"))


def test_a_winner_that_doesnt_follow_from_the_totals_is_looked_up_by_the_end(plain_rules: Make) -> None:
    winner = """\
  - id: winner
    cite: "18"
    says: a natural beats equal totals of three cards, else the higher wins
    about: winner
    cases:
      - {when: {higher: player}, then: player}
      - {when: {higher: banker}, then: banker}
      - {when: {higher: equal, natural: none}, then: banker}
      - {when: {higher: equal, natural: both}, then: tie}
"""
    tables = Tables(plain_rules({"winner": winner}))
    assert tables.winners == {}
    assert tables.play([8, 8, 0, 0]).winner == "tie"
    assert tables.play([6, 6, 0, 0]).winner == "banker"

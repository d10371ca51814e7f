"""Reachability: a question has the states that the answers before it let a coup reach, and no others."""

from __future__ import annotations

from collections.abc import Callable, Iterator

import pytest

from oracle.game.rules import Rules

Make = Callable[..., Rules]
End = tuple[int, int, int | str, int | str, int, int]

CHOICE = """\
  - id: player
    cite: "5"
    says: with five the player is free
    about: player_draw
    cases:
      - {cite: "6", when: {player2: 0-4}, then: draw}
      - {cite: "6", when: {player2: 5}, then: draw | stand}
      - {cite: "7", when: {player2: 6-7}, then: stand}
"""
CHOOSER = "choosers: {player_draw: player}\n"


def banker_draws(banker2: int, third: int) -> bool:
    """The usual table, written down once more."""
    drawn = {3: {0, 1, 2, 3, 4, 5, 6, 7, 9}, 4: {2, 3, 4, 5, 6, 7}, 5: {4, 5, 6, 7}, 6: {6, 7}, 7: set()}
    return banker2 <= 2 or third in drawn[banker2]


def ends() -> Iterator[End]:
    """Every end of the usual game by totals and third cards, without the oracle."""
    for p in range(10):
        for b in range(10):
            if p >= 8 or b >= 8 or (p >= 6 and b >= 6):
                yield p, b, "none", "none", p, b
            elif p >= 6:
                yield from ((p, b, "none", u, p, (b + u) % 10) for u in range(10))
            else:
                for t in range(10):
                    if banker_draws(b, t):
                        yield from ((p, b, t, u, (p + t) % 10, (b + u) % 10) for u in range(10))
                    else:
                        yield p, b, t, "none", (p + t) % 10, b


def test_every_pair_of_two_card_totals_is_asked_for_a_natural(plain_rules: Make) -> None:
    assert plain_rules().space("natural").rows == [(p, b) for p in range(10) for b in range(10)]


def test_the_player_acts_in_64_states_and_8_cells(plain_rules: Make) -> None:
    space = plain_rules().space("player_draw")
    assert space.rows == [(p, b) for p in range(8) for b in range(8)]
    assert len(set(space.column("player2"))) == 8


def test_the_banker_acts_in_496_states_and_88_cells(plain_rules: Make) -> None:
    space = plain_rules().space("banker_draw")
    drew = {(p, b, t, (p + t) % 10) for p in range(6) for b in range(8) for t in range(10)}
    stood = {(p, b, "none", p) for p in (6, 7) for b in range(8)}
    assert set(space.rows) == drew | stood
    assert len(space) == 496
    assert len(set(zip(space.column("banker2"), space.column("player_third"), strict=True))) == 88


def test_the_banker_acts_in_504_states_where_the_player_is_free_on_five(plain_rules: Make) -> None:
    space = plain_rules({"player": CHOICE}, tail=CHOOSER).space("banker_draw")
    assert len(space) == 504
    assert {row[1] for row in space.rows if row[0] == 5 and row[2] == "none"} == set(range(8))
    assert {row[2] for row in space.rows if row[0] == 5} == {"none", *range(10)}


def test_an_undecided_state_leads_nowhere(plain_rules: Make) -> None:
    assert 5 not in {row[0] for row in plain_rules({"player": CHOICE}).space("banker_draw").rows}


def test_a_coup_ends_in_3394_ways_and_205_classes_of_totals_and_cards(plain_rules: Make) -> None:
    space = plain_rules().ends
    assert set(space.rows) == set(ends())
    assert len(space) == len(set(space.rows)) == 3394
    fields = ("player_total", "banker_total", "player_cards", "banker_cards")
    assert len(set(zip(*(space.column(field) for field in fields), strict=True))) == 205


@pytest.mark.parametrize("id", ["grid-pt", "home-pt", "punto-es", "selminha/classica", "selminha/sem-comissao"])
def test_all_shipped_rule_sets_reach_the_same_ends(shipped: dict[str, Rules], id: str) -> None:
    assert set(shipped[id].ends.rows) == set(ends())


PAIRS = """\
  - id: pairs
    cite: "22"
    says: pairs win whoever wins
    about: outcome
    cases:
      - when: {bet: player_pair, player_pair: [rank, card], player_total: any, banker_total: any, player_cards: any,
               banker_cards: any}
        then: win
      - {when: {bet: banker_pair, banker_pair: [rank, card]}, then: win}
"""


def test_ends_fall_into_673_classes_by_totals_cards_and_pairs(plain_rules: Make) -> None:
    expected = {
        (e[4], e[5], 2 + (e[2] != "none"), 2 + (e[3] != "none"), player_pair, banker_pair)
        for e in ends()
        for player_pair in (False, True)[: 2 - e[0] % 2]
        for banker_pair in (False, True)[: 2 - e[1] % 2]
    }
    space = plain_rules(add=PAIRS).end_classes
    names = ("player_total", "banker_total", "player_cards", "banker_cards", "player_pair", "banker_pair")
    columns = [space.column(name) for name in names]
    found = {(*row[:4], row[4] in ("rank", "card"), row[5] in ("rank", "card")) for row in zip(*columns, strict=True)}
    assert found == expected
    assert len(expected) == 673


def test_classes_count_every_end_once_for_each_way_two_cards_are_alike(plain_rules: Make) -> None:
    assert plain_rules().end_classes.states == 3394
    # An odd total of two cards is none alike. An even one may also be a pair, of two suits or of one; and 0 and
    # 10 are made by tens and court cards too, of which two are worth the same without being a pair.
    ways = [4 if total == 0 else 3 if total % 2 == 0 else 1 for total in range(10)]
    assert plain_rules(add=PAIRS).end_classes.states == sum(ways[e[0]] * ways[e[1]] for e in ends())


def test_one_deck_has_no_card_twice(plain_rules: Make) -> None:
    decks = "  - {id: decks, cite: '22', says: x, about: decks, then: 1}\n"
    assert "card" in plain_rules(add=PAIRS).space("outcome").masks("player_pair")
    assert "card" not in plain_rules(add=PAIRS + decks).space("outcome").masks("player_pair")


def test_settling_depends_on_what_money_statements_test(plain_rules: Make) -> None:
    assert plain_rules().end_classes.fields == ("winner",)
    half = {"pays": "  - {id: pays, cite: '20', says: x, about: pays, when: {banker_total: 6}, then: '1:2'}\n"}
    assert plain_rules(half).end_classes.fields == ("banker_total", "winner")


def test_pays_is_asked_only_where_the_bet_wins(plain_rules: Make) -> None:
    space = plain_rules().space("pays")
    assert space.rows == [("player", "player"), ("banker", "banker"), ("tie", "tie")]
    assert plain_rules().space("commission").rows == space.rows


def test_bets_are_those_offered_else_those_that_the_money_statements_name(plain_rules: Make) -> None:
    assert plain_rules().bets == ("player", "banker", "tie")
    offered = "  - {id: offered, cite: '22', says: x, about: bets_offered, then: [tie, dragon]}\n"
    assert plain_rules(add=offered).bets == ("tie", "dragon")


def test_states_whose_earlier_answer_is_open_are_not_reached(plain_rules: Make) -> None:
    total = "  - {id: total, cite: '2', says: x, about: hand_total, when: {sum: '< 10'}, then: units}\n"
    rules = plain_rules({"total": total})
    assert rules.space("natural").states == 100
    thirds = {(row[0], row[2]) for row in rules.space("banker_draw").rows if row[2] != "none"}
    assert thirds == {(p, t) for p in range(6) for t in range(10) if p + t < 10}


def test_whoever_backs_the_player_matters_only_where_rules_ask(plain_rules: Make) -> None:
    asked = CHOICE.replace("{player2: 5}", "{player2: 5, player_backed: yes}") + (
        "      - {cite: '6', when: {player2: 5, player_backed: no}, then: draw}\n"
    )
    assert plain_rules().space("player_draw").fields == ("player2", "banker2")
    assert len(plain_rules({"player": asked}, tail=CHOOSER).space("player_draw")) == 128


def test_literal_rules_have_no_resolutions(shipped_literal: dict[str, Rules]) -> None:
    assert shipped_literal["grid-pt"].resolutions == ()
    assert shipped_literal["grid-pt"].evaluation("hand_total").open != 0


def test_a_table_has_its_own_statements_and_resolutions(shipped: dict[str, Rules]) -> None:
    ids = {table: {c.statement for c in shipped[f"selminha/{table}"].clauses} for table in ("classica", "sem-comissao")}
    assert ids["classica"] - ids["sem-comissao"] == {"with-commission"}
    assert ids["sem-comissao"] - ids["classica"] == {"without-commission", "half-on-six"}

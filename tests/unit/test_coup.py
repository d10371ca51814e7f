"""Playing a coup: the worked example of home-pt, missing and spare cards, open states and free choices."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from oracle.cards import Card, parse_cards
from oracle.game.coup import Coup, Decision, play
from oracle.game.rules import Rules
from oracle.spans import BadCards, BadChoice, Undecided
from tests.nonempty import nonempty

Make = Callable[..., Rules]

FREE_FIVE = """\
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


def coup(rules: Rules, text: str, **options: object) -> Coup:
    return play(rules, parse_cards([text]), **options)  # type: ignore[arg-type]


def decisions(played: Coup) -> dict[str, Decision]:
    return {decision.question: decision for decision in played.trace}


# --- the worked example of home-pt, lines 38 to 40 ----------------------------------------------


def test_against_an_eight_the_banker_stands_on_three_and_wins(shipped: dict[str, Rules]) -> None:
    played = coup(shipped["home-pt"], "4H 2S 9C AD 8D")
    assert [str(card) for card in played.player.cards] == ["4H", "9C", "8D"]
    assert [str(card) for card in played.banker.cards] == ["2S", "AD"]
    assert (played.player.total, played.banker.total) == (1, 3)
    assert (played.winner, played.natural, played.cards_used) == ("banker", "none", 5)
    assert played.unused == ()


def test_the_stand_comes_from_line_26_and_line_21_is_the_row_that_didnt_apply(shipped: dict[str, Rules]) -> None:
    decision = decisions(coup(shipped["home-pt"], "4H 2S 9C AD 8D"))["banker_draw"]
    assert decision.answer == "stand"
    assert [(clause.lines, clause.otherwise) for clause in decision.fired] == [("26.1", True)]
    assert [clause.lines for clause in decision.not_applied] == ["21"]
    assert (decision.resolution, decision.assumed, decision.chosen_by) == ("", False, "")
    assert {"banker2": 3, "player_third": 8, "player_drew": "yes"}.items() <= decision.state.items()


def test_against_a_seven_the_banker_must_draw(shipped: dict[str, Rules]) -> None:
    played = coup(shipped["home-pt"], "4H 2S 9C AD 7D 5C")
    assert [str(card) for card in played.banker.cards] == ["2S", "AD", "5C"]
    assert (played.player.total, played.banker.total, played.winner) == (0, 8, "banker")
    decision = decisions(played)["banker_draw"]
    assert decision.answer == "draw"
    assert [clause.lines for clause in decision.fired] == ["21"]
    assert decision.not_applied == ()


def test_the_trace_tells_every_decision_of_the_coup_in_order(shipped: dict[str, Rules]) -> None:
    played = coup(shipped["home-pt"], "4H 2S 9C AD 8D")
    assert [(d.question, d.answer) for d in played.trace] == [
        ("natural", "continue"),
        ("player_draw", "draw"),
        ("banker_draw", "stand"),
        ("winner", "banker"),
    ]
    assert [clause.lines for clause in decisions(played)["player_draw"].fired] == ["16.1"]


def test_a_natural_ends_the_coup_with_four_cards(shipped: dict[str, Rules]) -> None:
    played = coup(shipped["home-pt"], "8S 2H KD 5C AC AH")
    assert (played.winner, played.natural, played.cards_used) == ("player", "player", 4)
    assert [str(card) for card in played.unused] == ["AC", "AH"]
    assert [d.question for d in played.trace] == ["natural", "winner"]


@pytest.mark.parametrize(("text", "natural", "winner"), [("8 9 K K", "both", "banker"), ("9 8 K K", "both", "player"),
    ("8 8 K K", "both", "tie"), ("9 9 K K", "both", "tie"), ("7 8 K K", "banker", "banker")])  # fmt: skip
def test_nine_beats_eight_and_equal_naturals_tie(
    shipped: dict[str, Rules], text: str, natural: str, winner: str
) -> None:
    for rules in nonempty(shipped.values()):
        played = coup(rules, text)
        assert (played.natural, played.winner, played.cards_used) == (natural, winner, 4)


# --- cards --------------------------------------------------------------------------------------


def test_spare_cards_are_unused_and_change_nothing(shipped: dict[str, Rules]) -> None:
    spare = coup(shipped["home-pt"], "4H 2S 9C AD 8D KC QS")
    assert [str(card) for card in spare.unused] == ["KC", "QS"]
    assert spare.trace == coup(shipped["home-pt"], "4H 2S 9C AD 8D").trace


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("", "the first card is missing, the player's first: the coup starts with four cards, and only 0 came"),
        ("4 2", "the third card is missing, the player's second: the coup starts with four cards, and only 2 came"),
        ("4 2 9", "the fourth card is missing, the banker's second: the coup starts with four cards"),
        ("4 2 9 A", "the fifth card is missing, the player's third: the player draws"),
        ("4 2 9 A 7", "the sixth card is missing, the banker's third: the banker draws"),
        ("3 2 3 A", "the fifth card is missing, the banker's third: the banker draws"),
    ],
)
def test_a_missing_card_is_named_with_its_hand_and_why_it_is_needed(
    shipped: dict[str, Rules], text: str, message: str
) -> None:
    with pytest.raises(BadCards) as caught:
        coup(shipped["home-pt"], text)
    assert str(caught.value).startswith(message)


@pytest.mark.parametrize(
    ("id", "text", "message"),
    [
        ("home-pt", "8S " * 9, "8S stands 9 times: 8 decks hold 8"),
        ("home-pt", "8 " * 33, "8 stands 33 times: 8 decks hold 32"),
        ("grid-pt", "8S 8S 2 2", "8S stands 2 times: 1 deck holds 1"),
        ("grid-pt", "8 8 8 8 8", "8 stands 5 times: 1 deck holds 4"),
        ("grid-pt", "8S 8 8 8 8", "8 stands 5 times: 1 deck holds 4"),
    ],
)
def test_no_card_comes_more_often_than_the_shoe_holds_it(
    shipped: dict[str, Rules], id: str, text: str, message: str
) -> None:
    with pytest.raises(BadCards, match=message):
        coup(shipped[id], text)


def test_as_many_as_the_shoe_holds_are_fine(shipped: dict[str, Rules]) -> None:
    assert coup(shipped["home-pt"], "8S " * 8).winner == "tie"
    assert coup(shipped["grid-pt"], "8S 8H 8C 8D").player.total == 6


def test_where_the_deck_count_is_never_said_any_cards_are_fine(shipped: dict[str, Rules]) -> None:
    assert coup(shipped["punto-es"], "8S " * 60).winner == "tie"


@pytest.mark.parametrize("text", ["4H 2S 9C AD 8D", "4h,2s,9c,ad,8d", " 4H\t2S  9C, AD ,8D "])
def test_cards_stand_apart_by_spaces_or_commas_in_any_case(text: str) -> None:
    assert [str(card) for card in parse_cards([text])] == ["4H", "2S", "9C", "AD", "8D"]


@pytest.mark.parametrize(
    ("cards", "alike"),
    [("QS KD", "value"), ("KS KD", "rank"), ("KS KS", "card"), ("K K", "rank"), ("K KS", "rank"), ("5 6", "none")],
)
def test_first_cards_are_alike_in_value_rank_or_card(shipped: dict[str, Rules], cards: str, alike: str) -> None:
    first, second = cards.split()
    assert coup(shipped["punto-es"], f"{first} 8 {second} K A A").alike["player"] == alike


# --- what the rules leave open -------------------------------------------------------------------


def test_the_literal_grid_document_is_undecided_on_a_sum_that_no_example_shows(
    shipped_literal: dict[str, Rules],
) -> None:
    with pytest.raises(Undecided) as caught:
        coup(shipped_literal["grid-pt"], "4H 2S 9C AD 8D")
    assert str(caught.value) == "hand_total is undecided for sum 3: no statement speaks"


def test_the_literal_pastime_is_undecided_where_a_row_has_no_standing(shipped_literal: dict[str, Rules]) -> None:
    with pytest.raises(Undecided, match="banker_draw is undecided for .*no statement speaks") as caught:
        coup(shipped_literal["selminha/classica"], "4H 2S 9C AD 8D")
    assert caught.value.question == "banker_draw"
    assert "banker2 3" in caught.value.state
    assert "player_third 8" in caught.value.state


def test_a_document_without_a_deal_order_deals_nothing(shipped_literal: dict[str, Rules]) -> None:
    with pytest.raises(Undecided) as caught:
        coup(shipped_literal["punto-es"], "8 9 K K")
    assert str(caught.value) == "deal_order is undecided for position 1: no statement speaks"


def test_readings_that_differ_are_no_answer(plain_rules: Make) -> None:
    total = """\
  - id: total
    cite: "2"
    says: tens are taken off
    readings:
      tens: {about: hand_total, then: units}
      all: {about: hand_total, when: {sum: "<= 9"}, then: sum}
"""
    with pytest.raises(Undecided, match="hand_total is undecided for sum 13: the readings of total differ"):
        coup(plain_rules({"total": total}), "4 2 9 A 8")


def test_a_state_with_conflicting_statements_is_no_answer(plain_rules: Make) -> None:
    other = "  - {id: on, cite: '22', says: x, about: natural, when: {natural: both}, then: continue}\n"
    with pytest.raises(Undecided, match=r"natural \(line 4\) and on \(line 22\) leave no answer"):
        coup(plain_rules(add=other), "8 9 K K")


def test_two_permitted_actions_that_nobody_chooses_are_no_answer(plain_rules: Make) -> None:
    with pytest.raises(Undecided, match=r"player/6#2 \(line 6\) permit.* nobody is named to choose"):
        coup(plain_rules({"player": FREE_FIVE}), "2 2 3 A 8 8")


def test_the_literal_text_plays_where_it_decides(shipped_literal: dict[str, Rules]) -> None:
    assert coup(shipped_literal["home-pt"], "4H 2S 9C AD 8D").winner == "banker"
    assert coup(shipped_literal["selminha/classica"], "4 2 9 A 7 5").winner == "banker"


# --- free choice ---------------------------------------------------------------------------------


def test_a_free_choice_has_to_be_made(plain_rules: Make) -> None:
    rules = plain_rules({"player": FREE_FIVE}, tail=CHOOSER)
    with pytest.raises(
        BadChoice, match=r"the player may draw or stand .*--choose player=draw or --choose player=stand"
    ):
        coup(rules, "2 2 3 A 8 8")


@pytest.mark.parametrize(("action", "player", "banker"), [("draw", "2 3 8", "2 A"), ("stand", "2 3", "2 A 8")])
def test_a_free_choice_is_played_as_made_and_told(plain_rules: Make, action: str, player: str, banker: str) -> None:
    rules = plain_rules({"player": FREE_FIVE}, tail=CHOOSER)
    played = coup(rules, "2 2 3 A 8 8", choose={"player": action})
    assert " ".join(map(str, played.player.cards)) == player
    assert " ".join(map(str, played.banker.cards)) == banker
    decision = decisions(played)["player_draw"]
    assert (decision.answer, decision.chosen_by) == (action, "player")


def test_what_the_rules_forbid_cant_be_chosen(plain_rules: Make) -> None:
    with pytest.raises(BadChoice, match="the player can't stand here: the rules say draw"):
        coup(plain_rules(), "2 2 3 A 8 8", choose={"player": "stand"})


def test_choosing_what_the_rules_say_anyway_is_no_choice(plain_rules: Make) -> None:
    played = coup(plain_rules(), "2 2 3 A 8 8", choose={"player": "draw"})
    assert decisions(played)["player_draw"].chosen_by == ""


@pytest.mark.parametrize("choice", [{"dealer": "draw"}, {"player": "split"}, {"": ""}])
def test_nonsense_is_no_choice(plain_rules: Make, choice: dict[str, str]) -> None:
    with pytest.raises(BadChoice, match="is no choice: write player=draw"):
        coup(plain_rules(), "2 2 3 A 8 8", choose=choice)


def test_rules_that_ask_who_is_backed_hear_of_the_bets(plain_rules: Make) -> None:
    asked = FREE_FIVE.replace("{player2: 5}", "{player2: 5, player_backed: yes}") + (
        "      - {cite: '6', when: {player2: 5, player_backed: no}, then: draw}\n"
    )
    rules = plain_rules({"player": asked}, tail=CHOOSER)
    assert len(coup(rules, "2 2 3 A 8 8").player.cards) == 3
    with pytest.raises(BadChoice):
        coup(rules, "2 2 3 A 8 8", bets=["player"])


# --- why ------------------------------------------------------------------------------------------


def test_a_resolution_that_decides_a_state_is_named_and_no_statement_is(shipped: dict[str, Rules]) -> None:
    decision = decisions(coup(shipped["selminha/classica"], "4H 2S 9C AD 8D"))["banker_draw"]
    assert (decision.answer, decision.resolution, decision.fired) == ("stand", "unlisted-stands", ())
    assert [clause.lines for clause in decision.not_applied] == ["43"]


def test_a_resolution_that_set_a_statement_aside_is_named_beside_the_one_that_holds(
    shipped: dict[str, Rules],
) -> None:
    decision = decisions(coup(shipped["grid-pt"], "8 9 K K"))["natural"]
    assert (decision.answer, decision.resolution) == ("stop", "naturals-stop")
    assert [clause.statement for clause in decision.fired] == ["naturals-settle"]


def test_an_assumed_answer_is_told(plain_rules: Make) -> None:
    decision = decisions(coup(plain_rules(), "2 2 3 A 8 8"))["natural"]
    assert (decision.answer, decision.assumed, decision.fired) == ("continue", True, ())


def test_deal_order_is_what_the_document_says(plain_rules: Make) -> None:
    pairs = """\
  - id: deal
    cite: "3"
    says: two and two
    about: deal_order
    cases:
      - {when: {position: [1, 2]}, then: player}
      - {when: {position: [3, 4]}, then: banker}
"""
    played = coup(plain_rules({"deal": pairs}), "8 K 7 K")
    assert (played.player.cards, played.banker.total) == ((Card("8"), Card("K")), 7)

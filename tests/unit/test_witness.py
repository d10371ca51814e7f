"""Witnesses: the least state of a set, shown by cards that anybody can lay on a table."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from oracle.checks.witness import WitnessFailed, lay, witness
from oracle.game.rules import Rules
from oracle.rules.library import Library

Make = Callable[..., Rules]

SHIPPED = {rule_set.id: Rules(spec, rule_set) for spec in Library().specs() for rule_set in spec.rule_sets}
COUP = ("natural", "player_draw", "banker_draw", "winner", "outcome", "pays", "commission")


def value(card: str) -> int:
    """What a card is worth, by the rank that it begins with."""
    return int(card[0]) if card[0].isdigit() else int(card[0] == "A")


def totals_of(cards: tuple[str, ...]) -> tuple[int, int]:
    """The two-card totals of cards dealt in turn."""
    return (value(cards[0]) + value(cards[2])) % 10, (value(cards[1]) + value(cards[3])) % 10


@settings(deadline=None, max_examples=200)
@given(st.data())
def test_a_witness_shows_the_least_state_of_a_set_with_its_cards(data: st.DataObject) -> None:
    rules = SHIPPED[data.draw(st.sampled_from(sorted(SHIPPED)))]
    question = data.draw(st.sampled_from(COUP))
    space = rules.space(question)
    places = data.draw(st.sets(st.integers(0, len(space) - 1), min_size=1, max_size=5))
    found = witness(rules, question, sum(1 << place for place in places))
    example = space.example(min(places))
    assert totals_of(found.cards) == (example["player2"], example["banker2"])
    thirds = [int(example[f]) for f in ("player_third", "banker_third") if example.get(f, "none") != "none"]
    assert [value(card) for card in found.cards[4:]] == thirds
    assert found.state.items() <= {**space.state(min(places), rules.evaluation(question).question.fields)}.items()


def test_states_come_with_the_fewest_cards_first_then_in_deal_order() -> None:
    rules = SHIPPED["home-pt"]
    for question, full in ((q, rules.space(q).full) for q in COUP):
        assert witness(rules, question, full).cards[:4] == witness(rules, question, 1).cards[:4]
    ends = rules.space("winner").rows
    cards = [(row[2] != "none") + (row[3] != "none") for row in ends]
    assert cards == sorted(cards)
    two = [row[:2] for row, count in zip(ends, cards, strict=True) if count == 0]
    assert two == sorted(two)
    draws = rules.space("banker_draw").rows
    assert [row[2] for row in draws[:16]] == ["none"] * 16
    assert draws[16:] == sorted(draws[16:])


@pytest.mark.parametrize(
    ("question", "state", "text", "cards"),
    [
        ("natural", (8, 8), "P 8 K | B 8 Q", ("8", "8", "K", "Q")),
        ("natural", (0, 9), "P T K | B 9 Q", ("T", "9", "K", "Q")),
        ("banker_draw", (0, 3, 8, 8), "P T K | B 3 Q | then 8", ("T", "3", "K", "Q", "8")),
        ("winner", (5, 3, 7, 0, 2, 3), "P 5 K | B 3 Q | then 7 T", ("5", "3", "K", "Q", "7", "T")),
    ],
)
def test_a_total_is_laid_as_one_card_beside_a_court_card(
    question: str, state: tuple[int, ...], text: str, cards: tuple[str, ...]
) -> None:
    place = SHIPPED["home-pt"].space(question).index(state)
    assert place is not None
    found = witness(SHIPPED["home-pt"], question, 1 << place)
    assert (found.text, found.cards) == (text, cards)


def test_cards_follow_the_deal_order_of_the_document(plain_rules: Make) -> None:
    deal = """\
  - id: deal
    cite: "3"
    says: two and two, the banker first
    about: deal_order
    cases:
      - {when: {position: [1, 2]}, then: banker}
      - {when: {position: [3, 4]}, then: player}
"""
    rules = plain_rules({"deal": deal})
    found = witness(rules, "natural", 1 << (rules.space("natural").index((8, 9)) or 0))
    assert (found.text, found.cards) == ("P 8 K | B 9 Q", ("9", "Q", "8", "K"))


def test_pairs_are_laid_as_pairs() -> None:
    rules = SHIPPED["selminha/classica"]
    space = rules.space("outcome")
    for kind, cards in (("none", "9 A"), ("value", "T K"), ("rank", "KH KS"), ("card", "KH KH")):
        rows = space.column("bet"), space.column("player_pair"), (space.example(i) for i in range(len(space)))
        place = next(
            i
            for i, (bet, pair, example) in enumerate(zip(*rows, strict=True))
            if bet == "player_pair" and pair == kind and example["player2"] == 0
        )
        assert witness(rules, "outcome", 1 << place).text.startswith(f"P {cards} | B ")


def test_questions_without_hands_show_the_card_the_hand_or_the_state() -> None:
    rules = SHIPPED["home-pt"]
    assert witness(rules, "card_points", 1 << 12).cards == ("K",)
    assert witness(rules, "hand_total", 1 << 13).cards == ("4", "9")
    assert witness(rules, "hand_total", 1 << 27).cards == ("9", "9", "9")
    assert witness(rules, "deal_order", 1 << 2).text == "position 3"


def test_a_free_choice_is_made_so_that_the_state_is_reached(plain_rules: Make) -> None:
    player = """\
  - id: player
    cite: "5"
    says: x
    about: player_draw
    cases:
      - {when: {player2: 0-4}, then: draw}
      - {when: {player2: 5}, then: draw | stand}
      - {when: {player2: 6-7}, then: stand}
"""
    rules = plain_rules({"player": player}, tail="choosers: {player_draw: player}\n")
    for state in ((5, 3, "none", 5), (5, 3, 8, 3)):
        place = rules.space("banker_draw").index(state)
        assert place is not None
        assert witness(rules, "banker_draw", 1 << place).text.startswith("P 5 K | B 3 Q")


def test_one_deck_that_holds_the_cards_is_enough() -> None:
    rules = SHIPPED["grid-pt"]
    place = rules.space("winner").index((1, 1, 1, 1, 2, 2))
    assert place is not None
    assert witness(rules, "winner", 1 << place).cards == ("A", "A", "K", "Q", "A", "A")


def test_no_cards_are_shown_that_the_deck_doesnt_hold(plain_rules: Make) -> None:
    pairs = """\
  - {id: one, cite: "22", says: x, about: decks, then: 1}
  - id: pairs
    cite: "22"
    says: x
    about: outcome
    cases:
      - when: {bet: pairs, player_pair: rank, banker_pair: rank, player_third: 1, banker_third: 1,
               player_total: 3, banker_total: 3}
        then: win
"""
    rules = plain_rules(add=pairs)
    evaluation = rules.evaluation("outcome")
    found = witness(rules, "outcome", evaluation.masks["pairs/22"])
    assert found.cards == ()
    assert "player_pair rank, banker_pair rank" in found.text


def test_a_witness_that_isnt_reached_is_a_mistake_of_the_program(monkeypatch: pytest.MonkeyPatch) -> None:
    rules = SHIPPED["home-pt"]

    def wrong(rules: Rules, example: dict[str, object]) -> object:
        return lay(rules, {**example, "player2": 7})  # type: ignore[dict-item]

    monkeypatch.setattr("oracle.checks.witness.lay", wrong)
    with pytest.raises(WitnessFailed, match="home-pt natural: P 7 K | B T Q ends in"):
        witness(rules, "natural", 1)

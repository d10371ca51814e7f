"""Answers: what docs/language.md, "Questions", lets a text answer, exactly and in no other way."""

from __future__ import annotations

from fractions import Fraction

import pytest

from oracle.rules.answers import (
    AnswerError,
    Atom,
    is_bet_name,
    parse_answer,
    parse_odds,
    parse_share,
    show_atom,
    show_number,
)
from oracle.rules.questions import QUESTIONS


@pytest.mark.parametrize(
    "question, text, expected",
    [
        ("card_points", "0", (0,)),
        ("card_points", "face", ("face",)),
        ("hand_total", "units", ("units",)),
        ("hand_total", "sum", ("sum",)),
        ("hand_total", "9", (9,)),
        ("deal_order", "banker", ("banker",)),
        ("player_draw", "draw", ("draw",)),
        ("banker_draw", "draw | stand", ("draw", "stand")),
        ("banker_draw", "stand|draw", ("stand", "draw")),
        ("banker_draw", "draw | draw", ("draw",)),
        ("winner", " tie ", ("tie",)),
        ("pays", "8:1", (Fraction(8),)),
        ("pays", "19:20", (Fraction(19, 20),)),
        ("pays", "160:20", (Fraction(8),)),
        ("pays", "999999:1", (Fraction(999999),)),
        ("pays", "1:999999", (Fraction(1, 999999),)),
        ("pays", "8 : 1", (Fraction(8),)),
        ("pays", "95%", (Fraction(19, 20),)),
        ("pays", "150%", (Fraction(3, 2),)),
        ("commission", "5%", (Fraction(1, 20),)),
        ("commission", "2.5%", (Fraction(1, 40),)),
        ("commission", "0", (Fraction(0),)),
        ("rounding", "exact", ("exact",)),
        ("rounding", "up to 5", ("up 5",)),
        ("rounding", "down to 1", ("down 1",)),
        ("rounding", "nearest 1", ("nearest 1",)),
        ("decks", "8", (8,)),
        ("decks", "08", (8,)),
        ("decks", "endless", ("endless",)),
        ("burn", "first card", ("first card",)),
        ("burn", "3", (3,)),
        ("start_balance", "500", (500,)),
        ("score", "none", ("none",)),
        ("other", "any text\n  at all", ("any text at all",)),
    ],
)
def test_answer_is_read(question: str, text: str, expected: tuple[Atom, ...]) -> None:
    assert parse_answer(QUESTIONS[question], [text], is_list=False) == expected


def test_list_is_one_answer() -> None:
    """A list of bets is one thing said, not a choice between them."""
    bets = parse_answer(QUESTIONS["bets_offered"], ["player", "banker", "tie"], is_list=True)
    assert bets == (("player", "banker", "tie"),)
    assert parse_answer(QUESTIONS["chips"], ["5", "25"], is_list=True) == ((5, 25),)
    assert parse_answer(QUESTIONS["chips"], ["5"], is_list=False) == ((5,),)


@pytest.mark.parametrize(
    "question, text, help",
    [
        ("card_points", "10", "write 0 to 9, or `face` for the number printed on the card"),
        ("card_points", "07", "write 0 to 9, or `face` for the number printed on the card"),
        ("card_points", "٣", "write 0 to 9, or `face` for the number printed on the card"),
        ("card_points", "²", "write 0 to 9, or `face` for the number printed on the card"),
        ("hand_total", "ones", "write `units`, `sum`, or 0 to 9"),
        ("player_draw", "hit", "write draw or stand, or `draw | stand` to permit both"),
        ("player_draw", "draw |", "write draw or stand, or `draw | stand` to permit both"),
        ("player_draw", "Draw", "write draw or stand, or `draw | stand` to permit both"),
        ("winner", "player | tie", "write player or banker or tie"),
        ("winner", "", "write player or banker or tie"),
        ("pays", "0.95", "write 19:20"),
        ("pays", ".95", "write 19:20"),
        ("pays", "0,95", "write 19:20"),
        ("pays", "0.95:1", "write 19:20"),
        ("pays", "8", "write 8:1"),
        ("pays", "19/20", "write 19:20"),
        ("pays", "19-20", "write 19:20"),
        ("pays", "8 to 1", "write 8:1"),
        ("pays", "8:0", "write winnings:stake, as in 8:1"),
        ("pays", "1000000:1", "write winnings:stake, as in 8:1, or a percentage of the stake, as in 95%"),
        ("pays", "-1:1", "write winnings:stake, as in 8:1, or a percentage of the stake, as in 95%"),
        ("pays", "1,000:1", "write winnings:stake, as in 8:1, or a percentage of the stake, as in 95%"),
        ("commission", "0.05", "write 5%"),
        ("commission", "0,05", "write 5%"),
        ("commission", "5", "write a percentage from 0% to 100%, as in 5%"),
        ("commission", "101%", "write a percentage from 0% to 100%, as in 5%"),
        ("commission", "-5%", "write a percentage from 0% to 100%, as in 5%"),
        ("rounding", "up", "write `exact`, `up to 5`, `down to 1` or `nearest 1`"),
        ("rounding", "up to 0", "write `exact`, `up to 5`, `down to 1` or `nearest 1`"),
        ("decks", "0", "write 1 to 100, or `endless`"),
        ("decks", "101", "write 1 to 100, or `endless`"),
        ("decks", "9" * 5000, "write 1 to 100, or `endless`"),
        ("burn", "all", "write a whole number, or `first card`"),
        ("start_balance", "-5", "write a whole number, in digits only"),
        ("other", "  ", "say it in a few words"),
    ],
)
def test_answer_is_refused_with_how_to_write_it(question: str, text: str, help: str) -> None:
    with pytest.raises(AnswerError) as caught:
        parse_answer(QUESTIONS[question], [text], is_list=False)
    assert caught.value.help == help
    assert len(str(caught.value)) < 100


def test_decimal_odds_have_a_code_of_their_own() -> None:
    with pytest.raises(AnswerError, match=r"decimal odds `0\.95`") as caught:
        parse_odds("0.95")
    assert caught.value.code == "decimal-odds"


@pytest.mark.parametrize(
    "question, texts, item",
    [
        ("bets_offered", ["player", "banker", "player"], 2),
        ("bets_offered", ["player", "Player"], 1),
        ("bets_offered", ["none", "player"], 0),
        ("chips", ["5", "5.5"], 1),
        ("chips", ["5", "05"], 1),
    ],
)
def test_wrong_item_of_a_list_is_pointed_at(question: str, texts: list[str], item: int) -> None:
    with pytest.raises(AnswerError) as caught:
        parse_answer(QUESTIONS[question], texts, is_list=True)
    assert caught.value.item == item


def test_list_is_no_choice_between_actions() -> None:
    with pytest.raises(AnswerError) as caught:
        parse_answer(QUESTIONS["banker_draw"], ["draw", "stand"], is_list=True)
    assert caught.value.help == "write `draw | stand` to permit both"
    with pytest.raises(AnswerError, match="an empty list for chips"):
        parse_answer(QUESTIONS["chips"], [], is_list=True)


@pytest.mark.parametrize("name", ["player", "tie", "player_pair", "lucky_6", "a", "a" * 40])
def test_bet_names_are_snake_case(name: str) -> None:
    assert is_bet_name(name)


@pytest.mark.parametrize("name", ["", "Tie", "6_lucky", "lucky-six", "_x", "any", "none", "not", "é", "a" * 41, "a\n"])
def test_other_names_are_no_bets(name: str) -> None:
    assert not is_bet_name(name)


@pytest.mark.parametrize("text, share", [("0", 0), ("5%", "1/20"), ("5 %", "1/20"), ("100%", 1), ("0.5%", "1/200")])
def test_shares_are_exact(text: str, share: str | int) -> None:
    assert parse_share(text) == Fraction(share)


@pytest.mark.parametrize(
    "number, shown",
    [
        (Fraction(19), "19"),
        (19, "19"),
        (Fraction(5, 2), "2.5"),
        (Fraction(19, 20), "0.95"),
        (Fraction(1, 3), "1/3"),
        (Fraction(-1, 8), "-0.125"),
        (Fraction(-7), "-7"),
        (Fraction(0), "0"),
        (Fraction(1, 400), "0.0025"),
        (Fraction(-100, 3), "-100/3"),
    ],
)
def test_numbers_are_shown_exactly(number: Fraction | int, shown: str) -> None:
    assert show_number(number) == shown
    assert Fraction(shown) == number


@pytest.mark.parametrize(
    "question, text",
    [("pays", "8:1"), ("pays", "19:20"), ("commission", "5%"), ("commission", "2.5%"), ("decks", "8")],
)
def test_shown_answer_reads_as_the_same(question: str, text: str) -> None:
    asked = QUESTIONS[question]
    (atom,) = parse_answer(asked, [text], is_list=False)
    assert show_atom(asked, atom) == text
    assert parse_answer(asked, [show_atom(asked, atom)], is_list=False) == (atom,)


def test_lists_are_shown_with_commas() -> None:
    asked = QUESTIONS["chips"]
    assert show_atom(asked, parse_answer(asked, ["5", "25"], is_list=True)[0]) == "5, 25"

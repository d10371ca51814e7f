"""How cards are written."""

from __future__ import annotations

import pytest

import oracle
from oracle.cards import RANKS, SUITS, Card, parse_card, parse_rank
from oracle.spans import BadCards


def test_there_are_thirteen_ranks_and_four_suits_in_order() -> None:
    assert RANKS == ("A", "2", "3", "4", "5", "6", "7", "8", "9", "T", "J", "Q", "K")
    assert SUITS == ("C", "D", "H", "S")


@pytest.mark.parametrize(
    "text, rank, suit",
    [
        ("8", "8", ""),
        ("8S", "8", "S"),
        ("10h", "T", "H"),
        ("10", "T", ""),
        ("TD", "T", "D"),
        ("t", "T", ""),
        ("td", "T", "D"),
        ("as", "A", "S"),
        ("kC", "K", "C"),
        ("Q♥", "Q", "H"),
        ("10♣", "T", "C"),
        ("j♦", "J", "D"),
        ("2♠", "2", "S"),
        (" 9H ", "9", "H"),
    ],
)
def test_card_is_read(text: str, rank: str, suit: str) -> None:
    assert parse_card(text) == Card(rank, suit)


def test_every_card_reads_as_it_is_shown() -> None:
    for rank in RANKS:
        for suit in ("", *SUITS):
            assert parse_card(str(Card(rank, suit))) == Card(rank, suit)


@pytest.mark.parametrize(
    "text",
    [
        *(
            "",
            " ",
            "S",
            "♠",
            "1",
            "0",
            "01",
            "11",
            "1S",
            "010",
            "10T",
            "8SS",
            "S8",
            "8 S",
            "joker",
            "ace",
            "8X",
        ),
        *("8ſ", "\u212a", "८", "²", "8♤", "-8", "8.0", "8S\n9H", "\0", "A" * 1000),
    ],
)
def test_nonsense_is_no_card(text: str) -> None:
    with pytest.raises(BadCards, match=r"^`.*` is not a card: write a rank A 2-9 10 \(or T\) J Q K and perhaps"):
        parse_card(text)


def test_message_shows_what_was_written_safely_and_shortly() -> None:
    with pytest.raises(BadCards) as caught:
        parse_card("\x1b[31m" + "x" * 1000)
    assert "\x1b" not in str(caught.value)
    assert len(str(caught.value)) < 150


@pytest.mark.parametrize("text", ["10S", "ſ", "", "a ", "8S", "TEN"])
def test_rank_is_a_rank_alone(text: str) -> None:
    assert parse_rank(text) is None


@pytest.mark.parametrize("texts", ["4H 2S,9C", ["4H", "2S", "9C"], ("4H 2S", "9C"), " 4h  2s , 9c "])
def test_cards_come_from_one_text_or_several(texts: str | list[str]) -> None:
    assert [str(card) for card in oracle.parse_cards(texts)] == ["4H", "2S", "9C"]


def test_the_package_lists_its_public_names() -> None:
    assert dir(oracle) == sorted(oracle.__all__)
    assert all(getattr(oracle, name) is not None for name in dir(oracle))

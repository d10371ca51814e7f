"""Shoes as people write them, and cards that are gone from them."""

from __future__ import annotations

import pytest

from oracle.cards import RANKS, parse_cards
from oracle.odds.composition import Composition, parse_shoe
from oracle.spans import BadShoe


@pytest.mark.parametrize("decks", [1, 2, 8, 16])
def test_full_shoes(decks: int) -> None:
    for text in (f"{decks} decks", f"{decks} deck", f" {decks}  DECKS ".replace("  ", " ")):
        shoe = parse_shoe(text)
        assert shoe.cards == 52 * decks
        assert set(shoe.ranks.values()) == {4 * decks}
        assert shoe.suited is not None
        assert {n for suits in shoe.suited.values() for n in suits.values()} == {decks}
    assert str(shoe) == ("1 deck" if decks == 1 else f"{decks} decks")


def test_counts_by_rank() -> None:
    shoe = parse_shoe("A=30, 2=32 10=5,k = 1")
    assert {rank: n for rank, n in shoe.ranks.items() if n} == {"A": 30, "2": 32, "T": 5, "K": 1}
    assert shoe.suited is None, "nothing is known of suits"
    assert parse_shoe(str(shoe)) == shoe


def test_counts_by_card() -> None:
    shoe = parse_shoe("AS=3, AH=2, 9c=4")
    assert shoe.suited is not None
    assert (shoe.ranks["A"], shoe.ranks["9"], shoe.suited["A"]) == (5, 4, {"C": 0, "D": 0, "H": 2, "S": 3})
    assert parse_shoe(str(shoe)) == shoe


def test_decks_with_other_counts() -> None:
    shoe = parse_shoe("8 decks, A=30, K=0")
    assert (shoe.cards, shoe.ranks["A"], shoe.ranks["K"], shoe.ranks["Q"]) == (416 - 34, 30, 0, 32)
    assert shoe.suited is None
    assert parse_shoe("8 decks, AS=7").cards == 415
    assert parse_shoe("8 decks, A=32").suited is not None, "as many as there are: nothing is gone"


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("", "an empty shoe"),
        (" , ", "an empty shoe"),
        ("8", "`8` is no shoe"),
        ("eight decks", "`eight decks` is no shoe"),
        ("0 decks", "a shoe of 0 decks"),
        ("-1 decks", "`-1 decks` is no shoe"),
        ("10000 decks", "`10000 decks` is no shoe"),
        ("A=-1", "`-1` cards of A"),
        ("A=x", "`x` cards of A"),
        ("A=1.5", "`1.5` cards of A"),
        ("A=1000000", "`1000000` cards of A"),
        ("B=9", "`B` is no rank"),
        ("1=9", "`1` is no rank"),
        ("A=5", "a shoe of 5 cards: 6 cards are needed"),
        ("A=6, A=6", "A is given twice"),
        ("T=6, 10=6", "T is given twice"),
        ("A=6, AS=2", "A is given both in all and by suit"),
        ("8 decks, A=33", "A=33: 8 decks hold 32"),
        ("1 deck, AS=2", "AS=2: 1 deck holds 1"),
        ("8 decks 6 decks", "is no shoe"),
        ("endless, A=3", "an endless shoe holds each rank"),
        ("A=6\x1b[31m", r"`6\x1b[31m` cards of A"),
        ("A=٣", "`٣` cards of A"),
    ],
)
def test_what_is_no_shoe(text: str, message: str) -> None:
    with pytest.raises(BadShoe) as caught:
        parse_shoe(text)
    assert message in str(caught.value)


def test_cards_that_are_gone() -> None:
    shoe = Composition.full(8).without(parse_cards("9S 9S TD"))
    assert (shoe.cards, shoe.ranks["9"], shoe.ranks["T"]) == (413, 30, 31)
    assert shoe.suited is not None
    assert (shoe.suited["9"]["S"], shoe.suited["9"]["H"], shoe.suited["T"]["D"]) == (6, 8, 7)
    unknown = shoe.without(parse_cards("9"))
    assert (unknown.ranks["9"], unknown.suited) == (29, None)


@pytest.mark.parametrize(
    ("shoe", "cards", "message"),
    [
        ("1 deck", "A A A A A", "card 5 that is gone, A, is one A too many: the shoe holds 4"),
        ("1 deck", "AS AS", "card 2 that is gone, AS, is one too many: the shoe holds 1 AS, 4 A in all"),
        ("8 decks, A=0", "AS", "is one A too many: the shoe holds 0"),
        ("A=6", "A", "a shoe of 5 cards"),
        ("endless", "A", "from an endless shoe no card is ever gone"),
    ],
)
def test_cards_that_cant_be_gone(shoe: str, cards: str, message: str) -> None:
    with pytest.raises(BadShoe) as caught:
        parse_shoe(shoe).without(parse_cards(cards))
    assert message in str(caught.value)


def test_counts_below_none_are_refused() -> None:
    with pytest.raises(BadShoe, match="fewer than no"):
        Composition({**dict.fromkeys(RANKS, 4), "A": -1})
    with pytest.raises(BadShoe, match="of no card fewer"):
        Composition(dict.fromkeys(RANKS, 4), suited={rank: {"C": 5, "D": -1} for rank in RANKS})

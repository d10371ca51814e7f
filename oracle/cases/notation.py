"""Texts that name cards, every way to write every card, and texts that name none."""

from __future__ import annotations

from collections.abc import Iterator

from oracle.cards import RANKS, SUITS
from oracle.cases.case import Case
from oracle.cases.reference import Reference

_SYMBOLS = "♣♦♥♠"
_SPACED = (" 8S", "8S ", "  TD  ", " 10h ", " k", "q ", " A♠ ")
_NONE = (
    # nothing, or a part of a card
    "", " ", "C", "S", "h", "♠", "♥♥",
    # ranks that there aren't, and zeros
    "0", "1", "1S", "0S", "0H", "11", "11S", "12H", "13D", "14", "14C", "15S", "01S", "08S", "010H", "00", "100H",
    "-8S", "+8S", "8.0", "8e0S", "1OS", "IOS", "T0S", "10T", "TT", "AA", "B", "N", "XS", "X", "VS", "DS", "RH", "JK",
    # suits that there aren't
    "8B", "8X", "8N", "8P", "8♤", "8♡", "8♢", "8♧", "8♠\ufe0f", "8★",
    # too much, or in another order
    "8SS", "8S8", "8S8S", "KK", "8SH", "8S9H", "8S 9H", "8S+9H", "8S.", "8S!", "8S;", "8S?", "x8S", "8Sx", "8S junk",
    "8 S", "10 H", "1 0H", "8-S", "8_S", "8/S", "S8", "HT", "H10", "♠8", "8S-", "(8S)", "[8S]", "#8S", "*",
    # words and other scripts
    "Joker", "JOKER", "joker", "ace", "Ten", "king", "Ace of spades", "8 of hearts", "null", "none", "?",
    "８S", "8Ｓ", "٨S", "ⅧS", "8ſ", "АS", "КH", "🂡", "🂨",
)  # fmt: skip


def notation(reference: Reference) -> Iterator[Case]:
    """Every card in every way to write it, some with spaces around, and texts that are no card."""
    ranks = [
        written for rank in RANKS for written in dict.fromkeys((rank, rank.lower(), "10" if rank == "T" else rank))
    ]
    suits = [
        "",
        *(written for pair in zip(SUITS, _SYMBOLS, strict=True) for written in (pair[0], pair[0].lower(), pair[1])),
    ]
    for rank in ranks:
        for suit in suits:
            yield reference.card(f"{rank}{suit}", ("notation",))
    for text in _SPACED:
        yield reference.card(text, ("spaces",))
    for text in _NONE:
        yield reference.card(text, ("no-card",))

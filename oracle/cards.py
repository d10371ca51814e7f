"""Ranks, suits, and how cards are written.

A card is a rank and perhaps a suit: `8`, `8S`, `10h`, `TD`. Ten is written `10`, `T` or `t`; output says `T`.
"""

from __future__ import annotations

from collections.abc import Iterable

import msgspec

from oracle.spans import BadCards
from oracle.text import quoted

RANKS = ("A", "2", "3", "4", "5", "6", "7", "8", "9", "T", "J", "Q", "K")
SUITS = ("C", "D", "H", "S")
_SYMBOLS = {"♣": "C", "♦": "D", "♥": "H", "♠": "S"}


class Card(msgspec.Struct, frozen=True):
    """One card; `suit` is empty where it was not told."""

    rank: str
    suit: str = ""

    def __str__(self) -> str:
        return self.rank + self.suit


def parse_rank(text: str) -> str | None:
    """The rank that `text` names (`10` and `t` are T), or None."""
    rank = "T" if text == "10" else text.upper()
    return rank if rank in RANKS else None


def parse_cards(texts: str | Iterable[str]) -> tuple[Card, ...]:
    """Cards from a text or several, each one card or more with spaces or commas between. Raises `BadCards`."""
    parts = (texts,) if isinstance(texts, str) else texts
    return tuple(parse_card(part) for text in parts for part in text.replace(",", " ").split())


def parse_card(text: str) -> Card:
    """The card that `text` names. Raises `BadCards` that says what a card looks like."""
    body = text.strip()
    suit = ""
    last = body[-1:]
    if last in _SYMBOLS or (last.isascii() and last.upper() in SUITS):
        suit = _SYMBOLS.get(last) or last.upper()
        body = body[:-1]
    rank = parse_rank(body)
    if rank is None:
        raise BadCards(
            f"{quoted(text, 20)} is not a card: write a rank A 2-9 10 (or T) J Q K and perhaps a suit C D H S, as in 8S"
        )
    return Card(rank, suit)

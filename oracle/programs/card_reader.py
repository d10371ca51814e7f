"""The right reader of cards: which card a text names, if any."""

from __future__ import annotations

from collections.abc import Callable

from oracle.cards import Card, parse_card
from oracle.spans import BadCards

Reader = Callable[[str], Card | None]


def read(text: str) -> Card | None:
    """The card that a text names; None if it names none."""
    try:
        return parse_card(text)
    except BadCards:
        return None

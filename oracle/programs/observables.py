"""What an implementation can report about a coup, in the order in which it is told."""

from __future__ import annotations

OBSERVABLES: tuple[str, ...] = (
    "winner",  # player, banker or tie
    "totals",  # the final total of each hand
    "cards",  # the cards of each hand in the order drawn
    "natural",  # who has eight or nine with two cards: none, player, banker or both
    "pairs",  # whether the first two cards of each hand are of one rank
    "net",  # what each bet of the case changes the balance by
)

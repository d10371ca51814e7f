"""What tests of odds share: rules by id, variants too, and shoes small enough to play every order of."""

from __future__ import annotations

from collections import Counter
from functools import cache
from pathlib import Path

from oracle.cards import Card, parse_cards
from oracle.game.rules import Rules
from oracle.odds.composition import Composition, parse_shoe
from oracle.rules.library import Library

VARIANTS = Path(__file__).resolve().parents[1] / "variants"


@cache
def rules_of(id: str, *, literal: bool = False) -> Rules:
    if (VARIANTS / f"{id}.yaml").exists():
        spec = Library().load(VARIANTS / f"{id}.yaml")
        return Rules(spec, spec.rule_sets[0])
    return Rules(*Library().rule_set(id), literal=literal)


def small(cards: str) -> tuple[tuple[Card, ...], Composition]:
    """A small shoe, as cards and as a composition."""
    held = Counter(parse_cards(cards))
    return tuple(held.elements()), parse_shoe(", ".join(f"{card}={count}" for card, count in held.items()))

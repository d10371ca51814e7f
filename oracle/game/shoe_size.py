"""How many cards a shoe has: full, after burning, and when a coup can begin."""

from __future__ import annotations

from oracle.game.rule_answers import RuleAnswers

MOST_CARDS = 6


def can_run_out(rules: RuleAnswers) -> bool:
    """Whether a coup may begin with fewer cards than it can need."""
    least = least_start(rules)
    return least is not None and least < MOST_CARDS


def least_start(rules: RuleAnswers) -> int | None:
    """The fewest cards with which a coup can begin; None if the shoe is endless or its size is not known."""
    cards = shoe_cards(rules)
    if cards is None:
        return None
    evaluation = rules.evaluation("reshuffle")
    deals = evaluation.resolved.permits.get("deal", 0) & ~evaluation.open
    remaining = evaluation.space.column("remaining")
    found = [int(left) for i, left in enumerate(remaining) if deals >> i & 1]
    return min(found, default=None)


def shoe_cards(rules: RuleAnswers) -> int | None:
    """The cards of a full shoe; None if it is endless or not known."""
    decks = rules.value("decks")
    return 52 * decks if isinstance(decks, int) else None


def after_burning(rules: RuleAnswers, cards: int) -> list[int]:
    """How many cards of a full shoe may be left once some are burnt, the most first."""
    burn = rules.value("burn")
    if burn == "first card":
        return sorted({cards - burnt_after(points) for points in rules.points.values()}, reverse=True) or [cards]
    return [cards - burn if isinstance(burn, int) else cards]


def burnt_after(points: int) -> int:
    """How many cards go with a first card of so many points: itself, and as many again, ten for none."""
    return 1 + (points or 10)

"""Shoes before a coup: is it time to shuffle? Every count of cards that coups can have taken."""

from __future__ import annotations

from collections.abc import Iterator

from oracle.cases.case import Case
from oracle.cases.reference import Reference
from oracle.game.rules import Rules
from oracle.game.shoe_size import after_burning, shoe_cards
from oracle.programs.shoe_left import left_of

_DECK = 52
_DECKS = 8  # where the rules don't say how many
_ALL = 16 * _DECK  # shoes up to which every count is asked
_NEAR = 6


def shoes(reference: Reference) -> Iterator[Case]:
    """A fresh shoe, and one from which coups took so many cards, for every such number; with each count of burnt cards.

    Of a shoe of more than sixteen decks only the numbers near a change of the answer, and one for each half deck.
    """
    rules = reference.rules
    whole = shoe_cards(rules)
    decks = None if whole else _DECKS
    cards = whole or _DECKS * _DECK
    cuts = (False, True) if rules.tests("reshuffle", "cut_card") and rules.value("cut_card") is None else (None,)
    for place, left in enumerate(after_burning(rules, cards)):
        burnt = cards - left
        for cut in cuts:
            asked = _counts(left)
            due = {dealt: left_of(rules, dealt, burnt=burnt, decks=decks, cut_card=cut).due for dealt in asked}
            if place or cards > _ALL:
                asked = _some(due)
            for dealt in asked:
                tags = ("fresh-shoe",) if not dealt else ("shuffle",) if due[dealt] else ("deal",)
                yield reference.shoe(dealt, tags, burnt=burnt, decks=decks, cut_card=cut)


def _counts(left: int) -> list[int]:
    """The numbers of cards that coups of four to six can take out of so many."""
    return [
        dealt for dealt in range(left + 1) if any(4 * coups <= dealt <= 6 * coups for coups in range(left // 4 + 1))
    ]


def _some(due: dict[int, bool]) -> list[int]:
    """The ends, those near a change of the answer, and one for each half deck."""
    asked = list(due)
    changes = [place for place in range(1, len(asked)) if due[asked[place]] != due[asked[place - 1]]]
    return [
        dealt
        for place, dealt in enumerate(asked)
        if dealt % (_DECK // 2) == 0
        or place in (0, 1, len(asked) - 1)
        or any(-_NEAR <= place - change < _NEAR for change in changes)
    ]


def silent_of_shoes(rules: Rules) -> str:
    """Why there is no case of a shoe; empty if there are cases."""
    if not rules.clauses_about("reshuffle") and not any(r.question == "reshuffle" for r in rules.resolutions):
        return f"{rules.id} doesn't say when the shoe is shuffled"
    if rules.value("decks") == "endless":
        return f"{rules.id} deals from an endless shoe"
    if rules.evaluation("reshuffle").open:
        return f"{rules.id} leaves open when the shoe is shuffled"
    return ""

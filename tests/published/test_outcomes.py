"""Exact outcome counts from the literature, reached through the compiled tables of every rule set.

A coup is a sequence of four to six card values. Each is weighted by the ordered ways to draw it, and positions that the
coup doesn't use count in full, as the published figures do. Plain integers throughout.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from itertools import product
from math import prod

import pytest

from oracle.game.rules import Rules
from oracle.game.tables import TableResult, Tables
from oracle.rules.library import Library

RULE_SETS = ("grid-pt", "home-pt", "punto-es", "selminha/classica", "selminha/sem-comissao")
RANKS_WORTH = (4, *[1] * 9)  # ten, jack, queen and king are worth 0

# Wizard of Odds, baccarat appendix 1, wizardofodds.com/games/baccarat/appendix/1/: eight decks, all ordered
# sequences of six cards. Spreadsheets print it rounded to 15 digits; these are exact.
EIGHT_DECKS = {
    "all": 4_998_398_275_503_360,
    "banker": 2_292_252_566_437_888,
    "player": 2_230_518_282_592_256,
    "tie": 475_627_426_473_216,
    "banker with 6, two cards": 186_173_936_904_192,
    "banker with 6, three cards": 83_058_367_551_488,
    "banker with a three-card 7": 112_633_011_329_024,
    "player with a three-card 8": 172_660_763_262_976,
    "4 cards": 1_893_735_611_458_560,
    "5 cards": 1_516_734_808_780_800,
    "6 cards": 1_587_927_855_264_000,
}
# The same appendix's method with six decks; the four figures were recomputed independently.
SIX_DECKS = {
    "all": 878_869_206_895_680,
    "banker": 403_095_751_234_560,
    "player": 392_220_492_728_832,
    "tie": 83_552_962_932_288,
}
# With replacement (an endless shoe): 13 ranks at each of six places, 13 ** 6 = 4,826,809.
ENDLESS = {"all": 4_826_809, "banker": 2_212_744, "player": 2_153_464, "tie": 460_601}

# How many sequences of values there are with four, five and six cards; the sum is 339,400.
SEQUENCES = {4: 4_000, 5: 29_400, 6: 306_000}

SHOES = (8, 6, 0)  # decks; 0 is with replacement
Kind = tuple[TableResult, bool, bool]  # the result, and whether player and banker drew


def ways(values: tuple[int, ...], decks: int) -> int:
    """Ordered ways to draw six cards that begin with these values."""
    left = [4 * decks * copies for copies in RANKS_WORTH]
    found = 1
    for value in values:
        found *= left[value] if decks else RANKS_WORTH[value]
        left[value] -= 1
    rest = range(len(values), 6)
    return found * (prod(52 * decks - n for n in rest) if decks else 13 ** len(rest))


def coups(tables: Tables) -> Iterator[tuple[tuple[int, ...], TableResult]]:
    """Every sequence of values that a coup uses, each once, with its result."""
    todo = list(product(range(10), repeat=4))
    while todo:
        values = todo.pop()
        result = tables.play((*values, 0, 0))
        if result.cards_used == len(values):
            yield values, result
        else:
            todo += [(*values, value) for value in range(10)]


def kind(values: tuple[int, ...], result: TableResult) -> Kind:
    """What published tables tell apart. The player draws with 0 to 5; the last card is then the banker's, or his."""
    player = len(values) > 4 and (values[0] + values[2]) % 10 <= 5
    return result, player, len(values) == 6 or (len(values) == 5 and not player)


def events(kind: Kind) -> Iterator[str]:
    """What published tables call a coup."""
    result, player_drew, banker_drew = kind
    yield from ("all", result.winner, f"{result.cards_used} cards")
    if result.winner == "banker" and result.banker_total == 6:
        yield f"banker with 6, {'three' if banker_drew else 'two'} cards"
    if result.winner == "banker" and result.banker_total == 7 and banker_drew:
        yield "banker with a three-card 7"
    if result.winner == "player" and result.player_total == 8 and player_drew:
        yield "player with a three-card 8"


QUICK = ("home-pt",)
ALL = [pytest.param(id, marks=() if id in QUICK else pytest.mark.exhaustive) for id in RULE_SETS]


@pytest.mark.parametrize("id", ALL)
def test_outcomes_are_the_published_integers(id: str) -> None:
    # Sequences with the same values in another order have the same weight: it is computed once for each multiset.
    lengths = dict.fromkeys(SEQUENCES, 0)
    found: Counter[tuple[Kind, tuple[int, ...]]] = Counter()
    for values, result in coups(Tables(Rules(*Library().rule_set(id)))):
        lengths[len(values)] += 1
        found[kind(values, result), tuple(sorted(values))] += 1
    assert lengths == SEQUENCES
    assert sum(lengths.values()) == 339_400
    counts = {decks: dict.fromkeys(EIGHT_DECKS, 0) for decks in SHOES}
    for (of_kind, values), times in found.items():
        for decks, count in counts.items():
            weight = times * ways(values, decks)
            for event in events(of_kind):
                count[event] += weight
    for decks, published in ((8, EIGHT_DECKS), (6, SIX_DECKS), (0, ENDLESS)):
        assert {event: counts[decks][event] for event in published} == published
        assert sum(counts[decks][winner] for winner in ("banker", "player", "tie")) == counts[decks]["all"]

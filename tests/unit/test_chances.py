"""How often a coup comes to states of a question: what playing every order of a small shoe gives."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from fractions import Fraction
from itertools import permutations
from weakref import WeakKeyDictionary

import pytest

from oracle.cards import Card
from oracle.game.coup import play
from oracle.game.rules import Rules
from oracle.game.settle import end_state, settle
from oracle.odds.chance import chance
from oracle.odds.composition import Composition, parse_shoe
from oracle.odds.counts import Odds
from oracle.rules.library import Library
from oracle.rules.values import NONE
from tests.nonempty import nonempty
from tests.unit.small_shoes import rules_of, small


def masks(rules: Rules, question: str) -> Iterator[int]:
    """Some sets of states of a question: the first, every third, all."""
    size = len(rules.space(question))
    yield 1
    yield sum(1 << i for i in range(0, size, 3))
    yield rules.space(question).full


def of_shoe(composition: Composition, patch: pytest.MonkeyPatch) -> None:
    """Chances are those of this shoe, and none that are known already."""
    patch.setattr(Composition, "of", lambda _: composition)
    patch.setattr("oracle.odds.chance._KNOWN", WeakKeyDictionary())


@pytest.mark.parametrize("id", ["home-pt", "selminha/classica"])
@pytest.mark.parametrize(
    "question", ["card_points", "hand_total", "natural", "player_draw", "banker_draw", "winner", "outcome", "pays"]
)
def test_a_chance_is_what_playing_all_orders_gives(id: str, question: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """The share of the orders of a small shoe in which a coup comes to one of some states, by its trace."""
    rules = Rules(*Library().rule_set(id))
    shoe, composition = small("KH KH 9S 9D 5C 2C")
    of_shoe(composition, monkeypatch)
    evaluation = rules.evaluation(question)
    orders = list(permutations(shoe, 6))
    come: Counter[int] = Counter()
    chosen = list(dict.fromkeys(masks(rules, question)))
    for order in orders:
        seen = states_of(rules, question, order)
        for mask in chosen:
            come[mask] += any(mask >> i & 1 for i in seen)
    assert evaluation.open == 0
    for mask in nonempty(chosen):
        assert chance(rules, question, mask) == Fraction(come[mask], len(orders)), question


def states_of(rules: Rules, question: str, order: tuple[Card, ...]) -> set[int]:
    """The states of a question that a coup comes to."""
    coup = play(rules, order)
    space = rules.space(question)
    hands = {"player": list(coup.player.cards), "banker": list(coup.banker.cards)}
    points = {side: [rules.points[card.rank] for card in cards] for side, cards in hands.items()}
    rows: set[tuple[object, ...]] = set()
    if question == "card_points":
        rows = {(card.rank,) for cards in hands.values() for card in cards}
    elif question == "hand_total":
        rows = {(sum(values[:count]),) for values in points.values() for count in range(2, len(values) + 1)}
    elif question in ("outcome", "pays"):
        stakes = {bet: Fraction(1) for bet in rules.bets}
        for settled in settle(rules, coup, stakes):
            if question == "outcome" or settled.outcome == "win":
                known = end_state(rules, coup)
                rows.add((settled.bet, *(known[field] for field in space.fields[1:])))
    else:
        p2, b2, third, _, total, _ = coup.end
        asked = {decision.question for decision in coup.trace}
        state = {"banker_draw": (p2, b2, third, total), "winner": coup.end}.get(question, (p2, b2))
        rows = {state} if question in asked else set()
    return {i for row in rows if (i := space.index(row)) is not None}  # type: ignore[arg-type]


def test_a_chance_needs_only_what_comes_before() -> None:
    """The rows 3 to 6 of selminha are open of the text alone, and still it is known how often they are asked."""
    literal, resolved = rules_of("selminha/classica", literal=True), rules_of("selminha/classica")
    for question in ("natural", "player_draw", "banker_draw"):
        full = resolved.space(question).full
        assert chance(literal, question, full) == chance(resolved, question, full) is not None
    assert literal.evaluation("banker_draw").open
    assert chance(literal, "winner", 1) is None, "what leads there is open"


def test_what_has_no_chance() -> None:
    assert chance(rules_of("punto-es"), "banker_draw", 1) is None, "no decks are named"
    assert chance(rules_of("home-pt"), "bets_together", 1) is None
    assert chance(rules_of("home-pt"), "natural", 0) is None
    assert chance(rules_of("chemin-de-fer"), "banker_draw", 1) is None, "the player is free on five"
    assert chance(rules_of("chemin-de-fer"), "player_draw", 1) is not None
    assert chance(rules_of("home-pt"), "deal_order", 1) == 1


@pytest.mark.slow
def test_cells_of_a_state_that_never_comes() -> None:
    odds = Odds(rules_of("home-pt"), parse_shoe("9=20, K=20"))
    assert odds.cells("player_draw")[0,] == odds.states("player_draw")[0, 0] > 0
    assert sum(odds.cells("banker_draw").values()) == odds.states("natural")[0, 0]
    assert odds.cells("banker_draw").get((3, NONE), 0) == 0

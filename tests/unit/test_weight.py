"""What mistakes cost, against published figures and against the chance of the cell that they flip."""

from __future__ import annotations

from fractions import Fraction

import pytest

from oracle.cases.reference import reference_of
from oracle.game.rules import Rules
from oracle.mutants.weight import Weight, weigh
from oracle.odds.counts import Odds

# wizardofodds.com/games/baccarat/appendix/1/, eight decks: sequences of six cards, and the house edge on the banker.
ALL, TIES, BANKER = 4_998_398_275_503_360, 475_627_426_473_216, 2_292_252_566_437_888
BANKER_EDGE = Fraction(114753351728, 10847218479825)


def cost(rules: Rules, id: str) -> Weight | None:
    reference = reference_of(rules)
    return weigh(reference.behaviour, next(m for m in reference.mutants if m.id == id).behaviour)


def test_a_tie_that_pays_nine_costs_the_share_of_ties(shipped: dict[str, Rules]) -> None:
    found = cost(shipped["home-pt"], "tie-pays-nine")
    assert found == Weight("8 decks", Fraction(0), {"tie": Fraction(TIES, ALL)}, {"tie": -Fraction(TIES, ALL)})


def test_commission_left_out_costs_a_twentieth_of_what_the_banker_wins(shipped: dict[str, Rules]) -> None:
    found = cost(shipped["home-pt"], "commission-left-out")
    assert found is not None
    assert found.edges == {"banker": -Fraction(BANKER, ALL) / 20}


@pytest.mark.parametrize("cell", ["3/8", "4/1", "5/4", "6/6"])
def test_four_flips_leave_the_published_edge_on_the_banker_as_it_is(shipped: dict[str, Rules], cell: str) -> None:
    """The published edge is 1.06 %; each flip changes as many coups as come to its cell."""
    rules = shipped["home-pt"]
    found = cost(rules, f"flip banker_draw {cell}")
    assert found is not None
    assert round(100 * (BANKER_EDGE + found.edges["banker"]), 2) == Fraction("1.06")
    banker2, third = map(int, cell.split("/"))
    assert found.coups == Fraction(Odds(rules).cells("banker_draw")[banker2, third], ALL)


def test_what_changes_cards_themselves_is_not_weighed(shipped: dict[str, Rules]) -> None:
    assert cost(shipped["home-pt"], "points A=2") is None
    assert cost(shipped["home-pt"], "two-then-two") is None
    assert cost(shipped["selminha/classica"], "pairs-by-value") is None


def test_rules_without_decks_are_weighed_on_eight(shipped: dict[str, Rules]) -> None:
    found = cost(shipped["punto-es"], "flip banker_draw 3/8")
    assert found is not None
    assert found.shoe == "8 decks"

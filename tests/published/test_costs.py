"""What contradictions between the documents cost, against published house edges on eight decks."""

from __future__ import annotations

from fractions import Fraction

from oracle.compare.cost import BetCost, cost
from oracle.game.rules import Rules

# wizardofodds.com/games/baccarat/appendix/1/: the share of ties, and the expectation of bets of one unit.
TIES = Fraction(475_627_426_473_216, 4_998_398_275_503_360)
BANKER_WINS = Fraction(2_292_252_566_437_888, 4_998_398_275_503_360)
TIE_EIGHT, TIE_NINE = Fraction(-103841353768, 723147898655), Fraction(-63053127805, 1301666217579)
BANKER_FIVE, BANKER_SIX_HALF = Fraction(-114753351728, 10847218479825), Fraction(-284694798368, 19524993263685)


def test_a_tie_at_eight_or_at_nine(shipped: dict[str, Rules]) -> None:
    found = cost(shipped["home-pt"], shipped["punto-es"])
    assert found is not None
    assert (found.shoe, found.coups) == ("8 decks", 0)
    assert found.bets == (BetCost("tie", TIES, -TIE_EIGHT, -TIE_NINE),)


def test_commission_or_half_on_six(shipped: dict[str, Rules]) -> None:
    found = cost(shipped["selminha/classica"], shipped["selminha/sem-comissao"])
    assert found is not None
    assert found.bets == (BetCost("banker", BANKER_WINS, -BANKER_FIVE, -BANKER_SIX_HALF),)


def test_two_ways_to_write_the_same_net_cost_nothing(shipped: dict[str, Rules]) -> None:
    found = cost(shipped["home-pt"], shipped["selminha/classica"])
    assert found is not None
    assert (found.coups, found.bets) == (0, ())


def test_what_is_left_open_has_no_cost(shipped: dict[str, Rules], shipped_literal: dict[str, Rules]) -> None:
    assert cost(shipped["home-pt"], shipped_literal["grid-pt"]) is None

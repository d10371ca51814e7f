"""What it comes to that two rule sets differ: how many coups go otherwise, and what bets cost at each, on one shoe.

This module needs numpy; import it where it is used.
"""

from __future__ import annotations

from fractions import Fraction

import msgspec

from oracle.game.rules import Rules
from oracle.odds.composition import Composition
from oracle.odds.counts import Odds
from oracle.odds.rule_change import change
from oracle.spans import OracleError

DECKS = 8


class BetCost(msgspec.Struct, frozen=True):
    """A bet that both offer: in which share of coups it nets otherwise, and the house edge at each."""

    bet: str
    chance: Fraction
    edge_a: Fraction
    edge_b: Fraction


class Cost(msgspec.Struct, frozen=True):
    """The same cards at two tables. `coups` go otherwise; `bets` are those of both that net otherwise in some coup."""

    shoe: str
    coups: Fraction
    bets: tuple[BetCost, ...]


def cost(a: Rules, b: Rules) -> Cost | None:
    """What differs between two rule sets on eight decks, as read; None where one leaves coups open or to choice."""
    shoe = Composition.full(DECKS)
    try:
        before, after = Odds(a, shoe), Odds(b, shoe)
        found = change(before, after)
        bets = tuple(
            BetCost(bet, share, before.bet(bet).edge, after.bet(bet).edge) for bet, share in found.nets.items() if share
        )
    except OracleError:
        return None
    return Cost(str(shoe), found.otherwise, bets)

"""What a mistake costs: how many coups it changes, and how much each bet then loses, exactly, on the table's shoe.

This module needs numpy; import it where it is used.
"""

from __future__ import annotations

from collections.abc import Mapping
from fractions import Fraction
from itertools import product

import msgspec

from oracle.game.end import BankerState, End
from oracle.game.rules import Rules
from oracle.mutants.single import changes
from oracle.odds.composition import Composition
from oracle.odds.counts import Odds
from oracle.odds.decisions import Decisions
from oracle.odds.rule_change import change
from oracle.odds.settlement_table import Net
from oracle.programs.behaviour import Behaviour, banker_draws, player_draws, stops
from oracle.rules.values import NONE, Value
from oracle.spans import OracleError

_WEIGHED = {"stops", "player_draws", "banker_draws", "winners", "nets", "decides_early"}


class Weight(msgspec.Struct, frozen=True):
    """The cost of a mistake on one shoe.

    `coups` is the share of coups that end with other cards, totals or another winner, `nets` by bet that in which a
    unit stake nets something else, `edges` by bet how much the house edge grows. Bets that change nothing are left out.
    """

    shoe: str
    coups: Fraction
    nets: dict[str, Fraction]
    edges: dict[str, Fraction]


def weigh(right: Behaviour, wrong: Behaviour) -> Weight | None:
    """The cost of a wrong behaviour; None where it is more than other decisions, winners and nets.

    The shoe is that of the rules, of eight decks where they say none.
    """
    if not {name for name, _ in changes(right, wrong)} <= _WEIGHED:
        return None
    rules = right.rules
    try:
        before = Odds(rules)
    except OracleError:
        before = Odds(rules, Composition.full(8))
    fields = right.classes.fields

    def winner_of(_rules: Rules, end: End) -> str:
        player, banker = end.totals
        return wrong.winners.get(end) or ("tie" if player == banker else "player" if player > banker else "banker")

    def net_of(_rules: Rules, bet: str, state: Mapping[str, Value]) -> Net:
        row = tuple(state[field] for field in fields)
        unit = wrong.nets.get((bet, row))
        if unit is None:
            unit = wrong.nets.get((bet, wrong.classes.nearest(row) or ()), Fraction(0))
        return Net("win" if unit > 0 else "lose" if unit < 0 else "push", unit)

    after = before.otherwise(made=_decisions(wrong), winner_of=winner_of, net_of=net_of)
    found = change(before, after)
    return Weight(
        shoe=str(before.composition),
        coups=found.otherwise,
        nets={bet: share for bet, share in found.nets.items() if share},
        edges={bet: more for bet, more in found.edges.items() if more},
    )


def _decisions(behaviour: Behaviour) -> Decisions:
    """Every decision of a behaviour, also where it gets and the rules don't."""
    two = list(product(range(10), repeat=2))
    states = [BankerState(player2, banker2, NONE, player2) for player2, banker2 in two]
    states += [BankerState(p, b, third, (p + third) % 10) for p, b in two for third in range(10)]

    def seen(state: BankerState) -> BankerState:
        early = behaviour.decides_early
        return state._replace(player_third=NONE, player_total=state.player2) if early else state

    return Decisions(
        totals=tuple(behaviour.rules.totals.items()),
        stops=tuple((pair, stops(behaviour, *pair)) for pair in two),
        player_draws=tuple((pair, player_draws(behaviour, *pair)) for pair in two),
        banker_draws=tuple((state, banker_draws(behaviour, seen(state))) for state in states),
    )

"""The list of wrong programs that keep sessions: each with a name, words, and which rules give it something to do."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from fractions import Fraction
from functools import lru_cache

import msgspec

from oracle.game.money import legal_stakes
from oracle.game.one_bettor import leaving_ends
from oracle.game.rules import Rules
from oracle.programs.behaviour import behaviour_of
from oracle.programs.bettor import Bettor

KEPT = Fraction(3, 4)
"""Who nets as much of a stake, and less than all of it, has paid commission."""

Concerns = Callable[[Rules], bool]


class SessionMutant(msgspec.Struct, frozen=True):
    """A wrong program: what it does wrong in words, and how it keeps a session.

    `concerns` says whether rules give it anything to do wrong. One that `floats` may be off by a hair.
    """

    id: str
    says: str
    program: type[Bettor]
    concerns: Concerns
    floats: bool = False


LISTED: list[SessionMutant] = []


def wrong(
    id: str, says: str, concerns: Concerns = lambda _: True, *, floats: bool = False
) -> Callable[[type[Bettor]], type[Bettor]]:
    """List a program; one id may stand for several ways to go wrong."""

    def add(program: type[Bettor]) -> type[Bettor]:
        LISTED.append(SessionMutant(f"session-{id}", says, program, concerns, floats))
        return program

    return add


def tests(field: str) -> Concerns:
    """Whether the end of a session depends on this."""
    return lambda rules: rules.tests("session_end", field)


def several(rules: Rules) -> bool:
    """Whether two bets may be laid together."""
    return any(answer == ("allowed",) for count, answer in _sets(rules) if count > 1)


def _sets(rules: Rules) -> Iterator[tuple[int, tuple[object, ...]]]:
    evaluation = rules.evaluation("bets_together")
    place = evaluation.space.fields.index("count")
    return ((int(row[place]), evaluation.answer(i)) for i, row in enumerate(evaluation.space.rows))


def pairs(rules: Rules) -> bool:
    """Whether there are bets on pairs."""
    return any(bet.endswith("_pair") for bet in rules.bets)


def limited(rules: Rules) -> bool:
    """Whether stakes above the balance are refused."""
    if not rules.clauses_about("total_stake"):
        return False
    return rules.at("total_stake", {"over_balance": "yes"}).answer(0) == ("refused",)


def starts_with_something(rules: Rules) -> bool:
    """Whether a session doesn't start at nothing."""
    return rules.value("start_balance") != 0


@lru_cache(maxsize=16)
def commission(rules: Rules) -> bool:
    """Whether a bet nets a little less than its stake."""
    return any(KEPT <= factor < 1 for factor in behaviour_of(rules).nets.values())


@lru_cache(maxsize=16)
def fractions(rules: Rules) -> bool:
    """Whether a legal stake nets no whole number."""
    factors = {(bet, factor) for (bet, _), factor in behaviour_of(rules).nets.items() if factor.denominator > 1}
    stakes = {bet: legal_stakes(rules, bet) for bet, _ in factors}
    return any(
        (known := stakes[bet]) is None or any((factor * stake).denominator > 1 for stake in known)
        for bet, factor in factors
    )


def end(rules: Rules) -> bool:
    """Whether a session ends by any rule."""
    return tests("coups")(rules) or tests("balance")(rules) or leaving_ends(rules)

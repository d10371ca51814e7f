"""Wrong programs that keep sessions, all of them."""

from __future__ import annotations

from collections.abc import Iterator

from oracle.game.rules import Rules
from oracle.mutants import session_bets, session_ends, session_left_over, session_money  # each lists its programs
from oracle.mutants.wrong_bettor import LISTED, SessionMutant

__all__ = [
    "SessionMutant",
    "session_bets",
    "session_ends",
    "session_left_over",
    "session_money",
    "session_mutants",
]


def session_mutants(rules: Rules) -> Iterator[SessionMutant]:
    """Every wrong program that these rules give something to do wrong; one id may stand for several ways."""
    return (mutant for mutant in LISTED if mutant.concerns(rules))

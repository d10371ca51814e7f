"""What the rules alone say of balances: whether stakes may exceed them, and what a session can make of them."""

from __future__ import annotations

from fractions import Fraction

from oracle.game.rules import Rules
from oracle.game.session import coup_changes
from oracle.spans import OracleError

MOST_COUPS = 100
"""The longest session of which an end after a number of coups is looked for."""


def forbids_debts(rules: Rules) -> tuple[bool, str] | None:
    """Whether nobody may stake more than there is, and the lines that say so; None if the document doesn't."""
    if not rules.clauses_about("total_stake"):
        return None
    evaluation = rules.at("total_stake", {"over_balance": "yes"})
    answer = evaluation.answer(0)
    lines = ", ".join(clause.lines for clause in evaluation.fired(0))
    return (answer == ("refused",), lines) if answer else None


def session_length(rules: Rules) -> int | None:
    """The number of coups after which a session ends whatever happens, if there is one."""
    if not rules.clauses_about("session_end") or rules.tests("session_end", "balance"):
        return None
    for coups in range(1, MOST_COUPS + 1) if rules.tests("session_end", "coups") else ():
        if rules.at("session_end", {"event": "coup", "coups": coups}).answer(0) == ("end",):
            return coups
    return None


def session_changes(rules: Rules) -> list[Fraction]:
    """What one coup can change for somebody with one bet; empty where stakes are no short list."""
    try:
        return coup_changes(rules)
    except OracleError:
        return []

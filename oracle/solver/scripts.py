"""Every script about a rule set: each question, what its masked clauses rest on, and its money."""

from __future__ import annotations

from collections.abc import Iterator

from oracle.game.rules import Rules
from oracle.rules.questions import COUP_QUESTIONS
from oracle.solver.amounts import write_amounts
from oracle.solver.smtlib import Script, write_cover_script, write_script


def scripts_of(rules: Rules) -> Iterator[Script]:
    """Every script of a rule set."""
    for question in COUP_QUESTIONS:
        yield write_script(rules, question)
        cover = write_cover_script(rules, question)
        if cover is not None:
            yield cover
    amounts = write_amounts(rules)
    if amounts is not None:
        yield amounts

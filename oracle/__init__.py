"""A verification harness and reference oracle for baccarat (punto banco).

>>> import oracle
>>> rules = oracle.load_rules("home-pt")
>>> coup = oracle.play(rules, oracle.parse_cards("4H 2S 9C AD 8D"))
>>> coup.winner, coup.player.total, coup.banker.total
('banker', 1, 3)
>>> oracle.settle(rules, coup, {"banker": 20})[0].net
Fraction(19, 1)
"""

from __future__ import annotations

import importlib
from typing import TYPE_CHECKING

from oracle._version import __version__

if TYPE_CHECKING:
    from oracle.cards import Card, parse_card, parse_cards
    from oracle.checks.engines import CheckResult
    from oracle.checks.sources import check
    from oracle.compare.rule_sets import compare
    from oracle.compare.run import Comparison
    from oracle.conformance.request import TestRequest, run_test
    from oracle.conformance.run.limits import Limits
    from oracle.conformance.summary.summary import Summary
    from oracle.game.batch import Batch
    from oracle.game.bets import Refusal, refusals, require_legal
    from oracle.game.coup import Coup, play
    from oracle.game.rules import Rules, load_rules
    from oracle.game.session import Session, start_session
    from oracle.game.settle import Settled, settle
    from oracle.game.tables import Tables
    from oracle.odds.composition import Composition, parse_shoe
    from oracle.odds.counts import Odds
    from oracle.odds.replies import Replies
    from oracle.odds.summary import OddsSummary, odds
    from oracle.rules.library import Library
    from oracle.spans import BadBet, BadCards, BadChoice, BadShoe, OracleError, SpecError, Undecided, UnknownName

__all__ = [
    "BadBet",
    "BadCards",
    "BadChoice",
    "BadShoe",
    "Batch",
    "Card",
    "CheckResult",
    "Comparison",
    "Composition",
    "Coup",
    "Library",
    "Limits",
    "Odds",
    "OddsSummary",
    "OracleError",
    "Refusal",
    "Replies",
    "Rules",
    "Session",
    "Settled",
    "SpecError",
    "Summary",
    "Tables",
    "TestRequest",
    "Undecided",
    "UnknownName",
    "__version__",
    "check",
    "compare",
    "load_rules",
    "odds",
    "parse_card",
    "parse_cards",
    "parse_shoe",
    "play",
    "refusals",
    "require_legal",
    "run_test",
    "settle",
    "start_session",
]


_HOMES = {
    "oracle.cards": ("Card", "parse_card", "parse_cards"),
    "oracle.checks.engines": ("CheckResult",),
    "oracle.checks.sources": ("check",),
    "oracle.compare.run": ("Comparison",),
    "oracle.conformance.request": ("TestRequest", "run_test"),
    "oracle.conformance.run.limits": ("Limits",),
    "oracle.conformance.summary.summary": ("Summary",),
    "oracle.game.batch": ("Batch",),
    "oracle.game.bets": ("Refusal", "refusals", "require_legal"),
    "oracle.game.coup": ("Coup", "play"),
    "oracle.game.rules": ("Rules", "load_rules"),
    "oracle.game.session": ("Session", "start_session"),
    "oracle.game.settle": ("Settled", "settle"),
    "oracle.game.tables": ("Tables",),
    "oracle.odds.composition": ("Composition", "parse_shoe"),
    "oracle.odds.counts": ("Odds",),
    "oracle.odds.replies": ("Replies",),
    "oracle.odds.summary": ("OddsSummary",),
    "oracle.rules.library": ("Library",),
    "oracle.spans": (
        "BadBet", "BadCards", "BadChoice", "BadShoe", "OracleError", "SpecError", "Undecided", "UnknownName",
    ),
}  # fmt: skip


def __dir__() -> list[str]:
    """The public names, also those that were not used yet."""
    return sorted(__all__)


def __getattr__(name: str) -> object:
    """Public names are imported when first used, so that the command line starts fast."""
    if name == "strategies":  # a module, which needs hypothesis
        return importlib.import_module("oracle.testing.strategies")
    if name in ("compare", "odds"):  # packages that can be called, see `oracle._callable_package`
        return importlib.import_module(f"oracle.{name}")
    for home, names in _HOMES.items():
        if name in names:
            return getattr(importlib.import_module(home), name)
    raise AttributeError(f"module `oracle` has no attribute `{name}`")

"""Tiers: which cases there are of a rule set, by name, as streams in a fixed order."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator

from oracle.cases import coup_cases, sequences
from oracle.cases.case import Case
from oracle.cases.minimal import SETS, minimal
from oracle.cases.notation import notation
from oracle.cases.reference import Reference, reference_of
from oracle.cases.sessions import sessions, silent_of_sessions
from oracle.cases.shipped import committed
from oracle.cases.shoes import shoes, silent_of_shoes
from oracle.game.rules import Rules
from oracle.spans import UnknownName
from oracle.text import did_you_mean, quoted

DEFAULT = ("totals", "settlement", "bets", "shoe", "session", "cards")
LARGE = ("values", "ranks")  # made when asked for; of these a suite holds the digests


def cases(rules: Rules, tier: str) -> Iterator[Case]:
    """The cases of a tier, in order. Raises `UnknownName`, and `OracleError` if the rules leave an answer open.

    There are none where `silent` says why. Minimal sets that were kept for rules of the same meaning are read, others
    are searched for, which takes a while.
    """
    make = TIERS.get(tier)
    if make is None:
        raise UnknownName(f"no tier {quoted(tier)}: {did_you_mean(tier, TIERS)}")
    if silent(rules, tier):
        return
    reference = reference_of(rules)
    if tier in LARGE:  # no coup comes twice, and all of them would fill the memory
        yield from make(reference)
        return
    kept = reference.tiers.get(tier)
    if kept is not None:
        yield from kept
        return
    laid: dict[str, Case] = {}
    for case in make(reference):
        if case.id not in laid:
            laid[case.id] = case
            yield case
    reference.tiers[tier] = tuple(laid.values())


def silent(rules: Rules, tier: str) -> str:
    """Why a tier has no cases for these rules; empty if it has some."""
    asks = _SILENT.get(tier)
    return asks(rules) if asks else ""


_SILENT: dict[str, Callable[[Rules], str]] = {"shoe": silent_of_shoes, "session": silent_of_sessions}


def _minimal(tier: str) -> Callable[[Reference], Iterable[Case]]:
    def make(reference: Reference) -> Iterable[Case]:
        kept = committed(reference, tier)
        return minimal(reference, SETS[tier]).cases if kept is None else kept

    return make


TIERS: dict[str, Callable[[Reference], Iterable[Case]]] = {
    **{tier: _minimal(tier) for tier in SETS},
    "totals": coup_cases.totals,
    "settlement": coup_cases.settlement,
    "bets": coup_cases.bets,
    "shoe": shoes,
    "session": sessions,
    "cards": notation,
    "values": sequences.values,
    "ranks": sequences.ranks,
}

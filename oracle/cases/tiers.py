"""Tiers: which cases there are of a rule set, by name, as streams in a fixed order."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from typing import Literal

import msgspec

from oracle.cases import coup_cases, sequences
from oracle.cases.case import Case
from oracle.cases.minimal import SETS, showing
from oracle.cases.notation import notation
from oracle.cases.reference import Reference, reference_of
from oracle.cases.sessions import sessions, silent_of_sessions
from oracle.cases.shipped import committed
from oracle.cases.shoes import shoes, silent_of_shoes
from oracle.game.rules import Rules
from oracle.spans import UnknownName
from oracle.text import did_you_mean, quoted

Place = Literal["shared", "own", "everywhere", "large"]


class Tier(msgspec.Struct, frozen=True):
    """How the cases of a tier are made, and where a suite keeps them.

    They are `shared` by rule sets with the same tableau, each rule set's `own`, the same `everywhere`, or so many that
    they are made when they are asked for: of `large` tiers a suite holds the digests. A run asks those of `default`
    unless it is said otherwise. `silent` says why a rule set has none, empty if it has some; `tags` explains those
    of this tier alone.
    """

    make: Callable[[Reference], Iterable[Case]]
    place: Place
    default: bool = False
    silent: Callable[[Rules], str] | None = None
    tags: Mapping[str, str] = {}


def cases(rules: Rules, tier: str) -> Iterator[Case]:
    """The cases of a tier, in order. Raises `UnknownName`, and `OracleError` if the rules leave an answer open.

    There are none where `silent` says why. Minimal sets that were kept for rules of the same meaning are read; for
    others coups are found that show as much, in some seconds, though they are not the fewest.
    """
    if tier not in TIERS:
        raise UnknownName(f"no tier {quoted(tier)}: {did_you_mean(tier, TIERS)}")
    if silent(rules, tier):
        return
    reference, make = reference_of(rules), TIERS[tier].make
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
    asks = TIERS[tier].silent if tier in TIERS else None
    return asks(rules) if asks else ""


def _minimal(tier: str) -> Callable[[Reference], Iterable[Case]]:
    def make(reference: Reference) -> Iterable[Case]:
        kept = committed(reference, tier)
        return showing(reference, SETS[tier]) if kept is None else kept

    return make


# A new tier is a module that makes cases, and a line here; then a row in the table of docs/fixtures.md, another second
# number of `manifest.SUITE`, and `baccarat-oracle fixtures build`. The order is that of a run and of a suite's files.
TIERS: dict[str, Tier] = {
    "totals": Tier(coup_cases.totals, "shared", default=True),
    **{tier: Tier(_minimal(tier), "own" if "net" in seen else "shared") for tier, seen in SETS.items()},
    "settlement": Tier(coup_cases.settlement, "own", default=True),
    "bets": Tier(coup_cases.bets, "own", default=True),
    "shoe": Tier(shoes, "own", default=True, silent=silent_of_shoes),
    "session": Tier(sessions, "own", default=True, silent=silent_of_sessions),
    "cards": Tier(notation, "everywhere", default=True),
    "values": Tier(sequences.values, "large"),
    "ranks": Tier(sequences.ranks, "large"),
}
DEFAULT = tuple(name for name, tier in TIERS.items() if tier.default)
KEPT = tuple(name for place in ("shared", "own", "everywhere") for name, tier in TIERS.items() if tier.place == place)
LARGE = tuple(name for name, tier in TIERS.items() if tier.place == "large")

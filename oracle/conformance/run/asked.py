"""Which cases a run asks: those of fixture tiers one after the other, some of them by id, or a few of some tiers."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Sequence
from itertools import islice

from oracle.cases.case import Case
from oracle.cases.minimal import SETS
from oracle.cases.tiers import TIERS, cases, silent
from oracle.game.rules import Rules
from oracle.spans import UnknownName
from oracle.text import did_you_mean, printable, quoted


def check_tiers(tiers: Sequence[str]) -> None:
    """Raises `UnknownName` for a tier that there isn't."""
    for tier in tiers:
        if tier not in TIERS:
            raise UnknownName(f"no tier {quoted(tier)}: {did_you_mean(tier, TIERS)}")


def silences(rules: Rules, tiers: Sequence[str]) -> dict[str, str]:
    """Why some of these tiers have no cases for these rules."""
    return {tier: why for tier in tiers if (why := silent(rules, tier))}


def suite(rules: Rules, tiers: Sequence[str], only: Sequence[str] = ()) -> Iterator[Case]:
    """The cases of some tiers, as they come; with `only`, those of these ids. Raises `UnknownName` for others."""
    missing = set(only)
    for tier in dict.fromkeys(tiers):
        for case in cases(rules, tier):
            if not only:
                yield case
            elif case.id in missing:
                missing.discard(case.id)
                yield case
                if not missing:
                    return
    if missing:
        raise UnknownName(
            f"no case {printable(', '.join(sorted(missing))[:200])} in the tiers {', '.join(tiers)} of {rules.id}"
        )


_STEP = 6  # of the tier `totals` an adaptive run may ask every sixth coup


def adaptive_tiers(observables: Collection[str]) -> tuple[str, ...]:
    """The tiers from which an adaptive run chooses: the minimal sets that fit these observables best, and totals."""

    def fit(tier: str) -> tuple[bool, int, int]:
        shared = len(set(SETS[tier]) & set(observables))
        return shared == len(SETS[tier]), shared, -len(SETS[tier])

    best = max(SETS, key=fit)
    return tuple(dict.fromkeys((best, "minimal", "totals") if "net" in observables else (best, "totals")))


def adaptive_suite(rules: Rules, observables: Collection[str]) -> Iterator[Case]:
    """The coups from which an adaptive run chooses, each once."""
    seen: set[str] = set()
    for tier in adaptive_tiers(observables):
        for case in islice(cases(rules, tier), 0, None, _STEP if tier == "totals" else 1):
            if case.id not in seen:
                seen.add(case.id)
                yield case

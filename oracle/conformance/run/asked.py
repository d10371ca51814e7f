"""Which cases a run asks: those of fixture tiers one after the other, some of them by id, or a few of some tiers."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Sequence
from itertools import islice

from msgspec import UNSET, UnsetType

from oracle.cases.case import Case, StepCoup
from oracle.cases.minimal import SETS
from oracle.cases.tiers import TIERS, cases, silent
from oracle.conformance.judge import checkable
from oracle.game.rules import Rules
from oracle.programs.observables import BY_BET
from oracle.spans import UnknownName
from oracle.text import did_you_mean, printable, quoted


def check_tiers(tiers: Sequence[str]) -> None:
    """Raises `UnknownName` for a tier that there isn't."""
    for tier in tiers:
        if tier not in TIERS:
            raise UnknownName(f"no tier {quoted(tier)}: {did_you_mean(tier, TIERS)}")


class Askable:
    """Which cases a declaration lets a run ask: decided here alone, for runs, results files and logs judged anew.

    A case is asked if its kind is declared, if a declared observable has something to say about it, and if it contains
    no bet that is left out: one that the rules offer (`offered`) and that is not among the `bets` declared. Without
    `bets`, as in version 1, none is left out. A bet that the rules don't offer keeps no case from being asked: that it
    is refused can be answered by a program that never heard of it. A case that is not asked counts as that, and
    never as skipped.
    """

    def __init__(
        self,
        kinds: Collection[str],
        observables: Collection[str],
        bets: Collection[str] | UnsetType = UNSET,
        offered: Collection[str] = (),
    ) -> None:
        self.kinds = kinds
        self.observables = observables
        self.bets = bets
        self.left_out: tuple[str, ...] = () if bets is UNSET else tuple(bet for bet in offered if bet not in bets)

    def asks(self, case: Case) -> bool:
        """Whether this case is asked."""
        if case.kind not in self.kinds or not checkable(case, self.observables):
            return False
        return not self.left_out or self.takes(case)

    def takes(self, case: Case) -> bool:
        """Whether a case contains no bet that is left out, in its steps neither."""
        steps = (step.bets for step in case.steps if isinstance(step, StepCoup))
        return not any(bet in bets for bets in (case.bets, *steps) for bet in self.left_out)


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


def adaptive_tiers(observables: Collection[str], bets: Collection[str] | UnsetType = UNSET) -> tuple[str, ...]:
    """The tiers from which an adaptive run chooses: the minimal sets that fit these observables best, and totals.

    Where `bets` are declared the best set without bets is among them, since coups with others are left out.
    """

    def fit(tier: str) -> tuple[bool, int, int]:
        shared = len(set(SETS[tier]) & set(observables))
        return shared == len(SETS[tier]), shared, -len(SETS[tier])

    best = max(SETS, key=fit)
    if not BY_BET & set(observables):
        return best, "totals"
    bare = () if bets is UNSET else (max((tier for tier in SETS if not BY_BET & set(SETS[tier])), key=fit),)
    return tuple(dict.fromkeys((best, "minimal", *bare, "totals")))


def adaptive_suite(
    rules: Rules, observables: Collection[str], bets: Collection[str] | UnsetType = UNSET
) -> Iterator[Case]:
    """The coups from which an adaptive run chooses, each once."""
    seen: set[str] = set()
    for tier in adaptive_tiers(observables, bets):
        for case in islice(cases(rules, tier), 0, None, _STEP if tier == "totals" else 1):
            if case.id not in seen:
                seen.add(case.id)
                yield case

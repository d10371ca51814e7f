"""Which cases a run asks: those of fixture tiers one after the other, or some of them by id."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from oracle.fixtures.case import Case
from oracle.fixtures.tiers import TIERS, cases
from oracle.game.rules import Rules
from oracle.rules.fields import did_you_mean
from oracle.spans import UnknownName, printable


def check_tiers(tiers: Sequence[str]) -> None:
    """Raises `UnknownName` for a tier that there isn't."""
    for tier in tiers:
        if tier not in TIERS:
            raise UnknownName(f"no tier `{printable(tier[:40])}`: {did_you_mean(tier, TIERS)}")


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

"""Which cases a run asks: those of tiers in their order, some of them by id, cases in full, or a few of some tiers.

Unless tiers are named, a run asks the default suite: the minimal set for what the program reports, which shows every
single change of the rules that can be seen so, and the tiers of `oracle.cases.tiers.DEFAULT`.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Sequence
from itertools import islice
from typing import Any

import msgspec

from oracle.cases.case import Answer, Case, Kind, Step
from oracle.cases.minimal import SETS
from oracle.cases.reference import Reference, reference_of
from oracle.cases.tiers import DEFAULT, TIERS, cases, silent
from oracle.game.rules import Rules
from oracle.game.settle import check_bet
from oracle.programs.observables import BY_BET, OBSERVABLES
from oracle.spans import OracleError, UnknownName
from oracle.text import did_you_mean, printable, quoted


def check_tiers(tiers: Sequence[str]) -> None:
    """Raises `UnknownName` for a tier that there isn't."""
    for tier in tiers:
        if tier not in TIERS:
            raise UnknownName(f"no tier {quoted(tier)}: {did_you_mean(tier, TIERS)}")


def check_observables(observables: Collection[str]) -> None:
    """Raises `UnknownName` for an observable that there isn't."""
    for name in observables:
        if name not in OBSERVABLES:
            raise UnknownName(f"no observable {quoted(name)}: {did_you_mean(name, OBSERVABLES)}")


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


def asked_cases(
    rules: Rules, *, tiers: Sequence[str], only: Sequence[str] = (), ask: Sequence[str] = ()
) -> Iterator[Case]:
    """The cases of a run that doesn't choose them as it goes: those in full, or those of tiers; see `suite`."""
    return read_in_full(rules, ask) if ask else suite(rules, tiers, only)


def fitting(observables: Collection[str]) -> tuple[str, ...]:
    """The minimal sets for what a program reports: the one that asks for most of it and for nothing else.

    All of them where none fits, for a program that reports no winner: together they show what any of them shows.
    """
    fits = [tier for tier, seen in SETS.items() if set(seen) <= set(observables)]
    return (max(fits, key=lambda tier: len(SETS[tier])),) if fits else tuple(SETS)


def tiers_of(chosen: Sequence[str], observables: Collection[str]) -> tuple[str, ...]:
    """The tiers of a run: those `chosen`, or the default suite; `minimal` is the set for these observables."""
    named = chosen or ("minimal", *DEFAULT)
    found = (tier if tier != "minimal" else fitting(observables) for tier in named)
    return tuple(dict.fromkeys(name for tier in found for name in ((tier,) if isinstance(tier, str) else tier)))


class AskedInFull(msgspec.Struct, frozen=True, omit_defaults=True, forbid_unknown_fields=True):
    """A case in the fields of the protocol, without an id, as `--ask` takes it."""

    kind: Kind = "coup"
    cards: tuple[str, ...] = ()
    bets: dict[str, str] = {}
    balance: str | None = None
    dealt: int | None = None
    burnt: int = 0
    decks: int | None = None
    cut_card: bool | None = None
    steps: tuple[Step, ...] = ()
    text: str | None = None


def in_full(case: AskedInFull | Case | Any) -> str:
    """The JSON text of what a case asks, bets in their order."""
    fields = {name: getattr(case, name) for name in AskedInFull.__struct_fields__}
    return msgspec.json.encode(AskedInFull(**fields)).decode()


def read_in_full(rules: Rules, texts: Iterable[str]) -> Iterator[Case]:
    """The cases that these texts ask. Raises `OracleError` for one that can't be read, or can't be asked."""
    reference = reference_of(rules)
    for text in texts:
        try:
            asked = msgspec.json.decode(text, type=AskedInFull)
        except (msgspec.DecodeError, RecursionError) as error:
            raise OracleError(
                f"can't read the case {quoted(text, 80)}: {printable(str(error))}; write it as the protocol asks it, "
                'as {"cards":["4H","2S","9C","AD","8D","3C"],"bets":{"banker":"20"}}'
            ) from error
        yield _case(reference, asked)


def _case(reference: Reference, asked: AskedInFull) -> Case:
    if asked.kind == "coup" and not _SIX <= len(asked.cards) <= _MOST_CARDS:
        raise OracleError(
            f"a coup is asked with {_SIX} to {_MOST_CARDS} cards, spare ones too; {len(asked.cards)} given"
        )
    for bet in asked.bets if asked.kind == "coup" else ():
        check_bet(reference.rules, bet)
    try:
        fields = {name: getattr(asked, name) for name in AskedInFull.__struct_fields__}
        return reference.again(Case(id="", expect=Answer(), **fields))
    except (ValueError, ZeroDivisionError) as error:
        raise OracleError(f"can't ask {quoted(in_full(asked), 80)}: {printable(str(error))}") from error


_SIX, _MOST_CARDS = 6, 100
_STEP = 6  # of the tier `totals` an adaptive run may ask every sixth coup


def adaptive_tiers(observables: Collection[str]) -> tuple[str, ...]:
    """The tiers from which an adaptive run chooses: the minimal sets that fit these observables best, and totals."""

    def fit(tier: str) -> tuple[bool, int, int]:
        shared = len(set(SETS[tier]) & set(observables))
        return shared == len(SETS[tier]), shared, -len(SETS[tier])

    best = max(SETS, key=fit)
    return tuple(dict.fromkeys((best, "minimal", "totals") if BY_BET & set(observables) else (best, "totals")))


def adaptive_suite(rules: Rules, observables: Collection[str]) -> Iterator[Case]:
    """The coups from which an adaptive run chooses, each once."""
    seen: set[str] = set()
    for tier in adaptive_tiers(observables):
        for case in islice(cases(rules, tier), 0, None, _STEP if tier == "totals" else 1):
            if case.id not in seen:
                seen.add(case.id)
                yield case

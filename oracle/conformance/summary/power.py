"""How much the coups of a run could have shown, had the program been wrong."""

from __future__ import annotations

from collections.abc import Collection, Iterable
from itertools import islice

from oracle.cases.case import Case
from oracle.cases.fault_model import Shown, shown_miscounts, shown_mutants
from oracle.cases.minimal import SETS, shown_by
from oracle.cases.reference import Reference, reference_of
from oracle.cases.shipped import proved_unseen
from oracle.conformance.diagnose.diagnose import asked_in
from oracle.conformance.run.asked import in_full, read_in_full
from oracle.conformance.run.log import Log
from oracle.conformance.summary.summary import Power
from oracle.game.rules import Rules
from oracle.mutants.domain import unseen

_MOST = 10_000  # coups that are tried


def power_of(log: Log, rules: Rules) -> Power | None:
    """What the coups of a run that were answered could have shown; None if there are none.

    Of more than ten thousand coups the first are tried, and what these show is the least that all of them do.
    """
    observables = log.header.observables
    answered = {line.id for line in log.lines() if line.outcome in ("pass", "fail") and line.id.startswith("coup-")}
    if not (answered and observables and "coup" in log.header.kinds):
        return None
    reference = reference_of(rules)
    coups = (case for case in asked_in(log, rules) if case.id in answered)
    power = power_of_cases(rules, islice(coups, _MOST), observables)
    drawn = [line for line in log.fresh if line.kind == "coup" and line.outcome in ("pass", "fail")]
    miscounts: Shown | None = None
    if drawn:
        miscounts = shown_miscounts(reference, read_in_full(rules, map(in_full, drawn)), observables)
    return Power(power.changes, power.unseen, miscounts, at_least=len(answered) > _MOST)


def power_of_cases(rules: Rules, cases: Iterable[Case], observables: Collection[str]) -> Power:
    """What cases can show of a program that reports these observables."""
    reference = reference_of(rules)
    proved = _proved_unseen(reference, observables)
    changes = shown_mutants(reference, cases, observables, unseen=proved)
    left = set(changes.hidden) - proved
    mistakes = [mutant for mutant in reference.mutants if mutant.family == "mistake" and mutant.id in left]
    return Power(changes, len(proved) + sum(bool(unseen(reference.domain, each, observables)) for each in mistakes))


def _proved_unseen(reference: Reference, observables: Collection[str]) -> frozenset[str]:
    """The changes that are proved to show in no coup, by the kept certificates of sets for as much or more."""
    told = {mutant.id for mutant in shown_by(reference, observables)}
    found = frozenset(mutant.id for mutant in reference.mutants if mutant.id not in told)  # what only nets show
    for tier, seen in SETS.items():
        if set(observables) <= set(seen):
            found |= proved_unseen(reference, tier)
    return found

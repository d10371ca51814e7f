"""Which rule is wrong: the changes of the rules that give all answers of a run, and the tableau that they show.

A candidate (a single change, a catalogued mistake, another rule set) explains a run if it answers every case as the
implementation did. Where none does, the faults are learnt from the answers, layer by layer. Cases that got no answer
count for nothing. Coups and bets are explained apart, since a program can be wrong in both.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from fractions import Fraction
from itertools import islice
from typing import TYPE_CHECKING, Any

import msgspec
from msgspec.structs import replace

from oracle.cards import parse_card
from oracle.cases.case import Case, Kind
from oracle.cases.reference import Reference, reference_of
from oracle.cases.suite import cells
from oracle.conformance.diagnose.explain import EXPLAINED, Candidate, Suspects, case_of, gives, speaks
from oracle.conformance.diagnose.indistinguishable import Alike, alike
from oracle.conformance.diagnose.observed import Sample
from oracle.conformance.diagnose.observed_coup import Answered
from oracle.conformance.run.asked import Askable, adaptive_suite, asked_cases
from oracle.conformance.run.log import Line, Log
from oracle.diagnosis.together import ShownFault, together
from oracle.game.rules import Rules
from oracle.mutants.domain import unseen
from oracle.mutants.single import Mutant
from oracle.mutants.wrong_limits import limit_mutants
from oracle.programs.behaviour import Behaviour
from oracle.programs.observables import BY_BET, DECIDED, OBSERVABLES, differing
from oracle.programs.placed_bets import PlacedBets, placed
from oracle.progress import tell, track
from oracle.spans import OracleError

if TYPE_CHECKING:
    from oracle.mutants.weight import Weight

_EVIDENCE = 200  # cases a cell, which is plenty: what a program decides in a cell seldom depends on more
_WEIGHED = 3
_LINES = 3  # statements that are named for a fault
_FAILS = 1_000  # failures that candidates are held against first, from the whole run


class Explanation(msgspec.Struct, frozen=True):
    """A change of the rules that gives all answers: a mutant, or a wrong judge of bets (family bets).

    `weight` is what it costs, for the first few, where that can be counted.
    """

    name: str
    says: str
    family: str
    cells: tuple[str, ...] = ()
    weight: Weight | None = None


class Seen(msgspec.Struct, frozen=True):
    """What the answers show of one decision cell: how many are as by the rules, how many as by the other action.

    Answers that both actions give, and answers that neither gives, don't count. `due` is what the rules say, `by` the
    statements or the resolution that say it.
    """

    cell: str
    due: str
    by: str
    right: int
    wrong: int

    @property
    def action(self) -> str:
        """The action that the answers show: as due, the other one, `both`, or nothing if they show none."""
        if self.right and self.wrong:
            return "both"
        return self.due if self.right else _OTHER[self.due] if self.wrong else ""


class NamedFault(msgspec.Struct, frozen=True):
    """One of several faults: what it changes, the layer of an answer in which it shows first, and what shows it.

    Without it `wrong` of the wrong answers aren't given; `alone` is the id of a case that shows it and no other fault,
    empty if there is none. `by` are the statements or the resolution of the rule that is wrong, where there is one.
    """

    explanation: Explanation
    layer: str
    wrong: int
    alone: str = ""
    by: str = ""


class FaultsTogether(msgspec.Struct, frozen=True):
    """Faults that together give the answers about coups: of `answers`, of which `wrong` are wrong, all but `left`.

    No right answer contradicts them.
    """

    faults: tuple[NamedFault, ...]
    answers: int
    wrong: int
    left: int


class Diagnosis(msgspec.Struct, frozen=True):
    """What explains a run. `coups` and `bets` are explanations, empty if there is none, or nothing to explain.

    `together` is what was learnt where no single explanation of coups was found.

    `others` are those of other kinds of cases. `tableau` has every decision cell. `hidden` are catalogued mistakes that
    the declared observables can't show. `alike` are those of the explanations of coups that they can't tell apart. Of
    the rule sets in `matches` those in `partly` don't speak of all that was answered.
    """

    coups: tuple[Explanation, ...]
    bets: tuple[Explanation, ...]
    matches: tuple[str, ...]
    tableau: tuple[Seen, ...]
    hidden: tuple[Explanation, ...]
    alike: tuple[Alike, ...] = ()
    others: Mapping[Kind, tuple[Explanation, ...]] = {}
    partly: tuple[str, ...] = ()
    together: FaultsTogether | None = None


_OTHER = {"draw": "stand", "stand": "draw", "stop": "go on", "go on": "stop"}


NOTHING = Diagnosis((), (), (), (), ())


def diagnose(log: Log, rules: Rules, others: Iterable[Rules] = (), asked: Sequence[Case] | None = None) -> Diagnosis:
    """Explain the answers of a run against `rules`; `others` are rule sets that it may have played instead.

    `asked` are the cases of the run in their order, if they are at hand; else they are made again. The few cases of an
    adaptive run are only explained by one change.
    """
    others = () if log.header.adaptive else others
    reference = reference_of(rules)
    observables = tuple(log.header.observables) if "coup" in log.header.kinds else ()
    if not log.counts["fail"]:
        return replace(NOTHING, hidden=tuple(_hidden(reference, observables)))
    failed = (line for line in log.lines(passed=False) if line.outcome == "fail")
    fails = list(islice(failed, 0, None, -(-log.counts["fail"] // _FAILS)))
    wrong_coups = [
        Answered(reference, observables, _case_of(reference, line), line) for line in fails if line.kind == "coup"
    ]
    coups = [mutant for mutant in reference.candidates if wrong_coups and _agrees_all(mutant, wrong_coups)]
    judges = list(limit_mutants(rules)) if any(line.kind == "bets" for line in fails) else []
    tables = [_Table(other) for other in others if fails and other.id != rules.id]
    tables = [table for table in tables if table.plays(wrong_coups)]
    suspects = {kind: Suspects(reference, kind) for kind in EXPLAINED if any(line.kind == kind for line in fails)}
    for line in fails:
        if line.kind in suspects:
            suspects[line.kind].add(case_of(reference, line), line)
    tableau = _Tableau(reference)

    def cases() -> Iterable[Case]:
        return asked_in(log, rules) if asked is None else asked

    of = sum(log.counts.values())
    for case, line in track(_answered(log, cases()), "looking for what explains the failures", of=of, every=100):
        if case.kind == "coup":
            coup = Answered(reference, observables, case, line)
            tableau.add(coup)
            coups = [mutant for mutant in coups if coup.agrees(mutant)]
            tables = [table for table in tables if table.tells(line, said=table.plays([coup]))]
        elif case.kind in EXPLAINED:
            if case.kind in suspects:
                suspects[case.kind].add(case, line)
            tables = [table for table in tables if table.gives(case, line)]
        else:
            said = case.expect.legal != bool(line.differs)
            bets = _placed(rules, case)
            judges = [judge for judge in judges if judge.takes(bets) == said]
            tables = [table for table in tables if table.tells(line, said=_placed(table.rules, case).legal == said)]
    tables = [table for table in tables if table.told]
    found = None
    if wrong_coups and not coups and not tables and not log.header.adaptive:
        tell("learning several faults from the answers")
        found = _together(log, reference, observables, cases)
    coups = list(_once(coups))
    return Diagnosis(
        coups=tuple(_weighed(reference, mutant, place) for place, mutant in enumerate(coups)),
        bets=tuple(Explanation(judge.id, judge.says, "bets") for judge in judges),
        matches=tuple(table.rules.id for table in tables),
        partly=tuple(table.rules.id for table in tables if table.unheard),
        tableau=tableau.seen(),
        hidden=tuple(_hidden(reference, observables)),
        others={kind: _named(suspects[kind].found) for kind in suspects},
        alike=alike(reference, coups, observables),
        together=found,
    )


def _named(found: Iterable[Candidate]) -> tuple[Explanation, ...]:
    """Candidates as explanations, each name once."""
    named = {candidate.name: candidate for candidate in reversed(list(found))}
    return tuple(Explanation(c.name, c.says, c.family, c.cells) for c in reversed(named.values()))


def explain(reference: Reference, observables: Sequence[str], case: Case, line: Line) -> tuple[Explanation, ...]:
    """The changes of the rules that answer one coup as `line` tells that it was answered."""
    coup = Answered(reference, observables, case, line)
    found = _once(mutant for mutant in reference.mutants if coup.agrees(mutant))
    return tuple(Explanation(m.id, m.says, m.family, m.cells) for m in found)


def _together(
    log: Log, reference: Reference, observables: Sequence[str], cases: Callable[[], Iterable[Case]]
) -> FaultsTogether | None:
    """The faults that were learnt from the coups; None if there are none to tell."""
    sample = Sample(
        lambda: ((case, line) for case, line in _answered(log, cases()) if case.kind == "coup"),
        observables,
        log.counts["fail"],
    )
    found = together(reference, sample.taken, sample.every)
    if not found.faults:
        return None
    by = {cell: _by(entry) for cell, entry in cells(reference).items()}
    faults = tuple(_named_fault(reference, shown, place, by) for place, shown in enumerate(found.faults))
    return FaultsTogether(faults, found.answers, found.wrong, found.unexplained)


def _named_fault(reference: Reference, shown: ShownFault, place: int, by: Mapping[str, str]) -> NamedFault:
    from oracle.mutants.weight import weigh

    fault = shown.fault
    weight = None
    if shown.behaviour is not None and place < _WEIGHED:
        weight = weigh(reference.behaviour, shown.behaviour)
    lines = list(dict.fromkeys(by[cell] for cell in fault.cells if by.get(cell)))
    return NamedFault(
        Explanation(fault.name, fault.says, fault.layer, fault.cells, weight),
        fault.layer,
        shown.wrong,
        str(shown.alone or ""),
        "; ".join([*lines[:_LINES], *["…"] * (len(lines) > _LINES)]),
    )


def _once(mutants: Iterable[Mutant]) -> Iterable[Mutant]:
    """The first of those of one id, which are ways to make one mistake."""
    found: dict[str, Mutant] = {}
    for mutant in mutants:
        found.setdefault(mutant.id, mutant)
    return found.values()


def _weighed(reference: Reference, mutant: Mutant, place: int) -> Explanation:
    """A mutant as an explanation, with its weight if it is among the first."""
    from oracle.mutants.weight import weigh

    weight = weigh(reference.behaviour, mutant.behaviour) if place < _WEIGHED else None
    return Explanation(mutant.id, mutant.says, mutant.family, mutant.cells, weight)


def asked_in(log: Log, rules: Rules) -> Iterable[Case]:
    """The cases of a run in the order in which they were asked."""
    if not log.header.adaptive:
        header = log.header
        askable = Askable(header.kinds, header.observables, header.bets, rules.bets)
        return map(askable.adapted, asked_cases(rules, tiers=header.tiers, only=header.only, ask=header.ask))
    by_id = {case.id: case for case in adaptive_suite(rules, log.header.observables, log.header.bets)}
    return [by_id[line.id] for line in log.lines() if line.id in by_id]


def _answered(log: Log, cases: Iterable[Case]) -> Iterator[tuple[Case, Line]]:
    """The cases that were answered, with what became of them. Both come in the order in which they were asked."""
    asked = iter(cases)
    for line in log.lines():
        case = next((case for case in asked if case.id == line.id), None)
        if case is None:
            return
        if line.outcome in ("pass", "fail"):
            yield case, line


def _case_of(reference: Reference, line: Line) -> Case:
    """The case of a failure, with its expectation."""
    return reference.coup(
        tuple(map(parse_card, line.cards)), {bet: Fraction(stake) for bet, stake in line.bets.items()}
    )


def _placed(rules: Rules, case: Case) -> PlacedBets:
    stakes = {bet: Fraction(stake) for bet, stake in case.bets.items()}
    return placed(rules, stakes, None if case.balance is None else Fraction(case.balance))


def _agrees_all(mutant: Mutant, coups: Sequence[Answered]) -> bool:
    return all(coup.agrees(mutant) for coup in coups)


class _Table:
    """Another rule set that the implementation may play."""

    def __init__(self, rules: Rules) -> None:
        self.rules = rules
        self.unheard = self.told = False
        self.reference: Reference | None
        try:
            self.reference = reference_of(rules)
        except OracleError:  # with free choices, or open
            self.reference = None

    def plays(self, coups: Sequence[Answered]) -> bool:
        """Whether this rule set gives these answers. Where it doesn't offer a bet it can't."""
        if self.reference is None:
            return False
        behaviour, bets = self.reference.behaviour, set(self.rules.bets)
        return all(
            (set(coup.stakes) <= bets or not BY_BET & set(coup.observables)) and coup.gives(behaviour) for coup in coups
        )

    def gives(self, case: Case, line: Line) -> bool:
        """Whether it gives this answer about a shoe, a session or a card; true if it doesn't speak of that."""
        if self.reference is None:
            return False
        if not speaks(self.rules, case):
            self.unheard = True
            return True
        return self.tells(line, said=gives(self.reference, case, line))

    def tells(self, line: Line, *, said: bool) -> bool:
        """Whether it gives an answer; one that gives no wrong answer tells nothing."""
        self.told |= said and bool(line.differs)
        return said


class _Tableau:
    """What answers show of each decision cell, through what decisions change: winner, totals, cards."""

    def __init__(self, reference: Reference) -> None:
        self.flips = {mutant.cells[0]: mutant.behaviour for mutant in reference.mutants if mutant.family == "flip"}
        self.due = {cell: _due(reference.behaviour, cell) for cell in self.flips}
        self.by = {cell: _by(entry) for cell, entry in cells(reference).items()}
        self.counts = {cell: [0, 0] for cell in self.flips}

    def add(self, coup: Answered) -> None:
        """Count a coup for each cell that it comes to and of which its answer shows something."""
        seen = _decided(coup.differs)
        for cell in coup.case.cells:
            counts = self.counts.get(cell)
            if counts is None or sum(counts) >= _EVIDENCE:
                continue
            other = coup.decided(self.flips[cell])
            if other and seen in ({}, other):
                counts[seen == other] += 1

    def seen(self) -> tuple[Seen, ...]:
        """Each decision cell, in order."""
        return tuple(Seen(cell, self.due[cell], self.by.get(cell, ""), *counts) for cell, counts in self.counts.items())


def _by(entry: Mapping[str, Any]) -> str:
    """What a cell is decided by, in words: `line 21 (banker-table/21)`, or the name of a resolution."""
    if "resolution" in entry:
        return f"resolution {entry['resolution']}"
    return ", ".join(f"line {lines} ({id})" if lines else id for id, lines in entry["statements"].items())


def _decided(differs: Mapping[str, object]) -> dict[str, object]:
    about = {name: differing(name) for name in differs}
    return {name: got for name, got in differs.items() if (found := about[name]) and found[0].name in DECIDED}


def _due(behaviour: Behaviour, cell: str) -> str:
    """What the rules say in a cell: draw or stand, stop or go on."""
    question, _, place = cell.partition(" ")
    first, _, second = place.partition("/")
    if question == "natural":
        return "stop" if behaviour.stops[int(first), int(second)] else "go on"
    if question == "player_draw":
        return "draw" if next(draws for (p, _), draws in behaviour.player_draws.items() if p == int(first)) else "stand"
    found = next(
        draws for state, draws in behaviour.banker_draws.items() if tuple(map(str, state.cell)) == (first, second)
    )
    return "draw" if found else "stand"


def _hidden(reference: Reference, observables: Sequence[str]) -> Iterator[Explanation]:
    """The catalogued mistakes that no coup can show through these observables, and could through all."""
    if not observables or set(observables) == set(OBSERVABLES):
        return
    for mutant in reference.mutants:
        if (
            mutant.family == "mistake"
            and unseen(reference.domain, mutant, observables)
            and not unseen(reference.domain, mutant, OBSERVABLES)
        ):
            yield Explanation(mutant.id, mutant.says, mutant.family, mutant.cells)

"""Finding a single fault in few coups: each next coup is that which splits best what may still be wrong.

What may be wrong are the single changes of the rules and the catalogued mistakes, or nothing. The coups to choose from
are those of a minimal set, which shows every change that can be seen, and some of the tier `totals`, which tell changes
apart. What every change would answer is played beforehand, as classes of answers by coup.

This module needs numpy; import it where it is used.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from fractions import Fraction
from functools import lru_cache
from typing import Any

import msgspec
import numpy as np  # noqa: TID253 (imported where it is used)
import numpy.typing as npt  # noqa: TID253
from msgspec import UNSET, UnsetType

from oracle.cards import Card, parse_cards
from oracle.cases.case import Case
from oracle.cases.reference import Reference
from oracle.conformance.diagnose.observed_coup import Answered
from oracle.conformance.run.asked import Askable, adaptive_suite
from oracle.conformance.run.log import Line
from oracle.mutants.domain import unseen
from oracle.mutants.single import Mutant, changes
from oracle.programs.behaviour import Behaviour, Played, play
from oracle.programs.cells import consulted
from oracle.programs.observables import OBSERVABLES, observe

_CONFIRMED = 3  # coups with a wrong answer, and so many with a right one, that confirm what was found
_MONEY = {"nets", "money", "halves_player_six"}

Bets = tuple[str, ...] | UnsetType
Classes = npt.NDArray[np.int16]


class _Laid(msgspec.Struct, frozen=True):
    """A coup of the pool, played right."""

    cards: tuple[Card, ...]
    stakes: dict[str, Fraction]
    played: Played
    seen: tuple[object, ...]


class Table:
    """What every candidate answers: `classes` has a row for each and a column for each coup, 0 for the right answer.

    The first candidate is the right one, which is no mutant.
    """

    def __init__(self, reference: Reference, observables: Sequence[str], bets: Bets = UNSET) -> None:
        """With `bets` no coup has others, and no candidate is about others alone."""
        self.reference = reference
        self.observables = tuple(name for name in OBSERVABLES if name in observables)
        askable = Askable(("coup",), self.observables, bets, reference.rules.bets)
        self.cases = list(filter(askable.takes, adaptive_suite(reference.rules, self.observables, bets)))
        self.mutants = tuple(
            mutant for mutant in reference.candidates if not _is_about(mutant, reference.behaviour, askable.left_out)
        )
        behaviour = reference.behaviour
        self._laid: list[_Laid] = []
        where: dict[str, list[int]] = {}
        for place, case in enumerate(self.cases):
            cards = tuple(parse_cards(case.cards))
            stakes = {bet: Fraction(stake) for bet, stake in case.bets.items()}
            played = play(behaviour, cards)
            self._laid.append(_Laid(cards, stakes, played, observe(behaviour, played, self.observables, stakes)))
            for entry in consulted(behaviour, played, stakes):
                where.setdefault(entry, []).append(place)
        self._known: list[dict[tuple[object, ...], int]] = [{laid.seen: 0} for laid in self._laid]
        self.classes: Classes = np.zeros((1 + len(self.mutants), len(self.cases)), dtype=np.int16)
        for row, mutant in enumerate(self.mutants, 1):
            wrong = mutant.behaviour
            names = {
                name for name in behaviour.__struct_fields__ if getattr(behaviour, name) is not getattr(wrong, name)
            }
            pays, plays = bool(names & _MONEY), not names <= _MONEY
            for place in self._places(mutant, where, pays=pays and not plays):
                laid = self._laid[place]
                played = play(wrong, laid.cards) if plays else laid.played
                if played != laid.played or pays:
                    seen = observe(wrong, played, self.observables, laid.stakes)
                    known = self._known[place]
                    self.classes[row, place] = known.setdefault(seen, len(known))

    def _places(self, mutant: Mutant, where: Mapping[str, Sequence[int]], *, pays: bool) -> Collection[int]:
        """The coups that may show a mutant; `pays`: it only settles bets otherwise."""
        if mutant.cells:
            return {place for cell in mutant.cells for place in where.get(cell, ())}
        return [place for place, laid in enumerate(self._laid) if laid.stakes or not pays]


@lru_cache(maxsize=4)
def table_of(reference: Reference, observables: tuple[str, ...], bets: Bets = UNSET) -> Table:
    """The table of a rule set, made once for some observables and the bets that are declared."""
    return Table(reference, observables, bets)


def _is_about(mutant: Mutant, right: Behaviour, bets: Collection[str]) -> bool:
    """Whether a candidate changes nothing but what these bets net."""
    changed = dict(changes(right, mutant.behaviour)) if bets else {}
    if changed.keys() != {"nets"}:
        return False
    nets: Any = changed["nets"]
    return all(bet in bets for (bet, _), _ in nets)


class AdaptivePlan:
    """Which coup to ask next, by what was answered so far."""

    def __init__(self, table: Table) -> None:
        self.table = table
        self._alive = np.ones(len(table.classes), dtype=np.bool_)
        self._open = np.ones(len(table.cases), dtype=np.bool_)
        self._confirmed = {True: 0, False: 0}
        self._place = {case.id: place for place, case in enumerate(table.cases)}

    def next(self) -> Case | None:
        """The coup that leaves the fewest candidates, on average; then a few that confirm what is left.

        None once no coup splits the candidates that are left and enough confirm them, or none is left.
        """
        place = self._splitting()
        if place is None:
            place = self._confirming()
        return None if place is None else self.table.cases[place]

    def splits(self) -> bool:
        """Whether some coup tells apart what is left."""
        return self._splitting() is not None

    def _splitting(self) -> int | None:
        rows = self.table.classes[self._alive][:, self._open]
        if len(rows) < 2 or not rows.shape[1]:
            return None
        left = np.zeros(rows.shape[1], dtype=np.int64)
        for answer in range(int(rows.max()) + 1):
            left += np.count_nonzero(rows == answer, axis=0) ** 2
        best = int(left.argmin())
        return int(np.flatnonzero(self._open)[best]) if left[best] < len(rows) ** 2 else None

    def _confirming(self) -> int | None:
        """A coup that what is left answers wrongly, or rightly where many others don't; None once it was few times."""
        if self._alive[0] or not self._alive.any():
            return None
        row = self.table.classes[int(self._alive.argmax())]
        others = np.count_nonzero(self.table.classes, axis=0)
        for wrong in (True, False):
            places = np.flatnonzero(self._open & ((row != 0) == wrong))
            if self._confirmed[wrong] < _CONFIRMED and len(places):
                self._confirmed[wrong] += 1
                return int(places[others[places].argmax()])
        return None

    def tell(self, case: Case, line: Line) -> None:
        """A coup was answered so. What got no answer is not asked again, and rules nothing out."""
        if line.outcome == "pass":
            self.answered(case, 0)
            return
        self._open[self._place[case.id]] = False
        if line.outcome == "fail":
            coup = Answered(self.table.reference, self.table.observables, case, line)
            self._alive[0] = False
            for row in np.flatnonzero(self._alive):
                self._alive[row] = coup.agrees(self.table.mutants[int(row) - 1])

    def answered(self, case: Case, answer: int) -> None:
        """A coup was answered as this class of answers."""
        place = self._place[case.id]
        self._open[place] = False
        self._alive &= self.table.classes[:, place] == answer

    def fork(self) -> AdaptivePlan:
        """A plan that goes on from here."""
        made = AdaptivePlan(self.table)
        made._alive, made._open = self._alive.copy(), self._open.copy()
        made._confirmed = dict(self._confirmed)
        return made

    @property
    def left(self) -> list[Mutant]:
        """The changes that give all answers so far."""
        return [self.table.mutants[int(row) - 1] for row in np.flatnonzero(self._alive) if row]

    @property
    def undecided(self) -> Mutant | None:
        """A change that gives all answers so far, as right ones, and may yet show in a coup that nobody has tried."""
        reference, observables = self.table.reference, self.table.observables
        known = {id(mutant) for mutant in reference.mutants}
        left = [mutant for mutant in self.left if id(mutant) in known] if self._alive[0] else []
        return next((m for m in left if unseen(reference.domain, m, observables) is not True), None)


def plan_of(reference: Reference, askable: Askable) -> AdaptivePlan:
    """The plan of a run that begins, for what a program declares."""
    observables = tuple(name for name in OBSERVABLES if name in askable.observables)
    bets = askable.bets if askable.bets is UNSET else tuple(askable.bets)
    return AdaptivePlan(table_of(reference, observables, bets))


def coups_to_locate(table: Table, family: str) -> dict[str, int]:
    """How many coups it takes until no further coup splits what is left, for each mutant of a family that shows.

    Each answers as by the rules until its change shows, so that every search begins as that of a right program.
    """
    column = {case.id: place for place, case in enumerate(table.cases)}
    found: dict[str, int] = {}
    right, asked = AdaptivePlan(table), 0
    while (case := right.next()) is not None:
        asked += 1
        answers = table.classes[:, column[case.id]]
        for row in map(int, answers.nonzero()[0]):
            mutant = table.mutants[row - 1]
            if mutant.family != family or mutant.id in found:
                continue
            plan, further = right.fork(), asked
            plan.answered(case, int(answers[row]))
            while plan.splits() and (following := plan.next()) is not None:
                further += 1
                plan.answered(following, int(table.classes[row, column[following.id]]))
            found[mutant.id] = further
        right.answered(case, 0)
    return found

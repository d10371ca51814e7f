"""A coup that a program answered, held against what a behaviour would answer."""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from functools import cached_property, lru_cache

from msgspec.structs import replace

from oracle.cards import parse_card
from oracle.cases.case import Case
from oracle.cases.reference import Reference
from oracle.conformance.judge import FLOATING, Difference
from oracle.conformance.run.log import Line
from oracle.mutants.single import Mutant
from oracle.programs.behaviour import Behaviour, play
from oracle.programs.cells import consulted
from oracle.programs.observables import TABLE, Observable, Values, differing


class Answered:
    """A coup that was answered: by which observables, and in what the answer differs from the rules."""

    def __init__(self, reference: Reference, observables: Sequence[str], case: Case, line: Line) -> None:
        self.case = case
        self.observables = observables
        self.cards = tuple(map(_card, case.cards))
        self.stakes = {bet: Fraction(stake) for bet, stake in case.bets.items()}
        self.differs = {d.observable: _plain(d) for d in line.differs}
        self.floating = {d.observable for d in line.differs if d.note == FLOATING}
        self._right = reference.behaviour

    @cached_property
    def entries(self) -> frozenset[str]:
        """What the coup looks up when it is played right."""
        return consulted(self._right, play(self._right, self.cards), self.stakes)

    def agrees(self, mutant: Mutant) -> bool:
        """Whether a mutant answers as the implementation did."""
        if mutant.cells and not any(cell in self.entries for cell in mutant.cells):
            return not self.differs
        return self.gives(mutant.behaviour)

    def unmoved(self, mutant: Mutant) -> bool:
        """Whether a mutant answers this coup as by the rules."""
        if mutant.cells and not any(cell in self.entries for cell in mutant.cells):
            return True
        return not self.differences(mutant.behaviour)

    def gives(self, behaviour: Behaviour) -> bool:
        """Whether a behaviour answers so. One that keeps money in floating point may be off by a hair in any net."""
        seen = self.differs
        if behaviour.money == "float":
            behaviour = replace(behaviour, money="exact")
            seen = {name: got for name, got in seen.items() if name not in self.floating}
        return self.differences(behaviour) == seen

    def differences(self, behaviour: Behaviour) -> dict[str, object]:
        """In what a behaviour's answer differs from the rules, by the declared observables, as a log tells it."""
        return self._differences(behaviour, self._declared)

    def decided(self, behaviour: Behaviour) -> dict[str, object]:
        """In what the answer differs through decisions of the play, which bets don't show."""
        return self._differences(behaviour, [each for each in self._declared if each.shows == "decisions"])

    @cached_property
    def _declared(self) -> list[Observable]:
        return [each for each in TABLE if each.name in self.observables]

    @cached_property
    def _due(self) -> dict[str, Values]:
        """What each declared observable is by the rules."""
        played = play(self._right, self.cards)
        return {each.name: each.of_played(self._right, played, self.stakes) for each in self._declared}

    def _differences(self, behaviour: Behaviour, observables: Sequence[Observable]) -> dict[str, object]:
        """The names and values of what differs, as the judge names them."""
        played = play(behaviour, self.cards)
        found: dict[str, object] = {}
        for each in observables:
            due, seen = self._due[each.name], each.of_played(behaviour, played, self.stakes)
            if seen == due:
                continue
            write = each.form.write
            for place, wanted, got in zip(each.places, due, seen, strict=True):
                if each.by_bet:
                    pairs = zip(wanted, got, strict=True)
                    found |= {f"{place.difference} {bet}": net for (_, right), (bet, net) in pairs if net != right}
                elif got != wanted:
                    found[place.difference] = write(got) if write else got
        return found


_card = lru_cache(maxsize=1024)(parse_card)


def _plain(difference: Difference) -> object:
    """What was answered, as `Answered.differences` has it."""
    got = difference.got
    about = differing(difference.observable)
    if about is not None and about[0].by_bet:
        try:
            return Fraction(str(got))
        except (ValueError, ZeroDivisionError):
            return got
    return tuple(got) if isinstance(got, list) else got

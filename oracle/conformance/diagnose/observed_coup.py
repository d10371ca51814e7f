"""A coup that a program answered, held against what a behaviour would answer."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from fractions import Fraction
from functools import cached_property, lru_cache

from msgspec.structs import replace

from oracle.cards import parse_card
from oracle.cases.case import Answer, Case
from oracle.cases.reference import Reference, answer_of
from oracle.conformance.judge import FLOATING, Difference
from oracle.conformance.run.log import Line
from oracle.mutants.single import Mutant
from oracle.programs.behaviour import Behaviour, play
from oracle.programs.cells import consulted


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
        answer = answer_of(behaviour, play(behaviour, self.cards), self.stakes)
        return dict(_differences(self.case.expect, answer, self.observables))

    def decided(self, behaviour: Behaviour) -> dict[str, object]:
        """In what the answer differs through decisions of the play, which bets don't show."""
        answer = answer_of(behaviour, play(behaviour, self.cards), {})
        shown = [name for name in self.observables if name in _DECIDED]
        return dict(_differences(self.case.expect, answer, shown))


_DECIDED = ("winner", "totals", "cards")
_card = lru_cache(maxsize=1024)(parse_card)


def _differences(due: Answer, said: Answer, observables: Sequence[str]) -> Iterator[tuple[str, object]]:
    """The names and values of what differs, as the judge names them."""
    for name in ("winner", "natural"):
        if name in observables and getattr(due, name) != getattr(said, name):
            yield name, getattr(said, name)
    for side in ("player", "banker"):
        wanted, told = getattr(due, side), getattr(said, side)
        if "pairs" in observables and getattr(due.pairs, side) != getattr(said.pairs, side):
            yield f"{side} pair", getattr(said.pairs, side)
        if "totals" in observables and wanted.total != told.total:
            yield f"{side} total", told.total
        if "cards" in observables and wanted.cards != told.cards:
            yield f"{side} cards", told.cards
    if "net" in observables:
        for bet, net in (due.net or {}).items():
            if (got := Fraction((said.net or {})[bet])) != Fraction(net):
                yield f"net {bet}", got


def _plain(difference: Difference) -> object:
    """What was answered, as `_differences` has it."""
    got = difference.got
    if difference.observable.startswith("net "):
        try:
            return Fraction(str(got))
        except (ValueError, ZeroDivisionError):
            return got
    return tuple(got) if isinstance(got, list) else got

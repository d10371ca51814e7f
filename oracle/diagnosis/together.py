"""The faults of a program together: learnt from its answers, taken apart, and held against every answer again."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence

import msgspec

from oracle.cases.reference import Reference, reference_of
from oracle.diagnosis.faults import Fault, faults_of, tables
from oracle.diagnosis.layers import learn_layers
from oracle.diagnosis.observation import Observation, gives
from oracle.game.rules import Rules
from oracle.programs.behaviour import Behaviour
from oracle.programs.program import Program

_ROUNDS = 3
_ACCIDENT = 20  # what explains fewer than one in so many wrong answers says nothing, where not all are explained
_ADDED = 500  # unexplained answers that are learnt from besides


class Shown(msgspec.Struct, frozen=True):
    """A fault with what the answers show of it.

    Without it `wrong` of the wrong answers aren't given. `alone` is the key of a coup that shows this fault and no
    other, None if there is none. `behaviour` is the right one with this fault alone, None where tables don't hold it.
    """

    fault: Fault
    wrong: int
    alone: object
    behaviour: Behaviour | None


class Together(msgspec.Struct, frozen=True):
    """What explains answers: the faults, of how many answers, how many of them wrong, and how many they don't give.

    `unexplained` counts wrong answers. Faults that would get a right answer wrong are left out: `contradicted` holds
    a few such answers while they are looked for.
    """

    faults: tuple[Shown, ...]
    answers: int
    wrong: int
    unexplained: int
    contradicted: tuple[Observation, ...] = ()

    @property
    def complete(self) -> bool:
        """Whether every answer is given."""
        return not self.unexplained


def diagnose(observations: Sequence[Observation], rules: Rules) -> Together:
    """The faults of a program against rules, from what it answered about coups.

    Raises `OracleError` if the rules leave a choice or anything open.
    """
    return together(reference_of(rules), observations, lambda: observations)


def together(
    reference: Reference, sample: Sequence[Observation], every: Callable[[], Iterable[Observation]]
) -> Together:
    """The faults that explain all observations, learnt from a sample; what it misses is learnt from in a next round."""
    sample = list(sample)
    faults: tuple[Fault, ...] = ()
    for _ in range(_ROUNDS):
        faults = faults_of(reference, learn_layers(reference.behaviour, sample))
        program = _made(reference, faults)
        known = {each.key for each in sample}
        missed = []
        for each in every():
            if each.key not in known and not gives(program, each):
                missed.append(each)
                if len(missed) == _ADDED:
                    break
        if not missed:
            break
        sample += missed
    found = _told(reference, _sound(reference, faults, sample), every())
    for _ in range(_ROUNDS):
        kept = tuple(each.fault for each in found.faults if not found.unexplained or _matters(each, found.wrong))
        if len(kept) == len(found.faults) and not found.contradicted:
            break
        sample += found.contradicted
        found = _told(reference, _sound(reference, kept, sample), every())
    return found


def _matters(shown: Shown, wrong: int) -> bool:
    """Whether a fault of an explanation that isn't whole is more than an accident."""
    return (shown.fault.known and shown.wrong > 1) or shown.wrong * _ACCIDENT >= wrong


def _made(reference: Reference, faults: Iterable[Fault]) -> Program:
    program = Program(reference.behaviour)
    for fault in faults:
        program = fault.change(program)
    return program


def _sound(reference: Reference, faults: tuple[Fault, ...], seen: Sequence[Observation]) -> tuple[Fault, ...]:
    """The faults without those that get a right answer wrong."""
    right = [each for each in seen if each.right]

    def broken(kept: tuple[Fault, ...]) -> int:
        program = _made(reference, kept)
        return sum(not gives(program, each) for each in right)

    count = broken(faults)
    while count and faults:
        fewer = [faults[:place] + faults[place + 1 :] for place in range(len(faults))]
        counts = list(map(broken, fewer))
        count = min(counts)
        faults = fewer[counts.index(count)]
    return faults


def _told(reference: Reference, faults: tuple[Fault, ...], every: Iterable[Observation]) -> Together:
    whole = _made(reference, faults)
    without = [_made(reference, faults[:place] + faults[place + 1 :]) for place in range(len(faults))]
    alone = [_made(reference, (fault,)) for fault in faults]
    wrong = [0] * len(faults)
    examples: list[object] = [None] * len(faults)
    answers = failed = unexplained = 0
    contradicted: list[Observation] = []
    for each in every:
        answers += 1
        if each.right:
            if len(contradicted) < _ADDED and not gives(whole, each):
                contradicted.append(each)
            continue
        failed += 1
        if not gives(whole, each):
            unexplained += 1
            continue
        for place in range(len(faults)):
            if not gives(without[place], each):
                wrong[place] += 1
                if examples[place] is None and gives(alone[place], each):
                    examples[place] = each.key
    shown = [Shown(fault, wrong[place], examples[place], tables(alone[place])) for place, fault in enumerate(faults)]
    told = tuple(each for each in shown if each.wrong or len(shown) == 1)
    return Together(told, answers, failed, unexplained, tuple(contradicted))

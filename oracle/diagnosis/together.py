"""The faults of a program together: learnt from its answers, taken apart, and held against every answer again."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from itertools import islice

import msgspec

from oracle.cases.reference import Reference, reference_of
from oracle.diagnosis.faults import LearntFault, faults_of, tables
from oracle.diagnosis.layers import learn_layers
from oracle.diagnosis.observation import Observation, gives
from oracle.game.rules import Rules
from oracle.programs.behaviour import Behaviour
from oracle.programs.program import Program

_ROUNDS = 3
_ACCIDENT = 20  # what explains fewer than one in so many wrong answers says nothing, where not all are explained
_ADDED = 500  # answers that are learnt from besides, as they are not explained or would be got wrong


class ShownFault(msgspec.Struct, frozen=True):
    """A fault with what the answers show of it.

    Without it `wrong` of the wrong answers aren't given. `alone` is the key of a coup that shows this fault and no
    other, None if there is none. `behaviour` is the right one with this fault alone, None where tables don't hold it.
    """

    fault: LearntFault
    wrong: int
    alone: object
    behaviour: Behaviour | None


class LearntFaults(msgspec.Struct, frozen=True):
    """Faults that together give all but `unexplained` of so many answers, of which `wrong` are wrong.

    Every right answer is given: faults that would get one wrong are left out, and what they explain is unexplained.
    """

    faults: tuple[ShownFault, ...]
    answers: int
    wrong: int
    unexplained: int


def diagnose(observations: Sequence[Observation], rules: Rules) -> LearntFaults:
    """The faults of a program against rules, from what it answered about coups.

    Raises `OracleError` if the rules leave a choice or anything open.
    """
    return together(reference_of(rules), observations, lambda: observations)


def together(
    reference: Reference, sample: Sequence[Observation], every: Callable[[], Iterable[Observation]]
) -> LearntFaults:
    """The faults that explain all observations, learnt from a sample; what it misses is learnt from in a next round."""
    sample = list(sample)
    faults = _sound(reference, _learnt(reference, sample, every), sample)
    needed: set[str] = set()
    while True:
        found, contradicted = _told(reference, faults, every())
        if contradicted:
            sample += contradicted
            faults = _sound(reference, faults, sample)
            continue
        if found.unexplained:
            fewer = tuple(each.fault for each in found.faults if _matters(each, found.wrong))
            if len(fewer) < len(faults):
                faults = fewer
                continue
        idle = next((each.fault for each in found.faults if not each.wrong and each.fault.name not in needed), None)
        if idle is None:
            return found
        fewer = tuple(fault for fault in faults if fault is not idle)
        without, contradicted = _told(reference, fewer, every())
        if contradicted or without.unexplained > found.unexplained:
            needed.add(idle.name)
        else:
            faults = fewer


def _learnt(
    reference: Reference, sample: list[Observation], every: Callable[[], Iterable[Observation]]
) -> tuple[LearntFault, ...]:
    """The faults that a sample shows; answers that they don't give join the sample for the next round."""
    faults: tuple[LearntFault, ...] = ()
    for _ in range(_ROUNDS):
        faults = faults_of(reference, learn_layers(reference.behaviour, sample))
        program = _made(reference, faults)
        known = {each.key for each in sample}
        missed = islice((each for each in every() if each.key not in known and not gives(program, each)), _ADDED)
        before = len(sample)
        sample.extend(list(missed))
        if len(sample) == before:
            break
    return faults


def _matters(shown: ShownFault, wrong: int) -> bool:
    """Whether a fault of an explanation that isn't whole is more than an accident."""
    return (shown.fault.known and shown.wrong > 1) or shown.wrong * _ACCIDENT >= wrong


def _made(reference: Reference, faults: Iterable[LearntFault]) -> Program:
    program = Program(reference.behaviour)
    for fault in faults:
        program = fault.change(program)
    return program


def _sound(
    reference: Reference, faults: tuple[LearntFault, ...], seen: Sequence[Observation]
) -> tuple[LearntFault, ...]:
    """The faults without those that get a right answer wrong."""
    right = [each for each in seen if each.right]

    def broken(kept: tuple[LearntFault, ...]) -> int:
        program = _made(reference, kept)
        return sum(not gives(program, each) for each in right)

    count = broken(faults)
    while count and faults:
        fewer = [faults[:place] + faults[place + 1 :] for place in range(len(faults))]
        counts = list(map(broken, fewer))
        count = min(counts)
        faults = fewer[counts.index(count)]
    return faults


def _told(
    reference: Reference, faults: tuple[LearntFault, ...], every: Iterable[Observation]
) -> tuple[LearntFaults, list[Observation]]:
    """What faults explain of all answers, and a few right answers that they would get wrong."""
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
    shown = [
        ShownFault(fault, wrong[place], examples[place], tables(alone[place])) for place, fault in enumerate(faults)
    ]
    return LearntFaults(tuple(shown), answers, failed, unexplained), contradicted

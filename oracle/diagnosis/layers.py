"""All layers together: a program that gives the answers, and what in it is not as the rules have it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import msgspec
from msgspec.structs import replace

from oracle.diagnosis.boxes import NAMED, Learnt
from oracle.diagnosis.counts import REDUCTIONS, Counts, learn_counts, totals_of
from oracle.diagnosis.deal import learn_deal
from oracle.diagnosis.decisions import (
    LearntDecisions,
    learn_decisions,
    learn_further,
    missed_decisions,
    turns_of,
    with_decisions,
)
from oracle.diagnosis.ends import learn_counted, learn_winner
from oracle.diagnosis.nets import Prize, learn_nets
from oracle.diagnosis.observation import Observation
from oracle.programs.behaviour import Behaviour
from oracle.programs.program import RIGHT, Program, Rule

_SHORT = 3.0  # a rule of who wins that is no accident
_LONG = 6.0  # rules so long may be made on other sums


class Layers(msgspec.Struct, frozen=True):
    """What each layer shows. `program` plays and settles by all of it.

    `decides` names how the sums are reduced that decisions are made on, where these are not the ones that are reported;
    `floating`: some net is off by no more than floating point makes of it.
    """

    program: Program
    counts: Counts
    decides: str
    decisions: LearntDecisions
    rules: Mapping[str, Learnt]
    prizes: tuple[Prize, ...]
    floating: bool


def learn_layers(right: Behaviour, seen: Sequence[Observation]) -> Layers:
    """Learn from answers, layer by layer, how a program goes about it."""
    dealing, _ = learn_deal(right, seen)
    counts = learn_counts(dealing, seen)
    program = Program(counts.changed(dealing))
    rules: dict[str, Learnt] = {}
    if any(each.hands is None and each.totals is None and each.winner is None for each in seen):
        program, _ = learn_nets(program, seen)  # which results an answer allows follows from the prizes
    if counts.missed and (counted := learn_counted(program, seen)).explained:
        rules["counts_as"] = counted
    if any(each.hands is None and each.totals is None for each in seen):
        # The winner alone: where another rule of who wins explains all, no decision has to be wrong.
        won = learn_winner(program, seen, played=True)
        if won.explained and 0 < won.length <= _SHORT:
            rules["winner"] = won
    decides = ""
    if "winner" in rules:
        decisions = learn_decisions(program, ())
    else:
        program, decides, decisions = _decided(program, seen)
    program = with_decisions(program, decisions)
    for side in ("player", "banker"):
        further = learn_further(program, seen, side)
        if further is not None:
            rules[f"{side}_another"] = further
    if "winner" not in rules:
        rules["winner"] = learn_winner(program, seen)
    for question, learnt in rules.items():
        if learnt.base != RIGHT or learnt.boxes:
            program = program.with_rule(question, Rule(learnt.base, learnt.boxes))
    program, prizes = learn_nets(replace(program, behaviour=replace(program.behaviour, nets=right.nets)), seen)
    return Layers(program, counts, decides, decisions, rules, prizes, any(each.floating for each in seen))


def _decided(program: Program, seen: Sequence[Observation]) -> tuple[Program, str, LearntDecisions]:
    """The decisions, with the sums that they are made on by name, empty where these are the reported ones."""
    turns = turns_of(program, seen)
    best = program, "", learn_decisions(program, turns)
    if best[2].length <= _LONG:
        return best
    missed = missed_decisions(program, turns)
    for reduction in REDUCTIONS:
        other = replace(program, decides=totals_of(reduction))
        others = turns_of(other, seen)
        if missed_decisions(other, others) < missed / 2:
            found = learn_decisions(other, others)
            if found.length + NAMED < best[2].length:
                best = other, reduction, found
    return best

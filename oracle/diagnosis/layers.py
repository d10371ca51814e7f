"""All layers together: a program that gives the answers, and what in it is not as the rules have it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import msgspec
from msgspec.structs import replace

from oracle.diagnosis.boxes import Learnt
from oracle.diagnosis.counts import REDUCTIONS, Counts, learn_counts, totals_of
from oracle.diagnosis.deal import learn_deal
from oracle.diagnosis.decisions import (
    Decisions,
    learn_counted,
    learn_decisions,
    learn_further,
    learn_winner,
    missed_decisions,
    turns_of,
    with_decisions,
)
from oracle.diagnosis.nets import Prize, learn_nets
from oracle.diagnosis.observation import Observation, gives
from oracle.programs.behaviour import Behaviour
from oracle.programs.program import Program, Rule

RIGHT_RULE = Learnt("right", (), 0.0)
_SHORT = 3.0  # a rule of who wins that is no accident
_LONG = 6.0  # rules so long may be made on other sums


class Layers(msgspec.Struct, frozen=True):
    """What each layer shows. `program` plays by all of it; `unexplained` are the answers that it doesn't give."""

    program: Program
    counts: Counts
    decisions: Decisions
    rules: Mapping[str, Learnt]
    prizes: tuple[Prize, ...]
    unexplained: tuple[int, ...]


def learn_layers(right: Behaviour, seen: Sequence[Observation]) -> Layers:
    """Learn from answers, layer by layer, how a program goes about it."""
    dealing, _ = learn_deal(right, seen)
    counts = learn_counts(dealing, seen)
    program = Program(counts.changed(dealing))
    rules: dict[str, Learnt] = {}
    if any(each.hands is None and each.totals is None and each.winner is None for each in seen):
        program, _ = learn_nets(program, seen)
    if counts.missed:
        counted = learn_counted(program, seen)
        if counted.explained:
            rules["counts_as"] = counted
    rules["winner"] = RIGHT_RULE
    if any(each.hands is None and each.totals is None for each in seen):
        # The winner alone: where another rule of who wins explains all, no decision has to be wrong.
        rules["winner"] = learn_winner(program, seen, played=True)
        if rules["winner"].left or rules["winner"].length > _SHORT:
            rules["winner"] = RIGHT_RULE
    if rules["winner"] == RIGHT_RULE:
        program, decisions = _decided(program, seen)
    else:
        decisions = learn_decisions(program, ())
    program = with_decisions(program, decisions)
    for side in ("player", "banker"):
        further = learn_further(program, seen, side)
        if further is not None:
            rules[f"{side}_another"] = further
    if rules["winner"] == RIGHT_RULE:
        rules["winner"] = learn_winner(program, seen)
    for question, learnt in rules.items():
        if learnt.base != "right" or learnt.boxes:
            program = program.with_rule(question, Rule(learnt.base, learnt.boxes))
    program, prizes = learn_nets(replace(program, behaviour=replace(program.behaviour, nets=right.nets)), seen)
    unexplained = tuple(i for i, each in enumerate(seen) if not gives(program, each))
    return Layers(program, counts, decisions, rules, prizes, unexplained)


def _decided(program: Program, seen: Sequence[Observation]) -> tuple[Program, Decisions]:
    """The decisions, and the program with the sums that they are made on where these are not the reported ones."""
    turns = turns_of(program, seen)
    decisions = learn_decisions(program, turns)
    if decisions.length <= _LONG:
        return program, decisions
    missed = missed_decisions(program, turns)
    for reduction in REDUCTIONS:
        other = replace(program, decides=totals_of(reduction))
        others = turns_of(other, seen)
        if missed_decisions(other, others) < missed / 2:
            found = learn_decisions(other, others)
            if found.length + 1.5 < decisions.length:
                program, decisions = other, found
    return program, decisions

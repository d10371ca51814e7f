"""Resolutions proved: what returns when one is left out, and what would follow if it were read the other way."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

import msgspec

from oracle.checks.dead import check_dead
from oracle.checks.finding import Finding
from oracle.game.evaluate import Evaluation, any_mask
from oracle.game.rules import Rules
from oracle.game.space import mask_of
from oracle.rules.answers import show_atom
from oracle.rules.conventions import CONVENTIONS
from oracle.rules.model import Resolution
from oracle.rules.questions import CHECKED_QUESTIONS, QUESTIONS


class Proof(msgspec.Struct, frozen=True):
    """What a resolution does at one rule set, shown by leaving it out.

    `returns` counts the states in which the finding is there again: they are open without it, or another resolution
    in `falls_to` reads them otherwise. `clear` counts those that the text decides, and that it changes; `aside` are the
    statements that it names and sets aside.
    """

    rules: str
    resolution: str
    questions: tuple[str, ...]
    returns: int
    clear: int
    aside: tuple[str, ...] = ()
    falls_to: tuple[str, ...] = ()

    @property
    def holds(self) -> bool:
        """Whether it closes something, and changes nothing else."""
        return self.returns > 0 and not self.clear


def prove_resolutions(rules: Rules) -> Iterator[Proof]:
    """What each resolution does that concerns this rule set, in file order."""
    for resolution in rules.resolutions:
        questions = concerned(rules, resolution)
        if questions:
            yield _proof(rules, resolution, questions)


def name_of(resolution: Resolution) -> str:
    """The id of a resolution, or the name of its convention."""
    return resolution.id or resolution.convention


def concerned(rules: Rules, resolution: Resolution) -> tuple[str, ...]:
    """The questions that a resolution is about."""
    if resolution.choose:
        about = {c.question for c in rules.clauses if c.statement == resolution.choose and c.reading}
        return tuple(question for question in QUESTIONS if question in about)
    if resolution.convention:
        return (CONVENTIONS[resolution.convention].question,)
    return (resolution.question,) if resolution.question in CHECKED_QUESTIONS else ()


def without(rules: Rules, resolution: Resolution) -> Rules:
    """The rule set as read without a resolution."""
    kept = tuple(other for other in rules.spec.resolutions if other is not resolution)
    return Rules(msgspec.structs.replace(rules.spec, resolutions=kept), rules.rule_set)


def _proof(rules: Rules, resolution: Resolution, questions: Sequence[str]) -> Proof:
    other = without(rules, resolution)
    returns = clear = 0
    aside: dict[str, None] = {}
    falls_to: dict[str, None] = {}
    for question in questions:
        found, left = rules.evaluation(question), other.evaluation(question)
        changed = _changed(found, left)
        unclear = any_mask((left.literal.open, left.assumed, *left.ambiguous.values()))
        open_ = (left.open | unclear) & changed
        for fill in left.fills:
            if fill.mask & changed & ~left.open:
                falls_to[name_of(fill.resolution)] = None
        for clause in found.active({}):
            if {clause.id, clause.statement} & set(resolution.instead_of):
                removed = found.removed.get(clause.id, 0) & ~left.removed.get(clause.id, 0)
                if removed:
                    aside[clause.statement] = None
        returns += found.space.count(changed & open_)
        clear += found.space.count(changed & ~open_)
    return Proof(rules.id, name_of(resolution), tuple(questions), returns, clear, tuple(aside), tuple(falls_to))


def _changed(found: Evaluation, left: Evaluation) -> int:
    """The states whose answer is another one, or none, without it. Both know the same states: it comes after them."""
    states = []
    for i, row in enumerate(found.space.rows):
        n = left.space.index(row)
        if n is None or found.answer(i) != left.answer(n) or (left.assumed >> n & 1) != (found.assumed >> i & 1):
            states.append(i)
    return mask_of(states)


# --- the other reading ------------------------------------------------------------------------


def other_readings(rules: Rules, resolution: Resolution) -> Iterator[tuple[str, Rules]]:
    """Each other way to read what a resolution reads, in words, with the rule set read so."""
    if resolution.choose:
        for reading in rules.readings.get(resolution.choose, ()):
            if reading != resolution.reading:
                yield f"{resolution.choose} as {reading}", _replaced(rules, resolution, reading=reading)
        return
    if len(resolution.answer) != 1:
        return
    question = QUESTIONS[resolution.question]
    evaluation = rules.evaluation(resolution.question)
    region = evaluation.space.select(resolution.guard)
    speaking = tuple(c.statement for c in evaluation.active({}) if evaluation.masks[c.id] & region)
    for option in question.options:
        if option != resolution.answer[0]:
            named = tuple(dict.fromkeys(speaking)) if resolution.instead_of else ()
            changed = _replaced(rules, resolution, answer=(option,), instead_of=named)
            yield f"{name_of(resolution)} as {show_atom(question, option)}", changed


def _replaced(rules: Rules, resolution: Resolution, **changes: object) -> Rules:
    changed = tuple(
        msgspec.structs.replace(other, **changes) if other is resolution else other for other in rules.spec.resolutions
    )
    return Rules(msgspec.structs.replace(rules.spec, resolutions=changed), rules.rule_set)


def read_otherwise(rules: Rules, finding: Finding) -> str:
    """What becomes of a finding that rests on earlier resolutions if each of these is read the other way, in words."""
    words = []
    for name in finding.given:
        resolution = next(r for r in rules.resolutions if name_of(r) == name)
        for reading, other in other_readings(rules, resolution):
            there = any(
                (f.code, f.subject) == (finding.code, finding.subject) for f in check_dead(other, finding.question)
            )
            words.append(f"{'stays' if there else 'goes'} if one reads {reading}")
    return "; ".join(words)

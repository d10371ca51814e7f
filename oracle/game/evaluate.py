"""One question of one rule set, answered: literally, and as resolved.

Statements intersect: an answer is permitted in a state if some statement speaks there and none that does
forbids it. A state is a gap if none speaks, a conflict if nothing is left, undecided if several actions are
left and nobody chooses, ambiguous if readings of a statement differ there. Resolutions close such open
states, and no other ones.
"""

from __future__ import annotations

from collections.abc import Container, Iterable, Mapping, Sequence
from fractions import Fraction
from functools import cached_property
from itertools import product
from math import prod

import msgspec

from oracle.game.space import Space
from oracle.rules.answers import Atom
from oracle.rules.conventions import CONVENTIONS
from oracle.rules.guard import Test
from oracle.rules.model import Clause, Resolution
from oracle.rules.questions import Question

Readings = Mapping[str, str]
MAX_COMBINATIONS = 128


class Verdicts(msgspec.Struct):
    """What a choice of clauses permits, as masks over the states of a question."""

    answered: int
    permits: dict[Atom, int]
    gap: int
    conflict: int
    undecided: int

    @property
    def open(self) -> int:
        """The states without an answer, for whichever reason."""
        return self.gap | self.conflict | self.undecided


class Applied(msgspec.Struct, frozen=True):
    """What a resolution did, as masks: its region, the states that it closed, those where it would change a clear
    answer without naming it, those where it answers otherwise than an earlier resolution, and those where it set a
    statement aside or gave an answer.
    """

    resolution: Resolution
    region: int
    closes: int
    overrides: int
    clashes: int = 0
    touched: int = 0


class Fill(msgspec.Struct, frozen=True):
    """States that a resolution decides."""

    resolution: Resolution
    atom: Atom
    mask: int


class Evaluation:
    """The answers of one question over its reachable states.

    `literal` is what the text says, statements with readings read as chosen, else in their first reading;
    `resolved` is what holds after the resolutions. `ambiguous` has the states in which the readings of a
    statement differ, `clear` those that the text decides, statements with readings read as chosen.
    """

    def __init__(
        self,
        question: Question,
        space: Space,
        clauses: Sequence[Clause],
        resolutions: Sequence[Resolution] = (),
        *,
        readings: Mapping[str, tuple[str, ...]] | None = None,
        chooser: str = "",
    ) -> None:
        self.question = question
        self.space = space
        self.clauses = tuple(clauses)
        self.chooser = chooser
        speaking = {clause.statement for clause in self.clauses if clause.reading}
        self.readings = {s: names for s, names in (readings or all_readings(self.clauses)).items() if s in speaking}
        self.chosen = {r.choose: r for r in resolutions if r.choose in self.readings}
        spoken = {clause.id for clause in self.active({})}
        self.masks = clause_masks(space, self.clauses, spoken)
        self.literal = self.under({})
        self.ambiguous = {statement: self._ambiguous(statement) for statement in self.readings}
        self.unread = any_mask(mask for statement, mask in self.ambiguous.items() if statement not in self.chosen)
        self.clear = space.full & ~self.literal.open & ~self.unread
        self.removed: dict[str, int] = {}
        self.fills: list[Fill] = []
        self.applied: list[Applied] = []
        self.resolved = self._resolved()
        for resolution in resolutions:
            if resolution.choose:
                mask = self.ambiguous.get(resolution.choose, 0)
                self.applied.append(Applied(resolution, mask, mask, 0))
            else:
                self._apply(resolution)

    # --- what the text says -------------------------------------------------------------------

    def under(self, readings: Readings) -> Verdicts:
        """What the text says if its statements are read so; others as chosen, else in their first reading."""
        return combine(self.question, self.space, self.active(readings), self.masks, chooser=self.chooser)

    def active(self, readings: Readings) -> tuple[Clause, ...]:
        """The clauses that speak if statements are read so."""
        return tuple(c for c in self.clauses if not c.reading or c.reading == self._reading(c.statement, readings))

    def _reading(self, statement: str, readings: Readings) -> str:
        chosen = self.chosen.get(statement)
        return readings.get(statement) or (chosen.reading if chosen else self.readings[statement][0])

    def combinations(self) -> list[dict[str, str]]:
        """Every way to read the statements with readings; one statement at a time if these are too many."""
        return list(ways_to_read(self.readings) or one_at_a_time(self.readings))

    def _ambiguous(self, statement: str) -> int:
        """The states in which the readings of a statement differ, however the other unchosen ones are read.

        With too many of those: every state in which any reading of it speaks.
        """
        free = {} if statement in self.chosen else self.readings
        others = ways_to_read({s: names for s, names in free.items() if s not in self.chosen and s != statement})
        if others is None:
            return any_mask(self.masks[c.id] for c in self.clauses if c.reading and c.statement == statement)
        mask = 0
        for other in others:
            first, *rest = (self.under({**other, statement: reading}) for reading in self.readings[statement])
            for this in rest:
                mask |= first.answered ^ this.answered
                for atom in {*first.permits, *this.permits}:
                    mask |= first.permits.get(atom, 0) ^ this.permits.get(atom, 0)
        return mask

    # --- how it is read -----------------------------------------------------------------------

    @property
    def changed(self) -> int:
        """The states that the text decides, and that the resolutions decide otherwise, or open."""
        mask = self.open
        for atom in {*self.literal.permits, *self.resolved.permits}:
            mask |= self.literal.permits.get(atom, 0) ^ self.resolved.permits.get(atom, 0)
        return mask & self.clear

    @property
    def yielded(self) -> int:
        """The states that `yields_to` decides: without it their statements leave no permitted answer."""
        if not any(clause.yields for clause in self.clauses):
            return 0
        mask = 0
        for readings in [{}, *self.combinations()]:
            mask |= self.unyielded(readings).conflict & ~self.under(readings).conflict
        return mask

    def unyielded(self, readings: Readings) -> Verdicts:
        """What the text says if no statement yields to another one."""
        return combine(self.question, self.space, self.active(readings), self.unyielded_masks, chooser=self.chooser)

    @cached_property
    def unyielded_masks(self) -> dict[str, int]:
        """For each clause the states in which it would speak if no statement yielded to another one."""
        plain = [
            msgspec.structs.replace(c, excludes=tuple(name for name in c.excludes if name not in c.yields))
            for c in self.clauses
        ]
        return clause_masks(self.space, plain, {clause.id for clause in self.active({})})

    @property
    def open(self) -> int:
        """The states that stay without an answer."""
        return self.resolved.open | self.unread

    def answer(self, i: int) -> tuple[Atom, ...]:
        """What is permitted in state i as resolved; nothing if it is open."""
        if self.open >> i & 1:
            return ()
        return tuple(atom for atom, mask in self.resolved.permits.items() if mask >> i & 1)

    def fired(self, i: int) -> list[Clause]:
        """The clauses that speak in state i as resolved, in file order."""
        return [c for c in self.active({}) if (self.masks[c.id] & ~self.removed.get(c.id, 0)) >> i & 1]

    def set_aside(self, i: int) -> list[Clause]:
        """The clauses that would speak in state i, and that a resolution sets aside there."""
        return [c for c in self.active({}) if self.masks[c.id] & self.removed.get(c.id, 0) & (1 << i)]

    def filled_by(self, i: int) -> Resolution | None:
        """The resolution that decides state i, if one does."""
        return next((fill.resolution for fill in self.fills if fill.mask >> i & 1), None)

    def _resolved(self) -> Verdicts:
        masks = {name: mask & ~self.removed.get(name, 0) for name, mask in self.masks.items()}
        result = combine(self.question, self.space, self.active({}), masks, chooser=self.chooser)
        for fill in self.fills:
            _fill(result, fill.atom, fill.mask)
        self.assumed = 0
        if self.question.silent == "assumed":
            self.assumed = result.gap & ~self.unread
            _fill(result, default_atom(self.question), self.assumed)
        return result

    def _apply(self, resolution: Resolution) -> None:
        parts = self._parts(resolution)
        if parts is None:
            return
        before, assumed = self.resolved, self.assumed
        named: dict[str, int] = {}
        overrides = closes = region = 0
        for guard, atom in parts:
            mask = self.space.select(guard)
            if resolution.narrowed:
                mask &= ~self.clear
            region |= mask
            for clause in self.active({}):
                if clause.id in resolution.instead_of or clause.statement in resolution.instead_of:
                    named[clause.id] = named.get(clause.id, 0) | (mask & self.masks[clause.id])
            without = self._without(named)
            todo = mask & ~self.unread
            per_state = expand(self.question, self.space, (atom,))
            for value, where in per_state.items():
                free = without.gap | (without.undecided & without.permits.get(value, 0))
                self.fills.append(Fill(resolution, value, free & todo & where))
            if not resolution.convention:
                same = 0
                for value, where in per_state.items():
                    others = 0
                    for other, permitted in without.permits.items():
                        if other != value:
                            others |= permitted
                    same |= without.permits.get(value, 0) & ~others & where
                overrides |= todo & ~without.open & ~same
            closes |= (before.open | assumed) & todo
        set_aside = 0
        for name, mask in named.items():
            used = mask & ~overrides
            set_aside |= used
            self.removed[name] = self.removed.get(name, 0) | used
        self.fills = [fill for fill in self.fills if fill.mask]
        filled = any_mask(fill.mask for fill in self.fills if fill.resolution is resolution)
        self.resolved = self._resolved()
        closed = (closes & ~self.resolved.open & ~self.assumed) | self._changed(before, set_aside)
        earlier = any_mask(a.closes for a in self.applied if not a.resolution.choose)
        clashes = (self._changed(before, region) | overrides) & earlier
        if resolution.convention:
            region = closed
        self.applied.append(Applied(resolution, region, closed, overrides, clashes, set_aside | filled))

    def _changed(self, before: Verdicts, within: int) -> int:
        """The states where the resolved answer is another one than before."""
        mask = 0
        for atom in {*before.permits, *self.resolved.permits}:
            mask |= before.permits.get(atom, 0) ^ self.resolved.permits.get(atom, 0)
        return mask & within

    def _without(self, named: Mapping[str, int]) -> Verdicts:
        """The verdicts with what was set aside so far, and the named clauses, left out."""
        aside = {name: self.removed.get(name, 0) | named.get(name, 0) for name in self.masks}
        masks = {name: mask & ~aside[name] for name, mask in self.masks.items()}
        result = combine(self.question, self.space, self.active({}), masks, chooser=self.chooser)
        for fill in self.fills:
            _fill(result, fill.atom, fill.mask)
        return result

    def _parts(self, resolution: Resolution) -> list[tuple[tuple[Test, ...], Atom]] | None:
        if resolution.convention:
            convention = CONVENTIONS[resolution.convention]
            if convention.question != self.question.name:
                return None
            where = resolution.span
            return [
                (tuple(Test(field, values, "", where) for field, values in guard), answer)
                for guard, answer in convention.parts
            ]
        if resolution.question != self.question.name or not resolution.answer:
            return None
        return [(resolution.guard, resolution.answer[0])]


def ways_to_read(readings: Mapping[str, tuple[str, ...]]) -> list[dict[str, str]] | None:
    """Every combination of readings, by statement; None if there are more than `MAX_COMBINATIONS`."""
    if prod(len(names) for names in readings.values()) > MAX_COMBINATIONS:
        return None
    return [dict(zip(readings, choice, strict=True)) for choice in product(*readings.values())]


def one_at_a_time(readings: Mapping[str, tuple[str, ...]]) -> list[dict[str, str]]:
    """Each reading of each statement alone."""
    return [{statement: name} for statement, names in readings.items() for name in names]


def any_mask(masks: Iterable[int]) -> int:
    """The states in any of these masks."""
    found = 0
    for mask in masks:
        found |= mask
    return found


def clause_masks(space: Space, clauses: Sequence[Clause], spoken: Container[str]) -> dict[str, int]:
    """For each clause the states in which it speaks: its guard, less those of the spoken clauses that it excludes."""
    by_id = {clause.id: clause for clause in clauses}
    masks: dict[str, int] = {}

    def mask(clause: Clause) -> int:
        if clause.id not in masks:
            found = space.select(clause.guard)
            for name in clause.excludes:
                if name in by_id and name in spoken:
                    found &= ~mask(by_id[name])
            masks[clause.id] = found
        return masks[clause.id]

    for clause in clauses:
        mask(clause)
    return masks


def combine(
    question: Question,
    space: Space,
    clauses: Sequence[Clause],
    masks: Mapping[str, int],
    *,
    chooser: str = "",
) -> Verdicts:
    """What these clauses permit together, each in the states of its mask."""
    answered = 0
    allowed: dict[Atom, int] = {}
    parts = []
    for clause in clauses:
        where = masks[clause.id]
        answered |= where
        said = expand(question, space, clause.answer)
        parts.append((where, said))
        for atom in said:
            allowed[atom] = space.full
    for where, said in parts:
        for atom, mask in allowed.items():
            allowed[atom] = mask & (~where | said.get(atom, 0))
    some = several = 0
    for atom, mask in allowed.items():
        allowed[atom] = mask & answered
        several |= some & allowed[atom]
        some |= allowed[atom]
    return Verdicts(
        answered=answered,
        permits=allowed,
        gap=space.full & ~answered,
        conflict=answered & ~some,
        undecided=0 if chooser else several,
    )


def expand(question: Question, space: Space, answer: Sequence[Atom]) -> dict[Atom, int]:
    """For each concrete answer the states in which `answer` permits it.

    `face` and `units` mean another number in each state; a total above nine is no total.
    """
    found: dict[Atom, int] = {}
    for atom in answer:
        if question.answer == "points" and atom == "face":
            for rank, mask in space.masks("rank").items():
                if str(rank).isdigit():
                    found[int(rank)] = found.get(int(rank), 0) | mask
        elif question.answer == "total" and atom in ("units", "sum"):
            for value, mask in space.masks("sum").items():
                total = int(value) % 10 if atom == "units" else int(value)
                if total <= 9:
                    found[total] = found.get(total, 0) | mask
        else:
            found[atom] = space.full
    return found


def default_atom(question: Question) -> Atom:
    """The answer that silence means where a question has one."""
    if question.answer == "share":
        return Fraction(question.default)
    return int(question.default) if question.default.isdigit() else question.default


def _fill(result: Verdicts, atom: Atom, mask: int) -> None:
    if not mask:
        return
    for other in result.permits:
        result.permits[other] &= ~mask
    result.permits[atom] = result.permits.get(atom, 0) | mask
    result.answered |= mask
    result.gap &= ~mask
    result.conflict &= ~mask
    result.undecided &= ~mask


def all_readings(clauses: Sequence[Clause]) -> dict[str, tuple[str, ...]]:
    """The readings of each statement that has any, in file order."""
    found: dict[str, dict[str, None]] = {}
    for clause in clauses:
        if clause.reading:
            found.setdefault(clause.statement, {})[clause.reading] = None
    return {statement: tuple(names) for statement, names in found.items()}

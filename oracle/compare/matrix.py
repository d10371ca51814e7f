"""All rule sets beside one another in one question: in which states who says what."""

from __future__ import annotations

from collections.abc import Sequence
from functools import reduce
from operator import or_

import msgspec

from oracle.checks.finding import Part
from oracle.checks.regions import Box, show_box
from oracle.compare.joint_space import JointSpace, told_apart
from oracle.compare.relation import behind, fields_of, regions
from oracle.compare.stance import COMPARED, OPEN, SAYS, SILENT, Stance, speaks, voice
from oracle.game.rules import Rules

_ANYTHING = Stance("anything")  # of a table that can't come to a state, as of one card twice with a single deck
_Heards = tuple[Stance | None, ...]


class Cell(msgspec.Struct, frozen=True):
    """What one rule set says in the states of a row, as read, with the statements and resolutions behind it.

    `by_text` if the text alone says so in all of them.
    """

    heard: Stance
    by_text: bool
    statements: tuple[Part, ...] = ()
    resolutions: tuple[str, ...] = ()


class MatrixRow(msgspec.Struct, frozen=True):
    """States in which every rule set says one thing; a rule set that doesn't know them has no cell.

    `walls` are the boxes with the values of each field as guards write them.
    """

    boxes: tuple[Box, ...]
    walls: tuple[dict[str, str], ...]
    region: str
    states: int
    cells: tuple[Cell | None, ...]

    @property
    def answers(self) -> list[Stance]:
        """The different answers, in the order of the rule sets; silence and open places are none."""
        return list(dict.fromkeys(cell.heard for cell in self.cells if cell is not None and cell.heard.kind == SAYS))

    @property
    def disagree(self) -> bool:
        """Whether two rule sets answer these states differently."""
        return len(self.answers) > 1


class Matrix(msgspec.Struct, frozen=True):
    """One question of several rule sets, in the fewest rows that tell their answers apart."""

    question: str
    rules: tuple[str, ...]
    speaking: tuple[bool, ...]
    rows: tuple[MatrixRow, ...]

    @property
    def spoken(self) -> bool:
        """Whether any of the texts, or of the ways in which they are read, says something."""
        return any(self.speaking)

    def classes(self) -> tuple[int | None, ...]:
        """Which rule sets answer alike wherever both know a state: a number for each, None for the silent ones."""
        found: list[int | None] = []
        for n, speaking in enumerate(self.speaking):
            if not speaking:
                found.append(None)
                continue
            same = (m for m in range(n) if found[m] is not None and self._alike(m, n))
            first = next(same, None)
            numbers = [number for number in found if number is not None]
            found.append(found[first] if first is not None else max(numbers, default=-1) + 1)
        return tuple(found)

    def _alike(self, one: int, other: int) -> bool:
        for row in self.rows:
            first, second = row.cells[one], row.cells[other]
            if first is None or second is None:
                continue
            if first.heard != second.heard and not (first.heard.answer and first.heard.answer == second.heard.answer):
                return False
        return True

    def open(self, n: int) -> bool:
        """Whether a rule set leaves a state open, resolutions and all."""
        return any(row.cells[n] is not None and row.cells[n].heard.kind in OPEN for row in self.rows)  # type: ignore[union-attr]

    def by_text(self, n: int) -> bool:
        """Whether the text of a rule set alone says all that is said."""
        return all(cell.by_text for row in self.rows if (cell := row.cells[n]) is not None)


def matrices(tables: Sequence[Rules]) -> list[Matrix]:
    """The matrix of every question. Raises `OracleError` if one has too many states."""
    apart = told_apart(tables)
    return [matrix(apart, question) for question in COMPARED]


def matrix(tables: Sequence[Rules], question: str) -> Matrix:
    """The matrix of one question for rule sets that are `told_apart`."""
    panel = JointSpace(tables, question)
    groups: dict[_Heards, int] = {(): panel.space.full}
    literal: list[dict[Stance, int]] = []
    for n in range(len(tables)):
        heard = _lifted(panel, n, literal=False)
        literal.append(_lifted(panel, n, literal=True))
        split: dict[_Heards, int] = {}
        unknown = panel.space.full & ~panel.known[n]
        offered = _offered(panel, n)
        for so_far, mask in groups.items():
            for key, where in [*heard.items(), (None, unknown & ~offered), (_ANYTHING, unknown & offered)]:
                if mask & where:
                    split[*so_far, key] = mask & where
        groups = split
    groups = _merged(groups)
    fields = fields_of(panel)
    rows = [
        _row(panel, fields, heards, mask, literal)
        for heards, mask in sorted(groups.items(), key=lambda entry: entry[1] & -entry[1])
        if any(heard not in (None, _ANYTHING) for heard in heards)
    ]
    speaking = tuple(any(speaks(rules, question, literal=literally) for literally in (True, False)) for rules in tables)
    return Matrix(question, tuple(rules.id for rules in tables), speaking, tuple(rows))


def _offered(panel: JointSpace, n: int) -> int:
    """The states that are about something which a table has, whether or not they can come about there."""
    if "winner" not in panel.space.fields or "bet" not in panel.space.fields:
        return 0
    return reduce(or_, (panel.space.masks("bet").get(bet, 0) for bet in panel.tables[n].bets), 0)


def _merged(groups: dict[_Heards, int]) -> dict[_Heards, int]:
    """Groups put together that differ only in what can't come about at some table."""
    found: dict[_Heards, int] = {}
    for heards, mask in sorted(groups.items(), key=lambda entry: entry[0].count(_ANYTHING)):
        fitting = next((known for known in found if _fit(known, heards)), None)
        if fitting is None:
            found[heards] = mask
            continue
        both = tuple(b if a == _ANYTHING else a for a, b in zip(fitting, heards, strict=True))
        found[both] = found.pop(fitting) | mask
    return found


def _fit(one: _Heards, other: _Heards) -> bool:
    return all(a == b or _ANYTHING in (a, b) for a, b in zip(one, other, strict=True))


def _lifted(panel: JointSpace, n: int, *, literal: bool) -> dict[Stance, int]:
    heard = voice(panel.tables[n], panel.question, panel.evaluations[n], literal=literal).heard
    return {key: panel.lift(n, mask) for key, mask in heard.items()}


def _row(
    panel: JointSpace,
    fields: Sequence[str],
    heards: _Heards,
    mask: int,
    literal: Sequence[dict[Stance, int]],
) -> MatrixRow:
    found = regions(panel.space, mask, fields, among=reduce(or_, panel.known))
    cells = [
        None if heard is None or heard == _ANYTHING else _cell(panel, n, heard, mask, texts.get(heard, 0))
        for n, (heard, texts) in enumerate(zip(heards, literal, strict=True))
    ]
    region = "; ".join(show_box(panel.space, box) for box in found)
    walls = tuple({f: show_box(panel.space, ((f, v),)).partition(": ")[2] for f, v in box} for box in found)
    return MatrixRow(tuple(found), walls, region, panel.space.count(mask), tuple(cells))


def _cell(panel: JointSpace, n: int, heard: Stance, mask: int, by_text: int) -> Cell:
    if heard.kind == SILENT:
        return Cell(heard, by_text=True)
    statements, resolutions = behind(panel, n, mask, literal=False)
    return Cell(heard, not mask & panel.known[n] & ~by_text, statements, resolutions)

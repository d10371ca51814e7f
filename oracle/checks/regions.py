"""Sets of states as canonical boxes: `banker2: 6, player_third: [0-5, 8, 9]`."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import permutations

from oracle.game.evaluate import Evaluation
from oracle.game.rules import Rules
from oracle.game.space import Space, bits
from oracle.rules.questions import FIELDS
from oracle.rules.values import Value, show_set

Box = tuple[tuple[str, frozenset[Value]], ...]
_MANY = 8


def tested_fields(rules: Rules, question: str) -> tuple[str, ...]:
    """The fields of a question that its statements or resolutions test, in the question's order."""
    evaluation = rules.evaluation(question)
    tested = {test.field for clause in evaluation.clauses for test in clause.guard}
    tested |= {test.field for a in evaluation.applied for test in a.resolution.guard}
    tested |= (
        set(evaluation.space.fields) - set(evaluation.question.cell) if "bet" in evaluation.space.fields else set()
    )
    fields = dict.fromkeys((*evaluation.question.fields, *evaluation.space.fields))
    return tuple(f for f in fields if f in tested and evaluation.space.has(f))


def boxes(space: Space, mask: int, fields: Sequence[str]) -> list[tuple[Box, int]]:
    """`mask` cut into boxes over `fields`, each with its states. Fields that don't matter in a box are left out.

    Values are grouped along the fields; of the orders that put one or two fields first, the one with the fewest boxes
    counts, the first such. So the same set always gives the same boxes.
    """
    best = _cut(space, mask, fields) if mask else []
    for order in _orders(fields):
        if len(best) <= 1:
            break
        found = _cut(space, mask, order)
        if len(found) < len(best):
            best = found
    shown = {field: place for place, field in enumerate(fields)}
    return [(tuple(sorted(box, key=lambda wall: shown[wall[0]])), states) for box, states in best]


def _orders(fields: Sequence[str]) -> Iterator[tuple[str, ...]]:
    for first in fields:
        yield (first, *(field for field in fields if field != first))
    for first, second in permutations(fields, 2):
        yield (first, second, *(field for field in fields if field not in (first, second)))


def _cut(space: Space, mask: int, fields: Sequence[str]) -> list[tuple[Box, int]]:
    """`mask` cut into boxes along the fields in this order."""

    def cut(mask: int, among: int, rest: Sequence[str]) -> list[tuple[Box, int]]:
        if mask == among or not rest:
            return [((), mask)]
        field = rest[0]
        groups: dict[tuple[Box, ...], tuple[list[Value], list[list[tuple[Box, int]]]]] = {}
        occurring = 0
        masks = space.masks(field)
        for value in sorted(masks, key=lambda v: _place(field, v)):
            inside = among & masks[value]
            if not inside:
                continue
            occurring += 1
            part = mask & inside
            if part:
                found = cut(part, inside, rest[1:])
                values, members = groups.setdefault(tuple(box for box, _ in found), ([], []))
                values.append(value)
                members.append(found)
        made: list[tuple[Box, int]] = []
        for shapes, (values, members) in groups.items():
            head: Box = () if len(values) == occurring else ((field, frozenset(values)),)
            for place, box in enumerate(shapes):
                states = 0
                for found in members:
                    states |= found[place][1]
                made.append(((*head, *box), states))
        return made

    return cut(mask, space.full, fields)


def _place(field: str, value: Value) -> tuple[int, str]:
    domain = FIELDS[field].domain if field in FIELDS else ()
    if value in domain:
        return domain.index(value), ""
    return (int(value), "") if isinstance(value, int) else (0, str(value))


def show_box(space: Space, box: Box) -> str:
    """A box in the notation of guards; `every state` for the box without walls."""
    if not box:
        return "every state"
    parts = []
    for field, values in box:
        domain = FIELDS[field].domain if field in FIELDS and FIELDS[field].domain else tuple(space.masks(field))
        shown = show_set(values, domain)
        parts.append(
            f"{field}: {shown}" if len(values) == 1 else f"{field}: [{shown}]" if "," in shown else f"{field}: {shown}"
        )
    return ", ".join(parts)


def show_region(rules: Rules, question: str, mask: int) -> str:
    """A set of states as its boxes."""
    evaluation = rules.evaluation(question)
    found = boxes(evaluation.space, mask, tested_fields(rules, question))
    shown = [show_box(evaluation.space, box) for box, _ in found[:_MANY]]
    if len(found) > _MANY:
        shown.append(f"and {len(found) - _MANY} more")
    return "; ".join(shown)


def count_cells(evaluation: Evaluation, mask: int) -> int:
    """How many cells of the question a set of states touches; rows of its space where it has no cells."""
    cell = evaluation.question.cell
    if not cell:
        return mask.bit_count()
    columns = [evaluation.space.column(field) for field in cell]
    return len({tuple(column[i] for column in columns) for i in bits(mask)})

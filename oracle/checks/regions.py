"""Sets of states as canonical boxes: `banker2: 6, player_third: [0-5, 8, 9]`."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from fractions import Fraction
from functools import reduce
from itertools import groupby, permutations
from operator import and_, or_

from oracle.game.evaluate import Evaluation
from oracle.game.listed_numbers import LEAST, Listed
from oracle.game.rules import Rules
from oracle.game.space import Space, bits
from oracle.rules.questions import FIELDS
from oracle.rules.values import Value, show_set

Box = tuple[tuple[str, frozenset[Value]], ...]
_MANY = 8


def tested_fields(rules: Rules, question: str) -> tuple[str, ...]:
    """The fields of a question that its statements or resolutions test, and its only field, in the question's order."""
    evaluation = rules.evaluation(question)
    tested = {test.field for clause in evaluation.clauses for test in clause.guard}
    tested |= {test.field for a in evaluation.applied for test in a.resolution.guard}
    tested |= (
        set(evaluation.space.fields) - set(evaluation.question.cell) if "bet" in evaluation.space.fields else set()
    )
    if len(evaluation.question.fields) == 1:
        tested |= set(evaluation.question.fields)
    fields = dict.fromkeys((*evaluation.question.fields, *evaluation.space.fields))
    return tuple(f for f in fields if f in tested and evaluation.space.has(f))


def boxes(space: Space, mask: int, fields: Sequence[str], *, among: int | None = None) -> list[tuple[Box, int]]:
    """`mask` cut into boxes over `fields`, each with its states. Fields that don't matter in a box are left out.

    They tell `mask` apart from the other states of `among`, by default of all.
    Values are grouped along the fields; of the orders that put one or two fields first, the one with the fewest boxes
    counts, the first such. Walls that keep nothing out are then taken down, the first field first. So the same set
    always gives the same boxes.
    """
    around = space.full if among is None else among
    best = _cut(space, mask, around, fields) if mask else []
    for order in _orders(fields):
        if len(best) <= 1:
            break
        found = _cut(space, mask, around, order)
        if len(found) < len(best):
            best = found
    shown = {field: place for place, field in enumerate(fields)}
    ordered = [(tuple(sorted(box, key=lambda wall: shown[wall[0]])), states) for box, states in best]
    return [(_needed(space, box, around), states) for box, states in ordered]


def _needed(space: Space, box: Box, around: int) -> Box:
    """A box without the walls that keep no state out of it."""
    inside = [_inside(space, wall) for wall in box]
    states = reduce(and_, inside, around)
    kept = list(range(len(box)))
    for place in range(len(box)):
        others = [n for n in kept if n != place]
        if reduce(and_, (inside[n] for n in others), around) == states:
            kept = others
    return tuple(box[n] for n in kept)


def _inside(space: Space, wall: tuple[str, frozenset[Value]]) -> int:
    masks = space.masks(wall[0])
    return reduce(or_, (masks[value] for value in wall[1]), 0)


def _orders(fields: Sequence[str]) -> Iterator[tuple[str, ...]]:
    for first in fields:
        yield (first, *(field for field in fields if field != first))
    for first, second in permutations(fields, 2):
        yield (first, second, *(field for field in fields if field not in (first, second)))


def _cut(space: Space, mask: int, around: int, fields: Sequence[str]) -> list[tuple[Box, int]]:
    """`mask` cut into boxes along the fields in this order, among the states of `around`."""

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

    return cut(mask, around, fields)


def _place(field: str, value: Value) -> tuple[int | Fraction, str]:
    domain = FIELDS[field].domain if field in FIELDS else ()
    if value in domain:
        return domain.index(value), ""
    return (0, value) if isinstance(value, str) else (value, "")


def show_box(space: Space, box: Box) -> str:
    """A box in the notation of guards; `every state` for the box without walls."""
    if not box:
        return "every state"
    parts = []
    for field, values in box:
        known = FIELDS.get(field)
        listed = tuple(dict.fromkeys(space.column(field)))
        if known is not None and known.kind in ("number", "share"):
            constants = space.constants.get(field) if isinstance(space, Listed) else None
            shown = _show_numbers(values, listed, constants, bounded=LEAST.get(field, 0) is not None)
        else:
            shown = show_set(values, (known.domain if known is not None else ()) or listed)
        parts.append(f"{field}: [{shown}]" if "," in shown else f"{field}: {shown}")
    return ", ".join(parts)


def _show_numbers(
    chosen: frozenset[Value], listed: Sequence[Value], constants: Sequence[int] | None, *, bounded: bool
) -> str:
    """Numbers as guards would write them, ascending: `< 2, 5-8, >= 20`; `...` where listed ones stand for some others.

    What is not listed belongs to the set if all that is listed between the same two constants does. Nothing lies below
    the least number of a `bounded` field.
    """
    numbers = sorted(value for value in listed if not isinstance(value, str))
    if not numbers:
        return ""
    steps: list[tuple[Fraction | int | None, str]] = [
        (None, _beyond(chosen, numbers, None if bounded else constants, 0))
    ]
    step = 1 if all(isinstance(number, int) for number in numbers) else Fraction(1, 2)
    for place, number in enumerate(numbers):
        if place and number - numbers[place - 1] > step:
            steps.append((None, _beyond(chosen, numbers, constants, place)))
        steps.append((number, "in" if number in chosen else "out"))
    steps.append((None, _beyond(chosen, numbers, constants, len(numbers))))
    parts: list[str] = []
    done = 0
    for said, group in groupby(steps, key=lambda step: step[1]):
        run = list(group)
        first, last = done == 0, done + len(run) == len(steps)
        done += len(run)
        inside = [number for number, _ in run if number is not None]
        if said == "some" and parts[-1:] != ["..."]:
            parts.append("...")
        elif said == "in" and inside:
            parts += _show_run(inside, below=first, above=last, whole=step == 1)
    return ", ".join(parts)


def _beyond(
    chosen: frozenset[Value], numbers: Sequence[int | Fraction], constants: Sequence[int] | None, place: int
) -> str:
    """Whether what lies unlisted before a place of the listed numbers is in the set: `in`, `out` or `some`."""
    near = numbers[max(place - 1, 0) : place + 1]
    if constants is not None:
        at = numbers[place - 1] if place else numbers[0] - 1
        low = max((c for c in constants if c <= at), default=None)
        high = min((c for c in constants if c > at), default=None)
        between = [n for n in numbers if (low is None or n > low) and (high is None or n < high)]
        near = between or near
    held = {number in chosen for number in near}
    return "some" if len(held) > 1 else "in" if True in held else "out"


def _show_run(inside: Sequence[int | Fraction], *, below: bool, above: bool, whole: bool) -> list[str]:
    """Neighbouring numbers, and all below or above them. A half stands for what lies between two whole numbers."""
    first, last = inside[0], inside[-1]
    at_first, at_last = first.denominator == 1, last.denominator == 1
    if below and above:
        return ["any"]
    if below:
        return [f"< {last + 1}" if whole else f"<= {last}" if at_last else f"< {last + Fraction(1, 2)}"]
    if above:
        return [f">= {first}" if at_first else f"> {first - Fraction(1, 2)}"]
    if not at_first and not at_last:
        return [f"between {first - Fraction(1, 2)} and {last + Fraction(1, 2)}"]
    if not at_first:
        return [*_show_run(inside[:1], below=False, above=False, whole=whole), *_show_whole(inside[1:])]
    if not at_last:
        return [*_show_whole(inside[:-1]), *_show_run(inside[-1:], below=False, above=False, whole=whole)]
    return _show_whole(inside)


def _show_whole(inside: Sequence[int | Fraction]) -> list[str]:
    first, last = inside[0], inside[-1]
    if len(inside) > 2:
        return [f"{first}-{last}"]
    return [str(number) for number in inside]


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

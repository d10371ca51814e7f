"""Sets of field values, as guards write them: `0-5`, `not 8`, `[A, 2-9]`, `"<= 15%"`, `multiple of 5`."""

from __future__ import annotations

from fractions import Fraction

import msgspec

Value = int | str | Fraction
NONE = "none"


class Among(msgspec.Struct, frozen=True, tag=True):
    """One of these values."""

    values: frozenset[Value]


class Between(msgspec.Struct, frozen=True, tag=True):
    """A number within these bounds, both included; None is open."""

    low: int | None
    high: int | None


class Share(msgspec.Struct, frozen=True, tag=True):
    """A count compared with a percentage of a whole, in exact integers."""

    relation: str
    percent: Fraction


class Multiple(msgspec.Struct, frozen=True, tag=True):
    """A whole number divisible by `of`."""

    of: int


class Either(msgspec.Struct, frozen=True, tag=True):
    """In one of these sets."""

    parts: tuple[Values, ...]


class Other(msgspec.Struct, frozen=True, tag=True):
    """Not in this set; on a card, still a card that exists."""

    part: Values
    card: bool = False


class Any(msgspec.Struct, frozen=True, tag=True):
    """Every value; on a card, every card that exists."""

    card: bool = False


Values = Among | Between | Share | Multiple | Either | Other | Any


def contains(values: Values, value: Value, *, whole: int | None = None) -> bool:
    """Whether `value` is in the set; `whole` is what percentages refer to."""
    match values:
        case Among(among):
            return value in among
        case Between(low, high):
            if isinstance(value, str):
                return False
            return (low is None or low <= value) and (high is None or value <= high)
        case Multiple(of):
            return not isinstance(value, str) and value % of == 0
        case Either(parts):
            return any(contains(part, value, whole=whole) for part in parts)
        case Other(part, card):
            return not (card and value == NONE) and not contains(part, value, whole=whole)
        case Any(card):
            return not (card and value == NONE)
        case Share(relation, percent):
            if whole is None or not isinstance(value, int):
                return False
            left, right = value * 100 * percent.denominator, percent.numerator * whole
            return {"<": left < right, "<=": left <= right, ">": left > right, ">=": left >= right}[relation]


def select(values: Values, domain: tuple[Value, ...]) -> frozenset[Value]:
    """The members of `domain` that are in the set."""
    return frozenset(value for value in domain if contains(values, value))


def show_set(chosen: frozenset[Value] | set[Value], domain: tuple[Value, ...]) -> str:
    """`chosen` in the order of `domain`, runs of three or more numbers joined: `0-5, 8, 9`."""
    ordered = [value for value in domain if value in chosen]
    parts: list[str] = []
    index = 0
    while index < len(ordered):
        end = index
        while (
            end + 1 < len(ordered)
            and isinstance(ordered[end], int)
            and isinstance(ordered[end + 1], int)
            and domain.index(ordered[end + 1]) == domain.index(ordered[end]) + 1
        ):
            end += 1
        if end - index >= 2:
            parts.append(f"{ordered[index]}-{ordered[end]}")
            index = end + 1
        else:
            parts.append(str(ordered[index]))
            index += 1
    return ", ".join(parts)

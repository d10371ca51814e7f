"""The numbers that states list of a field, so that statements find among them all that they tell apart.

Guards only compare whole numbers with constants, ask for multiples, or ask whether chips add up to them. So numbers
are told apart by the constants they lie between and by what they leave over a period: the least common multiple of
the tested multiples and, where chips matter, of the greatest value that all chips are multiples of. Numbers are listed
from one period below the least constant to one past the greatest, and as far as sums of chips are irregular. Where
that would be more than 2,000 numbers, only representatives are: each constant `c` and what lies from `c - period - 1`
to `c + period + 1`; and where those are too many, of each kind only the nearest to a constant. Balances may be
fractions, so the halves between are listed too.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from fractions import Fraction
from math import lcm, prod

import msgspec

from oracle.game.chip_sums import can_be_laid, chip_period, known_chips
from oracle.game.rule_answers import RuleAnswers
from oracle.game.space import MAX_ROWS, Row, Space
from oracle.rules.questions import FIELDS
from oracle.rules.values import Among, Between, Either, Multiple, Other, Value, Values
from oracle.spans import OracleError

DENSE = 2_000
_DENSE_ROWS = 20_000
_FRACTIONAL = ("balance",)
LEAST = {"balance": None, "stake": 1, "coups": 1}


class Numbers(msgspec.Struct, frozen=True):
    """The listed numbers of a field, ascending, and the constants between which they stand for all others."""

    listed: tuple[Value, ...]
    constants: tuple[int, ...]


class Listed(Space):
    """States with numbers that stand for others: `constants` has for each such field what tells numbers apart.

    Any other number is a state too, unless answers to other questions lead to these ones (`reached`).
    """

    def __init__(
        self,
        fields: Sequence[str],
        rows: Iterable[Row],
        constants: Mapping[str, tuple[int, ...]],
        *,
        reached: bool = False,
    ) -> None:
        super().__init__(fields, rows)
        self.constants = dict(constants)
        self.reached = reached


def domains_of(
    rules: RuleAnswers, fields: Sequence[str], questions: Mapping[str, Sequence[str]]
) -> tuple[list[Sequence[Value]], dict[str, Numbers]]:
    """The values of each field, with its numbers where it has any; few numbers where rows would be many.

    `questions` are by field those whose tests tell its numbers apart. Raises `OracleError` for too many states.
    """
    domains, numbers = _values(rules, fields, questions, dense=True)
    if prod(len(domain) for domain in domains) > _DENSE_ROWS:
        domains, numbers = _values(rules, fields, questions, dense=False)
    size = prod(len(domain) for domain in domains)
    if size > MAX_ROWS:
        names = " and ".join(fields)
        raise OracleError(f"{rules.id}: what is tested of {names} makes {size:,} states; the limit is {MAX_ROWS:,}")
    return domains, numbers


def _values(
    rules: RuleAnswers, fields: Sequence[str], questions: Mapping[str, Sequence[str]], *, dense: bool
) -> tuple[list[Sequence[Value]], dict[str, Numbers]]:
    numbers: dict[str, Numbers] = {}
    domains: list[Sequence[Value]] = []
    for field in fields:
        if field == "bet" or FIELDS[field].domain:
            domains.append(rules.bets if field == "bet" else FIELDS[field].domain)
        else:
            numbers[field] = numbers_of(rules, questions[field], field, dense=dense)
            domains.append(numbers[field].listed)
    return domains, numbers


def numbers_of(rules: RuleAnswers, questions: Sequence[str], field: str, *, dense: bool = True) -> Numbers:
    """The numbers of a field to list for what these questions test of it."""
    constants: set[int] = set()
    multiples: set[int] = set()
    for question in questions:
        tested = tested_constants(rules, question, field)
        constants |= tested[0]
        multiples |= tested[1]
    period, regular, chips = lcm(*multiples), 0, None
    if field == "stake" and rules.tests("stake", "in_chips"):
        chips = known_chips(rules)
        if chips is not None:
            unit, regular = chip_period(chips)
            period = lcm(period, unit)
    least = LEAST.get(field, 0)
    ends = [*constants, *([] if least is None else [least])] or [0]
    low = min(ends) - period if least is None else least
    high = max(*ends, regular, low) + period

    def kind(number: int) -> tuple[bool, ...]:
        return (*(number % of == 0 for of in multiples), chips is not None and can_be_laid(number, chips))

    whole: Iterable[int] = range(low, high + 1)
    if not dense or high - low >= DENSE:
        if min(2 * period + 3, high - low) * (len(constants) + 1) + regular > 4 * MAX_ROWS:
            raise OracleError(f"{rules.id}: what {questions[0]} tests of {field} tells too many numbers apart")
        points = sorted({low, high, *(c for c in (*constants, regular) if low <= c <= high)})
        whole = _representatives(points, period, regular, kind)
    listed: list[Value] = list(whole)
    if field in _FRACTIONAL:
        listed = [value for number in listed for value in (number, Fraction(2 * int(number) + 1, 2))]
    return Numbers(tuple(listed), tuple(sorted({*constants, *([regular] if regular > low else [])})))


def _representatives(
    points: Sequence[int], period: int, regular: int, kind: Callable[[int], tuple[bool, ...]]
) -> list[int]:
    """Numbers from the first to the last of `points` among which guards find all that they can tell apart."""
    low, high = points[0], points[-1]
    windows: set[int] = set(points)
    for c in points:
        windows.update(range(max(low, c - period - 1), min(high, c + period + 1) + 1))
    windows.update(range(low, regular))
    if len(windows) <= DENSE:
        return sorted(windows)
    kept = {number for c in points for number in (c - 1, c, c + 1) if low <= number <= high}
    ordered = sorted(windows)
    for way in (ordered, ordered[::-1]):
        seen: set[tuple[bool, ...]] = set()
        at = set(points)
        for number in way:
            if number in at:
                seen = set()
            elif (of := kind(number)) not in seen:
                seen.add(of)
                kept.add(number)
    return sorted(kept)


def tested_constants(rules: RuleAnswers, question: str, field: str) -> tuple[set[int], set[int]]:
    """The numbers that guards of a question compare `field` with, and those that it must be a multiple of."""
    numbers: set[int] = set()
    multiples: set[int] = set()
    for guard in rules.guards(question):
        for test in guard:
            if test.field == field:
                _constants(test.values, numbers, multiples)
    return numbers, multiples


def _constants(values: Values, numbers: set[int], multiples: set[int]) -> None:
    match values:
        case Among(among):
            numbers.update(v for v in among if isinstance(v, int))
        case Between(low, high):
            numbers.update(v for v in (low, high) if v is not None)
        case Multiple(of):
            multiples.add(of)
        case Either(parts):
            for part in parts:
                _constants(part, numbers, multiples)
        case Other(part, _):
            _constants(part, numbers, multiples)
        case _:
            pass


def stake_period(rules: RuleAnswers) -> tuple[int, int]:
    """After how many numbers what is said of stakes repeats, and from where on it does."""
    numbers, multiples = tested_constants(rules, "stake", "stake")
    period, start = lcm(*multiples), max([*numbers, 0]) + 1
    chips = known_chips(rules)
    if chips is not None and rules.tests("stake", "in_chips"):
        unit, regular = chip_period(chips)
        period, start = lcm(period, unit), max(start, regular)
    return period, start


def constants_of(numbers: Mapping[str, Numbers]) -> dict[str, tuple[int, ...]]:
    """By field the constants of its numbers, as `Listed` has them."""
    return {field: known.constants for field, known in numbers.items()}

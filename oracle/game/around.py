"""The questions around the coup: their states. Only fields that statements test, or that something needs, are there.

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
from functools import lru_cache
from itertools import combinations, product
from math import gcd, lcm, prod
from typing import TYPE_CHECKING

import msgspec

from oracle.game.evaluate import Evaluation
from oracle.game.space import Row, Space, bits
from oracle.rules.model import Test
from oracle.rules.questions import FIELDS, QUESTIONS, SIDES
from oracle.rules.values import Among, Between, Either, Multiple, Other, Value, Values
from oracle.spans import OracleError

if TYPE_CHECKING:
    from oracle.game.rules import Rules

MOST_CARDS = 6
MAX_BETS = 16
MAX_ROWS = 200_000
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


def space_of(rules: Rules, question: str) -> Space:
    """The states of a question that is not about the coup or its settling."""
    if question == "bets_together":
        return _bets_together(rules)
    if question == "stake":
        return _stake(rules)
    if question == "reshuffle":
        return _reshuffle(rules)
    if question == "exhausted":
        return Space((), [()] if can_run_out(rules) else [])
    if question == "score":
        return _score(rules)
    return _product(rules, question, QUESTIONS[question].fields)


def can_run_out(rules: Rules) -> bool:
    """Whether a coup may begin with fewer cards than it can need."""
    least = least_start(rules)
    return least is not None and least < MOST_CARDS


def least_start(rules: Rules) -> int | None:
    """The fewest cards with which a coup can begin; None if the shoe is endless or its size is not known."""
    cards = shoe_cards(rules)
    if cards is None:
        return None
    evaluation = rules.evaluation("reshuffle")
    deals = evaluation.resolved.permits.get("deal", 0) & ~evaluation.open
    remaining = evaluation.space.column("remaining")
    found = [int(left) for i, left in enumerate(remaining) if deals >> i & 1]
    return min(found, default=None)


def shoe_cards(rules: Rules) -> int | None:
    """The cards of a full shoe; None if it is endless or not known."""
    decks = rules.value("decks")
    return 52 * decks if isinstance(decks, int) else None


def can_be_laid(amount: int, chips: Iterable[int]) -> bool:
    """Whether a whole amount is a sum of chips of these values, any number of each."""
    values = sorted({chip for chip in chips if chip > 0})
    if amount <= 0 or not values:
        return amount == 0
    unit = gcd(*values)
    if amount % unit or amount < values[0]:
        return False
    sums = _sums(values)
    least = sums[amount // unit % len(sums)]
    return least is not None and least * unit <= amount


def chip_period(chips: Iterable[int]) -> tuple[int, int]:
    """The greatest value that all chips are multiples of, and from where on every multiple of it is a sum of chips."""
    values = sorted({chip for chip in chips if chip > 0})
    if not values:
        return 1, 1
    sums = _sums(values)
    unit = gcd(*values)
    return unit, unit * (max(least for least in sums if least is not None) - len(sums) + 1)


def _sums(values: list[int]) -> list[int | None]:
    unit = gcd(*values)
    if values[0] // unit > MAX_ROWS:
        raise OracleError(f"chips of {values[0]:,} and more with so little in common are not added up")
    return _least_sums(tuple(value // unit for value in values))


@lru_cache(maxsize=64)
def _least_sums(values: tuple[int, ...]) -> list[int | None]:
    """For each remainder by the first value the least sum of chips that leaves it; None if there is none.

    Every amount with this remainder from there on is a sum too, so amounts of any size are looked up.
    """
    by = values[0]
    sums: list[int | None] = [0, *[None] * (by - 1)]
    for value in values[1:]:
        apart = gcd(by, value)
        for first in range(apart):  # adding the value leads round these remainders, and twice round settles them
            place, at = first, sums[first]
            for _ in range(2 * by // apart):
                place = (place + value) % by
                more = None if at is None else at + value
                at = sums[place] = min((s for s in (sums[place], more) if s is not None), default=None)
    return sums


def guards_of(rules: Rules, question: str) -> list[Sequence[Test]]:
    """The guards about a question: of statements and resolutions, and whatever else the rules know of."""
    known = getattr(rules, "guards", None)
    if known is not None:
        return list(known(question))
    found: list[Sequence[Test]] = [c.guard for c in rules.clauses_about(question)]
    return found + [r.guard for r in rules.resolutions if r.question == question]


def tested_constants(rules: Rules, question: str, field: str) -> tuple[set[int], set[int]]:
    """The numbers that guards of a question compare `field` with, and those that it must be a multiple of."""
    numbers: set[int] = set()
    multiples: set[int] = set()
    for guard in guards_of(rules, question):
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


def known_chips(rules: Rules) -> list[int] | None:
    """The values of the chips; None if the rules don't say them."""
    chips = rules.value("chips")
    return [int(str(chip)) for chip in chips] if isinstance(chips, tuple) else None


def stake_period(rules: Rules) -> tuple[int, int]:
    """After how many numbers what is said of stakes repeats, and from where on it does."""
    numbers, multiples = tested_constants(rules, "stake", "stake")
    period, start = lcm(*multiples), max([*numbers, 0]) + 1
    chips = known_chips(rules)
    if chips is not None and rules.tests("stake", "in_chips"):
        unit, regular = chip_period(chips)
        period, start = lcm(period, unit), max(start, regular)
    return period, start


def _numbers(rules: Rules, questions: Sequence[str], field: str, *, dense: bool = True) -> Numbers:
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


def _domains(rules: Rules, question: str, fields: Sequence[str]) -> tuple[list[Sequence[Value]], dict[str, Numbers]]:
    """The values of each field, with its numbers where it has any; few numbers where rows would be many."""
    return _listed(rules, fields, dict.fromkeys(fields, (question,)))


def _listed(
    rules: Rules, fields: Sequence[str], questions: Mapping[str, Sequence[str]]
) -> tuple[list[Sequence[Value]], dict[str, Numbers]]:
    domains, numbers = _values(rules, fields, questions, dense=True)
    if prod(len(domain) for domain in domains) > _DENSE_ROWS:
        domains, numbers = _values(rules, fields, questions, dense=False)
    size = prod(len(domain) for domain in domains)
    if size > MAX_ROWS:
        names = " and ".join(fields)
        raise OracleError(f"{rules.id}: what is tested of {names} makes {size:,} states; the limit is {MAX_ROWS:,}")
    return domains, numbers


def _values(
    rules: Rules, fields: Sequence[str], questions: Mapping[str, Sequence[str]], *, dense: bool
) -> tuple[list[Sequence[Value]], dict[str, Numbers]]:
    numbers: dict[str, Numbers] = {}
    domains: list[Sequence[Value]] = []
    for field in fields:
        if field == "bet" or FIELDS[field].domain:
            domains.append(rules.bets if field == "bet" else FIELDS[field].domain)
        else:
            numbers[field] = _numbers(rules, questions[field], field, dense=dense)
            domains.append(numbers[field].listed)
    return domains, numbers


def _constants_of(numbers: Mapping[str, Numbers]) -> dict[str, tuple[int, ...]]:
    return {field: known.constants for field, known in numbers.items()}


def _product(rules: Rules, question: str, fields: Iterable[str]) -> Space:
    names = [field for field in fields if rules.tests(question, field)]
    domains, numbers = _listed(rules, names, dict.fromkeys(names, (question,)))
    return Listed(names, product(*domains), _constants_of(numbers))


def unoffered(rules: Rules) -> tuple[str, ...]:
    """The bets that guards about sets of bets name and that the table doesn't have: nobody lays them."""
    known = {*rules.bets, *QUESTIONS["bets_together"].fields}
    named = dict.fromkeys(test.field for guard in guards_of(rules, "bets_together") for test in guard)
    return tuple(field for field in named if field not in known)


def _bets_together(rules: Rules) -> Space:
    bets = rules.bets
    if len(bets) > MAX_BETS:
        raise OracleError(f"{rules.id}: {len(bets)} bets make too many sets; at most {MAX_BETS} bets are enumerated")
    others = unoffered(rules)
    no = ("no",) * len(others)
    rows: list[Row] = []
    for count in range(1, len(bets) + 1):
        for chosen in combinations(bets, count):
            sides = sum(1 for bet in chosen if bet in SIDES)
            rows.append((*("yes" if bet in chosen else "no" for bet in bets), count, sides, count - sides, *no))
    return Space((*bets, "count", "sides", "extras", *others), rows)


def _stake(rules: Rules) -> Space:
    fields = [f for f in ("bet", "stake") if f == "stake" or rules.tests("stake", f)]
    domains, numbers = _listed(rules, fields, dict.fromkeys(fields, ("stake",)))
    if not rules.tests("stake", "in_chips"):
        return Listed(fields, product(*domains), _constants_of(numbers))
    chips = known_chips(rules)
    if chips is None:
        return Listed((*fields, "in_chips"), product(*domains, ("yes", "no")), _constants_of(numbers))
    laid = {amount: "yes" if can_be_laid(int(amount), chips) else "no" for amount in domains[-1]}
    rows = ((*row, laid[row[-1]]) for row in product(*domains))
    return Listed((*fields, "in_chips"), rows, _constants_of(numbers))


def _reshuffle(rules: Rules) -> Space:
    cards = shoe_cards(rules)
    if cards is None:
        return Space(("remaining", "coup", "cut_card"), [])
    behind = rules.value("cut_card")
    fresh = after_burning(rules, cards)

    def out(left: int) -> str:
        return "yes" if isinstance(behind, int) and left <= behind else "no"

    rows: list[Row] = [(left, "first", out(left)) for left in fresh]
    rows += [(left, "later", out(left)) for left in range(fresh[0] - 4, -1, -1)]
    return Space(("remaining", "coup", "cut_card"), rows, whole=cards)


def after_burning(rules: Rules, cards: int) -> list[int]:
    """How many cards of a full shoe may be left once some are burnt, the most first."""
    burn = rules.value("burn")
    if burn == "first card":
        return sorted({cards - burnt_after(points) for points in rules.points.values()}, reverse=True) or [cards]
    return [cards - burn if isinstance(burn, int) else cards]


def burnt_after(points: int) -> int:
    """How many cards go with a first card of so many points: itself, and as many again, ten for none."""
    return 1 + (points or 10)


def _score(rules: Rules) -> Space:
    """What can have happened when a session ends, as far as the score asks for it."""
    ends = rules.evaluation("session_end")
    names = [field for field in ("event", "balance") if rules.tests("score", field)]
    asked = {
        field: [question for question in ("session_end", "score") if rules.tests(question, field)]
        for field in ("event", "balance", "coups")
    }
    fields = [field for field, questions in asked.items() if questions]
    domains, numbers = _listed(rules, fields, asked)
    everything = over(ends, Space(fields, product(*domains)))
    mask = everything.resolved.permits.get("end", 0) & ~everything.open
    places = [fields.index(name) for name in names]
    rows = dict.fromkeys(tuple(everything.space.rows[i][place] for place in places) for i in bits(mask))
    return Listed(names, rows, _constants_of(numbers), reached=True)


def over(evaluation: Evaluation, space: Space) -> Evaluation:
    """The same statements and resolutions over other states."""
    return Evaluation(
        evaluation.question,
        space,
        evaluation.clauses,
        [applied.resolution for applied in evaluation.applied],
        readings=evaluation.readings,
        chooser=evaluation.chooser,
    )

"""The questions around the coup: their states. Only fields that statements test, or that something needs, are there.

Whole numbers are listed from below the least constant that a statement tests to one period past the greatest: what
lies beyond behaves like the last ones, as guards only compare, or ask for multiples. Balances may be fractions, so the
halves between are listed too.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from fractions import Fraction
from functools import lru_cache
from itertools import combinations, product
from math import gcd, lcm
from typing import TYPE_CHECKING

from oracle.game.space import Row, Space
from oracle.rules.questions import FIELDS, QUESTIONS, SIDES
from oracle.rules.values import Among, Between, Either, Multiple, Other, Value, Values
from oracle.spans import OracleError

if TYPE_CHECKING:
    from oracle.game.rules import Rules

MOST_CARDS = 6
MAX_BETS = 16
MAX_ROWS = 200_000
_FRACTIONAL = ("balance",)
_LEAST = {"balance": None, "stake": 1, "coups": 1}


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
    if values[0] // unit > MAX_ROWS:
        raise OracleError(f"chips of {values[0]:,} and more with so little in common are not added up")
    least = _least_sums(tuple(value // unit for value in values))[amount // unit % (values[0] // unit)]
    return least is not None and least * unit <= amount


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


def tested_constants(rules: Rules, question: str, field: str) -> tuple[set[int], set[int]]:
    """The numbers that guards of a question compare `field` with, and those that it must be a multiple of."""
    numbers: set[int] = set()
    multiples: set[int] = set()
    guards = [c.guard for c in rules.clauses_about(question)]
    guards += [r.guard for r in rules.resolutions if r.question == question]
    for guard in guards:
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


def _numbers(rules: Rules, question: str, field: str) -> list[Value]:
    numbers, multiples = tested_constants(rules, question, field)
    period = lcm(*multiples) if multiples else 1
    least = _LEAST.get(field, 0)
    low = min(numbers, default=0) - 1 if least is None else least
    high = max([*numbers, low]) + period
    if high - low > MAX_ROWS:
        raise OracleError(
            f"{rules.id}: what {question} tests of {field} spans {high - low:,} numbers; the limit is {MAX_ROWS:,}"
        )
    whole = range(low, high + 1)
    if field not in _FRACTIONAL:
        return list(whole)
    return [value for number in whole for value in (number, Fraction(2 * number + 1, 2))]


def _domain(rules: Rules, question: str, field: str) -> Iterable[Value]:
    if field == "bet":
        return rules.bets
    return FIELDS[field].domain or _numbers(rules, question, field)


def _product(rules: Rules, question: str, fields: Iterable[str]) -> Space:
    names = [field for field in fields if rules.tests(question, field)]
    return Space(names, product(*(_domain(rules, question, field) for field in names)))


def _bets_together(rules: Rules) -> Space:
    bets = rules.bets
    if len(bets) > MAX_BETS:
        raise OracleError(f"{rules.id}: {len(bets)} bets make too many sets; at most {MAX_BETS} bets are enumerated")
    rows: list[Row] = []
    for count in range(1, len(bets) + 1):
        for chosen in combinations(bets, count):
            sides = sum(1 for bet in chosen if bet in SIDES)
            rows.append((*("yes" if bet in chosen else "no" for bet in bets), count, sides, count - sides))
    return Space((*bets, "count", "sides", "extras"), rows)


def _stake(rules: Rules) -> Space:
    fields = [f for f in ("bet", "stake") if f == "stake" or rules.tests("stake", f)]
    chips = rules.value("chips")
    rows: Iterator[Row] = product(*(_domain(rules, "stake", field) for field in fields))
    if not rules.tests("stake", "in_chips"):
        return Space(fields, rows)
    if not isinstance(chips, tuple):
        return Space((*fields, "in_chips"), ((*row, word) for row in rows for word in ("yes", "no")))
    values = [int(str(chip)) for chip in chips]
    laid: dict[int, str] = {}
    made = []
    for row in rows:
        amount = int(row[-1])
        if amount not in laid:
            laid[amount] = "yes" if can_be_laid(amount, values) else "no"
        made.append((*row, laid[amount]))
    return Space((*fields, "in_chips"), made)


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
    ends = rules.evaluation("session_end")
    mask = ends.resolved.permits.get("end", 0) & ~ends.open
    names = [field for field in ("event", "balance") if rules.tests("score", field)]
    if "event" in names and "event" not in ends.space.fields:
        names.remove("event")
    events = (
        {ends.space.column("event")[i] for i in range(len(ends.space)) if mask >> i & 1} if "event" in names else set()
    )
    happening = [event for event in FIELDS["event"].domain if event in events]
    domains = [happening if field == "event" else _domain(rules, "score", field) for field in names]
    return Space(names, product(*domains) if mask else [])

"""Chips: which amounts they add up to."""

from __future__ import annotations

from collections.abc import Iterable
from functools import lru_cache
from math import gcd

from oracle.game.rule_answers import RuleAnswers
from oracle.game.space import MAX_ROWS
from oracle.spans import OracleError


def known_chips(rules: RuleAnswers) -> list[int] | None:
    """The values of the chips; None if the rules don't say them."""
    chips = rules.value("chips")
    return [int(str(chip)) for chip in chips] if isinstance(chips, tuple) else None


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

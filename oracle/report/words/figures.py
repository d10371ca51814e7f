"""Exact numbers as people read them: percentages and decimals rounded in integers, fractions, and bars."""

from __future__ import annotations

from fractions import Fraction
from math import isqrt

_EIGHTHS = " ▏▎▍▌▋▊▉"


def decimal(value: Fraction, places: int = 4) -> str:
    """A number with so many decimals, half rounded to even: the same text on every machine."""
    scaled = round(value * 10**places)
    whole, rest = divmod(abs(scaled), 10**places)
    sign = "-" if scaled < 0 else ""
    return f"{sign}{whole:,}.{rest:0{places}d}" if places else f"{sign}{whole:,}"


def percent(value: Fraction, places: int = 4) -> str:
    """A share in per cent: `1.0579 %`."""
    return f"{decimal(value * 100, places)} %"


def root(value: Fraction, places: int = 12) -> Fraction:
    """The square root, cut after so many decimals."""
    return Fraction(isqrt(value.numerator * 10 ** (2 * places) // value.denominator), 10**places)


def bar(share: Fraction, width: int) -> str:
    """A bar of `width` characters for a share of one, to an eighth of a character."""
    eighths = round(share * width * 8)
    return ("█" * (eighths // 8) + _EIGHTHS[eighths % 8]).rstrip()

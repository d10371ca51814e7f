"""Guards: the states that a statement, a resolution or a claim is about."""

from __future__ import annotations

import msgspec

from oracle.rules.values import Values
from oracle.spans import Span


class Test(msgspec.Struct, frozen=True):
    """One line of a guard: a field and the values that it may have."""

    field: str
    values: Values
    text: str
    span: Span


Guard = tuple[Test, ...]
"""The states in which every test holds; all states if there is none."""

"""What is asked stands in a case, in the log, and wherever else it is written down: the same fields, all of them."""

from __future__ import annotations

from typing import get_type_hints

import msgspec
import pytest

from oracle.cases.case import Case
from oracle.conformance.judge import Outcome
from oracle.conformance.run.asked import AskedInFull
from oracle.conformance.run.log import Line

NOT_ASKED = {"expect", "tags", "why"}  # of a case: what is due, and words for people
WORKED_OUT = {"id", "cells"}  # from what is asked in full
COPIES: dict[str, tuple[type[msgspec.Struct], set[str], set[str]]] = {  # with fields of its own, and those it lacks
    "Line": (Line, {*Outcome.__struct_fields__}, set()),
    "AskedInFull": (AskedInFull, set(), WORKED_OUT),
}


def fields(struct: type[msgspec.Struct]) -> dict[str, tuple[object, object]]:
    """The type of each field, and what it is by default."""
    hints = get_type_hints(struct)
    return {field.name: (hints[field.name], field.default) for field in msgspec.structs.fields(struct)}


@pytest.mark.parametrize("name", COPIES)
def test_what_is_asked_has_the_same_fields_everywhere(name: str) -> None:
    copy, own, lacking = COPIES[name]
    case = fields(Case)
    found = {field: each for field, each in fields(copy).items() if field not in own}
    assert set(found) == set(case) - NOT_ASKED - lacking
    for field, (type_, default) in found.items():
        if field not in ("id", "kind"):  # these have to be said of a case
            assert (type_, default) == case[field], field

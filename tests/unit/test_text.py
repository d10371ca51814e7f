"""Text of others is harmless in a message, short, and held against the names that there are."""

from __future__ import annotations

import pytest

from oracle.text import did_you_mean, near_name, printable, quoted


@pytest.mark.parametrize(
    ("text", "shown"),
    [("8S Ás", "8S Ás"), ("a\nb", "a\\nb"), ("\x1b[31m", "\\x1b[31m"), ("\u202egnirts", "\\u202egnirts"), ("", "")],
)
def test_what_is_not_printable_is_escaped(text: str, shown: str) -> None:
    assert printable(text) == shown
    assert quoted(text) == f"`{shown}`"


def test_a_quoted_text_is_cut_before_it_is_escaped() -> None:
    assert quoted("x" * 100) == f"`{'x' * 40}`"
    assert quoted("\n" * 100, 2) == "`\\n\\n`"


def test_the_nearest_name_is_offered_or_all_of_them() -> None:
    names = ["banker", "player", "tie"]
    assert did_you_mean("Bankre ", names) == "did you mean `banker`?"
    assert did_you_mean("xyz", names) == "known: banker, player, tie"
    assert did_you_mean("xyz", []) == ""
    assert did_you_mean("xyz", map(str, range(50))).endswith(" and 10 more")
    assert near_name("1", map(str, range(2000))) == "", "comparing with so many would take minutes"

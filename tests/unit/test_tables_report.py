"""reports/tables.md says what the issue of each document says about shoe, money and session."""

from __future__ import annotations

from oracle.game.rules import Rules
from oracle.report.catalogue.tables_markdown import tables_markdown


def section(shipped: dict[str, Rules], name: str) -> str:
    text = tables_markdown([shipped[name]])
    return text[text.index(f"## {name}") :]


def test_one_deck_without_a_shuffle_is_good_for_eight_coups(shipped: dict[str, Rules]) -> None:
    """52 cards and six at most in a coup: eight are certain, and an order shows that the ninth is not."""
    text = section(shipped, "grid-pt")
    assert "Exactly 8 coups of a shoe are certain" in text
    order = next(line for line in text.splitlines() if "In this order" in line).rpartition(": ")[2].split()
    assert sorted(order) == sorted("A23456789TJQK" * 4)


def test_a_shoe_shuffled_at_fifteen_per_cent_never_runs_out(shipped: dict[str, Rules]) -> None:
    """15 % of 416 is 62.4: a coup starts with 63 cards at least."""
    text = section(shipped, "selminha/classica")
    assert "a coup starts with at least 63." in text
    assert "Every coup that begins can be finished" in text
    assert "95 of 100 stakes on banker win what chips can't pay; the least, 5, nets 4.75." in text


def test_the_home_session_ends_between_minus_200_and_1600(shipped: dict[str, Rules]) -> None:
    """Ten coups of -20, 0, +19, +20 or +160 each."""
    sums = {0}
    for _ in range(10):
        sums = {total + net for total in sums for net in (-20, 0, 19, 20, 160)}
    assert f"one of {len(sums)} totals, from {min(sums)} to {max(sums)}." in section(shipped, "home-pt")


def test_a_silent_document_says_so(shipped: dict[str, Rules]) -> None:
    assert "doesn't say how many cards" in section(shipped, "punto-es")

"""The tables of a run explain every mark that stands in them."""

from __future__ import annotations

import xml.etree.ElementTree as ET
from collections.abc import Callable

import pytest

from oracle.conformance.diagnose.diagnose import Seen
from oracle.report.run import run_html, run_markdown, run_text
from oracle.report.run.outline import ShownTableau
from oracle.report.words.run_words import ACTIONS, cell_words

BOTH = Seen("banker_draw 3/7", "draw", "", 1, 1)
STANDS = Seen("player_draw 4", "draw", "", 0, 1)
TABLEAU = ShownTableau(("7",), {"3": {"7": BOTH}}, (STANDS, Seen("player_draw 5", "draw", "", 1, 1)), ())


def page(tableau: ShownTableau) -> str:
    return "\n".join(ET.tostring(part, "unicode", "text") for part in run_html._tableau(tableau))


@pytest.mark.parametrize(
    "lines",
    [
        lambda tableau: "\n".join(run_text._tableau(tableau)),
        lambda tableau: "\n".join(run_markdown._tableau(tableau)),
        page,
    ],
    ids=["text", "markdown", "page"],
)
def test_a_cell_answered_both_ways_is_in_the_legend(lines: Callable[[ShownTableau], str]) -> None:
    text = lines(TABLEAU)
    assert {cell_words(BOTH), cell_words(STANDS)} == {ACTIONS["both"], ACTIONS["stand"]} == {"D/S", "S"}
    legends = [line for line in text.splitlines() if "draws" in line]
    assert legends
    for legend in legends:
        assert all(f"{mark} {word}" in legend.replace("[", "").replace("]", "") for mark, word in WORDS), legend


WORDS = (("D", "draws"), ("S", "stands"), ("D/S", "both"))

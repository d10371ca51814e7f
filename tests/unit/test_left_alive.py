"""What random coups leave alive, and what the report says of it."""

from __future__ import annotations

from collections import Counter
from itertools import islice

import pytest

from oracle.cases.experiments.left_alive import COUNTS, FULL, SHOE, LeftAlive, from_a_shoe, from_full_decks, left_alive
from oracle.cases.reference import reference_of
from oracle.game.coup import play
from oracle.game.rules import Rules
from oracle.mutants.single import Mutant
from oracle.programs.cells import banker_cell
from oracle.report.catalogue.fixtures_markdown import Located, fixtures_markdown
from tests.nonempty import nonempty


def test_a_shoe_is_dealt_to_its_end_before_a_card_comes_again(shipped: dict[str, Rules]) -> None:
    dealt = from_a_shoe(reference_of(shipped["home-pt"]))
    gone: Counter[object] = Counter()
    for cards, stakes in nonempty(islice(dealt, 50)):
        coup = play(shipped["home-pt"], cards)
        gone.update((*coup.player.cards, *coup.banker.cards))
        assert sorted(stakes) in (["banker"], ["player"], ["tie"])
    assert sum(gone.values()) > 200
    assert max(gone.values()) <= 8
    for cards, _ in nonempty(islice(from_full_decks(reference_of(shipped["home-pt"])), 50)):
        assert len(cards) == 6


@pytest.mark.slow
def test_cells_that_no_coup_comes_to_stay_alive(shipped: dict[str, Rules]) -> None:
    """By the rules' own engine: a flip is shown by no coup that doesn't come to its cell."""
    rules = shipped["home-pt"]
    reference = reference_of(rules)
    found = left_alive(reference)
    for way, dealt in ((SHOE, from_a_shoe(reference)), (FULL, from_full_decks(reference))):
        come: set[str] = set()
        for cards, _ in islice(dealt, COUNTS[0]):
            end = play(rules, cards).end
            if max(end[0], end[1]) < 8:  # type: ignore[type-var, operator]
                come.add(banker_cell(end[1], end[2]))
        flips = {m.id for m in reference.mutants if m.family == "flip" and m.cells[0].startswith("banker_draw")}
        alive = {mutant.id for mutant in found.by_random[way, COUNTS[0]]} & flips
        assert alive == flips - {f"flip {cell}" for cell in come}, "cards show every draw"
        counts = [len(found.by_random[way, count]) for count in COUNTS]
        assert counts == sorted(counts, reverse=True)
    assert found.seen < found.mutants == len(reference.mutants)


def test_the_report_names_what_is_left(shipped: dict[str, Rules]) -> None:
    flip = next(m for m in reference_of(shipped["home-pt"]).mutants if m.id == "flip banker_draw 3/8")
    none: tuple[Mutant, ...] = ()
    by_random = {(way, count): none for way in (SHOE, FULL) for count in COUNTS} | {(SHOE, 1_000): (flip,)}
    entry = LeftAlive("mine", 30, 20, 9, 40, none, by_random)
    text = fixtures_markdown([entry], [Located("mine", (1, 4, 9))])
    assert f"| alive after 1,000 random coups, {SHOE} | 1 |" in text
    assert "| flip | 1 / 0 |" in text
    assert "- flip: `flip banker_draw 3/8`" in text
    assert "| mine | 3 | 4 | 9 | 9 |" in text

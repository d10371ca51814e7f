"""What the checks find in the shipped sources, and that their tableaux, written down apart, are one."""

from __future__ import annotations

from pathlib import Path

import pytest

from oracle.checks.finding import Finding
from oracle.checks.run import check_spec, exit_code
from oracle.game.rules import Rules
from oracle.rules.questions import COUP_QUESTIONS
from oracle.rules.read import read_spec_text
from tests.conftest import mostly_slow
from tests.nonempty import nonempty
from tests.unit.findings import errors, report, verdict


@pytest.fixture(scope="module")
def grid_text(root: Path) -> str:
    return (root / "specs" / "grid-pt.yaml").read_text(encoding="utf-8")


@pytest.fixture(scope="module")
def home_text(root: Path) -> str:
    return (root / "specs" / "home-pt.yaml").read_text(encoding="utf-8")


def found_in(text: str, code: str, question: str) -> list[Finding]:
    return [f for f in report(text).findings if f.code == code and f.question == question]


def test_grid_pt_has_two_paragraphs_about_naturals_that_contradict_each_other(grid_text: str) -> None:
    (found,) = found_in(grid_text, "conflict", "natural")
    assert (found.cells, found.states, found.region) == (4, 4, "natural: both")
    assert found.witness is not None
    assert found.witness.text == "P 8 K | B 8 Q"
    lines = {line.partition(".")[0] for part in found.parts for line in part.lines.split(", ")}
    assert lines == {"29", "33"}
    assert (found.status, found.resolution) == ("resolved", "naturals-stop")


def test_without_its_resolution_that_contradiction_is_an_error(grid_text: str) -> None:
    start = grid_text.index("  - id: naturals-stop\n")
    text = grid_text[:start] + grid_text[grid_text.index("  - id: ", start + 1) :]
    (found,) = found_in(text, "conflict", "natural")
    assert found.status == "open"
    assert verdict(report(text), "natural").verdict == "refuted"
    assert (verdict(report(text), "natural").cells, exit_code([report(text)])) == (96, 1)


def test_grid_pts_line_55_is_contradictory_in_itself(grid_text: str) -> None:
    dead = [f for f in report(grid_text).findings if f.code == "dead"]
    itself = [f for f in dead if "contradicts itself" in f.message]
    assert itself
    assert {part.lines.partition(".")[0] for f in itself for part in f.parts} == {"55"}
    assert {part.lines for f in dead if f not in itself for part in f.parts} == {"44", "53"}
    (row,) = (f for f in dead if f.parts[0].lines == "44")
    assert row.given == ("naturals-stop",), "8 and 9 of the player's table are reached if both naturals continue"
    assert {f.status for f in dead} == {"accepted"}


def test_grid_pt_shows_totals_by_two_examples_only(grid_text: str) -> None:
    (found,) = found_in(grid_text, "gap", "hand_total")
    assert (found.region, found.cells) == ("sum: [0-8, 10-12, 14-27]", 26), "all sums of up to three cards but 9 and 13"
    assert (found.status, found.resolution) == ("resolved", "last-digit")


@pytest.mark.parametrize("id", ["grid-pt", "punto-es", "selminha/classica", "selminha/sem-comissao"])
def test_three_of_the_four_documents_never_say_that_a_stake_is_lost(shipped: dict[str, Rules], id: str) -> None:
    rules = shipped[id]
    checked = check_spec(rules.spec)
    losing = [f for f in checked.findings if (f.code, f.question, f.rules) == ("gap", "outcome", id)]
    losing = [f for f in losing if f.resolution == "losing-bets-lose"]
    evaluation = rules.evaluation("outcome")
    lost = sum(evaluation.space.count(m) for a, m in evaluation.resolved.permits.items() if a == "lose")
    assert sum(f.states for f in losing) == lost > 0


def test_home_pts_coup_has_no_open_place(home_text: str) -> None:
    checked = report(home_text)
    codes = {f.code for f in checked.findings if f.question in COUP_QUESTIONS[:7]}
    assert not codes & {"gap", "conflict", "ambiguous", "undecided", "dead", "vacuous"}
    assert {v.verdict for v in checked.verdicts if v.question in COUP_QUESTIONS[:7]} == {"verified"}
    coup = verdict(checked, "banker_draw")
    assert (coup.cells, coup.of_cells, coup.states, coup.otherwise) == (88, 88, 496, 19)


def test_deleting_home_pts_row_6_changes_no_verdict_but_two_cells_fall_to_otherwise(home_text: str) -> None:
    row = next(line for line in home_text.splitlines(keepends=True) if '{cite: "24"' in line)
    before, after = report(home_text), report(home_text.replace(row, ""))
    assert [v.verdict for v in after.verdicts] == [v.verdict for v in before.verdicts]
    codes = [[f.code for f in errors(r) if f.code != "unaccounted"] for r in (before, after)]
    assert codes[0] == codes[1], "only the line that nothing cites any more is missed"
    assert verdict(before, "banker_draw").otherwise == 19
    assert verdict(after, "banker_draw").otherwise == 21


@pytest.mark.parametrize("id", ["selminha/classica", "selminha/sem-comissao"])
def test_selminhas_rows_leave_nineteen_cells_without_a_standing(shipped: dict[str, Rules], id: str) -> None:
    found = [f for f in check_spec(shipped[id].spec).findings if (f.question, f.rules) == ("banker_draw", id)]
    gaps = [f for f in found if f.code == "gap"]
    assert sum(f.cells for f in gaps) == 19
    assert {f.witness.state["banker2"] for f in gaps if f.witness} == {3, 4, 5, 6}


def test_punto_es_has_two_winners_for_eight_against_nine(shipped: dict[str, Rules]) -> None:
    found = [f for f in check_spec(shipped["punto-es"].spec).findings if (f.code, f.question) == ("conflict", "winner")]
    assert {f.witness.text for f in found if f.witness} == {"P 8 K | B 9 Q", "P 9 K | B 8 Q"}


@pytest.mark.parametrize("id", ["grid-pt", "home-pt", "punto-es", "selminha"])
def test_every_shipped_source_is_closed_question_by_question(root: Path, id: str) -> None:
    checked = report((root / "specs" / f"{id}.yaml").read_text(encoding="utf-8"))
    assert [f for f in errors(checked) if f.status == "open" and f.question in COUP_QUESTIONS] == []
    for v in nonempty(checked.verdicts):
        if v.question in COUP_QUESTIONS:
            assert v.verdict in ("verified", "resolved")
            assert v.cells == v.of_cells > 0


# --- two tableaux from two texts --------------------------------------------------------------------


def tableau(rules: Rules) -> dict[tuple[object, object], set[object]]:
    """The banker's cells: total and third card to what the rules permit there."""
    evaluation = rules.evaluation("banker_draw")
    cells: dict[tuple[object, object], set[object]] = {}
    columns = (evaluation.space.column(field) for field in ("banker2", "player_third"))
    for i, cell in enumerate(zip(*columns, strict=True)):
        cells.setdefault(cell, set()).update(evaluation.answer(i) or ("open",))
    return cells


def difference(one: Rules, other: Rules) -> list[tuple[object, object]]:
    """The cells in which two tableaux differ."""
    left, right = tableau(one), tableau(other)
    return sorted((cell for cell in {*left, *right} if left.get(cell) != right.get(cell)), key=str)


@pytest.mark.parametrize("id", ["grid-pt", "punto-es", "selminha/classica", "selminha/sem-comissao"])
def test_all_documents_have_one_tableau(shipped: dict[str, Rules], id: str) -> None:
    assert difference(shipped[id], shipped["home-pt"]) == []
    assert len(tableau(shipped[id])) == 88


@pytest.mark.parametrize("total", mostly_slow(range(8), 0, 3, 6))
def test_flipping_any_cell_of_the_grid_is_found_and_named(
    shipped: dict[str, Rules], grid_text: str, total: int
) -> None:
    row = next(line for line in grid_text.splitlines() if line.strip().startswith(f'{total}: "'))
    letters = row.split('"')[1].split()
    assert len(letters) == 10
    for third, letter in enumerate(letters):
        flipped = [*letters[:third], {"S": "D", "D": "S"}[letter], *letters[third + 1 :]]
        text = grid_text.replace(row, f'{row.split(chr(34))[0]}"{" ".join(flipped)}"')
        assert text != grid_text
        spec = read_spec_text(text)
        assert difference(Rules(spec, spec.rule_sets[0]), shipped["home-pt"]) == [(total, third)]

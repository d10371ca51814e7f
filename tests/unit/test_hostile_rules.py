"""Rules that an author gets wrong in company: readings, resolutions and sources that only matter together."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path

import pytest

from oracle.checks.engines import check_all
from oracle.checks.run import check_spec
from oracle.cli import run
from oracle.game.rules import Rules
from oracle.rules.library import Library
from oracle.rules.model import Spec
from oracle.rules.read import read_spec_text
from oracle.spans import OracleError, SpecError

HOME = (Path(__file__).resolve().parents[2] / "specs" / "home-pt.yaml").read_text(encoding="utf-8")
BORROW = """\
source: {id: probe, title: Probe, language: en, lines: 9}
extends:
  source: home-pt
  questions: [card_points, hand_total, deal_order, natural, player_draw, winner, outcome, pays,
              bets_offered, bets_together]
statements:
"""

Find = Callable[[str], Spec]


@pytest.fixture
def probe(tmp_path: Path) -> Find:
    """A spec that borrows the coup of home-pt, all but the banker's draw."""

    def read(statements: str) -> Spec:
        path = tmp_path / "probe.yaml"
        path.write_text(BORROW + statements, encoding="utf-8")
        return Library([tmp_path]).load(path)

    return read


def findings(spec: Spec, code: str) -> list[tuple[str, str, str]]:
    return [(f.question, f.status, f.region) for f in check_spec(spec).findings if f.code == code]


TWO_FREE = "".join(
    f"  - id: {name}\n    cite: '1'\n    says: x\n    readings:\n"
    "      one: {about: banker_draw, then: draw}\n"
    "      two: {about: banker_draw, then: draw | stand}\n"
    for name in ("first", "second")
)


def test_readings_that_matter_only_together_are_ambiguous(probe: Find) -> None:
    """Either statement alone never changes what the other leaves: both read freely leave a choice."""
    spec = probe(TWO_FREE)
    assert [question for question, status, _ in findings(spec, "ambiguous") if status == "open"] == ["banker_draw"] * 2
    result = check_all([spec], solvers="z3")
    assert not result.disagreements
    assert result.exit == 1


def test_too_many_readings_to_combine_are_ambiguous_wherever_they_speak(probe: Find) -> None:
    many = "".join(TWO_FREE.replace("first", f"a{n}").replace("second", f"b{n}") for n in range(6))
    spec = probe(many)
    assert len(findings(spec, "ambiguous")) == 12
    assert not check_all([spec], solvers="z3").disagreements


STAND = "  - {id: stands, cite: '1', says: x, about: banker_draw, when: {banker2: 6-7}, then: stand}\n"
DRAW = "  - {id: draws, cite: '2', says: x, about: banker_draw, when: {banker2: 0-6}, then: draw}\n"


def test_resolutions_that_answer_otherwise_are_found(probe: Find) -> None:
    spec = probe(
        STAND
        + DRAW
        + "resolutions:\n"
        + "  - {id: one, about: banker_draw, when: {banker2: 6}, then: draw, instead_of: [stands], because: x}\n"
        + "  - {id: two, about: banker_draw, when: {banker2: 6}, then: stand, instead_of: [draws], because: x}\n"
    )
    assert findings(spec, "overriding-resolution") == [("banker_draw", "open", "banker2: 6")]
    fills = probe(
        "  - {id: six, cite: '1', says: x, about: banker_draw, when: {banker2: 6}, then: draw}\n"
        "resolutions:\n"
        "  - {id: low, about: banker_draw, when: {banker2: 0-5}, then: draw, because: x}\n"
        "  - {id: high, about: banker_draw, when: {banker2: [5, 7]}, then: stand, because: x}\n"
    )
    assert findings(fills, "overriding-resolution") == [("banker_draw", "open", "banker2: 5")]


def test_a_gap_that_another_reading_opens_is_open_until_somebody_chooses(probe: Find) -> None:
    text = DRAW + (
        "  - id: seven\n    cite: '1'\n    says: x\n    readings:\n"
        "      said: {about: banker_draw, when: {banker2: 7}, then: stand}\n"
        "      unsaid: {about: burn, then: 1}\n"
    )
    gaps = findings(probe(text), "gap")
    assert [status for question, status, _ in gaps if question == "banker_draw"] == ["open"]


def test_a_statement_yields_only_to_the_reading_that_is_chosen(probe: Find) -> None:
    spec = probe(
        "  - {id: rest, cite: '1', says: x, about: banker_draw, then: draw, yields_to: [high]}\n"
        "  - id: high\n    cite: '2'\n    says: x\n    readings:\n"
        "      seven: {about: banker_draw, when: {banker2: 7}, then: stand}\n"
        "      six: {about: banker_draw, when: {banker2: 6-7}, then: stand}\n"
        "resolutions:\n  - {id: r, choose: high, reading: seven, because: x}\n"
    )
    assert not [entry for entry in findings(spec, "gap") if entry[0] == "banker_draw" and entry[1] == "open"]
    rules = Rules(spec, spec.rule_sets[0])
    evaluation = rules.evaluation("banker_draw")
    six = evaluation.space.masks("banker2")[6]
    assert six & ~evaluation.resolved.permits["draw"] == 0
    assert not check_all([spec], solvers="z3").disagreements


def test_two_files_of_one_source_dont_mix(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    other = tmp_path / "other.yaml"
    other.write_text(HOME.replace("then: 95%", "then: 90%"), encoding="utf-8")
    specs = [Library().spec("home-pt"), Library().load(other)]
    with pytest.raises(OracleError, match="are both source `home-pt`"):
        check_all(specs, solvers="none")
    assert run(["check", str(other), "home-pt"]) == 2
    assert "check them one at a time" in capsys.readouterr().err


def test_a_deal_that_gives_a_hand_three_cards_is_found(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = tmp_path / "deal.yaml"
    path.write_text(
        BORROW.replace("deal_order, ", "").replace("probe", "deal").replace("player_draw,", "player_draw, banker_draw,")
        + "  - {id: all-player, cite: '1', says: x, about: deal_order, then: player}\n",
        encoding="utf-8",
    )
    assert run(["check", str(path), "--solvers", "none"]) == 1
    assert "the player gets 4," in capsys.readouterr().out
    assert run(["play", "--specs", str(tmp_path), "--rules", "deal", "A", "2", "3", "4"]) == 3


def test_a_winner_left_open_makes_nothing_after_it_dead() -> None:
    text = HOME.replace("      - {when: {higher: player}, then: player}\n", "")
    assert text != HOME
    spec = read_spec_text(text)
    assert [f.subject for f in check_spec(spec).findings if f.code == "dead"] == []


def test_lists_are_sets_whatever_their_order(probe: Find) -> None:
    spec = probe(
        STAND
        + "  - {id: rest, cite: '2', says: x, about: banker_draw, when: {banker2: 0-5}, then: draw}\n"
        + "  - {id: some, cite: '3', says: x, about: chips, then: [25, 5]}\n"
        + "  - {id: same, cite: '4', says: x, about: chips, then: [5, 25]}\n"
    )
    assert findings(spec, "conflict") == []
    assert Rules(spec, spec.rule_sets[0]).value("chips") == (5, 25)


@pytest.mark.parametrize("escape", ["\\e[31m", "\\e]0;x\\a", "\\u202E", "\\x7f", "\\u200b", "\\0"])
def test_no_text_of_a_spec_can_command_a_terminal(escape: str) -> None:
    with pytest.raises(SpecError, match="control-character"):
        read_spec_text(f'source: {{id: x, title: "T{escape}", language: en, lines: 9}}\nstatements: []\n')


def test_json_has_fractions_as_text(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = tmp_path / "probe.yaml"
    path.write_text(
        BORROW
        + STAND
        + "  - {id: rest, cite: '2', says: x, about: banker_draw, when: {banker2: 0-5}, then: draw}\n"
        + "  - {id: out, cite: '3', says: x, about: session_end, when: {balance: '> 4'}, then: continue}\n"
        + "  - {id: on, cite: '3', says: x, about: session_end, when: {balance: '<= 4'}, then: end}\n"
        + "  - {id: score, cite: '3', says: x, about: score, when: {balance: 4}, then: balance}\n",
        encoding="utf-8",
    )
    run(["check", str(path), "--solvers", "none", "--format", "json"])
    found = json.loads(capsys.readouterr().out)
    assert any(entry["question"] == "score" for entry in found["verdicts"])

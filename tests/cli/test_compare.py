"""`compare`: what it prints, in which shape, and when it fails."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from oracle.cli import run
from oracle.report.words.layout import WIDTH

RULE_SETS = ("grid-pt", "home-pt", "punto-es", "selminha/classica", "selminha/sem-comissao")


def answer(capsys: pytest.CaptureFixture[str], *args: str, solvers: str = "none") -> tuple[int, str, str]:
    code = run(["compare", *args, "--solvers", solvers])
    out, err = capsys.readouterr()
    return code, out, err


def test_json_has_the_contradiction_with_its_coup_and_both_nets(capsys: pytest.CaptureFixture[str]) -> None:
    code, out, _ = answer(capsys, "home-pt", "punto-es", "--format", "json")
    found = json.loads(out)
    assert (code, found["format"], found["a"], found["b"]) == (0, 1, "home-pt", "punto-es")
    questions = {entry["question"]: entry for entry in found["questions"]}
    pays = questions["pays"]
    assert pays["relation"] == "contradiction"
    assert pays["witness"]["bets"] == {"tie": "20"}
    assert (pays["witness"]["a"]["net"], pays["witness"]["b"]["net"]) == ({"tie": "160"}, {"tie": "180"})
    assert len(pays["witness"]["cards"]) == 4
    (region,) = pays["regions"]
    for side, lines in (("a", {"29.1", "34"}), ("b", {"3.5"})):
        statements = region[side]["statements"]
        assert {entry["document_lines"] for entry in statements} == lines
        assert all(entry["file"].startswith("specs/") and entry["line"] > 1 for entry in statements)
    for question in ("decks", "deal_order", "reshuffle"):
        assert questions[question]["relation"] == "omission"
        assert questions[question]["silent"] == ["punto-es"]
    assert questions["banker_draw"]["resolved"]["relation"] == "same"
    assert questions["banker_draw"]["resolved"]["same"] == 496


def test_engines_confirm_a_comparison(capsys: pytest.CaptureFixture[str]) -> None:
    code, out, _ = answer(capsys, "home-pt", "grid-pt", "--format", "json", solvers="auto")
    found = json.loads(out)
    assert code == 0
    assert found["engines"][0] == "enumeration"
    assert found["engines"][1].startswith("z3 ")
    assert found["properties"]["checked"] == found["properties"]["agreed"] > 0
    tableau = next(entry for entry in found["questions"] if entry["question"] == "banker_draw")
    assert "banker-table/25" in tableau["carried_a"]["spare"]


def test_what_carries_an_equality_is_shown_when_asked_for(capsys: pytest.CaptureFixture[str]) -> None:
    _, out, _ = answer(capsys, "home-pt", "grid-pt")
    assert "could be missing" not in out
    _, out, _ = answer(capsys, "home-pt", "grid-pt", "--all")
    assert "banker-table/25 could be missing" in " ".join(out.split())


@pytest.mark.slow
def test_all_pairs_come_with_a_matrix(capsys: pytest.CaptureFixture[str]) -> None:
    code, out, err = answer(capsys)
    assert (code, err) == (0, "")
    for rule_set in RULE_SETS:
        assert rule_set in out
    lines = {line.split("  ")[1].strip(): line.split() for line in out.splitlines() if line.startswith("  ")}
    assert lines["decks"] == ["decks", "1", "8", "-", "8", "8"]
    assert lines["pays"] == ["pays", "A", "A", "B", "A", "C"]
    assert lines["banker draw"] == ["banker", "draw", "A", "A", "A*", "A*", "A*"]
    assert "10 pairs" in out


@pytest.mark.slow
def test_all_pairs_as_json(capsys: pytest.CaptureFixture[str]) -> None:
    code, out, _ = answer(capsys, "--format", "json")
    found = json.loads(out)
    assert (code, found["format"], len(found["pairs"])) == (0, 1, 10)


@pytest.mark.parametrize("args", [(), ("home-pt", "punto-es"), ("selminha/classica", "selminha/sem-comissao")])
@pytest.mark.slow
def test_nothing_is_wider_than_a_terminal(args: tuple[str, ...], capsys: pytest.CaptureFixture[str]) -> None:
    _, out, _ = answer(capsys, *args)
    assert [line for line in out.splitlines() if len(line) > WIDTH] == []


@pytest.mark.parametrize(
    ("pair", "fail_on", "code"),
    [
        (("home-pt", "punto-es"), "contradiction", 1),
        (("home-pt", "punto-es"), "vacuous", 0),
        (("home-pt", "punto-es"), "vacuous, open", 1),
        (("home-pt", "punto-es"), "disputed", 1),
        (("selminha/classica", "selminha/sem-comissao"), "disputed,refuted", 0),
        (("selminha/classica", "selminha/sem-comissao"), "contradiction", 1),
        ((), "contradiction", 1),
        ((), "vacuous", 0),
    ],
)
@pytest.mark.slow
def test_fail_on_makes_a_relation_count(
    pair: tuple[str, ...], fail_on: str, code: int, capsys: pytest.CaptureFixture[str]
) -> None:
    assert answer(capsys, *pair, "--fail-on", fail_on)[0] == code


@pytest.mark.parametrize(
    ("args", "message"),
    [
        (("home-pt",), "name two rule sets, or none"),
        (("home-pt", "punto-es", "grid-pt"), "name two rule sets, or none"),
        (("home-pt", "home-pt"), "compared with itself"),
        (("home-pt", "punto"), "did you mean"),
        (("home-pt", "selminha"), "several rule sets"),
        (("home-pt", "punto-es", "--fail-on", "contradictions"), "did you mean `contradiction`"),
        (("home-pt", "punto-es", "--fail-on", "same"), "no relation `same`"),
        (("home-pt", "nowhere.yaml"), "nowhere.yaml"),
    ],
)
def test_bad_use_is_told(args: tuple[str, ...], message: str, capsys: pytest.CaptureFixture[str]) -> None:
    code, out, err = answer(capsys, *args)
    assert code == 2
    assert message in err
    assert out == ""


def test_a_file_is_compared_with_a_shipped_rule_set(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    own = tmp_path / "house.yaml"
    own.write_text(
        """\
source: {id: house, title: House, language: en, lines: 1}
extends: {source: home-pt, questions: [card_points, hand_total, deal_order, natural, player_draw, banker_draw, winner]}
statements:
  - {id: decks, cite: "1", says: six decks, about: decks, then: 6}
""",
        encoding="utf-8",
    )
    code, out, _ = answer(capsys, str(own), "home-pt", "--fail-on", "contradiction")
    assert code == 1
    assert "house and home-pt" in out
    assert "decks: every state" in out


def test_what_can_not_be_compared_ends_in_three(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    bets = ", ".join(f"b{n}" for n in range(17))
    own = tmp_path / "many.yaml"
    own.write_text(
        f"""\
source: {{id: many, title: Many bets, language: en, lines: 1}}
statements:
  - {{id: bets, cite: "1", says: many bets, about: bets_offered, then: [{bets}]}}
""",
        encoding="utf-8",
    )
    code, out, _ = answer(capsys, str(own), "home-pt")
    assert code == 3
    assert "at most 16 bets are enumerated" in " ".join(out.split())

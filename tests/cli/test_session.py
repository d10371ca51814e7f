"""`session`: scripts replayed to a score sheet, and every wrong step told with its line."""

from __future__ import annotations

import io
import json
from collections.abc import Callable
from pathlib import Path

import pytest

from oracle.cli import run

Write = Callable[..., str]

HOME = [
    "participants ana rui eva",
    "",
    "coup 4H 2S 9C AD 8D; ana banker=20; rui tie=20; eva player=20   # the worked example",
    "coup 9H 9S KC KD; ana player=20; rui tie=20; eva tie=20",
    *["coup 9H 2S KC AD; ana banker=20; rui player=20; eva player=20"] * 8,
]


@pytest.fixture
def script(tmp_path: Path) -> Write:
    def write(*lines: str) -> str:
        path = tmp_path / "evening.txt"
        path.write_text("\n".join(lines), encoding="utf-8")
        return str(path)

    return write


def refused(capsys: pytest.CaptureFixture[str], path: str, rules: str = "home-pt", code: int = 2) -> str:
    assert run(["session", path, "--rules", rules]) == code
    out, err = capsys.readouterr()
    assert out == ""
    assert "Traceback" not in err
    return err


def test_a_whole_home_session_as_a_sheet(capsys: pytest.CaptureFixture[str], script: Write) -> None:
    """By hand: ana +19, 0, then eight times -20; rui -20, +160, 8 x 20; eva -20, +160, 8 x 20."""
    assert run(["session", script(*HOME), "--rules", "home-pt"]) == 0
    out = capsys.readouterr().out
    rows = [line.split() for line in out.splitlines()]
    assert rows[0] == ["home-pt,", "10", "coups"]
    assert ["coup", "result", "ana", "rui", "eva"] in rows
    assert ["1", "banker", "1:3", "+19", "-20", "-20"] in rows
    assert ["2", "tie", "9:9", "0", "+160", "+160"] in rows
    assert ["10", "player", "9:3", "-20", "+20", "+20"] in rows
    assert ["balance", "-141", "300", "300"] in rows
    assert "eva: 300, shares the win" in out
    assert "rui: 300, shares the win" in out
    assert "ana: -141\n" in out
    assert max(len(line) for line in out.splitlines()) <= 80


def test_the_same_as_json_in_exact_text(capsys: pytest.CaptureFixture[str], script: Write) -> None:
    assert run(["session", script(*HOME), "--rules", "home-pt", "--format", "json"]) == 0
    payload = json.loads(capsys.readouterr().out)
    assert (payload["format"], payload["rules"], payload["ended"]) == (1, "home-pt", True)
    assert len(payload["coups"]) == 10
    assert payload["coups"][0]["nets"] == {"ana": "19", "rui": "-20", "eva": "-20"}
    assert payload["coups"][0]["player"] == ["4H", "9C", "8D"]
    assert payload["ranking"] == [
        {"name": "eva", "score": "300", "result": "share"},
        {"name": "rui", "score": "300", "result": "share"},
        {"name": "ana", "score": "-141", "result": ""},
    ]


def test_an_evening_at_selminha_ends_with_a_score(capsys: pytest.CaptureFixture[str], script: Write) -> None:
    """500, less 100 on the tie, plus 4.75: the banker's five per cent leaves quarters."""
    steps = ["participants eva", "coup 9H 2S KC AD; eva tie=100", "coup 4H 2S 9C AD 8D; eva banker=5", "leave eva"]
    assert run(["session", script(*steps), "--rules", "selminha/classica"]) == 0
    assert "eva: 404.75\n" in capsys.readouterr().out
    assert run(["session", script(*steps[:-1]), "--rules", "selminha/classica"]) == 0
    assert "not ended for eva\n" in capsys.readouterr().out


def test_the_script_may_come_from_standard_input(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    class Standard:
        buffer = io.BytesIO("\n".join(HOME).encode())

    monkeypatch.setattr("sys.stdin", Standard())
    assert run(["session", "-", "--rules", "home-pt"]) == 0
    assert "rui: 300, shares the win" in capsys.readouterr().out


FREE = """\
source: {id: house, title: Free on five, language: en, lines: 1}
extends: {source: backed-five, questions: [card_points, hand_total, deal_order, natural, player_draw, banker_draw,
  winner, outcome, pays]}
statements: [{id: start, cite: "1", says: with a hundred, about: start_balance, then: 100}]
"""


def test_free_choices_stand_in_the_script(
    capsys: pytest.CaptureFixture[str], script: Write, root: Path, tmp_path: Path
) -> None:
    """Five against two: standing, the player loses to 2 + 4; drawing the four itself, it wins."""
    (tmp_path / "house.yaml").write_text(FREE, encoding="utf-8")
    specs = ["--specs", str(root / "tests" / "variants"), "--specs", str(tmp_path)]
    for choice, balance in (("player=stand", "90"), ("player=draw", "110")):
        path = script("participants ana", f"coup 5H 2S KC KD 4D AC; ana player=10; choose {choice}")
        assert run(["session", path, "--rules", "house", *specs]) == 0
        assert ["balance", balance] in [line.split() for line in capsys.readouterr().out.splitlines()]
    path = script("participants ana", "coup 5H 2S KC KD 4D AC; ana player=10")
    assert run(["session", path, "--rules", "house", *specs]) == 2
    assert ":2: error[session]: the player may draw or stand" in capsys.readouterr().err


@pytest.mark.parametrize(
    ("steps", "message"),
    [
        (["participants ana"], "1: error[session]: 1 participant is refused\n  line 9.1 (session): "),
        (["participants ana rui", "coup 9 2 K A; ana tie=20"], "2: error[session]: rui: 0 predictions are refused"),
        (
            ["participants ana rui", "", "coup 9 2 K A; ana tie=15; rui tie=20"],
            "3: error[session]: ana: 15 on tie is refused\n  line 9.2 (one-prediction): ",
        ),
        (
            ["participants ana rui", "coup 9 2 K A; ana tie=-20; rui tie=20"],
            "2: error[session]: ana: `-20` is no stake",
        ),
        (
            ["participants ana rui", "coup 9 2 K; ana tie=20; rui tie=20"],
            "2: error[session]: the fourth card is missing",
        ),
        (["participants ana rui", "coup 9 2 K X; ana tie=20; rui tie=20"], "`X` is not a card"),
        (["participants ana rui", "coup 9 2 K A; bob tie=20"], "2: error[session]: nobody here is called `bob`"),
        (["participants ana rui", "coup 9 2 K A; ana tie"], "2: error[session]: `tie` is no bet"),
        (["participants ana rui", "coup 9 2 K A; ana tie=20; ana tie=20"], "2: error[session]: ana bets twice"),
        (["participants ana rui", "coup 9 2 K A; ana tie=20 tie=20"], "2: error[session]: tie stands twice"),
        (["participants ana rui", "leave"], "2: error[session]: nobody is named: say who leaves, as in leave ana"),
        (["participants ana rui", "coup 9 2 K A; ana tie=20;"], "2: error[session]: nothing after `;`"),
        (["participants ana r;i"], "1: error[session]: nobody can be called `r;i` here"),
        (["participants ana=rui, eva"], "1: error[session]: nobody can be called `ana=rui` here"),
        (["participants ana choose"], "1: error[session]: nobody can be called `choose` here"),
        (["participants ana rui", "leave ana"], "2: error[session]: home-pt doesn't let anybody leave"),
        (["participants ana rui", "participants eva"], "2: error[session]: participants are named once"),
        (["coup 9 2 K A; ana tie=20"], "1: error[session]: name the participants first"),
        (["participant ana rui"], "1: error[session]: unknown step `participant`: did you mean `participants`?"),
        (["\x1b[31m"], "unknown step `\\x1b[31m`"),
        ([""], "1: error[session]: no `participants`"),
        (["# nothing"], "1: error[session]: no `participants`"),
    ],
)
def test_a_wrong_step_is_told_with_its_line(
    capsys: pytest.CaptureFixture[str], script: Write, steps: list[str], message: str
) -> None:
    assert message in refused(capsys, script(*steps))


def test_after_the_end_nobody_bets(capsys: pytest.CaptureFixture[str], script: Write) -> None:
    steps = ["participants eva", "coup 9 2 K A; eva banker=500", "coup 9 2 K A; eva tie=5"]
    err = refused(capsys, script(*steps), "selminha/classica")
    assert ":3: error[session]: the session has ended: nobody can bet any more" in err


def test_what_cant_be_read(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    assert "nowhere.txt: can't be read: No such file" in refused(capsys, str(tmp_path / "nowhere.txt"))
    assert "can't be read: Is a directory" in refused(capsys, str(tmp_path))
    path = tmp_path / "latin.txt"
    path.write_bytes("participants ana josé".encode("latin-1"))
    assert "byte 20 is not UTF-8" in refused(capsys, str(path))
    path.write_bytes(b"#" * 5_000_001)
    assert "larger than 5,000,000 bytes" in refused(capsys, str(path))


def test_an_undecided_coup_ends_in_3(capsys: pytest.CaptureFixture[str], script: Write, tmp_path: Path) -> None:
    """A table that settles nothing about ties: exit 3, and the question by name."""
    spec = """\
source: {id: gappy, title: No ties, language: en, lines: 2}
extends: {source: home-pt, questions: [card_points, hand_total, deal_order, natural, player_draw, banker_draw]}
statements:
  - {id: higher, cite: "1", says: x, about: winner, when: {higher: player}, then: player}
  - {id: start, cite: "2", says: x, about: start_balance, then: 0}
"""
    (tmp_path / "gappy.yaml").write_text(spec, encoding="utf-8")
    path = script("participants ana", "coup 9H 9S KC KD")
    assert run(["session", path, "--rules", "gappy", "--specs", str(tmp_path)]) == 3
    assert "error[undecided]" in capsys.readouterr().err


def test_whoever_ends_without_a_score_is_told_why(capsys: pytest.CaptureFixture[str], script: Write) -> None:
    """68 ends the night below five; a resolution reads that only leaving makes a score."""
    steps = ["participants eva ana", "coup 9 2 K A; eva banker=500; ana player=5", "leave ana"]
    assert run(["session", script(*steps), "--rules", "selminha/classica"]) == 0
    out = capsys.readouterr().out
    told = " ".join(out[out.index("  eva: out") :].split())
    assert told.startswith("eva: out: session end, line 68 (below-minimum): ")
    assert told.endswith("; no score, read as no-score-below-minimum")
    assert "ana: 505\n" in out
    assert max(len(line) for line in out.splitlines()) <= 80
    assert run(["session", script(*steps), "--rules", "selminha/classica", "--format", "json"]) == 0
    eva, ana = json.loads(capsys.readouterr().out)["participants"]
    assert [(entry["question"], entry["answer"], entry["resolution"]) for entry in eva["because"]] == [
        ("session_end", "end", ""),
        ("score", "none", "no-score-below-minimum"),
    ]
    assert [fired["line"] for entry in ana["because"] for fired in entry["fired"]] == ["67.1", "67.2"]


def test_cards_that_a_coup_leaves_are_noted(capsys: pytest.CaptureFixture[str], script: Write) -> None:
    path = script("participants eva", "coup 9 2 K A; eva tie=5", "coup 9 2 K A 5C 6D; eva tie=5")
    assert run(["session", path, "--rules", "selminha/classica"]) == 0
    assert capsys.readouterr().err == "note: coup 2 leaves cards unused: 5C 6D\n"
    assert run(["session", path, "--rules", "selminha/classica", "--format", "json"]) == 0
    assert [coup["unused"] for coup in json.loads(capsys.readouterr().out)["coups"]] == [[], ["5C", "6D"]]


def test_the_words_of_a_step_may_stand_apart_with_any_white_space(
    capsys: pytest.CaptureFixture[str], script: Write
) -> None:
    path = script("participants\teva", "coup\t9 2 K A;\teva  \ttie=5", "leave\teva")
    assert run(["session", path, "--rules", "selminha/classica"]) == 0
    assert "eva: 495\n" in capsys.readouterr().out


def test_the_result_has_a_legend_and_the_help_its_limit(capsys: pytest.CaptureFixture[str], script: Write) -> None:
    assert run(["session", script("participants eva"), "--rules", "selminha/classica"]) == 0
    assert "result:" not in capsys.readouterr().out
    assert run(["session", script("participants eva", "coup 9 2 K A"), "--rules", "selminha/classica"]) == 0
    assert "  result: who wins, and the totals player:banker" in capsys.readouterr().out
    assert run(["session", "--help"]) == 0
    assert "Cards are not counted across coups" in " ".join(capsys.readouterr().out.split())

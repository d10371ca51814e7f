"""`play`: text and JSON, and nonsense that ends in one message and exit code 2."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from oracle.cli import run

WORKED = ("play", "--rules", "home-pt", "4H", "2S", "9C", "AD", "8D", "--bet", "banker=20")
DRAWN = ("play", "--rules", "home-pt", "4H", "2S", "9C", "AD", "7D", "5C", "--bet", "banker=20")


def played(capsys: pytest.CaptureFixture[str], *args: str) -> dict[str, Any]:
    assert run([*args, "--format", "json"]) == 0
    out, err = capsys.readouterr()
    assert err == ""
    payload: dict[str, Any] = json.loads(out)
    return payload


def refused(capsys: pytest.CaptureFixture[str], *args: str, code: int = 2) -> str:
    """The message of a call that has to fail, on stderr alone and without a traceback."""
    assert run(list(args)) == code
    out, err = capsys.readouterr()
    assert out == ""
    assert "Traceback" not in err
    assert "mistake in baccarat-oracle" not in err
    return err


def test_the_worked_example_as_json(capsys: pytest.CaptureFixture[str]) -> None:
    payload = played(capsys, *WORKED)
    trace, bets = payload.pop("trace"), payload.pop("bets")
    assert payload == {
        "format": 1,
        "rules": "home-pt",
        "player": {"cards": ["4H", "9C", "8D"], "total": 1},
        "banker": {"cards": ["2S", "AD"], "total": 3},
        "winner": "banker",
        "natural": "none",
        "pairs": {"player": False, "banker": False},
        "cards_used": 5,
        "unused": [],
    }
    (stands,) = (decision for decision in trace if decision["question"] == "banker_draw")
    assert (stands["answer"], stands["line"]) == ("stand", "26.1")
    assert stands["state"].items() >= {"banker2": 3, "player_third": 8}.items()
    assert [row["line"] for row in stands["not_applied"]] == ["21"]
    assert list(bets) == ["banker"]
    assert {key: bets["banker"][key] for key in ("stake", "outcome", "net")} == {
        "stake": "20",
        "outcome": "win",
        "net": "19",
    }
    assert [decision["question"] for decision in bets["banker"]["trace"]] == ["outcome", "pays", "commission"]


def test_every_decision_has_the_keys_that_the_format_promises(capsys: pytest.CaptureFixture[str]) -> None:
    payload = played(capsys, *WORKED)
    for decision in (*payload["trace"], *payload["bets"]["banker"]["trace"]):
        assert {"question", "state", "answer", "statement", "line", "not_applied"} <= decision.keys()


def test_with_a_seven_the_banker_draws(capsys: pytest.CaptureFixture[str]) -> None:
    payload = played(capsys, *DRAWN)
    assert payload["banker"] == {"cards": ["2S", "AD", "5C"], "total": 8}
    (draws,) = (decision for decision in payload["trace"] if decision["question"] == "banker_draw")
    assert (draws["answer"], draws["line"], draws["not_applied"]) == ("draw", "21", [])


def test_money_is_exact_text(capsys: pytest.CaptureFixture[str]) -> None:
    args = ("play", "--rules", "selminha/sem-comissao", "2H", "6S", "2D", "KD", "AC", "--bet", "banker=5")
    assert played(capsys, *args)["bets"]["banker"]["net"] == "2.5"
    args = ("play", "--rules", "punto-es", *WORKED[3:-1], "banker=0.15")
    assert played(capsys, *args)["bets"]["banker"]["net"] == "0.1425"


def test_pairs_unused_cards_and_naturals_are_told(capsys: pytest.CaptureFixture[str]) -> None:
    payload = played(capsys, "play", "--rules", "selminha/classica", "KS", "9H", "KD", "QC", "2C", "2D")
    assert payload["pairs"] == {"player": True, "banker": False}
    assert (payload["natural"], payload["unused"], payload["cards_used"]) == ("banker", ["2C", "2D"], 4)


def test_text_tells_hands_winner_lines_and_nets(capsys: pytest.CaptureFixture[str]) -> None:
    assert run(list(WORKED)) == 0
    out = capsys.readouterr().out
    assert "player  4H 9C 8D  1\nbanker  2S AD     3\nbanker wins\n" in out
    assert "line 26.1" in out
    assert "line 21 does not apply: banker2: 3, player_third: not 8" in out
    assert "banker 20: wins, net +19" in out


@pytest.mark.parametrize("id", ["grid-pt", "home-pt", "punto-es", "selminha/classica", "selminha/sem-comissao"])
@pytest.mark.parametrize(
    "cards", ["4H 2S 9C AD 8D KC", "4H 2S 9C AD 7D 5C", "8H 9S KC KD", "7H 7S KC KD", "9H 9S KC KD"]
)
def test_nothing_is_wider_than_eighty_columns(capsys: pytest.CaptureFixture[str], id: str, cards: str) -> None:
    for bet in ("player", "banker", "tie"):
        assert run(["play", "--rules", id, *cards.split(), f"--bet={bet}=20"]) == 0
    assert max(len(line) for line in capsys.readouterr().out.splitlines()) <= 80


@pytest.mark.parametrize(
    ("cards", "message"),
    [
        (["11", "2", "3", "4"], "`11` is not a card"),
        (["1", "2", "3", "4"], "`1` is not a card"),
        (["8X", "2", "3", "4"], "`8X` is not a card"),
        (["--", "-5", "2", "3", "4"], "`-5` is not a card"),
        (["8é", "2", "3", "4"], "`8é` is not a card"),
        (["\x1b[31m8", "2"], "`\\x1b[31m8` is not a card"),
        (["A" * 5000], "is not a card"),
        ([""], "the first card is missing, the player's first"),
        ([], "the first card is missing, the player's first"),
        (["4", "2", "9", "A"], "the fifth card is missing, the player's third: the player draws"),
        (["8S"] * 9, "8S stands 9 times: 8 decks hold 8"),
    ],
)
def test_nonsense_cards(capsys: pytest.CaptureFixture[str], cards: list[str], message: str) -> None:
    err = refused(capsys, "play", "--rules", "home-pt", *cards)
    assert message in err
    assert len(err) < 300


@pytest.mark.parametrize(
    "stake", ["0", "-5", "1e5", "nan", "", "7/3", "inf", "1,5", "+3", "0x10", "1" * 40, "\x00", "٣"]
)
def test_nonsense_stakes(capsys: pytest.CaptureFixture[str], stake: str) -> None:
    err = refused(capsys, "play", "--rules", "home-pt", "4", "2", "9", "A", "8", "--bet", f"banker={stake}")
    assert "is no stake: write a number above 0, as in player=20" in err


@pytest.mark.parametrize(
    ("bet", "message"),
    [
        ("bankr=20", "home-pt has no bet `bankr`: did you mean `banker`?"),
        ("player_pair=20", "home-pt has no bet `player_pair`"),
        ("banker", "`banker` is no bet: write it as banker=20"),
        ("=20", "home-pt has no bet ``"),
        ("", "`` is no bet"),
    ],
)
def test_nonsense_bets(capsys: pytest.CaptureFixture[str], bet: str, message: str) -> None:
    assert message in refused(capsys, "play", "--rules", "home-pt", "4", "2", "9", "A", "8", "--bet", bet)


def test_a_bet_is_laid_once(capsys: pytest.CaptureFixture[str]) -> None:
    err = refused(capsys, "play", "--rules", "home-pt", "4", "2", "9", "A", "8", "--bet=tie=1", "--bet=tie=2")
    assert "tie is bet twice" in err


@pytest.mark.parametrize(
    ("id", "message"),
    [
        ("home-p", "no rule set `home-p`: did you mean `home-pt`?"),
        ("selminha", "`selminha` has several rule sets: say selminha/classica or selminha/sem-comissao"),
        ("selminha/clasica", "no rule set `selminha/clasica`: did you mean `selminha/classica`?"),
        ("../x", "no rule set `../x`: known: grid-pt, home-pt"),
        ("../specs/home-pt", "no rule set `../specs/home-pt`"),
        ("/etc/passwd", "no rule set `/etc/passwd`: known: grid-pt, home-pt"),
        ("home-pt.yaml", "no rule set `home-pt.yaml`: did you mean `home-pt`?"),
        ("", "no rule set ``: known: grid-pt"),
        (".", "no rule set `.`"),
        ("..", "no rule set `..`"),
        ("\x00", "no rule set `\\x00`"),
        ("x" * 10_000, "no rule set `xxx"),
    ],
)
def test_unknown_rule_sets_and_path_tricks(capsys: pytest.CaptureFixture[str], id: str, message: str) -> None:
    err = refused(capsys, "play", "--rules", id, "4", "2", "9", "A", "8")
    assert message in err
    assert len(err) < 300


def test_an_undecided_state_ends_in_3_and_names_it(capsys: pytest.CaptureFixture[str]) -> None:
    err = refused(capsys, "play", "--rules", "grid-pt", "--literal", "4", "2", "9", "A", "8", code=3)
    assert err == "error[undecided]: hand_total is undecided for sum 3: no statement speaks\n"


def test_choices(capsys: pytest.CaptureFixture[str]) -> None:
    args = ("play", "--rules", "home-pt", "4", "2", "9", "A", "8")
    assert "can't stand here: the rules say draw" in refused(capsys, *args, "--choose", "player=stand")
    assert "is no choice: write player=draw" in refused(capsys, *args, "--choose", "dealer=draw")
    assert "`player` is no choice: write it as player=draw" in refused(capsys, *args, "--choose", "player")
    twice = refused(capsys, *args, "--choose", "player=draw", "--choose", "player=stand")
    assert "the player's choice is given twice" in twice


def test_a_free_choice_of_ones_own_rules(capsys: pytest.CaptureFixture[str], tmp_path: Path, plain_text: Any) -> None:
    player = """\
  - id: player
    cite: "5"
    says: with five the player is free
    about: player_draw
    cases:
      - {when: {player2: 0-4}, then: draw}
      - {when: {player2: 5}, then: draw | stand}
      - {when: {player2: 6-7}, then: stand}
"""
    text = plain_text({"player": player}, tail="choosers: {player_draw: player}\n")
    (tmp_path / "plain.yaml").write_text(text, encoding="utf-8")
    args = ("play", "--specs", str(tmp_path), "--rules", "plain", "2", "2", "3", "A", "8", "8")
    assert "say --choose player=draw or --choose player=stand" in refused(capsys, *args)
    assert run([*args, "--choose", "player=stand"]) == 0
    assert "chosen by the player" in capsys.readouterr().out


def test_ones_own_spec_replaces_a_shipped_one_with_a_note(
    capsys: pytest.CaptureFixture[str], tmp_path: Path, plain_text: Any
) -> None:
    text = plain_text().replace("id: plain", "id: home-pt")
    (tmp_path / "home-pt.yaml").write_text(text, encoding="utf-8")
    assert run(["play", "--specs", str(tmp_path), "--rules", "home-pt", "4", "2", "9", "A", "8"]) == 0
    out, err = capsys.readouterr()
    assert err.startswith("note: home-pt: ")
    assert "replaces specs/home-pt.yaml" in err
    assert "line 17" in out

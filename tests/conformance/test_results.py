"""Answers from a file are compared as those of a program are."""

from __future__ import annotations

import csv
import io
import json
import os
from collections.abc import Callable
from pathlib import Path
from typing import Any

import msgspec
import pytest

from oracle.cases.case import Case
from oracle.cases.tiers import DEFAULT, cases
from oracle.cli import run as run_cli
from oracle.conformance.run.results import COLUMNS, ResultsFile, _row
from oracle.game.rules import Rules
from oracle.spans import OracleError

Ask = Callable[..., tuple[int, Any]]


@pytest.fixture(scope="session")
def home(shipped: dict[str, Rules]) -> list[Case]:
    """Every case of the tiers that `test` asks by default."""
    return [case for tier in DEFAULT for case in cases(shipped["home-pt"], tier)]


def as_json(case: Case) -> dict[str, Any]:
    """The right answer to a case, as a line of results."""
    said = {"id": case.id, **msgspec.to_builtins(case.expect)}
    return said | {"error": "no card"} if said.pop("refused", False) else said


def as_csv(home: list[Case]) -> str:
    """The right answers as CSV."""
    nets = sorted({bet for case in home for bet in case.expect.net or {}})
    text = io.StringIO()
    writer = csv.DictWriter(text, [*COLUMNS, *(f"net_{bet}" for bet in nets)], lineterminator="\r\n")
    writer.writeheader()
    for case in home:
        expect = case.expect
        row: dict[str, Any] = {"id": case.id, "winner": expect.winner, "natural": expect.natural, "legal": expect.legal}
        for side, hand in (("player", expect.player), ("banker", expect.banker)):
            if hand is not None and hand.cards is not None and expect.pairs is not None:
                row |= {f"{side}_total": hand.total, f"{side}_cards": " ".join(hand.cards)}
                row[f"{side}_pair"] = str(getattr(expect.pairs, side)).lower()
        row |= {f"net_{bet}": net for bet, net in (expect.net or {}).items()}
        row |= {"reshuffle": expect.reshuffle, "balances": " ".join(expect.balances or ()), "ended": expect.ended}
        row |= {"rank": expect.rank, "suit": expect.suit, "error": "no card" if expect.refused else ""}
        writer.writerow(row)
    return text.getvalue()


@pytest.fixture
def ask(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> Ask:
    """Runs `test --results` on a text; the exit code and what it printed as JSON."""

    def go(text: str | bytes, *options: str, name: str = "mine.jsonl") -> tuple[int, Any]:
        path = tmp_path / name
        path.write_bytes(text.encode() if isinstance(text, str) else text)
        code = run_cli(["test", "--rules", "home-pt", "--results", str(path), "--format", "json", *options])
        out, err = capsys.readouterr()
        return code, json.loads(out) if out else err

    return go


def jsonl(home: list[Case]) -> str:
    return "".join(json.dumps(as_json(case)) + "\n" for case in home)


def test_right_answers_agree_in_both_formats(ask: Ask, home: list[Case]) -> None:
    for text, name in ((jsonl(home), "mine.jsonl"), ("\ufeff" + as_csv(home), "mine.csv")):
        code, payload = ask(text, name=name)
        assert (code, payload["verdict"], payload["checked"]) == (0, "agrees", len(home))
        assert [(entry["what"], entry["name"]) for entry in payload["not_confirmed"]] == [("cases", "fresh ones")]


def test_the_order_of_rows_does_not_matter(ask: Ask, home: list[Case]) -> None:
    assert ask(jsonl(home[::-1]))[0] == 0


def test_a_wrong_answer_differs(ask: Ask, home: list[Case]) -> None:
    wrong = as_csv(home).replace(",banker,", ",tie,", 1)
    code, payload = ask(wrong, name="mine.csv")
    assert (code, payload["counts"]["fail"]) == (1, 1)
    assert payload["faults"][0]["reproduce"].endswith("mine.csv")


def test_a_case_without_a_row_is_skipped(ask: Ask, home: list[Case]) -> None:
    code, payload = ask(jsonl(home[1:]))
    assert (code, payload["counts"]["skipped"]) == (3, 1)
    assert payload["unanswered"][0]["example"]["id"] == home[0].id


def test_who_exported_a_tier_and_names_none_is_told_so(ask: Ask, shipped: dict[str, Rules]) -> None:
    coups = list(cases(shipped["home-pt"], "minimal-winner"))
    lines = "".join(json.dumps({"id": case.id, "winner": case.expect.winner}) + "\n" for case in coups)
    code, payload = ask(lines)
    assert code == 3
    told = "rows for cases that were not asked: 123; if a tier was exported, name it by --tier here, too"
    assert payload["events"] == [{"what": "rows", "why": told, "stderr": ""}]


def test_what_a_file_reports_is_named_in_the_order_of_the_protocol(ask: Ask, home: list[Case]) -> None:
    answer = {"natural": "none", "banker": {"total": 1}, "player": {"total": 1}, "winner": "tie"}
    _, payload = ask(json.dumps({"id": home[0].id, **answer}) + "\n")
    assert payload["observables"] == ["winner", "totals", "natural"]


def test_rows_for_other_cases_are_mentioned(ask: Ask, home: list[Case]) -> None:
    code, payload = ask(jsonl(home) + '{"id":"coup-other","winner":"tie"}\n')
    assert code == 0
    assert payload["events"] == [{"what": "rows", "why": "rows for cases that were not asked: 1", "stderr": ""}]


@pytest.mark.slow
def test_winners_alone_leave_the_rest_unconfirmed(ask: Ask, home: list[Case]) -> None:
    text = "id,winner\n" + "".join(f"{case.id},{case.expect.winner}\n" for case in home if case.kind == "coup")
    code, payload = ask(text, name="mine.csv")
    assert code == 0
    open_ones = payload["not_confirmed"]
    assert [entry["name"] for entry in open_ones if entry["what"] != "mistake"] == [
        "fresh ones", "bets", "shoe", "session", "cards", "totals", "cards", "natural", "pairs", "net",
    ]  # fmt: skip
    hidden = {entry["name"] for entry in open_ones if entry["what"] == "mistake"}
    assert {"tie-loses-sides", "pairs-by-value", "drawn-natural"} <= hidden
    assert "row-3-tests-total" not in hidden


@pytest.mark.parametrize("text", ["", "\n", "id,winner\n"])
def test_an_empty_file_never_conforms(ask: Ask, text: str) -> None:
    if text == "\n":
        assert ask(text)[0] == 2
    else:
        assert ask(text)[0] == 3


@pytest.mark.parametrize(
    ("text", "told"),
    [
        ("winner\ntie\n", "its first line names no column id"),
        ("id,winer\nx,tie\n", "no column `winer`: did you mean `winner`?"),
        ("id,winner,winner\nx,tie,tie\n", "column winner stands twice"),
        ("id,winner\nx,tie,1\n", ":2: 3 fields for 2 columns"),
        ("id,winner\n,tie\n", ":2: a row without an id"),
        ("id,winner\nx,tie\nx,tie\n", ":3: x has a row already"),
        ("id,player_total\nx,nine\n", ":2: player_total is no whole number: `nine`"),
        ("id,player_pair\nx,perhaps\n", ":2: player_pair is neither true nor false: `perhaps`"),
        ('id,winner\nx,"tie\n', ": no CSV: "),
        ('{"id":"x"}\n{"id":\n', ":2: no JSON: "),
        ('{"id":"x"}\n[1]\n', ":2: no JSON object"),
        ('{"winner":"tie"}\n', ":1: a row without an id"),
        ('{"id":"x\\u001b"}\n{"id":"x\\u001b"}\n', ":2: x\\x1b has a row already"),
        (b"id,winner\nx,\xff\n", "is not UTF-8"),
    ],
)
def test_a_file_that_can_not_be_read_is_bad_input(ask: Ask, text: str | bytes, told: str) -> None:
    code, err = ask(text)
    assert code == 2
    assert told in err
    assert err.startswith("error: ")


def test_a_file_that_is_not_there_is_bad_input(tmp_path: Path) -> None:
    with pytest.raises(OracleError, match="can't read"):
        ResultsFile(tmp_path / "none.csv")


def test_a_pipe_is_bad_input(tmp_path: Path) -> None:
    """It can be read but once, and has no end that could be known."""
    pipe = tmp_path / "pipe"
    os.mkfifo(pipe)
    with pytest.raises(OracleError, match="is no regular file"):
        ResultsFile(pipe)


@pytest.mark.parametrize("number", ["19.00000000000000000001", "0.1e1", "-0.0"])
def test_a_number_is_kept_as_it_is_written(tmp_path: Path, number: str) -> None:
    path = tmp_path / "answers"
    path.write_text(f'\ufeff  {{"id":"session-1","balances":[{number}],"ended":false}}\n')
    assert f"[{number}]".encode() in ResultsFile(path).rows["session-1"]


def test_a_row_of_csv_is_a_result() -> None:
    cells = {"id": "x", "player_total": "-1", "player_cards": "8S, 10H", "banker_pair": "No", "net_tie": "1/3"}
    assert _row(cells) == {
        "id": "x",
        "player": {"total": -1, "cards": ["8S", "10H"]},
        "pairs": {"banker": False},
        "net": {"tie": "1/3"},
    }

"""A Python function answers the protocol in a process of its own."""

from __future__ import annotations

import io
import json
from collections.abc import Callable
from decimal import Decimal
from fractions import Fraction
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest

from oracle.cli import run as run_cli
from oracle.conformance.adapters.python_function import answer, find, result_of
from oracle.programs.observables import reported
from oracle.spans import OracleError

HAND = SimpleNamespace(total=3, cards=(SimpleNamespace(),))


def test_what_a_function_returns_becomes_a_result() -> None:
    assert result_of("tie") == {"winner": "tie"}
    said = SimpleNamespace(
        winner="tie",
        player=SimpleNamespace(total=1, cards=[Fraction(1)]),
        banker={"total": 2},
        pairs={"player": True, "banker": False},
        net={"a": Decimal("2.50"), "b": Fraction(1, 3), "c": 0.1, "d": "5", "e": 7},
    )
    assert result_of(said) == {
        "winner": "tie",
        "player": {"total": 1, "cards": ["1"]},
        "banker": {"total": 2},
        "pairs": {"player": True, "banker": False},
        "net": {"a": "2.50", "b": "1/3", "c": 0.1, "d": "5", "e": "7"},
    }
    assert reported(result_of(said)) == ["winner", "pairs", "net", "totals", "cards"]


def talk(function: Callable[..., Any], *messages: dict[str, Any]) -> list[Any]:
    replies = io.BytesIO()
    answer(function, io.BytesIO("".join(json.dumps(m) + "\n" for m in messages).encode()), replies, name="m:f")
    return [json.loads(line) for line in replies.getvalue().splitlines()]


def test_a_function_that_raises_has_answered_with_an_error(capsys: pytest.CaptureFixture[str]) -> None:
    def broken(cards: list[str], bets: dict[str, str]) -> Any:
        if cards == ["AS"]:
            raise ValueError("too few")
        return {"winner": object()} if cards == ["2S"] else {"winner": "tie"}

    cases = [{"id": "1", "cards": ["AS"]}, {"id": "2", "cards": ["2S"]}, {"id": "3", "cards": ["3S"]}]
    started, said = talk(broken, {"cmd": "start", "protocol": 1}, {"cmd": "run", "seq": 4, "cases": cases})
    assert started["observables"] == ["winner"]
    assert said["seq"] == 4
    assert said["results"][0] == {"id": "1", "error": "ValueError: too few"}
    assert said["results"][1]["error"].startswith("TypeError: ")
    assert said["results"][2] == {"id": "3", "winner": "tie"}
    assert "ValueError: too few" in capsys.readouterr().err


def test_the_end_of_the_input_and_stop_end_it() -> None:
    assert talk(lambda *_: "tie", {"cmd": "stop"}, {"cmd": "start"}) == []


@pytest.mark.parametrize(
    ("name", "told"),
    [
        ("json", "names no function"),
        ("no_such_module:f", "there is no module no_such_module"),
        ("json:dumbs", "json has no `dumbs`"),
        ("json:__name__", "can't be called"),
    ],
)
def test_a_function_that_is_not_there_is_told(name: str, told: str) -> None:
    with pytest.raises(OracleError, match=told):
        find(name)


MINE = """
print("loaded")
def play(cards, bets):
    print("called", len(cards))
    return "player"
def late(cards, bets):
    raise RuntimeError("not yet")
"""


@pytest.fixture
def mine(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "mine.py").write_text(MINE)
    monkeypatch.chdir(tmp_path)


@pytest.mark.usefixtures("mine")
@pytest.mark.slow
def test_a_function_is_run_from_the_folder_and_may_print(capsys: pytest.CaptureFixture[str]) -> None:
    code = run_cli(["test", "--rules", "home-pt", "--tier", "totals", "--python", "mine:play", "--format", "json"])
    payload = json.loads(capsys.readouterr().out)
    assert (code, payload["verdict"]) == (1, "differs")
    assert payload["observables"] == ["winner"]
    assert "--python mine:play" in payload["faults"][0]["reproduce"]


@pytest.mark.usefixtures("mine")
@pytest.mark.parametrize(
    ("name", "told"), [("mine:late", "RuntimeError: not yet"), ("mine:none", "error: mine has no `none`")]
)
def test_a_function_that_does_not_start_is_incomplete(capsys: pytest.CaptureFixture[str], name: str, told: str) -> None:
    assert run_cli(["test", "--rules", "home-pt", "--python", name]) == 3
    assert told in capsys.readouterr().out

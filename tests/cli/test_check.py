"""`check`: verdicts and findings as text and JSON, and the four exit codes."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from oracle.cli import run
from oracle.rules.library import data_folder

MakeText = Callable[..., str]
PLAYER = "  - {id: low, cite: '6', says: x, about: player_draw, when: {player2: 0-5}, then: draw}\n"


@pytest.fixture
def plain(tmp_path: Path, plain_text: MakeText, monkeypatch: pytest.MonkeyPatch) -> Callable[..., str]:
    """Writes the plain game, changed, into an empty current folder; the name of the file."""
    monkeypatch.chdir(tmp_path)

    def write(*args: Any, **parts: Any) -> str:
        (tmp_path / "plain.yaml").write_text(plain_text(*args, **parts), encoding="utf-8")
        return "plain.yaml"

    return write


def checked(capsys: pytest.CaptureFixture[str], *args: str, code: int = 0) -> dict[str, Any]:
    assert run(["check", *args, "--solvers", "none", "--format", "json"]) == code
    payload: dict[str, Any] = json.loads(capsys.readouterr().out)
    assert payload["exit"] == code
    return payload


def test_the_shipped_sources_hold(capsys: pytest.CaptureFixture[str]) -> None:
    payload = checked(capsys)
    assert payload["format"] == 2
    assert payload["engines"] == ["enumeration"]
    assert [f for f in payload["findings"] if f["level"] == "error" and f["status"] == "open"] == []
    rules = {verdict["rules"] for verdict in payload["verdicts"]}
    assert rules == {"grid-pt", "home-pt", "punto-es", "selminha/classica", "selminha/sem-comissao"}


def test_a_verdict_counts_cells_and_states(capsys: pytest.CaptureFixture[str]) -> None:
    payload = checked(capsys, "home-pt")
    (verdict,) = (v for v in payload["verdicts"] if v["question"] == "banker_draw")
    expected = {"rules": "home-pt", "verdict": "verified", "cells": 88, "of_cells": 88, "states": 496, "otherwise": 19}
    assert verdict.items() >= expected.items()


def test_a_finding_has_place_statements_region_counts_and_witness(capsys: pytest.CaptureFixture[str]) -> None:
    payload = checked(capsys, "grid-pt")
    (found,) = (f for f in payload["findings"] if (f["code"], f["question"]) == ("conflict", "natural"))
    assert found["file"].endswith("grid-pt.yaml")
    assert (found["level"], found["status"], found["rules"]) == ("error", "resolved", "grid-pt")
    assert (found["region"], found["cells"], found["states"]) == ("natural: both", 4, 4)
    assert found["witness"]["cards"] == ["8", "8", "K", "Q"]
    assert found["witness"]["text"] == "P 8 K | B 8 Q"
    assert found["resolution"] == "naturals-stop"
    last = max(found["statements"], key=lambda s: int(s["line"]))
    assert (found["line"], found["column"]) == (last["line"], last["column"])
    assert {s["document_lines"] for s in found["statements"]} >= {"29.2"}


def test_an_open_error_ends_in_1(capsys: pytest.CaptureFixture[str], plain: Callable[..., str]) -> None:
    payload = checked(capsys, plain({"player": PLAYER}), code=1)
    (found,) = (f for f in payload["findings"] if f["level"] == "error")
    assert (found["code"], found["status"], found["file"]) == ("gap", "open", "plain.yaml")
    assert run(["check", "plain.yaml", "--solvers", "none"]) == 1
    out = capsys.readouterr().out
    assert f"plain.yaml:{found['line']}:{found['column']}: error[gap]: nothing says " in out
    assert "6 of 8 cells (64 states)" in out


def test_nothing_open_ends_in_0(capsys: pytest.CaptureFixture[str], plain: Callable[..., str]) -> None:
    assert checked(capsys, plain())["findings"] != [], "notes are in JSON always"


def test_an_engine_that_disagrees_ends_in_3(
    capsys: pytest.CaptureFixture[str], plain: Callable[..., str], monkeypatch: pytest.MonkeyPatch
) -> None:
    from oracle.checks import engines
    from oracle.checks.run import exit_code

    original = engines.check_all

    def disagreeing(*args: Any, **options: Any) -> engines.CheckResult:
        result = original(*args, **options)
        told = ("plain player_draw, gap: enumeration unsat, z3 9.9 sat",)
        return engines.CheckResult(
            engines=(*result.engines, "z3 9.9"),
            reports=result.reports,
            properties=9,
            agreed=8,
            disagreements=told,
            exit=exit_code(result.reports, incomplete=True),
        )

    monkeypatch.setattr(engines, "check_all", disagreeing)
    assert checked(capsys, plain(), code=3)["disagreements"] == [
        "plain player_draw, gap: enumeration unsat, z3 9.9 sat"
    ]
    assert run(["check", "plain.yaml", "--solvers", "none"]) == 3
    out = capsys.readouterr().out
    assert "they agree on 8 of 9 properties" in out
    assert "the engines disagree\n  plain player_draw, gap: enumeration unsat, z3 9.9 sat" in out


@pytest.mark.parametrize(
    ("args", "message"),
    [
        (["hom-pt"], "no source `hom-pt`: did you mean `home-pt`?"),
        (["nosuch"], "no source `nosuch`: known: grid-pt, home-pt, punto-es, selminha"),
        (["./nosuch.yaml"], "nosuch.yaml:1:1: error[unreadable]: can't be read: No such file or directory"),
        (["/etc"], "/etc:1:1: error[unreadable]: not a regular file"),
        (["../../etc/passwd.yaml"], "error[unreadable]"),
        (["--solvers", "zz", "home-pt"], "no solver `zz`"),
        (["--solvers", "", "home-pt"], "no solver ``"),
        (["--format", "xml"], "'xml' is not one of 'text', 'json'"),
        (["--specs", "/nosuch"], "/nosuch:1:1: error[unreadable]: no folder of specs"),
    ],
)
def test_bad_input_ends_in_2(capsys: pytest.CaptureFixture[str], args: list[str], message: str) -> None:
    assert run(["check", *args]) == 2
    out, err = capsys.readouterr()
    assert out == ""
    assert message in err
    assert "Traceback" not in err


def test_a_spec_that_cant_be_read_is_told_with_its_line_and_a_caret(
    capsys: pytest.CaptureFixture[str], plain: Callable[..., str]
) -> None:
    name = plain({"player": PLAYER.replace("then: draw", "then: drw")})
    assert run(["check", name]) == 2
    err = capsys.readouterr().err
    assert "plain.yaml:" in err
    assert "error[bad-answer]: `drw` is no answer to player_draw" in err
    assert "^" in err


def test_notes_are_shown_when_asked_for(capsys: pytest.CaptureFixture[str], plain: Callable[..., str]) -> None:
    name = plain()
    assert run(["check", name, "--solvers", "none"]) == 0
    short = capsys.readouterr().out
    assert run(["check", name, "--solvers", "none", "--all"]) == 0
    full = capsys.readouterr().out
    assert "note[assumed]" not in short
    assert "note[assumed]: " in full


@pytest.mark.parametrize("args", [["--all", "--solvers", "none"], ["home-pt", "--solvers", "z3"]])
@pytest.mark.slow
def test_nothing_is_wider_than_eighty_columns(capsys: pytest.CaptureFixture[str], args: list[str]) -> None:
    assert run(["check", *args]) == 0
    lines = capsys.readouterr().out.splitlines()
    assert [line for line in lines if len(line) > 80] == []


def test_ids_and_files_may_be_mixed(capsys: pytest.CaptureFixture[str], plain: Callable[..., str]) -> None:
    payload = checked(capsys, plain(), "home-pt")
    assert {verdict["rules"] for verdict in payload["verdicts"]} == {"plain", "home-pt"}


def test_z3_agrees_with_enumeration_on_a_faulty_spec_too(
    capsys: pytest.CaptureFixture[str], plain: Callable[..., str]
) -> None:
    add = "  - {id: on, cite: '22', says: x, about: natural, when: {natural: both}, then: continue}\n"
    name = plain({"player": PLAYER}, add=add)
    assert run(["check", name, "--solvers", "z3", "--format", "json"]) == 1
    payload = json.loads(capsys.readouterr().out)
    assert [engine.partition(" ")[0] for engine in payload["engines"]] == ["enumeration", "z3"]
    assert payload["properties"]["checked"] == payload["properties"]["agreed"] > 0
    assert payload["disagreements"] == []


@pytest.mark.slow
def test_a_source_is_checked_once_however_it_is_named(capsys: pytest.CaptureFixture[str]) -> None:
    once = checked(capsys, "selminha")
    shipped = str(data_folder("specs") / "selminha.yaml")
    assert checked(capsys, "selminha", "selminha", shipped, "selminha/classica", "selminha/sem-comissao") == once


def test_a_rule_set_stands_for_its_source(capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["check", "selminha/classica", "--solvers", "none"]) == 0
    out, err = capsys.readouterr()
    assert "selminha/sem-comissao" in out
    assert err == "note: selminha/classica is checked with all rule sets of selminha\n"
    assert run(["check", "selmina/classica", "--solvers", "none"]) == 2
    assert "no rule set `selmina/classica`: did you mean `selminha/classica`?" in capsys.readouterr().err


def test_what_lies_there_is_a_file_before_it_is_a_rule_set(
    capsys: pytest.CaptureFixture[str], plain: Callable[..., str], tmp_path: Path
) -> None:
    (tmp_path / "selminha").mkdir()
    (tmp_path / plain()).rename(tmp_path / "selminha" / "classica")
    assert {verdict["rules"] for verdict in checked(capsys, "selminha/classica")["verdicts"]} == {"plain"}


@pytest.mark.parametrize(
    "name",
    [
        "../plain.yaml",
        *(
            pytest.param(n, marks=pytest.mark.slow)
            for n in (".hidden/plain.yaml", "@own/plain.yaml", "a|b\\c\né/p.yaml")
        ),
    ],
)
def test_every_engine_reads_a_spec_wherever_it_lies(
    capsys: pytest.CaptureFixture[str],
    plain: Callable[..., str],
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    name: str,
) -> None:
    (tmp_path / "here").mkdir()
    monkeypatch.chdir(tmp_path / "here")
    Path(name).parent.mkdir(exist_ok=True)
    (tmp_path / plain()).rename(name)
    assert run(["check", name]) == 0
    assert capsys.readouterr().err == ""
    assert not Path("disagreements").exists()


@pytest.mark.parametrize("names", ["none", " none ", "none,none"])
def test_no_solver_may_be_said_in_every_way(capsys: pytest.CaptureFixture[str], names: str) -> None:
    assert run(["check", "home-pt", "--solvers", names]) == 0


@pytest.mark.parametrize("names", ["z3,none", "none,z3", "auto,z3", "none,auto", "z3, none"])
def test_none_and_auto_go_alone(capsys: pytest.CaptureFixture[str], names: str) -> None:
    assert run(["check", "home-pt", "--solvers", names]) == 2
    assert "` goes alone: say " in capsys.readouterr().err

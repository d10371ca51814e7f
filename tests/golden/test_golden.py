"""The exact text of `check` and `play`. `REGENERATE_GOLDEN=1` writes the files anew; read the difference then."""

from __future__ import annotations

import difflib
import os
from pathlib import Path

import pytest

from oracle.cli import run

HERE = Path(__file__).resolve().parent
HOME = ("play", "--rules", "home-pt")

CASES = {
    "check-faulty": (("check", "faulty.yaml", "--solvers", "none"), 1),
    "check-faulty-all": (("check", "faulty.yaml", "--solvers", "none", "--all"), 1),
    "play-worked-example": ((*HOME, "4H", "2S", "9C", "AD", "8D", "--bet", "banker=20"), 0),
    "play-banker-draws": ((*HOME, "4H", "2S", "9C", "AD", "7D", "5C", "9S", "--bet", "player=20"), 0),
    "play-natural": (("play", "--rules", "grid-pt", "8H", "9S", "KC", "KD", "--bet", "banker=15"), 0),
    "play-tie": (("play", "--rules", "punto-es", "9H", "9S", "KC", "KD", "--bet", "tie=2.5"), 0),
    "play-pair": (("play", "--rules", "selminha/classica", "5H", "9S", "5C", "KD", "--bet", "player_pair=5"), 0),
    "odds": (("odds", "--rules", "selminha/classica"), 0),
    "odds-all": (("odds", "--rules", "grid-pt", "--after", "9S 9H TD", "--all"), 0),
    "odds-stakes": (("odds", "--rules", "both-sides", "--specs", "../variants", "--bet", "banker"), 0),
    "odds-choices": (("odds", "--rules", "chemin-de-fer", "--specs", "../variants"), 0),
    "odds-chosen": (
        (
            "odds",
            "--rules",
            "chemin-de-fer",
            "--specs",
            "../variants",
            "--choose",
            "player=stand",
            "--choose",
            "banker=draw",
        ),
        0,
    ),
    "odds-csv": (("odds", "--rules", "home-pt", "--shoe", "endless", "--format", "csv"), 0),
    "odds-no-shoe": (("odds", "--rules", "punto-es"), 2),
    "play-missing-card": ((*HOME, "4H", "2S", "9C", "AD", "7D"), 2),
    "play-undecided": (("play", "--rules", "grid-pt", "--literal", "4H", "2S", "9C", "AD", "8D"), 3),
}


@pytest.mark.parametrize("name", CASES)
def test_output_reads_as_it_did(name: str, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> None:
    args, code = CASES[name]
    monkeypatch.chdir(HERE)
    assert run(list(args)) == code
    out, err = capsys.readouterr()
    text = f"$ baccarat-oracle {' '.join(args)}\n{out}{err}"
    path = HERE / f"{name}.txt"
    if os.environ.get("REGENERATE_GOLDEN"):
        path.write_text(text, encoding="utf-8")
    expected = path.read_text(encoding="utf-8")
    if text != expected:
        lines = difflib.unified_diff(expected.splitlines(), text.splitlines(), path.name, "now", lineterm="")
        pytest.fail("\n".join([*lines, "REGENERATE_GOLDEN=1 writes it anew"]), pytrace=False)


def test_no_golden_file_is_left_over() -> None:
    assert {path.stem for path in HERE.glob("*.txt")} == set(CASES)

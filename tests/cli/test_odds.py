"""`odds` on the command line: what it takes, what it refuses, and what its outputs hold."""

from __future__ import annotations

import csv
import io
import json
import re
import subprocess
import sys
from fractions import Fraction
from pathlib import Path
from typing import Any

import pytest

from oracle.cli import run
from tests.nonempty import nonempty

ROOT = Path(__file__).resolve().parents[2]
VARIANTS = str(ROOT / "tests" / "variants")


def output(capsys: pytest.CaptureFixture[str], *args: str) -> str:
    assert run(["odds", *args]) == 0
    out, err = capsys.readouterr()
    assert err == ""
    return out


def data(capsys: pytest.CaptureFixture[str], *args: str) -> Any:
    return json.loads(output(capsys, *args, "--format", "json"))


def test_json_has_the_published_figures(capsys: pytest.CaptureFixture[str]) -> None:
    """Wizard of Odds, baccarat, appendix 1: eight decks."""
    found = data(capsys, "--rules", "home-pt")
    assert (found["format"], found["rules"], found["shoe"]["text"]) == (1, "home-pt", "8 decks")
    assert found["sequences"] == "4998398275503360"
    assert found["outcomes"] == {"player": "2230518282592256", "banker": "2292252566437888", "tie": "475627426473216"}
    banker = found["bets"]["banker"]
    assert banker["expectation"] == "-114753351728/10847218479825"
    assert f"{banker['edge'] * 100:.6f}" == "1.057906"
    assert Fraction(banker["return"]) == 1 + Fraction(banker["expectation"])
    assert Fraction(banker["hit"]) == Fraction(2292252566437888, 4998398275503360)
    assert [hit["outcome"] for hit in banker["pays"]] == ["win", "push", "lose"]
    assert sum(int(hit["sequences"]) for hit in banker["pays"]) == 4998398275503360
    assert "cells" not in found


def test_json_of_everything(capsys: pytest.CaptureFixture[str]) -> None:
    found = data(capsys, "--rules", "selminha/classica", "--all")
    assert len(found["cells"]["banker_draw"]) == 88
    assert sum(int(cell["sequences"]) for cell in found["cells"]["natural"]) == 4998398275503360
    assert set(found["removal"]["4"]) == {"player", "banker", "tie", "player_pair", "banker_pair"}
    assert Fraction(found["removal"]["4"]["banker"]) < 0 < Fraction(found["removal"]["4"]["player"])
    assert found["consecutive"]["largest"] == ["tie", "tie"]
    counts = found["consecutive"]["counts"]
    assert sum(int(n) for row in counts.values() for n in row.values()) == int(found["consecutive"]["sequences"])
    home = data(capsys, "--rules", "home-pt", "--all")
    assert home["consecutive"] == {"shuffled": True, "deviation": "0"}


def test_text_says_so_where_the_shoe_is_shuffled_after_each_coup(capsys: pytest.CaptureFixture[str]) -> None:
    assert "the coup before tells nothing" in output(capsys, "--rules", "home-pt", "--all")


def test_a_shoe_and_cards_that_are_gone(capsys: pytest.CaptureFixture[str]) -> None:
    one = data(capsys, "--rules", "home-pt", "--shoe", "8 decks, 9=30, T=31")
    two = data(capsys, "--rules", "home-pt", "--after", "9S 9", "--after", "10")
    assert one["outcomes"] == two["outcomes"]
    assert two["shoe"]["gone"] == ["9S", "9", "T"]
    assert two["shoe"]["ranks"]["9"] == 30
    assert one["shoe"]["cards"] == 413


def test_csv_is_a_row_for_each_payment(capsys: pytest.CaptureFixture[str]) -> None:
    rows = list(csv.DictReader(io.StringIO(output(capsys, "--rules", "home-pt", "--format", "csv"))))
    assert [(row["bet"], row["outcome"], row["net"]) for row in rows[:3]] == [
        ("player", "win", "1"), ("player", "push", "0"), ("player", "lose", "-1")
    ]  # fmt: skip
    assert sum(int(row["sequences"]) for row in rows if row["bet"] == "tie") == int(rows[0]["of"])


def test_only_the_bets_asked_for(capsys: pytest.CaptureFixture[str]) -> None:
    found = data(capsys, "--rules", "home-pt", "--bet", "tie", "--bet", "banker")
    assert list(found["bets"]) == ["tie", "banker"]


def test_stakes_that_favour_the_bettor_are_named(capsys: pytest.CaptureFixture[str]) -> None:
    args = ("--rules", "both-sides", "--specs", VARIANTS, "--bet", "banker")
    stakes = data(capsys, *args)["bets"]["banker"]["stakes"]
    assert (stakes["rounded"], stakes["least_favourable"], stakes["checked"]) == (True, 5, 100)
    text = " ".join(output(capsys, *args).split())
    assert f"{stakes['favourable']} of 100 legal stakes favour the bettor, the least 5" in text


def test_every_way_to_play_free_cells(capsys: pytest.CaptureFixture[str]) -> None:
    args = ("--rules", "chemin-de-fer", "--specs", VARIANTS)
    lines = data(capsys, *args)["lines"]
    assert len(lines) == 8
    best = [line["choices"] for line in lines if line["best"] == ["player", "banker"]]
    assert best == [{"player:5": "draw", "banker:3,9": "draw", "banker:5,4": "draw"}]
    rows = list(csv.reader(io.StringIO(output(capsys, *args, "--format", "csv"))))
    assert rows[0] == ["rules", "player:5", "banker:3,9", "banker:5,4", "player", "banker", "best"]
    chosen = data(capsys, *args, "--choose", "player=draw", "--choose", "banker=draw")
    assert chosen["choices"] == {"player:5": "draw", "banker:3,9": "draw", "banker:5,4": "draw"}
    assert chosen["outcomes"]["tie"] == "475627426473216"


@pytest.mark.parametrize(
    ("args", "message"),
    [
        (["--rules", "home-pt", "--shoe", "8 deks"], "`8 deks` is no shoe: write"),
        (["--rules", "home-pt", "--shoe", ""], "an empty shoe"),
        (["--rules", "home-pt", "--shoe", "A=5"], "a shoe of 5 cards"),
        (["--rules", "home-pt", "--shoe", "A=-1"], "`-1` cards of A"),
        (["--rules", "home-pt", "--shoe", "8 decks, A=33"], "A=33: 8 decks hold 32"),
        (["--rules", "home-pt", "--shoe", "1 deck", "--after", "A A A A A"], "one A too many"),
        (["--rules", "home-pt", "--after", "Q9"], "`Q9` is not a card"),
        (["--rules", "home-pt", "--shoe", "endless", "--after", "9"], "no card is ever gone"),
        (["--rules", "home-pt", "--bet", "tei"], "did you mean `tie`"),
        (["--rules", "nobody"], "nobody"),
        (["--rules", "punto-es"], 'give --shoe, as in --shoe "8 decks"'),
        (["--rules", "home-pt", "--choose", "player=draw"], "leaves nothing free at `player`"),
        (["--rules", "chemin-de-fer", "--specs", VARIANTS, "--choose", "player=draw"], "banker:3,9 free"),
        (["--rules", "pair-bets", "--specs", VARIANTS, "--shoe", "A=30"], "asks for suits"),
        (["--rules", "backed-five", "--specs", VARIANTS, "--choose", "player=draw"], "depends on the bets laid"),
    ],
)
def test_bad_input_is_told_and_ends_in_two(capsys: pytest.CaptureFixture[str], args: list[str], message: str) -> None:
    assert run(["odds", *args]) == 2
    out, err = capsys.readouterr()
    assert out == ""
    assert message in " ".join(err.split())
    assert "Traceback" not in err


def test_an_open_rule_set_ends_in_three(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    """Nothing undecided is read as standing."""
    text = (ROOT / "tests" / "variants" / "tie-nine.yaml").read_text(encoding="utf-8")
    text = text.replace("tie-nine", "open-table").replace("banker_draw, ", "")
    (tmp_path / "open-table.yaml").write_text(text, encoding="utf-8")
    assert run(["odds", "--rules", "open-table", "--specs", str(tmp_path)]) == 3
    out, err = capsys.readouterr()
    assert out == ""
    assert "error[undecided]: banker_draw is undecided" in err


@pytest.mark.parametrize("id", ["home-pt", "selminha/sem-comissao", "grid-pt"])
@pytest.mark.parametrize("extra", [[], ["--all"], ["--shoe", "A=30, 2=11, 7=12, 9=14, TH=3", "--all"]])
def test_text_fits_80_columns(capsys: pytest.CaptureFixture[str], id: str, extra: list[str]) -> None:
    for line in nonempty(output(capsys, "--rules", id, *extra).splitlines()):
        assert len(line) <= 80, line


@pytest.mark.parametrize("name", ["egalite", "dragon-bonus", "pair-bets", "ez"])
def test_text_of_variants_fits_80_columns(capsys: pytest.CaptureFixture[str], name: str) -> None:
    for line in nonempty(output(capsys, "--rules", name, "--specs", VARIANTS, "--all").splitlines()):
        assert len(line) <= 80, line


def test_json_is_the_same_twice(capsys: pytest.CaptureFixture[str]) -> None:
    args = ("--rules", "selminha/classica", "--all", "--format", "json")
    assert output(capsys, *args) == output(capsys, *args)


@pytest.mark.parametrize("command", [["--version"], ["play", "--rules", "home-pt", "9", "9", "K", "K"]])
def test_numpy_is_not_on_the_path_of_quick_commands(command: list[str]) -> None:
    code = (
        "import sys; from oracle.cli import run; run(sys.argv[1:]); "
        "print(sorted({'numpy', 'rich', 'z3', 'cvc5', 'hypothesis'} & set(sys.modules)))"
    )
    done = subprocess.run([sys.executable, "-c", code, *command], capture_output=True, text=True, check=True)
    assert done.stdout.splitlines()[-1] == "[]"


@pytest.mark.slow
def test_findings_tell_their_chance(capsys: pytest.CaptureFixture[str]) -> None:
    """Two naturals with one deck: one coup in 28. selminha's (3, 8): one in 220."""
    run(["check", "--solvers", "none", "--format", "json"])
    found = json.loads(capsys.readouterr().out)["findings"]
    chances = {(f["rules"], f["question"], f["region"]): f["chance"] for f in found}
    assert f"{float(Fraction(chances['grid-pt', 'natural', 'natural: both'])):.4f}" == "0.0357"
    gap = chances["selminha/classica", "banker_draw", "banker2: 3, player_third: 8"]
    assert re.fullmatch(r"[0-9]+/[0-9]+", gap)
    assert all(nonempty(f["chance"] is None for f in found if f["rules"] == "punto-es")), "no decks are named"
    assert all(nonempty(f["chance"] is None for f in found if f["question"] in ("bets_together", "rounding", "")))

"""`fixtures export`: formats that say the same, files that are whole or not there, going on after an interruption."""

from __future__ import annotations

import csv
import hashlib
import io
import json
import os
import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from fractions import Fraction
from pathlib import Path
from typing import Any

import msgspec
import pytest

from oracle.cards import Card, parse_cards
from oracle.cases.manifest import Manifest
from oracle.cases.reference import reference_of
from oracle.cli import run
from oracle.files import part_of, write_files
from oracle.game.rules import Rules
from oracle.programs.behaviour import Behaviour, play
from oracle.programs.observables import OBSERVABLES, observe
from oracle.report.export.export_file import write_lines
from oracle.report.export.export_parquet import write_parquet
from oracle.spans import OracleError
from tests.conftest import ROOT, missing

BETS = ["fixtures", "export", "--rules", "punto-es", "--tier", "bets"]
CHUNKS = (b"one\ntwo\n", b"three\n", b"four\nfive\nsix\n")
WHOLE = b"".join(CHUNKS)


def test_a_file_has_what_is_printed_and_nothing_is_left_beside_it(
    tmp_path: Path, capsysbinary: pytest.CaptureFixture[bytes]
) -> None:
    for more in ([], ["--csv"], ["--format", "csv", "--answers"]):
        assert run([*BETS, *more]) == 0
        printed = capsysbinary.readouterr().out
        assert run([*BETS, *more, "--out", str(tmp_path / "new" / "cases")]) == 0
        assert (tmp_path / "new" / "cases").read_bytes() == printed
        assert list((tmp_path / "new").iterdir()) == [tmp_path / "new" / "cases"]
        assert capsysbinary.readouterr() == (b"", b"")


def test_csv_and_json_lines_say_the_same(capsys: pytest.CaptureFixture[str]) -> None:
    tiers = ["--tier", "settlement", "--tier", "totals", "--answers"]
    asked = ["fixtures", "export", "--rules", "selminha/classica", *tiers]
    assert run(asked) == 0
    cases = [json.loads(line) for line in capsys.readouterr().out.splitlines()]
    assert run([*asked, "--csv"]) == 0
    rows = list(csv.DictReader(io.StringIO(capsys.readouterr().out)))
    assert len(cases) == len(rows) == len({case["id"] for case in cases})
    for case, row in zip(cases, rows, strict=True):
        assert [row[f"card{place}"] for place in range(1, 7)] == case["cards"]
        expect = case["expect"]
        assert (row["id"], row["winner"], row["natural"]) == (case["id"], expect["winner"], expect["natural"])
        for side in ("player", "banker"):
            assert row[f"{side}_cards"].split() == expect[side]["cards"]
            assert int(row[f"{side}_total"]) == expect[side]["total"]
            assert (row[f"{side}_pair"] == "true") is expect["pairs"][side]
        for kind, laid in (("bet", case.get("bets", {})), ("net", expect.get("net", {}))):
            assert {name: text for name, text in row.items() if name.startswith(f"{kind}_") and text} == {
                f"{kind}_{bet}": text for bet, text in laid.items()
            }


MINIMAL = ["fixtures", "export", "--rules", "home-pt", "--tier", "minimal"]
SMALLER = [("winner", "minimal-winner"), ("winner,totals", "minimal-totals"), ("cards, totals,winner", "minimal-cards")]


@pytest.mark.parametrize(("reported", "tier"), SMALLER)
def test_the_minimal_set_is_the_one_for_what_a_program_reports(
    reported: str, tier: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert run([*MINIMAL, "--answers", "--observables", reported]) == 0
    chosen = capsys.readouterr()
    (kept,) = (ROOT / "fixtures").glob(f"tableau-*/{tier}.jsonl")
    assert chosen.out == kept.read_text(encoding="utf-8")
    assert f": {tier} (for " in chosen.err
    assert "of a program" not in chosen.err


def test_of_a_set_for_all_observables_is_said_that_it_is_for_no_fewer(capsys: pytest.CaptureFixture[str]) -> None:
    assert run(MINIMAL) == 0
    told = capsys.readouterr()
    said = " ".join(told.err.split())
    assert "minimal is the set for programs that report winner, totals, cards, natural, pairs, net;" in said
    assert run([*MINIMAL, "--observables", ",".join(OBSERVABLES)]) == 0
    assert capsys.readouterr().out == told.out


@pytest.mark.parametrize(
    ("tiers", "reported"),
    [(["minimal-cards"], "winner"), (["minimal"], "totals"), (["minimal"], "winner,totals,net"), (["bets"], "winner")],
)
def test_cases_that_cannot_show_every_change_say_how_many_they_show(
    tiers: list[str], reported: str, shipped: dict[str, Rules], capsys: pytest.CaptureFixture[str]
) -> None:
    """Counted anew, by playing every case by every wrong program."""
    named = [part for tier in tiers for part in ("--tier", tier)]
    assert run(["fixtures", "export", "--rules", "home-pt", *named, "--observables", reported]) == 0
    told = capsys.readouterr()
    reference = reference_of(shipped["home-pt"])
    coups = [
        (parse_cards(case["cards"]), {bet: Fraction(stake) for bet, stake in case.get("bets", {}).items()})
        for case in map(json.loads, told.out.splitlines())
        if case["kind"] == "coup"
    ]

    def seen(behaviour: Behaviour, cards: tuple[Card, ...], stakes: dict[str, Fraction]) -> object:
        return observe(behaviour, play(behaviour, cards), reported.split(","), stakes)

    due = [seen(reference.behaviour, *coup) for coup in coups]
    shown = sum(
        any(seen(mutant.behaviour, *coup) != right for coup, right in zip(coups, due, strict=True))
        for mutant in reference.mutants
    )
    said = " ".join(told.err.split())
    assert f"show {shown:,} of {len(reference.mutants):,} single changes" in said
    assert "were not shown" in said
    assert max(map(len, told.err.splitlines())) <= 80


def test_of_large_tiers_is_said_that_nothing_was_counted(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (tmp_path / "cases.part").write_bytes(b"something else\n")  # which ends the export at its first line
    large = ["--tier", "values", "--out", str(tmp_path / "cases"), "--resume"]
    assert run(["fixtures", "export", "--rules", "home-pt", *large, "--observables", "winner"]) == 2
    assert "not counted" in capsys.readouterr().err


@pytest.mark.parametrize(
    ("reported", "told"),
    [("winer", "no observable `winer`: did you mean `winner`?"), (" ,", "--observables names nothing")],
)
def test_observables_that_there_are_not_are_refused(
    reported: str, told: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert run([*MINIMAL, "--observables", reported]) == 2
    printed = capsys.readouterr()
    assert (printed.out, told in printed.err) == ("", True)


def test_a_parquet_file_names_what_it_was_chosen_for(tmp_path: Path) -> None:
    try:
        from pyarrow import parquet
    except ImportError:
        missing("pyarrow", "no pyarrow here: pip install 'baccarat-oracle[parquet]'")
    asked = [*MINIMAL, "--observables", "winner", "--format", "parquet", "--out", str(tmp_path / "cases")]
    assert run(asked) == 0
    about = parquet.read_schema(tmp_path / "cases").metadata
    assert about[b"rules"] == b"home-pt"
    assert (about[b"tiers"], about[b"observables"]) == (b"minimal-winner", b"winner")


def as_csv(value: object) -> str:
    if isinstance(value, bool):
        return str(value).lower()
    return "" if value is None else str(value)


def test_parquet_says_the_same_as_csv(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    try:
        from pyarrow import parquet
    except ImportError:
        missing("pyarrow", "no pyarrow here: pip install 'baccarat-oracle[parquet]'")
    for more in ([], ["--answers"]):
        asked = [*BETS, "--tier", "settlement", *more]
        assert run([*asked, "--csv"]) == 0
        rows = list(csv.DictReader(io.StringIO(capsys.readouterr().out)))
        file = tmp_path / f"cases{len(more)}.parquet"
        assert run([*asked, "--format", "parquet", "--out", str(file)]) == 0
        table: list[dict[str, Any]] = parquet.read_table(file).to_pylist()
        plain = [{name: as_csv(value) for name, value in row.items()} for row in table]
        assert plain == rows
        if more:
            assert {type(row["banker_total"]) for row in table} == {int, type(None)}
            assert {type(row["legal"]) for row in table} == {bool, type(None)}
    assert not list(tmp_path.glob("*.part"))


def test_without_pyarrow_the_extra_is_named(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setitem(sys.modules, "pyarrow", None)
    assert run([*BETS, "--format", "parquet", "--out", str(tmp_path / "cases.parquet")]) == 2
    assert "pip install 'baccarat-oracle[parquet]'" in capsys.readouterr().err
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize(
    ("more", "told"),
    [
        (["--csv", "--format", "parquet"], "leave one of them out"),
        (["--format", "parquet"], "--format parquet needs --out FILE"),
        (["--resume"], "--resume needs --out FILE"),
        (["--resume", "--format", "parquet", "--out", "x"], "has no lines to go on from"),
        (["--format", "xlsx"], "'xlsx' is not one of 'jsonl', 'csv', 'parquet'"),
        (["--out", "."], "is a directory"),
    ],
)
def test_bad_use_is_told(more: list[str], told: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert run([*BETS, *more]) == 2
    assert told in capsys.readouterr().err


@pytest.mark.parametrize("kept", range(len(WHOLE) + 1))
def test_it_goes_on_wherever_it_was_interrupted(tmp_path: Path, kept: int) -> None:
    path = tmp_path / "cases"
    part_of(path).write_bytes(WHOLE[:kept])
    write_lines(path, CHUNKS, resume=True)
    assert path.read_bytes() == WHOLE
    assert not part_of(path).exists()


def test_what_is_there_is_not_written_again(tmp_path: Path) -> None:
    """Complete lines stay as they are; a torn one is made anew, whatever it holds."""
    path = tmp_path / "cases"
    part_of(path).write_bytes(b"one\ntwo\nthree\nfou\0\0\0\0")
    before = part_of(path).stat().st_ino
    write_lines(path, CHUNKS, resume=True)
    assert path.read_bytes() == WHOLE
    assert path.stat().st_ino == before


@pytest.mark.parametrize(
    ("there", "line"),
    [
        (b"One\n", 1),
        (b"one\ntwo\nthrea\n", 3),
        (b"one\ntwo\nthree\nfour\nfixe\nsix\n", 5),
        (b"one\ntwo\nthree\nfour\nfive\nsi\n", 6),
        (b"one\ntwo\nthree\nfour\nfive\nsixx", 6),
        (WHOLE + b"seven\n", 7),
    ],
)
def test_what_is_not_the_beginning_is_left_alone(tmp_path: Path, there: bytes, line: int) -> None:
    path = tmp_path / "cases"
    part_of(path).write_bytes(there)
    with pytest.raises(OracleError, match=f"is not the beginning of what is asked for, from line {line} on"):
        write_lines(path, CHUNKS, resume=True)
    assert part_of(path).read_bytes() == there
    assert not path.exists()


@pytest.mark.parametrize("whole", [False, True])
def test_with_nothing_to_go_on_with_it_begins_at_the_beginning(tmp_path: Path, whole: bool) -> None:
    """As where an interrupted export was made whole already, or never begun."""
    path = tmp_path / "cases"
    if whole:
        path.write_bytes(WHOLE)
    write_lines(path, CHUNKS, resume=True)
    assert path.read_bytes() == WHOLE
    assert not part_of(path).exists()


@pytest.mark.parametrize("part", [False, True])
def test_only_a_file_is_replaced(tmp_path: Path, *, part: bool) -> None:
    """Whoever may do so would otherwise put a file in the place of a device as /dev/null, or wait for a pipe."""
    path = tmp_path / "cases"
    pipe = part_of(path) if part else path
    os.mkfifo(pipe)
    for write in (
        lambda: write_lines(path, CHUNKS, resume=True),
        lambda: write_parquet(path, iter([["id"], ["x"]])),
        lambda: write_files(tmp_path, {pipe.name: "text"}),
    ):
        with pytest.raises(OracleError, match="it is not a regular file"):
            write()
    assert pipe.is_fifo()
    assert list(tmp_path.iterdir()) == [pipe]


def test_without_resume_it_begins_anew(tmp_path: Path) -> None:
    path = tmp_path / "cases"
    part_of(path).write_bytes(b"something else, and longer than all of it by far\n")
    write_lines(path, CHUNKS)
    assert path.read_bytes() == WHOLE


def test_a_file_stays_until_another_one_is_whole(tmp_path: Path) -> None:
    path = tmp_path / "cases"
    path.write_bytes(b"old\n")

    def interrupted() -> Iterator[bytes]:
        yield CHUNKS[0]
        assert path.read_bytes() == b"old\n"
        raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        write_lines(path, interrupted())
    assert path.read_bytes() == b"old\n"
    assert part_of(path).read_bytes() == CHUNKS[0]


def test_rules_without_answers_leave_nothing_behind(tmp_path: Path) -> None:
    asked = ["fixtures", "export", "--specs", str(ROOT / "tests" / "variants"), "--rules", "chemin-de-fer"]
    assert run([*asked, "--out", str(tmp_path / "cases")]) == 2
    assert list(tmp_path.iterdir()) == []


@pytest.mark.slow
@pytest.mark.parametrize("how", [signal.SIGKILL, signal.SIGINT, signal.SIGTERM, signal.SIGQUIT])
def test_a_killed_export_is_gone_on_with_to_the_byte(tmp_path: Path, how: signal.Signals) -> None:
    """The end is what the manifest says of an export that nobody interrupts."""
    out = tmp_path / "values.jsonl"
    command = [sys.executable, "-m", "oracle", "fixtures", "export", "--rules", "home-pt", "--tier", "values"]
    command += ["--answers", "--out", str(out)]
    env = {**os.environ, "PYTHONPATH": str(ROOT)}
    child = subprocess.Popen(command, cwd=tmp_path, stderr=subprocess.PIPE, env=env)
    until = time.monotonic() + 60
    while not (part_of(out).exists() and part_of(out).stat().st_size > 3_000_000):
        assert time.monotonic() < until
        time.sleep(0.005)
    child.send_signal(how)
    told = child.communicate()[1]
    assert child.returncode == (-how if how == signal.SIGKILL else 128 + how)
    assert (b"--resume goes on with it" in told) is (how != signal.SIGKILL)
    assert not out.exists()
    before = part_of(out).stat().st_size
    done = subprocess.run([*command, "--resume"], check=False, cwd=tmp_path, capture_output=True, env=env)
    assert (done.returncode, done.stderr) == (0, b"")
    manifest = msgspec.json.decode((ROOT / "fixtures" / "manifest.json").read_bytes(), type=Manifest)
    entry = manifest.large[manifest.rules["home-pt"].large["values"]]
    data = out.read_bytes()
    assert 3_000_000 < before < len(data)
    assert (hashlib.sha256(data).hexdigest(), data.count(b"\n")) == (entry.sha256, entry.cases)
    assert list(tmp_path.iterdir()) == [out]

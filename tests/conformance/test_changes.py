"""Two runs beside each other: what was mended, what broke, what is still wrong."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from oracle.cli import run as oracle
from tests.conformance.conftest import command

Make = Callable[..., Path]
TIER = ["--tier", "minimal-cards"]


@pytest.fixture(scope="module")
def made(tmp_path_factory: pytest.TempPathFactory, root: Path) -> Make:
    """Makes the reports of the example whose banker stands on three against some third cards, once."""
    top = tmp_path_factory.mktemp("runs")

    def make(*stands: int, tier: str = "minimal-cards", rules: str = "home-pt") -> Path:
        folder = top / f"{rules}-{tier}-{stands}"
        if not folder.exists():
            text = (root / "examples" / "mine.py").read_text()
            kept = ", ".join(str(third) for third in (0, 1, 2, 3, 4, 5, 6, 7, 9) if third not in stands)
            path = top / "mine.py"
            path.write_text(text.replace("3: (0, 1, 2, 3, 4, 5, 6, 7, 9)", f"3: ({kept})"))
            oracle(["test", "--rules", rules, "--tier", tier, "--report", str(folder), "--", "python3", str(path)])
        return folder

    return make


@pytest.fixture
def diff(capsys: pytest.CaptureFixture[str]) -> Callable[..., tuple[int, Any]]:
    """Compares two files: the exit code, and what was said as data."""

    def go(old: Path, new: Path) -> tuple[int, Any]:
        capsys.readouterr()
        code = oracle(["diff", str(old), str(new), "--format", "json"])
        out = capsys.readouterr().out
        return code, json.loads(out) if out else None

    return go


Diff = Callable[[Path, Path], tuple[int, Any]]


@pytest.mark.parametrize("name", ["log.ndjson", "test.json"])
@pytest.mark.parametrize(
    ("old", "new", "code", "counts"),
    [
        ((7,), (), 0, {"broke": 0, "mended": 1, "still": 0}),
        ((), (7,), 1, {"broke": 1, "mended": 0, "still": 0}),
        ((6, 7), (7, 9), 1, {"broke": 1, "mended": 1, "still": 1}),
        ((7,), (7,), 0, {"broke": 0, "mended": 0, "still": 1}),
    ],
)
def test_it_tells_what_changed(
    name: str, old: tuple[int, ...], new: tuple[int, ...], *, code: int, counts: dict[str, int], made: Make, diff: Diff
) -> None:
    found, payload = diff(made(*old) / name, made(*new) / name)
    assert (found, payload["exit"]) == (code, code)
    assert payload["counts"] == counts
    assert payload["by_case"] == (name == "log.ndjson")
    names = {change["kind"]: change["fault"] for change in payload["changes"]}
    if old == (6, 7):
        assert names == {"broke": "banker_draw 3/9", "mended": "banker_draw 3/6", "still": "banker_draw 3/7"}


def test_a_log_and_a_test_json_can_be_compared(made: Make, diff: Diff) -> None:
    code, payload = diff(made() / "log.ndjson", made(7) / "test.json")
    assert code == 1
    assert payload["counts"] == {"broke": 1, "mended": 0, "still": 0}


def test_cases_that_are_no_longer_asked_leave_it_open(made: Make, diff: Diff) -> None:
    code, payload = diff(made(tier="minimal") / "log.ndjson", made() / "log.ndjson")
    assert code == 3
    assert payload["dropped"] > 0
    code, _ = diff(made(tier="minimal") / "test.json", made() / "test.json")
    assert code == 3


def test_an_incomplete_run_leaves_it_open(made: Make, diff: Diff, tmp_path: Path) -> None:
    path = tmp_path / "cut.ndjson"
    lines = (made() / "log.ndjson").read_bytes().splitlines(keepends=True)
    path.write_bytes(b"".join(lines[:-1]))
    code, payload = diff(made() / "log.ndjson", path)
    assert (code, payload["new"]) == (3, "incomplete")


def test_the_same_case_wrong_in_another_way_is_told(
    made: Make, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path = tmp_path / "other.ndjson"
    oracle(["test", "--rules", "home-pt", *TIER, "--log", str(path), "--", *command("off-by-one")])
    capsys.readouterr()
    assert oracle(["diff", str(made(7) / "log.ndjson"), str(path)]) == 1
    out = capsys.readouterr().out
    assert "\nstill failing\n" in out
    assert "1 case, 1 in another way, such as coup-" in out
    assert all(len(line) <= 80 for line in out.splitlines())


@pytest.mark.parametrize(
    ("text", "told"),
    [
        ("", "is neither a log nor a test.json"),
        ("{}", "is neither a log nor a test.json"),
        ('{"type":"case","id":"a","outcome":"pass"}\n', "is no log of a run: it has no header"),
        ('{"format": 1, "verdict": "\\u001b"}', "is neither a log nor a test.json"),
    ],
)
def test_bad_files_are_told(
    text: str, told: str, made: Make, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path = tmp_path / "bad"
    path.write_text(text)
    assert oracle(["diff", str(made() / "log.ndjson"), str(path)]) == 2
    err = capsys.readouterr().err
    assert told in err
    assert "\x1b" not in err


def test_runs_by_other_rules_are_not_compared(made: Make, capsys: pytest.CaptureFixture[str]) -> None:
    assert oracle(["diff", str(made() / "log.ndjson"), str(made(rules="grid-pt") / "log.ndjson")]) == 2
    assert "/log.ndjson by grid-pt" in " ".join(capsys.readouterr().err.split())

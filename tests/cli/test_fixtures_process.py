"""`fixtures` as processes: the same bytes wherever they run, and an export that nobody reads to its end."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

from tests.conftest import ROOT

# Sets and dictionaries of text in another order, another language, another day.
PLACES = (
    {"PYTHONHASHSEED": "1", "LC_ALL": "C", "TZ": "Pacific/Kiritimati"},
    {"PYTHONHASHSEED": "2", "LC_ALL": "tr_TR.UTF-8", "TZ": "Pacific/Pago_Pago", "LANGUAGE": "tr"},
)


def oracle(*args: str, place: dict[str, str], cwd: Path) -> bytes:
    command = [sys.executable, "-m", "oracle", "fixtures", *args]
    environment = {**os.environ, "PYTHONPATH": str(ROOT), **place}
    return subprocess.run(command, cwd=cwd, env=environment, stdout=subprocess.PIPE, check=True).stdout


@pytest.mark.slow
@pytest.mark.parametrize("rules", ["grid-pt", "selminha/sem-comissao"])
def test_exports_are_the_same_everywhere(tmp_path: Path, rules: str) -> None:
    tiers = [part for tier in ("totals", "settlement", "bets", "minimal") for part in ("--tier", tier)]
    for form in ("jsonl", "csv"):
        asked = ["export", "--rules", rules, *tiers, "--answers", "--format", form]
        first, second = (oracle(*asked, place=place, cwd=tmp_path) for place in PLACES)
        assert first == second
        assert first.count(b"\n") > 4_000


@pytest.mark.exhaustive
def test_builds_are_the_same_everywhere(tmp_path: Path) -> None:
    """Minimal sets are searched for, and large tiers made, twice."""
    suites = []
    for number, place in enumerate(PLACES):
        oracle("build", "--rules", "punto-es", "--out", str(tmp_path / str(number)), place=place, cwd=tmp_path)
        files = [path for path in sorted((tmp_path / str(number)).rglob("*")) if path.is_file()]
        suites.append({str(path.relative_to(tmp_path / str(number))): path.read_bytes() for path in files})
    assert suites[0] == suites[1]
    kept = ROOT / "fixtures"
    beside = {name for name in suites[0] if name != "manifest.json"}
    tiers = json.loads((kept / "manifest.json").read_bytes())["rules"]["punto-es"]["tiers"]
    assert set(tiers.values()) <= beside
    assert {name for name in beside if suites[0][name] != (kept / name).read_bytes()} == set()


def test_a_reader_that_leaves_ends_an_export(tmp_path: Path) -> None:
    command = [sys.executable, "-m", "oracle", "fixtures", "export", "--rules", "home-pt", "--tier", "ranks"]
    with subprocess.Popen(
        command,
        cwd=tmp_path,
        env={**os.environ, "PYTHONPATH": str(ROOT)},
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
    ) as child:
        assert child.stdout is not None
        assert child.stderr is not None
        assert child.stdout.readline().startswith(b'{"id":"coup-')
        child.stdout.close()
        assert child.stderr.read() == b""
    assert child.returncode == 128 + 13

"""docs/fixtures.md: what it shows is so, and its examples find a wrong rule with nothing but a file."""

from __future__ import annotations

import json
import re
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from oracle.cases.case import Case
from oracle.cases.suite import TAGS
from oracle.cases.tiers import DEFAULT, TIERS, cases
from oracle.cli import run
from oracle.game.rules import Rules
from tests.conftest import ROOT
from tests.nonempty import nonempty

DOCS = (ROOT / "docs" / "fixtures.md").read_text(encoding="utf-8")
EXAMPLES = ROOT / "examples" / "fixtures"
# By toolchain: the language of its block, its file, what it reads, and how its banker comes to stand on 3 against 7.
KNOWN = {
    "python": ("python", "compare.py", "jsonl", ("5, 6, 7, 9)", "5, 6, 9)")),
    "node": ("javascript", "compare.js", "jsonl", ("third !== 8", "third !== 8 && third !== 7")),
    "java": ("java", "Compare.java", "csv", ("third != 8", "third != 8 && third != 7")),
    "c": ("c", "compare.c", "csv", ("third != 8", "third != 8 && third != 7")),
    "rust": ("rust", "compare.rs", "csv", ("third != 8", "third != 8 && third != 7")),
}
QUICK = ("python", "node", "c")
Find = Callable[[str], str]


def in_turn() -> list[Any]:
    return [pytest.param(name, marks=[] if name in QUICK else [pytest.mark.slow], id=name) for name in KNOWN]


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with cases of home-pt, as JSON Lines and CSV."""
    place = tmp_path_factory.mktemp("cases")
    for form in ("jsonl", "csv"):
        asked = ["fixtures", "export", "--rules", "home-pt", "--answers", "--format", form]
        assert run([*asked, "--out", str(place / f"cases.{form}")]) == 0
    return place


def told(name: str, source: str, folder: Path, place: Path, find: Find) -> tuple[int, list[str]]:
    """The exit code of an example that is built in `place`, and what it prints."""
    file = KNOWN[name][1]
    (place / file).write_text(source, encoding="utf-8")
    build = {
        "c": [find(name), "-std=c99", "-pedantic-errors", "-Wall", "-Werror", "-o", "compare", file],
        "rust": [find(name), "-D", "warnings", "-o", "compare", file],
        "java": [find(name), "-Xlint:all", "-Werror", "--release", "11", file],
    }.get(name)
    if build:
        subprocess.run(build, cwd=place, check=True)
    command = {"python": [sys.executable, "-I", file], "java": ["java", "Compare"]}.get(name)
    command = command or ([find(name), file] if name == "node" else ["./compare"])
    cases_file = folder / f"cases.{KNOWN[name][2]}"
    done = subprocess.run([*command, str(cases_file)], cwd=place, capture_output=True, text=True, check=False)
    assert done.stderr == ""
    return done.returncode, done.stdout.splitlines()


@pytest.mark.parametrize("name", in_turn())
def test_an_example_finds_a_wrong_rule_and_nothing_else(
    name: str, folder: Path, tmp_path: Path, tool: Find, shipped: dict[str, Rules]
) -> None:
    source = (EXAMPLES / KNOWN[name][1]).read_text(encoding="utf-8")
    coups = [case for tier in DEFAULT for case in cases(shipped["home-pt"], tier) if case.kind == "coup"]
    assert told(name, source, folder, tmp_path, tool) == (0, [f"{len(coups)} coups, 0 differ"])
    before, after = KNOWN[name][3]
    assert source.count(before) == 1
    code, printed = told(name, source.replace(before, after), folder, tmp_path, tool)
    due = [case.id for case in coups if shown(case)]
    assert due
    assert [line.partition(":")[0] for line in printed[:-1]] == due
    assert (code, printed[-1]) == (1, f"{len(coups)} coups, {len(due)} differ")


def shown(case: Case) -> bool:
    """Whether a banker who stands on 3 against 7 ends with another total: his third card is worth something."""
    return "banker_draw 3/7" in case.cells and case.cards[5][0] not in "TJQK"


@pytest.mark.parametrize("name", KNOWN)
def test_the_guide_quotes_the_examples_and_they_are_short(name: str) -> None:
    language, file, *_ = KNOWN[name]
    text = (EXAMPLES / file).read_text(encoding="utf-8")
    assert re.findall(rf"^```{language}\n(.*?)^```$", DOCS, re.DOTALL | re.MULTILINE) == [text]
    assert text.count("\n") < 70
    assert sorted(path.name for path in EXAMPLES.iterdir()) == sorted(file for _, file, *_ in KNOWN.values())


def test_the_guide_shows_what_there_is(capsys: pytest.CaptureFixture[str]) -> None:
    command, _, printed = re.findall(r"^```console\n\$ (.*?)^```$", DOCS, re.DOTALL | re.MULTILINE)[0].partition("\n")
    assert run(command.split()[1:]) == 0
    assert capsys.readouterr().out == printed
    assert re.findall(r"^\| `([\w-]+)` \| (.*) \|$", DOCS.partition("| tag |")[2], re.MULTILINE) == list(TAGS.items())
    (line,) = re.findall(r"^```json\n(.*?)^```$", DOCS, re.DOTALL | re.MULTILINE)
    assert line in (ROOT / "fixtures" / "home-pt" / "minimal.jsonl").read_text(encoding="utf-8")


def test_the_guide_names_every_field_and_column(capsys: pytest.CaptureFixture[str]) -> None:
    table = DOCS.partition("## A case")[2].partition("| tag |")[0]
    schema = json.loads((ROOT / "fixtures" / "case.schema.json").read_text(encoding="utf-8"))["$defs"]
    for field in nonempty({*schema["Case"]["properties"], *schema["Answer"]["properties"]} - {"expect"}):
        assert re.search(rf"`(expect\.)?{field}\b", table), field
    assert run(["fixtures", "export", "--rules", "home-pt", "--csv", "--answers"]) == 0
    for column in nonempty(capsys.readouterr().out.partition("\n")[0].split(",")):
        name = re.sub(r"(bet|net)_\w+", r"\1_NAME", re.sub(r"card[2-5]", "card1", column))
        assert f"`{name}`" in table or name in ("banker_cards", "banker_total"), column


def test_the_guide_says_what_every_tier_holds() -> None:
    _, _, after = DOCS.partition("\n| tier | what it holds |\n|---|---|\n")
    rows = after.partition("\n\n")[0].splitlines()
    named = [name for row in nonempty(rows) for name in re.findall(r"`([\w-]+)`", row.split("|")[1])]
    assert sorted(named) == sorted(TIERS), "a row for every tier, and no other, in docs/fixtures.md"


def test_the_commands_of_the_guide_run(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    (block,) = re.findall(r"^```sh\n(.*?)^```$", DOCS, re.DOTALL | re.MULTILINE)
    for line in nonempty(block.splitlines()[:-1]):
        assert run(line.partition(" > ")[0].split()[1:]) == 0
    assert run(["fixtures", "list", "--rules", "homept"]) == 2


def test_every_rule_set_is_listed(capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["fixtures", "list"]) == 0
    blocks = capsys.readouterr().out.split("\n\n")
    assert len(blocks) == 10
    assert "ranks             1,658,538" in blocks[1]  # grid-pt plays with one deck

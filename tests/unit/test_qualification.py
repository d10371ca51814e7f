"""The page on qualification is the one that the command prints, and the tests that it names exist."""

from __future__ import annotations

import ast
import re
from pathlib import Path

import pytest

from oracle.cli import run
from tests.conftest import ROOT
from tests.nonempty import nonempty


@pytest.fixture(scope="module")
def page(root: Path) -> str:
    return (root / "docs" / "qualification.md").read_text(encoding="utf-8")


@pytest.mark.slow
def test_it_is_the_committed_one(page: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["evidence", "qualification"]) == 0
    assert capsys.readouterr().out == page, "run `make regenerate`"


def test_every_test_that_it_names_exists(page: str, root: Path) -> None:
    names = re.findall(r"`(tests/[^`]*)`", page)
    assert len(names) > 20
    for name in names:
        file, _, function = name.partition("::")
        assert f"\ndef {function}(" in (root / file).read_text(encoding="utf-8"), name


def test_every_requirement_names_a_test_and_a_result(page: str) -> None:
    rows = [line.split(" | ") for line in page.splitlines() if re.match(r"\| [0-9]", line)]
    assert len(rows) >= 15
    for row in rows:
        assert len(row) == 5
        assert "::test_" in row[3]
        assert row[4].strip(" |")
    assert not re.search(r"\brefuted\b", rows[0][4]), "a question is open"


# Written down apart from the code, so that nothing that a reader relies on goes from the page unseen.
NOT_TESTED = {
    "random numbers": "seeding",
    "shuffling": "order of cards",
    "how cards are shown": "squeezing",
    "network": "no server",
    "money outside a coup": "jackpots",
    "the program's source": "judged by its answers",
    "documents": "for a reader",
}


def test_it_says_what_is_not_tested_and_nothing_else(page: str) -> None:
    said = dict(re.findall(r"^- ([^:]+): (.+)$", page.partition("\n## Not tested\n")[2], re.MULTILINE))
    assert list(said) == list(NOT_TESTED)
    for what, words in NOT_TESTED.items():
        assert words in said[what], what


def test_the_network_is_not_tested_because_nothing_connects_to_it() -> None:
    connecting = {"asyncio", "ftplib", "http", "httpx", "requests", "smtplib", "socket", "ssl", "urllib.request"}
    for path in nonempty((ROOT / "oracle").rglob("*.py")):
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            if isinstance(node, ast.Import | ast.ImportFrom):
                module = str(node.module) if isinstance(node, ast.ImportFrom) else node.names[0].name
                assert module not in connecting, path
                assert module.partition(".")[0] not in connecting, path

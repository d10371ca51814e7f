"""The page on qualification is the one that the command prints, and the tests that it names exist."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from oracle.cli import run


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


@pytest.mark.parametrize("what", ["random numbers", "shuffling", "squeezing", "network"])
def test_it_says_what_is_not_tested(page: str, what: str) -> None:
    assert what in page.partition("## Not tested")[2]

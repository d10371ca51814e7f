"""The table of reports is what stands under `reports/`, and what is required is read from its file."""

from __future__ import annotations

from pathlib import Path

import pytest

from oracle.report.catalogue.catalogue import REPORTS
from oracle.report.catalogue.qualification import FILE, RESULTS, read_requirements
from oracle.spans import OracleError

DOCS = Path(__file__).resolve().parents[2] / "docs"


def test_every_entry_is_there_and_nothing_else(root: Path) -> None:
    there = {f"{path.name}/" if path.is_dir() else path.name for path in (root / "reports").iterdir()}
    assert there == {report.name for report in REPORTS}
    assert len({report.purpose for report in REPORTS}) == len(REPORTS)


def test_every_number_is_the_result_of_a_requirement() -> None:
    required = read_requirements(DOCS / FILE).requirement
    assert [entry.result for entry in required if entry.result] == list(RESULTS)


@pytest.mark.parametrize(
    ("old", "new", "told"),
    [
        ('result = "claims"', 'result = "claim"', "no result `claim`; known: questions, coverage, claims"),
        ("check = ", "chek = ", "what is required can't be read"),
        ("[not_tested]", "[not_tested", "what is required can't be read"),
    ],
)
def test_a_file_that_is_wrong_is_told(tmp_path: Path, old: str, new: str, told: str) -> None:
    text = (DOCS / FILE).read_text(encoding="utf-8")
    assert old in text
    (tmp_path / FILE).write_text(text.replace(old, new), encoding="utf-8")
    with pytest.raises(OracleError, match=told):
        read_requirements(tmp_path / FILE)

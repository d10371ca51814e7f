"""`reports/findings.json`: it changes with what is found, and not with where it stands."""

from __future__ import annotations

import json
from pathlib import Path

from oracle.checks.engines import check_all
from oracle.files import compare_files
from oracle.report.check.baseline import baseline_text
from oracle.rules.library import Library, data_folder
from oracle.rules.read import read_spec_text

TEXT = (data_folder("specs") / "home-pt.yaml").read_text(encoding="utf-8")


def baseline(text: str) -> str:
    return baseline_text(check_all([read_spec_text(text, name="specs/home-pt.yaml")], solvers="none", claims=False))


def test_every_finding_is_there_once(root: Path) -> None:
    found = json.loads((root / "reports" / "findings.json").read_text(encoding="utf-8"))
    assert found["format"] == 1
    lines = [json.dumps(entry, sort_keys=True) for entry in found["findings"]]
    assert len(set(lines)) == len(lines)
    sources = {rules.partition("/")[0] for entry in found["findings"] for rules in entry["rules"]}
    assert sources == {spec.id for spec in Library().specs()}
    assert not [e for e in found["findings"] if e["status"] == "open" and e["level"] == "error"]


def test_moved_lines_change_nothing() -> None:
    assert baseline(TEXT.replace("statements:\n", "# a remark\n\nstatements:\n", 1)) == baseline(TEXT)


def test_a_finding_that_came_is_a_line_of_the_difference(tmp_path: Path) -> None:
    (tmp_path / "findings.json").write_text(baseline(TEXT), encoding="utf-8")
    faulty = TEXT.replace("when: {player2: 6-7}, then: stand", "when: {player2: 7}, then: stand", 1)
    assert faulty != TEXT
    (difference,) = compare_files(tmp_path, {"findings.json": baseline(faulty)})
    came = [line for line in difference.splitlines() if line.startswith("+{")]
    assert any('"code":"gap"' in line and '"region":"player2: 6"' in line for line in came)

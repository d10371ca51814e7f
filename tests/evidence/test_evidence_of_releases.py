"""Evidence that a released version wrote is verified by every later one.

A release leaves a folder here, by its version: `baccarat-oracle test --rules home-pt --evidence tests/evidence/1.2.3
-- python3 examples/mine.py`. It is never changed afterwards.
"""

from __future__ import annotations

import re
from pathlib import Path

from oracle.conformance.evidence.verify import verify
from oracle.report.run.run_files import run_files

HERE = Path(__file__).parent


def folders() -> list[Path]:
    """Every folder of evidence here."""
    return sorted(path.parent for path in HERE.glob("*/evidence.json"))


def test_every_release_left_its_evidence(root: Path) -> None:
    released = re.findall(r"^## \[(\d[^\]]*)\]", (root / "CHANGELOG.md").read_text(encoding="utf-8"), re.MULTILINE)
    assert sorted(released) == [path.name for path in folders() if path.name in released]


def test_evidence_of_every_version_is_verified() -> None:
    """Its log is judged anew; its reports are compared where this is the very harness that wrote them."""
    for folder in folders():
        found = verify(folder, {}, render=run_files)
        assert found.problems == (), folder.name
        assert found.answers
        assert found.index.verdict != "incomplete"

"""Scripts of the checkout: what they refuse, they explain."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from pathlib import Path

from tests.conftest import ROOT


def test_the_wheel_is_not_tried_inside_the_checkout(tmp_path: Path) -> None:
    """There the source is what would be run; nothing is built before that is said, and nothing left behind."""
    (tmp_path / "scripts").mkdir()
    (tmp_path / "temporary").mkdir()
    script = shutil.copy(ROOT / "scripts" / "wheel-test", tmp_path / "scripts")
    environment = {**os.environ, "TMPDIR": str(tmp_path / "temporary"), "PYTHON": sys.executable}
    done = subprocess.run([script], env=environment, capture_output=True, text=True, check=False)
    assert (done.returncode, done.stdout) == (2, "")
    assert f"temporary files lie in the checkout (in {tmp_path / 'temporary'}): set TMPDIR" in done.stderr
    assert list((tmp_path / "temporary").iterdir()) == []

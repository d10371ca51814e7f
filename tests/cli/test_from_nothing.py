"""From an empty folder to a verdict: the README's lines for implementers, run as they stand by a shell.

Filling in is done by the adapter of examples/, which is the printed one with `play` written out.
"""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

ROOT = Path(__file__).resolve().parents[2]
SECTION = (ROOT / "README.md").read_text(encoding="utf-8").split("\n## Test your implementation\n")[1].split("\n## ")[0]
LINES = [
    part.strip().splitlines()
    for block in re.findall(r"```sh\n(.*?)```", SECTION, re.DOTALL)
    for part in block.split("\n\n")
]


def test_the_readme_goes_the_whole_way_in_four_languages() -> None:
    assert [lines[0].split()[2] for lines in LINES] == ["python", "node", "java", "c"]
    assert len(SECTION.splitlines()) <= 60, "one screen"


def languages() -> list[Any]:
    """The lines of each language; those that start slowly are slow tests."""
    names = [lines[0].split()[2] for lines in LINES]
    marks = {"java": pytest.mark.slow, "node": pytest.mark.slow}
    return [pytest.param(lines, id=n, marks=marks.get(n, ())) for n, lines in zip(names, LINES, strict=True)]


@pytest.mark.parametrize("lines", languages())
def test_a_filled_in_adapter_conforms(lines: list[str], tmp_path: Path, tool: Callable[[str], str]) -> None:
    first, *rest = lines
    language, file = re.fullmatch(r"baccarat-oracle adapter (\w+) > ([\w.]+)", first).groups()  # type: ignore[union-attr]
    tool(language)
    shell(first, cwd=tmp_path)
    assert "fill me in" in (tmp_path / file).read_text(encoding="utf-8")
    shutil.copy(ROOT / "examples" / file, tmp_path / file)
    assert "conforms" in shell("\n".join(rest), cwd=tmp_path)


def shell(lines: str, cwd: Path) -> str:
    """What these lines print, each of which has to succeed."""
    environment = {**os.environ, "PATH": f"{Path(sys.executable).parent}{os.pathsep}{os.environ['PATH']}"}
    done = subprocess.run(
        ["bash", "-euo", "pipefail", "-c", lines],
        cwd=cwd,
        env=environment,
        capture_output=True,
        text=True,
        timeout=120,
        check=False,
    )
    assert done.returncode == 0, done.stdout + done.stderr
    return done.stdout

"""Public packages through their adapters: the committed report is what they answer, and adapters correct nothing."""

from __future__ import annotations

import json
import re
import shutil
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from tests.conftest import missing

ROOT = Path(__file__).resolve().parents[2]
NODE_MODULES = ROOT / ".venv" / "npm" / "node_modules"
PYTHON_PACKAGES = ROOT / ".venv" / "downstream"

pytestmark = pytest.mark.downstream


@pytest.fixture
def packages() -> None:
    """Skips where one of the packages isn't there."""
    for folder in (NODE_MODULES / "baccarat-engine", PYTHON_PACKAGES / "pybaccarat"):
        if not folder.is_dir():
            missing("implementations", f"no {folder.name} here: `make implementations` gets it")


def replace_in(path: Path, old: str, new: str) -> None:
    """Change one place of a package, which has to be there once."""
    text = path.read_text(encoding="utf-8")
    assert text.count(old) == 1, old
    path.write_text(text.replace(old, new), encoding="utf-8")


def ask(*command: str) -> dict[str, Any]:
    """What `test` says of a command in the smallest set of coups that shows every change."""
    harness = [sys.executable, "-m", "oracle", "test", "--rules", "home-pt", "--tier", "minimal", "--format", "json"]
    ran = subprocess.run([*harness, "--", *command], cwd=ROOT, capture_output=True, text=True, check=False)
    found: dict[str, Any] = json.loads(ran.stdout)
    return found


def test_the_report_is_what_the_packages_answer(packages: None) -> None:
    script = [sys.executable, "scripts/implementations.py", "--check"]
    ran = subprocess.run(script, cwd=ROOT, capture_output=True, text=True, check=False)
    assert ran.returncode == 0, ran.stdout + ran.stderr


def test_a_fault_of_the_npm_package_comes_through(
    packages: None,
    tool: Callable[[str], str],
    tmp_path: Path,
) -> None:
    shutil.copytree(NODE_MODULES, tmp_path / "node_modules", symlinks=True)
    package = tmp_path / "node_modules" / "baccarat-engine"
    command = (tool("node"), "examples/downstream/baccarat-engine.js", str(package), "winner", "totals", "cards")
    assert ask(*command)["verdict"] == "agrees"
    replace_in(package / "src/gameEngine/baccaratGameEngine.js", "< 3)", "< 4)")
    found = ask(*command)
    assert found["verdict"] == "differs"
    assert "flip banker_draw 3/8" in [entry["name"] for entry in found["explained"]["coups"]]


def test_a_fault_of_the_pypi_package_comes_through(packages: None, tmp_path: Path) -> None:
    shutil.copytree(PYTHON_PACKAGES, tmp_path / "packages")
    command = (sys.executable, "examples/downstream/pybaccarat_adapter.py", str(tmp_path / "packages"))
    assert ask(*command)["verdict"] == "agrees"
    replace_in(tmp_path / "packages/pybaccarat/baccarat.py", "5, 6, 6, 2, 3", "5, 6, 6, 3, 3")
    found = ask(*command)
    assert found["verdict"] == "differs"
    assert "flip banker_draw 3/8" in [entry["name"] for entry in found["explained"]["coups"]]


def test_reproduce_lines_name_what_differs(packages: None, root: Path) -> None:
    report = (root / "reports" / "implementations.md").read_text(encoding="utf-8")
    line = re.findall(r"^baccarat-oracle (test .*)", report, re.MULTILINE)[0]
    ran = subprocess.run(
        [sys.executable, "-m", "oracle", *line.split()], cwd=root, capture_output=True, text=True, check=False
    )
    assert ran.returncode == 1
    assert "player pair: yes expected, no answered" in ran.stdout

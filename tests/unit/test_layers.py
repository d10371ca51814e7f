"""The way of the data: a stage imports only stages above it, and only report and cli print."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from pathlib import Path

import pytest

PACKAGE = Path(__file__).resolve().parents[2] / "oracle"

# From DESIGN: what stands further down may import what stands further up. Positions in files and errors are the
# floor that everything stands on; the solver room belongs to the checks.
STAGES = (
    ("oracle._version", "oracle._callable_package", "oracle.text", "oracle.spans", "oracle._collector"),
    ("oracle.cards",),
    ("oracle.rules",),
    ("oracle.files",),
    ("oracle.game",),
    ("oracle.odds",),
    ("oracle.programs",),
    ("oracle.mutants",),
    ("oracle.checks", "oracle.solver"),
    ("oracle.compare",),
    ("oracle.cases",),
    ("oracle.cases.experiments",),
    ("oracle.conformance", "oracle.conformance.protocol"),
    ("oracle.conformance.judge",),
    ("oracle.conformance.run", "oracle.conformance.adapters"),
    ("oracle.conformance.diagnose",),
    ("oracle.conformance.summary",),
    ("oracle.conformance.request", "oracle.conformance.trial"),
    ("oracle.conformance.evidence",),
    ("oracle.audit",),
    ("oracle.report",),
    ("oracle.cli",),
    ("oracle.testing",),
)
# The public names, what tests of other programs import, and `python -m oracle`.
TOP = ("oracle", "oracle.__main__", "oracle.testing", "oracle.testing.pytest_plugin", "oracle.testing.strategies")


def modules() -> Iterator[tuple[str, Path]]:
    for path in sorted(PACKAGE.rglob("*.py")):
        parts = path.relative_to(PACKAGE.parent).with_suffix("").parts
        yield ".".join(parts[:-1] if parts[-1] == "__init__" else parts), path


MODULES = dict(modules())


def stage(module: str) -> int:
    """The place of a module in the way of the data; the longest name that fits counts."""
    fitting = [(len(name), place) for place, names in enumerate(STAGES) for name in names if within(module, name)]
    assert fitting, f"{module} belongs to no stage"
    return max(fitting)[1]


def within(module: str, name: str) -> bool:
    return module == name or module.startswith(f"{name}.")


def imports(path: Path) -> Iterator[tuple[str, int]]:
    """Every module of the package that a file imports anywhere, with the line."""
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if isinstance(node, ast.Import):
            names = [alias.name for alias in node.names]
        elif isinstance(node, ast.ImportFrom):
            assert not node.level, f"{path}:{node.lineno} imports relatively"
            inner = [f"{node.module}.{alias.name}" for alias in node.names]
            names = [name if name in MODULES else str(node.module) for name in inner]
        else:
            continue
        yield from ((name, node.lineno) for name in names if within(name, "oracle"))


@pytest.mark.parametrize("module", [name for name in MODULES if name not in TOP])
def test_a_stage_imports_only_stages_above_it(module: str) -> None:
    wrong = [
        f"{MODULES[module]}:{line}: {module} imports {name}"
        for name, line in imports(MODULES[module])
        if name in TOP or stage(name) > stage(module)
    ]
    assert wrong == []


def test_every_stage_with_a_folder_is_one_of_the_design() -> None:
    for path in PACKAGE.iterdir():
        if path.is_dir() and (path / "__init__.py").is_file():
            stage(f"oracle.{path.name}")


def prints(path: Path) -> Iterator[int]:
    """The lines on which a file writes to the terminal."""
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if isinstance(node, ast.Call):
            function = ast.unparse(node.func)
            if function in ("print", "click.echo", "click.secho", "rich.print") or function.startswith(
                ("sys.stdout.", "sys.stderr.", "console.")
            ):
                yield node.lineno


# A worker's standard output is its answer to the process that started it.
PRINTING = ("oracle.cli", "oracle.report", "oracle.solver.worker")


@pytest.mark.parametrize("module", [name for name in MODULES if not name.startswith(PRINTING)])
def test_only_report_and_cli_print(module: str) -> None:
    assert [f"{MODULES[module]}:{line}" for line in prints(MODULES[module])] == []


def test_the_way_down_is_noticed(tmp_path: Path) -> None:
    """These tests see what they are for."""
    file = tmp_path / "wrong.py"
    file.write_text("def f():\n    from oracle.report.payload import dump\n    print(dump(1))\n", encoding="utf-8")
    assert list(imports(file)) == [("oracle.report.payload", 2)]
    assert stage("oracle.report.payload") > stage("oracle.checks.gap")
    assert list(prints(file)) == [3]


@pytest.mark.parametrize("module", [name for name in MODULES if within(name, "oracle.cli") and name != "oracle.cli"])
def test_a_subcommand_knows_nothing_of_another_one(module: str) -> None:
    commands = {name for name, path in MODULES.items() if "command(" in path.read_text(encoding="utf-8")}
    assert [name for name, _ in imports(MODULES[module]) if name in commands and within(name, "oracle.cli")] == []

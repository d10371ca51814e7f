"""The way of the data: a stage imports only stages above it, and only report and cli print."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator, Mapping, Set
from functools import cache
from pathlib import Path

from oracle.cli import _COMMANDS
from oracle.conformance.adapters import LANGUAGES
from tests.nonempty import nonempty

PACKAGE = Path(__file__).resolve().parents[2] / "oracle"

# From DESIGN: what stands further down may import what stands further up. Positions in files and errors are the
# floor that everything stands on. The checks ask the solvers, which know nothing of findings.
STAGES = (
    (
        "oracle._version",
        "oracle._callable_package",
        "oracle.text",
        "oracle.spans",
        "oracle._collector",
        "oracle.progress",
    ),
    ("oracle.cards",),
    ("oracle.rules",),
    ("oracle.files",),
    ("oracle.game",),
    ("oracle.odds",),
    ("oracle.programs",),
    ("oracle.mutants",),
    ("oracle.solver",),
    ("oracle.checks",),
    ("oracle.compare",),
    ("oracle.cases",),
    ("oracle.cases.experiments",),
    ("oracle.diagnosis",),
    ("oracle.conformance", "oracle.conformance.protocol"),
    ("oracle.conformance.judge",),
    ("oracle.conformance.run", "oracle.conformance.adapters"),
    ("oracle.conformance.diagnose",),
    ("oracle.conformance.summary",),
    ("oracle.conformance.request", "oracle.conformance.trial"),
    ("oracle.conformance.evidence",),
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


@cache
def nodes(path: Path) -> list[ast.AST]:
    """The syntax of a file, read once."""
    return list(ast.walk(ast.parse(path.read_text(encoding="utf-8"))))


@cache
def imports(path: Path) -> list[tuple[str, int]]:
    """Every module of the package that a file imports anywhere, with the line."""
    return list(_imports(path))


def _imports(path: Path) -> Iterator[tuple[str, int]]:
    for node in nodes(path):
        if isinstance(node, ast.Import):
            names = [alias.name for alias in node.names]
        elif isinstance(node, ast.ImportFrom):
            assert not node.level, f"{path}:{node.lineno} imports relatively"
            inner = [f"{node.module}.{alias.name}" for alias in node.names]
            names = [name if name in MODULES else str(node.module) for name in inner]
        else:
            continue
        yield from ((name, node.lineno) for name in names if within(name, "oracle"))


IMPORTED = {module: {name for name, _ in imports(path) if name in MODULES} for module, path in MODULES.items()}


def test_a_stage_imports_only_stages_above_it() -> None:
    wrong = [
        f"{MODULES[module]}:{line}: {module} imports {name}"
        for module in nonempty(name for name in MODULES if name not in TOP)
        for name, line in imports(MODULES[module])
        if name in TOP or stage(name) > stage(module)
    ]
    assert wrong == []


# Amounts are written in SMT-LIB, and the scripts of the questions about money are written with amounts.
CIRCLES: list[set[str]] = [{"oracle.solver.amounts", "oracle.solver.smtlib"}]


def reached(module: str) -> set[str]:
    """What a module imports, by way of others too, in functions and for its types as well."""
    found: set[str] = set()
    waiting = [module]
    while waiting:
        more = IMPORTED[waiting.pop()] - found
        found |= more
        waiting += more
    return found


def test_modules_dont_import_each_other() -> None:
    far = {module: reached(module) for module in MODULES if module not in TOP}
    circles = {frozenset(m for m in far[module] if module in far.get(m, ())) for module in far if module in far[module]}
    assert [circle for circle in circles if circle not in CIRCLES] == []


def test_every_stage_with_a_folder_is_one_of_the_design() -> None:
    for path in PACKAGE.iterdir():
        if path.is_dir() and (path / "__init__.py").is_file():
            stage(f"oracle.{path.name}")


def test_every_package_is_known_and_every_stage_is_there() -> None:
    """A stage without a module would hold nothing to its place."""
    for module in MODULES:
        assert module in TOP or stage(module) >= 0
    listed = [name for names in STAGES for name in names]
    assert len(set(listed)) == len(listed)
    assert [name for name in listed if not any(within(module, name) for module in MODULES)] == []


def for_types(tree: ast.AST) -> set[int]:
    """The lines of a file that only a type checker reads."""
    return {
        line
        for node in ast.walk(tree)
        if isinstance(node, ast.If) and ast.unparse(node.test) == "TYPE_CHECKING"
        for part in node.body
        for line in range(part.lineno, (part.end_lineno or part.lineno) + 1)
    }


def circles(graph: Mapping[str, Set[str]]) -> list[list[str]]:
    """Modules that import each other by some way round, sorted: what is left once no more can be taken off an end."""
    left = {module: set(names) & set(graph) - {module} for module, names in graph.items()}
    while loose := [m for m in left if not left[m] or not any(m in names for names in left.values())]:
        for module in loose:
            del left[module]
        left = {module: names & set(left) for module, names in left.items()}
    return [sorted(left)] if left else []


def test_no_modules_import_each_other_by_any_way_round() -> None:
    """Not inside a stage either, nor within a function; for types alone they may."""
    graph = {}
    for module, path in MODULES.items():
        skipped = for_types(ast.parse(path.read_text(encoding="utf-8")))
        graph[module] = {name for name, line in imports(path) if line not in skipped}
    assert circles(graph) == []


def test_a_circle_is_noticed(tmp_path: Path) -> None:
    assert circles({"a": {"b"}, "b": {"c"}, "c": {"b"}, "d": {"a"}}) == [["b", "c"]]
    assert circles({"a": {"b", "a"}, "b": set()}) == []
    file = tmp_path / "typed.py"
    file.write_text("if TYPE_CHECKING:\n    import oracle.cards\nimport oracle.game\n", encoding="utf-8")
    assert for_types(ast.parse(file.read_text(encoding="utf-8"))) == {2}


def prints(path: Path) -> Iterator[int]:
    """The lines on which a file writes to the terminal."""
    for node in nodes(path):
        if isinstance(node, ast.Call):
            function = ast.unparse(node.func)
            if function in ("print", "click.echo", "click.secho", "rich.print") or function.startswith(
                ("sys.stdout.", "sys.stderr.", "console.")
            ):
                yield node.lineno


# What is looked up by a name that isn't written out: commands by theirs, adapters as files.
LOOKED_UP = {
    *(f"oracle.cli.{name}" for name in _COMMANDS),
    *(f"oracle.conformance.adapters.{Path(language.file).stem}" for language in LANGUAGES.values()),
}


def reachable() -> set[str]:
    """What some other module imports or names as text, what packaging names, and the packages around all of that."""
    text = (PACKAGE.parent / "pyproject.toml").read_text(encoding="utf-8")
    named = set(re.findall(r"oracle(?:\.\w+)+", text)) | LOOKED_UP
    for module, path in MODULES.items():
        named |= IMPORTED[module] - {module}
        for node in nodes(path):
            if isinstance(node, ast.Constant) and isinstance(node.value, str):
                named |= set(re.findall(r"oracle(?:\.\w+)+", node.value)) - {module}
    return {*named, *(name.rpartition(".")[0] for name in named)}


def test_no_module_is_left_that_nothing_uses() -> None:
    unused = set(MODULES) - reachable() - {"oracle.__main__"}
    assert unused == set(), "import it, register it, or take it away"


def test_every_format_of_odds_is_registered() -> None:
    from oracle.report.odds.odds_formats import FORMATS

    with_render = {
        name
        for name in nonempty(name for name in MODULES if within(name, "oracle.report.odds"))
        for node in nodes(MODULES[name])
        if isinstance(node, ast.FunctionDef) and node.name == "render"
    }
    assert with_render == set(FORMATS.values())


# A worker's standard output is its answer to the process that started it.
PRINTING = ("oracle.cli", "oracle.report", "oracle.solver.worker")


def test_only_report_and_cli_print() -> None:
    silent = [path for name, path in MODULES.items() if not name.startswith(PRINTING)]
    assert [f"{path}:{line}" for path in nonempty(silent) for line in prints(path)] == []


def test_the_way_down_is_noticed(tmp_path: Path) -> None:
    """These tests see what they are for."""
    file = tmp_path / "wrong.py"
    file.write_text("def f():\n    from oracle.report.payload import dump\n    print(dump(1))\n", encoding="utf-8")
    assert imports(file) == [("oracle.report.payload", 2)]
    assert stage("oracle.report.payload") > stage("oracle.checks.gap")
    assert list(prints(file)) == [3]


def test_a_subcommand_knows_nothing_of_another_one() -> None:
    commands = {name for name, path in MODULES.items() if "command(" in path.read_text(encoding="utf-8")}
    for module in nonempty(name for name in MODULES if within(name, "oracle.cli") and name != "oracle.cli"):
        known = [name for name, _ in imports(MODULES[module]) if name in commands and within(name, "oracle.cli")]
        assert known == [], module

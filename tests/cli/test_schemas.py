"""Every JSON output keeps to the schema that `schema` prints of it, and to no looser one."""

from __future__ import annotations

import json
import shutil
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import jsonschema
import pytest

from oracle.cli import run
from oracle.report.schemas import OUTPUTS

ROOT = Path(__file__).resolve().parents[2]
VARIANTS = ("--specs", str(ROOT / "tests" / "variants"))
COUP = ("4H", "2S", "9C", "AD", "8D")
SCRIPT = "participants ana rui\ncoup 4H 2S 9C AD 8D 2C; ana banker=20; rui tie=20\n"
LONG = SCRIPT + "coup 9H 2S KC AD; ana banker=20; rui player=20\n" * 9
# Outputs that a command prints; `{}` is a folder with a script, and logs of a right and of a wrong program.
PRINTED = [
    ("odds", ("odds", "--rules", "home-pt")),
    ("odds", ("odds", "--rules", "home-pt", "--all", "--after", "9 9 8H")),
    ("odds", ("odds", "--rules", "home-pt", "--all", "--shoe", "endless")),
    ("odds", ("odds", "--rules", "home-pt", "--all", "--shoe", "A=6")),
    ("odds", ("odds", *VARIANTS, "--rules", "chemin-de-fer", "--shoe", "8 decks")),
    ("odds", ("odds", *VARIANTS, "--rules", "four-per-cent")),
    ("play", ("play", "--rules", "home-pt", *COUP, "--bet", "banker=20")),
    ("play", ("play", "--rules", "selminha/classica", "9", "2", "K", "A", "5", "--bet", "tie=5")),
    ("rules", ("rules",)),
    ("session", ("session", "{}/short.txt", "--rules", "home-pt")),
    ("session", ("session", "{}/long.txt", "--rules", "home-pt")),
    ("diff", ("diff", "{}/right.ndjson", "{}/wrong.ndjson")),
]
TESTS = [
    ("--tier", "minimal", "--tier", "session", "--tier", "shoe", "--tier", "cards"),
    ("--adaptive",),
]


@pytest.fixture(scope="module")
def place(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with scripts, a right and a wrong program, their logs, known failures, and evidence."""
    folder = tmp_path_factory.mktemp("outputs")
    (folder / "short.txt").write_text(SCRIPT)
    (folder / "long.txt").write_text(LONG)
    text = (ROOT / "examples" / "mine.py").read_text()
    (folder / "right.py").write_text(text)
    (folder / "wrong.py").write_text(text.replace("5, 6, 7, 9)", "5, 6, 9)"))
    for name in ("right", "wrong"):
        program = ("--", "python3", str(folder / f"{name}.py"))
        run(["test", "--rules", "home-pt", "--tier", "minimal", "--log", str(folder / f"{name}.ndjson"), *program])
    more = ("--write-known", str(folder / "known.jsonl"), "--evidence", str(folder / "filed"))
    run(["test", "--rules", "home-pt", "--tier", "minimal", *more, "--", "python3", str(folder / "wrong.py")])
    return folder


Keeps = Callable[[str, Any], None]


@pytest.fixture
def keeps(capsys: pytest.CaptureFixture[str]) -> Keeps:
    """Holds data against the schema of a name; a field more or less is refused where fields are closed."""

    def keeps(name: str, found: Any) -> None:
        capsys.readouterr()
        assert run(["schema", name]) == 0
        schema = json.loads(capsys.readouterr().out)
        assert schema["$schema"] == "https://json-schema.org/draft/2020-12/schema"
        jsonschema.Draft202012Validator.check_schema(schema)
        validator = jsonschema.Draft202012Validator(schema)
        assert [f"{error.json_path}: {error.message}" for error in validator.iter_errors(found)] == []
        assert list(validator.iter_errors([])), "an empty list is none of them"
        for broken in changed(found) if name not in ("log", "case", "fixtures") else ():
            assert list(validator.iter_errors(broken)), broken.keys()

    return keeps


def changed(found: dict[str, Any]) -> Iterator[dict[str, Any]]:
    yield {**found, "surprise": 1}
    if "format" in found:
        yield {**found, "format": "one"}


@pytest.mark.parametrize(("name", "args"), PRINTED, ids=[" ".join(args[:4]) for _, args in PRINTED])
def test_what_is_printed_keeps_to_its_schema(
    name: str, args: tuple[str, ...], place: Path, keeps: Keeps, capsys: pytest.CaptureFixture[str]
) -> None:
    run([*(arg.replace("{}", str(place)) for arg in args), "--format", "json"])
    found = json.loads(capsys.readouterr().out)
    assert found["format"] == 1
    keeps(name, found)


@pytest.mark.parametrize("program", ["right", "wrong"])
@pytest.mark.parametrize("args", TESTS, ids=["tiers", "adaptive"])
def test_a_run_keeps_to_its_schema(
    args: tuple[str, ...], program: str, place: Path, keeps: Keeps, capsys: pytest.CaptureFixture[str]
) -> None:
    run(["test", "--rules", "home-pt", "--format", "json", *args, "--", "python3", str(place / f"{program}.py")])
    keeps("test", json.loads(capsys.readouterr().out))


def test_what_is_written_keeps_to_its_schema(place: Path, keeps: Keeps) -> None:
    keeps("evidence", json.loads((place / "filed" / "evidence.json").read_text()))
    keeps("test", json.loads((place / "filed" / "test.json").read_text()))
    keeps("fixtures", json.loads((ROOT / "fixtures" / "manifest.json").read_text()))
    for name, path in (("log", place / "wrong.ndjson"), ("known", place / "known.jsonl")):
        lines = path.read_text().splitlines()
        for line in (lines[0], lines[1], lines[-1]):
            keeps(name, json.loads(line))
    for path in sorted((ROOT / "fixtures").rglob("*.jsonl")):
        with path.open(encoding="utf-8") as file:
            keeps("case", json.loads(next(file)))


def test_every_output_with_a_format_option_has_a_schema() -> None:
    """A command that prints JSON is one of the names; each name is validated above, or with `check` and `compare`."""
    printing = {
        path.stem for path in (ROOT / "oracle" / "cli").glob("*.py") if '"--format"' in path.read_text(encoding="utf-8")
    }
    assert printing - {"fixtures"} <= set(OUTPUTS), "fixtures export writes cases, which are `case`"
    tried = {name for name, _ in PRINTED} | {"test", "evidence", "fixtures", "log", "known", "case"}
    assert set(OUTPUTS) - tried == {"check", "compare"}
    assert shutil.which("python3")

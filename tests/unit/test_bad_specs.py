"""Every error of the loader: what it says, where it points, and how it helps, word for word.

`tests/bad_specs` has a file for each code beside the expected message. After a change of wording:
`REGENERATE_GOLDEN=1 python -m pytest tests/unit/test_bad_specs.py`, then read every line of the difference.
"""

from __future__ import annotations

import ast
import os
from pathlib import Path

import pytest

from oracle.rules.library import Library
from oracle.rules.read import read_spec, read_spec_text
from oracle.spans import Problem, SpecError
from tests.nonempty import nonempty

ROOT = Path(__file__).resolve().parents[2]
BAD = ROOT / "tests" / "bad_specs"
CASES = sorted(path.relative_to(BAD).as_posix() for pattern in ("*.yaml", "*/main.yaml") for path in BAD.glob(pattern))
# Everywhere else one mistake gives one message.
MESSAGES = {
    "alias.yaml": 2,  # the anchor and its use
    "bad-value-chooser.yaml": 2,  # two mistakes
    "bad-value-default.yaml": 2,  # a wrong guard and a wrong answer in one case
    "several-at-once.yaml": 12,
    "unknown-id-choose.yaml": 2,  # two mistakes
}
# Made by tests below: a file can't be committed as a folder or a pipe, and ten megabytes shouldn't be.
GENERATED = {"too-large", "too-many-problems", "unreadable"}


def problems_of(case: str) -> tuple[Problem, ...]:
    with pytest.raises(SpecError) as caught:
        Library(shipped=False).load(Path(case))
    return caught.value.problems


@pytest.mark.parametrize("case", CASES)
def test_message_is_the_expected_one(case: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(BAD)
    text = "\n".join(problem.render() for problem in problems_of(case)) + "\n"
    golden = (BAD / case).with_suffix(".txt")
    if os.environ.get("REGENERATE_GOLDEN"):
        golden.write_text(text, encoding="utf-8", newline="\n")
    assert golden.read_text(encoding="utf-8") == text


@pytest.mark.parametrize("case", CASES)
def test_one_mistake_gives_one_message(case: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(BAD)
    assert len(problems_of(case)) == MESSAGES.get(case, 1)


@pytest.mark.parametrize("case", CASES)
def test_file_is_named_after_its_code(case: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(BAD)
    name = case.partition("/")[0].removesuffix(".yaml")
    codes = {problem.code for problem in problems_of(case)}
    assert name == "several-at-once" or any(name == c or name.startswith(f"{c}-") for c in codes)


@pytest.mark.parametrize("case", CASES)
def test_problem_stands_inside_the_file_and_says_how_to_mend_it(case: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(BAD)
    for problem in nonempty(problems_of(case)):
        lines = (BAD / problem.span.file).read_bytes().decode("utf-8", "replace").splitlines()
        span = problem.span
        assert 1 <= span.line <= len(lines)
        assert 1 <= span.column <= len(lines[span.line - 1]) + 1
        assert (span.line, span.column) < (span.end_line, span.end_column)
        assert problem.help
        assert problem.message[0].islower() or problem.message[0] in "`0123456789"


def test_several_mistakes_are_told_in_file_order(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(BAD)
    places = [(p.span.line, p.span.column) for p in problems_of("several-at-once.yaml")]
    assert places == sorted(places)


def test_no_message_is_left_over() -> None:
    goldens = {path.relative_to(BAD).with_suffix("").as_posix() for path in BAD.rglob("*.txt")}
    assert goldens == {case.removesuffix(".yaml") for case in CASES}


def codes_in(path: Path) -> set[str]:
    """The codes that a module notes problems under, read from its source."""
    found: set[str] = set()

    def constants(node: ast.expr) -> None:
        if isinstance(node, ast.IfExp):
            constants(node.body)
            constants(node.orelse)
        elif isinstance(node, ast.Constant) and isinstance(node.value, str):
            found.add(node.value)

    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if isinstance(node, ast.Call):
            name = node.func.attr if isinstance(node.func, ast.Attribute) else getattr(node.func, "id", "")
            if name in ("problem", "Problem", "Trouble", "_once") and node.args:
                constants(node.args[0])
            for keyword in node.keywords:
                if keyword.arg == "code":
                    constants(keyword.value)
        elif isinstance(node, ast.FunctionDef):
            for argument, default in zip(node.args.kwonlyargs, node.args.kw_defaults, strict=True):
                if argument.arg == "code" and default is not None:
                    constants(default)
        elif isinstance(node, ast.Assign) and "code" in {getattr(t, "id", "") for t in node.targets}:
            constants(node.value)
    return found


def test_every_code_has_a_file() -> None:
    codes = set().union(*(codes_in(path) for path in (ROOT / "oracle" / "rules").glob("*.py")))
    assert len(codes) > 50  # the search itself works
    shown = {
        code
        for code in codes
        for case in CASES
        if f"error[{code}]" in (BAD / case).with_suffix(".txt").read_text(encoding="utf-8")
    }
    assert codes - shown == GENERATED


# --- what no committed file can show -------------------------------------------------------------


def test_ten_megabytes_are_refused_unread(tmp_path: Path) -> None:
    path = tmp_path / "big.yaml"
    path.write_bytes(b"# filling\n" * 1_000_000)
    with pytest.raises(SpecError, match=r"error\[too-large\]: larger than 1,000,000 bytes"):
        read_spec(path)
    with pytest.raises(SpecError, match="too-large"):
        read_spec_text("# filling\n" * 1_000_000)


def test_folder_is_no_file(tmp_path: Path) -> None:
    with pytest.raises(SpecError, match=r"error\[unreadable\]: not a regular file"):
        read_spec(tmp_path)


def test_missing_file_is_named(tmp_path: Path) -> None:
    with pytest.raises(SpecError, match=r"nowhere\.yaml:1:1: error\[unreadable\]: can't be read: No such file"):
        read_spec(tmp_path / "nowhere.yaml")


@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="no named pipes here")
def test_pipe_is_refused_without_waiting_for_a_writer(tmp_path: Path) -> None:
    path = tmp_path / "pipe.yaml"
    os.mkfifo(path)
    with pytest.raises(SpecError, match=r"error\[unreadable\]: not a regular file"):
        read_spec(path)


def test_circle_of_links_is_unreadable(tmp_path: Path) -> None:
    path = tmp_path / "loop.yaml"
    path.symlink_to(path)
    with pytest.raises(SpecError, match=r"error\[unreadable\]"):
        Library(shipped=False).load(path)


def test_path_with_a_nul_is_unreadable() -> None:
    with pytest.raises(SpecError, match=r"error\[unreadable\]"):
        Library(shipped=False).load(Path("a\0b.yaml"))


def test_reading_stops_after_a_hundred_problems() -> None:
    text = "source: {}\nstatements:\n" + "  - nothing\n" * 5000
    with pytest.raises(SpecError) as caught:
        read_spec_text(text)
    assert len(caught.value.problems) == 101
    assert "error[too-many-problems]: 100 problems, and perhaps more" in str(caught.value)


def test_file_name_with_control_characters_can_be_printed(tmp_path: Path) -> None:
    path = tmp_path / "red\x1b[31m.yaml"
    path.write_text("- no spec\n", encoding="utf-8")
    with pytest.raises(SpecError) as caught:
        read_spec(path, name=path.name)
    assert "\x1b" not in str(caught.value)
    assert str(caught.value).startswith(r"red\x1b[31m.yaml:1:1: error[wrong-kind]")

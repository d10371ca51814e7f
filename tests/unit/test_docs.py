"""The README tells the truth: its commands print what it shows, and its Python does what it says.

In a `console` block a line `…` stands for any number of lines, and `…` in a line for anything there. A `yaml` or
`text` block that begins with the name of a file is that file in the folder where the commands run.
"""

from __future__ import annotations

import doctest
import re
import shlex
from pathlib import Path

import pytest

from oracle.cli import run
from tests.nonempty import nonempty

ROOT = Path(__file__).resolve().parents[2]
README = (ROOT / "README.md").read_text(encoding="utf-8")
BLOCK = re.compile(r"^```(\w+)\n(.*?)^```$", re.DOTALL | re.MULTILINE)
BLOCKS = [(match[1], match[2]) for match in BLOCK.finditer(README)]
FILES = {
    text.split("\n", 1)[0][2:]: text for kind, text in BLOCKS if kind in ("yaml", "text") and text.startswith("# ")
}


def commands() -> list[tuple[str, str]]:
    """Each command of the console blocks with what is shown of its output."""
    found = []
    for kind, text in BLOCKS:
        if kind == "console":
            for part in re.split(r"^\$ ", text, flags=re.MULTILINE)[1:]:
                command, _, shown = part.partition("\n")
                found.append((command, shown))
    return found


OURS = [(command, shown) for command, shown in commands() if command.startswith("baccarat-oracle ")]
PRINTED: dict[str, str] = {}  # by command, of the blocks that were run


def matches(shown: str, printed: str) -> str:
    """The first piece of an excerpt that the output doesn't have in its place; empty if it has all."""
    place = 0
    pieces = [piece.strip("\n") for piece in re.split(r"^…$", shown, flags=re.MULTILINE)]
    for number, piece in enumerate(pieces):
        if not piece:
            continue
        found = _pattern(piece, r"(?<=\n)", r"(?=\n)").search(f"\n{printed}\n", place)
        if found is None or (number == 0 and found.start() != 1):
            return piece
        place = found.end()
    last = pieces[-1]
    return "" if not last or _pattern(last, "", r"\Z").search(printed.rstrip("\n")) else last


def _pattern(piece: str, before: str, after: str) -> re.Pattern[str]:
    return re.compile(before + re.escape(piece).replace("…", r"[^\n]*") + after)


def mistaken() -> str:
    """The example whose banker stands on three against a seven."""
    row = "3: (0, 1, 2, 3, 4, 5, 6, 7, 9)"
    text = (ROOT / "examples" / "mine.py").read_text(encoding="utf-8")
    assert row in text
    return text.replace(row, row.replace("7, ", ""))


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """An own folder with the README's files, in which paths of the shipped specs read as in the checkout.

    Its `mine.py` is the example with the mistake that the README tells, `mended.py` the one without.
    """
    mended = (ROOT / "examples" / "mine.py").read_text(encoding="utf-8")
    for name, text in {**FILES, "mine.py": mistaken(), "mended.py": mended}.items():
        (tmp_path / name).write_text(text, encoding="utf-8")
    monkeypatch.chdir(tmp_path)
    return tmp_path


@pytest.mark.parametrize(("command", "shown"), OURS, ids=[command for command, _ in OURS])
def test_commands_print_what_the_readme_shows(
    command: str, shown: str, folder: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    if command not in PRINTED:
        (block,) = (text for kind, text in BLOCKS if kind == "console" and f"$ {command}\n" in text)
        for one in re.findall(r"^\$ (.*)$", block, flags=re.MULTILINE):
            run(shlex.split(one)[1:])
            PRINTED[one] = "".join(capsys.readouterr())
    printed = PRINTED[command]
    missing = matches(shown, printed)
    assert not missing, f"{command} doesn't print:\n{missing}\nbut:\n{printed}"


@pytest.mark.slow
def test_make_prints_what_the_readme_shows(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (shown,) = (shown for command, shown in commands() if command == "make")
    run(["check", "--solvers", "none"])
    run(["compare"])
    printed = capsys.readouterr().out + "wrote reports/checks.md\n"
    assert matches(shown, printed) == ""


def test_the_python_of_the_readme_does_what_it_says() -> None:
    sessions = [text for kind, text in BLOCKS if kind == "python"]
    assert sessions
    for text in sessions:
        test = doctest.DocTestParser().get_doctest(text, {}, "README.md", "README.md", 0)
        runner = doctest.DocTestRunner(verbose=False)
        runner.run(test)
        assert runner.failures == 0


def test_the_package_docstring_does_what_it_says() -> None:
    import oracle

    assert doctest.testmod(oracle).failed == 0


def test_every_link_of_the_readme_leads_somewhere() -> None:
    for target in nonempty(re.findall(r"\]\(([^)#]+)\)", README)):
        assert "://" in target or (ROOT / target).exists(), target


def test_an_excerpt_that_isnt_there_is_noticed() -> None:
    assert matches("a\n…\nc\n", "a\nb\nc\n") == ""
    assert matches("…\nb\n…\n", "a\nb\nc\n") == ""
    assert matches("a\nb\nc\n", "a\nb\nc\n") == ""
    assert matches("b\n…\n", "a\nb\nc\n") == "b", "an excerpt without … begins at the beginning"
    assert matches("…\nb\n", "a\nb\nc\n") == "b", "and ends at the end"
    assert matches("…\nd\n…\n", "a\nb\nc\n") == "d"
    assert matches("a: … b\n", "a: 13 b\n") == ""
    assert matches("a: … b\n", "a: 1\n3 b\n") == "a: … b", "within a line"
    assert matches("…\nc\n…\na\n…\n", "a\nb\nc\n") == "a", "pieces come in order"


def test_the_readme_says_where_everything_is() -> None:
    section = README.partition("\n## What is where\n")[2].partition("\n## ")[0]
    assert len(section.splitlines()) <= 40, "one screen"
    rows = {row.split("|")[1].strip(): row for row in section.splitlines() if row.startswith("| `")}
    for folder in nonempty(path for path in ROOT.iterdir() if path.is_dir() and not path.name.startswith((".", "_"))):
        if any(path.is_file() for path in folder.rglob("*.*")) and folder.name not in ("build", "dist", "htmlcov"):
            assert f"`{folder.name}/`" in section, folder.name
    for name in nonempty(path.parent.name for path in ROOT.glob("oracle/*/__init__.py")):
        assert re.search(rf"`{name}`", rows["`oracle/`"]), name
    for name in nonempty({path.relative_to(ROOT / "tests").parts[0] for path in ROOT.glob("tests/*/**/*.*")}):
        assert f"`{name}`" in rows["`tests/`"] or name.startswith("__"), name
    for page in nonempty((ROOT / "docs").glob("*.md")):
        assert f"(docs/{page.name})" in rows["`docs/`"], page.name
    for path in nonempty(re.findall(r"`(oracle/[\w/.]+)`", section)):
        assert (ROOT / path).exists(), path


def test_the_readme_names_every_command() -> None:
    from oracle.cli import _COMMANDS

    for name in _COMMANDS:
        assert re.search(rf"(baccarat-oracle |`|make ){name}\b", README), name
    for link in ("docs/add-a-source.md", "docs/language.md", "docs/decisions"):
        assert f"({link})" in README


@pytest.mark.parametrize("path", sorted((ROOT / "docs").rglob("*.md")), ids=lambda path: path.name)
def test_documents_show_no_command_that_isnt_there(path: Path) -> None:
    from oracle.cli import _COMMANDS

    text = path.read_text(encoding="utf-8")
    assert set(re.findall(r"baccarat-oracle ([a-z]+)\b", text)) <= set(_COMMANDS)
    for target in re.findall(r"\]\(([^)#]+)(?:#[^)]*)?\)", text):
        assert "://" in target or (path.parent / target).exists(), target

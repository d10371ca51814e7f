"""`docs/add-a-source.md` step by step: every command is run, and what it prints is what the guide shows."""

from __future__ import annotations

import re
import shlex
import shutil
from fractions import Fraction
from pathlib import Path

import msgspec
import pytest

from oracle.cli import run
from oracle.game.rules import Rules, load_rules
from oracle.game.tables import Tables

ROOT = Path(__file__).resolve().parents[2]
GUIDE = ROOT / "docs" / "add-a-source.md"
DOCUMENT = ROOT / "tests" / "documents" / "harbour.txt"
BLOCK = re.compile(r"(?:<!-- ([^\n]*?) -->\n)?```(\w+)\n(.*?)```\n", re.DOTALL)


class Step(msgspec.Struct, frozen=True):
    """A block of the guide: its language, its text, and what the comment before it says to do with it."""

    language: str
    text: str
    order: str = ""


def steps() -> list[Step]:
    found = BLOCK.findall(GUIDE.read_text(encoding="utf-8"))
    return [Step(language, text, order) for order, language, text in found]


def commands(text: str) -> list[tuple[str, list[str]]]:
    """The commands of a console block, each with the lines that it prints."""
    found: list[tuple[str, list[str]]] = []
    for line in text.splitlines():
        if line.startswith("$ "):
            found.append((line[2:], []))
        else:
            found[-1][1].append(line)
    return found


def shown(actual: list[str], expected: list[str]) -> bool:
    """Whether the guide shows these lines; its line `…` stands for any number of them."""
    if not expected:
        return not actual
    if expected[0] == "…":
        return any(shown(actual[skip:], expected[1:]) for skip in range(len(actual) + 1))
    return bool(actual) and actual[0] == expected[0] and shown(actual[1:], expected[1:])


def follow(capsys: pytest.CaptureFixture[str]) -> int:
    """Do what the guide says in the current folder; how many commands it ran. Fails where something else comes out."""
    code = ran = 0
    spec = Path("harbour.yaml")
    for step in steps():
        if step.order == "the document":
            assert step.text == DOCUMENT.read_text(encoding="utf-8")
        elif step.order.startswith("in the place of "):
            written = spec.read_text(encoding="utf-8")
            place = written.index(step.order.removeprefix("in the place of "))
            spec.write_text(written[:place] + step.text, encoding="utf-8")
        elif step.order == "at the end":
            spec.write_text(spec.read_text(encoding="utf-8") + step.text, encoding="utf-8")
        else:
            assert step.language == "console", "every other block has to say what to do with it"
            for command, expected in commands(step.text):
                program, *args = shlex.split(command)
                if program == "baccarat-oracle":
                    code = run(args)
                    out, err = capsys.readouterr()
                    actual = (err + out).splitlines()
                elif program == "echo":
                    actual = [str(code)]
                else:
                    assert (program, args) == ("tail", ["-n", "4", "harbour.yaml"])
                    actual = spec.read_text(encoding="utf-8").splitlines()[-4:]
                assert shown(actual, expected), f"$ {command}\n" + "\n".join(actual)
                ran += 1
    return ran


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    shutil.copy(DOCUMENT, tmp_path)
    monkeypatch.chdir(tmp_path)
    return tmp_path


@pytest.mark.slow
def test_the_guide_works_as_it_says(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    written = GUIDE.read_text(encoding="utf-8")
    assert follow(capsys) == written.count("\n$ ") > 10


@pytest.mark.slow
def test_the_harbour_is_resolved_to_the_usual_tableau(
    folder: Path, capsys: pytest.CaptureFixture[str], shipped: dict[str, Rules]
) -> None:
    """Read as the guide reads it, the text gives what every other source gives."""
    follow(capsys)
    harbour, usual = (Tables(rules) for rules in (load_rules("harbour", folders=[folder]), shipped["home-pt"]))
    for name in ("points", "totals", "deals", "stops", "player_draws", "banker_draws", "winners"):
        assert getattr(harbour, name) == getattr(usual, name), name


@pytest.mark.slow
def test_the_guide_makes_each_kind_of_finding_once(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """Its document has a gap, a contradiction and a false claim, as promised."""
    from oracle.checks.engines import check_all
    from oracle.rules.library import Library

    follow(capsys)
    (report,) = check_all([Library([folder]).spec("harbour")], solvers="none").reports
    found = {(f.code, f.question, f.status) for f in report.findings if f.level == "error"}
    assert found == {
        ("conflict", "banker_draw", "resolved"),
        ("gap", "banker_draw", "resolved"),
        ("gap", "outcome", "resolved"),
        ("false-claim", "", "accepted"),
    }
    (claim,) = report.claims
    # Ties among ordered sequences of six decks, a published figure.
    ties = Fraction(83_552_962_932_288, 878_869_206_895_680)
    assert ties > Fraction(9, 100)
    assert f"{float(ties) * 100:.4f} %" in claim.resolved.evidence


@pytest.mark.parametrize(
    ("actual", "expected", "same"),
    [
        ([], [], True),
        (["a"], [], False),
        (["a", "b", "c"], ["a", "…", "c"], True),
        (["a", "c"], ["a", "…", "c"], True),
        (["a", "b"], ["…"], True),
        (["a", "b"], ["…", "a"], False),
        (["a", "b"], ["a"], False),
        (["a"], ["a", "b"], False),
    ],
)
def test_left_out_lines(actual: list[str], expected: list[str], same: bool) -> None:
    """The comparison itself can fail."""
    assert shown(actual, expected) == same

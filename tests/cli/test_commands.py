"""The other subcommands, help texts, and what every subcommand has in common."""

from __future__ import annotations

import hashlib
import json
import re
import shutil
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from oracle import __version__
from oracle.cli import _COMMANDS, run
from oracle.game.rules import Rules
from oracle.progress import watched
from oracle.report.catalogue.catalogue import report_files
from oracle.rules.library import Library, data_folder
from oracle.solver.scripts import scripts_of
from tests.nonempty import nonempty

COMMANDS = sorted(_COMMANDS)


@pytest.mark.parametrize("name", COMMANDS)
def test_every_help_has_an_example_that_calls_the_command(capsys: pytest.CaptureFixture[str], name: str) -> None:
    assert run([name, "--help"]) == 0
    out = capsys.readouterr().out
    assert out.startswith(f"Usage: baccarat-oracle {name} ")
    examples = out[out.index("Example") :].splitlines()[1:]
    assert examples
    assert any(line.strip().startswith(f"baccarat-oracle {name}") for line in examples)
    assert max(len(line) for line in out.splitlines()) <= 80


def test_the_help_lists_the_commands_and_the_exit_codes(capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["--help"]) == 0
    out = capsys.readouterr().out
    for name, words in _COMMANDS.items():
        assert f"  {name} " in out
        assert words in out
    for code in range(4):
        assert f"\n    {code}  " in out
    assert max(len(line) for line in out.splitlines()) <= 80


def test_version(capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["--version"]) == 0
    assert capsys.readouterr().out == f"baccarat-oracle {__version__}\n"


@pytest.mark.parametrize(
    ("args", "message"),
    [
        (["chek"], "no command `chek`: did you mean `check`?"),
        (["xyzzy"], "no command `xyzzy`: known: "),
        (["\x1b[31m"], "no command `\\x1b[31m`"),
        (["--nope"], "No such option"),
        (["rules", "extra"], "unexpected extra argument"),
        (["rules", "--specs", "/nosuch"], "error[unreadable]"),
    ],
)
def test_unknown_commands_and_options(capsys: pytest.CaptureFixture[str], args: list[str], message: str) -> None:
    assert run(args) == 2
    out, err = capsys.readouterr()
    assert out == ""
    assert message in err
    assert "Traceback" not in err


def test_no_command_shows_the_help(capsys: pytest.CaptureFixture[str]) -> None:
    assert run([]) == 2
    assert "Usage: baccarat-oracle" in "".join(capsys.readouterr())


def test_rules_lists_every_rule_set(capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["rules"]) == 0
    lines = capsys.readouterr().out.splitlines()
    assert [line.split()[0] for line in lines] == [
        "grid-pt",
        "home-pt",
        "punto-es",
        "selminha/classica",
        "selminha/sem-comissao",
    ]
    for line, file in zip(lines, ["grid-pt", "home-pt", "punto-es", "selminha", "selminha"], strict=True):
        assert f"  specs/{file}.yaml  " in line
    assert lines[1].endswith("  Home training session")
    assert lines[3].endswith("  Two tables of an online pastime: With commission")
    assert run(["rules", "--format", "json"]) == 0
    payload = json.loads(capsys.readouterr().out)
    assert payload["format"] == 1
    assert payload["rules"][1] == {
        "id": "home-pt",
        "title": "Home training session",
        "language": "pt-PT",
        "spec": "specs/home-pt.yaml",
    }


def test_rules_lists_ones_own_beside_the_shipped_ones(
    capsys: pytest.CaptureFixture[str], tmp_path: Path, plain_text: Any
) -> None:
    (tmp_path / "plain.yaml").write_text(plain_text(), encoding="utf-8")
    assert run(["rules", "--specs", str(tmp_path)]) == 0
    assert "\nplain  " in capsys.readouterr().out


def test_a_folder_without_specs_is_noted(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    """Empty, or with other files only: nothing is wrong, but hardly meant."""
    for _ in range(2):
        assert run(["play", "--rules", "home-pt", "9", "2", "K", "A", "--specs", str(tmp_path)]) == 0
        assert capsys.readouterr().err == f"note: {tmp_path} holds no .yaml files\n"
        (tmp_path / "mine").write_text("source: {}", encoding="utf-8")


@pytest.mark.parametrize("args", [["check", "house"], ["play", "--rules", "house", "9"], ["check", "house/one"]])
def test_a_spec_in_the_current_folder_is_hinted_at(
    capsys: pytest.CaptureFixture[str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch, args: list[str]
) -> None:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "house.yaml").write_text("", encoding="utf-8")
    assert run(args) == 2
    assert "`: `house.yaml` lies in the current folder, which --specs . adds\n" in capsys.readouterr().err


def test_schema_is_the_committed_one(capsys: pytest.CaptureFixture[str], root: Path) -> None:
    assert run(["schema"]) == 0
    out = capsys.readouterr().out
    assert json.loads(out)["$schema"] == "https://json-schema.org/draft/2020-12/schema"
    assert out == (root / "specs" / "spec.schema.json").read_text(encoding="utf-8")


ALONE = ("checks.md", "contradictions.md", "findings.json", "tables.md")


@pytest.fixture(scope="module")
def reports(root: Path) -> dict[str, str]:
    """The committed reports that `report` writes; that they are what it makes now is another test."""
    folder = root / "reports"
    files = [path.relative_to(folder) for path in sorted(folder.rglob("*")) if path.is_file()]
    ours = [path for path in files if path.parent.name or path.name in ALONE]
    return {path.as_posix(): (folder / path).read_text(encoding="utf-8") for path in ours}


@pytest.fixture
def ready_reports(monkeypatch: pytest.MonkeyPatch, reports: dict[str, str]) -> None:
    """Lets the command have the reports without making them again."""
    monkeypatch.setattr("oracle.report.catalogue.catalogue.report_files", lambda _: reports)


@pytest.mark.usefixtures("ready_reports")
def test_reports_are_written_and_compared(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    out = ["report", "--out", str(tmp_path / "new")]
    assert run([*out, "--check"]) == 1
    assert f"checks.md is missing: run `baccarat-oracle report --out {tmp_path / 'new'}`" in capsys.readouterr().out
    assert run(out) == 0
    wrote = capsys.readouterr().out
    assert "checks.md" in wrote
    assert run([*out, "--check"]) == 0
    assert "up to date" in capsys.readouterr().out
    report = tmp_path / "new" / "checks.md"
    assert [path.name for path in report.parent.iterdir() if path.name.startswith(".")] == []
    report.write_text(report.read_text(encoding="utf-8").replace("496 states", "497 states", 1), encoding="utf-8")
    assert run([*out, "--check"]) == 1
    told = capsys.readouterr().out
    assert "checks.md is out of date" in told
    assert "497 states" in told


@pytest.mark.usefixtures("ready_reports")
@pytest.mark.parametrize(
    "change",
    [
        lambda data: data.replace(b"\n", b"\r\n"),
        lambda data: b"\xef\xbb\xbf" + data,
        lambda data: data[:-1],
        lambda data: data + b"\xff\xfe\x00",
        lambda data: data.decode().encode("utf-16"),
        lambda data: data[:0],
    ],
    ids=["CRLF", "BOM", "no last line end", "not UTF-8", "UTF-16", "empty"],
)
def test_reports_are_compared_by_their_bytes(
    capsys: pytest.CaptureFixture[str], tmp_path: Path, change: Callable[[bytes], bytes]
) -> None:
    out = ["report", "--out", str(tmp_path / "two words")]
    assert run(out) == 0
    report = tmp_path / "two words" / "checks.md"
    report.write_bytes(change(report.read_bytes()))
    capsys.readouterr()
    assert run([*out, "--check"]) == 1
    told, err = capsys.readouterr()
    assert f"checks.md is out of date: run `baccarat-oracle report --out '{tmp_path / 'two words'}'`" in told
    assert len(told.splitlines()) > 3
    assert all(line.isprintable() for line in told.split("\n"))
    assert err == ""


@pytest.mark.usefixtures("ready_reports")
def test_without_a_checkout_reports_go_to_the_current_folder(
    capsys: pytest.CaptureFixture[str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    package = tmp_path / "site-packages" / "oracle"
    shutil.copytree(data_folder("specs"), package / "data" / "specs")
    (tmp_path / "here").mkdir()
    monkeypatch.chdir(tmp_path / "here")
    monkeypatch.setattr("oracle.rules.library._PACKAGE", package)
    before = sorted(package.parent.rglob("*"))
    assert run(["report"]) == 0
    out = capsys.readouterr().out.splitlines()
    assert out[0] == "wrote reports/checks.md"
    assert out[-1].startswith("wrote reports/smt: ")
    assert (tmp_path / "here" / "reports" / "checks.md").is_file()
    assert sorted(package.parent.rglob("*")) == before
    assert run(["report", "--check"]) == 0


@pytest.mark.usefixtures("ready_reports")
def test_a_script_that_is_not_generated_any_more_is_told_and_removed(
    capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    out = ["report", "--out", str(tmp_path)]
    assert run(out) == 0
    old, foreign = tmp_path / "smt" / "gone" / "pays.smt2", tmp_path / "smt" / "own.smt2"
    old.parent.mkdir()
    old.write_text((tmp_path / "smt" / "home-pt" / "banker_draw.smt2").read_text(encoding="utf-8"), encoding="utf-8")
    foreign.write_text("; somebody's own\n(check-sat)\n", encoding="utf-8")
    capsys.readouterr()
    assert run([*out, "--check"]) == 1
    assert capsys.readouterr().out.endswith("pays.smt2 is not generated any more: remove it\n")
    assert run(out) == 0
    assert not old.exists()
    assert not old.parent.exists(), "and no empty folder is left behind"
    assert foreign.exists()
    assert run([*out, "--check"]) == 0


@pytest.mark.usefixtures("ready_reports")
@pytest.mark.parametrize(
    ("file", "piece", "other"),
    [
        ("index.json", '"sha256":"', '"sha256":"0'),
        ("index.json", '"expected":"sat"', '"expected":"unsat"'),
        ("SHA256SUMS", "  home-pt/winner.smt2", "  home-pt/winner-cover.smt2"),
        ("home-pt/banker_draw.smt2", "(<= 2 player_third 7)", "(<= 3 player_third 7)"),
        ("README.md", "z3 home-pt", "z3 ./home-pt"),
    ],
)
def test_a_stale_digest_answer_or_example_is_told(
    capsys: pytest.CaptureFixture[str], tmp_path: Path, file: str, piece: str, other: str
) -> None:
    out = ["report", "--out", str(tmp_path)]
    assert run(out) == 0
    path = tmp_path / "smt" / file
    text = path.read_text(encoding="utf-8")
    assert piece in text
    path.write_text(text.replace(piece, other, 1), encoding="utf-8")
    capsys.readouterr()
    assert run([*out, "--check"]) == 1
    told = capsys.readouterr().out
    assert f"smt/{file} is out of date: run `" in told
    assert other[:20] in told
    assert max(len(line) for line in told.splitlines()) < 1_100, "an index has a long line for each script"


@pytest.mark.usefixtures("ready_reports")
def test_a_script_that_is_known_by_its_digest_is_told_and_removed_where_reports_are_kept(
    capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    out = ["report", "--out", str(tmp_path)]
    assert run(out) == 0
    more = tmp_path / "smt" / "home-pt" / "winner.smt2"
    more.write_text((more.parent / "banker_draw.smt2").read_text(encoding="utf-8"), encoding="utf-8")
    capsys.readouterr()
    assert run([*out, "--check"]) == 1
    told = capsys.readouterr().out
    assert told.endswith("winner.smt2 is kept by its digest alone (`report --smt DIR` writes it): remove it\n")
    assert run(out) == 0
    assert not more.exists()


def test_every_script_is_written_from_an_empty_folder_and_is_the_one_whose_digest_is_kept(
    capsys: pytest.CaptureFixture[str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch, root: Path
) -> None:
    def no_network(*args: object, **options: object) -> None:
        raise AssertionError("no network is needed")

    monkeypatch.setattr("socket.socket", no_network)
    monkeypatch.chdir(tmp_path)
    assert run(["report", "--smt", "made/here"]) == 0
    sums = (root / "reports" / "smt" / "SHA256SUMS").read_text(encoding="utf-8").splitlines()
    assert capsys.readouterr().out == f"wrote made/here: {len(sums) + 2} files\n"
    made = tmp_path / "made" / "here"
    for line in sums:
        digest, _, name = line.partition("  ")
        assert hashlib.sha256((made / name).read_bytes()).hexdigest() == digest
    assert [path.name for path in made.rglob(".*")] == []
    assert [path.name for path in tmp_path.iterdir()] == ["made"], "no report beside them"


@pytest.fixture
def ready_scripts(monkeypatch: pytest.MonkeyPatch, shipped: dict[str, Rules]) -> None:
    """Lets the command have scripts without making all of them."""
    scripts = list(scripts_of(shipped["grid-pt"]))
    monkeypatch.setattr("oracle.report.catalogue.smt_files.all_scripts", lambda _: iter(scripts))


@pytest.mark.usefixtures("ready_scripts")
def test_written_scripts_are_compared_and_what_else_is_there_is_told_and_stays(
    capsys: pytest.CaptureFixture[str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    made = tmp_path / "made" / "here"
    assert run(["report", "--smt", "made/here"]) == 0
    files = sum(path.is_file() for path in made.rglob("*"))
    capsys.readouterr()
    assert run(["report", "--smt", "made/here", "--check"]) == 0
    assert capsys.readouterr().out == f"{files} files up to date\n"
    own = made / "equal" / "gone" / "own.smt2"
    own.parent.mkdir(parents=True)
    own.write_text((made / "grid-pt" / "amounts.smt2").read_text(encoding="utf-8"), encoding="utf-8")
    (made / "grid-pt" / "amounts.smt2").unlink()
    assert run(["report", "--smt", "made/here", "--check"]) == 1
    told = capsys.readouterr().out
    assert "made/here/grid-pt/amounts.smt2 is missing: run `baccarat-oracle report --smt made/here`\n" in told
    assert told.endswith("made/here/equal/gone/own.smt2 is not generated any more: remove it\n")
    assert run(["report", "--smt", "made/here"]) == 0
    assert "note: made/here/equal/gone/own.smt2 is not generated any more: remove it\n" in capsys.readouterr().err
    assert own.is_file(), "the folder is the user's"


@pytest.mark.usefixtures("ready_scripts")
def test_writing_scripts_tells_how_far_it_has_come(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    heard: list[tuple[str, int]] = []
    with watched(lambda what, done, *_: heard.append((what, done))):
        assert run(["report", "--smt", str(tmp_path / "new")]) == 0
    assert capsys.readouterr().out.startswith("wrote ")
    assert [done for what, done in heard if what == "scripts"][:3] == [0, 1, 2]


@pytest.mark.parametrize("more", [["--all"], ["--out", "here"]])
def test_scripts_are_written_apart_from_reports(capsys: pytest.CaptureFixture[str], more: list[str]) -> None:
    assert run(["report", "--smt", "there", *more]) == 2
    assert "--smt writes no report: leave out --all and --out" in capsys.readouterr().err


@pytest.mark.usefixtures("ready_reports")
def test_in_a_checkout_reports_go_there_and_their_path_is_real(
    capsys: pytest.CaptureFixture[str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Also where the folder was removed, and from whatever folder."""
    (tmp_path / "tree" / "specs").mkdir(parents=True)
    (tmp_path / "tree" / "pyproject.toml").write_text("", encoding="utf-8")
    (tmp_path / "here").mkdir()
    monkeypatch.chdir(tmp_path / "here")
    monkeypatch.setattr("oracle.rules.library._PACKAGE", tmp_path / "tree" / "oracle")
    monkeypatch.setattr("oracle.rules.library.Library", lambda: None)
    assert run(["report"]) == 0
    told = capsys.readouterr().out.splitlines()[0].removeprefix("wrote ")
    assert Path(told) == tmp_path / "tree" / "reports" / "checks.md"
    assert Path(told).is_file()


@pytest.mark.slow
def test_reports_are_the_committed_ones_and_say_that_they_are_generated(
    library: Library, reports: dict[str, str]
) -> None:
    assert report_files(library) == reports
    assert "generated by `baccarat-oracle report`; do not edit" in reports["checks.md"]


def test_reports_tell_no_times_and_no_machine_facts(reports: dict[str, str], root: Path) -> None:
    for text in nonempty(reports.values()):
        assert not re.search(r"\b20[0-9][0-9]-[01][0-9]-[0-3][0-9]\b|\b[0-9]+ ?m?s\b", text)
        assert str(root) not in text
        assert not re.search(r"\b(z3|cvc5) [0-9]", text)


@pytest.mark.usefixtures("ready_reports")
def test_a_folder_that_cant_be_written_is_an_error(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    (tmp_path / "file").write_text("", encoding="utf-8")
    assert run(["report", "--out", str(tmp_path / "file" / "below")]) == 2
    assert "error: can't write to " in capsys.readouterr().err


def test_a_mistake_of_the_program_shows_a_traceback_and_asks_for_a_report(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    def broken(*args: object, **options: object) -> None:
        raise ZeroDivisionError("on purpose")

    monkeypatch.setattr("oracle.cli.rules.open_library", broken)
    assert run(["rules"]) == 3
    err = capsys.readouterr().err
    assert "ZeroDivisionError: on purpose" in err
    assert "this is a mistake in baccarat-oracle, not in your input: please report it" in err


def test_an_interrupt_is_no_traceback(capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> None:
    def interrupted(*args: object, **options: object) -> None:
        raise KeyboardInterrupt

    monkeypatch.setattr("oracle.cli.rules.open_library", interrupted)
    assert run(["rules"]) == 130
    assert capsys.readouterr().err.strip() == "interrupted"

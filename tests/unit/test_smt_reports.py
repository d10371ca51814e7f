"""The scripts of `report --smt`, run as anybody would: Z3 as a program, cvc5 by its own reader.

Their digests and the answers to expect are those of `reports/smt`, which keeps a few of them.
"""

from __future__ import annotations

import hashlib
import json
import re
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from oracle.files import write_files
from oracle.report.catalogue.smt_files import EXAMPLES, all_scripts, script_files
from oracle.rules.library import Library
from oracle.rules.questions import COUP_QUESTIONS
from oracle.solver.engine import available_engines

REPORTS = Path(__file__).resolve().parents[2] / "reports"
KEPT = REPORTS / "smt"
INDEX: dict[str, Any] = json.loads((KEPT / "index.json").read_text(encoding="utf-8"))
ENTRIES: list[dict[str, Any]] = INDEX["scripts"]
Z3 = Path(sys.executable).with_name("z3")
LABEL = re.compile(r"\|([^|]*)\||([^\s()|]+)")

needs_cvc5 = pytest.mark.skipif(
    "cvc5" not in [engine.name for engine in available_engines()], reason="cvc5 is an optional extra"
)


@pytest.fixture(scope="session")
def folder(library: Library, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with every script, as `report --smt` writes them."""
    made = tmp_path_factory.mktemp("smt")
    write_files(made, script_files(all_scripts(library)))
    return made


def noted(entry: dict[str, Any]) -> list[str]:
    return [check["expected"] for check in entry["checks"]]


def read(printed: str) -> tuple[list[str], list[set[str]]]:
    """The verdicts of a solver's output, and the labels of the cores among them."""
    verdicts = re.findall(r"^(sat|unsat|unknown)$", printed, re.MULTILINE)
    told = re.sub(r"\n(?=\|)|(?<=\|)\n(?=\))", " ", printed)
    cores = [{a or b for a, b in LABEL.findall(line)} for line in told.splitlines() if re.match(r"\((?!error)", line)]
    return verdicts, cores


def test_there_is_a_script_for_every_question_of_every_rule_set(library: Any, folder: Path) -> None:
    there = {(entry["rules"], entry["question"]) for entry in ENTRIES if not entry["file"].startswith("equal/")}
    assert there == {
        (r.id, q) for spec in library.specs() for r in spec.rule_sets for q in (*COUP_QUESTIONS, "amounts")
    }
    files = {path.relative_to(folder).as_posix() for path in folder.rglob("*.smt2")}
    assert files == {entry["file"] for entry in ENTRIES}
    for entry in ENTRIES:
        assert hashlib.sha256((folder / entry["file"]).read_bytes()).hexdigest() == entry["sha256"]


def test_reports_keep_two_scripts_of_each_kind_and_what_all_of_them_are_known_by(folder: Path) -> None:
    """Their number grows with the square of that of the rule sets: the repository has a line for each."""
    kept = {path.relative_to(KEPT).as_posix() for path in KEPT.rglob("*") if path.is_file()}
    scripts = {f"{name}.smt2" for name in EXAMPLES}
    assert kept == {*scripts, "README.md", "index.json", "SHA256SUMS"}
    for name in kept:
        assert (KEPT / name).read_bytes() == (folder / name).read_bytes()

    def kind(name: str) -> str:
        return "equal" if name.startswith("equal/") else "cover" if "-cover." in name else Path(name).stem

    kinds = [{"amounts": "amounts", "equal": "equal", "cover": "cover"}.get(kind(name), "question") for name in scripts]
    assert {word: kinds.count(word) for word in kinds} == {"question": 2, "cover": 2, "amounts": 2, "equal": 2}
    assert len((KEPT / "index.json").read_text(encoding="utf-8").splitlines()) == len(ENTRIES) + 2
    lines = [
        len(path.read_bytes().splitlines())
        for path in REPORTS.rglob("*")
        if path.is_file() and path.parent.name != "odds"
    ]
    assert sum(lines) <= 4_000


def test_the_kept_list_is_one_that_sha256sum_accepts(folder: Path, tool: Callable[[str], str]) -> None:
    ran = subprocess.run(
        [tool("sha256sum"), "-c", KEPT / "SHA256SUMS"], cwd=folder, capture_output=True, text=True, check=True
    )
    assert ran.stdout.splitlines() == [f"{name}: OK" for name in [*(e["file"] for e in ENTRIES), "index.json"]]
    assert ran.stderr == ""


def test_names_of_scripts_need_no_quotes_anywhere() -> None:
    for entry in ENTRIES:
        assert re.fullmatch(r"[a-z0-9_./-]+", entry["file"]), entry["file"]
        assert not entry["file"].startswith(("-", "/"))


def test_there_is_a_script_for_every_pair_and_question(library: Any) -> None:
    """What a win pays is compared with its commission."""
    ids = [r.id.replace("/", ".") for spec in library.specs() for r in spec.rule_sets]
    pairs = {f"{a}={b}" for n, a in enumerate(ids) for b in ids[n + 1 :]}
    there = {(entry["rules"], entry["question"]) for entry in ENTRIES if entry["file"].startswith("equal/")}
    assert there == {(pair, q) for pair in pairs for q in COUP_QUESTIONS if q != "commission"}


def test_the_index_notes_both_answers_and_what_is_asked(folder: Path) -> None:
    answers = [check["expected"] for entry in ENTRIES for check in entry["checks"]]
    assert set(answers) == {"sat", "unsat"}
    for entry in ENTRIES:
        text = (folder / entry["file"]).read_text(encoding="utf-8")
        assert text.count("(check-sat)") == len(entry["checks"])


@pytest.mark.skipif(not Z3.is_file(), reason="the wheel of Z3 brought no program")
@pytest.mark.slow
def test_z3_as_a_program_gives_the_noted_answers(folder: Path) -> None:
    seen = 0
    for entry in ENTRIES:
        ran = subprocess.run([Z3, folder / entry["file"]], capture_output=True, text=True, check=True)
        verdicts, cores = read(ran.stdout)
        assert verdicts == noted(entry), entry["file"]
        needed = [check["needed"] for check in entry["checks"] if "needed" in check]
        assert len(cores) == len(needed)
        for core, groups in zip(cores, needed, strict=True):
            seen += len(groups)
            assert all(core & set(group) for group in groups), entry["file"]
    assert seen, "no script says what its core needs"


@needs_cvc5
@pytest.mark.slow
def test_cvc5_gives_the_noted_answers(folder: Path) -> None:
    import cvc5

    for entry in ENTRIES:
        solver = cvc5.Solver()
        solver.setOption("incremental", "true")
        parser = cvc5.InputParser(solver)
        parser.setFileInput(cvc5.InputLanguage.SMT_LIB_2_6, str(folder / entry["file"]))
        printed = []
        while not (command := parser.nextCommand()).isNull():
            said = command.invoke(solver, parser.getSymbolManager()).strip()
            printed += [" ".join(said.split())] if said.startswith("(") else said.splitlines()
        verdicts, cores = read("\n".join(printed))
        assert verdicts == noted(entry), entry["file"]
        assert len(cores) == sum("needed" in check for check in entry["checks"])


def test_a_wrong_note_would_be_seen(folder: Path) -> None:
    entry = next(e for e in ENTRIES if e["file"] == "home-pt/banker_draw.smt2")
    text = (folder / entry["file"]).read_text(encoding="utf-8")
    from oracle.solver.engine import run_z3

    assert [answer.verdict for answer in run_z3(text)] == noted(entry)
    wrong = text.replace("(<= 2 player_third 7)", "(<= 3 player_third 7)", 1)
    assert wrong != text
    assert [answer.verdict for answer in run_z3(wrong)] != noted(entry)

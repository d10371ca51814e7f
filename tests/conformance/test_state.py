"""A program that keeps something from coup to coup is told so, apart from one that is wrong and one that guesses."""

from __future__ import annotations

from pathlib import Path

import msgspec
import pytest

from oracle.cases.case import Case
from oracle.cli import run as oracle
from oracle.conformance.evidence.rejudge import rejudge
from oracle.conformance.run.log import Again, Log
from oracle.game.rules import Rules
from oracle.report.run.run_files import run_files
from tests.conformance.conftest import Ran, Run


@pytest.mark.parametrize("fake", ["keeps-natural", "keeps-third", "keeps-cards"])
def test_what_the_last_coup_left_is_told_with_that_coup(run: Run, totals: list[Case], fake: str) -> None:
    ran = run([fake], totals[:400])
    (found,) = ran.summary.dependent
    assert found.kind == "state"
    assert found.alone.outcome == "pass"
    ids = [case.id for case in totals]
    assert found.after == (ids[ids.index(found.line.id) - 1],), "the case before it is enough"
    text = run_files(ran.summary)["test.txt"]
    (before,) = found.after
    assert f"--case {before} --case {found.line.id} -- {fake}" in text
    assert "state is kept between coups" in text


@pytest.mark.parametrize(("fake", "most"), [("sums-on", 199), ("keeps-place", 10)])
def test_what_many_coups_left_is_told_with_as_few_as_do(run: Run, totals: list[Case], fake: str, most: int) -> None:
    ran = run([fake], totals[:400], restarts=20)
    (found,) = ran.summary.dependent
    assert found.kind == "state"
    assert 1 <= len(found.after) <= most
    if fake == "keeps-place":
        assert len(found.after) == most


def test_state_that_takes_a_second_message_is_found(run: Run, totals: list[Case]) -> None:
    ran = run(["right-then-wrong"], totals[:600], restarts=20)
    (found,) = ran.summary.dependent
    assert found.kind == "state"
    assert len(found.after) >= 200


@pytest.mark.parametrize("fake", ["guesses", "guesses-at-times"])
def test_chance_is_no_state(run: Run, totals: list[Case], fake: str) -> None:
    ran = run([fake], totals[:400])
    assert {found.kind for found in ran.summary.dependent} <= {"varies", "unknown"}, "luck may hide it"
    assert "state is kept" not in run_files(ran.summary)["test.txt"]


@pytest.mark.parametrize("fake", ["ties-to-player", "off-by-one", "always-player"])
def test_a_plain_fault_is_asked_again_and_is_no_state(run: Run, totals: list[Case], fake: str) -> None:
    ran = run([fake], totals[:400])
    assert ran.log.again
    assert ran.summary.dependent == ()
    assert ran.log.footer is not None
    assert ran.log.footer.restarts == 0


def test_a_right_program_is_asked_nothing_again(run: Run, totals: list[Case]) -> None:
    assert run(["right"], totals[:400]).log.again == []


def test_nothing_is_asked_again_where_nothing_may_be_started_anew(run: Run, totals: list[Case]) -> None:
    assert run(["sums-on"], totals[:400], restarts=0).log.again == []


@pytest.fixture
def kept(run: Run, totals: list[Case]) -> Ran:
    """A whole run of the tier, of a program that keeps something."""
    return run(["keeps-third"], totals)


def test_a_log_with_cases_asked_again_is_judged_anew(kept: Ran, shipped: dict[str, Rules], tmp_path: Path) -> None:
    assert list(rejudge(kept.log, shipped["home-pt"])) == []
    lines = kept.log.path.read_bytes().splitlines(keepends=True)
    places = [place for place, line in enumerate(lines) if line.startswith(b'{"type":"again"')]
    assert places[-1] == len(lines) - 2, "they stand between the cases and the footer"

    def changed(made: list[bytes]) -> Log:
        path = tmp_path / "changed.ndjson"
        path.write_bytes(b"".join(made))
        return Log(path)

    fewer = changed([*lines[: places[0]], *lines[places[0] + 1 :]])
    assert fewer.problems == ["the footer of the log counts other cases asked again than its lines"]
    assert fewer.verdict == "incomplete"
    first = msgspec.json.decode(lines[places[0]], type=Again)
    assert first.outcome == "pass"
    for wrong in (
        msgspec.structs.replace(first, outcome="fail"),
        msgspec.structs.replace(first, id="coup-000000000000"),
        msgspec.structs.replace(first, after=("coup-000000000000",)),
    ):
        other = changed([*lines[: places[0]], msgspec.json.encode(wrong) + b"\n", *lines[places[0] + 1 :]])
        assert list(rejudge(other, shipped["home-pt"])), wrong
    assert changed(lines[:-1]).verdict == "incomplete"


def test_a_file_is_not_asked_again_and_that_is_said(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    file = tmp_path / "mine.csv"
    file.write_text("id,winner\ncoup-32dc0ddfe690,player\n", encoding="utf-8")
    oracle(["test", "--rules", "home-pt", "--case", "coup-32dc0ddfe690", "--results", str(file)])
    assert "state between coups: a file can't be asked a case again" in capsys.readouterr().out


@pytest.mark.slow
def test_a_python_function_that_tells_the_winner_of_the_last_coup_is_told(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / "late.py").write_text(
        "import oracle\nrules, last = oracle.load_rules('home-pt'), ['tie']\n"
        "def play(cards, bets):\n"
        "    last.append(oracle.play(rules, oracle.parse_cards(' '.join(cards))).winner)\n"
        "    return last[-2]\n",
        encoding="utf-8",
    )
    monkeypatch.chdir(tmp_path)
    assert oracle(["test", "--rules", "home-pt", "--tier", "minimal-winner", "--python", "late:play"]) == 1
    assert "state is kept between coups: its answer to coup-" in capsys.readouterr().out

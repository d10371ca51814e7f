"""A single fault is found in few coups, and nothing is taken for right that a single change could be behind."""

from __future__ import annotations

import random
from collections.abc import Callable
from fractions import Fraction
from functools import partial
from pathlib import Path

import msgspec
import pytest

from oracle.cards import parse_cards
from oracle.cases.case import Case
from oracle.cases.reference import answer_of, reference_of
from oracle.cli import run as oracle
from oracle.conformance.diagnose.adaptive import AdaptivePlan, Table, plan_of, table_of
from oracle.conformance.diagnose.diagnose import diagnose
from oracle.conformance.evidence.rejudge import rejudge
from oracle.conformance.run.log import Footer, Line, Log, LogWriter
from oracle.conformance.run.runner import Runner, Subject
from oracle.conformance.run.tally import Record
from oracle.conformance.summary.summary import Summary, summarise
from oracle.game.rules import Rules
from oracle.mutants.domain import unseen
from oracle.mutants.single import Mutant
from oracle.programs.behaviour import play
from oracle.programs.observables import OBSERVABLES
from oracle.report.run.outline import outline
from oracle.report.run.run_text import run_text
from tests.conformance.conftest import SHORT, command
from tests.nonempty import nonempty

Adaptive = Callable[..., Summary]


@pytest.fixture(scope="module")
def table(shipped: dict[str, Rules]) -> Table:
    """What every change of home-pt answers."""
    return table_of(reference_of(shipped["home-pt"]), OBSERVABLES)


@pytest.fixture
def adaptive(tmp_path: Path, shipped: dict[str, Rules]) -> Adaptive:
    """Runs a fake adaptively, and explains the run."""

    def go(*fake: str) -> Summary:
        path, rules = tmp_path / "log.ndjson", shipped["home-pt"]
        subject = Subject(rules="home-pt", target=("--", *fake), adaptive=True)
        with LogWriter(path) as log:
            runner = Runner(command(*fake), subject, Record(log), SHORT)
            runner.run_adaptive(partial(plan_of, reference_of(rules)))
        done = Log(path)
        return summarise(done, diagnose(done, rules))

    return go


@pytest.mark.slow
def test_classes_of_answers_are_those_of_the_answers(table: Table) -> None:
    draw, behaviour = random.Random(5), table.reference.behaviour
    shown = 0
    for _ in range(3000):
        row, column = draw.randrange(1, len(table.classes)), draw.randrange(len(table.cases))
        case, wrong = table.cases[column], table.mutants[row - 1]
        cards, stakes = parse_cards(case.cards), {bet: Fraction(stake) for bet, stake in case.bets.items()}
        said, due = (answer_of(each, play(each, cards), stakes) for each in (wrong.behaviour, behaviour))
        assert (table.classes[row, column] == 0) == (said == due), (wrong.id, case.id)
        shown += said != due
    assert shown > 100


@pytest.mark.slow
def test_every_change_that_can_be_seen_is_found_and_a_right_program_is_asked_for_all(table: Table) -> None:
    """A program answers as by the rules until its change shows: so every search begins as that of a right one."""
    column = {case.id: place for place, case in enumerate(table.cases)}
    right, seen = AdaptivePlan(table), set()
    while (case := right.next()) is not None:
        for row in map(int, table.classes[:, column[case.id]].nonzero()[0]):
            if row in seen:
                continue
            seen.add(row)
            plan = right.fork()
            plan.answered(case, int(table.classes[row, column[case.id]]))
            while (further := plan.next()) is not None:
                plan.answered(further, int(table.classes[row, column[further.id]]))
            alike = {table.mutants[int(other) - 1].id for other in _alike(table, row)}
            assert {mutant.id for mutant in plan.left} == alike
        right.answered(case, 0)
    assert right.undecided is None
    left = {mutant.id for mutant in table.mutants} - {table.mutants[row - 1].id for row in seen}
    reference = table.reference
    assert all(nonempty(unseen(reference.domain, m, OBSERVABLES) for m in reference.mutants if m.id in left))
    assert len(left) < 50


def _alike(table: Table, row: int) -> list[int]:
    """The candidates that no coup of the table tells from one."""
    return [other for other in range(1, len(table.classes)) if (table.classes[other] == table.classes[row]).all()]


@pytest.mark.slow
def test_a_program_that_reports_the_winner_alone_is_found_out(adaptive: Adaptive) -> None:
    found = adaptive("always-player")
    assert (found.verdict, found.exit) == ("differs", 1)
    assert found.diagnosis.coups == ()
    assert found.log.checked < 20
    text = " ".join(run_text(outline(found)).split())
    assert "no single change of home-pt gives all answers about coups; run it without --adaptive" in text


@pytest.mark.slow
def test_one_fault_is_named_in_few_coups(adaptive: Adaptive, shipped: dict[str, Rules]) -> None:
    found = adaptive("stands-on-three")
    assert {entry.name for entry in found.diagnosis.coups} == {"flip banker_draw 3/7"}
    assert found.log.checked < 121, "the minimal set has so many"
    assert [entry.name for entry in found.not_confirmed if entry.what == "cases"] == [f"all but {found.log.checked}"]
    assert list(rejudge(found.log, shipped["home-pt"])) == []


@pytest.mark.slow
def test_state_is_told_though_a_single_change_gives_the_few_answers(adaptive: Adaptive) -> None:
    """What the last coup left looks like a change of the rules at first, and another coup of its cell confirms none."""
    found = adaptive("keeps-third")
    assert [each.kind for each in found.dependent] == ["state"]
    assert found.diagnosis.coups == ()


@pytest.mark.slow
def test_a_pass_takes_every_coup_that_is_needed(adaptive: Adaptive, shipped: dict[str, Rules], tmp_path: Path) -> None:
    found = adaptive("right")
    assert (found.verdict, found.exit) == ("agrees", 0)
    assert list(rejudge(found.log, shipped["home-pt"])) == []
    lines = found.log.path.read_bytes().splitlines(keepends=True)

    def told(made: list[bytes]) -> str:
        path = tmp_path / "changed.ndjson"
        path.write_bytes(b"".join(made))
        return "; ".join([*Log(path).problems, *rejudge(Log(path), shipped["home-pt"])])

    footer = msgspec.json.decode(lines[-1], type=Footer)
    fewer = msgspec.structs.replace(footer, counts={"pass": footer.counts["pass"] - 1})
    assert "was to be asked, and is not there" in told([*lines[:-2], msgspec.json.encode(fewer) + b"\n"])
    assert "stands where" in told([lines[0], lines[2], lines[1], *lines[3:]])
    assert "no footer" in told(lines[:-1])


@pytest.mark.slow
def test_what_is_not_answered_is_not_taken_for_right(adaptive: Adaptive) -> None:
    found = adaptive("skips")
    assert (found.verdict, found.exit) == ("incomplete", 3)


class Hasty:
    """A plan that asks a single coup, and leaves a change of the rules open."""

    def __init__(self, wrong: Mutant, case: Case) -> None:
        self.undecided, self._cases = wrong, [case]

    def next(self) -> Case | None:
        return self._cases.pop() if self._cases else None

    def tell(self, case: Case, line: Line) -> None:
        assert (case.id, line.outcome) == (line.id, "pass")


def test_a_pass_that_leaves_a_change_open_is_incomplete(
    tmp_path: Path, shipped: dict[str, Rules], totals: list[Case]
) -> None:
    wrong = next(m for m in reference_of(shipped["home-pt"]).mutants if m.id == "flip banker_draw 3/8")
    path = tmp_path / "log.ndjson"
    with LogWriter(path) as log:
        subject = Subject(rules="home-pt", target=("--", "right"), adaptive=True)
        runner = Runner(command("right"), subject, Record(log), SHORT)
        assert runner.run_adaptive(lambda _: Hasty(wrong, totals[0])) == "incomplete"
    found = Log(path)
    assert found.counts["pass"] == 1
    assert [event.why for event in found.events] == [f"the coups that were asked don't rule out that {wrong.says}"]


@pytest.mark.parametrize("more", [["--tier", "minimal"], ["--case", "coup-32dc0ddfe690"], ["--results", "mine.csv"]])
def test_it_chooses_the_cases_itself(capsys: pytest.CaptureFixture[str], more: list[str]) -> None:
    program = [] if "--results" in more else ["--", "true"]
    assert oracle(["test", "--rules", "home-pt", "--adaptive", *more, *program]) == 2
    assert "--adaptive chooses the cases itself" in capsys.readouterr().err

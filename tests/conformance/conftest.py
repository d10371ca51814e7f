"""Running fakes: cases of the usual game, and a run of one of them with short timeouts."""

from __future__ import annotations

import gc
import os
import sys
import time
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Any

import msgspec
import pytest

from oracle.cases.case import Case
from oracle.cases.tiers import cases
from oracle.conformance.diagnose.diagnose import Diagnosis, Seen, diagnose
from oracle.conformance.run.limits import Limits
from oracle.conformance.run.log import Log, LogWriter
from oracle.conformance.run.results import ResultsFile, judge_results
from oracle.conformance.run.runner import Runner, Subject
from oracle.conformance.run.tally import Record
from oracle.conformance.summary.summary import Summary, summarise
from oracle.game.rules import Rules

FAKE = Path(__file__).with_name("fake.py")
SHORT = Limits(start=10.0, batch=1.5, case=0.5, restarts=5, memory=1 << 30)


class Ran(msgspec.Struct, frozen=True):
    """A run, read back from its log, and how long it took."""

    summary: Summary
    seconds: float

    @property
    def log(self) -> Log:
        return self.summary.log

    @property
    def counts(self) -> dict[str, int]:
        """The outcomes that came at all."""
        return {word: count for word, count in self.log.counts.items() if count}

    def whys(self, outcome: str) -> list[str]:
        """Why cases got this outcome."""
        return [line.why for line in self.log.lines() if line.outcome == outcome]

    def events(self) -> list[str]:
        """What happened, each as `what: why`."""
        return [f"{event.what}: {event.why}" for event in self.log.events]


Run = Callable[..., Ran]


@pytest.fixture(scope="session")
def totals(shipped: dict[str, Rules]) -> list[Case]:
    """The tier `totals` of home-pt."""
    return list(cases(shipped["home-pt"], "totals"))


@pytest.fixture(scope="session")
def settlement(shipped: dict[str, Rules]) -> list[Case]:
    """The tier `settlement` of home-pt."""
    return list(cases(shipped["home-pt"], "settlement"))


def command(*arguments: str) -> list[str]:
    """The command of a fake."""
    return [sys.executable, "-S", "-E", str(FAKE), *arguments]


def asked(case: Case) -> str:
    """The cards of a case as fakes recognise them."""
    return " ".join(case.cards)


@pytest.fixture
def run(tmp_path: Path) -> Run:
    """Runs a fake with cases, and reads the log back."""
    number = 0

    def go(fake: Sequence[str], asked: Sequence[Case], limits: Limits = SHORT, **change: Any) -> Ran:
        nonlocal number
        number += 1
        path = tmp_path / f"log{number}.ndjson"
        given = msgspec.structs.replace(limits, **change)
        program = command(*fake)
        subject = Subject(rules="home-pt", target=("--", *fake), chosen=("totals",))
        start = time.perf_counter()
        with LogWriter(path) as log:
            verdict = Runner(program, subject, Record(log), given).run(lambda _: asked)
        seconds = time.perf_counter() - start
        summary = summarise(Log(path))
        assert summary.verdict == verdict, "the log says what the run said"
        return Ran(summary, seconds)

    return go


Answering = Callable[[Case], Mapping[str, object] | None]
TIERS = ("totals", "settlement", "bets")
FEWER = ("minimal", "settlement", "bets")  # every change shows in these, and they are five times as quick


class Explained(msgspec.Struct, frozen=True):
    """What became of the answers of a program, and what explains them."""

    counts: Mapping[str, int]
    diagnosis: Diagnosis

    @property
    def named(self) -> set[str]:
        """What gives all answers about coups, by name."""
        return {entry.name for entry in self.diagnosis.coups}

    @property
    def tableau(self) -> tuple[Seen, ...]:
        """What the answers show of each decision cell."""
        return self.diagnosis.tableau


Explain = Callable[..., Explained]
Asked = Callable[[Rules, str], list[Case]]


@pytest.fixture(scope="session")
def asked_of() -> Asked:
    """Gives the cases of a tier, each made once for all tests."""
    made: dict[tuple[str, str], list[Case]] = {}

    def of(rules: Rules, tier: str) -> list[Case]:
        if (rules.id, tier) not in made:
            made[rules.id, tier] = list(cases(rules, tier))
        return made[rules.id, tier]

    return of


@pytest.fixture
def explain(tmp_path: Path, asked_of: Asked) -> Explain:
    """Puts the answers of a function to a rule set, as a results file, and explains them.

    Of each tier every `step`th case is asked; five meets every stake of the ladders, which go by four and six. A case
    that the function answers with None is skipped.
    """

    def run(
        rules: Rules,
        answer: Answering,
        *,
        tiers: Sequence[str] = TIERS,
        others: Sequence[Rules] = (),
        step: int = 1,
    ) -> Explained:
        asked = [case for tier in tiers for case in asked_of(rules, tier)[::step]]
        file, log = tmp_path / "answers.jsonl", tmp_path / "log.ndjson"
        answers = ({"id": case.id, **said} for case in asked if (said := answer(case)) is not None)
        file.write_bytes(b"\n".join(map(msgspec.json.encode, answers)) + b"\n")
        subject = Subject(rules=rules.id, target=("--results", str(file)), chosen=tuple(tiers))
        with LogWriter(log) as writer:
            judge_results(ResultsFile(file), lambda _: iter(asked), subject=subject, record=Record(writer))
        done = Log(log)
        return Explained(done.counts, diagnose(done, rules, others, asked))

    return run


@pytest.fixture(autouse=True)
def nothing_left() -> Any:
    """Every test leaves no child of this process behind, and no open pipe."""
    pipes = Path("/proc/self/fd")
    before = len(list(pipes.iterdir())) if pipes.is_dir() else 0
    yield
    with pytest.raises(ChildProcessError):
        os.waitpid(-1, os.WNOHANG)
    if before and len(list(pipes.iterdir())) > before:
        gc.collect()  # what is only held by a circle is not left behind
    if before:
        assert len(list(pipes.iterdir())) <= before

"""Engines in processes of their own: they answer as here, and one that fails makes the check incomplete, not wrong."""

from __future__ import annotations

from collections.abc import Callable
from concurrent.futures import Future

import pytest

from oracle.checks.engines import check_all
from oracle.game.rules import Rules
from oracle.rules.library import Library
from oracle.solver.engine import Answer, Engine, SolverError, available_engines
from oracle.solver.smtlib import write_script
from oracle.solver.worker import Worker

HOME = Library().spec("home-pt")
RULES = Rules(HOME, HOME.rule_sets[0])
(Z3,) = available_engines("z3")


def test_an_engine_answers_elsewhere_as_it_does_here() -> None:
    text = write_script(RULES, "player_draw").text
    with Worker(Z3) as worker:
        assert worker.submit(text).result() == Z3.run(text)
        with pytest.raises(SolverError, match="refused a script"):
            worker.submit("(assert nonsense)\n(check-sat)\n").result()
        assert worker.submit(text).result() == Z3.run(text)  # a bad script doesn't end it


def test_an_unknown_engine_is_an_error_of_the_reply() -> None:
    with Worker(Engine("z9", "1", Z3.run)) as worker, pytest.raises(SolverError, match="no engine z9"):
        worker.submit("").result()


def test_a_process_that_dies_fails_what_waits_for_it() -> None:
    with Worker(Z3) as worker:
        worker.submit("").result()
        worker._process.kill()
        worker._process.wait()
        with pytest.raises(SolverError, match="ended without an answer"):
            worker.submit("(check-sat)\n").result()


def flipped(answers: list[Answer]) -> list[Answer]:
    return [Answer({"sat": "unsat", "unsat": "sat"}[answer.verdict]) for answer in answers]


@pytest.mark.parametrize(
    ("lie", "words"),
    [
        (flipped, "z3"),
        (lambda answers: answers[:-1], "answers to"),
        (lambda answers: answers[:0], "0 answers to"),
        (lambda answers: [Answer("unknown", "tired") for _ in answers], "unknown (tired)"),
    ],
    ids=["flipped", "truncated", "nothing", "gave-up"],
)
def test_an_engine_that_lies_makes_the_check_incomplete(
    lie: Callable[[list[Answer]], list[Answer]], words: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    honest = Worker.submit

    def submit(self: Worker, text: str, *, rlimit: int = 1) -> Future[list[Answer]]:
        future: Future[list[Answer]] = Future()
        future.set_result(lie(honest(self, text).result()))
        return future

    monkeypatch.setattr(Worker, "submit", submit)
    result = check_all([HOME], solvers="z3", claims=False)
    assert result.exit == 3
    assert result.agreed < result.properties
    assert words in result.disagreements[0]

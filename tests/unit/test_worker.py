"""Engines in processes of their own: they answer as here, and one that fails makes the check incomplete, not wrong."""

from __future__ import annotations

import sys
from collections.abc import Callable
from pathlib import Path

import pytest

import oracle.solver.worker
from oracle.cli import run
from oracle.game.rules import Rules
from oracle.rules.library import Library
from oracle.solver.engine import Engine, SolverError, available_engines, run_z3
from oracle.solver.smtlib import write_script
from oracle.solver.worker import Worker
from tests.conftest import missing
from tests.nonempty import nonempty

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


# --- engines that lie -------------------------------------------------------------------------------

# A worker in whose process one engine is not what it says. What is after the colon replaces its answers, or happens
# before it gives any.
FAULTY = """
import os, sys, time
from oracle.solver import worker
from oracle.solver.engine import Engine, EngineAnswer

honest = worker.engine_named
flip = {"sat": "unsat", "unsat": "sat"}

def named(name):
    engine = honest(name)
    if name != LIAR:
        return engine
    def run(text, *, rlimit):
        answers = engine.run(text, rlimit=rlimit)
        FAULT
    return Engine(name, engine.version, run)

worker.engine_named = named
worker.main()
"""

FAULTS = {
    "flipped": "return [EngineAnswer(flip[a.verdict], a.reason, a.core) for a in answers]",
    "one flipped": "return [EngineAnswer(flip[answers[0].verdict]), *answers[1:]]",
    "truncated": "return answers[:-1]",
    "nothing": "return []",
    "gave up": "return [EngineAnswer('unknown', 'tired') for a in answers]",
    "hung": "time.sleep(600)",
    "crashed": "os._exit(9)",
    "babbling": "sys.stdout.write('hello'); sys.stdout.flush(); return answers",
    "empty core": "return [EngineAnswer(a.verdict, a.reason, () if a.core else None) for a in answers]",
    "no core": "return [EngineAnswer(a.verdict, a.reason) for a in answers]",
}
SAID = {
    "truncated": "answers to",
    "nothing": "0 answers to",
    "gave up": "unknown (tired)",
    "hung": "hangs: no answer in 5 seconds",
    "crashed": "ended without an answer",
    "babbling": "ended without an answer",
    "empty core": "unsat without plain.yaml:",
    "no core": "unsat without plain.yaml:",
}

# Its last statement says nothing that another one doesn't say too: so there is a core to ask for.
OVERSAID = """\
  - {id: again, cite: "22", says: on five as well, about: player_draw, when: {player2: 5}, then: draw}
"""


@pytest.fixture
def oversaid(plain_text: Callable[..., str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """`plain.yaml` in a folder of its own, which is the current one."""
    monkeypatch.chdir(tmp_path)
    Path("plain.yaml").write_text(plain_text(add=OVERSAID), encoding="utf-8")
    return tmp_path


@pytest.mark.parametrize("liar", ["z3", "cvc5"])
@pytest.mark.parametrize("fault", FAULTS)
@pytest.mark.slow
def test_an_engine_that_lies_makes_the_check_incomplete_and_its_script_is_kept(
    fault: str, liar: str, oversaid: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    if liar not in [engine.name for engine in available_engines()]:
        missing(liar, f"{liar} is an optional extra")
    program = FAULTY.replace("LIAR", repr(liar)).replace("FAULT", FAULTS[fault])
    monkeypatch.setattr(oracle.solver.worker, "COMMAND", (sys.executable, "-c", program))
    if fault == "hung":
        monkeypatch.setattr(oracle.solver.worker, "PATIENCE", 5)
    code = run(["check", "plain.yaml", "--solvers", ",".join(e.name for e in available_engines()), "--no-claims"])
    out, err = capsys.readouterr()
    assert code == 3
    said = " ".join(out.split())
    assert "the engines disagree" in said
    assert SAID.get(fault, f"{liar} ") in said
    kept = sorted(Path("disagreements").rglob("*.smt2"))
    assert kept
    assert all(path.as_posix() in err for path in nonempty(kept))
    if "core" in fault:
        assert [path.as_posix() for path in kept] == ["disagreements/plain/player_draw-cover.smt2"]
    text = kept[0].read_text(encoding="utf-8")
    assert "; ---- not confirmed" in text
    assert {answer.verdict for answer in run_z3(text)} <= {"sat", "unsat"}, "it still is a script"


@pytest.mark.usefixtures("oversaid")
def test_honest_engines_keep_nothing(monkeypatch: pytest.MonkeyPatch) -> None:
    program = FAULTY.replace("LIAR", "None").replace("FAULT", "")
    monkeypatch.setattr(oracle.solver.worker, "COMMAND", (sys.executable, "-c", program))
    assert run(["check", "plain.yaml", "--no-claims"]) == 0
    assert not Path("disagreements").exists()

"""Enumeration and the solvers side by side: the same properties, asked of each."""

from __future__ import annotations

from collections.abc import Sequence

import msgspec

from oracle.game.rules import Rules
from oracle.solver.engine import RLIMIT, Engine, EngineAnswer, SolverError
from oracle.solver.smtlib import Property, Script, write_script


class Check(msgspec.Struct, frozen=True):
    """One property: what enumeration says, and what each engine does, in the order of the engines."""

    asked: Property
    answers: tuple[EngineAnswer, ...]

    @property
    def enumeration(self) -> str:
        """`sat` or `unsat`, by enumeration."""
        return self.asked.enumeration

    @property
    def unknown(self) -> bool:
        """Whether an engine gave up."""
        return any(answer.verdict == "unknown" for answer in self.answers)

    @property
    def agreed(self) -> bool:
        """Whether every engine says what enumeration says, for reasons that can be; never so where one gave up."""
        return all(self.confirmed_by(answer) for answer in self.answers)

    @property
    def disagreed(self) -> bool:
        """Whether an engine says the opposite of enumeration, or rests it on what can't carry it."""
        return any(answer.verdict != "unknown" and not self.confirmed_by(answer) for answer in self.answers)

    def confirmed_by(self, answer: EngineAnswer) -> bool:
        """Whether an answer confirms what enumeration says; an unsat core has to have what no proof does without."""
        return answer.verdict == self.enumeration and not self._lacking(answer)

    def _lacking(self, answer: EngineAnswer) -> list[str]:
        """The labels that a core lacks, one of each group; none where no core is asked for."""
        if answer.verdict != "unsat":
            return []
        core = set(answer.core or ())
        return [group[0] for group in self.asked.needed if not core & set(group)]

    def show(self, answer: EngineAnswer) -> str:
        """An answer, with what its core lacks."""
        lacking = self._lacking(answer)
        return f"{answer} without {' and '.join(lacking)}" if lacking else str(answer)


class Agreement(msgspec.Struct, frozen=True):
    """Every property of one rule set and question, asked of enumeration and of each engine.

    `script` is the text that the engines read, for a reader to save. Without engines there is nothing to
    agree with: `agreed` is then false, and `checks` still say what enumeration found.
    """

    rule_set: str
    question: str
    engines: tuple[str, ...]
    checks: tuple[Check, ...]
    script: Script

    @property
    def agreed(self) -> bool:
        """Whether there are engines, and all of them confirm everything."""
        return bool(self.engines) and all(check.agreed for check in self.checks)

    @property
    def disagreements(self) -> tuple[Check, ...]:
        """The properties on which an engine contradicts enumeration."""
        return tuple(check for check in self.checks if check.disagreed)

    @property
    def unknown(self) -> tuple[Check, ...]:
        """The properties on which an engine gave up."""
        return tuple(check for check in self.checks if check.unknown)

    def show(self, check: Check) -> str:
        """A property and all answers to it: `home-pt banker_draw, gap: enumeration unsat, z3 5.4.1 sat`."""
        told = [f"{engine} {check.show(answer)}" for engine, answer in zip(self.engines, check.answers, strict=True)]
        said = ", ".join([f"enumeration {check.enumeration}", *told])
        return f"{self.rule_set} {self.question}, {check.asked.name}: {said}"


def cross_check(rules: Rules, question: str, engines: Sequence[Engine], *, rlimit: int = RLIMIT) -> Agreement:
    """Ask every engine what enumeration has answered already.

    `rlimit` bounds each check. Raises `UnknownName` for a question without formulas, `SolverError` if an
    engine can't read the script or answers another number of checks.
    """
    return ask_engines(write_script(rules, question), engines, rlimit=rlimit)


def ask_engines(script: Script, engines: Sequence[Engine], *, rlimit: int = RLIMIT) -> Agreement:
    """The same for a script that is written already."""
    return compare_answers(script, engines, [engine.run(script.text, rlimit=rlimit) for engine in engines])


def compare_answers(script: Script, engines: Sequence[Engine], columns: Sequence[Sequence[EngineAnswer]]) -> Agreement:
    """The answers that engines gave to a script, beside what enumeration says. Raises `SolverError`."""
    for engine, answers in zip(engines, columns, strict=True):
        if len(answers) != len(script.properties):
            asked = f"{len(script.properties)} checks of {script.rule_set} {script.question}"
            raise SolverError(f"{engine} gave {len(answers)} answers to {asked}")
    return Agreement(
        rule_set=script.rule_set,
        question=script.question,
        engines=tuple(str(engine) for engine in engines),
        checks=tuple(Check(asked, tuple(column[asked.place] for column in columns)) for asked in script.properties),
        script=script,
    )

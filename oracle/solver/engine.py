"""The solvers that scripts are given to. Each is imported only when it runs.

SolverError     a solver didn't understand a script: a fault of ours, never of a spec
NotInstalled    an engine was asked for by name, and its package isn't there
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from importlib import metadata
from typing import Protocol

import msgspec

from oracle.spans import OracleError, UnknownName
from oracle.text import did_you_mean, printable, quoted

RLIMIT = 5_000_000
"""Units of work for one check, as the solver counts them: a hundred times what shipped sources need."""

_CHECK = "(check-sat)"
_CORE = "(get-unsat-core)"
_LABEL = re.compile(r"\|([^|]*)\||([^\s()|]+)")
_ANSWERS = ("sat", "unsat", "unknown")


class SolverError(OracleError):
    """A solver couldn't read a script, or didn't answer what it was asked."""


class NotInstalled(OracleError):
    """A known engine whose package is missing; the message says what to install."""


class EngineAnswer(msgspec.Struct, frozen=True):
    """What a solver says to one `check-sat`: `sat`, `unsat` or `unknown`, and for the last why.

    `core` are the labels of assertions that an `unsat` rests on, where the script asks for them.
    """

    verdict: str
    reason: str = ""
    core: tuple[str, ...] | None = None

    def __str__(self) -> str:
        return f"{self.verdict} ({self.reason})" if self.reason else self.verdict


class Run(Protocol):
    """Runs a script and returns one answer for each of its `check-sat` commands. Raises `SolverError`."""

    def __call__(self, script_text: str, /, *, rlimit: int = RLIMIT) -> list[EngineAnswer]:
        """`rlimit` bounds each check."""


class Engine(msgspec.Struct, frozen=True):
    """A solver: its name, its version, and how to run it."""

    name: str
    version: str
    run: Run

    def __str__(self) -> str:
        return f"{self.name} {self.version}"


def available_engines(names: str = "auto") -> list[Engine]:
    """The engines that `names` asks for: `auto` (all that are installed), `none`, or names as in `z3,cvc5`.

    Raises `UnknownName` for a name that is no engine, `NotInstalled` for one whose package is missing.
    """
    asked = list(dict.fromkeys(part.strip() for part in names.split(",")))
    if asked == ["none"]:
        return []
    if asked == ["auto"]:
        return [engine for name in _ENGINES if (engine := _engine(name)) is not None]
    engines = []
    for name in ("auto", "none"):
        if name in asked:
            raise UnknownName(f"`{name}` goes alone: say {name}, or name solvers, as in {','.join(_ENGINES)}")
    for name in asked:
        if name not in _ENGINES:
            known = did_you_mean(name, ("auto", "none", *_ENGINES))
            raise UnknownName(f"no solver {quoted(name)}: {known}")
        engine = _engine(name)
        if engine is None:
            raise NotInstalled(f"{name} is not installed: install {_ENGINES[name][2]}")
        engines.append(engine)
    return engines


def engine_named(name: str) -> Engine:
    """The engine of that name. Raises `SolverError` if it isn't there."""
    engine = _engine(name) if name in _ENGINES else None
    if engine is None:
        raise SolverError(f"no engine {printable(name[:40])} here")
    return engine


def run_z3(script_text: str, /, *, rlimit: int = RLIMIT) -> list[EngineAnswer]:
    """The answers of Z3, by its own reader of SMT-LIB."""
    import z3  # type: ignore[import-untyped, unused-ignore]

    context = z3.Context()
    answers: list[EngineAnswer] = []

    def evaluate(text: str) -> str:
        try:
            return str(z3.Z3_eval_smtlib2_string(context.ref(), text)).strip()
        except z3.Z3Exception as error:
            value = error.args[0] if error.args else error
            told = value.decode("utf-8", "replace") if isinstance(value, bytes) else str(value)
            raise SolverError(f"z3 refused a script at check {len(answers)}: {printable(told.strip())}") from error

    for commands, asks in _pieces(script_text):
        said = evaluate(commands)
        if said:
            raise SolverError(f"z3 said something unasked at check {len(answers)}: {printable(said)}")
        if asks == _CORE and answers and answers[-1].verdict == "unsat":
            answers[-1] = _with_core(answers[-1], evaluate(_CORE))
        elif asks == _CHECK:
            verdict = evaluate(f"(set-option :rlimit {rlimit})\n{_CHECK}")
            reason = _reason(evaluate("(get-info :reason-unknown)")) if verdict == "unknown" else ""
            evaluate("(set-option :rlimit 0)")
            answers.append(_answer("z3", verdict, reason, rlimit))
    return answers


def run_cvc5(script_text: str, /, *, rlimit: int = RLIMIT) -> list[EngineAnswer]:
    """The answers of cvc5, by its own reader of SMT-LIB."""
    import cvc5

    solver = cvc5.Solver()
    symbols = cvc5.SymbolManager(solver)
    answers: list[EngineAnswer] = []
    try:
        solver.setOption("incremental", "true")
        solver.setOption("rlimit-per", str(rlimit))
        parser = cvc5.InputParser(solver, symbols)
        parser.setStringInput(cvc5.InputLanguage.SMT_LIB_2_6, script_text, "script")
        while not (command := parser.nextCommand()).isNull():
            core = str(command.getCommandName()) == _CORE.strip("()")
            if core and answers and answers[-1].verdict != "unsat":
                continue
            said = str(command.invoke(solver, symbols)).strip()
            verdict, _, rest = said.partition(" ")
            if core and answers:
                answers[-1] = _with_core(answers[-1], said)
            elif verdict in _ANSWERS:
                answers.append(_answer("cvc5", verdict, rest.strip("()").lower(), rlimit))
            elif said:
                raise SolverError(f"cvc5 said something unasked at check {len(answers)}: {printable(said)}")
    except RuntimeError as error:
        raise SolverError(f"cvc5 refused a script at check {len(answers)}: {printable(str(error))}") from error
    return answers


# By name: how to run it, the distribution that holds it, and what to install to have it.
_ENGINES: dict[str, tuple[Run, str, str]] = {
    "z3": (run_z3, "z3-solver", "baccarat-oracle"),
    "cvc5": (run_cvc5, "cvc5", "baccarat-oracle[cross]"),
}


def _engine(name: str) -> Engine | None:
    run, distribution, _ = _ENGINES[name]
    try:
        return Engine(name, metadata.version(distribution), run)
    except metadata.PackageNotFoundError:
        return None


def _pieces(text: str) -> Iterator[tuple[str, str]]:
    """The commands of a script up to each that asks something (on a line of its own), with it; those after the last."""
    commands: list[str] = []
    for line in text.splitlines():
        if line.strip() in (_CHECK, _CORE):
            yield "\n".join(commands), line.strip()
            commands = []
        else:
            commands.append(line)
    yield "\n".join(commands), ""


def _with_core(answer: EngineAnswer, told: str) -> EngineAnswer:
    """An `unsat` with the labels that it rests on."""
    labels = tuple(quoted or plain for quoted, plain in _LABEL.findall(told))
    return EngineAnswer(answer.verdict, answer.reason, labels)


def _answer(engine: str, verdict: str, reason: str, rlimit: int) -> EngineAnswer:
    if verdict not in _ANSWERS:
        raise SolverError(f"{engine} answered a check with: {printable(verdict[:200])}")
    return EngineAnswer(verdict, f"within {rlimit:,} units: {reason}" if verdict == "unknown" else "")


def _reason(told: str) -> str:
    return told.strip().removeprefix("(:reason-unknown").removesuffix(")").strip(' "') or "no reason given"

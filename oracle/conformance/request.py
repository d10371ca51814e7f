"""The test of a program as a request, and the one way from a request through the run and its log to a summary."""

from __future__ import annotations

import shutil
import sys
import tempfile
import weakref
from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import ClassVar

import msgspec

from oracle.cases.reference import reference_of
from oracle.cases.tiers import DEFAULT
from oracle.conformance.diagnose.diagnose import diagnose
from oracle.conformance.run.asked import check_tiers, silences, suite
from oracle.conformance.run.limits import Limits
from oracle.conformance.run.log import Log, LogWriter
from oracle.conformance.run.results import ResultsFile, judge_results
from oracle.conformance.run.runner import Runner, Subject
from oracle.conformance.run.tally import Record
from oracle.conformance.summary.known import Known, read_known
from oracle.conformance.summary.summary import Summary, summarise
from oracle.game.rules import Rules
from oracle.rules.library import Library
from oracle.spans import OracleError

Progress = Callable[[Record], None]


class TestRequest(msgspec.Struct, frozen=True, kw_only=True):
    """What is tested, against which rule set, with which cases.

    Exactly one of three says what answers: `command`, a program and its arguments that speaks the adapter protocol
    (docs/protocol.md); `function`, a Python function as MODULE:FUNCTION; `results`, a file of recorded answers.

    `rules` is the id of a rule set, among the shipped specs and those in the folders `specs`. `tiers` are names of
    tiers (by default those of `oracle.cases.tiers.DEFAULT`), `only` ids of cases in them; `adaptive` chooses the cases
    itself, from a program that answers. `known` is a list of known failures. Times in `limits` are seconds, its memory
    is bytes. `log` is where the log is kept; without it the log goes when nobody holds the summary any more.
    """

    __test__: ClassVar[bool] = False  # pytest collects classes that are called so

    rules: str
    command: tuple[str, ...] = ()
    function: str = ""
    results: Path | None = None
    tiers: tuple[str, ...] = ()
    only: tuple[str, ...] = ()
    adaptive: bool = False
    known: Path | None = None
    limits: Limits = Limits()
    specs: tuple[Path, ...] = ()
    log: Path | None = None

    @property
    def target(self) -> tuple[str, ...]:
        """What answers, in the words of the command line."""
        if self.function:
            return ("--python", self.function)
        return ("--", *self.command) if self.results is None else ("--results", str(self.results))


def run_test(request: TestRequest, *, library: Library | None = None, tell: Progress | None = None) -> Summary:
    """Test a program against a rule set: every case is asked and judged, and the summary says what was wrong.

    `library` is the one of `request.specs`, where it is open already; `tell` is called with the tally while answers
    come in. A program that fails, hangs or answers wrongly is no error, but in the summary. Raises `UnknownName` for a
    rule set, tier or case that doesn't exist, `SpecError` for specs that can't be read, and `OracleError` for a request
    that contradicts itself, for files that can't be read or written, and where the rules leave an answer open.
    """
    _check(request)
    check_tiers(request.tiers)
    library = Library(request.specs, claims=False) if library is None else library
    rules = Rules(*library.rule_set(request.rules))
    known = None if request.known is None else read_known(request.known, rules.id)
    results = None if request.results is None else ResultsFile(request.results)
    folder = Path(tempfile.mkdtemp(prefix="baccarat-oracle-")) if request.log is None else None
    path = request.log or (folder or Path()) / "log.ndjson"
    try:
        _ask(request, rules, results, path, tell)
        summary = summary_of(Log(path), library, rules, known)
    except BaseException:
        if folder is not None:
            shutil.rmtree(folder, ignore_errors=True)
        raise
    if folder is not None:  # the summary reads lines from the log when they are asked for
        weakref.finalize(summary.log, shutil.rmtree, folder, ignore_errors=True)
    return summary


def summary_of(log: Log, library: Library, rules: Rules, known: Known | None = None) -> Summary:
    """What a log results in by the rules that it was judged by. Other rule sets of the library may explain failures."""
    others = [Rules(spec, table) for spec in library.specs() for table in spec.rule_sets] if log.counts["fail"] else []
    return summarise(log, diagnose(log, rules, others), known)


def _check(request: TestRequest) -> None:
    """Raises `OracleError` for a request that contradicts itself."""
    if sum((bool(request.command), bool(request.function), request.results is not None)) != 1:
        raise OracleError("a test request names one of command, function and results: what answers the cases")
    if request.adaptive and (request.tiers or request.only or request.results is not None):
        raise OracleError("an adaptive test chooses the cases itself: give it neither tiers, only nor results")


def _ask(request: TestRequest, rules: Rules, results: ResultsFile | None, path: Path, tell: Progress | None) -> None:
    """Ask the cases of a request, and write the log."""
    tiers = tuple(dict.fromkeys(request.tiers)) or DEFAULT
    subject = Subject(
        rules=rules.id,
        target=request.target,
        tiers=tiers,
        only=request.only,
        specs=tuple(str(folder) for folder in request.specs),
        adaptive=request.adaptive,
        offered=rules.bets,
    )
    command = request.command
    if request.function:
        command = (sys.executable, "-m", "oracle.conformance.adapters.python_function", request.function)
    with LogWriter(path) as log:
        record = Record(log, tell)
        record.silent = {} if request.adaptive else silences(rules, tiers)
        if results is not None:
            judge_results(results, suite(rules, tiers, request.only), subject=subject, record=record, log=log)
            return
        runner = Runner(command, subject, record, log, request.limits)
        if request.adaptive:
            from oracle.conformance.diagnose.adaptive import plan_of

            runner.run_adaptive(partial(plan_of, reference_of(rules)))
        else:
            runner.run(suite(rules, tiers, request.only))

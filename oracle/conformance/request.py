"""The test of a program as a request, and the one way from a request through the run and its log to a summary."""

from __future__ import annotations

import secrets
import shutil
import sys
import tempfile
import weakref
from collections.abc import Callable, Iterator, Sequence
from functools import partial
from pathlib import Path
from typing import ClassVar

import msgspec

from oracle.cases.case import Case, Kind
from oracle.cases.fresh import fresh
from oracle.cases.reference import reference_of
from oracle.cases.tiers import DEFAULT
from oracle.conformance.diagnose.diagnose import diagnose
from oracle.conformance.run.asked import asked_cases, check_tiers, in_full, read_in_full, silences
from oracle.conformance.run.limits import Limits
from oracle.conformance.run.log import Header, Log, LogWriter
from oracle.conformance.run.results import ResultsFile, judge_results
from oracle.conformance.run.runner import Runner, Subject
from oracle.conformance.run.tally import Record
from oracle.conformance.summary.known import Known, read_known
from oracle.conformance.summary.power import power_of
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
    tiers (by default the minimal set for what is reported, and those of `oracle.cases.tiers.DEFAULT`), `only` ids of
    cases in them; `ask` are cases in full, as JSON in the fields of the protocol; `adaptive` chooses the cases itself,
    from a program that answers. Unless `fresh` is false, a program is asked fresh cases, too, drawn from `seed` (any
    text of up to 64 printable characters; by default one that is drawn for this run), and some cases a second time.
    `known` is a list of known failures. Times in `limits` are seconds, its memory is bytes. `log` is where the log is
    kept; without it the log goes when nobody holds the summary any more.
    """

    __test__: ClassVar[bool] = False  # pytest collects classes that are called so

    rules: str
    command: tuple[str, ...] = ()
    function: str = ""
    results: Path | None = None
    tiers: tuple[str, ...] = ()
    only: tuple[str, ...] = ()
    ask: tuple[str, ...] = ()
    adaptive: bool = False
    fresh: bool = True
    seed: str = ""
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
        log = _ask(request, rules, results, path, tell)
        summary = summary_of(log, library, rules, known)
    except BaseException:
        if folder is not None:
            shutil.rmtree(folder, ignore_errors=True)
        raise
    if folder is not None:  # the summary reads lines from the log when they are asked for
        weakref.finalize(summary.log, shutil.rmtree, folder, ignore_errors=True)
    return summary


def summary_of(log: Log, library: Library, rules: Rules, known: Known | None = None) -> Summary:
    """What a log results in by the rules that it was judged by. Other rule sets of the library may explain failures."""
    others = [Rules(spec, table) for spec in library.specs() for table in spec.rule_sets] if log.wrong else []
    return summarise(log, diagnose(log, rules, others), known, power_of(log, rules))


def _check(request: TestRequest) -> None:
    """Raises `OracleError` for a request that contradicts itself."""
    if sum((bool(request.command), bool(request.function), request.results is not None)) != 1:
        raise OracleError("a test request names one of command, function and results: what answers the cases")
    if request.adaptive and (request.tiers or request.only or request.results is not None):
        raise OracleError("an adaptive test chooses the cases itself: give it neither tiers, only nor results")
    if request.ask and (request.adaptive or request.tiers or request.only or request.results is not None):
        raise OracleError("cases in full are asked alone: give neither tiers, only, results nor adaptive with them")
    if len(request.seed) > _MOST or not request.seed.isprintable():
        raise OracleError(f"a seed is a text of at most {_MOST} printable characters")
    if request.seed and not _draws(request):
        raise OracleError("this run draws no fresh cases: leave out the seed")


_MOST = 64


def _draws(request: TestRequest) -> bool:
    """Whether a run asks fresh cases: not where the cases are chosen one by one, nor of a file."""
    one_by_one = request.adaptive or request.only or request.ask or request.results is not None
    return request.fresh and not one_by_one


def _ask(request: TestRequest, rules: Rules, results: ResultsFile | None, path: Path, tell: Progress | None) -> Log:
    """Ask the cases of a request; the log that was written."""
    chosen = tuple(dict.fromkeys(request.tiers))
    ask = tuple(in_full(case) for case in read_in_full(rules, request.ask))
    draws = _draws(request)
    subject = Subject(
        rules=rules.id,
        target=request.target,
        chosen=chosen,
        only=request.only,
        ask=ask,
        fresh=draws,
        seed=(request.seed or secrets.token_hex(4)) if draws else "",
        specs=tuple(str(folder) for folder in request.specs),
        adaptive=request.adaptive,
    )
    command = request.command
    if request.function:
        command = (sys.executable, "-m", "oracle.conformance.adapters.python_function", request.function)
    with LogWriter(path) as log:
        record = Record(log, tell)
        record.silent = {} if request.adaptive or ask else silences(rules, chosen or DEFAULT)

        def cases(header: Header) -> Iterator[Case]:
            return asked_cases(rules, tiers=header.tiers, only=header.only, ask=header.ask)

        if results is not None:
            judge_results(results, cases, subject=subject, record=record)
        elif request.adaptive:
            from oracle.conformance.diagnose.adaptive import plan_of

            runner = Runner(command, subject, record, request.limits)
            runner.run_adaptive(partial(plan_of, reference_of(rules)))
        else:
            draw = partial(_fresh, rules, subject.seed) if draws else None
            Runner(command, subject, record, request.limits).run(cases, draw)
        return log.read()


def _fresh(rules: Rules, seed: str, kind: Kind) -> Sequence[Case]:
    return fresh(reference_of(rules), kind, seed)

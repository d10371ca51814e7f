"""baccarat-oracle test: run an implementation against a rule set."""

from __future__ import annotations

import signal
import sys
import tempfile
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any, NoReturn, TypeVar

import click

from oracle.cli.options import open_library, specs_option, tell_replaced

if TYPE_CHECKING:
    from oracle.conformance.run.tally import Record

_EXAMPLES = """
\b
Examples:
  baccarat-oracle test --rules home-pt -- node mine.js
  baccarat-oracle test --rules home-pt --python mine:play
  baccarat-oracle test --rules home-pt --results mine.csv
  baccarat-oracle test --rules home-pt --tier values --report out -- ./mine
  baccarat-oracle test --rules home-pt --adaptive -- ./mine
  baccarat-oracle test --rules home-pt --known known.jsonl -- ./mine
  baccarat-oracle test --rules home-pt --evidence out --subject mine -- ./mine

\b
Exit codes:
  0  conforms: every answer is as the rules have it, known failures aside
  1  differs, or a known failure passes
  2  bad input or use
  3  incomplete: something was skipped, not answered, or never asked
"""

Function = TypeVar("Function", bound=Callable[..., Any])


def _seconds(name: str, default: float, help: str) -> Callable[[Function], Function]:
    """An option for a time that the program has."""
    kind = click.FloatRange(min=0.05, max=86_400)
    return click.option(name, type=kind, default=default, metavar="SECONDS", help=f"{help[:-1]} [{default:g}].")


@click.command(name="test", epilog=_EXAMPLES)
@click.option("--rules", "wanted", required=True, metavar="ID", help="The rule set, as home-pt or selminha/classica.")
@click.option(
    "--tier",
    "tiers",
    multiple=True,
    metavar="NAME",
    help="Which cases [default: all but `values`, `ranks` and minimal sets].",
)
@click.option("--case", "only", multiple=True, metavar="ID", help="Only this case; any number of times.")
@click.option("--adaptive", is_flag=True, help="For slow programs: only the coups that it takes to find one fault.")
@click.option("--python", "function", metavar="MODULE:FUNCTION", help="A Python function in the place of COMMAND.")
@click.option(
    "--results", "file", type=click.Path(path_type=Path), metavar="FILE", help="Answers in JSON Lines or CSV, by id."
)
@click.option("--format", "form", type=click.Choice(["text", "json"]), default="text", show_default=True)
@click.option(
    "--report",
    "out",
    type=click.Path(path_type=Path, file_okay=False),
    metavar="DIR",
    help="Write test.txt, test.json, junit.xml, summary.md, report.html, badge.svg and log.ndjson into DIR.",
)
@click.option(
    "--evidence",
    type=click.Path(path_type=Path, file_okay=False),
    metavar="DIR",
    help="Make DIR: log, reports, specs, and digests of everything, for `evidence verify`.",
)
@click.option(
    "--subject",
    "subjects",
    multiple=True,
    type=click.Path(path_type=Path, dir_okay=False),
    metavar="FILE",
    help="A file of what is tested, for the evidence; any number of times.",
)
@click.option(
    "--known",
    "known_path",
    type=click.Path(path_type=Path, dir_okay=False),
    metavar="FILE",
    help="Known failures, which don't count; one that passes does.",
)
@click.option(
    "--write-known",
    "known_out",
    type=click.Path(path_type=Path, dir_okay=False),
    metavar="FILE",
    help="List what is wrong in FILE, with reasons to fill in, for --known.",
)
@click.option(
    "--log", "log_path", type=click.Path(path_type=Path, dir_okay=False), metavar="FILE", help="Keep the log."
)
@_seconds("--start-timeout", 20, "To answer the first message.")
@_seconds("--batch-timeout", 60, "To answer a batch of up to 200 cases.")
@_seconds("--case-timeout", 5, "To answer a case that is asked alone.")
@click.option(
    "--restarts", type=click.IntRange(0, 10_000), default=20, metavar="COUNT", help="Starts after the first [20]."
)
@click.option("--memory", type=click.IntRange(1), default=4096, metavar="MIB", help="Of COMMAND in all [4096].")
@specs_option
@click.argument("program", nargs=-1, metavar="-- COMMAND...", type=click.UNPROCESSED)
def command(
    *,
    wanted: str,
    tiers: tuple[str, ...],
    only: tuple[str, ...],
    adaptive: bool,
    function: str | None,
    file: Path | None,
    form: str,
    out: Path | None,
    log_path: Path | None,
    evidence: Path | None,
    subjects: tuple[Path, ...],
    known_path: Path | None,
    known_out: Path | None,
    start_timeout: float,
    batch_timeout: float,
    case_timeout: float,
    restarts: int,
    memory: int,
    folders: tuple[Path, ...],
    program: tuple[str, ...],
) -> int:
    """Run COMMAND against a rule set, and say which rules it plays differently.

    COMMAND answers on its standard input and output as docs/protocol.md has it. It runs with your rights; it is ended
    with everything that it started.
    """
    if sum((bool(program), function is not None, file is not None)) != 1:
        raise click.UsageError("give one of: -- COMMAND, --python MODULE:FUNCTION, --results FILE")
    if adaptive and (tiers or only or file is not None):
        raise click.UsageError("--adaptive chooses the cases itself: give neither --tier, --case nor --results")
    if subjects and evidence is None:
        raise click.UsageError("--subject belongs to --evidence DIR")
    from oracle.cases.reference import reference_of
    from oracle.cases.tiers import DEFAULT
    from oracle.conformance.diagnose.diagnose import diagnose
    from oracle.conformance.evidence.index import digest_subjects
    from oracle.conformance.run.asked import check_tiers, silences, suite
    from oracle.conformance.run.limits import Limits
    from oracle.conformance.run.log import Log, LogWriter
    from oracle.conformance.run.results import ResultsFile, judge_results
    from oracle.conformance.run.runner import Runner, Subject
    from oracle.conformance.run.tally import Record
    from oracle.conformance.summary.known import NO_KNOWN, known_text, read_known
    from oracle.conformance.summary.summary import summarise
    from oracle.files import write_files
    from oracle.game.rules import Rules
    from oracle.report.payload import dump
    from oracle.report.run.evidence import check_place, write_evidence
    from oracle.report.run.outline import outline
    from oracle.report.run.run_files import run_files
    from oracle.report.run.run_payload import run_payload
    from oracle.report.run.run_text import run_text
    from oracle.rules.library import display_path

    check_tiers(tiers)
    library = open_library(folders)
    spec, rule_set = library.rule_set(wanted)
    tell_replaced(library)
    rules = Rules(spec, rule_set)
    asked = dict.fromkeys(tiers) or dict.fromkeys(DEFAULT)
    if function is not None:
        program = (sys.executable, "-m", "oracle.conformance.adapters.python_function", function)
        target: tuple[str, ...] = ("--python", function)
    else:
        target = ("--", *program) if file is None else ("--results", str(file))
    subject = Subject(
        rules=rules.id,
        target=target,
        tiers=tuple(asked),
        only=only,
        specs=tuple(str(folder) for folder in folders),
        adaptive=adaptive,
    )
    results = None if file is None else ResultsFile(file)
    limits = Limits(start=start_timeout, batch=batch_timeout, case=case_timeout, restarts=restarts, memory=memory << 20)
    known = None if known_path is None else read_known(known_path, rules.id)
    tested = digest_subjects(subjects)
    if evidence is not None:
        check_place(evidence)
    if out is not None:
        write_files(out, {})
    with _log_place(log_path or (out and out / "log.ndjson")) as path, _ended_by_signals():
        with LogWriter(path) as log:
            record = Record(log, _progress())
            record.silent = {} if adaptive else silences(rules, tuple(asked))
            cases = suite(rules, tuple(asked), only)
            try:
                if adaptive:
                    from oracle.conformance.diagnose.adaptive import plan_of

                    runner = Runner(program, subject, record, log, limits)
                    runner.run_adaptive(partial(plan_of, reference_of(rules)))
                elif results is None:
                    Runner(program, subject, record, log, limits).run(cases)
                else:
                    judge_results(results, cases, subject=subject, record=record, log=log)
            finally:
                _end_progress()
        done = Log(path)
        fails = done.counts["fail"]
        others = [Rules(s, r) for s in library.specs() for r in s.rule_sets] if fails else []
        summary = summarise(done, diagnose(done, rules, others), known)
        text, payload = run_text(outline(summary)), run_payload(summary)
        if out is not None:
            write_files(out, run_files(summary))
        if known_out is not None:
            write_files(known_out.parent, {known_out.name: known_text(done, known or NO_KNOWN)})
        if evidence is not None:
            digest = write_evidence(
                evidence, summary, library=library, rules=rules, subjects=tested, limits=limits, known=known_path
            )
            click.echo(f"evidence: {display_path(evidence)}, whose SHA256SUMS has sha256 {digest}", err=True)
    click.echo(dump(payload) if form == "json" else text)
    return summary.exit


@contextmanager
def _log_place(path: Path | None) -> Iterator[Path]:
    """Where the log goes: where the user said, else a folder that is gone in the end."""
    if path is not None:
        yield path
        return
    with tempfile.TemporaryDirectory(prefix="baccarat-oracle-") as folder:
        yield Path(folder) / "log.ndjson"


def _progress() -> Callable[[Record], None] | None:
    """A line on stderr that counts along, if somebody watches it."""
    if not sys.stderr.isatty():
        return None
    told = time.monotonic()

    def tell(record: Record) -> None:
        nonlocal told
        if (now := time.monotonic()) - told > 0.2:
            told = now
            counts = ", ".join(f"{record.counts[word]:,} {word}" for word in record.counts)
            click.echo(f"\r\033[K{counts}"[:80], nl=False, err=True)

    return tell


def _end_progress() -> None:
    if sys.stderr.isatty():
        click.echo("\r\033[K", nl=False, err=True)


@contextmanager
def _ended_by_signals() -> Iterator[None]:
    """Being told to end takes the program under test along, as an interrupt does."""
    if threading.current_thread() is not threading.main_thread():
        yield
        return

    def end(number: int, frame: object) -> NoReturn:  # noqa: ARG001 (the signature of a handler)
        sys.exit(128 + number)

    before = {number: signal.signal(number, end) for number in (signal.SIGTERM, signal.SIGHUP)}
    try:
        yield
    finally:
        for number, handler in before.items():
            signal.signal(number, handler)

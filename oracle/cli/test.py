"""baccarat-oracle test: run an implementation against a rule set."""

from __future__ import annotations

from collections.abc import Callable
from functools import wraps
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeVar

import click

from oracle.cli.options import open_library, specs_option, tell_replaced
from oracle.cli.progress import showing
from oracle.progress import tell
from oracle.report.run.run_files import REPORTS, run_files

if TYPE_CHECKING:
    from oracle.conformance.request import TestRequest
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
  0  conforms: every answer is as the rules have it, those to fresh cases too;
     agrees: so is every answer, but less was asked (--require conforms: 3);
     known failures aside
  1  differs, or a known failure passes
  2  bad input or use
  3  incomplete: something was skipped, not answered or never compared, or the
     program crashed, hung or had to be started again
"""

Function = TypeVar("Function", bound=Callable[..., Any])


def _as_request(command: Callable[..., int]) -> Callable[..., int]:
    """Makes a request of the options that say what is tested, and by what; the command gets it first, and the rest."""

    @wraps(command)
    def parse(
        *,
        wanted: str,
        tiers: tuple[str, ...],
        only: tuple[str, ...],
        ask: tuple[str, ...],
        adaptive: bool,
        fresh: bool,
        seed: str,
        function: str | None,
        file: Path | None,
        known_path: Path | None,
        log_path: Path | None,
        folders: tuple[Path, ...],
        program: tuple[str, ...],
        out: Path | None,
        **others: Any,
    ) -> int:
        if sum((bool(program), function is not None, file is not None)) != 1:
            raise click.UsageError("give one of: -- COMMAND, --python MODULE:FUNCTION, --results FILE")
        if adaptive and (tiers or only or file is not None):
            raise click.UsageError("--adaptive chooses the cases itself: give neither --tier, --case nor --results")
        if ask and (adaptive or tiers or only or file is not None):
            raise click.UsageError("--ask asks its cases alone: give neither --tier, --case, --adaptive nor --results")
        if seed and (not fresh or ask or only or adaptive or file is not None):
            raise click.UsageError("--seed draws fresh cases, and this run asks none: leave it out")
        from oracle.conformance.request import TestRequest
        from oracle.conformance.run.limits import Limits

        limits = {name: others.pop(f"{name}_timeout") for name in ("start", "batch", "case", "run")}
        request = TestRequest(
            rules=wanted,
            command=program,
            function=function or "",
            results=file,
            tiers=tiers,
            only=only,
            ask=ask,
            adaptive=adaptive,
            fresh=fresh,
            seed=seed,
            known=known_path,
            limits=Limits(**limits, restarts=others.pop("restarts"), memory=others.pop("memory") << 20),
            specs=folders,
            log=log_path or (out and out / "log.ndjson"),
        )
        return command(request, out=out, **others)

    return parse


def _seconds(name: str, default: float, help: str, *, most: float = 86_400) -> Callable[[Function], Function]:
    """An option for a time that the program has."""
    kind = click.FloatRange(min=0.05, max=most)
    return click.option(name, type=kind, default=default, metavar="SECONDS", help=f"{help[:-1]} [{default:g}].")


@click.command(name="test", epilog=_EXAMPLES)
@click.option("--rules", "wanted", required=True, metavar="ID", help="The rule set, as home-pt or selminha/classica.")
@click.option(
    "--tier",
    "tiers",
    multiple=True,
    metavar="NAME",
    help="Which cases [default: all but `values` and `ranks`; `minimal` is the set for what is reported].",
)
@click.option("--case", "only", multiple=True, metavar="ID", help="Only this case; any number of times.")
@click.option("--ask", multiple=True, metavar="JSON", help="Only this case, in full, as the protocol asks it.")
@click.option("--seed", default="", metavar="TEXT", help="Draw the fresh cases of an earlier run again.")
@click.option("--fresh/--no-fresh", default=True, help="Ask fresh cases, too, and some a second time [default: yes].")
@click.option(
    "--require", type=click.Choice(["conforms"]), help="Exit 3 for a run that agrees, but was not the whole of it."
)
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
    help=f"Write {', '.join(REPORTS)} and log.ndjson into DIR.",
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
@_seconds("--run-timeout", 1800, "For all of it, after which the run is incomplete.", most=30 * 86_400)
@click.option(
    "--restarts", type=click.IntRange(0, 10_000), default=20, metavar="COUNT", help="Starts after the first [20]."
)
@click.option("--memory", type=click.IntRange(1), default=4096, metavar="MIB", help="Of COMMAND in all [4096].")
@specs_option
@click.argument("program", nargs=-1, metavar="-- COMMAND...", type=click.UNPROCESSED)
@_as_request
def command(
    request: TestRequest,
    *,
    require: str | None,
    form: str,
    out: Path | None,
    evidence: Path | None,
    subjects: tuple[Path, ...],
    known_out: Path | None,
) -> int:
    """Run COMMAND against a rule set, and say which rules it plays differently.

    COMMAND answers on its standard input and output as docs/protocol.md has it. It runs with your rights; it is ended
    with everything that it started.
    """
    if subjects and evidence is None:
        raise click.UsageError("--subject belongs to --evidence DIR")
    from oracle.conformance.evidence.write import plan_evidence, write_evidence
    from oracle.conformance.request import run_test
    from oracle.conformance.summary.known import NO_KNOWN, known_text, read_known
    from oracle.files import write_files
    from oracle.report.payload import dump
    from oracle.report.run.outline import outline
    from oracle.report.run.run_payload import run_payload
    from oracle.report.run.run_text import run_text
    from oracle.rules.library import display_path

    library = open_library(request.specs)
    library.rule_set(request.rules)
    tell_replaced(library)
    plan = None if evidence is None else plan_evidence(evidence, request, library=library, subjects=subjects)
    if out is not None:
        write_files(out, {})
    with showing("asking"):
        summary = run_test(request, library=library, tell=_so_far(_how_many(request)))
        printed = dump(run_payload(summary)) if form == "json" else run_text(outline(summary))
        files = {} if out is None and plan is None else run_files(summary)
    if out is not None:
        write_files(out, files)
    if known_out is not None:
        known = NO_KNOWN if request.known is None else read_known(request.known, summary.log.header.rules)
        write_files(known_out.parent, {known_out.name: known_text(summary.log, known)})
    if plan is not None:
        digest = write_evidence(plan, summary, files)
        click.echo(f"evidence: {display_path(plan.folder)}, whose SHA256SUMS has sha256 {digest}", err=True)
    click.echo(printed)
    if require and not summary.exit and summary.verdict == "agrees":
        return 3
    return summary.exit


def _so_far(total: int) -> Callable[[Record], None]:
    """Tells how many cases were asked, of about so many."""

    def so_far(record: Record) -> None:
        others = ", ".join(f"{record.counts[word]:,} {word}" for word in record.counts if word != "pass")
        tell("asking", sum(record.counts.values()) + sum(record.not_asked.values()), total, others)

    return so_far


def _how_many(request: TestRequest) -> int:
    """How many cases there are to ask, as the manifest of the shipped suite has it; 0 if that isn't known."""
    from oracle.cases.lint import read_manifest
    from oracle.cases.manifest import MANIFEST
    from oracle.cases.tiers import DEFAULT
    from oracle.rules.library import data_folder
    from oracle.spans import OracleError

    if request.only:
        return len(request.only)
    try:
        manifest = read_manifest({MANIFEST: (data_folder("fixtures") / MANIFEST).read_bytes()})
    except (OSError, OracleError):
        return 0
    known = manifest.rules.get(request.rules)
    if known is None or request.specs or request.adaptive:
        return 0
    found = 0
    for tier in request.tiers or ("minimal", *DEFAULT):
        entry = manifest.files.get(known.tiers.get(tier, "")) or manifest.large.get(known.large.get(tier, ""))
        found += entry.cases if entry is not None else 0
    return found

"""baccarat-oracle fixtures: cases with the answers of the rules, written, checked and exported."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterable
from contextlib import nullcontext
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeVar

import click

from oracle.cli.options import open_library, specs_option, tell_replaced
from oracle.cli.progress import clear, showing
from oracle.progress import track
from oracle.spans import UnknownName
from oracle.text import did_you_mean, printable, quoted

if TYPE_CHECKING:
    from collections.abc import Sequence

    from oracle.game.rules import Rules
    from oracle.rules.library import Library

Function = TypeVar("Function", bound=Callable[..., Any])
_EXAMPLES = """
\b
Examples:
  baccarat-oracle fixtures check
  baccarat-oracle fixtures export --rules home-pt --tier totals --csv
  baccarat-oracle fixtures build --specs my-specs --rules my-game --out cases
"""
_CHECKS = """
\b
Examples:
  baccarat-oracle fixtures check
  baccarat-oracle fixtures check --tier ranks
"""
_EXPORTS = """
\b
Examples:
  baccarat-oracle fixtures export --rules home-pt --csv > cases.csv
  baccarat-oracle fixtures export --rules home-pt --tier ranks --out it.jsonl
  baccarat-oracle fixtures export --rules home-pt --tier minimal \\
    --observables winner,totals
"""


@click.group(name="fixtures", epilog=_EXAMPLES)
def command() -> None:
    """Write, check or export cases with the answers of the rules.

    The suite of the shipped rule sets lies in fixtures/: see manifest.json there.
    """


@command.command(name="build", epilog="\b\nExample:\n  baccarat-oracle fixtures build")
@click.option("--rules", "wanted", multiple=True, metavar="ID", help="A rule set; any number of times [default: all].")
@click.option(
    "--out",
    type=click.Path(path_type=Path, file_okay=False),
    metavar="DIR",
    help="Where to write [default: fixtures of the checkout, else ./fixtures].",
)
@specs_option
def build(wanted: tuple[str, ...], out: Path | None, folders: tuple[Path, ...]) -> int:
    """Write the suite: every tier of each rule set but the largest, and the manifest.

    Minimal sets are searched for, which takes a few minutes for all rule sets.
    """
    from oracle.cases.suite import suite_files
    from oracle.files import write_files
    from oracle.rules.library import fixtures_folder

    if wanted and out is None:
        raise click.UsageError("a suite of some rule sets needs a place of its own: give --out DIR")
    chosen = _rule_sets(folders, wanted)
    folder = fixtures_folder() if out is None else out
    with showing("building the suite"):
        files = dict(suite_files(chosen))
    for written in write_files(folder, files):
        click.echo(f"wrote {written}")
    return 0


def _place_option(function: Function) -> Function:
    kind = click.Path(path_type=Path, file_okay=False)
    return click.option("--fixtures", "place", type=kind, metavar="DIR", help="Another suite.")(function)


@command.command(name="check", epilog=_CHECKS)
@click.option("--tier", "tiers", multiple=True, metavar="NAME", help="A large tier to make anew, too: values or ranks.")
@click.option("--all", "everything", is_flag=True, help="Every large tier, too.")
@_place_option
@specs_option
def check(*, tiers: tuple[str, ...], everything: bool, place: Path | None, folders: tuple[Path, ...]) -> int:
    """Check the suite against the rules: what `lint` looks at, and answers and minimal sets. Exit 1 if anything is
    wrong.

    Every answer is worked out anew, every certificate of a minimal set is checked by playing what it names. Tiers
    without a file are made anew, and compared with their digest, where they are asked for.
    """
    from oracle.cases.lint import check_suite, read_manifest
    from oracle.cases.tiers import LARGE

    for tier in tiers:
        if tier not in LARGE:
            raise UnknownName(f"no large tier {quoted(tier)}: {did_you_mean(tier, LARGE)}")
    large = LARGE if everything else tiers
    files, rule_sets = _suite(place, folders)
    found = _tell(check_suite(files, rule_sets, large))
    if not found:
        entries = read_manifest(files).large.values()
        made = sum(entry.cases for entry in entries if entry.tier in large)
        click.echo(f"{len(files)} files{f' and {made:,} cases made anew' if made else ''}, as the rules have them")
        left = sorted({entry.tier for entry in entries if entry.tier not in large})
        if left:
            click.echo(f"not made anew: {', '.join(left)}; --all takes these too")
    return found


@command.command(name="lint", epilog="\b\nExample:\n  baccarat-oracle fixtures lint --fixtures cases")
@_place_option
@specs_option
def lint(place: Path | None, folders: tuple[Path, ...]) -> int:
    """Look at the form of a suite, and at what it covers. Exit 1 if anything is wrong.

    Bytes and schema are as the manifest says; ids are unique and those of what is asked; tags are explained; nothing
    is expected to be answered in two ways. Every statement about coups, bets, shuffling and the end of sessions speaks
    in some case, unless `check` reports it.
    """
    from oracle.cases.lint import lint as lint_suite

    files, rule_sets = _suite(place, folders)
    found = _tell(lint_suite(files, rule_sets))
    if not found:
        click.echo(f"{len(files)} files, in order")
    return found


@command.command(name="export", epilog=_EXPORTS)
@click.option("--rules", "wanted", required=True, metavar="ID", help="The rule set, as home-pt or selminha/classica.")
@click.option(
    "--tier",
    "tiers",
    multiple=True,
    metavar="NAME",
    help="Which cases [default: all but large tiers and minimal sets].",
)
@click.option(
    "--observables",
    metavar="NAMES",
    help="What your program reports, as winner,totals: `minimal` is the set for it; says what the cases can't show.",
)
@click.option(
    "--format", "form", type=click.Choice(["jsonl", "csv", "parquet"]), help="How they are written [default: jsonl]."
)
@click.option("--csv", "as_csv", is_flag=True, help="The same as --format csv.")
@click.option("--answers", is_flag=True, help="With the answers of the rules, too.")
@click.option(
    "--out",
    type=click.Path(path_type=Path, dir_okay=False),
    metavar="FILE",
    help="Write FILE, which is there once it is whole.",
)
@click.option("--resume", is_flag=True, help="Go on with the FILE.part of an export that was interrupted.")
@specs_option
def export(
    *,
    wanted: str,
    tiers: tuple[str, ...],
    observables: str | None,
    form: str | None,
    as_csv: bool,
    answers: bool,
    out: Path | None,
    resume: bool,
    folders: tuple[Path, ...],
) -> int:
    """Print the cases of some tiers, one a line, for programs that read and write files.

    What such a program answers goes back by id: baccarat-oracle test --rules ID --results FILE.
    """
    if as_csv and form not in (None, "csv"):
        raise click.UsageError("--csv is --format csv: leave one of them out")
    form = "csv" if as_csv else form or "jsonl"
    if out is None and (resume or form == "parquet"):
        raise click.UsageError(f"{'--resume' if resume else '--format parquet'} needs --out FILE")
    if resume and form == "parquet":
        raise click.UsageError("--resume is for jsonl and csv: a Parquet file has no lines to go on from")
    from oracle.cases.export import bets_in, cases_of, csv_lines, json_lines, kinds_in, rows
    from oracle.cases.tiers import DEFAULT
    from oracle.conformance.run.asked import check_observables, tiers_of
    from oracle.files import part_of
    from oracle.report.export.export_file import write_lines
    from oracle.report.export.export_parquet import write_parquet
    from oracle.rules.library import display_path

    reported = None if observables is None else _names(observables)
    check_observables(reported or ())
    (rules,) = _rule_sets(folders, (wanted,))
    asked = tiers or DEFAULT
    if reported is not None:
        asked = tiers_of(asked, reported)
    _tell_choice(rules, tiers, asked, reported)
    cases = track(cases_of(rules, asked), "cases", every=1_000)
    with showing("exporting") if out is not None or not sys.stdout.isatty() else nullcontext():
        if form == "parquet":
            assert out is not None
            about = {"rules": rules.id, "tiers": ",".join(asked)}
            about |= {} if reported is None else {"observables": ",".join(reported)}
            write_parquet(out, rows(cases, bets_in(rules, asked), answers=answers, kinds=kinds_in(asked)), about)
            return 0
        if form == "csv":
            chunks = csv_lines(cases, bets_in(rules, asked), answers=answers, kinds=kinds_in(asked))
        else:
            chunks = json_lines(cases, answers=answers)
        if out is None:
            for chunk in chunks:
                sys.stdout.buffer.write(chunk)
            return 0
        try:
            write_lines(out, chunks, resume=resume)
        except (KeyboardInterrupt, SystemExit):  # being told to end is one of these
            click.echo(f"{display_path(part_of(out))} is what there is so far: --resume goes on with it", err=True)
            raise
    return 0


def _names(observables: str) -> tuple[str, ...]:
    """The names in a list with commas, each once."""
    names = tuple(dict.fromkeys(name for each in observables.split(",") if (name := each.strip())))
    if not names:
        raise click.UsageError("--observables names nothing: give what your program reports, as winner,totals")
    return names


def _tell_choice(rules: Rules, tiers: Sequence[str], asked: Sequence[str], reported: Sequence[str] | None) -> None:
    """Say on standard error which set `minimal` is, and where the cases can't show all that could be wrong."""
    from itertools import chain

    from oracle.cases.minimal import SETS
    from oracle.cases.tiers import LARGE, cases
    from oracle.conformance.run.asked import fitting
    from oracle.conformance.summary.power import power_of_cases
    from oracle.report.words.run_words import changes_words

    if reported is None:
        if "minimal" in tiers:
            told = f"minimal is the set for programs that report {', '.join(SETS['minimal'])}"
            _note(f"{told}; for one that reports less name that, as --observables winner,totals")
        return
    if "minimal" in tiers:
        sets = "; ".join(f"{tier} (for {', '.join(SETS[tier])})" for tier in fitting(reported))
        _note(f"the minimal set for {', '.join(reported)}: {sets}")
    if any(tier in LARGE for tier in asked):
        _note(f"not counted: what the cases of {', '.join(LARGE)} show")
        return
    with showing("counting what the cases show"):
        power = power_of_cases(rules, chain.from_iterable(cases(rules, tier) for tier in asked), reported)
    if len(power.changes.hidden) > power.unseen:
        _note(f"of a program that reports {', '.join(reported)} these show {changes_words(power)}")


def _note(text: str) -> None:
    """Say something on standard error, in lines that fit a terminal."""
    from oracle.report.words.layout import wrap

    click.echo(wrap(text, rest="  "), err=True)


@command.command(name="list", epilog="\b\nExample:\n  baccarat-oracle fixtures list --rules home-pt")
@click.option("--rules", "wanted", multiple=True, metavar="ID", help="A rule set; any number of times [default: all].")
@_place_option
def list_(*, wanted: tuple[str, ...], place: Path | None) -> int:
    """List the tiers of the suite, with the number of their cases."""
    from oracle.cases.lint import read_manifest
    from oracle.cases.suite_folder import read_suite
    from oracle.rules.library import data_folder

    manifest = read_manifest(read_suite(place or data_folder("fixtures")))
    for id in wanted:
        if id not in manifest.rules:
            raise UnknownName(f"no {quoted(id)} in this suite: {did_you_mean(id, manifest.rules)}")
    for id in wanted or manifest.rules:
        if id != next(iter(wanted or manifest.rules)):
            click.echo()
        entry = manifest.rules[id]
        files = [(manifest.files[path], path) for path in entry.tiers.values()]
        made = [(manifest.large[name], "made when it is asked for") for name in entry.large.values()]
        click.echo(f"{printable(id)}, suite {printable(manifest.suite)}\n")
        for tier, where in sorted((*files, *made), key=lambda each: each[0].cases):
            click.echo(f"  {printable(tier.tier):<16}{tier.cases:>11,}  {printable(where)}")
    return 0


def _tell(problems: Iterable[str]) -> int:
    """Print what is wrong as it is found; the exit code."""
    from oracle._collector import rare_collections

    found = 0
    with rare_collections(), showing("checking the suite"):
        for problem in problems:
            clear()
            click.echo(printable(problem))
            found = 1
    return found


def _suite(place: Path | None, folders: tuple[Path, ...]) -> tuple[dict[str, bytes], list[Rules]]:
    """The files of a suite, and the rule sets that it is about: for one of the user's those that it names."""
    from oracle.cases.lint import read_manifest
    from oracle.cases.suite_folder import read_suite
    from oracle.rules.library import data_folder

    files, known = read_suite(place or data_folder("fixtures")), _rule_sets(folders, ())
    if place is not None:
        named = read_manifest(files).rules
        known = [rules for rules in known if rules.id in named]
    return files, known


def _rule_sets(folders: tuple[Path, ...], wanted: tuple[str, ...]) -> list[Rules]:
    """The rule sets asked for, else all shipped ones and those of the user's folders."""
    from oracle.game.rules import Rules

    library: Library = open_library(folders)
    if wanted:
        found = [library.rule_set(id) for id in dict.fromkeys(wanted)]
    else:
        found = [(spec, rule_set) for spec in library.specs() for rule_set in spec.rule_sets]
    tell_replaced(library)
    return [Rules(spec, rule_set) for spec, rule_set in found]

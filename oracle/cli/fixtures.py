"""baccarat-oracle fixtures: cases with the answers of the rules, written, checked and exported."""

from __future__ import annotations

import csv
import io
from collections.abc import Callable, Iterable, Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeVar

import click

from oracle.cli.options import open_library, specs_option, tell_replaced
from oracle.spans import OracleError, UnknownName, printable

if TYPE_CHECKING:
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
    from oracle.fixtures.suite import suite_files
    from oracle.report.write import write_files
    from oracle.rules.library import fixtures_folder

    if wanted and out is None:
        raise click.UsageError("a suite of some rule sets needs a place of its own: give --out DIR")
    chosen = _rule_sets(folders, wanted)
    folder = fixtures_folder() if out is None else out
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
    from oracle.fixtures.lint import check as check_suite
    from oracle.fixtures.lint import read_manifest
    from oracle.fixtures.tiers import LARGE
    from oracle.rules.fields import did_you_mean

    for tier in tiers:
        if tier not in LARGE:
            raise UnknownName(f"no large tier `{printable(tier[:40])}`: {did_you_mean(tier, LARGE)}")
    large = LARGE if everything else tiers
    files, rule_sets = _suite(place, folders)
    found = _tell(check_suite(files, rule_sets, large))
    if not found:
        entries = read_manifest(files).large.values()
        made = ", ".join(f"{e.cases:,} cases of {e.tier}" for e in entries if e.tier in large)
        click.echo(f"{len(files)} files{' and ' if made else ''}{made}, as the rules have them")
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
    is expected to be answered in two ways. Every statement about coups and bets speaks in some case, unless `check`
    reports it.
    """
    from oracle.fixtures.lint import lint as lint_suite

    files, rule_sets = _suite(place, folders)
    found = _tell(lint_suite(files, rule_sets))
    if not found:
        click.echo(f"{len(files)} files, in order")
    return found


@command.command(
    name="export",
    epilog="\b\nExample:\n  baccarat-oracle fixtures export --rules home-pt --tier totals --csv > cases.csv",
)
@click.option("--rules", "wanted", required=True, metavar="ID", help="The rule set, as home-pt or selminha/classica.")
@click.option("--tier", "tiers", multiple=True, metavar="NAME", help="Which cases [default: totals, settlement, bets].")
@click.option("--csv", "as_csv", is_flag=True, help="A table rather than JSON Lines.")
@click.option("--answers", is_flag=True, help="With the answers of the rules, too.")
@specs_option
def export(*, wanted: str, tiers: tuple[str, ...], as_csv: bool, answers: bool, folders: tuple[Path, ...]) -> int:
    """Print the cases of some tiers, one a line, for programs that read and write files.

    What such a program answers goes back by id: baccarat-oracle test --rules ID --results FILE.
    """
    import msgspec

    from oracle.fixtures.case import Answer, Case
    from oracle.fixtures.export import bets_in, rows
    from oracle.fixtures.tiers import DEFAULT, LARGE, cases

    (rules,) = _rule_sets(folders, (wanted,))
    asked = tuple(dict.fromkeys(tiers or DEFAULT))

    def stream() -> Iterator[Case]:
        seen: set[str] = set()
        for tier in asked:
            for case in cases(rules, tier):
                if len(asked) == 1 or case.id not in seen:
                    seen.add(case.id)
                    yield case

    if as_csv:
        bets = bets_in(case for tier in asked if tier not in LARGE for case in cases(rules, tier))
        for row in rows(stream(), bets, answers=answers):
            line = io.StringIO()
            csv.writer(line, lineterminator="").writerow(row)
            click.echo(line.getvalue())
        return 0
    encode = msgspec.json.Encoder(order="deterministic").encode
    for case in stream():
        if not answers:
            case = msgspec.structs.replace(case, expect=Answer(), cells=(), tags=(), why="")  # noqa: PLW2901
        click.echo(encode(case).decode())
    return 0


def _tell(problems: Iterable[str]) -> int:
    """Print what is wrong as it is found; the exit code."""
    found = 0
    for problem in problems:
        click.echo(problem)
        found = 1
    return found


def _suite(place: Path | None, folders: tuple[Path, ...]) -> tuple[dict[str, bytes], list[Rules]]:
    """The files of a suite, and the rule sets that it is about: for one of the user's those that it names."""
    from oracle.fixtures.lint import read_manifest
    from oracle.rules.library import data_folder

    files, known = _read(place or data_folder("fixtures")), _rule_sets(folders, ())
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


def _read(folder: Path) -> dict[str, bytes]:
    """The files of a suite by path. Raises `UnknownName` if there is none."""
    from oracle.fixtures.manifest import MANIFEST
    from oracle.rules.library import display_path

    if not (folder / MANIFEST).is_file():
        raise UnknownName(f"{printable(display_path(folder))} holds no suite: there is no {MANIFEST}")
    try:
        return {
            path.relative_to(folder).as_posix(): path.read_bytes()
            for path in sorted(folder.rglob("*"))
            if path.is_file() and path.suffix in (".json", ".jsonl")
        }
    except OSError as error:
        raise OracleError(f"can't read {printable(display_path(folder))}: {error.strerror}") from error

"""baccarat-oracle fixtures: cases with the answers of the rules, written, checked and exported."""

from __future__ import annotations

import csv
import io
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING

import click

from oracle.cli.options import open_library, specs_option, tell_replaced
from oracle.spans import OracleError, UnknownName, printable

if TYPE_CHECKING:
    from oracle.game.rules import Rules
    from oracle.rules.library import Library

_EXAMPLES = """
\b
Examples:
  baccarat-oracle fixtures check
  baccarat-oracle fixtures export --rules home-pt --tier totals --csv
  baccarat-oracle fixtures build --specs my-specs --rules my-game --out cases
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


@command.command(name="check", epilog="\b\nExample:\n  baccarat-oracle fixtures check")
@click.option(
    "--fixtures", "place", type=click.Path(path_type=Path, file_okay=False), metavar="DIR", help="Another suite."
)
@specs_option
def check(place: Path | None, folders: tuple[Path, ...]) -> int:
    """Check the suite against the rules: answers, minimal sets, ids, tags and bytes. Exit 1 if anything is wrong.

    Every answer is worked out anew, every certificate of a minimal set is checked by playing what it names.
    """
    from oracle.fixtures.lint import lint
    from oracle.rules.library import data_folder

    folder = data_folder("fixtures") if place is None else place
    files = _read(folder)
    problems = list(lint(files, _rule_sets(folders, ())))
    for problem in problems:
        click.echo(problem)
    if not problems:
        click.echo(f"{len(files)} files, as the rules have them")
    return int(bool(problems))


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
    from oracle.fixtures.tiers import DEFAULT, cases

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
        bets = bets_in(case for tier in asked if tier != "values" for case in cases(rules, tier))
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

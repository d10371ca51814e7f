"""baccarat-oracle report: everything under reports/."""

from __future__ import annotations

import shlex
from pathlib import Path

import click

from oracle.cli.progress import showing
from oracle.progress import track
from oracle.text import printable

_EXAMPLES = """
\b
Examples:
  baccarat-oracle report
  baccarat-oracle report --check
  baccarat-oracle report --smt scripts
"""


@click.command(name="report", epilog=_EXAMPLES)
@click.option(
    "--check",
    "compare",
    is_flag=True,
    help="Write nothing; exit 1 if a file differs from what would be written.",
)
@click.option("--all", "everything", is_flag=True, help="Also what takes minutes: verification.md and fixtures.md.")
@click.option(
    "--out",
    type=click.Path(path_type=Path, file_okay=False),
    metavar="DIR",
    help="Where to write [default: reports of the checkout, else ./reports].",
)
@click.option(
    "--smt",
    type=click.Path(path_type=Path, file_okay=False),
    metavar="DIR",
    help="Write every script for solvers to DIR, with SHA256SUMS, and no report.",
)
def command(*, compare: bool, everything: bool, out: Path | None, smt: Path | None) -> int:
    """Write the reports about the shipped sources, or compare them with what is there."""
    from oracle.files import compare_files, write_files
    from oracle.report.catalogue.catalogue import report_files, slow_report_files
    from oracle.report.catalogue.smt_files import FOLDER, INDEX, remove_scripts, stale_scripts, tell_stale
    from oracle.report.words.layout import plural
    from oracle.rules.library import Library, display_path, reports_folder

    if smt is not None:
        if everything or out is not None:
            raise click.UsageError("--smt writes no report: leave out --all and --out")
        return _scripts(smt, compare=compare)
    folder = reports_folder() if out is None else out
    library = Library()
    with showing("writing reports"):
        files = {**report_files(library), **(slow_report_files(library) if everything else {})}
    scripts = folder / FOLDER
    stale = stale_scripts(scripts, [name.removeprefix(f"{FOLDER}/") for name in files])
    if not compare:
        written = write_files(folder, files)
        remove_scripts(scripts, stale)
        below = [path for path in written if f"/{FOLDER}/" in path]
        for shown in [path for path in written if path not in below]:
            click.echo(f"wrote {shown}")
        if below:
            click.echo(f"wrote {display_path(scripts)}: {len(below)} files")
        return 0
    command = f"baccarat-oracle report{' --all' * everything}{_option('out', out)}"
    told = tell_stale(scripts, stale, files.get(f"{FOLDER}/{INDEX}", ""))
    return _tell([*compare_files(folder, files, command=command), *told], plural(len(files), "report"))


def _scripts(folder: Path, *, compare: bool) -> int:
    """Write every script to a folder, or compare what is there. One that is not written any more is only told of: the
    folder is the user's, who may keep other scripts there.
    """
    from oracle.files import compare_files, write_files
    from oracle.report.catalogue.smt_files import all_scripts, script_files, stale_scripts, tell_stale
    from oracle.report.words.layout import plural
    from oracle.rules.library import Library, display_path

    with showing("writing scripts"):
        files = script_files(track(all_scripts(Library()), "scripts"))
    told = tell_stale(folder, stale_scripts(folder, files))
    if compare:
        command = f"baccarat-oracle report{_option('smt', folder)}"
        return _tell([*compare_files(folder, files, command=command), *told], plural(len(files), "file"))
    write_files(folder, files)
    click.echo(f"wrote {printable(display_path(folder))}: {len(files)} files")
    for line in told:
        click.echo(f"note: {line}", err=True)
    return 0


def _option(name: str, value: Path | None) -> str:
    return "" if value is None else f" --{name} {shlex.quote(printable(str(value)))}"


def _tell(differences: list[str], what: str) -> int:
    """Print what differs, or that nothing does; the exit code."""
    for difference in differences:
        click.echo(difference)
    if not differences:
        click.echo(f"{what} up to date")
    return int(bool(differences))

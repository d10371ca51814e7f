"""baccarat-oracle report: everything under reports/."""

from __future__ import annotations

import shlex
from pathlib import Path

import click

from oracle.text import printable

_EXAMPLES = """
\b
Examples:
  baccarat-oracle report
  baccarat-oracle report --check
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
def command(*, compare: bool, everything: bool, out: Path | None) -> int:
    """Write the reports about the shipped sources, or compare them with what is there."""
    from oracle.files import compare_files, write_files
    from oracle.report.catalogue.catalogue import report_files, slow_report_files
    from oracle.report.catalogue.smt_files import FOLDER, stale_scripts, tell_stale
    from oracle.rules.library import Library, display_path, reports_folder

    folder = reports_folder() if out is None else out
    library = Library()
    files = {**report_files(library), **(slow_report_files(library) if everything else {})}
    if not compare:
        stale = stale_scripts(folder, files)
        written = write_files(folder, files)
        for path in stale:
            path.unlink()
        scripts = [path for path in written if f"/{FOLDER}/" in path]
        for shown in [path for path in written if path not in scripts]:
            click.echo(f"wrote {shown}")
        if scripts:
            click.echo(f"wrote {display_path(folder / FOLDER)}: {len(scripts)} files")
        return 0
    where = "" if out is None else f" --out {shlex.quote(printable(str(out)))}"
    command = f"baccarat-oracle report{' --all' * everything}{where}"
    differences = [*compare_files(folder, files, command=command), *tell_stale(folder, files)]
    for difference in differences:
        click.echo(difference)
    if not differences:
        click.echo(f"{len(files)} report{'s' * (len(files) != 1)} up to date")
    return int(bool(differences))

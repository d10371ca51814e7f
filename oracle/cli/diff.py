"""baccarat-oracle diff: two runs of an implementation beside each other."""

from __future__ import annotations

from pathlib import Path

import click

_EXAMPLES = """
\b
Examples:
  baccarat-oracle diff before/log.ndjson after/log.ndjson
  baccarat-oracle diff before/test.json after/test.json --format json

\b
Exit codes:
  0  nothing regressed; what is still failing doesn't count
  1  something regressed
  2  bad input or use
  3  a run is incomplete, or cases of the old one were not asked again
"""


@click.command(name="diff", epilog=_EXAMPLES)
@click.argument("old", type=click.Path(path_type=Path, dir_okay=False))
@click.argument("new", type=click.Path(path_type=Path, dir_okay=False))
@click.option("--format", "form", type=click.Choice(["text", "json"]), default="text", show_default=True)
def command(old: Path, new: Path, form: str) -> int:
    """Compare two runs by the same rules: what regressed, what was fixed, what is still failing.

    OLD and NEW are logs (test --log, --report), or test.json, which is compared by counts of faults.
    """
    from oracle.conformance.summary.changes import compare_runs, read_run
    from oracle.report.payload import dump
    from oracle.report.run.diff_payload import diff_payload
    from oracle.report.run.diff_text import diff_text

    changes = compare_runs(read_run(old), read_run(new))
    click.echo(dump(diff_payload(changes)) if form == "json" else diff_text(changes))
    return changes.exit

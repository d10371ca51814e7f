"""baccarat-oracle test: run an implementation against a rule set."""

from __future__ import annotations

import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import click

from oracle.cli.options import open_library, specs_option, tell_replaced

_EXAMPLES = """
\b
Examples:
  baccarat-oracle test --rules home-pt -- node mine.js
  baccarat-oracle test --rules home-pt --tier values -- ./mine
  baccarat-oracle test --rules home-pt --format json -- python3 mine.py
"""


@click.command(name="test", epilog=_EXAMPLES)
@click.option("--rules", "wanted", required=True, metavar="ID", help="The rule set, as home-pt or selminha/classica.")
@click.argument("program", nargs=-1, metavar="-- COMMAND...")
@specs_option
def command(wanted: str, program: tuple[str, ...], folders: tuple[Path, ...]) -> int:
    """Run COMMAND against a rule set, and say which rules it plays differently."""
    from oracle.conformance.log import EXIT, Log, LogWriter
    from oracle.conformance.run import Runner, Subject
    from oracle.conformance.suite import suite
    from oracle.fixtures.tiers import DEFAULT
    from oracle.game.rules import Rules

    library = open_library(folders)
    spec, rule_set = library.rule_set(wanted)
    tell_replaced(library)
    rules = Rules(spec, rule_set)
    if not program:
        raise click.UsageError("say which program to run, after --, as in -- node mine.js")
    tiers = DEFAULT
    with _place() as path:
        with LogWriter(path) as log:
            Runner(Subject(rules=rules.id, command=program, tiers=tiers), log).run(suite(rules, tiers))
        read = Log(path)
        click.echo(f"{read.verdict}: {read.counts}")
        for event in read.events[:5]:
            click.echo(str(event))
        for number, line in enumerate(line for line in read.lines() if line.outcome != "pass"):
            if number < 10:
                click.echo(str(line))
        return EXIT[read.verdict]


@contextmanager
def _place() -> Iterator[Path]:
    with tempfile.TemporaryDirectory(prefix="baccarat-oracle-") as folder:
        yield Path(folder) / "log.ndjson"

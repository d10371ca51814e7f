"""baccarat-oracle rules: list the rule sets."""

from __future__ import annotations

from pathlib import Path

import click

from oracle.cli.options import open_library, specs_option, tell_replaced

_EXAMPLES = """
\b
Example:
  baccarat-oracle rules --specs my-specs
"""


@click.command(name="rules", epilog=_EXAMPLES)
@click.option(
    "--format", "form", type=click.Choice(["text", "json"]), default="text", show_default=True, help="Output."
)
@specs_option
def command(form: str, folders: tuple[Path, ...]) -> int:
    """List the rule sets: id, language, spec, and the titles of source and rule set."""
    library = open_library(folders)
    found = [(rule_set, spec) for spec in library.specs() for rule_set in spec.rule_sets]
    tell_replaced(library)
    if form == "json":
        from oracle.report.payload import dump
        from oracle.report.rules_payload import rules_payload

        click.echo(dump(rules_payload((spec, rule_set) for rule_set, spec in found)))
        return 0
    from oracle.report.words.layout import columns

    rows = []
    for rule_set, spec in found:
        title = spec.source.title + (f": {rule_set.title}" if rule_set.name and rule_set.title else "")
        rows.append((rule_set.id, spec.source.language, spec.file, title))
    for line in columns(rows, indent=""):
        click.echo(line)
    return 0

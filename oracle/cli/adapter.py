"""baccarat-oracle adapter: a program that speaks the protocol, with one function to fill in."""

from __future__ import annotations

import click

_EXAMPLES = """
\b
Examples:
  baccarat-oracle adapter
  baccarat-oracle adapter node > mine.js
"""


@click.command(name="adapter", epilog=_EXAMPLES)
@click.argument("language", required=False)
def command(language: str | None) -> int:
    """Print a whole program in LANGUAGE with one function to fill in, `play`; without LANGUAGE list them.

    Call your implementation in `play`, then let `baccarat-oracle test` run the program.
    """
    from oracle.conformance.adapters import LANGUAGES, adapter

    if language is not None:
        click.echo(adapter(language), nl=False)
        return 0
    rows = [("language", "save it as", "build", "run")]
    rows += [(known.name, known.file, known.build or "-", known.run) for known in LANGUAGES.values()]
    widths = [max(map(len, column)) for column in zip(*rows, strict=True)]
    for row in rows:
        click.echo("  ".join(text.ljust(width) for text, width in zip(row, widths, strict=True)).rstrip())
    return 0

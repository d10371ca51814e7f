"""baccarat-oracle schema: the JSON Schema of specs."""

from __future__ import annotations

import click

_EXAMPLES = """
\b
Example:
  baccarat-oracle schema > spec.schema.json
"""


@click.command(name="schema", epilog=_EXAMPLES)
def command() -> int:
    """Print the JSON Schema (2020-12) of specs, for editors."""
    from oracle.rules.schema import schema_text

    click.echo(schema_text(), nl=False)
    return 0

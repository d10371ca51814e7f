"""baccarat-oracle schema: the JSON Schema of specs, or of the adapter protocol."""

from __future__ import annotations

import click

_EXAMPLES = """
\b
Examples:
  baccarat-oracle schema > spec.schema.json
  baccarat-oracle schema protocol > protocol.schema.json
"""


@click.command(name="schema", epilog=_EXAMPLES)
@click.argument("what", type=click.Choice(["spec", "protocol"]), default="spec")
def command(what: str) -> int:
    """Print the JSON Schema (2020-12) of specs, for editors, or of the messages of the adapter protocol."""
    if what == "protocol":
        from oracle.conformance.protocol import schema_text as protocol_text

        text = protocol_text()
    else:
        from oracle.rules.schema import schema_text

        text = schema_text()
    click.echo(text, nl=False)
    return 0

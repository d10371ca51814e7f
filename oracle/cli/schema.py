"""baccarat-oracle schema: the JSON Schema of specs, of the adapter protocol, or of an output."""

from __future__ import annotations

import click

from oracle.report.schemas import OUTPUTS, output_schema

_EXAMPLES = """
\b
Examples:
  baccarat-oracle schema > spec.schema.json
  baccarat-oracle schema protocol > protocol.schema.json
  baccarat-oracle schema compare
"""


@click.command(name="schema", epilog=_EXAMPLES)
@click.argument("what", type=click.Choice(["spec", "protocol", *OUTPUTS]), default="spec")
def command(what: str) -> int:
    """Print the JSON Schema (2020-12) of specs, for editors, or of the messages of the adapter protocol.

    With the name of a command, that of what it prints or writes as JSON.
    """
    if what == "protocol":
        from oracle.conformance.protocol.messages import schema_text as protocol_text

        text = protocol_text()
    elif what in OUTPUTS:
        text = output_schema(what)
    else:
        from oracle.rules.schema import schema_text

        text = schema_text()
    click.echo(text, nl=False)
    return 0

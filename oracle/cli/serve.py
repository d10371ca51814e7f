"""baccarat-oracle serve: the oracle itself, speaking the adapter protocol."""

from __future__ import annotations

import sys
from pathlib import Path

import click

from oracle.cli.options import open_library, specs_option, tell_replaced

_EXAMPLES = """
\b
Examples:
  baccarat-oracle serve --rules home-pt
  baccarat-oracle test --rules home-pt -- \\
      baccarat-oracle serve --rules home-pt
"""


@click.command(name="serve", epilog=_EXAMPLES)
@click.option("--rules", "wanted", required=True, metavar="ID", help="The rule set, as home-pt or selminha/classica.")
@specs_option
def command(wanted: str, folders: tuple[Path, ...]) -> int:
    """Answer the adapter protocol on standard input and output, as docs/protocol.md has it."""
    from oracle.conformance.protocol.serve import serve
    from oracle.game.rules import Rules

    library = open_library(folders)
    spec, rule_set = library.rule_set(wanted)
    tell_replaced(library)
    serve(Rules(spec, rule_set), sys.stdin.buffer, sys.stdout.buffer)
    return 0

"""baccarat-oracle session: replay a script of coups, and print the score sheet."""

from __future__ import annotations

import sys
from pathlib import Path

import click

from oracle.cli.options import open_library, specs_option, tell_replaced
from oracle.spans import OracleError

MAX_SCRIPT_BYTES = 5_000_000


_EXAMPLES = """
\b
A script:
  participants ana rui            who takes part, first
  coup 4H 2S 9C AD 8D; ana banker=20; rui tie=20
  leave ana                       where the rules let somebody leave

\b
Example:
  baccarat-oracle session evening.txt --rules home-pt
"""


@click.command(name="session", epilog=_EXAMPLES)
@click.argument("script", type=click.Path(path_type=Path))
@click.option("--rules", "id", required=True, metavar="ID", help="The rule set, as home-pt or selminha/classica.")
@click.option(
    "--format", "form", type=click.Choice(["text", "json"]), default="text", show_default=True, help="Output."
)
@specs_option
def command(script: Path, id: str, form: str, folders: tuple[Path, ...]) -> int:
    """Replay SCRIPT, a text file with one step a line, and print the score sheet.

    SCRIPT `-` reads standard input. What follows `#` is left out. Cards are not counted across coups:
    each coup for itself has to come from a full shoe.
    """
    from oracle.game.rules import Rules
    from oracle.game.session import ranking
    from oracle.game.session_script import replay

    library = open_library(folders)
    spec, rule_set = library.rule_set(id)
    tell_replaced(library)
    rules = Rules(spec, rule_set)
    session = replay(rules, _read(script), name=str(script))
    for number, played in enumerate(session.history, start=1):
        if played.coup.unused:
            cards = " ".join(str(card) for card in played.coup.unused)
            click.echo(f"note: coup {number} leaves cards unused: {cards}", err=True)
    sheet = ranking(rules, session)
    if form == "json":
        from oracle.report.payload import dump
        from oracle.report.session.session_payload import session_payload

        click.echo(dump(session_payload(rules, session, sheet)))
    else:
        from oracle.report.session.session_sheet import session_text

        click.echo(session_text(rules, session, sheet))
    return 0


def _read(script: Path) -> str:
    try:
        if str(script) == "-":
            if sys.stdin is None:
                raise OracleError("the standard input is closed: name a file, or give it a script")
            data = sys.stdin.buffer.read(MAX_SCRIPT_BYTES + 1)
        else:
            with script.open("rb") as stream:
                data = stream.read(MAX_SCRIPT_BYTES + 1)
    except OSError as error:
        raise OracleError(f"{script}: can't be read: {error.strerror}") from error
    if len(data) > MAX_SCRIPT_BYTES:
        raise OracleError(f"{script}: larger than {MAX_SCRIPT_BYTES:,} bytes")
    try:
        return data.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        raise OracleError(f"{script}: byte {error.start} is not UTF-8") from error

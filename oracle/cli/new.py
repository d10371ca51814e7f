"""baccarat-oracle new: a spec to fill in."""

from __future__ import annotations

import shlex
from pathlib import Path

import click

from oracle.spans import OracleError
from oracle.text import printable

_EXAMPLES = """
\b
Examples:
  baccarat-oracle new house.txt --id house --language en
  baccarat-oracle new house.txt --id house --language en --out house.yaml
"""


@click.command(name="new", epilog=_EXAMPLES)
@click.argument("document", type=click.Path(path_type=Path))
@click.option("--id", "name", required=True, metavar="ID", help="What the source goes by, as home-pt.")
@click.option("--language", required=True, metavar="TAG", help="Its language, as en or pt-BR.")
@click.option("--title", default="", metavar="TEXT", help="A title in your own words [default: the id].")
@click.option("--out", type=click.Path(path_type=Path), metavar="FILE", help="Where to write; FILE must not exist yet.")
def command(document: Path, name: str, language: str, title: str, out: Path | None) -> int:
    """Write a spec for DOCUMENT, a UTF-8 text, with every sentence listed and none accounted for yet.

    Fill in statements, and let `check` tell what is missing.
    """
    from oracle.report.check.new_spec import new_spec
    from oracle.rules.sentences import read_document

    text = new_spec(read_document(document), source=name, language=language, title=title)
    if out is None:
        click.echo(text, nl=False)
        return 0
    _write_new(out, text)
    spec, source = (shlex.quote(printable(str(path))) for path in (out, document))
    click.echo(f"wrote {printable(str(out))}", err=True)
    click.echo(f"next: baccarat-oracle check {spec} --document {source}", err=True)
    return 0


def _write_new(path: Path, text: str) -> None:
    """Write a file that isn't there yet, whole or not at all."""
    name = printable(str(path))
    try:
        with path.open("x", encoding="utf-8", newline="\n") as stream:
            try:
                stream.write(text)
            except BaseException:
                path.unlink(missing_ok=True)
                raise
    except FileExistsError as error:
        raise OracleError(f"{name} exists already, and `new` overwrites nothing: name another file") from error
    except (OSError, ValueError) as error:
        reason = error.strerror if isinstance(error, OSError) and error.strerror else str(error)
        raise OracleError(f"{name}: can't be written: {reason}") from error

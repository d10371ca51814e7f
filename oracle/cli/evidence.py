"""baccarat-oracle evidence: check what `test --evidence` wrote, and say what this project itself is checked by."""

from __future__ import annotations

import re
from pathlib import Path

import click

from oracle.cli.progress import showing
from oracle.text import printable

_EXAMPLES = """
\b
Examples:
  baccarat-oracle evidence verify filed
  baccarat-oracle evidence qualification > docs/qualification.md
"""
_VERIFY_EXAMPLES = """
\b
Examples:
  baccarat-oracle evidence verify filed
  baccarat-oracle evidence verify filed --subject mine
  baccarat-oracle evidence verify filed --sha256 9f86…0a08 --strict

\b
Exit codes:
  0  everything is as it was written, and follows from the log; the verdict is
     printed, and may be `differs`
  1  something was changed, is missing, is too many, or doesn't follow
  2  bad input or use: no evidence there
  3  as it was written, but the run was incomplete; with --strict also if
     something was not compared
"""


@click.group(name="evidence", epilog=_EXAMPLES)
def command() -> None:
    """Check what `test --evidence DIR` wrote, or say what this project itself is checked by."""


def _digest(ctx: click.Context, param: click.Parameter, value: str) -> str:  # noqa: ARG001 (the form of a callback)
    """A SHA-256 in hexadecimal digits."""
    if value and not re.fullmatch(r"[0-9a-fA-F]{64}", value):
        raise click.BadParameter("a sha256 has 64 hexadecimal digits")
    return value


@command.command(name="verify", epilog=_VERIFY_EXAMPLES)
@click.argument("folder", metavar="DIR", type=click.Path(path_type=Path))
@click.option(
    "--subject",
    "subjects",
    multiple=True,
    type=click.Path(path_type=Path, dir_okay=False),
    metavar="FILE",
    help="A file that has to be one of those that were tested.",
)
@click.option(
    "--sha256",
    "noted",
    default="",
    metavar="DIGEST",
    callback=_digest,
    help="The sha256 of SHA256SUMS that `test` printed, as it was noted elsewhere.",
)
@click.option("--strict", is_flag=True, help="Exit 3 if anything was not compared.")
def verify(*, folder: Path, subjects: tuple[Path, ...], noted: str, strict: bool) -> int:
    """Compute every digest and every verdict in DIR anew.

    Each answer in the log is judged again, by expectations made anew from the rules. The program that was tested is not
    needed. Digests in DIR show what was changed by accident or by somebody who left them alone; only one that was noted
    elsewhere shows what somebody made anew.
    """
    from oracle.conformance.evidence.index import digest_subjects
    from oracle.conformance.evidence.verify import verify as verify_folder
    from oracle.report.run.run_files import run_files
    from oracle.report.words.layout import plural, wrap

    with showing("verifying"):
        found = verify_folder(folder, digest_subjects(subjects), noted=noted, render=run_files)
    index = found.index
    for problem in found.problems:
        click.echo(wrap(problem, rest="  "))
    for left in found.uncompared:
        click.echo(wrap(f"not compared: {left}", rest="  "))
    for note in found.notes:
        click.echo(wrap(f"note: {note}", rest="  "))
    if found.problems:
        click.echo(f"not verified: {plural(len(found.problems), 'problem')}")
        return 1
    click.echo(wrap(f"asked: {found.asked}", rest="  "))
    files, answers = plural(len(index.files) + 2, "file"), plural(found.answers, "answer")
    click.echo(wrap(f"verified: {files}, {answers} judged anew; {index.rules.id}: {printable(index.verdict)}"))
    return 3 if index.verdict == "incomplete" or (strict and found.uncompared) else 0


@command.command(
    name="qualification",
    epilog="\b\nExample:\n  baccarat-oracle evidence qualification > docs/qualification.md",
)
def qualification() -> int:
    """Print what is required of this project, what checks it, and what came out; and what is not tested."""
    from oracle.report.catalogue.qualification import qualification as text
    from oracle.rules.library import Library

    click.echo(text(Library()), nl=False)
    return 0

"""baccarat-oracle check: where documents are incomplete or inconsistent."""

from __future__ import annotations

from pathlib import Path

import click

from oracle.cli.options import open_library, save_doubtful, solvers_option, specs_option, tell_replaced
from oracle.cli.progress import showing
from oracle.rules.library import Library
from oracle.rules.model import Spec

_EXAMPLES = """
\b
Examples:
  baccarat-oracle check
  baccarat-oracle check my-rules.yaml --all
  baccarat-oracle check home-pt --solvers none --format json
  baccarat-oracle check my-rules.yaml --format sarif > check.sarif
  baccarat-oracle check my-rules.yaml --document my-rules.txt
"""


@click.command(name="check", epilog=_EXAMPLES)
@click.argument("specs", nargs=-1, metavar="[SPEC...]")
@solvers_option
@click.option(
    "--format",
    "form",
    type=click.Choice(["text", "json", "sarif", "junit"]),
    default="text",
    show_default=True,
    help="Output; sarif is 2.1.0, for code scanning.",
)
@click.option("--all", "everything", is_flag=True, help="Show notes, every claim, and proofs of resolutions too.")
@click.option("--no-claims", is_flag=True, help="Don't judge what the documents assert about their own game.")
@click.option(
    "--document",
    "document_path",
    type=click.Path(path_type=Path),
    metavar="FILE",
    help="The document of the one SPEC: compare them, and print each sentence with what cites it.",
)
@specs_option
def command(
    *,
    specs: tuple[str, ...],
    solvers: str,
    form: str,
    everything: bool,
    no_claims: bool,
    document_path: Path | None,
    folders: tuple[Path, ...],
) -> int:
    """Check SPECs (files, or ids of sources): is every state decided, once, and reachable?

    Without SPEC all sources are checked. Every question is enumerated, and solvers must give the same
    answers; a script on which one doesn't is kept in the folder disagreements.
    """
    from oracle.checks.sources import check
    from oracle.report.check.check_text import check_text
    from oracle.report.payload import dump

    library = open_library(folders, claims=True)
    chosen = _chosen(library, specs) if specs else library.specs()
    tell_replaced(library)
    if document_path is not None and (not specs or len(chosen) != 1):
        raise click.UsageError("--document goes with one SPEC: the one that is about it")
    with showing("checking"):
        result = check(
            *chosen, library=library, solvers=solvers, claims=not no_claims, proofs=everything, document=document_path
        )
    save_doubtful(result.doubtful)
    if form == "json":
        from oracle.report.check.check_payload import check_payload

        click.echo(dump(check_payload(result)))
    elif form == "sarif":
        from oracle.report.check.check_sarif import check_sarif

        click.echo(dump(check_sarif(result)))
    elif form == "junit":
        from oracle.report.check.check_junit import check_junit

        click.echo(check_junit(result), nl=False)
    else:
        if result.document is not None:
            from oracle.report.check.document_text import document_text

            click.echo(f"{document_text(result.document, result.sentences)}\n")
        click.echo(check_text(result, everything=everything))
    return result.exit


def _chosen(library: Library, names: tuple[str, ...]) -> list[Spec]:
    """The specs of these names, each once; of a rule set with a note that the whole source is checked."""
    found: dict[int, Spec] = {}
    for name in names:
        spec = library.find_spec(name)
        found[id(spec)] = spec
        if any(name == rule_set.id for rule_set in spec.rule_sets) and len(spec.rule_sets) > 1:
            click.echo(f"note: {name} is checked with all rule sets of {spec.id}", err=True)
    return list(found.values())

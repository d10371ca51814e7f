"""baccarat-oracle compare: where rule sets say the same, and where they contradict each other."""

from __future__ import annotations

from pathlib import Path

import click

from oracle.cli.options import open_library, save_doubtful, solvers_option, specs_option, tell_replaced
from oracle.cli.progress import showing
from oracle.spans import UnknownName
from oracle.text import did_you_mean, quoted

_EXAMPLES = """
\b
Examples:
  baccarat-oracle compare
  baccarat-oracle compare home-pt punto-es
  baccarat-oracle compare my-rules.yaml home-pt --fail-on contradiction,open

\b
Relations:
  same           both say the same in every state that both know
  contradiction  they say different things in some state
  open           one of them leaves a state open, or contradicts itself there
  omission       one is silent where the other speaks
  vacuous        they have no state in common
  disputed       their documents assert opposite facts
  refuted        one describes the other, whose rules say otherwise
"""


@click.command(name="compare", epilog=_EXAMPLES)
@click.argument("names", nargs=-1, metavar="[A B]")
@click.option(
    "--fail-on",
    "fail_on",
    default="",
    metavar="RELATIONS",
    help="Exit 1 if any question stands so, of the texts alone or as read: contradiction,open,…",
)
@solvers_option
@click.option("--all", "everything", is_flag=True, help="Show what carries what they say alike.")
@click.option(
    "--format", "form", type=click.Choice(["text", "json"]), default="text", show_default=True, help="Output."
)
@specs_option
def command(
    *, names: tuple[str, ...], fail_on: str, solvers: str, everything: bool, form: str, folders: tuple[Path, ...]
) -> int:
    """Compare the rule sets A and B (ids, or files of specs) question by question; without names every pair.

    Money is compared by what a win nets: 19 to 20 is even money less five per cent.
    """
    from oracle.compare.rule_sets import compare, rules_of
    from oracle.game.rules import Rules
    from oracle.report.compare.compare_payload import all_pairs_payload, compare_payload
    from oracle.report.compare.compare_text import compare_text
    from oracle.report.compare.matrix_text import all_pairs_text
    from oracle.report.payload import dump

    if len(names) not in (0, 2):
        raise click.UsageError("name two rule sets, or none for every pair")
    fatal = _relations(fail_on)
    library = open_library(folders, claims=True)
    tables = [Rules(*library.find_rule_set(name)) for name in names] or rules_of(library)
    tell_replaced(library)
    with showing("comparing"):
        found = compare(*tables, library=library, solvers=solvers)
    if names:
        text = dump(compare_payload(found)) if form == "json" else compare_text(found, everything=everything)
    else:
        text = dump(all_pairs_payload(found)) if form == "json" else all_pairs_text(tables, found)
    save_doubtful(found.doubtful)
    click.echo(text)
    if not found.complete:
        return 3
    return int(any(pair.relations() & fatal for pair in found.pairs))


def _relations(text: str) -> set[str]:
    from oracle.compare.pair import FAILABLE

    asked = [part.strip() for part in text.split(",") if part.strip()]
    for name in asked:
        if name not in FAILABLE:
            raise UnknownName(f"no relation {quoted(name)}: {did_you_mean(name, FAILABLE)}")
    return set(asked)

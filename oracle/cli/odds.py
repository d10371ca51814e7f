"""baccarat-oracle odds: exact odds of any shoe."""

from __future__ import annotations

from pathlib import Path

import click

from oracle.cards import parse_cards
from oracle.cli.options import open_library, specs_option, tell_replaced
from oracle.cli.progress import showing
from oracle.game.rules import Rules
from oracle.report.odds.odds_formats import FORMATS, render_odds

_EXAMPLES = """
\b
Examples:
  baccarat-oracle odds --rules home-pt
  baccarat-oracle odds --rules selminha/sem-comissao --shoe "6 decks" --all
  baccarat-oracle odds --rules home-pt --shoe "8 decks, A=30, K=28" \\
      --bet banker --format json
  baccarat-oracle odds --rules home-pt --after "9 9 8 8 TD"
"""


@click.command(name="odds", epilog=_EXAMPLES)
@click.option("--rules", "wanted", required=True, metavar="ID", help="The rule set, as home-pt or selminha/classica.")
@click.option(
    "--shoe",
    metavar="SHOE",
    help='"8 decks", "8 decks, A=30", "A=30, 2=32, …", "AS=8, …" or "endless" [default: what the rules say].',
)
@click.option("--after", "known", multiple=True, metavar="CARDS", help="Cards that are gone from the shoe, as 9 8H TD.")
@click.option("--bet", "bets", multiple=True, metavar="BET", help="Only this bet; any number of times.")
@click.option(
    "--choose",
    "choices",
    multiple=True,
    metavar="CELL=ACTION",
    help="Where the rules leave a choice, as player=draw or banker:3,9=stand.",
)
@click.option("--all", "everything", is_flag=True, help="Also cells, cards that are gone, and the coup before.")
@click.option("--format", "form", type=click.Choice(list(FORMATS)), default="text", show_default=True, help="Output.")
@specs_option
def command(
    *,
    wanted: str,
    shoe: str | None,
    known: tuple[str, ...],
    bets: tuple[str, ...],
    choices: tuple[str, ...],
    everything: bool,
    form: str,
    folders: tuple[Path, ...],
) -> int:
    """Count every coup of a shoe: who wins how often, and what each bet costs.

    Everything is counted exactly: ordered sequences of six cards, unused ones counted in full. Where the rules leave
    cells free and no --choose is given, every way to play them is shown, with the best replies.
    """
    from oracle.odds.summary import odds

    library = open_library(folders)
    spec, rule_set = library.rule_set(wanted)
    tell_replaced(library)
    with showing(f"counting {rule_set.id}"):
        found = odds(
            Rules(spec, rule_set), shoe, gone=parse_cards(known), bets=bets, choices=choices, everything=everything
        )
        text = render_odds(found, form)
    click.echo(text, nl=False)
    return 0

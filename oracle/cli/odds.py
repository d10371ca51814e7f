"""baccarat-oracle odds: exact odds of any shoe."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import click

from oracle.cards import parse_cards
from oracle.cli.options import open_library, specs_option, tell_replaced
from oracle.game.rules import Rules
from oracle.game.settle import check_bet
from oracle.spans import BadShoe, OracleError

if TYPE_CHECKING:
    from oracle.odds.composition import Composition

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
@click.option(
    "--format", "form", type=click.Choice(["text", "json", "csv"]), default="text", show_default=True, help="Output."
)
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
    from oracle.odds.composition import parse_shoe
    from oracle.odds.counts import Odds
    from oracle.odds.decisions import free_cells, parse_strategy

    library = open_library(folders)
    spec, rule_set = library.rule_set(wanted)
    tell_replaced(library)
    rules = Rules(spec, rule_set)
    for bet in bets:
        check_bet(rules, bet)
    composition = parse_shoe(shoe) if shoe is not None else _said(rules)
    gone = parse_cards(known)
    if gone:
        composition = composition.without(gone)
    strategy = parse_strategy(rules, choices)
    if free_cells(rules) and not choices:
        _show_replies(rules, composition, form)
        return 0
    odds = Odds(rules, composition, strategy=strategy)
    chosen = {bet: odds.bet(bet) for bet in bets or rules.bets}
    if form == "json":
        from oracle.report.odds.odds_payload import odds_payload
        from oracle.report.payload import dump

        click.echo(dump(odds_payload(odds, chosen, gone=gone, everything=everything)))
    elif form == "csv":
        from oracle.report.odds.odds_payload import bets_csv

        click.echo(bets_csv(odds, chosen), nl=False)
    else:
        from oracle.report.odds.odds_text import odds_text

        click.echo(odds_text(odds, chosen, gone=gone, everything=everything))
    return 0


def _said(rules: Rules) -> Composition:
    """The shoe of the rules."""
    from oracle.odds.composition import Composition

    try:
        return Composition.of(rules)
    except OracleError as error:
        raise BadShoe(f'{error}: give --shoe, as in --shoe "8 decks"') from None


def _show_replies(rules: Rules, composition: Composition, form: str) -> None:
    """Every way to play the cells that the rules leave free."""
    from oracle.odds.replies import replies

    found = replies(rules, composition)
    if form == "json":
        from oracle.report.odds.odds_payload import replies_payload
        from oracle.report.payload import dump

        click.echo(dump(replies_payload(rules.id, found)))
    elif form == "csv":
        from oracle.report.odds.odds_payload import replies_csv

        click.echo(replies_csv(rules.id, found), nl=False)
    else:
        from oracle.report.odds.odds_text import replies_text

        click.echo(replies_text(rules.id, found))

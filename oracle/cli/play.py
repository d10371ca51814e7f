"""baccarat-oracle play: one coup, with the reason for every decision."""

from __future__ import annotations

from fractions import Fraction
from pathlib import Path

import click

from oracle.cards import parse_cards
from oracle.cli.options import open_library, specs_option, tell_replaced
from oracle.game.bets import require_legal
from oracle.game.coup import play
from oracle.game.rules import Rules
from oracle.game.settle import parse_amount, settle
from oracle.spans import BadBet, BadChoice
from oracle.text import printable, quoted

_EXAMPLES = """
\b
Examples:
  baccarat-oracle play --rules home-pt 4H 2S 9C AD 8D --bet banker=20
  baccarat-oracle play --rules home-pt 4H 2S 9C AD 7D 5C --format json
  baccarat-oracle play --rules selminha/classica 9 2 K A --bet tie=5 \\
      --balance 4
"""


@click.command(name="play", epilog=_EXAMPLES)
@click.option("--rules", "wanted", required=True, metavar="ID", help="The rule set, as home-pt or selminha/classica.")
@click.argument("cards", nargs=-1, metavar="CARD...")
@click.option("--bet", "bets", multiple=True, metavar="BET=STAKE", help="A bet, as banker=20; any number of times.")
@click.option(
    "--balance",
    metavar="AMOUNT",
    help="What the bettor has, where the rules limit stakes by it.",
)
@click.option(
    "--choose",
    "choices",
    multiple=True,
    metavar="SIDE=ACTION",
    help="Where the rules leave a choice, as player=draw.",
)
@click.option("--literal", is_flag=True, help="The text alone, without resolutions, up to its first open state.")
@click.option(
    "--format", "form", type=click.Choice(["text", "json"]), default="text", show_default=True, help="Output."
)
@specs_option
def command(
    *,
    wanted: str,
    cards: tuple[str, ...],
    bets: tuple[str, ...],
    balance: str | None,
    choices: tuple[str, ...],
    literal: bool,
    form: str,
    folders: tuple[Path, ...],
) -> int:
    """Play one coup with CARDs in the order in which they leave the shoe.

    A card is a rank (A 2-9 10 T J Q K) and perhaps a suit (C D H S). Spare cards are reported as unused.
    Bets that the rules refuse are not settled: exit code 2, and the line of the document that refuses them.
    """
    library = open_library(folders)
    spec, rule_set = library.rule_set(wanted)
    tell_replaced(library)
    rules = Rules(spec, rule_set, literal=literal)
    stakes = {}
    for name, amount in _pairs(bets, "bet", "banker=20"):
        if name in stakes:
            raise BadBet(f"{printable(name[:40])} is bet twice: give one stake for each bet")
        stakes[name] = parse_amount(amount)
    require_legal(rules, stakes, balance=_balance(balance))
    choose: dict[str, str] = {}
    for side, action in _pairs(choices, "choice", "player=draw"):
        if side in choose:
            raise BadChoice(f"the {printable(side[:20])}'s choice is given twice: give one")
        choose[side] = action
    coup = play(rules, parse_cards(cards), choose=choose, bets=stakes)
    settled = settle(rules, coup, stakes)
    if form == "json":
        from oracle.report.payload import dump
        from oracle.report.session.play_payload import play_payload

        click.echo(dump(play_payload(rules, coup, settled)))
    else:
        from oracle.report.session.play_text import play_text

        click.echo(play_text(coup, settled))
    return 0


def _balance(text: str | None) -> Fraction | None:
    if text is None:
        return None
    try:
        return parse_amount(text)
    except BadBet:
        what = f"{quoted(text, 30)} is no balance"
        raise BadBet(f"{what}: write a number, as in --balance 500") from None


def _pairs(texts: tuple[str, ...], what: str, example: str) -> list[tuple[str, str]]:
    found = []
    for text in texts:
        name, equals, value = text.partition("=")
        if not equals:
            raise (BadBet if what == "bet" else BadChoice)(f"{quoted(text)} is no {what}: write it as {example}")
        found.append((name.strip(), value.strip()))
    return found

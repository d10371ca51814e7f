"""`odds` as data: JSON with exact text for every fraction, and CSV with a row for each way in which a bet ends."""

from __future__ import annotations

import csv
import io
from collections.abc import Mapping, Sequence
from fractions import Fraction
from typing import Any

from oracle.cards import Card
from oracle.odds.bets import BetOdds, depends_on_stake, over_stakes
from oracle.odds.consecutive import consecutive, shuffled_between
from oracle.odds.counts import Odds
from oracle.odds.removal import removal
from oracle.odds.replies import Replies
from oracle.report.payload import FORMAT
from oracle.report.words.figures import decimal
from oracle.rules.answers import show_number
from oracle.rules.questions import DECISION_QUESTIONS, QUESTIONS
from oracle.spans import OracleError

BET_COLUMNS = ("rules", "shoe", "bet", "outcome", "net", "sequences", "of", "share")


def odds_payload(
    odds: Odds, bets: Mapping[str, BetOdds], *, gone: Sequence[Card] = (), everything: bool = False
) -> dict[str, Any]:
    """The odds of one shoe. `edge` is a number for display; all else is exact."""
    shoe = odds.composition
    payload: dict[str, Any] = {
        "format": FORMAT,
        "rules": odds.rules.id,
        "shoe": {
            "text": str(shoe),
            "cards": shoe.cards,
            "endless": shoe.endless,
            "ranks": shoe.ranks,
            "suits": shoe.suited,
            "gone": [str(card) for card in gone],
        },
        "choices": {str(cell): action for cell, action in odds.strategy.items()},
        "sequences": str(odds.total),
        "outcomes": {winner: str(count) for winner, count in odds.outcomes.items()},
        "bets": {name: _bet(odds, bet) for name, bet in bets.items()},
    }
    if everything:
        payload["cells"] = {question: _cells(odds, question) for question in DECISION_QUESTIONS}
        payload["removal"] = _removal(odds, bets)
        payload["consecutive"] = _consecutive(odds)
    return payload


def _bet(odds: Odds, bet: BetOdds) -> dict[str, Any]:
    found: dict[str, Any] = {
        "expectation": str(bet.expectation),
        "edge": float(bet.edge),
        "return": str(bet.payback),
        "hit": str(bet.hit),
        "push": str(bet.share("push")),
        "variance": str(bet.variance),
        "pays": [
            {"outcome": hit.outcome, "net": show_number(hit.net), "sequences": str(hit.sequences)} for hit in bet.hits
        ],
    }
    try:
        stakes = over_stakes(odds.rules, bet)
    except OracleError as error:
        found["stakes"] = {"error": str(error)}
        return found
    if stakes is not None:
        found["stakes"] = {
            "checked": stakes.checked,
            "limited": stakes.limited,
            "rounded": depends_on_stake(odds.rules),
            "least_edge": {"stake": stakes.least[0], "edge": str(stakes.least[1])},
            "most_edge": {"stake": stakes.most[0], "edge": str(stakes.most[1])},
            "favourable": len(stakes.favourable),
            "least_favourable": stakes.favourable[0] if stakes.favourable else None,
        }
    return found


def _cells(odds: Odds, question: str) -> list[dict[str, Any]]:
    fields = QUESTIONS[question].cell
    return [
        {**dict(zip(fields, cell, strict=True)), "sequences": str(count)}
        for cell, count in odds.cells(question).items()
    ]


def _removal(odds: Odds, bets: Mapping[str, BetOdds]) -> dict[str, dict[str, str]] | None:
    try:
        found = removal(odds)
    except OracleError:
        return None
    return {rank: {bet: str(by_bet[bet]) for bet in bets} for rank, by_bet in found.items()}


def _consecutive(odds: Odds) -> dict[str, Any] | None:
    if shuffled_between(odds.rules) or odds.composition.endless:
        return {"shuffled": True, "deviation": "0"}
    try:
        found = consecutive(odds)
    except OracleError:
        return None
    winners = list(odds.outcomes)
    return {
        "shuffled": False,
        "sequences": str(found.total),
        "counts": {one: {two: str(found.counts[one, two]) for two in winners} for one in winners},
        "largest": list(found.largest),
        "deviation": str(found.deviation(*found.largest)),
    }


def replies_payload(rules_id: str, found: Replies) -> dict[str, Any]:
    """Every way to play free cells."""
    cells = [str(cell) for cell in found.cells]
    return {
        "format": FORMAT,
        "rules": rules_id,
        "lines": [
            {
                "choices": dict(zip(cells, line.actions, strict=True)),
                "player": str(line.player),
                "banker": str(line.banker),
                "best": list(line.best),
            }
            for line in found.lines
        ],
    }


def bets_csv(odds: Odds, bets: Mapping[str, BetOdds]) -> str:
    """A row for each way in which a bet ends: what a unit stake nets, and in how many sequences."""
    rows = [
        (
            odds.rules.id, str(odds.composition), bet.bet, hit.outcome, show_number(hit.net), hit.sequences, bet.total,
            decimal(Fraction(hit.sequences, bet.total), 12),
        )
        for bet in bets.values()
        for hit in bet.hits
    ]  # fmt: skip
    return csv_text(BET_COLUMNS, rows)


def replies_csv(rules_id: str, found: Replies) -> str:
    """A row for each way to play free cells."""
    cells = [str(cell) for cell in found.cells]
    rows = [(rules_id, *line.actions, str(line.player), str(line.banker), " ".join(line.best)) for line in found.lines]
    return csv_text(("rules", *cells, "player", "banker", "best"), rows)


def csv_text(head: Sequence[str], rows: Sequence[Sequence[object]]) -> str:
    """A table as CSV, lines ended by a line feed."""
    stream = io.StringIO()
    writer = csv.writer(stream, lineterminator="\n")
    writer.writerow(head)
    writer.writerows(rows)
    return stream.getvalue()

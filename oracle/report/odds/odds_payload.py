"""`odds` as JSON: structs, so that their JSON Schema is what is written. Fractions and counts are exact text."""

from __future__ import annotations

from collections.abc import Mapping

import msgspec
from msgspec import UNSET, UnsetType

from oracle.game.space import Row
from oracle.odds.replies import Replies
from oracle.odds.summary import BetSummary, OddsDetails, OddsSummary
from oracle.report.payload import dump
from oracle.rules.answers import show_number
from oracle.rules.questions import QUESTIONS

FORMAT = 1


class ShoeShape(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """The shoe that was counted, without the cards that are `gone`; `suits` is null where only ranks are known."""

    text: str
    cards: int
    endless: bool
    ranks: dict[str, int]
    suits: dict[str, dict[str, int]] | None
    gone: list[str]


class PaysShape(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """One way in which a bet ends, and what a unit stake then nets."""

    outcome: str
    net: str
    sequences: str


class StakeEdgeShape(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """The least stake with this edge."""

    stake: int
    edge: str


class StakesShape(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """The edges over every legal stake; or `error` alone, why they were not looked at."""

    error: str | UnsetType = UNSET
    checked: int | UnsetType = UNSET
    limited: bool | UnsetType = UNSET
    rounded: bool | UnsetType = UNSET
    least_edge: StakeEdgeShape | UnsetType = UNSET
    most_edge: StakeEdgeShape | UnsetType = UNSET
    favourable: int | UnsetType = UNSET
    least_favourable: int | UnsetType | None = UNSET


class BetShape(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """A bet at a unit stake; `edge` is a number for display. Without `stakes` no stake is legal."""

    expectation: str
    edge: float
    payback: str = msgspec.field(name="return")
    hit: str
    push: str
    variance: str
    pays: list[PaysShape]
    stakes: StakesShape | UnsetType = UNSET


class ConsecutiveShape(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """The winner of a coup and that of the next one: twelve cards in `sequences`, none if `shuffled` in between."""

    shuffled: bool
    sequences: str | UnsetType = UNSET
    counts: dict[str, dict[str, str]] | UnsetType = UNSET
    largest: list[str] | UnsetType = UNSET
    deviation: str


class OddsShape(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """`odds`: outcomes and bets of one shoe; with --all also how often cells are asked, removal and consecutive."""

    format: int
    rules: str
    shoe: ShoeShape
    choices: dict[str, str]
    sequences: str
    outcomes: dict[str, str]
    bets: dict[str, BetShape]
    cells: dict[str, list[dict[str, int | str]]] | UnsetType = UNSET
    removal: dict[str, dict[str, str]] | UnsetType | None = UNSET
    consecutive: ConsecutiveShape | UnsetType | None = UNSET


class ReplyShape(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """One way to play the free cells, what a unit stake on each side then nets, and who plays best."""

    choices: dict[str, str]
    player: str
    banker: str
    best: list[str]


class RepliesShape(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """`odds` where the rules leave cells free and nothing was chosen: every way to play them."""

    format: int
    rules: str
    lines: list[ReplyShape]


def render(found: OddsSummary | Replies) -> str:
    """What `odds --format json` prints."""
    return f"{dump(replies_payload(found) if isinstance(found, Replies) else odds_payload(found))}\n"


def odds_payload(odds: OddsSummary) -> OddsShape:
    """The odds of one shoe."""
    shoe, details = odds.shoe, odds.details
    payload = OddsShape(
        format=FORMAT,
        rules=odds.rules,
        shoe=ShoeShape(str(shoe), shoe.cards, shoe.endless, shoe.ranks, shoe.suited, [str(card) for card in odds.gone]),
        choices={str(cell): action for cell, action in odds.strategy.items()},
        sequences=str(odds.total),
        outcomes={winner: str(count) for winner, count in odds.outcomes.items()},
        bets={name: _bet(odds, bet) for name, bet in odds.bets.items()},
    )
    if details is None:
        return payload
    return msgspec.structs.replace(
        payload,
        cells={question: _cells(question, counts) for question, counts in details.cells.items()},
        removal=_removal(details),
        consecutive=_consecutive(details, list(odds.outcomes)),
    )


def _bet(odds: OddsSummary, summary: BetSummary) -> BetShape:
    bet = summary.odds
    return BetShape(
        expectation=str(bet.expectation),
        edge=float(bet.edge),
        payback=str(bet.payback),
        hit=str(bet.hit),
        push=str(bet.share("push")),
        variance=str(bet.variance),
        pays=[PaysShape(hit.outcome, show_number(hit.net), str(hit.sequences)) for hit in bet.hits],
        stakes=_stakes(odds, summary),
    )


def _stakes(odds: OddsSummary, summary: BetSummary) -> StakesShape | UnsetType:
    stakes = summary.stakes
    if summary.unsettled:
        return StakesShape(error=summary.unsettled)
    if stakes is None:
        return UNSET
    return StakesShape(
        checked=stakes.checked,
        limited=stakes.limited,
        rounded=odds.rounded,
        least_edge=StakeEdgeShape(stakes.least[0], str(stakes.least[1])),
        most_edge=StakeEdgeShape(stakes.most[0], str(stakes.most[1])),
        favourable=len(stakes.favourable),
        least_favourable=stakes.favourable[0] if stakes.favourable else None,
    )


def _cells(question: str, counts: Mapping[Row, int]) -> list[dict[str, int | str]]:
    fields = QUESTIONS[question].cell
    found = []
    for cell, count in counts.items():
        entry: dict[str, int | str] = {
            field: value if isinstance(value, int) else str(value) for field, value in zip(fields, cell, strict=True)
        }
        found.append({**entry, "sequences": str(count)})
    return found


def _removal(details: OddsDetails) -> dict[str, dict[str, str]] | None:
    if details.removal is None:
        return None
    return {rank: {bet: str(more) for bet, more in by_bet.items()} for rank, by_bet in details.removal.items()}


def _consecutive(details: OddsDetails, winners: list[str]) -> ConsecutiveShape | None:
    if details.shuffled:
        return ConsecutiveShape(shuffled=True, deviation="0")
    found = details.consecutive
    if found is None:
        return None
    return ConsecutiveShape(
        shuffled=False,
        sequences=str(found.total),
        counts={one: {two: str(found.counts[one, two]) for two in winners} for one in winners},
        largest=list(found.largest),
        deviation=str(found.deviation(*found.largest)),
    )


def replies_payload(found: Replies) -> RepliesShape:
    """Every way to play free cells."""
    cells = [str(cell) for cell in found.cells]
    lines = [
        ReplyShape(dict(zip(cells, line.actions, strict=True)), str(line.player), str(line.banker), list(line.best))
        for line in found.lines
    ]
    return RepliesShape(FORMAT, found.rules, lines)

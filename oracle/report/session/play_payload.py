"""`play` as JSON: structs, so that their JSON Schema is what is written; money is exact text."""

from __future__ import annotations

import msgspec

from oracle.game.coup import Coup, Decision, Hand
from oracle.game.rules import Rules
from oracle.game.settle import Settled
from oracle.game.space import is_pair
from oracle.report.payload import state_payload
from oracle.rules.answers import show_atom, show_number
from oracle.rules.model import Clause
from oracle.rules.questions import QUESTIONS

FORMAT = 1


class ClauseShape(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A clause that took no part: its id, the line of the document, and its guard by field."""

    id: str
    line: str
    when: dict[str, str]


class FiredShape(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A clause that decided: its id, the line of the document and what it says, and where it stands in the spec."""

    id: str
    line: str
    says: str
    file: str
    at: str


class DecisionShape(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """One decision of a coup or of settling a bet, with all that took part in it."""

    question: str
    state: dict[str, int | str]
    answer: str
    statement: str
    line: str
    fired: list[FiredShape]
    not_applied: list[ClauseShape]
    set_aside: list[ClauseShape]
    resolution: str
    because: str
    assumed: bool
    chosen_by: str


class HandShape(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """The cards of a hand in the order in which it got them, and its total."""

    cards: list[str]
    total: int


class PlacedBetShape(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A bet that was settled; stake and net are exact text."""

    stake: str
    outcome: str
    net: str
    trace: list[DecisionShape]


class PlayShape(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """`play`: a coup, its trace and its bets."""

    format: int
    rules: str
    player: HandShape
    banker: HandShape
    winner: str
    natural: str
    pairs: dict[str, bool]
    cards_used: int
    unused: list[str]
    trace: list[DecisionShape]
    bets: dict[str, PlacedBetShape]


def play_payload(rules: Rules, coup: Coup, settled: tuple[Settled, ...]) -> PlayShape:
    """A coup, its trace and its bets."""
    return PlayShape(
        format=FORMAT,
        rules=rules.id,
        player=_hand(coup.player),
        banker=_hand(coup.banker),
        winner=coup.winner,
        natural=coup.natural,
        pairs={side: is_pair(kind) for side, kind in coup.alike.items()},
        cards_used=coup.cards_used,
        unused=[str(card) for card in coup.unused],
        trace=[_decision(decision) for decision in coup.trace],
        bets={
            bet.bet: PlacedBetShape(
                stake=show_number(bet.stake),
                outcome=bet.outcome,
                net=show_number(bet.net),
                trace=[_decision(decision) for decision in bet.trace],
            )
            for bet in settled
        },
    )


def _hand(hand: Hand) -> HandShape:
    return HandShape([str(card) for card in hand.cards], hand.total)


def _decision(decision: Decision) -> DecisionShape:
    first = decision.fired[0] if decision.fired else None
    return DecisionShape(
        question=decision.question,
        state=state_payload(decision.state),
        answer=show_atom(QUESTIONS[decision.question], decision.answer),
        statement=first.id if first else "",
        line=first.lines if first else "",
        fired=[
            FiredShape(c.id, c.lines, c.says, c.span.file, f"{c.span.line}:{c.span.column}") for c in decision.fired
        ],
        not_applied=[_clause(clause) for clause in decision.not_applied],
        set_aside=[_clause(clause) for clause in decision.set_aside],
        resolution=decision.resolution,
        because=decision.because,
        assumed=decision.assumed,
        chosen_by=decision.chosen_by,
    )


def _fired(clause: Clause) -> FiredShape:
    span = clause.span
    return FiredShape(clause.id, clause.lines, clause.says, span.file, f"{span.line}:{span.column}")


def _clause(clause: Clause) -> ClauseShape:
    return ClauseShape(clause.id, clause.lines, {test.field: test.text for test in clause.guard})

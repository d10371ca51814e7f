"""`session` as JSON: structs, so that their JSON Schema is what is written; money is exact text."""

from __future__ import annotations

import msgspec

from oracle.game.coup import Decision
from oracle.game.rules import Rules
from oracle.game.session import Participant, Rank, Session, SessionCoup
from oracle.rules.answers import show_number

FORMAT = 1


class SessionCoupShape(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A coup of the session, and what it nets by participant."""

    player: list[str]
    banker: list[str]
    unused: list[str]
    winner: str
    nets: dict[str, str]


class CitedShape(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A clause that decided, with the line of the document and what it says."""

    id: str
    line: str
    says: str


class ReasonShape(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """Why a session has ended for somebody, and with or without a score."""

    question: str
    answer: str
    fired: list[CitedShape]
    resolution: str
    assumed: bool


class ParticipantShape(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """Somebody at the table; `score` is null before the session has ended for them, and where the rules give none."""

    name: str
    balance: str
    ended: bool
    score: str | None
    because: list[ReasonShape]


class RankShape(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A place on the score sheet; `result` is wins, share or empty."""

    name: str
    score: str
    result: str


class SessionShape(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """`session`: every coup, who has what, and the ranking, highest score first."""

    format: int
    rules: str
    coups: list[SessionCoupShape]
    participants: list[ParticipantShape]
    ranking: list[RankShape]
    ended: bool


def session_payload(rules: Rules, session: Session, sheet: tuple[Rank, ...]) -> SessionShape:
    """The score sheet."""
    return SessionShape(
        format=FORMAT,
        rules=rules.id,
        coups=[_coup(played) for played in session.history],
        participants=[_participant(participant) for participant in session.participants],
        ranking=[RankShape(rank.name, show_number(rank.score), rank.result) for rank in sheet],
        ended=session.ended,
    )


def _coup(played: SessionCoup) -> SessionCoupShape:
    player, banker, unused = (
        [str(card) for card in cards]
        for cards in (played.coup.player.cards, played.coup.banker.cards, played.coup.unused)
    )
    nets = {name: show_number(net) for name, net in played.nets.items()}
    return SessionCoupShape(player, banker, unused, played.coup.winner, nets)


def _participant(participant: Participant) -> ParticipantShape:
    return ParticipantShape(
        name=participant.name,
        balance=show_number(participant.balance),
        ended=participant.ended,
        score=None if participant.score is None else show_number(participant.score),
        because=[_reason(decision) for decision in participant.trace],
    )


def _reason(decision: Decision) -> ReasonShape:
    return ReasonShape(
        question=decision.question,
        answer=str(decision.answer),
        fired=[CitedShape(clause.id, clause.lines, clause.says) for clause in decision.fired],
        resolution=decision.resolution,
        assumed=decision.assumed,
    )

"""What becomes of one bettor from sitting down to the end: balances after each step, as sessions of the rules have it.

Where the rules ask for several participants the others do as this one does: nobody's balance depends on another's.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from fractions import Fraction
from typing import Literal

import msgspec

from oracle.cards import Card
from oracle.game.rules import Rules
from oracle.game.session import Participant, Session, leave, play_coup, start_session
from oracle.spans import BadBet, OracleError

Step = tuple[Sequence[Card], Mapping[str, Fraction]] | Literal["leave"]
_WHO = "bettor"
_MOST = 8


class Sitting(msgspec.Struct, frozen=True):
    """The balance after each step, and whether the session is over after the last."""

    balances: tuple[Fraction, ...]
    ended: bool


def sit(rules: Rules, steps: Iterable[Step], *, balance: Fraction | None = None) -> Sitting:
    """Play a session of one bettor. `balance` is what one starts with, for rules that don't say it.

    Bets that are not legal are refused: no coup is played, and nothing changes. Nor does anything once the session is
    over. Raises `OracleError` for a start that isn't one, for leaving where the rules don't let one, and as `play`.
    """
    session = _start(rules, balance)
    balances: list[Fraction] = []
    for step in steps:
        if not session.ended:
            session = _after(rules, session, step)
        balances.append(session.participants[0].balance)
    return Sitting(tuple(balances), session.ended)


def leaving_ends(rules: Rules) -> bool:
    """Whether leaving ends a session, whatever one has and however many coups were played."""
    evaluation = rules.evaluation("session_end")
    space = evaluation.space
    if not space.has("event"):
        return False
    events = space.column("event")
    return all(evaluation.answer(i) == ("end",) for i, event in enumerate(events) if event == "leave")


def _start(rules: Rules, balance: Fraction | None) -> Session:
    says = isinstance(rules.value("start_balance"), int)
    if says and balance is not None:
        raise OracleError(f"{rules.id} says with how much a session starts: give no balance")
    if not says and balance is None:
        raise OracleError(f"{rules.id} doesn't say with how much a session starts: give a balance")
    if balance is not None:
        return Session(rules.id, (Participant(_WHO, balance),))
    for count in range(1, _MOST + 1):
        try:
            return start_session(rules, [_WHO, *(f"other{number}" for number in range(1, count))])
        except BadBet:
            continue
    raise OracleError(f"{rules.id} lets nobody take part")


def _after(rules: Rules, session: Session, step: Step) -> Session:
    names = [participant.name for participant in session.participants]
    if step == "leave":
        for name in names:
            session = leave(rules, session, name)
        return session
    cards, bets = step
    try:
        return play_coup(rules, session, cards, {name: dict(bets) for name in names if bets})
    except BadBet:
        return session

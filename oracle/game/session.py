"""Sessions as the rules describe them: who takes part, what they bet, when it ends, who wins.

Immutable: every step gives a new session.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from fractions import Fraction

import msgspec

from oracle.cards import Card
from oracle.game.bets import Refusal, refusals, refused
from oracle.game.coup import Coup, Decision, Place, decision, play, show_state, why_open
from oracle.game.rules import Rules
from oracle.game.settle import settle
from oracle.rules.values import Value
from oracle.spans import BadBet, OracleError, Undecided
from oracle.text import quoted


class Participant(msgspec.Struct, frozen=True):
    """Somebody at the table. `balance` changes with every coup; `score` is set when the session has ended for them.

    `trace` then says why it has ended, and with or without a score.
    """

    name: str
    balance: Fraction
    ended: bool = False
    score: Fraction | None = None
    trace: tuple[Decision, ...] = ()


class SessionCoup(msgspec.Struct, frozen=True):
    """One coup of a session: the coup, and the net of each participant."""

    coup: Coup
    bets: dict[str, dict[str, Fraction]]
    nets: dict[str, Fraction]


class Session(msgspec.Struct, frozen=True):
    """A session of `rules`, after `history`."""

    rules_id: str
    participants: tuple[Participant, ...]
    history: tuple[SessionCoup, ...] = ()

    @property
    def coups(self) -> int:
        """How many coups were played."""
        return len(self.history)

    @property
    def ended(self) -> bool:
        """Whether it has ended for everybody."""
        return all(participant.ended for participant in self.participants)

    def participant(self, name: str) -> Participant:
        """The participant of that name. Raises `OracleError`."""
        for participant in self.participants:
            if participant.name == name:
                return participant
        known = ", ".join(p.name for p in self.participants)
        raise OracleError(f"nobody here is called {quoted(name)}: {known}")


class Rank(msgspec.Struct, frozen=True):
    """A place on the score sheet. `result` is wins, share or empty."""

    name: str
    score: Fraction
    result: str


def start_session(rules: Rules, names: Sequence[str]) -> Session:
    """A session with these participants. Raises `BadBet` with the cited reason if so many are not allowed."""
    if len(set(names)) != len(names) or not names or not all(name.isprintable() and name for name in names):
        raise OracleError("participants need names of their own: each once, none empty, printable")
    if rules.clauses_about("participants"):
        what = _so_many(len(names), "participant")
        for reason in refused(rules, "participants", {"participants": len(names)}, what):
            raise BadBet(str(reason))
    start = rules.value("start_balance")
    if not isinstance(start, int):
        raise OracleError(f"{rules.id} doesn't say with how much a session starts")
    return Session(rules.id, tuple(Participant(name, Fraction(start)) for name in names))


def play_coup(
    rules: Rules,
    session: Session,
    cards: Sequence[Card],
    bets: Mapping[str, Mapping[str, Fraction]],
    *,
    choose: Mapping[str, str] | None = None,
) -> Session:
    """The session after one more coup. `bets` maps participants to their stakes by bet.

    Raises `BadBet` with the cited reason for bets or predictions that are not legal, and whatever `play` raises.
    """
    if session.ended:
        raise OracleError("the session has ended: nobody can bet any more")
    for name in bets:
        if session.participant(name).ended:
            raise OracleError(f"the session has ended for {name}")
    for participant in session.participants:
        if not participant.ended:
            _check_bets(rules, participant, dict(bets.get(participant.name, {})))
    names = {bet for stakes in bets.values() for bet in stakes}
    coup = play(rules, cards, choose=choose, bets=names)
    nets = {
        name: sum((settled.net for settled in settle(rules, coup, stakes)), Fraction(0))
        for name, stakes in bets.items()
    }
    coups = session.coups + 1
    people = tuple(
        p
        if p.ended
        else _after(rules, msgspec.structs.replace(p, balance=p.balance + nets.get(p.name, 0)), "coup", coups)
        for p in session.participants
    )
    done = SessionCoup(coup, {name: dict(stakes) for name, stakes in bets.items()}, nets)
    return msgspec.structs.replace(session, participants=people, history=(*session.history, done))


def leave(rules: Rules, session: Session, name: str) -> Session:
    """The session after somebody got up. Raises `OracleError` if the rules don't end it so."""
    who = session.participant(name)
    if who.ended:
        raise OracleError(f"the session has ended for {name} already")
    after = _after(rules, who, "leave", session.coups)
    if not after.ended:
        raise OracleError(f"{rules.id} doesn't let anybody leave with a result before the session ends")
    return msgspec.structs.replace(
        session, participants=tuple(after if p.name == name else p for p in session.participants)
    )


def ranking(rules: Rules, session: Session) -> tuple[Rank, ...]:
    """The scores so far, highest first, with who wins or shares as the rules rank them once all have ended."""
    scored = sorted((p for p in session.participants if p.score is not None), key=lambda p: (-(p.score or 0), p.name))
    if not scored:
        return ()
    best = scored[0].score
    leaders = [p for p in scored if p.score == best]
    result = ""
    if session.ended and rules.clauses_about("ranking"):
        state = {"leaders": "one" if len(leaders) == 1 else "several"}
        result = str(_decide(rules, "ranking", state).answer)
    return tuple(
        Rank(p.name, p.score or Fraction(0), result if result != "kept" and p in leaders else "") for p in scored
    )


def best_scores(rules: Rules, scores: Sequence[Fraction]) -> tuple[Fraction, ...]:
    """The scores that are kept, highest first: as many as the rules keep."""
    kept = rules.value("kept")
    ordered = sorted(scores, reverse=True)
    return tuple(ordered[:kept] if isinstance(kept, int) else ordered)


def reachable_balances(rules: Rules, coups: int) -> list[Fraction]:
    """Every balance that one participant can have after so many coups, betting as the rules allow, ascending.

    Exact, by adding up what one coup can change; meant for tables with a fixed stake. Raises `OracleError`
    if the legal stakes are not a short list.
    """
    changes = coup_changes(rules)
    start = rules.value("start_balance")
    balances = {Fraction(start if isinstance(start, int) else 0)}
    for _ in range(coups):
        balances = {balance + change for balance in balances for change in changes}
    return sorted(balances)


def coup_changes(rules: Rules) -> list[Fraction]:
    """What one coup can change for a participant with one legal bet, over every bet, stake and end, ascending."""
    from oracle.game.money import legal_stakes, net_of

    found: set[Fraction] = set()
    outcomes = rules.evaluation("outcome")
    for i, row in enumerate(outcomes.space.rows):
        bet = str(row[0])
        stakes = legal_stakes(rules, bet)
        if stakes is None or len(stakes) > 1000:
            raise OracleError(f"{rules.id}: the stakes on {bet} are no short list")
        found |= {net_of(rules, i, Fraction(stake)) for stake in stakes}
    return sorted(found)


def _check_bets(rules: Rules, participant: Participant, stakes: dict[str, Fraction]) -> None:
    found: list[Refusal] = []
    if rules.clauses_about("predictions"):
        what = _so_many(len(stakes), "prediction")
        found += refused(rules, "predictions", {"predictions": len(stakes)}, what)
    found += list(refusals(rules, stakes, balance=participant.balance)) if stakes else []
    if found:
        raise BadBet("\n".join(f"{participant.name}: {refusal}" for refusal in found))


def _so_many(count: int, noun: str) -> str:
    return f"{count} {noun} is refused" if count == 1 else f"{count} {noun}s are refused"


def _after(rules: Rules, participant: Participant, event: str, coups: int) -> Participant:
    state: dict[str, Value] = {"event": event, "coups": coups, "balance": participant.balance}
    end = _decide(rules, "session_end", state)
    if end.answer != "end":
        return participant
    score = None
    trace = [end]
    if rules.clauses_about("score"):
        trace.append(_decide(rules, "score", state))
        score = participant.balance if trace[-1].answer == "balance" else None
    return msgspec.structs.replace(participant, ended=True, score=score, trace=tuple(trace))


def _decide(rules: Rules, question: str, state: Mapping[str, Value]) -> Decision:
    evaluation = rules.at(question, state)
    answer = evaluation.answer(0)
    if not answer:
        raise Undecided(question, show_state(state), why_open(evaluation, 0))
    return decision(Place(evaluation, 0), answer[0])

"""The score sheet of a session: coup by coup, and how it ends."""

from __future__ import annotations

from fractions import Fraction

from oracle.game.coup import Decision
from oracle.game.rules import Rules
from oracle.game.session import Participant, Rank, Session
from oracle.report.words.layout import columns, wrap
from oracle.rules.answers import show_number


def _signed(amount: Fraction) -> str:
    return f"{'+' if amount > 0 else ''}{show_number(amount)}"


def session_text(rules: Rules, session: Session, sheet: tuple[Rank, ...]) -> str:
    """The sheet for a terminal, with the reason for everybody whom the session ended without a score."""
    names = [participant.name for participant in session.participants]
    rows = [("coup", "result", *names)]
    for number, played in enumerate(session.history, start=1):
        coup = played.coup
        result = f"{coup.winner} {coup.player.total}:{coup.banker.total}"
        rows.append((str(number), result, *(_signed(played.nets[n]) if n in played.nets else "-" for n in names)))
    rows.append(("", "balance", *(show_number(p.balance) for p in session.participants)))
    lines = [f"{rules.id}, {len(session.history)} coup{'s' * (len(session.history) != 1)}", ""]
    lines += columns(rows)
    if session.history:
        lines += ["", "  result: who wins, and the totals player:banker; below a name: what it nets"]
    lines.append("")
    for rank in sheet:
        lines.append(f"  {rank.name}: {show_number(rank.score)}{f', {_RESULTS[rank.result]}' if rank.result else ''}")
    for participant in session.participants:
        if participant.ended and participant.score is None:
            lines.append(wrap(_without_score(participant), first=f"  {participant.name}: ", rest=" " * 6))
    if not session.ended:
        open_ = ", ".join(p.name for p in session.participants if not p.ended)
        lines.append(f"  not ended for {open_}")
    return "\n".join(lines)


def _without_score(participant: Participant) -> str:
    end, *scores = participant.trace
    said = f"out: session end, {_source_of(end)}"
    return f"{said}; no score, {_source_of(scores[0])}" if scores else f"{said}; no score, the source has none"


def _source_of(decision: Decision) -> str:
    """What a decision rests on: the lines and what they say, or the resolution."""
    if decision.assumed:
        return "not said; assumed"
    said = [f"line {clause.lines} ({clause.statement}): {clause.says}" for clause in decision.fired]
    return " and ".join([*said, *([f"read as {decision.resolution}"] if decision.resolution else [])])


_RESULTS = {"wins": "wins", "share": "shares the win"}

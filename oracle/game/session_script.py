"""Scripts of sessions: one step a line, replayed by the rules.

    participants ana rui
    coup 4H 2S 9C AD 8D; ana banker=20; rui tie=20
    leave ana

Blank lines and what follows `#` are left out. Each error names its line.
"""

from __future__ import annotations

from fractions import Fraction

from oracle.cards import parse_cards
from oracle.game.rules import Rules
from oracle.game.session import Session, leave, play_coup, start_session
from oracle.game.settle import parse_amount
from oracle.spans import BadBet, OracleError, Undecided
from oracle.text import did_you_mean, printable, quoted

STEPS = ("participants", "coup", "leave")
CHOOSE = "choose"


def replay(rules: Rules, text: str, *, name: str = "script") -> Session:
    """The session after every step of a script. Raises `OracleError` with the line of the step that fails."""
    session: Session | None = None
    name = printable(name)
    for number, raw in enumerate(text.splitlines(), start=1):
        line = raw.partition("#")[0].strip()
        if not line:
            continue
        try:
            session = _step(rules, session, line)
        except Undecided:
            raise
        except OracleError as error:
            raise type(error)(f"{name}:{number}: error[session]: {error}") from error
    if session is None:
        raise OracleError(f"{name}:1: error[session]: no `participants`: name who takes part in the first line")
    return session


def _step(rules: Rules, session: Session | None, line: str) -> Session:
    word, rest = _first_word(line)
    if word not in STEPS:
        raise OracleError(f"unknown step {quoted(word)}: {did_you_mean(word, STEPS)}")
    if word == "participants":
        if session is not None:
            raise OracleError("participants are named once, in the first line")
        return start_session(rules, _names(rest))
    if session is None:
        raise OracleError("name the participants first: participants ana rui")
    if word == "leave":
        if not rest:
            raise OracleError("nobody is named: say who leaves, as in leave ana")
        return leave(rules, session, rest)
    cards, *stakes = rest.split(";")
    bets: dict[str, dict[str, Fraction]] = {}
    choose: dict[str, str] = {}
    for part in stakes:
        who, laid = _first_word(part)
        if not who:
            raise OracleError("nothing after `;`: write who bets what, as in ana banker=20")
        if who == CHOOSE:
            for text in laid.split():
                side, _, action = text.partition("=")
                choose[side] = action
            continue
        if who in bets:
            raise BadBet(f"{printable(who[:40])} bets twice: put all bets of one participant together")
        bets[who] = _stakes(laid)
    return play_coup(rules, session, parse_cards([cards]), bets, choose=choose)


def _first_word(text: str) -> tuple[str, str]:
    word, *rest = text.split(maxsplit=1) or [""]
    return word, rest[0].strip() if rest else ""


def _names(text: str) -> list[str]:
    """The names of participants, each one that later steps can write."""
    names = text.replace(",", " ").split()
    for name in names:
        if name == CHOOSE or ";" in name or "=" in name:
            raise OracleError(
                f"nobody can be called {quoted(name)} here: "
                f"`;`, `=` and the word {CHOOSE} have a meaning in the lines of coups"
            )
    return names


def _stakes(text: str) -> dict[str, Fraction]:
    found: dict[str, Fraction] = {}
    for part in text.replace(",", " ").split():
        bet, equals, amount = part.partition("=")
        if not equals:
            raise BadBet(f"{quoted(part)} is no bet: write it as banker=20")
        if bet in found:
            raise BadBet(f"{printable(bet[:40])} stands twice")
        found[bet] = parse_amount(amount)
    return found

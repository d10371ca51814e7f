"""`play` for a terminal: the hands, the winner, each decision with its line, and the bets."""

from __future__ import annotations

import click

from oracle.game.coup import Coup, Decision, Hand, show_state
from oracle.game.settle import Settled
from oracle.report.words.layout import wrap
from oracle.rules.answers import show_atom, show_number
from oracle.rules.questions import QUESTIONS
from oracle.rules.values import Value


def play_text(coup: Coup, settled: tuple[Settled, ...]) -> str:
    """The coup as people read it, at most 80 columns wide."""
    width = max(len(_cards(coup.player)), len(_cards(coup.banker)))
    lines = [
        f"player  {_cards(coup.player):<{width}}  {coup.player.total}",
        f"banker  {_cards(coup.banker):<{width}}  {coup.banker.total}",
        click.style("tie" if coup.winner == "tie" else f"{coup.winner} wins", bold=True)
        + (f", natural: {coup.natural}" if coup.natural != "none" else ""),
    ]
    if coup.unused:
        unused = " ".join(str(card) for card in coup.unused)
        lines.append(wrap(unused, first="unused  ", rest=" " * 8))
    lines.append("")
    for decision in coup.trace:
        lines += _decision(decision)
    for bet in settled:
        lines += ["", f"{bet.bet} {show_number(bet.stake)}: {_outcome(bet)}"]
        for decision in bet.trace:
            lines += _decision(decision)
    return "\n".join(lines)


def _cards(hand: Hand) -> str:
    return " ".join(str(card) for card in hand.cards)


def _outcome(bet: Settled) -> str:
    word = {"win": "wins", "lose": "loses", "push": "is returned"}[bet.outcome]
    sign = "+" if bet.net > 0 else ""
    return f"{word}, net {sign}{show_number(bet.net)}"


def _decision(decision: Decision) -> list[str]:
    question = QUESTIONS[decision.question]
    answer = show_atom(question, decision.answer)
    head = f"  {question.title:<12}{answer:<10}"
    lines = [wrap(show_state(_tested(decision)), first=head, rest=" " * len(head)) or head.rstrip()]
    indent = " " * 14
    said = []
    for clause in decision.fired:
        word = f"{clause.statement}, otherwise" if clause.otherwise else clause.statement
        said.append(f"line {clause.lines} ({word}): {clause.says}")
    lines += [wrap(text, first=indent, rest=indent + "  ") for text in dict.fromkeys(said)]
    for clause in decision.set_aside:
        aside = " | ".join(show_atom(question, atom) for atom in clause.answer)
        text = f"line {clause.lines} ({clause.statement}) is set aside: {aside}"
        lines.append(wrap(text, first=indent, rest=indent + "  "))
    if decision.resolution:
        text = f"read as {decision.resolution}: {decision.because}"
        lines.append(wrap(text, first=indent, rest=indent + "  "))
    if decision.assumed:
        lines.append(f"{indent}not said; assumed")
    if decision.chosen_by:
        lines.append(f"{indent}chosen by the {decision.chosen_by}")
    for clause in decision.not_applied if question.stage == "coup" else ():
        tests = ", ".join(f"{t.field}: {t.text}" for t in clause.guard if t.field != "player_drew")
        lines.append(wrap(f"line {clause.lines} does not apply: {tests}", first=indent, rest=indent + "  "))
    return lines


def _tested(decision: Decision) -> dict[str, Value]:
    clauses = (*decision.fired, *decision.not_applied, *decision.set_aside)
    if not clauses:
        return decision.state
    shown = {test.field for clause in clauses for test in clause.guard}
    shown |= {f for f in QUESTIONS[decision.question].cell if f not in {"player_cards", "banker_cards"}}
    return {field: value for field, value in decision.state.items() if field in shown}

"""What one rule set says in the states of a question: of the text alone, and as read.

What a win pays is heard as its net, odds less commission: 19 to 20, and even money less five per cent, are the same.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from fractions import Fraction

import msgspec

from oracle.game.evaluate import Evaluation, any_mask, default_atom
from oracle.game.rules import Rules
from oracle.rules.answers import Atom, show_atom
from oracle.rules.questions import CHECKED_QUESTIONS, QUESTIONS, heard_together

COMPARED = tuple(question for question in CHECKED_QUESTIONS if not QUESTIONS[question].heard_with)
"""The questions that rule sets are compared by; commission goes with what a win pays."""

SAYS, SILENT = "says", "silent"
OPEN = {
    "gap": "not said",
    "conflict": "contradicts itself",
    "ambiguous": "can be read in several ways",
    "undecided": "left free, and nobody is named to choose",
}


class Stance(msgspec.Struct, frozen=True):
    """What is heard in a state: an answer (`says`), one of the reasons of `OPEN` for none, or silence.

    `assumed` is what a default of the language makes of silence.
    """

    kind: str
    answer: tuple[Atom, ...] = ()
    assumed: bool = False


class Stances(msgspec.Struct, frozen=True):
    """What is heard where, as masks over the table's own states. Every state is in exactly one of them."""

    heard: dict[Stance, int]


def speaks(rules: Rules, question: str, *, literal: bool) -> bool:
    """Whether a rule set says anything about a question: its statements, or if not `literal` its resolutions too."""
    for part in heard_together(question):
        if rules.clauses_about(part):
            return True
        if not literal and any(applied.closes for applied in rules.evaluation(part).applied):
            return True
    return False


def voice(rules: Rules, question: str, evaluation: Evaluation, *, literal: bool) -> Stances:
    """What `evaluation`, that of a question at this table, says: of the text alone, or as read."""
    spoken = speaks(rules, question, literal=literal)
    heard = _one(evaluation, literal=literal, spoken=spoken)
    if question == "pays":
        heard = _net(heard, _one(rules.evaluation("commission"), literal=literal, spoken=True))
    return Stances(heard)


def _one(evaluation: Evaluation, *, literal: bool, spoken: bool) -> dict[Stance, int]:
    """What is heard about one question."""
    full = evaluation.space.full
    question = evaluation.question
    verdicts = evaluation.literal if literal else evaluation.resolved
    unread = any_mask(evaluation.ambiguous.values()) if literal else evaluation.unread
    found: dict[Stance, int] = {}
    rest = full

    def hear(heard: Stance, mask: int) -> None:
        nonlocal rest
        if mask & rest:
            found[heard] = found.get(heard, 0) | (mask & rest)
            rest &= ~mask

    hear(Stance("ambiguous"), unread)
    hear(Stance("conflict"), verdicts.conflict)
    hear(Stance("undecided"), verdicts.undecided)
    silent = verdicts.gap if literal else verdicts.gap | evaluation.assumed
    if question.silent == "assumed":
        hear(Stance(SILENT, (default_atom(question),), assumed=True), silent)
    elif question.silent == "omission" or not spoken:
        hear(Stance(SILENT), silent)
    else:
        hear(Stance("gap"), silent)
    for answer, mask in _answers(verdicts.permits, rest).items():
        hear(Stance(SAYS, answer), mask)
    return found


def _answers(permits: Mapping[Atom, int], among: int) -> dict[tuple[Atom, ...], int]:
    """Which answers are permitted together where."""
    groups: dict[tuple[Atom, ...], int] = {(): among}
    for atom, mask in sorted(permits.items(), key=lambda entry: str(entry[0])):
        split: dict[tuple[Atom, ...], int] = {}
        for answer, states in groups.items():
            if states & mask:
                split[*answer, atom] = states & mask
            if states & ~mask:
                split[answer] = states & ~mask
        groups = split
    return {answer: states for answer, states in groups.items() if answer}


def _net(pays: dict[Stance, int], commission: dict[Stance, int]) -> dict[Stance, int]:
    """Odds and commission together. A commission that nobody speaks of is none."""
    found: dict[Stance, int] = {}
    for odds, where in pays.items():
        for rate, there in commission.items():
            mask = where & there
            if not mask:
                continue
            heard = odds
            if odds.kind == SAYS and rate.answer:
                net = Fraction(odds.answer[0]) * (1 - Fraction(rate.answer[0]))  # type: ignore[arg-type]
                heard = Stance(SAYS, (net,))
            elif odds.kind == SAYS:
                heard = rate
            found[heard] = found.get(heard, 0) | mask
    return found


def show_heard(question: str, heard: Stance) -> str:
    """An answer as a spec would write it, or why there is none."""
    if heard.kind in OPEN:
        return OPEN[heard.kind]
    if heard.kind == SILENT:
        return f"silent, so {show_answer(question, heard.answer)}" if heard.assumed else "silent"
    return show_answer(question, heard.answer)


def show_answer(question: str, answer: Iterable[Atom]) -> str:
    """The permitted answers."""
    return " | ".join(show_atom(QUESTIONS[question], atom) for atom in answer)

"""Which statements no case of a suite makes speak: they must be ones that `check` reports.

Cases of coups come to states of the questions about the coup and, with bets, about settling; cases of bets, shoes and
sessions to states of those about bets, shuffling and sessions. A statement that speaks in none of these states is
untested, unless it is dead, masked, read otherwise or set aside by a resolution.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from fractions import Fraction
from functools import lru_cache
from itertools import accumulate

from oracle.cards import parse_card
from oracle.cases.case import Case
from oracle.cases.reference import Reference, step_of
from oracle.cases.tiers import silent
from oracle.checks.cover import check_masked
from oracle.checks.dead import check_dead
from oracle.game.bets import refusals
from oracle.game.evaluate import Evaluation
from oracle.game.one_bettor import sit
from oracle.game.rules import Rules
from oracle.game.space import Row, Space
from oracle.programs.behaviour import Behaviour, Played, play
from oracle.programs.shoe import left_of
from oracle.rules.model import Clause, RuleSet, Spec
from oracle.rules.questions import CARD_QUESTIONS, COUP_QUESTIONS, END, KNOWN, MONEY_QUESTIONS, QUESTIONS, before
from oracle.rules.values import Value

Reached = dict[str, set[Row]]
_KINDS = {
    "bets": ("bets_offered", "bets_together", "stake", "total_stake"),
    "shoe": ("reshuffle",),
    "session": ("participants", "predictions", "session_end"),
}
read_card = lru_cache(maxsize=64)(parse_card)
read_amount = lru_cache(maxsize=4096)(Fraction)


class _Listening(Rules):
    """Rules that remember which clauses spoke where bets, shoes and sessions were judged."""

    def __init__(self, spec: Spec, rule_set: RuleSet) -> None:
        super().__init__(spec, rule_set)
        self.heard: set[str] = set()
        self._judged: dict[tuple[object, ...], Evaluation] = {}

    def takes_over(self, rules: Rules, questions: Iterable[str]) -> None:
        """Have the answers to some questions as other rules have worked them out; who speaks there is not heard."""
        self._evaluations.update({question: rules.evaluation(question) for question in questions})

    def at(self, question: str, state: Mapping[str, Value], *, whole: int | None = None) -> Evaluation:
        key = (question, whole, *state.items())
        found = self._judged.get(key)
        if found is None:
            found = self._judged[key] = super().at(question, state, whole=whole)
            self.heard.update(clause.id for clause in found.fired(0))
        return found


def reached_by(reference: Reference, coups: Iterable[Case]) -> Reached:
    """The states of each question that coups come to."""
    reached: Reached = {question: set() for question in COUP_QUESTIONS}
    for case in coups:
        if case.kind == "coup":
            played = play(reference.behaviour, [read_card(text) for text in case.cards])
            _reach(reference, played, case.bets, reached)
    return reached


def unfired(reference: Reference, cases: Sequence[Case], also: Iterable[Reached] = ()) -> Iterator[Clause]:
    """The clauses that speak in no state that these cases come to, though `check` reports none of them.

    `also` are states that other cases come to.
    """
    rules = reference.rules
    listening = _Listening(rules.spec, rules.rule_set)
    listening.takes_over(rules, COUP_QUESTIONS)
    reached = reached_by(reference, cases)
    for other in also:
        for question, rows in other.items():
            reached[question] |= rows
    waiting = {
        kind: {c.id for question in group for c in rules.clauses_about(question)} for kind, group in _KINDS.items()
    }
    for case in cases:
        if waiting.get(case.kind, set()) - listening.heard:  # once all have spoken there is nothing to hear
            _judge(listening, case)
    judged = [question for kind, group in _KINDS.items() if not silent(rules, kind) for question in group]
    for question in (*COUP_QUESTIONS, *judged):
        evaluation = rules.evaluation(question)
        places = [evaluation.space.index(row) for row in reached.get(question, ())]
        there = sum(1 << place for place in places if place is not None)
        lost = []
        for clause in evaluation.active({}):
            mask, aside = evaluation.masks[clause.id], evaluation.removed.get(clause.id, 0)
            set_aside = mask and not mask & ~aside
            if not set_aside and not mask & ~aside & there and clause.id not in listening.heard:
                lost.append(clause)
        if lost:
            findings = (*check_dead(rules, question), *check_masked(rules, question))
            reported = {finding.subject for finding in findings}
            yield from (clause for clause in lost if not reported & {clause.id, question})


def _judge(listening: _Listening, case: Case) -> None:
    """Ask the rules what a case of bets, of a shoe or of a session asks."""
    balance = None if case.balance is None else read_amount(case.balance)
    if case.kind == "bets":
        list(refusals(listening, {bet: read_amount(stake) for bet, stake in case.bets.items()}, balance=balance))
        listening.heard.update(clause.id for clause in listening.clauses_about("bets_offered"))
    elif case.kind == "shoe":
        left_of(listening, case.dealt or 0, burnt=case.burnt, decks=case.decks, cut_card=case.cut_card)
    elif case.kind == "session":
        sit(listening, map(step_of, case.steps), balance=balance)


def _reach(reference: Reference, played: Played, bets: Collection[str], reached: Mapping[str, set[Row]]) -> None:
    """Add the states that a coup comes to, in the fields of each question's space."""
    behaviour, end = reference.behaviour, played.end
    known: dict[str, Value] = dict(zip(KNOWN[END], end, strict=True))
    known |= {"winner": played.winner, "player_backed": "yes" if "player" in bets else "no"}
    for question in CARD_QUESTIONS:
        space = reference.rules.space(question)
        if not QUESTIONS[question].needs:
            reached[question].update(_of_cards(behaviour, played, space))
        elif played.continued or QUESTIONS[question].needs == END or "natural" not in before(question):
            reached[question].add(tuple(known[field] for field in space.fields))
    if bets:
        classes = behaviour.classes.of(end, played.winner, *played.alike)
        for question in MONEY_QUESTIONS:
            reached[question].update([(bet, *classes) for bet in bets])


def _of_cards(behaviour: Behaviour, played: Played, space: Space) -> Iterable[Row]:
    """The states of a question of no hands that a coup comes to: those of its cards or sums, else all of them."""
    hands = (played.player, played.banker)
    if space.fields == ("rank",):
        return [(card.rank,) for hand in hands for card in hand]
    if space.fields == ("sum",):
        sums = [list(accumulate(behaviour.points[card.rank] for card in hand)) for hand in hands]
        return [(total,) for found in sums for total in found[1:]]
    return space.rows

"""What has to hold at any table, and what follows from each table's rules: about every bet, shoe and session.

verified         shown for every case that the rules allow
refuted          there is a case in which it doesn't hold, and which
open             rules that it rests on leave states open
vacuous          the document says nothing that it could be about
by-construction  the rule language can't say otherwise; nothing was shown
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator

import msgspec

from oracle.checks.claim_context import ClaimContext
from oracle.checks.finding import Finding
from oracle.checks.make_finding import finding
from oracle.checks.regions import show_region
from oracle.game.balances import forbids_debts, session_changes, session_length
from oracle.game.money import unpayable
from oracle.game.rules import Rules
from oracle.game.session import reachable_balances
from oracle.game.shoe import certain_coups
from oracle.game.shoe_size import MOST_CARDS, shoe_cards
from oracle.game.space import MAX_ROWS
from oracle.odds.bets import least_favourable
from oracle.rules.answers import show_number
from oracle.rules.questions import COUP_QUESTIONS
from oracle.spans import BadChoice, OracleError, Undecided

VERIFIED, REFUTED, OPEN, VACUOUS, BY_CONSTRUCTION = "verified", "refuted", "open", "vacuous", "by-construction"
CHIPS_PAY = "chips-pay"
_SEARCHED, _STEPS = 104, 300  # in which shoes an order that runs out is looked for, and how long


class Invariant(msgspec.Struct, frozen=True):
    """One of them at one rule set. `unbounded` if solvers are asked about it with all numbers, not only listed ones."""

    rules: str
    name: str
    verdict: str
    evidence: str
    unbounded: bool = False


class Found(msgspec.Struct, frozen=True):
    """What became of one: the verdict, the evidence in words, and if it is refuted in which states of a question."""

    verdict: str
    evidence: str
    question: str = ""
    states: int = 0


class Judged(msgspec.Struct, frozen=True):
    """An invariant at one rule set, with the states of a question that refute it, if any do."""

    invariant: Invariant
    question: str = ""
    states: int = 0


def check_invariants(rules: Rules, context: ClaimContext) -> tuple[Invariant, ...]:
    """Every invariant of a rule set."""
    return tuple(entry.invariant for entry in judge_invariants(rules, context))


def check_refuted(rules: Rules, judged: Iterable[Judged]) -> Iterator[Finding]:
    """One finding for each invariant that this rule set refutes. What chips can't pay is a finding of its own."""
    for entry in judged:
        invariant, question = entry.invariant, entry.question
        if (invariant.rules, invariant.verdict) != (rules.id, REFUTED) or invariant.name == CHIPS_PAY:
            continue
        message = f"not so: {INVARIANTS[invariant.name][0]} ({invariant.name}); {invariant.evidence}"
        help = "see whether the rules are encoded as the document has them; then accept the finding"
        if not question:
            yield Finding(
                code="refuted-invariant", rules=rules.id, question="", subject=invariant.name, message=message,
                span=rules.rule_set.span, help=help,
            )  # fmt: skip
            continue
        evaluation = rules.evaluation(question)
        yield finding(
            rules,
            question,
            "refuted-invariant",
            entry.states,
            message=message,
            subject=invariant.name,
            clauses=[c for c in evaluation.active({}) if evaluation.masks[c.id] & entry.states],
            region=show_region(rules, question, entry.states) if entry.states else "",
            help=help,
        )


def judge_invariants(rules: Rules, context: ClaimContext) -> tuple[Judged, ...]:
    """Every invariant of a rule set, with what refutes it."""
    found = []
    for name, (_, judge, unbounded) in INVARIANTS.items():
        try:
            result = judge(rules, context)
        except (Undecided, BadChoice) as error:
            result = Found(OPEN, str(error))
        except OracleError as error:
            result = Found(VACUOUS, str(error))
        invariant = Invariant(rules.id, name, result.verdict, result.evidence, unbounded)
        found.append(Judged(invariant, result.question, result.states))
    return tuple(found)


# --- money ------------------------------------------------------------------------------------


def _never_below_the_stake(rules: Rules, context: ClaimContext) -> Found:
    return Found(
        BY_CONSTRUCTION, "a bet loses its stake, comes back, or wins odds of 0 or more less at most all of them"
    )


def _a_push_is_nothing(rules: Rules, context: ClaimContext) -> Found:
    return Found(BY_CONSTRUCTION, "a bet that comes back changes nothing")


def _every_bet_is_settled(rules: Rules, context: ClaimContext) -> Found:
    left = _open(rules)
    if left:
        return Found(OPEN, left)
    together = rules.evaluation("bets_together")
    outcomes = rules.evaluation("outcome")
    allowed = together.resolved.permits.get("allowed", 0) & ~together.open
    if not len(outcomes.space):
        return Found(VACUOUS, "no bets are known")
    ends = f"{outcomes.space.states:,} ends of {len(rules.bets)} bets"
    if together.open:
        return Found(OPEN, "which bets go together is open")
    return Found(VERIFIED, f"{ends}, in {allowed.bit_count():,} sets of bets that go together")


def _open(rules: Rules) -> str:
    """What leaves some end or its money open; empty if nothing does."""
    for question in COUP_QUESTIONS:
        evaluation = rules.evaluation(question)
        if evaluation.open:
            return f"{question} is open in {evaluation.open.bit_count():,} of {len(evaluation.space):,} states"
    return ""


def _nothing_favours_the_bettor(rules: Rules, context: ClaimContext) -> Found:
    left = _open(rules)
    if left:
        return Found(OPEN, left)
    if not rules.bets:
        return Found(VACUOUS, "no bets are known")
    if shoe_cards(rules) is None and rules.value("decks") != "endless":
        return Found(VACUOUS, "the document doesn't say how many decks there are")
    odds = context.odds(rules)
    found = {bet: odds.expectation(bet) for bet in rules.bets}
    worst = max(found, key=lambda bet: found[bet])
    shown = f"the edge is least on {worst}, {float(-found[worst]) * 100:.4f} %, of a full shoe"
    if found[worst] > 0:
        words = f"{worst} favours the bettor by {float(found[worst]) * 100:.4f} % of a full shoe"
        return Found(REFUTED, words, "pays", _on(rules, "pays", worst))
    rounding = rules.value("rounding")
    if rounding in (None, "exact"):
        return Found(VERIFIED, shown)
    way, _, unit = str(rounding).partition(" ")
    rounded = f"{way} {unit}" if way == "nearest" else f"{way} to {unit}"
    for bet in rules.bets:
        stake = least_favourable(rules, odds.bets[bet])
        if stake is not None:
            words = f"{stake} on {bet} favours the bettor, as payments are rounded {rounded}"
            return Found(REFUTED, words, "pays", _on(rules, "pays", bet))
    return Found(VERIFIED, f"{shown}, and no legal stake changes that by rounding {rounded}")


def _on(rules: Rules, question: str, bet: str) -> int:
    """The states of a question about this bet."""
    return rules.evaluation(question).space.masks("bet").get(bet, 0)


def _chips_pay(rules: Rules, context: ClaimContext) -> Found:
    chips = rules.value("chips")
    if not isinstance(chips, tuple):
        return Found(VACUOUS, "the document names no chips")
    left = _open(rules)
    if left:
        return Found(OPEN, left)
    bad = unpayable(rules)
    if not bad:
        return Found(VERIFIED, "every legal stake wins what chips can pay")
    words = [f"{e.stakes} of {f'{e.among} {e.of_stakes}'.lstrip()} stakes on {e.bet}, from {e.least}" for e in bad]
    return Found(REFUTED, f"chips can't pay what is won with {' and '.join(words)}")


# --- cards ------------------------------------------------------------------------------------


def _three_cards_at_most(rules: Rules, context: ClaimContext) -> Found:
    return Found(BY_CONSTRUCTION, "either hand is asked once whether it draws")


def _every_coup_is_finished(rules: Rules, context: ClaimContext) -> Found:
    cards = shoe_cards(rules)
    if rules.value("decks") == "endless":
        return Found(VERIFIED, "the shoe is endless")
    if cards is None:
        return Found(VACUOUS, "the document doesn't say how many cards there are")
    if rules.evaluation("reshuffle").open:
        return Found(OPEN, "when the shoe is shuffled is open")
    certain = certain_coups(rules, most_steps=_STEPS if cards <= _SEARCHED else 0)
    if certain.coups is None:
        return Found(
            VERIFIED, f"a coup begins with {certain.least_start} cards at least, and takes {MOST_CARDS} at most"
        )
    exactly = "exactly" if certain.order else "at least"
    words = f"{exactly} {certain.coups} coups of {cards} cards are certain to be finished"
    exhausted = rules.evaluation("exhausted")
    return Found(REFUTED, words, "exhausted", exhausted.space.full)


# --- balances ---------------------------------------------------------------------------------


def _never_in_debt(rules: Rules, context: ClaimContext) -> Found:
    said = forbids_debts(rules)
    if said is None:
        return Found(VACUOUS, "the document doesn't say whether one may stake more than one has")
    forbidden, lines = said
    if not forbidden:
        words = f"line {lines} lets stakes exceed the balance, and a bet can lose all of its stake"
        return Found(REFUTED, words, "total_stake", _allowed(rules, "total_stake"))
    return Found(VERIFIED, f"line {lines} keeps all stakes together within the balance, and no bet loses more")


def _allowed(rules: Rules, question: str) -> int:
    """The states of a question in which something is allowed."""
    evaluation = rules.evaluation(question)
    return evaluation.resolved.permits.get("allowed", 0) & ~evaluation.open


def _session_totals(rules: Rules, context: ClaimContext) -> Found:
    coups = session_length(rules)
    if coups is None:
        return Found(VACUOUS, "no session ends after a number of coups")
    left = _open(rules)
    if left:
        return Found(OPEN, left)
    changes = session_changes(rules)
    if not changes or len(changes) ** min(coups, 3) > MAX_ROWS:
        return Found(VACUOUS, "the stakes are no short list")
    totals = reachable_balances(rules, coups)
    low, high = show_number(totals[0]), show_number(totals[-1])
    return Found(
        VERIFIED, f"after {coups} coups with one bet in each, one of {len(totals):,} totals, from {low} to {high}"
    )


Judge = Callable[[Rules, ClaimContext], Found]

INVARIANTS: dict[str, tuple[str, Judge, bool]] = {
    "net-from-stake": ("no bet loses more than its stake", _never_below_the_stake, True),
    "push-is-nothing": ("a bet that comes back changes nothing", _a_push_is_nothing, False),
    "every-bet-settles": ("every set of bets that go together is settled at every end", _every_bet_is_settled, False),
    "no-gift": ("no legal stake favours the bettor", _nothing_favours_the_bettor, False),
    CHIPS_PAY: ("chips can pay what every legal stake wins", _chips_pay, False),
    "three-cards": ("no hand has more than three cards", _three_cards_at_most, False),
    "coups-finish": ("every coup that begins can be finished", _every_coup_is_finished, False),
    "no-debts": ("no balance goes below zero", _never_in_debt, True),
    "session-totals": ("session totals lie in a range", _session_totals, True),
}
"""By name: what it says, how it is judged, and whether solvers are asked about it with numbers without bound."""

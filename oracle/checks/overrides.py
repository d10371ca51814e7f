"""overrides-clear and yielded-conflict: where a spec decides against a sentence that speaks."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from fractions import Fraction

from msgspec.structs import replace

from oracle.cards import RANKS, Card, parse_card
from oracle.checks.finding import Finding
from oracle.checks.make_finding import finding
from oracle.checks.regions import show_region
from oracle.checks.witness import witness
from oracle.game.coup import Coup, play
from oracle.game.evaluate import Evaluation, any_mask, expand
from oracle.game.rules import Rules
from oracle.game.settle import settle
from oracle.game.space import first_bit
from oracle.rules.answers import show_atom, show_number
from oracle.rules.model import Clause, Resolution
from oracle.spans import OracleError

_STAKE = Fraction(100)


def check_overrides(rules: Rules, question: str) -> Iterator[Finding]:
    """One finding for each resolution that, by setting statements aside, changes states which the text decides.

    It is over all clear states in which it does so; those that keep their answer are told apart. Compared is with the
    same resolution narrowed to the states that the text leaves open or in conflict. States that several resolutions
    change together count for the last of them that touches them.
    """
    evaluation = rules.evaluation(question)
    rest = evaluation.changed
    for applied in reversed(evaluation.applied):
        resolution = applied.resolution
        changed = rest & applied.touched if resolution.instead_of else 0
        if not changed:
            continue
        rest &= ~changed
        mask = applied.touched & evaluation.clear
        states, others = evaluation.space.count(changed), evaluation.space.count(mask & ~changed)
        told = f" in {states:,} states, and says the same in {others:,} more" if others else ""
        before = narrowed(rules, resolution)
        said = [c for c in evaluation.active({}) if evaluation.masks[c.id] & mask]
        made = finding(
            rules,
            question,
            "overrides-clear",
            mask,
            message=f"{resolution.id} changes {evaluation.question.asks} where the text is clear{told}",
            subject=resolution.id,
            clauses=said,
            span=resolution.span,
            region=show_region(rules, question, mask),
            help="narrow its `when` to what is open or in conflict, or accept the finding with its number of `states`",
        )
        yield replace(
            made,
            witness=witness(rules, question, changed),
            played=_both_ways(rules, before, resolution, question, changed),
            edges=edge_changes(before, rules),
        )


def check_yielded(rules: Rules, question: str) -> Iterator[Finding]:
    """One finding for each statement that yields to others which contradict it, over the states in which they do."""
    evaluation = rules.evaluation(question)
    rest = evaluation.yielded
    clauses = {clause.id: clause for clause in evaluation.clauses}
    for statement in dict.fromkeys(clause.statement for clause in evaluation.clauses if clause.yields):
        pairs = [
            (clause, clauses[name], there)
            for clause in evaluation.clauses
            for name in clause.yields
            if clause.statement == statement and name in clauses
            if (there := rest & _silenced(evaluation, clause) & evaluation.unyielded_masks[name])
        ]
        against = [entry for entry in ((a, b, m & ~_common(evaluation, a, b)) for a, b, m in pairs) if entry[2]]
        mask = any_mask(there for _, _, there in against or pairs)
        if not mask:
            continue
        speaking = dict.fromkeys(clause.id for a, b, _ in against or pairs for clause in (a, b))
        others = dict.fromkeys(clauses[name].statement for name in speaking if clauses[name].statement != statement)
        yield finding(
            rules,
            question,
            "yielded-conflict",
            mask,
            message=(
                f"{statement} yields to {' and '.join(others)}, which contradicts it about {evaluation.question.asks}"
            ),
            subject=statement,
            clauses=[clauses[name] for name in speaking],
            span=next(c.span for c in evaluation.clauses if c.statement == statement),
            region=show_region(rules, question, mask),
            help=(
                "drop `yields_to` and resolve the conflict; if the text itself says which sentence goes first, accept "
                "the finding with its number of `states`"
            ),
        )


def _silenced(evaluation: Evaluation, clause: Clause) -> int:
    """The states in which a clause would speak if its statement didn't yield."""
    return evaluation.unyielded_masks[clause.id] & ~evaluation.masks[clause.id]


def _common(evaluation: Evaluation, one: Clause, two: Clause) -> int:
    """The states in which two clauses permit some answer alike."""
    said, others = (expand(evaluation.question, evaluation.space, clause.answer) for clause in (one, two))
    return any_mask(mask & others.get(atom, 0) for atom, mask in said.items())


def narrowed(rules: Rules, resolution: Resolution) -> Rules:
    """The rule set with a resolution kept to the states that the text doesn't decide."""
    resolutions = tuple(replace(r, narrowed=True) if r is resolution else r for r in rules.spec.resolutions)
    return Rules(replace(rules.spec, resolutions=resolutions), rules.rule_set)


def edge_changes(before: Rules, after: Rules) -> Mapping[str, Fraction]:
    """How much the house edge of each bet of both grows from one to the other, on the decks of the table.

    Empty where either has no odds: without decks, or with an open place.
    """
    from oracle.odds.counts import Odds

    try:
        one, two = Odds(before), Odds(after)
        return {bet: two.bet(bet).edge - one.bet(bet).edge for bet in after.bets if bet in before.bets}
    except OracleError:
        return {}


def _answer(evaluation: Evaluation, i: int, *, literal: bool) -> str:
    """What state i is answered, of the text alone or as resolved."""
    verdicts = evaluation.literal if literal else evaluation.resolved
    atoms = [atom for atom, mask in verdicts.permits.items() if mask >> i & 1]
    if not literal and evaluation.open >> i & 1:
        return "nothing"
    return " | ".join(show_atom(evaluation.question, atom) for atom in atoms) or "nothing"


def _both_ways(rules: Rules, before: Rules, resolution: Resolution, question: str, mask: int) -> str:
    """The witness played by the text and as resolved, in words; only the answers where no cards can show it."""
    evaluation, i = rules.evaluation(question), first_bit(mask)
    answers = [_answer(evaluation, i, literal=literal) for literal in (True, False)]
    cards = [parse_card(card) for card in witness(rules, question, mask).cards]
    bet = str(evaluation.space.rows[i][0]) if evaluation.space.fields[:1] == ("bet",) else ""
    ends = ["", ""]
    if len(cards) >= _FIRST:
        deck = [*cards, *(Card(rank) for rank in RANKS if all(rank != card.rank for card in cards))][:_COUP]
        ends = [_end(which, deck, bet) for which in (before, rules)]
    told = [f"{answer}{f', {end}' if end else ''}" for answer, end in zip(answers, ends, strict=True)]
    return f"of the text {told[0]}; with {resolution.id} {told[1]}"


_FIRST, _COUP = 4, 6


def _end(rules: Rules, deck: list[Card], bet: str) -> str:
    """How a coup ends, and what a bet nets in it; empty where it can't be played."""
    try:
        coup = play(rules, deck, bets=[bet] if bet else [])
        settled = settle(rules, coup, {bet: _STAKE} if bet else {})
        nets = [f"{_STAKE} on {entry.bet} net {show_number(entry.net)}" for entry in settled]
    except OracleError:
        return ""
    return ", ".join([_hands(coup), "a tie" if coup.winner == "tie" else f"{coup.winner} wins", *nets])


def _hands(coup: Coup) -> str:
    hands = (("P", coup.player), ("B", coup.banker))
    return " | ".join(f"{name} {' '.join(map(str, hand.cards))} = {hand.total}" for name, hand in hands)

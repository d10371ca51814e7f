"""The questions around the coup: their states. Only fields that statements test, or that something needs, are there."""

from __future__ import annotations

from collections.abc import Iterable
from itertools import combinations, product

from oracle.game.chip_sums import can_be_laid, known_chips
from oracle.game.evaluate import Evaluation
from oracle.game.listed_numbers import Listed, constants_of, domains_of
from oracle.game.rule_answers import RuleAnswers
from oracle.game.shoe_size import after_burning, can_run_out, shoe_cards
from oracle.game.space import Row, Space, bits
from oracle.rules.questions import QUESTIONS, SIDES
from oracle.spans import OracleError

MAX_BETS = 16


def space_of(rules: RuleAnswers, question: str) -> Space:
    """The states of a question that is not about the coup or its settling."""
    if question == "bets_together":
        return _bets_together(rules)
    if question == "stake":
        return _stake(rules)
    if question == "reshuffle":
        return _reshuffle(rules)
    if question == "exhausted":
        return Space((), [()] if can_run_out(rules) else [])
    if question == "score":
        return _score(rules)
    return _product(rules, question, QUESTIONS[question].fields)


def _product(rules: RuleAnswers, question: str, fields: Iterable[str]) -> Space:
    names = [field for field in fields if rules.tests(question, field)]
    domains, numbers = domains_of(rules, names, dict.fromkeys(names, (question,)))
    return Listed(names, product(*domains), constants_of(numbers))


def _bets_together(rules: RuleAnswers) -> Space:
    bets = rules.bets
    if len(bets) > MAX_BETS:
        raise OracleError(f"{rules.id}: {len(bets)} bets make too many sets; at most {MAX_BETS} bets are enumerated")
    others = unoffered(rules)
    no = ("no",) * len(others)
    rows: list[Row] = []
    for count in range(1, len(bets) + 1):
        for chosen in combinations(bets, count):
            sides = sum(1 for bet in chosen if bet in SIDES)
            rows.append((*("yes" if bet in chosen else "no" for bet in bets), count, sides, count - sides, *no))
    return Space((*bets, "count", "sides", "extras", *others), rows)


def unoffered(rules: RuleAnswers) -> tuple[str, ...]:
    """The bets that guards about sets of bets name and that the table doesn't have: nobody lays them."""
    known = {*rules.bets, *QUESTIONS["bets_together"].fields}
    named = dict.fromkeys(test.field for guard in rules.guards("bets_together") for test in guard)
    return tuple(field for field in named if field not in known)


def _stake(rules: RuleAnswers) -> Space:
    fields = [f for f in ("bet", "stake") if f == "stake" or rules.tests("stake", f)]
    domains, numbers = domains_of(rules, fields, dict.fromkeys(fields, ("stake",)))
    if not rules.tests("stake", "in_chips"):
        return Listed(fields, product(*domains), constants_of(numbers))
    chips = known_chips(rules)
    if chips is None:
        return Listed((*fields, "in_chips"), product(*domains, ("yes", "no")), constants_of(numbers))
    laid = {amount: "yes" if can_be_laid(int(amount), chips) else "no" for amount in domains[-1]}
    rows = ((*row, laid[row[-1]]) for row in product(*domains))
    return Listed((*fields, "in_chips"), rows, constants_of(numbers))


def _reshuffle(rules: RuleAnswers) -> Space:
    cards = shoe_cards(rules)
    if cards is None:
        return Space(("remaining", "coup", "cut_card"), [])
    behind = rules.value("cut_card")
    fresh = after_burning(rules, cards)

    def out(left: int) -> str:
        return "yes" if isinstance(behind, int) and left <= behind else "no"

    rows: list[Row] = [(left, "first", out(left)) for left in fresh]
    rows += [(left, "later", out(left)) for left in range(fresh[0] - 4, -1, -1)]
    return Space(("remaining", "coup", "cut_card"), rows, whole=cards)


def _score(rules: RuleAnswers) -> Space:
    """What can have happened when a session ends, as far as the score asks for it."""
    ends = rules.evaluation("session_end")
    names = [field for field in ("event", "balance") if rules.tests("score", field)]
    asked = {
        field: [question for question in ("session_end", "score") if rules.tests(question, field)]
        for field in ("event", "balance", "coups")
    }
    fields = [field for field, questions in asked.items() if questions]
    domains, numbers = domains_of(rules, fields, asked)
    everything = over(ends, Space(fields, product(*domains)))
    mask = everything.resolved.permits.get("end", 0) & ~everything.open
    places = [fields.index(name) for name in names]
    rows = dict.fromkeys(tuple(everything.space.rows[i][place] for place in places) for i in bits(mask))
    return Listed(names, rows, constants_of(numbers), reached=True)


def over(evaluation: Evaluation, space: Space) -> Evaluation:
    """The same statements and resolutions over other states."""
    return Evaluation(
        evaluation.question,
        space,
        evaluation.clauses,
        [applied.resolution for applied in evaluation.applied],
        readings=evaluation.readings,
        chooser=evaluation.chooser,
    )

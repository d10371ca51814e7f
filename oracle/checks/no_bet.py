"""no-bet: rule sets at which nothing can be bet."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from oracle.checks.finding import Finding, Part
from oracle.checks.make_finding import part
from oracle.game.balances import forbids_debts
from oracle.game.money import legal_stakes, stakes_up_to
from oracle.game.rules import Rules
from oracle.game.space import MAX_ROWS, bits
from oracle.rules.questions import SIDES


def check_no_bet(rules: Rules) -> Iterator[Finding]:
    """A finding if no bet can be laid: none known, every set or stake refused, or no balance for the least stake.

    Where a question is open nothing is concluded from it: that is a finding of its own.
    """
    told = _why_none(rules)
    if told:
        what, questions = told
        yield Finding(
            code="no-bet",
            rules=rules.id,
            question="",
            subject=rules.id,
            message=f"nothing can be bet: {what}",
            span=rules.rule_set.span,
            parts=tuple(_behind(rules, questions)),
            help="say which bets there are, which go together, and which stakes may be laid",
        )


def _why_none(rules: Rules) -> tuple[str, tuple[str, ...]] | None:
    """Why nothing can be bet, in words, and the questions that say so; None if something can, or may."""
    if not rules.bets:
        offered = rules.evaluation("bets_offered")
        return None if offered.open and _spoken(rules, "bets_offered") else ("no bets are known", ("bets_offered",))
    if _spoken(rules, "stake") and rules.evaluation("stake").open:
        return None
    laid = [bet for bet in rules.bets if legal_stakes(rules, bet) != []]
    if not laid:
        return "every stake is refused", ("stake", "chips")
    if not _taken_together(rules, laid):
        questions = ("bets_together", "stake") if len(laid) < len(rules.bets) else ("bets_together",)
        return "no set of bets is taken", questions
    if _refused_everywhere(rules, "predictions"):
        return "no number of predictions is allowed", ("predictions",)
    if _refused_everywhere(rules, "total_stake"):
        return "every total of stakes is refused", ("total_stake",)
    start, debts = rules.value("start_balance"), forbids_debts(rules)
    limited = isinstance(start, int) and debts is not None and debts[0]
    if limited and not any(stakes_up_to(rules, bet, min(int(str(start)), MAX_ROWS)) for bet in laid):
        what = f"stakes stay within the balance, which starts at {start}, below every stake"
        return what, ("start_balance", "total_stake", "stake")
    return None


def _spoken(rules: Rules, question: str) -> bool:
    return bool(rules.clauses_about(question)) or any(r.question == question for r in rules.resolutions)


def _taken_together(rules: Rules, bets: Sequence[str]) -> bool:
    """Whether some set of these bets is taken, or may be."""
    if not _spoken(rules, "bets_together"):
        return True
    evaluation = rules.evaluation("bets_together")
    space = evaluation.space
    refused = evaluation.resolved.permits.get("refused", 0) & ~evaluation.open
    sides = sum(1 for bet in bets if bet in SIDES)
    counts = {"count": len(bets), "sides": sides, "extras": len(bets) - sides}
    for i in bits(space.full & ~refused):
        state = dict(zip(space.fields, space.rows[i], strict=True))
        laid = {field for field, value in state.items() if value == "yes"}
        if laid <= set(bets) and all(int(state[field]) <= most for field, most in counts.items() if field in state):
            return True
    return False


def _refused_everywhere(rules: Rules, question: str) -> bool:
    if not _spoken(rules, question):
        return False
    evaluation = rules.evaluation(question)
    refused = evaluation.resolved.permits.get("refused", 0) & ~evaluation.open
    return bool(len(evaluation.space)) and refused == evaluation.space.full


def _behind(rules: Rules, questions: Sequence[str]) -> Iterator[Part]:
    for question in questions:
        evaluation = rules.evaluation(question)
        yield from (part(evaluation, clause) for clause in evaluation.active({}))

"""Judging what documents assert about their own game: every kind of claim, literally and as resolved."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence

import msgspec

from oracle.cards import parse_card
from oracle.checks.claim_context import FAILS, HOLDS, OPEN, ClaimContext, Judgement, holds_or_fails, open_before
from oracle.checks.finding import Finding
from oracle.checks.measures import judge_bound, judge_compare, judge_consecutive
from oracle.checks.regions import show_region
from oracle.checks.witness import lay, show_deal
from oracle.game.coup import Coup, decide, play
from oracle.game.end import End
from oracle.game.evaluate import Evaluation, expand
from oracle.game.rules import ALIKE_FIELDS, Rules
from oracle.game.settle import settle
from oracle.game.space import EXAMPLE_FIELDS, Row, Space, bits, first_bit
from oracle.progress import track
from oracle.rules.answers import Atom, show_atom, show_number
from oracle.rules.assertions import (
    AnswersClaim,
    ArithmeticClaim,
    BoundClaim,
    Claim,
    CompareClaim,
    ConsecutiveClaim,
    CoupClaim,
    DisputedClaim,
    EndsClaim,
    ExistsClaim,
    InvariantClaim,
    NotCheckableClaim,
    SameClaim,
)
from oracle.rules.model import Spec
from oracle.rules.questions import CHECKED_QUESTIONS, COUP_QUESTIONS, QUESTIONS
from oracle.spans import BadCards, BadChoice, OracleError, Undecided, UnknownName


class ClaimVerdict(msgspec.Struct, frozen=True):
    """A claim at one rule set, judged of the text alone and of the text as resolved."""

    rules: str
    claim: Claim
    literal: Judgement
    resolved: Judgement


def judge_claims(spec: Spec, context: ClaimContext) -> list[ClaimVerdict]:
    """The verdict on every claim of a source, at every rule set that it is made of."""
    found = []
    for rule_set in spec.rule_sets:
        resolved, literal = context.rules(rule_set.id), context.rules(rule_set.id, literal=True)
        assert resolved is not None
        assert literal is not None
        nothing_read = not any(
            applied.closes for question in CHECKED_QUESTIONS for applied in resolved.evaluation(question).applied
        )
        for claim in track(spec.claims, f"judging what {spec.id} claims, of {rule_set.id}", of=len(spec.claims)):
            if claim.tables and rule_set.name not in claim.tables:
                continue
            as_read = judge(claim, resolved, context)
            as_written = as_read if nothing_read else judge(claim, literal, context)
            found.append(ClaimVerdict(rule_set.id, claim, as_written, as_read))
    return found


def check_claims(verdicts: Sequence[ClaimVerdict]) -> Iterator[Finding]:
    """One finding for each claim that the rules refute, and for each that speaks of no state."""
    for entry in verdicts:
        claim, literal, resolved = entry.claim, entry.literal, entry.resolved
        lines = ", ".join(str(cite) for cite in claim.cites)
        code = "vacuous" if resolved.verdict == "vacuous" else "false-claim"
        if code == "false-claim" and FAILS not in (literal.verdict, resolved.verdict):
            continue
        holds = resolved.verdict != FAILS and code == "false-claim"
        if code == "vacuous":
            message = f"claim {claim.id} (line {lines}) is about nothing: {resolved.evidence}"
        elif holds:
            message = f"claim {claim.id} (line {lines}) fails of the text alone: {literal.evidence}"
        else:
            message = f"claim {claim.id} (line {lines}) fails: {resolved.evidence}"
        yield Finding(
            code=code,
            rules=entry.rules,
            question="",
            subject=claim.id,
            message=message,
            span=claim.span,
            status="resolved" if holds else "open",
            resolution="resolved" if holds else "",
            because=f"as the text is read, it is {resolved.verdict}: {resolved.evidence}" if holds else "",
            help="" if holds else "see whether the claim is encoded as the document has it; then accept the finding",
        )


def judge(claim: Claim, rules: Rules, context: ClaimContext) -> Judgement:
    """A claim judged at one rule set, by its kind."""
    judges: dict[type, Callable[..., Judgement]] = {
        CoupClaim: _coup,
        ArithmeticClaim: _arithmetic,
        AnswersClaim: _answers,
        EndsClaim: _ends,
        CompareClaim: judge_compare,
        BoundClaim: judge_bound,
        SameClaim: _same,
        ExistsClaim: _exists,
        InvariantClaim: _invariant,
        ConsecutiveClaim: judge_consecutive,
        DisputedClaim: _disputed,
        NotCheckableClaim: _not_checkable,
    }
    try:
        return judges[type(claim.body)](claim.body, rules, context)
    except (Undecided, BadChoice) as error:
        return Judgement(OPEN, str(error))
    except (BadCards, UnknownName) as error:
        return Judgement(FAILS, str(error))


# --- one coup ---------------------------------------------------------------------------------


def _coup(body: CoupClaim, rules: Rules, context: ClaimContext) -> Judgement:
    coup = play(rules, [parse_card(card) for card in body.cards], bets=body.bets)
    wrong, right = [], []
    for name, claimed in body.expect.items():
        actual = _of_coup(coup, name)
        right.append(f"{name} {actual}")
        if actual != claimed:
            wrong.append(f"{name} is {actual}, not {claimed}")
    paid = settle(rules, coup, body.bets)
    trace = [*coup.trace, *(decision for settled in paid for decision in settled.trace)]
    for question, line in body.by.items():
        lines = [c.lines for d in trace if d.question == question for c in d.fired]
        said = f"line {' and '.join(lines)}" if lines else "no line"
        right.append(f"{question} by {said}")
        if not any(line in found.split(", ") for found in lines):
            wrong.append(f"{question} is decided by {said}, not {line}")
    for settled in paid:
        claim = body.net.get(settled.bet)
        right.append(f"{settled.bet} nets {show_number(settled.net)}")
        if claim is not None and claim != settled.net:
            wrong.append(f"{settled.bet} nets {show_number(settled.net)}, not {show_number(claim)}")
    return holds_or_fails(not wrong, "; ".join(wrong or right))


def _of_coup(coup: Coup, name: str) -> str:
    if name == "winner":
        return coup.winner
    if name in ALIKE_FIELDS:
        return coup.alike[name.removesuffix("_pair")]
    return str(Space(End._fields, [coup.end]).column(name)[0])


def _arithmetic(body: ArithmeticClaim, rules: Rules, context: ClaimContext) -> Judgement:
    total = 0
    for rank in body.cards:
        if rank not in rules.points:
            decide(rules, "card_points", {"rank": rank})
        total += rules.points[rank]
    wrong = [f"the sum is {total}, not {body.sum}"] if body.sum not in (None, total) else []
    evidence = f"sum {total}"
    if body.total is not None:
        answer = decide(rules, "hand_total", {"sum": total}).permitted
        evidence += f", total {answer[0]}"
        if answer != (body.total,):
            wrong.append(f"the total is {answer[0]}, not {body.total}")
    return holds_or_fails(not wrong, "; ".join(wrong) or evidence)


# --- all states -------------------------------------------------------------------------------


def _answers(body: AnswersClaim, rules: Rules, context: ClaimContext) -> Judgement:
    evaluation = rules.evaluation(body.question)
    mask = evaluation.space.select(body.guard)
    left_open = open_before(rules, body.question)
    if not mask:
        return left_open or Judgement("vacuous", "no reachable state meets the guard")
    unanswered = evaluation.open & ~evaluation.resolved.undecided
    bad = 0
    if body.then:
        wanted = expand(evaluation.question, evaluation.space, _sorted_lists(body.then))
        for atom, where in evaluation.resolved.permits.items():
            bad |= where & ~wanted.get(_sorted_lists((atom,))[0], 0)
        bad &= mask & ~unanswered
    else:
        once = 0
        for where in evaluation.resolved.permits.values():
            bad |= once & where
            once |= where
        bad = mask & (bad | evaluation.open)
    states = _plural(mask.bit_count(), "state")
    if bad:
        what = "another answer" if body.then else "no single answer"
        where_ = show_region(rules, body.question, bad)
        return Judgement(FAILS, f"{what} where {where_} ({bad.bit_count():,} of {states})")
    if mask & unanswered:
        return Judgement(OPEN, f"{(mask & unanswered).bit_count():,} of {states} are open")
    said = " or ".join(show_atom(evaluation.question, atom) for atom in body.then) or "exactly one answer"
    return left_open or Judgement(HOLDS, f"{said} in {states}")


def _plural(count: int, noun: str) -> str:
    return f"{count:,} {noun}{'' if count == 1 else 's'}"


def _sorted_lists(atoms: tuple[Atom, ...]) -> tuple[Atom, ...]:
    """Lists compare as sets: each in one order."""
    return tuple(tuple(sorted(atom, key=str)) if isinstance(atom, tuple) else atom for atom in atoms)


def _exists(body: ExistsClaim, rules: Rules, context: ClaimContext) -> Judgement:
    for other in context.others(rules.spec):
        found = exists_in(body, other)
        if found:
            return Judgement(HOLDS, f"{other.id} answers {found}")
    return Judgement(OPEN, "no loaded source does, which proves nothing")


def exists_in(body: ExistsClaim, rules: Rules) -> str:
    """How a rule set answers where that is as claimed of some other one; empty if it isn't."""
    wanted = _sorted_lists(body.then)
    try:
        if any(not rules.tests(body.question, test.field) for test in body.guard):
            rules = Rules(rules.spec, rules.rule_set, also={body.question: [body.guard]})
        evaluation = rules.evaluation(body.question)
        mask = evaluation.space.select(body.guard) & ~evaluation.open & ~evaluation.assumed
    except (OracleError, KeyError):
        return ""
    for atom, where in evaluation.resolved.permits.items():
        if where & mask and (not wanted or _sorted_lists((atom,))[0] in wanted):
            return show_atom(QUESTIONS[body.question], atom)
    return ""


def _invariant(body: InvariantClaim, rules: Rules, context: ClaimContext) -> Judgement:
    evaluation = rules.evaluation(body.question)
    space, question = evaluation.space, evaluation.question
    mask = space.select(body.guard)
    left_open = open_before(rules, body.question)
    if not mask:
        return left_open or Judgement("vacuous", "no reachable state meets the guard")
    known = [field for field in body.depends_on if space.has(field)]
    columns = [space.column(field) for field in known]
    seen: dict[Row, tuple[Atom, ...]] = {}
    for i in bits(mask & ~evaluation.open):
        key = tuple(column[i] for column in columns)
        answer = evaluation.answer(i)
        if seen.setdefault(key, answer) != answer:
            state = ", ".join(f"{f} {v}" for f, v in zip(known, key, strict=True)) or "all states"
            both = " and ".join(" | ".join(show_atom(question, a) for a in one) for one in (seen[key], answer))
            return Judgement(FAILS, f"{state} is answered {both}")
    if mask & evaluation.open:
        return Judgement(
            OPEN, f"{(mask & evaluation.open).bit_count():,} of {_plural(mask.bit_count(), 'state')} are open"
        )
    kinds = _plural(len(seen), "combination")
    return left_open or Judgement(HOLDS, f"one answer for each of {kinds}, over {_plural(mask.bit_count(), 'state')}")


# --- all ends ---------------------------------------------------------------------------------


def _ends(body: EndsClaim, rules: Rules, context: ClaimContext) -> Judgement:
    alike = any(test.field in ALIKE_FIELDS for test in (*body.guard, *body.then))
    space = context.ends(rules, alike=alike)
    within = space.select(body.guard)
    left_open = open_before(rules, "outcome")
    if not within:
        return left_open or Judgement("vacuous", "no end of a coup meets the guard")
    good = space.select(body.then) & within
    counted = _plural(within.bit_count(), "end")
    if body.some:
        if not good:
            return left_open or Judgement(FAILS, f"none of {counted}")
        return Judgement(HOLDS, f"{good.bit_count():,} of {counted}{_show_end(rules, space, good)}")
    failing = within & ~good
    if failing:
        return Judgement(FAILS, f"not so in {failing.bit_count():,} of {counted}{_show_end(rules, space, failing)}")
    return left_open or Judgement(HOLDS, f"so in {'all ' if within.bit_count() > 1 else ''}{counted}")


def _show_end(rules: Rules, space: Space, mask: int) -> str:
    cards = lay(rules, space.state(first_bit(mask), EXAMPLE_FIELDS))
    return f", as {show_deal(rules, cards)}" if cards else ""


# --- other sources ----------------------------------------------------------------------------


def _same(body: SameClaim, rules: Rules, context: ClaimContext) -> Judgement:
    other = context.rules(body.other, literal=rules.literal)
    if other is None:
        return Judgement("skipped", f"no rule set {body.other} is loaded")
    rules, other = rules.beside([other]), other.beside([rules])
    differing = [question for question in QUESTIONS if question != "other" and _differ(rules, other, question)]
    wrong = [q for q in differing if q not in body.differs] + [q for q in body.differs if q not in differing]
    shown = ", ".join(differing) or "nothing"
    return holds_or_fails(not wrong, f"they differ in {shown}")


def _differ(one: Rules, two: Rules, question: str) -> bool:
    """Whether two rule sets answer a question otherwise in some state that both know."""
    if question not in COUP_QUESTIONS and not one.clauses_about(question) and not two.clauses_about(question):
        return False
    first, second = one.evaluation(question), two.evaluation(question)
    if first.space.fields == second.space.fields and first.space.rows == second.space.rows:
        permits = [{a: m for a, m in e.resolved.permits.items() if m & ~e.open} for e in (first, second)]
        return permits[0] != permits[1] or first.open != second.open
    shared = [field for field in first.space.fields if field in second.space.fields]
    left, right = _table(first, shared), _table(second, shared)
    return any(right.get(state, answer) != answer for state, answer in left.items())


def _table(evaluation: Evaluation, fields: list[str]) -> dict[Row, set[Atom]]:
    """The answers by state in these fields; what only one of two tables knows, as a bet, is `no` in all of them."""
    space = evaluation.space
    columns = [space.column(field) for field in fields]
    own = [space.column(field) for field in space.fields if field not in fields]
    found: dict[Row, set[Atom]] = {}
    for i in range(len(space)):
        if all(column[i] == "no" for column in own):
            found[tuple(column[i] for column in columns)] = set(_sorted_lists(evaluation.answer(i)))
    return found


def _disputed(body: DisputedClaim, rules: Rules, context: ClaimContext) -> Judgement:
    if not any(spec.id == body.source for spec in context.specs):
        return Judgement("skipped", f"no source {body.source} is loaded")
    return Judgement("disputed", f"{body.source} {body.place} says otherwise")


def _not_checkable(body: NotCheckableClaim, rules: Rules, context: ClaimContext) -> Judgement:
    return Judgement("not-checkable", body.because)

"""Making findings: what all checks share."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from fractions import Fraction

from oracle.checks.codes import CODES
from oracle.checks.finding import Finding, Part
from oracle.checks.regions import boxes, count_cells, show_box, tested_fields
from oracle.checks.witness import witness
from oracle.game.evaluate import Evaluation
from oracle.game.rules import Rules
from oracle.game.space import bits, first_bit
from oracle.rules.answers import show_atom
from oracle.rules.model import Clause
from oracle.rules.questions import COUP_QUESTIONS
from oracle.rules.values import Value, contains
from oracle.spans import Span

_CHANGES = 2


def part(evaluation: Evaluation, clause: Clause) -> Part:
    """A clause as a finding shows it."""
    answer = " | ".join(show_atom(evaluation.question, atom) for atom in clause.answer)
    return Part(clause.id, clause.span, clause.lines, answer)


def _last(clauses: Iterable[Clause], parts: Iterable[Part]) -> Span | None:
    """The place of the last of these in file order."""
    spans = [clause.span for clause in clauses] + [entry.span for entry in parts]
    return max(spans, key=lambda span: (span.line, span.column), default=None)


def by_resolution(evaluation: Evaluation, mask: int) -> Iterator[tuple[int, str, str]]:
    """`mask` cut by what closed its states: states, id of the resolution (empty = open), and its reason."""
    rest = mask
    for applied in reversed(evaluation.applied):
        closed = rest & applied.closes & ~evaluation.open
        if closed:
            yield closed, applied.resolution.id, applied.resolution.because
            rest &= ~closed
    if rest & evaluation.open:
        yield rest & evaluation.open, "", ""
        rest &= ~evaluation.open
    if rest:
        chosen = evaluation.chosen.values()
        yield rest, ", ".join(r.id for r in chosen), "; ".join(r.because for r in chosen)


def finding(
    rules: Rules,
    question: str,
    code: str,
    mask: int,
    *,
    message: str,
    subject: str,
    clauses: Iterable[Clause] = (),
    parts: tuple[Part, ...] = (),
    span: Span | None = None,
    region: str = "",
    resolution: str = "",
    because: str = "",
    help: str = "",
    given: tuple[str, ...] = (),
    nearly: str = "",
) -> Finding:
    """A finding over the states of `mask`, with its counts, and if it is an error its witness and its chance.

    `parts` are the clauses if not given.
    """
    evaluation = rules.evaluation(question)
    clauses = tuple(clauses)
    level = CODES[code].level
    return Finding(
        code=code,
        rules=rules.id,
        question=question,
        subject=subject,
        message=message,
        span=span or (_last(clauses, parts) or rules.rule_set.span),
        status="resolved" if resolution else "open",
        parts=parts or tuple(part(evaluation, clause) for clause in clauses),
        region=region,
        cells=count_cells(evaluation, mask),
        states=evaluation.space.count(mask),
        witness=witness(rules, question, mask) if mask and level == "error" else None,
        resolution=resolution,
        because=because,
        help=help,
        given=given,
        nearly=nearly,
        chance=_chance(rules, question, mask) if level == "error" else None,
    )


def _chance(rules: Rules, question: str, mask: int) -> Fraction | None:
    if question not in COUP_QUESTIONS or not mask:
        return None
    from oracle.odds.chance import chance

    return chance(rules, question, mask)


def in_boxes(rules: Rules, question: str, mask: int) -> Iterator[tuple[int, str]]:
    """The boxes of a set of states, with how they are shown."""
    evaluation = rules.evaluation(question)
    for box, states in boxes(evaluation.space, mask, tested_fields(rules, question)):
        yield states, show_box(evaluation.space, box)


def nearest(evaluation: Evaluation, mask: int) -> list[Clause]:
    """The clause nearest to speaking in the least state of `mask`: fewest failing tests, last in the file."""
    i = first_bit(mask)
    space, row = evaluation.space, evaluation.question.row

    def distance(clause: Clause) -> tuple[bool, int, int, int]:
        failing = {t.field for t in clause.guard if not contains(t.values, space.column(t.field)[i])}
        return row in failing, len(failing), -clause.span.line, -clause.span.column

    return sorted(evaluation.active({}), key=distance)[:1]


def lacking(evaluation: Evaluation, clause: Clause, mask: int) -> dict[str, frozenset[Value]]:
    """What the guard of a clause would have to include, by field, to speak in all of these states; at most two fields.

    Empty if it speaks there, if more fields would have to change, or if another clause takes the states from it.
    """
    space = evaluation.space
    failing: dict[str, set[Value]] = {}
    for test in clause.guard:
        outside = mask & ~space.select([test])
        if outside:
            column = space.column(test.field)
            failing.setdefault(test.field, set()).update(column[i] for i in bits(outside))
    if not 0 < len(failing) <= _CHANGES:
        return {}
    if any(evaluation.masks[other] & mask for other in clause.excludes if other in evaluation.masks):
        return {}
    return {field: frozenset(values) for field, values in failing.items()}


def show_lacking(evaluation: Evaluation, clause: Clause, mask: int) -> str:
    """`banker/24 would speak there if its player_third included 3`; empty if it takes more than that."""
    parts = [
        "its "
        + show_box(evaluation.space, ((field, values),)).replace(": ", " included ", 1).replace("[", "").rstrip("]")
        for field, values in lacking(evaluation, clause, mask).items()
    ]
    return f"{clause.id} would speak there if {' and '.join(parts)}" if parts else ""

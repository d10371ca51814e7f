"""What engines are asked of a comparison: that rule sets differ just where enumeration says; and what carries it."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING

import msgspec

from oracle.compare.joint_space import JointSpace, told_apart
from oracle.compare.stance import voice
from oracle.game.evaluate import Evaluation, any_mask
from oracle.game.rules import Rules
from oracle.rules.answers import Atom
from oracle.rules.model import Clause
from oracle.spans import OracleError

if TYPE_CHECKING:
    from oracle.solver.smtlib import Script


def equality_script(tables: Sequence[Rules], question: str) -> Script | None:
    """The script for two rule sets that are `told_apart`; None if they share no state, or it is about no coup."""
    from oracle.solver.equality import PROVABLE, write_equality

    if question not in PROVABLE:
        return None
    panel = JointSpace(tables, question)
    return write_equality((tables[0], tables[1]), question, panel.space, panel.shared, differing(panel))


def equality_scripts(a: Rules, b: Rules) -> Iterable[Script]:
    """Every script about two rule sets."""
    from oracle.solver.equality import PROVABLE

    tables = told_apart([a, b])
    for question in PROVABLE:
        try:
            script = equality_script(tables, question)
        except OracleError:  # a question that can't be compared, which the comparison itself tells
            continue
        if script is not None:
            yield script


def differing(panel: JointSpace) -> int:
    """The shared states in which two rule sets, as read, don't permit the same; an open state permits nothing."""
    answers = [_answers(panel, n, panel.evaluations[n]) for n in (0, 1)]
    same = any_mask(mask & answers[1].get(answer, 0) for answer, mask in answers[0].items())
    return panel.shared & ~same


def _answers(panel: JointSpace, n: int, evaluation: Evaluation) -> dict[tuple[Atom, ...], int]:
    found: dict[tuple[Atom, ...], int] = {}
    for heard, mask in voice(panel.tables[n], panel.question, evaluation, literal=False).heard.items():
        found[heard.answer] = found.get(heard.answer, 0) | panel.lift(n, mask)
    return found


# --- what carries it --------------------------------------------------------------------------


class Carried(msgspec.Struct, frozen=True):
    """The clauses of a rule set that carry what two say alike, and those that could be missing."""

    by: tuple[str, ...]
    spare: tuple[str, ...]


def carried(panel: JointSpace) -> tuple[Carried, Carried]:
    """What carries it on either side."""
    sides = []
    for n in (0, 1):
        by, spare = carrying(panel, n)
        sides.append(Carried(tuple(c.id for c in by), tuple(c.id for c in spare)))
    return sides[0], sides[1]


def carrying(panel: JointSpace, n: int) -> tuple[tuple[Clause, ...], tuple[Clause, ...]]:
    """The clauses of one of two rule sets that carry what they say alike, and those that could be missing.

    A minimal set, not the only one: clauses are tried without, the last in the file first, and stay away where every
    shared answer stays the same. Each of those that are left is needed then.
    """
    rules = panel.tables[n]
    own = list(rules.clauses_about(panel.question))
    answers = _answers(panel, n, panel.evaluations[n])
    kept = list(own)
    for clause in reversed(own):
        rest = [c for c in kept if c is not clause]
        if _unchanged(panel, n, answers, rest):
            kept = rest
    return tuple(kept), tuple(c for c in own if c not in kept)


def without(panel: JointSpace, n: int, clauses: Sequence[Clause]) -> Evaluation:
    """The answers of a rule set, over its own states, if it had only these clauses about the question."""
    evaluation = panel.evaluations[n]
    return Evaluation(
        evaluation.question,
        evaluation.space,
        clauses,
        [applied.resolution for applied in evaluation.applied],
        readings=evaluation.readings,
        chooser=evaluation.chooser,
    )


def _unchanged(panel: JointSpace, n: int, answers: dict[tuple[Atom, ...], int], clauses: Sequence[Clause]) -> bool:
    now = _answers(panel, n, without(panel, n, clauses))
    same = any_mask(mask & now.get(answer, 0) for answer, mask in answers.items())
    return not panel.shared & ~same

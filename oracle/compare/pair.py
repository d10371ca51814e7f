"""Whole rule sets compared: every question, and every pair of them."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import combinations
from typing import TYPE_CHECKING

import msgspec

from oracle.compare.disputes import CONFIRMED, DISPUTED, REFUTED, Dispute, compare_claims
from oracle.compare.joint_space import told_apart
from oracle.compare.relation import RELATIONS, Compared, Standing, compare_question
from oracle.compare.stance import COMPARED
from oracle.game.rules import Rules
from oracle.spans import OracleError

if TYPE_CHECKING:
    from oracle.compare.cost import Cost

FAILABLE = (*RELATIONS[1:], DISPUTED, REFUTED)
"""What `--fail-on` takes: every relation but `same`, and disputes between documents."""


class Pair(msgspec.Struct, frozen=True):
    """Two rule sets, `a` and `b`, in every question, what their documents assert of each other, and what it costs."""

    a: str
    b: str
    questions: tuple[Compared, ...]
    claims: tuple[Dispute, ...] = ()
    cost: Cost | None = None

    def question(self, name: str) -> Compared:
        """What was found in one question."""
        return next(entry for entry in self.questions if entry.question == name)

    def relations(self) -> set[str]:
        """Every relation in which some question stands, of the texts alone or as read, and the kinds of disputes."""
        found = {s.relation for entry in self.questions for s in (entry.literal, entry.resolved)} & set(RELATIONS)
        return found | {dispute.kind for dispute in self.claims if dispute.kind != CONFIRMED}

    @property
    def incomplete(self) -> bool:
        """Whether some question could not be compared."""
        return any(entry.reason for entry in self.questions)


def compare_rules(a: Rules, b: Rules) -> Pair:
    """Compare two rule sets in every question, of the texts alone and as they are read."""
    tables = told_apart([a, b])
    questions = tuple(_compared(tables, question) for question in COMPARED)
    from oracle.compare.cost import cost

    return Pair(a.id, b.id, questions, compare_claims(a, b), cost(a, b))


def _compared(tables: Sequence[Rules], question: str) -> Compared:
    try:
        return compare_question(tables, question)
    except OracleError as error:
        skipped = Standing("skipped", 0)
        return Compared(question, skipped, skipped, reason=str(error))


def compare_all(tables: Sequence[Rules]) -> Iterator[Pair]:
    """Every pair of these rule sets, in their order."""
    for a, b in combinations(tables, 2):
        yield compare_rules(a, b)

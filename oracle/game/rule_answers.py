"""What the states of a question depend on: answers to other questions, and what the statements about it test."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Protocol

from oracle.game.evaluate import Evaluation
from oracle.rules.answers import Atom
from oracle.rules.guard import Test


class RuleAnswers(Protocol):
    """One rule set as far as the states of its questions need it: `oracle.game.rules.Rules`, which is made of them."""

    @property
    def id(self) -> str:
        """The id of the rule set."""

    @property
    def points(self) -> Mapping[str, int]:
        """Card points by rank, where they are decided."""

    @property
    def bets(self) -> tuple[str, ...]:
        """The bets of this table."""

    def evaluation(self, question: str) -> Evaluation:
        """The answers of a question over its reachable states."""

    def value(self, question: str) -> Atom | None:
        """The resolved answer of a question without inputs; None if it is silent or open."""

    def tests(self, question: str, field: str) -> bool:
        """Whether any guard about a question tests a field."""

    def guards(self, question: str) -> Sequence[tuple[Test, ...]]:
        """The guards of all statements, resolutions and claims about a question."""

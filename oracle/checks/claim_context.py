"""Where claims are judged: what became of one, and what is computed once for all of them."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import product
from typing import TYPE_CHECKING

import msgspec

from oracle.game.rules import Rules
from oracle.game.space import EXAMPLE_FIELDS, Row, Space
from oracle.rules.model import Spec
from oracle.rules.questions import COUP_QUESTIONS, QUESTIONS

if TYPE_CHECKING:
    from oracle.odds.consecutive import Consecutive
    from oracle.odds.counts import Odds

HOLDS, FAILS, OPEN = "verified", "refuted", "open"


class Judgement(msgspec.Struct, frozen=True):
    """What became of a claim in one reading of the rules: verified, refuted, open (the rules leave it open), disputed,
    not-checkable, or skipped; with the evidence in words.
    """

    verdict: str
    evidence: str = ""


class ClaimContext:
    """What judging needs: all loaded sources, and what is computed once for each rule set: odds, and ends."""

    def __init__(self, specs: Sequence[Spec]) -> None:
        self.specs = list(specs)
        self._rules: dict[tuple[str, bool], Rules] = {}
        self._odds: dict[tuple[str, bool], Odds] = {}
        self._consecutive: dict[object, Consecutive] = {}
        self._ends: dict[tuple[str, bool, bool], Space] = {}

    def rules(self, id: str, *, literal: bool = False) -> Rules | None:
        """The rule set of that id among the loaded sources."""
        if (id, literal) not in self._rules:
            for spec in self.specs:
                for rule_set in spec.rule_sets:
                    if rule_set.id == id:
                        self._rules[id, literal] = Rules(spec, rule_set, literal=literal)
        return self._rules.get((id, literal))

    def tables(self, spec: Spec) -> list[Rules]:
        """The rule sets of a source, as resolved."""
        return [rules for rule_set in spec.rule_sets if (rules := self.rules(rule_set.id)) is not None]

    def others(self, spec: Spec) -> list[Rules]:
        """The rule sets of all other sources."""
        ids = [rule_set.id for other in self.specs if other.id != spec.id for rule_set in other.rule_sets]
        return [rules for id in ids if (rules := self.rules(id)) is not None]

    def odds(self, rules: Rules) -> Odds:
        """The odds of the full shoe of a rule set. Raises `OracleError`."""
        from oracle.odds.counts import Odds

        key = (rules.id, rules.literal)
        if key not in self._odds:
            self._odds[key] = Odds(rules)
        return self._odds[key]

    def consecutive(self, rules: Rules) -> Consecutive:
        """The winners of two coups in a row from the full shoe; tables that play alike share them."""
        from oracle.odds.consecutive import consecutive

        odds = self.odds(rules)
        key = (odds.book.decisions, tuple(odds.book.winners), odds.composition)
        if key not in self._consecutive:
            self._consecutive[key] = consecutive(odds)
        return self._consecutive[key]

    def ends(self, rules: Rules, *, alike: bool) -> Space:
        """Every decided end of a coup with its winner, and if asked with how alike the first cards can be."""
        key = (rules.id, rules.literal, alike)
        if key not in self._ends:
            self._ends[key] = _ends_with_winner(rules, alike=alike)
        return self._ends[key]


def holds_or_fails(holds: object, evidence: str) -> Judgement:
    """A judgement of what holds or fails."""
    return Judgement(HOLDS if holds else FAILS, evidence)


def open_before(rules: Rules, question: str) -> Judgement | None:
    """A judgement of `open` if an earlier question is: then not every state of this one is known. Else None."""
    if question not in COUP_QUESTIONS:
        return None
    for earlier in COUP_QUESTIONS[: COUP_QUESTIONS.index(question)]:
        if rules.evaluation(earlier).open:
            return Judgement(OPEN, f"{QUESTIONS[earlier].asks} is open, so not every state is known")
    return None


def _ends_with_winner(rules: Rules, *, alike: bool) -> Space:
    winners = rules.evaluation("winner")
    rows: list[Row] = []
    for i, end in enumerate(rules.every_end):
        answer = winners.answer(i)
        if not answer:
            continue
        kinds = [rules.alikeness[total] if alike else ("",) for total in end.two_cards]
        rows += [(*end, *pair, str(answer[0])) for pair in product(*kinds)]
    return Space((*EXAMPLE_FIELDS, "winner"), rows)

"""One case and one answer, in the same process: for tests of Python programs. Says which rule is wrong."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping, Sequence
from fractions import Fraction
from typing import Any

import msgspec

from oracle.cards import Card, parse_cards
from oracle.cases.case import Answer, Case, Step
from oracle.cases.reference import reference_of
from oracle.cases.suite import cells
from oracle.conformance.adapters.python_function import result_of, result_of_kind
from oracle.conformance.diagnose.diagnose import Explanation, explain
from oracle.conformance.diagnose.explain import Suspects
from oracle.conformance.judge import Judge, Outcome
from oracle.conformance.protocol.decode import said_type
from oracle.conformance.run.tally import line_of
from oracle.conformance.summary.summary import hands, observable_words
from oracle.game.coup import play
from oracle.game.rules import Rules
from oracle.game.settle import check_bet, parse_stake
from oracle.programs.cells import in_words
from oracle.programs.observables import OBSERVABLES, reported
from oracle.spans import OracleError
from oracle.text import did_you_mean, printable, quoted

_SHOWN = 3
_SIX = 6


class Trial:
    """A case of a rule set, to be put to a program. `check` raises `AssertionError` if its answer is wrong."""

    def __init__(self, rules: Rules, case: Case, *, cards: Iterable[Card] = ()) -> None:
        """`cards` are what is asked, if the case has spare ones more."""
        self.rules = rules
        self.case = case
        self._cards = tuple(map(str, cards)) or case.cards

    def __repr__(self) -> str:
        return f"<{self.case.id} of {self.rules.id}>"

    @property
    def id(self) -> str:
        """The id of the case, the same in every file and report."""
        return self.case.id

    @property
    def kind(self) -> str:
        """What is asked: coup, bets, shoe, session or cards."""
        return self.case.kind

    @property
    def cards(self) -> list[str]:
        """The cards in the order in which they leave the shoe, as texts; there may be more than the coup needs."""
        return list(self._cards)

    @property
    def bets(self) -> dict[str, str]:
        """Stakes by bet, as exact texts."""
        return dict(self.case.bets)

    @property
    def balance(self) -> str | None:
        """What the bettor has, as exact text; None where that doesn't matter."""
        return self.case.balance

    @property
    def dealt(self) -> int | None:
        """Of kind shoe, how many cards coups took out of it."""
        return self.case.dealt

    @property
    def steps(self) -> tuple[Step, ...]:
        """Of kind session: `leave`, or a coup with its `cards` and `bets`."""
        return self.case.steps

    @property
    def text(self) -> str | None:
        """Of kind cards, what is to be read."""
        return self.case.text

    @property
    def expect(self) -> Answer:
        """The answer of the rules."""
        return self.case.expect

    def check(self, said: Any, *, observables: Collection[str] = ()) -> None:
        """Hold an answer against the rules; raises `AssertionError` that names what is wrong.

        It is a dictionary with the fields of a result of the protocol, or an object that has them as attributes. For
        kind coup the winner alone will do, for bets and shoe true or false, for cards None for a text that names none.
        What it has is compared; `observables` are those that it has to have. Raises `OracleError` for a wrong name.
        """
        __tracebackhide__ = True
        problem = self.problem(said, observables=observables)
        if problem:
            raise AssertionError(problem)

    def problem(self, said: Any, *, observables: Collection[str] = ()) -> str:
        """What is wrong with an answer, in words; empty if nothing is."""
        for name in observables:
            if name not in OBSERVABLES:
                raise OracleError(f"no observable {quoted(name)}: {did_you_mean(name, OBSERVABLES)}")
        if self.kind != "coup":
            given, result = [], result_of_kind(self.case.kind, said)
        else:
            result = result_of(said)
            given = list(dict.fromkeys([*reported(result), *observables]))
            if not given and not {"error", "skipped"} & result.keys():
                return f"{self._named()}: the answer has none of {', '.join(OBSERVABLES)}"
        try:
            read = msgspec.json.decode(msgspec.json.encode(result), type=said_type(self.case.kind, given))
        except (msgspec.DecodeError, TypeError, ValueError) as error:
            return f"{self._named()}: the answer can't be read: {printable(str(error)[:300])}"
        outcome = Judge(given).outcome(self.case, read)
        if outcome.outcome == "pass":
            return ""
        if outcome.why:
            return f"{self._named()}: {outcome.why}{f': {outcome.said}' if outcome.said else ''}"
        return "\n".join([self._named(), *self._told(outcome, given)])

    def _named(self) -> str:
        asked = hands(line_of(self.case, Outcome("fail")))
        return printable(f"{self.rules.id}, {self.case.id}: {', '.join(asked)}")

    def _told(self, outcome: Outcome, observables: Collection[str]) -> Iterable[str]:
        """The differences, then the rules that this case is decided by, then what would give this answer."""
        for difference in outcome.differs:
            note = f" ({difference.note})" if difference.note else ""
            due, got = _text(difference.expected), _text(difference.got)
            yield f"  {printable(observable_words(difference.observable))}: {due} expected, {got} answered{note}"
        if self.kind != "coup":
            if self.kind != "bets":
                yield from self._as_if(outcome)
            return
        reference = reference_of(self.rules)
        found = explain(reference, tuple(observables), self.case, line_of(self.case, outcome))
        near = [explanation for explanation in found if set(explanation.cells) & set(self.case.cells)] or found
        entries = cells(reference)
        for cell in _blamed(near, self.case.cells):
            yield f"  the rules: {in_words(cell)}: {_said(entries[cell])}"
        yield from _guesses([explanation.says for explanation in near], "coup")

    def _as_if(self, outcome: Outcome) -> Iterable[str]:
        """What would give this answer, of another kind than coup and bets."""
        suspects = Suspects(reference_of(self.rules), self.case.kind)
        suspects.add(self.case, line_of(self.case, outcome))
        yield from _guesses(list(dict.fromkeys(suspect.says for suspect in suspects.found)), "case")


def _guesses(says: Sequence[str], what: str) -> Iterable[str]:
    for guess in says[:_SHOWN]:
        yield f"  as if: {guess}"
    if more := len(says) - len(says[:_SHOWN]):
        changes = "change" if more == 1 else "changes"
        yield f"  … or {more} more {changes} of the rules, which this {what} alone can't tell apart"
    if not says:
        yield "  no single change of the rules gives this answer"


def trial_of(rules: Rules, cards: Iterable[Card] | str, bets: Mapping[str, Any] | None = None) -> Trial:
    """The trial of any coup: cards in the order in which they leave the shoe, stakes by bet as exact numbers or texts.

    Raises `OracleError` if cards are missing, a stake is none, or the rules leave a choice or an answer open.
    """
    laid = parse_cards(cards) if isinstance(cards, str) else tuple(cards)
    stakes = {bet: Fraction(parse_stake(str(stake))) for bet, stake in (bets or {}).items()}
    for bet in stakes:
        check_bet(rules, bet)
    play(rules, laid, bets=stakes)
    spare = (Card("9"),) * max(0, _SIX - len(laid))  # never looked at
    return Trial(rules, reference_of(rules).coup((*laid, *spare), stakes), cards=laid)


def _blamed(found: Iterable[Explanation], decided: tuple[str, ...]) -> list[str]:
    """The decision cells of a coup to tell of: those of the explanations, else all."""
    named = {cell for explanation in found for cell in explanation.cells}
    return [cell for cell in decided if cell in named] or list(decided)


def _said(entry: Mapping[str, Any]) -> str:
    if "resolution" in entry:
        return f"{entry['answer']}, by resolution {entry['resolution']}"
    by = ", ".join(f"line {lines} ({id})" if lines else id for id, lines in entry["statements"].items())
    return f"{entry['answer']}, by {by}"


def _text(value: Any) -> str:
    if isinstance(value, tuple | list):
        return printable(" ".join(map(str, value))) or "none"
    if isinstance(value, bool):
        return "yes" if value else "no"
    return printable(str(value))

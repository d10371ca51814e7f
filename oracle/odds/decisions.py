"""What odds need of the rules of a coup: totals, and who draws when. Undecided states are refused, choices made."""

from __future__ import annotations

from collections.abc import Iterable, Mapping

import msgspec

from oracle.game.coup import show_state, shown_state, why_open
from oracle.game.evaluate import Evaluation
from oracle.game.rules import Rules
from oracle.game.space import Row
from oracle.rules.questions import QUESTIONS
from oracle.rules.values import NONE, Value
from oracle.spans import BadChoice, OracleError, Undecided, UnknownName
from oracle.text import quoted

FREE = {"player_draw": "player", "banker_draw": "banker"}


class FreeCell(msgspec.Struct, frozen=True, order=True):
    """A cell of a tableau in which somebody may draw or stand: a question, and the values of its cell's fields."""

    question: str
    values: tuple[Value, ...]

    @property
    def side(self) -> str:
        """Whose hand it is."""
        return FREE[self.question]

    def __str__(self) -> str:
        """As people write it: `player:5`, `banker:3,9` (the banker's total, then the player's third card)."""
        return f"{self.side}:{','.join(str(value) for value in self.values)}"


Strategy = Mapping[FreeCell, str]
"""What is done in free cells: draw or stand."""

Answers = tuple[tuple[Row, bool], ...]


class Decisions(msgspec.Struct, frozen=True):
    """Every decision of a coup as data, equal for equal tableaux: a mistake of a program is another such value.

    `totals` maps sums of card points. `stops` says by (player2, banker2) whether the coup ends there, `player_draws`
    by the same whether the player draws, `banker_draws` by (player2, banker2, player_third, player_total).
    """

    totals: tuple[tuple[int, int], ...]
    stops: Answers
    player_draws: Answers
    banker_draws: Answers


def decisions(rules: Rules, strategy: Strategy | None = None) -> Decisions:
    """The decisions of a rule set, with free ones as `strategy` makes them.

    Raises `Undecided` for open states, `BadChoice` for choices that the strategy leaves, `OracleError` if whether
    somebody draws depends on the bets.
    """
    for question in ("card_points", "hand_total", "deal_order"):
        _need_decided(rules, question)
    deal = rules.evaluation("deal_order")
    if sum(deal.answer(i) == ("player",) for i in range(len(deal.space))) != 2:
        raise Undecided("deal_order", "the first four cards", "the hands don't get two cards each")
    return Decisions(
        totals=tuple(rules.totals.items()),
        stops=_answers(rules, "natural", "stop", {}),
        player_draws=_answers(rules, "player_draw", "draw", strategy or {}),
        banker_draws=_answers(rules, "banker_draw", "draw", strategy or {}),
    )


def decisions_before(rules: Rules, question: str) -> Decisions:
    """The decisions that lead to a question, with coups cut off there: nobody draws at it or after it.

    For what sees whole coups (card_points, hand_total, winner) all decisions. Raises as `decisions` does.
    """
    if question not in ("natural", "player_draw", "banker_draw"):
        return decisions(rules)
    for earlier in ("card_points", "hand_total", "deal_order"):
        _need_decided(rules, earlier)
    two = [(player2, banker2) for player2 in rules.two_card_totals for banker2 in rules.two_card_totals]
    stops: Answers = tuple((row, True) for row in two)
    player_draws: Answers = tuple((row, False) for row in two)
    states: list[Row] = [(player2, banker2, NONE, player2) for player2, banker2 in two]
    if question != "natural":
        stops = _answers(rules, "natural", "stop", {})
    if question == "banker_draw":
        player_draws = _answers(rules, "player_draw", "draw", {})
        states = rules.space("banker_draw").rows
    return Decisions(tuple(rules.totals.items()), stops, player_draws, tuple((row, False) for row in states))


def free_cells(rules: Rules) -> tuple[FreeCell, ...]:
    """The cells in which the rules permit both to draw and to stand, in the order of the questions."""
    found: dict[FreeCell, None] = {}
    for question in FREE:
        evaluation = rules.evaluation(question)
        for i in range(len(evaluation.space)):
            if len(evaluation.answer(i)) > 1:
                found[_cell(evaluation, i)] = None
    return tuple(found)


def parse_strategy(rules: Rules, texts: Iterable[str]) -> dict[FreeCell, str]:
    """Choices as people write them: `player=draw` for all free cells of a hand, `banker:3,9=stand` for one.

    Raises `BadChoice`, `UnknownName`.
    """
    cells = free_cells(rules)
    names = ", ".join(str(cell) for cell in cells) or "none"
    found: dict[FreeCell, str] = {}
    for text in texts:
        name, _, action = (part.strip() for part in text.partition("="))
        if action not in ("draw", "stand"):
            raise BadChoice(f"{quoted(text)} is no choice: write it as player=draw or banker:3,9=stand")
        chosen = [cell for cell in cells if name in (str(cell), cell.side)]
        if not chosen:
            raise UnknownName(f"{rules.id} leaves nothing free at {quoted(name)}; free cells: {names}")
        for cell in chosen:
            if found.get(cell, action) != action:
                raise BadChoice(f"{cell} is chosen twice, draw and stand: give one")
            found[cell] = action
    return found


def _cell(evaluation: Evaluation, i: int) -> FreeCell:
    question = evaluation.question.name
    return FreeCell(question, tuple(evaluation.space.column(field)[i] for field in QUESTIONS[question].cell))


def _need_decided(rules: Rules, question: str) -> None:
    evaluation = rules.evaluation(question)
    for i in range(len(evaluation.space)):
        if not evaluation.answer(i):
            raise Undecided(question, show_state(shown_state(evaluation, i)), why_open(evaluation, i))


def _answers(rules: Rules, question: str, yes: str, strategy: Strategy) -> Answers:
    _need_decided(rules, question)
    evaluation = rules.evaluation(question)
    backed = evaluation.space.fields.index("player_backed") if "player_backed" in evaluation.space.fields else None
    found: dict[Row, bool] = {}
    for i, row in enumerate(evaluation.space.rows):
        answer = evaluation.answer(i)
        chosen = str(answer[0])
        if len(answer) > 1:
            cell = _cell(evaluation, i)
            if cell not in strategy:
                raise BadChoice(f"{rules.id} leaves {cell} free: say draw or stand")
            chosen = strategy[cell]
        key = row if backed is None else row[:backed] + row[backed + 1 :]
        if found.setdefault(key, chosen == yes) != (chosen == yes):
            raise OracleError(f"{rules.id}: whether the player draws depends on the bets laid")
    return tuple(found.items())

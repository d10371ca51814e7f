"""One rule set over all coups: how each ends, who wins, and what each bet nets. Made once, then counted for any shoe.

This module needs numpy; import it where it is used.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from fractions import Fraction
from functools import cached_property
from itertools import product
from weakref import WeakKeyDictionary

import msgspec
import numpy as np  # noqa: TID253 (imported where it is used)

from oracle.game.coup import show_state, why_open
from oracle.game.rules import ALIKE_FIELDS, MONEY, Rules
from oracle.game.space import EXAMPLE_FIELDS, Row, Space
from oracle.odds.decisions import Decisions, Strategy, decisions
from oracle.odds.pair_kinds import KINDS, Table
from oracle.odds.tableau import tableau_of
from oracle.odds.ways import Grouped, Numbers, Weighed
from oracle.rules.answers import Atom
from oracle.rules.model import Test
from oracle.rules.questions import QUESTIONS, heard_together
from oracle.rules.values import Value, contains
from oracle.spans import Undecided

_BOOKS: WeakKeyDictionary[Rules, dict[frozenset[tuple[object, str]], SettlementTable]] = WeakKeyDictionary()
WINNERS = ("player", "banker", "tie")


class Net(msgspec.Struct, frozen=True):
    """What becomes of a unit stake in one class of ends: win, lose or push, and its net before rounding."""

    outcome: str
    net: Fraction


class Spread:
    """The coups of a book by end and by how alike first cards are: groups of values, spread over the kinds of alike."""

    def __init__(self, groups: Weighed, equals: tuple[Numbers, Numbers, Numbers]) -> None:
        self._groups = groups
        end, self._player, self._banker = equals
        alike = {False: [0], True: [1, 2, 3]}
        table = [
            (group, *kinds)
            for group, (player, banker) in enumerate(zip(self._player.tolist(), self._banker.tolist(), strict=True))
            for kinds in product(alike[player > 0], alike[banker > 0])
        ]
        rows = np.array(table).reshape(-1, 3)
        self._group, self.player_kind, self.banker_kind = rows[:, 0], rows[:, 1], rows[:, 2]
        self.end = end[self._group]

    def sums(self, weights: Numbers, shares: Table) -> Numbers:
        """How many sequences there are of each end with its kinds."""
        whole = np.ones((11, 11), dtype=weights.dtype)
        parts = np.zeros((11, 11, 4, 4), dtype=weights.dtype)
        for equal, (of, kinds) in shares.items():
            whole[equal] = max(of, 1)  # where there is no such pair the count is none
            for pair, count in kinds.items():
                parts[(*equal, *pair)] = count
        units = self._groups.sums(weights) // whole[self._player, self._banker]
        player, banker = self._player[self._group], self._banker[self._group]
        spread: Numbers = units[self._group] * parts[player, banker, self.player_kind, self.banker_kind]
        return spread


WinnerOf = Callable[[Rules, Row], str]
"""Who wins an end: player2, banker2, player_third, banker_third, player_total, banker_total."""

NetOf = Callable[[Rules, str, Mapping[str, Value]], Net]
"""What a unit stake on a bet nets in a state of the fields that settling asks for."""


class SettlementTable:
    """The ends, winners and nets of a rule set: by its own answers, or as somebody plays who does something else.

    Raises `Undecided` where something is open.
    """

    def __init__(
        self, rules: Rules, made: Decisions, winner_of: WinnerOf, net_of: NetOf, *, more: tuple[str, ...] = ()
    ) -> None:
        self.decisions = made
        self.points = dict(rules.points)
        self.tableau = tableau_of(made)
        self.ends = self.tableau.ends
        self.winner_of, self.net_of = winner_of, net_of
        self.winners = [winner_of(rules, row) for row in self.ends]
        self.by_winner = self.tableau.classes(np.array([WINNERS.index(winner) for winner in self.winners]))
        money = {*rules.money_fields, *more}
        self.fields = tuple(field for field in QUESTIONS["outcome"].fields if field in money)
        self.parts_suits = asks_for_suits(rules)
        self._nets: dict[str, list[Net]] = {}
        self._classes()

    def _classes(self) -> None:
        """Put together the ends that settling doesn't tell apart: `states`, and how they are summed."""
        rows = [(*row, winner) for row, winner in zip(self.ends, self.winners, strict=True)]
        space = Space((*EXAMPLE_FIELDS[:6], "winner"), rows)
        fields = [field for field in self.fields if field not in ALIKE_FIELDS]
        pairs = [field for field in self.fields if field in ALIKE_FIELDS]
        keys = list(zip(*(space.column(field) for field in fields), strict=True))
        places = {key: i for i, key in enumerate(dict.fromkeys(keys))}
        of_end = self._of_end = np.array([places[key] for key in keys])
        plain = list(places)
        self.by_class: Grouped | Weighed
        if not pairs:
            self.by_class = self.tableau.classes(of_end)
            self.states: list[Row] = [plain[int(name)] for name in self.by_class.names]
            return
        spread = self.spread
        code = of_end[spread.end]
        for field in pairs:
            code = code * 4 + (spread.player_kind if field == "player_pair" else spread.banker_kind)
        self.by_class = Grouped(code)
        self.states = []
        for name in self.by_class.names.tolist():
            kinds = [KINDS[name // 4**place % 4] for place in range(len(pairs) - 1, -1, -1)]
            self.states.append((*plain[name // 4 ** len(pairs)], *kinds))

    @cached_property
    def spread(self) -> Spread:
        """The coups by how alike first cards are."""
        return Spread(self.tableau.by_equals, self.tableau.equals)

    def class_of(self, end: Numbers, player_kind: Numbers, banker_kind: Numbers) -> Numbers:
        """The place among `states` of ends (by place) with first cards alike in these kinds."""
        code = self._of_end[end]
        for field in self.fields:
            if field in ALIKE_FIELDS:
                code = code * 4 + (player_kind if field == "player_pair" else banker_kind)
        return np.searchsorted(self.by_class.names, code)

    def nets(self, rules: Rules, bet: str) -> list[Net]:
        """What a unit stake on a bet nets in each of `states`. Raises `Undecided`."""
        if bet not in self._nets:
            known = (dict(zip(self.fields, row, strict=True)) for row in self.states)
            self._nets[bet] = [self.net_of(rules, bet, state) for state in known]
        return self._nets[bet]


def book_of(rules: Rules, strategy: Strategy | None = None) -> SettlementTable:
    """The book of a rule set, made once for each strategy."""
    books = _BOOKS.setdefault(rules, {})
    key: frozenset[tuple[object, str]] = frozenset((strategy or {}).items())
    if key not in books:
        books[key] = SettlementTable(rules, decisions(rules, strategy), winner_by_rules, net_by_rules)
    return books[key]


def parts_suits(test: Test) -> bool:
    """Whether a guard tells two of a rank from one card twice."""
    return test.field in ALIKE_FIELDS and contains(test.values, "rank") != contains(test.values, "card")


def asks_for_suits(rules: Rules) -> bool:
    """Whether settling depends on suits."""
    return any(
        parts_suits(test)
        for question in MONEY
        for clause in rules.evaluation(question).active({})
        for test in clause.guard
    ) or any(parts_suits(test) for r in rules.resolutions if r.question in MONEY for test in r.guard)


def winner_by_rules(rules: Rules, row: Row) -> str:
    """Who wins an end by the rules, also one that no coup by these rules comes to. Raises `Undecided`."""
    return str(_answer(rules, "winner", dict(zip(EXAMPLE_FIELDS, row, strict=False))))


def net_by_rules(rules: Rules, bet: str, known: Mapping[str, Value]) -> Net:
    """What a unit stake nets by the rules, before rounding. Raises `Undecided`."""
    state = {"bet": bet, **known}
    outcome = _answer(rules, "outcome", state)
    if outcome != "win":
        return Net(str(outcome), Fraction(-1 if outcome == "lose" else 0))
    odds, rate = (Fraction(_answer(rules, question, state)) for question in heard_together("pays"))  # type: ignore[arg-type]
    return Net("win", odds * (1 - rate))


def _answer(rules: Rules, question: str, state: dict[str, Value]) -> Atom:
    evaluation = rules.evaluation(question)
    i = evaluation.space.index(tuple(state[field] for field in evaluation.space.fields))
    if i is None:  # what no coup of these rules comes to, as twice the same card from one deck
        evaluation, i = rules.at(question, state), 0
    answer = evaluation.answer(i)
    if not answer:
        raise Undecided(question, show_state(state), why_open(evaluation, i))
    return answer[0]

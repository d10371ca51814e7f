"""The states of one question that several rule sets know, side by side."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from fractions import Fraction
from functools import reduce
from operator import and_

from oracle.game.around import Listed, can_be_laid, known_chips, over
from oracle.game.evaluate import Evaluation
from oracle.game.rules import Rules
from oracle.game.space import Row, Space, bits, mask_of
from oracle.rules.questions import FIELDS
from oracle.rules.values import Value

_CHIPS = "in_chips"


def told_apart(tables: Sequence[Rules]) -> list[Rules]:
    """Each of these rule sets over states that tell apart what the guards of all of them do."""
    return [rules.beside([other for other in tables if other is not rules]) for rules in tables]


class JointSpace:
    """The states that any of these rule sets, `told_apart`, knows in one question.

    `space` has the rows in the fields that all of them have. A bet that a table doesn't offer is not laid there, so it
    knows no row in which it is. Rows come in the order of the first table, then what only the next one knows.
    """

    def __init__(self, tables: Sequence[Rules], question: str) -> None:
        self.question = question
        self.tables = list(tables)
        self.evaluations = _widened(tables, question)
        fields = _fields([e.space for e in self.evaluations])
        self._places: list[dict[Row, int]] = [
            dict(_rows(rules, e.space, fields)) for rules, e in zip(tables, self.evaluations, strict=True)
        ]
        rows = list(dict.fromkeys(row for places in self._places for row in places))
        self.space = self._space(fields, rows)
        self._identical = [
            len(places) == len(e.space) and list(places) == rows
            for places, e in zip(self._places, self.evaluations, strict=True)
        ]
        self.known = [
            self.space.full if same else mask_of(n for n, row in enumerate(rows) if row in places)
            for same, places in zip(self._identical, self._places, strict=True)
        ]

    def _space(self, fields: Sequence[str], rows: list[Row]) -> Space:
        spaces = [e.space for e in self.evaluations]
        if any(isinstance(space, Listed) for space in spaces):
            names = {name for space in spaces if isinstance(space, Listed) for name in space.constants}
            constants = {
                name: tuple(sorted({c for s in spaces if isinstance(s, Listed) for c in s.constants.get(name, ())}))
                for name in names
            }
            return Listed(fields, rows, constants)
        home = [next((p, s) for p, s in zip(self._places, spaces, strict=True) if row in p) for row in rows]
        counted = any(space.counts for space in spaces)
        return Space(
            fields,
            rows,
            counts=[s.counts[p[row]] if s.counts else 1 for row, (p, s) in zip(rows, home, strict=True)]
            if counted
            else (),
            examples=[s.examples[p[row]] for row, (p, s) in zip(rows, home, strict=True)]
            if all(space.examples or not len(space) for space in spaces)
            else (),
            whole=spaces[0].whole if all(space.whole == spaces[0].whole for space in spaces) else None,
        )

    @property
    def shared(self) -> int:
        """The states that all of the tables know."""
        return reduce(and_, self.known)

    def place(self, table: int, i: int) -> int | None:
        """The state of a table's own space that is row `i` here; None if that table doesn't know it."""
        return self._places[table].get(self.space.rows[i])

    def own(self, table: int, mask: int) -> int:
        """Rows as a set of states of a table's own space, without those that it doesn't know."""
        return mask_of(sorted(i for row in bits(mask) if (i := self.place(table, row)) is not None))

    def lift(self, table: int, mask: int) -> int:
        """A set of states of a table's own space as rows here."""
        if self._identical[table]:
            return mask
        rows = self.space.rows
        places = self._places[table]
        return mask_of(n for n in bits(self.known[table]) if mask >> places[rows[n]] & 1)


def _fields(spaces: Sequence[Space]) -> list[str]:
    """The fields that all spaces have, and names of bets that any has; apart from what depends on a table's chips."""
    fields = dict.fromkeys(f for space in spaces for f in space.fields if f != _CHIPS)
    return [f for f in fields if f not in FIELDS or all(f in space.fields for space in spaces)]


def _rows(rules: Rules, space: Space, fields: Sequence[str]) -> Iterator[tuple[Row, int]]:
    """The rows of a space in these fields, with their places.

    Which stakes can be laid follows from the chips; without any said, those that can are meant.
    """
    if tuple(fields) == space.fields:
        yield from ((row, i) for i, row in enumerate(space.rows))
        return
    not_laid: list[Value] = ["no"] * len(space)
    columns = [space.column(field) if field in space.fields else not_laid for field in fields]
    chips_unknown = _CHIPS in space.fields and known_chips(rules) is None
    can_be = space.column(_CHIPS) if chips_unknown else ()
    for i in range(len(space)):
        if not can_be or can_be[i] == "yes":
            yield tuple(column[i] for column in columns), i


def _widened(tables: Sequence[Rules], question: str) -> list[Evaluation]:
    """The answers of each table; over the numbers that the others list as well, where every number is a state."""
    evaluations = [rules.evaluation(question) for rules in tables]
    spaces = [e.space for e in evaluations]
    # Where any number is a state, what one table lists and another doesn't is a state there too.
    if not any(isinstance(space, Listed) and space.constants and not space.reached for space in spaces):
        return evaluations
    states = dict.fromkeys(
        tuple((f, v) for f, v in zip(space.fields, row, strict=True) if f != _CHIPS)
        for space in spaces
        for row in space.rows
    )
    return [_over_all(rules, e, states) for rules, e in zip(tables, evaluations, strict=True)]


def _over_all(rules: Rules, evaluation: Evaluation, states: Iterable[tuple[tuple[str, Value], ...]]) -> Evaluation:
    """The answers of a table over all of these states that are any of its own."""
    space = evaluation.space
    rows = dict.fromkeys(row for state in states for row in _own_rows(rules, space.fields, dict(state)))
    if len(rows) <= len(space):
        return evaluation
    ordered = sorted(rows, key=lambda row: [_order(f, v) for f, v in zip(space.fields, row, strict=True)])
    constants = space.constants if isinstance(space, Listed) else {}
    return over(evaluation, Listed(space.fields, ordered, constants))


def _own_rows(rules: Rules, fields: Sequence[str], state: Mapping[str, Value]) -> Iterator[Row]:
    """A state as rows of a table's own: chips tell whether a stake can be laid. None of a bet that it doesn't have."""
    if "bet" in state and state["bet"] not in rules.bets:
        return
    if not set(fields) <= {*state, _CHIPS}:
        return
    chips = known_chips(rules)
    for word in ("yes", "no"):
        if _CHIPS in fields and chips is not None and can_be_laid(int(state["stake"]), chips) != (word == "yes"):
            continue
        yield tuple(word if field == _CHIPS else state[field] for field in fields)


def _order(field: str, value: Value) -> tuple[Fraction | int, str]:
    domain = FIELDS[field].domain if field in FIELDS else ()
    if value in domain:
        return domain.index(value), ""
    return (0, value) if isinstance(value, str) else (value, "")

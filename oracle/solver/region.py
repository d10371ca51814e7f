"""Sets of enumerated states as formulas, over the fields that the verdicts of a question depend on."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from oracle.game.space import Space, bits
from oracle.solver.coding import Coding
from oracle.solver.formula import FALSE, TRUE, Expr, Sheet, all_of, any_of, is_long, one_of, symbol

Rows = frozenset[tuple[int, ...]]


class Regions:
    """Writes sets of states; long parts that occur once or more get definitions of their own."""

    def __init__(
        self, sheet: Sheet, coding: Coding, space: Space, fields: Sequence[str], terms: Mapping[str, Expr]
    ) -> None:
        self.sheet = sheet
        self.terms = [terms.get(field, field) for field in fields]
        self.domains = [frozenset(coding.codes(field)) for field in fields]
        codes = [{value: coding.code(f, value) for value in coding.domain(f)} for f in fields]
        columns = [space.column(field) for field in fields]
        self.rows = [
            tuple(code[value] for code, value in zip(codes, row, strict=True))
            for row in (zip(*columns, strict=True) if columns else [()] * len(space))
        ]
        self.all = frozenset(self.rows)
        self._written: dict[tuple[int, Rows, Rows | None], Expr] = {}
        self._parts = 0

    def everything(self) -> Expr:
        """That a state is one of those that enumeration has."""
        return self._cut(self.all, None, 0)

    def region(self, mask: int) -> Expr:
        """That a state that enumeration has is one of these; of no use for others."""
        return self._cut(frozenset(self.rows[i] for i in bits(mask)), self.all, 0)

    def _cut(self, rows: Rows, among: Rows | None, place: int) -> Expr:
        """Rows told apart from the others of `among` (None: from all), field by field."""
        if not rows:
            return FALSE
        if rows == among or place == len(self.terms):
            return TRUE
        key = (place, rows, among)
        if key not in self._written:
            body = self._by_value(rows, among, place)
            if is_long(body) and place:
                self._parts += 1
                body = self.sheet.define(symbol(f"part {self._parts}"), body)
            self._written[key] = body
        return self._written[key]

    def _by_value(self, rows: Rows, among: Rows | None, place: int) -> Expr:
        """Values of a field that go with the same rest are taken together."""
        inside = _split(rows)
        around = None if among is None else _split(among)
        values: dict[Expr, list[int]] = {}
        for value, rest in sorted(inside.items()):
            part = self._cut(rest, None if around is None else around[value], place + 1)
            values.setdefault(part, []).append(value)
        everything = self.domains[place] if around is None else set(around)
        return any_of(
            *(
                all_of(TRUE if set(these) == everything else one_of(self.terms[place], these), part)
                for part, these in values.items()
            )
        )


def _split(rows: Rows) -> dict[int, Rows]:
    """Rows by their first number."""
    found: dict[int, set[tuple[int, ...]]] = {}
    for row in rows:
        found.setdefault(row[0], set()).add(row[1:])
    return {value: frozenset(rest) for value, rest in found.items()}

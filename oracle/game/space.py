"""The states of a question, as rows of field values in witness order, and sets of them as bit masks.

Bit i of a mask stands for row i. Everything that checks and tables ask (which states does this guard hold in,
which are unanswered) is one and, or, not on Python integers.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence

from oracle.rules.guard import Test
from oracle.rules.questions import END, KNOWN
from oracle.rules.values import NONE, Value, contains

Row = tuple[Value, ...]
MAX_ROWS = 200_000  # states of one question that are listed
_FEW = 64


def who_has_natural(player2: Value, banker2: Value) -> str:
    """Who has 8 or 9 with two cards."""
    player, banker = int(player2) >= 8, int(banker2) >= 8
    return "both" if player and banker else "player" if player else "banker" if banker else NONE


def is_pair(kind: str) -> bool:
    """Whether two cards that are alike in this (none, value, rank or card) are a pair: of one rank."""
    return kind in ("rank", "card")


def who_is_higher(player: Value, banker: Value) -> str:
    """Whose total is higher."""
    return "equal" if player == banker else "player" if int(player) > int(banker) else "banker"


# Derived fields: computed from others where a row doesn't hold them; the first whose inputs are there counts.
_DERIVED: dict[str, tuple[tuple[tuple[str, ...], Callable[..., Value]], ...]] = {
    "natural": ((("player2", "banker2"), who_has_natural),),
    "higher": (
        (("player_total", "banker_total"), who_is_higher),
        (("player2", "banker2"), who_is_higher),
    ),
    "margin": ((("player_total", "banker_total"), lambda p, b: abs(int(p) - int(b))),),
    "player_drew": ((("player_third",), lambda third: "no" if third == NONE else "yes"),),
    "banker_drew": ((("banker_third",), lambda third: "no" if third == NONE else "yes"),),
    "player_cards": ((("player_third",), lambda third: 2 if third == NONE else 3),),
    "banker_cards": ((("banker_third",), lambda third: 2 if third == NONE else 3),),
}


class Space:
    """States as rows of `fields`, in witness order.

    `counts` says how many states a row stands for, `examples` holds the least state behind it, `whole` is what
    percentages in guards refer to.
    """

    def __init__(
        self,
        fields: Sequence[str],
        rows: Iterable[Row],
        *,
        counts: Sequence[int] = (),
        examples: Sequence[Row] = (),
        whole: int | None = None,
    ) -> None:
        self.fields = tuple(fields)
        self.rows: list[Row] = list(rows)
        self.counts = list(counts)
        self.examples = list(examples)
        self.whole = whole
        self.full = (1 << len(self.rows)) - 1
        self._columns: dict[str, list[Value]] = {}
        self._masks: dict[str, dict[Value, int]] = {}
        self._index: dict[Row, int] | None = None

    def __len__(self) -> int:
        return len(self.rows)

    @property
    def states(self) -> int:
        """How many states there are in all."""
        return sum(self.counts) if self.counts else len(self.rows)

    def count(self, mask: int) -> int:
        """How many states the rows of `mask` stand for."""
        if not self.counts:
            return mask.bit_count()
        return sum(self.counts[i] for i in bits(mask))

    def index(self, row: Row) -> int | None:
        """The place of a row, or None if it is not reachable."""
        if self._index is None:
            self._index = {row: i for i, row in enumerate(self.rows)}
        return self._index.get(row)

    def column(self, field: str) -> list[Value]:
        """The value of `field` in each row. Raises KeyError for a field that these states don't have."""
        column = self._columns.get(field)
        if column is None:
            if field in self.fields:
                place = self.fields.index(field)
                column = [row[place] for row in self.rows]
            else:
                column = self._derive(field)
            self._columns[field] = column
        return column

    def has(self, field: str) -> bool:
        """Whether these states know `field`."""
        return field in self.fields or any(
            all(self.has(other) for other in inputs) for inputs, _ in _DERIVED.get(field, ())
        )

    def _derive(self, field: str) -> list[Value]:
        for inputs, function in _DERIVED.get(field, ()):
            if all(self.has(other) for other in inputs):
                return [function(*values) for values in zip(*(self.column(other) for other in inputs), strict=True)]
        raise KeyError(field)

    def masks(self, field: str) -> dict[Value, int]:
        """For each value of `field` that occurs, the rows that have it."""
        masks = self._masks.get(field)
        if masks is None:
            places: dict[Value, list[int]] = {}
            for i, value in enumerate(self.column(field)):
                places.setdefault(value, []).append(i)
            masks = {value: mask_of(indexes) for value, indexes in places.items()}
            self._masks[field] = masks
        return masks

    def select(self, guard: Iterable[Test]) -> int:
        """The rows in which every test of a guard holds."""
        mask = self.full
        for test in guard:
            column = self.column(test.field)
            held = {value: contains(test.values, value, whole=self.whole) for value in dict.fromkeys(column)}
            if len(held) > _FEW:
                mask &= mask_of(i for i, value in enumerate(column) if held[value])
                continue
            part = 0
            for value, rows in self.masks(test.field).items():
                if held[value]:
                    part |= rows
            mask &= part
        return mask

    def state(self, i: int, fields: Iterable[str]) -> dict[str, Value]:
        """Row i as a mapping of the asked fields that these states know."""
        return {field: self.column(field)[i] for field in fields if self.has(field)}

    def example(self, i: int) -> dict[str, Value]:
        """The least concrete state behind row i."""
        if not self.examples:
            return dict(zip(self.fields, self.rows[i], strict=True))
        return dict(zip(EXAMPLE_FIELDS, self.examples[i], strict=True))


EXAMPLE_FIELDS = (*KNOWN[END], "player_pair", "banker_pair")


def mask_of(indexes: Iterable[int]) -> int:
    """The mask with these bits set."""
    data = bytearray()
    for i in indexes:
        byte = i >> 3
        if byte >= len(data):
            data.extend(bytes(byte + 1 - len(data)))
        data[byte] |= 1 << (i & 7)
    return int.from_bytes(data, "little")


def bits(mask: int) -> Iterator[int]:
    """The set bits of a mask, ascending."""
    text = bin(mask)[:1:-1]
    place = text.find("1")
    while place >= 0:
        yield place
        place = text.find("1", place + 1)


def first_bit(mask: int) -> int:
    """The lowest set bit of a mask that isn't zero."""
    return (mask & -mask).bit_length() - 1

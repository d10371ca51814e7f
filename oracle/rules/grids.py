"""Printed grids: rows of letters under columns of values."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator

import msgspec

from oracle.rules.answers import Atom
from oracle.rules.fields import Fields, scalar, texts
from oracle.rules.guards import field_of, read_value, unknown_field
from oracle.rules.model import Test
from oracle.rules.nodes import Mapping, Node, Scalar, Sequence, SpecFile
from oracle.rules.questions import Field, Question
from oracle.rules.values import Among, Value
from oracle.spans import Span
from oracle.text import did_you_mean


class GridRow(msgspec.Struct, frozen=True):
    """The cells of one row that hold the same letter. `line` is 0 where the grid doesn't say its lines."""

    line: int
    guard: tuple[Test, ...]
    answer: tuple[Atom, ...]
    span: Span


Cells = dict[str, list[Value]]


def read_grid(
    file: SpecFile, grid: Fields, question: Question, answer: Callable[[Node], tuple[Atom, ...]]
) -> Iterator[GridRow]:
    """The rows of a grid, one entry for each letter in each; problems for overlapping or ragged ones."""
    legend = {key.text: answer(node) for key, node in grid.pairs("legend")}
    columns = _axis(file, grid, "columns", question, "as in columns: {player_third: [0, 1, 2]}")
    values = None if columns is None else _column_values(file, *columns)
    rows = _axis(file, grid, "rows", question, 'as in rows: {banker2: {7: "S S D"}}')
    if columns is None or rows is None:
        return
    column_field, (row_field, row_node) = columns[0], rows
    if column_field.name == row_field.name:
        what = f"rows and columns of one field, {row_field.name}"
        file.problem("bad-grid", what, grid.place("rows"), help="a grid crosses two fields")
        return
    if not isinstance(row_node, Mapping):
        what = "rows without values"
        file.problem("wrong-kind", what, row_node.span, help='write each row as value: "S S D"')
        return
    first = _first_line(file, grid, len(row_node.pairs))
    seen: dict[Value, Span] = {}
    for offset, (key, node) in enumerate(row_node.pairs):
        value = read_value(file, key.text, key.span, row_field)
        if value is not None and value in seen:
            what = f"row {value} stands twice, first in line {seen[value].line}"
            file.problem("grid-overlap", what, key.span, help="each row once")
            continue
        cells = None if values is None or not legend else _cells(file, node, values, legend)
        if value is None or cells is None:
            continue
        seen[value] = key.span
        for letter, found in sorted(cells.items()):
            if not legend[letter]:
                continue
            columns_of = frozenset(found)
            shown = ", ".join(str(v) for v in found)
            yield GridRow(
                first + offset if first else 0,
                (
                    Test(row_field.name, Among(frozenset([value])), str(value), key.span),
                    Test(column_field.name, Among(columns_of), shown, node.span),
                ),
                legend[letter],
                node.span,
            )


def _axis(file: SpecFile, grid: Fields, name: str, question: Question, example: str) -> tuple[Field, Node] | None:
    """The one field of the rows or the columns, and what stands under it."""
    pairs = grid.pairs(name)
    if len(pairs) != 1:
        if len(pairs) > 1:
            file.problem("bad-grid", f"{name} of {len(pairs)} fields", pairs[1][0].span, help=example)
        return None
    key, node = pairs[0]
    field = field_of(question, key.text)
    if field is None:
        unknown_field(file, question, key.text, key.span)
        return None
    return field, node


def _column_values(file: SpecFile, field: Field, node: Node) -> list[Value] | None:
    """The columns in printed order; None if one of them can't be read."""
    if not isinstance(node, Sequence):
        file.problem("wrong-kind", "columns that are no list", node.span, help="write them as in [0, 1, 2]")
        return None
    found: dict[Value, Span] = {}
    values: list[Value | None] = []
    for text, span in texts(file, node):
        value = read_value(file, text, span, field)
        values.append(value)
        if value is not None and value in found:
            file.problem("grid-overlap", f"column {value} stands twice", span, help="each column once")
        elif value is not None:
            found[value] = span
    known = [value for value in values if value is not None]
    return known if known and len(known) == len(node.items) else None


def _cells(file: SpecFile, node: Node, values: list[Value], legend: dict[str, tuple[Atom, ...]]) -> Cells | None:
    """The columns of a row by the letter that they hold; None if the row can't be read."""
    text = scalar(file, node)
    if text is None:
        return None
    cells = list(re.finditer(r"\S+", text))
    if len(cells) != len(values):
        what = f"{len(cells)} cells under {len(values)} columns"
        file.problem("ragged-grid", what, node.span, help="one letter for each column, separated by spaces")
        return None
    by_letter: Cells = {}
    for value, cell in zip(values, cells, strict=True):
        letter = cell.group()
        if letter in legend:
            by_letter.setdefault(letter, []).append(value)
        else:
            what = f"`{letter[:10]}` is not in the legend"
            place = _inside(file, node, text, cell)
            file.problem("unknown-letter", what, place, help=did_you_mean(letter, legend))
    return by_letter


def _inside(file: SpecFile, node: Node, text: str, part: re.Match[str]) -> Span:
    """Where a part of a scalar stands; the whole scalar if it is not written in one line as it reads."""
    span = node.span
    quote = 0 if isinstance(node, Scalar) and node.plain else 1
    start = span.column + quote
    if file.lines[span.line - 1][start - 1 :].startswith(text):
        return Span(file.name, span.line, start + part.start(), span.line, start + part.end())
    return span


def _first_line(file: SpecFile, grid: Fields, rows: int) -> int:
    """The line of the first row; 0 (with a problem) if the lines don't fit the rows."""
    text = grid.text("lines")
    if not text:
        return 0
    match = re.match(r"([0-9]{1,6})(?:-([0-9]{1,6}))?\Z", text)
    if not match:
        what = f"`{text[:40]}` is no range of lines"
        file.problem("bad-cite", what, grid.place("lines"), help="first and last line, as in 61-68")
        return 0
    first, last = int(match[1]), int(match[2] or match[1])
    if first > last:
        what = f"the lines {text} run backwards"
        file.problem("backwards-range", what, grid.place("lines"), help="the lower line comes first")
        return 0
    if last - first + 1 != rows:
        what = f"{rows} row{'s' * (rows != 1)} for {last - first + 1} lines"
        file.problem("ragged-grid", what, grid.place("lines"), help="each row of the grid has its own line")
        return 0
    return first

"""Cases as a Parquet file, through pyarrow, which the extra `parquet` installs."""

from __future__ import annotations

import importlib
from collections.abc import Iterable, Iterator, Mapping
from itertools import islice
from pathlib import Path
from typing import Any

from oracle.files import part_file
from oracle.spans import OracleError

_GROUP = 50_000  # rows
_NUMBERS = ("player_total", "banker_total")
_COUNTS = ("dealt", "burnt", "decks")
_TRUTHS = ("player_pair", "banker_pair", "legal", "cut_card", "reshuffle", "ended")


def write_parquet(path: Path, table: Iterable[list[str]], about: Mapping[str, str] | None = None) -> None:
    """Write a table, whose first row is the header, atomically; what is empty is null.

    Totals and counts of cards are integers, what is so or not truth values, all else is text. `about` is kept as the
    file's metadata. Raises `OracleError`.
    """
    arrow, parquet = _pyarrow()
    found = iter(table)
    names = next(found)
    types = {**dict.fromkeys(_NUMBERS, arrow.int8()), **dict.fromkeys(_TRUTHS, arrow.bool_())}
    types |= dict.fromkeys(_COUNTS, arrow.int32())
    schema = arrow.schema([(name, types.get(name, arrow.string())) for name in names], metadata=about)
    with (
        part_file(path) as stream,
        parquet.ParquetWriter(stream, schema, compression="zstd") as writer,
    ):
        for columns in _columns(found, names):
            writer.write_table(arrow.table(columns, schema=schema))


def _columns(rows: Iterator[list[str]], names: list[str]) -> Iterator[dict[str, list[object]]]:
    read = [int if name in (*_NUMBERS, *_COUNTS) else _truth if name in _TRUTHS else str for name in names]
    while batch := list(islice(rows, _GROUP)):
        yield {
            name: [make(text) if text else None for text in column]
            for name, make, column in zip(names, read, zip(*batch, strict=True), strict=True)
        }


def _truth(text: str) -> bool:
    return text == "true"


def _pyarrow() -> tuple[Any, Any]:
    try:
        return importlib.import_module("pyarrow"), importlib.import_module("pyarrow.parquet")
    except ImportError:
        raise OracleError(
            "Parquet needs pyarrow, which is not installed: pip install 'baccarat-oracle[parquet]'; "
            "jsonl and csv need nothing"
        ) from None

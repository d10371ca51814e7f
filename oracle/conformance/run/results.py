"""Answers that somebody wrote into a file: JSON Lines or CSV, a row for each case of exported fixtures, by its id.

A row of JSON is a result of the protocol with the `id` of the fixture. The columns of CSV are `COLUMNS` and `net_BET`;
an empty field is one that isn't there.
"""

from __future__ import annotations

import csv
from codecs import BOM_UTF8
from collections.abc import Callable, Iterable, Iterator
from pathlib import Path
from typing import Any

import msgspec

from oracle.cases.case import KINDS, Case, Kind
from oracle.conformance.judge import Judge, Outcome
from oracle.conformance.protocol.decode import Reader
from oracle.conformance.protocol.keys_twice import key_twice
from oracle.conformance.protocol.messages import PROTOCOL, Implementation, Started
from oracle.conformance.protocol.trouble import Trouble
from oracle.conformance.run.asked import Askable
from oracle.conformance.run.limits import MAX_BATCH
from oracle.conformance.run.log import Event, Header, Verdict
from oracle.conformance.run.process import MAX_LINE, MAX_OUTPUT, MIB
from oracle.conformance.run.runner import Subject
from oracle.conformance.run.tally import Record
from oracle.programs.observables import IN_FILES, OBSERVABLES, TABLE, AnswerField, reported, truth
from oracle.spans import OracleError
from oracle.text import did_you_mean, printable, quoted

COLUMNS = (
    "id", *(place.column for each in TABLE if not each.by_bet for place in each.places),
    "legal", "reshuffle", "balances", "ended", "rank", "suit", "skipped", "error",
)  # fmt: skip
BY_BET_COLUMNS = tuple(f"{place.column}_" for each in TABLE if each.by_bet for place in each.places)
"""How the columns begin that have a bet after it."""
_LOOK = 4096  # bytes, to tell JSON from CSV


class ResultsFile:
    """The rows of a file by id, each as the JSON of a result. Raises `OracleError` with the line that is wrong."""

    def __init__(self, path: Path) -> None:
        self.path = path
        self.rows: dict[str, bytes] = {}
        self.fields: set[str] = set()
        try:
            if path.exists() and not path.is_file():
                raise OracleError(f"can't read {self._name}: it is no regular file")
            if path.stat().st_size > MAX_OUTPUT:
                raise OracleError(f"{self._name} is larger than {MAX_OUTPUT // MIB} MiB")
            with path.open("rb") as file:
                begin = file.read(_LOOK).removeprefix(BOM_UTF8)
                is_json = not begin or begin.lstrip().startswith(b"{")
            for number, row, written in self._json() if is_json else self._csv():
                self._add(number, row, written)
        except OSError as error:
            raise OracleError(f"can't read {self._name}: {error.strerror}") from error
        except UnicodeDecodeError as error:
            raise OracleError(f"{self._name} is not UTF-8") from error

    @property
    def _name(self) -> str:
        return printable(str(self.path))

    def declared(self) -> Started:
        """What the file answers: the kinds that its ids have, the observables that some row reports."""
        kinds = tuple(kind for kind in KINDS if any(id.startswith(f"{kind}-") for id in self.rows))
        who = Implementation(self.path.name)
        return Started(PROTOCOL, who, ("*",), kinds, tuple(name for name in OBSERVABLES if name in self.fields))

    def _add(self, number: int, row: dict[str, Any], written: bytes) -> None:
        id = row.get("id")
        if not isinstance(id, str) or not id:
            raise OracleError(f"{self._name}:{number}: a row without an id")
        if id in self.rows:
            raise OracleError(f"{self._name}:{number}: {printable(id[:40])} has a row already")
        self.fields.update(reported(row))
        self.rows[id] = written

    def _json(self) -> Iterator[tuple[int, dict[str, Any], bytes]]:
        """Lines with what they say, and as they are written: numbers have to be read so."""
        with self.path.open("rb") as file:
            for number, whole in enumerate(file, 1):
                line = (whole.removeprefix(BOM_UTF8) if number == 1 else whole).strip()
                if not line:
                    continue
                if len(line) > MAX_LINE:
                    raise OracleError(f"{self._name}:{number}: a line of more than {MAX_LINE // MIB} MiB")
                try:
                    row = msgspec.json.decode(line)
                    twice = key_twice(line)
                except (msgspec.DecodeError, RecursionError, ValueError) as error:
                    raise OracleError(f"{self._name}:{number}: no JSON: {printable(str(error))}") from error
                if twice is not None:
                    raise OracleError(f"{self._name}:{number}: the key {quoted(twice)} stands twice")
                if not isinstance(row, dict):
                    raise OracleError(f"{self._name}:{number}: no JSON object")
                yield number, row, line

    def _csv(self) -> Iterator[tuple[int, dict[str, Any], bytes]]:
        with self.path.open(encoding="utf-8-sig", newline="") as file:
            reader = csv.reader(file, strict=True)
            try:
                header = [name.strip() for name in next(reader, [])]
                self._check_columns(header)
                for cells in reader:
                    if any(cells):
                        row = self._cells(header, cells, reader.line_num)
                        yield reader.line_num, row, msgspec.json.encode(row)
            except csv.Error as error:
                raise OracleError(f"{self._name}:{reader.line_num}: no CSV: {printable(str(error))}") from error

    def _cells(self, header: list[str], cells: list[str], line: int) -> dict[str, Any]:
        if len(cells) != len(header):
            raise OracleError(f"{self._name}:{line}: {len(cells)} fields for {len(header)} columns")
        try:
            return _row({name: cell.strip() for name, cell in zip(header, cells, strict=True) if cell.strip()})
        except _BadField as error:
            raise OracleError(f"{self._name}:{line}: {error}") from error

    def _check_columns(self, header: list[str]) -> None:
        if "id" not in header:
            raise OracleError(f"{self._name}: its first line names no column id; columns are {', '.join(COLUMNS)}")
        for name in header:
            if name not in COLUMNS and not name.startswith(BY_BET_COLUMNS):
                near = did_you_mean(name, (*COLUMNS, *(f"{begin}banker" for begin in BY_BET_COLUMNS)))
                raise OracleError(f"{self._name}: no column {quoted(name)}: {near}")
            if header.count(name) > 1:
                raise OracleError(f"{self._name}: column {name} stands twice")


class _BadField(ValueError):
    """A field of CSV that can't be what its column says."""


def _row(cells: dict[str, str]) -> dict[str, Any]:
    """A row of CSV as a result."""
    result: dict[str, Any] = {"id": cells["id"]} if "id" in cells else {}
    of_coup = {field.name: value for field in IN_FILES if (value := _value(field, cells)) not in (None, {})}
    plain = {field.name for field in IN_FILES if not (field.grouped or field.by_bet)}
    result |= {name: value for name, value in of_coup.items() if name in plain}
    result |= {name: cells[name] for name in _SAME if name in cells}
    result |= of_coup
    for name in _TRUTHS:
        if told := cells.get(name):
            result[name] = _read(truth, name, told)
    if balances := cells.get("balances"):
        result["balances"] = balances.replace(",", " ").split()
    return result


_SAME = ("rank", "suit", "skipped", "error")
_TRUTHS = ("legal", "reshuffle", "ended")


def _value(field: AnswerField, cells: dict[str, str]) -> Any:
    """What a row of CSV has in a field of an answer about a coup; None or an empty group if nothing."""
    if field.by_bet:
        begin = f"{field.places[0][1].column}_"
        return {name.removeprefix(begin): text for name, text in cells.items() if name.startswith(begin)}
    found = {
        place.inner: _read(each.form.cell, place.column, text)
        for each, place in field.places
        if (text := cells.get(place.column))
    }
    return found if field.grouped else found.get("")


def _read(cell: Callable[[str], Any], name: str, text: str) -> Any:
    try:
        return cell(text)
    except ValueError as error:
        raise _BadField(f"{name} is {error}: {quoted(text)}") from error


def judge_results(
    results: ResultsFile, cases: Callable[[Header], Iterable[Case]], *, subject: Subject, record: Record
) -> Verdict:
    """Compare a file with cases, and close the log. A case without a row is skipped."""
    declared = results.declared()
    header = subject.header(declared)
    record.begin(header)
    askable = Askable(declared.kinds, declared.observables, declared.bets, subject.offered)
    record.left_out = askable.left_out
    judge = Judge(declared.observables)
    readers: dict[Kind, Reader] = {kind: Reader(kind, declared.observables) for kind in KINDS}
    waiting: list[Case] = []
    outcomes: list[Outcome] = []
    used = 0
    for case in cases(header):
        if not askable.asks(case):
            record.not_asked[case.kind] += 1
            continue
        used += case.id in results.rows
        waiting.append(case)
        outcomes.append(_outcome(results.rows.get(case.id), case, readers[case.kind], judge))
        if len(waiting) == MAX_BATCH:
            record.note(waiting, outcomes)
            waiting, outcomes = [], []
    record.note(waiting, outcomes)
    if used < len(results.rows) and not subject.only:
        hint = "" if used else "; if a tier was exported, name it by --tier here, too"
        record.event(Event("rows", f"rows for cases that were not asked: {len(results.rows) - used:,}{hint}"))
    return record.close(finished=True)


def _outcome(row: bytes | None, case: Case, reader: Reader, judge: Judge) -> Outcome:
    if row is None:
        return Outcome("skipped", why="the file has no row for it")
    try:
        (said,) = reader.read(b'{"seq":0,"results":[%b]}' % row, 0, [case.id])
    except Trouble as error:
        return Outcome("error", why=error.why, said=error.said)
    return judge.outcome(case, said)

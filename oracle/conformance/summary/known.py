"""Known failures: a list of cases and decision cells that are wrong, each with the reason why that is accepted.

JSON Lines: `{"format":1,"rules":"home-pt"}`, then `{"case":"coup-…","reason":"…"}` or
`{"cell":"banker_draw 3/7","reason":"…"}`, an entry a line. A cell stands for every case that comes to it. Whatever is
listed has to be wrong: an entry that passes, or that was not asked, is stale.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path

import msgspec

from oracle.conformance.run.log import Line, Log
from oracle.spans import OracleError
from oracle.text import printable

FORMAT = 1
MAX_BYTES = 64 << 20


class KnownHead(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """The first line of a list: of which rule set it is."""

    format: int
    rules: str


class KnownEntry(msgspec.Struct, frozen=True, forbid_unknown_fields=True, omit_defaults=True):
    """A line of a list: a case or a cell, one of the two."""

    case: str = ""
    cell: str = ""
    reason: str = ""

    @property
    def name(self) -> str:
        """The case or the cell."""
        return self.case or self.cell


class Known(msgspec.Struct, frozen=True):
    """A list of known failures: reasons by case and by cell."""

    rules: str
    cases: dict[str, str]
    cells: dict[str, str]


class Matched(msgspec.Struct, frozen=True):
    """What became of a list: how many cases it accounts for, and its entries that passed or were not asked."""

    entries: int
    cases: int
    passed: tuple[str, ...]
    not_asked: tuple[str, ...]

    @property
    def stale(self) -> bool:
        """Whether the list says anything that isn't so."""
        return bool(self.passed or self.not_asked)


NO_KNOWN = Known("", {}, {})


class Matcher:
    """Holds the outcomes of a run against a list."""

    def __init__(self, known: Known) -> None:
        self.known = known
        self._count = 0
        self._passed: dict[str, None] = {}
        self._failed: set[str] = set()

    def passed(self, line: Line) -> None:
        """A case that passed."""
        if line.id in self.known.cases:
            self._passed[line.id] = None

    def failed(self, line: Line) -> bool:
        """A case that did not pass: whether it is listed, itself or by a cell."""
        names = [name for name in (line.id, *line.cells) if name in self.known.cases or name in self.known.cells]
        self._failed.update(names)
        self._count += bool(names)
        return bool(names)

    def matched(self, cells: Mapping[str, tuple[int, int]]) -> Matched:
        """The result; `cells` as in the footer of a log, how many passed and were checked."""
        known = self.known
        cell_passed = [cell for cell in known.cells if cells.get(cell, (0, 0))[0]]
        asked = self._failed | set(self._passed) | set(cell_passed)
        return Matched(
            entries=len(known.cases) + len(known.cells),
            cases=self._count,
            passed=(*self._passed, *cell_passed),
            not_asked=tuple(name for name in (*known.cases, *known.cells) if name not in asked),
        )


def read_known(path: Path, rules: str) -> Known:
    """A list for a rule set. Raises `OracleError` with the line that is wrong."""
    shown = printable(str(path))
    known = Known(rules, {}, {})
    try:
        if path.stat().st_size > MAX_BYTES:
            raise OracleError(f"{shown} is larger than {MAX_BYTES >> 20} MiB")
        lines = path.read_bytes().splitlines()
    except OSError as error:
        raise OracleError(f"can't read {shown}: {error.strerror}") from error
    number = 1
    try:
        head = msgspec.json.decode(lines[0] if lines else b"", type=KnownHead)
        _check(head, rules)
        decoder = msgspec.json.Decoder(KnownEntry)
        while number < len(lines):
            line, number = lines[number], number + 1
            if line.strip():
                _add(known, decoder.decode(line))
    except (msgspec.DecodeError, RecursionError, _BadLine) as error:
        raise OracleError(f"{shown}:{number}: {printable(str(error))}") from error
    return known


class _BadLine(ValueError):
    """A line of a list that can't stand."""


def _check(head: KnownHead, rules: str) -> None:
    if head.format != FORMAT:
        raise _BadLine(f"a list of format {head.format}, not {FORMAT}")
    if head.rules != rules:
        raise _BadLine(f"a list for {head.rules[:60]}, not for {rules}")


def _add(known: Known, entry: KnownEntry) -> None:
    if bool(entry.case) == bool(entry.cell):
        raise _BadLine("an entry names a case or a cell, one of the two")
    place = known.cases if entry.case else known.cells
    if entry.name in place:
        raise _BadLine(f"{entry.name[:60]} stands twice")
    if not entry.reason.strip():
        raise _BadLine(f"{entry.name[:60]} has no reason: say why this failure is accepted")
    place[entry.name] = entry.reason


def known_text(log: Log, before: Known = NO_KNOWN) -> str:
    """A list of all that is wrong in a run, with reasons to fill in but for those that `before` has.

    Where every case that comes to a cell is wrong the cell stands for them.
    """
    wrong = {cell for cell, (passed, _) in (log.footer.cells if log.footer else {}).items() if not passed}
    entries: dict[str, KnownEntry] = {}
    for line in log.lines(passed=False):
        if line.outcome == "pass":
            continue
        found = [cell for cell in line.cells if cell in wrong]
        for entry in _entries(line, found[-1:], before):
            entries.setdefault(entry.name, entry)
    encode = msgspec.json.encode
    lines: Iterable[bytes] = (encode(KnownHead(FORMAT, log.header.rules)), *map(_encode, entries.values()))
    return "".join(f"{line.decode()}\n" for line in lines)


def _entries(line: Line, cells: list[str], before: Known) -> Iterator[KnownEntry]:
    for cell in cells:  # the last decision of a coup tells most
        yield KnownEntry(cell=cell, reason=before.cells.get(cell, ""))
    if not cells:
        yield KnownEntry(case=line.id, reason=before.cases.get(line.id, ""))


def _encode(entry: KnownEntry) -> bytes:
    name = ("case", entry.case) if entry.case else ("cell", entry.cell)
    return msgspec.json.encode(dict([name, ("reason", entry.reason)]))

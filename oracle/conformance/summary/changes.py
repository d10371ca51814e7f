"""Two runs beside each other: what was mended, what broke, what is still wrong.

From logs case by case. From a `test.json`, which holds no cases, by how many there are of each fault.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any, Literal

import msgspec

from oracle.conformance.run.log import Log, Verdict
from oracle.conformance.summary.summary import common
from oracle.spans import OracleError
from oracle.text import printable

Kind = Literal["mended", "broke", "still"]
KINDS: tuple[Kind, ...] = ("broke", "mended", "still")
_MAX_JSON = 256 << 20


class WrongCase(msgspec.Struct, frozen=True, gc=False):
    """A case that was wrong: what it is gathered under, and what was answered, to tell whether that changed."""

    fault: str
    said: str


class RunCases(msgspec.Struct, frozen=True):
    """A run as far as comparing needs it. `passed` and `wrong` are by case, None where only faults are known."""

    name: str
    rules: str
    verdict: Verdict
    tiers: tuple[str, ...]
    faults: dict[str, int]
    cells: frozenset[str]
    wrong: dict[str, WrongCase] | None
    passed: frozenset[str] | None


class CaseChange(msgspec.Struct, frozen=True):
    """Cases of one fault that were mended, broke, or are still wrong; `example` is one of them, if they are known.

    `otherwise` of those that are still wrong are wrong in another way.
    """

    kind: Kind
    fault: str
    is_cell: bool
    count: int
    example: str = ""
    otherwise: int = 0


class Changes(msgspec.Struct, frozen=True):
    """All changes. `dropped` cases were asked only in the old run, `added` only in the new one."""

    old: RunCases
    new: RunCases
    by_case: bool
    changes: tuple[CaseChange, ...]
    dropped: int
    added: int

    def count(self, kind: Kind) -> int:
        """How many cases."""
        return sum(change.count for change in self.changes if change.kind == kind)

    @property
    def exit(self) -> int:
        """3 if a run is incomplete or asked less than the old one, else 1 if anything regressed, else 0."""
        if "incomplete" in (self.old.verdict, self.new.verdict) or self.dropped or not self._same_tiers():
            return 3
        worse = self.new.verdict == "differs" and self.old.verdict != "differs"  # in fresh cases, which change
        return int(self.count("broke") > 0 or worse)

    def _same_tiers(self) -> bool:
        return self.by_case or set(self.old.tiers) == set(self.new.tiers)


def read_run(path: Path) -> RunCases:
    """A run from its log or its test.json. Raises `OracleError`."""
    name = printable(str(path))
    try:
        with path.open("rb") as file:
            is_log = file.readline(1000).startswith(b'{"type":')
        if is_log:
            return _from_log(Log(path), name)
        if path.stat().st_size > _MAX_JSON:
            raise OracleError(f"{name} is larger than {_MAX_JSON >> 20} MiB")
        return _from_json(msgspec.json.decode(path.read_bytes(), type=_TestJson), name)
    except OSError as error:
        raise OracleError(f"can't read {name}: {error.strerror}") from error
    except (msgspec.DecodeError, RecursionError) as error:
        raise OracleError(f"{name} is neither a log nor a test.json: {printable(str(error))}") from error


def compare_runs(old: RunCases, new: RunCases) -> Changes:
    """What changed from one run to another by the same rules. Raises `OracleError` if they are by others."""
    if old.rules != new.rules:
        raise OracleError(f"{old.name} is by {printable(old.rules[:60])}, {new.name} by {printable(new.rules[:60])}")
    if old.wrong is None or new.wrong is None or old.passed is None or new.passed is None:
        found = [*_by_fault(old, new)]
        return Changes(old, new, by_case=False, changes=_sorted(found), dropped=0, added=0)
    groups: dict[tuple[Kind, str], list[str]] = {}
    otherwise: dict[str, int] = {}
    for id, case in old.wrong.items():
        if id in new.wrong:
            now = new.wrong[id]
            groups.setdefault(("still", now.fault), []).append(id)
            otherwise[now.fault] = otherwise.get(now.fault, 0) + (now.said != case.said)
        elif id in new.passed:
            groups.setdefault(("mended", case.fault), []).append(id)
    for id, case in new.wrong.items():
        if id not in old.wrong:
            groups.setdefault(("broke", case.fault), []).append(id)
    cells = old.cells | new.cells
    changes = [
        CaseChange(kind, fault, fault in cells, len(ids), ids[0], otherwise.get(fault, 0) if kind == "still" else 0)
        for (kind, fault), ids in groups.items()
    ]
    before, after = old.passed | old.wrong.keys(), new.passed | new.wrong.keys()
    return Changes(
        old, new, by_case=True, changes=_sorted(changes), dropped=len(before - after), added=len(after - before)
    )


def _by_fault(old: RunCases, new: RunCases) -> Iterator[CaseChange]:
    for fault in dict.fromkeys((*old.faults, *new.faults)):
        before, after = old.faults.get(fault, 0), new.faults.get(fault, 0)
        counts: Mapping[Kind, int] = {
            "mended": max(0, before - after),
            "broke": max(0, after - before),
            "still": min(before, after),
        }
        is_cell = fault in old.cells or fault in new.cells
        yield from (CaseChange(kind, fault, is_cell, count) for kind, count in counts.items() if count)


def _sorted(changes: list[CaseChange]) -> tuple[CaseChange, ...]:
    return tuple(sorted(changes, key=lambda change: (KINDS.index(change.kind), -change.count)))


def _from_log(log: Log, name: str) -> RunCases:
    cells = log.footer.cells if log.footer else {}
    wrong: dict[str, WrongCase] = {}
    passed: set[str] = set()
    faults: dict[str, int] = {}
    for line in log.lines():
        if line.outcome == "pass":
            passed.add(line.id)
            continue
        fault = common(line, cells) if line.outcome == "fail" else f"{line.outcome}: {line.why}"
        faults[fault] = faults.get(fault, 0) + 1
        said = "; ".join(f"{d.observable} {d.got}" for d in line.differs)
        wrong[line.id] = WrongCase(fault, said or line.why)
    passed -= wrong.keys()  # a case of two tiers may come twice
    header = log.header
    return RunCases(name, header.rules, log.verdict, header.tiers, faults, frozenset(cells), wrong, frozenset(passed))


class _Fault(msgspec.Struct, frozen=True):
    name: str
    differ: int
    cells: tuple[str, ...] = ()


class _Unanswered(msgspec.Struct, frozen=True):
    outcome: str
    why: str
    count: int


class _TestJson(msgspec.Struct, frozen=True):
    """What is read of a test.json."""

    format: Literal[2]
    verdict: Verdict
    rules: str
    tiers: tuple[str, ...]
    faults: tuple[_Fault, ...]
    unanswered: tuple[_Unanswered, ...]


def _from_json(run: Any, name: str) -> RunCases:
    faults = {fault.name: fault.differ for fault in run.faults}
    faults.update({f"{entry.outcome}: {entry.why}": entry.count for entry in run.unanswered})
    cells = frozenset(cell for fault in run.faults for cell in fault.cells)
    return RunCases(name, run.rules, run.verdict, run.tiers, faults, cells, None, None)

"""The log of a run, one JSON object a line: a header, an outcome for each case in order, events, and a footer.

Everything that is told of a run comes from its log. Without a footer that agrees with the lines above it the run
counts as incomplete, whatever else it says.
"""

from __future__ import annotations

import contextlib
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from types import TracebackType
from typing import IO, Any, Literal

import msgspec
from msgspec import UNSET, UnsetType

from oracle.cases.case import Step
from oracle.conformance.judge import WORDS, Difference, Word
from oracle.conformance.protocol.messages import Implementation
from oracle.spans import OracleError
from oracle.text import printable

LOG_FORMAT = 1
_PASS, _PASSED = b'{"type":"case","id":"', b'","outcome":"pass"}\n'
Verdict = Literal["conforms", "differs", "incomplete"]
EXIT: dict[Verdict, int] = {"conforms": 0, "differs": 1, "incomplete": 3}


class Header(msgspec.Struct, frozen=True, tag="header", kw_only=True):
    """What was run. `target` is how the user named the program, as `-- node mine.js`; from `seed` is
    drawn whatever a run chooses at random, but not the ids on the wire.

    `specs` are the folders of own specs, `only` the ids that were asked for; `adaptive`: each next case was chosen by
    the answers before. The declaration of the implementation is empty if it never got so far; `bets`, `choices` and
    `options` are there if it declares them.
    """

    format: int = LOG_FORMAT
    protocol: int
    rules: str
    tiers: tuple[str, ...]
    only: tuple[str, ...]
    specs: tuple[str, ...]
    target: tuple[str, ...]
    seed: str
    implementation: Implementation | None
    kinds: tuple[str, ...]
    observables: tuple[str, ...]
    adaptive: bool | UnsetType = UNSET
    bets: tuple[str, ...] | UnsetType = UNSET
    choices: tuple[str, ...] | UnsetType = UNSET
    options: dict[str, list[str | int | float | bool]] | UnsetType = UNSET


class Line(msgspec.Struct, frozen=True, tag="case", omit_defaults=True, gc=False):
    """The outcome of one case. What was asked stands with every outcome but pass, which is short.

    `why` is the same for all cases with the same mistake of form; `said` is what was said in this one.
    """

    id: str
    outcome: Word
    differs: tuple[Difference, ...] = ()
    why: str = ""
    kind: str = ""
    cards: tuple[str, ...] = ()
    bets: dict[str, str] = {}
    balance: str | None = None
    cells: tuple[str, ...] = ()
    dealt: int | None = None
    burnt: int = 0
    decks: int | None = None
    cut_card: bool | None = None
    steps: tuple[Step, ...] = ()
    text: str | None = None
    said: str = ""


class Event(msgspec.Struct, frozen=True, tag="event", omit_defaults=True):
    """Something that happened to the program: `what` is start, batch, case or gave-up; with the end of its stderr."""

    what: str
    why: str
    stderr: str = ""


class Again(msgspec.Struct, frozen=True, tag="again", omit_defaults=True, gc=False):
    """A failing case asked again by a program freshly started, after the cases `after` or alone: what came of it.

    It stands after all cases of the run and counts for none of them.
    """

    id: str
    outcome: Word
    differs: tuple[Difference, ...] = ()
    why: str = ""
    after: tuple[str, ...] = ()
    said: str = ""


class Footer(msgspec.Struct, frozen=True, tag="footer", kw_only=True):
    """The end of a run. `cells` says of each cell how many cases passed and how many were checked.

    `not_asked` counts cases by kind that the declaration leaves out. `compared` are the observables that some case
    asked for. `finished` is false if the run was given up. `again` counts what was asked again, if anything was.
    `silent` says of tiers why the rules have no cases for them, `left_out` which bets of the rules were not declared.
    """

    verdict: Verdict
    finished: bool
    counts: dict[str, int]
    not_asked: dict[str, int]
    restarts: int
    cells: dict[str, tuple[int, int]]
    compared: tuple[str, ...]
    silent: dict[str, str] = {}
    again: int | UnsetType = UNSET
    left_out: tuple[str, ...] | UnsetType = UNSET


Entry = Header | Line | Event | Again | Footer


class LogWriter:
    """Writes a log as the run goes; the file is made with the first line. Left without a footer, it never counts."""

    def __init__(self, path: Path) -> None:
        self.path = path
        self._encoder = msgspec.json.Encoder()
        self._file: IO[bytes] | None = None

    def __enter__(self) -> LogWriter:
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, at: TracebackType | None) -> None:
        if self._file is not None:
            self._file.close()

    def write(self, *entries: Entry) -> None:
        """Add entries, a line each. Raises `OracleError` if that fails."""
        self._add(self._encoder.encode_lines(entries))

    def write_passed(self, ids: Sequence[str]) -> None:
        """Add the lines of cases that passed: the same as `write` makes of them, all at once."""
        if ids:  # in JSON `","` can only stand between two texts
            self._add(_PASS + self._encoder.encode(ids)[2:-2].replace(b'","', _PASSED + _PASS) + _PASSED)

    def _add(self, lines: bytes) -> None:
        try:
            if self._file is None:
                self._file = self.path.open("wb")
            self._file.write(lines)
        except OSError as error:
            raise OracleError(f"can't write the log {printable(str(self.path))}: {error.strerror}") from error


class Log:
    """A log read back. Lines are read from the file each time, so that its length doesn't matter.

    `problems` say why it can't count as complete.
    """

    def __init__(self, path: Path) -> None:
        self.path = path
        self._decoder = msgspec.json.Decoder(Entry)
        self.again: list[Again] = []
        self.header, self.footer, counted, self.events, self.problems = self._survey()
        self.counts: dict[str, int] = {word: counted[word] for word in WORDS}

    @property
    def checked(self) -> int:
        """How many cases were answered, rightly or wrongly."""
        return self.counts["pass"] + self.counts["fail"]

    @property
    def verdict(self) -> Verdict:
        """What the lines say, provided that the footer says so too."""
        return "incomplete" if self.problems else verdict_of(self.counts)

    def lines(self, *, passed: bool = True) -> Iterator[Line]:
        """The outcome of every case, in order, up to where the log breaks off; without those that passed if so told."""
        with contextlib.suppress(msgspec.DecodeError, RecursionError), self.path.open("rb") as file:
            for line in file:
                if passed or not line.endswith(_PASSED):
                    entry = self._decoder.decode(line)
                    if isinstance(entry, Line):
                        yield entry

    def entries(self) -> Iterator[Entry]:
        """Everything in the log, line by line. Raises `OracleError` where it breaks off."""
        try:
            with self.path.open("rb") as file:
                for line in file:
                    yield self._decoder.decode(line)
        except (msgspec.DecodeError, RecursionError) as error:
            raise OracleError("the log breaks off, or holds a line that is none of a log") from error

    def _survey(self) -> tuple[Header, Footer | None, Counter[str], list[Event], list[str]]:
        header: Header | None = None
        footer: Footer | None = None
        counts: Counter[str] = Counter()
        events: list[Event] = []
        problems: list[str] = []
        try:
            with self.path.open("rb") as file:
                for line in file:
                    if footer is not None:
                        problems.append("something stands after the footer of the log")
                        break
                    match self._decoder.decode(line):
                        case Line() as entry:
                            counts[entry.outcome] += 1
                        case Event() as entry:
                            events.append(entry)
                        case Again() as entry:
                            self.again.append(entry)
                        case Header() as entry:
                            header = entry
                        case Footer() as entry:
                            footer = entry
        except (msgspec.DecodeError, RecursionError):
            problems.append("the log breaks off, or holds a line that is none of a log")
        except OSError as error:
            raise OracleError(f"can't read the log {printable(str(self.path))}: {error.strerror}") from error
        if header is None:
            raise OracleError(f"{printable(str(self.path))} is no log of a run: it has no header")
        if header.format != LOG_FORMAT:
            raise OracleError(f"{printable(str(self.path))} is a log of format {header.format}, not {LOG_FORMAT}")
        problems += self._against(footer, counts)
        if footer is not None and (footer.again or 0) != len(self.again):
            problems.append("the footer of the log counts other cases asked again than its lines")
        return header, footer, counts, events, problems

    @staticmethod
    def _against(footer: Footer | None, counts: Counter[str]) -> list[str]:
        if footer is None:
            return ["the log has no footer: the run was ended"]
        told = {word: footer.counts.get(word, 0) for word in WORDS}
        if told != {word: counts[word] for word in WORDS}:
            return ["the footer of the log counts other outcomes than its lines"]
        if not footer.finished:
            return ["the run was given up before its end"]
        if footer.verdict != verdict_of(told):
            return ["the footer of the log has another verdict than its lines"]
        return []


def verdict_of(counts: Mapping[Any, int]) -> Verdict:
    """What finished outcomes come to: nothing answered, or anything left unanswered, is never `conforms`."""
    if any(counts.get(word) for word in ("skipped", "error", "crashed")) or not (
        counts.get("pass", 0) + counts.get("fail", 0)
    ):
        return "incomplete"
    return "differs" if counts.get("fail") else "conforms"

"""The log of a run, one JSON object a line: a header, an outcome for each case in order, events, and a footer.

Everything that is reported of a run comes from its log, read back through the file that it was written to: its
SHA-256 is that of what was written, or the run is incomplete. Without a footer that agrees with the lines above it the
run counts as incomplete, whatever else it says.

The cases of the suite stand first; fresh cases after them, each in full, and those that were asked a second time. None
of these is mixed into the counts of the suite.
"""

from __future__ import annotations

import contextlib
import hashlib
import io
import os
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from types import TracebackType
from typing import IO, Any, BinaryIO, Literal

import msgspec
from msgspec import UNSET, UnsetType

from oracle.cases.case import Step
from oracle.cases.tiers import DEFAULT
from oracle.conformance.judge import WORDS, Difference, Word
from oracle.conformance.protocol.messages import Implementation
from oracle.spans import OracleError
from oracle.text import printable

LOG_FORMAT = 2
_PASS, _PASSED = b'{"type":"case","id":"', b'","outcome":"pass"}\n'
Verdict = Literal["conforms", "agrees", "differs", "incomplete"]
EXIT: dict[Verdict, int] = {"conforms": 0, "agrees": 0, "differs": 1, "incomplete": 3}
TROUBLES = ("start", "batch", "case")
"""Events that the program caused: it crashed, hung, or answered what can't be read at all."""


class Header(msgspec.Struct, frozen=True, tag="header", kw_only=True):
    """What was run. `target` is how the user named the program, as `-- node mine.js`; `seed` draws the fresh cases.

    `chosen` are the tiers that the user named, none for the default suite; `tiers` are those that were asked. `specs`
    are the folders of own specs, `only` the ids that were asked for, `ask` cases in full; `adaptive`: each next case
    was chosen by the answers before. Without `fresh` no case was drawn, and none asked a second time. The declaration
    of the implementation is empty if it never got so far.
    """

    format: int = LOG_FORMAT
    protocol: int
    rules: str
    chosen: tuple[str, ...] = ()
    tiers: tuple[str, ...]
    only: tuple[str, ...]
    ask: tuple[str, ...] = ()
    fresh: bool = False
    specs: tuple[str, ...]
    target: tuple[str, ...]
    seed: str
    implementation: Implementation | None
    kinds: tuple[str, ...]
    observables: tuple[str, ...]
    adaptive: bool | UnsetType = UNSET

    @property
    def restricted(self) -> str:
        """The option by which less was asked than the default suite and fresh cases; empty if there was none."""
        if self.adaptive:
            return "--adaptive"
        if self.target[:1] == ("--results",):
            return "--results"
        if self.only or self.ask:
            return "--case" if self.only else "--ask"
        if self.chosen and not set(self.chosen) >= {"minimal", *DEFAULT}:
            return "--tier"
        return "" if self.fresh else "--no-fresh"


class Line(msgspec.Struct, frozen=True, tag="case", omit_defaults=True, gc=False):
    """The outcome of one case. What was asked stands with every outcome but pass, which is short."""

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


class Fresh(msgspec.Struct, frozen=True, tag="fresh"):
    """The outcome of a fresh case, with what was asked, whatever came of it."""

    case: Line


class Repeat(msgspec.Struct, frozen=True, tag="repeat"):
    """The outcome of a case of the suite that passed, asked a second time by the same program, in another order."""

    case: Line


class Event(msgspec.Struct, frozen=True, tag="event", omit_defaults=True):
    """Something that happened to the program, with the end of its stderr.

    `what` is start, batch, case or gave-up; again, where asking again was stopped; unwatched, of what the system
    doesn't let the harness watch or end.
    """

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


class Footer(msgspec.Struct, frozen=True, tag="footer", kw_only=True):
    """The end of a run. `cells` says of each cell how many cases passed and how many were checked.

    `not_asked` counts cases by kind that the declaration leaves out. `answered` counts by kind the cases of the suite
    that got an answer, `compared` are the observables, and `bets` the bets whose nets, some answered case asked for.
    `fresh` has by kind the outcomes of fresh cases, `repeated` those of cases asked a second time. `finished` is false
    if the run was given up. `again` counts what was asked again, if anything was. `silent` says of tiers why the rules
    have no cases for them. `troubles` counts what the program caused: crashes, hangs, answers that can't be read.
    """

    verdict: Verdict
    finished: bool
    counts: dict[str, int]
    not_asked: dict[str, int]
    restarts: int
    cells: dict[str, tuple[int, int]]
    answered: dict[str, int]
    compared: tuple[str, ...]
    bets: tuple[str, ...] = ()
    fresh: dict[str, dict[str, int]] = {}
    repeated: dict[str, int] = {}
    troubles: int = 0
    silent: dict[str, str] = {}
    again: int | UnsetType = UNSET


Entry = Header | Line | Fresh | Repeat | Event | Again | Footer


class Unwritable(OracleError):
    """A log can't be written, which says nothing about what would stand in it."""


class LogWriter:
    """Writes a log as the run goes; the file is made with the first line. Left without a footer, it never counts.

    The SHA-256 of what was written is worked out as it is written. `read` reads the file through the descriptor that
    wrote it: whatever somebody puts in its place meanwhile is not looked at, and what is changed in it is noticed.
    """

    def __init__(self, path: Path) -> None:
        self.path = path
        self._encoder = msgspec.json.Encoder()
        self._file: IO[bytes] | None = None
        self._hash = hashlib.sha256()

    def __enter__(self) -> LogWriter:
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, at: TracebackType | None) -> None:
        if self._file is not None:
            try:
                self._file.close()
            except OSError as failed:
                if error is None:
                    raise self._unwritable(failed) from failed

    @property
    def sha256(self) -> str:
        """The SHA-256 of all that was written so far, in hexadecimal."""
        return self._hash.hexdigest()

    def write(self, *entries: Entry) -> None:
        """Add entries, a line each. Raises `Unwritable` if that fails."""
        self._add(self._encoder.encode_lines(entries))

    def write_passed(self, ids: Sequence[str]) -> None:
        """Add the lines of cases that passed: the same as `write` makes of them, all at once."""
        if ids:  # in JSON `","` can only stand between two texts
            self._add(_PASS + self._encoder.encode(ids)[2:-2].replace(b'","', _PASSED + _PASS) + _PASSED)

    def read(self) -> Log:
        """What was written, read back. Raises `OracleError` if that fails, or if nothing was."""
        if self._file is None:
            raise OracleError(f"{printable(str(self.path))} is no log of a run: nothing was written")
        try:
            self._file.flush()
            kept = _Kept(os.dup(self._file.fileno())) if hasattr(os, "pread") else None
            own = os.fstat(self._file.fileno())
        except OSError as error:
            raise OracleError(f"can't read the log {printable(str(self.path))}: {error.strerror}") from error
        try:
            there = self.path.stat()
            moved = (there.st_dev, there.st_ino) != (own.st_dev, own.st_ino)
        except OSError:
            moved = True
        log = Log(self.path, opened=kept.reader if kept else None, sha256=self.sha256)
        if moved:
            log.problems.append(f"something else was put in the place of the log {printable(str(self.path))}")
        return log

    def _add(self, lines: bytes) -> None:
        try:
            if self._file is None:
                self._file = self.path.open("w+b")
            self._file.write(lines)
        except OSError as error:
            raise self._unwritable(error) from error
        self._hash.update(lines)

    def _unwritable(self, error: OSError) -> Unwritable:
        return Unwritable(f"can't write the log {printable(str(self.path))}: {error.strerror}")


class _Kept:
    """A file that is kept open, to be read from its start any number of times."""

    def __init__(self, descriptor: int) -> None:
        self._descriptor = descriptor

    def reader(self) -> BinaryIO:
        """The file from its start."""
        return io.BufferedReader(_Positioned(self))

    def piece(self, length: int, at: int) -> bytes:
        """So many bytes from a place on, fewer at its end."""
        return os.pread(self._descriptor, length, at)

    def __del__(self) -> None:
        with contextlib.suppress(OSError):
            os.close(self._descriptor)


class _Positioned(io.RawIOBase):
    """Reads a file that is kept open from its start, without moving it for others."""

    def __init__(self, kept: _Kept) -> None:
        self._kept = kept
        self._at = 0

    def readable(self) -> bool:
        """It is."""
        return True

    def readinto(self, buffer: Any) -> int:
        """Fill a buffer with what follows."""
        piece = self._kept.piece(len(buffer), self._at)
        buffer[: len(piece)] = piece
        self._at += len(piece)
        return len(piece)


class Log:
    """A log read back. Lines are read from the file each time, so that its length doesn't matter.

    `opened` opens it, by default from its path. `sha256` is what it has to have, if that is known; else it is what it
    has. `problems` say why it can't count as complete.
    """

    def __init__(self, path: Path, *, opened: Callable[[], BinaryIO] | None = None, sha256: str = "") -> None:
        self.path = path
        self.sha256 = sha256
        self._opened = opened
        self._decoder = msgspec.json.Decoder(Entry)
        self.again: list[Again] = []
        self.fresh: list[Line] = []
        self.repeats: list[Line] = []
        self.header, self.footer, counted, self.events, self.problems = self._survey()
        self.counts: dict[str, int] = {word: counted[word] for word in WORDS}

    @property
    def checked(self) -> int:
        """How many cases of the suite were answered, rightly or wrongly."""
        return self.counts["pass"] + self.counts["fail"]

    @property
    def wrong(self) -> int:
        """How many answers are wrong, those to fresh cases and to cases asked a second time too."""
        return (
            self.counts["fail"]
            + sum(line.outcome == "fail" for line in self.fresh)
            + sum(entry.outcome == "fail" for entry in self.repeats)
        )

    @property
    def verdict(self) -> Verdict:
        """What the lines say, provided that the footer says so too."""
        if self.problems or self.footer is None:
            return "incomplete"
        return verdict_of(self.header, self.footer)

    def open(self) -> BinaryIO:
        """The bytes of the log, from its start."""
        return self.path.open("rb") if self._opened is None else self._opened()

    def lines(self, *, passed: bool = True) -> Iterator[Line]:
        """The outcome of every case of the suite, in order, up to where the log breaks off.

        Without those that passed if so told.
        """
        with contextlib.suppress(msgspec.DecodeError, RecursionError), self.open() as file:
            for line in file:
                if passed or not line.endswith(_PASSED):
                    entry = self._decoder.decode(line)
                    if isinstance(entry, Line):
                        yield entry

    def entries(self) -> Iterator[Entry]:
        """Everything in the log, line by line. Raises `OracleError` where it breaks off."""
        try:
            with self.open() as file:
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
        found = hashlib.sha256()
        try:
            with self.open() as file:
                for line in file:
                    found.update(line)
                    if footer is not None:
                        problems.append("something stands after the footer of the log")
                        break
                    match self._decoder.decode(line):
                        case Line() as entry:
                            counts[entry.outcome] += 1
                        case Fresh() as entry:
                            self.fresh.append(entry.case)
                        case Repeat() as entry:
                            self.repeats.append(entry.case)
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
        if self.sha256 and self.sha256 != found.hexdigest():
            problems.append("something else changed the log while it was written")
        self.sha256 = self.sha256 or found.hexdigest()
        if header is None:
            raise OracleError(f"{printable(str(self.path))} is no log of a run: it has no header")
        if header.format != LOG_FORMAT:
            raise OracleError(f"{printable(str(self.path))} is a log of format {header.format}, not {LOG_FORMAT}")
        problems += self._against(header, footer, counts, events)
        return header, footer, counts, events, problems

    def _against(self, header: Header, footer: Footer | None, counts: Counter[str], events: list[Event]) -> list[str]:
        """What the footer says otherwise than the lines."""
        if footer is None:
            return ["the log has no footer: the run was ended"]
        if {word: footer.counts.get(word, 0) for word in WORDS} != {word: counts[word] for word in WORDS}:
            return ["the footer of the log counts other outcomes than its lines"]
        drawn = Counter((line.kind, line.outcome) for line in self.fresh)
        if drawn != Counter({(kind, word): n for kind, words in footer.fresh.items() for word, n in words.items()}):
            return ["the footer of the log counts other fresh cases than its lines"]
        if Counter(entry.outcome for entry in self.repeats) != Counter(footer.repeated):
            return ["the footer of the log counts other cases asked a second time than its lines"]
        if footer.troubles != sum(event.what in TROUBLES for event in events):
            return ["the footer of the log counts other events than its lines"]
        if (footer.again or 0) != len(self.again):
            return ["the footer of the log counts other cases asked again than its lines"]
        if not footer.finished:
            return ["the run was given up before its end"]
        if footer.verdict != verdict_of(header, footer):
            return ["the footer of the log has another verdict than its lines"]
        return []


def not_compared(header: Header, footer: Footer) -> list[str]:
    """What a program declared, the rules speak of, and nothing that it answered was compared with: `kind shoe`."""
    found = [f"kind {kind}" for kind in header.kinds if kind not in footer.silent and not footer.answered.get(kind)]
    if "coup" in header.kinds and footer.answered.get("coup"):
        found += [f"observable {name}" for name in header.observables if name not in footer.compared]
    return found


def verdict_of(header: Header, footer: Footer) -> Verdict:
    """The word for a run, by what was compared; the verdict that stands in the footer isn't looked at.

    `incomplete`: the run was given up, something was not answered, the program crashed, hung or had to be started
    again, nothing was compared, or something that it declared was not. `differs`: an answer is wrong. `agrees`: all
    are right, but less was asked than the default suite and fresh cases, or no coup. Else it `conforms`.
    """
    every = Counter(footer.counts) + Counter(footer.repeated)
    for words in footer.fresh.values():
        every += Counter(words)
    checked = footer.counts.get("pass", 0) + footer.counts.get("fail", 0)
    open_ones = any(every[word] for word in ("skipped", "error", "crashed"))
    if not footer.finished or open_ones or footer.troubles or footer.restarts or not checked:
        return "incomplete"
    restricted = header.restricted
    if not restricted and not_compared(header, footer):
        return "incomplete"
    if every["fail"]:
        return "differs"
    return "agrees" if restricted or not footer.answered.get("coup") else "conforms"

"""YAML text to a tree of located nodes, with every scalar kept as the text it is.

PyYAML's C parser only tells the events; what YAML would *make* of a scalar (8:1 is 481 in YAML 1.1) is
never asked. Anchors, aliases, tags, merge keys and duplicate keys are refused here, not by the readers.
"""

from __future__ import annotations

import re
import stat
import unicodedata
from collections.abc import Iterable
from pathlib import Path

import msgspec
import yaml

from oracle.rules.syntax import explain
from oracle.spans import Problem, Span
from oracle.text import printable

MAX_BYTES = 1_000_000
MAX_DEPTH = 24
MAX_PROBLEMS = 100

# What YAML allows in a file, less the byte order mark in its midst.
_HIDDEN = ("Cc", "Cf", "Cn", "Co", "Cs")
_UNFIT = re.compile("[^\t\n\r\x20-\x7e\x85\xa0-\ud7ff\ue000-\ufefe\uff00-\ufffd\U00010000-\U0010ffff]")


class Scalar(msgspec.Struct, frozen=True):
    """A scalar, as the text between its quotes."""

    text: str
    span: Span
    plain: bool = True

    @property
    def absent(self) -> bool:
        """Whether nothing at all is written, as after `key:`."""
        return self.plain and not self.text


class Sequence(msgspec.Struct, frozen=True):
    """A list of nodes."""

    items: tuple[Node, ...]
    span: Span


class Mapping(msgspec.Struct, frozen=True):
    """Keys and their nodes, in file order."""

    pairs: tuple[tuple[Scalar, Node], ...]
    span: Span


Node = Scalar | Sequence | Mapping


class TooManyProblems(Exception):
    """So much is wrong with a file that reading on would help nobody."""


class SpecFile:
    """The text of one spec, able to say what is wrong at a place of it."""

    def __init__(self, name: str, text: str) -> None:
        self.name = name
        self.text = text.removeprefix("\ufeff")
        self.lines = self.text.splitlines()
        self.problems: list[Problem] = []
        self._noted: set[Problem] = set()

    def problem(self, code: str, message: str, span: Span, *, help: str = "") -> None:
        """Note a mistake; reading goes on so that all mistakes of a file are told together.

        Raises `TooManyProblems` after the hundredth, which the reader of the file catches.
        """
        line = self.lines[span.line - 1] if 0 < span.line <= len(self.lines) else ""
        self.adopt([Problem(code, printable(message), span, printable(help), line)])

    def adopt(self, problems: Iterable[Problem]) -> None:
        """Note mistakes found elsewhere, each only once."""
        for problem in problems:
            if problem in self._noted:
                continue
            self._noted.add(problem)
            self.problems.append(problem)
            if len(self.problems) == MAX_PROBLEMS:
                last = Problem(
                    "too-many-problems",
                    f"{MAX_PROBLEMS} problems, and perhaps more",
                    problem.span,
                    "mend these and read the file again",
                    problem.line_text,
                )
                self.problems.append(last)
            if len(self.problems) >= MAX_PROBLEMS:
                raise TooManyProblems

    def at(self, line: int = 1, column: int = 1) -> Span:
        """The place of one character."""
        return Span(self.name, line, column, line, column + 1)


def read_text(path: Path, name: str) -> SpecFile:
    """The file at `path`, or a `SpecFile` whose problems say why it can't be read."""
    file = SpecFile(name, "")
    start = file.at()
    try:
        if not stat.S_ISREG(path.stat().st_mode):
            file.problem("unreadable", "not a regular file", start, help="give the path of a YAML file")
            return file
        with path.open("rb") as stream:
            data = stream.read(MAX_BYTES + 1)
    except (OSError, ValueError) as error:
        reason = error.strerror if isinstance(error, OSError) and error.strerror else str(error)
        file.problem("unreadable", f"can't be read: {reason}", start, help="check the path")
        return file
    if len(data) > MAX_BYTES:
        _too_large(file)
        return file
    try:
        return SpecFile(name, data.decode("utf-8"))
    except UnicodeDecodeError as error:
        file = SpecFile(name, data.decode("utf-8", "replace"))
        before = SpecFile(name, data[: error.start].decode("utf-8"))
        byte = data[error.start]
        file.problem("encoding", f"byte 0x{byte:02x} is not UTF-8", _end(before), help="save the file as UTF-8")
        return file


def parse(file: SpecFile) -> Node | None:
    """The node tree of `file`; None when there is none, or one that would only lead to further complaints."""
    if file.problems:
        return None
    if len(file.text) > MAX_BYTES:
        _too_large(file)
        return None
    if unfit := _UNFIT.search(file.text):
        character = unfit.group()
        what = "a NUL character" if character == "\0" else f"the unprintable character U+{ord(character):04X}"
        place = _end(SpecFile(file.name, file.text[: unfit.start()]))
        file.problem("control-character", what, place, help="remove it")
        return None
    builder = _Builder(file)
    try:
        builder.build()
    except yaml.MarkedYAMLError as error:
        trouble = explain(error, file.lines)
        line, column = trouble.line, trouble.column
        file.problem(trouble.code, trouble.message, file.at(line, column), help=trouble.help)
        return None
    except (yaml.YAMLError, ValueError) as error:
        file.problem("not-yaml", str(error).splitlines()[0], file.at(), help="mend the YAML")
        return None
    root = builder.root
    if not builder.broken and (root is None or (isinstance(root, Scalar) and root.absent)):
        file.problem("empty", "nothing in this file", file.at(), help="start with `source:`")
        return None
    return None if builder.broken else root


def _too_large(file: SpecFile) -> None:
    file.problem(
        "too-large",
        f"larger than {MAX_BYTES:,} bytes",
        file.at(),
        help="a spec holds the rules of one document; about 10,000 bytes is usual",
    )


def _end(file: SpecFile) -> Span:
    """The place after the last character of `file`."""
    if not file.lines or file.text[-1] in "\n\r\x85\u2028\u2029":
        return file.at(len(file.lines) + 1, 1)
    return file.at(len(file.lines), len(file.lines[-1]) + 1)


class _Frame:
    """A mapping or sequence being built."""

    __slots__ = ("event", "items", "key", "keys", "mapping", "pairs")

    def __init__(self, event: yaml.Event, *, mapping: bool) -> None:
        self.event = event
        self.mapping = mapping
        self.items: list[Node] = []
        self.pairs: list[tuple[Scalar, Node]] = []
        self.keys: dict[str, Span] = {}
        self.key: Node | None = None


class _Builder:
    """Events to nodes. `broken` says that what was refused leaves holes in the tree."""

    def __init__(self, file: SpecFile) -> None:
        self.file = file
        self.stack: list[_Frame] = []
        self.root: Node | None = None
        self.documents = 0
        self.broken = False

    def build(self) -> None:
        loader = getattr(yaml, "CSafeLoader", yaml.SafeLoader)
        for event in yaml.parse(self.file.text, Loader=loader):
            if not self._take(event):
                self.broken = True
                return

    def _span(self, start: yaml.Event, end: yaml.Event) -> Span:
        """From the start of one event to the end of another, as far as the file goes."""
        a, b = start.start_mark, end.end_mark
        assert a is not None
        assert b is not None
        last = len(self.file.lines)
        if a.line >= last:
            return self.file.at(last, len(self.file.lines[-1]) + 1)
        if (a.line, a.column) == (b.line, b.column):
            return self.file.at(a.line + 1, a.column + 1)
        return Span(self.file.name, a.line + 1, a.column + 1, b.line + 1, b.column + 1)

    def _fit(self, event: yaml.ScalarEvent) -> None:
        """Refuse what YAML's own escapes would smuggle in: characters that command a terminal, or hide text."""
        for character in event.value:
            if character not in "\n\t" and unicodedata.category(character) in _HIDDEN:
                what = f"the unprintable character U+{ord(character):04X}"
                self.file.problem("control-character", what, self._span(event, event), help="remove it")
                return

    def _take(self, event: yaml.Event) -> bool:
        """Work an event in; False if there is no sense in going on."""
        match event:
            case yaml.ScalarEvent():
                self._properties(event)
                self._fit(event)
                self._add(Scalar(event.value, self._span(event, event), event.style in (None, "")))
            case yaml.CollectionStartEvent():
                self._properties(event)
                if len(self.stack) >= MAX_DEPTH:
                    what = f"nested more than {MAX_DEPTH} deep"
                    self.file.problem("too-deep", what, self._span(event, event), help="no form is that deep")
                    return False
                self.stack.append(_Frame(event, mapping=isinstance(event, yaml.MappingStartEvent)))
            case yaml.CollectionEndEvent():
                frame = self.stack.pop()
                whole = self._span(frame.event, event)
                self._add(Mapping(tuple(frame.pairs), whole) if frame.mapping else Sequence(tuple(frame.items), whole))
            case yaml.AliasEvent():
                span = self._span(event, event)
                self.broken = True
                help = "write out what it stands for; quote a text that begins with `*`"
                self.file.problem("alias", f"alias `*{event.anchor}`", span, help=help)
                self._add(Scalar("", span))
            case yaml.DocumentStartEvent():
                self.documents += 1
                if self.documents > 1:
                    help = "one file, one document: remove `---` and what follows, or give it a file of its own"
                    self.file.problem("documents", "a second YAML document", self._span(event, event), help=help)
                    return False
            case _:
                pass
        return True

    def _properties(self, event: yaml.ScalarEvent | yaml.CollectionStartEvent) -> None:
        """Refuse an anchor or a tag; what it is put to can still be read."""
        if event.anchor is not None:
            place = self._mark_of(event, f"&{re.escape(event.anchor)}")
            help = "remove it: specs have no anchors; quote a text that begins with `&`"
            self.file.problem("anchor", f"anchor `&{event.anchor}`", place, help=help)
        if event.tag is not None:
            place = self._mark_of(event, "![^ ]*")
            line = self.file.lines[place.line - 1] if place.line <= len(self.file.lines) else ""
            written = line[place.column - 1 : place.end_column - 1]
            help = "remove it: every scalar is read as text; quote a text that begins with `!`"
            self.file.problem("tag", f"tag `{written}`", place, help=help)

    def _mark_of(self, event: yaml.Event, pattern: str) -> Span:
        """Where the anchor or tag of a node stands, else the node."""
        span = self._span(event, event)
        line = self.file.lines[span.line - 1]
        found = re.compile(pattern).search(line, span.column - 1)
        if found is None:
            return self.file.at(span.line, span.column)
        return Span(span.file, span.line, found.start() + 1, span.line, found.end() + 1)

    def _add(self, node: Node) -> None:
        if not self.stack:
            self.root = node
            return
        frame = self.stack[-1]
        if not frame.mapping:
            frame.items.append(node)
        elif frame.key is None:
            frame.key = node
        else:
            key, frame.key = frame.key, None
            self._pair(frame, key, node)

    def _pair(self, frame: _Frame, key: Node, value: Node) -> None:
        if not isinstance(key, Scalar):
            self.broken = True
            help = "a set of values is written [A, 2-9], and stands after `field: `"
            self.file.problem("not-a-key", "a list or mapping as a key", key.span, help=help)
        elif key.text == "<<" and key.plain:
            self.broken = True
            self.file.problem("merge-key", "merge key `<<`", key.span, help="write the keys out")
        elif key.text in frame.keys:
            first = frame.keys[key.text]
            name = key.text[:40]
            where = f"in line {first.line}" if first.line != key.span.line else f"in column {first.column}"
            self.file.problem(
                "duplicate-key", f"`{name}` stands twice, first {where}", key.span, help="remove one of them"
            )
        else:
            frame.keys[key.text] = key.span
            frame.pairs.append((key, value))

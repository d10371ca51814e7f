"""Reading the mappings of a spec against their forms, and single scalars by their declared kind."""

from __future__ import annotations

import re

from oracle.rules.forms import FORMS, Form
from oracle.rules.nodes import Mapping, Node, Scalar, Sequence, SpecFile
from oracle.spans import Span
from oracle.text import did_you_mean, near_name

_ID = re.compile(r"[a-z0-9][a-z0-9-]{0,59}\Z")
_CITE = re.compile(r"([0-9]{1,6})(?:\.([0-9]{1,4})|-([0-9]{1,6}))?\Z")
_NAMES = {Scalar: "text", Sequence: "a list", Mapping: "a mapping"}


class Fields:
    """A mapping read against a form: known keys only, required ones present.

    A key that is written without a value is `in` the fields and has no node. A misspelt key counts as the one
    that was probably meant, so that the mistake is told once.
    """

    def __init__(self, file: SpecFile, form: Form, span: Span) -> None:
        self.file = file
        self.form = form
        self.span = span
        self.nodes: dict[str, Node] = {}
        self.keys: dict[str, Span] = {}

    @classmethod
    def read(cls, file: SpecFile, node: Node, form_name: str) -> Fields | None:
        """The fields of `node`, or None (with a problem noted) if it is no mapping."""
        form = FORMS[form_name]
        if not isinstance(node, Mapping):
            what = "nothing" if isinstance(node, Scalar) and node.absent else _NAMES[type(node)]
            keys = ", ".join(form.names())
            file.problem("wrong-kind", f"{what} where {form.title} is due", node.span, help=f"keys: {keys}")
            return None
        fields = cls(file, form, node.span)
        known = form.names()
        written = {key.text for key, _ in node.pairs}
        for key, value in node.pairs:
            name = key.text
            if name not in known:
                what = f"unknown key `{name[:40]}` in {form.title}"
                file.problem("unknown-key", what, key.span, help=did_you_mean(name, known))
                name = near_name(name, known, likeness=0.75)
                if not name or name in written:
                    continue
            fields._take(name, key.span, value)
        for entry in form.keys:
            if entry.required and entry.name not in fields:
                what = f"{form.title} without `{entry.name}`"
                file.problem("missing-key", what, fields.head, help=f"add `{entry.name}`: {entry.help}")
        return fields

    def _take(self, name: str, key: Span, value: Node) -> None:
        self.keys[name] = key
        if isinstance(value, Scalar) and not value.text.strip():
            help = "give it a value, or remove the key"
            self.file.problem("empty-text", f"`{name}` is empty", key, help=help)
            return
        self.nodes[name] = value

    @property
    def head(self) -> Span:
        """Where the mapping starts: its first key."""
        first = min(self.keys.values(), default=None)
        return first or self.file.at(self.span.line, self.span.column)

    def __contains__(self, name: str) -> bool:
        return name in self.keys

    def get(self, name: str) -> Node | None:
        """The node of a key; None if it is absent, or empty."""
        return self.nodes.get(name)

    def place(self, name: str) -> Span:
        """Where the value of `name` stands, else its key, else the head of the mapping."""
        node = self.nodes.get(name)
        return node.span if node is not None else self.keys.get(name) or self.head

    def text(self, name: str, default: str = "") -> str:
        """The text of `name`, one line; `default` if absent."""
        node = self.nodes.get(name)
        text = None if node is None else scalar(self.file, node)
        return default if text is None else " ".join(text.split())

    def id(self, name: str = "id") -> str:
        """The id that `name` gives; a problem if it is none."""
        text = self.text(name)
        if text:
            check_id(self.file, text, self.place(name))
        return text

    def names(self, name: str) -> tuple[str, ...]:
        """A list of names, each once; one name alone counts as a list of one."""
        return tuple(text for text, _ in self.places(name))

    def places(self, name: str) -> list[tuple[str, Span]]:
        """As `names`, each with the place where it stands."""
        node = self.nodes.get(name)
        found: dict[str, Span] = {}
        for text, span in [] if node is None else texts(self.file, node):
            if text in found:
                what = f"`{text[:40]}` stands twice in `{name}`"
                self.file.problem("duplicate-entry", what, span, help="list it once")
            found.setdefault(text, span)
        return list(found.items())

    def items(self, name: str) -> tuple[Node, ...]:
        """The items of a list; a problem if it is none, or if there are no `cases`."""
        node = self.nodes.get(name)
        if node is None:
            return ()
        if not isinstance(node, Sequence):
            what = f"{_NAMES[type(node)]} where a list is due"
            self.file.problem("wrong-kind", what, node.span, help="start each entry with `- `")
            return ()
        if not node.items and name == "cases":
            help = "add an entry, or remove the key"
            self.file.problem("empty-list", f"`{name}` is empty", node.span, help=help)
        return node.items

    def pairs(self, name: str) -> tuple[tuple[Scalar, Node], ...]:
        """The entries of a mapping; a problem if it is none, or empty."""
        node = self.nodes.get(name)
        if node is None:
            return ()
        if not isinstance(node, Mapping):
            what = f"{_NAMES[type(node)]} where a mapping is due"
            self.file.problem("wrong-kind", what, node.span, help="write each entry as `name: …`")
            return ()
        if not node.pairs:
            help = "add an entry, or remove the key"
            self.file.problem("empty-list", f"`{name}` is empty", node.span, help=help)
        return node.pairs


def check_id(file: SpecFile, text: str, span: Span) -> None:
    """Note a problem unless `text` may name something."""
    if not _ID.match(text):
        help = "lower-case letters, digits and hyphens, at most 60"
        file.problem("bad-id", f"`{text[:60]}` is no id", span, help=help)


def is_id(text: str) -> bool:
    """Whether `text` may name something: lower-case letters, digits and hyphens, at most 60."""
    return _ID.match(text) is not None


def scalar(file: SpecFile, node: Node) -> str | None:
    """The text of a scalar; None (with a problem) for anything else."""
    if isinstance(node, Scalar):
        return node.text
    help = "write one value, quoted if it holds `: ` or begins with `{` or `[`"
    if isinstance(node, Mapping) and node.pairs and all(_bare(value) for _, value in node.pairs):
        help = "a set of values is written [A, 2-9]"
    file.problem("wrong-kind", f"{_NAMES[type(node)]} where one value is due", node.span, help=help)
    return None


def _bare(node: Node) -> bool:
    return isinstance(node, Scalar) and node.absent


def texts(file: SpecFile, node: Node) -> list[tuple[str, Span]]:
    """The texts of a scalar or of a list of scalars, each in one line, with their places."""
    if isinstance(node, Sequence) and not node.items:
        file.problem("empty-set", "an empty list", node.span, help="name at least one, or remove the key")
    found = []
    for item in node.items if isinstance(node, Sequence) else (node,):
        text = scalar(file, item)
        if text is None:
            continue
        if text.strip():
            found.append((" ".join(text.split()), item.span))
        else:
            file.problem("empty-text", "an empty value", item.span, help="write a value, or remove it")
    return found


def number(file: SpecFile, node: Node, what: str, *, low: int = 0, high: int = 1_000_000) -> int | None:
    """A whole number from `low` to `high`; None (with a problem) for anything else."""
    text = scalar(file, node)
    if text is None:
        return None
    if not re.match(r"[0-9]{1,9}\Z", text) or not low <= int(text) <= high:
        help = f"write a whole number from {low} to {high:,}"
        file.problem("bad-number", f"`{text[:40]}` is no {what}", node.span, help=help)
        return None
    return int(text)


def parse_cite(text: str) -> tuple[int, int, int] | None:
    """Line, sentence (0 = whole line) and last line (0 = no range) of a cite, or None."""
    match = _CITE.match(text)
    if not match:
        return None
    return int(match[1]), int(match[2] or 0), int(match[3] or 0)

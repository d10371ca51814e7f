"""The head of a spec: its document and how that writes odds, its rule sets, what another source lends."""

from __future__ import annotations

import re

from oracle.rules.draft import Draft
from oracle.rules.fields import Fields, check_id, number, texts
from oracle.rules.model import Extends, Notation, RuleSet, Source
from oracle.rules.nodes import Node
from oracle.spans import Span

_RANGE = re.compile(r"([0-9]{1,6})(?:-([0-9]{1,6}))?\Z")
NOTATIONS = ("to-one", "for-one")


def read_source(draft: Draft, node: Node | None) -> Source | None:
    """The document. Its `lines` are 0 where their number can't be read, so that no cite is measured by it."""
    if node is None or (fields := Fields.read(draft.file, node, "source")) is None:
        return None
    lines_node = fields.get("lines")
    lines = number(draft.file, lines_node, "number of lines", low=1) if lines_node is not None else None
    digest = fields.text("sha256")
    if digest and not re.match(r"[0-9a-f]{64}\Z", digest):
        help = "write 64 hexadecimal digits in lower case, as `sha256sum FILE` prints them"
        draft.file.problem("bad-digest", "not a sha256", fields.place("sha256"), help=help)
    return Source(
        id=fields.id(),
        title=fields.text("title"),
        language=fields.text("language"),
        lines=lines or 0,
        span=fields.place("id"),
        sha256=digest,
        edition=fields.text("edition"),
        retrieved=fields.text("retrieved"),
        sentences=_sentences(draft, fields, lines),
    )


def _sentences(draft: Draft, fields: Fields, lines: int | None) -> dict[int, int]:
    """How many sentences the lines have that don't have exactly one."""
    counts: dict[int, int] = {}
    blank = fields.get("blank")
    entries = [(text, span, 0) for text, span in texts(draft.file, blank)] if blank is not None else []
    for key, node in fields.pairs("sentences"):
        count = number(draft.file, node, "number of sentences", high=1000)
        if count is not None:
            entries.append((key.text, key.span, count))
    for text, span, count in entries:
        for line in _lines(draft, text, span, lines):
            if line in counts:
                what = f"line {line} is counted twice"
                help = "a line stands once, in `sentences` or in `blank`"
                draft.file.problem("duplicate-entry", what, span, help=help)
                break
            counts[line] = count
    return counts


def _lines(draft: Draft, text: str, span: Span, lines: int | None) -> range:
    """The lines of the document that `text` names, one or a range."""
    match = _RANGE.match(text)
    first, last = (int(match[1]), int(match[2] or match[1])) if match else (0, 0)
    if match and first > last:
        what = f"the range `{text}` runs backwards"
        draft.file.problem("backwards-range", what, span, help="the lower line comes first")
    elif first < 1 or (lines is not None and last > lines):
        help = f"lines go from 1 to {lines}" if lines else "lines are whole numbers from 1"
        draft.file.problem("bad-number", f"`{text[:20]}` is no line of the document", span, help=help)
    elif lines is not None:
        return range(first, last + 1)
    return range(0)


def read_notation(draft: Draft, node: Node | None) -> Notation | None:
    """How the document writes odds."""
    if node is None or (fields := Fields.read(draft.file, node, "notation")) is None:
        return None
    odds = fields.text("odds")
    if odds and odds not in NOTATIONS:
        what = f"`{odds[:40]}` is no notation of odds"
        draft.file.problem("bad-value", what, fields.place("odds"), help=f"write {' or '.join(NOTATIONS)}")
    return Notation(odds, fields.text("because"), draft.cites(fields, ranges=False), fields.head)


def read_rule_sets(draft: Draft, fields: Fields) -> tuple[RuleSet, ...]:
    """The tables of the source; one without a name of its own where none are declared."""
    title = draft.source.title if draft.source else ""
    if "rule_sets" not in fields:
        return (RuleSet(draft.source_id, "", title, draft.source.span if draft.source else fields.head),)
    found = []
    for key, node in fields.pairs("rule_sets"):
        check_id(draft.file, key.text, key.span)
        entry = Fields.read(draft.file, node, "rule_set")
        found.append(RuleSet(f"{draft.source_id}/{key.text}", key.text, entry.text("title") if entry else "", key.span))
    return tuple(found)


def read_extends(draft: Draft, node: Node | None) -> Extends | None:
    """The questions that are taken whole from another source; None if there is nothing to take."""
    if node is None or (fields := Fields.read(draft.file, node, "extends")) is None:
        return None
    for text, span in fields.places("questions"):
        if draft.known_question(text, span) is not None:
            draft.references.borrowed.append((text, span))
    questions = tuple(text for text, _ in draft.references.borrowed)
    source = fields.text("source")
    return Extends(source, questions, fields.place("source")) if source else None

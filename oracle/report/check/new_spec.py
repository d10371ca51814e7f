"""`new`: a spec to fill in, with every sentence of the document listed beside the cite that it goes by."""

from __future__ import annotations

import json
import re
import textwrap
from collections.abc import Iterator

from oracle.report.words.layout import plural
from oracle.rules.fields import is_id
from oracle.rules.nodes import MAX_BYTES
from oracle.rules.sentences import Document
from oracle.spans import OracleError
from oracle.text import printable, quoted

MAX_SENTENCES = 1000  # of one line, as the loader has it
_WIDTH = 100
_SHOWN = 600
_LANGUAGE = re.compile(r"[A-Za-z]{2,8}(?:-[A-Za-z0-9]{1,8}){0,4}\Z")
_PLAIN = re.compile(r"[A-Za-z](?:[\w ()',-]*[\w)])?\Z")

_GUIDE = """\
# Each sentence of the document stands below, after the cite that it goes by: take it apart into statements.
# What the document asserts about its own game goes under `claims`; what says nothing about the rules under
# `silent`:
#
#   statements:
#     - id: player-draws
#       cite: "{cite}"
#       says: the player draws on 0 to 5      # in your own words
#       about: player_draw
#       when: {{player2: 0-5}}
#       then: draw
#   silent:
#     - {{cite: "{cite}", because: heading}}
#
# Before you pass this file on: the comments are the document's own words, and may not be yours to give away.
"""


def new_spec(document: Document, *, source: str, language: str, title: str = "") -> str:
    """The text of a spec for `document`, with the id `source` and without any statement yet.

    It loads, and `check` finds every sentence in it unaccounted. Raises `OracleError` for an id or a language
    that no spec may have, and for a document without words or one that makes too large a spec.
    """
    if not is_id(source):
        shown = printable(source[:60])
        raise OracleError(f"`{shown}` is no id: write lower-case letters, digits and hyphens, at most 60")
    if not _LANGUAGE.match(language):
        raise OracleError(f"{quoted(language)} is no language tag: write one as en, or pt-BR")
    counts = {number: len(document.sentences(number)) for number in range(1, len(document.lines) + 1)}
    if not any(counts.values()):
        raise OracleError(f"{document.path}: there is nothing in it; give the document's text")
    for number, count in counts.items():
        if count > MAX_SENTENCES:
            what = f"line {number} has {count:,} sentences, and a line has at most {MAX_SENTENCES:,}"
            raise OracleError(f"{document.path}: {what}; break it into lines")
    text = "".join(f"{line}\n" for line in _lines(document, counts, source, language, title))
    if len(text) > MAX_BYTES:
        what = f"its sentences alone make a spec larger than {MAX_BYTES:,} bytes"
        raise OracleError(f"{document.path}: {what}; cut the document down to the rules")
    return text


def _lines(document: Document, counts: dict[int, int], source: str, language: str, title: str) -> Iterator[str]:
    cites = [
        (f"{number}.{sentence}" if count > 1 else str(number), text)
        for number, count in counts.items()
        for sentence, text in enumerate(document.sentences(number), start=1)
    ]
    many = ", ".join(f"{number}: {count}" for number, count in counts.items() if count > 1)
    blank = ", ".join(_runs([number for number, count in counts.items() if not count]))
    yield "source:"
    yield f"  id: {source}"
    yield f"  title: {_scalar(title if title.strip() else source)}"
    yield f"  language: {language}"
    yield f"  sha256: {document.sha256}"
    yield f"  lines: {len(document.lines)}"
    if many:
        yield from _wrapped(f"{{{many}}}", first="  sentences: ", rest=" " * 14)
    if blank:
        yield from _wrapped(f"[{blank}]", first="  blank: ", rest=" " * 10)
    yield ""
    yield from _GUIDE.format(cite=cites[0][0]).splitlines()
    yield ""
    yield "statements: []  # without the brackets, once there is one"
    yield ""
    yield f"# {plural(len(cites), 'sentence')}"
    yield "#"
    width = max(len(cite) for cite, _ in cites) + 2
    for cite, text in cites:
        yield from _wrapped(_shown(text), first=f"# {cite:<{width}}", rest=f"# {'':<{width}}")


def _shown(text: str) -> str:
    """A sentence for a comment: in one line, no control characters, and not endless."""
    safe = printable(" ".join(text.split()))
    return safe if len(safe) <= _SHOWN else f"{safe[: _SHOWN - 1]}…"


def _wrapped(text: str, *, first: str, rest: str) -> list[str]:
    return textwrap.wrap(text, _WIDTH, initial_indent=first, subsequent_indent=rest, break_on_hyphens=False) or [
        first.rstrip()
    ]


def _runs(numbers: list[int]) -> Iterator[str]:
    """Ascending numbers with runs of three or more joined: `2, 4, 6-8`."""
    start = 0
    while start < len(numbers):
        end = start
        while end + 1 < len(numbers) and numbers[end + 1] == numbers[end] + 1:
            end += 1
        if end - start >= 2:
            yield f"{numbers[start]}-{numbers[end]}"
            start = end + 1
        else:
            yield str(numbers[start])
            start += 1


def _scalar(text: str) -> str:
    """`text` as a YAML scalar in one line, quoted unless it is plain words."""
    safe = " ".join(printable(" ".join(text.split())).split())
    return safe if _PLAIN.match(safe) else json.dumps(safe, ensure_ascii=False)

"""A document for a terminal, sentence by sentence, each with what cites it."""

from __future__ import annotations

from collections.abc import Sequence

import click

from oracle.checks.document import CitedSentence
from oracle.report.words.layout import plural, wrap
from oracle.rules.sentences import Document
from oracle.text import printable


def document_text(document: Document, sentences: Sequence[CitedSentence]) -> str:
    """The document beside its spec, at most 80 columns wide as far as its words allow."""
    counted = f"{plural(len(document.lines), 'line')}, {plural(len(sentences), 'sentence')}"
    blocks = [wrap(f"{document.path}: the copy that the spec is about, {counted}")]
    width = max((len(sentence.cite) for sentence in sentences), default=0) + 2
    blocks += [_sentence(sentence, width) for sentence in sentences]
    return "\n\n".join(blocks)


def _sentence(sentence: CitedSentence, width: int) -> str:
    indent = " " * width
    text = printable(" ".join(sentence.text.split()))
    shown = wrap(text, first=indent, rest=indent)
    lines = [click.style(sentence.cite, bold=True) + shown[len(sentence.cite) :]]
    for citation in sentence.citations:
        said = f"{citation.id}: {citation.says}" if citation.id else citation.says
        lines.append(wrap(said, first=f"{indent}{citation.kind:<11}", rest=f"{indent}{'':11}  "))
        lines += [wrap(answer, first=f"{indent}{'':11}  ", rest=f"{indent}{'':11}    ") for answer in citation.answers]
    if not sentence.citations:
        lines.append(indent + click.style("nothing cites this", fg="red"))
    return "\n".join(lines)

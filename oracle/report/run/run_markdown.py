"""A run of an implementation as Markdown, for the summary page of a CI job. What the program said is always code."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

from oracle.conformance.diagnose.diagnose import Seen
from oracle.report.run.outline import FRESH, Change, Example, FaultOutline, OpenOutline, Outline, ShownTableau
from oracle.report.words.escape import code_block, code_span
from oracle.report.words.layout import markdown_row, more_words
from oracle.report.words.run_words import cell_words

_SHOWN = 20


def run_markdown(said: Outline) -> str:
    """The run as one document, which begins with a heading of the second level."""
    return "\n".join(_lines(said)) + "\n"


def _lines(said: Outline) -> Iterator[str]:
    yield f"## {said.verdict}: {said.rules}"
    yield ""
    yield f"{said.headline}; {', '.join(filter(None, (said.checked, said.suite, said.drawn)))}."
    if said.reporter is not None:
        yield ""
        yield f"{code_span(said.reporter.name)}: {said.reporter.reports}."
    yield from _items(said.power, "line")
    yield from _items(list(map(code_span, said.known)), "entry")
    yield from _items(list(map(code_span, (*said.incomplete, *said.events))), "event")
    if said.last_words:
        yield ""
        yield "Its standard error ended with"
        yield ""
        yield from code_block(list(said.last_words))
    for found in said.two_answers:
        yield ""
        yield f"**{code_span(found.sentence)}**"
        yield from _items(list(map(code_span, found.details)), "answer")
        yield ""
        yield from code_block(list(found.commands))
    for explained in said.explained:
        yield ""
        yield f"**{explained.sentence}**{':' if explained.changes else ''}"
        yield from _items(_changes(explained.changes), "change")
        yield from _items(list(map(code_span, explained.indistinguishable)), "group")
    yield from _tableau(said.tableau)
    for fault in said.faults[:_SHOWN]:
        yield from _fault(fault)
    yield from _more(len(said.faults), "fault")
    if said.fresh_faults:
        yield ""
        yield f"### {FRESH}"
        if said.card:
            yield ""
            yield f"{said.card}."
        for fault in said.fresh_faults[:_SHOWN]:
            yield from _fault(fault)
        yield from _more(len(said.fresh_faults), "fault")
    for entry in said.unanswered[:_SHOWN]:
        yield from _unanswered(entry)
    yield from _more(len(said.unanswered), "reason")
    if said.not_confirmed or said.hidden:
        yield ""
        yield "### Not confirmed"
        yield from _items([f"{left.what} {code_span(left.name)}: {left.why}" for left in said.not_confirmed], "entry")
    if said.hidden:
        yield ""
        yield f"{said.hidden.sentence}:"
        yield from _items(_changes(said.hidden.changes), "change")
    yield ""
    yield f"{said.log}."


def _items(entries: Sequence[str], noun: str) -> Iterator[str]:
    """A list, if there is anything in it."""
    if entries:
        yield ""
        yield from (f"- {entry}" for entry in entries[:_SHOWN])
        yield from _more(len(entries), noun)


def _more(count: int, noun: str) -> Iterator[str]:
    if count > _SHOWN:
        yield ""
        yield more_words(count - _SHOWN, noun)


def _changes(changes: Sequence[Change]) -> list[str]:
    return [f"{change.says} ({code_span(change.name)}){_facts(change)}" for change in changes]


def _facts(change: Change) -> str:
    return f": {'; '.join(change.facts)}" if change.facts else ""


def _tableau(tableau: ShownTableau) -> Iterator[str]:
    """The tables in which the answers show anything wrong."""
    if any(seen.wrong for row in tableau.banker.values() for seen in row.values()):
        yield ""
        yield (
            "The banker's table as answered, by the banker's total and the third card. "
            "D draws, S stands, D/S both, bold is against the rules."
        )
        rows = {total: [row.get(third) for third in tableau.thirds] for total, row in tableau.banker.items()}
        yield from _table(tableau.thirds, rows)
    if any(seen.wrong for seen in tableau.player):
        yield ""
        yield (
            "The player's row as answered, by the total of two cards. "
            "D draws, S stands, D/S both, bold is against the rules."
        )
        yield from _table([seen.cell.partition(" ")[2] for seen in tableau.player], {"player": tableau.player})
    if tableau.naturals:
        yield ""
        yield "Naturals as answered"
        yield from _items(tableau.naturals, "natural")


def _table(head: Sequence[str], rows: Mapping[str, Sequence[Seen | None]]) -> Iterator[str]:
    yield ""
    yield f"| | {' | '.join(head)} |"
    yield "|---" * (len(head) + 1) + "|"
    for name, cells in rows.items():
        yield from markdown_row([f"**{name}**", *map(_cell, cells)])


def _cell(seen: Seen | None) -> str:
    letter = cell_words(seen) or "."
    return f"**{letter}**" if seen and seen.wrong else letter


def _fault(fault: FaultOutline) -> Iterator[str]:
    yield ""
    yield f"### {fault.title} ({code_span(fault.name)})" if fault.name else f"### {code_span(fault.title)}"
    yield ""
    if fault.rule:
        yield f"- {fault.rule}"
    yield f"- {fault.extent}"
    yield _asked(fault.example)
    yield from (f"- {code_span(words)}" for words in fault.differences)
    yield ""
    yield from code_block([fault.example.command])


def _unanswered(entry: OpenOutline) -> Iterator[str]:
    yield ""
    yield f"### {entry.outcome}"
    yield ""
    yield f"- {entry.extent}: {code_span(entry.why)}"
    yield _asked(entry.example)
    yield ""
    yield from code_block([entry.example.command])


def _asked(example: Example) -> str:
    return f"- such as {code_span(', '.join(example.asked))}"

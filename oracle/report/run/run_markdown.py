"""A run of an implementation as Markdown, for the summary page of a CI job. What the program said is always code."""

from __future__ import annotations

from collections.abc import Iterator

from oracle.conformance.diagnose.diagnose import Seen
from oracle.conformance.summary.summary import Fault, Summary, Unanswered, hands
from oracle.report.words.escape import code_block, code_span
from oracle.report.words.run_state import told_again
from oracle.report.words.run_words import (
    DUE,
    alike_words,
    banker_table,
    cost_words,
    difference_words,
    explanations,
    extent,
    fault_extent,
    fault_title,
    headline,
    kinds_alone,
    known_words,
    suite_words,
)

_SHOWN = 20
_LETTER = {"draw": "D", "stand": "S", "both": "D/S", "": "."}


def run_markdown(summary: Summary) -> str:
    """The page."""
    return "\n".join(_lines(summary)) + "\n"


def _lines(summary: Summary) -> Iterator[str]:
    log = summary.log
    yield f"## {summary.verdict}: {log.header.rules}"
    yield ""
    yield f"{headline(summary)}; {extent(summary)}, {suite_words()}."
    who = log.header.implementation
    if who is not None:
        named = " ".join(part for part in (who.name, who.version, who.language and f"({who.language})") if part)
        yield ""
        reported = ", ".join(log.header.observables) or kinds_alone(log.header.kinds)
        yield f"Implementation: {code_span(named)}. Reports: {reported}."
    if summary.known is not None:
        yield ""
        yield from (f"- {code_span(words)}" for words in known_words(summary.known))
    yield from _troubles(summary)
    for told in told_again(summary):
        yield ""
        yield "**A case is answered in two ways**:"
        yield ""
        yield from (f"- {code_span(line)}" for line in (told.sentence, *told.details))
        yield ""
        yield from code_block(list(told.commands))
    for sentence, entries in explanations(summary):
        yield ""
        yield f"**{sentence}**{':' if entries else ''}"
        yield ""
        for change in entries[:_SHOWN]:
            cost = f": {cost_words(change.weight)}" if change.weight else ""
            yield f"- {change.says} ({code_span(change.name)}){cost}"
        yield from (f"- {code_span(words)}" for words in alike_words(summary, entries))
    yield from _table(summary)
    by = {seen.cell: seen for seen in summary.diagnosis.tableau}
    for fault in summary.faults[:_SHOWN]:
        yield from _fault(fault, by.get(fault.name))
    yield from _more(len(summary.faults), "faults")
    for entry in summary.unanswered[:_SHOWN]:
        yield from _unanswered(entry)
    yield from _more(len(summary.unanswered), "reasons")
    if summary.not_confirmed:
        yield ""
        yield "### Not confirmed"
        yield ""
        for left in summary.not_confirmed[:_SHOWN]:
            yield f"- {left.what} {code_span(left.name)}: {left.why}"
        yield from _more(len(summary.not_confirmed), "entries")


def _troubles(summary: Summary) -> Iterator[str]:
    told = [*dict.fromkeys(summary.log.problems)]
    told += [f"{event.what}: {event.why}" for event in summary.log.events[:_SHOWN]]
    if told:
        yield ""
        yield from (f"- {code_span(text)}" for text in told)
    said = next((event.stderr for event in summary.log.events if event.stderr.strip()), "")
    if said:
        yield ""
        yield "Its standard error ended with"
        yield ""
        yield from code_block(said.rstrip().splitlines()[-_SHOWN:])


def _table(summary: Summary) -> Iterator[str]:
    thirds, rows = banker_table(summary.diagnosis)
    if not any(seen.wrong for row in rows.values() for seen in row.values()):
        return
    yield ""
    yield "The banker's table as answered, by the banker's total and the third card. D draws, S stands, bold is wrong."
    yield ""
    yield f"| | {' | '.join(thirds)} |"
    yield "|---" * (len(thirds) + 1) + "|"
    for banker2, row in rows.items():
        yield f"| **{banker2}** | {' | '.join(_cell(row.get(third)) for third in thirds)} |"


def _cell(seen: Seen | None) -> str:
    if seen is None:
        return "."
    letter = _LETTER.get(seen.action, "?")
    return f"**{letter}**" if seen.wrong else letter


def _fault(fault: Fault, seen: Seen | None) -> Iterator[str]:
    title = fault_title(fault) if fault.cells else code_span(fault.name)
    yield ""
    yield f"### {title}"
    yield ""
    if seen and seen.by:
        yield f"- the rules: {DUE[seen.due]}, by {seen.by}"
    yield f"- {fault_extent(fault)}"
    yield f"- such as {code_span(', '.join(hands(fault.example)))}"
    yield from (f"- {code_span(difference_words(difference))}" for difference in fault.example.differs)
    yield ""
    yield from code_block([fault.reproduce])


def _unanswered(entry: Unanswered) -> Iterator[str]:
    yield ""
    yield f"### {entry.outcome}"
    yield ""
    known = f", {entry.known:,} of them known" if entry.known else ""
    yield f"- {entry.count:,} {'case' if entry.count == 1 else 'cases'}{known}: {code_span(entry.why)}"
    yield ""
    yield from code_block([entry.reproduce])


def _more(count: int, noun: str) -> Iterator[str]:
    if count > _SHOWN:
        yield ""
        yield f"… {count - _SHOWN:,} more {noun} in test.json"

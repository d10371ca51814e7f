"""A run of an implementation for a terminal: the verdict, then the rules that are wrong, then what is left open."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import click

from oracle.conformance.diagnose.diagnose import Diagnosis, Seen
from oracle.conformance.run.log import Event
from oracle.conformance.summary.summary import Fault, Summary, Unanswered, hands
from oracle.programs.cells import in_words
from oracle.report.words.layout import plural, wrap
from oracle.report.words.run_state import told_again
from oracle.report.words.run_words import (
    DUE,
    alike_words,
    cost_words,
    difference_words,
    explanations,
    fault_extent,
    headline,
    kinds_alone,
    known_words,
)
from oracle.spans import printable

_SHOWN = 10
_STDERR_LINES = 8


def run_text(summary: Summary) -> str:
    """The run as people read it, at most 80 columns wide except for commands to copy."""
    return "\n".join(_lines(summary))


def _lines(summary: Summary) -> Iterator[str]:
    log = summary.log
    yield wrap(_verdict(summary), rest="  ")
    who = log.header.implementation
    if who is not None:
        named = " ".join(part for part in (who.name, who.version, who.language and f"({who.language})") if part)
        told = printable(named[:200])
        yield wrap(
            f"{told}: {', '.join(printable(o[:40]) for o in log.header.observables) or kinds_alone(log.header.kinds)}",
            rest="  ",
        )
    if summary.known is not None:
        yield from (wrap(printable(words), rest="  ") for words in known_words(summary.known))
    for problem in dict.fromkeys(log.problems):
        yield wrap(f"incomplete: {problem}", rest="  ")
    gave_up = [event for event in log.events if event.what == "gave-up"]
    yield from (wrap(f"given up: {printable(event.why)}", rest="  ") for event in gave_up)
    yield from _troubles(summary)
    yield from _again(summary)
    yield from _explained(summary)
    by = {seen.cell: seen for seen in summary.diagnosis.tableau}
    yield from _some(summary.faults, lambda fault: _fault(fault, by.get(fault.name)), "places that differ")
    yield from _some(summary.unanswered, _unanswered, "reasons")
    if summary.not_confirmed:
        yield ""
        yield "not confirmed"
        for entry in summary.not_confirmed:
            if entry.what != "mistake":
                yield wrap(f"{entry.what} {entry.name}: {entry.why}", first="  ", rest="    ")
        hidden = [entry.name for entry in summary.not_confirmed if entry.what == "mistake"]
        if hidden:
            text = f"{plural(len(hidden), 'known mistake')} that these observables can't show: {', '.join(hidden)}"
            yield wrap(text, first="  ", rest="    ")


def _again(summary: Summary) -> Iterator[str]:
    """What is answered in two ways."""
    for told in told_again(summary):
        yield ""
        yield wrap(click.style(printable(told.sentence), bold=True), rest="  ")
        yield from (wrap(printable(line), first="  ", rest="    ") for line in told.details)
        yield from (f"  {printable(command)}" for command in told.commands)


def _explained(summary: Summary) -> Iterator[str]:
    """What gives all the wrong answers: another rule set, or one change of this one; and the banker's table as seen."""
    for sentence, entries in explanations(summary):
        yield ""
        yield wrap(f"{sentence}:" if entries else sentence, rest="  ")
        for entry in entries[:_SHOWN]:
            yield wrap(f"{click.style(entry.says, bold=True)}  ({entry.name})", first="  ", rest="    ")
            if entry.weight:
                yield wrap(cost_words(entry.weight), first="    ", rest="    ")
        yield from (wrap(f"({words})", first="  ", rest="   ") for words in alike_words(summary, entries))
        if len(entries) > _SHOWN:
            yield f"  … {len(entries) - _SHOWN:,} more: --format json lists all"
    yield from _table(summary.diagnosis)


def _table(found: Diagnosis) -> Iterator[str]:
    """The banker's table as the answers show it, if it shows anything wrong."""
    cells = {
        tuple(seen.cell.split(" ")[1].split("/")): seen for seen in found.tableau if seen.cell.startswith("banker")
    }
    if not any(seen.wrong for seen in cells.values()):
        return
    thirds = list(dict.fromkeys(third for _, third in cells))
    yield ""
    yield "the banker's table as answered; [D] draws, [S] stands against the rules"
    yield f"  {'third card':12}" + "".join(f"{third:>5}" for third in thirds)
    for banker2 in dict.fromkeys(banker2 for banker2, _ in cells):
        row = "".join(f"{_seen(cells.get((banker2, third))):>5}" for third in thirds)
        yield f"  {f'banker {banker2}':12}{row}"


def _seen(cell: Seen | None) -> str:
    if cell is None or not cell.action:
        return "."
    letter = {"draw": "D", "stand": "S"}.get(cell.action, "?")
    return f"[{letter}]" if cell.wrong else letter


def _verdict(summary: Summary) -> str:
    return f"{click.style(summary.verdict, bold=True)}: {headline(summary)}"


def _troubles(summary: Summary) -> Iterator[str]:
    """What happened to the program, and the end of its last words."""
    events = [event for event in summary.log.events if event.what != "gave-up"]
    if not events:
        return
    yield ""
    for event in events[:3]:
        yield wrap(f"{_WHERE.get(event.what, event.what)}: {printable(event.why)}", rest="  ")
    if len(events) > 3:
        yield f"… {plural(len(events) - 3, 'more event')} in the log"
    yield from _stderr(events)


_WHERE = {
    "start": "while it started",
    "batch": "in a batch, which was asked again case by case",
    "case": "at a case",
    "rows": "in the file",
}


def _stderr(events: list[Event]) -> Iterator[str]:
    said = next((event.stderr for event in events if event.stderr.strip()), "")
    if said:
        yield "its standard error ended with"
        for line in said.rstrip().splitlines()[-_STDERR_LINES:]:
            text = printable(line)
            yield f"  | {text[:75]}{'…' if len(text) > 75 else ''}"


def _some(entries: Any, show: Any, noun: str) -> Iterator[str]:
    for entry in entries[:_SHOWN]:
        yield ""
        yield from show(entry)
    if len(entries) > _SHOWN:
        yield ""
        yield f"… {len(entries) - _SHOWN:,} more {noun}: --format json lists all"


def _fault(fault: Fault, seen: Seen | None) -> Iterator[str]:
    words = in_words(fault.name) if fault.cells else fault.name
    head = click.style(printable(words), bold=True)
    yield f"{head}  ({fault.name})" if fault.cells else wrap(head, rest="  ")
    if seen and seen.by:
        yield wrap(f"{DUE[seen.due]}, by {seen.by}", first="  the rules: ", rest="    ")
    yield f"  {fault_extent(fault)}"
    yield from _asked(fault.example)
    for difference in fault.example.differs:
        yield wrap(printable(difference_words(difference)), first="    ", rest="      ")
    yield f"  {printable(fault.reproduce)}"


def _unanswered(entry: Unanswered) -> Iterator[str]:
    head = click.style(entry.outcome, bold=True)
    known = f", {entry.known:,} of them known" if entry.known else ""
    yield wrap(f"{head}  {plural(entry.count, 'case')}{known}: {printable(entry.why)}", rest="  ")
    yield from _asked(entry.example)
    yield f"  {printable(entry.reproduce)}"


def _asked(line: Any) -> Iterator[str]:
    indent = " " * 10
    if not line.steps:
        yield wrap(printable(", ".join(hands(line))), first="  such as ", rest=indent)
        return
    for number, what in enumerate(hands(line)):
        yield wrap(printable(what), first=indent if number else "  such as ", rest=f"{indent}  ")

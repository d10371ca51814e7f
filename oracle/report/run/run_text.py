"""A run of an implementation for a terminal: the verdict, then the rules that are wrong, then what is left open."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from typing import TypeVar

import click

from oracle.conformance.diagnose.diagnose import Seen
from oracle.report.run.outline import (
    FRESH,
    Change,
    Example,
    Explained,
    FaultOutline,
    OpenOutline,
    Outline,
    ShownTableau,
)
from oracle.report.words.layout import more_words, wrap
from oracle.report.words.run_words import cell_words
from oracle.text import printable

_SHOWN = 10
_EVENTS = 3
_STDERR_LINES = 8
_STDERR_WIDTH = 75
_STDERR_MOST = 4 * _STDERR_WIDTH  # characters of a line

Entry = TypeVar("Entry")


def run_text(said: Outline) -> str:
    """The run as people read it, at most 80 columns wide except for commands to copy."""
    return "\n".join(_lines(said))


def _lines(said: Outline) -> Iterator[str]:
    yield wrap(click.style(said.verdict, bold=True) + said.headline.removeprefix(said.verdict), rest="  ")
    if said.reporter is not None:
        yield wrap(printable(f"{said.reporter.name}: {said.reporter.reports}"), rest="  ")
    yield f"{said.checked}, {said.suite}"
    yield from (wrap(printable(words), rest="  ") for words in (said.drawn, *said.power) if words)
    yield from (wrap(printable(words), rest="  ") for words in (*said.known, *said.incomplete))
    yield from _events(said)
    for found in said.two_answers:
        yield ""
        yield wrap(click.style(printable(found.sentence), bold=True), rest="  ")
        yield from (wrap(printable(line), first="  ", rest="    ") for line in found.details)
        yield from (f"  {printable(command)}" for command in found.commands)
    for explained in said.explained:
        yield from _explained(explained)
    yield from _tableau(said.tableau)
    yield from _some(said.faults, _fault, "fault")
    if said.fresh_faults:
        yield ""
        yield click.style(FRESH, bold=True)
        if said.card:
            yield wrap(printable(said.card), first="  ", rest="  ")
        yield from _some(said.fresh_faults, _fault, "fault")
    yield from _some(said.unanswered, _unanswered, "reason")
    if said.not_confirmed or said.hidden:
        yield ""
        yield "not confirmed"
        for entry in said.not_confirmed:
            yield wrap(printable(f"{entry.what} {entry.name}: {entry.why}"), first="  ", rest="    ")
    if said.hidden:
        yield wrap(f"{said.hidden.sentence}:", first="  ", rest="    ")
        yield from _changes(said.hidden.changes, "    ")
    yield ""
    yield said.log


def _events(said: Outline) -> Iterator[str]:
    """What happened to the program, and the end of its last words."""
    if not said.events:
        return
    yield ""
    yield from (wrap(printable(event), rest="  ") for event in said.events[:_EVENTS])
    if len(said.events) > _EVENTS:
        yield more_words(len(said.events) - _EVENTS, "event")
    if said.last_words:
        yield "its standard error ended with"
        for line in said.last_words[-_STDERR_LINES:]:
            text = printable(line)
            for begin in range(0, min(max(len(text), 1), _STDERR_MOST), _STDERR_WIDTH):
                yield f"  | {text[begin : begin + _STDERR_WIDTH]}"
            if len(text) > _STDERR_MOST:
                yield f"  | … {len(text) - _STDERR_MOST:,} more characters"


def _explained(explained: Explained) -> Iterator[str]:
    yield ""
    yield wrap(f"{explained.sentence}:" if explained.changes else explained.sentence, rest="  ")
    yield from _changes(explained.changes, "  ", bold=True)
    yield from (wrap(f"({words})", first="  ", rest="   ") for words in explained.indistinguishable)


def _changes(changes: Sequence[Change], indent: str, *, bold: bool = False) -> Iterator[str]:
    for change in changes[:_SHOWN]:
        says = click.style(change.says, bold=True) if bold else change.says
        yield wrap(f"{says}  ({change.name})", first=indent, rest=f"{indent}  ")
        yield from (wrap(fact, first=f"{indent}  ", rest=f"{indent}  ") for fact in change.facts)
    if len(changes) > _SHOWN:
        yield f"{indent}{more_words(len(changes) - _SHOWN, 'change')}"


def _tableau(tableau: ShownTableau) -> Iterator[str]:
    """The tables in which the answers show anything wrong."""
    if any(seen.wrong for row in tableau.banker.values() for seen in row.values()):
        yield ""
        yield "the banker's table as answered; wrong: [D] draws, [S] stands, [D/S] both"
        yield f"  {'third card':12}" + "".join(f"{third:>5}" for third in tableau.thirds)
        for total, row in tableau.banker.items():
            cells = "".join(f"{_cell(row.get(third)):>5}" for third in tableau.thirds)
            yield f"  {f'banker {total}':12}{cells}"
    if any(seen.wrong for seen in tableau.player):
        yield ""
        yield "the player's row as answered; wrong: [D] draws, [S] stands, [D/S] both"
        yield f"  {'total':12}" + "".join(f"{seen.cell.partition(' ')[2]:>5}" for seen in tableau.player)
        yield f"  {'player':12}" + "".join(f"{_cell(seen):>5}" for seen in tableau.player)
    if tableau.naturals:
        yield ""
        yield "naturals as answered"
        yield from (wrap(words, first="  ", rest="    ") for words in tableau.naturals[:_SHOWN])
        if len(tableau.naturals) > _SHOWN:
            yield f"  {more_words(len(tableau.naturals) - _SHOWN, 'natural')}"


def _cell(seen: Seen | None) -> str:
    letter = cell_words(seen) or "."
    return f"[{letter}]" if seen and seen.wrong else letter


def _some(entries: Sequence[Entry], show: Callable[[Entry], Iterator[str]], noun: str) -> Iterator[str]:
    for entry in entries[:_SHOWN]:
        yield ""
        yield from show(entry)
    if len(entries) > _SHOWN:
        yield ""
        yield more_words(len(entries) - _SHOWN, noun)


def _fault(fault: FaultOutline) -> Iterator[str]:
    head = click.style(printable(fault.title), bold=True)
    yield f"{head}  ({fault.name})" if fault.name else wrap(head, rest="  ")
    if fault.rule:
        yield wrap(fault.rule, first="  ", rest="    ")
    yield f"  {fault.extent}"
    yield from _asked(fault.example)
    yield from (wrap(printable(words), first="    ", rest="      ") for words in fault.differences)
    yield f"  {printable(fault.example.command)}"


def _unanswered(entry: OpenOutline) -> Iterator[str]:
    yield wrap(f"{click.style(entry.outcome, bold=True)}  {entry.extent}: {printable(entry.why)}", rest="  ")
    yield from _asked(entry.example)
    yield f"  {printable(entry.example.command)}"


def _asked(example: Example) -> Iterator[str]:
    indent = " " * 10
    if not example.by_step:
        yield wrap(printable(", ".join(example.asked)), first="  such as ", rest=indent)
        return
    for number, what in enumerate(example.asked):
        yield wrap(printable(what), first=indent if number else "  such as ", rest=f"{indent}  ")

"""A run of an implementation as a page: verdict, explanation, tableau as answered, faults, and what is left open."""

from __future__ import annotations

from collections.abc import Iterator
from xml.etree import ElementTree as ET

from oracle.conformance.diagnose.diagnose import Seen
from oracle.conformance.summary.summary import Fault, Summary, Unanswered, hands
from oracle.programs.cells import in_words
from oracle.report.words.page import element, lines, listed, page
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

_SHOWN = 100
_NATURALS = 10
_WORD = {"draw": "D", "stand": "S", "both": "D/S", "stop": "ends", "go on": "goes on"}


def run_html(summary: Summary) -> str:
    """The page, one file."""
    return page(f"{summary.verdict}: {summary.log.header.rules}", _content(summary))


def _content(summary: Summary) -> Iterator[ET.Element]:
    header = summary.log.header
    verdict = element("span", summary.verdict, class_=summary.verdict, id="verdict")
    yield element("h1", verdict, f": {header.rules}")
    yield element("p", f"{headline(summary)}; {extent(summary)}, {suite_words()}.")
    who = header.implementation
    if who is not None:
        named = " ".join(part for part in (who.name, who.version, who.language and f"({who.language})") if part)
        told = ", ".join(header.observables) or kinds_alone(header.kinds)
        yield element("p", "Implementation: ", element("strong", named), f". It reports {told}.")
    if summary.known is not None:
        yield listed(known_words(summary.known))
    yield from _troubles(summary)
    yield from _again(summary)
    yield from _explained(summary)
    yield from _tableau(summary)
    by = {seen.cell: seen for seen in summary.diagnosis.tableau}
    yield from _section("Faults", [_fault(fault, by.get(fault.name)) for fault in summary.faults])
    yield from _section("Not answered", [_unanswered(entry) for entry in summary.unanswered])
    if summary.not_confirmed:
        yield element("h2", "Not confirmed")
        yield listed(f"{entry.what} {entry.name}: {entry.why}" for entry in summary.not_confirmed)


def _section(title: str, entries: list[ET.Element]) -> Iterator[ET.Element]:
    if entries:
        yield element("h2", title)
        yield from entries[:_SHOWN]
        if len(entries) > _SHOWN:
            yield element("p", f"… {len(entries) - _SHOWN:,} more in test.json", class_="quiet")


def _troubles(summary: Summary) -> Iterator[ET.Element]:
    told = [*dict.fromkeys(summary.log.problems)]
    told += [f"{event.what}: {event.why}" for event in summary.log.events[:_SHOWN]]
    if told:
        yield element("h2", "What happened")
        yield listed(told)
    said = next((event.stderr for event in summary.log.events if event.stderr.strip()), "")
    if said:
        yield element("p", "Its standard error ended with")
        yield lines(said.rstrip().splitlines()[-20:])


def _again(summary: Summary) -> Iterator[ET.Element]:
    """What is answered in two ways."""
    for told in told_again(summary):
        yield element("h2", told.sentence)
        yield listed(told.details)
        yield lines(list(told.commands))


def _explained(summary: Summary) -> Iterator[ET.Element]:
    found = list(explanations(summary))
    if found:
        yield element("h2", "Explanation")
    for sentence, entries in found:
        yield element("p", f"{sentence}{':' if entries else '.'}")
        if entries:
            yield listed(
                element(
                    "span",
                    element("strong", entry.says),
                    " ",
                    element("span", f"({entry.name})", class_="quiet"),
                    f": {cost_words(entry.weight)}" if entry.weight else "",
                )
                for entry in entries[:_SHOWN]
            )
        yield from (element("p", words) for words in alike_words(summary, entries))


def _tableau(summary: Summary) -> Iterator[ET.Element]:
    """The banker's table, the player's row, and those naturals that are wrong."""
    found = summary.diagnosis
    thirds, rows = banker_table(found)
    if not rows:
        return
    yield element("h2", "The tableau as answered")
    note = "D draws, S stands; a marked cell is against the rules, which say what follows ≠; a dot: no answer shows it."
    yield element("p", note, class_="quiet")
    head = element("tr", element("th", "banker", scope="col"), *(element("th", third, scope="col") for third in thirds))
    body = [
        element("tr", element("th", banker2, scope="row"), *(_cell(row.get(third)) for third in thirds))
        for banker2, row in rows.items()
    ]
    yield _table("banker", "The banker, against the player's third card", head, body)
    player = [seen for seen in found.tableau if seen.cell.startswith("player_draw ")]
    totals = [element("th", seen.cell.partition(" ")[2], scope="col") for seen in player]
    head = element("tr", element("th", "total", scope="col"), *totals)
    row = element("tr", element("th", "player", scope="row"), *map(_cell, player))
    yield _table("player", "The player, by the total of two cards", head, [row])
    naturals = [seen for seen in found.tableau if seen.cell.startswith("natural ") and seen.wrong]
    if naturals:
        told = [f"{in_words(seen.cell)}: by the rules {DUE[seen.due]}, not as answered" for seen in naturals]
        more = [f"… and at {len(told) - _NATURALS:,} more pairs of totals"] if len(told) > _NATURALS else []
        yield listed([*told[:_NATURALS], *more])


def _table(id: str, caption: str, head: ET.Element, body: list[ET.Element]) -> ET.Element:
    table = element("table", element("caption", caption), element("thead", head), element("tbody", *body), id=id)
    return element("div", table, class_="scroll", tabindex="0", role="region", **{"aria-label": caption})


def _cell(seen: Seen | None) -> ET.Element:
    if seen is None or not seen.action:
        return element("td", "·", class_="unseen")
    title = f"{in_words(seen.cell)}: by the rules {DUE[seen.due]}{f', by {seen.by}' if seen.by else ''}"
    told = _WORD[seen.action]
    if not seen.wrong:
        return element("td", told, title=title)
    return element("td", f"{told} ≠ {_WORD[seen.due]}", title=title, class_="wrong")


def _fault(fault: Fault, seen: Seen | None) -> ET.Element:
    made = element("section", element("h3", fault_title(fault)))
    told: list[str | ET.Element] = []
    if seen and seen.by:
        told.append(f"the rules: {DUE[seen.due]}, by {seen.by}")
    asked = hands(fault.example)
    steps = fault.example.steps
    told += [fault_extent(fault), element("div", "such as", listed(asked)) if steps else f"such as {', '.join(asked)}"]
    told += [difference_words(difference) for difference in fault.example.differs]
    made.append(listed(told))
    made.append(lines([fault.reproduce]))
    return made


def _unanswered(entry: Unanswered) -> ET.Element:
    known = f", {entry.known:,} of them known" if entry.known else ""
    made = element("section", element("h3", f"{entry.outcome}: {entry.why}"))
    made.append(listed([f"{entry.count:,} {'case' if entry.count == 1 else 'cases'}{known}"]))
    made.append(lines([entry.reproduce]))
    return made

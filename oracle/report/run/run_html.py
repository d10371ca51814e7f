"""A run of an implementation as a page: verdict, explanation, tableau as answered, faults, and what is left open."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from xml.etree import ElementTree as ET

from oracle.conformance.diagnose.diagnose import Seen
from oracle.report.run.outline import FRESH, Change, Example, FaultOutline, OpenOutline, Outline, ShownTableau
from oracle.report.words.layout import more_words
from oracle.report.words.page import element, lines, listed, page
from oracle.report.words.run_words import ACTIONS, cell_words, seen_words

_SHOWN = 100
_NATURALS = 10


def run_html(said: Outline) -> str:
    """The page, one file."""
    return page(f"{said.verdict}: {said.rules}", _content(said))


def _content(said: Outline) -> Iterator[ET.Element]:
    verdict = element("span", said.verdict, class_=said.verdict, id="verdict")
    yield element("h1", verdict, f": {said.rules}")
    yield element("p", f"{said.headline}; {', '.join(filter(None, (said.checked, said.suite, said.drawn)))}.")
    if said.reporter is not None:
        yield element("p", element("strong", said.reporter.name), f": {said.reporter.reports}.")
    yield from (element("p", f"{words}.") for words in said.power)
    if said.known:
        yield listed(said.known)
    if said.incomplete or said.events:
        yield element("h2", "What happened")
        yield _some((*said.incomplete, *said.events), "event")
    if said.last_words:
        yield element("p", "Its standard error ended with")
        yield lines(said.last_words)
    for found in said.two_answers:
        yield element("h2", found.sentence)
        yield listed(found.details)
        yield lines(found.commands)
    if said.explained:
        yield element("h2", "Explanation")
    for explained in said.explained:
        yield element("p", f"{explained.sentence}{':' if explained.changes else '.'}")
        if explained.changes:
            yield _changes(explained.changes)
        yield from (element("p", words) for words in explained.indistinguishable)
    yield from _tableau(said.tableau)
    yield from _section("Faults", [_fault(fault) for fault in said.faults[:_SHOWN]], len(said.faults), "fault")
    if said.fresh_faults:
        yield element("h2", FRESH)
        if said.card:
            yield element("p", f"{said.card}.")
        shown = [_fault(fault) for fault in said.fresh_faults[:_SHOWN]]
        yield from shown
        if len(said.fresh_faults) > len(shown):
            yield element("p", more_words(len(said.fresh_faults) - len(shown), "fault"), class_="quiet")
    opened = [_unanswered(entry) for entry in said.unanswered[:_SHOWN]]
    yield from _section("Not answered", opened, len(said.unanswered), "reason")
    if said.not_confirmed or said.hidden:
        yield element("h2", "Not confirmed")
        yield listed(f"{entry.what} {entry.name}: {entry.why}" for entry in said.not_confirmed)
    if said.hidden:
        yield element("p", f"{said.hidden.sentence}:")
        yield _changes(said.hidden.changes)
    yield element("p", f"{said.log}.", class_="quiet")


def _some(entries: Sequence[str | ET.Element], noun: str, most: int = _SHOWN) -> ET.Element:
    """A list, and how many more there are."""
    more = [more_words(len(entries) - most, noun)] if len(entries) > most else []
    return listed([*entries[:most], *more])


def _section(title: str, shown: list[ET.Element], count: int, noun: str) -> Iterator[ET.Element]:
    if shown:
        yield element("h2", title)
        yield from shown
    if count > len(shown):
        yield element("p", more_words(count - len(shown), noun), class_="quiet")


def _changes(changes: Sequence[Change]) -> ET.Element:
    return _some([_change(change) for change in changes], "change")


def _change(change: Change) -> ET.Element:
    name = element("span", f"({change.name})", class_="quiet")
    facts = f": {'; '.join(change.facts)}" if change.facts else ""
    return element("span", element("strong", change.says), " ", name, facts)


def _tableau(tableau: ShownTableau) -> Iterator[ET.Element]:
    """The banker's table, the player's row, and those naturals that are wrong."""
    if not tableau.banker:
        return
    yield element("h2", "The tableau as answered")
    note = (
        "D draws, S stands, D/S both; a marked cell is against the rules, which say what follows ≠; "
        "a dot: no answer shows it."
    )
    yield element("p", note, class_="quiet")
    thirds = tableau.thirds
    head = element("tr", element("th", "banker", scope="col"), *(element("th", third, scope="col") for third in thirds))
    body = [
        element("tr", element("th", total, scope="row"), *(_cell(row.get(third)) for third in thirds))
        for total, row in tableau.banker.items()
    ]
    yield _table("banker", "The banker, against the player's third card", head, body)
    totals = [element("th", seen.cell.partition(" ")[2], scope="col") for seen in tableau.player]
    head = element("tr", element("th", "total", scope="col"), *totals)
    row = element("tr", element("th", "player", scope="row"), *map(_cell, tableau.player))
    yield _table("player", "The player, by the total of two cards", head, [row])
    if tableau.naturals:
        yield _some(tableau.naturals, "natural", _NATURALS)


def _table(id: str, caption: str, head: ET.Element, body: list[ET.Element]) -> ET.Element:
    table = element("table", element("caption", caption), element("thead", head), element("tbody", *body), id=id)
    return element("div", table, class_="scroll", tabindex="0", role="region", **{"aria-label": caption})


def _cell(seen: Seen | None) -> ET.Element:
    told = cell_words(seen)
    if seen is None or not told:
        return element("td", "·", class_="unseen")
    if not seen.wrong:
        return element("td", told, title=seen_words(seen))
    return element("td", f"{told} ≠ {ACTIONS[seen.due]}", title=seen_words(seen), class_="wrong")


def _fault(fault: FaultOutline) -> ET.Element:
    title: list[str | ET.Element] = [fault.title]
    if fault.name:
        title += [" ", element("span", f"({fault.name})", class_="quiet")]
    facts = [fault.rule] if fault.rule else []
    made = element("section", element("h3", *title))
    made.append(listed([*facts, fault.extent, _asked(fault.example), *fault.differences]))
    made.append(lines([fault.example.command]))
    return made


def _unanswered(entry: OpenOutline) -> ET.Element:
    made = element("section", element("h3", entry.outcome))
    made.append(listed([f"{entry.extent}: {entry.why}", _asked(entry.example)]))
    made.append(lines([entry.example.command]))
    return made


def _asked(example: Example) -> str | ET.Element:
    if example.by_step:
        return element("div", "such as", listed(example.asked))
    return f"such as {', '.join(example.asked)}"

"""What there is to say of a run, once: text, Markdown and page are serialisers of it, and say the same.

An outline holds sentences and facts, in the order in which they are read. How they are laid out, how many of a kind
are shown and what marks a wrong cell is up to each format. Nothing in it is escaped yet.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping

import msgspec

from oracle.conformance.diagnose.diagnose import Explanation, Seen
from oracle.conformance.run.log import Event, Line, Verdict
from oracle.conformance.summary.summary import Fault, Summary, Unanswered, Unconfirmed, hands
from oracle.programs.cells import in_words
from oracle.report.words.layout import plural
from oracle.report.words.run_state import TwoAnswers, two_answers
from oracle.report.words.run_words import (
    DUE,
    card_words,
    checked_words,
    cost_words,
    difference_words,
    drawn_words,
    event_words,
    explanations,
    fault_words,
    headline,
    indistinguishable_words,
    known_words,
    power_words,
    reported_words,
    seen_words,
    shown_words,
    suite_words,
    together_words,
    unanswered_words,
    unshown_words,
)

FRESH = "Among fresh cases, and cases asked a second time"
_NAME = 200  # characters of a program's name
_LAST_WORDS = 20  # lines


class Reporter(msgspec.Struct, frozen=True):
    """The program as it calls itself, and what it reports of each case."""

    name: str
    reports: str


class Change(msgspec.Struct, frozen=True):
    """A change of the rules: what it says, its name, and what it costs where that was counted.

    One of several faults also says what shows it, and which rule it is about.
    """

    says: str
    name: str
    cost: str = ""
    shows: str = ""
    rule: str = ""

    @property
    def facts(self) -> tuple[str, ...]:
        """What is told below it."""
        return tuple(fact for fact in (self.shows, self.rule, self.cost) if fact)


class Explained(msgspec.Struct, frozen=True):
    """What gives all answers of a kind: a sentence, the changes that do, and which of them are indistinguishable."""

    sentence: str
    changes: tuple[Change, ...]
    indistinguishable: tuple[str, ...]


class Example(msgspec.Struct, frozen=True):
    """A case: what was asked, and the command that asks it again. `by_step`: a session, which is read step by step."""

    asked: tuple[str, ...]
    by_step: bool
    command: str


class FaultOutline(msgspec.Struct, frozen=True):
    """A rule that is wrong. `name` is its cell where the title says that in words, else empty; so may be `rule`."""

    title: str
    name: str
    rule: str
    extent: str
    example: Example
    differences: tuple[str, ...]


class OpenOutline(msgspec.Struct, frozen=True):
    """Cases without an answer: what became of them, how many they are, why."""

    outcome: str
    extent: str
    why: str
    example: Example


class HiddenMistakes(msgspec.Struct, frozen=True):
    """Known mistakes that what the program reports can't show."""

    sentence: str
    changes: tuple[Change, ...]


class ShownTableau(msgspec.Struct, frozen=True):
    """What the answers show of the decision cells: the banker's by own total and third card, the player's by total.

    `naturals` are sentences about those pairs of totals that are wrong.
    """

    thirds: tuple[str, ...]
    banker: Mapping[str, Mapping[str, Seen]]
    player: tuple[Seen, ...]
    naturals: tuple[str, ...]


class Outline(msgspec.Struct, frozen=True, kw_only=True):
    """All that is said of a run, from the verdict to what is not confirmed."""

    verdict: Verdict
    rules: str
    headline: str
    checked: str
    drawn: str
    power: tuple[str, ...]
    suite: str
    reporter: Reporter | None
    known: tuple[str, ...]
    incomplete: tuple[str, ...]
    events: tuple[str, ...]
    last_words: tuple[str, ...]
    two_answers: tuple[TwoAnswers, ...]
    explained: tuple[Explained, ...]
    tableau: ShownTableau
    faults: tuple[FaultOutline, ...]
    card: str
    fresh_faults: tuple[FaultOutline, ...]
    unanswered: tuple[OpenOutline, ...]
    not_confirmed: tuple[Unconfirmed, ...]
    hidden: HiddenMistakes | None
    log: str


def outline(summary: Summary) -> Outline:
    """The outline of a run."""
    log, found = summary.log, summary.diagnosis
    by = {seen.cell: seen for seen in found.tableau}
    return Outline(
        verdict=summary.verdict,
        rules=log.header.rules,
        headline=headline(summary),
        checked=checked_words(summary),
        drawn=drawn_words(summary),
        power=tuple(power_words(summary)),
        suite=suite_words(),
        reporter=_reporter(summary),
        known=() if summary.known is None else tuple(known_words(summary.known)),
        incomplete=(
            *(f"incomplete: {problem}" for problem in dict.fromkeys(log.problems)),
            *(event_words(event) for event in log.events if event.what == "gave-up"),
        ),
        events=tuple(map(event_words, sorted(_happened(log.events), key=lambda event: event.what != "unwatched"))),
        last_words=_last_words(log.events),
        two_answers=tuple(two_answers(summary)),
        explained=tuple(
            Explained(sentence, tuple(map(_change, entries)), tuple(indistinguishable_words(summary, entries)))
            for sentence, entries in explanations(summary)
        )
        + _together(summary),
        tableau=_tableau(() if _without_decisions(summary) else found.tableau, explained=_complete(summary)),
        faults=tuple(_fault(fault, by.get(fault.name)) for fault in _unfolded(summary)),
        card=card_words(summary),
        fresh_faults=tuple(_fault(fault, by.get(fault.name)) for fault in summary.drawn.faults)
        if summary.drawn
        else (),
        unanswered=tuple(map(_open, summary.unanswered)),
        not_confirmed=tuple(entry for entry in summary.not_confirmed if entry.what != "mistake"),
        hidden=_hidden(summary.not_confirmed),
        log=f"the log has sha256 {log.sha256}",
    )


def every_fault(summary: Summary) -> tuple[FaultOutline, ...]:
    """All faults by place, those too that an outline folds, as several faults explain them together."""
    by = {seen.cell: seen for seen in summary.diagnosis.tableau}
    return tuple(_fault(fault, by.get(fault.name)) for fault in summary.faults)


def _reporter(summary: Summary) -> Reporter | None:
    header = summary.log.header
    who = header.implementation
    if who is None:
        return None
    named = " ".join(part for part in (who.name, who.version, who.language and f"({who.language})") if part)
    return Reporter(named[:_NAME], reported_words(header))


def _happened(events: list[Event]) -> Iterator[Event]:
    """What happened besides the end, and what was not watched."""
    return (event for event in events if event.what != "gave-up")


def _last_words(events: list[Event]) -> tuple[str, ...]:
    """The end of what a program wrote to its standard error, of the first event before which it wrote anything."""
    said = next((event.stderr for event in events if event.stderr.strip()), "")
    return tuple(said.rstrip().splitlines()[-_LAST_WORDS:])


def _change(entry: Explanation) -> Change:
    return Change(entry.says, entry.name, cost_words(entry.weight) if entry.weight else "")


def _together(summary: Summary) -> tuple[Explained, ...]:
    """What was learnt of several faults."""
    found = summary.diagnosis.together
    if found is None:
        return ()
    faults = tuple(
        msgspec.structs.replace(
            _change(fault.explanation),
            shows=shown_words(fault, found),
            rule=f"the rule: {fault.by}" if fault.by else "",
        )
        for fault in found.faults
    )
    places = sum(fault.example.kind == "coup" for fault in summary.faults)
    folded = f"it shows in {places:,} places, of which one is told below, and all in the JSON report"
    fold = (folded,) if _complete(summary) and places > 1 else ()
    doubt = unshown_words(summary.log.header.observables)
    return (Explained(together_words(found, summary.log.header.rules), faults, (*fold, *doubt)),)


def _without_decisions(summary: Summary) -> bool:
    """Whether faults were learnt that give all answers, and none of them is about a decision."""
    found = summary.diagnosis.together
    return (
        found is not None and not found.left and not any(fault.layer in ("natural", "draws") for fault in found.faults)
    )


def _complete(summary: Summary) -> bool:
    """Whether several faults were learnt that give all answers about coups."""
    found = summary.diagnosis.together
    return found is not None and not found.left


def _unfolded(summary: Summary) -> Iterator[Fault]:
    """The faults by place; of coups that are explained together only the first."""
    told = False
    for fault in summary.faults:
        if fault.example.kind != "coup" or not (told and _complete(summary)):
            yield fault
        told |= fault.example.kind == "coup"


def _tableau(tableau: tuple[Seen, ...], *, explained: bool) -> ShownTableau:
    banker: dict[str, dict[str, Seen]] = {}
    for seen in tableau:
        question, _, place = seen.cell.partition(" ")
        if question == "banker_draw":
            total, _, third = place.partition("/")
            banker.setdefault(total, {})[third] = seen
    return ShownTableau(
        thirds=tuple(dict.fromkeys(third for row in banker.values() for third in row)),
        banker=banker,
        player=tuple(seen for seen in tableau if seen.cell.startswith("player_draw ")),
        naturals=() if explained else tuple(_naturals(tableau)),
    )


def _naturals(tableau: tuple[Seen, ...]) -> Iterator[str]:
    for seen in tableau:
        if seen.cell.startswith("natural ") and seen.wrong:
            yield f"{seen_words(seen)}, not as answered"


def _fault(fault: Fault, seen: Seen | None) -> FaultOutline:
    return FaultOutline(
        title=in_words(fault.name) if fault.cells else fault.name,
        name=fault.name if fault.cells else "",
        rule=f"the rules: {DUE[seen.due]}, by {seen.by}" if seen and seen.by else "",
        extent=fault_words(fault),
        example=_example(fault.example, fault.reproduce),
        differences=tuple(map(difference_words, fault.example.differs)),
    )


def _open(entry: Unanswered) -> OpenOutline:
    why = f"{entry.why}: {entry.example.said}" if entry.example.said else entry.why
    return OpenOutline(entry.outcome, unanswered_words(entry), why, _example(entry.example, entry.reproduce))


def _example(line: Line, command: str) -> Example:
    return Example(tuple(hands(line)), by_step=bool(line.steps), command=command)


def _hidden(entries: tuple[Unconfirmed, ...]) -> HiddenMistakes | None:
    mistakes = tuple(Change(entry.why, entry.name) for entry in entries if entry.what == "mistake")
    if not mistakes:
        return None
    return HiddenMistakes(f"{plural(len(mistakes), 'known mistake')} that these observables can't show", mistakes)

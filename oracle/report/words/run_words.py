"""Words about a run: each sentence that its reports have, in one place."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Sequence
from fractions import Fraction
from typing import TYPE_CHECKING, Any

from oracle.cases.manifest import SUITE
from oracle.conformance.diagnose.diagnose import Explanation, FaultsTogether, NamedFault, Seen
from oracle.conformance.run.log import Event, Header
from oracle.conformance.summary.known import Matched
from oracle.conformance.summary.summary import Fault, Power, Summary, Unanswered, observable_words
from oracle.programs.cells import in_words
from oracle.report.words.figures import decimal, percent
from oracle.report.words.layout import plural

if TYPE_CHECKING:
    from oracle.mutants.weight import Weight

DUE = {"draw": "draws", "stand": "stands", "stop": "the coup ends", "go on": "the coup goes on"}


def compared_words(summary: Summary) -> str:
    """In what a program was compared: `winner, totals, net; bets player, banker; shuffling`; empty if in nothing."""
    footer = summary.log.footer
    if footer is None:
        return ""
    parts = [", ".join(name for name in summary.log.header.observables if name in footer.compared)]
    parts += [f"bets {', '.join(footer.bets)}"] * bool(footer.bets)
    others = [COMPARED[kind] for kind in COMPARED if kind in summary.log.header.kinds and footer.answered.get(kind)]
    return "; ".join(part for part in (*parts, ", ".join(others)) if part)


COMPARED = {"bets": "which bets are legal", "shoe": "shuffling", "session": "sessions", "cards": "notation of cards"}
"""What is compared in cases of the other kinds."""


def headline(summary: Summary) -> str:
    """The first line: `conforms to home-pt in winner, totals`, `differs: 60 of 4,018 answers differ from home-pt`."""
    verdict, rules = summary.verdict, summary.log.header.rules
    if verdict in ("conforms", "agrees"):
        to = "to" if verdict == "conforms" else "with"
        asked = f", as far as {summary.log.header.restricted} goes" if summary.log.header.restricted else ""
        return f"{verdict} {to} {rules} in {compared_words(summary)}{asked}"
    return f"{verdict}: {answers_words(summary)}"


def answers_words(summary: Summary) -> str:
    """What came of the suite: `60 of 4,018 answers differ from home-pt, 2 skipped`."""
    log = summary.log
    counts, rules = log.counts, log.header.rules
    if not sum(counts.values()):
        return f"no case of {rules} was answered"
    parts = []
    if log.footer is not None and (troubles := log.footer.troubles):
        parts.append(f"the program crashed, hung or answered nonsense {plural(troubles, 'time')}")
    if counts["fail"]:
        verb = "differs" if log.checked == 1 else "differ"
        parts.append(f"{counts['fail']:,} of {plural(log.checked, 'answer')} {verb} from {rules}")
    elif log.checked:
        parts.append(f"{plural(log.checked, 'answer')} as {rules} has them")
    if summary.drawn is not None and (wrong := summary.drawn.wrong):
        parts.append(f"{wrong:,} of {plural(sum(summary.drawn.cases.values()), 'fresh case')} wrong")
    if summary.drawn is not None and (wrong := summary.drawn.repeated_wrong):
        parts.append(f"{wrong:,} of {summary.drawn.repeated:,} wrong when asked a second time")
    return ", ".join(
        [*parts, *(f"{counts[word]:,} {word}" for word in ("skipped", "error", "crashed") if counts[word])]
    )


def drawn_words(summary: Summary) -> str:
    """What was asked besides the suite: `and 519 fresh cases, seed 7f3a; 100 a second time`; empty if nothing was."""
    drawn = summary.drawn
    if drawn is None or not (drawn.cases or drawn.repeated):
        return ""
    second = f"; {drawn.repeated:,} of the suite a second time" if drawn.repeated else ""
    return f"and {plural(sum(drawn.cases.values()), 'fresh case')}, seed {drawn.seed}{second}"


def card_words(summary: Summary) -> str:
    """The card that every wrong fresh coup holds, in a sentence; empty if there is none."""
    if summary.drawn is None or not summary.drawn.card:
        return ""
    return f"every fresh coup that was answered wrongly holds the {summary.drawn.card}; no other card is in all of them"


def power_words(summary: Summary) -> Iterator[str]:
    """What the coups that were asked could have shown."""
    power = summary.power
    if power is None:
        return
    yield f"the coups asked show {changes_words(power)}"
    if power.miscounts is not None:
        miscounts = power.miscounts
        shown = decimal(Fraction(100 * miscounts.shown, miscounts.faults), 1)
        yield (
            f"one rank and suit counted otherwise, wherever it lies: the fresh coups show {miscounts.shown:,} of "
            f"{miscounts.faults:,} such faults, {shown} %"
        )


def changes_words(power: Power) -> str:
    """How many changes of the rules coups show: `794 of 874 single changes and known mistakes`, and of the others."""
    changes = power.changes
    least = "at least " if power.at_least else ""
    rest = len(changes.hidden)
    proved = min(power.unseen, rest)
    parts = [f"{proved:,} show in no coup through what is reported"] * bool(proved)
    parts += [f"{rest - proved:,} were not shown"] * bool(rest - proved)
    tail = f"; of the others {', '.join(parts)}" if parts else ""
    return f"{least}{changes.shown:,} of {changes.faults:,} single changes and known mistakes{tail}"


def checked_words(summary: Summary) -> str:
    """How much was checked: `4,018 of 4,642 checked`, out of all cases of the tiers that were asked for."""
    footer = summary.log.footer
    asked = sum(summary.log.counts.values()) + sum((footer.not_asked if footer else {}).values())
    return f"{summary.log.checked:,} of {asked:,} checked"


def suite_words() -> str:
    """The version of the suite."""
    return f"suite {SUITE}"


def known_words(known: Matched) -> Iterator[str]:
    """What became of a list of known failures, a line each."""
    yield f"known failures: {plural(known.cases, 'case')} by {known.entries:,} {_entries(known.entries)}"
    for names, what in ((known.passed, "passes now"), (known.not_asked, "was not asked")):
        for name in names[:_SHOWN]:
            yield f"known, but {what}: {name}"
        if len(names) > _SHOWN:
            yield f"… {len(names) - _SHOWN:,} more"


_SHOWN = 10


def _entries(count: int) -> str:
    return "entry" if count == 1 else "entries"


def explanations(summary: Summary) -> Iterator[tuple[str, tuple[Explanation, ...]]]:
    """What gives all the wrong answers: a sentence, and the changes of the rules that do."""
    found, rules = summary.diagnosis, summary.log.header.rules
    for id in found.matches:
        partly = ", where it says anything" if id in found.partly else ""
        yield f"matches {id} exactly: every answer is as {id} has it{partly}", ()
    wrong = {fault.example.kind for fault in summary.faults}
    for kind, entries in (("coup", found.coups), ("bets", found.bets), *found.others.items()):
        if kind in wrong:
            what = ABOUT[kind]
            one = f"one change of {rules} gives all answers about {what}"
            none = f"no single change of {rules} gives all answers about {what}"
            if summary.log.header.adaptive:
                one += f" that were asked, {summary.log.checked:,}; a second one may be hidden"
                none += "; run it without --adaptive, which finds several together"
            if entries or kind != "coup" or found.together is None:
                yield one if entries else none, entries


def together_words(together: FaultsTogether, rules: str) -> str:
    """What several faults explain together, in a sentence."""
    count = plural(len(together.faults), "fault")
    if not together.left:
        each = "together give" if len(together.faults) > 1 else "gives"
        return f"{count} of {rules} {each} all {together.answers:,} answers about coups"
    return (
        f"{count} of {rules} {'explain' if len(together.faults) > 1 else 'explains'} "
        f"{together.wrong - together.left:,} of {together.wrong:,} wrong answers about coups and contradict"
        f"{'' if len(together.faults) > 1 else 's'} no right one; {together.left:,} stay unexplained"
    )


def unshown_words(observables: Collection[str]) -> Iterator[str]:
    """That faults were learnt from less than the cards of each hand, which show every decision."""
    if "cards" not in observables:
        named = " and ".join(name for name in observables if name in ("winner", "totals", "net")) or "what it reports"
        yield (
            f"{named} alone don't show every decision: another rule may give the same answers; reporting cards would "
            "tell"
        )


def shown_words(fault: NamedFault, together: FaultsTogether) -> str:
    """What shows a fault: `without it 12 of 81 wrong answers aren't explained; coup-… shows it alone`."""
    alone = f"{fault.alone} shows it alone" if fault.alone else "no coup that was asked shows it alone"
    return f"{fault.layer}: without it {fault.wrong:,} of {together.wrong:,} wrong answers aren't explained; {alone}"


ABOUT: dict[str, str] = {"coup": "coups", "bets": "bets", "shoe": "shoes", "session": "sessions", "cards": "cards"}
"""What cases of a kind are about, in words."""
_INDISTINGUISHABLE = "what was asked can't tell these apart"


def kinds_alone(kinds: Sequence[str]) -> str:
    """What a program reports that says nothing of coups: `bets alone`."""
    return f"{' and '.join(ABOUT.get(kind, kind) for kind in kinds if kind != 'coup') or 'nothing'} alone"


def reported_words(header: Header) -> str:
    """What a program reports: its observables, or `bets alone`."""
    return ", ".join(name[:_NAME] for name in header.observables) or kinds_alone(header.kinds)


_NAME = 40  # characters of a name that a program gives


def indistinguishable_words(summary: Summary, entries: Sequence[Explanation]) -> Iterator[str]:
    """Which of these explanations are indistinguishable, and what would tell them apart."""
    found = summary.diagnosis
    if entries is not found.coups:
        if len(entries) > 1:
            yield _INDISTINGUISHABLE
        return
    for entry in found.alike:
        groups = [" / ".join(group) for group in entry.same]
        would = "they come to the same in every coup"
        if len(groups) > 1:
            would = f"reporting {' or '.join(entry.further)} would tell {groups[0]} from {', from '.join(groups[1:])}"
        yield f"cannot be told apart by what it reports: {', '.join(entry.names)}; {would}"
    classes = len(found.coups) - sum(len(entry.names) - 1 for entry in found.alike)
    if classes > 1:
        yield _INDISTINGUISHABLE if not found.alike else "what was asked can't tell the others apart"


def cost_words(weight: Weight) -> str:
    """How often a mistake shows, and what it costs: `0.4543 % of coups go otherwise; …`."""
    parts = []
    if weight.coups:
        parts.append(f"{percent(weight.coups)} of coups go otherwise")
    else:
        parts += [f"a bet on {bet} nets otherwise in {percent(share)} of coups" for bet, share in weight.nets.items()]
    edges = [f"{bet} {'+' if more > 0 else '-'}{decimal(100 * abs(more))}" for bet, more in weight.edges.items()]
    if edges:
        parts.append(f"house edge in percentage points: {', '.join(edges)}")
    return f"{'; '.join(parts)} ({weight.shoe})"


def fault_words(fault: Fault) -> str:
    """How many cases: `60 of 60 cases differ, 60 of them known`."""
    of = f" of {fault.checked:,}" if fault.checked else ""
    one = fault.differ == 1 and not of
    known = f", {fault.known:,} of them known" if fault.known else ""
    return f"{fault.differ:,}{of} {'case differs' if one else 'cases differ'}{known}"


def unanswered_words(entry: Unanswered) -> str:
    """How many cases got no answer: `3 cases, 1 of them known`."""
    known = f", {entry.known:,} of them known" if entry.known else ""
    return f"{plural(entry.count, 'case')}{known}"


def event_words(event: Event) -> str:
    """What happened to the program, and when: `while it started: it ended with exit code 7`."""
    return f"{_EVENTS.get(event.what, event.what)}: {event.why}"


_EVENTS = {
    "start": "while it started",
    "batch": "in a batch, which was asked again case by case",
    "case": "at a case",
    "rows": "in the file",
    "gave-up": "given up",
    "again": "while cases were asked again",
    "unwatched": "not watched",
}


def seen_words(seen: Seen) -> str:
    """A decision cell and what is due there: `banker on 3 against a third card of 7: by the rules draws, by …`."""
    return f"{in_words(seen.cell)}: by the rules {DUE[seen.due]}{f', by {seen.by}' if seen.by else ''}"


def cell_words(seen: Seen | None) -> str:
    """What the answers show of a cell of a table: `D` draws, `S` stands, `D/S` both; empty if none shows it."""
    return ACTIONS[seen.action] if seen else ""


ACTIONS = {"draw": "D", "stand": "S", "both": "D/S", "stop": "ends", "go on": "goes on", "": ""}


def value_words(value: Any) -> str:
    """A value of an answer as people read it; not escaped."""
    if isinstance(value, list | tuple):
        return " ".join(str(item) for item in value) or "none"
    if isinstance(value, bool):
        return "yes" if value else "no"
    return str(value)


def difference_words(difference: Any) -> str:
    """`winner: banker expected, player answered`; not escaped."""
    note = f" ({difference.note})" if difference.note else ""
    due, got = value_words(difference.expected), value_words(difference.got)
    return f"{observable_words(difference.observable)}: {due} expected, {got} answered{note}"

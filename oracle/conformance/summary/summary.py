"""What a log comes to: the verdict, what it leaves unconfirmed, and failures gathered by what they have in common.

A failure belongs to the decision cell in which the largest share of cases fails; where only bets, pairs or naturals
are wrong, to these. Finding out which change of the rules explains all answers starts from the same log.
"""

from __future__ import annotations

import shlex
from collections.abc import Callable, Iterator, Mapping, Sequence

import msgspec

from oracle.cases.case import KINDS
from oracle.cases.export import step_text
from oracle.cases.tiers import DEFAULT
from oracle.conformance.diagnose.diagnose import NOTHING, Diagnosis
from oracle.conformance.judge import REFUSED, Word
from oracle.conformance.run.log import EXIT, Header, Line, Log, Verdict
from oracle.conformance.run.state_dependence import Dependent, dependent
from oracle.conformance.summary.known import NO_KNOWN, Known, Matched, Matcher
from oracle.programs.observables import OBSERVABLES, gathered

_MAX_GROUPS = 10_000
_CAUSES: tuple[Word, ...] = ("crashed", "error", "skipped")  # in this order: what comes first may explain the rest
_MOST_CASES = 12  # in a command to copy


class Unconfirmed(msgspec.Struct, frozen=True):
    """Something that a run leaves open, and why: a kind, an observable, a tier, cases, a mistake that can't show."""

    what: str
    name: str
    why: str


class Fault(msgspec.Struct, frozen=True):
    """Failures that have something in common. `checked` is 0 where it is not known how many cases could show it.

    `known` of those that differ are listed as known failures. The example is one that isn't, if there is any.
    """

    name: str
    cells: tuple[str, ...]
    differ: int
    checked: int
    example: Line
    reproduce: str
    known: int = 0


class Unanswered(msgspec.Struct, frozen=True):
    """Cases that got no answer, and why: for one mistake of form one entry. What the example said is in its `said`.

    `known` of them are listed as known failures.
    """

    outcome: Word
    why: str
    count: int
    example: Line
    reproduce: str
    known: int = 0


class Summary(msgspec.Struct, frozen=True, kw_only=True):
    """All that reports tell of a run."""

    log: Log
    not_confirmed: tuple[Unconfirmed, ...]
    faults: tuple[Fault, ...]
    diagnosis: Diagnosis
    unanswered: tuple[Unanswered, ...]
    dependent: tuple[Dependent, ...] = ()
    known: Matched | None = None

    @property
    def verdict(self) -> Verdict:
        """conforms, differs or incomplete, of all answers: known failures are failures."""
        return self.log.verdict

    @property
    def exit(self) -> int:
        """The exit code of the verdict; with known failures, that of whatever isn't as the list has it."""
        if self.known is None or self.log.problems or not self.log.checked:
            return EXIT[self.verdict]
        if any(entry.known < entry.count for entry in self.unanswered):
            return EXIT["incomplete"]
        unlisted = any(fault.known < fault.differ for fault in self.faults)
        return EXIT["differs"] if unlisted or self.known.stale else 0


def summarise(log: Log, diagnosis: Diagnosis = NOTHING, known: Known | None = None) -> Summary:
    """Gather a log; `diagnosis` is what `oracle.conformance.diagnose.diagnose` found in it.

    `known` failures are told apart and don't count in the exit code.

    Memory depends on how many different failures there are, not on how many cases.
    """
    matcher = Matcher(known or NO_KNOWN)
    faults: dict[str, _Group] = {}
    unanswered: dict[tuple[Word, str], _Group] = {}
    cells = log.footer.cells if log.footer else {}
    for line in log.lines(passed=bool(known and known.cases)):
        if line.outcome == "pass":
            matcher.passed(line)
        elif line.outcome == "fail":
            name = common(line, cells)
            if name not in faults and len(faults) >= _MAX_GROUPS:
                name = "others"
            faults.setdefault(name, _Group(line)).add(line, known=matcher.failed(line))
        else:
            key = (line.outcome, line.why)
            if key not in unanswered and len(unanswered) >= _MAX_GROUPS:
                key = (line.outcome, "for other reasons")
            unanswered.setdefault(key, _Group(line)).add(line, known=matcher.failed(line))
    found = [
        Fault(
            name=name,
            cells=(name,) if name in cells else (),
            differ=group.count,
            checked=cells[name][1] if name in cells else 0,
            example=group.example,
            reproduce=reproduce(log, group.example.id),
            known=group.known,
        )
        for name, group in faults.items()
    ]
    found.sort(key=lambda fault: (-_share(fault.name, cells), -fault.differ))
    open_ones = [
        Unanswered(outcome, why, group.count, group.example, reproduce(log, group.example.id), group.known)
        for (outcome, why), group in unanswered.items()
    ]
    open_ones.sort(key=lambda entry: (_CAUSES.index(entry.outcome), -entry.count))
    return Summary(
        log=log,
        not_confirmed=(*_not_confirmed(log), *(Unconfirmed("mistake", m.name, m.says) for m in diagnosis.hidden)),
        faults=tuple(found),
        diagnosis=diagnosis,
        unanswered=tuple(open_ones),
        dependent=dependent(log),
        known=None if known is None else matcher.matched(cells),
    )


class _Group:
    """Cases with something in common; the example is the first that isn't known, else the first."""

    def __init__(self, example: Line) -> None:
        self.example = example
        self.count = 0
        self.known = 0

    def add(self, line: Line, *, known: bool) -> None:
        if not known and self.known == self.count:
            self.example = line
        self.count += 1
        self.known += known


def common(line: Line, cells: Mapping[str, tuple[int, int]]) -> str:
    """What a failing case is gathered under: a decision cell, or a part of the answer that no decision makes."""
    names = [difference.observable for difference in line.differs]
    if line.kind in _COMMON:
        return _COMMON[line.kind](line)
    if gathered(names) or not line.cells:
        return ", ".join(names)
    return max(reversed(line.cells), key=lambda cell: _share(cell, cells))


_COMMON: dict[str, Callable[[Line], str]] = {
    "bets": lambda line: "legal bets refused" if line.differs[0].expected is True else "illegal bets allowed",
    "shoe": lambda line: (
        "shoes not shuffled in time" if line.differs[0].expected is True else "shoes shuffled too early"
    ),
    "session": lambda line: (
        "balances of sessions" if line.differs[0].observable.startswith("balance") else "ends of sessions"
    ),
    "cards": lambda line: (
        "texts taken for cards"
        if line.differs[0].expected == REFUSED
        else "cards refused"
        if line.differs[0].got == REFUSED
        else "cards misread"
    ),
}


def _share(cell: str, cells: Mapping[str, tuple[int, int]]) -> float:
    passed, checked = cells.get(cell, (0, 0))
    return (checked - passed) / checked if checked else 0.0


def reproduce(log: Log, id: str) -> str:
    """The command that asks one case again."""
    return shlex.join(words(log.header, ["--case", id]))


def reproduce_after(log: Log, after: Sequence[str], id: str) -> str:
    """The command that asks a case after others; that of the whole run where these are many."""
    few = [word for each in (*after, id) for word in ("--case", each)]
    return shlex.join(words(log.header, few if len(after) < _MOST_CASES else ()))


def words(header: Header, cases: Sequence[str], *, exact: bool = False) -> list[str]:
    """The words of a command that runs the same program by the same rules; `cases` are its options about cases.

    Tiers are named where it takes them to find a case, or all of them if it has to be `exact`ly the same run.
    """
    parts = ["baccarat-oracle", "test", "--rules", header.rules]
    for folder in header.specs:
        parts += ["--specs", folder]
    if exact and header.adaptive:
        parts.append("--adaptive")
    elif any(tier not in DEFAULT for tier in header.tiers) or (exact and header.tiers != DEFAULT):
        for tier in header.tiers:
            parts += ["--tier", tier]
    return [*parts, *cases, *header.target]


def _not_confirmed(log: Log) -> Iterator[Unconfirmed]:
    header, footer = log.header, log.footer
    if header.only:
        yield Unconfirmed("cases", f"all but {len(header.only)}", "only some cases were asked for")
    if header.adaptive:
        count = sum(log.counts.values())
        why = "no more are asked than it takes to find one fault (--adaptive)"
        if log.verdict == "conforms":
            why = "these show every single change of the rules that can be seen, not every two at once (--adaptive)"
        yield Unconfirmed("cases", f"all but {count}", why)
        yield from (Unconfirmed("kind", kind, "not asked (--adaptive)") for kind in header.kinds if kind != "coup")
    for tier in DEFAULT:
        if tier not in header.tiers and not header.only and not header.adaptive:
            yield Unconfirmed("tier", tier, "not asked for")
    silent = {} if footer is None else footer.silent
    for kind in KINDS:
        if kind not in header.kinds:
            yield Unconfirmed("kind", kind, "not declared" if header.implementation else "it never said what it plays")
        elif kind in silent:
            yield Unconfirmed("kind", kind, silent[kind])
    if footer is not None:
        yield from (Unconfirmed("bet", bet, "not declared") for bet in footer.left_out or ())
    for side in header.choices or ():
        yield Unconfirmed("choice", side, "declared, but nothing asks for it yet")
    for option in header.options or {}:
        yield Unconfirmed("option", option, "declared, but nothing asks for it yet")
    if log.counts["fail"] and header.target[:1] == ("--results",):
        yield Unconfirmed("state", "between coups", "a file can't be asked a case again")
    if "coup" in header.kinds:
        asked = OBSERVABLES if footer is None else footer.compared
        for name in OBSERVABLES:
            if name not in header.observables:
                yield Unconfirmed("observable", name, "not declared")
            elif name not in asked:
                yield Unconfirmed("observable", name, "declared, but no case that was answered asks for it")


def hands(line: Line) -> Sequence[str]:
    """What was asked, in the order in which cards leave the shoe and bets were laid."""
    asked = [" ".join(line.cards)] if line.cards else []
    asked += [f"{bet} {stake}" for bet, stake in line.bets.items()]
    if line.dealt is not None:
        asked.append(f"{line.dealt} cards dealt" if line.dealt else "a fresh shoe")
        asked += [f"{line.burnt} burnt"] * bool(line.burnt) + [f"{line.decks} decks"] * (line.decks is not None)
        asked += [f"the cut card {'is' if line.cut_card else 'is not'} out"] * (line.cut_card is not None)
    asked += [f"`{line.text}`"] * (line.text is not None)
    asked += [f"balance {line.balance}"] * (line.balance is not None)
    return [*asked, *(f"step {place}: {step_text(step)}" for place, step in enumerate(line.steps, 1))]


def observable_words(name: str) -> str:
    """What differs, as people are told it: `balance 3` is the balance after the third step."""
    word, _, place = name.partition(" ")
    return f"balance after step {place}" if word == "balance" else name

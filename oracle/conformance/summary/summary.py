"""What a log comes to: the verdict, what it leaves unconfirmed, and failures gathered by what they have in common.

A failure belongs to the decision cell in which the largest share of cases fails; where only bets, pairs or naturals
are wrong, to these. Finding out which change of the rules explains all answers starts from the same log.
"""

from __future__ import annotations

import shlex
from collections import Counter
from collections.abc import Callable, Collection, Iterator, Mapping, Sequence

import msgspec

from oracle.cases.case import KINDS
from oracle.cases.export import step_text
from oracle.cases.fault_model import Shown
from oracle.cases.tiers import DEFAULT
from oracle.conformance.diagnose.diagnose import NOTHING, Diagnosis
from oracle.conformance.judge import REFUSED, Word
from oracle.conformance.run.asked import in_full
from oracle.conformance.run.log import EXIT, Header, Line, Log, Verdict
from oracle.conformance.run.state_dependence import Dependent, dependent
from oracle.conformance.summary.known import NO_KNOWN, Known, Matched, Matcher
from oracle.programs.observables import OBSERVABLES, gathered

_MAX_GROUPS = 10_000
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
    """Cases that got no answer, and why. `known` of them are listed as known failures."""

    outcome: Word
    why: str
    count: int
    example: Line
    reproduce: str
    known: int = 0


class Power(msgspec.Struct, frozen=True):
    """What the coups that were asked could have shown, through what the program reports.

    `changes` are the single changes of the rules and the catalogued mistakes; `unseen` of them show nowhere (proved).
    `miscounts` are the cards, by rank and suit, counted as another value, that the fresh coups show; None without any.
    `at_least`: only the first coups of many were tried.
    """

    changes: Shown
    unseen: int
    miscounts: Shown | None = None
    at_least: bool = False


class Drawn(msgspec.Struct, frozen=True, kw_only=True):
    """What came of fresh cases and of cases asked a second time, apart from the suite.

    `cases` counts the fresh ones by kind, `wrong` those that were answered wrongly; `repeated` and `repeated_wrong`
    those asked a second time. `faults` gather the wrong ones of both. `card` is a card, as 7H, that every wrong coup
    holds and no other card is in all of them, if there are enough of them to say so.
    """

    seed: str
    cases: dict[str, int]
    wrong: int
    repeated: int
    repeated_wrong: int
    faults: tuple[Fault, ...] = ()
    card: str = ""


class Summary(msgspec.Struct, frozen=True, kw_only=True):
    """All that reports tell of a run."""

    log: Log
    not_confirmed: tuple[Unconfirmed, ...]
    faults: tuple[Fault, ...]
    diagnosis: Diagnosis
    unanswered: tuple[Unanswered, ...]
    dependent: tuple[Dependent, ...] = ()
    known: Matched | None = None
    drawn: Drawn | None = None
    power: Power | None = None

    @property
    def verdict(self) -> Verdict:
        """conforms, agrees, differs or incomplete, of all answers: known failures are failures."""
        return self.log.verdict

    @property
    def exit(self) -> int:
        """The exit code of the verdict; with known failures, that of whatever isn't as the list has it."""
        footer = self.log.footer
        caused = footer is None or footer.troubles or footer.restarts
        if self.known is None or self.log.problems or not self.log.checked or caused:
            return EXIT[self.verdict]
        if any(entry.known < entry.count for entry in self.unanswered):
            return EXIT["incomplete"]
        drawn = self.drawn.faults if self.drawn else ()
        unlisted = any(fault.known < fault.differ for fault in (*self.faults, *drawn))
        return EXIT["differs"] if unlisted or self.known.stale else 0


def summarise(
    log: Log, diagnosis: Diagnosis = NOTHING, known: Known | None = None, power: Power | None = None
) -> Summary:
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
    open_ones.sort(key=lambda entry: -entry.count)
    return Summary(
        log=log,
        not_confirmed=(*_not_confirmed(log), *(Unconfirmed("mistake", m.name, m.says) for m in diagnosis.hidden)),
        faults=tuple(found),
        diagnosis=diagnosis,
        unanswered=tuple(open_ones),
        dependent=dependent(log),
        known=None if known is None else matcher.matched(cells),
        drawn=_drawn(log, {fault.name for fault in found if fault.known}, cells) if log.header.fresh else None,
        power=power,
    )


def _drawn(log: Log, known: Collection[str], cells: Mapping[str, tuple[int, int]]) -> Drawn:
    """Fresh cases and repeated ones. A wrong one is known if a listed failure of the suite is gathered with it."""
    fresh = [line for line in log.fresh if line.outcome == "fail"]
    repeats = [line for line in log.repeats if line.outcome == "fail"]
    groups: dict[str, _Group] = {}
    for line, name in (
        *((line, common(line, cells)) for line in fresh),
        *((line, SECOND) for line in repeats),
    ):
        groups.setdefault(name, _Group(line)).add(line, known=name in known)
    faults = [
        Fault(
            name=name,
            cells=(name,) if name in cells else (),
            differ=group.count,
            checked=0,
            example=group.example,
            reproduce=reproduce_in_full(log, group.example),
            known=group.known,
        )
        for name, group in groups.items()
    ]
    return Drawn(
        seed=log.header.seed,
        cases=dict(Counter(line.kind for line in log.fresh)),
        wrong=len(fresh),
        repeated=len(log.repeats),
        repeated_wrong=len(repeats),
        faults=tuple(sorted(faults, key=lambda fault: -fault.differ)),
        card=_card_in_all([line for line in fresh if line.kind == "coup"]),
    )


SECOND = "a case that passed, asked a second time"
_ENOUGH = 5  # wrong coups to blame a card for


def _card_in_all(coups: Sequence[Line]) -> str:
    """The one card that all of these coups hold; empty if there is none, or several, or if they are few."""
    if len(coups) < _ENOUGH:
        return ""
    shared = set.intersection(*(set(line.cards) for line in coups))
    return shared.pop() if len(shared) == 1 else ""


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


def reproduce_in_full(log: Log, line: Line) -> str:
    """The command that asks a case that is in no suite: it needs no seed."""
    return shlex.join(words(log.header, ["--ask", in_full(line)], alone=True))


def reproduce_after(log: Log, after: Sequence[str], id: str) -> str:
    """The command that asks a case after others; that of the whole run where these are many."""
    few = [word for each in (*after, id) for word in ("--case", each)]
    return shlex.join(words(log.header, few if len(after) < _MOST_CASES else ()))


def words(header: Header, cases: Sequence[str], *, exact: bool = False, alone: bool = False) -> list[str]:
    """The words of a command that runs the same program by the same rules; `cases` are its options about cases.

    Tiers are named as the user named them, to find a case, but not where the cases stand `alone`. With `exact` it is
    exactly the same run: with its seed, or without fresh cases.
    """
    parts = ["baccarat-oracle", "test", "--rules", header.rules]
    for folder in header.specs:
        parts += ["--specs", folder]
    if exact and header.adaptive:
        parts.append("--adaptive")
    usual = all(tier in ("minimal", *DEFAULT) for tier in header.chosen)
    for tier in () if alone or (usual and not exact) else header.chosen:
        parts += ["--tier", tier]
    if exact:
        for text in header.ask:
            parts += ["--ask", text]
        if header.seed:
            parts += ["--seed", header.seed]
        elif header.restricted in ("--no-fresh", "--tier"):
            parts.append("--no-fresh")
    return [*parts, *cases, *header.target]


def _not_confirmed(log: Log) -> Iterator[Unconfirmed]:
    header, footer = log.header, log.footer
    if header.only or header.ask:
        yield Unconfirmed("cases", f"all but {len(header.only or header.ask)}", "only some cases were asked for")
    if header.adaptive:
        count = sum(log.counts.values())
        why = "no more are asked than it takes to find one fault (--adaptive)"
        if log.verdict == "agrees":
            why = "these show every single change of the rules that can be seen, not every two at once (--adaptive)"
        yield Unconfirmed("cases", f"all but {count}", why)
        yield from (Unconfirmed("kind", kind, "not asked (--adaptive)") for kind in header.kinds if kind != "coup")
    if header.target[:1] == ("--results",):
        yield Unconfirmed("cases", "fresh ones", "a file can't be asked")
    elif header.restricted == "--no-fresh" or (header.restricted == "--tier" and not header.fresh):
        yield Unconfirmed("cases", "fresh ones", "left out (--no-fresh)")
    for tier in DEFAULT:
        if tier not in header.tiers and not (header.only or header.ask or header.adaptive):
            yield Unconfirmed("tier", tier, "not asked for")
    silent = {} if footer is None else footer.silent
    for kind in KINDS:
        if kind not in header.kinds:
            yield Unconfirmed("kind", kind, "not declared" if header.implementation else "it never said what it plays")
        elif kind in silent:
            yield Unconfirmed("kind", kind, silent[kind])
        elif footer is not None and not header.restricted and not footer.answered.get(kind):
            yield Unconfirmed("kind", kind, "declared, but nothing of it was answered")
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

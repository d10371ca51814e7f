"""Judging the answers of a log anew: from the rules, from the first case to the last, without the program.

A log holds enough for that: who passed answered as expected, who failed answered so but for what is told. The log is
written again from these answers, and has to come out the same to the byte.
"""

from __future__ import annotations

import tempfile
from collections import Counter
from collections.abc import Iterator
from fractions import Fraction
from pathlib import Path
from typing import Any

import msgspec
from msgspec import UNSET

from oracle.cases.case import KINDS, Case, value_at
from oracle.cases.fresh import fresh
from oracle.cases.reference import reference_of
from oracle.conformance.judge import NOT_LAID, PASS, REFUSED, Difference, Judge, Outcome
from oracle.conformance.protocol.decode import Reader, read_amount
from oracle.conformance.protocol.messages import IDS_SINCE, VERSIONS
from oracle.conformance.protocol.trouble import Trouble
from oracle.conformance.run.asked import (
    Askable,
    adaptive_tiers,
    asked_cases,
    check_tiers,
    in_full,
    read_in_full,
    silences,
    tiers_of,
)
from oracle.conformance.run.log import (
    Again,
    Entry,
    Event,
    Footer,
    Fresh,
    Header,
    Line,
    Log,
    LogWriter,
    Repeat,
    Unwritable,
)
from oracle.conformance.run.state_dependence import ANEW
from oracle.conformance.run.tally import Record, line_of
from oracle.game.rules import Rules
from oracle.programs.observables import OBSERVABLES, differing
from oracle.progress import track
from oracle.spans import OracleError
from oracle.text import printable, quoted


def rejudge(log: Log, rules: Rules, *, same_harness: bool = True) -> Iterator[str]:
    """What is wrong with a log, the first thing only; nothing if a run by these rules would have written it.

    Fresh cases are judged from the log, where each stands in full; by the `same_harness` they are drawn again from the
    seed, too, and have to be those.
    """
    with tempfile.TemporaryDirectory(prefix="baccarat-oracle-") as folder:
        path = Path(folder) / "log.ndjson"
        with LogWriter(path) as again:
            try:
                _Writer(log, rules, again, same_harness=same_harness).write()
            except Unwritable:
                raise
            except (_Wrong, OracleError) as wrong:
                yield str(wrong)
                return
        with log.open() as there, path.open("rb") as due:
            for number, line in enumerate(there, 1):
                if line != due.readline():
                    yield f"line {number} is not what judging its answers anew makes of it"
                    return
            if due.readline():
                yield "its end is missing"


_STAGES: dict[type, int] = {Line: 0, Fresh: 1, Repeat: 2, Again: 3}


class _Wrong(Exception):
    """The log can't be of a run by these rules."""


class _Writer:
    """Writes a log again."""

    def __init__(self, log: Log, rules: Rules, again: LogWriter, *, same_harness: bool) -> None:
        self.log = log
        self._reference = reference_of(rules)
        self._again = again
        _check_header(log.header)
        self._record = Record(again)
        self._record.silent = {} if log.header.adaptive or log.header.ask else silences(rules, log.header.tiers)
        self._askable = _askable(log.header, rules)
        self._record.left_out = self._askable.left_out
        self._wanted = {id for again in log.again for id in (again.id, *again.after)}
        self._wanted |= {entry.id for entry in log.repeats}
        self._drawn = self._draw() if same_harness and log.header.fresh else None
        self._stage = 0
        self._asked: dict[str, Case] = {}
        self._events: Counter[str] = Counter()
        self._due = _Planned(log.header, rules) if log.header.adaptive else _Due(log.header, rules)
        self._judge = Judge(log.header.observables)
        self._readers = {kind: Reader(kind, log.header.observables) for kind in KINDS}

    def write(self) -> None:
        """Every line in its place. Raises `_Wrong`."""
        number = 0
        try:
            for entry in track(self.log.entries(), "judging answers anew", of=sum(self.log.counts.values()), every=100):
                number += 1
                self._place(number, entry)
                if isinstance(entry, Line):
                    case = self._due.take(entry.id)
                    outcome = self._outcome(case, entry)
                    self._record.note([case], [outcome])
                    self._due.told(case, outcome)
                    if case.id in self._wanted:
                        self._asked[case.id] = case
                elif isinstance(entry, Fresh):
                    case = self._fresh(entry.case)
                    self._record.note_fresh([case], [self._outcome(case, entry.case)])
                elif isinstance(entry, Repeat):
                    case = self._known(entry.case.id)
                    self._record.note_repeated([case], [self._outcome(case, entry.case)])
                elif isinstance(entry, Again):
                    self._record.note_again(self._asked_again(entry))
                elif isinstance(entry, Footer):
                    self._close(entry)
                elif isinstance(entry, Header):
                    self._record.begin(entry)
                else:
                    self._record.event(entry)
        except Unwritable:
            raise
        except (_Wrong, OracleError) as error:
            raise _Wrong(f"line {number}: {error}") from error

    def _place(self, number: int, entry: Entry) -> None:
        """An entry that a run has no place for. Raises `_Wrong`."""
        if isinstance(entry, Header) != (number == 1):
            raise _Wrong("a log begins with its header, and has no other")
        stage = _STAGES.get(type(entry), self._stage)
        if stage < self._stage:
            raise _Wrong("the suite is asked first, then fresh cases, then some a second time, then failing ones again")
        self._stage = stage
        if isinstance(entry, Event):
            self._events[entry.what] += 1

    def _close(self, footer: Footer) -> None:
        if footer.finished and self._events["gave-up"]:
            raise _Wrong("the run was given up, and is not finished")
        reasons = sum(self._events[what] for what in ANEW)
        if not 0 <= footer.restarts <= reasons:
            raise _Wrong(f"its footer counts {footer.restarts} as restarts, with reasons for {reasons}")
        if footer.finished:
            self._due.end()
            if self._drawn is not None and (left := next(self._drawn, None)) is not None:
                raise _Wrong(f"{left.id} was to be asked as a fresh case, and is not there")
        # A run that was given up may have looked at more cases than it came to ask.
        self._record.not_asked = self._due.not_asked if footer.finished else Counter(footer.not_asked)
        self._record.restarts = footer.restarts
        self._record.close(finished=footer.finished)

    def _draw(self) -> Iterator[Case]:
        """The fresh cases of the run that can be asked, drawn from its seed."""
        header = self.log.header
        for kind in KINDS:
            if kind in header.kinds and self._record.answered[kind]:
                for case in map(self._askable.adapted, fresh(self._reference, kind, header.seed)):
                    if self._askable.asks(case):
                        yield case

    def _fresh(self, line: Line) -> Case:
        """A fresh case of the log, with its expectation. Raises `_Wrong` if it is not the one that is due."""
        if not self.log.header.fresh:
            raise _Wrong("fresh cases stand in the log of a run without any")
        (case,) = read_in_full(self._reference.rules, [in_full(line)])
        case = msgspec.structs.replace(case, tags=("fresh",))
        due = next(self._drawn, None) if self._drawn is not None else case
        if due is None or (due.id, in_full(due)) != (line.id, in_full(case)):
            raise _Wrong(f"{printable(line.id[:40])} is not the fresh case that its seed draws here")
        return case

    def _known(self, id: str) -> Case:
        """A case of the suite that was asked in this run. Raises `_Wrong`."""
        if id not in self._asked:
            raise _Wrong(f"{printable(id[:40])} was asked again, and not before")
        return self._asked[id]

    def _asked_again(self, again: Again) -> Again:
        """What was asked again, judged anew. Raises `_Wrong` if it was not asked in the run."""
        for id in (again.id, *again.after):
            self._known(id)
        outcome = self._outcome(self._asked[again.id], again)
        return Again(again.id, outcome.outcome, outcome.differs, outcome.why, again.after, outcome.said)

    def _outcome(self, case: Case, line: Line | Again) -> Outcome:
        if line.outcome == "pass":
            return PASS
        if line.outcome != "fail":
            return Outcome(line.outcome, why=line.why, said=line.said)
        reply = b'{"seq":0,"results":[%b]}' % msgspec.json.encode(_answer(case, line))
        try:
            (said,) = self._readers[case.kind].read(reply, 0, [case.id])
        except Trouble as error:
            raise _Wrong(f"what {printable(line.id)} was answered can't be read: {error}") from error
        outcome = self._judge.outcome(case, said)
        others = tuple(d for d in line.differs if d.note == NOT_LAID and self._is_other(case, d))
        return Outcome("fail", (*outcome.differs, *others)) if others else outcome

    def _is_other(self, case: Case, difference: Difference) -> bool:
        """Whether this tells of a net of a bet that the case doesn't lay. Its name may be shortened in the log."""
        about = differing(difference.observable)
        if about is None or not about[0].by_bet:
            return False
        observable, place, bet = about
        try:
            off = bool(Fraction(str(difference.got)))
        except (ValueError, ZeroDivisionError):
            return False
        laid = value_at(case.expect, place) or {}
        declared = observable.name in self.log.header.observables
        return declared and bool(laid) and bet not in laid and off and difference.expected == "0"


def _check_header(header: Header) -> None:
    """What no run would have written there, whatever was answered. Raises `_Wrong`."""
    if header.protocol not in VERSIONS:
        raise _Wrong(f"it speaks protocol {header.protocol}, not {' or '.join(map(str, VERSIONS))}")
    if header.protocol < IDS_SINCE and (header.bets, header.choices, header.options) != (UNSET, UNSET, UNSET):
        raise _Wrong("a program of protocol 1 declares no bets, choices or options")
    if header.bets and len(set(header.bets)) < len(header.bets):
        raise _Wrong("a bet is declared twice")
    for what, names, known in (("kind", header.kinds, KINDS), ("observable", header.observables, OBSERVABLES)):
        for name in names:
            if name not in known or names.count(name) > 1:
                raise _Wrong(f"the {what} {quoted(name)} is none, or stands twice")
    due = tiers_of(header.chosen, header.observables)
    plain = not (header.adaptive or header.ask or header.target[:1] == ("--results",))
    if (plain and header.tiers != due) or (header.ask and header.tiers):
        raise _Wrong("its tiers are not those that were asked for")
    if header.fresh and header.restricted not in ("", "--tier"):
        raise _Wrong(f"a run with {header.restricted} draws no fresh cases")
    if header.adaptive and (header.only or header.tiers != adaptive_tiers(header.observables, header.bets)):
        raise _Wrong("an adaptive run chooses its cases itself, from other tiers")


def _askable(header: Header, rules: Rules) -> Askable:
    return Askable(header.kinds, header.observables, header.bets, rules.bets)


class _Due:
    """The cases that were to be asked, in order; `not_asked` counts those that the declaration leaves out."""

    def __init__(self, header: Header, rules: Rules) -> None:
        check_tiers(header.tiers)
        self.not_asked: Counter[str] = Counter()
        self._header = header
        self._askable = _askable(header, rules)
        self._cases = map(
            self._askable.adapted, asked_cases(rules, tiers=header.tiers, only=header.only, ask=header.ask)
        )

    def take(self, id: str) -> Case:
        """The next case, which has to be this one. Raises `_Wrong`."""
        case = self._next()
        if case is None or case.id != id:
            due = case.id if case else "the end"
            raise _Wrong(f"{printable(id[:40])} stands where {due} is due")
        return case

    def told(self, case: Case, outcome: Outcome) -> None:
        """A case was answered so."""

    def end(self) -> None:
        """Nothing may be left to ask. Raises `_Wrong`."""
        case = self._next()
        if case is not None:
            raise _Wrong(f"{case.id} was to be asked, and is not there")

    def _next(self) -> Case | None:
        for case in self._cases:
            if self._askable.asks(case):
                return case
            self.not_asked[case.kind] += 1
        return None


class _Planned(_Due):
    """The cases of an adaptive run, each chosen by the answers before."""

    def __init__(self, header: Header, rules: Rules) -> None:
        super().__init__(header, rules)
        from oracle.conformance.diagnose.adaptive import plan_of

        self._plan = plan_of(reference_of(rules), self._askable)
        self._right = True

    def told(self, case: Case, outcome: Outcome) -> None:
        self._right = self._right and outcome.outcome != "fail"
        self._plan.tell(case, line_of(case, outcome))

    def end(self) -> None:
        super().end()
        if self._right and self._plan.undecided:
            raise _Wrong("its answers don't rule out every change of the rules")

    def _next(self) -> Case | None:
        return self._plan.next() if "coup" in self._header.kinds else None


def _answer(case: Case, line: Line | Again) -> dict[str, Any]:
    """What was answered: the expectation, but for what differs."""
    answer: dict[str, Any] = msgspec.to_builtins(case.expect)
    for difference in line.differs:
        word, _, rest = difference.observable.partition(" ")
        if word == "card":
            answer |= {"error": REFUSED, "refused": None} if difference.got == REFUSED else _card(difference.got)
        elif word == "balance" and rest.isdecimal() and 0 < int(rest) <= len(answer.get("balances", ())):
            answer["balances"] = list(answer["balances"])
            answer["balances"][int(rest) - 1] = _amount(str(difference.got))
        elif (about := differing(difference.observable)) is not None:
            observable, place, bet = about
            if observable.by_bet and difference.note != NOT_LAID:
                answer.setdefault(place.field, {})[bet] = _amount(str(difference.got))
            elif place.inner:
                answer.setdefault(place.field, {})[place.inner] = difference.got
            elif not observable.by_bet:
                answer[place.field] = difference.got
        elif not rest:
            answer[word] = difference.got
    return answer


def _card(told: object) -> dict[str, object]:
    """A card that was read, of its text: a rank of one sign, and perhaps a suit."""
    text = str(told)
    return {"rank": text[:1], "suit": text[1:]}


def _amount(text: str) -> str | msgspec.Raw:
    """Money as it was written: text, or a number where no text reads so."""
    if read_amount(msgspec.Raw(msgspec.json.encode(text))).value is None:
        return msgspec.Raw(text.encode())
    return text

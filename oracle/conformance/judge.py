"""Comparing an answer with what is expected: the outcome of a case."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from fractions import Fraction
from operator import attrgetter
from typing import Any, Literal

import msgspec

from oracle.cards import parse_card, parse_rank
from oracle.cases.case import Answer, Case
from oracle.conformance.protocol.decode import Unreadable, read_amount
from oracle.programs.observables import TABLE, AnswerPlace, Observable, fields
from oracle.spans import BadCards
from oracle.text import printable, quoted

Word = Literal["pass", "fail", "skipped", "error", "crashed"]
WORDS: tuple[Word, ...] = ("pass", "fail", "skipped", "error", "crashed")
FLOATING = "floating-point money"
NOT_LAID = "a bet that was not laid"
NOT_REFUSED = "nothing refuses them"
REFUSED = "refused"
_NEAR = Fraction(1, 10**6)


class Difference(msgspec.Struct, frozen=True, omit_defaults=True):
    """One observable that is not as expected; for `net` of one bet, as `net banker`. Money is text."""

    observable: str
    expected: Any
    got: Any
    note: str = ""


class Outcome(msgspec.Struct, frozen=True, omit_defaults=True):
    """What became of a case. `why` says it for all but pass and fail.

    `why` is the same for all cases with the same mistake of form; `said` is what was said in this one.
    """

    outcome: Word
    differs: tuple[Difference, ...] = ()
    why: str = ""
    said: str = ""


PASS = Outcome("pass")


def compared(case: Case, observables: Collection[str]) -> set[str]:
    """Those of some observables that a case of kind coup has an expectation for; none for other kinds."""
    expect = case.expect
    return {name for name in observables if _asks(expect, name)}


def checkable(case: Case, observables: Collection[str]) -> bool:
    """Whether any declared observable has something to say about a case."""
    if case.kind != "coup":
        return True
    expect = case.expect
    return any(_asks(expect, name) for name in observables)


def _asks(expect: Answer, name: str) -> bool:
    """Whether an expectation has something of an observable."""
    if name not in _FIRST:
        return False
    field, inner = _FIRST[name]
    value = getattr(expect, field)
    if inner and value is not None:
        value = getattr(value, inner)
    return value is not None and value != {}


_FIRST = {each.name: (each.places[0].field, each.places[0].inner) for each in TABLE}


class Judge:
    """Compares by the declared observables. Whatever else was said is not looked at."""

    def __init__(self, observables: Collection[str]) -> None:
        declared = [each for each in TABLE if each.name in observables]
        places = [place.path for each in declared if not each.by_bet for place in each.places]
        self._same = {
            "coup": _Same(places, nothing="legal"),
            "bets": _Same(["legal"], nothing="winner"),
            "shoe": _Same(["reshuffle"], nothing="winner"),
        }
        # Hands come after fields of their own, and what bets come to last.
        ordered = sorted(fields(observables), key=lambda field: (field.by_bet, field.shared))
        self._fields = [(field.name, field.by_bet, field.grouped, field.places) for field in ordered]
        self._by_bet = [attrgetter(f"expect.{field.name}") for field in ordered if field.by_bet]

    def outcomes(self, cases: Sequence[Case], results: Sequence[Any]) -> list[Outcome]:
        """The outcomes of cases of one kind, in order. Where all pass, which is the rule, they are compared at once."""
        same = self._same.get(cases[0].kind)
        try:
            alike = same is not None and list(map(same.said, results)) == list(map(same.wanted, cases))
            if alike and not any(any(map(at, cases)) for at in self._by_bet):
                return [PASS] * len(cases)
        except AttributeError:  # an unreadable one, or one without a hand
            pass
        return [self.outcome(case, said) for case, said in zip(cases, results, strict=True)]

    def outcome(self, case: Case, said: Any) -> Outcome:
        """The outcome of a case from what was read for it."""
        if isinstance(said, Unreadable):
            return Outcome("error", why=said.why, said=said.said)
        if said.error is not None and case.kind != "cards":
            return Outcome("error", why=f"it said: {printable(said.error[:500])}")
        if said.skipped is not None:
            return Outcome("skipped", why=printable(said.skipped[:500]))
        differs: list[Difference] = []
        try:
            match case.kind:
                case "coup":
                    self._coup(case.expect, said, differs)
                case "bets":
                    _plain("legal", case.expect, said, differs)
                    why = case.why or NOT_REFUSED
                    differs = [msgspec.structs.replace(differing, note=why) for differing in differs]
                case "shoe":
                    _plain("reshuffle", case.expect, said, differs)
                case "session":
                    _session(case.expect, said, differs)
                case "cards":
                    _read(case.expect, said, differs)
        except _Unusable as error:
            return Outcome("error", why=error.why, said=error.said)
        return Outcome("fail", tuple(differs)) if differs else PASS

    def _coup(self, expect: Answer, said: Any, differs: list[Difference]) -> None:
        for name, by_bet, grouped, places in self._fields:
            want = getattr(expect, name)
            if want is None or (by_bet and not want):
                continue
            got = getattr(said, name)
            if got is None:
                raise _Unusable(f"`{name}` is missing")
            if by_bet:
                _compare_bets(places[0][1], want, got, differs)
                continue
            for observable, place in places:
                if grouped:
                    _compare(observable, place, getattr(want, place.inner), getattr(got, place.inner), differs)
                else:
                    _compare(observable, place, want, got, differs)


class _Same:
    """What to take of a result, and what of its case, so that both are alike if the case passes, nets aside.

    `error` and `skipped` have to be nothing, as in the expectation the field `nothing` of another kind is.
    """

    def __init__(self, places: Sequence[str], *, nothing: str) -> None:
        self.said = attrgetter("error", "skipped", *places)
        self.wanted = attrgetter(*(f"expect.{place}" for place in (nothing, nothing, *places)))


class _Unusable(Exception):
    """A declared part of an answer is missing, or isn't what it has to be: `why`, and what it is instead."""

    def __init__(self, why: str, said: str = "") -> None:
        self.why = why
        self.said = said
        super().__init__(why)


def _plain(name: str, expect: Answer, result: Any, differs: list[Difference]) -> None:
    want = getattr(expect, name)
    got = getattr(result, name)
    if want is None:
        return
    if got is None:
        raise _Unusable(f"`{name}` is missing")
    if got != want:
        differs.append(Difference(name, want, got))


def _compare(observable: Observable, place: AnswerPlace, want: Any, got: Any, differs: list[Difference]) -> None:
    """Compare what an answer has at a place, of which nothing may be expected."""
    if want is None or got == want:
        return
    called, normal = place.called, observable.form.normal
    if got is None:
        raise _Unusable(f"{called} {'are' if called.endswith('s`') else 'is'} missing")
    if normal is not None:
        try:
            got = normal(got)
        except ValueError as error:
            why, said = error.args
            raise _Unusable(f"{called} {why}", said) from None
    if got != want:
        differs.append(Difference(place.difference, want, got))


def _compare_bets(
    place: AnswerPlace, expect: dict[str, str], said: dict[str, msgspec.Raw], differs: list[Difference]
) -> None:
    for bet, want in expect.items():
        raw = said.get(bet)
        if raw is None or bytes(raw) == b"null":
            raise _Unusable(f"the {place.called} of {bet} is missing")
        _amount(f"{place.difference} {bet}", want, raw, differs, called=f"the {place.called} of {bet}")
    if len(said) > len(expect):
        for bet, raw in said.items():
            if bet not in expect and (value := read_amount(raw).value):
                shown = str(value) if value.denominator == 1 else f"{value.numerator}/{value.denominator}"
                differs.append(Difference(f"{place.difference} {printable(bet[:40])}", "0", shown, NOT_LAID))


def _amount(name: str, want: str, raw: msgspec.Raw, differs: list[Difference], *, called: str) -> None:
    """Compare an amount by value. One that is off by a hair was kept in floating point."""
    amount = read_amount(raw)
    if amount.value is None:
        raise _Unusable(f"{called} is no amount", quoted(amount.text, 60))
    off = abs(amount.value - Fraction(want))
    if off:
        differs.append(Difference(name, want, amount.text, FLOATING if off < _NEAR else ""))


def _session(expect: Answer, said: Any, differs: list[Difference]) -> None:
    wanted = expect.balances or ()
    if said.balances is None:
        raise _Unusable("`balances` is missing")
    if len(said.balances) != len(wanted):
        raise _Unusable("`balances` has not one amount for each step")
    for place, (want, raw) in enumerate(zip(wanted, said.balances, strict=True), 1):
        _amount(f"balance {place}", want, raw, differs, called="a balance")
    _plain("ended", expect, said, differs)


def _read(expect: Answer, said: Any, differs: list[Difference]) -> None:
    """A text that was read. An error says that it is no card."""
    want = (REFUSED, "") if expect.refused else (expect.rank, expect.suit or "")
    if said.error is not None:
        got = (REFUSED, "")
    elif said.rank is None:
        raise _Unusable("`rank` is missing")
    else:
        got = _rank_and_suit(said.rank, said.suit or "")
    if want != got and REFUSED in (want[0], got[0]):
        differs.append(Difference("card", "".join(map(str, want)), "".join(got)))
    else:
        pairs = zip(("rank", "suit"), want, got, strict=True)
        differs.extend(Difference(name, due, told) for name, due, told in pairs if due != told)


def _rank_and_suit(rank: str, suit: str) -> tuple[str, str]:
    if parse_rank(rank) is None:
        raise _Unusable("`rank` is no rank", quoted(rank, 20))
    try:
        card = parse_card(f"A{suit}")
    except BadCards:
        raise _Unusable("`suit` is no suit", quoted(suit, 20)) from None
    return str(parse_rank(rank)), card.suit

"""Comparing an answer with what is expected: the outcome of a case."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from fractions import Fraction
from functools import lru_cache
from operator import attrgetter
from typing import Any, Literal

import msgspec

from oracle.cards import parse_card, parse_rank
from oracle.cases.case import Answer, Case, HandAnswer
from oracle.conformance.protocol.decode import Unreadable, read_amount
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
    """What became of a case. `why` says it for all but pass and fail."""

    outcome: Word
    differs: tuple[Difference, ...] = ()
    why: str = ""


PASS = Outcome("pass")


def compared(case: Case, observables: Collection[str]) -> set[str]:
    """Those of some observables that a case of kind coup has an expectation for; none for other kinds."""
    expect = case.expect
    hand = expect.player
    there = {
        "winner": expect.winner is not None,
        "totals": hand is not None and hand.total is not None,
        "cards": hand is not None and hand.cards is not None,
        "natural": expect.natural is not None,
        "pairs": expect.pairs is not None,
        "net": bool(expect.net),
    }
    return {name for name in observables if there.get(name)}


def checkable(case: Case, observables: Collection[str]) -> bool:
    """Whether any declared observable has something to say about a case."""
    if case.kind != "coup":
        return True
    if "winner" in observables and case.expect.winner is not None:
        return True
    return bool(compared(case, observables))


class Judge:
    """Compares by the declared observables. Whatever else was said is not looked at."""

    def __init__(self, observables: Collection[str]) -> None:
        self._same = {
            "coup": _Same(_places(observables), nothing="legal"),
            "bets": _Same(["legal"], nothing="winner"),
            "shoe": _Same(["reshuffle"], nothing="winner"),
        }
        self._plain = tuple(name for name in ("winner", "natural", "pairs") if name in observables)
        self._totals = "totals" in observables
        self._cards = "cards" in observables
        self._net = "net" in observables

    def outcomes(self, cases: Sequence[Case], results: Sequence[Any]) -> list[Outcome]:
        """The outcomes of cases of one kind, in order. Where all pass, which is the rule, they are compared at once."""
        same = self._same.get(cases[0].kind)
        try:
            alike = same is not None and list(map(same.said, results)) == list(map(same.wanted, cases))
            if alike and not (self._net and any(map(_NET, cases))):
                return [PASS] * len(cases)
        except AttributeError:  # an unreadable one, or one without a hand
            pass
        return [self.outcome(case, said) for case, said in zip(cases, results, strict=True)]

    def outcome(self, case: Case, said: Any) -> Outcome:
        """The outcome of a case from what was read for it."""
        if isinstance(said, Unreadable):
            return Outcome("error", why=f"its result can't be read: {said.why}")
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
            return Outcome("error", why=str(error))
        return Outcome("fail", tuple(differs)) if differs else PASS

    def _coup(self, expect: Answer, said: Any, differs: list[Difference]) -> None:
        for name in self._plain:
            _plain(name, expect, said, differs)
        if self._totals or self._cards:
            for side in ("player", "banker"):
                want = getattr(expect, side)
                if want is not None:
                    self._hand(side, want, getattr(said, side), differs)
        if self._net and expect.net:
            if said.net is None:
                raise _Unusable("`net` is missing")
            _nets(expect.net, said.net, differs)

    def _hand(self, side: str, want: HandAnswer, got: Any, differs: list[Difference]) -> None:
        if got is None:
            raise _Unusable(f"`{side}` is missing")
        if self._totals and want.total is not None and got.total != want.total:
            if got.total is None:
                raise _Unusable(f"the {side}'s `total` is missing")
            differs.append(Difference(f"{side} total", want.total, got.total))
        if self._cards and want.cards is not None and got.cards != want.cards:
            if got.cards is None:
                raise _Unusable(f"the {side}'s `cards` are missing")
            cards = tuple(_card(side, text) for text in got.cards[:20])
            if cards != want.cards:
                differs.append(Difference(f"{side} cards", want.cards, cards))


_NET = attrgetter("expect.net")


class _Same:
    """What to take of a result, and what of its case, so that both are alike if the case passes, nets aside.

    `error` and `skipped` have to be nothing, as in the expectation the field `nothing` of another kind is.
    """

    def __init__(self, places: Sequence[str], *, nothing: str) -> None:
        self.said = attrgetter("error", "skipped", *places)
        self.wanted = attrgetter(*(f"expect.{place}" for place in (nothing, nothing, *places)))


def _places(observables: Collection[str]) -> list[str]:
    """Where the declared observables, but nets, stand in an answer."""
    inner = {"totals": ("player.total", "banker.total"), "cards": ("player.cards", "banker.cards")}
    inner["pairs"] = ("pairs.player", "pairs.banker")
    return [place for name in observables if name != "net" for place in inner.get(name, (name,))]


class _Unusable(Exception):
    """A declared part of an answer is missing, or isn't what it has to be."""


def _plain(name: str, expect: Answer, result: Any, differs: list[Difference]) -> None:
    want = getattr(expect, name)
    got = getattr(result, name)
    if want is None:
        return
    if got is None:
        raise _Unusable(f"`{name}` is missing")
    if name == "pairs":
        sides = [(side, getattr(want, side), getattr(got, side)) for side in ("player", "banker")]
        differs.extend(Difference(f"{side} pair", due, said) for side, due, said in sides if due != said)
    elif got != want:
        differs.append(Difference(name, want, got))


def _nets(expect: dict[str, str], said: dict[str, msgspec.Raw], differs: list[Difference]) -> None:
    for bet, want in expect.items():
        raw = said.get(bet)
        if raw is None or bytes(raw) == b"null":
            raise _Unusable(f"the `net` of {bet} is missing")
        _amount(f"net {bet}", want, raw, differs, called=f"the `net` of {bet}")
    if len(said) > len(expect):
        for bet, raw in said.items():
            if bet not in expect and (value := read_amount(raw).value):
                shown = str(value) if value.denominator == 1 else f"{value.numerator}/{value.denominator}"
                differs.append(Difference(f"net {printable(bet[:40])}", "0", shown, NOT_LAID))


def _amount(name: str, want: str, raw: msgspec.Raw, differs: list[Difference], *, called: str) -> None:
    """Compare an amount by value. One that is off by a hair was kept in floating point."""
    amount = read_amount(raw)
    if amount.value is None:
        raise _Unusable(f"{called} is no amount: {quoted(amount.text, 60)}")
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
        raise _Unusable(f"`rank` is {quoted(rank, 20)}, which is none")
    try:
        card = parse_card(f"A{suit}")
    except BadCards:
        raise _Unusable(f"`suit` is {quoted(suit, 20)}, which is none") from None
    return str(parse_rank(rank)), card.suit


@lru_cache(maxsize=4096)
def _card_text(text: str) -> str:
    return str(parse_card(text))


def _card(side: str, text: str) -> str:
    try:
        return _card_text(text[:20])
    except BadCards:
        raise _Unusable(f"the {side}'s `cards` hold {quoted(text, 20)}, which is no card") from None

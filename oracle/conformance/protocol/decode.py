"""Reading what an implementation says, strictly: only what it declared is looked at, and money as exact text."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable
from fractions import Fraction
from operator import attrgetter
from typing import Annotated, Any

import msgspec

from oracle.cases.case import KINDS, Kind
from oracle.conformance.protocol.messages import PROTOCOL, Natural, SaidPairs, Started, Winner
from oracle.conformance.protocol.trouble import Trouble
from oracle.programs.observables import OBSERVABLES
from oracle.text import did_you_mean, printable, quoted

Total = Annotated[int, msgspec.Meta(ge=-999, le=999)]  # wrong ones too, but none that no program can hold
SHOWN = 300
"""So much of an unreadable reply is kept."""

_WHOLE_OR_DECIMAL = re.compile(r"-?[0-9]{1,40}(?:\.[0-9]{1,40})?\Z")
_RATIO = re.compile(r"-?[0-9]{1,40}/[0-9]{1,40}\Z")
_JSON_NUMBER = re.compile(r"-?[0-9]{1,40}(?:\.[0-9]{1,40})?(?:[eE][+-]?[0-9]{1,2})?\Z")


class Amount(msgspec.Struct, frozen=True):
    """Money as it was written; `value` is None if it is no amount. `number`: it came as a JSON number."""

    text: str
    value: Fraction | None
    number: bool


def read_started(line: bytes) -> Started:
    """The reply to `start`. Raises `Trouble` that says what is wrong with it."""
    try:
        started = msgspec.json.decode(line, type=Started)
    except (msgspec.DecodeError, RecursionError) as error:
        raise Trouble("nonsense", f"its answer to `start` can't be read: {_unread(error, line)}") from error
    if started.protocol != PROTOCOL:
        raise Trouble("nonsense", f"it speaks protocol {started.protocol}, not {PROTOCOL}")
    for what, names, known in (
        ("kind", started.kinds, KINDS),
        ("observable", started.observables, OBSERVABLES),
    ):
        for name in names:
            if name not in known:
                near = did_you_mean(name, known)
                raise Trouble("nonsense", f"it declares {what} {quoted(name)}, which isn't one: {near}")
    kinds, observables = dict.fromkeys(started.kinds), dict.fromkeys(started.observables)
    return msgspec.structs.replace(started, kinds=tuple(kinds), observables=tuple(observables))


class Unreadable(msgspec.Struct, frozen=True):
    """A result that can't be read: why, and how it begins."""

    why: str
    id: None = None


_ID = attrgetter("id")


class Reader:
    """Reads replies to batches of one kind; `observables` are those declared."""

    def __init__(self, kind: Kind, observables: Collection[str]) -> None:
        self._one = msgspec.json.Decoder(said_type(kind, observables))
        self._all = msgspec.json.Decoder(_reply(said_type(kind, observables)))
        self._raw = msgspec.json.Decoder(_reply(msgspec.Raw))

    def read(self, line: bytes, seq: int, ids: list[str]) -> list[Any]:
        """A result for each id: an answer with the declared fields, or an `Unreadable`.

        Raises `Trouble` if the line answers something else, or nothing.
        """
        try:
            reply = self._all.decode(line)
        except (msgspec.DecodeError, RecursionError):
            reply = self._one_by_one(line)
        if reply.seq != seq:
            raise Trouble("nonsense", f"it answered message {reply.seq} instead of {seq}")
        if len(reply.results) != len(ids):
            raise Trouble("nonsense", f"{len(reply.results)} results came for {len(ids)} cases")
        for id, said in zip(ids, map(_ID, reply.results), strict=True):
            if said and said != id:
                raise Trouble("nonsense", f"it answered case {printable(said[:40])} in the place of {id}")
        results: list[Any] = reply.results
        return results

    def _one_by_one(self, line: bytes) -> Any:
        try:
            reply = self._raw.decode(line)
        except (msgspec.DecodeError, RecursionError) as error:
            raise Trouble("nonsense", f"it can't be read: {_unread(error, line)}") from error
        reply.results = [self._result(raw) for raw in reply.results]
        return reply

    def _result(self, raw: msgspec.Raw) -> Any:
        try:
            return self._one.decode(raw)
        except (msgspec.DecodeError, RecursionError) as error:
            return Unreadable(f"{_said(error)}: {excerpt(bytes(raw))}")


_SAID: dict[Kind, tuple[tuple[str, Any], ...]] = {
    "bets": (("legal", bool),),
    "shoe": (("reshuffle", bool),),
    "session": (("balances", list[msgspec.Raw]), ("ended", bool)),
    "cards": (("rank", str), ("suit", str)),
}


def said_type(kind: Kind, observables: Iterable[str]) -> type[msgspec.Struct]:
    """The shape of a result with only those fields that were declared; null is as good as nothing."""
    absent: list[tuple[str, Any, Any]] = [(name, str | None, None) for name in ("id", "skipped", "error")]
    if kind != "coup":
        return msgspec.defstruct("Said", [*absent, *((name, type_ | None, None) for name, type_ in _SAID[kind])])
    hand = [
        (name, type_, None)
        for observable, name, type_ in (("totals", "total", Total | None), ("cards", "cards", tuple[str, ...] | None))
        if observable in observables
    ]
    fields = absent
    if hand:
        shape = msgspec.defstruct("SaidHand", hand, gc=False)
        fields += [("player", shape | None, None), ("banker", shape | None, None)]
    for observable, type_ in (
        ("winner", Winner | None),
        ("natural", Natural | None),
        ("pairs", SaidPairs | None),
        ("net", dict[str, msgspec.Raw] | None),
    ):
        if observable in observables:
            fields.append((observable, type_, None))
    return msgspec.defstruct("Said", fields, gc=False)


def _reply(result: Any) -> Any:
    return msgspec.defstruct("Reply", [("seq", int), ("results", list[result])])


def read_amount(raw: msgspec.Raw) -> Amount:
    """Money from its JSON: exact text, or a number read as the decimal that was written."""
    written = bytes(raw)
    if written[:1] == b'"':
        try:
            text = msgspec.json.decode(written, type=str)
        except msgspec.DecodeError:
            return Amount(written.decode("utf-8", "replace"), None, number=False)
        return Amount(text, _value(text), number=False)
    text = written.decode("utf-8", "replace")
    return Amount(text, Fraction(text) if _JSON_NUMBER.match(text) else None, number=True)


def _value(text: str) -> Fraction | None:
    if _WHOLE_OR_DECIMAL.match(text):
        return Fraction(text)
    if _RATIO.match(text):
        over, _, under = text.partition("/")
        return Fraction(int(over), int(under)) if int(under) else None
    return None


def excerpt(line: bytes) -> str:
    """The beginning of what was said, safe to show."""
    text = line[:SHOWN].decode("utf-8", "backslashreplace")
    return f"`{printable(text)}`{' …' if len(line) > SHOWN else ''}" if text.strip() else "an empty line"


def _unread(error: Exception, line: bytes) -> str:
    """Why a line is no answer; and where it belongs, if it was never meant as one."""
    meant = line.lstrip().startswith((b"{", b"["))
    return f"{_said(error)}: {excerpt(line)}{'' if meant else '; what is no answer goes to standard error'}"


def _said(error: Exception) -> str:
    if isinstance(error, RecursionError):
        return "nested too deep"
    return printable(str(error))

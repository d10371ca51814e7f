"""Reading what an implementation says, strictly: only what it declared is looked at, and money as exact text."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable, Sequence
from fractions import Fraction
from operator import attrgetter
from typing import Any, Literal, get_args, get_origin

import msgspec
from msgspec import UNSET

from oracle.cases.case import KINDS, Kind
from oracle.conformance.protocol.keys_twice import as_long, key_twice, own_key_twice
from oracle.conformance.protocol.messages import IDS_SINCE, RESERVED_KINDS, VERSIONS, Implementation, Started
from oracle.conformance.protocol.trouble import Trouble
from oracle.conformance.protocol.wire_ids import WireIds
from oracle.programs.observables import OBSERVABLES, SIDES, TABLE, fields
from oracle.text import did_you_mean, printable, quoted

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
    """The reply to `start`. Raises `Trouble` that says what is wrong with it.

    A program of version 1 declares no bets, choices and options: what it says there is ignored as any unknown field.
    """
    try:
        version = msgspec.json.decode(line, type=_Version).protocol
        if version not in VERSIONS:
            raise Trouble("nonsense", f"it speaks protocol {version}, not {' or '.join(map(str, VERSIONS))}")
        started = msgspec.json.decode(line, type=_Started1 if version == 1 else Started)
        twice = key_twice(line)
    except (msgspec.DecodeError, RecursionError, ValueError) as error:
        raise Trouble("nonsense", f"its answer to `start` can't be read: {_unread(error, line)}") from error
    if twice is not None:
        raise Trouble("nonsense", f"its answer to `start` can't be read: {_twice(twice)}")
    if isinstance(started, _Started1):
        started = Started(1, started.implementation, started.rules, started.kinds, started.observables)
    choices = started.choices or ()
    for what, names, known in (
        ("kind", started.kinds, KINDS),
        ("observable", started.observables, OBSERVABLES),
        ("choice", choices, SIDES),
    ):
        for name in names:
            if what == "kind" and name in RESERVED_KINDS:
                raise Trouble("nonsense", f"it declares kind `{name}`, which is reserved: nothing is asked of it yet")
            if name not in known:
                near = did_you_mean(name, known)
                raise Trouble("nonsense", f"it declares {what} {quoted(name)}, which isn't one: {near}")
    return msgspec.structs.replace(
        started,
        kinds=_once(started.kinds),
        observables=_once(started.observables),
        bets=UNSET if started.bets is UNSET else _once(started.bets),
        choices=_once(choices) or UNSET,
        options=started.options or UNSET,
    )


class _Version(msgspec.Struct, frozen=True):
    protocol: int


class _Started1(msgspec.Struct, frozen=True):
    """What version 1 has in the reply to `start`."""

    implementation: Implementation
    rules: tuple[str, ...]
    kinds: tuple[str, ...]
    observables: tuple[str, ...] = ()


def _once(names: tuple[str, ...]) -> tuple[str, ...]:
    return tuple(dict.fromkeys(names))


class Unreadable(msgspec.Struct, frozen=True):
    """A result with a mistake of form: which, in words that are the same for all that have it, and what was said."""

    why: str
    said: str = ""
    id: None = None


_ID = attrgetter("id")
NO_ID = "its `id` is missing"
OTHER_ID = "its `id` is not that of its case"


class Reader:
    """Reads replies to batches of one kind; `observables` are those declared.

    With `ids_due`, as in version 2, each result has to repeat the id of its case; else it may. `wire` made the ids:
    they are taken out of what is kept of a reply.
    """

    def __init__(
        self, kind: Kind, observables: Collection[str], *, ids_due: bool = False, wire: WireIds | None = None
    ) -> None:
        self._kind = kind
        said = said_type(kind, observables)
        self._one = msgspec.json.Decoder(said)
        self._all = msgspec.json.Decoder(_reply(said))
        self._raw = msgspec.json.Decoder(_reply(msgspec.Raw))
        self._id = msgspec.json.Decoder(_OnlyId)
        self._ids_due = ids_due
        self._wire = wire
        amounts = [field.name for field in fields(tuple(observables)) if field.by_bet] if kind == "coup" else []
        self._amounts = tuple(map(attrgetter, amounts or (["balances"] if kind == "session" else [])))

    def read(self, line: bytes, seq: int, ids: Sequence[str]) -> list[Any]:
        """A result for each id: an answer with the declared fields, or an `Unreadable`.

        Raises `Trouble` if the line answers something else, or nothing.
        """
        try:
            reply = self._all.decode(line)
        except (msgspec.DecodeError, RecursionError):
            return self._closely(line, seq, ids)
        if (not as_long(line, reply) or any(map(self._holds_more, reply.results))) and _is_doubtful(line):
            return self._closely(line, seq, ids)
        self._check(reply, seq, ids)
        results: list[Any] = reply.results
        given = list(map(_ID, results))
        if given != ids and (self._ids_due or any(given)):
            results = [self._held(*pair) for pair in zip(results, ids, strict=True)]
        if self._wire is not None and self._wire.occurs(line) > len(ids) - given.count(None):
            return self._closely(line, seq, ids)
        return results

    def _closely(self, line: bytes, seq: int, ids: Sequence[str]) -> list[Any]:
        """The results one by one, each with the first mistake in it: text, keys, id, fields."""
        try:
            reply = self._raw.decode(line)
            twice = key_twice(line)
            own = None if twice is None else own_key_twice(line)
        except (msgspec.DecodeError, RecursionError, ValueError) as error:
            shown = line if self._wire is None else self._wire.hide_in(line)
            raise Trouble("nonsense", f"it can't be read: {_reason(error)}", _said(shown)) from error
        if own is not None:
            self._check(reply, seq, ())
            return [Unreadable(_twice(own))] * len(ids)
        self._check(reply, seq, ids)
        return [
            self._result(bytes(raw), id, twice=twice is not None) for raw, id in zip(reply.results, ids, strict=True)
        ]

    @staticmethod
    def _check(reply: Any, seq: int, ids: Sequence[str]) -> None:
        """Whether it answers this message. Raises `Trouble`."""
        if reply.seq != seq:
            raise Trouble("nonsense", "it answered another message", f"`seq` {reply.seq} instead of {seq}")
        if ids and len(reply.results) != len(ids):
            raise Trouble("nonsense", f"{len(reply.results)} results came for {len(ids)} cases")

    def _result(self, raw: bytes, id: str, *, twice: bool) -> Any:
        shown = raw if self._wire is None else self._wire.hide_in(raw)
        if twice and (key := key_twice(raw)) is not None:
            return Unreadable(_twice(key), excerpt(shown))
        try:
            held = self._held(self._id.decode(raw), id)
            if isinstance(held, Unreadable):
                return held
            return self._one.decode(shown)
        except (msgspec.DecodeError, RecursionError) as error:
            return _mistake(error, shown)

    def _held(self, said: Any, id: str) -> Any:
        """A result under the id of its case; a mistake if it has another."""
        given = said.id
        if given == id or (not self._ids_due and not given):
            return said
        return Unreadable(OTHER_ID if given is not None else NO_ID)

    def _holds_more(self, said: Any) -> bool:
        """Whether an amount is an object or a list, in which keys may stand."""
        for get in self._amounts:
            amounts = get(said)
            for raw in (amounts.values() if isinstance(amounts, dict) else amounts) or ():
                if bytes(raw)[:1] in (b"{", b"["):
                    return True
        return False


def reader_of(declared: Started, kind: Kind, wire: WireIds) -> Reader:
    """The reader of what a program answers that declared this, under ids of this run."""
    return Reader(kind, declared.observables, ids_due=declared.protocol >= IDS_SINCE, wire=wire)


def _is_doubtful(line: bytes) -> bool:
    """Whether a key stands twice in a line, or it can't be read after all."""
    try:
        return key_twice(line) is not None
    except (RecursionError, ValueError):
        return True


class _OnlyId(msgspec.Struct, frozen=True):
    id: str | None = None


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
        given = [(name, type_ | None, None) for name, type_ in _SAID[kind]]
        return msgspec.defstruct("Said", [*absent, *given], omit_defaults=True)
    for field in fields(tuple(observables)):
        type_ = field.places[0][0].form.strict
        if field.grouped:
            inner: list[Any] = [
                (place.inner, each.form.strict | None, None) if field.shared else (place.inner, each.form.strict)
                for each, place in field.places
            ]
            type_ = msgspec.defstruct(f"Said{field.name.title()}", inner, gc=False, omit_defaults=True)
        absent.append((field.name, type_ | None, None))
    return msgspec.defstruct("Said", absent, gc=False, omit_defaults=True)


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
    """Why a line is no answer, and how it begins."""
    return f"{_reason(error)}: {_said(line)}"


def _said(line: bytes) -> str:
    """How a line begins; and where it belongs, if it was never meant as an answer."""
    meant = line.lstrip().startswith((b"{", b"["))
    return f"{excerpt(line)}{'' if meant else '; what is no answer goes to standard error'}"


_PLACE = re.compile(r" - at `\$\.?(.*)`\Z", re.DOTALL)
_INDEX = re.compile(r"\[[^]]*\]")
_BYTE = re.compile(r" \(byte [0-9]+\)\Z")
_ENUM = re.compile(r"Invalid enum value (.*)\Z", re.DOTALL)
_TYPES = re.compile(r"Expected `([^`]*)`(?: (<=|>=) (-?[0-9]+))?(?:, got `([^`]*)`)?\Z")
_LACKS = re.compile(r"Object missing required field `([^`]*)`\Z")
_A = {
    "str": "text", "int": "a whole number", "float": "a number with a fraction", "bool": "true or false",
    "array": "a list", "object": "an object", "null": "null",
}  # fmt: skip


def _twice(key: str) -> str:
    return f"the key {quoted(key)} stands twice"


def _reason(error: Exception) -> str:
    """Why a text can't be read, in words that don't depend on where."""
    if isinstance(error, RecursionError):
        return "nested too deep"
    return printable(_BYTE.sub("", _PLACE.sub("", str(error))))


def _mistake(error: Exception, raw: bytes) -> Unreadable:
    """What is wrong with the form of a result: the kind of mistake, and apart from it what was said."""
    text = str(error)
    at = _PLACE.search(text)
    place = _INDEX.sub("", at[1]) if at else ""
    text = _PLACE.sub("", text)
    called = _CALLED.get(place) or (f"`{printable(place[:40])}`" if place else "its result")
    if value := _ENUM.match(text):
        return Unreadable(f"{called} is none of {', '.join(_CHOICES.get(place, ()))}", quoted(value[1][1:-1], 60))
    if lacks := _LACKS.match(text):
        path = f"{place}.{lacks[1]}" if place else lacks[1]
        return Unreadable(f"{_CALLED.get(path, f'`{path}`')} is missing", excerpt(raw))
    if types := _TYPES.match(text):
        wanted = types[1].removesuffix(" | null")
        if types[2]:
            way = "above" if types[2] == "<=" else "below"
            return Unreadable(f"{called} is {way} {types[3]}", excerpt(raw))
        due, got = _A.get(wanted, f"`{wanted}`"), _A.get(types[4] or "", f"`{types[4]}`")
        inside = f"{called} holds {got}" if at and at[1].endswith("]") else f"{called} is {got}"
        return Unreadable(f"{inside}, not {due}", excerpt(raw))
    return Unreadable(f"its result can't be read: {_reason(error)}", excerpt(raw))


_CALLED = {place.path: place.called for each in TABLE for place in each.places}
_CHOICES: dict[str, tuple[str, ...]] = {
    place.path: get_args(each.form.strict)
    for each in TABLE
    for place in each.places
    if get_origin(each.form.strict) is Literal
}

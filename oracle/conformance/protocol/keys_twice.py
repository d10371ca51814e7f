"""Keys that stand twice in one object of JSON, which readers pass over: the last one counts for them.

A value that was read is written again without white space. If that is as long as the text without its own, no key stood
twice: nothing that we write is longer than another way to write the same (numbers are kept as they are written), and a
key that was dropped makes it shorter. Only where the lengths differ is the text read once more, key by key.
"""

from __future__ import annotations

import json
from typing import Any

import msgspec

_WHITE = b" \t\r\n"
_encode = msgspec.json.Encoder().encode
_decode = msgspec.json.Decoder(float_hook=lambda number: msgspec.Raw(number.encode())).decode


def as_long(text: bytes, value: Any) -> bool:
    """Whether a text of JSON is as long as its value written anew, white space aside: then no key stands twice in it.

    `value` may leave out what stands in the text; then the answer is no. What it holds as `msgspec.Raw` is not looked
    into.
    """
    written = _encode(value)
    return len(written) == len(text) or len(_squeezed(written)) == len(_squeezed(text))


def key_twice(text: bytes) -> str | None:
    """A key that stands twice in one object of a text of JSON, at any depth; None if there is none.

    Raises `ValueError` or `RecursionError` if the text is no JSON.
    """
    try:
        if as_long(text, _decode(text)):
            return None
    except (msgspec.DecodeError, RecursionError):
        pass  # numbers out of range and halves of surrogates, which the other reader takes
    return _look(text)[0]


def own_key_twice(text: bytes) -> str | None:
    """A key that stands twice in the outermost object; raises as `key_twice` does."""
    return _look(text)[1]


def _look(text: bytes) -> tuple[str | None, str | None]:
    """The first key that stands twice in any object, and that of the outermost, which is read last."""
    found: list[str] = []
    own: str | None = None

    def pairs(entries: list[tuple[str, Any]]) -> None:
        nonlocal own
        keys: set[str] = set()
        own = next((key for key, _ in entries if key in keys or keys.add(key)), None)  # type: ignore[func-returns-value]
        if own is not None:
            found.append(own)

    decoder = json.JSONDecoder(
        object_pairs_hook=pairs, parse_int=str, parse_float=str, parse_constant=str, strict=False
    )
    decoder.decode(text.decode("utf-8", "surrogateescape"))
    return (found[0] if found else None), own


def _squeezed(text: bytes) -> bytes:
    return text.translate(None, _WHITE)

"""What JSON outputs share. Each has `format`, the version of its shape, beside that shape; money is exact text."""

from __future__ import annotations

from collections.abc import Mapping
from fractions import Fraction

import msgspec

from oracle.rules.answers import show_number
from oracle.rules.values import Value


def dump(payload: object) -> str:
    """A payload as indented JSON text. What isn't printable in its texts is escaped as JSON has it."""
    text = msgspec.json.format(msgspec.json.encode(payload), indent=2).decode()
    return text if text.isascii() else "".join(c if c.isprintable() or c == "\n" else _escape(c) for c in text)


def _escape(character: str) -> str:
    units = character.encode("utf-16-be", "surrogatepass").hex()
    return "".join(f"\\u{units[i : i + 4]}" for i in range(0, len(units), 4))


def state_payload(state: Mapping[str, Value]) -> dict[str, int | str]:
    """A state with fractions as exact text."""
    return {f: show_number(v) if isinstance(v, Fraction) else v for f, v in state.items()}

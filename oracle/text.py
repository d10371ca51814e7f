"""Text of others in messages: made harmless, quoted, and held against the names that there are."""

from __future__ import annotations

from collections.abc import Iterable

_QUOTED = 40
_SHOWN = 40
_SEARCHED = 1000  # more names than any spec has; comparing all would take minutes


def printable(text: str) -> str:
    """`text` with every control or otherwise unprintable character escaped, safe for a terminal."""
    return "".join(c if c.isprintable() else c.encode("unicode_escape").decode("ascii") for c in text)


def quoted(text: str, limit: int = _QUOTED) -> str:
    """The first `limit` characters of a text between backquotes, printable."""
    return f"`{printable(text[:limit])}`"


def near_name(name: str, known: Iterable[str], *, likeness: float = 0.65) -> str:
    """The known name that `name` was probably meant to be; empty if none is near."""
    names = sorted(known)
    if len(names) > _SEARCHED:
        return ""
    plain = name[:80].strip().lower().replace(" ", "_")
    import difflib

    near = difflib.get_close_matches(plain, names, n=1, cutoff=likeness)
    return near[0] if near else ""


def did_you_mean(name: str, known: Iterable[str]) -> str:
    """Help for an unknown name: the nearest known one, else all of them."""
    names = sorted(known)
    near = near_name(name, names)
    if near:
        return f"did you mean `{near}`?"
    more = f" and {len(names) - _SHOWN} more" if len(names) > _SHOWN else ""
    return f"known: {', '.join(names[:_SHOWN])}{more}" if names else ""

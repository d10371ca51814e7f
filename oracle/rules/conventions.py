"""Named conventions: what hardly any rule text says, and every table does. They fill open states only."""

from __future__ import annotations

import msgspec

from oracle.rules.values import Among, Other, Values


class Convention(msgspec.Struct, frozen=True):
    """A way to close open states of `question`; each part is a guard (field to values) and its answer."""

    name: str
    question: str
    says: str
    parts: tuple[tuple[tuple[tuple[str, Values], ...], str], ...]


def _is(*values: str) -> Values:
    return Among(frozenset(values))


CONVENTIONS = {
    convention.name: convention
    for convention in (
        Convention(
            "losing-bets-lose",
            "outcome",
            "a bet on a side loses when the other side wins; any other bet loses wherever it doesn't win or push",
            (
                ((("bet", _is("player")), ("winner", _is("banker"))), "lose"),
                ((("bet", _is("banker")), ("winner", _is("player"))), "lose"),
                ((("bet", Other(_is("player", "banker"))),), "lose"),
            ),
        ),
    )
}

"""The tableau of a rule set: all that a coup depends on, points, totals, order of the deal, draws and winners."""

from __future__ import annotations

import hashlib
from collections.abc import Iterable

from oracle.programs.behaviour import Behaviour


def tableau_digest(behaviour: Behaviour) -> str:
    """The SHA-256 of how coups go, in hexadecimal."""
    return text_digest(
        [
            repr(sorted(behaviour.points.items())),
            repr(sorted(behaviour.rules.totals.items())),
            repr(behaviour.deals),
            repr(sorted(behaviour.stops.items())),
            repr(sorted(behaviour.player_draws.items())),
            repr(sorted((tuple(map(str, row)), draws) for row, draws in behaviour.banker_draws.items())),
            repr(sorted((tuple(map(str, end)), winner) for end, winner in behaviour.winners.items())),
        ]
    )


def text_digest(lines: Iterable[str]) -> str:
    """The SHA-256 of lines, in hexadecimal."""
    return hashlib.sha256("\n".join(lines).encode()).hexdigest()

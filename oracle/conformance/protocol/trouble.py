"""Why a program gave no answer that can be used."""

from __future__ import annotations

from typing import Literal

TroubleKind = Literal["timeout", "crashed", "nonsense", "too-much"]


class Trouble(Exception):
    """A program gave no answer that can be used: `kind` says how, `why` in words. `too-much` ends a run.

    `why` is the same for all that have the same mistake; `said` is what was said in this one, where that helps.
    """

    def __init__(self, kind: TroubleKind, why: str, said: str = "") -> None:
        self.kind = kind
        self.why = why
        self.said = said
        super().__init__(f"{why}: {said}" if said else why)

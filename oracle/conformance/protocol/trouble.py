"""Why a program gave no answer that can be used."""

from __future__ import annotations

from typing import Literal

TroubleKind = Literal["timeout", "crashed", "nonsense", "too-much"]


class Trouble(Exception):
    """A program gave no answer that can be used: `kind` says how, `why` in words. `too-much` ends a run."""

    def __init__(self, kind: TroubleKind, why: str) -> None:
        self.kind = kind
        self.why = why
        super().__init__(why)

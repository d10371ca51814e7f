"""Which cases of the suite are asked a second time: some that passed, in another order.

A program that answers rightly on the first asking only, or that knows in which order the suite comes, shows it there.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from hashlib import sha256

from oracle.cases.case import Case, Kind
from oracle.conformance.judge import PASS, Outcome
from oracle.game.shoe import SplitMix64

COUNT = 100
_OF_A_MESSAGE = 6


class Repeats:
    """Draws cases from those that pass, each message alike, without keeping more than `COUNT` of them."""

    def __init__(self, seed: str) -> None:
        self._random = SplitMix64(int.from_bytes(sha256(f"repeat {seed}".encode()).digest()[:8], "big"))
        self._kept: list[Case] = []
        self._seen = 0

    def add(self, cases: Sequence[Case], outcomes: Sequence[Outcome]) -> None:
        """The cases of a message were answered so."""
        passed = [case for case, outcome in zip(cases, outcomes, strict=True) if outcome is PASS]
        for _ in range(min(_OF_A_MESSAGE, len(passed))):
            case = passed[self._random.below(len(passed))]
            self._seen += 1
            if len(self._kept) < COUNT:
                self._kept.append(case)
            elif (place := self._random.below(self._seen)) < COUNT:
                self._kept[place] = case

    def of(self, kind: Kind) -> Iterator[Case]:
        """Those of a kind, each once, in another order than that of the suite."""
        left = list({case.id: case for case in self._kept if case.kind == kind}.values())
        while left:
            yield left.pop(self._random.below(len(left)))

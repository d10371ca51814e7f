"""The answers of a run about coups, as observations: what was expected where a case passed, else what was answered."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Iterator
from fractions import Fraction
from functools import lru_cache
from typing import Any

from oracle.cards import Card, parse_card
from oracle.cases.case import Case
from oracle.conformance.judge import FLOATING
from oracle.conformance.run.log import Line
from oracle.diagnosis.observation import Observation
from oracle.spans import OracleError

_card = lru_cache(maxsize=1024)(parse_card)


def observed(case: Case, line: Line, observables: Collection[str]) -> Observation:
    """One coup that was answered; what can't be read of it counts as not answered."""
    got = {difference.observable: difference.got for difference in line.differs}
    expect = case.expect
    hands = (expect.player, expect.banker)
    totals = cards = pairs = nets = None
    if "totals" in observables:
        totals = tuple(got.get(f"{side} total", hand.total if hand else None) for side, hand in _sides(hands))
    if "cards" in observables:
        cards = _hands(got.get(f"{side} cards", hand.cards if hand else None) for side, hand in _sides(hands))
    if "pairs" in observables and expect.pairs is not None:
        pairs = (got.get("player pair", expect.pairs.player), got.get("banker pair", expect.pairs.banker))
    if "net" in observables and expect.net is not None:
        nets = {
            bet: amount
            for bet, due in expect.net.items()
            if (amount := _amount(got.get(f"net {bet}", due))) is not None
        }
    return Observation(
        cards=tuple(map(_card, case.cards)),
        stakes={bet: Fraction(stake) for bet, stake in case.bets.items()},
        winner=got.get("winner", expect.winner) if "winner" in observables else None,
        hands=cards,
        totals=totals if totals and all(isinstance(total, int) for total in totals) else None,  # type: ignore[arg-type]
        natural=got.get("natural", expect.natural) if "natural" in observables else None,
        pairs=pairs,
        nets=nets,
        floating=frozenset(d.observable[4:] for d in line.differs if d.note == FLOATING),
        right=line.outcome == "pass",
        key=case.id,
    )


def _sides(hands: tuple[Any, Any]) -> Iterator[tuple[str, Any]]:
    return zip(("player", "banker"), hands, strict=True)


def _hands(texts: Iterable[Any]) -> tuple[tuple[Card, ...], tuple[Card, ...]] | None:
    try:
        player, banker = (tuple(map(_card, hand)) for hand in texts)
    except (OracleError, TypeError, AttributeError):
        return None
    return (player, banker) if len(player) > 1 and len(banker) > 1 else None


def _amount(said: Any) -> Fraction | None:
    try:
        return Fraction(str(said))
    except (ValueError, ZeroDivisionError):
        return None


class Sample:
    """Few of many coups to learn from: all where they are few, else wrong and right ones spread over the run."""

    def __init__(
        self, coups: Callable[[], Iterator[tuple[Case, Line]]], observables: Collection[str], wrong: int
    ) -> None:
        self._coups, self._observables = coups, observables
        self._every_wrong = max(1, wrong // _MOST)
        self.taken: list[Observation] = []
        counts = [0, 0]
        for case, line in coups():
            right = line.outcome == "pass"
            counts[right] += 1
            every = _EVERY_RIGHT if right and len(self.taken) > 2 * _MOST else 1 if right else self._every_wrong
            if counts[right] % every == 0:
                self.taken.append(observed(case, line, observables))

    def every(self) -> Iterator[Observation]:
        """All coups that were answered."""
        return (observed(case, line, self._observables) for case, line in self._coups())


_MOST = 3_000
_EVERY_RIGHT = 25

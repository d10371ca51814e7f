"""Fresh cases: drawn anew for each run from its seed, so that no program can know them beforehand.

Of coups a third are coups of the suite with other cards of the same values, a third any six cards of a shoe, a third
any cards with bets on them, at any legal stake. Sessions are those of the suite with other cards of the same values,
bets other sets, stakes and balances. Shoes and texts that name cards are asked in another order: the suite has all.
The same rules, seed and kind give the same cases everywhere.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from fractions import Fraction
from hashlib import sha256
from itertools import islice
from typing import TypeVar

from msgspec.structs import replace

from oracle.cards import RANKS, SUITS, Card, parse_cards
from oracle.cases.case import LEAVE, Case, Kind, Step, StepCoup
from oracle.cases.coup_cases import bet_sets
from oracle.cases.reference import Reference
from oracle.cases.tiers import cases
from oracle.game.money import legal_stakes
from oracle.game.shoe import SplitMix64, full_shoe

COUNTS: dict[Kind, int] = {"coup": 399, "bets": 60, "shoe": 60, "session": 12, "cards": 60}
"""How many fresh cases a run asks of each kind, where there are so many."""
_SIX = 6
_DECKS = 8  # at most, where the rules deal from more, or don't say
_LARGE = 2_000  # stakes up to which one is drawn, where the rules limit none
_ODD = (Fraction(-1), Fraction(0), Fraction(1, 2), Fraction(5, 2))
_T = TypeVar("_T")


def fresh(reference: Reference, kind: Kind, seed: str) -> tuple[Case, ...]:
    """The fresh cases of a kind for a seed; none where the rules say nothing of it.

    `seed` is any text; runs use hexadecimal digits. Raises `OracleError` as `oracle.cases.tiers.cases` does.
    """
    drawn = _KINDS[kind](reference, _Draw(f"{kind} {seed}"))
    return tuple(replace(case, tags=("fresh",)) for case in islice(drawn, COUNTS[kind]))


class _Draw:
    """Choices made by the published generator, from a text."""

    def __init__(self, seed: str) -> None:
        self._random = SplitMix64(int.from_bytes(sha256(seed.encode()).digest()[:8], "big"))
        self.below = self._random.below

    def one_of(self, things: Sequence[_T]) -> _T:
        return things[self.below(len(things))]

    def some_of(self, things: Sequence[_T], count: int) -> list[_T]:
        """So many of some things, in any order; all of them if there are fewer."""
        left = list(things)
        for place in range(min(count, len(left))):
            other = place + self.below(len(left) - place)
            left[place], left[other] = left[other], left[place]
        return left[:count]


def _coups(reference: Reference, draw: _Draw) -> Iterator[Case]:
    rules = reference.rules
    known = list(cases(rules, "totals"))
    shoe = full_shoe(min(_DECKS, decks) if isinstance(decks := rules.value("decks"), int) else _DECKS)
    sets = bet_sets(rules)
    while True:
        yield reference.coup(_redrawn(reference, parse_cards(draw.one_of(known).cards), draw))
        yield reference.coup(_from(shoe, draw))
        yield reference.coup(_from(shoe, draw), _stakes(reference, draw.one_of(sets), draw) if sets else None)


def _from(shoe: Sequence[Card], draw: _Draw) -> tuple[Card, ...]:
    """Six cards of a full shoe, each as likely as any other."""
    places: list[int] = []
    while len(places) < _SIX:
        place = draw.below(len(shoe))
        if place not in places:
            places.append(place)
    return tuple(shoe[place] for place in places)


def _redrawn(reference: Reference, cards: Sequence[Card], draw: _Draw) -> tuple[Card, ...]:
    """Other cards of the same values, each only once among these."""
    points = reference.behaviour.points
    drawn: list[Card] = []
    for card in cards:
        alike = [Card(rank, suit) for rank in RANKS if points[rank] == points[card.rank] for suit in SUITS]
        drawn.append(draw.one_of([other for other in alike if other not in drawn] or alike))
    return tuple(drawn)


def _stakes(reference: Reference, bets: Sequence[str], draw: _Draw) -> dict[str, Fraction]:
    """A legal stake on each of these bets."""
    return {bet: _stake(reference, bet, draw) for bet in bets}


def _stake(reference: Reference, bet: str, draw: _Draw) -> Fraction:
    legal = legal_stakes(reference.rules, bet)
    return Fraction(draw.one_of(legal) if legal else 1 + draw.below(_LARGE))


def _bets(reference: Reference, draw: _Draw) -> Iterator[Case]:
    """Sets of bets, mostly legal stakes, and a balance near what they come to, or none."""
    rules = reference.rules
    while True:
        chosen = draw.some_of(rules.bets, 1 + draw.below(min(3, len(rules.bets))))
        stakes = _stakes(reference, chosen, draw)
        if not draw.below(3):
            bet = draw.one_of(chosen)
            near = (stakes[bet] + 1, stakes[bet] - 1, stakes[bet] + Fraction(1, 2), stakes[bet] * 3)
            stakes[bet] = draw.one_of((*near, *_ODD))
        total = sum(stakes.values(), Fraction(0))
        balances = (None, total, total - 1, total - Fraction(1, 2), total + 1, total + 100, Fraction(0))
        balance = draw.one_of(balances)
        yield reference.placed(stakes, balance=None if balance is None else max(balance, Fraction(0)))


def _sessions(reference: Reference, draw: _Draw) -> Iterator[Case]:
    for case in _shuffled(reference, "session", draw):
        yield reference.session([_step(reference, step, draw) for step in case.steps], balance=case.balance)


def _step(reference: Reference, step: Step, draw: _Draw) -> Step:
    if not isinstance(step, StepCoup):
        return LEAVE
    return StepCoup(tuple(map(str, _redrawn(reference, parse_cards(step.cards), draw))), step.bets)


def _shuffled(reference: Reference, tier: str, draw: _Draw) -> Iterator[Case]:
    """The cases of a tier in another order."""
    known = list(cases(reference.rules, tier))
    yield from draw.some_of(known, len(known))


def _in_another_order(tier: str) -> Callable[[Reference, _Draw], Iterator[Case]]:
    return lambda reference, draw: _shuffled(reference, tier, draw)


_KINDS: dict[Kind, Callable[[Reference, _Draw], Iterator[Case]]] = {
    "coup": _coups,
    "bets": _bets,
    "shoe": _in_another_order("shoe"),
    "session": _sessions,
    "cards": _in_another_order("cards"),
}

"""How much the cases of a run could have shown: of the single changes and mistakes, and of cards that are miscounted.

Whatever a program does otherwise than the rules shows only in cases that come to it. So a run that found nothing says
how many of the known faults its cases would have found, through what the program reports.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable
from fractions import Fraction
from typing import NamedTuple

import msgspec
from msgspec.structs import replace

from oracle.cards import RANKS, SUITS, Card, parse_cards
from oracle.cases.case import Case
from oracle.cases.reference import Reference
from oracle.mutants.single import Mutant
from oracle.programs.behaviour import Behaviour, Played, play
from oracle.programs.cells import consulted
from oracle.programs.observables import observe

_VALUES = range(10)


class Shown(msgspec.Struct, frozen=True):
    """Of `faults` some cases could have shown `shown`; `hidden` are the ids of the others."""

    shown: int
    faults: int
    hidden: tuple[str, ...] = ()


class _Coup(NamedTuple):
    """A coup that is asked, with its stakes, and what is reported of it."""

    cards: tuple[Card, ...]
    stakes: dict[str, Fraction]
    observables: Collection[str]

    def seen(self, mutant: Mutant) -> tuple[object, ...]:
        """What a mutant reports of it."""
        behaviour = mutant.behaviour
        return observe(behaviour, play(behaviour, self.cards), self.observables, self.stakes)


def shown_mutants(
    reference: Reference, cases: Iterable[Case], observables: Collection[str], *, unseen: Collection[str] = ()
) -> Shown:
    """How many of the single changes of the rules and the catalogued mistakes coups show, through these observables.

    Of `cases` only those of kind coup count; a coup is played by the mutants that no coup before it showed. `unseen`
    are ids of mutants that are known to show in no coup, which are not tried.
    """
    right = reference.behaviour
    tried = [mutant for mutant in reference.mutants if mutant.id not in unseen]
    alive: dict[str, Mutant] = {mutant.id: mutant for mutant in tried if mutant.cells}
    by_cell: dict[str, list[Mutant]] = {}
    for mutant in alive.values():
        for cell in mutant.cells:
            by_cell.setdefault(cell, []).append(mutant)
    anywhere = [mutant for mutant in tried if not mutant.cells]
    for case in cases:
        if not alive and not anywhere:
            break
        if case.kind != "coup":
            continue
        coup = _Coup(parse_cards(case.cards), {bet: Fraction(stake) for bet, stake in case.bets.items()}, observables)
        played = play(right, coup.cards)
        due = observe(right, played, observables, coup.stakes)
        for entry in consulted(right, played, coup.stakes):
            known = [mutant for mutant in by_cell.pop(entry, ()) if mutant.id in alive]
            for mutant in known:
                if coup.seen(mutant) != due:
                    del alive[mutant.id]
            by_cell[entry] = [mutant for mutant in known if mutant.id in alive]
        anywhere = [mutant for mutant in anywhere if coup.seen(mutant) == due]
    left = {*alive, *(mutant.id for mutant in anywhere), *unseen}
    hidden = tuple(mutant.id for mutant in reference.mutants if mutant.id in left)
    return Shown(len(reference.mutants) - len(hidden), len(reference.mutants), hidden)


def shown_miscounts(reference: Reference, cases: Iterable[Case], observables: Collection[str]) -> Shown:
    """How many miscounted cards coups show: each rank and suit, counted as each other value from 0 to 9.

    The 52 times nine faults of a program that is right but for one card, through winner, totals, the number of cards,
    naturals, and nets but those of pairs. Of `cases` only those of kind coup count.
    """
    right = reference.behaviour
    wrong = _miscounting(right)
    alive = {Card(rank, suit): set(_VALUES) - {right.points[rank]} for rank in RANKS for suit in SUITS}
    faults = sum(map(len, alive.values()))
    for case in cases:
        if case.kind != "coup":
            continue
        cards, stakes = parse_cards(case.cards), {bet: Fraction(stake) for bet, stake in case.bets.items()}
        due = _seen(right, play(right, cards), observables, stakes)
        for card in set(cards):
            for value in sorted(alive.get(card, ())):
                miscounted = [Card(f"{value}*", card.suit) if other == card else other for other in cards]
                if _seen(wrong, play(wrong, miscounted), observables, stakes) != due:
                    alive[card].discard(value)
    hidden = tuple(f"{card} as {value}" for card, values in alive.items() for value in sorted(values))
    return Shown(faults - len(hidden), faults, hidden)


def _miscounting(right: Behaviour) -> Behaviour:
    """The right behaviour with ranks `0*` to `9*`, which are worth that."""
    more = {f"{value}*": value for value in _VALUES}
    return replace(right, points={**right.points, **more}, third_points={**right.third_points, **more})


def _seen(
    behaviour: Behaviour, played: Played, observables: Collection[str], stakes: dict[str, Fraction]
) -> tuple[object, ...]:
    """What is seen of a coup in which a card stands for another: not which cards, nor pairs."""
    bets = {bet: stake for bet, stake in stakes.items() if not bet.endswith("_pair")}
    plain = [name for name in observables if name not in ("cards", "pairs")]
    return observe(behaviour, played, plain, bets), "cards" in observables and (len(played.player), len(played.banker))

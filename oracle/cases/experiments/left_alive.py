"""How many wrong programs a test leaves alive: random coups beside the minimal set and every way to end.

Random coups are dealt from eight decks by SplitMix64, either one after the other from a shoe that is shuffled when too
few cards are left, or each from all eight decks. On each lies a set of bets that may be laid together, in turn.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from fractions import Fraction
from itertools import islice

import msgspec

from oracle.cards import Card, parse_cards
from oracle.cases.case import Case
from oracle.cases.coup_cases import bet_sets, stakes_of
from oracle.cases.reference import Reference
from oracle.cases.tiers import cases
from oracle.game.shoe import SplitMix64, full_shoe
from oracle.mutants.single import Mutant
from oracle.programs.behaviour import play
from oracle.programs.cells import consulted
from oracle.programs.observables import OBSERVABLES, observe

DECKS = 8
USUAL = 1_000
COUNTS = (100, USUAL, 10_000)
SHOE, FULL = "dealt on from a shoe", "each from eight full decks"
_SEED = 2026
_SIX = 6

Laid = tuple[Sequence[Card], Mapping[str, Fraction]]


class LeftAlive(msgspec.Struct, frozen=True):
    """What tests leave alive of the mutants of one rule set that can be seen.

    `mutants` are all single changes and mistakes, `seen` those that the minimal set shows, which no coup adds to.
    `minimal` and `totals` are numbers of coups; `by_totals` is left alive by these, `by_random` by so many coups dealt
    in a way.
    """

    rules: str
    mutants: int
    seen: int
    minimal: int
    totals: int
    by_totals: tuple[Mutant, ...]
    by_random: dict[tuple[str, int], tuple[Mutant, ...]]


def left_alive(reference: Reference) -> LeftAlive:
    """Put every mutant to each test."""
    minimal = list(cases(reference.rules, "minimal"))
    hidden = {mutant.id for mutant in _left(reference, reference.mutants, map(_laid, minimal))}
    seen = [mutant for mutant in reference.mutants if mutant.id not in hidden]
    totals = list(cases(reference.rules, "totals"))
    by_random: dict[tuple[str, int], tuple[Mutant, ...]] = {}
    for way, dealt in ((SHOE, from_a_shoe(reference)), (FULL, from_full_decks(reference))):
        alive, begun = seen, 0
        for count in COUNTS:
            alive = _left(reference, alive, islice(dealt, count - begun))
            by_random[way, count] = tuple(alive)
            begun = count
    return LeftAlive(
        rules=reference.rules.id,
        mutants=len(reference.mutants),
        seen=len(seen),
        minimal=len(minimal),
        totals=len(totals),
        by_totals=tuple(_left(reference, seen, map(_laid, totals))),
        by_random=by_random,
    )


def from_a_shoe(reference: Reference) -> Iterator[Laid]:
    """Coups dealt on from a shoe, with bets; without end."""
    generator, bets = SplitMix64(_SEED), _bets(reference)
    shoe: list[Card] = []
    while True:
        if len(shoe) < _SIX:
            shoe = full_shoe(DECKS)
            generator.shuffle(shoe)
        played = play(reference.behaviour, shoe[:_SIX])
        yield tuple(shoe[:_SIX]), next(bets)
        del shoe[: len(played.player) + len(played.banker)]


def from_full_decks(reference: Reference) -> Iterator[Laid]:
    """Coups each dealt from all cards, with bets; without end."""
    generator, bets, whole = SplitMix64(_SEED), _bets(reference), full_shoe(DECKS)
    while True:
        dealt: list[int] = []
        while len(dealt) < _SIX:
            place = generator.below(len(whole))
            if place not in dealt:
                dealt.append(place)
        yield tuple(whole[place] for place in dealt), next(bets)


def _bets(reference: Reference) -> Iterator[dict[str, Fraction]]:
    """Sets of bets, in turn, with stakes of the ladder, in turn."""
    rules, turn = reference.rules, 0
    sets = bet_sets(rules)
    ladder = {bet: stakes_of(rules, bet) for bet in rules.bets}
    while True:
        bets = sets[turn % len(sets)] if sets else ()
        yield {bet: ladder[bet][turn // len(sets) % len(ladder[bet])] for bet in bets}
        turn += 1


def _laid(case: Case) -> Laid:
    return parse_cards(case.cards), {bet: Fraction(stake) for bet, stake in case.bets.items()}


def _left(reference: Reference, mutants: Sequence[Mutant], dealt: Iterable[Laid]) -> list[Mutant]:
    """Those of some mutants that answer all these coups right."""
    behaviour, alive = reference.behaviour, list(mutants)
    for cards, stakes in dealt:
        played = play(behaviour, cards)
        entries = consulted(behaviour, played, stakes)
        due = observe(behaviour, played, OBSERVABLES, stakes)
        alive = [
            mutant
            for mutant in alive
            if (mutant.cells and entries.isdisjoint(mutant.cells))
            or observe(mutant.behaviour, play(mutant.behaviour, cards), OBSERVABLES, stakes) == due
        ]
    return alive

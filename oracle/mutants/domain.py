"""The proof that a wrong program looks right: every coup that could show it, tried."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from fractions import Fraction
from functools import cached_property
from itertools import product
from typing import TypeVar

from oracle.cards import RANKS, Card
from oracle.game.money import legal_stakes
from oracle.mutants.single import Mutant, changes
from oracle.programs.behaviour import Behaviour, Played, in_money, play
from oracle.programs.cells import consulted
from oracle.programs.observables import BY_BET, OBSERVABLES, SHOW_PAIRS, TABLE, observe

_BEYOND = {"points", "third_points", "deals", "from_back", "skipped"}  # with these more of the cards matters
Key = TypeVar("Key")


class Domain:
    """Every coup that tells behaviours apart which give cards the same points, in the same order.

    Such a behaviour sees of the first four cards no more than the sum of points in each hand, and of the others no more
    than their points: so one coup for each pair of sums and each two further values is all there is. Pairs are
    left out: whoever changes what a pair is, is judged by `unseen` without a coup. `like` is the domain of another
    behaviour that plays, but not settles, as this one does: what it has found out is taken over.
    """

    def __init__(self, right: Behaviour, *, like: Domain | None = None) -> None:
        self.right = right
        self._differing: dict[tuple[tuple[str, object], ...], list[tuple[int, Played]]] = {}
        if like is not None:
            self.coups, self.played, self.where, self._differing = like.coups, like.played, like.where, like._differing
        self.bets = tuple(dict.fromkeys(bet for bet, _ in right.nets))

    @cached_property
    def coups(self) -> list[tuple[Card, ...]]:
        """The coups, in order of sums and values."""
        right = self.right
        rank_of: dict[int, str] = {}
        for rank in RANKS:
            rank_of.setdefault(right.points[rank], rank)
        hands: dict[int, tuple[str, str]] = {}
        for first, second in product(rank_of, rank_of):
            hands.setdefault(first + second, (rank_of[first], rank_of[second]))
        found = []
        for player, banker in product(hands.values(), hands.values()):
            held = [list(player), list(banker)]
            four = [Card(held[side].pop(0), "SHDC"[place]) for place, side in enumerate(right.deals)]
            found += [(*four, Card(rank_of[f], "S"), Card(rank_of[s], "H")) for f, s in product(rank_of, rank_of)]
        return found

    @cached_property
    def played(self) -> list[Played]:
        """Each coup as the right behaviour plays it."""
        return [play(self.right, cards) for cards in self.coups]

    @cached_property
    def where(self) -> dict[str, list[int]]:
        """For each entry of the tables the coups that look it up."""
        found: dict[str, list[int]] = {}
        for i, played in enumerate(self.played):
            for entry in consulted(self.right, played):
                found.setdefault(entry, []).append(i)
        return found

    def coups_of(self, mutant: Mutant) -> Iterator[int]:
        """The coups that look up an entry which a mutant changes: all others it plays right."""
        if mutant.cells:
            return iter(sorted({i for cell in mutant.cells for i in self.where.get(cell, ())}))
        right, wrong = self.right, mutant.behaviour
        match [name for name, _ in changes(right, wrong)]:
            case ["winners"]:
                ends = _changed(right.winners, wrong.winners)
                return (i for i, played in enumerate(self.played) if played.end in ends)
            case ["stops"]:
                pairs = _changed(right.stops, wrong.stops)
                return (i for i, played in enumerate(self.played) if played.end.two_cards in pairs)
            case _:
                return iter(range(len(self.coups)))

    def differing(self, mutant: Mutant) -> Iterator[tuple[int, Played]]:
        """The coups that a mutant plays otherwise, with how it does; remembered once somebody has seen them all."""
        behaviour, found = mutant.behaviour, []
        plays = tuple(change for change in changes(self.right, behaviour) if change[0] != "nets")
        known = self._differing.get(plays)
        if known is not None:
            yield from known
            return
        for i in self.coups_of(mutant):
            played = play(behaviour, self.coups[i])
            if played != self.played[i]:
                found.append((i, played))
                yield i, played
        self._differing[plays] = found


def _changed(before: Mapping[Key, object], after: Mapping[Key, object]) -> set[Key]:
    """The places at which two tables differ."""
    return {key for key in (*before, *after) if before.get(key) != after.get(key)}


def unseen(domain: Domain, mutant: Mutant, observables: Collection[str]) -> bool | None:
    """Whether a mutant looks right in every coup, through these observables and with every legal stake.

    None if that can't be told: the mutant changes points or who gets which card and so sees more of the cards
    than the domain has, or stakes have no limit and none that was tried shows the money that it keeps.
    """
    right, wrong = domain.right, mutant.behaviour
    names = {name for name, _ in changes(right, wrong)}
    if names & _BEYOND:
        return None
    money = bool(BY_BET & set(observables))
    pairs_count = money and any(field.endswith("_pair") for field in right.classes.fields)
    if names == {"pair_of"}:
        return not (SHOW_PAIRS & set(observables) or pairs_count)
    if names == {"nets"}:
        return not money
    if names == {"money"}:
        return _money_unseen(right, wrong) if money else True
    if names & {"pair_of", "nets", "money"}:
        return None
    seen = [name for name in observables if name not in BY_BET]
    units = [each.of_unit for each in TABLE if each.of_unit and each.name in observables]
    if wrong.halves_player_six:
        return not money
    for i, played in domain.differing(mutant):
        due = domain.played[i]
        if observe(right, due, seen) != observe(wrong, played, seen):
            return False
        if any(unit(right, due, bet) != unit(wrong, played, bet) for unit in units for bet in domain.bets):
            return False
    return True


def telling(domain: Domain, first: Mutant, second: Mutant) -> frozenset[str] | None:
    """The observables through which some coup tells two mutants apart; none if they answer every coup alike.

    None if that can't be told: one of them sees more of the cards than the domain has, or keeps other money.
    """
    right, hows = domain.right, (first.behaviour, second.behaviour)
    one, other = ({*changes(right, behaviour)} for behaviour in hows)
    if one == other:
        return frozenset()
    names = {name for name, _ in one | other}
    if names & {*_BEYOND, "pair_of", "money", "halves_player_six"}:
        return None
    if names == {"nets"}:
        return BY_BET
    found: set[str] = set()
    played = [dict(domain.differing(mutant)) for mutant in (first, second)]
    anywhere = "nets" in names
    for i in range(len(domain.coups)) if anywhere else sorted({*played[0], *played[1]}):
        pair = [each.get(i, domain.played[i]) for each in played]
        for each in TABLE:
            if each.name in found:
                continue
            if each.of_unit is not None:
                differs = (anywhere or pair[0] != pair[1]) and _settles(each.of_unit, domain.bets, hows, pair)
            else:
                differs = pair[0] != pair[1] and (
                    each.of_played(hows[0], pair[0], {}) != each.of_played(hows[1], pair[1], {})
                )
            if differs:
                found.add(each.name)
        if len(found) == len(OBSERVABLES):
            break
    return frozenset(found)


def _settles(
    unit: Callable[[Behaviour, Played, str], Fraction],
    bets: Sequence[str],
    hows: Sequence[Behaviour],
    pair: Sequence[Played],
) -> bool:
    """Whether two behaviours settle some bet differently, each on its coup."""
    return any(unit(hows[0], pair[0], bet) != unit(hows[1], pair[1], bet) for bet in bets)


def _money_unseen(right: Behaviour, wrong: Behaviour) -> bool | None:
    """Whether no legal stake shows in which money nets are kept."""
    for bet in dict.fromkeys(bet for bet, _ in right.nets):
        factors = {factor for (b, _), factor in right.nets.items() if b == bet}
        stakes = legal_stakes(right.rules, bet)
        if stakes is None:
            return None
        for stake, factor in product(map(Fraction, stakes), factors):
            if in_money(right, factor, stake) != in_money(wrong, factor, stake):
                return False
    return True

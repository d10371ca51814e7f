"""The smallest set of coups that tells the rules from every single change of them and every catalogued mistake.

Why it can't be smaller: each flip of a cell shows only in coups that come to the cell, and a coup comes to one cell of
naturals and one of the banker's table. So flips are the vertices of a bipartite graph, coups that show two of them its
edges; a least edge cover is as large as a largest set of flips of which no coup shows two. That set of flips
is the certificate: they need a coup each. All else that could go wrong must then show in coups chosen for these.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from fractions import Fraction
from functools import cached_property, lru_cache
from itertools import product

import msgspec

from oracle.cards import SUITS, Card
from oracle.cases.arrange import Dealer
from oracle.cases.case import Case
from oracle.cases.coup_cases import bet_sets, stakes_of
from oracle.cases.reference import Reference
from oracle.mutants.domain import unseen
from oracle.mutants.single import Mutant, changes
from oracle.programs.behaviour import Behaviour, Played, play
from oracle.programs.cells import consulted
from oracle.programs.observables import BY_BET, OBSERVABLES, SHOW_PAIRS, TABLE, observe
from oracle.progress import tell, track
from oracle.spans import OracleError

_SEED = 3
_STEPS = 2_000
_FEW = 20
_STRIDE = 7  # of the pool every seventh coup is tried for a change that shows anywhere
_MONEY = {"nets", "money", "halves_player_six"}
_ALIKE = ("any", "rank", "card", "value", "none")
SETS: dict[str, tuple[str, ...]] = {
    "minimal": OBSERVABLES,
    **{
        tier: tuple(each.name for each in TABLE if tier in each.minimal)
        for tier in dict.fromkeys(tier for each in TABLE for tier in each.minimal)
    },
}


class Minimal(msgspec.Struct, frozen=True):
    """A minimal set and its certificate.

    `bound` are flips of which no coup shows two, as many as there are cases. `shown` maps each mutant and
    mistake to a case that shows it, `unseen` are those that no coup can show through these observables (proved).
    """

    observables: tuple[str, ...]
    cases: tuple[Case, ...]
    bound: tuple[str, ...]
    shown: dict[str, str]
    unseen: tuple[str, ...]


class _Choice(msgspec.Struct, frozen=True):
    """A coup that may be taken: its cards and stakes, and what is seen of it when played right."""

    cards: tuple[Card, ...]
    stakes: dict[str, Fraction]
    entries: frozenset[str]
    seen: tuple[object, ...]


def shown_by(reference: Reference, observables: Collection[str]) -> tuple[Mutant, ...]:
    """The mutants that a minimal set is about: without nets, those that change how coups go, whatever they pay."""
    if BY_BET & set(observables):
        return reference.mutants
    right = reference.behaviour
    return tuple(m for m in reference.mutants if not {name for name, _ in changes(right, m.behaviour)} <= _MONEY)


_Laid = tuple[Played, frozenset[str]]


@lru_cache(maxsize=8)
def _lay_all(reference: Reference) -> list[tuple[tuple[Card, ...], _Laid]]:
    """A coup for every pair of two-card totals and every two further values."""
    behaviour, totals = reference.behaviour, reference.rules.two_card_totals
    dealer = Dealer(behaviour, seed=_SEED)
    values = sorted(set(behaviour.points.values()))
    coups = (dealer.lay(*each) for each in product(totals, totals, values, values))
    return [(cards, _laid(behaviour, cards)) for cards in coups if cards is not None]


def _laid(behaviour: Behaviour, cards: Sequence[Card]) -> _Laid:
    played = play(behaviour, cards)
    return played, consulted(behaviour, played)


class _Search:
    """The coups that may be taken, and the mutants that they have to show."""

    def __init__(self, reference: Reference, observables: Collection[str]) -> None:
        self.reference = reference
        self.behaviour = reference.behaviour
        self.observables = observables
        self.mutants = shown_by(reference, observables)
        self.flips = [m for m in self.mutants if m.family == "flip" and not m.id.startswith("flip player")]
        self.dealer = Dealer(self.behaviour, seed=_SEED)
        self.ladders: list[dict[str, Fraction]] = [{}]
        if BY_BET & set(observables):
            rules = reference.rules
            self.ladders = [
                {bet: stakes_of(rules, bet)[step % len(stakes_of(rules, bet))] for bet in bets}
                for bets in bet_sets(rules)
                for step in range(max(len(stakes_of(rules, bet)) for bet in bets))
            ] or [{}]
        self._killers: dict[str, frozenset[int]] = {}
        self.domain = reference.domain
        self.pool = [
            self.choice(cards, self.ladders[place % len(self.ladders)], laid)
            for place, (cards, laid) in enumerate(_lay_all(reference))
        ]

    def choice(self, cards: Sequence[Card], stakes: Mapping[str, Fraction], laid: _Laid | None = None) -> _Choice:
        """A coup with stakes, and what is seen of it."""
        played, entries = laid or _laid(self.behaviour, cards)
        seen = observe(self.behaviour, played, self.observables, stakes)
        return _Choice(tuple(cards), dict(stakes), entries.union(f"net {bet}" for bet in stakes), seen)

    def shows(self, mutant: Mutant, choice: _Choice) -> bool:
        """Whether a coup shows a mutant."""
        if mutant.cells and not any(cell in choice.entries for cell in mutant.cells):
            return False
        behaviour = mutant.behaviour
        return observe(behaviour, play(behaviour, choice.cards), self.observables, choice.stakes) != choice.seen

    @cached_property
    def where(self) -> dict[str, list[int]]:
        """For each entry of the tables the coups of the pool that look it up."""
        found: dict[str, list[int]] = {}
        for i, choice in enumerate(self.pool):
            for entry in choice.entries:
                found.setdefault(entry, []).append(i)
        return found

    def killers(self, mutant: Mutant) -> frozenset[int]:
        """The coups of the pool that show a mutant."""
        found = self._killers.get(mutant.id)
        if found is None:
            places = (
                {i for cell in mutant.cells for i in self.where.get(cell, ())}
                if mutant.cells
                else range(len(self.pool))
            )
            found = self._killers[mutant.id] = frozenset(i for i in places if self.shows(mutant, self.pool[i]))
        return found

    def add_sums(self, lost: Sequence[Mutant]) -> list[int]:
        """Add the coups that show these mutants through a sum that is rare in the pool; their places in it."""
        first = len(self.pool)
        for mutant in lost:
            if mutant.family != "total":
                continue
            for i in self.domain.coups_of(mutant):
                ranks = [card.rank for card in self.domain.coups[i]]
                if max(ranks.count(rank) for rank in ranks) > len(SUITS):
                    continue
                cards = [Card(rank, SUITS[ranks[:place].count(rank)]) for place, rank in enumerate(ranks)]
                choice = self.choice(cards, self.ladders[i % len(self.ladders)])
                if self.shows(mutant, choice):
                    self.pool.append(choice)
        self.__dict__.pop("where", None)
        more = list(range(first, len(self.pool)))
        for mutant in self.mutants:
            if mutant.id in self._killers:
                self._killers[mutant.id] |= {i for i in more if self.shows(mutant, self.pool[i])}
        return more

    def rebet(self, mutant: Mutant, now: _Choice) -> Iterator[_Choice]:
        """The same hands with other bets, and where pairs matter with other ranks."""
        for ladder in self.ladders:
            if ladder != now.stakes:
                yield self.choice(now.cards, ladder)
        if not any("_pair" in cell for cell in mutant.cells) and mutant.family not in ("mistake", "sides"):
            return
        played = play(self.behaviour, now.cards)
        thirds = [self.behaviour.points[card.rank] for card in now.cards[4:]]
        for alike in product(_ALIKE, _ALIKE):
            laid = self.dealer.lay(*played.end.two_cards, *thirds, alike=alike)
            if laid is not None:
                yield from (self.choice(laid, ladder) for ladder in self.ladders)


def minimal(reference: Reference, observables: Collection[str]) -> Minimal:
    """The smallest set of coups for these observables. Raises `OracleError` if a mutant is neither shown nor unseen."""
    search = _Search(reference, observables)
    tell(f"searching for a smallest set for {reference.rules.id}")
    options = {flip.id: search.killers(flip) for flip in search.flips if search.killers(flip)}
    slots, bound = _cover(options)
    board = _Board(search, [options[flip] for flip in bound], [search.pool[min(slot)] for slot in slots])
    lacking = [m for m in search.mutants if m.id not in board.shown]
    hidden = [m.id for m in lacking if unseen(search.domain, m, observables)]
    lost = [m for m in lacking if m.id not in hidden]
    board.widen(bound, search.add_sums([m for m in lost if len(search.killers(m)) < _FEW]))
    bound += board.extend(lost)
    left = board.repair(lost)
    if left:
        raise OracleError(f"{reference.rules.id}: no case shows `{left[0]}`, and it could not be proved unseen")
    cases = [reference.coup(choice.cards, choice.stakes, ("minimal",)) for choice in board.chosen]
    return Minimal(
        observables=tuple(observables),
        cases=tuple(sorted(cases, key=lambda case: case.cells)),
        bound=tuple(bound),
        shown={m.id: cases[min(board.shown[m.id])].id for m in search.mutants if m.id in board.shown},
        unseen=tuple(hidden),
    )


def showing(reference: Reference, observables: Collection[str]) -> tuple[Case, ...]:
    """Coups that show every change which some coup of the pool shows, found quickly: seldom more than twice the least.

    For rules, or for observables, of which no minimal set is kept. Unlike a minimal set it proves nothing.
    """
    search = _Search(reference, observables)
    chosen: list[_Choice] = []
    alive = {mutant.id: mutant for mutant in search.mutants}
    what = f"choosing coups that show every change of {reference.rules.id}"
    for mutant in track(search.mutants, what, of=len(search.mutants)):
        if mutant.id not in alive:
            continue
        places: Iterable[int] = range(0, len(search.pool), _STRIDE)
        if mutant.cells:
            places = (i for cell in mutant.cells for i in search.where.get(cell, ()))
        found = next((search.pool[i] for i in places if search.shows(mutant, search.pool[i])), None)
        if found is not None:
            chosen.append(found)
            alive = {id: other for id, other in alive.items() if not search.shows(other, found)}
    return tuple(reference.coup(choice.cards, choice.stakes, ("minimal",)) for choice in chosen)


class _Board:
    """A coup for each slot, and what they show. Slot i may hold any coup of `options[i]`."""

    def __init__(self, search: _Search, options: Sequence[Collection[int]], chosen: Sequence[_Choice]) -> None:
        self.search = search
        self.options = [sorted(slot) for slot in options]
        self.chosen = list(chosen)
        self.by_id = {mutant.id: mutant for mutant in search.mutants}
        self.shown: dict[str, set[int]] = {}
        for place in range(len(self.chosen)):
            self.put(place, self.chosen[place])

    def put(self, place: int, choice: _Choice) -> None:
        """Lay a coup into a slot."""
        self.chosen[place] = choice
        for mutant in self.search.mutants:
            places = self.shown.get(mutant.id, set()) - {place}
            if self.search.shows(mutant, choice):
                places.add(place)
            if places:
                self.shown[mutant.id] = places
            else:
                self.shown.pop(mutant.id, None)

    def widen(self, bound: Sequence[str], more: Sequence[int]) -> None:
        """Let each slot hold those further coups, too, that show its flip."""
        for slot, flip in zip(self.options, bound, strict=True):
            slot += [i for i in more if self.search.shows(self.by_id[flip], self.search.pool[i])]

    def extend(self, lost: Sequence[Mutant]) -> list[str]:
        """Slots for mutants that no coup shows together with any of the bound so far; these mutants."""
        taken = {i for slot in self.options for i in slot}
        found = []
        for mutant in lost:
            killers = self.search.killers(mutant)
            if killers and not killers & taken:
                taken |= killers
                self.options.append(sorted(killers))
                self.chosen.append(self.search.pool[min(killers)])
                self.put(len(self.chosen) - 1, self.chosen[-1])
                found.append(mutant.id)
        return found

    def repair(self, lost: Sequence[Mutant]) -> list[str]:
        """Lay other coups until all of `lost` are shown and nothing else is lost; those for which that failed."""
        queue = deque(mutant for mutant in lost if mutant.id not in self.shown)
        recent: deque[int] = deque(maxlen=8)
        for _ in range(_STEPS):
            while queue and queue[0].id in self.shown:
                queue.popleft()
            if not queue:
                return []
            best = min(self._swaps(queue[0], recent), key=lambda swap: len(swap[2]), default=None)
            if best is None:
                return [queue[0].id]
            place, choice, gone = best
            self.put(place, choice)
            recent.append(place)
            queue.extend(gone)
        return [mutant.id for mutant in queue if mutant.id not in self.shown]

    def _swaps(self, mutant: Mutant, recent: Collection[int]) -> Iterator[tuple[int, _Choice, list[Mutant]]]:
        """Coups that show a mutant, each with its slot and what would be lost; the last if nothing would."""
        search = self.search
        alone: dict[int, list[Mutant]] = {}
        for id, places in self.shown.items():
            if len(places) == 1:
                alone.setdefault(next(iter(places)), []).append(self.by_id[id])
        killers = search.killers(mutant)
        money = any(cell.startswith("net ") for cell in mutant.cells) or mutant.family == "mistake"
        for place in range(len(self.chosen)):
            if place in recent:
                continue
            tries = [search.pool[i] for i in self.options[place] if i in killers]
            if (money and BY_BET & set(search.observables)) or SHOW_PAIRS & set(search.observables):
                tries += [c for c in search.rebet(mutant, self.chosen[place]) if search.shows(mutant, c)]
            for choice in tries:
                gone = [other for other in alone.get(place, ()) if not search.shows(other, choice)]
                yield place, choice, gone
                if not gone:
                    return


def _cover(options: Mapping[str, frozenset[int]]) -> tuple[list[frozenset[int]], list[str]]:
    """A least set of slots so that each flip is shown in one, and as many flips of which no coup shows two.

    Slot i holds the coups that show flip i of these, and with it another flip where the cover wants that.
    """
    naturals = [flip for flip in options if flip.startswith("flip natural")]
    tables = [flip for flip in options if not flip.startswith("flip natural")]
    near = {n: [t for t in tables if options[n] & options[t]] for n in naturals}
    partner: dict[str, str] = {}  # table -> natural, a greatest matching

    def augment(natural: str, tried: set[str]) -> bool:
        for table in near[natural]:
            if table not in tried:
                tried.add(table)
                if table not in partner or augment(partner[table], tried):
                    partner[table] = natural
                    return True
        return False

    for natural in naturals:
        augment(natural, set())
    matched = {natural: table for table, natural in partner.items()}
    # König: from the unmatched naturals along alternating paths; the independent flips are the reached naturals and
    # the tables that are not reached.
    reached = {natural for natural in naturals if natural not in matched}
    crossed: set[str] = set()
    queue = list(reached)
    while queue:
        for table in near[queue.pop()]:
            if table not in crossed:
                crossed.add(table)
                if partner[table] not in reached:
                    reached.add(partner[table])
                    queue.append(partner[table])
    bound = [flip for flip in options if flip in reached or (flip in tables and flip not in crossed)]
    slots = []
    covered = set(bound)
    for flip in bound:
        mate = matched.get(flip) or partner.get(flip)
        slots.append(options[flip] & options[mate] if mate else options[flip])
        covered.add(mate or flip)
    if covered != set(options):
        raise OracleError(f"no cover: {sorted(set(options) - covered)}")
    return slots, bound

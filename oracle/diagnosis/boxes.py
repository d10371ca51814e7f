"""The shortest rule that does what was seen: a base, and boxes before it that are grown from what it gets wrong.

What was seen are rows: a state, and what was done in it, or nothing where that isn't known. Sets of rows are whole
numbers whose bits are the rows, so that a condition on thousands of them is one operation.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Sequence
from itertools import combinations, groupby, product

import msgspec

from oracle.programs.facts import FACTS, Spot
from oracle.programs.program import Box
from oracle.rules.values import NONE, Value

MOST_BOXES = 8
NAMED = 1.5  # the length of a base that is not the right one
_MOST_FACTS = 3
_WIDE = 3  # a single value of more than so many is a cell, and stays one
_RUN = 0.7
_SEEDS = 3
_MOST_STATES = 200  # that a box is grown over
_BASES = 4  # that are looked into
_PAIRED = 6  # further facts that are tried two by two


class Rows:
    """States with what was done in each: an action, or None if the answers don't tell."""

    def __init__(self, spots: Sequence[Spot], actions: Sequence[Value | None]) -> None:
        self.spots = spots
        self.actions = actions
        self.every = (1 << len(spots)) - 1
        self.of_action: dict[Value, int] = _masks(actions)
        self.known = 0
        for mask in self.of_action.values():
            self.known |= mask
        self.said: dict[str, int] = {}  # by base the rows that it gets wrong
        self._masks: dict[str, dict[Value, int]] = {}
        self._columns: dict[str, list[Value]] = {}

    def column(self, fact: str) -> list[Value]:
        """The value of a fact in each row."""
        if fact not in self._columns:
            of = FACTS[fact].of
            self._columns[fact] = [of(spot) for spot in self.spots]
        return self._columns[fact]

    def masks(self, fact: str) -> dict[Value, int]:
        """The rows of each value of a fact."""
        if fact not in self._masks:
            self._masks[fact] = _masks(self.column(fact))
        return self._masks[fact]

    def telling(self, facts: Iterable[str]) -> tuple[str, ...]:
        """Those of some facts that tell rows apart."""
        return tuple(fact for fact in facts if len(self.masks(fact)) > 1)

    def where(self, conditions: Iterable[tuple[str, frozenset[Value]]]) -> int:
        """The rows in which conditions hold."""
        found = self.every
        for fact, values in conditions:
            found &= _any(self.masks(fact), values)
        return found

    def wrong(self, said: Sequence[Value]) -> int:
        """The rows in which something else was done than is said."""
        differs = ["0" if due == did else "1" for due, did in zip(said, self.actions, strict=True)]
        return int("".join(reversed(differs)) or "0", 2) & self.known

    def mixed(self, facts: Sequence[str], among: int) -> int:
        """In how many rows the action isn't a function of these facts: those of the rarer actions of each state."""
        columns = [self.column(fact) for fact in facts]
        seen: dict[tuple[Value, ...], Counter[Value]] = {}
        for i in bits(among & self.known):
            action = self.actions[i]
            assert action is not None
            seen.setdefault(tuple(column[i] for column in columns), Counter())[action] += 1
        return sum(sum(counts.values()) - max(counts.values()) for counts in seen.values())


class Learnt(msgspec.Struct, frozen=True):
    """A rule that was learnt: its base, boxes, its length, and the rows that it gets wrong."""

    base: str
    boxes: tuple[Box, ...]
    length: float
    left: int = 0

    @property
    def explained(self) -> bool:
        """Whether it does all that was seen."""
        return not self.left


def _masks(column: Sequence[Value | None]) -> dict[Value, int]:
    """The rows of each value that isn't None."""
    backwards = column[::-1]  # rows count from the right
    return {
        value: int("".join(["1" if other == value else "0" for other in backwards]), 2)
        for value in dict.fromkeys(column)
        if value is not None
    }


def _any(masks: dict[Value, int], values: Iterable[Value]) -> int:
    found = 0
    for value in values:
        found |= masks.get(value, 0)
    return found


def bits(mask: int) -> Iterator[int]:
    """The rows of a set, in order."""
    for place, digit in enumerate(reversed(f"{mask:b}")):
        if digit == "1":
            yield place


class Candidates(msgspec.Struct, frozen=True):
    """What a rule may be made of: names of bases, the right one first, and what a base says in each row.

    Boxes look at `facts`; where the action isn't a function of them, at those of `further` that it needs. `cells` are
    the facts that make a printed cell: a box that was grown from one value of such a fact keeps it.
    """

    bases: tuple[str, ...]
    says: Callable[[str], Sequence[Value]]
    facts: tuple[str, ...]
    further: tuple[str, ...] = ()
    cells: tuple[str, ...] = ()


def learn(rows: Rows, candidates: Candidates, among: int | None = None) -> Learnt:
    """The shortest rule that does what was seen in these rows (all, if none are named), or the best one."""
    search = _RuleSearch(rows, candidates, rows.every if among is None else among)
    if not search.wrong(candidates.bases[0]):
        return Learnt(candidates.bases[0], (), 0.0)
    best: Learnt | None = None
    for facts in search.looked_at():
        for start in search.ranked():
            most = None if best is None or best.left else best.length
            found = search.boxed(start, facts, most)
            if found is not None and (best is None or _worth(found) < _worth(best)):
                best = found
    assert best is not None
    return best


def _worth(found: Learnt) -> tuple[bool, float]:
    return bool(found.left), found.length + 3 * found.left.bit_count()


class _RuleSearch:
    """The search for a rule among rows that count."""

    def __init__(self, rows: Rows, candidates: Candidates, among: int) -> None:
        self.rows, self.candidates, self.among = rows, candidates, among

    def wrong(self, base: str) -> int:
        """The rows that a base gets wrong."""
        if base not in self.rows.said:
            self.rows.said[base] = self.rows.wrong(self.candidates.says(base))
        return self.rows.said[base] & self.among

    def looked_at(self) -> list[tuple[str, ...]]:
        """The facts to look at: those of the tableau, and where they don't suffice one more, or two."""
        facts, further = self.candidates.facts, self.candidates.further
        mixed = self.rows.mixed(facts, self.among)
        if not mixed or not further:
            return [facts]
        counts = {fact: self.rows.mixed((*facts, fact), self.among) for fact in further}
        fewest = min(counts.values())
        if fewest:
            pairs = {
                pair: self.rows.mixed((*facts, *pair), self.among)
                for pair in combinations(sorted(further, key=counts.__getitem__)[:_PAIRED], 2)
            }
            least = min(pairs.values(), default=fewest)
            if least < fewest / 2:
                return [(*facts, *pair) for pair, left in pairs.items() if left == least][:2]
        if fewest >= mixed:
            return [facts]
        return [(*facts, fact) for fact, left in counts.items() if left == fewest][:_BASES]

    def ranked(self) -> list[str]:
        """The bases that get fewest rows wrong, and the right one."""
        bases = self.candidates.bases
        found = sorted(bases, key=lambda base: self.wrong(base).bit_count())[:_BASES]
        return found if bases[0] in found else [*found[:-1], bases[0]]

    def boxed(self, base: str, facts: tuple[str, ...], at_most: float | None) -> Learnt | None:
        """Boxes before a base, each covering most for its length; after the first two a better base counts.

        None where that gets longer than `at_most`.
        """
        bases = self.candidates.bases
        boxes: list[Box] = []
        length = 0.0
        left = self.among
        while True:
            named = length + (0.0 if base == bases[0] else NAMED)
            if at_most is not None and named >= at_most:
                return None
            wrong = self.wrong(base) & left
            box = best_box(self.rows, left, wrong, facts, self.candidates.cells) if len(boxes) < MOST_BOXES else None
            if box is None:
                return Learnt(base, tuple(boxes), named, wrong)
            boxes.append(box)
            length += box_length(self.rows, box)
            left &= ~self.rows.where(box.where)
            if len(boxes) <= 2:
                # With the first exceptions out of the way another base may fit what is left.
                kept = base
                base = min(bases, key=lambda name: ((self.wrong(name) & left).bit_count(), name != kept))


def best_box(rows: Rows, left: int, wrong: int, facts: Sequence[str], cells: Sequence[str]) -> Box | None:
    """The box that covers most wrong rows for its length and contradicts none of the rows that are left."""
    best: tuple[float, Box] | None = None
    whole: tuple[float, Box] | None = None
    for action, acting in rows.of_action.items():
        todo = wrong & acting
        if not todo:
            continue
        todos = _Todo(rows, action, todo, left & rows.known & ~acting)
        for seed, facts_of_box in product(_seeds(rows, todos.places, facts), _subsets(facts)):
            box = _grown(todos, seed, facts_of_box, cells)
            if box is None:
                continue
            covered = (rows.where(box.where) & todo).bit_count()
            length = box_length(rows, box)
            score = covered / length
            if best is None or score > best[0] + 1e-9:
                best = score, box
            if covered == wrong.bit_count() and (whole is None or length < whole[0]):
                whole = length, box
    if best is None:
        return None
    if whole is not None and whole[0] <= box_length(rows, best[1]) + 1:
        return whole[1]
    return best[1]


def _subsets(facts: Sequence[str]) -> Iterator[tuple[str, ...]]:
    for count in range(1, _MOST_FACTS + 1):
        yield from combinations(facts, count)


def _seeds(rows: Rows, places: Sequence[int], facts: Sequence[str]) -> list[int]:
    """Rows to start from: of the state that most of them share, and of a few other ones."""
    columns = [rows.column(fact) for fact in facts[:4]]
    states: dict[tuple[Value, ...], list[int]] = {}
    for i in places:
        states.setdefault(tuple(column[i] for column in columns), []).append(i)
    most = sorted(states.values(), key=len, reverse=True)
    return list(dict.fromkeys((most[0][0], most[len(most) // 2][0], most[-1][0])))[:_SEEDS]


class _Todo:
    """The wrong rows of one action, and what contradicts a box that takes it, with the states that the rows share."""

    def __init__(self, rows: Rows, action: Value, todo: int, bad: int) -> None:
        self.rows, self.action, self.todo, self.bad = rows, action, todo, bad
        self.places = list(bits(todo))
        self._states: dict[tuple[str, ...], list[tuple[Value, ...]]] = {}

    def states(self, facts: tuple[str, ...]) -> list[tuple[Value, ...]]:
        """The values of these facts in the wrong rows, the most frequent first."""
        if facts not in self._states:
            columns = [self.rows.column(fact) for fact in facts]
            found = Counter(zip(*([column[i] for i in self.places] for column in columns), strict=True))
            self._states[facts] = [state for state, _ in found.most_common(_MOST_STATES)]
        return self._states[facts]


def _grown(wrong: _Todo, seed: int, facts: tuple[str, ...], cells: Sequence[str]) -> Box | None:
    """A box about these facts, grown from a row over the states of other rows that the base gets wrong.

    States that share all values but one with the box come first, then those that need more.
    """
    rows, bad = wrong.rows, wrong.bad
    known = [rows.masks(fact) for fact in facts]
    start = [rows.column(fact)[seed] for fact in facts]
    values = [{value} for value in start]
    masks = [masks[value] for masks, value in zip(known, start, strict=True)]
    if _all(masks, rows.every) & bad:
        return None
    for most in range(1, len(facts) + 1):
        for state in wrong.states(facts):
            new = [place for place, value in enumerate(state) if value not in values[place]]
            if not new or len(new) > most:
                continue
            wider = [mask | known[place][state[place]] if place in new else mask for place, mask in enumerate(masks)]
            if not _all(wider, rows.every) & bad:
                masks = wider
                for place in new:
                    values[place].add(state[place])
    for place, fact in enumerate(facts):
        others = _all((mask for i, mask in enumerate(masks) if i != place), rows.every)
        _fill(rows, fact, values[place], inside_without=others, bad=bad)
        masks[place] = _any(known[place], values[place])
    covered = _all(masks, rows.every) & wrong.todo
    kept = dict(zip(facts, masks, strict=True))
    for fact, found in sorted(zip(facts, values, strict=True), key=lambda pair: -FACTS[pair[0]].length):
        single = len(found) < 2 and len(known[facts.index(fact)]) > _WIDE
        if len(kept) > 1 and not single:
            others = _all((mask for name, mask in kept.items() if name != fact), rows.every)
            if not others & bad:
                del kept[fact]
    if not _keeps_cells(rows, covered, kept, cells):
        return None
    return Box(
        wrong.action,
        tuple((fact, frozenset(found)) for fact, found in zip(facts, values, strict=True) if fact in kept),
    )


def _all(masks: Iterable[int], every: int) -> int:
    found = every
    for mask in masks:
        found &= mask
    return found


def _fill(rows: Rows, fact: str, values: set[Value], *, inside_without: int, bad: int) -> None:
    """Add what lies between the lowest and the highest value, where nothing contradicts."""
    known = FACTS[fact]
    if not known.ordered or len(values) < 2:
        return
    places = [known.values.index(value) for value in values]
    between = known.values[min(places) : max(places) + 1]
    there = rows.masks(fact)
    fit = [value for value in between if not inside_without & there.get(value, 0) & bad]
    if runs(fact, {*values, *fit}, there) <= runs(fact, values, there):
        values.update(value for value in fit if value in there)


def _keeps_cells(rows: Rows, covered: int, masks: dict[str, int], cells: Sequence[str]) -> bool:
    """Whether a box says the value of each fact of a cell of which all that it covers shows only one."""
    for fact in cells:
        if fact in masks:
            continue
        shown = [value for value, mask in rows.masks(fact).items() if mask & covered]
        if len(shown) == 1 and len(rows.masks(fact)) > _WIDE:
            if shown[0] == NONE and "drew" in masks:
                continue
            return False
    return True


def runs(fact: str, values: Iterable[Value], there: Iterable[Value]) -> int:
    """In how many runs the values lie among those that there are; all but one run counts as one."""
    known, wanted, seen = FACTS[fact], set(values), set(there)
    if not known.ordered:
        return len(wanted)
    inside = [value in wanted for value in known.values if value in seen and value != NONE]
    groups = [value for value, _ in groupby(inside)]
    least = max(1, min(groups.count(True), groups.count(False)))
    return least + (NONE in wanted and True in groups)


def box_length(rows: Rows, box: Box) -> float:
    """How much a box adds to the length of a rule."""
    found = 1.0
    for fact, values in box.where:
        found += FACTS[fact].length + _RUN * (runs(fact, values, rows.masks(fact)) - 1)
    return found

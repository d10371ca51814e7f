"""Counting coups exactly: ordered sequences of six cards from a shoe, unused places counted in full.

That is the convention of the published tables (see `tests/published`): every coup is weighed by the number of ways to
draw six cards, whether it uses four, five or six of them, so all ends of a shoe add up to
n (n - 1) … (n - 5).
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from fractions import Fraction
from functools import cached_property

from oracle.cards import RANKS
from oracle.game.rules import ALIKE_FIELDS, Rules
from oracle.game.space import EXAMPLE_FIELDS, Row, Space
from oracle.rules.model import Test
from oracle.rules.values import NONE, Value, contains
from oracle.spans import BadChoice, OracleError, Undecided

PLACES = 6


class Composition:
    """The cards of a shoe by rank; `endless` draws with replacement."""

    def __init__(self, ranks: Mapping[str, int], *, endless: bool = False) -> None:
        self.ranks = {rank: ranks.get(rank, 0) for rank in RANKS}
        self.endless = endless
        self.cards = sum(self.ranks.values())
        if any(count < 0 for count in self.ranks.values()) or (self.cards < PLACES and not endless):
            raise OracleError(f"a shoe of {self.cards} cards: at least {PLACES} are needed, of no rank fewer than none")

    @classmethod
    def of(cls, rules: Rules) -> Composition:
        """The full shoe of a rule set. Raises `OracleError` if the source doesn't say how many decks it has."""
        decks = rules.value("decks")
        if decks == "endless":
            return cls(dict.fromkeys(RANKS, 1), endless=True)
        if not isinstance(decks, int):
            raise OracleError(f"{rules.id} doesn't say how many decks there are")
        return cls(dict.fromkeys(RANKS, 4 * decks))


class Odds:
    """The coups of one shoe under one rule set: how many sequences end in each way.

    `known` are odds of the same kind of shoe; counts of an equal tableau are taken from them.
    """

    def __init__(
        self,
        rules: Rules,
        composition: Composition,
        *,
        pairs: bool | None = None,
        known: Iterable[Odds] = (),
    ) -> None:
        self.rules = rules
        self.composition = composition
        self.pairs = any(f in rules.money_fields for f in ALIKE_FIELDS) if pairs is None else pairs
        same = [other for other in known if self._counts_as(other)]
        self.counts: dict[Row, int] = same[0].counts if same else _count(rules, composition, pairs=self.pairs)

    def _counts_as(self, other: Odds) -> bool:
        """Whether another's counts are these: equal decisions up to the winner, an equal shoe, and pairs alike."""
        mine, theirs = self.composition, other.composition
        return (
            (mine.ranks, mine.endless, self.pairs) == (theirs.ranks, theirs.endless, other.pairs)
            and (self.rules.points, self.rules.totals) == (other.rules.points, other.rules.totals)
            and all(
                _answers(self.rules, question, yes) == _answers(other.rules, question, yes)
                for question, yes in (("natural", "stop"), ("player_draw", "draw"), ("banker_draw", "draw"))
            )
        )

    @cached_property
    def total(self) -> int:
        """All sequences."""
        total = 1
        for used in range(PLACES):
            total *= self.composition.cards - (0 if self.composition.endless else used)
        return total

    @cached_property
    def _space(self) -> Space:
        winners = self.rules.evaluation("winner")
        rows = []
        for row in self.counts:
            i = winners.space.index(row[:6])
            answer = winners.answer(i) if i is not None else ()
            if not answer:
                raise Undecided("winner", f"player {row[4]}, banker {row[5]}", "see `check`")
            rows.append((*row, str(answer[0])))
        return Space((*EXAMPLE_FIELDS, "winner"), rows, counts=list(self.counts.values()))

    def sequences(self, guard: tuple[Test, ...]) -> int:
        """How many sequences end in states of a guard over the ends of a coup."""
        for test in guard:
            if test.field in ALIKE_FIELDS and _parts_suits(test):
                raise OracleError(f"{self.rules.id}: {test.field} {test.text} asks for suits, which aren't counted")
        mask = self._space.select(guard)
        return self._space.count(mask)

    def frequency(self, guard: tuple[Test, ...]) -> Fraction:
        """The share of coups that end in states of a guard."""
        return Fraction(self.sequences(guard), self.total)

    def expectation(self, bet: str) -> Fraction:
        """The mean net of a unit stake on a bet, exactly; the house edge is its negative."""
        from oracle.game.money import prize

        outcomes = self.rules.evaluation("outcome")
        classes = self.rules.end_classes
        columns = [self._space.column(field) for field in classes.fields]
        weights: dict[Row, int] = {}
        for key, count in zip(zip(*columns, strict=True), self._space.counts, strict=True):
            weights[key] = weights.get(key, 0) + count
        sum_ = Fraction(0)
        for key, count in weights.items():
            i = outcomes.space.index((bet, *key))
            answer = outcomes.answer(i) if i is not None else ()
            if i is None or not answer:
                raise Undecided("outcome", f"bet {bet}", "see `check`")
            if answer[0] == "win":
                sum_ += prize(self.rules, i) * count
            elif answer[0] == "lose":
                sum_ -= count
        return sum_ / self.total


Four = tuple[tuple[int, int], tuple[int, int], tuple[str, str]]
"""The values of the player's and the banker's first cards, and how alike they are."""


def _count(rules: Rules, composition: Composition, *, pairs: bool) -> dict[Row, int]:
    """Sequences by end: the six fields of `Rules.ends`, and how alike each hand's first two cards are (or empty).

    From four cards of the same values all goes on alike, so those are put together before third cards are.
    """
    if pairs:
        _need_no_suits(rules)
    take = 0 if composition.endless else 1
    values, left = _kinds(rules, composition, by_rank=pairs)
    stock: dict[int, int] = {}
    for value, count in zip(values, left, strict=True):
        stock[value] = stock.get(value, 0) + count
    unused = _unused_weights(composition, take)
    after = _After(rules)
    counts: dict[Row, int] = {}
    for (first, second, alike), ways in _first_cards(values, left, take, pairs=pairs).items():
        for value in (*first, *second):
            stock[value] -= take
        for row, weight, used in after.ends(first, second, stock, take):
            key = (*row, *alike)
            counts[key] = counts.get(key, 0) + ways * weight * unused[used]
        for value in (*first, *second):
            stock[value] += take
    return counts


def _first_cards(values: list[int], left: list[int], take: int, *, pairs: bool) -> dict[Four, int]:
    """In how many ways the first four cards come, by what the rest depends on.

    Hands are walked as unordered pairs of kinds: ranks where pairs matter, else card values. The weight of a sequence
    is the product of what was left of each kind when it came.
    """
    kinds = [(a, b) for a in range(len(values)) for b in range(a, len(values))]
    four: dict[Four, int] = {}

    def draw(a: int, b: int) -> int:
        ways = left[a] * (2 if a != b else 1)
        left[a] -= take
        ways *= left[b]
        left[b] -= take
        return ways

    for a, b in kinds:
        player = draw(a, b)
        for c, d in kinds if player > 0 else ():
            ways = player * draw(c, d)
            if ways > 0:
                alike = (_alike(values, a, b), _alike(values, c, d)) if pairs else ("", "")
                key = ((values[a], values[b]), (values[c], values[d]), alike)
                four[key] = four.get(key, 0) + ways
            left[c] += take
            left[d] += take
        left[a] += take
        left[b] += take
    return four


class _After:
    """How coups go on from their first four cards."""

    def __init__(self, rules: Rules) -> None:
        self.totals = rules.totals
        self.stops = _answers(rules, "natural", "stop")
        self.player_draws = _answers(rules, "player_draw", "draw")
        self.banker_draws = _answers(rules, "banker_draw", "draw")

    def ends(
        self, first: tuple[int, int], second: tuple[int, int], stock: Mapping[int, int], take: int
    ) -> Iterator[tuple[Row, int, int]]:
        """Every end from here: its row, the ways to draw its third cards from `stock`, and the cards used."""
        p_sum, b_sum = sum(first), sum(second)
        p2, b2 = self.totals[p_sum], self.totals[b_sum]
        if self.stops[p2, b2]:
            yield (p2, b2, NONE, NONE, p2, b2), 1, 4
            return
        thirds: list[tuple[Value, int, int, int]] = [(NONE, p2, 1, 4)]
        if self.player_draws[p2, b2]:
            thirds = [(e, self.totals[p_sum + e], n, 5) for e, n in stock.items() if n > 0]
        for e, p_total, weight, used in thirds:
            if not self.banker_draws[p2, b2, e, p_total]:
                yield (p2, b2, e, NONE, p_total, b2), weight, used
                continue
            for f, n in stock.items():
                rest = n - (take if f == e else 0)
                if rest > 0:
                    yield (p2, b2, e, f, p_total, self.totals[b_sum + f]), weight * rest, used + 1


def _kinds(rules: Rules, composition: Composition, *, by_rank: bool) -> tuple[list[int], list[int]]:
    """The value and the count of each kind of card that the shoe holds."""
    held = [rank for rank in RANKS if composition.ranks[rank]]
    if by_rank:
        return [rules.points[rank] for rank in held], [composition.ranks[rank] for rank in held]
    stock: dict[int, int] = {}
    for rank in held:
        stock[rules.points[rank]] = stock.get(rules.points[rank], 0) + composition.ranks[rank]
    return list(stock), list(stock.values())


def _alike(values: list[int], a: int, b: int) -> str:
    if a == b:
        return "rank"
    return "value" if values[a] == values[b] else NONE


def _unused_weights(composition: Composition, take: int) -> list[int]:
    """For each number of used cards, the ways to draw the places that are left."""
    weights = [1] * (PLACES + 1)
    for used in range(PLACES - 1, -1, -1):
        weights[used] = weights[used + 1] * (composition.cards - take * used)
    return weights


def _answers(rules: Rules, question: str, yes: str) -> dict[Row, bool]:
    evaluation = rules.evaluation(question)
    found: dict[Row, bool] = {}
    for i, row in enumerate(evaluation.space.rows):
        answer = evaluation.answer(i)
        if len(answer) != 1:
            state = ", ".join(f"{f} {v}" for f, v in zip(evaluation.space.fields, row, strict=True))
            raise (
                BadChoice(f"{question} is free for {state}") if answer else Undecided(question, state, "see `check`")
            )
        key = tuple(value for f, value in zip(evaluation.space.fields, row, strict=True) if f != "player_backed")
        if found.setdefault(key, answer[0] == yes) != (answer[0] == yes):
            raise OracleError(f"{rules.id}: whether the player draws depends on the bets laid")
    return found


def _parts_suits(test: Test) -> bool:
    return contains(test.values, "rank") != contains(test.values, "card")


def _need_no_suits(rules: Rules) -> None:
    for question in ("outcome", "pays", "commission"):
        for clause in rules.evaluation(question).active({}):
            for test in clause.guard:
                if test.field in ALIKE_FIELDS and _parts_suits(test):
                    raise OracleError(f"{rules.id}: {clause.id} asks for suits, which these odds don't count")

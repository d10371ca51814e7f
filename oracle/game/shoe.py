"""A shoe: shuffled from a seed, dealt coup by coup, shuffled again when the rules say so.

The generator is SplitMix64 (Steele, Lea, Flood 2014), with a Fisher-Yates shuffle from the last place down and numbers
below n by rejection, so that anybody can deal the same cards in any language:

    state += 0x9E3779B97F4A7C15 (mod 2^64); z = state
    z = (z ^ (z >> 30)) * 0xBF58476D1CE4E5B9; z = (z ^ (z >> 27)) * 0x94D049BB133111EB; output z ^ (z >> 31)
    below n: draw until output < 2^64 - 2^64 mod n, then output mod n
    shuffle: cards in the order deck by deck, C D H S, A to K; for i = last … 1: swap places i and below(i + 1)

Cards are dealt from the front of the shuffled order.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

import msgspec

from oracle.cards import RANKS, SUITS, Card
from oracle.game.around import MOST_CARDS, after_burning, burnt_after, least_start, shoe_cards
from oracle.game.coup import Coup, play, show_state, why_open
from oracle.game.rules import Rules
from oracle.game.tables import Tables
from oracle.rules.questions import CARD_QUESTIONS
from oracle.rules.values import Value
from oracle.spans import BadCards, OracleError, Undecided

MAX_STEPS = 20_000
_MASK = (1 << 64) - 1


class SplitMix64:
    """The generator that shuffles: 64-bit outputs from a 64-bit seed."""

    def __init__(self, seed: int) -> None:
        self.state = seed & _MASK

    def next(self) -> int:
        """The next output, 0 to 2^64 - 1."""
        self.state = (self.state + 0x9E3779B97F4A7C15) & _MASK
        z = self.state
        z = ((z ^ (z >> 30)) * 0xBF58476D1CE4E5B9) & _MASK
        z = ((z ^ (z >> 27)) * 0x94D049BB133111EB) & _MASK
        return z ^ (z >> 31)

    def below(self, n: int) -> int:
        """A number from 0 to n - 1, each as likely as any other."""
        limit = (1 << 64) - (1 << 64) % n
        while True:
            output = self.next()
            if output < limit:
                return output % n

    def shuffle(self, cards: list[Card]) -> None:
        """Shuffle in place."""
        for i in range(len(cards) - 1, 0, -1):
            j = self.below(i + 1)
            cards[i], cards[j] = cards[j], cards[i]


def full_shoe(decks: int) -> list[Card]:
    """All cards of that many decks, deck by deck, C D H S, A to K."""
    return [Card(rank, suit) for _ in range(decks) for suit in SUITS for rank in RANKS]


def is_due(rules: Rules, left: int, *, decks: int, first: bool = False, cut_card: bool | None = None) -> bool:
    """Whether the rules shuffle a shoe with `left` cards before the next coup, the `first` of the shoe or a later one.

    `cut_card`: whether it is out, where the rules don't say where it lies. Raises `Undecided`.
    """
    behind = rules.value("cut_card")
    out = isinstance(behind, int) and left <= behind if cut_card is None else cut_card
    coup, cut = "first" if first else "later", "yes" if out else "no"
    state: dict[str, Value] = {"remaining": left, "coup": coup, "cut_card": cut}
    evaluation = rules.at("reshuffle", state, whole=52 * decks)
    answer = evaluation.answer(0)
    if not answer:
        raise Undecided("reshuffle", show_state(state), why_open(evaluation, 0))
    return answer[0] == "shuffle"


class ShoeCoup(msgspec.Struct, frozen=True):
    """A coup out of a shoe: how many cards were left before it, and whether the shoe was shuffled first."""

    coup: Coup
    remaining: int
    shuffled: bool


class Shoe:
    """A shoe of `rules`, shuffled from `seed`. Iterating deals coup after coup and shuffles as the rules say.

    It ends when a coup would run out of cards and the rules void it. `decks` is for sources that don't say how many
    decks there are. Raises `OracleError` if neither does or both do, and `Undecided` where the rules leave open
    whether to shuffle.
    """

    def __init__(self, rules: Rules, seed: int, *, decks: int | None = None) -> None:
        said = rules.value("decks")
        if said == "endless" and decks is None:
            raise OracleError(f"{rules.id} deals from an endless shoe: give `decks` to deal from a finite one")
        if isinstance(said, int) and decks not in (None, said):
            raise OracleError(f"{rules.id} deals from {said} decks, not {decks}")
        count = decks if decks is not None else said
        if not isinstance(count, int):
            raise OracleError(f"{rules.id} doesn't say how many decks there are: give `decks`")
        self.rules = rules
        self.decks = count
        self.generator = SplitMix64(seed)
        self.cards: list[Card] = []
        self.shuffles = 0
        self._fresh = False
        self._answers: dict[int, bool] = {}
        for question in CARD_QUESTIONS:
            rules.evaluation(question)
        self._shuffle()

    def _shuffle(self) -> None:
        self.cards = full_shoe(self.decks)
        self.generator.shuffle(self.cards)
        self.shuffles += 1
        self._fresh = True
        burn = self.rules.value("burn")
        if burn == "first card":
            points = self.rules.points[self.cards[0].rank]
            del self.cards[: burnt_after(points)]
        elif isinstance(burn, int):
            del self.cards[:burn]

    def _due(self) -> bool:
        """Whether the rules shuffle before the next coup."""
        left = len(self.cards)
        if self._fresh:
            return False
        if left not in self._answers:
            self._answers[left] = is_due(self.rules, left, decks=self.decks)
        return self._answers[left]

    def __iter__(self) -> Iterator[ShoeCoup]:
        while True:
            shuffled = self._due()
            if shuffled:
                self._shuffle()
            remaining = len(self.cards)
            try:
                coup = play(self.rules, self.cards[:MOST_CARDS])
            except BadCards:
                answer = self.rules.value("exhausted")
                if answer is None:
                    what = f"remaining {len(self.cards)}"
                    raise Undecided("exhausted", what, "nothing says what happens") from None
                if answer == "void":
                    return
                self._shuffle()
                continue
            del self.cards[: coup.cards_used]
            yield ShoeCoup(coup, remaining, shuffled or self._fresh)
            self._fresh = False


class Certain(msgspec.Struct, frozen=True):
    """How many coups of a shoe are certain to finish.

    `coups` None = every one, as the rules shuffle in time. `order` is an order of the whole shoe, by rank, in which
    the next coup lacks a card; empty if none was found or none is needed.
    """

    coups: int | None
    least_start: int | None
    order: tuple[str, ...] = ()


def certain_coups(rules: Rules, *, most_steps: int = MAX_STEPS) -> Certain:
    """How many coups a shoe is certain to allow, whatever the order of its cards, with an order that allows no more.

    Six cards are the most that a coup takes, so cards // 6 coups are certain; the order shows that no more are. Where
    cards are burnt none is looked for, and nowhere for longer than `most_steps` coups tried.
    """
    cards = shoe_cards(rules)
    least = least_start(rules)
    if cards is None or least is None or least >= MOST_CARDS:
        return Certain(None, least)
    fresh = min(after_burning(rules, cards))
    coups = fresh // MOST_CARDS
    order = _exhausting_order(rules, cards // 52, coups, most_steps) if fresh == cards and most_steps else ()
    return Certain(coups, least, tuple(order or ()))


def _exhausting_order(rules: Rules, decks: int, coups: int, most_steps: int) -> list[str] | None:
    """An order of the shoe whose coup number `coups` + 1 lacks a card: a search that takes the longest coups first.

    None if there is none, or none within `most_steps` coups tried.
    """
    tables = Tables(rules)
    stock = dict.fromkeys(sorted(set(rules.points.values())), 0)
    for rank in RANKS:
        stock[rules.points[rank]] += 4 * decks
    total = 52 * decks
    shapes = _long_coups(tables, sorted(stock))
    steps = 0

    def search(left: dict[int, int], done: list[tuple[int, ...]]) -> list[tuple[int, ...]] | None:
        nonlocal steps
        steps += 1
        if steps > most_steps:
            return None
        size = sum(left.values())
        if len(done) == coups:
            rest = _unfinished(tables, left, size)
            return None if rest is None else [*done, rest]
        for shape in shapes:
            need: dict[int, int] = {}
            for value in shape:
                need[value] = need.get(value, 0) + 1
            if all(left[value] >= count for value, count in need.items()):
                after = {value: count - need.get(value, 0) for value, count in left.items()}
                found = search(after, [*done, shape])
                if found is not None:
                    return found
        return None

    found = search(stock, [])
    if found is None:
        return None
    values = [value for shape in found for value in shape]
    assert len(values) == total
    ranks: dict[int, list[str]] = {}
    for rank in RANKS:
        ranks.setdefault(rules.points[rank], []).extend([rank] * (4 * decks))
    return [ranks[value].pop(0) for value in values]


def _long_coups(tables: Tables, values: Sequence[int]) -> list[tuple[int, ...]]:
    """Six-card coups by value, one for each multiset, those that use the most common values first."""
    from itertools import combinations_with_replacement, permutations

    found = []
    for cards in combinations_with_replacement(values, MOST_CARDS):
        seen: set[tuple[int, ...]] = set()
        for hand in permutations(cards):
            if hand not in seen:
                seen.add(hand)
                if tables.play(hand).cards_used == MOST_CARDS:
                    found.append(hand)
                    break
    return sorted(
        sorted(found),
        key=lambda hand: (max(hand.count(v) for v in hand if v) if any(hand) else 9, -hand.count(0)),
    )


def _unfinished(tables: Tables, left: dict[int, int], size: int) -> tuple[int, ...] | None:
    """An order of what is left in which the coup lacks a card, or None."""
    from itertools import permutations

    cards = [value for value, count in left.items() for _ in range(count)]
    for order in sorted(set(permutations(cards))):
        if size < 4:
            return order
        try:
            tables.play(order)
        except IndexError:
            return order
    return None

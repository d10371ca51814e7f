"""Cards for a wanted coup, drawn so that all ranks and suits come up, and the same on every machine."""

from __future__ import annotations

from itertools import product

from oracle.cards import RANKS, SUITS, Card
from oracle.game.shoe import SplitMix64
from oracle.programs.behaviour import PLAYER, Behaviour
from oracle.rules.values import NONE, Value

Cards = tuple[Card, ...]


class Dealer:
    """Lays coups for one rule set. The same seed and the same questions in the same order give the same cards."""

    def __init__(self, behaviour: Behaviour, *, seed: int) -> None:
        self.behaviour = behaviour
        self._random = SplitMix64(seed)
        self._ranks: dict[int, list[str]] = {}
        self._hands: dict[tuple[int, str], list[tuple[str, str]]] = {}
        for rank in RANKS:
            self._ranks.setdefault(behaviour.points[rank], []).append(rank)
        for first, second in product(RANKS, RANKS):
            total = behaviour.totals[behaviour.points[first] + behaviour.points[second]]
            kinds = {"any"}
            if first == second:
                kinds |= {"rank", "card"}
            else:
                kinds.add("value" if behaviour.points[first] == behaviour.points[second] else NONE)
            for kind in kinds:
                self._hands.setdefault((total, kind), []).append((first, second))

    def lay(
        self,
        player2: int,
        banker2: int,
        *thirds: Value,
        alike: tuple[str, str] = ("any", "any"),
    ) -> Cards | None:
        """Six cards: two hands of these totals, then cards of these points and spare ones that count.

        `alike` asks of each hand how its two cards are alike: any, none, value, rank (but not suit) or card. No card
        comes twice, unless that is asked. None if no two cards are so.
        """
        hands = [self._hands.get((total, kind)) for total, kind in zip((player2, banker2), alike, strict=True)]
        if not all(hands):
            return None
        while True:
            cards = self._draw([hand for hand in hands if hand], alike, thirds)
            if "card" in alike or len(set(cards)) == len(cards):
                return cards

    def _draw(self, hands: list[list[tuple[str, str]]], alike: tuple[str, str], thirds: tuple[Value, ...]) -> Cards:
        gone: set[Card] = set()
        dealt = [self._hand(hand, kind, gone) for hand, kind in zip(hands, alike, strict=True)]
        first = [dealt[0 if side == PLAYER else 1].pop(0) for side in self.behaviour.deals]
        more = [self._card(self._ranks[int(third)], gone) for third in thirds if third != NONE]
        counting = [rank for rank in RANKS if self.behaviour.points[rank]]
        while len(more) < 2:
            more.append(self._card(counting, gone))
        return (*first, *more)

    def _hand(self, hands: list[tuple[str, str]], kind: str, gone: set[Card]) -> list[Card]:
        ranks = hands[self._random.below(len(hands))]
        first = self._card([ranks[0]], gone)
        if kind == "card":
            return [first, first]
        return [first, self._card([ranks[1]], gone)]

    def _card(self, ranks: list[str], gone: set[Card]) -> Card:
        """A card of one of these ranks that hasn't come yet; where all have, one that comes again."""
        fresh = [card for rank in ranks for suit in SUITS if (card := Card(rank, suit)) not in gone]
        cards = fresh or [Card(rank, suit) for rank in ranks for suit in SUITS]
        card = cards[self._random.below(len(cards))]
        gone.add(card)
        return card

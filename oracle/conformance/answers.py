"""The oracle's own answers in the words of the protocol, fast enough to serve whole tiers.

A coup is played, with its trace, once for each set of numbers that its decisions look at, and settled once for each
end, pairs, bet and stake. What else there is to say of a coup are its cards.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from fractions import Fraction
from functools import lru_cache

import msgspec

from oracle.cards import Card, parse_card
from oracle.fixtures.case import Answer, HandAnswer, Pairs
from oracle.game.bets import refusals
from oracle.game.coup import Coup, play
from oracle.game.rules import Rules
from oracle.game.settle import check_bet, parse_amount, parse_stake, settle
from oracle.rules.answers import show_number
from oracle.spans import BadBet, BadCards

_MAX_CARDS = 100
_KEPT = 100_000


class _Shape(msgspec.Struct, frozen=True):
    """What coups that decide alike have in common."""

    coup: Coup
    player: tuple[int, ...]
    banker: tuple[int, ...]


class Answers:
    """Answers of one rule set."""

    def __init__(self, rules: Rules) -> None:
        self.rules = rules
        self._free = bool(rules.spec.choosers) or rules.tests("player_draw", "player_backed")
        self._copies = decks if isinstance(decks := rules.value("decks"), int) else _MAX_CARDS
        self._deals: tuple[str, ...] = ()
        self._shapes: dict[tuple[object, ...], _Shape] = {}
        self._nets: dict[tuple[object, ...], str] = {}

    def coup(
        self, cards: Sequence[str], bets: Mapping[str, str] | None = None, choices: Mapping[str, str] | None = None
    ) -> Answer:
        """A coup with its bets settled. Raises `OracleError` as `play` and `settle` do."""
        if len(cards) > _MAX_CARDS:
            raise BadCards(f"{len(cards)} cards are too many for a coup: send at most {_MAX_CARDS}")
        laid = [_card(text) for text in cards]
        stakes = {bet: parse_stake(stake) for bet, stake in bets.items()} if bets else {}
        for bet in stakes:
            check_bet(self.rules, bet)
        if self._free or choices or len(laid) > self._copies or len(laid) < 4:
            coup = play(self.rules, laid, choose=choices, bets=stakes)
            shape = _Shape(coup, tuple(range(len(coup.player.cards))), ())
            hands = coup.player.cards, coup.banker.cards
        else:
            shape = self._shape(laid)
            coup = shape.coup
            hands = tuple(laid[i] for i in shape.player), tuple(laid[i] for i in shape.banker)
        nets = {bet: self._net(coup, laid, hands, bet, stake) for bet, stake in stakes.items()}
        player, banker = hands
        return Answer(
            winner=coup.winner,
            player=HandAnswer(tuple(map(str, player)), coup.player.total),
            banker=HandAnswer(tuple(map(str, banker)), coup.banker.total),
            natural=coup.natural,
            pairs=Pairs(player[0].rank == player[1].rank, banker[0].rank == banker[1].rank),
            net=nets or None,
        )

    def legal(self, bets: Mapping[str, str], balance: str | None = None) -> Answer:
        """Whether these bets may be laid. Raises `BadBet` for amounts that are none, `Undecided`."""
        stakes = {bet: parse_amount(stake) for bet, stake in bets.items()}
        if not stakes:
            raise BadBet("no bet is laid")
        has = None if balance is None else parse_amount(balance)
        return Answer(legal=next(refusals(self.rules, stakes, balance=has), None) is None)

    def _shape(self, cards: list[Card]) -> _Shape:
        """A coup that decides as that of these cards does."""
        points, totals = self.rules.points, self.rules.totals
        values = [points.get(card.rank, -1) for card in cards[:6]]
        if not self._deals:
            evaluation = self.rules.evaluation("deal_order")
            self._deals = tuple(str(evaluation.answer(i)[0]) for i in range(4))
        sums = [sum(v for v, to in zip(values, self._deals, strict=False) if to == side) for side in _SIDES]
        more = values[4:]
        key = (
            len(more), *more, *(totals.get(s) for s in sums), *(totals.get(s + v) for s in sums for v in more)
        )  # fmt: skip
        shape = self._shapes.get(key)
        if shape is None:
            coup = play(self.rules, cards)
            places: dict[str, list[int]] = {side: [i for i in range(4) if self._deals[i] == side] for side in _SIDES}
            following = 4
            for side, hand in zip(_SIDES, (coup.player, coup.banker), strict=True):
                if len(hand.cards) > 2:
                    places[side].append(following)
                    following += 1
            shape = _Shape(coup, tuple(places["player"]), tuple(places["banker"]))
            if len(self._shapes) < _KEPT:
                self._shapes[key] = shape
        return shape

    def _net(
        self, coup: Coup, cards: list[Card], hands: tuple[tuple[Card, ...], tuple[Card, ...]], bet: str, stake: Fraction
    ) -> str:
        """What a bet nets on the coup that these cards make; `coup` is one that decides alike."""
        key = (bet, stake, coup.end, coup.winner, *(self._alike(*hand[:2]) for hand in hands))
        net = self._nets.get(key)
        if net is None:
            own = coup if coup.player.cards == hands[0] and coup.banker.cards == hands[1] else play(self.rules, cards)
            (settled,) = settle(self.rules, own, {bet: stake})
            net = show_number(settled.net)
            if len(self._nets) < _KEPT:
                self._nets[key] = net
        return net

    def _alike(self, first: Card, second: Card) -> tuple[bool, bool, bool, bool]:
        points = self.rules.points
        return (
            first.rank == second.rank,
            points[first.rank] == points[second.rank],
            first.suit == second.suit,
            bool(first.suit and second.suit),
        )


_SIDES = ("player", "banker")


@lru_cache(maxsize=1024)
def _card(text: str) -> Card:
    return parse_card(text)

"""How a program plays, as data: lookup tables and a few ways of going about it. A mutant is one with a part changed.

Unlike `Rules` a behaviour may be wrong in ways that no rule text would put: court cards worth ten that are never
reduced, a banker who draws first. It plays any six cards and refuses nothing. A wrong program gets into states that the
rules never see; where its tables don't reach it goes on as programs do: the player draws on five and less, the banker
as against the same third card.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Mapping, Sequence
from fractions import Fraction
from itertools import combinations
from math import floor
from operator import eq

import msgspec

from oracle.cards import Card
from oracle.game.end import BankerState, End
from oracle.game.money import prize, round_net
from oracle.game.rules import Rules
from oracle.game.space import EXAMPLE_FIELDS, Row, Space
from oracle.rules.values import NONE, Value
from oracle.spans import OracleError

Pair = tuple[int, int]
Net = tuple[str, Row]
PLAYER, BANKER = 0, 1
ALIKE = (NONE, "value", "rank", "card")
_WHOLE: dict[str, Callable[[Fraction], int]] = {
    "whole": round,
    "whole-up": lambda amount: floor(amount + Fraction(1, 2)),
    "cut": int,
}
_SUMS = 4 * 11 + 1  # four cards of eleven, in a wrong program


class Classes:
    """From an end of a coup to the class that settling looks at, each looked up once."""

    def __init__(self, rules: Rules) -> None:
        self.fields = rules.end_classes.fields
        self._known: dict[tuple[End, str, str, str], Row] = {}
        self._rows = [row[1:] for row in rules.evaluation("outcome").space.rows]
        self._nearest: dict[Row, Row | None] = {}

    def of(self, end: End, winner: str, player_pair: str, banker_pair: str) -> Row:
        """The class of an end with its winner, and how alike each hand's first cards are."""
        key = (end, winner, player_pair, banker_pair)
        found = self._known.get(key)
        if found is None:
            space = Space((*EXAMPLE_FIELDS, "winner"), [(*end, player_pair, banker_pair, winner)])
            found = self._known[key] = tuple(space.column(field)[0] for field in self.fields)
        return found

    def nearest(self, row: Row) -> Row | None:
        """For a class that the rules never come to the first of those most like it with the same winner, if any."""
        if row not in self._nearest:
            place = self.fields.index("winner")
            same = (known for known in self._rows if known[place] == row[place])
            self._nearest[row] = max(same, key=lambda known: sum(map(eq, known, row)), default=None)
        return self._nearest[row]


class Behaviour(msgspec.Struct, frozen=True):
    """A way to play and settle. A deal that runs out of its six cards ends there, with the hands as they are.

    `points` of a rank count towards the hand, `third_points` where the banker looks at a third card. `totals` maps
    sums of points; a sum that it lacks counts as it is. `deals` says who gets each of the first four cards.
    `naturals` are the two-card totals called naturals. `stops` and `player_draws` map both two-card totals,
    `banker_draws` those with the third card's points and the player's total. `winners` maps ends. `nets` maps bets and
    end classes to the net of a unit stake, before rounding.

    Ways: `banker_first` deals third cards to the banker first; `decides_early` lets the banker decide as if the player
    had stood; `peeks` lets him look up the row of the total that his next card would make; `pair_of` is rank, value,
    card, three (any two of up to three cards) or two (lost with a third card); `money` is exact, float, or in whole
    units: whole (halves go to the even one), whole-up (halves go up) or cut (toward nothing); `halves_player_six` pays
    half on a player who wins with six; `natural_of` are the sides whose naturals are told; `drawn_naturals` calls eight
    and nine of three cards naturals too; `thirds_uncounted` leaves third cards out of totals. `from_back` takes the
    last card first, `skipped` are places of cards that nobody gets. `player_foresees` and `banker_foresees` let a side
    draw where the next card makes a higher total; `player_again` and `banker_again` let one that drew go on up to five.
    """

    points: Mapping[str, int]
    third_points: Mapping[str, int]
    totals: Mapping[int, int]
    deals: tuple[int, int, int, int]
    naturals: frozenset[int]
    stops: Mapping[Pair, bool]
    player_draws: Mapping[Pair, bool]
    banker_draws: Mapping[BankerState, bool]
    winners: Mapping[End, str]
    nets: Mapping[Net, Fraction]
    classes: Classes
    rules: Rules
    banker_first: bool = False
    decides_early: bool = False
    peeks: bool = False
    pair_of: str = "rank"
    money: str = "exact"
    halves_player_six: bool = False
    natural_of: tuple[str, ...] = ("player", "banker")
    drawn_naturals: bool = False
    thirds_uncounted: bool = False
    from_back: bool = False
    skipped: frozenset[int] = frozenset()
    player_foresees: bool = False
    banker_foresees: bool = False
    player_again: bool = False
    banker_again: bool = False


class Played(msgspec.Struct, frozen=True):
    """A coup as a behaviour plays it.

    `alike` holds, for player and banker, none, value, rank or card. `looked_up` is what the banker's decision was
    looked up with, None if it never came to it.
    """

    winner: str
    player: tuple[Card, ...]
    banker: tuple[Card, ...]
    end: End
    alike: tuple[str, str]
    natural: str
    looked_up: BankerState | None
    continued: bool


def behaviour_of(rules: Rules) -> Behaviour:
    """The right behaviour. Raises `OracleError` if the rules leave a choice or anything open."""
    deals = answers(rules, "deal_order")
    nets: dict[Net, Fraction] = {}
    outcomes = rules.evaluation("outcome")
    for i, row in enumerate(outcomes.space.rows):
        answer = outcomes.answer(i)
        if len(answer) != 1:
            raise OracleError(f"{rules.id}: what becomes of a bet on {row[0]} is open")
        lost = Fraction(-1 if answer[0] == "lose" else 0)
        nets[str(row[0]), row[1:]] = prize(rules, i) if answer[0] == "win" else lost
    return Behaviour(
        points=rules.points,
        third_points=rules.points,
        totals={**{summed: summed % 10 for summed in range(_SUMS)}, **rules.totals},
        deals=tuple(PLAYER if deals[(place,)] == "player" else BANKER for place in (1, 2, 3, 4)),  # type: ignore[arg-type]
        naturals=frozenset((8, 9)),
        stops={(int(p), int(b)): a == "stop" for (p, b), a in answers(rules, "natural").items()},
        player_draws={(int(r[0]), int(r[1])): a == "draw" for r, a in answers(rules, "player_draw").items()},
        banker_draws={BankerState._make(r): a == "draw" for r, a in answers(rules, "banker_draw").items()},
        winners=dict(zip(rules.every_end, answers(rules, "winner").values(), strict=True)),
        nets=nets,
        classes=Classes(rules),
        rules=rules,
    )


def answers(rules: Rules, question: str) -> dict[Row, str]:
    """The one answer of each state of a question. Raises `OracleError` where it is open or a free choice."""
    evaluation = rules.evaluation(question)
    found: dict[Row, str] = {}
    for i, row in enumerate(evaluation.space.rows):
        answer = evaluation.answer(i)
        if len(answer) != 1:
            what = "is a free choice" if answer else "is open"
            raise OracleError(
                f"{rules.id}: {evaluation.question.asks} {what} somewhere; no fixture can expect one answer"
            )
        found[row] = str(answer[0])
    return found


def play(behaviour: Behaviour, cards: Sequence[Card], carried: Pair = (0, 0)) -> Played:
    """Play a coup; six cards always suffice. `carried` is what hands have before they get a card."""
    points, deals, totals = behaviour.points, behaviour.deals, behaviour.totals
    if behaviour.from_back:
        cards = cards[::-1]
    if behaviour.skipped:
        cards = [card for place, card in enumerate(cards) if place not in behaviour.skipped]
    hands: tuple[list[Card], list[Card]] = ([], [])
    sums = [*carried]
    for place in range(4):
        card = cards[place]
        side = deals[place]
        hands[side].append(card)
        sums[side] += points[card.rank]
    player2, banker2 = totals.get(sums[0], sums[0]), totals.get(sums[1], sums[1])
    player_total, banker_total = player2, banker2
    player_third: Value = NONE
    banker_third: Value = NONE
    looked_up: BankerState | None = None
    left = deque(cards[4:])
    ends = stops(behaviour, player2, banker2)
    if not ends:
        draws = (
            _raises(behaviour, sums[0], left)
            if behaviour.player_foresees
            else player_draws(behaviour, player2, banker2)
        )
        if behaviour.banker_first:
            looked_up = BankerState(player2, banker2, NONE, player2)
            if banker_draws(behaviour, looked_up) and left:
                banker_third, banker_total = _draw(
                    behaviour, hands[BANKER], sums[BANKER], left, again=behaviour.banker_again
                )
        seen: Value = NONE
        if draws and left:
            seen = behaviour.third_points[left[0].rank]
            player_third, player_total = _draw(
                behaviour, hands[PLAYER], sums[PLAYER], left, again=behaviour.player_again
            )
        if not behaviour.banker_first:
            looked_up = BankerState(player2, banker2, seen, player_total)
            if behaviour.decides_early:
                looked_up = BankerState(player2, banker2, NONE, player2)
            elif behaviour.peeks and left:
                peeked = sums[BANKER] + points[left[0].rank]
                looked_up = BankerState(player2, totals.get(peeked, peeked), seen, player_total)
            draws = (
                _raises(behaviour, sums[1], left) if behaviour.banker_foresees else banker_draws(behaviour, looked_up)
            )
            if draws and left:
                banker_third, banker_total = _draw(
                    behaviour, hands[BANKER], sums[BANKER], left, again=behaviour.banker_again
                )
    end = End(player2, banker2, player_third, banker_third, player_total, banker_total)
    winner = behaviour.winners.get(end)
    if winner is None:
        winner = "tie" if player_total == banker_total else "player" if player_total > banker_total else "banker"
    naturals = behaviour.naturals
    natural = NONE
    high = (player_total, banker_total) if behaviour.drawn_naturals else (player2, banker2)
    if high[0] in naturals and "player" in behaviour.natural_of:
        natural = "player"
    if high[1] in naturals and "banker" in behaviour.natural_of:
        natural = "banker" if natural == NONE else "both"
    alike = (how_alike(behaviour, hands[PLAYER]), how_alike(behaviour, hands[BANKER]))
    return Played(
        winner, tuple(hands[PLAYER]), tuple(hands[BANKER]), end, alike, natural, looked_up, continued=not ends
    )


def unit_net(behaviour: Behaviour, played: Played, bet: str) -> Fraction:
    """What a unit stake on a bet changes the balance by, before rounding."""
    row = behaviour.classes.of(played.end, played.winner, *played.alike)
    factor = behaviour.nets.get((bet, row))
    if factor is None:
        nearest = behaviour.classes.nearest(row)
        factor = Fraction(0) if nearest is None else behaviour.nets.get((bet, nearest), Fraction(0))
    if behaviour.halves_player_six and bet == played.winner == "player" and played.end.player_total == 6:
        return factor / 2
    return factor


def net(behaviour: Behaviour, played: Played, bet: str, stake: Fraction) -> Fraction:
    """What a bet changes the balance by, in the money that the behaviour keeps."""
    return in_money(behaviour, unit_net(behaviour, played, bet), stake)


def in_money(behaviour: Behaviour, factor: Fraction, stake: Fraction) -> Fraction:
    """A net as the behaviour keeps it, of what a unit nets."""
    if behaviour.money == "float":
        return Fraction(repr(float(factor) * float(stake)))  # as programs print it
    amount = stake * factor
    if behaviour.money in _WHOLE:
        return Fraction(_WHOLE[behaviour.money](amount))
    return round_net(behaviour.rules, amount) if factor > 0 else amount


def _draw(behaviour: Behaviour, hand: list[Card], summed: int, left: deque[Card], *, again: bool) -> tuple[int, int]:
    """Give a third card to a hand, and further ones if it draws again: the third's points, and the hand's total."""
    totals = behaviour.totals
    total = totals.get(summed, summed)
    third: int | None = None
    while left and (third is None or (again and total <= 5)):
        card = left.popleft()
        hand.append(card)
        points = behaviour.points[card.rank]
        third = points if third is None else third
        if not behaviour.thirds_uncounted:
            summed += points
            total = totals.get(summed, summed)
    assert third is not None
    return third, total


def _raises(behaviour: Behaviour, summed: int, left: deque[Card]) -> bool:
    """Whether the next card makes a higher total of this sum."""
    if not left:
        return False
    after = summed + behaviour.points[left[0].rank]
    return behaviour.totals.get(after, after) > behaviour.totals.get(summed, summed)


def stops(behaviour: Behaviour, player2: int, banker2: int) -> bool:
    """Whether the coup ends at these two-card totals."""
    known = behaviour.stops.get((player2, banker2))
    return player2 >= 8 or banker2 >= 8 if known is None else known


def player_draws(behaviour: Behaviour, player2: int, banker2: int) -> bool:
    """Whether the player draws at these two-card totals."""
    known = behaviour.player_draws.get((player2, banker2))
    return player2 <= 5 if known is None else known


def banker_draws(behaviour: Behaviour, state: BankerState) -> bool:
    """Whether the banker draws in a state."""
    known = behaviour.banker_draws.get(state)
    if known is not None:
        return known
    _, banker2, third, _ = state
    if third == NONE:
        return banker2 <= 5
    for player2 in range(10):
        alike = BankerState(player2, banker2, third, (player2 + int(third)) % 10)
        nearest = behaviour.banker_draws.get(alike)
        if nearest is not None:
            return nearest
    return banker2 <= 2


def how_alike(behaviour: Behaviour, hand: Sequence[Card]) -> str:
    """How alike the cards of a hand are that can make a pair: none, value, rank or card."""
    first, second = hand[0], hand[1]
    if behaviour.pair_of == "three" and len(hand) > 2:
        return max((_kind(behaviour, a, b) for a, b in combinations(hand, 2)), key=ALIKE.index)
    if behaviour.pair_of == "two" and len(hand) > 2:
        return NONE
    return _kind(behaviour, first, second)


def _kind(behaviour: Behaviour, first: Card, second: Card) -> str:
    if first.rank != second.rank:
        if behaviour.points[first.rank] != behaviour.points[second.rank]:
            return NONE
        return "rank" if behaviour.pair_of == "value" else "value"
    if not first.suit or first.suit != second.suit:
        return "value" if behaviour.pair_of == "card" else "rank"
    return "card"

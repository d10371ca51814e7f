"""A program as tables and rules: what a `Behaviour` can't hold, a rule about any fact of a state, is laid over it.

A rule is a list of boxes, of which the first that holds says what is done, and a base that says it elsewhere. Where
nothing is said of a question, the tables of the behaviour answer it.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Mapping, Sequence
from functools import cached_property

import msgspec
from msgspec.structs import replace

from oracle.cards import Card
from oracle.game.end import BankerState, End
from oracle.programs.behaviour import (
    BANKER,
    PLAYER,
    Behaviour,
    Played,
    banker_draws,
    how_alike,
    player_draws,
    stops,
)
from oracle.programs.facts import FACTS, Spot
from oracle.rules.values import NONE, Value

RIGHT = "right"
_MOST_CARDS = 8  # in a hand


class Box(msgspec.Struct, frozen=True):
    """What is done where a few facts have these values. Empty `where`: everywhere."""

    action: Value
    where: tuple[tuple[str, frozenset[Value]], ...]

    def holds(self, spot: Spot) -> bool:
        """Whether it speaks of a state."""
        return all(FACTS[fact].of(spot) in values for fact, values in self.where)


class Rule(msgspec.Struct, frozen=True):
    """Boxes in order, the first that holds counts, and the base, by its name, where none holds."""

    base: str = RIGHT
    boxes: tuple[Box, ...] = ()

    def boxed(self, spot: Spot) -> Value | None:
        """What the first box that holds says."""
        return next((box.action for box in self.boxes if box.holds(spot)), None)


class Program(msgspec.Struct, frozen=True, dict=True):
    """A way to play and settle: the tables of a behaviour, and rules over it by question.

    `rules` has player_draw, banker_draw, another (whether a hand that drew takes a further card: by side), counts_as
    (what the first two cards of a side count as when the banker's turn comes), and winner. `decides` maps sums to the
    totals that decisions are made on, where these are not the ones that are reported.
    """

    behaviour: Behaviour
    rules: Mapping[str, Rule] = {}
    decides: Mapping[int, int] | None = None

    @cached_property
    def cells(self) -> dict[tuple[int, Value], bool]:
        """Cells of the banker's table that were looked up, by row and third card."""
        return {}

    def rule(self, question: str) -> Rule:
        """The rule about a question."""
        return self.rules.get(question, _RIGHT)

    def with_rule(self, question: str, rule: Rule) -> Program:
        """This program with another rule about a question."""
        return replace(self, rules={**self.rules, question: rule})


_RIGHT = Rule()


# Bases


Base = Callable[[Program, Spot], Value]


def draws_of(program: Program, question: str, spot: Spot) -> bool:
    """Whether a side draws in a state (question player_draw or banker_draw)."""
    rule = program.rule(question)
    said = rule.boxed(spot)
    if said is not None:
        return said == "draw"
    return BASES[question][rule.base](program, spot) == "draw"


def _act(draws: bool) -> Value:  # noqa: FBT001 (an answer)
    return "draw" if draws else "stand"


def _right_player(program: Program, spot: Spot) -> Value:
    return _act(player_draws(program.behaviour, spot.player2, spot.banker2))


def _right_banker(program: Program, spot: Spot) -> Value:
    return _act(banker_draws(program.behaviour, spot.state))


def _looked_up(program: Program, row: int, third: Value) -> bool:
    """The banker's table in a cell, wherever it is reached."""
    found = program.cells.get((row, third))
    if found is None:
        behaviour = program.behaviour
        stood = _free(behaviour)
        state = BankerState(stood, row, NONE, stood) if third == NONE else BankerState(-1, row, third, -1)
        found = program.cells[row, third] = banker_draws(behaviour, state)
    return found


def _free(behaviour: Behaviour) -> int:
    """A total on which the player stands, and no natural."""
    return next((p for p in range(7, -1, -1) if not player_draws(behaviour, p, 0)), 7)


_ROWS: dict[str, Callable[[Spot], int]] = {
    "banker2": lambda spot: spot.banker2,
    "player_total": lambda spot: spot.player_total,
    "player2": lambda spot: spot.player2,
    "banker_first": lambda spot: spot.points[spot.banker[0].rank],
    "banker_second": lambda spot: spot.points[spot.banker[1].rank],
}
_COLUMNS: dict[str, Callable[[Spot], Value]] = {
    "third": lambda spot: spot.third,
    "player_total": lambda spot: spot.player_total if len(spot.player) > 2 else NONE,
    "player_total_always": lambda spot: spot.player_total,
    "player2": lambda spot: spot.player2 if len(spot.player) > 2 else NONE,
    "player2_always": lambda spot: spot.player2,
    "player_first": lambda spot: spot.points[spot.player[0].rank] if len(spot.player) > 2 else NONE,
    "player_second": lambda spot: spot.points[spot.player[1].rank] if len(spot.player) > 2 else NONE,
    "player_first_always": lambda spot: spot.points[spot.player[0].rank],
    "player_second_always": lambda spot: spot.points[spot.player[1].rank],
    "banker_first": lambda spot: spot.points[spot.banker[0].rank] if len(spot.player) > 2 else NONE,
    "banker_second": lambda spot: spot.points[spot.banker[1].rank] if len(spot.player) > 2 else NONE,
    "third_or_zero": lambda spot: spot.third if len(spot.player) > 2 else 0,
    "none": lambda _spot: NONE,
    "next": lambda spot: NONE if spot.following is None else spot.points[spot.following.rank],
}


def _table(row: str, column: str) -> Base:
    return lambda program, spot: _act(_looked_up(program, _ROWS[row](spot), _COLUMNS[column](spot)))


def _raises(side: str) -> Base:
    def base(program: Program, spot: Spot) -> Value:
        if spot.following is None:
            return "stand"
        hand = getattr(spot, side)
        summed = sum(spot.points[card.rank] for card in hand)
        totals = program.decides or program.behaviour.totals
        after = summed + spot.points[spot.following.rank]
        return _act(totals.get(after, after) > totals.get(summed, summed))

    return base


def _swapped(column: str, *, low_rows: bool) -> Base:
    """The banker's rules after the player drew and after he stood, each where the other belongs.

    The table is read with another column, as there is no third card; it may have no rows for 0 to 2.
    """

    def base(program: Program, spot: Spot) -> Value:
        if len(spot.player) > 2:
            return _act(_looked_up(program, spot.banker2, NONE))
        return _act((low_rows or spot.banker2 > 2) and _looked_up(program, spot.banker2, _COLUMNS[column](spot)))

    return base


def _player_rule(program: Program, spot: Spot) -> Value:
    """The player's rule, for the banker's own total."""
    return _act(player_draws(program.behaviour, spot.banker2, 0))


_SAME: dict[str, Base] = {"never": lambda _p, _s: "stand", "always": lambda _p, _s: "draw"}
BASES: dict[str, dict[str, Base]] = {
    "player_draw": {RIGHT: _right_player, **_SAME, "raises": _raises("player")},
    "banker_draw": {
        RIGHT: _right_banker,
        "player's rule": _player_rule,
        **_SAME,
        **{
            f"swapped {column}{'' if low else ' from row 3'}": _swapped(column, low_rows=low)
            for column in ("third_or_zero", "player_second_always", "player_first_always", "player2_always")
            for low in (True, False)
        },
        "raises": _raises("banker"),
        **{
            f"table {row} {column}": _table(row, column)
            for row in _ROWS
            for column in _COLUMNS
            if (row, column) != ("banker2", "third")
        },
    },
}
"""By question each base by name: what is done in a state."""


def _again(side: str) -> dict[str, Base]:
    def own_rule(program: Program, spot: Spot) -> Value:
        return _act(draws_of(program, f"{side}_draw", _as_two(spot, side)))

    def rose(_program: Program, spot: Spot) -> Value:
        return _act(_now(spot, side) > _before(spot, side))

    def later_row(program: Program, spot: Spot) -> Value:
        now, before = _now(spot, side), _before(spot, side)
        later = _BLOCK.get(now, now) > _BLOCK.get(before, before)
        return _act(later and draws_of(program, f"{side}_draw", _as_two(spot, side)))

    return {
        "never": _SAME["never"],
        "own rule": own_rule,
        "later row": later_row,
        "five": lambda _program, spot: _act(_now(spot, side) <= 5),
        "rose": rose,
        "always": _SAME["always"],
    }


_BLOCK = {0: 2, 1: 2, 2: 2}  # rows that programs write together


def _now(spot: Spot, side: str) -> int:
    return spot.player_total if side == "player" else spot.banker_total


def _before(spot: Spot, side: str) -> int:
    """The total before the last card; sums are reduced to units."""
    hand = getattr(spot, side)[:-1]
    return sum(spot.points[card.rank] for card in hand) % 10


def _as_two(spot: Spot, side: str) -> Spot:
    """A state as if the hand that drew had come to its total with two cards."""
    return spot._replace(banker2=spot.banker_total) if side == "banker" else spot._replace(player2=spot.player_total)


BASES["player_another"] = _again("player")
BASES["banker_another"] = _again("banker")


def _higher(first: int, second: int) -> Value:
    return "tie" if first == second else "player" if first > second else "banker"


def _raw(spot: Spot, side: str) -> int:
    return sum(spot.points[card.rank] for card in getattr(spot, side))


def _always(said: Value) -> Base:
    return lambda _program, _spot: said


BASES["winner"] = {
    RIGHT: lambda _program, spot: _higher(spot.player_total, spot.banker_total),
    "two cards": lambda _program, spot: _higher(spot.player2, spot.banker2),
    "player's two cards": lambda _program, spot: _higher(spot.player2, spot.banker_total),
    "banker's two cards": lambda _program, spot: _higher(spot.player_total, spot.banker2),
    "sums": lambda _program, spot: _higher(_raw(spot, "player"), _raw(spot, "banker")),
    "lower": lambda _program, spot: _higher(spot.banker_total, spot.player_total),
    "player unless higher": lambda _program, spot: "banker" if spot.banker_total > spot.player_total else "player",
    "banker unless higher": lambda _program, spot: "player" if spot.player_total > spot.banker_total else "banker",
    **{side: _always(side) for side in ("player", "banker", "tie")},
    "more cards": lambda _program, spot: _higher(len(spot.player), len(spot.banker)),
}


# Playing


def play_program(program: Program, cards: Sequence[Card]) -> tuple[Played, bool]:
    """Play a coup, and whether the cards sufficed: a hand that wants a card which isn't there goes without."""
    behaviour = program.behaviour
    hands, left = dealt(behaviour, cards)
    decides = program.decides or behaviour.totals
    player2, banker2 = (_total(decides, behaviour.points, hand) for hand in hands)
    short = False
    counted: Value | None = None
    goes_on = not stops(behaviour, player2, banker2)
    if goes_on:
        for side in (BANKER, PLAYER) if behaviour.banker_first else (PLAYER, BANKER):
            question = _QUESTIONS[side]
            now = spot_of(program, *hands, left[0] if left else None)
            if side == BANKER and "counts_as" in program.rules:
                counted = program.rules["counts_as"].boxed(now)
            early = behaviour.decides_early and side == BANKER
            if not draws_of(program, question, _stood(now) if early else now):
                continue
            further = program.rules.get(_ANOTHER[side])
            while True:
                if not left:
                    short = True
                    break
                hands[side].append(left.popleft())
                if further is None or len(hands[side]) >= _MOST_CARDS:
                    break
                after = spot_of(program, *hands, left[0] if left else None)
                said = further.boxed(after)
                said = BASES[_ANOTHER[side]][further.base](program, after) if said is None else said
                if said != "draw":
                    break
    return _ended(program, hands, counted, goes_on=goes_on), short


_QUESTIONS = ("player_draw", "banker_draw")
_ANOTHER = ("player_another", "banker_another")


def dealt(behaviour: Behaviour, cards: Sequence[Card]) -> tuple[tuple[list[Card], list[Card]], deque[Card]]:
    """The first two cards of each hand, and the cards after them."""
    if behaviour.from_back:
        cards = cards[::-1]
    if behaviour.skipped:
        cards = [card for place, card in enumerate(cards) if place not in behaviour.skipped]
    hands: tuple[list[Card], list[Card]] = ([], [])
    for place in range(4):
        hands[behaviour.deals[place]].append(cards[place])
    return hands, deque(cards[4:])


def _total(totals: Mapping[int, int], points: Mapping[str, int], hand: Sequence[Card]) -> int:
    summed = sum([points[card.rank] for card in hand])
    return totals.get(summed, summed)


def spot_of(program: Program, player: Sequence[Card], banker: Sequence[Card], following: Card | None) -> Spot:
    """The state in which the hands are these and this card is the next."""
    behaviour = program.behaviour
    points, decides = behaviour.points, program.decides or behaviour.totals
    player2, banker2 = _total(decides, points, player[:2]), _total(decides, points, banker[:2])
    return Spot(
        tuple(player),
        tuple(banker),
        player2,
        banker2,
        player2 if len(player) == 2 else _total(decides, points, player),
        banker2 if len(banker) == 2 else _total(decides, points, banker),
        behaviour.third_points[player[2].rank] if len(player) > 2 else NONE,
        points,
        following,
    )


def _stood(spot: Spot) -> Spot:
    """A state as if the player had stood."""
    return spot._replace(player=spot.player[:2], third=NONE, player_total=spot.player2)


def end_spot(program: Program, player: Sequence[Card], banker: Sequence[Card]) -> Spot:
    """The end of a coup as a state, by the totals that are reported."""
    behaviour = program.behaviour
    totals, points = behaviour.totals, behaviour.points
    counting = 2 if behaviour.thirds_uncounted else None
    return Spot(
        tuple(player),
        tuple(banker),
        _total(totals, points, player[:2]),
        _total(totals, points, banker[:2]),
        _total(totals, points, player[:counting]),
        _total(totals, points, banker[:counting]),
        points[player[2].rank] if len(player) > 2 else NONE,
        points,
    )


def _ended(program: Program, hands: tuple[list[Card], list[Card]], counted: Value | None, *, goes_on: bool) -> Played:
    spot = end_spot(program, *hands)
    if isinstance(counted, int):  # his two cards count as this, and his further cards are added to it
        points, totals = program.behaviour.points, program.behaviour.totals
        summed = counted + sum(points[card.rank] for card in hands[BANKER][2:])
        spot = spot._replace(banker_total=totals.get(summed, summed))
    return ended(program, spot, goes_on=goes_on)


def ended(program: Program, spot: Spot, *, goes_on: bool = True) -> Played:
    """The coup that ends in a state, with its winner."""
    behaviour = program.behaviour
    points = behaviour.points
    banker_third = points[spot.banker[2].rank] if len(spot.banker) > 2 else NONE
    end = End(spot.player2, spot.banker2, spot.third, banker_third, spot.player_total, spot.banker_total)
    rule = program.rule("winner")
    said = rule.boxed(spot)
    if said is None and rule.base == RIGHT:
        said = behaviour.winners.get(end)
    winner = str(BASES["winner"][rule.base](program, spot) if said is None else said)
    high = end.totals if behaviour.drawn_naturals else end.two_cards
    called = [
        side
        for side, total in zip(("player", "banker"), high, strict=True)
        if total in behaviour.naturals and side in behaviour.natural_of
    ]
    natural = "both" if len(called) > 1 else called[0] if called else NONE
    alike = (how_alike(behaviour, spot.player), how_alike(behaviour, spot.banker))
    return Played(winner, spot.player, spot.banker, end, alike, natural, None, continued=goes_on)

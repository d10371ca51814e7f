"""What goes wrong in a program, as changes of a behaviour: the words in which the catalogue of mistakes is written."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from fractions import Fraction

from msgspec.structs import replace

from oracle.game.end import BankerState, End
from oracle.mutants.single import with_draws, with_nets, with_winner
from oracle.programs.behaviour import Behaviour
from oracle.rules.values import NONE, Value

Change = Callable[[Behaviour], Behaviour]
_HALF = Fraction(1, 2)


def banker(rule: Callable[[BankerState, bool], bool]) -> Change:
    """The banker draws as `rule` says of a state and of what is right in it."""
    return lambda right: with_draws(right, lambda state: rule(state, right.banker_draws[state]))


def player(rule: Mapping[int, bool]) -> Change:
    """The player draws on these totals as said."""
    return lambda right: replace(
        right, player_draws={pair: rule.get(pair[0], draws) for pair, draws in right.player_draws.items()}
    )


def rank(points: Mapping[str, int], *, hand: bool = True, reduced: bool = True) -> Change:
    """Ranks count otherwise, towards the hand or for the banker's table alone; sums above nine stay as they are."""

    def change(right: Behaviour) -> Behaviour:
        return replace(
            right,
            points={**right.points, **points} if hand else right.points,
            third_points={**right.third_points, **points},
            totals=right.totals if reduced else {total: total for total in range(40)},
        )

    return change


def in_turn(*parts: Change) -> Change:
    """One change after the other."""

    def change(right: Behaviour) -> Behaviour:
        for part in parts:
            right = part(right)
        return right

    return change


def seen_as(points: Mapping[str, int]) -> Change:
    """The banker takes a third card of these ranks for another one than it counts."""
    return lambda right: replace(right, third_points={**right.third_points, **points})


def stands_against(third: int) -> Change:
    """The banker stands on every total against a third card that none of the rules knows."""

    def change(right: Behaviour) -> Behaviour:
        unknown = {
            state._replace(player_third=third, player_total=total): False
            for state in right.banker_draws
            for total in range(10)
        }
        return replace(right, banker_draws={**right.banker_draws, **unknown})

    return change


def stops(rule: Callable[[int, int], bool]) -> Change:
    """These two-card totals of player and banker end the coup."""
    return lambda right: replace(right, stops={pair: rule(*pair) for pair in right.stops})


def nets(rule: Callable[[str, Mapping[str, Value], Fraction], Fraction]) -> Change:
    """Bets net what `rule` says of a bet, the fields of an end class, and the right net of a unit."""
    return lambda right: with_nets(right, rule)


def as_if(cell: Callable[[BankerState], tuple[Value, Value]]) -> Change:
    """The banker looks up another cell than that of the state."""

    def change(right: Behaviour) -> Behaviour:
        table: dict[tuple[Value, Value], bool] = {}
        for state, draws in right.banker_draws.items():
            table.setdefault(state.cell, draws)
        return with_draws(right, lambda state: table.get(cell(state), right.banker_draws[state]))

    return change


def naturals(totals: frozenset[int], *, up_to: int = 9) -> Change:
    """These two-card totals of either side end the coup and are called naturals; higher ones come of sums unreduced."""
    known = range(up_to + 1)
    return lambda right: replace(
        right, stops={(p, b): p in totals or b in totals for p in known for b in known}, naturals=totals
    )


def tie(player_and_banker: Fraction | None = None, tie: Fraction | None = None) -> Change:
    """On a tie bets on player and banker, or the one on the tie, net so much."""

    def net(bet: str, end: Mapping[str, Value], unit: Fraction) -> Fraction:
        if end["winner"] != "tie":
            return unit
        if bet == "tie" and tie is not None:
            return tie
        return player_and_banker if bet in ("player", "banker") and player_and_banker is not None else unit

    return nets(net)


def half_on_player_six(right: Behaviour) -> Behaviour:
    """A player who wins with six is paid half, where a banker is."""
    return replace(right, halves_player_six=True) if _pays_half(right) else right


def half_on_losing_six(right: Behaviour) -> Behaviour:
    """A banker who loses with six loses half, where one who wins with it is paid half."""

    def net(bet: str, end: Mapping[str, Value], unit: Fraction) -> Fraction:
        loses = bet == "banker" and unit < 0 and end.get("banker_total") == 6
        return -_HALF if loses else unit

    return with_nets(right, net) if _pays_half(right) else right


def _pays_half(right: Behaviour) -> bool:
    """Whether a banker bet is paid half in some case, as those without commission pay a six."""
    return any(bet == "banker" and unit == _HALF for (bet, _), unit in right.nets.items())


def banker_win(changed: Callable[[Fraction], Fraction], *, on: str = "banker") -> Change:
    """What a banker bet nets when `on` wins, from the rate of commission; only where there is one."""

    def change(right: Behaviour) -> Behaviour:
        rate = _rate(right)
        if rate is None:
            return right
        return with_nets(
            right, lambda bet, end, unit: changed(rate) if bet == "banker" and end["winner"] == on else unit
        )

    return change


def _rate(right: Behaviour) -> Fraction | None:
    """The rate of the commission on a banker who wins; None where there is none."""
    rate = 1 - min((unit for (bet, _), unit in right.nets.items() if bet == "banker" and unit > 0), default=Fraction(1))
    return rate if 0 < rate < _HALF else None


def thirds(rule: Callable[[int, int], tuple[bool, bool] | None]) -> Change:
    """At these two-card totals the coup goes on, and `rule` says whether player and banker draw; None: as is right."""

    def change(right: Behaviour) -> Behaviour:
        said = {pair: drawn for pair in right.stops if (drawn := rule(*pair)) is not None}
        players = {pair: player for pair, (player, _) in said.items()}
        bankers = {
            BankerState(p, b, third, p if third == NONE else (p + int(third)) % 10): banker
            for (p, b), (_, banker) in said.items()
            for third in (NONE, *range(10))
        }
        return replace(
            right,
            stops={**right.stops, **dict.fromkeys(said, False)},
            player_draws={**right.player_draws, **players},
            banker_draws={**right.banker_draws, **bankers},
        )

    return change


def after_standing(*sides: str) -> Change:
    """Third cards where both should stand, for these sides."""
    said = ("player" in sides, "banker" in sides)
    return thirds(lambda p, b: said if p in (6, 7) and b in (6, 7) else None)


def ways(**ways: object) -> Change:
    """Parts of the behaviour are these."""
    return lambda right: replace(right, **ways)


def pairs_pushed(bet: str, end: Mapping[str, Value], unit: Fraction) -> Fraction:
    """What bets net if those on pairs are returned on a tie."""
    return Fraction(0) if end["winner"] == "tie" and bet in ("player_pair", "banker_pair") else unit


def naturals_tie(right: Behaviour) -> Behaviour:
    """Two naturals always tie."""
    wrong = with_winner(right, natural=True, higher="player", winner="tie")
    return with_winner(wrong, natural=True, higher="banker", winner="tie")


def tie_for_one(right: Behaviour) -> Behaviour:
    """The odds on a tie count the stake in."""
    return with_nets(right, lambda bet, _end, unit: unit - 1 if bet == "tie" and unit > 0 else unit)


def won_by(rule: Callable[[End, str], str]) -> Change:
    """The winner is as `rule` says of an end and of who wins it by right."""
    return lambda right: replace(right, winners={end: rule(end, winner) for end, winner in right.winners.items()})


def commission(on: Callable[[str, Fraction], bool]) -> Change:
    """The commission is taken on these bets too, told by bet and right net of a unit; only where there is one."""

    def change(right: Behaviour) -> Behaviour:
        rate = _rate(right)
        if rate is None:
            return right
        return with_nets(right, lambda bet, _end, unit: unit - rate * abs(unit) if on(bet, unit) else unit)

    return change


def player_natural_wins(right: Behaviour) -> Behaviour:
    """Of two naturals the player's wins."""
    wrong = with_winner(right, natural=True, higher="banker", winner="player")
    return with_winner(wrong, natural=True, higher="equal", winner="player")


def equal_ends(right: Behaviour) -> Behaviour:
    """Equal totals of two cards end the coup."""
    return replace(right, stops={(p, b): stops or p == b for (p, b), stops in right.stops.items()})


def commission_on_player(right: Behaviour) -> Behaviour:
    """The commission is taken on the player, not on the banker."""
    wins = {bet: unit for (bet, _), unit in right.nets.items() if unit > 0}
    if not wins.get("banker", 1) < wins.get("player", 1):
        return right
    swapped = {"player": wins["banker"], "banker": wins["player"]}
    return with_nets(right, lambda bet, _end, unit: swapped.get(bet, unit) if unit > 0 else unit)

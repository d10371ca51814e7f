"""The catalogue of mistakes that real programs and rule pages make, as data: id, one line, where it was seen.

`changed` makes the mistake of the right behaviour; what comes out equal to it doesn't apply to these rules (a mistake
about pairs where there are no bets on pairs). A source is a file in a public repository as `owner/repository path
@commit`, or a page; each was read and makes the mistake, alone or among others.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from fractions import Fraction
from itertools import product

import msgspec
from msgspec.structs import replace

from oracle.game.space import Row
from oracle.mutants.behaviour import BANKER, PLAYER, Behaviour
from oracle.mutants.single import Mutant, changes, with_draws, with_nets, with_winner
from oracle.rules.values import NONE, Value

Change = Callable[[Behaviour], Behaviour]
_HALF = Fraction(1, 2)
NOT_FOUND = "told of in the field; no public example found"


class Mistake(msgspec.Struct, frozen=True):
    """One catalogued mistake: what the program does wrong, in a line, and where it was seen.

    `also` are other ways to make it, which come out otherwise in places where the rules never get.
    """

    id: str
    says: str
    source: str
    changed: Change
    also: tuple[Change, ...] = ()


def mistakes(right: Behaviour) -> tuple[Mutant, ...]:
    """The catalogued mistakes that change something under these rules, as mutants."""
    made = (Mutant(m.id, "mistake", m.says, m.changed(right)) for m in MISTAKES)
    return tuple(mutant for mutant in made if changes(right, mutant.behaviour))


def other_ways(right: Behaviour) -> tuple[Mutant, ...]:
    """The other ways to make the catalogued mistakes, as mutants of the same ids; a diagnosis has to know them too."""
    made = (Mutant(m.id, "mistake", m.says, also(right)) for m in MISTAKES for also in m.also)
    return tuple(mutant for mutant in made if changes(right, mutant.behaviour))


def _banker(rule: Callable[[Row, bool], bool]) -> Change:
    """The banker draws as `rule` says of a state of banker_draw and of what is right in it."""
    return lambda right: with_draws(right, lambda row: rule(row, right.banker_draws[row]))


def _player(rule: Mapping[int, bool]) -> Change:
    """The player draws on these totals as said."""
    return lambda right: replace(
        right, player_draws={pair: rule.get(pair[0], draws) for pair, draws in right.player_draws.items()}
    )


def _rank(points: Mapping[str, int], *, hand: bool = True, reduced: bool = True) -> Change:
    """Ranks count otherwise, towards the hand or for the banker's table alone; sums above nine stay as they are."""

    def change(right: Behaviour) -> Behaviour:
        return replace(
            right,
            points={**right.points, **points} if hand else right.points,
            third_points={**right.third_points, **points},
            totals=right.totals if reduced else {total: total for total in range(40)},
        )

    return change


def _both(*parts: Change) -> Change:
    """One change after the other."""

    def change(right: Behaviour) -> Behaviour:
        for part in parts:
            right = part(right)
        return right

    return change


def _seen_as(points: Mapping[str, int]) -> Change:
    """The banker takes a third card of these ranks for another one than it counts."""
    return lambda right: replace(right, third_points={**right.third_points, **points})


def _stands_against(third: int) -> Change:
    """The banker stands on every total against a third card that none of the rules knows."""

    def change(right: Behaviour) -> Behaviour:
        unknown = {(*row[:2], third, total): False for row in right.banker_draws for total in range(10)}
        return replace(right, banker_draws={**right.banker_draws, **unknown})

    return change


def _stops(rule: Callable[[int, int], bool]) -> Change:
    return lambda right: replace(right, stops={pair: rule(*pair) for pair in right.stops})


def _nets(rule: Callable[[str, Mapping[str, Value], Fraction], Fraction]) -> Change:
    return lambda right: with_nets(right, rule)


def _as_if(cell: Callable[[Row], tuple[Value, Value]]) -> Change:
    """The banker looks up another cell than that of the state."""

    def change(right: Behaviour) -> Behaviour:
        table: dict[tuple[Value, Value], bool] = {}
        for row, draws in right.banker_draws.items():
            table.setdefault((row[1], row[2]), draws)
        return with_draws(right, lambda row: table.get(cell(row), right.banker_draws[row]))

    return change


def _naturals(totals: frozenset[int], *, up_to: int = 9) -> Change:
    """These two-card totals of either side end the coup and are called naturals; higher ones come of sums unreduced."""
    known = range(up_to + 1)
    return lambda right: replace(
        right, stops={(p, b): p in totals or b in totals for p in known for b in known}, naturals=totals
    )


def _tie(player_and_banker: Fraction | None = None, tie: Fraction | None = None) -> Change:
    def net(bet: str, end: Mapping[str, Value], unit: Fraction) -> Fraction:
        if end["winner"] != "tie":
            return unit
        if bet == "tie" and tie is not None:
            return tie
        return player_and_banker if bet in ("player", "banker") and player_and_banker is not None else unit

    return _nets(net)


def _half_on_player_six(right: Behaviour) -> Behaviour:
    return replace(right, halves_player_six=True) if _pays_half(right) else right


def _half_on_losing_six(right: Behaviour) -> Behaviour:
    def net(bet: str, end: Mapping[str, Value], unit: Fraction) -> Fraction:
        loses = bet == "banker" and unit < 0 and end.get("banker_total") == 6
        return -_HALF if loses else unit

    return with_nets(right, net) if _pays_half(right) else right


def _pays_half(right: Behaviour) -> bool:
    """Whether a banker bet is paid half in some case, as those without commission pay a six."""
    return any(bet == "banker" and unit == _HALF for (bet, _), unit in right.nets.items())


def _banker_win(changed: Callable[[Fraction], Fraction], *, on: str = "banker") -> Change:
    """What a banker bet nets when `on` wins, from the rate of commission; only where there is one."""

    def change(right: Behaviour) -> Behaviour:
        wins = [unit for (bet, _), unit in right.nets.items() if bet == "banker" and unit > 0]
        rate = 1 - min(wins, default=Fraction(1))
        if not 0 < rate < Fraction(1, 2):
            return right
        return with_nets(
            right, lambda bet, end, unit: changed(rate) if bet == "banker" and end["winner"] == on else unit
        )

    return change


def _set(**ways: object) -> Change:
    return lambda right: replace(right, **ways)


def _pairs_pushed(bet: str, end: Mapping[str, Value], unit: Fraction) -> Fraction:
    return Fraction(0) if end["winner"] == "tie" and bet in ("player_pair", "banker_pair") else unit


def _naturals_tie(right: Behaviour) -> Behaviour:
    wrong = with_winner(right, natural=True, higher="player", winner="tie")
    return with_winner(wrong, natural=True, higher="banker", winner="tie")


def _tie_for_one(right: Behaviour) -> Behaviour:
    return with_nets(right, lambda bet, _end, unit: unit - 1 if bet == "tie" and unit > 0 else unit)


def _player_natural_wins(right: Behaviour) -> Behaviour:
    wrong = with_winner(right, natural=True, higher="banker", winner="player")
    return with_winner(wrong, natural=True, higher="equal", winner="player")


def _equal_ends(right: Behaviour) -> Behaviour:
    return replace(right, stops={(p, b): stops or p == b for (p, b), stops in right.stops.items()})


def _commission_on_player(right: Behaviour) -> Behaviour:
    wins = {bet: unit for (bet, _), unit in right.nets.items() if unit > 0}
    if not wins.get("banker", 1) < wins.get("player", 1):
        return right
    swapped = {"player": wins["banker"], "banker": wins["player"]}
    return with_nets(right, lambda bet, _end, unit: swapped.get(bet, unit) if unit > 0 else unit)


_COURTS = dict.fromkeys(("T", "J", "Q", "K"), 10)
_UNREDUCED = {summed: summed for summed in range(40)}
_EIGHT_OR_NINE = _naturals(frozenset((8, 9)), up_to=20)
_OVER_EIGHT = _naturals(frozenset(range(8, 21)), up_to=20)
# What a banker takes a ten and court cards for: for what they are, for what is in no row, for what nobody draws on.
_TENS_SEEN = (_seen_as(dict.fromkeys(_COURTS, 0)), _seen_as(_COURTS), _both(_seen_as(_COURTS), _stands_against(10)))
_COURTS_SEEN = (
    _seen_as(dict.fromkeys("JQK", 0)),
    _seen_as({"T": 10, "J": 11, "Q": 12, "K": 13}),
)

MISTAKES: tuple[Mistake, ...] = (
    Mistake(
        "rows-5-6-negated",
        "banker on 5 and 6 draws unless the third card is one that he should draw against",
        "theartstables.info/main/the-third-card-rule/",
        _banker(lambda row, draws: draws != (row[1] in (5, 6) and row[2] != NONE)),
    ),
    Mistake(
        "rows-5-6-swapped",
        "rows 5 and 6 of the banker's table are swapped",
        NOT_FOUND,
        _as_if(lambda row: ({5: 6, 6: 5}.get(int(row[1]), row[1]) if row[2] != NONE else row[1], row[2])),
    ),
    Mistake(
        "six-six-stands",
        "banker stands on 6 against a third card of 6",
        "luckyvegas77.com/baccarat-rules-online",
        _banker(lambda row, draws: draws and row[1:3] != (6, 6)),
    ),
    Mistake(
        "four-two-stands",
        "banker stands on 4 against a third card of 2",
        "theartstables.info/main/the-third-card-rule/",
        _banker(lambda row, draws: draws and row[1:3] != (4, 2)),
    ),
    Mistake(
        "row-3-tests-total",
        "banker on 3 stands when the player's total is 8, whatever the third card",
        "onlinecasinos.co.uk/game-guides/baccarat/rules-for-baccarat-banker.htm",
        _banker(lambda row, draws: row[3] != 8 if row[1] == 3 and row[2] != NONE else draws),
    ),
    Mistake(
        "banker-tests-total",
        "the banker's table is read with the player's total, not with the third card",
        "mhannon58/Baccarat-Neural-Network baccarat.py @4d26f44",
        _as_if(lambda row: (row[1], row[3] if row[2] != NONE else NONE)),
    ),
    Mistake(
        "naturals-tie",
        "two naturals always tie",
        "dansmyers/Simulation Challenge-Projects/main.py @0848515",
        _naturals_tie,
    ),
    Mistake(
        "natural-of-player-only",
        "only a natural of the player ends the coup",
        "stevenhalverson/baccarat_simulator BaccSim2/the_deal.py @291f426",
        _stops(lambda p, _b: p >= 8),
        also=(_both(_stops(lambda p, _b: p >= 8), _set(natural_of=("player",))),),
    ),
    Mistake(
        "natural-of-banker-only",
        "only a natural of the banker ends the coup",
        "bjburke2/Evil_Java_Casino Baccarat.java @0756572",
        _stops(lambda _p, b: b >= 8),
        also=(_both(_stops(lambda _p, b: b >= 8), _set(natural_of=("banker",))),),
    ),
    Mistake(
        "natural-nine-only",
        "only a nine is a natural",
        "smyklaaa/kasyno Baccarat.py @05f94aa",
        _naturals(frozenset((9,))),
        also=(_stops(lambda p, b: p == 9 or b == 9),),
    ),
    Mistake(
        "third-ten-as-ten",
        "a third card of 10, J, Q or K is looked up as 10, which no row has",
        "yrafalin/7thGrade Baccarat.py @18e0063",
        _both(_rank(_COURTS, hand=False), _stands_against(10)),
        also=(_rank(_COURTS, hand=False),),  # where rows that always draw have no list
    ),
    Mistake(
        "tens-not-reduced",
        "10, J, Q and K count 10 and sums are not reduced",
        "hwanili/Baccart-Discord-Bot Baccarat.py @b6c09a5",
        _both(_rank(_COURTS, reduced=False), _OVER_EIGHT),
        also=tuple(
            _both(_rank(_COURTS, reduced=False), naturals, thirds)
            for naturals, thirds in product((_OVER_EIGHT, _EIGHT_OR_NINE), _TENS_SEEN)
        ),
    ),
    Mistake(
        "sums-not-reduced",
        "sums above nine are not reduced",
        "nianguye/GameArcade baccarat.js @0e6350a",
        _both(_set(totals=_UNREDUCED), _EIGHT_OR_NINE),
        also=(_both(_set(totals=_UNREDUCED), _OVER_EIGHT),),
    ),
    Mistake("ace-as-zero", "an ace counts nothing", "allhorseutah.com/baccarat-basics/", _rank({"A": 0})),
    Mistake(
        "ace-as-eleven",
        "an ace counts eleven",
        "nsaylock/Baccarat Baccarat.py @0199c42",
        _rank({"A": 11}),
        also=(_both(_rank({"A": 11}), _stands_against(11)),),
    ),
    Mistake("player-draws-to-four", "player stands on 5", "cbw.com/articles_mfxwfa.html", _player({5: False})),
    Mistake(
        "player-draws-on-six",
        "player draws on 6",
        "lvicen3/Baccarat src/main/java/BaccaratGameLogic.java @fb3db49",
        _player({6: True}),
    ),
    Mistake(
        "banker-stands-on-five",
        "banker stands on 5 when the player stood",
        "tommyhanono/baccarat-terminal baccarat.js @8c71cdf",
        _banker(lambda row, draws: draws and not (row[1] == 5 and row[2] == NONE)),
    ),
    Mistake(
        "banker-draws-on-six",
        "banker draws on 6 when the player stood",
        "APorkolab/baccaratio backend/src/main/java/com/prokey/baccaratio/service/BaccaratService.java",
        _banker(lambda row, draws: draws or (row[1] == 6 and row[2] == NONE)),
    ),
    Mistake(
        "stood-as-zero",
        "when the player stood the banker follows the table as against a third card of 0",
        "j4yu22/games baccarat.py @ce04c41",
        _as_if(lambda row: (row[1], 0 if row[2] == NONE else row[2])),
    ),
    Mistake(
        "banker-three-card-total",
        "the banker's row is that of the total which his next card would make",
        "stevenhalverson/baccarat_simulator the_deal.py @0a09de1",
        _set(peeks=True),
    ),
    Mistake(
        "banker-before-player",
        "the banker decides as if the player had stood",
        "AryaMoghaddam/Baccarat baccarat.cpp @4a2fd20",
        _set(decides_early=True),
    ),
    Mistake(
        "banker-third-first",
        "the banker takes his third card before the player does",
        "MChang360686/tcs-projects baccarat.py @164b176",
        _set(banker_first=True),
    ),
    Mistake(
        "two-then-two",
        "the first two cards go to the player, the next two to the banker",
        "spycasino.biz/help/mini_baccarat.php",
        _set(deals=(PLAYER, PLAYER, BANKER, BANKER)),
    ),
    Mistake(
        "tie-loses-sides",
        "a tie loses the stakes on player and banker",
        "nkgotcode/BaccaratGame src/main/java/BaccaratGame.java @f49953b",
        _tie(player_and_banker=Fraction(-1)),
    ),
    Mistake("tie-pays-nine", "a tie pays nine to one", NOT_FOUND, _tie(tie=Fraction(9))),
    Mistake(
        "tie-for-one",
        "the odds on a tie count the stake in, as eight for one",
        "agrashish/BaccaratGame src/main/java/BaccaratGame.java @c4f9af2",
        _tie_for_one,
    ),
    Mistake(
        "commission-from-stake",
        "commission is taken off the stake and off the prize",
        NOT_FOUND,
        _banker_win(lambda rate: 1 - 2 * rate),
    ),
    Mistake(
        "commission-left-out",
        "no commission is taken",
        "lovelyuk/push baccarat.py @d06899f",
        _banker_win(lambda _rate: Fraction(1)),
    ),
    Mistake(
        "commission-on-ties",
        "commission is taken on ties too",
        "cchomeinspections.org/baccarat-side-bets/",
        _banker_win(lambda rate: -rate, on="tie"),
    ),
    Mistake(
        "commission-in-floats",
        "money is kept in floating point",
        "RunaYoshida/baccarat baccarat.py @77d66c7",
        _set(money="float"),
    ),
    Mistake(
        "commission-rounded",
        "nets are rounded to whole units",
        "Milan06/Personal-Projects- baccarat.py @8b0cc82",
        _set(money="whole"),
        also=(_set(money="whole-up"), _set(money="cut")),
    ),
    Mistake("half-on-player-six", "a player who wins with six is paid half", NOT_FOUND, _half_on_player_six),
    Mistake("half-on-losing-six", "a banker who loses with six loses half", NOT_FOUND, _half_on_losing_six),
    Mistake(
        "pairs-by-value",
        "cards of one value are a pair, as jack and queen",
        "FreemindTrader/BaccaratEngine.net BaccaratEngine/src/Hand.cs @09641ee",
        _set(pair_of="value"),
    ),
    Mistake(
        "pairs-by-suit",
        "only cards of one rank and suit are a pair",
        "Kieranheng/CS50-final-proj baccarat.py @9efa7c1",
        _set(pair_of="card"),
    ),
    Mistake("pairs-of-any-two", "any two of three cards can be the pair", NOT_FOUND, _set(pair_of="three")),
    Mistake("pairs-pushed-on-tie", "bets on pairs are returned on a tie", NOT_FOUND, _nets(_pairs_pushed)),
    Mistake(
        "banker-follows-player-rule",
        "banker draws on 0 to 5 whatever the player drew",
        "ike17/comp-OOP CWK2 test1/cwk2/src/main/java/Baccarat.java @2986b74",
        _banker(lambda row, _draws: int(row[1]) <= 5),
    ),
    Mistake(
        "row-2-tests-eight",
        "banker stands on 2 against a third card of 8",
        "Cwood00/CS342_Project2 src/main/java/BaccaratGameLogic.java @d7abfd5",
        _banker(lambda row, draws: draws and row[1:3] != (2, 8)),
    ),
    Mistake(
        "row-3-inverted",
        "banker on 3 draws only against a third card of 8",
        "0xCiphky/Baccarat baccarat.py @3059400",
        _banker(lambda row, draws: row[2] == 8 if row[1] == 3 and row[2] != NONE else draws),
    ),
    Mistake(
        "eight-with-nine",
        "banker draws on 3 against a third card of 8, as against 9",
        "cguerrero21/Baccarat src/main/java/BaccaratGameLogic.java @29a60e9",
        _banker(lambda row, draws: draws or row[1:3] == (3, 8)),
    ),
    Mistake(
        "rows-cut",
        "banker on 4 draws only against 2 and 3, on 5 only against 4 and 5",
        "shriraj-patel/BaccaratGame src/main/java/BaccaratGameLogic.java @94b1875",
        _banker(
            lambda row, draws: (
                draws and not (row[1] in (4, 5) and row[2] in (6, 7)) and row[1:3] not in ((4, 4), (4, 5))
            )
        ),
    ),
    Mistake(
        "row-4-always-draws",
        "banker on 4 draws against every third card",
        "dylan-ou/Baccarat-Project src/main/java/BaccaratGameLogic.java @0a1af87",
        _banker(lambda row, draws: draws or row[1] == 4),
    ),
    Mistake(
        "no-naturals",
        "a natural doesn't end the coup",
        "j4yu22/games baccarat.py @ce04c41",
        _stops(lambda _p, _b: False),
        also=(_naturals(frozenset()),),
    ),
    Mistake(
        "eight-beats-nine",
        "of two naturals the player's always wins",
        "Suselkowy/Casino games/baccarat.py @eee588c",
        _player_natural_wins,
    ),
    Mistake(
        "equal-pairs-end",
        "equal totals of two cards end the coup",
        "Suselkowy/Casino games/baccarat.py @eee588c",
        _equal_ends,
    ),
    Mistake(
        "drawn-natural",
        "an eight or nine of three cards is called a natural",
        "FreemindTrader/BaccaratEngine.net BaccaratEngine/src/BaccaratResultsEngine.cs @09641ee",
        _set(drawn_naturals=True),
    ),
    Mistake(
        "courts-eleven-to-thirteen",
        "J, Q and K count 1, 2 and 3",
        "xanderhnasko/CasinoGames baccarat.py @f5b37ce",
        _rank({"J": 1, "Q": 2, "K": 3}),
        also=tuple(_both(_rank({"J": 1, "Q": 2, "K": 3}), seen) for seen in _COURTS_SEEN),
    ),
    Mistake(
        "two-cards-count",
        "third cards are dealt and not counted",
        "jbuen4/Baccarat-Game src/main/java/BaccaratGameLogic.java @00765f7",
        _set(thirds_uncounted=True),
    ),
    Mistake(
        "commission-on-player",
        "commission is taken on the player, not on the banker",
        "h-akira/CardGames baccarat.py @00883f4",
        _commission_on_player,
    ),
    Mistake(
        "loss-not-taken",
        "losing stakes are not taken",
        "MChang360686/tcs-projects baccarat.py @164b176",
        _nets(lambda _bet, _end, unit: max(unit, Fraction(0))),
    ),
    Mistake(
        "win-nets-two",
        "a win counts the stake in, though it was never taken",
        "Sk8rfu/CasinoEconomyBotEN commands/baccarat.js @29c8a8a",
        _nets(lambda _bet, _end, unit: unit + 1 if unit > 0 else unit),
    ),
    Mistake(
        "pair-lost-with-third-card",
        "a hand that draws has no pair",
        "jconradi/baccarat-engine src/baccaratResultsEngine.js @07772f3",
        _set(pair_of="two"),
    ),
)

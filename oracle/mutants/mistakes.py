"""The catalogue of mistakes that real programs and rule pages make, as data: id, one line, where it was seen.

`changed` makes the mistake of the right behaviour, in words of `oracle.mutants.change`; what comes out equal to it
doesn't apply to these rules (a mistake about pairs where there are no bets on pairs). A source is a file in a public
repository as `owner/repository path @commit`, or a page; each was read and makes the mistake, alone or among others.

To add a mistake: write its entry in `MISTAKES` (mistakes in dealing stand in `oracle.mutants.dealing`), and a program
that makes it in tests/conformance/wrong_programs.py, written from its one line. Then `baccarat-oracle fixtures build`:
minimal sets have to show it.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from fractions import Fraction
from itertools import product

from oracle.game.end import BankerState
from oracle.game.space import who_is_higher
from oracle.mutants import change
from oracle.mutants.dealing import DEALING
from oracle.mutants.mistake import NOT_FOUND, Mistake
from oracle.mutants.single import Mutant, changes
from oracle.programs.behaviour import Behaviour
from oracle.rules.values import NONE, Value


def mistakes(right: Behaviour) -> tuple[Mutant, ...]:
    """The catalogued mistakes that change something under these rules, as mutants."""
    made = (Mutant(m.id, "mistake", m.says, m.changed(right)) for m in MISTAKES)
    return tuple(mutant for mutant in made if changes(right, mutant.behaviour))


def other_ways(right: Behaviour) -> tuple[Mutant, ...]:
    """The other ways to make the catalogued mistakes, as mutants of the same ids; a diagnosis has to know them too."""
    made = (Mutant(m.id, "mistake", m.says, also(right)) for m in MISTAKES for also in m.also)
    return tuple(mutant for mutant in made if changes(right, mutant.behaviour))


_COURTS = dict.fromkeys(("T", "J", "Q", "K"), 10)
_HIGHER = {"player": "player", "banker": "banker", "equal": "tie"}
_UNREDUCED = {summed: summed for summed in range(40)}
_EIGHT_OR_NINE = change.naturals(frozenset((8, 9)), up_to=20)
_OVER_EIGHT = change.naturals(frozenset(range(8, 21)), up_to=20)
# What a banker takes a ten and court cards for: for what no list of a row has, for nothing, for what nobody draws on.
_TENS_SEEN = (
    change.seen_as(_COURTS),
    change.seen_as(dict.fromkeys(_COURTS, 0)),
    change.in_turn(change.seen_as(_COURTS), change.stands_against(10)),
)
_TENS_UNREDUCED = tuple(
    change.in_turn(change.rank(_COURTS, reduced=False), naturals, seen)
    for naturals, seen in product((_OVER_EIGHT, _EIGHT_OR_NINE), _TENS_SEEN)
)
_TEN_ONCE = {summed: summed - 10 for summed in range(10, 40)}
_TEN_LESS = {summed: 10 - summed for summed in range(10, 40)}
_COURTS_SEEN = (
    change.seen_as(dict.fromkeys("JQK", 0)),
    change.seen_as({"T": 10, "J": 11, "Q": 12, "K": 13}),
)


def _rows_swapped(rows: Mapping[int, int]) -> Callable[[BankerState], tuple[int, Value]]:
    """Against a third card the cell in the row that is read for that of the banker's total."""
    return lambda state: (
        (rows.get(state.banker2, state.banker2), state.player_third) if state.player_drew else state.cell
    )


MISTAKES: tuple[Mistake, ...] = (
    Mistake(
        "rows-5-6-negated",
        "banker on 5 and 6 draws unless the third card is one that he should draw against",
        "theartstables.info/main/the-third-card-rule/",
        change.banker(lambda state, draws: draws != (state.banker2 in (5, 6) and state.player_drew)),
    ),
    Mistake(
        "rows-5-6-swapped",
        "rows 5 and 6 of the banker's table are swapped",
        NOT_FOUND,
        change.as_if(_rows_swapped({5: 6, 6: 5})),
    ),
    Mistake(
        "six-six-stands",
        "banker stands on 6 against a third card of 6",
        "luckyvegas77.com/baccarat-rules-online",
        change.banker(lambda state, draws: draws and state.cell != (6, 6)),
    ),
    Mistake(
        "four-two-stands",
        "banker stands on 4 against a third card of 2",
        "theartstables.info/main/the-third-card-rule/",
        change.banker(lambda state, draws: draws and state.cell != (4, 2)),
    ),
    Mistake(
        "row-3-tests-total",
        "banker on 3 stands when the player's total is 8, whatever the third card",
        "onlinecasinos.co.uk/game-guides/baccarat/rules-for-baccarat-banker.htm",
        change.banker(
            lambda state, draws: state.player_total != 8 if state.banker2 == 3 and state.player_drew else draws
        ),
    ),
    Mistake(
        "banker-tests-total",
        "the banker's table is read with the player's total, not with the third card",
        "mhannon58/Baccarat-Neural-Network baccarat.py @4d26f44",
        change.as_if(lambda state: (state.banker2, state.player_total if state.player_drew else NONE)),
    ),
    Mistake(
        "naturals-tie",
        "two naturals always tie",
        "dansmyers/Simulation Challenge-Projects/main.py @0848515",
        change.naturals_tie,
    ),
    Mistake(
        "natural-of-player-only",
        "only a natural of the player ends the coup",
        "stevenhalverson/baccarat_simulator BaccSim2/the_deal.py @291f426",
        change.stops(lambda p, _b: p >= 8),
        also=(change.in_turn(change.stops(lambda p, _b: p >= 8), change.ways(natural_of=("player",))),),
    ),
    Mistake(
        "natural-of-banker-only",
        "only a natural of the banker ends the coup",
        "bjburke2/Evil_Java_Casino Baccarat.java @0756572",
        change.stops(lambda _p, b: b >= 8),
        also=(change.in_turn(change.stops(lambda _p, b: b >= 8), change.ways(natural_of=("banker",))),),
    ),
    Mistake(
        "natural-nine-only",
        "only a nine is a natural",
        "smyklaaa/kasyno Baccarat.py @05f94aa",
        change.naturals(frozenset((9,))),
        also=(change.stops(lambda p, b: p == 9 or b == 9),),
    ),
    Mistake(
        "third-ten-as-ten",
        "a third card of 10, J, Q or K is looked up as 10, which no row has",
        "yrafalin/7thGrade Baccarat.py @18e0063",
        change.in_turn(change.rank(_COURTS, hand=False), change.stands_against(10)),
        also=(change.rank(_COURTS, hand=False),),  # where rows that always draw have no list
    ),
    Mistake(
        "tens-not-reduced",
        "10, J, Q and K count 10 and sums are not reduced",
        "hwanili/Baccart-Discord-Bot Baccarat.py @b6c09a5",
        _TENS_UNREDUCED[0],
        also=_TENS_UNREDUCED[1:],
    ),
    Mistake(
        "sums-not-reduced",
        "sums above nine are not reduced",
        "nianguye/GameArcade baccarat.js @0e6350a",
        change.in_turn(change.ways(totals=_UNREDUCED), _EIGHT_OR_NINE),
        also=(change.in_turn(change.ways(totals=_UNREDUCED), _OVER_EIGHT),),
    ),
    Mistake("ace-as-zero", "an ace counts nothing", "allhorseutah.com/baccarat-basics/", change.rank({"A": 0})),
    Mistake(
        "ace-as-eleven",
        "an ace counts eleven",
        "nsaylock/Baccarat Baccarat.py @0199c42",
        change.rank({"A": 11}),
        also=(change.in_turn(change.rank({"A": 11}), change.stands_against(11)),),
    ),
    Mistake("player-draws-to-four", "player stands on 5", "cbw.com/articles_mfxwfa.html", change.player({5: False})),
    Mistake(
        "player-draws-on-six",
        "player draws on 6",
        "lvicen3/Baccarat src/main/java/BaccaratGameLogic.java @fb3db49",
        change.player({6: True}),
    ),
    Mistake(
        "banker-stands-on-five",
        "banker stands on 5 when the player stood",
        "tommyhanono/baccarat-terminal baccarat.js @8c71cdf",
        change.banker(lambda state, draws: draws and state.cell != (5, NONE)),
    ),
    Mistake(
        "banker-draws-on-six",
        "banker draws on 6 when the player stood",
        "APorkolab/baccaratio backend/src/main/java/com/prokey/baccaratio/service/BaccaratService.java",
        change.banker(lambda state, draws: draws or state.cell == (6, NONE)),
    ),
    Mistake(
        "stood-as-zero",
        "when the player stood the banker follows the table as against a third card of 0",
        "j4yu22/games baccarat.py @ce04c41",
        change.as_if(lambda state: (state.banker2, state.player_third if state.player_drew else 0)),
    ),
    *DEALING,
    Mistake(
        "tie-loses-sides",
        "a tie loses the stakes on player and banker",
        "nkgotcode/BaccaratGame src/main/java/BaccaratGame.java @f49953b",
        change.tie(player_and_banker=Fraction(-1)),
    ),
    Mistake("tie-pays-nine", "a tie pays nine to one", NOT_FOUND, change.tie(tie=Fraction(9))),
    Mistake(
        "tie-for-one",
        "the odds on a tie count the stake in, as eight for one",
        "agrashish/BaccaratGame src/main/java/BaccaratGame.java @c4f9af2",
        change.tie_for_one,
    ),
    Mistake(
        "commission-from-stake",
        "commission is taken off the stake and off the prize",
        NOT_FOUND,
        change.banker_win(lambda rate: 1 - 2 * rate),
    ),
    Mistake(
        "commission-left-out",
        "no commission is taken",
        "lovelyuk/push baccarat.py @d06899f",
        change.banker_win(lambda _rate: Fraction(1)),
    ),
    Mistake(
        "commission-on-ties",
        "commission is taken on ties too",
        "cchomeinspections.org/baccarat-side-bets/",
        change.banker_win(lambda rate: -rate, on="tie"),
    ),
    Mistake(
        "commission-in-floats",
        "money is kept in floating point",
        "RunaYoshida/baccarat baccarat.py @77d66c7",
        change.ways(money="float"),
    ),
    Mistake(
        "commission-rounded",
        "nets are rounded to whole units",
        "Milan06/Personal-Projects- baccarat.py @8b0cc82",
        change.ways(money="whole"),
        also=(change.ways(money="whole-up"), change.ways(money="cut")),
    ),
    Mistake("half-on-player-six", "a player who wins with six is paid half", NOT_FOUND, change.half_on_player_six),
    Mistake("half-on-losing-six", "a banker who loses with six loses half", NOT_FOUND, change.half_on_losing_six),
    Mistake(
        "pairs-by-value",
        "cards of one value are a pair, as jack and queen",
        "FreemindTrader/BaccaratEngine.net BaccaratEngine/src/Hand.cs @09641ee",
        change.ways(pair_of="value"),
    ),
    Mistake(
        "pairs-by-suit",
        "only cards of one rank and suit are a pair",
        "Kieranheng/CS50-final-proj baccarat.py @9efa7c1",
        change.ways(pair_of="card"),
    ),
    Mistake("pairs-of-any-two", "any two of three cards can be the pair", NOT_FOUND, change.ways(pair_of="three")),
    Mistake("pairs-pushed-on-tie", "bets on pairs are returned on a tie", NOT_FOUND, change.nets(change.pairs_pushed)),
    Mistake(
        "banker-follows-player-rule",
        "banker draws on 0 to 5 whatever the player drew",
        "ike17/comp-OOP CWK2 test1/cwk2/src/main/java/Baccarat.java @2986b74",
        change.banker(lambda state, _draws: state.banker2 <= 5),
    ),
    Mistake(
        "row-2-tests-eight",
        "banker stands on 2 against a third card of 8",
        "Cwood00/CS342_Project2 src/main/java/BaccaratGameLogic.java @d7abfd5",
        change.banker(lambda state, draws: draws and state.cell != (2, 8)),
    ),
    Mistake(
        "row-3-inverted",
        "banker on 3 draws only against a third card of 8",
        "0xCiphky/Baccarat baccarat.py @3059400",
        change.banker(
            lambda state, draws: state.player_third == 8 if state.banker2 == 3 and state.player_drew else draws
        ),
    ),
    Mistake(
        "eight-with-nine",
        "banker draws on 3 against a third card of 8, as against 9",
        "cguerrero21/Baccarat src/main/java/BaccaratGameLogic.java @29a60e9",
        change.banker(lambda state, draws: draws or state.cell == (3, 8)),
    ),
    Mistake(
        "rows-cut",
        "banker on 4 draws only against 2 and 3, on 5 only against 4 and 5",
        "shriraj-patel/BaccaratGame src/main/java/BaccaratGameLogic.java @94b1875",
        change.banker(
            lambda state, draws: draws and state.cell not in {(4, 4), (4, 5), (4, 6), (4, 7), (5, 6), (5, 7)}
        ),
    ),
    Mistake(
        "row-4-always-draws",
        "banker on 4 draws against every third card",
        "dylan-ou/Baccarat-Project src/main/java/BaccaratGameLogic.java @0a1af87",
        change.banker(lambda state, draws: draws or state.banker2 == 4),
    ),
    Mistake(
        "no-naturals",
        "a natural doesn't end the coup",
        "j4yu22/games baccarat.py @ce04c41",
        change.stops(lambda _p, _b: False),
        also=(change.naturals(frozenset()),),
    ),
    Mistake(
        "eight-beats-nine",
        "of two naturals the player's always wins",
        "Suselkowy/Casino games/baccarat.py @eee588c",
        change.player_natural_wins,
    ),
    Mistake(
        "equal-pairs-end",
        "equal totals of two cards end the coup",
        "Suselkowy/Casino games/baccarat.py @eee588c",
        change.equal_ends,
    ),
    Mistake(
        "drawn-natural",
        "an eight or nine of three cards is called a natural",
        "FreemindTrader/BaccaratEngine.net BaccaratEngine/src/BaccaratResultsEngine.cs @09641ee",
        change.ways(drawn_naturals=True),
    ),
    Mistake(
        "courts-eleven-to-thirteen",
        "J, Q and K count 1, 2 and 3",
        "xanderhnasko/CasinoGames baccarat.py @f5b37ce",
        change.rank({"J": 1, "Q": 2, "K": 3}),
        also=tuple(change.in_turn(change.rank({"J": 1, "Q": 2, "K": 3}), seen) for seen in _COURTS_SEEN),
    ),
    Mistake(
        "two-cards-count",
        "third cards are dealt and not counted",
        "jbuen4/Baccarat-Game src/main/java/BaccaratGameLogic.java @00765f7",
        change.ways(thirds_uncounted=True),
    ),
    Mistake(
        "commission-on-player",
        "commission is taken on the player, not on the banker",
        "h-akira/CardGames baccarat.py @00883f4",
        change.commission_on_player,
    ),
    Mistake(
        "loss-not-taken",
        "losing stakes are not taken",
        "MChang360686/tcs-projects baccarat.py @164b176",
        change.nets(lambda _bet, _end, unit: max(unit, Fraction(0))),
    ),
    Mistake(
        "win-nets-two",
        "a win counts the stake in, though it was never taken",
        "Sk8rfu/CasinoEconomyBotEN commands/baccarat.js @29c8a8a",
        change.nets(lambda _bet, _end, unit: unit + 1 if unit > 0 else unit),
    ),
    Mistake(
        "pair-lost-with-third-card",
        "a hand that draws has no pair",
        "jconradi/baccarat-engine src/baccaratResultsEngine.js @07772f3",
        change.ways(pair_of="two"),
    ),
    Mistake(
        "three-card-natural",
        "after the player's third card an 8 or 9 of his counts as a natural: the banker stands",
        "stevenhalverson/baccarat_simulator the_deal.py @c27206d",
        change.banker(lambda state, draws: draws and state.player_total < 8),
    ),
    Mistake(
        "banker-stands-when-player-stood",
        "when the player stood the banker stands",
        "dansmyers/Simulation Challenge-Projects/main.py @0848515",
        change.banker(lambda state, draws: draws and state.player_drew),
    ),
    Mistake(
        "drew-and-stood-swapped",
        "the banker's rules after the player drew and after he stood are swapped",
        NOT_FOUND,
        change.as_if(lambda state: (state.banker2, NONE if state.player_drew else 0)),
        also=(  # where no row has the card that isn't there
            change.banker(lambda state, _draws: state.banker2 <= (5 if state.player_drew else 2)),
        ),
    ),
    Mistake(
        "banker-never-draws",
        "banker never draws",
        "hwanili/Baccart-Discord-Bot Baccarat.py @b6c09a5",
        change.banker(lambda _state, _draws: False),
    ),
    Mistake(
        "player-hand-for-banker",
        "the banker's row is that of the player's two-card total",
        NOT_FOUND,
        change.as_if(lambda state: (state.player2, state.player_third)),
    ),
    Mistake(
        "eights-and-nines-tie",
        "an 8 and a 9 tie, however many cards made them",
        NOT_FOUND,
        change.won_by(lambda end, winner: "tie" if min(end.totals) >= 8 else winner),
        also=(
            change.in_turn(
                change.won_by(lambda end, winner: "tie" if min(end.totals) >= 8 else winner),
                change.ways(drawn_naturals=True),
            ),
        ),
    ),
    Mistake(
        "winner-of-two-cards",
        "the winner is that of the two-card totals",
        NOT_FOUND,
        change.won_by(lambda end, _winner: _HIGHER[who_is_higher(*end.two_cards)]),
    ),
    Mistake(
        "ten-subtracted-once",
        "ten is subtracted once: sums of twenty and more stay above nine",
        "europeescasino.com/baccarat",
        change.ways(totals={**_UNREDUCED, **_TEN_ONCE}),
    ),
    Mistake(
        "ten-less-the-sum",
        "a sum above nine counts ten less the sum",
        NOT_FOUND,
        change.ways(totals={**_UNREDUCED, **_TEN_LESS}),
    ),
    Mistake(
        "commission-on-every-bet",
        "commission is taken on every winning bet",
        NOT_FOUND,
        change.commission(lambda bet, unit: bet != "banker" and unit > 0),
    ),
    Mistake(
        "commission-on-losses",
        "commission is taken on losing bets too",
        NOT_FOUND,
        change.commission(lambda bet, unit: bet == "banker" and unit < 0),
        also=(change.commission(lambda _bet, unit: unit < 0),),  # whatever the bet
    ),
    Mistake(
        "tie-pays-sides",
        "a tie pays the bets on player and banker one to one",
        NOT_FOUND,
        change.tie(player_and_banker=Fraction(1)),
    ),
)

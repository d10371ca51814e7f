"""Hypothesis strategies for programs that play baccarat: cards, shoes, coups, bets, sessions, and a state machine.

Import this where you test; it needs the extra `testing`. `rules` are what `oracle.load_rules` returns. Cards are
`oracle.Card`, whose `str` is the usual text; stakes are whole numbers where they are whole, else fractions.
"""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Callable, Mapping, Sequence
from fractions import Fraction
from functools import lru_cache
from itertools import combinations
from typing import Any, Protocol

import msgspec

from oracle.cards import RANKS, SUITS, Card
from oracle.game.bets import Refusal, refusals, refused
from oracle.game.coup import play
from oracle.game.money import legal_stakes, stakes_up_to
from oracle.game.rules import Rules
from oracle.game.session import Participant, Session, play_coup
from oracle.game.settle import settle
from oracle.game.shoe import SplitMix64, full_shoe
from oracle.game.space import Row
from oracle.rules.answers import show_number
from oracle.rules.questions import COUP_QUESTIONS
from oracle.rules.values import NONE, Value
from oracle.spans import BadBet, OracleError

try:
    from hypothesis import strategies as st
    from hypothesis.stateful import RuleBasedStateMachine, invariant, precondition, rule
except ModuleNotFoundError as error:
    raise ModuleNotFoundError(
        "oracle.testing.strategies needs hypothesis: python -m pip install 'baccarat-oracle[testing]'", name=error.name
    ) from error

Stake = int | Fraction
Bets = dict[str, Stake]

_DECKS = 8  # where the rules don't say how many there are
_SIX = 6
_LONGEST = 12  # coups of a session
_KEPT_RULES, _KEPT_BETS = 32, 10_000
_HIGHEST = 10_000  # stake where the rules limit none
_STRANGERS = ("red", "dragon", "player_pair", "banker_pair")


class Step(msgspec.Struct, frozen=True):
    """One coup of a session: six cards in the order in which they leave the shoe, bets, and the balance after it."""

    cards: tuple[Card, ...]
    bets: Bets
    balance: Fraction


class Evening(msgspec.Struct, frozen=True):
    """A session of one bettor: the balance at its start, its coups, and whether the rules have ended it."""

    start: Fraction
    steps: tuple[Step, ...]
    ended: bool


class Bankroll(Protocol):
    """What a state machine tests: something that keeps a balance through coups.

    `play` gets six cards as texts and stakes by bet. It raises an exception for bets that are not legal.
    """

    @property
    def balance(self) -> Any:
        """What the bettor has, as any exact number, or as a float that is exact."""

    def play(self, cards: list[str], bets: Bets) -> object:
        """Play a coup and settle the bets."""


def cards(*, suits: bool = True) -> st.SearchStrategy[Card]:
    """One card; with `suits=False` its rank alone. Shrinks towards the ace of clubs."""
    suit = st.sampled_from(SUITS) if suits else st.just("")
    return st.builds(Card, st.sampled_from(RANKS), suit)


def shoes(rules: Rules, *, decks: int | None = None) -> st.SearchStrategy[list[Card]]:
    """A whole shoe, shuffled from a seed by the published shuffle of `oracle.game.shoe`; nothing is burnt.

    It has as many decks as the rules say, else `decks`, else eight.
    """
    count = _decks(rules, decks)

    def shuffled(seed: int) -> list[Card]:
        order = full_shoe(count)
        SplitMix64(seed).shuffle(order)
        return order

    return st.integers(0, 2**64 - 1).map(shuffled)


def coups(rules: Rules, *, decks: int | None = None) -> st.SearchStrategy[tuple[Card, ...]]:
    """Six cards that one shoe can deal, enough for any coup.

    Half of them come as from a shoe. The others first choose how the coup ends, so that rare cells of the tableau,
    which a shoe comes to once in a thousand coups, are as frequent as any. Raises `OracleError` for open rules.
    """
    count = _decks(rules, decks)
    places = st.lists(st.integers(0, 52 * count - 1), min_size=_SIX, max_size=_SIX, unique=True)
    every = [Card(rank, suit) for suit in SUITS for rank in RANKS]
    dealt = places.map(lambda drawn: tuple(every[place % 52] for place in drawn))
    return st.one_of(dealt, _ends(rules, count))


def bets(rules: Rules, *, balance: Stake | None = None) -> st.SearchStrategy[Bets]:
    """Bets that may be laid together, by one who has `balance` if it is given. Raises `BadBet` if there are none.

    Stakes are legal ones, whole numbers; where the rules limit none, those up to 10,000.
    """
    least, highest = _least(rules), None if balance is None else Fraction(balance)
    sets = _affordable(rules, highest)
    if not sets:
        raise BadBet(f"no bets of {rules.id} are legal with a balance of {balance}")

    capped = highest is not None and bool(_whole_stake(rules, "yes"))

    def laid(names: tuple[str, ...]) -> st.SearchStrategy[Bets]:
        # Whether stakes are legal doesn't depend on each other; all together have to be there.
        share = highest / len(names) if capped and highest is not None else None
        few = {name: _legal(rules, name) for name in names}
        if share is not None:
            few = {name: stakes[: bisect_right(stakes, share)] or stakes[:1] for name, stakes in few.items()}
        drawn: st.SearchStrategy[Bets] = st.fixed_dictionaries(
            {name: st.sampled_from(stakes) for name, stakes in few.items()}
        )
        just = st.just({name: least[name] for name in names})
        return st.one_of(just, drawn.filter(lambda bets: not capped or sum(bets.values()) <= (highest or 0)))

    return st.sampled_from(sets).flatmap(laid)


def illegal_bets(rules: Rules, *, balance: Stake | None = None) -> st.SearchStrategy[Bets]:
    """Bets that are refused: unknown ones, stakes beside the limits, sets that don't go together, more than one has."""
    highest = None if balance is None else Fraction(balance)
    least = _least(rules)
    names = st.lists(st.sampled_from(rules.bets), min_size=1, max_size=len(rules.bets), unique=True)
    stake = st.one_of(
        st.integers(-10, 0),
        st.integers(1, 2 * _HIGHEST),
        st.fractions(0, 1000, max_denominator=4).map(_whole),
    )
    one_wrong = st.tuples(st.sampled_from(rules.bets), stake).map(lambda laid: dict([laid]))
    stranger = st.sampled_from([name for name in _STRANGERS if name not in rules.bets])
    unknown = st.tuples(stranger, st.just(min(least.values(), default=1))).map(lambda laid: dict([laid]))
    together = names.map(lambda chosen: {name: least.get(name, 1) for name in chosen})
    anything = names.flatmap(lambda chosen: st.fixed_dictionaries(dict.fromkeys(chosen, stake)))
    every = st.one_of(unknown, one_wrong, together, anything)
    return every.filter(lambda drawn: not _taken(rules, drawn, highest))


@st.composite
def sessions(draw: st.DrawFn, rules: Rules, *, balance: Stake | None = None, longest: int = _LONGEST) -> Evening:
    """A session of one bettor with up to `longest` coups, until the rules end it or nothing may be laid any more.

    It starts with what the rules say, else with `balance`, else with 1,000.
    """
    table = _Table(rules, balance)
    start = table.balance
    asked = coups(rules)
    steps: list[Step] = []
    for _ in range(draw(st.integers(1, longest))):
        if not table.can_bet():
            break
        laid = draw(bets(rules, balance=table.balance))
        dealt = draw(asked)
        table.play(dealt, laid)
        steps.append(Step(dealt, laid, table.balance))
    return Evening(start, tuple(steps), table.ended)


def bankroll_machine(
    rules: Rules, make: Callable[[Fraction], Bankroll], *, balance: Stake | None = None, refuses: bool = True
) -> type[RuleBasedStateMachine]:
    """A state machine that holds the balance of an implementation to the rules, coup after coup.

    `make` gets the balance at the start (what the rules say, else `balance`, else 1,000) and returns a `Bankroll`.
    A session that is over is followed by a new one. With `refuses` it has to raise an exception for bets that are not
    legal, and keep its balance. Run what comes back with `hypothesis.stateful.run_state_machine_as_test`, or let
    pytest collect its `TestCase`.
    """
    dealt = coups(rules)

    class Machine(RuleBasedStateMachine):
        def __init__(self) -> None:
            super().__init__()
            self._sit_down()

        def _sit_down(self) -> None:
            self.table = _Table(rules, balance)
            self.subject = make(self.table.balance)
            self.last = "before the first coup"

        @precondition(lambda self: not self.table.can_bet())
        @rule()
        def new_session(self) -> None:
            self._sit_down()

        @precondition(lambda self: self.table.can_bet())
        @rule(data=st.data(), cards=dealt)
        def coup(self, data: st.DataObject, cards: tuple[Card, ...]) -> None:
            laid = data.draw(bets(rules, balance=self.table.balance), label="bets")
            before = self.table.balance
            self.subject.play([str(card) for card in cards], dict(laid))
            self.table.play(cards, laid)
            self.last = f"after {' '.join(map(str, cards))} with {_shown(laid)} on a balance of {show_number(before)}"

        @precondition(lambda self: refuses and not self.table.ended)
        @rule(data=st.data(), cards=dealt)
        def refused(self, data: st.DataObject, cards: tuple[Card, ...]) -> None:
            laid = data.draw(illegal_bets(rules, balance=self.table.balance), label="illegal bets")
            self.last = f"after {_shown(laid)}, which is not legal,"
            try:
                self.subject.play([str(card) for card in cards], dict(laid))
            except Exception:  # noqa: BLE001 (however an implementation refuses)
                return
            reasons = "; ".join(refusal.reason for refusal in _refusals(rules, laid, self.table.balance))
            raise AssertionError(f"{rules.id}: {_shown(laid)} is taken, and the rules refuse it: {reasons}")

        @invariant()
        def balances(self) -> None:
            said = self.subject.balance
            if Fraction(said) != self.table.balance:
                due = show_number(self.table.balance)
                raise AssertionError(f"{rules.id}: {self.last} the balance is {said}, and by the rules {due}")

    Machine.__name__ = Machine.__qualname__ = "BankrollMachine"
    return Machine


class _Table:
    """The balance of one bettor as the rules have it."""

    def __init__(self, rules: Rules, balance: Stake | None) -> None:
        self.rules = rules
        said = rules.value("start_balance")
        start = Fraction(said if isinstance(said, int) else 1000 if balance is None else balance)
        self._session: Session | None = None
        if isinstance(said, int) and rules.clauses_about("session_end"):
            self._session = Session(rules.id, (Participant("bettor", start),))
        self._balance = start
        for question in COUP_QUESTIONS:  # looked up from now on, not evaluated at each coup
            rules.evaluation(question)

    @property
    def balance(self) -> Fraction:
        return self._balance if self._session is None else self._session.participants[0].balance

    @property
    def ended(self) -> bool:
        return self._session is not None and self._session.ended

    def can_bet(self) -> bool:
        """Whether the session goes on and there is something that may be laid."""
        return not self.ended and bool(_affordable(self.rules, self.balance))

    def play(self, cards: Sequence[Card], bets: Bets) -> None:
        laid = {bet: Fraction(stake) for bet, stake in bets.items()}
        if self._session is None:
            coup = play(self.rules, cards, bets=laid)
            self._balance += sum((settled.net for settled in settle(self.rules, coup, laid)), Fraction(0))
        else:
            self._session = play_coup(self.rules, self._session, cards, {"bettor": laid})


def _decks(rules: Rules, decks: int | None) -> int:
    said = rules.value("decks")
    if isinstance(said, int) and decks not in (None, said):
        raise OracleError(f"{rules.id} deals from {said} decks, not {decks}")
    return said if isinstance(said, int) else decks or _DECKS


def _ends(rules: Rules, decks: int) -> st.SearchStrategy[tuple[Card, ...]]:
    """Six cards that come to a banker's cell, or to totals, that are drawn first."""
    deals = [_only(rules, "deal_order", place) for place in range(4)]
    points, totals = rules.points, rules.totals
    hands: dict[int, list[tuple[str, str]]] = {}
    of_points: dict[int, list[str]] = {}
    for first in RANKS:
        of_points.setdefault(points[first], []).append(first)
        for second in RANKS:
            hands.setdefault(totals[points[first] + points[second]], []).append((first, second))

    cells: dict[tuple[Value, ...], list[Row]] = {}
    for row in rules.ends.rows:
        drew = row[2] != NONE or row[3] != NONE
        cells.setdefault((row[1], row[2]) if drew else ("stand", *row[:2]), []).append(row)

    @st.composite
    def six(draw: st.DrawFn) -> tuple[Card, ...]:
        cell = draw(st.sampled_from(list(cells.values())))
        player2, banker2, player_third, banker_third, *_ = draw(st.sampled_from(cell))
        held = {"player": list(draw(st.sampled_from(hands[int(player2)])))}
        held["banker"] = list(draw(st.sampled_from(hands[int(banker2)])))
        ranks = [held[side].pop(0) for side in deals]
        thirds = [third for third in (player_third, banker_third) if third != NONE]
        ranks += [draw(st.sampled_from(of_points[int(third)])) for third in thirds]
        ranks += [draw(st.sampled_from(RANKS)) for _ in range(_SIX - len(ranks))]
        return tuple(Card(rank, draw(st.sampled_from(SUITS))) for rank in ranks)

    return six().filter(lambda drawn: all(drawn.count(card) <= decks for card in drawn))


def _only(rules: Rules, question: str, i: int) -> str:
    return str(rules.evaluation(question).answer(i)[0])


def _legal(rules: Rules, bet: str) -> Sequence[int]:
    """The legal stakes on a bet, ascending; of very many, and of all, those up to 10,000."""
    stakes = legal_stakes(rules, bet)
    if stakes is not None:
        return stakes
    return stakes_up_to(rules, bet, _HIGHEST) if rules.clauses_about("stake") else range(1, _HIGHEST + 1)


@lru_cache(maxsize=_KEPT_RULES)
def _least(rules: Rules) -> Bets:
    """The least legal stake on each bet that has one."""
    found = {bet: _legal(rules, bet) for bet in rules.bets}
    return {bet: stakes[0] for bet, stakes in found.items() if stakes}


@lru_cache(maxsize=_KEPT_RULES)
def _sets(rules: Rules) -> tuple[tuple[str, ...], ...]:
    """Sets of bets that may be laid together, the small ones first; of many bets only sets up to three."""
    least = _least(rules)
    most = len(least) if len(least) <= _SIX else 3
    every = (chosen for size in range(1, most + 1) for chosen in combinations(least, size))
    return tuple(names for names in every if not _flat(rules, tuple((name, least[name]) for name in names)))


def _refusals(rules: Rules, bets: Bets, balance: Fraction | None) -> list[Refusal]:
    """Why bets are refused: as bets, as so many predictions, or as more than one has."""
    found = list(_flat(rules, tuple(bets.items())))
    if balance is not None:
        total = sum((Fraction(stake) for bet, stake in bets.items() if bet in rules.bets and stake > 0), Fraction(0))
        found += _whole_stake(rules, "yes" if total > balance else "no")
    return found


@lru_cache(maxsize=_KEPT_BETS)
def _flat(rules: Rules, bets: tuple[tuple[str, Stake], ...]) -> tuple[Refusal, ...]:
    """The refusals that no balance matters to."""
    found = list(refusals(rules, {bet: Fraction(stake) for bet, stake in bets}))
    if rules.clauses_about("predictions"):
        found += refused(rules, "predictions", {"predictions": len(bets)}, f"{len(bets)} predictions are refused")
    return tuple(found)


@lru_cache(maxsize=2 * _KEPT_RULES)
def _whole_stake(rules: Rules, over: str) -> tuple[Refusal, ...]:
    """The refusals of all stakes together, if they are over the balance or not."""
    if not rules.clauses_about("total_stake"):
        return ()
    return tuple(refused(rules, "total_stake", {"over_balance": over}, "stakes over the balance are refused"))


def _taken(rules: Rules, bets: Bets, balance: Fraction | None) -> bool:
    return not _refusals(rules, bets, balance)


@lru_cache(maxsize=_KEPT_BETS)
def _affordable(rules: Rules, balance: Fraction | None) -> tuple[tuple[str, ...], ...]:
    """The sets of bets that may be laid, at their least stakes, by one who has so much."""
    least = _least(rules)
    return tuple(names for names in _sets(rules) if _taken(rules, {name: least[name] for name in names}, balance))


def _whole(stake: Fraction) -> Stake:
    return int(stake) if stake.denominator == 1 else stake


def _shown(bets: Mapping[str, Stake]) -> str:
    return " ".join(f"{bet}={show_number(Fraction(stake))}" for bet, stake in bets.items())

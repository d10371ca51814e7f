"""Counting coups exactly: ordered sequences of six cards from a shoe, unused places counted in full.

That is the convention of the published tables (see `tests/published`): every coup is weighed by the number of ways to
draw six cards, whether it uses four, five or six of them, so all ends of a shoe add up to
n (n - 1) … (n - 5).
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from copy import copy
from fractions import Fraction
from functools import cached_property
from typing import TYPE_CHECKING

from oracle.game.rules import ALIKE_FIELDS, Rules
from oracle.game.settle import check_bet
from oracle.game.space import EXAMPLE_FIELDS, Row, Space
from oracle.odds.bets import BetOdds, Hit
from oracle.odds.composition import PLACES, Composition
from oracle.odds.pair_kinds import KINDS, shares
from oracle.rules.model import Test
from oracle.rules.questions import KNOWN, QUESTIONS, before
from oracle.rules.values import Value
from oracle.spans import BadShoe, OracleError

if TYPE_CHECKING:
    from oracle.odds.decisions import Decisions, Strategy
    from oracle.odds.settlement_table import NetOf, SettlementTable, WinnerOf
    from oracle.odds.ways import Numbers

__all__ = ["Composition", "Odds"]


class Odds:
    """The coups of one shoe under one rule set: how many sequences end in each way.

    `composition` is by default the full shoe of the rules; `strategy` says what is done in cells that the rules leave
    free. Everything is an exact integer or fraction. Raises `Undecided` where the rules are open, `BadChoice` for
    choices that the strategy leaves, `OracleError` if the rules don't say how many decks they have, `BadShoe` for bets
    on suits with a shoe of which only ranks are known.
    """

    def __init__(
        self, rules: Rules, composition: Composition | None = None, *, strategy: Strategy | None = None
    ) -> None:
        from oracle.odds.settlement_table import book_of

        self.rules = rules
        self.composition = Composition.of(rules) if composition is None else composition
        self.strategy = dict(strategy or {})
        self._book = book_of(rules, strategy)
        if self.composition.endless and not self._book.parts_suits:
            self.composition = self.composition.by_rank()

    def otherwise(
        self,
        *,
        made: Decisions | None = None,
        winner_of: WinnerOf | None = None,
        net_of: NetOf | None = None,
        more: tuple[str, ...] = (),
    ) -> Odds:
        """The same shoe where somebody decides, judges or pays otherwise than the rules: what a mistake would cost.

        What isn't given is as before. `more` are fields that `net_of` asks for and the rules don't.
        """
        from oracle.odds.settlement_table import SettlementTable

        other = copy(self)
        for known in ("outcomes", "ends", "end_space", "alike_space", "by_class", "bets"):
            other.__dict__.pop(known, None)
        book = self._book
        decided, judged, paid = made or book.decisions, winner_of or book.winner_of, net_of or book.net_of
        other._book = SettlementTable(self.rules, decided, judged, paid, more=(*book.fields, *more))
        return other

    @property
    def book(self) -> SettlementTable:
        """The rules compiled, without a shoe."""
        return self._book

    @cached_property
    def total(self) -> int:
        """All sequences."""
        total = 1
        for used in range(PLACES):
            total *= self.composition.cards - (0 if self.composition.endless else used)
        return total

    @cached_property
    def weights(self) -> Numbers:
        """The weight of each multiset of values in this shoe (see `oracle.odds.ways`)."""
        from oracle.odds.ways import all_ways

        stock = self.composition.stock(self._book.points)
        return all_ways().weights(stock, endless=self.composition.endless)

    # --- how coups end ------------------------------------------------------------------------

    @cached_property
    def outcomes(self) -> dict[str, int]:
        """How many sequences each side wins, and how many are ties."""
        from oracle.odds.settlement_table import WINNERS

        by_winner = self._book.by_winner
        found = dict.fromkeys(WINNERS, 0)
        for place, count in zip(by_winner.names.tolist(), by_winner.sums(self.weights).tolist(), strict=True):
            found[WINNERS[place]] = count
        self._need_all(found.values())
        return found

    @cached_property
    def ends(self) -> dict[Row, int]:
        """How many sequences end in each way: player2, banker2, player_third, banker_third and both totals."""
        by_end = self._book.tableau.by_end
        counts = by_end.sums(self.weights).tolist()
        found = {self._book.ends[end]: count for end, count in zip(by_end.names.tolist(), counts, strict=True)}
        self._need_all(found.values())
        return found

    def _need_all(self, counts: Iterable[int]) -> None:
        """Every sequence ends in one way: what wasn't counted would be a state that nobody decided."""
        counted = sum(counts)
        if counted != self.total:
            raise OracleError(f"{self.rules.id}: {counted:,} of {self.total:,} sequences end somehow")

    @cached_property
    def end_space(self) -> Space:
        """The ends that this shoe lets happen, with winners; `counts` are their sequences."""
        winners = dict(zip(self._book.ends, self._book.winners, strict=True))
        counts = {(*row, "", "", winners[row]): count for row, count in self.ends.items() if count}
        return Space((*EXAMPLE_FIELDS, "winner"), counts, counts=list(counts.values()))

    @cached_property
    def alike_space(self) -> Space:
        """As `end_space`, with how alike the first cards are."""
        spread = self._book.spread
        counts = spread.sums(self.weights, shares(self.composition, self._book.points)).tolist()
        kinds = zip(spread.end.tolist(), spread.player_kind.tolist(), spread.banker_kind.tolist(), counts, strict=True)
        ends, winners = self._book.ends, self._book.winners
        rows: dict[Row, int] = {}
        for end, player, banker, count in kinds:
            if count:
                row = (*ends[end], KINDS[player], KINDS[banker], winners[end])
                rows[row] = rows.get(row, 0) + count
        self._need_all(rows.values())
        return Space((*EXAMPLE_FIELDS, "winner"), rows, counts=list(rows.values()))

    def sequences(self, guard: tuple[Test, ...]) -> int:
        """How many sequences end in states of a guard over the ends of a coup."""
        from oracle.odds.settlement_table import parts_suits

        alike = any(test.field in ALIKE_FIELDS for test in guard)
        for test in guard:
            if parts_suits(test) and self.composition.suited is None:
                raise BadShoe(f"{test.field} {test.text} asks for suits, of which nothing is known in this shoe")
        space = self.alike_space if alike else self.end_space
        return space.count(space.select(guard))

    def frequency(self, guard: tuple[Test, ...]) -> Fraction:
        """The share of coups that end in states of a guard."""
        return Fraction(self.sequences(guard), self.total)

    # --- decisions ----------------------------------------------------------------------------

    def states(self, question: str) -> dict[Row, int]:
        """How many sequences come to each state of a decision, as `natural`, `player_draw` or `banker_draw`.

        States are (player2, banker2), for the last with player_third and player_total.
        """
        stops = dict(self._book.decisions.stops)
        everywhere = "natural" not in before(question)
        places = [EXAMPLE_FIELDS.index(field) for field in KNOWN[QUESTIONS[question].needs]]
        found: dict[Row, int] = {}
        for row, count in self.ends.items():
            if not everywhere and stops[row[:2]]:
                continue
            state = tuple(row[place] for place in places)
            found[state] = found.get(state, 0) + count
        return found

    def cells(self, question: str) -> dict[Row, int]:
        """As `states`, by the cells of a printed table: player2, or banker2 with player_third."""
        fields = KNOWN[QUESTIONS[question].needs]
        places = [fields.index(field) for field in QUESTIONS[question].cell]
        found: dict[Row, int] = {}
        for row, count in self.states(question).items():
            cell: tuple[Value, ...] = tuple(row[place] for place in places)
            found[cell] = found.get(cell, 0) + count
        return found

    # --- bets ---------------------------------------------------------------------------------

    @cached_property
    def by_class(self) -> dict[Row, int]:
        """How many sequences end in each class of ends that settling tells apart: rows of `book.fields`."""
        from oracle.odds.ways import Weighed

        book = self._book
        if book.parts_suits and self.composition.suited is None:
            raise BadShoe(
                f"a bet of {self.rules.id} asks for suits, of which nothing is known in this shoe: "
                "count cards by suit, as in AS=8"
            )
        if isinstance(book.by_class, Weighed):
            counts = book.by_class.sums(self.weights)
        else:
            spread = book.spread.sums(self.weights, shares(self.composition, book.points))
            counts = book.by_class.sums(spread)
        found: dict[Row, int] = dict(zip(book.states, counts.tolist(), strict=True))
        self._need_all(found.values())
        return found

    def bet(self, bet: str) -> BetOdds:
        """What a unit stake on a bet nets, how often. Raises `UnknownName`, `Undecided`."""
        check_bet(self.rules, bet)
        found: dict[tuple[str, Fraction], int] = {}
        for net, count in zip(self._book.nets(self.rules, bet), self.by_class.values(), strict=True):
            key = (net.outcome, net.net)
            found[key] = found.get(key, 0) + count
        order = {"win": 0, "push": 1, "lose": 2}
        hits = [Hit(outcome, net, count) for (outcome, net), count in found.items()]
        return BetOdds(bet, self.total, tuple(sorted(hits, key=lambda hit: (order[hit.outcome], -hit.net))))

    @cached_property
    def bets(self) -> Mapping[str, BetOdds]:
        """Every bet of the table."""
        return {bet: self.bet(bet) for bet in self.rules.bets}

    def expectation(self, bet: str) -> Fraction:
        """The mean net of a unit stake on a bet, exactly; the house edge is its negative."""
        return self.bet(bet).expectation

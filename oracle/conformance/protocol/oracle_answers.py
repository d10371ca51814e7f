"""The oracle's own answers in the words of the protocol, fast enough to serve whole tiers.

Coups are played by compiled tables, bets settled once for each end that settling tells apart. Where the rules leave a
choice, or something open, every coup is played and settled for itself.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from fractions import Fraction
from functools import lru_cache

from oracle.cards import Card, parse_card
from oracle.cases.case import Answer, Step, StepCoup, answer_with
from oracle.game.bets import refusals
from oracle.game.coup import Coup, Hand, play
from oracle.game.end import End
from oracle.game.one_bettor import sit
from oracle.game.rules import MONEY, Rules
from oracle.game.settle import check_bet, end_state, parse_amount, parse_stake, settle
from oracle.game.shoe import is_due
from oracle.game.space import Row, who_has_natural
from oracle.game.tables import Tables
from oracle.programs.observables import values_of
from oracle.rules.answers import show_number
from oracle.rules.values import NONE, Value
from oracle.spans import BadBet, BadCards, BadChoice, BadShoe, OracleError, Undecided

_MAX_CARDS = 100
_KEPT = 200_000
_MAX_STEPS = 1_000


class Answers:
    """Answers of one rule set."""

    def __init__(self, rules: Rules) -> None:
        self.rules = rules
        self._copies = decks if isinstance(decks := rules.value("decks"), int) else _MAX_CARDS
        self._tables: Tables | None = None
        if not rules.tests("player_draw", "player_backed"):
            try:
                self._tables = Tables(rules)
            except (Undecided, BadChoice):
                self._tables = None
        for question in MONEY:
            rules.evaluation(question)
        self._ends: dict[tuple[object, ...], Row] = {}
        self._nets: dict[tuple[object, ...], Fraction] = {}

    def coup(
        self, cards: Sequence[str], bets: Mapping[str, str] | None = None, choices: Mapping[str, str] | None = None
    ) -> Answer:
        """A coup with its bets settled. Raises `OracleError` as `play` and `settle` do."""
        if len(cards) > _MAX_CARDS:
            raise BadCards(f"{len(cards)} cards are too many for a coup: send at most {_MAX_CARDS}")
        laid = tuple(_card(text) for text in cards)
        stakes = {bet: parse_stake(stake) for bet, stake in bets.items()} if bets else {}
        for bet in stakes:
            check_bet(self.rules, bet)
        if self._tables is None or choices or not 6 <= len(laid) <= self._copies:
            coup = play(self.rules, laid, choose=choices, bets=stakes)
        else:
            coup = self._play(self._tables, laid)
        nets = {bet: self._net(coup, bet, stake) for bet, stake in stakes.items()}
        return answer_with(values_of(coup, nets))

    def legal(self, bets: Mapping[str, str], balance: str | None = None) -> Answer:
        """Whether these bets may be laid. Raises `BadBet` for amounts that are none, `Undecided`."""
        stakes = {bet: parse_amount(stake) for bet, stake in bets.items()}
        if not stakes:
            raise BadBet("no bet is laid")
        has = None if balance is None else parse_amount(balance)
        return Answer(legal=next(refusals(self.rules, stakes, balance=has), None) is None)

    def shoe(self, dealt: int, *, burnt: int = 0, decks: int | None = None, cut_card: bool | None = None) -> Answer:
        """Whether a shoe is shuffled from which coups took so many cards. Raises `BadShoe`, `Undecided`."""
        said = self.rules.value("decks")
        count = decks if decks is not None else said
        if not isinstance(count, int):
            raise BadShoe(f"{self.rules.id} doesn't say how many decks there are: give `decks`")
        if count != (said if isinstance(said, int) else count):
            raise BadShoe(f"{self.rules.id} deals from {said} decks, not {count}")
        left = 52 * count - burnt - dealt
        if count < 1 or min(dealt, burnt, left) < 0:
            raise BadShoe(f"{burnt} cards burnt and {dealt} dealt can't be, of a shoe of {52 * count}")
        return Answer(reshuffle=is_due(self.rules, left, decks=count, first=not dealt, cut_card=cut_card))

    def session(self, steps: Sequence[Step], balance: str | None = None) -> Answer:
        """A session of these steps. Raises `OracleError` as `sit` does."""
        if len(steps) > _MAX_STEPS:
            raise OracleError(f"{len(steps)} steps are too many for a session: send at most {_MAX_STEPS}")
        taken = [
            (tuple(_card(text) for text in step.cards), {bet: parse_amount(stake) for bet, stake in step.bets.items()})
            if isinstance(step, StepCoup)
            else step
            for step in steps
        ]
        sat = sit(self.rules, taken, balance=None if balance is None else parse_amount(balance))
        return Answer(balances=tuple(map(show_number, sat.balances)), ended=sat.ended)

    def card(self, text: str) -> Answer:
        """The card that a text names. Raises `BadCards` if it names none."""
        card = parse_card(text)
        return Answer(rank=card.rank, suit=card.suit or None)

    def _play(self, tables: Tables, cards: tuple[Card, ...]) -> Coup:
        """A coup as `play` has it, without its trace; six cards are there."""
        points, totals = tables.points, tables.totals
        values = [points[card.rank] for card in cards[:6]]
        result = tables.play(values)
        hands: dict[bool, list[Card]] = {True: [], False: []}
        sums = {True: 0, False: 0}
        for to_player, card, value in zip(tables.deals, cards, values, strict=False):
            hands[to_player].append(card)
            sums[to_player] += value
        player2, banker2 = totals[sums[True]], totals[sums[False]]
        third: dict[bool, Value] = {True: NONE, False: NONE}  # by whether it is the player's
        if result.cards_used > 4:
            drew = tables.player_draws[player2, banker2]
            hands[drew].append(cards[4])
            third[drew] = values[4]
        if result.cards_used == 6:
            hands[False].append(cards[5])
            third[False] = values[5]
        return Coup(
            rules=self.rules.id,
            player=Hand(tuple(hands[True]), result.player_total),
            banker=Hand(tuple(hands[False]), result.banker_total),
            winner=result.winner,
            natural=who_has_natural(player2, banker2),
            alike={"player": self._alike(hands[True]), "banker": self._alike(hands[False])},
            unused=cards[result.cards_used :],
            trace=(),
            end=End(player2, banker2, third[True], third[False], result.player_total, result.banker_total),
        )

    def _alike(self, hand: Sequence[Card]) -> str:
        first, second = hand[:2]
        if first.rank != second.rank:
            return "value" if self.rules.points[first.rank] == self.rules.points[second.rank] else NONE
        return "card" if first.suit and first.suit == second.suit else "rank"

    def _net(self, coup: Coup, bet: str, stake: Fraction) -> Fraction:
        place: tuple[object, ...] = (coup.end, coup.winner, *coup.alike.values())
        if not all(card.suit for hand in (coup.player, coup.banker) for card in hand.cards[:2]):
            place = (*place, coup.player.cards, coup.banker.cards)  # settling may ask for suits
        end = self._ends.get(place)
        if end is None:
            state = end_state(self.rules, coup)
            fields = self.rules.evaluation("outcome").space.fields[1:]
            end = tuple(state[field] for field in fields)
            if len(self._ends) < _KEPT:
                self._ends[place] = end
        key = (bet, stake, end)
        net = self._nets.get(key)
        if net is None:
            (settled,) = settle(self.rules, coup, {bet: stake})
            net = settled.net
            if len(self._nets) < _KEPT:
                self._nets[key] = net
        return net


@lru_cache(maxsize=1024)
def _card(text: str) -> Card:
    return parse_card(text)

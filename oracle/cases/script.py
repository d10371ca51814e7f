"""Sessions being written, step by step: coups that end as they should, out of a shoe that has the cards."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from fractions import Fraction

from oracle.cards import Card
from oracle.cases.arrange import Dealer
from oracle.cases.case import LEAVE, Step, StepCoup
from oracle.cases.coup_cases import bet_sets, stakes_of
from oracle.cases.reference import Reference
from oracle.game.end import End
from oracle.game.one_bettor import leaving_ends
from oracle.game.shoe import SplitMix64
from oracle.programs.behaviour import play
from oracle.programs.bettor import Bettor, start_of
from oracle.rules.answers import show_number
from oracle.rules.values import NONE

_SEED = 5
_START = Fraction(100)  # where the rules don't say with how much one starts
_COPIES = 6  # of a card, where they don't say how many decks there are
_TRIES = 4_000
MOST_COUPS = 40  # in one session
_ONE_DECK = 5  # coups for which a single deck is enough, with spare cards for each

Like = Callable[[End, str], bool]
Stakes = Mapping[str, Fraction]


class NoCards(Exception):
    """No such coup can be dealt any more."""


class SessionScript:
    """A session that is being written: its steps, and how it stands by then."""

    def __init__(self, maker: Maker) -> None:
        self._maker = maker
        self.steps: list[Step] = []
        self.now = Bettor(maker.reference.behaviour, start_of(maker.rules, maker.balance))
        self._gone: dict[Card, int] = {}

    @property
    def balance(self) -> Fraction:
        """What the bettor has."""
        return self.now.balance

    def coup(self, stakes: Stakes, like: Like, *, pair: str = "") -> SessionScript:
        """A coup that ends as `like` says of the end and the winner, with these stakes; `pair` is who has one."""
        cards = self._maker.cards(like, self._gone, pair)
        for card in cards:
            self._gone[card] = self._gone.get(card, 0) + 1
        self.now.take((cards, stakes))
        texts = {bet: show_number(stake) for bet, stake in stakes.items()}
        self.steps.append(StepCoup(tuple(map(str, cards)), texts))
        return self

    def leave(self) -> SessionScript:
        """Leave the table."""
        self.now.take(LEAVE)
        self.steps.append(LEAVE)
        return self


class Maker:
    """Writes sessions of one rule set, always the same."""

    def __init__(self, reference: Reference) -> None:
        self.reference = reference
        self.rules = reference.rules
        self.balance = None if isinstance(self.rules.value("start_balance"), int) else _START
        self.random = SplitMix64(_SEED)
        self.ladder = {bet: stakes for bet in self.rules.bets if (stakes := stakes_of(self.rules, bet))}
        self.least = {bet: {bet: stakes[0]} for bet, stakes in self.ladder.items()}
        self.sets = bet_sets(self.rules)
        self.leaves = leaving_ends(self.rules)
        decks = self.rules.value("decks")
        self._copies = decks if isinstance(decks, int) else _COPIES
        self.longest = _ONE_DECK if self._copies == 1 else MOST_COUPS
        self._dealer = Dealer(reference.behaviour, seed=_SEED)
        self._ends = [(end, reference.behaviour.winners[end]) for end in self.rules.every_end]
        self._like: dict[Like, list[tuple[End, str]]] = {}

    def script(self) -> SessionScript:
        """A new one."""
        return SessionScript(self)

    def any_of(self, found: Sequence[object]) -> int:
        """A place in a list."""
        return self.random.below(len(found))

    def cards(self, like: Like, gone: Mapping[Card, int], pair: str) -> tuple[Card, ...]:
        """Six cards that the shoe still has, of a coup that ends so. Raises `NoCards`."""
        if like not in self._like:
            self._like[like] = [end for end in self._ends if like(*end)]
        ends = self._like[like]
        alike = (_alike("player", pair), _alike("banker", pair))
        for _ in range(_TRIES if ends else 0):
            end, winner = ends[self.any_of(ends)]
            cards = self._dealer.lay(*end[:4], alike=alike)
            if cards and all(gone.get(card, 0) + cards.count(card) <= self._copies for card in cards):
                assert play(self.reference.behaviour, cards).winner == winner
                return cards
        raise NoCards


def _alike(side: str, pair: str) -> str:
    """How alike the first cards of a side have to be, where `pair` names who has a pair."""
    return "any" if not pair else "rank" if side == pair else NONE


# How a coup is to end


def any_end(_end: End, _winner: str) -> bool:
    """However it ends."""
    return True


def won_by(side: str) -> Like:
    """The side, or the tie, wins."""
    return {"player": player_wins, "banker": banker_wins, "tie": tied}[side]


def player_wins(_end: End, winner: str) -> bool:
    """The player wins."""
    return winner == "player"


def banker_wins(_end: End, winner: str) -> bool:
    """The banker wins."""
    return winner == "banker"


def tied(_end: End, winner: str) -> bool:
    """It is a tie."""
    return winner == "tie"


def natural_of_player(end: End, winner: str) -> bool:
    """The player wins with a natural."""
    return end.player_third == end.banker_third == NONE and end.player2 >= 8 and winner == "player"


def natural_of_banker(end: End, winner: str) -> bool:
    """The banker wins with a natural."""
    return end.player_third == end.banker_third == NONE and end.banker2 >= 8 and winner == "banker"


def turned(end: End, winner: str) -> bool:
    """The third cards change who is ahead."""
    first, second = end.two_cards
    return winner != ("tie" if first == second else "player" if first > second else "banker")


def both_drew(end: End, _winner: str) -> bool:
    """Both draw."""
    return NONE not in (end.player_third, end.banker_third)


def player_stood(end: End, _winner: str) -> bool:
    """The player stands without a natural."""
    return end.player_third == NONE and max(end.two_cards) < 8


def stood_ahead(end: End, winner: str) -> bool:
    """The player stands, and the banker's third card keeps him from winning."""
    return player_stood(end, winner) and end.banker_third != NONE and winner != "player"


def stood_on_six(end: End, _winner: str) -> bool:
    """Both stand, the banker on six."""
    return player_stood(end, "") and end.banker_third == NONE and end.banker2 == 6


def third_eight(end: End, _winner: str) -> bool:
    """The player's third card is an eight."""
    return end.player_third == 8


def third_six(end: End, _winner: str) -> bool:
    """The player's third card is a six."""
    return end.player_third == 6


def banker_with_six(end: End, winner: str) -> bool:
    """The banker wins with six."""
    return winner == "banker" and end.banker_total == 6


def losing(bet: str) -> Like:
    """An end in which a bet loses, if it is not on a pair."""
    return player_wins if bet in ("banker", "tie") else banker_wins if bet == "player" else any_end


def winning(bet: str) -> Like:
    """An end in which a bet wins, if it is not on a pair."""
    return won_by(bet) if bet in ("player", "banker", "tie") else any_end

"""Wrong programs that keep sessions: what is left over from the coup before."""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache

from msgspec.structs import replace

from oracle.cards import Card
from oracle.game.end import BankerState
from oracle.game.rules import Rules
from oracle.mutants.wrong_bettor import pairs, wrong
from oracle.programs.behaviour import ALIKE, Behaviour, Played, banker_draws, behaviour_of, play
from oracle.programs.bettor import Bettor
from oracle.rules.values import NONE, Value


@wrong("tie-as-before", "on a tie the winner of the coup before wins again")
class _TieAsBefore(Bettor):
    last = ""

    def play(self, cards: Sequence[Card]) -> Played:
        played = super().play(cards)
        self.last = played.winner if played.winner != "tie" else self.last
        return replace(played, winner=self.last) if self.last else played


@wrong("natural-kept", "once there was a natural nobody draws any more")
class _NaturalKept(Bettor):
    natural = False

    def play(self, cards: Sequence[Card]) -> Played:
        behaviour = _nobody_draws(self.behaviour) if self.natural else self.behaviour
        played = play(behaviour, cards)
        self.natural |= played.natural != NONE
        return played


@wrong("totals-kept", "totals go on from those of the coup before")
class _TotalsKept(Bettor):
    carried = (0, 0)

    def play(self, cards: Sequence[Card]) -> Played:
        played = play(_reduced(self.behaviour), cards, self.carried)
        self.carried = played.end.totals
        return played


@wrong("third-card-kept", "where the player stands the banker looks at the last third card that he had")
class _ThirdKept(Bettor):
    third: Value = NONE

    def play(self, cards: Sequence[Card]) -> Played:
        behaviour = self.behaviour if self.third == NONE else _against(self.behaviour, int(self.third))
        played = play(behaviour, cards)
        self.third = self.third if played.end.player_third == NONE else played.end.player_third
        return played


@wrong("pairs-kept", "once there was a pair its side has one in every coup", pairs)
class _PairsKept(Bettor):
    best = (NONE, NONE)

    def play(self, cards: Sequence[Card]) -> Played:
        played = super().play(cards)
        first, second = (max(pair, key=ALIKE.index) for pair in zip(played.alike, self.best, strict=True))
        self.best = (first, second)
        return replace(played, alike=self.best)


@wrong("cards-kept", "cards that a coup didn't need are dealt first in the next one")
class _CardsKept(Bettor):
    left: Sequence[Card] = ()

    def play(self, cards: Sequence[Card]) -> Played:
        shoe = [*self.left, *cards]
        played = super().play(shoe)
        self.left = shoe[len(played.player) + len(played.banker) :]
        return played


@wrong("cards-again", "the cards of the first coup are dealt in every coup")
class _CardsAgain(Bettor):
    first: Sequence[Card] = ()

    def play(self, cards: Sequence[Card]) -> Played:
        self.first = self.first or cards
        return super().play(self.first)


@lru_cache(maxsize=16)
def _nobody_draws_of(rules: Rules) -> Behaviour:
    behaviour = behaviour_of(rules)
    return replace(behaviour, stops=dict.fromkeys(behaviour.stops, True))


def _nobody_draws(behaviour: Behaviour) -> Behaviour:
    return _nobody_draws_of(behaviour.rules)


@lru_cache(maxsize=16)
def _reduced_of(rules: Rules) -> Behaviour:
    behaviour = behaviour_of(rules)
    return replace(behaviour, totals={summed: behaviour.totals[summed % 20] for summed in range(50)})


def _reduced(behaviour: Behaviour) -> Behaviour:
    """With totals for sums that go on from an earlier total."""
    return _reduced_of(behaviour.rules)


@lru_cache(maxsize=160)
def _against_of(rules: Rules, third: int) -> Behaviour:
    behaviour = behaviour_of(rules)

    def drew(state: BankerState) -> BankerState:
        return state._replace(player_third=third, player_total=(state.player2 + third) % 10)

    draws = {
        state: banker_draws(behaviour, drew(state)) if state.player_third == NONE else said
        for state, said in behaviour.banker_draws.items()
    }
    return replace(behaviour, banker_draws=draws)


def _against(behaviour: Behaviour, third: int) -> Behaviour:
    """With a banker who takes a player that stood for one who drew this card."""
    return _against_of(behaviour.rules, third)

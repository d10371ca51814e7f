"""What strategies draw is what the rules say it is, and the state machine finds money that goes astray."""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Callable
from fractions import Fraction
from random import Random
from typing import Any

import pytest
from hypothesis import HealthCheck, Phase, find, given, settings
from hypothesis.stateful import run_state_machine_as_test

from oracle import strategies
from oracle.cards import RANKS, Card, parse_cards
from oracle.game.bets import refusals
from oracle.game.coup import play
from oracle.game.rules import Rules
from oracle.game.settle import settle
from oracle.rules.library import Library
from oracle.spans import BadBet, OracleError

Make = Callable[..., Rules]

SHIPPED = {rule_set.id: Rules(spec, rule_set) for spec in Library().specs() for rule_set in spec.rule_sets}
EVERY = pytest.mark.parametrize("id", sorted(SHIPPED))
# The same examples at each run: what has to turn up among them does, or never.
SOME = settings(deadline=None, derandomize=True, max_examples=60, suppress_health_check=list(HealthCheck))
DRAW = settings(SOME, phases=[Phase.generate])


def decks(id: str) -> int:
    said = SHIPPED[id].value("decks")
    return said if isinstance(said, int) else 8


@EVERY
def test_coups_can_be_played_and_come_from_one_shoe(id: str) -> None:
    @SOME
    @given(strategies.coups(SHIPPED[id]))
    def check(cards: tuple[Card, ...]) -> None:
        assert len(cards) == 6
        assert all(cards.count(card) <= decks(id) for card in cards)
        play(SHIPPED[id], cards)

    check()


@pytest.mark.parametrize("state", [{"banker2": 3, "player_third": 8}, {"banker2": 6, "player_third": 6}])
@pytest.mark.slow
def test_rare_cells_come_up(state: dict[str, int]) -> None:
    rules = SHIPPED["home-pt"]

    def there(cards: tuple[Card, ...]) -> bool:
        return any(d.question == "banker_draw" and state.items() <= d.state.items() for d in play(rules, cards).trace)

    assert there(find(strategies.coups(rules), there, settings=settings(SOME, max_examples=20_000), random=Random(1)))


@pytest.mark.slow
def test_the_simplest_coup_is_one_of_aces() -> None:
    least = find(strategies.coups(SHIPPED["home-pt"]), bool, settings=SOME)
    assert {card.rank for card in least} <= {"A", "2", "3", "4", "5", "6"}


@EVERY
def test_shoes_hold_what_the_rules_say(id: str) -> None:
    @settings(SOME, max_examples=5)
    @given(strategies.shoes(SHIPPED[id]))
    def check(cards: list[Card]) -> None:
        assert len(cards) == 52 * decks(id)
        assert all(sum(card.rank == rank for card in cards) == 4 * decks(id) for rank in RANKS)

    check()


def test_a_shoe_of_other_than_the_rules_decks_is_refused() -> None:
    with pytest.raises(OracleError, match="deals from 1 decks, not 8"):
        strategies.shoes(SHIPPED["grid-pt"], decks=8)
    assert len(find(strategies.shoes(SHIPPED["punto-es"], decks=6), bool, settings=DRAW)) == 312


def test_cards_are_cards_with_and_without_suits() -> None:
    @SOME
    @given(strategies.cards(), strategies.cards(suits=False))
    def check(full: Card, bare: Card) -> None:
        assert parse_cards(str(full)) == (full,)
        assert full.suit in "CDHS"
        assert bare.suit == ""

    check()


@EVERY
@pytest.mark.parametrize("balance", [None, 45])
@pytest.mark.slow
def test_bets_are_legal_or_not_as_asked(id: str, balance: int | None) -> None:
    rules = SHIPPED[id]
    has = None if balance is None else Fraction(balance)

    def refused(laid: dict[str, Any]) -> bool:
        stakes = {bet: Fraction(stake) for bet, stake in laid.items()}
        alone = id == "home-pt" and len(laid) != 1  # its one-prediction rule, which is not about bets but about coups
        return alone or bool(list(refusals(rules, stakes, balance=has)))

    @SOME
    @given(strategies.bets(rules, balance=balance), strategies.illegal_bets(rules, balance=balance))
    def check(legal: dict[str, Any], illegal: dict[str, Any]) -> None:
        assert legal
        assert not refused(legal)
        assert refused(illegal)

    check()


def test_every_bet_comes_up_and_more_than_one_at_a_time() -> None:
    rules = SHIPPED["selminha/classica"]
    for bet in rules.bets:
        find(
            strategies.bets(rules),
            lambda laid, bet=bet: bet in laid,
            settings=settings(DRAW, max_examples=500),
        )
    find(
        strategies.bets(rules),
        lambda laid: len(laid) > 2,
        settings=settings(DRAW, max_examples=500),
    )


def test_without_money_there_are_no_legal_bets() -> None:
    with pytest.raises(BadBet, match="no bets of selminha/classica are legal with a balance of 4"):
        strategies.bets(SHIPPED["selminha/classica"], balance=4)


@EVERY
@pytest.mark.slow
def test_sessions_add_up(id: str) -> None:
    rules = SHIPPED[id]

    @settings(SOME, max_examples=25)
    @given(strategies.sessions(rules))
    def check(evening: strategies.Evening) -> None:
        balance = evening.start
        for step in evening.steps:
            laid = {bet: Fraction(stake) for bet, stake in step.bets.items()}
            assert not list(refusals(rules, laid, balance=balance))
            balance += sum(settled.net for settled in settle(rules, play(rules, step.cards), laid))
            assert step.balance == balance

    check()


def test_a_session_begins_and_ends_as_the_rules_say() -> None:
    """home-pt: ten coups from nothing; selminha: 500 at first."""
    evening = find(
        strategies.sessions(SHIPPED["home-pt"]), lambda e: e.ended, settings=settings(DRAW, max_examples=500)
    )
    assert (evening.start, len(evening.steps)) == (0, 10)
    assert find(strategies.sessions(SHIPPED["selminha/classica"]), bool, settings=DRAW).start == 500
    assert find(strategies.sessions(SHIPPED["punto-es"], balance=70), bool, settings=DRAW).start == 70


class Right:
    """Plays and settles by the oracle."""

    rules: Rules
    money: Callable[[Fraction], Any] = Fraction

    def __init__(self, balance: Fraction) -> None:
        self.balance = self.money(balance)

    def play(self, cards: list[str], bets: dict[str, Any]) -> None:
        stakes = {bet: Fraction(stake) for bet, stake in bets.items()}
        if list(refusals(self.rules, stakes, balance=Fraction(self.balance))) or (
            self.rules.id == "home-pt" and len(bets) != 1
        ):
            raise ValueError("refused")
        for settled in settle(self.rules, play(self.rules, parse_cards(cards)), stakes):
            self.balance += self.money(self.net(settled.bet, settled.outcome, settled.net))

    def net(self, bet: str, outcome: str, net: Fraction) -> Fraction:
        return net


class PaysTies(Right):
    """A tie loses the player bet."""

    def net(self, bet: str, outcome: str, net: Fraction) -> Fraction:
        return Fraction(-20) if bet == "player" and outcome == "push" else net


class TakesAnything(Right):
    """Lays whatever it is told to."""

    def play(self, cards: list[str], bets: dict[str, Any]) -> None:
        try:
            super().play(cards, bets)
        except ValueError:
            return


def run(rules: Rules, subject: type[Right], *, refuses: bool = True, examples: int = 100, **more: Any) -> None:
    named = type(subject.__name__, (subject,), {"rules": rules})
    machine = strategies.bankroll_machine(rules, named, refuses=refuses, **more)
    run_state_machine_as_test(machine, settings=settings(DRAW, max_examples=examples, stateful_step_count=12))


@EVERY
@pytest.mark.slow
def test_a_right_bankroll_passes(id: str) -> None:
    run(SHIPPED[id], Right, examples=15)


@pytest.mark.slow
def test_a_wrong_payment_is_found_and_told() -> None:
    with pytest.raises(AssertionError, match=r"home-pt: after .* with player=20 on a balance of .* the balance is "):
        run(SHIPPED["home-pt"], PaysTies)


@pytest.mark.slow
def test_bets_that_should_be_refused_are_found_and_told() -> None:
    with pytest.raises(AssertionError, match=r"home-pt: .* is taken, and the rules refuse it: .{9}"):
        run(SHIPPED["home-pt"], TakesAnything)
    run(SHIPPED["home-pt"], TakesAnything, refuses=False, examples=15)


def test_without_hypothesis_the_message_says_what_to_install() -> None:
    code = "import sys; sys.modules['hypothesis'] = None; import oracle.testing.strategies"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=False)
    assert (
        done.stderr.strip()
        .splitlines()[-1]
        .endswith("oracle.testing.strategies needs hypothesis: python -m pip install 'baccarat-oracle[testing]'")
    )

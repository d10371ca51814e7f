"""A behaviour plays as the rules that it was made of; cases say what the oracle says."""

from __future__ import annotations

import random
from collections.abc import Callable
from fractions import Fraction

import pytest

from oracle.cards import RANKS, SUITS, Card, parse_cards
from oracle.cases.tiers import cases
from oracle.game.bets import refusals
from oracle.game.coup import play as play_by_rules
from oracle.game.rules import Rules, load_rules
from oracle.game.settle import settle
from oracle.programs.behaviour import behaviour_of, net, play
from oracle.programs.cells import consulted, decisions
from oracle.spans import OracleError
from tests.conftest import ROOT, RULE_SETS, mostly_slow
from tests.nonempty import nonempty

Make = Callable[..., Rules]
VARIANTS = ROOT / "tests" / "variants"
DECK = [Card(rank, suit) for rank in RANKS for suit in SUITS]


@pytest.mark.parametrize("id", RULE_SETS)
def test_a_behaviour_plays_and_settles_random_coups_as_the_oracle_does(shipped: dict[str, Rules], id: str) -> None:
    rules = shipped[id]
    behaviour = behaviour_of(rules)
    draw = random.Random(id)
    for _ in range(300):
        cards = draw.sample(DECK, 6)
        coup, played = play_by_rules(rules, cards), play(behaviour, cards)
        assert (played.winner, played.player, played.banker) == (coup.winner, coup.player.cards, coup.banker.cards)
        assert (played.end, played.natural) == (coup.end, coup.natural)
        assert played.alike == (coup.alike["player"], coup.alike["banker"])
        for bet in nonempty(rules.bets):
            (settled,) = settle(rules, coup, {bet: Fraction(15)})
            assert net(behaviour, played, bet, Fraction(15)) == settled.net


@pytest.mark.parametrize("id", mostly_slow(RULE_SETS, "home-pt", "grid-pt"))
def test_cases_expect_what_the_oracle_answers(shipped: dict[str, Rules], id: str) -> None:
    rules = shipped[id]
    for tier in ("totals", "settlement"):
        for case in nonempty(list(cases(rules, tier))[::7]):
            coup = play_by_rules(rules, parse_cards(case.cards))
            expect = case.expect
            assert expect.player is not None
            assert expect.banker is not None
            assert expect.winner == coup.winner
            assert (expect.player.total, expect.banker.total) == (coup.player.total, coup.banker.total)
            assert expect.player.cards == tuple(map(str, coup.player.cards))
            assert expect.banker.cards == tuple(map(str, coup.banker.cards))
            nets = {s.bet: s.net for s in settle(rules, coup, {b: Fraction(s) for b, s in case.bets.items()})}
            assert {bet: Fraction(text) for bet, text in (expect.net or {}).items()} == nets
    for case in nonempty(cases(rules, "bets")):
        stakes = {bet: Fraction(stake) for bet, stake in case.bets.items()}
        balance = None if case.balance is None else Fraction(case.balance)
        assert case.expect.legal == (not list(refusals(rules, stakes, balance=balance)))


def test_the_totals_tier_has_every_end_and_every_cell(shipped: dict[str, Rules]) -> None:
    rules = shipped["home-pt"]
    found = list(cases(rules, "totals"))
    ends = {play_by_rules(rules, parse_cards(case.cards)).end for case in found}
    assert len(found) == len(ends) == 3394
    cells = {cell for case in found for cell in case.cells}
    assert len(cells) == 100 + 8 + 88


@pytest.mark.slow
def test_the_values_tier_has_every_sequence_once(shipped: dict[str, Rules]) -> None:
    values = shipped["home-pt"].points
    seen: dict[int, set[tuple[int, ...]]] = {4: set(), 5: set(), 6: set()}
    count = 0
    for case in cases(shipped["home-pt"], "values"):
        assert len(case.cards) == 6
        used = len(case.expect.player.cards) + len(case.expect.banker.cards)  # type: ignore[union-attr, arg-type]
        seen[used].add(tuple(values[card[0]] for card in case.cards[:used]))
        count += 1
    assert {used: len(found) for used, found in seen.items()} == {4: 4000, 5: 29400, 6: 306000}
    assert count == 339400


def test_cells_are_those_that_the_coup_decides_by(shipped: dict[str, Rules]) -> None:
    behaviour = behaviour_of(shipped["home-pt"])
    played = play(behaviour, parse_cards("4H 2S 9C AD 8D 5C"))
    assert decisions(played) == ("natural 3/3", "player_draw 3", "banker_draw 3/8")
    entries = consulted(behaviour, played, ["banker"])
    assert {"card_points 8", "hand_total 21", "hand_total 3", "winner 1/3", "net banker"} <= entries
    assert "card_points 5" not in entries


def test_cards_come_twice_only_where_decks_have_them_twice(shipped: dict[str, Rules]) -> None:
    for tier in ("totals", "settlement"):
        for case in nonempty(cases(shipped["grid-pt"], tier)):  # one deck
            assert len(set(case.cards)) == 6


def test_free_choices_and_open_states_have_no_behaviour(plain_rules: Make) -> None:
    with pytest.raises(OracleError, match="free choice"):
        behaviour_of(load_rules("chemin-de-fer", folders=[VARIANTS]))
    with pytest.raises(OracleError, match="open"):
        behaviour_of(plain_rules({"banker-free": None}))

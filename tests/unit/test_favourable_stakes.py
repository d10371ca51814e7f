"""Which stakes favour the bettor where payments are rounded: exactly, and in moments where thousands are legal."""

from __future__ import annotations

import time
from collections.abc import Callable
from fractions import Fraction
from pathlib import Path

import pytest

from oracle.checks.claim_context import ClaimContext
from oracle.checks.invariants import check_invariants
from oracle.game.money import round_net, stakes_up_to
from oracle.game.rules import Rules
from oracle.odds.bets import BetOdds, Hit, least_favourable
from oracle.rules.library import Library
from oracle.rules.model import Spec
from tests.nonempty import nonempty

SIX = """
# A six of the banker: half pay on it, spots on it of every kind, winnings rounded up.
source: {id: six, title: A six of the banker, language: en, lines: 9}
extends: {source: home-pt, questions: [card_points, hand_total, deal_order, natural, player_draw,
  banker_draw, winner, reshuffle]}
statements:
  - {id: shoe, cite: "1", says: eight decks, about: decks, then: 8}
  - {id: spots, cite: "2", says: three main spots and five on the side, about: bets_offered,
     then: [player, banker, tie, six, small_six, big_six, six_tie, any_pair]}
  - {id: sets, cite: "2", says: never both hands and nothing on the side alone, about: bets_together, cases: [
     {when: {sides: 2}, then: refused}, {when: {sides: 0, extras: not 0}, then: refused},
     {when: {sides: 1}, then: allowed}, {when: {count: 0}, then: allowed}]}
  - {id: hands, cite: "3", says: hands win even money and come back on a tie, cases: [
     {about: outcome, when: {bet: player, winner: player}, then: win},
     {about: outcome, when: {bet: banker, winner: banker}, then: win},
     {about: outcome, when: {bet: [player, banker], winner: tie}, then: push},
     {about: pays, when: {bet: player}, then: 1:1},
     {about: pays, when: {bet: banker, banker_total: not 6}, then: 1:1},
     {about: pays, when: {bet: banker, banker_total: 6}, then: 1:2}]}
  - {id: ties, cite: "4", says: a tie pays eight, cases: [
     {about: outcome, when: {bet: tie, winner: tie}, then: win}, {about: pays, when: {bet: tie}, then: 8:1}]}
  - {id: sixes, cite: "5", says: a six that wins, cases: [
     {about: outcome, when: {bet: six, winner: banker, banker_total: 6}, then: win},
     {about: outcome, when: {bet: small_six, winner: banker, banker_total: 6, banker_cards: 2}, then: win},
     {about: outcome, when: {bet: big_six, winner: banker, banker_total: 6, banker_cards: 3}, then: win},
     {about: outcome, when: {bet: six_tie, winner: tie, banker_total: 6}, then: win},
     {about: pays, when: {bet: six, banker_cards: 2}, then: 12:1},
     {about: pays, when: {bet: six, banker_cards: 3}, then: 20:1},
     {about: pays, when: {bet: small_six}, then: 22:1}, {about: pays, when: {bet: big_six}, then: 50:1},
     {about: pays, when: {bet: six_tie}, then: 35:1}]}
  - {id: pairs, cite: "6", says: one pair or two, cases: [
     {about: outcome, when: {bet: any_pair, player_pair: [rank, card]}, then: win},
     {about: outcome, when: {bet: any_pair, banker_pair: [rank, card]}, then: win},
     {about: pays, when: {bet: any_pair, player_pair: [none, value]}, then: 4:1},
     {about: pays, when: {bet: any_pair, banker_pair: [none, value]}, then: 4:1},
     {about: pays, when: {bet: any_pair, player_pair: [rank, card], banker_pair: [rank, card]}, then: 20:1}]}
  - {id: stakes, cite: "8", says: least and most, about: stake, cases: [
     {when: {bet: [player, banker, tie], stake: 25-5000}, then: allowed},
     {when: {bet: [six, small_six, big_six, six_tie, any_pair], stake: 5-200}, then: allowed}]}
  - {id: rounded, cite: "9", says: winnings go up to a whole unit, about: rounding, then: up to 1}
resolutions: [{convention: losing-bets-lose, because: only what wins is listed}]
"""
MakeRules = Callable[..., Rules]


def said(id: str, text: str) -> str:
    return f"  - {{id: {id}, cite: '22', says: x, {text}}}\n"


def judged(spec: Spec) -> tuple[str, str]:
    """What becomes of the invariant about favourable stakes."""
    context = ClaimContext([spec])
    (found,) = (i for i in check_invariants(context.tables(spec)[0], context) if i.name == "no-gift")
    return found.verdict, found.evidence


@pytest.fixture
def six(tmp_path: Path) -> Callable[[str, str], Spec]:
    """Eight bets, five on the side, thousands of stakes, winnings in whole units; with a change."""

    def make(old: str, new: str) -> Spec:
        assert old in SIX
        (tmp_path / "six.yaml").write_text(SIX.replace(old, new), encoding="utf-8")
        return Library((tmp_path,)).spec("six")

    return make


def test_a_table_with_thousands_of_stakes_takes_seconds(six: Callable[[str, str], Spec]) -> None:
    begun = time.perf_counter()
    verdict, evidence = judged(six("up to 1", "up to 1"))
    assert time.perf_counter() - begun < 10, "it took more than three minutes to try each stake in each state"
    assert verdict == "verified"
    assert evidence.endswith("and no legal stake changes that by rounding up to 1")


def test_a_small_stake_that_rounding_favours_is_found(six: Callable[[str, str], Spec]) -> None:
    """With a six a stake of one wins one instead of a half, so that the banker's bet has no edge left for the house."""
    assert judged(six("stake: 25-5000", "stake: 1-5000")) == (
        "refuted",
        "1 on banker favours the bettor, as payments are rounded up to 1",
    )
    assert judged(six("up to 1", "up to 100"))[0] == "refuted"


def slowly(rules: Rules, odds: BetOdds, top: int) -> int | None:
    """By trying every legal stake."""
    for stake in stakes_up_to(rules, odds.bet, top):
        nets = [
            (hit, round_net(rules, hit.net * stake) if hit.outcome == "win" else hit.net * stake) for hit in odds.hits
        ]
        if sum((net * hit.sequences for hit, net in nets), Fraction(0)) > 0:
            return stake
    return None


TABLES = ('stake: ">= 3"', "stake: multiple of 7", "stake: 10-90", "stake: [17, 40-400]", "")
HITS = [
    [("win", "1", 49), ("lose", "-1", 50)],
    [("win", "19/20", 50), ("lose", "-1", 48), ("push", "0", 9)],
    [("win", "1/2", 20), ("win", "1", 40), ("lose", "-1", 50)],
    [("win", "1/2", 21), ("win", "1", 40), ("lose", "-1", 50)],
    [("win", "3/7", 7), ("win", "11/20", 20), ("lose", "-1", 15)],
    [("win", "8", 10), ("lose", "-1", 80)],
    [("win", "50", 1), ("lose", "-1", 51)],
    [("lose", "-1", 1)],
]


@pytest.mark.parametrize("rounding", ["up to 1", "down to 5", "nearest 2", "up to 50", "exact"])
@pytest.mark.parametrize("table", TABLES)
def test_it_is_the_stake_that_trying_each_finds(plain_rules: MakeRules, rounding: str, table: str) -> None:
    stakes = said("stakes", f"about: stake, then: allowed, when: {{{table}}}") if table else ""
    rules = plain_rules(add=said("rounded", f"about: rounding, then: {rounding}") + stakes)
    for hits in nonempty(HITS):
        total = sum(count for *_, count in hits)
        odds = BetOdds("player", total, tuple(Hit(word, Fraction(net), count) for word, net, count in hits))
        assert least_favourable(rules, odds) == slowly(rules, odds, 5_000), (hits, rounding, table)

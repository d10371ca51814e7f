"""The fast counts against two slow ones that share nothing with them, not even the rules: plain loops and integers.

One walks every sequence of card values that a coup can use and multiplies what is left of each value. The other deals
every order of a small shoe, card by card, and so knows ranks and suits.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from fractions import Fraction
from functools import cache
from itertools import permutations
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from oracle.cards import RANKS, SUITS
from oracle.game.rules import Rules, load_rules
from oracle.odds.composition import Composition, parse_shoe
from oracle.odds.counts import Odds
from oracle.odds.removal import removal
from oracle.rules.library import Library

VARIANTS = Path(__file__).resolve().parents[1] / "variants"
WORTH = {"A": 1, **{str(n): n for n in range(2, 10)}, "T": 0, "J": 0, "Q": 0, "K": 0}
End = tuple[int, int, int | str, int | str, int, int]


def player_draws(player: int) -> bool:
    return player <= 5


def banker_draws(banker: int, third: int | None) -> bool:
    """The table as every casino prints it."""
    if third is None or banker <= 2:
        return banker <= 5
    if banker == 3:
        return third != 8
    return {4: 2, 5: 4, 6: 6}.get(banker, 8) <= third <= 7


def end_of(values: tuple[int, ...]) -> tuple[End, int] | None:
    """How a coup with these values ends, and how many cards it uses; None if it needs more of them."""
    player, banker = (values[0] + values[2]) % 10, (values[1] + values[3]) % 10
    if player > 7 or banker > 7:
        return (player, banker, "none", "none", player, banker), 4
    used, third, fourth = 4, None, None
    if player_draws(player):
        if len(values) == used:
            return None
        third = values[used]
        used += 1
    if banker_draws(banker, third):
        if len(values) == used:
            return None
        fourth = values[used]
        used += 1
    totals = (player + (third or 0)) % 10, (banker + (fourth or 0)) % 10
    cards = ("none" if third is None else third, "none" if fourth is None else fourth)
    return (player, banker, *cards, *totals), used


def by_values(left: list[int], *, endless: bool) -> Counter[End]:
    """Sequences of six cards by end, from a shoe of so many cards of each value."""
    found: Counter[End] = Counter()
    size = sum(left)

    def deal(values: tuple[int, ...], ways: int) -> None:
        reached = end_of(values) if len(values) >= 4 else None
        if reached is not None:
            end, used = reached
            for place in range(used, 6):
                ways *= size if endless else size - place
            found[end] += ways
            return
        for value in range(10):
            if left[value] > 0:
                more = ways * left[value]
                if not endless:
                    left[value] -= 1
                deal((*values, value), more)
                if not endless:
                    left[value] += 1

    deal((), 1)
    return found


def by_cards(shoe: list[tuple[str, str]]) -> Counter[tuple[End, str, str]]:
    """Orders of six cards out of a small shoe by end, and by how alike the first two of each hand are."""
    found: Counter[tuple[End, str, str]] = Counter()
    for cards in permutations(shoe, 6):
        reached = end_of(tuple(WORTH[rank] for rank, _ in cards))
        assert reached is not None
        found[reached[0], alike(cards[0], cards[2]), alike(cards[1], cards[3])] += 1
    return found


def alike(one: tuple[str, str], two: tuple[str, str]) -> str:
    if one == two:
        return "card"
    if one[0] == two[0]:
        return "rank"
    return "value" if WORTH[one[0]] == WORTH[two[0]] else "none"


def stock(composition: Composition) -> list[int]:
    left = [0] * 10
    for rank, count in composition.ranks.items():
        left[WORTH[rank]] += count
    return left


@cache
def home() -> Rules:
    return load_rules("home-pt")


@cache
def pair_bets() -> Rules:
    spec = Library().load(VARIANTS / "pair-bets.yaml")
    return Rules(spec, spec.rule_sets[0])


def assert_counts(composition: Composition) -> None:
    odds = Odds(home(), composition)
    naive = by_values(stock(odds.composition), endless=odds.composition.endless)
    assert {end: count for end, count in odds.ends.items() if count} == naive
    sides: Counter[str] = Counter()
    for end, count in naive.items():
        sides["tie" if end[4] == end[5] else "player" if end[4] > end[5] else "banker"] += count
    assert odds.outcomes == {side: sides[side] for side in ("player", "banker", "tie")}
    assert sum(naive.values()) == odds.total


def test_the_walk_is_complete() -> None:
    """4,000, 29,400 and 306,000 sequences of values with four, five and six cards."""
    assert sum(by_values([1] * 10, endless=True).values()) == 10**6


SHOES = ["1 deck", "2 decks", "4 decks", "6 decks", "8 decks", "12 decks", "16 decks", "endless"]


@pytest.mark.parametrize(
    "shoe", [pytest.param(shoe, marks=() if shoe in ("8 decks", "endless") else pytest.mark.slow) for shoe in SHOES]
)
def test_full_shoes(shoe: str) -> None:
    assert_counts(parse_shoe(shoe))


def test_a_shoe_too_large_for_64_bits() -> None:
    """3,000 decks: 156,000 cards, and about 10^31 sequences of six."""
    composition = Composition.full(3000)
    assert Odds(home(), composition).total > 2**63
    assert_counts(composition)


def test_the_largest_shoe_for_64_bits_and_the_one_after_it() -> None:
    """n (n - 1) … (n - 5) passes 2^63 between 1,450 and 1,451 cards."""
    for cards in (1450, 1451):
        odds = Odds(home(), Composition({"A": 100, "5": cards - 400, "9": 100, "K": 200}))
        assert (odds.total < 2**63) == (cards == 1450)
        naive = by_values([200, 100, 0, 0, 0, cards - 400, 0, 0, 0, 100], endless=False)
        assert {end: count for end, count in odds.ends.items() if count} == naive


few = settings(max_examples=6, deadline=None, suppress_health_check=[HealthCheck.too_slow])


@few
@given(st.dictionaries(st.sampled_from(RANKS), st.integers(0, 50), min_size=3).filter(lambda r: sum(r.values()) > 5))
@pytest.mark.slow
def test_any_composition(ranks: dict[str, int]) -> None:
    assert_counts(Composition(ranks))


CARDS = [(rank, suit) for rank in RANKS for suit in SUITS]


@settings(max_examples=25, deadline=None, suppress_health_check=[HealthCheck.too_slow])
@given(
    st.lists(
        st.one_of(
            st.sampled_from(CARDS),
            st.sampled_from([("K", "H"), ("K", "S"), ("Q", "H"), ("T", "C")]),
            st.sampled_from([("5", "H"), ("5", "S"), ("A", "C")]),
        ),
        min_size=6,
        max_size=8,
    )
)
@pytest.mark.slow
def test_ranks_and_suits(shoe: list[tuple[str, str]]) -> None:
    """Ends and how alike first cards are, jointly, over every order of a small shoe."""
    assert_cards(shoe)


@pytest.mark.parametrize(
    "shoe", ["KH KH KH KH QH QH 5S 5S", "KH KH KS KS KC QD QD TD", "5H 5H 5H 5S 5S 5C AC 9D", "AH AS 2H 2S 3H 3S"]
)
def test_ranks_and_suits_of_pairs_among_one_value(shoe: str) -> None:
    assert_cards([(card[0], card[1]) for card in shoe.split()])


def assert_cards(shoe: list[tuple[str, str]]) -> None:
    held = Counter(shoe)
    suited = {rank: {suit: held[rank, suit] for suit in SUITS} for rank in RANKS}
    composition = Composition({rank: sum(suits.values()) for rank, suits in suited.items()}, suited=suited)
    odds = Odds(pair_bets(), composition)
    naive = by_cards(shoe)
    space = odds.alike_space
    found = {(row[:6], row[6], row[7]): count for row, count in zip(space.rows, space.counts, strict=True)}
    assert found == naive
    perfect = {
        kind: sum(count for (_, player, banker), count in naive.items() if (player, banker).count("card") == kind)
        for kind in (0, 1, 2)
    }
    nets = {int(hit.net): hit.sequences for hit in odds.bet("perfect_pair").hits}
    assert {-1: perfect[0], 25: perfect[1], 200: perfect[2]} == {net: nets.get(net, 0) for net in (-1, 25, 200)}
    either = sum(n for (_, *kinds), n in naive.items() if {"rank", "card"} & set(kinds))
    assert odds.bet("either_pair").hit * odds.total == either


@pytest.mark.exhaustive
def test_every_sequence_of_ranks_of_eight_decks() -> None:
    """The ends and the pairs of both hands, jointly, from all 1,659,001 sequences of ranks that coups use."""
    left = dict.fromkeys(RANKS, 32)
    naive: Counter[tuple[End, bool, bool]] = Counter()

    def deal(ranks: tuple[str, ...], ways: int) -> None:
        reached = end_of(tuple(WORTH[rank] for rank in ranks)) if len(ranks) >= 4 else None
        if reached is not None:
            end, used = reached
            for place in range(used, 6):
                ways *= 416 - place
            naive[end, ranks[0] == ranks[2], ranks[1] == ranks[3]] += ways
            return
        for rank in RANKS:
            more = ways * left[rank]
            left[rank] -= 1
            deal((*ranks, rank), more)
            left[rank] += 1

    deal((), 1)
    found: Counter[tuple[End, bool, bool]] = Counter()
    space = Odds(pair_bets()).alike_space
    for row, count in zip(space.rows, space.counts, strict=True):
        end: End = row[:6]  # type: ignore[assignment]
        found[end, row[6] in ("rank", "card"), row[7] in ("rank", "card")] += count
    assert found == naive


@pytest.mark.slow
def test_cells_are_what_coups_come_to() -> None:
    """How often each cell of the tableau is asked, against the walk."""
    naive = by_values(stock(Composition.full(8)), endless=False)
    expected: dict[str, Counter[tuple[int | str, ...]]] = {"player_draw": Counter(), "banker_draw": Counter()}
    for end, count in naive.items():
        if end[0] < 8 and end[1] < 8:
            expected["player_draw"][end[0],] += count
            expected["banker_draw"][end[1], end[2]] += count
    odds = Odds(home())
    assert odds.cells("player_draw") == expected["player_draw"]
    assert odds.cells("banker_draw") == expected["banker_draw"]
    assert len(odds.cells("banker_draw")) == 88


@pytest.mark.slow
def test_what_one_card_less_changes() -> None:
    """The edges of player, banker and tie, without one card of a rank, from the walk alone."""
    found = removal(Odds(home()))
    before = edges(stock(Composition.full(8)))
    for rank in ("A", "4", "6", "9", "K"):
        left = stock(Composition.full(8))
        left[WORTH[rank]] -= 1
        after = edges(left)
        assert found[rank] == {bet: after[bet] - before[bet] for bet in before}
    assert found["T"] == found["J"] == found["Q"] == found["K"]


def edges(left: list[int]) -> dict[str, Fraction]:
    """The edges of a table that pays 1:1, 19:20 and 8:1, and returns bets on hands on a tie."""
    wins: Counter[str] = Counter()
    for end, count in by_values(left, endless=False).items():
        wins["tie" if end[4] == end[5] else "player" if end[4] > end[5] else "banker"] += count
    total = sum(wins.values())
    return {
        "player": Fraction(wins["banker"] - wins["player"], total),
        "banker": (wins["player"] - Fraction(19, 20) * wins["banker"]) / total,
        "tie": Fraction(total - 9 * wins["tie"], total),
    }


def worked_out_shoes() -> Iterator[tuple[str, dict[str, int]]]:
    """Six cards alone: every order ends alike, 720 of them."""
    yield "4=6", {"tie": 720}  # 8 against 8
    yield "K=6", {"tie": 720}
    yield "A=6", {"tie": 720}  # 2 and 1 against 2 and 1


@pytest.mark.parametrize(("shoe", "expected"), list(worked_out_shoes()))
def test_shoes_of_one_rank(shoe: str, expected: dict[str, int]) -> None:
    odds = Odds(home(), parse_shoe(shoe))
    assert {side: count for side, count in odds.outcomes.items() if count} == expected

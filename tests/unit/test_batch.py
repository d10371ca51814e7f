"""Coups by the million come out as coups one by one."""

from __future__ import annotations

from collections.abc import Callable
from functools import cache
from itertools import product

import numpy as np
import pytest

from oracle.cards import RANKS, SUITS, Card
from oracle.game.batch import WINNERS, Batch, Bytes
from oracle.game.coup import play
from oracle.game.rules import Rules
from oracle.game.tables import Tables
from oracle.rules.library import Library
from oracle.spans import BadCards, BadChoice, OracleError, Undecided
from tests.conftest import RULE_SETS, mostly_slow

Make = Callable[..., Rules]
Told = tuple[str, int, int, int, int]

SHIPPED = {rule_set.id: Rules(spec, rule_set) for spec in Library().specs() for rule_set in spec.rule_sets}
RANK = {0: "K", 1: "A", **{value: str(value) for value in range(2, 10)}}
EVERY = pytest.mark.parametrize("id", sorted(SHIPPED))


@cache
def batch(id: str) -> Batch:
    return Batch(SHIPPED[id])


def told(results: object, i: int) -> Told:
    """One coup of the results: winner, totals, numbers of cards."""
    winner, *rest = (int(getattr(results, name)[i]) for name in results.__struct_fields__)  # type: ignore[attr-defined]
    return (WINNERS[winner], *rest)  # type: ignore[return-value]


def played(rules: Rules, cards: list[Card]) -> Told:
    coup = play(rules, cards)
    return coup.winner, coup.player.total, coup.banker.total, len(coup.player.cards), len(coup.banker.cards)


def shoes(decks: int, count: int, seed: int) -> tuple[Bytes, Bytes]:
    """The first six cards of shuffled shoes, as ranks and suits."""
    draw = np.random.default_rng(seed).integers(0, 52 * decks, (6, count))
    while (again := (np.diff(np.sort(draw, axis=0), axis=0) == 0).any(axis=0)).any():
        draw[:, again] = np.random.default_rng(seed + 1).integers(0, 52 * decks, (6, int(again.sum())))
        seed += 1
    return (draw % 13).astype(np.uint8), (draw // 13 % 4).astype(np.uint8)


def decks_of(rules: Rules) -> int:
    decks = rules.value("decks")
    return decks if isinstance(decks, int) else 8


def values_of(rules: Rules, ranks: Bytes) -> Bytes:
    return np.array([rules.points[rank] for rank in RANKS], dtype=np.uint8)[ranks]


@pytest.mark.parametrize("id", mostly_slow(RULE_SETS, "home-pt", "selminha/classica"))
def test_random_shoes_come_out_as_played_one_by_one(id: str) -> None:
    rules = SHIPPED[id]
    ranks, suits = shoes(decks_of(rules), 20_000, seed=1)
    by_values, by_ranks = batch(id).play(values_of(rules, ranks)), batch(id).play_ranks(ranks)
    tables = Tables(rules)
    for i in range(20_000):
        one = tables.play([rules.points[RANKS[rank]] for rank in ranks[:, i]])
        found = told(by_values, i)
        assert (*found[:3], found[3] + found[4]) == (one.winner, one.player_total, one.banker_total, one.cards_used)
        assert told(by_ranks, i) == found
        if i < 400:
            assert played(rules, [Card(RANKS[r], SUITS[s]) for r, s in zip(ranks[:, i], suits[:, i], strict=True)]) == (
                found
            )
    assert by_values.cards_used.tolist() == (by_values.player_cards + by_values.banker_cards).tolist()


@pytest.mark.parametrize("id", mostly_slow(RULE_SETS, "home-pt"))
def test_the_standard_tableau_written_down_again_gives_the_same(id: str) -> None:
    """All million sequences of six values, against arithmetic of our own on arrays."""
    v = np.array(list(product(range(10), repeat=6)), dtype=np.uint8).T
    found = batch(id).play(v)
    player, banker = (v[0] + v[2]) % 10, (v[1] + v[3]) % 10
    goes_on = (player < 8) & (banker < 8)
    player_draws = goes_on & (player <= 5)
    third = v[4].astype(int)
    row = {3: (0, 7), 4: (2, 7), 5: (4, 7), 6: (6, 7)}
    banker_draws = goes_on & ~player_draws & (banker <= 5)
    banker_draws |= player_draws & (banker <= 2)
    for total, (low, high) in row.items():
        drawn = (third >= low) & (third <= high) | (total == 3) & (third == 9)
        banker_draws |= player_draws & (banker == total) & drawn
    player = np.where(player_draws, (player + v[4]) % 10, player)
    banker = np.where(banker_draws, (banker + np.where(player_draws, v[5], v[4])) % 10, banker)
    assert (found.player_total == player).all()
    assert (found.banker_total == banker).all()
    assert (found.player_cards == 2 + player_draws).all()
    assert (found.banker_cards == 2 + banker_draws).all()
    assert (found.winner == np.where(player == banker, 2, np.where(player > banker, 0, 1))).all()
    assert found.wins() == {"player": int((player > banker).sum()), "banker": int((player < banker).sum()),
                            "tie": int((player == banker).sum())}  # fmt: skip


@pytest.mark.slow
@pytest.mark.exhaustive
@EVERY
def test_every_sequence_of_values_and_a_million_shoes_come_out_as_the_oracle_plays_them(id: str) -> None:
    rules = SHIPPED[id]
    deck = decks_of(rules)
    copies = {value: list(rules.points.values()).count(value) * 4 * deck for value in range(10)}
    tables = Tables(rules)
    sequences: list[tuple[int, ...]] = []
    for four in product(range(10), repeat=4):
        stopped = tables.play([*four, 0, 0]).cards_used == 4
        for fifth in (0,) if stopped else range(10):
            # whether a sixth card is needed can't depend on it
            done = stopped or tables.play([*four, fifth, 0]).cards_used == 5
            sequences += [(*four, fifth, sixth) for sixth in ((0,) if done else range(10))]
    assert len(sequences) == 339_400
    found = batch(id).play(np.array(sequences, dtype=np.uint8).T)
    oracle: dict[tuple[int, ...], Told] = {}
    for i, values in enumerate(sequences):
        one = tables.play(values)
        result = told(found, i)
        assert (*result[:3], result[3] + result[4]) == (
            one.winner, one.player_total, one.banker_total, one.cards_used,
        )  # fmt: skip
        used = values[: one.cards_used]
        if all(used.count(value) <= copies[value] for value in used):  # else no shoe has these cards
            oracle[used] = played(rules, laid(used, rules, deck))
            assert result == oracle[used]
    ranks, _ = shoes(deck, 1_000_000, seed=2)
    values_of_shoes = values_of(rules, ranks)
    by_ranks, by_values = batch(id).play_ranks(ranks), batch(id).play(values_of_shoes)
    for name in ("winner", "player_total", "banker_total", "player_cards", "banker_cards"):
        assert (getattr(by_ranks, name) == getattr(by_values, name)).all()
    columns = [getattr(by_values, name).tolist() for name in by_values.__struct_fields__]
    for values, used, *result in zip(zip(*values_of_shoes.tolist(), strict=True), by_values.cards_used.tolist(),
                                     *columns, strict=True):  # fmt: skip
        assert oracle[values[:used]] == (WINNERS[result[0]], *result[1:])


def laid(values: tuple[int, ...], rules: Rules, decks: int) -> list[Card]:
    """Cards of these values, none oftener than the shoe has it."""
    taken: dict[int, int] = {}
    cards = []
    for value in values:
        of_value = [Card(rank, suit) for rank in RANKS if rules.points[rank] == value for suit in SUITS]
        turn = taken.get(value, 0)
        taken[value] = turn + 1
        assert turn < len(of_value) * decks
        cards.append(of_value[turn % len(of_value)])
    return cards


def test_nothing_is_played_for_nothing() -> None:
    found = batch("home-pt").play(np.empty((6, 0), dtype=np.uint8))
    assert found.winner.shape == (0,)
    assert found.wins() == {"player": 0, "banker": 0, "tie": 0}


def test_six_arrays_will_do_and_need_not_be_contiguous() -> None:
    coups = np.array([[4, 2, 9, 1, 8, 5], [4, 2, 9, 1, 7, 5], [8, 9, 0, 0, 1, 1]], dtype=np.uint8)
    for cards in (coups.T, list(coups.T), tuple(np.ascontiguousarray(coups.T))):
        found = batch("home-pt").play(cards)
        assert [told(found, i) for i in range(3)] == [
            ("banker", 1, 3, 3, 2), ("banker", 0, 8, 3, 3), ("banker", 8, 9, 2, 2),
        ]  # fmt: skip


@pytest.mark.parametrize(
    ("cards", "said"),
    [
        (np.zeros((5, 3), dtype=np.uint8), r"shape \(6, n\), or as six arrays of n: these are \(5, 3\)"),
        (np.zeros((6, 3, 1), dtype=np.uint8), r"these are \(6, 3, 1\)"),
        (np.zeros(6, dtype=np.uint8), r"these are \(6,\)"),
        ([np.zeros(3, dtype=np.uint8)] * 5 + [np.zeros(2, dtype=np.uint8)], r"these are .*\(2,\)"),
        (np.zeros((6, 3)), "uint8, not float64"),
        ([[0, 1, 2]] * 6, "uint8, not list"),
    ],
)
def test_cards_in_another_shape_are_refused(cards: object, said: str) -> None:
    for ask in (batch("home-pt").play, batch("home-pt").play_ranks):
        with pytest.raises(BadCards, match=said):
            ask(cards)  # type: ignore[arg-type]


def test_what_no_card_is_is_refused_even_if_the_coup_doesnt_need_it() -> None:
    cards = np.zeros((6, 40_000), dtype=np.uint8)
    cards[5, 39_000] = 10
    with pytest.raises(BadCards, match="coup 39000, sixth card: 10 is not the value of a card"):
        batch("home-pt").play(cards)
    cards[5, 39_000] = 13
    with pytest.raises(BadCards, match="coup 39000, sixth card: 13 is not a rank"):
        batch("home-pt").play_ranks(cards)


POINTS = """\
  - id: points
    cite: "1"
    says: no card counts nine
    about: card_points
    cases:
      - {when: {rank: A}, then: 1}
      - {when: {rank: 2-8}, then: face}
      - {when: {rank: [9, 10, J, Q, K]}, then: 0}
"""
DEAL = "  - {id: deal, cite: '3', says: x, about: deal_order, then: player}\n"


def test_a_value_that_no_rank_has_is_refused(plain_rules: Make) -> None:
    rules = plain_rules({"points": POINTS})
    ranks = np.full((6, 1), 8, dtype=np.uint8)
    assert told(Batch(rules).play_ranks(ranks), 0)[:1] == ("tie",), "nines count nothing here"
    with pytest.raises(BadCards, match="coup 0, first card: 9 is not the value of a card"):
        Batch(rules).play(np.full((6, 1), 9, dtype=np.uint8))


def test_rules_that_leave_something_open_cant_be_compiled(plain_rules: Make) -> None:
    player = "  - {id: player, cite: '5', says: x, about: player_draw, when: {player2: 0-5}, then: draw}\n"
    with pytest.raises(Undecided, match="player_draw"):
        Batch(plain_rules({"player": player}))
    points = "  - {id: points, cite: '1', says: x, about: card_points, when: {rank: A-9}, then: face}\n"
    with pytest.raises(Undecided, match="card_points"):
        Batch(plain_rules({"points": points}))
    total = "  - {id: total, cite: '2', says: x, about: hand_total, when: {sum: '< 20'}, then: units}\n"
    with pytest.raises(Undecided, match="hand_total"):
        Batch(plain_rules({"total": total}))
    choice = """\
  - id: player
    cite: "5"
    says: x
    about: player_draw
    cases:
      - {when: {player2: 5}, then: draw | stand}
      - {when: {player2: 0-4}, then: draw}
      - {when: {player2: 6-7}, then: stand}
"""
    with pytest.raises(BadChoice, match="player2 5"):
        Batch(plain_rules({"player": choice}, tail="choosers: {player_draw: player}\n"))


def test_hands_of_other_than_two_cards_cant_be_compiled(plain_rules: Make) -> None:
    with pytest.raises(OracleError, match="4 of the first four cards to the player, not two"):
        Batch(plain_rules({"deal": DEAL}))


def test_cards_may_be_dealt_in_another_order_and_naturals_may_beat_ties(plain_rules: Make) -> None:
    deal = """\
  - {id: one, cite: "3", says: x, about: deal_order, when: {position: 1-2}, then: player}
  - {id: two, cite: "3", says: x, about: deal_order, when: {position: 3-4}, then: banker}
"""
    winner = """\
  - id: winner
    cite: "18"
    says: equal totals are the banker's unless both have a natural
    about: winner
    cases:
      - {when: {higher: player}, then: player}
      - {when: {higher: banker}, then: banker}
      - {when: {higher: equal, natural: none}, then: banker}
      - {when: {higher: equal, natural: both}, then: tie}
"""
    batch = Batch(plain_rules({"deal": deal, "winner": winner}))
    coups = np.array([[4, 5, 8, 0, 0, 0], [6, 0, 0, 6, 0, 0], [9, 0, 0, 9, 5, 5]], dtype=np.uint8)
    found = batch.play(coups.T)
    assert [told(found, i) for i in range(3)] == [
        ("player", 9, 8, 2, 2), ("banker", 6, 6, 2, 2), ("tie", 9, 9, 2, 2),
    ]  # fmt: skip

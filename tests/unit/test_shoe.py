"""Shoes: the generator, the shuffle, when a table shuffles again, and how many coups are certain."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Sequence
from itertools import islice, pairwise
from pathlib import Path

import pytest

from oracle.cards import Card, parse_card
from oracle.game.coup import play
from oracle.game.rules import Rules, load_rules
from oracle.game.shoe import Shoe, SplitMix64, certain_coups, full_shoe
from oracle.spans import BadCards, OracleError, Undecided
from tests.nonempty import nonempty

Make = Callable[..., Rules]
ROOT = Path(__file__).resolve().parents[2]
MASK = 2**64 - 1


# --- the generator, by its published vectors and by a second implementation ----------------------


def test_splitmix64_gives_its_published_outputs() -> None:
    """The vectors of the reference implementation for seed 1234567."""
    generator = SplitMix64(1234567)
    assert [generator.next() for _ in range(5)] == [
        6457827717110365317,
        3203168211198807973,
        9817491932198370423,
        4593380528125082431,
        16408922859458223821,
    ]


def outputs(seed: int) -> list[int]:
    """The first thousand outputs from a seed: state n is the seed and n times the golden gamma."""
    found = []
    for n in range(1, 1001):
        z = (seed + n * 0x9E3779B97F4A7C15) & MASK
        z = (z ^ (z >> 30)) * 0xBF58476D1CE4E5B9 & MASK
        z = (z ^ (z >> 27)) * 0x94D049BB133111EB & MASK
        found.append(z ^ (z >> 31))
    return found


def shuffled(decks: int, seed: int) -> list[str]:
    """The shuffled shoe, as the module's text describes it and nothing else."""
    cards = [f"{rank}{suit}" for _ in range(decks) for suit in "CDHS" for rank in "A23456789TJQK"]
    stream = iter(outputs(seed))
    for last in range(len(cards) - 1, 0, -1):
        n = last + 1
        output = next(o for o in stream if o < 2**64 - 2**64 % n)
        other = output % n
        cards[last], cards[other] = cards[other], cards[last]
    return cards


@pytest.mark.parametrize("seed", [0, 1, 7, 1234567, MASK])
def test_a_seed_gives_the_shoe_that_the_text_describes(shipped: dict[str, Rules], seed: int) -> None:
    shoe = Shoe(shipped["selminha/classica"], seed)
    assert [str(card) for card in shoe.cards] == shuffled(8, seed)


def test_numbers_below_n_are_rejected_above_the_last_whole_run() -> None:
    """With n = 3 * 2^62 a quarter of the outputs is out; the others are as they are, mod n."""
    n = 3 * 2**62
    kept = [output for output in outputs(42) if output < 2**64 - 2**64 % n]
    assert len(kept) < 1000
    generator = SplitMix64(42)
    assert [generator.below(n) for _ in kept] == [output % n for output in kept]


def test_a_shoe_holds_every_card_of_its_decks() -> None:
    counts = Counter(full_shoe(3))
    assert len(counts) == 52
    assert set(counts.values()) == {3}
    assert [str(card) for card in full_shoe(1)[:14]] == [*(f"{r}C" for r in "A23456789TJQK"), "AD"]


# --- dealing --------------------------------------------------------------------------------------


def test_coups_come_off_the_front_of_the_shuffled_order(shipped: dict[str, Rules]) -> None:
    order = shuffled(8, 11)
    place = 0
    for dealt in nonempty(islice(Shoe(shipped["selminha/classica"], 11), 40)):
        coup, left = dealt.coup, 416 - place
        assert dealt.remaining == left
        player, banker = [str(c) for c in coup.player.cards], [str(c) for c in coup.banker.cards]
        taken = order[place : place + coup.cards_used]
        assert [player[0], banker[0], player[1], banker[1]] == taken[:4]
        assert player[2:] + banker[2:] == taken[4:]
        place += coup.cards_used


def test_the_same_seed_deals_the_same_coups(shipped: dict[str, Rules]) -> None:
    rules = shipped["selminha/classica"]
    first, second, other = ([dealt.coup.end for dealt in islice(Shoe(rules, seed), 100)] for seed in (5, 5, 6))
    assert first == second
    assert first != other


@pytest.mark.slow
def test_selminha_never_starts_a_coup_with_fewer_than_63_cards(shipped: dict[str, Rules]) -> None:
    """5.2: 15 % of 416 is 62.4, so 63 cards still deal and 62 are shuffled, before a coup and never within one."""
    remaining = []
    for seed in range(12):
        shoe = Shoe(shipped["selminha/classica"], seed)
        dealt = list(islice(shoe, 250))
        assert [d.remaining for d in dealt if d.shuffled] == [416] * shoe.shuffles
        for before, after in pairwise(dealt):
            left = before.remaining - before.coup.cards_used
            assert after.shuffled == (left * 100 <= 15 * 416), left
        remaining += [d.remaining for d in dealt]
    assert min(remaining) >= 63
    assert 62 < min(remaining) <= 68, "the boundary is met"


def test_the_boundary_of_fifteen_per_cent_lies_between_63_and_62(shipped: dict[str, Rules]) -> None:
    evaluation = shipped["selminha/classica"].evaluation("reshuffle")
    answers = {row[0]: evaluation.answer(i)[0] for i, row in enumerate(evaluation.space.rows) if row[1] == "later"}
    assert {left for left, answer in answers.items() if answer == "shuffle"} == set(range(63))
    assert answers[63] == "deal"
    assert certain_coups(shipped["selminha/classica"]).least_start == 63
    assert certain_coups(shipped["selminha/classica"]).coups is None, "every coup can be finished"


def test_home_pt_shuffles_before_every_coup(shipped: dict[str, Rules]) -> None:
    """9.4: all cards are gathered and shuffled after each coup."""
    shoe = Shoe(shipped["home-pt"], 1)
    dealt = list(islice(shoe, 30))
    assert [(d.remaining, d.shuffled) for d in dealt] == [(416, True)] * 30
    assert shoe.shuffles == 30


def test_grid_pt_ends_when_its_deck_does(shipped: dict[str, Rules]) -> None:
    for seed in range(20):
        shoe = Shoe(shipped["grid-pt"], seed)
        dealt = list(shoe)
        assert len(dealt) >= 8
        assert shoe.shuffles == 1
        left = [Card(card.rank, card.suit) for card in shoe.cards]
        assert len(left) < 6
        with pytest.raises(BadCards, match="card is missing"):
            play(shipped["grid-pt"], left)


def test_decks_that_the_text_leaves_out_have_to_be_given(shipped: dict[str, Rules]) -> None:
    with pytest.raises(OracleError, match="punto-es doesn't say how many decks there are: give `decks`"):
        Shoe(shipped["punto-es"], 1)
    with pytest.raises(OracleError, match="selminha/classica deals from 8 decks, not 6"):
        Shoe(shipped["selminha/classica"], 1, decks=6)
    assert next(iter(Shoe(shipped["punto-es"], 1, decks=6))).remaining == 312


def test_an_exhausted_shoe_that_nobody_speaks_of_is_undecided(shipped: dict[str, Rules]) -> None:
    with pytest.raises(Undecided, match="exhausted is undecided for remaining"):
        list(Shoe(shipped["punto-es"], 1, decks=1))


SHOE = """\
  - id: shoe
    cite: "22"
    says: the shoe
    cases:
      - {{about: decks, then: {decks}}}
{more}"""


def shoe_of(make: Make, decks: int | str, *more: str) -> Rules:
    lines = "".join(f"      - {{{line}}}\n" for line in more)
    return make(add=SHOE.format(decks=decks, more=lines))


def test_an_endless_shoe_can_be_dealt_from_a_finite_one_only_on_request(plain_rules: Make) -> None:
    rules = shoe_of(plain_rules, "endless")
    with pytest.raises(OracleError, match="endless shoe"):
        Shoe(rules, 1)
    assert certain_coups(rules).coups is None
    assert next(iter(Shoe(rules, 1, decks=4))).remaining == 208


def test_a_share_is_one_of_the_shoe_that_is_dealt_from(plain_rules: Make) -> None:
    """The text gives a share but no decks: of two decks, 104 cards, half is 52."""
    rules = plain_rules(
        add='  - {id: half, cite: "22", says: x, about: reshuffle, when: {remaining: "<= 50%"}, then: shuffle}\n'
    )
    dealt = list(islice(Shoe(rules, 3, decks=2), 60))
    for before, after in nonempty(pairwise(dealt)):
        assert after.shuffled == (before.remaining - before.coup.cards_used <= 52)


def test_an_exhausted_shoe_may_be_shuffled(plain_rules: Make) -> None:
    rules = shoe_of(plain_rules, 1, "about: exhausted, then: shuffle")
    shoe = Shoe(rules, 2)
    dealt = list(islice(shoe, 40))
    assert len(dealt) == 40
    assert shoe.shuffles > 3
    assert all(nonempty(d.remaining == 52 for d in dealt if d.shuffled))


def test_burnt_cards_never_reach_a_coup(plain_rules: Make) -> None:
    rules = shoe_of(plain_rules, 8, "about: burn, then: 3", "about: reshuffle, when: {coup: later}, then: shuffle")
    first = next(iter(Shoe(rules, 9)))
    assert first.remaining == 413
    assert str(first.coup.player.cards[0]) == shuffled(8, 9)[3]


@pytest.mark.parametrize("seed", range(12))
def test_the_first_card_burns_as_many_as_its_points(seed: int) -> None:
    rules = load_rules("six-decks", folders=[ROOT / "tests" / "variants"])
    order = shuffled(6, seed)
    points = {**{rank: int(rank) for rank in "23456789"}, "A": 1, **dict.fromkeys("TJQK", 10)}
    gone = 1 + points[order[0][0]]
    first = next(iter(Shoe(rules, seed)))
    assert first.remaining == 312 - gone
    assert str(first.coup.player.cards[0]) == order[gone]


def test_the_cut_card_shuffles_before_the_next_coup() -> None:
    rules = load_rules("six-decks", folders=[ROOT / "tests" / "variants"])
    for seed in range(6):
        dealt = list(islice(Shoe(rules, seed), 200))
        for before, after in nonempty(pairwise(dealt)):
            assert after.shuffled == (before.remaining - before.coup.cards_used <= 16)


# --- how many coups are certain -------------------------------------------------------------------


def values(cards: Sequence[str]) -> list[int]:
    return [
        {"A": 1, "T": 0, "J": 0, "Q": 0, "K": 0}.get(card) or (int(card) if card.isdigit() else 0) for card in cards
    ]


def cards_of_one_coup(left: list[int]) -> int:
    """How many cards a coup needs, by the table that grid-pt prints in lines 42 to 68; `left` may be too short."""
    player, banker = (left[0] + left[2]) % 10, (left[1] + left[3]) % 10
    if max(player, banker) >= 8:
        return 4
    if player >= 6:
        return 5 if banker <= 5 else 4
    third = left[4] if len(left) > 4 else None
    draws = {7: "", 6: "67", 5: "4567", 4: "234567", 3: "012345679", 2: "0123456789", 1: "0123456789", 0: "0123456789"}
    if third is None:
        return 5
    return 6 if str(third) in draws[banker] else 5


def test_grid_pt_is_certain_of_exactly_eight_coups(shipped: dict[str, Rules]) -> None:
    """No coup takes more than six of 52 cards, so eight always finish; the order shows a ninth that doesn't."""
    certain = certain_coups(shipped["grid-pt"])
    assert certain.coups == 52 // 6 == 8
    assert Counter(certain.order) == Counter(dict.fromkeys("A23456789TJQK", 4))
    left = values(certain.order)
    for _ in range(8):
        needed = cards_of_one_coup(left)
        assert needed <= len(left)
        left = left[needed:]
    assert len(left) < 4 or cards_of_one_coup(left) > len(left), "the ninth coup lacks a card"


def test_the_oracle_itself_lacks_a_card_in_the_ninth_coup(shipped: dict[str, Rules]) -> None:
    rules = shipped["grid-pt"]
    cards = [parse_card(rank) for rank in certain_coups(rules).order]
    for _ in range(8):
        cards = list(play(rules, cards[:6]).unused) + cards[6:]
    with pytest.raises(BadCards, match="card is missing"):
        play(rules, cards)


def test_home_pt_can_always_finish(shipped: dict[str, Rules]) -> None:
    certain = certain_coups(shipped["home-pt"])
    assert (certain.coups, certain.least_start) == (None, 416)


def test_unknown_decks_promise_nothing(shipped: dict[str, Rules]) -> None:
    certain = certain_coups(shipped["punto-es"])
    assert (certain.coups, certain.least_start, certain.order) == (None, None, ())


def test_burnt_cards_are_missing_from_the_certain_coups(plain_rules: Make) -> None:
    rules = shoe_of(plain_rules, 1, "about: burn, then: 5", "about: exhausted, then: void")
    assert certain_coups(rules).coups == 47 // 6

"""The large tiers: every sequence that a coup can use, counted another way, answered as the reference answers."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator
from itertools import islice, product

import msgspec
import pytest

from oracle.cards import RANKS, parse_cards
from oracle.cases.case import Case
from oracle.cases.large_tiers import large_entry, large_name
from oracle.cases.manifest import Manifest
from oracle.cases.reference import Reference, reference_of
from oracle.cases.sequences import ranks, values
from oracle.conformance.run.asked import suite
from oracle.game.rules import Rules
from tests.conftest import ROOT, MakeRules
from tests.nonempty import nonempty

DECKS = '  - {id: decks, says: how many decks, cite: "1", about: decks, then: %d}\n'
Stream = Callable[[Reference], Iterator[Case]]


@pytest.fixture(scope="module")
def eight_decks(shipped: dict[str, Rules]) -> Reference:
    return reference_of(shipped["home-pt"])


@pytest.fixture(scope="module")
def one_deck(shipped: dict[str, Rules]) -> Reference:
    return reference_of(shipped["grid-pt"])


def needs(player: int, banker: int, fifth: int) -> int:
    """How many cards a coup takes by the usual table; `fifth` is the value of the fifth card."""
    if player > 7 or banker > 7:
        return 4
    if player > 5:
        return 5 if banker < 6 else 4
    draws = {3: fifth != 8, 4: 1 < fifth < 8, 5: 3 < fifth < 8, 6: 5 < fifth < 8}.get(banker, banker < 3)
    return 6 if draws else 5


def count(ways: Counter[int]) -> Counter[int]:
    """How many sequences a coup can use, by length. `ways` says how many cards are told apart of each value."""
    hands: Counter[int] = Counter()
    for (first, many), (second, more) in product(ways.items(), repeat=2):
        hands[(first + second) % 10] += many * more
    found: Counter[int] = Counter()
    whole = sum(ways.values())
    for (player, p), (banker, b) in product(hands.items(), repeat=2):
        if needs(player, banker, 0) == 4:
            found[4] += p * b
            continue
        for fifth, many in ways.items():
            used = needs(player, banker, fifth)
            found[used] += p * b * many * (whole if used == 6 else 1)
    return found


BY_VALUE = Counter(range(10))
BY_RANK = BY_VALUE + Counter({0: 3})  # ten, jack, queen and king are worth nothing


def test_the_tiers_are_as_large_as_counting_by_totals_says() -> None:
    manifest = msgspec.json.decode((ROOT / "fixtures" / "manifest.json").read_bytes(), type=Manifest)
    sizes = {entry.tier: entry.cases for name, entry in manifest.large.items() if not name.endswith("-rank")}
    assert count(BY_VALUE) == {4: 4_000, 5: 29_400, 6: 306_000}
    assert sizes == {"values": count(BY_VALUE).total(), "ranks": count(BY_RANK).total()}
    assert sizes["ranks"] == 1_659_001


@pytest.mark.parametrize("stream", [values, ranks])
@pytest.mark.parametrize("rules", ["one_deck", "eight_decks"])
def test_cases_are_those_of_the_reference(stream: Stream, rules: str, request: pytest.FixtureRequest) -> None:
    reference: Reference = request.getfixturevalue(rules)
    some = list(islice(stream(reference), 0, 12_000, 61))
    assert len(some) > 190
    for case in some:
        assert reference.again(case) == case


@pytest.mark.exhaustive
@pytest.mark.parametrize("rules", ["one_deck", "eight_decks"])
def test_every_sequence_of_values_is_answered_as_the_reference_answers(
    rules: str, request: pytest.FixtureRequest
) -> None:
    reference: Reference = request.getfixturevalue(rules)
    assert all(reference.again(case) == case for case in nonempty(values(reference)))


@pytest.mark.exhaustive
@pytest.mark.parametrize("rules", ["one_deck", "eight_decks"])
def test_every_sequence_of_ranks_comes_once_and_from_one_shoe(rules: str, request: pytest.FixtureRequest) -> None:
    reference: Reference = request.getfixturevalue(rules)
    copies = 1 if rules == "one_deck" else 8
    seen: set[str] = set()
    ids: set[str] = set()
    due = 0
    points = dict(zip(RANKS, (*range(1, 10), 0, 0, 0, 0), strict=True))
    for case in ranks(reference):
        answer = case.expect
        assert answer.player is not None
        assert answer.banker is not None
        hands = [*(answer.player.cards or ()), *(answer.banker.cards or ())]
        seen.add("".join(card[0] for card in case.cards[: len(hands)]))
        ids.add(case.id)
        assert max(Counter(case.cards).values()) <= copies
        assert Counter(hands) == Counter(case.cards[: len(hands)])
        due += 1
    assert len(seen) == len(ids) == due
    for used in seen:
        worth = [points[rank] for rank in used]
        assert needs((worth[0] + worth[2]) % 10, (worth[1] + worth[3]) % 10, (*worth, 0)[4]) == len(used)
    if rules == "one_deck":  # what eight decks have besides holds five cards of a rank
        due = len(seen | five_alike(points))
    assert due == count(BY_RANK).total()


def five_alike(points: dict[str, int]) -> set[str]:
    """The sequences that a coup can use with five or six cards of one rank."""
    found = set()
    for rank, other in product(RANKS, RANKS):
        for place in range(6):
            six = [rank] * 6
            six[place] = other
            worth = [points[each] for each in six]
            used = needs((worth[0] + worth[2]) % 10, (worth[1] + worth[3]) % 10, worth[4])
            if six[:used].count(rank) > 4:
                found.add("".join(six[:used]))
    return found


@pytest.mark.slow
def test_a_shoe_of_one_deck_is_asked_for_no_card_twice(one_deck: Reference) -> None:
    for case in nonempty(values(one_deck)):
        assert len(set(case.cards)) == 6
    assert [card[0] for card in case.cards] == ["9", "9", "9", "9", "8", "A"]  # a fifth nine is not there


def test_rules_with_as_many_cards_of_a_rank_share_large_tiers(one_deck: Reference, plain_rules: MakeRules) -> None:
    assert large_name(one_deck, "ranks").endswith("/ranks-4-of-a-rank")
    assert large_name(reference_of(plain_rules(add=DECKS % 2)), "ranks").endswith("/ranks")
    assert large_name(reference_of(plain_rules()), "ranks").endswith("/ranks")


def test_points_of_another_game_find_other_spare_cards(plain_rules: MakeRules) -> None:
    """No nine and no ace to be had: what is nearest to them would show."""
    points = """\
  - id: points
    cite: "1"
    says: values of cards
    about: card_points
    cases:
      - {when: {rank: 2-8}, then: face}
      - {when: {rank: [A, 9, 10, J, Q, K]}, then: 0}
"""
    reference = reference_of(plain_rules({"points": points}))
    first = next(values(reference))
    assert [card[0] for card in first.cards[4:]] != ["9", "A"]
    some = list(islice(values(reference), 0, 3_000, 37))
    assert [reference.again(case) for case in some] == some
    natural = next(case for case in ranks(reference) if case.expect.natural != "none")
    assert [card[0] for card in natural.cards[4:]] == ["8", "2"]


def test_suits_go_round(eight_decks: Reference) -> None:
    suits = Counter(card.suit for case in islice(ranks(eight_decks), 4_000) for card in parse_cards(case.cards))
    assert set(suits) == set("CDHS")
    assert max(suits.values()) < 1.2 * min(suits.values())


@pytest.mark.exhaustive
def test_large_tiers_have_the_digests_of_the_manifest(eight_decks: Reference, one_deck: Reference) -> None:
    manifest = msgspec.json.decode((ROOT / "fixtures" / "manifest.json").read_bytes(), type=Manifest)
    for reference in (eight_decks, one_deck):
        for tier in ("values", "ranks"):
            name = large_name(reference, tier)
            assert manifest.large[name] == large_entry(reference, tier)


def test_a_case_of_a_large_tier_is_asked_alone_by_its_id(eight_decks: Reference) -> None:
    some = next(islice(ranks(eight_decks), 5_000, None))
    assert list(suite(eight_decks.rules, ("ranks",), [some.id])) == [some]

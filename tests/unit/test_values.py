"""Sets of values: what each form of docs/language.md, "Guards", contains, and how sets are shown."""

from __future__ import annotations

from fractions import Fraction

import pytest

from oracle.rules.nodes import Mapping, Scalar, SpecFile, parse
from oracle.rules.questions import ALIKE, DIGITS, FIELDS, QUESTIONS, THIRD
from oracle.rules.read_guard import read_guard, read_value
from oracle.rules.values import (
    Among,
    Any,
    Between,
    Either,
    Multiple,
    Other,
    Share,
    Value,
    Values,
    contains,
    select,
    show_set,
)
from oracle.spans import Span

PLACE = Span("x", 1, 1, 1, 2)


def guard(question: str, field: str, written: str) -> Values:
    """The set that `field: written` makes in a guard of a question."""
    file = SpecFile("x", f"{{{field}: {written}}}")
    node = parse(file)
    assert node is not None
    tests = read_guard(file, node, QUESTIONS[question])
    assert not file.problems
    (test,) = tests
    assert test.field == field
    return test.values


def members(question: str, field: str, written: str) -> set[Value]:
    return set(select(guard(question, field, written), FIELDS[field].domain))


# Each line of the table of guards, on a digit, a card and a name.
@pytest.mark.parametrize(
    "question, field, written, expected",
    [
        ("banker_draw", "banker2", "8", {8}),
        ("banker_draw", "banker2", "08", {8}),
        ("banker_draw", "player_drew", "yes", {"yes"}),
        ("banker_draw", "player_drew", "no", {"no"}),
        ("banker_draw", "player_drew", "not no", {"yes"}),
        ("winner", "natural", "player", {"player"}),
        ("card_points", "rank", "K", {"K"}),
        ("card_points", "rank", "10", {"T"}),
        ("card_points", "rank", "t", {"T"}),
        ("banker_draw", "banker2", "0-5", {0, 1, 2, 3, 4, 5}),
        ("banker_draw", "banker2", '" 0 - 5 "', {0, 1, 2, 3, 4, 5}),
        ("card_points", "rank", "2-9", {"2", "3", "4", "5", "6", "7", "8", "9"}),
        ("card_points", "rank", "10-K", {"T", "J", "Q", "K"}),
        ("card_points", "rank", "A-3", {"A", "2", "3"}),
        ("banker_draw", "player_third", "[0, 1, 8-9]", {0, 1, 8, 9}),
        ("card_points", "rank", "[A, 2-4, K]", {"A", "2", "3", "4", "K"}),
        ("banker_draw", "player_third", "not 8", {0, 1, 2, 3, 4, 5, 6, 7, 9}),
        ("banker_draw", "player_third", "not none", {0, 1, 2, 3, 4, 5, 6, 7, 8, 9}),
        ("banker_draw", "banker2", "not 4-7", {0, 1, 2, 3, 8, 9}),
        ("banker_draw", "banker2", "any", set(DIGITS)),
        ("banker_draw", "player_third", "any", set(DIGITS)),
        ("banker_draw", "player_third", "none", {"none"}),
        ("banker_draw", "player_third", "[none, 8]", {"none", 8}),
        ("winner", "natural", "not none", {"player", "banker", "both"}),
        ("banker_draw", "banker2", '"< 5"', {0, 1, 2, 3, 4}),
        ("banker_draw", "banker2", '"<5"', {0, 1, 2, 3, 4}),
        ("banker_draw", "banker2", '"<= 5"', {0, 1, 2, 3, 4, 5}),
        ("hand_total", "sum", '"> 9"', set(range(10, 28))),
        ("hand_total", "sum", '">= 26"', {26, 27}),
        ("banker_draw", "player_third", '"< 3"', {0, 1, 2}),
        ("banker_draw", "player_third", '"> 7"', {8, 9}),
        ("banker_draw", "player_third", '"not > 7"', set(range(8))),
        ("hand_total", "sum", "multiple of 9", {0, 9, 18, 27}),
        ("outcome", "player_pair", "[rank, card]", {"rank", "card"}),
    ],
)
def test_guard_contains(question: str, field: str, written: str, expected: set[Value]) -> None:
    assert members(question, field, written) == expected


@pytest.mark.parametrize(
    "question, field, written, inside, outside",
    [
        ("stake", "stake", "5-500", [5, 500], [4, 501]),
        ("stake", "stake", "not 5-500", [4, 501, 0], [5, 500]),
        ("stake", "stake", "multiple of 5", [0, 5, 500], [4, 6]),
        ("session_end", "balance", '"< 5"', [4, 0, -1, Fraction(9, 2)], [5, Fraction(11, 2)]),
        ("session_end", "balance", '">= 5"', [5, Fraction(11, 2)], [4, Fraction(9, 2)]),
        ("session_end", "balance", '"> 5"', [6, Fraction(11, 2)], [5]),
        ("session_end", "balance", '"<= 5"', [5, Fraction(9, 2)], [6, Fraction(11, 2)]),
        ("session_end", "balance", "-5-5", [-5, 0, 5, Fraction(1, 2)], [-6, 6]),
        ("session_end", "balance", "-5--1", [-5, -1], [0, -6]),
        ("session_end", "balance", "-3", [-3], [3]),
        ("bets_together", "count", "[1, 3-4]", [1, 3, 4], [0, 2, 5]),
        ("outcome", "bet", "player_pair", ["player_pair"], ["player"]),
        ("outcome", "bet", "not player", ["tie", "lucky_six"], ["player"]),
        ("bets_together", "tie", "yes", ["yes"], ["no"]),
        ("bets_together", "player_pair", "no", ["no"], ["yes"]),
    ],
)
def test_guard_of_open_fields(
    question: str, field: str, written: str, inside: list[Value], outside: list[Value]
) -> None:
    values = guard(question, field, written)
    assert all(contains(values, value) for value in inside)
    assert not any(contains(values, value) for value in outside)


def test_share_of_the_shoe_is_compared_exactly() -> None:
    """15 % of 416 is 62.4: 62 cards are within it, 63 are not."""
    values = guard("reshuffle", "remaining", '"<= 15%"')
    assert values == Share("<=", Fraction(15))
    assert contains(values, 62, whole=416)
    assert not contains(values, 63, whole=416)
    assert not contains(values, 62)  # a share of nothing known


@pytest.mark.parametrize("relation, expected", [("<", {0, 1}), ("<=", {0, 1, 2}), (">", {3, 4}), (">=", {2, 3, 4})])
def test_share_relations_at_the_boundary(relation: str, expected: set[int]) -> None:
    """Half of four."""
    assert {n for n in range(5) if contains(Share(relation, Fraction(50)), n, whole=4)} == expected


def test_negation_implies_the_card() -> None:
    """`not 8` speaks of a card that exists; only `none` speaks of the missing one."""
    assert not contains(Other(Among(frozenset([8])), card=True), "none")
    assert contains(Other(Among(frozenset([8]))), "none")
    assert not contains(Any(card=True), "none")
    assert contains(Any(), "none")


def test_words_are_in_no_numeric_set() -> None:
    for values in (Between(None, None), Multiple(1), Share(">=", Fraction(0))):
        assert not contains(values, "none", whole=10)


def test_either_is_the_union() -> None:
    assert select(Either((Between(0, 1), Among(frozenset([8])))), DIGITS) == {0, 1, 8}


@pytest.mark.parametrize(
    "chosen, domain, expected",
    [
        ({0, 1, 2, 3, 4, 5, 8, 9}, THIRD, "0-5, 8, 9"),
        ({0, 1}, DIGITS, "0, 1"),
        ({0, 1, 2}, DIGITS, "0-2"),
        ({"none", 0}, THIRD, "none, 0"),
        ({"rank", "card"}, ALIKE, "rank, card"),
        (set(), DIGITS, ""),
        ({0, 2, 4}, DIGITS, "0, 2, 4"),
        ({2, 3}, (2, 3), "2, 3"),
        ({7, 8, 9}, DIGITS, "7-9"),
    ],
)
def test_sets_are_shown_with_runs_of_three_joined(chosen: set[Value], domain: tuple[Value, ...], expected: str) -> None:
    assert show_set(chosen, domain) == expected


def test_block_of_a_grid_takes_single_values_only() -> None:
    file = SpecFile("x", "x")
    assert read_value(file, "7", PLACE, FIELDS["banker2"]) == 7
    assert read_value(file, "none", PLACE, FIELDS["player_third"]) == "none"
    assert not file.problems
    assert read_value(file, "0-2", PLACE, FIELDS["banker2"]) is None
    assert [problem.code for problem in file.problems] == ["bad-value"]


@pytest.mark.parametrize(
    "question, field, written",
    [
        ("banker_draw", "banker2", "٣"),  # an Arabic digit
        ("banker_draw", "banker2", "²"),
        ("banker_draw", "banker2", "99999999999"),
        ("banker_draw", "banker2", "none"),  # only a card can be missing
        ("banker_draw", "player_third", "none-9"),
        ("winner", "natural", "player-both"),  # names have no order
        ("winner", "higher", "Player"),
        ("stake", "stake", "five"),
        ("stake", "stake", "multiple of 0"),
        ("stake", "stake", '"< 5%"'),
        ("outcome", "bet", "none"),
        ("outcome", "bet", "Player Pair"),
        ("reshuffle", "remaining", "15%"),
        ("banker_draw", "banker2", "not any"),
        ("banker_draw", "banker2", "not not 3"),
        ("card_points", "rank", "1"),
        ("card_points", "rank", "11"),
        ("bets_together", "tie", "2"),
    ],
)
def test_what_is_no_value_is_refused_not_guessed(question: str, field: str, written: str) -> None:
    file = SpecFile("x", f"{{{field}: {written}}}")
    node = parse(file)
    assert isinstance(node, Mapping)
    assert read_guard(file, node, QUESTIONS[question]) == ()
    assert len(file.problems) == 1
    key, value = node.pairs[0]
    assert isinstance(value, Scalar)
    assert key.text == field
    assert file.problems[0].span == value.span

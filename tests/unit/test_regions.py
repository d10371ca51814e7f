"""Regions: the same set of states is always the same boxes, which cover exactly that set."""

from __future__ import annotations

from collections.abc import Callable
from itertools import product

import pytest
from hypothesis import given
from hypothesis import strategies as st

from oracle.checks import regions
from oracle.checks.regions import boxes, count_cells, show_box, show_region
from oracle.game.rules import Rules
from oracle.game.space import Space, bits, mask_of
from oracle.rules.values import Value

Make = Callable[..., Rules]

FIELDS = ("player2", "banker2", "natural", "higher")
SPACE = Space(("player2", "banker2"), product(range(10), range(10)))
THIRDS: tuple[Value, ...] = ("none", *range(10))
DRAWS = Space(
    ("player2", "banker2", "player_third"),
    [(p, b, t) for p in range(8) for b in range(8) for t in THIRDS if (t == "none") == (p > 5)],
)

masks = st.one_of(
    st.integers(0, SPACE.full),
    st.sets(st.integers(0, 99)).map(mask_of),
    st.builds(
        lambda a, b: mask_of(i for i in range(100) if i // 10 in a and i % 10 in b),
        st.sets(st.integers(0, 9)),
        st.sets(st.integers(0, 9)),
    ),
)


def inside(space: Space, walls: tuple[tuple[str, frozenset[Value]], ...]) -> set[int]:
    """The rows within all walls of a box, one by one."""
    return {i for i in range(len(space)) if all(space.column(field)[i] in values for field, values in walls)}


@given(masks)
def test_boxes_cover_the_set_exactly_and_apart(mask: int) -> None:
    covered: set[int] = set()
    for box, states in boxes(SPACE, mask, FIELDS[:2]):
        assert inside(SPACE, box) == set(bits(states))
        assert not covered & set(bits(states))
        covered |= set(bits(states))
    assert covered == set(bits(mask))


@given(st.sets(st.tuples(st.integers(0, 7), st.sampled_from(THIRDS))))
def test_boxes_cover_sets_in_spaces_that_are_no_products(chosen: set[tuple[int, Value]]) -> None:
    column = list(zip(DRAWS.column("banker2"), DRAWS.column("player_third"), strict=True))
    mask = mask_of(i for i, cell in enumerate(column) if cell in chosen)
    covered: set[int] = set()
    for box, states in boxes(DRAWS, mask, ("banker2", "player2", "player_third")):
        assert inside(DRAWS, box) == set(bits(states))
        assert not covered & set(bits(states))
        covered |= set(bits(states))
    assert covered == set(bits(mask))


@given(masks)
def test_the_same_set_is_the_same_boxes_however_the_rows_are_ordered(mask: int) -> None:
    turned = Space(SPACE.fields, reversed(SPACE.rows))
    there = mask_of(99 - i for i in bits(mask))
    shapes = [box for box, _ in boxes(SPACE, mask, FIELDS[:2])]
    assert [box for box, _ in boxes(turned, there, FIELDS[:2])] == shapes


def test_nothing_has_no_boxes_and_everything_one_without_walls() -> None:
    assert boxes(SPACE, 0, FIELDS) == []
    assert boxes(SPACE, SPACE.full, FIELDS) == [((), SPACE.full)]


def test_values_with_the_same_rest_are_one_box() -> None:
    mask = mask_of(i for i, (p, b) in enumerate(SPACE.rows) if p in (2, 3, 7) and b != 4)
    (found,) = boxes(SPACE, mask, FIELDS[:2])
    assert found == ((("player2", frozenset({2, 3, 7})), ("banker2", frozenset({*range(10)} - {4}))), mask)


@pytest.mark.parametrize(
    ("walls", "shown"),
    [
        ((), "every state"),
        ((("banker2", {6}),), "banker2: 6"),
        ((("banker2", {6}), ("player_third", {0, 1, 2, 3, 4, 5, 8, 9})), "banker2: 6, player_third: [0-5, 8, 9]"),
        ((("player_third", {"none"}),), "player_third: none"),
        ((("player2", {2, 3, 4}),), "player2: 2-4"),
        ((("player2", {2, 3}),), "player2: [2, 3]"),
        ((("player2", {9, 0}),), "player2: [0, 9]"),
    ],
)
def test_a_box_is_shown_as_a_guard_would_write_it(walls: tuple[tuple[str, set[Value]], ...], shown: str) -> None:
    assert show_box(DRAWS, tuple((field, frozenset(values)) for field, values in walls)) == shown


def test_regions_speak_of_the_fields_that_statements_test(plain_rules: Make) -> None:
    banker = """\
  - id: banker
    cite: "11"
    says: x
    about: banker_draw
    cases:
      - {when: {banker2: 0-5}, then: draw}
      - {when: {banker2: 6, player_third: 6-7}, then: draw}
      - {when: {banker2: 7}, then: stand}
"""
    rules = plain_rules({"banker": banker, "banker-free": None})
    evaluation = rules.evaluation("banker_draw")
    assert regions.tested_fields(rules, "banker_draw") == ("banker2", "player_third")
    region = show_region(rules, "banker_draw", evaluation.literal.gap)
    assert region == "banker2: 6, player_third: [none, 0-5, 8, 9]"
    assert count_cells(evaluation, evaluation.literal.gap) == 9


def test_the_fields_of_a_box_come_in_the_order_of_the_question(plain_rules: Make) -> None:
    rules = plain_rules({"banker": None})
    region = show_region(rules, "banker_draw", rules.evaluation("banker_draw").literal.gap)
    assert region == "player_drew: yes"


def test_a_region_of_many_boxes_shows_eight_and_counts_the_rest(plain_rules: Make) -> None:
    nothing = "".join(
        f"  - {{id: n{p}, cite: '4', says: x, about: natural, when: {{player2: {p}, banker2: not {p}}}, then: stop}}\n"
        for p in range(10)
    )
    rules = plain_rules({"natural": nothing})
    shown = show_region(rules, "natural", rules.evaluation("natural").literal.gap)
    assert shown == "; ".join(f"player2: {p}, banker2: {p}" for p in range(8)) + "; and 2 more"

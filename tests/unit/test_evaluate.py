"""Answering one question: statements intersect, resolutions fill open states only."""

from __future__ import annotations

from collections.abc import Callable
from fractions import Fraction

import pytest

from oracle.game.evaluate import Evaluation
from oracle.game.rules import Rules
from oracle.game.space import bits
from tests.nonempty import nonempty

Make = Callable[..., Rules]

PLAYER = {"player": None}


def statement(id: str, when: str, then: str, *, about: str = "player_draw", more: str = "") -> str:
    return f"  - {{id: {id}, cite: '5', says: x, about: {about}, when: {when}, then: {then}{more}}}\n"


def draws(evaluation: Evaluation) -> dict[int, tuple[object, ...]]:
    """What is permitted on each total of the player's first two cards."""
    rows = evaluation.space.rows
    return {int(row[0]): evaluation.answer(i) for i, row in enumerate(rows)}


def totals(evaluation: Evaluation, mask: int) -> set[int]:
    """The totals of the player's first two cards in a set of states."""
    return {int(evaluation.space.rows[i][0]) for i in bits(mask)}


def test_a_state_that_one_statement_speaks_of_has_its_answer(plain_rules: Make) -> None:
    answers = draws(plain_rules().evaluation("player_draw"))
    assert {total for total, answer in answers.items() if answer == ("draw",)} == {0, 1, 2, 3, 4, 5}
    assert {total for total, answer in answers.items() if answer == ("stand",)} == {6, 7}


def test_statements_that_speak_of_one_state_are_intersected(plain_rules: Make) -> None:
    rules = plain_rules(
        PLAYER, add=statement("both", "{player2: 0-7}", "draw | stand") + statement("low", "{player2: 0-5}", "draw")
    )
    evaluation = rules.evaluation("player_draw")
    assert draws(evaluation)[5] == ("draw",)
    assert totals(evaluation, evaluation.literal.undecided) == {6, 7}


def test_a_state_of_which_no_statement_speaks_is_a_gap_and_never_stand(plain_rules: Make) -> None:
    evaluation = plain_rules(PLAYER, add=statement("low", "{player2: 0-5}", "draw")).evaluation("player_draw")
    assert totals(evaluation, evaluation.literal.gap) == {6, 7}
    assert draws(evaluation)[6] == ()
    assert evaluation.open == evaluation.literal.gap


def test_statements_that_leave_no_answer_are_a_conflict(plain_rules: Make) -> None:
    add = statement("low", "{player2: 0-6}", "draw") + statement("high", "{player2: 6-7}", "stand")
    evaluation = plain_rules(PLAYER, add=add).evaluation("player_draw")
    assert totals(evaluation, evaluation.literal.conflict) == {6}
    assert draws(evaluation) == {**dict.fromkeys(range(6), ("draw",)), 6: (), 7: ("stand",)}


def test_order_of_statements_means_nothing(plain_rules: Make) -> None:
    one = statement("low", "{player2: 0-6}", "draw")
    two = statement("high", "{player2: 6-7}", "stand")
    first, second = (plain_rules(PLAYER, add=add).evaluation("player_draw") for add in (one + two, two + one))
    assert first.literal.conflict == second.literal.conflict
    assert draws(first) == draws(second)


def test_two_permitted_answers_are_undecided_unless_somebody_chooses(plain_rules: Make) -> None:
    add = statement("low", "{player2: 0-5}", "draw") + statement("free", "{player2: 6-7}", "draw | stand")
    evaluation = plain_rules(PLAYER, add=add).evaluation("player_draw")
    assert totals(evaluation, evaluation.literal.undecided) == {6, 7}
    assert draws(evaluation)[6] == ()
    chosen = plain_rules(PLAYER, add=add, tail="choosers: {player_draw: player}\n").evaluation("player_draw")
    assert chosen.literal.undecided == 0
    assert chosen.open == 0
    assert draws(chosen)[6] == ("draw", "stand")


def test_otherwise_takes_what_the_cases_leave_in_its_block_and_no_more(plain_rules: Make) -> None:
    evaluation = plain_rules({"banker-free": None}).evaluation("banker_draw")
    space = evaluation.space
    stands = next(c for c in evaluation.clauses if c.otherwise)
    spoken = {(space.column("banker2")[i], space.column("player_third")[i]) for i in bits(evaluation.masks[stands.id])}
    draws_on = {3: set(range(10)) - {8}, 4: set(range(2, 8)), 5: set(range(4, 8)), 6: {6, 7}, 7: set()}
    assert spoken == {(b, third) for b, drawn in draws_on.items() for third in range(10) if third not in drawn}
    assert totals(evaluation, evaluation.literal.gap) == {6, 7}, "the states without a third card stay open"


def test_a_statement_that_yields_leaves_the_other_ones_states(plain_rules: Make) -> None:
    most = statement("most", "{player2: 0-7}", "draw", more=", yields_to: [high]")
    high = statement("high", "{player2: 6-7}", "stand")
    evaluation = plain_rules(PLAYER, add=most + high).evaluation("player_draw")
    assert evaluation.open == 0
    assert draws(evaluation) == {**dict.fromkeys(range(6), ("draw",)), 6: ("stand",), 7: ("stand",)}


READINGS = """\
  - id: few
    cite: "5"
    says: the player draws on few
    readings:
      five: {about: player_draw, when: {player2: 0-5}, then: draw}
      four: {about: player_draw, when: {player2: 0-4}, then: draw}
"""


def test_states_in_which_readings_differ_are_open_until_one_is_chosen(plain_rules: Make) -> None:
    add = READINGS + statement("high", "{player2: 6-7}", "stand")
    evaluation = plain_rules(PLAYER, add=add).evaluation("player_draw")
    assert {s: totals(evaluation, mask) for s, mask in evaluation.ambiguous.items()} == {"few": {5}}
    assert totals(evaluation, evaluation.open) == {5}
    assert draws(evaluation)[5] == ()
    assert draws(evaluation)[4] == ("draw",)


def test_the_chosen_reading_is_what_the_text_says(plain_rules: Make) -> None:
    add = READINGS + statement("high", "{player2: 5-7}", "stand")
    tail = "resolutions:\n  - {id: r, choose: few, reading: four, because: x}\n"
    evaluation = plain_rules(PLAYER, add=add, tail=tail).evaluation("player_draw")
    assert evaluation.literal.conflict == 0
    assert evaluation.open == 0
    assert draws(evaluation)[5] == ("stand",)


def test_readings_that_agree_everywhere_are_not_ambiguous(plain_rules: Make) -> None:
    same = READINGS.replace("0-4", "[0-3, 4, 5]")
    evaluation = plain_rules(PLAYER, add=same + statement("high", "{player2: 6-7}", "stand")).evaluation("player_draw")
    assert evaluation.ambiguous == {"few": 0}
    assert evaluation.open == 0


def resolved(plain_rules: Make, add: str, *resolutions: str) -> Evaluation:
    tail = "resolutions:\n" + "".join(f"  - {{{text}, because: x}}\n" for text in resolutions)
    return plain_rules(PLAYER, add=add, tail=tail).evaluation("player_draw")


def test_a_resolution_fills_gaps_only(plain_rules: Make) -> None:
    add = statement("low", "{player2: 0-5}", "draw")
    evaluation = resolved(plain_rules, add, "id: r, about: player_draw, then: stand")
    assert draws(evaluation) == {**dict.fromkeys(range(6), ("draw",)), 6: ("stand",), 7: ("stand",)}
    (applied,) = evaluation.applied
    assert totals(evaluation, applied.closes) == {6, 7}
    assert totals(evaluation, applied.overrides) == {0, 1, 2, 3, 4, 5}, "it is told, and the text holds"


def test_a_resolution_decides_between_permitted_answers(plain_rules: Make) -> None:
    add = statement("low", "{player2: 0-5}", "draw") + statement("free", "{player2: 6-7}", "draw | stand")
    evaluation = resolved(plain_rules, add, "id: r, about: player_draw, when: {player2: 6-7}, then: stand")
    assert evaluation.open == 0
    assert draws(evaluation)[6] == ("stand",)
    assert evaluation.applied[0].overrides == 0


def test_a_resolution_leaves_a_conflict_open_unless_it_names_a_statement(plain_rules: Make) -> None:
    add = statement("low", "{player2: 0-6}", "draw") + statement("high", "{player2: 6-7}", "stand")
    body = "id: r, about: player_draw, when: {player2: 6}, then: stand"
    unnamed = resolved(plain_rules, add, body)
    assert totals(unnamed, unnamed.open) == {6}
    assert unnamed.applied[0].closes == 0
    named = resolved(plain_rules, add, f"{body}, instead_of: [low]")
    assert named.open == 0
    assert draws(named)[6] == ("stand",)
    assert totals(named, named.applied[0].closes) == {6}
    assert [c.id for c in named.fired(named.space.index((6, 0)) or 0)] == ["high"], "the one set aside is silent"
    assert [c.id for c in named.fired(named.space.index((5, 0)) or 0)] == ["low"], "elsewhere it speaks"


def test_setting_the_wrong_statement_aside_closes_nothing(plain_rules: Make) -> None:
    add = statement("low", "{player2: 0-6}", "draw") + statement("high", "{player2: 6-7}", "stand")
    evaluation = resolved(
        plain_rules, add, "id: r, about: player_draw, when: {player2: 6}, then: stand, instead_of: [high]"
    )
    assert totals(evaluation, evaluation.applied[0].overrides) == {6}, "what is left says draw, clearly"
    assert totals(evaluation, evaluation.open) == {6}


def test_a_clear_statement_changes_only_if_it_is_named(plain_rules: Make) -> None:
    add = statement("low", "{player2: 0-5}", "draw") + statement("high", "{player2: 6-7}", "stand")
    body = "id: r, about: player_draw, when: {player2: 5}, then: stand"
    assert draws(resolved(plain_rules, add, body))[5] == ("draw",)
    named = resolved(plain_rules, add, f"{body}, instead_of: [low]")
    assert draws(named)[5] == ("stand",)
    assert (totals(named, named.applied[0].closes), named.applied[0].overrides) == ({5}, 0)
    assert draws(named)[4] == ("draw",)


def test_a_second_resolution_finds_closed_what_the_first_one_closed(plain_rules: Make) -> None:
    add = statement("low", "{player2: 0-5}", "draw")
    evaluation = resolved(
        plain_rules,
        add,
        "id: one, about: player_draw, when: {player2: 6-7}, then: stand",
        "id: two, about: player_draw, when: {player2: 7}, then: draw",
    )
    assert draws(evaluation)[7] == ("stand",)
    assert evaluation.applied[1].closes == 0
    assert totals(evaluation, evaluation.applied[1].overrides) == {7}


def test_a_resolution_of_another_question_does_nothing(plain_rules: Make) -> None:
    add = statement("low", "{player2: 0-5}", "draw")
    evaluation = resolved(plain_rules, add, "id: r, about: banker_draw, then: stand")
    assert evaluation.applied == []
    assert totals(evaluation, evaluation.open) == {6, 7}


OUTCOME = """\
  - id: outcome
    cite: "19"
    says: a bet wins with its hand
    about: outcome
    cases:
      - {when: {bet: player, winner: player}, then: win}
      - {when: {bet: banker, winner: banker}, then: win}
      - {when: {bet: tie, winner: tie}, then: win}
"""
CONVENTION = "resolutions:\n  - {convention: losing-bets-lose, because: x}\n"


def outcomes(evaluation: Evaluation) -> dict[tuple[object, object], tuple[object, ...]]:
    bets, winners = evaluation.space.column("bet"), evaluation.space.column("winner")
    return {(bets[i], winners[i]): evaluation.answer(i) for i in range(len(evaluation.space))}


def test_losing_bets_lose_where_the_other_side_wins_and_a_tie_returns_nothing_by_itself(plain_rules: Make) -> None:
    answers = outcomes(plain_rules({"outcome": OUTCOME}, tail=CONVENTION).evaluation("outcome"))
    assert answers == {
        ("player", "player"): ("win",),
        ("player", "banker"): ("lose",),
        ("player", "tie"): (),
        ("banker", "player"): ("lose",),
        ("banker", "banker"): ("win",),
        ("banker", "tie"): (),
        ("tie", "player"): ("lose",),
        ("tie", "banker"): ("lose",),
        ("tie", "tie"): ("win",),
    }


def test_a_convention_never_overrides(plain_rules: Make) -> None:
    evaluation = plain_rules(tail=CONVENTION).evaluation("outcome")
    assert evaluation.applied[0].overrides == 0
    assert evaluation.applied[0].closes == 0


def test_silence_is_filled_by_the_default_of_the_language_and_told(plain_rules: Make) -> None:
    evaluation = plain_rules().evaluation("natural")
    space = evaluation.space
    assumed = {tuple(space.rows[i]) for i in bits(evaluation.assumed)}
    assert assumed == {(p, b) for p in range(8) for b in range(8)}
    assert all(evaluation.answer(i) == ("continue",) for i in nonempty(bits(evaluation.assumed)))
    assert evaluation.open == 0
    untaxed = plain_rules({"commission": None}).evaluation("commission")
    assert untaxed.assumed == untaxed.space.full
    assert untaxed.answer(0) == (Fraction(0),)


def test_a_default_doesnt_hide_an_ambiguity(plain_rules: Make) -> None:
    reading = """\
  - id: natural
    cite: "4"
    says: some totals stop
    readings:
      both: {about: natural, when: {natural: not none}, then: stop}
      nine: {about: natural, when: {player2: 9}, then: stop}
"""
    evaluation = plain_rules({"natural": reading}).evaluation("natural")
    assert evaluation.open == evaluation.ambiguous["natural"] != 0
    assert not evaluation.assumed & evaluation.open


@pytest.mark.parametrize(
    ("then", "expected"),
    [
        ("units", {0: 0, 9: 9, 10: 0, 13: 3, 19: 9, 27: 7}),
        ("sum", {0: 0, 9: 9, 10: None, 27: None}),
        ("4", {0: 4, 27: 4}),
    ],
)
def test_a_total_is_the_last_digit_the_sum_or_a_number(
    plain_rules: Make, then: str, expected: dict[int, int | None]
) -> None:
    total = f"  - {{id: total, cite: '2', says: x, about: hand_total, then: {then}}}\n"
    evaluation = plain_rules({"total": total}).evaluation("hand_total")
    for value, answer in expected.items():
        i = evaluation.space.index((value,))
        assert i is not None
        assert evaluation.answer(i) == (() if answer is None else (answer,)), "a sum above nine is no total"


def test_face_is_the_number_printed_and_none_on_court_cards(plain_rules: Make) -> None:
    points = "  - {id: points, cite: '1', says: x, about: card_points, then: face}\n"
    evaluation = plain_rules({"points": points}).evaluation("card_points")
    answers = {row[0]: evaluation.answer(i) for i, row in enumerate(evaluation.space.rows)}
    assert {rank: answers[rank] for rank in "23456789"} == {rank: (int(rank),) for rank in "23456789"}
    assert {rank for rank, answer in answers.items() if not answer} == {"A", "T", "J", "Q", "K"}

"""What a clear text says is changed by no resolution, and hidden by no `yields_to`, unless somebody is told."""

from __future__ import annotations

from collections.abc import Callable
from fractions import Fraction
from pathlib import Path

from oracle.checks.overrides import edge_changes, narrowed
from oracle.checks.run import check_spec
from oracle.game.rules import Rules
from oracle.report.words.check_words import edge_words, verdict_words
from oracle.rules.library import Library
from oracle.rules.read import read_spec_text
from tests.conftest import BLOCKS
from tests.unit.findings import SHOE, checked, codes, errors_in, resolutions, verdict

MakeText = Callable[..., str]
NEVER = "  - {id: never, cite: '22', says: x, about: banker_draw, when: {player_third: 8}, then: stand}\n"
CONFLICT = "{banker2: 0-2, player_third: 8}"


def stands(when: str, instead_of: str, *, id: str = "r", then: str = "stand") -> str:
    return f"id: {id}, about: banker_draw, when: {when}, then: {then}, instead_of: [{instead_of}]"


# --- a resolution against a clear text ------------------------------------------------------------


def test_a_resolution_as_wide_as_the_conflict_changes_nothing_clear(plain_text: MakeText) -> None:
    assert codes(plain_text(add=SHOE + NEVER, tail=resolutions(stands(CONFLICT, "banker")))) == []


def test_one_that_reaches_over_clear_states_and_leaves_their_answer_changes_nothing(plain_text: MakeText) -> None:
    """On seven the banker stands anyway, and on three against an eight."""
    wide = stands("{banker2: [0-3, 7], player_third: 8}", "banker")
    assert codes(plain_text(add=SHOE + NEVER, tail=resolutions(wide))) == []


def test_a_fill_over_clear_states_stays_as_it_is(plain_text: MakeText) -> None:
    block = BLOCKS["banker"].replace('    otherwise: {cite: "17", then: stand}\n', "")
    fill = "id: rest, about: banker_draw, when: {player_drew: yes, banker2: 3-7}, then: stand"
    assert codes(plain_text({"banker": block}, add=SHOE, tail=resolutions(fill))) == []


def test_one_against_a_clear_row_is_told_with_a_coup_played_both_ways_and_its_price(plain_text: MakeText) -> None:
    text = plain_text(add=SHOE, tail=resolutions(stands("{banker2: 3, player_third: 7}", "banker")))
    (found,) = errors_in(text)
    assert (found.code, found.subject, found.region) == ("overrides-clear", "r", "banker2: 3, player_third: 7")
    assert (found.cells, found.states) == (1, 6)
    assert found.witness is not None
    assert found.witness.text == "P T K | B 3 Q | then 7"
    assert found.played == (
        "of the text draw, P T K 7 = 7 | B 3 Q A = 4, player wins; with r stand, P T K 7 = 7 | B 3 Q = 3, player wins"
    )
    assert found.chance is not None
    assert set(found.edges) == {"player", "banker", "tie"}
    assert found.edges["player"] < 0 < found.edges["banker"]
    assert edge_words(found) == "player -0.0159, banker +0.0163, tie +0.3145 percentage points"


def test_without_decks_there_is_no_price(plain_text: MakeText) -> None:
    text = plain_text(tail=resolutions(stands("{banker2: 3, player_third: 7}", "banker")))
    (found,) = errors_in(text)
    assert (found.code, dict(found.edges), edge_words(found)) == ("overrides-clear", {}, "")


def test_one_that_settles_a_conflict_and_more_is_told_with_what_is_more(plain_text: MakeText) -> None:
    """Compared is with the same resolution for the conflict alone, so that the price is that of the rest."""
    text = plain_text(add=SHOE + NEVER, tail=resolutions(stands("{banker2: 0-5}", "banker, banker-free")))
    found = next(f for f in errors_in(text) if f.code == "overrides-clear")
    # 372 states with a banker of five or less, of which 18 are the conflict and 66 stand anyway.
    assert found.states == 354
    assert found.message == (
        "r changes whether the banker draws where the text is clear in 288 states, and says the same in 66 more"
    )
    assert found.region == "banker2: 0-5, player_third: [none, 0-7, 9]; banker2: 3-5, player_third: 8"
    assert all(isinstance(change, Fraction) and change for change in found.edges.values())
    spec = read_spec_text(text)
    rules = Rules(spec, spec.rule_sets[0])
    as_wide = read_spec_text(plain_text(add=SHOE + NEVER, tail=resolutions(stands(CONFLICT, "banker"))))
    exact = Rules(as_wide, as_wide.rule_sets[0])
    assert edge_changes(exact, rules) == found.edges
    assert set(edge_changes(exact, narrowed(rules, rules.resolutions[0])).values()) == {0}


def test_two_that_change_a_clear_state_only_together_are_told(plain_text: MakeText) -> None:
    """Two sentences agree. The first resolution sets one aside and says the same, the second one the other."""
    agreeing = (
        "  - {id: two, cite: '22', says: x, about: banker_draw, when: {banker2: 2, player_third: 4}, then: draw}\n"
    )
    where = "{banker2: 2, player_third: 4}"
    first, second = stands(where, "two", id="a", then="draw"), stands(where, "banker", id="b")
    found = [
        f for f in errors_in(plain_text(add=agreeing, tail=resolutions(first, second))) if f.code == "overrides-clear"
    ]
    assert [(f.subject, f.states) for f in found] == [("b", 6)]
    alone = plain_text(add=agreeing, tail=resolutions(second))
    assert codes(alone) == ["overriding-resolution"]


def test_a_chosen_reading_that_is_then_set_aside_is_told(plain_text: MakeText) -> None:
    """Both readings say eight or even money for a tie; a third answer is none of them."""
    block = """\
  - id: pays
    cite: "20"
    says: x
    readings:
      eight:
        cases:
          - {about: pays, when: {bet: tie}, then: "8:1"}
          - {about: pays, when: {bet: [player, banker]}, then: "1:1"}
      even: {about: pays, then: "1:1"}
"""
    choice = "id: chosen, choose: pays, reading: eight"
    assert codes(plain_text({"pays": block}, tail=resolutions(choice))) == []
    nine = 'id: nine, about: pays, when: {bet: tie}, then: "9:1", instead_of: [pays]'
    (found,) = errors_in(plain_text({"pays": block}, tail=resolutions(choice, nine)))
    assert (found.code, found.subject) == ("overrides-clear", "nine")
    assert "net 800; with nine" in found.played
    assert found.played.endswith("net 900")


def test_a_free_choice_that_the_text_leaves_is_clear_too(plain_text: MakeText) -> None:
    player = """\
  - id: player
    cite: "5"
    says: x
    about: player_draw
    cases:
      - {cite: "6", when: {player2: 0-4}, then: draw}
      - {cite: "7", when: {player2: 6-7}, then: stand}
      - {cite: "7", when: {player2: 5}, then: draw | stand}
"""
    taken = "id: five, about: player_draw, when: {player2: 5}, then: draw, instead_of: [player]"
    free = plain_text({"player": player}, tail="choosers: {player_draw: player}\n")
    assert codes(free) == []
    assert codes(free + resolutions(taken)) == ["overrides-clear"]
    unchosen = plain_text({"player": player}, tail=resolutions(taken.replace(", instead_of: [player]", "")))
    assert codes(unchosen) == []


def test_what_a_resolution_opens_and_leaves_open_is_changed_too(plain_text: MakeText) -> None:
    """`face` says nothing of a court card, whose clear value is set aside."""
    court = "id: r, about: card_points, when: {rank: J}, then: face, instead_of: [points]"
    found = {f.code for f in errors_in(plain_text(tail=resolutions(court)))}
    assert {"overrides-clear", "gap"} <= found


def test_a_borrowed_statement_is_no_less_clear(tmp_path: Path) -> None:
    text = """\
source: {id: lent, title: Lent, language: en, lines: 1}
extends:
  source: home-pt
  questions: [card_points, hand_total, deal_order, natural, player_draw, banker_draw, winner, bets_offered, outcome,
              pays, bets_together]
statements: [{id: decks, cite: "1", says: one, about: decks, then: endless}]
resolutions:
  - {id: r, about: player_draw, when: {player2: 5}, then: stand, instead_of: [player-acts], because: x}
"""
    (tmp_path / "lent.yaml").write_text(text, encoding="utf-8")
    spec = Library([tmp_path]).spec("lent")
    found = [f for f in check_spec(spec).findings if f.level == "error" and f.status == "open"]
    assert [(f.code, f.subject, f.states) for f in found] == [("overrides-clear", "r", 8)]


def test_around_the_coup_the_answers_are_shown_without_cards(plain_text: MakeText) -> None:
    lone = "id: lone, about: bets_together, when: {count: '>= 2'}, then: refused, instead_of: [together]"
    (found,) = errors_in(plain_text(tail=resolutions(lone)))
    assert (found.code, found.played) == ("overrides-clear", "of the text allowed; with lone refused")


# --- yields_to ------------------------------------------------------------------------------------


def yielding(block: str, to: str) -> str:
    return block.replace("    about:", f"    yields_to: [{to}]\n    about:", 1)


def test_a_contradiction_behind_yields_to_is_told_and_counted(plain_text: MakeText) -> None:
    text = plain_text({"banker": yielding(BLOCKS["banker"], "never")}, add=NEVER)
    (found,) = errors_in(text)
    assert (found.code, found.subject) == ("yielded-conflict", "banker")
    assert (found.region, found.cells, found.states) == (CONFLICT.strip("{}"), 3, 18)
    assert found.message == "banker yields to never, which contradicts it about whether the banker draws"
    assert [p.id for p in found.parts] == ["banker/12", "never"]
    assert verdict_words(verdict(checked(text), "banker_draw")).endswith("24 by otherwise, 3 by yields_to")


def test_yields_to_without_a_contradiction_is_fine(plain_text: MakeText) -> None:
    """On four against an eight, nine, ace or ten both stand."""
    four = "  - {id: four, cite: '22', says: x, about: banker_draw, when: {banker2: 4, player_third: 8}, then: stand}\n"
    text = plain_text({"banker": yielding(BLOCKS["banker"], "four")}, add=four)
    assert codes(text) == []
    assert verdict(checked(text), "banker_draw").yielded == 0


def test_a_chain_is_told_where_each_link_contradicts(plain_text: MakeText) -> None:
    """The table yields to `never`, and that to `one`, which says what the table says: only two of them disagree."""
    never = NEVER.replace("says: x", "says: x, yields_to: [one]")
    one = "  - {id: one, cite: '22', says: x, about: banker_draw, when: {banker2: 1, player_third: 8}, then: draw}\n"
    text = plain_text({"banker": yielding(BLOCKS["banker"], "never")}, add=never + one)
    found = {f.subject: f for f in errors_in(text)}
    assert set(found) == {"banker", "never"}
    assert (found["never"].region, found["never"].states) == ("banker2: 1, player_third: 8", 6)
    assert found["banker"].states == 12
    assert {f.code for f in found.values()} == {"yielded-conflict"}


def test_it_is_accepted_with_its_number_of_states(plain_text: MakeText) -> None:
    text = plain_text({"banker": yielding(BLOCKS["banker"], "never")}, add=NEVER)
    entry = "accepted:\n  - {finding: yielded-conflict banker, states: 18, because: the text says except}\n"
    assert codes(text + entry) == []
    assert codes(text + entry.replace("18", "17")) == ["yielded-conflict", "miscounted-acceptance"]

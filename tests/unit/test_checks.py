"""Each finding from the least faulty spec: where it stands, what it covers and what shows it; the verdict beside it."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from oracle.checks.dead import conceivable
from oracle.checks.run import exit_code
from oracle.game.rules import Rules
from oracle.rules.questions import COUP_QUESTIONS
from oracle.rules.read import read_spec_text
from tests.unit.findings import HALF, at, errors, note, only, place, report, verdict

MakeText = Callable[..., str]

PLAYER = "  - {id: low, cite: '6', says: x, about: player_draw, when: {player2: 0-5}, then: draw}\n"
HIGH = "  - {id: high, cite: '7', says: x, about: player_draw, when: {player2: 6-7}, then: stand}\n"


def test_the_plain_game_has_no_error_and_every_verdict_is_verified(plain_text: MakeText) -> None:
    checked = report(plain_text())
    assert errors(checked) == []
    assert {v.question: v.verdict for v in checked.verdicts} == dict.fromkeys(COUP_QUESTIONS, "verified")
    assert exit_code([checked]) == 0


def test_cells_decided_by_otherwise_alone_are_counted(plain_text: MakeText) -> None:
    # Of rows 3 to 7 the table lists 9, 6, 4, 2 and 0 third cards on which the banker draws.
    assert verdict(report(plain_text()), "banker_draw").otherwise == 50 - 9 - 6 - 4 - 2
    add = "  - {id: seven, cite: '22', says: x, about: banker_draw, when: {banker2: 7}, then: stand}\n"
    assert verdict(report(plain_text(add=add)), "banker_draw").otherwise == 40 - 9 - 6 - 4 - 2


# --- gap ------------------------------------------------------------------------------------------


def test_gap(plain_text: MakeText) -> None:
    text = plain_text({"player": PLAYER})
    found = only(text, "gap")
    assert (found.question, found.subject, found.status) == ("player_draw", "player_draw", "open")
    assert at(found) == place(text, "id: low"), "the statement that comes nearest"
    assert found.message.startswith("nothing says ")
    assert (found.region, found.cells, found.states) == ("player2: [6, 7]", 2, 16)
    assert found.witness is not None
    assert (found.witness.text, found.witness.cards) == ("P 6 K | B T Q", ("6", "T", "K", "Q"))
    assert found.witness.state == {"player2": 6}
    assert [(part.id, part.lines, part.answer) for part in found.parts] == [("low", "6", "draw")]
    assert "a resolution that fills it" in found.help
    checked = report(text)
    assert exit_code([checked]) == 1
    assert verdict(checked, "player_draw").verdict == "refuted"
    assert (verdict(checked, "player_draw").cells, verdict(checked, "player_draw").of_cells) == (6, 8)


def test_a_gap_that_a_resolution_fills_is_resolved_and_told_with_its_reason(plain_text: MakeText) -> None:
    tail = "resolutions:\n  - {id: r, about: player_draw, when: {player2: 6-7}, then: stand, because: all do}\n"
    found = only(plain_text({"player": PLAYER}, tail=tail), "gap")
    assert (found.status, found.resolution, found.because, found.help) == ("resolved", "r", "all do", "")
    checked = report(plain_text({"player": PLAYER}, tail=tail))
    assert exit_code([checked]) == 0
    assert (verdict(checked, "player_draw").verdict, verdict(checked, "player_draw").resolutions) == (
        "resolved",
        ("r",),
    )


def test_a_gap_that_is_filled_in_part_is_told_in_two_parts(plain_text: MakeText) -> None:
    tail = "resolutions:\n  - {id: r, about: player_draw, when: {player2: 6}, then: stand, because: x}\n"
    found = errors(report(plain_text({"player": PLAYER}, tail=tail)))
    assert [(f.code, f.region, f.status, f.states) for f in found] == [
        ("gap", "player2: 6", "resolved", 8),
        ("gap", "player2: 7", "open", 8),
    ]


def test_a_gap_of_a_question_of_which_nothing_speaks_stands_at_the_rule_set(plain_text: MakeText) -> None:
    text = plain_text({"deal": None})
    found = only(text, "gap")
    assert (found.question, found.region, found.cells, found.parts) == ("deal_order", "every state", 4, ())
    assert found.span.line == 1


def test_a_gap_that_only_another_reading_has_names_the_reading(plain_text: MakeText) -> None:
    few = """\
  - id: few
    cite: "6"
    says: x
    readings:
      five: {about: player_draw, when: {player2: 0-5}, then: draw}
      four: {about: player_draw, when: {player2: 0-4}, then: draw}
"""
    tail = "resolutions:\n  - {id: r, choose: few, reading: five, because: x}\n"
    found = errors(report(plain_text({"player": few + HIGH}, tail=tail)))
    assert [(f.code, f.region, f.status) for f in found] == [
        ("gap", "player2: 5", "resolved"),
        ("ambiguous", "player2: 5", "resolved"),
    ]
    assert found[0].message.endswith(" if few is read as four")
    assert found[1].message.startswith("few can be read as five or four, which differ")


# --- conflict -------------------------------------------------------------------------------------


def test_conflict(plain_text: MakeText) -> None:
    text = plain_text(add="  - {id: on, cite: '22', says: x, about: natural, when: {natural: both}, then: continue}\n")
    found = only(text, "conflict")
    assert (found.question, found.subject, found.status) == ("natural", "natural", "open")
    assert at(found) == place(text, "id: on"), "the later statement in the file"
    assert found.message.startswith("natural and on disagree about ")
    assert (found.region, found.cells, found.states) == ("natural: both", 4, 4)
    assert found.witness is not None
    assert found.witness.text == "P 8 K | B 8 Q"
    assert [(part.id, part.answer) for part in found.parts] == [("natural", "stop"), ("on", "continue")]
    assert "`instead_of`" in found.help
    assert exit_code([report(text)]) == 1


def test_the_position_of_a_conflict_is_the_later_statement_whatever_its_answer(plain_text: MakeText) -> None:
    on = "  - {id: on, cite: '22', says: x, about: natural, when: {natural: both}, then: continue}\n"
    off = "  - {id: off, cite: '4', says: eight or nine stops, about: natural, when: {natural: not none}, then: stop}\n"
    text = plain_text({"natural": on}, add=off)
    assert at(only(text, "conflict")) == place(text, "id: off")


def test_statements_that_disagree_elsewhere_take_no_part(plain_text: MakeText) -> None:
    clash = """\
  - id: nine
    cite: "22"
    says: x
    about: winner
    cases:
      - {when: {player2: 9, banker2: 8}, then: banker}
      - {when: {player2: 8, banker2: 9}, then: player}
"""
    tail = (
        "resolutions:\n"
        "  - {id: r, about: winner, when: {player2: 9, banker2: 8}, then: player, instead_of: [nine], because: x}\n"
    )
    found = errors(report(plain_text(add=clash, tail=tail)))
    assert [(f.code, f.region, f.status, [p.id for p in f.parts]) for f in found] == [
        ("conflict", "player2: 9, banker2: 8", "resolved", ["winner/18", "nine/22"]),
        ("conflict", "player2: 8, banker2: 9", "open", ["winner/18#2", "nine/22#2"]),
    ]


def test_three_statements_of_which_no_two_disagree_conflict_together(plain_text: MakeText) -> None:
    free = "  - {{id: {0}, cite: '6', says: x, about: player_draw, then: {1}}}\n"
    two = free.format("a", "draw | stand") + free.format("b", "draw") + free.format("c", "stand")
    found = only(plain_text({"player": two}), "conflict")
    assert found.message.startswith("b and c disagree about ")


# --- undecided and ambiguous ----------------------------------------------------------------------


def test_undecided(plain_text: MakeText) -> None:
    free = "  - {id: free, cite: '7', says: x, about: player_draw, when: {player2: 6-7}, then: draw | stand}\n"
    text = plain_text({"player": PLAYER + free})
    found = only(text, "undecided")
    assert (found.subject, found.status, at(found)) == ("player_draw", "open", place(text, "id: free"))
    assert found.message.endswith("is left free, and nobody is named to choose")
    assert (found.region, found.cells, found.states) == ("player2: [6, 7]", 2, 16)
    assert [(part.id, part.answer) for part in found.parts] == [("free", "draw | stand")]
    assert "choosers: {player_draw: player}" in found.help
    chosen = report(plain_text({"player": PLAYER + free}, tail="choosers: {player_draw: player}\n"))
    assert errors(chosen) == []
    assert verdict(chosen, "banker_draw").states == 8 * 8 * 10 + 2 * 8


def test_ambiguous(plain_text: MakeText) -> None:
    text = plain_text({"pays": HALF})
    found = [f for f in errors(report(text)) if f.code == "ambiguous"]
    assert [(f.subject, f.status, f.region, f.cells) for f in found] == [("pays", "open", "every state", 3)]
    assert at(found[0]) == place(text, "about: pays, when: {bet: banker}")
    assert "{id: …, choose: pays, reading: even, because: …}" in found[0].help
    assert verdict(report(text), "pays").verdict == "refuted"
    assert verdict(report(text), "pays").cells == 0
    assert exit_code([report(text)]) == 1


def test_a_chosen_reading_closes_an_ambiguity(plain_text: MakeText) -> None:
    total = """\
  - id: total
    cite: "2"
    says: x
    readings:
      last-digit: {about: hand_total, then: units}
      nothing:
        about: hand_total
        cases:
          - {when: {sum: "<= 9"}, then: sum}
          - {when: {sum: "> 9"}, then: 0}
"""
    tail = "resolutions:\n  - {id: r, choose: total, reading: last-digit, because: tens go}\n"
    found = only(plain_text({"total": total}, tail=tail), "ambiguous")
    assert (found.region, found.cells) == ("sum: [11-19, 21-27]", 16)
    assert (found.status, found.resolution, found.because) == ("resolved", "r (read as last-digit)", "tens go")
    assert found.witness is not None
    assert found.witness.cards == ("2", "9")


# --- dead and vacuous -----------------------------------------------------------------------------


def test_dead_in_itself(plain_text: MakeText) -> None:
    odd = (
        "  - {id: odd, cite: '22', says: x, about: banker_draw, when: {player_drew: no, player_third: 0-9},\n"
        "     then: stand}\n"
    )
    text = plain_text(add=odd)
    found = only(text, "dead")
    assert (found.subject, found.status, at(found)) == ("odd", "open", place(text, "id: odd"))
    assert found.message == "odd contradicts itself: no state has player_drew: no, player_third: 0-9"
    assert (found.cells, found.states, found.region, found.witness, found.given) == (0, 0, "", None, ())
    assert verdict(report(text), "banker_draw").verdict == "verified"
    assert exit_code([report(text)]) == 1


def test_dead_because_it_is_settled_before(plain_text: MakeText) -> None:
    text = plain_text(
        add="  - {id: nine, cite: '22', says: x, about: player_draw, when: {player2: 8-9}, then: stand}\n"
    )
    found = only(text, "dead")
    assert (found.subject, at(found), found.given) == ("nine", place(text, "id: nine"), ())
    assert found.message == "nine is never reached: player2: 8-9 is settled before"


def test_dead_given_a_resolution_says_which(plain_text: MakeText) -> None:
    tail = "resolutions:\n  - {id: eights-stop, about: natural, when: {natural: not none}, then: stop, because: x}\n"
    add = "  - {id: nine, cite: '22', says: x, about: player_draw, when: {player2: 8-9}, then: stand}\n"
    nothing = "  - {id: on, cite: '4', says: x, about: natural, when: {natural: none}, then: continue}\n"
    found = errors(report(plain_text({"natural": nothing}, add=add, tail=tail)))
    (dead,) = (f for f in found if f.code == "dead")
    assert dead.given == ("eights-stop",)


def test_dead_because_it_yields_everywhere(plain_text: MakeText) -> None:
    high = HIGH.replace("then: stand", "then: stand, yields_to: [all]")
    text = plain_text({"player": "  - {id: all, cite: '6', says: x, about: player_draw, then: draw}\n" + high})
    found = [f for f in errors(report(text)) if f.code == "dead"]
    assert [(f.subject, f.message, at(f)) for f in found if f.question == "player_draw"] == [
        ("high", "high never speaks: it yields to all everywhere", place(text, "id: high"))
    ]


def test_vacuous_otherwise(plain_text: MakeText) -> None:
    player = """\
  - id: player
    cite: "5"
    says: x
    about: player_draw
    cases:
      - {when: {player2: 0-5}, then: draw}
      - {when: {player2: 6-7}, then: stand}
    otherwise: {cite: "8", then: stand}
"""
    text = plain_text({"player": player})
    found = only(text, "vacuous")
    assert (found.subject, at(found)) == ("player/otherwise", place(text, 'cite: "8"'))
    assert found.message == "player/otherwise has nothing to decide: the cases before it leave no state"


def test_vacuous_question(plain_text: MakeText) -> None:
    text = plain_text({"natural": "  - {id: natural, cite: '4', says: x, about: natural, then: stop}\n"})
    checked = report(text)
    assert [(f.code, f.subject) for f in errors(checked)] == [("vacuous", "player_draw"), ("vacuous", "banker_draw")]
    assert at(errors(checked)[0]) == place(text, 'cite: "7"')
    assert verdict(checked, "player_draw").verdict == "vacuous"


def test_an_accepted_finding_stays_and_is_no_error(plain_text: MakeText) -> None:
    add = "  - {id: nine, cite: '22', says: x, about: player_draw, when: {player2: 8-9}, then: stand}\n"
    tail = "accepted:\n  - {finding: dead nine, because: the document prints it}\n"
    found = only(plain_text(add=add, tail=tail), "dead")
    assert (found.status, found.because, found.help) == ("accepted", "the document prints it", "")
    assert exit_code([report(plain_text(add=add, tail=tail))]) == 0


def test_an_acceptance_that_accepts_nothing_is_an_error(plain_text: MakeText) -> None:
    text = plain_text(tail="accepted:\n  - {finding: dead player/6, because: x}\n")
    found = only(text, "unneeded-acceptance")
    assert (found.subject, at(found), found.status) == ("dead player/6", place(text, "finding:"), "open")
    assert found.message == "`dead player/6` accepts nothing"
    assert exit_code([report(text)]) == 1


def test_a_gap_cant_be_accepted(plain_text: MakeText) -> None:
    text = plain_text({"player": PLAYER}, tail="accepted:\n  - {finding: gap player_draw, because: x}\n")
    found = errors(report(text))
    assert [(f.code, f.status) for f in found] == [("gap", "open"), ("unneeded-acceptance", "open")]
    assert "can be accepted; the others are closed by a resolution" in found[1].help


@pytest.mark.parametrize(
    ("question", "guard", "expected"),
    [
        ("banker_draw", "{player_drew: no, player_third: 0-9}", False),
        ("banker_draw", "{player_drew: yes, player_third: none}", False),
        ("banker_draw", "{player2: 8, player_third: 4}", True),
        ("banker_draw", "{player2: 5, player_third: 4, player_total: 8}", False),
        ("winner", "{player2: 8, natural: none}", False),
        ("winner", "{player_cards: 2, player_third: 3}", False),
        ("winner", "{higher: equal, margin: '> 0'}", False),
        ("winner", "{player2: 8, player_cards: 3}", True),
        ("outcome", "{bet: [player, tie], winner: tie}", True),
    ],
)
def test_a_guard_contradicts_itself_if_no_hands_of_two_or_three_cards_meet_it(
    plain_text: MakeText, question: str, guard: str, expected: bool
) -> None:
    then = {"banker_draw": "draw", "winner": "tie", "outcome": "push"}[question]
    text = plain_text(add=f"  - {{id: odd, cite: '22', says: x, about: {question}, when: {guard}, then: {then}}}\n")
    spec = read_spec_text(text)
    (clause,) = (c for c in spec.clauses if c.id == "odd")
    assert conceivable(Rules(spec, spec.rule_sets[0]), question, clause.guard) is expected


# --- resolutions ----------------------------------------------------------------------------------


def test_overriding_resolution_and_the_text_holds(plain_text: MakeText) -> None:
    tail = "resolutions:\n  - {id: bold, about: player_draw, when: {player2: 4-6}, then: stand, because: x}\n"
    text = plain_text({"player": PLAYER + HIGH}, tail=tail)
    found = [f for f in errors(report(text)) if f.status == "open"]
    assert [f.code for f in found] == ["overriding-resolution"]
    assert (found[0].subject, at(found[0])) == ("bold", place(text, "id: bold"))
    assert (found[0].region, found[0].cells, found[0].states) == ("player2: [4, 5]", 2, 16)
    assert found[0].message == "bold says stand where the text clearly says otherwise; the text holds"
    assert [(part.id, part.answer) for part in found[0].parts] == [("low", "draw")]
    spec = read_spec_text(text)
    evaluation = Rules(spec, spec.rule_sets[0]).evaluation("player_draw")
    assert evaluation.answer(evaluation.space.index((5, 0)) or 0) == ("draw",)


def test_a_resolution_that_reaches_over_clear_states_beside_open_ones_leaves_them_alone(plain_text: MakeText) -> None:
    tail = "resolutions:\n  - {id: wide, about: player_draw, when: {player2: 5-7}, then: stand, because: x}\n"
    text = plain_text({"player": PLAYER}, tail=tail)
    assert [(f.code, f.status) for f in errors(report(text)) if f.code == "gap"] == [("gap", "resolved")]
    spec = read_spec_text(text)
    evaluation = Rules(spec, spec.rule_sets[0]).evaluation("player_draw")
    assert evaluation.answer(evaluation.space.index((5, 0)) or 0) == ("draw",)
    assert evaluation.answer(evaluation.space.index((6, 0)) or 0) == ("stand",)


def test_a_resolution_that_names_what_it_sets_aside_is_told_as_one_that_does(plain_text: MakeText) -> None:
    wide = "  - {id: wide, about: player_draw, when: {player2: 5-7}, then: stand, instead_of: [low], because: x}\n"
    found = errors(report(plain_text({"player": PLAYER}, tail="resolutions:\n" + wide)))
    assert [(f.code, f.status) for f in found] == [("gap", "resolved"), ("overrides-clear", "open")]


def test_unneeded_resolution(plain_text: MakeText) -> None:
    tail = "resolutions:\n  - {id: idle, about: player_draw, when: {player2: 6-7}, then: stand, because: x}\n"
    text = plain_text(tail=tail)
    found = only(text, "unneeded-resolution")
    assert (found.subject, at(found), found.help) == ("idle", place(text, "id: idle"), "remove it")
    assert found.message.startswith("idle closes nothing about ")


def test_a_resolution_over_a_conflict_that_names_nobody_is_told_how_to(plain_text: MakeText) -> None:
    tail = "resolutions:\n  - {id: weak, about: player_draw, when: {player2: 5}, then: draw, because: x}\n"
    add = "  - {id: not-five, cite: '22', says: x, about: player_draw, when: {player2: 5}, then: stand}\n"
    found = errors(report(plain_text(add=add, tail=tail)))
    assert [f.code for f in found] == ["conflict", "unneeded-resolution"]
    assert found[1].help == "statements conflict there: name the one that it sets aside in `instead_of`"


def test_a_resolution_needed_at_one_table_is_needed(plain_text: MakeText) -> None:
    head = "source: {id: plain, title: Plain, language: en, lines: 22}\nrule_sets: {one: {}, two: {}}\n"
    head = head.replace("one: {}, two: {}", "one: {title: One}, two: {title: Two}")
    low = PLAYER.replace("says: x", "says: x, tables: [one]")
    both = "  - {id: all, cite: '6', says: x, tables: [two], about: player_draw, when: {player2: 0-5}, then: draw}\n"
    stands = (
        "  - {id: stands, cite: '6', says: x, tables: [two], about: player_draw, when: {player2: 6-7}, then: stand}\n"
    )
    tail = "resolutions:\n  - {id: r, about: player_draw, when: {player2: 6-7}, then: stand, because: x}\n"
    checked = report(plain_text({"player": low + both + stands}, head=head, tail=tail))
    assert [(f.code, f.status, f.rules) for f in errors(checked)] == [("gap", "resolved", "plain/one")]
    assert verdict(checked, "player_draw", "plain/one").verdict == "resolved"
    assert verdict(checked, "player_draw", "plain/two").verdict == "verified"


# --- notes ----------------------------------------------------------------------------------------


def test_masked(plain_text: MakeText) -> None:
    text = plain_text(add="  - {id: zero, cite: '22', says: x, about: player_draw, when: {player2: 0}, then: draw}\n")
    found = note(text, "masked", "zero")
    assert (at(found), found.region, found.cells, found.states) == (place(text, "id: zero"), "player2: 0", 1, 8)
    assert exit_code([report(text)]) == 0


def test_overlap(plain_text: MakeText) -> None:
    text = plain_text(add="  - {id: zero, cite: '22', says: x, about: player_draw, when: {player2: 0}, then: draw}\n")
    found = note(text, "overlap", "player_draw")
    assert (at(found), found.region, found.states) == (place(text, "id: zero"), "player2: 0", 8)
    assert [part.id for part in found.parts] == ["player/6", "zero"]


def test_assumed(plain_text: MakeText) -> None:
    found = note(plain_text({"commission": None}), "assumed", "commission")
    assert (found.region, found.message) == ("every state", "nothing says the commission; assumed: 0")
    assert [f.subject for f in report(plain_text()).findings if f.code == "assumed"] == ["natural"]

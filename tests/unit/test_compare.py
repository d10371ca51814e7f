"""Comparing rule sets: the same, and where they contradict each other, with a witness that both were seen to play."""

from __future__ import annotations

from collections.abc import Callable
from fractions import Fraction
from functools import cache
from itertools import combinations

import msgspec
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import oracle.compare.witness
from oracle.cards import Card
from oracle.compare.disputes import CONFIRMED, DISPUTED, REFUTED, compare_claims
from oracle.compare.joint_space import JointSpace, told_apart
from oracle.compare.matrix import matrices
from oracle.compare.pair import Pair, compare_all, compare_rules
from oracle.compare.relation import Compared, Region
from oracle.compare.stance import COMPARED, SAYS, Stance
from oracle.compare.witness import NotReplayed, common_stake, witness_of
from oracle.game.coup import play
from oracle.game.rules import Rules
from oracle.game.settle import settle
from oracle.game.space import EXAMPLE_FIELDS
from oracle.rules.library import Library
from oracle.rules.questions import CHECKED_QUESTIONS
from tests.conftest import BLOCKS
from tests.nonempty import nonempty

MakeRules = Callable[..., Rules]
TABLES = {rule_set.id: Rules(spec, rule_set) for spec in Library().specs() for rule_set in spec.rule_sets}
IDS = sorted(combinations(TABLES, 2))


@cache
def pairs() -> dict[tuple[str, str], Pair]:
    """Every two shipped tables, compared."""
    return {(pair.a, pair.b): pair for pair in compare_all(list(TABLES.values()))}


def contradictions(pair: Pair) -> list[tuple[str, Region]]:
    return [(q.question, region) for q in pair.questions for region in q.regions if region.relation == "contradiction"]


def differing(pair: Pair) -> set[str]:
    """The questions that two tables don't answer the same, of the text or as read."""
    return {q.question for q in pair.questions if {q.literal.relation, q.resolved.relation} != {"same"}}


# --- the shipped documents --------------------------------------------------------------------------


def test_a_tie_pays_eight_at_one_table_and_nine_at_the_other() -> None:
    pays = pairs()["home-pt", "punto-es"].question("pays")
    (region,) = pays.regions
    assert (pays.literal.relation, pays.resolved.relation, region.region) == ("contradiction",) * 2 + ("bet: tie",)
    assert (region.a.says, region.b.says) == ("8:1", "9:1")
    assert [part.lines for part in region.a.statements] == ["29.1", "34"]
    assert [part.lines for part in region.b.statements] == ["3.5"]
    witness = region.witness
    assert witness is not None
    assert witness.a is not None
    assert witness.b is not None
    assert (witness.a.winner, witness.b.winner) == ("tie", "tie")
    assert witness.bets == {"tie": 20}
    assert (witness.a.nets, witness.b.nets) == ({"tie": 160}, {"tie": 180})


def test_a_contradiction_is_weighed_by_how_often_it_comes() -> None:
    """Ties of eight decks, a published figure; punto-es doesn't say what its shoe is, so it is home-pt's."""
    (region,) = pairs()["home-pt", "punto-es"].question("pays").regions
    assert region.chance == Fraction(475_627_426_473_216, 4_998_398_275_503_360)
    assert region.at == "home-pt"
    (decks,) = pairs()["grid-pt", "home-pt"].question("decks").regions
    assert decks.chance is None, "no coup comes to a number of decks"


def test_what_one_document_leaves_out_is_an_omission_and_no_contradiction() -> None:
    pair = pairs()["home-pt", "punto-es"]
    for question in ("decks", "deal_order", "reshuffle"):
        assert pair.question(question).relation == "omission"
        assert pair.question(question).silent == ("punto-es",)
    assert pair.question("deal_order").resolved.relation == "same"
    assert pair.question("decks").resolved.relation == "omission"


def test_the_tableaux_are_equal_once_the_open_cell_is_read() -> None:
    tableau = pairs()["home-pt", "punto-es"].question("banker_draw")
    assert (tableau.literal.relation, tableau.literal.open, tableau.literal.same) == ("open", 6, 490)
    assert (tableau.resolved.relation, tableau.resolved.same, tableau.resolved.states) == ("same", 496, 496)
    (region,) = tableau.regions
    assert region.region == "banker2: 3, player_third: 8"
    assert (region.a.says, region.b.says, region.resolved) == ("stand", "not said", False)


def test_all_tableaux_are_equal_state_by_state() -> None:
    for pair in nonempty(pairs().values()):
        for question in ("card_points", "hand_total", "deal_order", "natural", "player_draw", "banker_draw", "winner"):
            found = pair.question(question)
            assert found.resolved.relation == "same", (pair.a, pair.b, question)
            assert not found.only_a
            assert not found.only_b


def test_the_two_tables_of_one_house_differ_in_the_bankers_net_exactly() -> None:
    pair = pairs()["selminha/classica", "selminha/sem-comissao"]
    found = contradictions(pair)
    assert [(question, region.region, region.a.says, region.b.says) for question, region in found] == [
        ("pays", "bet: banker, banker_total: [1-5, 7-9]", "19:20", "1:1"),
        ("pays", "bet: banker, banker_total: 6", "19:20", "1:2"),
    ]
    nets = [(r.witness.a.nets, r.witness.b.nets) for _, r in found if r.witness and r.witness.a and r.witness.b]
    assert nets == [({"banker": 19}, {"banker": 20}), ({"banker": 19}, {"banker": 10})]
    tie = [region for _, region in found if "tie" in region.region]
    assert tie == []


def test_even_money_less_five_per_cent_is_nineteen_to_twenty() -> None:
    pays = pairs()["grid-pt", "punto-es"].question("pays")
    assert [region.region for region in pays.regions] == ["bet: tie"]
    assert "pays" not in differing(pairs()["grid-pt", "home-pt"])
    assert "commission" not in {q.question for pair in pairs().values() for q in pair.questions}


def test_every_question_of_the_language_is_compared() -> None:
    for pair in nonempty(pairs().values()):
        assert [q.question for q in pair.questions] == [q for q in CHECKED_QUESTIONS if q != "commission"]
        assert not pair.incomplete


def test_counts_add_up_to_the_states_that_both_know() -> None:
    for pair in nonempty(pairs().values()):
        for q in nonempty(pair.questions):
            for standing in (q.literal, q.resolved):
                parts = (standing.same, standing.contradiction, standing.open, standing.omission)
                assert sum(parts) == standing.states
            for literal in (True, False):
                standing = q.literal if literal else q.resolved
                there = [r for r in q.regions if (r.literal if literal else r.resolved)]
                for relation in ("contradiction", "open"):
                    counted = sum(r.states for r in there if r.relation == relation)
                    assert counted == getattr(standing, relation), (pair.a, pair.b, q.question, relation)


@pytest.mark.slow
def test_what_comes_first_changes_no_relation() -> None:
    for (a, b), pair in nonempty(pairs().items()):
        turned = compare_rules(TABLES[b], TABLES[a])
        assert [(q.question, q.literal, q.resolved) for q in turned.questions] == [
            (q.question, q.literal, q.resolved) for q in pair.questions
        ]


@pytest.mark.slow
def test_a_rule_set_is_the_same_as_itself() -> None:
    for rules in TABLES.values():
        pair = compare_rules(rules, Rules(rules.spec, rules.rule_set))
        for q in nonempty(pair.questions):
            if q.question not in ("exhausted", "reshuffle") and not q.silent:
                assert q.resolved.relation == "same", (rules.id, q.question)
        assert not contradictions(pair)


# --- against playing --------------------------------------------------------------------------------

RANKS = st.sampled_from(list("A23456789TJQK"))


def contradicts(pair: Pair, end: dict[str, object], *, wins: bool) -> bool:
    """Whether a bet on an end of a coup lies in a contradiction about money."""
    for name in ("outcome", "pays") if wins else ("outcome",):
        for region in pair.question(name).regions:
            if region.relation == "contradiction" and region.resolved:
                for box in region.boxes:
                    if all(end[field] in values for field, values in box):
                        return True
    return False


@settings(deadline=None, max_examples=300)
@given(st.sampled_from(IDS), st.lists(RANKS, min_size=6, max_size=6), st.data())
def test_nets_differ_exactly_where_a_contradiction_is_found(
    ids: tuple[str, str], ranks: list[str], data: st.DataObject
) -> None:
    """Playing and settling at both tables is the other way to know: one goes state by state, the other coup by coup."""
    tables = [TABLES[id] for id in ids]
    cards = [Card(rank, suit) for rank, suit in zip(ranks, "CDHSCD", strict=True)]
    if len(set(cards)) < 6:
        return
    bet = data.draw(st.sampled_from([b for b in tables[0].bets if b in tables[1].bets]))
    coups = [play(rules, cards) for rules in tables]
    paid = [settle(rules, coup, {bet: Fraction(20)})[0] for rules, coup in zip(tables, coups, strict=True)]
    end: dict[str, object] = {"bet": bet, **dict(zip(EXAMPLE_FIELDS, coups[0].end, strict=False))}
    end |= {"winner": coups[0].winner, "player_pair": coups[0].alike["player"], "banker_pair": coups[0].alike["banker"]}
    end["higher"] = {"tie": "equal"}.get(coups[0].winner, coups[0].winner)
    end["natural"] = coups[0].natural
    wins = paid[0].outcome == paid[1].outcome == "win"
    assert (paid[0].net != paid[1].net) == contradicts(pairs()[ids], end, wins=wins)


# --- small games ------------------------------------------------------------------------------------


def test_a_moved_cell_is_found_with_a_coup_that_it_decides(plain_rules: MakeRules) -> None:
    banker = """\
  - id: banker
    cite: "11"
    says: after a third card the table holds
    about: banker_draw
    when: {player_drew: yes}
    cases:
      - {cite: "12", when: {banker2: 0-2}, then: draw}
      - {cite: "13", when: {banker2: 3, player_third: not 8}, then: draw}
      - {cite: "14", when: {banker2: 4, player_third: [1-7]}, then: draw}
      - {cite: "15", when: {banker2: 5, player_third: 4-7}, then: draw}
      - {cite: "16", when: {banker2: 6, player_third: 6-7}, then: draw}
    otherwise: {cite: "17", then: stand}
"""
    pair = compare_rules(plain_rules(), plain_rules({"banker": banker}))
    (found,) = [(question, region) for question, region in contradictions(pair) if question == "banker_draw"]
    region = found[1]
    assert (region.a.says, region.b.says, region.states) == ("stand", "draw", 6)
    assert region.region == "banker2: 4, player_third: 1"
    witness = region.witness
    assert witness is not None
    assert witness.a is not None
    assert witness.b is not None
    assert witness.a.winner != witness.b.winner, "cards that make the difference show"
    assert witness.a.nets != witness.b.nets
    ends = pair.question("winner")
    assert ends.only_a
    assert ends.only_b
    assert ends.resolved.relation == "same", "in what both can come to they agree"


def test_tables_that_share_no_state_are_vacuous_and_not_the_same(plain_rules: MakeRules) -> None:
    stops = "  - {id: natural, cite: '4', says: nobody ever draws, about: natural, then: stop}\n"
    pair = compare_rules(plain_rules(), plain_rules({"natural": stops}))
    assert pair.question("player_draw").resolved.relation == "vacuous"
    assert "vacuous" in pair.relations()


def test_silence_with_a_default_contradicts_nobody(plain_rules: MakeRules) -> None:
    pair = compare_rules(plain_rules({"commission": None}), plain_rules())
    assert pair.question("pays").resolved.contradiction, "no commission and five per cent are different nets"
    naturals = compare_rules(plain_rules({"natural": None}), plain_rules()).question("natural")
    assert (naturals.resolved.relation, naturals.resolved.omission, naturals.resolved.same) == ("omission", 36, 64)


def test_numbers_that_only_one_table_lists_are_compared_too(plain_rules: MakeRules) -> None:
    """One table's limit lies far beyond what the other tells apart."""
    low = '  - {id: low, cite: "22", says: up to ten, about: stake, when: {stake: "<= 10"}, then: allowed}\n'
    low += '  - {id: over, cite: "22", says: no more, about: stake, when: {stake: "> 10"}, then: refused}\n'
    chips = '  - {id: chips, cite: "22", says: chips of five, about: chips, then: [5]}\n'
    chips += '  - {id: laid, cite: "22", says: in chips, about: stake, when: {in_chips: yes}, then: allowed}\n'
    chips += '  - {id: not-laid, cite: "22", says: in chips, about: stake, when: {in_chips: no}, then: refused}\n'
    for pair, sides in (
        (compare_rules(plain_rules(add=low), plain_rules(add=chips)), ("a", "b")),
        (compare_rules(plain_rules(add=chips), plain_rules(add=low)), ("b", "a")),
    ):
        found = {
            (getattr(region, sides[0]).says, getattr(region, sides[1]).says): region
            for region in pair.question("stake").regions
        }
        stakes = {key: {v for box in r.boxes for f, vs in box if f == "stake" for v in vs} for key, r in found.items()}
        assert {1, 9} <= stakes["allowed", "refused"]
        assert stakes["allowed", "refused"].isdisjoint({5, 10, 11, 15})
        assert 15 in stakes["refused", "allowed"]
        assert stakes["refused", "allowed"].isdisjoint({5, 10, 11, 16})


def test_a_state_that_neither_decides_is_open(plain_rules: MakeRules) -> None:
    gap = '  - {id: player, cite: "5", says: draws, about: player_draw, when: {player2: 0-4}, then: draw}\n'
    found = compare_rules(plain_rules({"player": gap}), plain_rules()).question("player_draw")
    assert (found.literal.relation, found.resolved.relation, found.resolved.open) == ("open", "open", 24)
    assert {region.a.says for region in found.regions} == {"not said"}
    assert {region.b.says for region in found.regions} == {"draw or stand"}


def test_bets_that_are_left_open_hide_no_other_difference(plain_rules: MakeRules) -> None:
    """Hardly any text says that a bet loses; the banker's row is compared all the same, by coups without those nets."""
    wins = """\
  - {id: outcome, cite: "19", says: the hand wins, about: outcome, when: {bet: player, winner: player}, then: win}
"""
    row = '{cite: "16", when: {banker2: 6, player_third: 6-7}, then: draw}'
    assert row in BLOCKS["banker"]
    banker = BLOCKS["banker"].replace(row, row.replace("6-7", "7"))
    found = compare_rules(plain_rules({"outcome": wins, "banker": banker}), plain_rules()).question("banker_draw")
    assert (found.reason, found.resolved.relation) == ("", "contradiction")
    shown = found.regions[0].witness
    assert shown is not None
    assert shown.b is not None
    assert shown.b.nets


def test_stakes_are_twenty_where_both_take_that_else_the_least_that_both_take(plain_rules: MakeRules) -> None:
    def only(stakes: str) -> Rules:
        text = '  - {id: a, cite: "22", says: some, about: stake, when: {stake: STAKES}, then: allowed}\n'
        text += '  - {id: b, cite: "22", says: not all, about: stake, when: {stake: not STAKES}, then: refused}\n'
        return plain_rules(add=text.replace("STAKES", stakes))

    assert common_stake([only("5-50"), only("15-500")], ["player"]) == 20
    assert common_stake([only("5-50"), only("30-40")], ["player"]) == 30
    assert common_stake([only("5"), only("30")], ["player"]) == 20
    assert common_stake([plain_rules(), only("7")], ["player"]) == 7


def test_an_answer_that_evaluating_the_state_alone_doesnt_give_is_no_witness(plain_rules: MakeRules) -> None:
    """The check on ourselves: a state evaluated anew must say what the region says."""
    tables = told_apart([plain_rules(), plain_rules()])
    panel = JointSpace(tables, "natural")
    right, wrong = Stance(SAYS, ("stop",)), Stance(SAYS, ("continue",))
    nine = panel.space.masks("player2")[9]
    assert witness_of(panel, nine, (right, right), literal=False) is not None
    with pytest.raises(NotReplayed, match="plain natural"):
        witness_of(panel, nine, (right, wrong), literal=False)


def test_a_coup_that_plays_otherwise_is_no_witness(plain_rules: MakeRules, monkeypatch: pytest.MonkeyPatch) -> None:
    tables = told_apart([plain_rules(), plain_rules()])
    panel = JointSpace(tables, "natural")

    def unchecked(*_args: object, **_options: object) -> None:
        """Let the state pass, so that only playing is left."""

    monkeypatch.setattr(oracle.compare.witness, "_check", unchecked)
    with pytest.raises(NotReplayed, match="played as"):
        witness_of(panel, 1, (Stance(SAYS, ("stop",)), Stance(SAYS, ("stop",))), literal=False)


def test_a_question_with_too_many_states_is_told_and_not_passed(plain_rules: MakeRules) -> None:
    bets = ", ".join(f"b{n}" for n in range(17))
    many = f'  - {{id: many, cite: "22", says: many, about: bets_offered, then: [player, banker, tie, {bets}]}}\n'
    pair = compare_rules(plain_rules(add=many), plain_rules(add=many))
    found = pair.question("bets_together")
    assert found.reason
    assert pair.incomplete
    assert found.resolved.relation == "skipped"


# --- claims -----------------------------------------------------------------------------------------


def test_two_documents_that_assert_opposite_facts_are_in_dispute() -> None:
    found = compare_claims(TABLES["grid-pt"], TABLES["home-pt"])
    disputed = [entry for entry in found if entry.kind == DISPUTED]
    assert [(e.of.rules, e.of.lines, e.against.rules, e.against.lines) for e in disputed] == [
        ("grid-pt", "5.2", "home-pt", "4.1")
    ]


def test_a_dispute_is_told_once_and_not_from_either_side() -> None:
    found = compare_claims(TABLES["home-pt"], TABLES["punto-es"])
    assert [entry.of.id for entry in found if entry.kind == DISPUTED] == ["other-games-have-choices"]


def test_what_a_document_says_of_other_tables_is_confirmed_by_one_that_is_so() -> None:
    found = compare_claims(TABLES["home-pt"], TABLES["punto-es"])
    assert [(e.of.id, e.against.says) for e in found if e.kind == CONFIRMED] == [("others-pay-nine", "pays 9:1")]


def test_a_false_claim_about_another_table_is_refuted() -> None:
    classica, other = TABLES["selminha/classica"], TABLES["selminha/sem-comissao"]
    (found,) = compare_claims(classica, other)
    assert found.kind == CONFIRMED
    (claim,) = [c for c in classica.spec.claims if c.id == found.of.id]
    lie = msgspec.structs.replace(claim, body=msgspec.structs.replace(claim.body, differs=("pays",)))
    spec = msgspec.structs.replace(classica.spec, claims=(lie,))
    (found,) = compare_claims(Rules(spec, classica.rule_set), Rules(spec, other.rule_set))
    assert (found.kind, found.against.says) == (REFUTED, "they differ in pays, commission")


# --- the matrix -------------------------------------------------------------------------------------


def test_the_matrix_has_the_answer_of_every_table_in_every_state() -> None:
    """Rows and pairs are two ways to the same: two tables differ in a row exactly if their pair has a contradiction."""
    found = {entry.question: entry for entry in matrices(list(TABLES.values()))}
    assert list(found) == list(COMPARED)
    ids = list(TABLES)
    for (a, b), pair in pairs().items():
        for question, entry in found.items():
            differ = False
            for row in entry.rows:
                first, second = row.cells[ids.index(a)], row.cells[ids.index(b)]
                if first and second and first.heard.kind == second.heard.kind == SAYS:
                    differ |= first.heard != second.heard
            assert differ == (pair.question(question).resolved.relation == "contradiction"), (a, b, question)


def test_rows_tell_who_does_not_offer_a_bet() -> None:
    found = {entry.question: entry for entry in matrices(list(TABLES.values()))}
    rows = [row for row in found["pays"].rows if row.region.startswith("bet: [player_pair, banker_pair]")]
    assert [[cell is not None for cell in row.cells] for row in rows] == [[False, False, False, True, True]]


def test_classes_say_who_answers_alike() -> None:
    found = {entry.question: entry.classes() for entry in matrices(list(TABLES.values()))}
    assert found["banker_draw"] == (0, 0, 0, 0, 0)
    assert found["pays"] == (0, 0, 1, 0, 2)
    assert found["decks"] == (0, 1, None, 1, 1)


def test_one_text_read_twice_is_one_text() -> None:
    """A spec with everything said in other words and order compares the same."""
    spec = TABLES["home-pt"].spec
    turned = msgspec.structs.replace(spec, clauses=spec.clauses[::-1])
    pair = compare_rules(TABLES["home-pt"], Rules(turned, spec.rule_sets[0]))
    assert not contradictions(pair)


def test_a_bet_only_one_table_has_is_no_state_of_the_other() -> None:
    outcome: Compared = pairs()["home-pt", "selminha/classica"].question("outcome")
    assert outcome.only_b
    assert not outcome.only_a

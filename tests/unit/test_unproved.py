"""Nothing that is unproved reads as proved: each way of hiding a fault, its variants, and an innocent twin."""

from __future__ import annotations

from collections.abc import Callable
from fractions import Fraction
from pathlib import Path

import pytest

from oracle.checks.claim_context import ClaimContext
from oracle.checks.finding import Finding
from oracle.checks.overrides import edge_changes, narrowed
from oracle.checks.run import SpecReport, check_spec, exit_code
from oracle.game.rules import Rules
from oracle.report.words.check_words import coverage_words, edge_words, verdict_words
from oracle.rules.library import Library
from oracle.rules.read import read_spec_text
from oracle.spans import SpecError
from tests.conftest import BLOCKS, HEAD
from tests.unit.findings import verdict

MakeText = Callable[..., str]
DECKS = "  - {id: decks, cite: '22', says: x, about: decks, then: 8}\n"
SHUFFLED = "  - {id: shuffled, cite: '22', says: x, about: reshuffle, when: {remaining: '<= 50'}, then: shuffle}\n"
SHOE = DECKS + SHUFFLED
NEVER = "  - {id: never, cite: '22', says: x, about: banker_draw, when: {player_third: 8}, then: stand}\n"
CONFLICT = "{banker2: 0-2, player_third: 8}"
TWO = "rule_sets: {one: {title: One}, two: {title: Two}}\n"


def checked(text: str) -> SpecReport:
    spec = read_spec_text(text, name="plain.yaml")
    return check_spec(spec, context=ClaimContext([spec]))


def errors(text: str, *, status: str = "open") -> list[Finding]:
    return [f for f in checked(text).findings if f.level == "error" and f.status == status]


def codes(text: str) -> list[str]:
    return [finding.code for finding in errors(text)]


def resolutions(*entries: str) -> str:
    return "resolutions:\n" + "".join(f"  - {{{entry}, because: x}}\n" for entry in entries)


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
    (found,) = errors(text)
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
    (found,) = errors(text)
    assert (found.code, dict(found.edges), edge_words(found)) == ("overrides-clear", {}, "")


def test_one_that_settles_a_conflict_and_more_is_told_with_what_is_more(plain_text: MakeText) -> None:
    """Compared is with the same resolution for the conflict alone, so that the price is that of the rest."""
    text = plain_text(add=SHOE + NEVER, tail=resolutions(stands("{banker2: 0-5}", "banker, banker-free")))
    found = next(f for f in errors(text) if f.code == "overrides-clear")
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
        f for f in errors(plain_text(add=agreeing, tail=resolutions(first, second))) if f.code == "overrides-clear"
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
    (found,) = errors(plain_text({"pays": block}, tail=resolutions(choice, nine)))
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
    found = {f.code for f in errors(plain_text(tail=resolutions(court)))}
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
    (found,) = errors(plain_text(tail=resolutions(lone)))
    assert (found.code, found.played) == ("overrides-clear", "of the text allowed; with lone refused")


# --- yields_to ------------------------------------------------------------------------------------


def yielding(block: str, to: str) -> str:
    return block.replace("    about:", f"    yields_to: [{to}]\n    about:", 1)


def test_a_contradiction_behind_yields_to_is_told_and_counted(plain_text: MakeText) -> None:
    text = plain_text({"banker": yielding(BLOCKS["banker"], "never")}, add=NEVER)
    (found,) = errors(text)
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
    found = {f.subject: f for f in errors(text)}
    assert set(found) == {"banker", "never"}
    assert (found["never"].region, found["never"].states) == ("banker2: 1, player_third: 8", 6)
    assert found["banker"].states == 12
    assert {f.code for f in found.values()} == {"yielded-conflict"}


def test_it_is_accepted_with_its_number_of_states(plain_text: MakeText) -> None:
    text = plain_text({"banker": yielding(BLOCKS["banker"], "never")}, add=NEVER)
    entry = "accepted:\n  - {finding: yielded-conflict banker, states: 18, because: the text says except}\n"
    assert codes(text + entry) == []
    assert codes(text + entry.replace("18", "17")) == ["yielded-conflict", "miscounted-acceptance"]


# --- invariants -----------------------------------------------------------------------------------


def test_a_gift_is_a_finding_whatever_is_accepted_beside_it(plain_text: MakeText) -> None:
    """A claim was false and accepted; then the rule changed. The gift isn't what was accepted."""
    claim = """\
claims:
  - {id: dear, cite: '20', says: x, kind: compare, measure: edge, of: tie, is: less, than: banker}
accepted:
  - {finding: false-claim dear, because: known}
"""
    assert codes(plain_text(add=SHOE, tail=claim)) == []
    dear = BLOCKS["pays"].replace("8:1", "80:1")
    rich = plain_text({"pays": dear}, add=SHOE, tail=claim.replace("is: less", "is: more"))
    (found,) = errors(rich)
    assert (found.code, found.subject, found.region) == ("refuted-invariant", "no-gift", "bet: tie")
    assert found.message.startswith(
        "not so: no legal stake favours the bettor (no-gift); tie favours the bettor by 670."
    )
    assert found.witness is not None
    entry = "  - {finding: refuted-invariant no-gift, because: x}\n"
    assert codes(rich.replace("accepted:\n", "accepted:\n" + entry)) == []


def test_what_chips_cannot_pay_is_one_finding_and_not_two(plain_text: MakeText) -> None:
    chips = """\
  - id: chips
    cite: "22"
    says: x
    cases:
      - {about: chips, then: [5, 25]}
      - {about: stake, when: {stake: 5-100, in_chips: yes}, then: allowed}
      - {about: stake, when: {stake: not 5-100}, then: refused}
      - {about: stake, when: {in_chips: no}, then: refused}
"""
    assert codes(plain_text(add=SHOE + chips)) == ["chips"]


def test_an_accepted_invariant_needs_no_judging_to_be_left_alone(plain_text: MakeText) -> None:
    text = plain_text(tail="accepted:\n  - {finding: refuted-invariant no-gift, because: x}\n")
    assert [f.code for f in check_spec(read_spec_text(text)).findings if f.level == "error"] == []
    assert codes(text) == ["unneeded-acceptance"]


# --- what is encoded ------------------------------------------------------------------------------

BORROWED = """\
extends:
  source: home-pt
  questions: [card_points, hand_total, deal_order, natural, player_draw, banker_draw, winner, bets_offered, outcome,
              pays, bets_together]
"""
DOCUMENT = f"source: {{id: lent, title: Lent, language: en, lines: 4, sha256: {'b' * 64}}}\n{BORROWED}"
FREE = '  - {id: free, cite: ["1", "2", "3", "4"], says: x, about: other, then: whatever it says}\n'
REST = '  - {id: free, cite: ["2", "3", "4"], says: x, about: other, then: whatever it says}\n'
ONE = '  - {id: one, cite: "1", says: x, about: decks, then: endless}\n'
SILENT = 'silent: [{cite: ["1", "2", "3", "4"], because: x}]\n'
UNJUDGED = 'claims: [{id: c, cite: ["1", "2", "3", "4"], says: x, kind: not-checkable, because: x}]\n'
JUDGED = 'claims: [{id: c, cite: "1", says: x, kind: answers, about: player_draw, when: {player2: 5}, then: draw}]\n'


def lent(tmp_path: Path, text: str) -> SpecReport:
    (tmp_path / "lent.yaml").write_text(text, encoding="utf-8")
    spec = Library([tmp_path]).spec("lent")
    return check_spec(spec, context=ClaimContext([spec]))


@pytest.mark.parametrize(
    ("text", "counted"),
    [
        (DOCUMENT + "statements:\n" + FREE, "4 recorded only"),
        (DOCUMENT + "statements: []\n" + SILENT, "4 silent"),
        (DOCUMENT.replace("lines: 4", "lines: 4, blank: [1-4]") + "statements: []\n", "4 blank lines"),
        (DOCUMENT + "statements: []\n" + UNJUDGED, "4 claimed"),
        (DOCUMENT.replace("lines: 4", "lines: 4, blank: [4]") + "statements:\n" + FREE.replace(', "4"', ""), "1 blank"),
        (DOCUMENT.replace(f", sha256: {'b' * 64}", "") + "statements:\n" + FREE, "4 recorded only"),
    ],
)
def test_a_document_of_which_nothing_is_encoded_is_an_error(tmp_path: Path, text: str, counted: str) -> None:
    found = lent(tmp_path, text)
    (error,) = [f for f in found.findings if f.level == "error"]
    assert error.code == "not-encoded"
    assert counted in error.message
    assert exit_code([found]) == 1


@pytest.mark.parametrize(
    "text",
    [
        DOCUMENT + "statements:\n" + ONE + REST,
        DOCUMENT + "statements:\n" + REST + JUDGED,
        DOCUMENT.replace(f", sha256: {'b' * 64}", "") + "statements: []\n",
    ],
)
def test_one_encoded_sentence_beside_free_text_or_a_mere_alias_is_fine(tmp_path: Path, text: str) -> None:
    found = lent(tmp_path, text)
    assert [f.code for f in found.findings if f.level == "error"] == []


def test_what_is_encoded_in_part_or_only_recorded_is_counted_apart(tmp_path: Path) -> None:
    part = '  - {id: part, cite: "2", says: x, about: bets_together, then: allowed}\n'
    text = DOCUMENT.replace(", bets_together", "") + "statements:\n" + ONE + part + REST
    coverage = lent(tmp_path, text).coverage
    assert coverage is not None
    assert (coverage.encoded, coverage.in_part, coverage.recorded) == (1, 1, 2)
    assert coverage_words(coverage) == ("4 of 4 sentences: 1 encoded, 1 in part, 2 recorded only, 0 claimed, 0 silent")


@pytest.mark.parametrize(
    ("cite", "told"),
    [
        ('["7", "9", "10"]', "7, 9 and 10 are listed as silent, and cited too"),
        ('"8-10"', "8, 9 and 10 are listed as silent, and cited too"),
        ('"5"', "5 is listed as silent, and cited too"),
    ],
)
def test_a_sentence_is_stated_or_silent(plain_text: MakeText, cite: str, told: str) -> None:
    (found,) = errors(plain_text(tail=f"silent:\n  - {{cite: {cite}, because: heading}}\n"))
    assert (found.code, found.message) == ("stated-and-silent", told)


def test_a_claimed_sentence_is_not_silent_and_another_one_of_its_line_may_be(plain_text: MakeText) -> None:
    head = HEAD.replace("lines: 22", "lines: 23, sentences: {23: 2}")
    claim = "claims:\n  - {id: c, cite: '23.1', says: x, kind: not-checkable, because: x}\n"
    silent = "silent:\n  - {cite: '23.2', because: x}\n"
    assert codes(plain_text(head=head, tail=claim + silent)) == []
    assert codes(plain_text(head=head, tail=claim + silent.replace("23.2", "23"))) == ["stated-and-silent"]


# --- claims against themselves --------------------------------------------------------------------


def claimed(body: str) -> str:
    return f"claims:\n  - {{id: c, cite: '5', says: x, {body}}}\n"


@pytest.mark.parametrize(
    "body",
    [
        "kind: disputed, by: plain 3",
        "kind: same, as: plain",
        "kind: compare, measure: edge, of: tie, is: equal, than: tie",
        "kind: compare, measure: frequency, of: {winner: tie}, is: equal, than: {winner: tie}",
    ],
)
def test_a_claim_against_itself_is_an_error(plain_text: MakeText, body: str) -> None:
    assert codes(plain_text(add=SHOE, tail=claimed(body))) == ["self-claim"]


def test_another_rule_set_of_the_same_source_is_another_one(plain_text: MakeText) -> None:
    head = HEAD + TWO
    same = claimed("kind: same, as: plain/two, tables: [one]")
    assert codes(plain_text(head=head, tail=same)) == []
    (found,) = errors(plain_text(head=head, tail=same.replace(", tables: [one]", "")))
    assert (found.code, found.rules, found.help) == ("self-claim", "plain/two", "limit it with `tables: [one]`")


def test_another_bet_or_another_source_is_fine(plain_text: MakeText) -> None:
    assert (
        codes(plain_text(add=SHOE, tail=claimed("kind: compare, measure: edge, of: tie, is: more, than: player"))) == []
    )


# --- bets -----------------------------------------------------------------------------------------


def stake(*cases: str) -> str:
    return "  - id: stakes\n    cite: '22'\n    says: x\n    cases:\n" + "".join(
        f"      - {{{case}}}\n" for case in cases
    )


@pytest.mark.parametrize(
    ("changes", "add", "why"),
    [
        ({"together": BLOCKS["together"].replace("allowed", "refused")}, "", "no set of bets is taken"),
        ({}, stake("about: stake, then: refused"), "every stake is refused"),
        ({}, stake("about: predictions, then: refused"), "no number of predictions is allowed"),
        ({}, stake("about: total_stake, then: refused"), "every total of stakes is refused"),
        (
            {},
            stake(
                "about: start_balance, then: 4",
                "about: total_stake, when: {over_balance: yes}, then: refused",
                "about: total_stake, when: {over_balance: no}, then: allowed",
                "about: stake, when: {stake: '>= 5'}, then: allowed",
                "about: stake, when: {stake: '< 5'}, then: refused",
            ),
            "starts at 4, below every stake",
        ),
        (
            {"together": BLOCKS["together"].replace('when: {count: ">= 1"}', "when: {tie: yes}")
             + "  - {id: none, cite: '22', says: x, about: bets_together, when: {tie: no}, then: refused}\n"},
            stake("about: stake, when: {bet: tie}, then: refused", "about: stake, when: {bet: not tie}, then: allowed"),
            "no set of bets is taken",
        ),
    ],
)  # fmt: skip
def test_a_table_at_which_nothing_can_be_bet_is_an_error(
    plain_text: MakeText, changes: dict[str, str | None], add: str, why: str
) -> None:
    found = [f for f in errors(plain_text(changes, add=add)) if f.code == "no-bet"]
    assert len(found) == 1
    assert why in found[0].message


def test_one_bet_that_can_be_laid_is_enough(plain_text: MakeText) -> None:
    together = BLOCKS["together"].replace('when: {count: ">= 1"}', "when: {count: 1}")
    together += "  - {id: more, cite: '22', says: x, about: bets_together, when: {count: '> 1'}, then: refused}\n"
    add = stake(
        "about: start_balance, then: 5",
        "about: total_stake, when: {over_balance: yes}, then: refused",
        "about: total_stake, when: {over_balance: no}, then: allowed",
        "about: stake, when: {bet: tie}, then: refused",
        "about: stake, when: {bet: not tie, stake: 5}, then: allowed",
        "about: stake, when: {bet: not tie, stake: not 5}, then: refused",
    )
    assert codes(plain_text({"together": together}, add=add)) == []


def test_nothing_is_concluded_from_what_is_open(plain_text: MakeText) -> None:
    assert "no-bet" not in codes(plain_text({"together": None}))


# --- files of one name ----------------------------------------------------------------------------

HOUSE = DOCUMENT.replace("id: lent", "id: house") + "statements:\n" + ONE + REST


def house(folder: Path, *, text: str = HOUSE, name: str = "house", specs: list[Path] | None = None) -> list[str]:
    folder.mkdir(exist_ok=True)
    (folder / f"{name}.yaml").write_text(text, encoding="utf-8")
    spec = Library(specs or []).load(folder / f"{name}.yaml")
    return [f"{f.code}: {f.message}" for f in check_spec(spec).findings if f.level == "error"]


def changed_source(folder: Path, root: Path) -> None:
    folder.mkdir(exist_ok=True)
    text = (root / "specs" / "home-pt.yaml").read_text(encoding="utf-8")
    (folder / "home-pt.yaml").write_text(text.replace("title: Home training", "title: Another"), encoding="utf-8")


def test_a_file_beside_the_spec_in_place_of_a_shipped_one_is_told(tmp_path: Path, root: Path) -> None:
    changed_source(tmp_path, root)
    (told,) = house(tmp_path)
    assert told.startswith("shadowed: house extends home-pt: ")
    assert told.endswith("home-pt.yaml is taken, not specs/home-pt.yaml")
    assert house(tmp_path, specs=[tmp_path]) == []


def test_it_is_told_of_what_a_lender_borrows_too(tmp_path: Path, root: Path) -> None:
    changed_source(tmp_path, root)
    house(tmp_path)
    text = HOUSE.replace("id: house", "id: annex").replace("source: home-pt", "source: house")
    (told,) = house(tmp_path, text=text, name="annex")
    assert told.startswith("shadowed: annex extends house: ")
    assert house(tmp_path, text=text, name="annex", specs=[tmp_path]) == []


def test_a_copy_or_another_name_or_the_shipped_file_itself_is_fine(tmp_path: Path, root: Path) -> None:
    assert house(tmp_path) == []
    (tmp_path / "home-pt.yaml").write_bytes((root / "specs" / "home-pt.yaml").read_bytes())
    assert house(tmp_path) == []
    house(tmp_path, text=HOUSE.replace("id: house", "id: hall"), name="hall")
    assert house(tmp_path, text=HOUSE.replace("id: house", "id: annex").replace("home-pt", "hall"), name="annex") == []


# --- acceptances ----------------------------------------------------------------------------------

DEAD = BLOCKS["player"] + (
    '      - {cite: "7", when: {player2: 8}, then: draw}\n      - {cite: "7", when: {player2: 9}, then: draw}\n'
)


def accepted(finding: str, numbers: str = "") -> str:
    return f"accepted:\n  - {{finding: {finding}, {numbers}because: x}}\n"


@pytest.mark.parametrize("name", ["dead player", "dead player_draw"])
def test_several_findings_need_their_number(plain_text: MakeText, name: str) -> None:
    """By a statement or by a whole question."""
    text = plain_text({"player": DEAD})
    assert codes(text + accepted(name, "cases: 2, ")) == []
    for numbers, told in (
        ("", f"`{name}` accepts 2 findings, and doesn't say so"),
        ("cases: 1, ", f"`{name}` is said to be 1 finding, and is 2"),
        ("cases: 3, ", f"`{name}` is said to be 3 findings, and is 2"),
        ("states: 2, ", f"`{name}` is said to be 2 states, and is 0"),
    ):
        found = errors(text + accepted(name, numbers))
        assert [f.code for f in found] == ["dead", "dead", "miscounted-acceptance"]
        assert (found[2].message, found[2].help) == (told, "look at each again, then write `cases: 2`")


def test_one_finding_needs_none(plain_text: MakeText) -> None:
    once = plain_text({"player": DEAD.rpartition("      - ")[0]})
    for numbers in ("", "cases: 1, "):
        assert codes(once + accepted("dead player", numbers)) == []


def test_a_finding_of_two_tables_is_one(plain_text: MakeText) -> None:
    once = plain_text({"player": DEAD.rpartition("      - ")[0]}, head=HEAD + TWO)
    assert codes(once + accepted("dead player")) == []
    (found,) = errors(once + accepted("dead player", "tables: [one], "))
    assert (found.code, found.rules) == ("dead", "plain/two")


def test_a_borrowed_entry_that_does_not_fit_is_passed_over(tmp_path: Path, library: Library) -> None:
    """The shipped table accepts a contradiction of 1,055 states, which are others where nobody draws on five."""
    text = """\
source: {id: lent, title: Lent, language: en, lines: 3}
extends:
  source: selminha/sem-comissao
  questions: [card_points, hand_total, deal_order, natural, banker_draw, winner, bets_offered, outcome, pays,
              commission]
statements:
  - id: player
    cite: "1"
    says: x
    about: player_draw
    cases:
      - {when: {player2: 0-4}, then: draw}
      - {when: {player2: 5-7}, then: stand}
  - {id: together, cite: "2", says: x, about: bets_together, then: allowed}
"""
    found = lent(tmp_path, text)
    (told,) = [f for f in found.findings if f.code in ("yielded-conflict", "miscounted-acceptance")]
    assert (told.code, told.status) == ("yielded-conflict", "open")
    own = text + f"accepted: [{{finding: yielded-conflict banker-pays, states: {told.states}, because: x}}]\n"
    (again,) = [f for f in lent(tmp_path, own).findings if f.code in ("yielded-conflict", "miscounted-acceptance")]
    assert again.status == "accepted"


# --- ranges ---------------------------------------------------------------------------------------


@pytest.mark.parametrize("cite", ["5-0", "5-4", "11-9"])
def test_a_range_that_runs_backwards_is_an_error_everywhere(plain_text: MakeText, cite: str) -> None:
    for text in (
        plain_text({"player": BLOCKS["player"].replace('cite: "5"', f'cite: "{cite}"')}),
        plain_text(tail=claimed("kind: not-checkable, because: x").replace("cite: '5'", f"cite: '{cite}'")),
        plain_text(tail=f"silent:\n  - {{cite: '{cite}', because: x}}\n"),
        plain_text(tail=claimed(f"kind: disputed, by: home-pt {cite}")),
    ):
        with pytest.raises(SpecError) as caught:
            read_spec_text(text)
        assert {problem.code for problem in caught.value.problems} == {"backwards-range"}

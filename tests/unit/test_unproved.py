"""Nothing that is unproved reads as proved: invariants, bets and acceptances, each with an innocent twin."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

from oracle.checks.run import check_spec
from oracle.rules.library import Library
from oracle.rules.read import read_spec_text
from tests.conftest import BLOCKS, HEAD
from tests.unit.findings import SHOE, TWO, codes, errors_in, lent

MakeText = Callable[..., str]


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
    (found,) = errors_in(rich)
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
    found = [f for f in errors_in(plain_text(changes, add=add)) if f.code == "no-bet"]
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
        found = errors_in(text + accepted(name, numbers))
        assert [f.code for f in found] == ["dead", "dead", "miscounted-acceptance"]
        assert (found[2].message, found[2].help) == (told, "look at each again, then write `cases: 2`")


def test_one_finding_needs_none(plain_text: MakeText) -> None:
    once = plain_text({"player": DEAD.rpartition("      - ")[0]})
    for numbers in ("", "cases: 1, "):
        assert codes(once + accepted("dead player", numbers)) == []


def test_a_finding_of_two_tables_is_one(plain_text: MakeText) -> None:
    once = plain_text({"player": DEAD.rpartition("      - ")[0]}, head=HEAD + TWO)
    assert codes(once + accepted("dead player")) == []
    (found,) = errors_in(once + accepted("dead player", "tables: [one], "))
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

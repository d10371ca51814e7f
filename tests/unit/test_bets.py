"""Which bets a table takes: every refusal names the sentence of the document that refuses."""

from __future__ import annotations

from collections.abc import Callable
from fractions import Fraction
from itertools import combinations

import pytest

import oracle
from oracle.game.bets import refusals, require_legal
from oracle.game.rules import Rules
from oracle.spans import BadBet, Undecided
from tests.conftest import mostly_slow

Make = Callable[..., Rules]
TABLES = ("selminha/classica", "selminha/sem-comissao")


def refused(rules: Rules, bets: dict[str, int | str], balance: int | None = None) -> list[tuple[str, list[str]]]:
    """The questions that refuse these bets, each with the lines that it cites."""
    stakes = {bet: Fraction(stake) for bet, stake in bets.items()}
    has = None if balance is None else Fraction(balance)
    return [(r.question, [c.lines for c in r.clauses]) for r in refusals(rules, stakes, balance=has)]


@pytest.mark.parametrize("id", TABLES)
@pytest.mark.parametrize(
    ("bets", "balance", "expected"),
    [
        # 17.1: the table takes no chips on both hands at once.
        ({"player": 20, "banker": 20}, None, [("bets_together", ["17.1"])]),
        # 6.1: chips of 5, 25, 100, 500 make no 7; 6.2: from 5 to 500, so 505 is too much though chips make it.
        ({"tie": 7}, None, [("stake", ["6.1"])]),
        ({"tie": 505}, None, [("stake", ["6.2"])]),
        ({"tie": 3}, None, [("stake", ["6.1", "6.2"])]),
        ({"tie": -5}, None, [("stake", ["6.1", "6.2"])]),
        ({"tie": 0}, None, [("stake", ["6.2"])]),
        ({"banker": "7.5"}, None, [("stake", ["6.1", "6.2", "6.2"])]),
        # 6.2: the whole never passes what one has.
        ({"tie": 20}, 15, [("total_stake", ["6.2"])]),
        ({"player": 10, "tie": 10}, 15, [("total_stake", ["6.2"])]),
        ({"player": 10, "tie": 5}, 15, []),
        ({"dragon": 5}, None, [("bets_offered", ["2.1, 2.2, 18, 20, 22, 24, 26"])]),
    ],
)
def test_selminha_refuses_with_its_line(
    shipped: dict[str, Rules],
    id: str,
    bets: dict[str, int | str],
    balance: int | None,
    expected: list[tuple[str, list[str]]],
) -> None:
    assert refused(shipped[id], bets, balance) == expected


@pytest.mark.parametrize("id", mostly_slow(TABLES, "selminha/sem-comissao"))
def test_selminha_takes_every_stake_that_lines_6_1_and_6_2_describe(shipped: dict[str, Rules], id: str) -> None:
    """Multiples of the least chip, from 5 to 500, on each spot: all larger chips are multiples of it too."""
    for bet in ("player", "banker", "tie", "player_pair", "banker_pair"):
        taken = [stake for stake in range(-10, 600) if not refused(shipped[id], {bet: stake})]
        assert taken == list(range(5, 501, 5))


@pytest.mark.parametrize("id", TABLES)
def test_selminha_takes_every_set_without_both_hands(shipped: dict[str, Rules], id: str) -> None:
    """17.1 refuses both hands; 17.2 lets tie and pairs stand alone or beside one of them, and 2.1 one hand alone."""
    spots = ("player", "banker", "tie", "player_pair", "banker_pair")
    for count in range(1, 6):
        for chosen in combinations(spots, count):
            legal = not refused(shipped[id], dict.fromkeys(chosen, 5))
            assert legal == (not {"player", "banker"} <= set(chosen)), chosen


def test_home_pt_takes_one_prediction_of_twenty(shipped: dict[str, Rules]) -> None:
    """9.2: one prediction each, of twenty points; 9.5: no balance limits it."""
    rules = shipped["home-pt"]
    for bet in ("player", "banker", "tie"):
        assert refused(rules, {bet: 20}, -100) == []
        assert refused(rules, {bet: 15}) == [("stake", ["9.2"])]
        assert refused(rules, {bet: 40}) == [("stake", ["9.2"])]
    assert refused(rules, {"player": 20, "tie": 20}) == [("bets_together", ["9.2"])]
    assert refused(rules, {"player_pair": 20}) == [("bets_offered", ["8.2, 44.3"])]


def test_where_the_text_is_silent_nothing_is_refused(shipped: dict[str, Rules]) -> None:
    """Neither grid-pt nor punto-es limits a stake, or knows balances."""
    for id in ("grid-pt", "punto-es"):
        assert refused(shipped[id], {"tie": 1_000_000_007}, 3) == []
        assert refused(shipped[id], {"player": "0.01"}) == []
        assert refused(shipped[id], {"player": 0}) == [("stake", [])]


def test_several_reasons_are_told_together_each_with_its_line(shipped: dict[str, Rules]) -> None:
    with pytest.raises(BadBet) as caught:
        require_legal(
            shipped["selminha/classica"],
            {"player": Fraction(20), "banker": Fraction(7)},
            balance=Fraction(25),
        )
    lines = str(caught.value).splitlines()
    assert [line for line in lines if not line.startswith("  ")] == [
        "player and banker together are refused",
        "7 on banker is refused",
        "stakes of 27 together, with a balance of 25, are refused",
    ]
    assert lines[1].startswith("  line 17.1 (opposite-sides): ")
    assert lines[3].startswith("  line 6.1 (chips): ")
    assert lines[5].startswith("  line 6.2 (limits): ")


def test_one_statement_is_told_once_however_many_of_its_cases_speak(shipped: dict[str, Rules]) -> None:
    (refusal,) = refusals(shipped["home-pt"], {"tie": Fraction(41, 2)})
    assert str(refusal).count("one-prediction") == 1


def test_the_package_refuses_too(shipped: dict[str, Rules]) -> None:
    with pytest.raises(oracle.BadBet, match=r"line 17\.1 \(opposite-sides\)"):
        oracle.require_legal(shipped["selminha/classica"], {"player": Fraction(5), "banker": Fraction(5)})


def test_an_unknown_bet_is_shown_safely_and_with_its_neighbour(shipped: dict[str, Rules]) -> None:
    (refusal,) = refusals(shipped["grid-pt"], {"bankr\x1b": Fraction(5)})
    assert refusal.reason == "grid-pt has no bet `bankr\\x1b`: did you mean `banker`?"


TOGETHER = """\
  - id: together
    cite: "22"
    says: one bet
    about: bets_together
    cases: [{when: {count: 1}, then: allowed}]
"""


def test_a_set_that_no_statement_speaks_of_is_undecided_not_legal(plain_rules: Make) -> None:
    rules = plain_rules({"together": TOGETHER})
    assert refused(rules, {"tie": 5}) == []
    with pytest.raises(Undecided, match=r"bets_together is undecided for .*count 2.*: no statement speaks"):
        refused(rules, {"tie": 5, "player": 5})


def test_a_resolution_that_refuses_is_named(plain_rules: Make) -> None:
    tail = """\
resolutions:
  - {id: one-only, about: bets_together, when: {count: "> 1"}, then: refused, because: nothing says two}
"""
    rules = plain_rules({"together": TOGETHER}, tail=tail)
    (refusal,) = refusals(rules, {"tie": Fraction(5), "player": Fraction(5)})
    assert (refusal.clauses, refusal.resolution) == ((), "one-only")
    assert str(refusal) == "tie and player together are refused\n  as resolved by one-only"


STAKES = """\
  - id: stakes
    cite: "22"
    says: from ten in chips of ten
    cases:
      - {about: stake, when: {stake: ">= 10", in_chips: yes}, then: allowed}
      - {about: stake, when: {stake: "< 10"}, then: refused}
      - {about: stake, when: {in_chips: no}, then: refused}
"""


def test_chips_that_nobody_names_leave_a_stake_undecided(plain_rules: Make) -> None:
    rules = plain_rules(add=STAKES)
    with pytest.raises(Undecided, match="no statement says which chips there are"):
        refused(rules, {"tie": 20})
    chips = STAKES + '  - {id: chips, cite: "22", says: chips, about: chips, then: [10, 15]}\n'
    rules = plain_rules(add=chips)
    taken = [stake for stake in range(1, 60) if not refused(rules, {"tie": stake})]
    # Sums of tens and fifteens: every multiple of five from 20 on, and 10 and 15 themselves.
    assert taken == [10, 15, *range(20, 60, 5)]

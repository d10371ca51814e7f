"""Stakes, nets and chips: which stakes are legal, how nets are rounded, and what chips can't pay."""

from __future__ import annotations

from collections.abc import Callable
from fractions import Fraction

import pytest

from oracle.checks.chips import check_chips
from oracle.game.chip_sums import can_be_laid
from oracle.game.money import legal_stakes, net_of, prize, round_net, unpayable
from oracle.game.rules import Rules
from oracle.game.space import first_bit
from oracle.spans import OracleError
from tests.nonempty import nonempty

Make = Callable[..., Rules]

CHIPS = """\
  - id: chips
    cite: "22"
    says: chips and limits
    cases:
      - {about: chips, then: [5, 25]}
      - {about: start_balance, then: 100}
      - {about: stake, when: {stake: 5-100, in_chips: yes}, then: allowed}
      - {about: stake, when: {stake: not 5-100}, then: refused}
      - {about: stake, when: {in_chips: no}, then: refused}
"""


def rounding(how: str) -> str:
    return f'  - {{id: rounded, cite: "22", says: rounds, about: rounding, then: {how}}}\n'


# --- the shipped tables ---------------------------------------------------------------------------


def test_ninety_five_of_a_hundred_banker_stakes_break_chips_at_classica(shipped: dict[str, Rules]) -> None:
    """Stakes are 5, 10 … 500; 19/20 of one is a multiple of five for multiples of 100 alone: five of them."""
    (entry,) = unpayable(shipped["selminha/classica"])
    broken = [stake for stake in range(5, 501, 5) if (stake * 19) % (20 * 5)]
    assert len(broken) == 95
    assert (entry.bet, entry.stakes, entry.of_stakes) == ("banker", 95, 100)
    assert (entry.least, entry.net, entry.balance) == (5, Fraction("4.75"), Fraction("504.75"))


def test_half_of_the_banker_stakes_break_chips_on_six_at_sem_comissao(shipped: dict[str, Rules]) -> None:
    """Half of a stake is a multiple of five where the stake is one of ten."""
    rules = shipped["selminha/sem-comissao"]
    (entry,) = unpayable(rules)
    assert len([stake for stake in range(5, 501, 5) if stake % 10]) == 50
    assert (entry.bet, entry.stakes, entry.of_stakes) == ("banker", 50, 100)
    assert (entry.least, entry.net, entry.balance) == (5, Fraction("2.5"), Fraction("502.5"))
    space = rules.evaluation("outcome").space
    state = space.state(first_bit(entry.states), ("bet", "banker_total", "winner"))
    assert state == {"bet": "banker", "banker_total": 6, "winner": "banker"}


@pytest.mark.parametrize(
    ("id", "total", "net", "left"),
    [("selminha/classica", None, "4.75", "504.75"), ("selminha/sem-comissao", 6, "2.5", "502.5")],
)
def test_the_finding_tells_fraction_witness_and_balance(
    shipped: dict[str, Rules], id: str, total: int | None, net: str, left: str
) -> None:
    from oracle.cards import parse_card
    from oracle.game.coup import play
    from oracle.game.settle import settle

    rules = shipped[id]
    (finding,) = check_chips(rules)
    share = "95 of 100" if total is None else "50 of 100"
    assert finding.message == (
        f"{share} legal stakes on banker win what chips can't pay, least: 5 nets {net}, "
        f"which leaves {left} of the first balance"
    )
    assert (finding.code, finding.level, finding.resolution) == ("chips", "error", "exact-net")
    assert finding.witness is not None
    coup = play(rules, [parse_card(card) for card in finding.witness.cards])
    assert coup.winner == "banker"
    assert total is None or coup.banker.total == total
    (settled,) = settle(rules, coup, {"banker": Fraction(5)})
    assert settled.net == Fraction(net)


def test_only_a_table_with_chips_has_stakes_to_break_them(shipped: dict[str, Rules]) -> None:
    for id in ("home-pt", "grid-pt", "punto-es"):
        assert unpayable(shipped[id]) == []


def test_legal_stakes_of_the_documents(shipped: dict[str, Rules]) -> None:
    assert legal_stakes(shipped["home-pt"], "tie") == [20]
    assert legal_stakes(shipped["selminha/classica"], "tie") == list(range(5, 501, 5))
    assert legal_stakes(shipped["grid-pt"], "tie") is None, "no limit is said"


# --- nets -----------------------------------------------------------------------------------------


def states(rules: Rules, **fields: object) -> list[int]:
    space = rules.evaluation("outcome").space
    return [i for i in range(len(space)) if space.state(i, fields) == fields]


def test_a_net_is_odds_less_commission_times_stake(shipped: dict[str, Rules]) -> None:
    rules = shipped["selminha/classica"]
    for i in nonempty(states(rules, bet="banker", winner="banker")):
        assert prize(rules, i) == Fraction(19, 20)
        assert net_of(rules, i, Fraction(15)) == Fraction("14.25")
    for i in nonempty(states(rules, bet="banker", winner="player")):
        assert net_of(rules, i, Fraction(15)) == -15
    for i in nonempty(states(rules, bet="banker", winner="tie")):
        assert net_of(rules, i, Fraction(15)) == 0
    for i in nonempty(states(rules, bet="tie", winner="tie")):
        assert net_of(rules, i, Fraction(15)) == 120


COMMISSION = """\
  - id: commission
    cite: "21"
    says: the tie's prize is taxed
    about: commission
    cases: [{when: {bet: tie}, then: 5%}, {when: {bet: [player, banker]}, then: 0}]
"""


def test_commission_is_a_share_of_the_prize_and_not_of_the_stake(plain_rules: Make) -> None:
    """A twentieth of eight stakes: 10 on the tie nets 76, where a twentieth of the stake would leave 79.5."""
    rules = plain_rules({"commission": COMMISSION})
    (i, *_) = states(rules, bet="tie", winner="tie")
    assert (prize(rules, i), net_of(rules, i, Fraction(10))) == (Fraction("7.6"), 76)


@pytest.mark.parametrize(
    ("how", "expected"),
    [
        # Nets of 19/20 on 5, 10, 20, 50, 100: 4.75, 9.5, 19, 47.5, 95.
        ("exact", ["4.75", "9.5", "19", "47.5", "95"]),
        ("up to 5", ["5", "10", "20", "50", "95"]),
        ("down to 5", ["0", "5", "15", "45", "95"]),
        ("down to 1", ["4", "9", "19", "47", "95"]),
        ("nearest 1", ["5", "10", "19", "48", "95"]),
        ("nearest 5", ["5", "10", "20", "50", "95"]),
    ],
)
def test_rounding(plain_rules: Make, how: str, expected: list[str]) -> None:
    rules = plain_rules(add=rounding(how))
    nets = [round_net(rules, Fraction(stake) * Fraction(19, 20)) for stake in (5, 10, 20, 50, 100)]
    assert nets == [Fraction(net) for net in expected]


def test_without_a_rounding_rule_nets_stay_exact(plain_rules: Make) -> None:
    assert round_net(plain_rules(), Fraction(1, 3)) == Fraction(1, 3)


# --- chips ----------------------------------------------------------------------------------------


def reachable(amount: int, chips: list[int]) -> bool:
    """Whether chips make an amount, by trying every chip last: nothing of the oracle's way."""
    sums = {0}
    for total in range(1, amount + 1):
        if any(total - chip in sums for chip in chips):
            sums.add(total)
    return amount in sums


@pytest.mark.parametrize("chips", [[5, 25, 100, 500], [3, 7], [2], [10, 15], [4, 6, 9], [1]])
def test_an_amount_can_be_laid_if_chips_add_up_to_it(chips: list[int]) -> None:
    for amount in range(120):
        assert can_be_laid(amount, chips) == reachable(amount, chips), amount
    assert not can_be_laid(-5, chips)


def test_amounts_of_any_size_are_added_up() -> None:
    assert can_be_laid(999_999_999_995, [5, 25, 100, 500])
    assert not can_be_laid(999_999_999_999, [5, 25, 100, 500])
    assert can_be_laid(10**30, [7, 11])
    assert can_be_laid(10**30, [10**9])
    assert not can_be_laid(10**30 + 1, [10**9, 3 * 10**9])
    with pytest.raises(OracleError, match="with so little in common"):
        can_be_laid(10**30, [10**9, 10**9 + 1])


def test_chips_are_checked_unless_nets_are_rounded(plain_rules: Make) -> None:
    (finding,) = check_chips(plain_rules(add=CHIPS))
    assert finding.status == "open"
    # 19/20 of 5, 10 … 95 is no multiple of five; of 100 it is.
    assert finding.message.startswith("19 of 20 legal stakes on banker win what chips can't pay, least: 5 nets 4.75")
    assert list(check_chips(plain_rules(add=CHIPS + rounding("up to 5")))) == []


def test_rounding_to_what_no_chip_is_would_break_chips_all_the_same(plain_rules: Make) -> None:
    """Rounded down to one, 5 nets 4: a table that says so has to be told."""
    rules = plain_rules(add=CHIPS + rounding("down to 1"))
    assert [(entry.bet, entry.least, entry.net) for entry in unpayable(rules)] == [("banker", 5, 4)]

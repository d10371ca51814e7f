"""Settling bets: exact nets, with the statements behind them."""

from __future__ import annotations

from collections.abc import Callable
from fractions import Fraction

import pytest

from oracle.cards import parse_cards
from oracle.game.coup import play
from oracle.game.rules import Rules
from oracle.game.settle import Settled, parse_stake, settle
from oracle.spans import BadBet, BadCards, Undecided, UnknownName

Make = Callable[..., Rules]

BANKER_WINS = "4H 2S 9C AD 8D"  # 1 against 3
PLAYER_WINS = "9H 2S KC AD"  # 9 against 3
TIE = "9H 9S KC KD"
BANKER_SIX = "2H 6S 2D KD AC"  # 5 against 6: the banker stands on 6 against an ace


def one(rules: Rules, cards: str, bet: str, stake: int | Fraction = 20) -> Settled:
    (settled,) = settle(rules, play(rules, parse_cards([cards])), {bet: Fraction(stake)})
    return settled


@pytest.mark.parametrize(
    ("cards", "bet", "outcome", "net"),
    [
        (PLAYER_WINS, "player", "win", 20),
        (PLAYER_WINS, "banker", "lose", -20),
        (PLAYER_WINS, "tie", "lose", -20),
        (BANKER_WINS, "player", "lose", -20),
        (BANKER_WINS, "banker", "win", 19),
        (BANKER_WINS, "tie", "lose", -20),
        (TIE, "player", "push", 0),
        (TIE, "banker", "push", 0),
        (TIE, "tie", "win", 160),
    ],
)
def test_home_pt_changes_totals_as_its_table_in_lines_32_to_34_says(
    shipped: dict[str, Rules], cards: str, bet: str, outcome: str, net: int
) -> None:
    settled = one(shipped["home-pt"], cards, bet)
    assert (settled.outcome, settled.net) == (outcome, Fraction(net))


@pytest.mark.parametrize(
    ("id", "tie_net"), [("grid-pt", 160), ("punto-es", 180), ("selminha/classica", 160), ("selminha/sem-comissao", 160)]
)
def test_a_tie_pays_what_each_document_says(shipped: dict[str, Rules], id: str, tie_net: int) -> None:
    assert one(shipped[id], TIE, "tie").net == tie_net
    assert one(shipped[id], TIE, "player").net == 0
    assert one(shipped[id], TIE, "banker").net == 0


@pytest.mark.parametrize("id", ["grid-pt", "home-pt", "punto-es", "selminha/classica"])
def test_the_banker_pays_nineteen_to_twenty_exactly_whatever_the_stake(shipped: dict[str, Rules], id: str) -> None:
    # 0.95 * 15 is 14.249999… in floating point.
    for stake in (Fraction(15), Fraction(1, 3), Fraction("0.01"), Fraction(10**12)):
        assert one(shipped[id], BANKER_WINS, "banker", stake).net == stake * Fraction(19, 20)


def test_without_commission_the_banker_pays_even_but_half_on_six(shipped: dict[str, Rules]) -> None:
    rules = shipped["selminha/sem-comissao"]
    assert one(rules, BANKER_WINS, "banker").net == 20
    coup = play(rules, parse_cards([BANKER_SIX]))
    assert (coup.winner, coup.banker.total) == ("banker", 6)
    assert one(rules, BANKER_SIX, "banker").net == 10
    assert one(rules, BANKER_SIX, "banker", 5).net == Fraction(5, 2)


def test_half_pay_on_six_touches_neither_a_losing_six_nor_the_players(shipped: dict[str, Rules]) -> None:
    rules = shipped["selminha/sem-comissao"]
    losing = play(rules, parse_cards(["7H 6S KC KD"]))
    assert (losing.winner, losing.banker.total) == ("player", 6)
    assert one(rules, "7H 6S KC KD", "banker").net == -20
    assert one(rules, "6H 5S KC KD KH", "player").net == 20, "the player's six pays even"
    assert one(shipped["selminha/classica"], BANKER_SIX, "banker").net == 19


PAIR = {
    "two kings of two suits": ("KS 9H KD KC", True),
    "twice the same card": ("KS 9H KS KC", True),
    "queen and king, worth the same": ("QS 9H KD KC", False),
    "different cards": ("8S 9H KD KC", False),
}


@pytest.mark.parametrize(("cards", "pair"), PAIR.values(), ids=PAIR)
@pytest.mark.parametrize("table", ["classica", "sem-comissao"])
def test_a_pair_is_two_of_a_rank_whoever_wins_and_pays_eleven(
    shipped: dict[str, Rules], table: str, cards: str, pair: bool
) -> None:
    spare = f"{cards} 2C 2D"
    assert one(shipped[f"selminha/{table}"], spare, "player_pair").net == (220 if pair else -20)
    assert one(shipped[f"selminha/{table}"], spare, "banker_pair").net == -20


def test_a_third_card_makes_no_pair(shipped: dict[str, Rules]) -> None:
    assert one(shipped["selminha/classica"], "AS 9C 3D 8H 3S 2C", "player_pair").net == -20


def test_pairs_are_settled_on_a_tie_too(shipped: dict[str, Rules]) -> None:
    assert one(shipped["selminha/classica"], "KS 7H KD KC 7D", "player_pair").net == 220
    assert one(shipped["selminha/classica"], "KS 9H 9D KC", "player_pair").net == -20


def test_every_bet_is_settled_by_itself(shipped: dict[str, Rules]) -> None:
    rules = shipped["selminha/classica"]
    coup = play(rules, parse_cards(["KS 9H KD KC"]))
    settled = settle(rules, coup, {"banker": Fraction(100), "tie": Fraction(5), "player_pair": Fraction(25)})
    assert [(s.bet, s.stake, s.outcome, s.net) for s in settled] == [
        ("banker", Fraction(100), "win", Fraction(95)),
        ("tie", Fraction(5), "lose", Fraction(-5)),
        ("player_pair", Fraction(25), "win", Fraction(275)),
    ]


def test_the_trace_cites_what_wins_what_it_pays_and_what_is_taken(shipped: dict[str, Rules]) -> None:
    settled = one(shipped["grid-pt"], BANKER_WINS, "banker")
    assert [(d.question, d.answer, [c.lines for c in d.fired]) for d in settled.trace] == [
        ("outcome", "win", ["75.1"]),
        ("pays", 1, ["75.1"]),
        ("commission", Fraction(1, 20), ["75.2", "75.3"]),
    ]


def test_a_losing_bet_that_no_text_mentions_names_the_convention(shipped: dict[str, Rules]) -> None:
    (decision,) = one(shipped["grid-pt"], BANKER_WINS, "player").trace
    assert (decision.answer, decision.resolution, decision.fired) == ("lose", "losing-bets-lose", ())


def test_literally_only_home_pt_says_that_a_losing_bet_is_lost(shipped_literal: dict[str, Rules]) -> None:
    assert one(shipped_literal["home-pt"], BANKER_WINS, "player").net == -20
    rules = shipped_literal["selminha/classica"]
    with pytest.raises(Undecided, match="outcome is undecided for .*bet player.*no statement speaks"):
        one(rules, "4 2 9 A 7 5", "player")


def test_odds_for_one_are_a_stake_less(plain_rules: Make) -> None:
    notation = "notation: {odds: for-one, because: x, cite: '1'}\n"
    head = "source: {id: plain, title: Plain game, language: en, lines: 22}\n" + notation
    pays = "  - {id: pays, cite: '20', says: x, about: pays, then: '9:1'}\n"
    assert one(plain_rules({"pays": pays}, head=head), TIE, "tie").net == 160


def test_a_bet_that_the_table_doesnt_offer_is_unknown(shipped: dict[str, Rules]) -> None:
    with pytest.raises(UnknownName, match="home-pt has no bet `player_pair`"):
        one(shipped["home-pt"], TIE, "player_pair")
    with pytest.raises(UnknownName, match="did you mean `banker`"):
        one(shipped["home-pt"], TIE, "bankr")


def test_a_pair_of_one_card_needs_suits_where_rules_tell_them_apart(plain_rules: Make) -> None:
    perfect = """\
  - id: perfect
    cite: "22"
    says: the same card twice wins
    about: outcome
    cases:
      - {when: {bet: perfect, player_pair: card}, then: win}
      - {when: {bet: perfect, player_pair: not card}, then: lose}
"""
    pays = "  - {id: pays, cite: '20', says: x, about: pays, when: {bet: perfect}, then: '25:1'}\n"
    rules = plain_rules({"pays": pays}, add=perfect)
    with pytest.raises(BadCards, match=r"the player's pair K K needs suits: perfect/22 \(line 22\)"):
        one(rules, "K 9 K K", "perfect")
    assert one(rules, "KS 9 KS K", "perfect").net == 500
    assert one(rules, "KS 9 KD K", "perfect").net == -20
    assert one(rules, "K 9 Q K", "perfect").net == -20, "no pair whatever the suits"


@pytest.mark.parametrize(("text", "stake"), [("20", 20), ("2.5", Fraction(5, 2)), ("0.000001", Fraction(1, 10**6))])
def test_stakes_are_exact_numbers_above_nothing(text: str, stake: Fraction | int) -> None:
    assert parse_stake(text) == stake


@pytest.mark.parametrize("text", ["", " ", "0", "0.0", "-5", "+5", "1e5", "nan", "inf", "7/3", "1,5", ".5", "5.", "0x5",
    "1_000", "٣", "５", "1" * 13, "0.0000001", "five", "\x00", "\x1b[31m1"])  # fmt: skip
def test_anything_else_is_no_stake(text: str) -> None:
    with pytest.raises(BadBet, match="is no stake: write a number above 0") as caught:
        parse_stake(text)
    assert str(caught.value).isprintable()

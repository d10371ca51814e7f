"""Sessions: who takes part, what they may bet, when it ends for them, and who wins."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from fractions import Fraction
from itertools import product

import pytest

from oracle.cards import parse_cards
from oracle.game.rules import Rules
from oracle.game.session import (
    Session,
    best_scores,
    coup_changes,
    leave,
    play_coup,
    ranking,
    reachable_balances,
    start_session,
)
from oracle.spans import BadBet, OracleError

Make = Callable[..., Rules]

PLAYER = "9H 2S KC AD"  # 9 against 3
BANKER = "4H 2S 9C AD 8D"  # 1 against 3
TIE = "9H 9S KC KD"


def after(rules: Rules, session: Session, cards: str, **bets: Mapping[str, int]) -> Session:
    """The session after one coup; bets by participant."""
    stakes = {name: {bet: Fraction(stake) for bet, stake in laid.items()} for name, laid in bets.items()}
    return play_coup(rules, session, parse_cards([cards]), stakes)


def balances(session: Session) -> dict[str, Fraction]:
    return {p.name: p.balance for p in session.participants}


@pytest.fixture
def home(shipped: dict[str, Rules]) -> Rules:
    return shipped["home-pt"]


@pytest.fixture(params=["selminha/classica", "selminha/sem-comissao"])
def selminha(request: pytest.FixtureRequest, shipped: dict[str, Rules]) -> Rules:
    return shipped[request.param]


# --- home-pt: two to eight participants, ten coups ------------------------------------------------


@pytest.mark.parametrize("count", range(12))
def test_two_to_eight_take_part(home: Rules, count: int) -> None:
    """9.1 of the document."""
    names = [f"p{number}" for number in range(count)]
    if 2 <= count <= 8:
        assert balances(start_session(home, names)) == dict.fromkeys(names, Fraction(0))
    elif count:
        with pytest.raises(BadBet, match=rf"{count} participants? (is|are) refused\n  line 9\.1 \(session\): "):
            start_session(home, names)
    else:
        with pytest.raises(OracleError, match="participants need names of their own"):
            start_session(home, names)


@pytest.mark.parametrize("names", [["ana", "ana"], ["ana", ""]])
def test_participants_have_names_of_their_own(home: Rules, names: list[str]) -> None:
    with pytest.raises(OracleError, match="participants need names of their own"):
        start_session(home, names)


def test_the_table_of_lines_32_to_35_adds_up(home: Rules) -> None:
    session = start_session(home, ["player", "banker", "tie"])
    all_three: dict[str, dict[str, int]] = {name: {name: 20} for name in ("player", "banker", "tie")}
    session = after(home, session, PLAYER, **all_three)
    assert balances(session) == {"player": 20, "banker": -20, "tie": -20}
    session = after(home, session, BANKER, **all_three)
    assert balances(session) == {"player": 0, "banker": -1, "tie": -40}
    session = after(home, session, TIE, **all_three)
    assert balances(session) == {"player": 0, "banker": -1, "tie": 120}
    assert [played.nets["tie"] for played in session.history] == [-20, -20, 160]


def test_everybody_registers_one_prediction(home: Rules) -> None:
    """9.2: everybody, one, of twenty points."""
    session = start_session(home, ["ana", "rui"])
    with pytest.raises(BadBet, match=r"rui: 0 predictions are refused\n  line 9\.2"):
        after(home, session, PLAYER, ana={"player": 20})
    with pytest.raises(BadBet, match=r"ana: 2 predictions are refused\n  line 9\.2"):
        after(home, session, PLAYER, ana={"player": 20, "tie": 20}, rui={"tie": 20})
    with pytest.raises(BadBet, match=r"ana: 10 on player is refused\n  line 9\.2"):
        after(home, session, PLAYER, ana={"player": 10}, rui={"tie": 20})


def ten(rules: Rules, *names: str, ana: list[str], rui: list[str]) -> Session:
    """Ten coups that the player wins, with these bets of ana and rui."""
    session = start_session(rules, ["ana", "rui", *names])
    others = {name: {"banker": 20} for name in names}
    for first, second in zip(ana, rui, strict=True):
        session = after(rules, session, PLAYER, ana={first: 20}, rui={second: 20}, **others)
    return session


def test_a_session_is_ten_coups(home: Rules) -> None:
    nine = ten(home, ana=["player"] * 9, rui=["banker"] * 9)
    assert not nine.ended
    assert ranking(home, nine) == ()
    last = after(home, nine, PLAYER, ana={"player": 20}, rui={"banker": 20})
    assert last.ended
    assert last.coups == 10
    with pytest.raises(OracleError, match="the session has ended"):
        after(home, last, PLAYER, ana={"player": 20}, rui={"banker": 20})


def test_the_highest_total_wins(home: Rules) -> None:
    session = ten(home, ana=["player"] * 10, rui=["player"] * 9 + ["tie"])
    ranks = [(rank.name, rank.score, rank.result) for rank in ranking(home, session)]
    assert ranks == [("ana", 200, "wins"), ("rui", 160, "")]


def test_equal_leaders_share(home: Rules) -> None:
    session = ten(home, "eva", ana=["player", "tie"] * 5, rui=["tie", "player"] * 5)
    ranks = [(rank.name, rank.score, rank.result) for rank in ranking(home, session)]
    assert ranks == [("ana", 0, "share"), ("rui", 0, "share"), ("eva", -200, "")]


def test_nobody_leaves_a_home_session(home: Rules) -> None:
    with pytest.raises(OracleError, match="home-pt doesn't let anybody leave"):
        leave(home, start_session(home, ["ana", "rui"]), "ana")


def test_every_step_makes_a_new_session(home: Rules) -> None:
    start = start_session(home, ["ana", "rui"])
    after(home, start, PLAYER, ana={"player": 20}, rui={"banker": 20})
    assert (start.coups, balances(start)) == (0, {"ana": 0, "rui": 0})


def test_one_prediction_changes_a_total_by_five_amounts(home: Rules) -> None:
    """Lines 32 to 35: a win of 20, 19 or 160, a loss of 20, or nothing."""
    assert coup_changes(home) == [-20, 0, 19, 20, 160]


def test_totals_after_ten_coups_go_from_minus_200_to_1600_in_394_values(home: Rules) -> None:
    """Every way to have a losses, b banker's wins, c player's wins, d ties' wins, and the rest returned."""
    expected = {
        -20 * a + 19 * b + 20 * c + 160 * d for a, b, c, d in product(range(11), repeat=4) if a + b + c + d <= 10
    }
    assert (min(expected), max(expected), len(expected)) == (-200, 1600, 394)
    assert reachable_balances(home, 10) == sorted(expected)


# --- selminha: a bankroll -------------------------------------------------------------------------


def test_one_sits_down_with_500_and_the_balance_limits_the_bets(selminha: Rules) -> None:
    session = start_session(selminha, ["eva"])
    assert balances(session) == {"eva": 500}
    with pytest.raises(BadBet, match=r"eva: stakes of 505 together, with a balance of 500, are refused\n  line 6\.2"):
        after(selminha, session, PLAYER, eva={"player": 500, "tie": 5})
    session = after(selminha, session, PLAYER, eva={"player": 500})
    assert balances(session) == {"eva": 1000}
    session = after(selminha, session, PLAYER, eva={"player": 500, "tie": 5})
    assert balances(session) == {"eva": 1495}


def test_a_coup_may_be_watched(selminha: Rules) -> None:
    session = after(selminha, start_session(selminha, ["eva"]), PLAYER)
    assert (session.coups, balances(session)) == (1, {"eva": 500})


def test_leaving_makes_the_balance_a_score(selminha: Rules) -> None:
    """67: whoever leaves takes the balance as the score."""
    session = after(selminha, start_session(selminha, ["eva"]), PLAYER, eva={"tie": 100})
    session = leave(selminha, session, "eva")
    assert session.ended
    assert [(rank.name, rank.score, rank.result) for rank in ranking(selminha, session)] == [("eva", 400, "")]
    with pytest.raises(OracleError, match="the session has ended for eva already"):
        leave(selminha, session, "eva")
    with pytest.raises(OracleError, match="the session has ended"):
        after(selminha, session, PLAYER, eva={"tie": 5})


def test_below_five_the_night_is_over_and_makes_no_score(selminha: Rules) -> None:
    """68: it ends when the minimum of five isn't left."""
    session = after(selminha, start_session(selminha, ["eva"]), PLAYER, eva={"banker": 495})
    assert (balances(session), session.ended) == ({"eva": 5}, False)
    session = after(selminha, session, PLAYER, eva={"banker": 5})
    assert (balances(session), session.ended) == ({"eva": 0}, True)
    assert session.participants[0].score is None
    assert ranking(selminha, session) == ()


def test_commission_can_leave_less_than_a_chip(shipped: dict[str, Rules]) -> None:
    """5 on the banker nets 4.75: of 504.75, all that chips can lay may be lost and 4.75 be left."""
    rules = shipped["selminha/classica"]
    session = after(rules, start_session(rules, ["eva"]), BANKER, eva={"banker": 5})
    assert balances(session) == {"eva": Fraction("504.75")}
    session = after(rules, session, PLAYER, eva={"banker": 500})
    assert (balances(session), session.ended) == ({"eva": Fraction("4.75")}, True)


def test_the_best_five_scores_are_kept(selminha: Rules) -> None:
    scores = [Fraction(score) for score in (300, 900, 5, 480, 900, 1200, 15)]
    assert best_scores(selminha, scores) == (1200, 900, 900, 480, 300)


def test_stakes_without_a_short_list_have_no_changes(shipped: dict[str, Rules]) -> None:
    with pytest.raises(OracleError, match="the stakes on player are no short list"):
        coup_changes(shipped["grid-pt"])


def test_a_text_without_a_start_has_no_session(shipped: dict[str, Rules]) -> None:
    with pytest.raises(OracleError, match="grid-pt doesn't say with how much a session starts"):
        start_session(shipped["grid-pt"], ["eva"])


def test_an_unknown_participant_is_named_safely(home: Rules) -> None:
    session = start_session(home, ["ana", "rui"])
    with pytest.raises(OracleError, match=r"nobody here is called `ev\\x1b`: ana, rui"):
        after(home, session, PLAYER, **{"ev\x1b": {"player": 20}})


SESSION = """\
  - id: bankroll
    cite: "22"
    says: a session
    cases:
      - {about: start_balance, then: 10}
      - {about: session_end, when: {balance: ">= 30"}, then: end}
      - {about: score, then: balance}
"""


def test_one_participant_may_be_done_before_the_others(plain_rules: Make) -> None:
    rules = plain_rules(add=SESSION)
    session = start_session(rules, ["ana", "rui"])
    session = after(rules, session, PLAYER, ana={"player": 20}, rui={"banker": 5})
    assert [(p.name, p.balance, p.ended) for p in session.participants] == [("ana", 30, True), ("rui", 5, False)]
    assert not session.ended
    with pytest.raises(OracleError, match="the session has ended for ana"):
        after(rules, session, PLAYER, ana={"player": 5})
    session = after(rules, session, PLAYER, rui={"tie": 5})
    assert balances(session) == {"ana": 30, "rui": 0}

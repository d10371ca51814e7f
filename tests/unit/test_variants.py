"""Tables of other games, as data alone: they load, check, play and settle, and no line of code knows any of them.

Every net is worked out by hand from the cards; a hand's total is the last digit of its sum.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from fractions import Fraction
from functools import cache
from pathlib import Path

import pytest

from oracle.cards import parse_cards
from oracle.checks.engines import check_all
from oracle.game.bets import refusals, require_legal
from oracle.game.coup import Coup, play
from oracle.game.rules import Rules
from oracle.game.settle import settle
from oracle.odds.counts import Composition, Odds
from oracle.rules.library import Library
from oracle.rules.model import Spec
from oracle.rules.questions import SIDES
from oracle.spans import BadCards, BadChoice
from tests.conftest import mostly_slow

ROOT = Path(__file__).resolve().parents[2]
FOLDER = ROOT / "tests" / "variants"
NAMES = sorted(path.stem for path in FOLDER.glob("*.yaml"))
SHORT = 20  # lines


@cache
def spec_of(name: str) -> Spec:
    return Library().load(FOLDER / f"{name}.yaml")


@cache
def table(name: str) -> Rules:
    spec = spec_of(name)
    return Rules(spec, spec.rule_sets[0])


def coup(name: str, cards: str, *bets: str, **choose: str) -> Coup:
    return play(table(name), parse_cards([cards]), choose=choose, bets=bets)


def nets(name: str, cards: str, stake: int = 20, choose: Mapping[str, str] | None = None) -> dict[str, Fraction]:
    """What each bet of a table nets, each laid alone."""
    rules = table(name)
    found = {}
    for bet in rules.bets:
        stakes = {bet: Fraction(stake)}
        require_legal(rules, stakes)
        (settled,) = settle(rules, play(rules, parse_cards([cards]), choose=choose, bets=stakes), stakes)
        found[bet] = settled.net
    return found


# --- as data --------------------------------------------------------------------------------------


def test_the_collection_is_as_large_as_promised() -> None:
    lines = {name: len((FOLDER / f"{name}.yaml").read_text(encoding="utf-8").splitlines()) for name in NAMES}
    assert len(NAMES) == 11
    assert sum(count <= SHORT for count in lines.values()) > len(lines) / 2
    assert max(lines.values()) <= 40


@pytest.mark.parametrize("name", NAMES)
def test_a_variant_takes_its_coup_from_another_source(name: str) -> None:
    spec = spec_of(name)
    assert spec.id == name
    assert spec.extends is not None
    assert spec.source.sha256 == "", "it is about no document"


@pytest.mark.parametrize("name", mostly_slow(NAMES, "both-sides", "super-6"))
def test_a_variant_checks_without_an_open_error_and_z3_agrees(name: str) -> None:
    result = check_all([spec_of(name)], solvers="z3", others=Library().specs())
    errors = [f.message for f in result.reports[0].findings if (f.level, f.status) == ("error", "open")]
    assert errors == []
    assert result.exit == 0
    assert result.properties == result.agreed > 0
    verdicts = {verdict.verdict for verdict in result.reports[0].verdicts}
    assert verdicts <= {"verified", "resolved"}


def names_of(name: str) -> set[str]:
    """What a variant is called, and its bets apart from those that every table has."""
    usual = {*SIDES, "tie", "player_pair", "banker_pair"}
    return {name, name.replace("-", "_"), *(set(table(name).bets) - usual)}


@pytest.mark.parametrize("name", NAMES)
def test_no_code_knows_a_variant(name: str) -> None:
    words = re.compile(
        r"(?<![\w-])(?:" + "|".join(map(re.escape, sorted(names_of(name)))) + r")(?![\w-])", re.IGNORECASE
    )
    assert words.search(f"the {name} table"), "the search itself works"
    sources = sorted((ROOT / "oracle").rglob("*.py"))
    assert len(sources) > 50
    found = {
        f"{path.relative_to(ROOT)}: {match[0]}"
        for path in sources
        if (match := words.search(path.read_text(encoding="utf-8")))
    }
    assert found == set()


# --- ez: player K A and 5, 6 or 7; banker 2 3 and 2, or 3 4 ---------------------------------------

BANKER_THREE_CARD_7 = "KH 2S AC 3D 5H 2D"  # 6 against 7
BANKER_TWO_CARD_7 = "KH 3S AC 4D 5H"  # 6 against 7
PLAYER_THREE_CARD_8 = "KH 3S AC 4D 7H"  # 8 against 7
PLAYER_TWO_CARD_8 = "8H 3S KC 4D"  # 8 against 7
TIE_WITH_THREE_CARD_7 = "KH 2S AC 3D 6H 2D"  # 7 against 7


@pytest.mark.parametrize(
    ("cards", "expected"),
    [
        (BANKER_THREE_CARD_7, (-20, 0, -20, 800, -20)),
        (BANKER_TWO_CARD_7, (-20, 20, -20, -20, -20)),
        (PLAYER_THREE_CARD_8, (20, -20, -20, -20, 500)),
        (PLAYER_TWO_CARD_8, (20, -20, -20, -20, -20)),
        (TIE_WITH_THREE_CARD_7, (0, 0, 160, -20, -20)),
    ],
)
def test_ez(cards: str, expected: tuple[int, ...]) -> None:
    bets = ("player", "banker", "tie", "dragon_7", "panda_8")
    assert nets("ez", cards) == dict(zip(bets, expected, strict=True))


# --- super-6 --------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("cards", "expected"),
    [
        ("KH 2S AC 4D 2H", (-20, 10, -20, 240)),  # 3 against 6 of two cards
        ("KH 2S AC 3D 4H AD", (-20, 10, -20, 400)),  # 5 against 6 of three cards
        (BANKER_TWO_CARD_7, (-20, 20, -20, -20)),
        ("7H 2S KC 4D", (20, -20, -20, -20)),  # 7 against 6
        ("6H 2S KC 4D", (0, 0, 160, -20)),  # 6 against 6
    ],
)
def test_super_6(cards: str, expected: tuple[int, ...]) -> None:
    assert nets("super-6", cards) == dict(zip(("player", "banker", "tie", "super_6"), expected, strict=True))


# --- dragon-bonus ---------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("cards", "player", "banker"),
    [
        ("9H 2S KC AD", 20, -20),  # a natural by six
        ("9H 8S KC KD", 20, -20),  # a natural by one
        ("8H 9S KC KD", -20, 20),
        ("2H 9S KC KD", -20, 20),
        ("9H 9S KC KD", 0, 0),  # naturals tie
        ("7H 7S KC KD", -20, -20),  # sevens tie
        # Player K 2 7 makes nine; the banker has nothing and draws.
        ("KH KS 2C KD 7H QS", 600, -20),
        ("KH KS 2C KD 7H AS", 200, -20),
        ("KH KS 2C KD 7H 2S", 120, -20),
        ("KH KS 2C KD 7H 3S", 80, -20),
        ("KH KS 2C KD 7H 4S", 40, -20),
        ("KH KS 2C KD 7H 5S", 20, -20),
        ("KH KS 2C KD 7H 6S", -20, -20),  # by three
        # The player has nothing and draws nothing; the banker stands on 7, 6, 5 and 4, and draws nothing on 3.
        ("KH 3S KC 4D QD", -20, 120),
        ("KH 2S KC 4D QD", -20, 80),
        ("KH 2S KC 3D QD", -20, 40),
        ("KH 2S KC 2D QD", -20, 20),
        ("KH 2S KC AD QD JD", -20, -20),  # by three
    ],
)
def test_dragon_bonus(cards: str, player: int, banker: int) -> None:
    assert nets("dragon-bonus", cards) == {"player_bonus": player, "banker_bonus": banker}


# --- pair-bets ------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("cards", "either", "perfect"),
    [
        ("KH 2S KD AC 8D", 100, -20),
        ("KH 2S KH AC 8D", 100, 500),
        ("2S KH AC KH 8D 5C", 100, 500),
        ("KH 2S KH 2S 8D", 100, 4000),
        ("KH 2S KH 2D 8D", 100, 500),
        ("KD 2S KH 2D 8D", 100, -20),
        ("QH 2S KH AC 8D", -20, -20),
    ],
)
def test_pair_bets(cards: str, either: int, perfect: int) -> None:
    assert nets("pair-bets", cards) == {"either_pair": either, "perfect_pair": perfect}


def test_a_perfect_pair_needs_suits() -> None:
    with pytest.raises(BadCards, match="the player's pair K K needs suits"):
        nets("pair-bets", "K 2 K A 8")


# --- egalite --------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("card", "total", "odds"),
    [
        ("T", 0, 150),
        ("A", 1, 215),
        ("2", 2, 220),
        ("3", 3, 200),
        ("4", 4, 120),
        ("5", 5, 110),
        ("6", 6, 45),
        ("7", 7, 45),
        ("8", 8, 80),
        ("9", 9, 80),
    ],
)
def test_egalite(card: str, total: int, odds: int) -> None:
    """Nothing against nothing, and both draw the same card."""
    found = nets("egalite", f"KH QS JC KD {card}H {card}S", stake=5)
    expected = {f"egalite_{other}": -5 for other in range(10)} | {f"egalite_{total}": 5 * odds}
    assert found == {**expected, "player": 0, "banker": 0, "tie": 40}
    assert set(nets("egalite", "9H 2S KC AD", stake=5).values()) == {-5, 5}


# --- chemin-de-fer --------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("cards", "choose", "player", "banker"),
    [
        ("5H 2S KC KD 4D", {"player": "stand"}, -20, 20),  # 5 against 2 and 4
        ("5H 2S KC KD 4D AC", {"player": "draw"}, 20, -20),  # 9 against 2 and 1
        ("KH 2S AC AD 9H 7D", {"banker": "stand"}, -20, 20),  # 0 against 3
        ("KH 2S AC AD 9H 7D", {"banker": "draw"}, 0, 0),  # 0 against 3 and 7
        ("KH 2S AC 3D 4H AD", {"banker": "stand"}, 0, 0),  # 5 against 5
        ("KH 2S AC 3D 4H AD", {"banker": "draw"}, -20, 20),  # 5 against 5 and 1
    ],
)
def test_chemin_de_fer(cards: str, choose: dict[str, str], player: int, banker: int) -> None:
    assert nets("chemin-de-fer", cards, choose=choose) == {"player": player, "banker": banker}


def test_chemin_de_fer_is_free_in_three_places_only() -> None:
    for cards, who in (("5 2 K K 4 A", "player"), ("K 2 A A 9 7", "banker"), ("K 2 A 3 4 A", "banker")):
        with pytest.raises(BadChoice, match=f"the {who} may draw or stand"):
            coup("chemin-de-fer", cards)
    with pytest.raises(BadChoice, match="the banker can't draw here: the rules say stand"):
        coup("chemin-de-fer", "K 2 A A 8 7", banker="draw")
    with pytest.raises(BadChoice, match="the player can't stand here: the rules say draw"):
        coup("chemin-de-fer", "4 2 K K 4 A", player="stand")


def test_chemin_de_fer_has_eight_states_more_than_punto_banco() -> None:
    """The player standing on five against each of the banker's totals 0 to 7."""
    assert len(table("chemin-de-fer").space("banker_draw")) == 496 + 8


# --- both-sides -----------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("stake", "banker"), [(5, 5), (10, 10), (20, 20), (50, 50), (100, 95), (105, 100), (200, 190), (500, 475)]
)
def test_both_sides_pay_up_to_the_next_chip(stake: int, banker: int) -> None:
    """19/20 of the stake is 4.75, 9.5, 19, 47.5, 95, 99.75, 190 and 475."""
    found = nets("both-sides", BANKER_TWO_CARD_7, stake)
    assert (found["banker"], found["player"]) == (banker, -stake)
    assert nets("both-sides", PLAYER_TWO_CARD_8, stake)["player"] == stake


def test_both_sides_takes_bets_on_both_hands(shipped: dict[str, Rules]) -> None:
    bets = {"player": Fraction(20), "banker": Fraction(20)}
    assert list(refusals(table("both-sides"), bets)) == []
    assert len(list(refusals(shipped["selminha/classica"], bets))) == 1
    settled = settle(table("both-sides"), coup("both-sides", BANKER_TWO_CARD_7), bets)
    assert [entry.net for entry in settled] == [-20, 20]


# --- tie-nine, four-per-cent, six-decks, backed-five ----------------------------------------------


def test_tie_nine() -> None:
    assert nets("tie-nine", "6H 2S KC 4D") == {"player": 0, "banker": 0, "tie": 180}
    assert nets("tie-nine", BANKER_TWO_CARD_7) == {"player": -20, "banker": 19, "tie": -20}


def test_four_per_cent() -> None:
    assert nets("four-per-cent", BANKER_TWO_CARD_7, 100)["banker"] == 96
    assert nets("four-per-cent", PLAYER_TWO_CARD_8, 100)["banker"] == -100
    assert nets("four-per-cent", "6H 2S KC 4D", 100)["banker"] == 0
    assert table("four-per-cent").value("commission_due") == "shoe"


def test_six_decks() -> None:
    assert nets("six-decks", BANKER_TWO_CARD_7)["banker"] == 19
    with pytest.raises(BadCards, match="8S stands 7 times: 6 decks hold 6"):
        coup("six-decks", "8S 8S 8S 8S 8S 8S 8S")


def test_backed_five() -> None:
    """5 against 2: the player may draw the 4 if anybody bet on it, and else has to stand."""
    cards = "5H 2S KC KD 4D AC"
    assert coup("backed-five", cards, "player", player="draw").winner == "player"
    assert coup("backed-five", cards, "player", "tie", player="stand").winner == "banker"
    with pytest.raises(BadChoice, match="the player may draw or stand"):
        coup("backed-five", cards, "player")
    for bets in ((), ("banker",), ("tie", "banker")):
        unbacked = coup("backed-five", cards, *bets)
        assert (unbacked.winner, unbacked.player.total, unbacked.banker.total) == ("banker", 5, 6)
        with pytest.raises(BadChoice, match="the player can't draw here"):
            coup("backed-five", cards, *bets, player="draw")


# --- by published figures -------------------------------------------------------------------------

# Eight decks, ordered sequences of six cards.
ALL = 4_998_398_275_503_360
BANKER, PLAYER, TIE = 2_292_252_566_437_888, 2_230_518_282_592_256, 475_627_426_473_216
SIX_TWO, SIX_THREE = 186_173_936_904_192, 83_058_367_551_488
SEVEN, EIGHT = 112_633_011_329_024, 172_660_763_262_976


@pytest.mark.parametrize(
    ("name", "bet", "wins", "losses", "percent"),
    [
        ("ez", "banker", BANKER - SEVEN, PLAYER, "1.0183"),
        ("ez", "player", PLAYER, BANKER, "1.2351"),
        ("ez", "dragon_7", 40 * SEVEN, ALL - SEVEN, "7.6113"),
        ("ez", "panda_8", 25 * EIGHT, ALL - EIGHT, "10.1876"),
        ("super-6", "banker", BANKER - Fraction(SIX_TWO + SIX_THREE, 2), PLAYER, "1.4581"),
        ("super-6", "super_6", 12 * SIX_TWO + 20 * SIX_THREE, ALL - SIX_TWO - SIX_THREE, None),
        ("tie-nine", "tie", 9 * TIE, ALL - TIE, "4.8440"),
        ("four-per-cent", "banker", Fraction(96, 100) * BANKER, PLAYER, None),
    ],
)
def test_edges_are_the_published_ones(
    name: str, bet: str, wins: int | Fraction, losses: int, percent: str | None
) -> None:
    rules = table(name)
    edge = -Odds(rules, Composition.of(rules)).expectation(bet)
    assert edge == Fraction(losses - wins) / ALL
    assert percent is None or f"{float(edge) * 100:.4f}" == percent


def test_six_decks_come_out_as_published() -> None:
    rules = table("six-decks")
    odds = Odds(rules, Composition.of(rules))
    every = 878_869_206_895_680
    assert -odds.expectation("player") == Fraction(403_095_751_234_560 - 392_220_492_728_832, every)
    assert -odds.expectation("tie") == 1 - Fraction(9 * 83_552_962_932_288, every)

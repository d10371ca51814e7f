"""Published figures as `oracle.odds` counts them.

Integers and eight-deck edges: Wizard of Odds, baccarat, appendix 1 (wizardofodds.com/games/baccarat/appendix/1/), whose
convention is ours: ordered sequences of six cards, unused ones counted in full. The spreadsheets there print integers
rounded to 15 digits (…503,350 for …503,360); here they are whole. The Dragon Bonus: appendix 5 of the same. Exact
fractions, six decks and drawing with replacement were recomputed independently; edges of the other variants are those
that are quoted for eight decks.
"""

from __future__ import annotations

from fractions import Fraction
from functools import cache
from pathlib import Path

import pytest

from oracle.game.rules import Rules
from oracle.odds.composition import Composition, parse_shoe
from oracle.odds.counts import Odds
from oracle.rules.library import Library

VARIANTS = Path(__file__).resolve().parents[1] / "variants"
RULE_SETS = ("grid-pt", "home-pt", "punto-es", "selminha/classica", "selminha/sem-comissao")


@cache
def shipped(id: str) -> Rules:
    return Rules(*Library().rule_set(id))


@cache
def variant(name: str) -> Rules:
    spec = Library().load(VARIANTS / f"{name}.yaml")
    return Rules(spec, spec.rule_sets[0])


@pytest.mark.parametrize("id", RULE_SETS)
@pytest.mark.parametrize(
    ("shoe", "total", "outcomes"),
    [
        ("8 decks", 4_998_398_275_503_360, (2_292_252_566_437_888, 2_230_518_282_592_256, 475_627_426_473_216)),
        ("6 decks", 878_869_206_895_680, (403_095_751_234_560, 392_220_492_728_832, 83_552_962_932_288)),
        ("endless", 4_826_809, (2_212_744, 2_153_464, 460_601)),
    ],
)
def test_outcomes(id: str, shoe: str, total: int, outcomes: tuple[int, int, int]) -> None:
    odds = Odds(shipped(id), parse_shoe(shoe))
    assert odds.total == total
    assert odds.outcomes == dict(zip(("banker", "player", "tie"), outcomes, strict=True))


# Appendix 1, eight decks: what the sequences of one kind are.
KINDS = {
    "banker wins with 6, two cards": ({"winner": "banker", "banker_total": 6, "banker_cards": 2}, 186_173_936_904_192),
    "banker wins with 6, three cards": ({"winner": "banker", "banker_total": 6, "banker_cards": 3}, 83_058_367_551_488),
    "banker's three-card 7": ({"winner": "banker", "banker_total": 7, "banker_cards": 3}, 112_633_011_329_024),
    "player's three-card 8": ({"winner": "player", "player_total": 8, "player_cards": 3}, 172_660_763_262_976),
    "four cards": ({"player_cards": 2, "banker_cards": 2}, 1_893_735_611_458_560),
    "six cards": ({"player_cards": 3, "banker_cards": 3}, 1_587_927_855_264_000),
}


@pytest.mark.parametrize("kind", KINDS)
def test_ends(kind: str) -> None:
    fields, count = KINDS[kind]
    space = Odds(shipped("home-pt")).end_space
    columns = [space.column(field) for field in fields]
    rows = zip(zip(*columns, strict=True), space.counts, strict=True)
    assert sum(n for values, n in rows if values == tuple(fields.values())) == count


def test_five_cards_and_pairs() -> None:
    """1,516,734,808,780,800 coups of five cards; 373,374,329,013,504 with a pair of the player, and of the banker."""
    space = Odds(shipped("home-pt")).end_space
    cards = zip(space.column("player_cards"), space.column("banker_cards"), space.counts, strict=True)
    assert sum(n for player, banker, n in cards if {player, banker} == {2, 3}) == 1_516_734_808_780_800
    pairs = Odds(shipped("selminha/classica")).alike_space
    for field in ("player_pair", "banker_pair"):
        kinds = zip(pairs.column(field), pairs.counts, strict=True)
        assert sum(n for kind, n in kinds if kind in ("rank", "card")) == 373_374_329_013_504


@pytest.mark.parametrize(
    ("id", "bet", "expectation", "percent"),
    [
        ("home-pt", "banker", Fraction(-114753351728, 10847218479825), "1.057906"),
        ("home-pt", "player", Fraction(-241149546272, 19524993263685), "1.235081"),
        ("home-pt", "tie", Fraction(-103841353768, 723147898655), "14.359629"),
        ("selminha/classica", "player_pair", Fraction(-43, 415), "10.361446"),
        ("selminha/classica", "banker_pair", Fraction(-43, 415), "10.361446"),
        ("selminha/sem-comissao", "banker", Fraction(-284694798368, 19524993263685), "1.458104"),
    ],
)
def test_expectations(id: str, bet: str, expectation: Fraction, percent: str) -> None:
    found = Odds(shipped(id)).bet(bet)
    assert found.expectation == expectation
    assert f"{float(found.edge) * 100:.6f}" == percent


@pytest.mark.parametrize(
    ("name", "bet", "percent"),
    [
        ("ez", "banker", "1.0183"),
        ("ez", "dragon_7", "7.6113"),
        ("ez", "panda_8", "10.1876"),
        ("super-6", "banker", "1.4581"),
        ("super-6", "super_6", "16.6836"),
        ("dragon-bonus", "player_bonus", "2.6517"),
        ("dragon-bonus", "banker_bonus", "9.3731"),
        ("pair-bets", "either_pair", "13.7099"),
        ("pair-bets", "perfect_pair", "8.0470"),
        ("tie-nine", "tie", "4.8440"),
    ],
)
def test_edges_of_variants(name: str, bet: str, percent: str) -> None:
    assert f"{float(Odds(variant(name), Composition.full(8)).bet(bet).edge) * 100:.4f}" == percent


def test_a_tie_at_nine_to_one_exactly() -> None:
    assert Odds(variant("tie-nine")).expectation("tie") == Fraction(-63053127805, 1301666217579)


# Appendix 5, Dragon Bonus, eight decks: sequences by what they pay, for the player's bet and the banker's. A natural
# and a margin of four both pay even.
BONUS = {
    "player_bonus": {
        30: 18_409_431_764_992, 10: 34_097_645_543_424, 6: 89_590_261_473_280, 4: 141_238_897_317_888,
        2: 166_169_165_987_840, 1: 186_780_352_174_080 + 812_685_054_124_032, 0: 89_325_908_267_520,
    },
    "banker_bonus": {
        30: 15_390_342_909_952, 10: 28_305_092_784_128, 6: 79_517_099_278_336, 4: 119_200_072_366_080,
        2: 157_275_882_332_160, 1: 201_147_167_287_296 + 812_685_054_124_032, 0: 89_325_908_267_520,
    },
}  # fmt: skip


@pytest.mark.parametrize("bet", BONUS)
def test_payments_of_the_dragon_bonus(bet: str) -> None:
    hits = {hit.net: hit.sequences for hit in Odds(variant("dragon-bonus")).bet(bet).hits if hit.outcome != "lose"}
    assert hits == BONUS[bet]


def test_an_edge_without_ties_is_another_figure() -> None:
    """1.1692 and 1.3650 per cent: of the coups that are decided. Pages print them without saying so."""
    for bet, percent in (("banker", "1.1692"), ("player", "1.3650")):
        found = Odds(shipped("home-pt")).bet(bet)
        assert f"{float(found.edge / (1 - found.share('push'))) * 100:.4f}" == percent

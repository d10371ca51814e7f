"""`play` settles legal bets only: everything else ends in 2, with the sentence of the document that refuses it."""

from __future__ import annotations

import json

import pytest

from oracle.cli import run

SIX = ("2H", "6S", "2D", "KD", "AC")  # 5 against 6, on which the banker stands
HIGHER = ("9H", "2S", "KC", "AD")  # 9 against 3
TIE = ("9H", "9S", "KC", "KD")


def nets(capsys: pytest.CaptureFixture[str], rules: str, cards: tuple[str, ...], *args: str) -> dict[str, str]:
    assert run(["play", "--rules", rules, *cards, *args, "--format", "json"]) == 0
    return {bet: settled["net"] for bet, settled in json.loads(capsys.readouterr().out)["bets"].items()}


def refused(capsys: pytest.CaptureFixture[str], rules: str, *args: str, code: int = 2) -> str:
    assert run(["play", "--rules", rules, *HIGHER, *args]) == code
    out, err = capsys.readouterr()
    assert out == ""
    assert "Traceback" not in err
    return err


@pytest.mark.parametrize(
    ("rules", "cards", "bet", "net"),
    [
        # The banker wins with six: half at one table, even money less a twentieth at the other.
        ("selminha/sem-comissao", SIX, "banker=20", "10"),
        ("selminha/classica", SIX, "banker=20", "19"),
        ("punto-es", TIE, "tie=20", "180"),
        ("grid-pt", TIE, "tie=20", "160"),
        # Two kings pay eleven to one whoever wins; a queen and a king are no pair.
        ("selminha/classica", ("KH", "9S", "KD", "KC"), "player_pair=5", "55"),
        ("selminha/classica", ("KH", "2S", "KD", "AC", "9H", "KC"), "player_pair=5", "55"),
        ("selminha/sem-comissao", ("9S", "KH", "KC", "KD"), "banker_pair=5", "55"),
        ("selminha/classica", ("QH", "9S", "KD", "KC"), "player_pair=5", "-5"),
        ("selminha/classica", ("QH", "9S", "KD", "KC"), "banker_pair=5", "-5"),
    ],
)
def test_legal_bets_are_settled(
    capsys: pytest.CaptureFixture[str], rules: str, cards: tuple[str, ...], bet: str, net: str
) -> None:
    assert nets(capsys, rules, cards, "--bet", bet) == {bet.partition("=")[0]: net}


@pytest.mark.parametrize("rules", ["selminha/classica", "selminha/sem-comissao"])
@pytest.mark.parametrize(
    ("args", "message", "line"),
    [
        (["--bet=player=20", "--bet=banker=20"], "player and banker together are refused", "17.1 (opposite-sides)"),
        (["--bet=tie=7"], "7 on tie is refused", "6.1 (chips)"),
        (["--bet=tie=505"], "505 on tie is refused", "6.2 (limits)"),
        (["--bet=tie=3"], "3 on tie is refused", "6.2 (limits)"),
        (["--bet=tie=-5"], "`-5` is no stake", "6.2 (limits)"),
        (
            ["--bet=tie=500", "--balance=495"],
            "stakes of 500 together, with a balance of 495, are refused",
            "6.2 (limits)",
        ),
        (["--bet=tie=5", "--balance=-1"], "stakes of 5 together, with a balance of -1, are refused", "6.2 (limits)"),
    ],
)
def test_selminha_refuses_and_cites(
    capsys: pytest.CaptureFixture[str], rules: str, args: list[str], message: str, line: str
) -> None:
    err = refused(capsys, rules, *args)
    assert err.startswith(f"error: {message}")
    assert f"\n  line {line}: " in err


def test_a_balance_that_is_enough_is_enough(capsys: pytest.CaptureFixture[str]) -> None:
    args = ("--bet=tie=10", "--bet=player=15", "--balance=25")
    assert nets(capsys, "selminha/classica", HIGHER, *args) == {"tie": "-10", "player": "15"}
    assert nets(capsys, "home-pt", HIGHER, "--bet=tie=20", "--balance=-200") == {"tie": "-20"}


def test_a_fraction_of_a_chip_may_be_the_balance(capsys: pytest.CaptureFixture[str]) -> None:
    assert "a balance of 4.75, are refused" in refused(capsys, "selminha/classica", "--bet=tie=5", "--balance=4.75")


@pytest.mark.parametrize("text", ["", "x", "1e3", "1/3", "\x1b[31m", "9" * 40])
def test_nonsense_balances(capsys: pytest.CaptureFixture[str], text: str) -> None:
    err = refused(capsys, "selminha/classica", "--bet=tie=5", f"--balance={text}")
    assert "is no balance: write a number, as in --balance 500" in err
    assert "\x1b" not in err
    assert len(err) < 200


def test_home_pt_takes_one_prediction_of_twenty(capsys: pytest.CaptureFixture[str]) -> None:
    assert "\n  line 9.2 (one-prediction): " in refused(capsys, "home-pt", "--bet=player=20", "--bet=tie=20")
    assert "error: 10 on tie is refused\n  line 9.2 (one-prediction): " in refused(capsys, "home-pt", "--bet=tie=10")


def test_bets_that_the_text_alone_leaves_open_are_undecided(capsys: pytest.CaptureFixture[str]) -> None:
    """17.2 lets the extras stand "alone", in two readings: without a side, or without any other bet."""
    both = ["--bet=tie=5", "--bet=player_pair=5"]
    assert nets(capsys, "selminha/classica", HIGHER, *both) == {"tie": "-5", "player_pair": "-5"}
    err = refused(capsys, "selminha/classica", *both, "--literal", code=3)
    assert "error[undecided]: bets_together is undecided for " in err
    assert "the readings of extras-alone differ" in err


@pytest.mark.parametrize("stake", ["1" * 13, "-" + "9" * 30, "0.0000001", "1" * 5000])
def test_stakes_of_too_many_digits_are_told_the_limit(capsys: pytest.CaptureFixture[str], stake: str) -> None:
    err = refused(capsys, "home-pt", f"--bet=tie={stake}")
    assert err.endswith(", of at most 12 digits and 6 after the point\n")
    assert len(err) < 200


@pytest.mark.parametrize("rules", ["home-pt", "selminha/classica"])
def test_a_huge_stake_is_refused_like_any_other(capsys: pytest.CaptureFixture[str], rules: str) -> None:
    assert "error: 999999999999 on tie is refused\n  line " in refused(capsys, rules, f"--bet=tie={'9' * 12}")

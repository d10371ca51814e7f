"""The pytest plugin in runs of its own: the examples of docs/pytest.md, what mistakes they name, and what it costs."""

from __future__ import annotations

import re
import subprocess
import sys
from pathlib import Path

import pytest

from oracle.cards import parse_cards
from oracle.cases.minimal import SETS
from oracle.cases.tiers import cases
from oracle.conformance.trial import trial_of
from oracle.game.rules import load_rules
from oracle.spans import BadCards, OracleError

pytest_plugins = ["pytester"]

ROOT = Path(__file__).resolve().parents[2]
GUIDE = (ROOT / "docs" / "pytest.md").read_text(encoding="utf-8")
EXAMPLES = {
    match[1]: match[2]
    for match in re.finditer(r"^```python\n# (test_\w+)\.py\n(.*?)^```$", GUIDE, re.DOTALL | re.MULTILINE)
}
RIGHT = """
from fractions import Fraction
import oracle

RULES = oracle.load_rules("home-pt")
SELMINHA = oracle.load_rules("selminha/classica")

def play(cards, bets):
    coup = oracle.play(RULES, oracle.parse_cards(cards))
    nets = oracle.settle(RULES, coup, {bet: Fraction(stake) for bet, stake in bets.items()})
    hands = {side: {"total": getattr(coup, side).total} for side in ("player", "banker")}
    return {"winner": coup.winner, **hands, "net": {settled.bet: settled.net for settled in nets}}

class Account:
    def __init__(self, balance):
        self.balance = balance

    def play(self, cards, bets):
        stakes = {bet: Fraction(stake) for bet, stake in bets.items()}
        oracle.require_legal(SELMINHA, stakes, balance=self.balance)
        coup = oracle.play(SELMINHA, oracle.parse_cards(cards))
        self.balance += sum(settled.net for settled in oracle.settle(SELMINHA, coup, stakes))
"""


def wrong() -> str:
    """The example program of the checkout, whose banker stands on three against a seven here."""
    row = "3: (0, 1, 2, 3, 4, 5, 6, 7, 9)"
    text = (ROOT / "examples" / "mine.py").read_text(encoding="utf-8")
    assert row in text
    return text.replace(row, row.replace("7, ", ""))


def test_the_guide_has_its_examples_and_each_is_short() -> None:
    assert sorted(EXAMPLES) == ["test_bankroll", "test_cases", "test_drawn", "test_one"]
    for text in EXAMPLES.values():
        assert len([line for line in text.splitlines() if line.strip()]) <= 10


@pytest.mark.parametrize("name", sorted(EXAMPLES))
@pytest.mark.slow
def test_the_examples_pass_for_a_right_program(name: str, pytester: pytest.Pytester) -> None:
    pytester.makepyfile(mine=RIGHT, **{name: EXAMPLES[name]})
    result = pytester.runpytest_subprocess("-q", "-p", "no:cacheprovider", "--strict-markers")
    outcomes = result.parseoutcomes()
    assert set(outcomes) == {"passed"}
    sets = [cases(load_rules("home-pt"), tier) for tier in SETS]  # where it isn't said what is reported, all of them
    every = {case.id for cases_of in sets for case in cases_of}
    assert outcomes["passed"] == (len(every) if name == "test_cases" else 1)


@pytest.mark.parametrize("name", ["test_cases", "test_drawn"])
@pytest.mark.slow
def test_the_examples_name_the_rule_that_is_wrong(name: str, pytester: pytest.Pytester) -> None:
    often = "deadline=None, max_examples=1000, derandomize=True"  # it comes to the cell once in two hundred coups
    pytester.makepyfile(mine=wrong(), **{name: EXAMPLES[name].replace("deadline=None", often)})
    result = pytester.runpytest_subprocess("-q", "-p", "no:cacheprovider")
    text = result.stdout.str()
    assert "the rules: banker on 3 against a third card of 7: draw, by line 21" in text
    assert "as if: banker stands on 3 against a third card of 7" in text
    if name == "test_cases":
        assert result.parseoutcomes()["failed"] < 5, "only the cases that come to this cell fail"


@pytest.mark.parametrize(
    ("code", "said"),
    [
        ("def test_a(baccarat_case): ...", "which rules? Mark the test, its class or its module with"),
        ("def test_a(baccarat_rules): ...", "which rules? Mark the test, its class or its module with"),
        ("@pytest.mark.baccarat('home')\ndef test_a(baccarat_case): ...", "home-pt"),
        ("@pytest.mark.baccarat('home-pt', 'total')\ndef test_a(baccarat_case): ...", "did you mean `totals`"),
        (
            "@pytest.mark.baccarat(tear='totals')\ndef test_a(baccarat_case): ...",
            "takes a rule set, tier, folders of specs, observables",
        ),
        (
            "@pytest.mark.baccarat(5)\ndef test_a(baccarat_case): ...",
            "takes a rule set, tier, folders of specs, observables",
        ),
    ],
)
def test_a_wrong_use_is_told(code: str, said: str, pytester: pytest.Pytester) -> None:
    pytester.makepyfile(f"import pytest\n{code}")
    result = pytester.runpytest_inprocess("-q", "-p", "no:cacheprovider")
    assert said in result.stdout.str() + result.stderr.str()
    assert result.ret != 0


def test_nothing_but_pytest_is_imported_for_others(pytester: pytest.Pytester) -> None:
    """The plugin costs an unrelated run one small module: none of what it needs when it is used."""
    pytester.makepyfile(
        """
        import sys

        def test_unrelated():
            ours = {name for name in sys.modules if name.partition(".")[0] == "oracle"}
            assert ours == {"oracle", "oracle._version", "oracle.testing", "oracle.testing.pytest_plugin"}
            assert not {"msgspec", "yaml", "numpy", "z3", "click"} & set(sys.modules)
        """
    )
    result = pytester.runpytest_subprocess("-q", "-p", "no:cacheprovider")
    result.assert_outcomes(passed=1)


def test_importing_the_plugin_takes_little() -> None:
    """Under 20 ms, counted by the interpreter itself: what it imports beyond pytest, the fastest of five."""
    code = (
        "import pytest, time; a = time.process_time(); "
        "import oracle.testing.pytest_plugin; print(time.process_time() - a)"
    )
    times = [
        float(subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True).stdout)
        for _ in range(5)
    ]
    assert min(times) < 0.020


# --- the trial itself --------------------------------------------------------------------------------


HOME = load_rules("home-pt")
CARDS = "4H 2S 9C AD 8D"  # 1 against 3: the banker stands on three against an eight, line 26 of the document


def problem(said: object, cards: str = CARDS, bets: dict[str, object] | None = None, **more: list[str]) -> str:
    return trial_of(HOME, cards, bets).problem(said, **more)


def test_right_answers_have_no_problem() -> None:
    assert problem("banker") == ""
    assert problem({"winner": "banker", "player": {"total": 1}, "banker": {"total": 3, "cards": ["2S", "AD"]}}) == ""
    assert problem({"net": {"banker": 19}}, bets={"banker": 20}, observables=["net"]) == ""
    trial_of(HOME, parse_cards(CARDS)).check("banker")


def test_the_guide_shows_what_is_said() -> None:
    said = problem({"winner": "banker", "banker": {"total": 3}, "player": {"total": 1}}, "4H 2S KC AD 7D 4C",
                   {"banker": "20"})  # fmt: skip
    shown = re.search(r"^```text\n(.*?)^```$", GUIDE, re.DOTALL | re.MULTILINE)
    assert shown
    assert said == shown[1].rstrip("\n")


def test_a_wrong_draw_is_named() -> None:
    said = problem({"winner": "banker", "banker": {"total": 7}, "player": {"total": 1}}, f"{CARDS} 4C")
    assert "banker total: 3 expected, 7 answered" in said
    assert "the rules: banker on 3 against a third card of 8: stand, by line 26" in said
    assert "as if: banker draws on 3 against a third card of 8" in said


def test_floating_money_and_parts_that_lack_are_named() -> None:
    assert "floating-point money" in problem({"net": {"banker": 19.000000001}}, bets={"banker": 20})
    assert "`winner` is missing" in problem({"natural": "none"}, observables=["winner"])
    assert "has none of winner" in problem({})
    assert "has none of winner" in problem(None)
    assert "can't be read" in problem({"winner": "bank"})
    assert "can't be read" in problem({"winner": object()})
    with pytest.raises(OracleError, match="did you mean `winner`"):
        problem("banker", observables=["winer"])
    with pytest.raises(AssertionError, match="winner: banker expected, tie answered"):
        trial_of(HOME, CARDS).check("tie")


def test_what_no_rule_explains_is_said_to_be_so() -> None:
    answer = {"winner": "tie", "player": {"total": 5}, "banker": {"total": 9}}
    assert "no single change of the rules gives this answer" in problem(answer)


def test_coups_that_cant_be_played_are_refused() -> None:
    with pytest.raises(BadCards, match="fifth card is missing"):
        trial_of(HOME, "4H 2S 9C AD")
    with pytest.raises(OracleError, match="no bet `dragon`"):
        trial_of(HOME, CARDS, {"dragon": 20})


def test_legality_is_a_yes_or_no() -> None:
    from oracle.cases.tiers import cases
    from oracle.conformance.trial import Trial

    found = [Trial(HOME, case) for case in cases(HOME, "bets")]
    legal = next(trial for trial in found if trial.expect.legal)
    refused = next(trial for trial in found if not trial.expect.legal)
    assert legal.problem(said=True) == refused.problem({"legal": False}) == ""
    assert "legal: yes expected, no answered (nothing refuses them)" in legal.problem(said=False)
    assert f"legal: no expected, yes answered ({refused.case.why})" in refused.problem(said=True)
    assert "`legal` is missing" in refused.problem({})

"""Invariants: what holds of every bet, shoe and session, and a game for each in which it doesn't."""

from __future__ import annotations

import re
from collections.abc import Callable
from functools import cache

import pytest

from oracle.checks.claim_context import ClaimContext
from oracle.checks.invariants import INVARIANTS, check_invariants
from oracle.checks.run import check_spec
from oracle.game.rules import Rules
from oracle.rules.library import Library
from oracle.rules.model import Spec
from oracle.solver.agree import ask_engines
from oracle.solver.amounts import write_amounts
from oracle.solver.engine import available_engines
from tests.nonempty import nonempty

MakeSpec = Callable[..., Spec]
MakeRules = Callable[..., Rules]
BY_CONSTRUCTION = {"net-from-stake", "push-is-nothing", "three-cards"}


def said(id: str, text: str, **parts: str) -> str:
    """A statement of the plain game."""
    return f"  - {{id: {id}, cite: '22', says: x, {text}}}\n"


DECKS = said("decks", "about: decks, then: 8")
SHUFFLED = said("shuffled", "about: reshuffle, then: shuffle, when: {coup: later}")


def judged(spec: Spec) -> dict[str, tuple[str, str]]:
    """Verdict and evidence of every invariant of a spec with one rule set."""
    context = ClaimContext([spec])
    return {i.name: (i.verdict, i.evidence) for i in check_invariants(context.tables(spec)[0], context)}


@cache
def found() -> dict[tuple[str, str], tuple[str, str]]:
    """Verdict and evidence of every invariant of the shipped rule sets."""
    context = ClaimContext(Library().specs())
    return {
        (i.rules, i.name): (i.verdict, i.evidence)
        for spec in context.specs
        for rules in context.tables(spec)
        for i in check_invariants(rules, context)
    }


def test_every_rule_set_has_every_invariant_and_a_new_one_gets_them_too(plain_spec: MakeSpec) -> None:
    tables = {rules for rules, _ in found()}
    assert len(found()) == len(tables) * len(INVARIANTS)
    assert set(judged(plain_spec())) == set(INVARIANTS)


def test_what_holds_by_construction_is_not_called_verified() -> None:
    for (_, name), (verdict, _) in nonempty(found().items()):
        assert (verdict == "by-construction") == (name in BY_CONSTRUCTION)


@pytest.mark.parametrize(
    ("rules", "bet", "edge"),
    [
        ("home-pt", "banker", "1.0579"),  # published for eight decks, five per cent
        ("selminha/classica", "banker", "1.0579"),
        ("selminha/sem-comissao", "player", "1.2351"),  # half pay on six makes the banker the dearer one, 1.4581
    ],
)
def test_the_least_edge_is_the_published_one(rules: str, bet: str, edge: str) -> None:
    assert found()[rules, "no-gift"] == ("verified", f"the edge is least on {bet}, {edge} %, of a full shoe")


def test_a_bet_that_pays_too_much_is_refuted(plain_spec: MakeSpec) -> None:
    """Without a commission the banker wins more often than it loses: that is what the commission is for."""
    assert judged(plain_spec({"commission": None}, add=DECKS))["no-gift"] == (
        "refuted",
        "banker favours the bettor by 1.2351 % of a full shoe",
    )
    assert judged(plain_spec(add=DECKS))["no-gift"][0] == "verified"


def test_rounding_that_gives_the_commission_back_is_refuted_with_the_stake(plain_spec: MakeSpec) -> None:
    """0.95 rounded up is 1: a stake of one has no commission at all."""
    up = said("up", "about: rounding, then: up to 1")
    assert judged(plain_spec(add=DECKS + up))["no-gift"] == (
        "refuted",
        "1 on banker favours the bettor, as payments are rounded up to 1",
    )
    down = said("down", "about: rounding, then: down to 1")
    verdict, evidence = judged(plain_spec(add=DECKS + down))["no-gift"]
    assert verdict == "verified"
    assert "no legal stake changes that by rounding down to 1" in evidence
    large = said("large", "about: stake, when: {stake: '>= 100'}, then: allowed")
    large += said("small", "about: stake, when: {stake: '< 100'}, then: refused")
    nearest = said("nearest", "about: rounding, then: nearest 1")
    assert judged(plain_spec(add=DECKS + nearest))["no-gift"][0] == "refuted", "0.95 is nearest to 1"
    assert judged(plain_spec(add=DECKS + nearest + large))["no-gift"][0] == "verified", "19 from 20 is no gift"


def test_without_a_number_of_decks_there_is_no_edge(plain_spec: MakeSpec) -> None:
    assert judged(plain_spec())["no-gift"][0] == "vacuous"
    assert found()["punto-es", "no-gift"][0] == "vacuous"


def test_a_state_that_is_open_leaves_money_open(plain_spec: MakeSpec) -> None:
    found = judged(plain_spec({"player": None}, add=DECKS))
    for name in ("every-bet-settles", "no-gift"):
        assert found[name][0] == "open"
        assert "player_draw is open" in found[name][1]


def test_a_coup_that_can_lack_a_card_is_counted(plain_spec: MakeSpec) -> None:
    one = said("one", "about: decks, then: 1")
    assert found()["grid-pt", "coups-finish"] == ("refuted", "exactly 8 coups of 52 cards are certain to be finished")
    void = said("void", "about: exhausted, then: void")
    assert judged(plain_spec(add=one + void))["coups-finish"][0] == "refuted"
    assert judged(plain_spec(add=one + SHUFFLED))["coups-finish"][0] == "verified"
    endless = said("endless", "about: decks, then: endless")
    assert judged(plain_spec(add=endless))["coups-finish"] == ("verified", "the shoe is endless")


def test_fifteen_per_cent_of_eight_decks_are_enough_for_any_coup() -> None:
    """62.4 cards: a coup begins with 63 at least."""
    assert (
        found()["selminha/classica", "coups-finish"][1] == "a coup begins with 63 cards at least, and takes 6 at most"
    )


def test_balances_are_kept_from_debts_where_the_source_says_so() -> None:
    assert found()["selminha/classica", "no-debts"][0] == "verified"
    assert found()["home-pt", "no-debts"] == (
        "refuted",
        "line 9.5 lets stakes exceed the balance, and a bet can lose all of its stake",
    )
    assert found()["grid-pt", "no-debts"][0] == "vacuous"


def test_a_session_has_the_range_that_its_ends_have() -> None:
    """Ten stakes of twenty lost, or ten ties at eight to one."""
    verdict, evidence = found()["home-pt", "session-totals"]
    assert verdict == "verified"
    assert re.search(rf"after 10 coups .* from {-10 * 20} to {10 * 160}$", evidence)
    assert found()["selminha/classica", "session-totals"][0] == "vacuous"


def test_chips_that_cant_pay_are_counted() -> None:
    """Of 100 legal stakes 95 % is a multiple of five for every hundredth only; half for every tenth."""
    assert "95 of 100 stakes on banker" in found()["selminha/classica", "chips-pay"][1]
    assert "50 of 100 stakes on banker" in found()["selminha/sem-comissao", "chips-pay"][1]
    assert found()["home-pt", "chips-pay"][0] == "vacuous"


# --- without bound ----------------------------------------------------------------------------------


def test_solvers_confirm_it_for_all_whole_numbers() -> None:
    for spec in nonempty(Library().specs()):
        for rule_set in spec.rule_sets:
            script = write_amounts(Rules(spec, rule_set))
            assert script is not None
            agreement = ask_engines(script, available_engines())
            assert agreement.agreed, [agreement.show(check) for check in agreement.checks if not check.agreed]


@pytest.mark.parametrize("rounding", ["exact", "down to 1", "up to 5", "nearest 1", "nearest 5"])
@pytest.mark.parametrize("over", ["refused", "allowed"])
def test_solvers_confirm_it_however_payments_are_rounded(plain_rules: MakeRules, rounding: str, over: str) -> None:
    text = said("rounding", f"about: rounding, then: {rounding}")
    text += said("limit", f"about: total_stake, when: {{over_balance: yes}}, then: {over}")
    text += said("rest", "about: total_stake, when: {over_balance: no}, then: allowed")
    rules = plain_rules(add=text)
    script = write_amounts(rules)
    assert script is not None
    agreement = ask_engines(script, available_engines("z3"))
    assert agreement.agreed, [agreement.show(check) for check in agreement.checks if not check.agreed]
    assert {c.asked.kind: c.enumeration for c in agreement.checks}["no-debts"] == (
        "unsat" if over == "refused" else "sat"
    )


def test_a_bet_that_loses_twice_its_stake_is_seen(plain_rules: MakeRules) -> None:
    import msgspec

    text = said("limit", "about: total_stake, when: {over_balance: yes}, then: refused")
    script = write_amounts(plain_rules(add=text))
    assert script is not None
    wrong = msgspec.structs.replace(
        script, text=script.text.replace("(* (- 20) |stake on tie|)", "(* (- 40) |stake on tie|)")
    )
    assert wrong.text != script.text
    found = {check.asked.name for check in ask_engines(wrong, available_engines("z3")).disagreements}
    assert found == {"net-from-stake tie", "no-debts"}


def test_where_an_end_is_open_no_money_is_asked_about(plain_rules: MakeRules) -> None:
    assert write_amounts(plain_rules({"player": None})) is None
    assert write_amounts(plain_rules()) is not None


# --- where they are shown ---------------------------------------------------------------------------


def test_a_check_judges_them_with_its_claims(plain_spec: MakeSpec) -> None:
    spec = plain_spec(add=DECKS)
    assert check_spec(spec).invariants == ()
    assert {i.name for i in check_spec(spec, context=ClaimContext([spec])).invariants} == set(INVARIANTS)

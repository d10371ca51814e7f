"""Resolutions proved: each closes something that is open again without it, and changes nothing that is clear."""

from __future__ import annotations

from collections.abc import Callable

import msgspec
import pytest

from oracle.checks.proofs import Proof, concerned, name_of, other_readings, prove_resolutions, read_otherwise, without
from oracle.checks.run import check_spec
from oracle.game.rules import Rules
from oracle.rules.library import Library
from oracle.rules.questions import COUP_QUESTIONS
from oracle.solver.agree import cross_check
from oracle.solver.engine import available_engines
from tests.conftest import BLOCKS
from tests.nonempty import nonempty

MakeRules = Callable[..., Rules]
TABLES = [Rules(spec, rule_set) for spec in Library().specs() for rule_set in spec.rule_sets]


def resolved(text: str) -> str:
    return f"resolutions:\n  - {{{text}, because: x}}\n"


def proof(rules: Rules) -> Proof:
    (found,) = prove_resolutions(rules)
    return found


def test_every_shipped_resolution_is_needed_and_changes_nothing_that_is_clear() -> None:
    seen = set()
    for rules in TABLES:
        for found in prove_resolutions(rules):
            assert found.holds, found
            seen.add((rules.spec.id, found.resolution))
    assert seen == {(s.id, name_of(r)) for s in Library().specs() for r in s.resolutions}


@pytest.mark.slow
def test_without_it_its_finding_is_open() -> None:
    """The same by the check itself: a finding that named the resolution is an open error, or names another one."""
    for rules in nonempty(rules for rules in TABLES if rules.resolutions):
        before = [f for f in check_spec(rules.spec, [rules]).findings if f.level == "error"]
        for resolution in rules.resolutions:
            other = without(rules, resolution)
            left = check_spec(other.spec, [other]).findings
            closed = {(f.code, f.question) for f in before if f.resolution.split(" ")[0] == name_of(resolution)}
            back = {
                (f.code, f.question)
                for f in left
                if f.level == "error" and f.resolution.split(" ")[0] != name_of(resolution)
            }
            assert closed & back, (rules.id, name_of(resolution))


@pytest.mark.slow
def test_engines_confirm_that_the_state_is_open_without_it() -> None:
    seen = 0
    for rules in TABLES:
        proofs = {p.resolution: p for p in prove_resolutions(rules)}
        for resolution in rules.resolutions:
            for question in set(concerned(rules, resolution)) & set(COUP_QUESTIONS):
                agreement = cross_check(without(rules, resolution), question, available_engines())
                assert agreement.agreed
                found = {check.asked.name: check.enumeration for check in agreement.checks}
                assert (found["open"] == "sat") == (not proofs[name_of(resolution)].falls_to)
                seen += 1
    assert seen > 10


def test_what_it_sets_aside_it_names() -> None:
    grid = next(rules for rules in TABLES if rules.id == "grid-pt")
    found = {p.resolution: p for p in prove_resolutions(grid)}
    assert found["naturals-stop"].aside == ("both-continue",)
    assert found["last-digit"].aside == ()


def test_a_resolution_that_closes_nothing_proves_nothing(plain_rules: MakeRules) -> None:
    text = resolved("id: again, about: player_draw, when: {player2: 5}, then: draw")
    found = proof(plain_rules(tail=text))
    assert (found.returns, found.holds) == (0, False)


def test_one_that_sets_a_clear_statement_aside_by_name_changes_what_is_clear(plain_rules: MakeRules) -> None:
    text = resolved("id: soft, about: player_draw, when: {player2: 5}, then: stand, instead_of: [player]")
    found = proof(plain_rules(tail=text))
    assert (found.returns, found.clear, found.aside, found.holds) == (0, 8, ("player",), False)


def test_what_another_one_would_close_otherwise_is_told(plain_rules: MakeRules) -> None:
    silent = [line for line in BLOCKS["outcome"].splitlines(keepends=True) if "bet: tie" not in line]
    tail = "resolutions:\n  - {id: ties, about: outcome, when: {bet: tie, winner: tie}, then: win, because: x}\n"
    tail += "  - {convention: losing-bets-lose, because: x}\n"
    first, second = prove_resolutions(plain_rules({"outcome": "".join(silent)}, tail=tail))
    assert (first.falls_to, first.holds) == (("losing-bets-lose",), True)
    assert (second.falls_to, second.holds) == ((), True)


def test_a_finding_given_a_resolution_is_run_again_with_the_other_reading() -> None:
    grid = next(rules for rules in TABLES if rules.id == "grid-pt")
    (row,) = [f for f in check_spec(grid.spec, [grid]).findings if f.given]
    assert row.subject == "player-table/44"
    assert row.otherwise == read_otherwise(grid, row) == "goes if one reads naturals-stop as continue"


def test_a_chosen_reading_has_the_others_as_other_readings() -> None:
    punto = next(rules for rules in TABLES if rules.id == "punto-es")
    tens = next(r for r in punto.resolutions if r.id == "tens")
    ((words, other),) = other_readings(punto, tens)
    assert words == "cancelled as all-cancelled"
    assert other.totals[13] == 0
    assert punto.totals[13] == 3


def test_a_finding_that_stays_says_so() -> None:
    """How many bets one may lay has nothing to do with a row for eight that no coup gets to."""
    grid = next(rules for rules in TABLES if rules.id == "grid-pt")
    (row,) = [f for f in check_spec(grid.spec, [grid]).findings if f.subject == "banker-table/53"]
    assert (row.code, row.given) == ("dead", ())
    row = msgspec.structs.replace(row, given=("one-bet",))
    assert read_otherwise(grid, row) == "stays if one reads hand-or-tie as any-of-them"

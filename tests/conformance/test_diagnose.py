"""What a run is explained by: the true change is always among the explanations, whatever is observed."""

from __future__ import annotations

from fractions import Fraction

import msgspec
import pytest

from oracle.cards import parse_cards
from oracle.fixtures.case import Case
from oracle.fixtures.reference import answer_of, reference_of
from oracle.game.rules import Rules
from oracle.mutants.behaviour import Behaviour, behaviour_of, play
from oracle.mutants.limits import laid, limit_mutants
from oracle.mutants.observe import OBSERVABLES, unseen
from oracle.mutants.single import Mutant
from tests.conformance.conftest import Answering, Explain
from tests.conftest import RULE_SETS


def playing(how: Behaviour, observables: tuple[str, ...] = OBSERVABLES) -> Answering:
    """The answers of a behaviour about coups, in those observables; bets are left unanswered."""

    def answer(case: Case) -> dict[str, object] | None:
        if case.kind != "coup":
            return None
        stakes = {bet: Fraction(stake) for bet, stake in case.bets.items()}
        said = msgspec.to_builtins(answer_of(how, play(how, parse_cards(case.cards)), stakes))
        if "net" not in observables:
            said.pop("net", None)
        for side in ("player", "banker"):
            if "cards" not in observables:
                del said[side]["cards"]
            if "totals" not in observables:
                del said[side]
        return {name: value for name, value in said.items() if name in observables or name in ("player", "banker")}

    return answer


def mutant(rules: Rules, id: str) -> Mutant:
    return next(m for m in reference_of(rules).mutants if m.id == id)


SAMPLE = [
    ("home-pt", "flip banker_draw 3/8"),
    ("home-pt", "row-3-tests-total"),
    ("home-pt", "tie-loses-sides"),
    ("selminha/sem-comissao", "half-on-player-six"),
    ("selminha/classica", "pairs-by-value"),
    ("grid-pt", "commission-in-floats"),
    ("grid-pt", "commission-rounded"),
    ("punto-es", "banker-third-first"),
]


@pytest.mark.parametrize(("id", "wrong"), SAMPLE)
def test_a_wrong_program_is_explained_by_what_is_wrong_with_it(
    explain: Explain, shipped: dict[str, Rules], id: str, wrong: str
) -> None:
    found = explain(shipped[id], playing(mutant(shipped[id], wrong).behaviour), step=5)
    assert wrong in found.named
    assert len(found.named) <= 2, "others give other answers somewhere"


@pytest.mark.exhaustive
@pytest.mark.parametrize("id", RULE_SETS)
def test_every_mistake_is_named_or_cannot_be_seen(explain: Explain, shipped: dict[str, Rules], id: str) -> None:
    reference = reference_of(shipped[id])
    for wrong in reference.mutants:
        if wrong.family == "mistake" and not unseen(reference.domain, wrong, OBSERVABLES):
            assert wrong.id in explain(shipped[id], playing(wrong.behaviour)).named, wrong.id


@pytest.mark.exhaustive
@pytest.mark.parametrize("observables", [("winner",), ("winner", "totals", "cards")])
def test_every_flip_is_named_by_its_cell(
    explain: Explain, shipped: dict[str, Rules], observables: tuple[str, ...]
) -> None:
    """With the winner alone the minimal set has to be asked too: in the totals each cell comes up with few endings."""
    reference = reference_of(shipped["home-pt"])
    for flip in reference.mutants:
        if flip.family == "flip" and not unseen(reference.domain, flip, observables):
            answers = playing(flip.behaviour, observables)
            found = explain(shipped["home-pt"], answers, tiers=("totals", "minimal-winner"))
            assert any(entry.cells == flip.cells for entry in found.diagnosis.coups), flip.id


def test_the_tableau_shows_what_the_answers_show(explain: Explain, shipped: dict[str, Rules]) -> None:
    wrong = mutant(shipped["home-pt"], "rows 5=6 6=5").behaviour
    found = explain(shipped["home-pt"], playing(wrong), tiers=("totals",))
    differing = {seen.cell for seen in found.tableau if seen.wrong}
    assert differing == {"banker_draw 5/4", "banker_draw 5/5", "banker_draw 6/4", "banker_draw 6/5"}
    assert {seen.action for seen in found.tableau if seen.cell in ("banker_draw 5/4", "banker_draw 5/5")} == {"stand"}
    assert {seen.by for seen in found.tableau if seen.cell == "banker_draw 5/4"} == {"line 23 (banker-table/23)"}
    confirmed = {seen.cell for seen in found.tableau if seen.right and not seen.wrong}
    assert len(confirmed) == 88 - 4 + 8 + 100 - 16, "16 flips of naturals can't be seen: nobody would draw"


def test_a_program_of_another_document_is_told_which(explain: Explain, shipped: dict[str, Rules]) -> None:
    other = behaviour_of(shipped["punto-es"])
    found = explain(shipped["home-pt"], playing(other), others=tuple(shipped.values()))
    assert found.diagnosis.matches == ("punto-es",)
    assert found.named == {"tie-pays-nine", "net tie=9_where_it_nets_8"}


def test_bets_are_explained_apart(explain: Explain, shipped: dict[str, Rules]) -> None:
    rules = shipped["selminha/classica"]
    right = playing(behaviour_of(rules))
    for judge in limit_mutants(rules):

        def answer(case: Case, judge: object = judge) -> dict[str, object] | None:
            if case.kind == "coup":
                return right(case)
            stakes = {bet: Fraction(stake) for bet, stake in case.bets.items()}
            balance = None if case.balance is None else Fraction(case.balance)
            return {"legal": judge.takes(laid(rules, stakes, balance))}  # type: ignore[attr-defined]

        found = explain(rules, answer, tiers=("bets",))
        if judge.id == "balance-always-counts":  # the table looks at the balance itself
            assert found.diagnosis.bets == ()
        else:
            assert judge.id in {entry.name for entry in found.diagnosis.bets}, judge.id


def test_two_faults_at_once_are_not_explained_by_one(explain: Explain, shipped: dict[str, Rules]) -> None:
    first = mutant(shipped["home-pt"], "flip banker_draw 3/8").behaviour
    second = mutant(shipped["home-pt"], "flip banker_draw 6/6").behaviour
    both = msgspec.structs.replace(
        first, banker_draws={**first.banker_draws, **{k: v for k, v in second.banker_draws.items() if k[1] == 6}}
    )
    found = explain(shipped["home-pt"], playing(both), tiers=("totals",))
    assert found.diagnosis.coups == ()
    assert {seen.cell for seen in found.tableau if seen.wrong} == {"banker_draw 3/8", "banker_draw 6/6"}

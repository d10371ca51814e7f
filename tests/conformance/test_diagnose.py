"""What a run is explained by: the true change is always among the explanations, whatever is observed."""

from __future__ import annotations

import random
from fractions import Fraction

import msgspec
import pytest

from oracle.cards import RANKS, SUITS, Card, parse_cards
from oracle.cases.case import Case
from oracle.cases.reference import answer_of, reference_of
from oracle.game.rules import Rules
from oracle.mutants.domain import telling, unseen
from oracle.mutants.single import Mutant, both
from oracle.mutants.wrong_limits import limit_mutants
from oracle.programs.behaviour import Behaviour, behaviour_of, play
from oracle.programs.observables import OBSERVABLES
from oracle.programs.placed_bets import placed
from tests.conformance.conftest import FEWER, TIERS, Answering, Explain, Explained
from tests.conftest import RULE_SETS, mostly_slow
from tests.nonempty import nonempty


def playing(behaviour: Behaviour, observables: tuple[str, ...] = OBSERVABLES) -> Answering:
    """The answers of a behaviour about coups, in those observables; bets are left unanswered."""

    def answer(case: Case) -> dict[str, object] | None:
        if case.kind != "coup":
            return None
        stakes = {bet: Fraction(stake) for bet, stake in case.bets.items()}
        said = msgspec.to_builtins(answer_of(behaviour, play(behaviour, parse_cards(case.cards)), stakes))
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


@pytest.mark.parametrize(("id", "wrong"), mostly_slow(SAMPLE, *SAMPLE[:3]))
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
    for wrong in nonempty(reference.mutants):
        if wrong.family == "mistake" and not unseen(reference.domain, wrong, OBSERVABLES):
            found = explain(shipped[id], playing(wrong.behaviour), tiers=TIERS if id == "home-pt" else FEWER)
            assert wrong.id in found.named, wrong.id


@pytest.mark.exhaustive
@pytest.mark.parametrize("id", ["home-pt", "selminha/sem-comissao"])
def test_every_single_change_is_named_by_the_minimal_set(explain: Explain, shipped: dict[str, Rules], id: str) -> None:
    """Through the log and back: what the set shows is explained by itself, and what it doesn't can't be seen.

    Of the second rule set only what the first has not: pairs, and a half for a six.
    """
    reference = reference_of(shipped[id])
    done = set() if id == "home-pt" else {mutant.id for mutant in reference_of(shipped["home-pt"]).mutants}
    for wrong in nonempty(reference.mutants):
        if wrong.id in done:
            continue
        found = explain(shipped[id], playing(wrong.behaviour), tiers=("minimal",))
        if found.counts["fail"]:
            assert wrong.id in found.named, wrong.id
        else:
            assert unseen(reference.domain, wrong, OBSERVABLES), wrong.id


@pytest.mark.exhaustive
@pytest.mark.parametrize("observables", [("winner",), ("winner", "totals", "cards")])
def test_every_flip_is_named_by_its_cell(
    explain: Explain, shipped: dict[str, Rules], observables: tuple[str, ...]
) -> None:
    """With the winner alone the minimal set has to be asked too: in the totals each cell comes up with few endings."""
    reference = reference_of(shipped["home-pt"])
    for flip in nonempty(reference.mutants):
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


@pytest.mark.slow
def test_what_can_not_be_told_apart_is_one_class_with_what_would_tell(
    explain: Explain, shipped: dict[str, Rules]
) -> None:
    """Who has two naturals draws nothing, so that it makes no difference whether they end the coup."""
    rules = shipped["home-pt"]
    wrong = mutant(rules, "no-naturals")
    found = explain(rules, playing(wrong.behaviour, ("winner", "totals")), tiers=("totals",))
    (alike,) = found.diagnosis.alike
    assert set(alike.names) == found.named == {"no-naturals", "natural=none", "natural-both-only"}
    assert alike.further == ("natural",), "one of them calls nothing a natural"
    assert sorted(map(sorted, alike.same)) == [["natural-both-only", "no-naturals"], ["natural=none"]]
    hows = [mutant(rules, name).behaviour for name in alike.names]
    draw = random.Random(7)
    told = set()
    for _ in range(500):
        coup = [Card(draw.choice(RANKS), draw.choice(SUITS)) for _ in range(6)]
        played = [play(behaviour, coup) for behaviour in hows]
        assert len({(each.winner, each.end[4:], each.player, each.banker) for each in played}) == 1
        told.add(len({each.natural for each in played}))
    assert told == {1, 2}


def test_two_ways_to_make_one_mistake_are_told_apart(shipped: dict[str, Rules]) -> None:
    """Both have one id; one calls nothing a natural, and that is all."""
    reference = reference_of(shipped["home-pt"])
    one, other = (mutant for mutant in reference.candidates if mutant.id == "no-naturals")
    assert telling(reference.domain, one, other) == {"natural"}
    assert telling(reference.domain, other, one) == {"natural"}
    assert telling(reference.domain, one, one) == set()


def test_one_change_by_two_names_is_said_to_be_one(explain: Explain, shipped: dict[str, Rules]) -> None:
    rules = shipped["home-pt"]
    found = explain(rules, playing(mutant(rules, "six-six-stands").behaviour), tiers=("totals",))
    (alike,) = found.diagnosis.alike
    assert set(alike.names) == {"flip banker_draw 6/6", "six-six-stands"}
    assert (alike.further, alike.same) == ((), (alike.names,))


def test_bets_are_explained_apart(explain: Explain, shipped: dict[str, Rules]) -> None:
    rules = shipped["selminha/classica"]
    right = playing(behaviour_of(rules))
    for judge in nonempty(limit_mutants(rules)):

        def answer(case: Case, judge: object = judge) -> dict[str, object] | None:
            if case.kind == "coup":
                return right(case)
            stakes = {bet: Fraction(stake) for bet, stake in case.bets.items()}
            balance = None if case.balance is None else Fraction(case.balance)
            return {"legal": judge.takes(placed(rules, stakes, balance))}  # type: ignore[attr-defined]

        found = explain(rules, answer, tiers=("bets",))
        if judge.id == "balance-always-counts":  # the table looks at the balance itself
            assert found.diagnosis.bets == ()
        else:
            assert judge.id in {entry.name for entry in found.diagnosis.bets}, judge.id


def test_two_faults_at_once_are_named_together(explain: Explain, shipped: dict[str, Rules]) -> None:
    first = mutant(shipped["home-pt"], "flip banker_draw 3/8").behaviour
    second = mutant(shipped["home-pt"], "flip banker_draw 6/6").behaviour
    behaviour = both(behaviour_of(shipped["home-pt"]), first, second)
    assert behaviour is not None
    found = explain(shipped["home-pt"], playing(behaviour), tiers=("totals",))
    assert learnt(found) == {"eight-with-nine", "six-six-stands"}
    assert {seen.cell for seen in found.tableau if seen.wrong} == {"banker_draw 3/8", "banker_draw 6/6"}


def test_two_faults_of_different_kinds_are_named_together(explain: Explain, shipped: dict[str, Rules]) -> None:
    rules = shipped["home-pt"]
    first, second = mutant(rules, "flip banker_draw 5/4"), mutant(rules, "tie-loses-sides")
    behaviour = both(reference_of(rules).behaviour, first.behaviour, second.behaviour)
    assert behaviour is not None
    found = explain(rules, playing(behaviour), tiers=("totals", "settlement"))
    assert learnt(found) == {"flip banker_draw 5/4", "tie-loses-sides"}


def test_many_wrong_cells_are_named_together(explain: Explain, shipped: dict[str, Rules]) -> None:
    rules = shipped["home-pt"]
    wrong = [mutant(rules, f"flip banker_draw {cell}") for cell in ("3/8", "4/1", "5/4", "6/6")]
    behaviour = reference_of(rules).behaviour
    for each in wrong:
        behaviour = both(reference_of(rules).behaviour, behaviour, each.behaviour) or behaviour
    found = explain(rules, playing(behaviour), tiers=("totals",))
    together = found.diagnosis.together
    assert together is not None
    assert not together.left
    assert {cell for fault in together.faults for cell in fault.explanation.cells} == {each.cells[0] for each in wrong}


@pytest.mark.exhaustive
def test_two_hundred_random_pairs_of_changes_are_explained(explain: Explain, shipped: dict[str, Rules]) -> None:
    """Whatever is learnt gives all answers again, or says how many it doesn't; it seldom has to."""
    rules, draw = shipped["home-pt"], random.Random(2026)
    reference = reference_of(rules)
    left = tried = 0
    while tried < 200:
        first, second = draw.sample(reference.mutants, 2)
        behaviour = both(reference.behaviour, first.behaviour, second.behaviour)
        if behaviour is None:
            continue
        tried += 1
        found = explain(rules, playing(behaviour), tiers=("totals", "settlement"))
        together = found.diagnosis.together
        left += bool(found.counts["fail"]) and not found.diagnosis.coups and (together is None or bool(together.left))
    assert left <= 20


def learnt(found: Explained) -> set[str]:
    """The names of faults that together give all answers."""
    together = found.diagnosis.together
    assert together is not None
    assert (together.left, found.diagnosis.coups) == (0, ())
    return {fault.explanation.name for fault in together.faults}

"""Programs written apart from the oracle: the right one conforms, and of each wrong one is told what is wrong."""

from __future__ import annotations

import ast
import json
import sys
from collections.abc import Callable
from importlib.resources import files
from pathlib import Path

import msgspec
import pytest

import tests.conformance.wrong_deals  # noqa: F401 (adds to WRONG)
from oracle.cases.case import Case
from oracle.cases.reference import reference_of
from oracle.cases.tiers import DEFAULT, cases
from oracle.cli import run
from oracle.game.rules import Rules
from oracle.mutants.domain import unseen
from oracle.mutants.mistakes import MISTAKES
from oracle.mutants.single import changes
from oracle.programs.observables import OBSERVABLES
from tests.conformance.conftest import FEWER, TIERS, Explain
from tests.conformance.right_program import Baccarat
from tests.conformance.wrong_programs import WRONG, flipped
from tests.conftest import ROOT, RULE_SETS, mostly_slow
from tests.nonempty import nonempty

SAMPLE = [
    ("home-pt", "rows-5-6-negated"),
    ("home-pt", "third-ten-as-ten"),
    ("home-pt", "banker-three-card-total"),
    ("home-pt", "no-naturals: none is told"),
    ("home-pt", "player-fourth-card"),
    ("punto-es", "card-skipped"),
    ("grid-pt", "third-after-both-stood: two"),
    ("grid-pt", "commission-in-floats"),
    ("grid-pt", "commission-rounded: cut off"),
    ("grid-pt", "two-then-two"),
    ("punto-es", "naturals-tie"),
    ("punto-es", "tie-loses-sides"),
    ("punto-es", "sums-not-reduced"),
    ("selminha/classica", "tens-not-reduced: no row at all"),
    ("selminha/classica", "pairs-of-any-two"),
    ("selminha/sem-comissao", "eight-beats-nine"),
    ("home-pt", "three-card-natural"),
    ("home-pt", "ten-less-the-sum"),
    ("home-pt", "drew-and-stood-swapped: no row has a missing card"),
    ("grid-pt", "commission-on-losses"),
    ("punto-es", "commission-on-every-bet"),
    ("selminha/classica", "commission-on-losses: of every bet"),
]


def answering(program: Baccarat) -> Callable[[Case], dict[str, object]]:
    """A program's answers to cases."""

    def answer(case: Case) -> dict[str, object]:
        asked = {
            "kind": case.kind,
            "cards": case.cards,
            "bets": case.bets,
            "balance": case.balance,
            "dealt": case.dealt,
        }
        return program.answer({**asked, "steps": msgspec.to_builtins(case.steps), "text": case.text})

    return answer


def mistake(program: str) -> str:
    """The id of the mistake that a wrong program makes."""
    return program.partition(":")[0]


@pytest.mark.parametrize("name", ["right_program", "wrong_programs", "wrong_deals"])
def test_the_programs_have_nothing_of_the_oracle(name: str) -> None:
    tree = ast.parse(Path(__file__).with_name(f"{name}.py").read_text(encoding="utf-8"))
    for node in nonempty(ast.walk(tree)):
        if isinstance(node, ast.ImportFrom | ast.Import):
            module = node.module if isinstance(node, ast.ImportFrom) else node.names[0].name
            assert (module or "oracle").partition(".")[0] != "oracle"


@pytest.mark.parametrize("id", mostly_slow(RULE_SETS, "home-pt", "selminha/sem-comissao"))
def test_the_right_program_conforms(explain: Explain, shipped: dict[str, Rules], id: str) -> None:
    """Every expectation of the suite comes out of a second program too."""
    found = explain(shipped[id], answering(Baccarat(id)), tiers=(*DEFAULT, "minimal-winner"))
    assert {word for word, count in found.counts.items() if count} == {"pass"}


@pytest.mark.exhaustive
@pytest.mark.parametrize("id", ["home-pt", "grid-pt"])
def test_the_right_program_plays_every_sequence_of_values(shipped: dict[str, Rules], id: str) -> None:
    answer = answering(Baccarat(id))
    for case in nonempty(cases(shipped[id], "values")):
        said, due = answer(case), case.expect
        assert due.player is not None
        assert due.banker is not None
        assert (said["winner"], said["natural"]) == (due.winner, due.natural)
        assert said["pairs"] == msgspec.to_builtins(due.pairs)
        for side, hand in (("player", due.player), ("banker", due.banker)):
            assert said[side] == {"total": hand.total, "cards": list(hand.cards or ())}


def test_there_is_a_program_for_every_mistake() -> None:
    assert {mistake(program) for program in WRONG} == {each.id for each in MISTAKES}


def test_other_ways_to_make_a_mistake_are_others(shipped: dict[str, Rules]) -> None:
    right = reference_of(shipped["grid-pt"]).behaviour
    for each in MISTAKES:
        ways = [changes(right, way(right)) for way in (each.changed, *each.also)]
        assert len(set(ways)) == len(ways), each.id


@pytest.mark.parametrize(("id", "program"), mostly_slow(SAMPLE, *SAMPLE[::2]))
def test_a_mistake_is_named(explain: Explain, shipped: dict[str, Rules], id: str, program: str) -> None:
    found = explain(shipped[id], answering(WRONG[program](id)), step=5)
    assert mistake(program) in found.named
    assert len(found.named) <= 2, "others give other answers somewhere"


@pytest.mark.exhaustive
@pytest.mark.parametrize("program", WRONG)
@pytest.mark.parametrize("id", RULE_SETS)
def test_every_mistake_is_named_or_makes_no_difference(
    explain: Explain, shipped: dict[str, Rules], id: str, program: str
) -> None:
    """A program that conforms makes a mistake that is none under these rules, or that no legal stake shows."""
    reference = reference_of(shipped[id])
    found = explain(shipped[id], answering(WRONG[program](id)), tiers=TIERS if id == "home-pt" else FEWER)
    if found.counts["fail"]:
        assert mistake(program) in found.named
    else:
        known = [mutant for mutant in reference.mutants if mutant.id == mistake(program)]
        assert all(unseen(reference.domain, mutant, OBSERVABLES) for mutant in nonempty(known))


CELLS = ["banker_draw 3/8", "banker_draw 6/none", "player_draw 5", "natural 8/3"]


@pytest.mark.parametrize("cell", mostly_slow(CELLS, "banker_draw 3/8", "natural 8/3"))
def test_a_flipped_cell_is_named(explain: Explain, shipped: dict[str, Rules], cell: str) -> None:
    found = explain(shipped["home-pt"], answering(flipped(cell)("home-pt")), tiers=("totals",))
    assert f"flip {cell}" in found.named


@pytest.mark.exhaustive
def test_every_flipped_cell_is_named_or_makes_no_difference(explain: Explain, shipped: dict[str, Rules]) -> None:
    """In one rule set: they have one tableau, and these coups carry no bets."""
    id = "home-pt"
    reference = reference_of(shipped[id])
    flips = [mutant for mutant in reference.mutants if mutant.family == "flip"]
    assert len(flips) == 100 + 8 + 88
    for flip in flips:
        found = explain(shipped[id], answering(flipped(flip.cells[0])(id)), tiers=("totals",))
        assert (flip.id in found.named) == (not unseen(reference.domain, flip, OBSERVABLES)), flip.id


@pytest.mark.parametrize(("asked", "played"), [("home-pt", "punto-es"), ("punto-es", "grid-pt")])
def test_a_program_of_other_rules_is_told_which(
    explain: Explain, shipped: dict[str, Rules], asked: str, played: str
) -> None:
    found = explain(shipped[asked], answering(Baccarat(played)), others=tuple(shipped.values()), step=5)
    assert found.diagnosis.matches == (played,)


BEHIND = [
    ("home-pt", "row-3-tests-total", "totals"),
    ("punto-es", "natural-of-player-only", "totals"),
    ("selminha/classica", "commission-left-out", "settlement"),
]


@pytest.mark.parametrize(("id", "program", "tier"), mostly_slow(BEHIND, BEHIND[-1]))
def test_a_program_behind_the_python_adapter_is_told_its_mistake(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], id: str, program: str, tier: str
) -> None:
    adapter = files("oracle.conformance.adapters").joinpath("mine.py").read_text(encoding="utf-8")
    filled = adapter.replace(
        'raise NotImplementedError("fill me in")', 'return WRONG.answer({"kind": "coup", "cards": cards, "bets": bets})'
    )
    assert filled != adapter
    chosen = (
        f"import sys\nsys.path.insert(0, {str(ROOT)!r})\n"
        f"from tests.conformance import wrong_programs\nWRONG = wrong_programs.WRONG[{program!r}]({id!r})\n"
    )
    path = tmp_path / "mine.py"
    path.write_text(filled.replace("import json\n", f"{chosen}import json\n", 1), encoding="utf-8")
    assert run(["test", "--rules", id, "--tier", tier, "--format", "json", "--", sys.executable, str(path)]) == 1
    explained = json.loads(capsys.readouterr().out)["explained"]
    assert program in {entry["name"] for entry in explained["coups"]}

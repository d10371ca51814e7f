"""Fresh cases: what no program can know beforehand shows what the suite alone does not."""

from __future__ import annotations

import sys
from itertools import product
from pathlib import Path

import pytest

from oracle.cards import RANKS, SUITS
from oracle.cases.case import KINDS
from oracle.cases.fault_model import shown_miscounts, shown_mutants
from oracle.cases.fresh import COUNTS, fresh
from oracle.cases.minimal import SETS
from oracle.cases.reference import reference_of
from oracle.cases.tiers import cases
from oracle.conformance.request import TestRequest, run_test
from oracle.conformance.run.repeats import COUNT as REPEATED
from oracle.conformance.summary.summary import Summary
from oracle.game.rules import Rules
from oracle.programs.observables import OBSERVABLES
from tests.conftest import RULE_SETS

EXAMPLES = Path(__file__).resolve().parents[2] / "examples"
CARDS = [rank + suit for rank, suit in product(RANKS, SUITS)]

# The filled-in adapter, but that one card counts one more.
MISCOUNTS = """\
source = open(SOURCE).read().replace("return sum(1 if", "return sum((card == CARD) + (1 if")
source = source.replace("else 0 for card in hand) % 10", "else 0) for card in hand) % 10")
exec(compile(source, "mine.py", "exec"))
"""

# A program that knows the answers of the shipped cases, and plays nothing.
LOOKS_UP = """\
import json, sys
KNOWN = json.load(open(ANSWERS))
for line in sys.stdin:
    m = json.loads(line)
    if m["cmd"] == "stop":
        break
    reply = {"protocol": 2, "implementation": {"name": "table"}, "rules": ["*"], "kinds": ["coup"],
             "observables": ["winner"]}
    if m["cmd"] == "run":
        answers = [KNOWN.get(" ".join(case["cards"]), "banker") for case in m["cases"]]
        reply = {"seq": m["seq"], "results": [{"id": c["id"], "winner": w} for c, w in zip(m["cases"], answers)]}
    print(json.dumps(reply), flush=True)
"""

# A program that prints what another one printed in an earlier run, and reads nothing but how much it is asked.
RECORDED = """\
import sys
for line, reply in zip(sys.stdin, open(RECORD)):
    sys.stdout.write(reply)
    sys.stdout.flush()
"""
RECORDS = """\
import subprocess, sys
child = subprocess.Popen([sys.executable, SOURCE], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)
with open(RECORD, "w") as record:
    for line in sys.stdin:
        child.stdin.write(line)
        child.stdin.flush()
        if '"cmd":"stop"' in line:
            break
        reply = child.stdout.readline()
        record.write(reply)
        sys.stdout.write(reply)
        sys.stdout.flush()
"""


def tried(folder: Path, program: str, *, rules: str = "home-pt", seed: str = "", **names: str) -> Summary:
    """What comes of a program with these names set."""
    file = folder / "program.py"
    file.write_text("".join(f"{name} = {value!r}\n" for name, value in names.items()) + program, encoding="utf-8")
    return run_test(TestRequest(rules=rules, command=(sys.executable, str(file)), seed=seed))


@pytest.mark.parametrize("id", RULE_SETS)
def test_a_seed_draws_the_same_cases_and_another_one_others(id: str, shipped: dict[str, Rules]) -> None:
    reference = reference_of(shipped[id])
    for kind in KINDS:
        first = fresh(reference, kind, "7f3a")
        assert first == fresh(reference, kind, "7f3a")
        assert len(first) in (0, COUNTS[kind])
        if first:
            assert [case.id for case in fresh(reference, kind, "7f3b")] != [case.id for case in first]
            assert all(reference.again(case).expect == case.expect for case in first)


def test_the_page_has_the_numbers_of_fresh_cases() -> None:
    page = " ".join((EXAMPLES.parent / "docs" / "kinds.md").read_text(encoding="utf-8").split())
    assert COUNTS["bets"] == COUNTS["shoe"] == COUNTS["cards"], "the page says them once"
    told = f"{COUNTS['coup']} coups, {COUNTS['bets']} cases of bets, of shoes and of texts that name cards, "
    assert f"{told}{COUNTS['session']} sessions" in page
    assert REPEATED == 100, "the page says a hundred"


def test_fresh_coups_are_hardly_those_of_the_suite(shipped: dict[str, Rules]) -> None:
    known = {case.id for tier in ("totals", "settlement", *SETS) for case in cases(shipped["home-pt"], tier)}
    drawn = {case.id for case in fresh(reference_of(shipped["home-pt"]), "coup", "1")}
    assert len(drawn) > 390
    assert len(drawn & known) < 5


@pytest.mark.parametrize("observables", [("winner",), OBSERVABLES])
def test_fresh_coups_show_any_card_that_is_miscounted(observables: tuple[str, ...], shipped: dict[str, Rules]) -> None:
    reference = reference_of(shipped["home-pt"])
    found = shown_miscounts(reference, fresh(reference, "coup", "1"), observables)
    assert found.faults == 52 * 9
    assert found.shown + len(found.hidden) == found.faults
    assert found.shown >= 51 * 9
    assert shown_miscounts(reference, fresh(reference, "coup", "1")[:3], observables).shown < 52 * 9, "of few coups not"


def test_the_minimal_set_shows_what_its_certificate_says(shipped: dict[str, Rules]) -> None:
    reference = reference_of(shipped["home-pt"])
    found = shown_mutants(reference, cases(shipped["home-pt"], "minimal"), OBSERVABLES)
    assert (found.faults, found.shown) == (len(reference.mutants), len(reference.mutants) - len(found.hidden))
    fewer = shown_mutants(reference, list(cases(shipped["home-pt"], "minimal"))[1:], OBSERVABLES)
    assert fewer.shown < found.shown, "each of its coups is needed"


@pytest.mark.parametrize(
    "card", [card if card in ("7H", "KS") else pytest.param(card, marks=pytest.mark.slow) for card in CARDS]
)
def test_a_card_that_counts_otherwise_is_found_and_named(card: str, tmp_path: Path) -> None:
    found = tried(tmp_path, MISCOUNTS, seed="1", SOURCE=str(EXAMPLES / "mine.py"), CARD=card)
    assert found.verdict == "differs"
    assert found.drawn is not None
    assert found.drawn.card in (card, ""), "never another one"


@pytest.mark.parametrize("seed", ["1", *(pytest.param(str(n), marks=pytest.mark.slow) for n in range(2, 21))])
def test_who_knows_the_shipped_cases_alone_never_conforms(seed: str, tmp_path: Path, shipped: dict[str, Rules]) -> None:
    import json

    tiers = ("minimal-winner", "totals", "settlement")
    answers = {" ".join(c.cards): c.expect.winner for tier in tiers for c in cases(shipped["home-pt"], tier)}
    (tmp_path / "answers.json").write_text(json.dumps(answers), encoding="utf-8")
    found = tried(tmp_path, LOOKS_UP, seed=seed, ANSWERS=str(tmp_path / "answers.json"))
    assert found.log.counts["fail"] == 0, "it knows the suite"
    assert found.verdict == "differs"


def test_a_recorded_run_never_conforms(tmp_path: Path) -> None:
    record = str(tmp_path / "record")
    first = tried(tmp_path, RECORDS, seed="1", SOURCE=str(EXAMPLES / "mine.py"), RECORD=record)
    assert first.verdict == "conforms"
    for seed in ("1", "2"):
        assert tried(tmp_path, RECORDED, seed=seed, RECORD=record).verdict != "conforms", "ids are new in every run"


@pytest.mark.parametrize("id", RULE_SETS)
@pytest.mark.parametrize("seed", ["1", *(pytest.param(str(n), marks=pytest.mark.slow) for n in range(2, 6))])
def test_the_oracle_itself_conforms_whatever_is_drawn(id: str, seed: str) -> None:
    command = (sys.executable, "-m", "oracle", "serve", "--rules", id)
    found = run_test(TestRequest(rules=id, command=command, seed=seed))
    assert found.verdict == "conforms", (found.log.problems, found.faults[:1], found.drawn)

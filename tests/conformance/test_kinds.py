"""Shoes, sessions and cards: every wrong program of the lists is shown by a case, and named; silence is told."""

from __future__ import annotations

import ast
import csv
import io
import json
import sys
from collections.abc import Callable
from fractions import Fraction
from pathlib import Path
from typing import Any

import msgspec
import pytest

from oracle.cards import parse_cards
from oracle.cases.case import Case, Kind, StepCoup
from oracle.cases.reference import Reference, reference_of, step_of
from oracle.cases.tiers import cases, silent
from oracle.cli import run
from oracle.conformance.evidence.rejudge import rejudge
from oracle.conformance.run.log import Log
from oracle.conformance.trial import Trial
from oracle.game.rules import Rules, load_rules
from oracle.mutants.readers import reader_mutants
from oracle.mutants.shuffles import shoe_mutants
from oracle.mutants.wrong_sessions import session_mutants
from oracle.programs.bettor import Bettor, start_of
from oracle.programs.card_reader import read
from oracle.programs.shoe_left import left_of
from oracle.rules.answers import show_number
from tests.conformance.conftest import Asked, Explain
from tests.conformance.right_program import Baccarat
from tests.conformance.test_wrong_programs import answering
from tests.conformance.wrong_kinds import WRONG
from tests.conftest import ROOT, RULE_SETS, MakeRules
from tests.nonempty import nonempty

VARIANTS = ROOT / "tests" / "variants"
TIERS: tuple[Kind, ...] = ("shoe", "session", "cards")


def sat(program: type[Bettor], reference: Reference, case: Case) -> tuple[list[str], bool]:
    """The session of a case as a program keeps it."""
    start = start_of(reference.rules, None if case.balance is None else Fraction(case.balance))
    balances, ended = program(reference.behaviour, start).sit(map(step_of, case.steps))
    return list(map(show_number, balances)), ended


def due(case: Case) -> tuple[list[str], bool]:
    return list(case.expect.balances or ()), bool(case.expect.ended)


def mark(id: str) -> Any:
    """The rule sets of which every sort of session comes up in the quick tests, the others with the slow ones."""
    return id if id in ("home-pt", "selminha/classica") else pytest.param(id, marks=pytest.mark.slow)


# --- every wrong program of the lists shows -------------------------------------------------------


@pytest.mark.parametrize("id", [mark(id) for id in RULE_SETS])
def test_every_wrong_session_is_shown(shipped: dict[str, Rules], asked_of: Asked, id: str) -> None:
    reference, found = reference_of(shipped[id]), asked_of(shipped[id], "session")
    wrong = [mutant for mutant in session_mutants(shipped[id]) if not mutant.floats]
    assert len(wrong) > 30
    for mutant in wrong:
        assert any(sat(mutant.program, reference, case) != due(case) for case in found[::-1]), mutant.id


def test_every_wrong_reader_is_shown_and_no_two_read_alike(shipped: dict[str, Rules], asked_of: Asked) -> None:
    texts = [case.text or "" for case in asked_of(shipped["home-pt"], "cards")]
    said = {mutant.id: tuple(map(mutant.reads, texts)) for mutant in reader_mutants()}
    assert len({tuple(map(read, texts)), *said.values()}) == len(said) + 1


def test_every_bound_of_cards_is_told_from_every_other(shipped: dict[str, Rules], asked_of: Asked) -> None:
    """The bound is 62 cards: 15 % of 416 are 62.4 (line 5.2 of the document)."""
    rules = shipped["selminha/classica"]
    found = [case for case in asked_of(rules, "shoe") if case.dealt is not None]
    assert [case.dealt for case in found] == [0, 4, 5, 6, *range(8, 417)]
    assert [case.expect.reshuffle for case in found] == [416 - (case.dealt or 0) <= 62 for case in found]
    shoes = [left_of(rules, case.dealt or 0) for case in found]
    said = {mutant.id: tuple(map(mutant.shuffles, shoes)) for mutant in shoe_mutants(rules, shoes)}
    assert len(set(said.values())) == len(said)
    assert {f"shuffle-at-{left}" for left in (0, 5, 14, 60, 64, 104, 400)} <= set(said)


def test_at_home_only_a_fresh_shoe_is_dealt_from(shipped: dict[str, Rules], asked_of: Asked) -> None:
    found = asked_of(shipped["home-pt"], "shoe")
    assert [case.dealt for case in found if not case.expect.reshuffle] == [0]


# --- what sessions bring out ----------------------------------------------------------------------


def test_sessions_come_to_their_bounds_exactly_and_just_miss_them(shipped: dict[str, Rules], asked_of: Asked) -> None:
    found = asked_of(shipped["selminha/classica"], "session")
    last = {Fraction(balance) for case in found for balance in case.expect.balances or ()}
    assert {0, 5, 10, Fraction("4.75"), Fraction("0.75")} <= last
    assert any(case.expect.balances and case.expect.balances[-1] == "5" and not case.expect.ended for case in found)
    lengths = {(len(case.steps), case.expect.ended) for case in asked_of(shipped["home-pt"], "session")}
    assert {(9, False), (10, True), (11, True), (12, True)} <= lengths


@pytest.mark.parametrize("id", RULE_SETS)
def test_a_shoe_has_the_cards_of_a_session(shipped: dict[str, Rules], asked_of: Asked, id: str) -> None:
    decks = shipped[id].value("decks")
    copies = decks if isinstance(decks, int) else 6
    for case in nonempty(asked_of(shipped[id], "session")):
        cards = [card for step in case.steps if isinstance(step, StepCoup) for card in parse_cards(step.cards)]
        assert all(cards.count(card) <= copies for card in set(cards)), case.id


# --- they are named -------------------------------------------------------------------------------


def test_the_wrong_programs_have_nothing_of_the_oracle() -> None:
    tree = ast.parse(Path(__file__).with_name("wrong_kinds.py").read_text(encoding="utf-8"))
    modules = [node.module or "" for node in ast.walk(tree) if isinstance(node, ast.ImportFrom)]
    assert not [module for module in modules if module.partition(".")[0] == "oracle"]


@pytest.mark.parametrize("program", WRONG)
def test_a_wrong_program_is_named(explain: Explain, shipped: dict[str, Rules], program: str) -> None:
    rules = shipped["selminha/classica"]
    kind, wrong = WRONG[program]
    found = explain(rules, answering(wrong(rules.id)), tiers=(kind,))
    assert found.counts["fail"]
    named = {entry.name for entry in found.diagnosis.others[kind]}  # type: ignore[index]
    assert program.partition(":")[0] in named
    assert len(named) <= 2, "others give other answers somewhere"


def test_what_is_wrong_with_coups_explains_sessions_too(explain: Explain, shipped: dict[str, Rules]) -> None:
    from tests.conformance.wrong_programs import WRONG as COUPS

    found = explain(shipped["home-pt"], answering(COUPS["tie-loses-sides"]("home-pt")), tiers=("session",))
    assert "tie-loses-sides" in {entry.name for entry in found.diagnosis.others["session"]}


def test_balances_in_floating_point_are_named(explain: Explain, shipped: dict[str, Rules]) -> None:
    class Floats(Baccarat):
        def night(self, steps: list[Any], balance: Fraction | None) -> dict[str, Any]:
            said = super().night(steps, balance)
            return {**said, "balances": [float(Fraction(amount)) + 1e-9 for amount in said["balances"]]}

    rules = shipped["selminha/classica"]
    found = explain(rules, answering(Floats(rules.id)), tiers=("session",))
    assert {entry.name for entry in found.diagnosis.others["session"]} >= {"session-floats"}


def test_two_mistakes_at_once_are_not_taken_for_one(explain: Explain, shipped: dict[str, Rules]) -> None:
    class Both(Baccarat):
        def shuffles(self, dealt: int) -> bool:
            return dealt in (100, 101)

    found = explain(shipped["selminha/classica"], answering(Both("selminha/classica")), tiers=("shoe",))
    assert found.diagnosis.others["shoe"] == ()


def test_a_program_of_other_rules_is_told_which(explain: Explain, shipped: dict[str, Rules]) -> None:
    """The one table is told from the other by what a session nets; both shuffle alike."""
    rules = shipped["selminha/classica"]
    answers = answering(Baccarat("selminha/sem-comissao"))
    found = explain(rules, answers, tiers=TIERS, others=tuple(shipped.values()))
    assert (found.diagnosis.matches, found.diagnosis.partly) == (("selminha/sem-comissao",), ())


# --- silence --------------------------------------------------------------------------------------


@pytest.mark.parametrize("id", ["grid-pt", "punto-es"])
def test_rules_that_say_nothing_of_shuffling_have_no_cases_and_that_is_told(
    shipped: dict[str, Rules], id: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert list(cases(shipped[id], "shoe")) == []
    why = silent(shipped[id], "shoe")
    assert why == f"{id} doesn't say when the shoe is shuffled"
    serve = [sys.executable, "-m", "oracle", "serve", "--rules", id]
    assert run(["test", "--rules", id, "--tier", "shoe", "--format", "json", "--", *serve]) == 3
    payload = json.loads(capsys.readouterr().out)
    assert payload["verdict"] == "incomplete"
    assert {"what": "kind", "name": "shoe", "why": why} in payload["not_confirmed"]
    manifest = json.loads((ROOT / "fixtures" / "manifest.json").read_text())
    assert manifest["rules"][id]["silent"] == {"shoe": why}


ENDLESS = """\
  - {id: endless, cite: "22", says: without end, about: decks, then: endless}
  - {id: each, cite: "22", says: shuffled after each coup, about: reshuffle, when: {coup: later}, then: shuffle}
"""
OPEN = """\
  - {id: two, cite: "22", says: two decks, about: decks, then: 2}
  - {id: each, cite: "22", says: shuffled after each coup, about: reshuffle, when: {coup: later}, then: shuffle}
  - {id: never, cite: "22", says: dealt on, about: reshuffle, when: {remaining: 50}, then: deal}
"""
UNKNOWN = """\
  - {id: cut, cite: "22", says: shuffled once it is out, about: reshuffle, when: {cut_card: yes}, then: shuffle}
"""
LATE = """\
  - {id: late, cite: "22", says: commission is taken at the end of the shoe, about: commission_due, then: shoe}
"""


@pytest.mark.parametrize(
    ("more", "tier", "why"),
    [
        (ENDLESS, "shoe", "deals from an endless shoe"),
        (OPEN, "shoe", "leaves open when the shoe is shuffled"),
        (LATE, "session", "takes commission at the end of the shoe"),
    ],
)
def test_what_can_not_be_asked_is_told(plain_rules: MakeRules, more: str, tier: str, why: str) -> None:
    rules = plain_rules({}, add=more)
    assert why in silent(rules, tier)
    assert list(cases(rules, tier)) == []


def test_what_the_rules_do_not_say_stands_in_the_case(plain_rules: MakeRules) -> None:
    rules = plain_rules({}, add=UNKNOWN)
    found = list(cases(rules, "shoe"))
    assert {(case.decks, case.cut_card) for case in found} == {(8, False), (8, True)}
    assert all(nonempty(case.expect.reshuffle == case.cut_card for case in found if case.dealt))
    assert {case.balance for case in cases(rules, "session")} == {"100"}


def test_burnt_cards_and_a_cut_card_are_asked_for() -> None:
    """Six decks; the first card burns itself and as many as it counts, a ten or court card ten; 16 behind the cut."""
    found = list(cases(load_rules("six-decks", folders=[VARIANTS]), "shoe"))
    assert {case.burnt for case in found} == set(range(2, 12))
    assert all(
        case.expect.reshuffle == (312 - case.burnt - (case.dealt or 0) <= 16 and bool(case.dealt))
        for case in nonempty(found)
    )


# --- one answer at a time, and logs ---------------------------------------------------------------


def trial(rules: Rules, kind: str, wanted: Callable[[Case], bool]) -> Trial:
    return Trial(rules, next(case for case in cases(rules, kind) if wanted(case)))


def test_one_answer_is_held_against_the_rules(shipped: dict[str, Rules]) -> None:
    rules = shipped["selminha/classica"]
    shoe = trial(rules, "shoe", lambda case: case.dealt == 354)
    assert (shoe.dealt, shoe.problem(True), shoe.problem({"reshuffle": True})) == (354, "", "")
    problem = shoe.problem(False)
    assert "354 cards dealt\n  reshuffle: yes expected, no answered\n  as if: the shoe is never shuffled" in problem
    session = trial(rules, "session", lambda case: len(case.steps) == 1)
    assert session.problem({"balances": [505], "ended": False}) == ""
    assert "as if: what wins is not paid" in session.problem({"balances": [500], "ended": False})
    assert "`ended` is missing" in session.problem({"balances": [505]})
    two = trial(rules, "session", lambda case: len(case.steps) == 2)
    told = two.problem({"balances": [two.expect.balances[0], "7.5"], "ended": two.expect.ended})
    assert all(f"step {place}: " in told for place in (1, 2))
    assert f"balance after step 2: {two.expect.balances[1]} expected, 7.5 answered" in told
    assert "balance after step 1" not in told
    card = trial(rules, "cards", lambda case: case.text == "10h")
    assert (card.text, card.problem({"rank": "10", "suit": "♥"})) == ("10h", "")
    assert "card: TH expected, refused answered" in card.problem(None)
    assert "`rank` is no rank: `1`" in card.problem({"rank": "1", "suit": "H"})
    none = trial(rules, "cards", lambda case: case.text == "1S")
    assert none.problem(None) == ""
    assert "card: refused expected, AS answered\n  as if: 1 is taken for an ace" in none.problem(
        {"rank": "A", "suit": "S"}
    )


PROGRAM = """\
import json, sys
n = 0
def answer(kind, case):
    global n
    n += 1
    if kind == "shoe":
        return {"reshuffle": n % 3 == 0}
    if kind == "session":
        balances = [[500, "x1"][n % 7 == 0], 1e3, "12.50", "1/3", 499.9999999]
        return {"balances": [balances[i % 5] for i in range(len(case["steps"]) + (n % 11 == 0))], "ended": n % 2 == 0}
    ten, king = {"rank": "10", "suit": "♠"}, {"rank": "K", "suit": None}
    return [ten, {"rank": "a"}, {"error": "no"}, {"rank": "x"}, {}, king][n % 6]
for line in sys.stdin:
    m = json.loads(line)
    if m["cmd"] == "stop":
        break
    said = {"protocol": 1, "implementation": {"name": "odd"}, "rules": ["*"], "kinds": ["shoe", "session", "cards"]}
    if m["cmd"] == "run":
        said = {"seq": m["seq"], "results": [answer(m["kind"], case) for case in m["cases"]]}
    print(json.dumps(said), flush=True)
"""


def test_a_log_of_odd_answers_is_judged_anew(shipped: dict[str, Rules], tmp_path: Path) -> None:
    program, path = tmp_path / "odd.py", tmp_path / "log.ndjson"
    program.write_text(PROGRAM, encoding="utf-8")
    id = "selminha/classica"
    tiers = [word for tier in TIERS for word in ("--tier", tier)]
    assert run(["test", "--rules", id, *tiers, "--log", str(path), "--", sys.executable, str(program)]) == 3
    log = Log(path)
    assert log.footer is not None
    assert log.counts["fail"] > 100
    assert log.counts["error"] > 50
    assert list(rejudge(log, shipped[id])) == []
    whole = path.read_bytes()
    for there, instead in (
        (b'"got":"refused"', b'"got":"8S"'),
        (b'"got":"1/3"', b'"got":"one"'),
        (b'"silent":{}', b'"silent":{"shoe":""}'),
    ):
        assert there in whole
        path.write_bytes(whole.replace(there, instead, 1))
        assert list(rejudge(Log(path), shipped[id])) != [], there


def test_a_right_program_conforms_through_the_command(capsys: pytest.CaptureFixture[str]) -> None:
    """Nothing is left open where everything was declared."""
    serve = [sys.executable, "-m", "oracle", "serve", "--rules", "home-pt"]
    tiers = [word for tier in (*TIERS, "bets") for word in ("--tier", tier)]
    assert run(["test", "--rules", "home-pt", *tiers, "--format", "json", "--", *serve]) == 0
    payload = json.loads(capsys.readouterr().out)
    open_ones = {entry["name"] for entry in payload["not_confirmed"] if entry["what"] in ("kind", "tier")}
    assert open_ones == {"totals", "settlement"}


def test_cases_go_through_tables_and_back(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """As CSV, with the answers of the rules, read as results."""
    tiers = [word for tier in TIERS for word in ("--tier", tier)]
    asked = ["fixtures", "export", "--rules", "selminha/classica", *tiers, "--csv"]
    assert run(asked) == 0
    columns = capsys.readouterr().out.partition("\n")[0].split(",")
    assert columns[-7:] == ["balance", "dealt", "burnt", "decks", "cut_card", "steps", "text"]
    assert run([*asked, "--answers"]) == 0
    rows = list(csv.DictReader(io.StringIO(capsys.readouterr().out)))
    file = tmp_path / "mine.csv"
    with file.open("w", newline="", encoding="utf-8") as stream:
        names = [name for name in rows[0] if name == "id" or name not in columns]
        writer = csv.DictWriter(stream, names, extrasaction="ignore")
        writer.writeheader()
        writer.writerows(rows)
    told = ["test", "--rules", "selminha/classica", *tiers, "--format", "json", "--results", str(file)]
    assert run(told) == 0
    assert json.loads(capsys.readouterr().out)["kinds"] == list(TIERS)
    file.write_text(file.read_text(encoding="utf-8").replace("true", "false"), encoding="utf-8")
    assert run(told) == 1
    assert [entry["name"] for entry in json.loads(capsys.readouterr().out)["explained"]["shoes"]] == ["shuffle-never"]


def test_cases_of_every_kind_can_be_read_again(shipped: dict[str, Rules], asked_of: Asked) -> None:
    reference = reference_of(shipped["home-pt"])
    for tier in TIERS:
        for case in nonempty(asked_of(shipped["home-pt"], tier)[::9]):
            assert reference.again(msgspec.json.decode(msgspec.json.encode(case), type=Case)) == case

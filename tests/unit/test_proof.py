"""Explanations: what masks a statement, what nearly covers a gap, what carries an equality; engines confirm them."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator
from itertools import combinations
from pathlib import Path

import msgspec
import pytest

import oracle.solver.worker
from oracle.checks.finding import Finding
from oracle.checks.make_finding import lacking
from oracle.checks.run import check_spec
from oracle.cli import run
from oracle.compare.joint_space import JointSpace, told_apart
from oracle.compare.pair import compare_rules
from oracle.compare.proof import carrying, differing, equality_script, equality_scripts
from oracle.compare.run import compare_pairs
from oracle.game.covering import covering
from oracle.game.rules import Rules
from oracle.rules.guard import Test as Guard
from oracle.rules.library import Library
from oracle.rules.model import Clause, Spec
from oracle.rules.questions import COUP_QUESTIONS
from oracle.rules.values import Among, Either
from oracle.solver.agree import ask_engines
from oracle.solver.engine import available_engines, run_z3
from oracle.solver.smtlib import write_script
from tests.nonempty import nonempty

MakeRules = Callable[..., Rules]
MakeSpec = Callable[..., Spec]
change = msgspec.structs.replace
TABLES = [Rules(spec, rule_set) for spec in Library().specs() for rule_set in spec.rule_sets]
BY_ID = {rules.id: rules for rules in TABLES}


def lacking_clause(rules: Rules, clause: Clause) -> Rules:
    """The same rule set without a clause."""
    spec = change(rules.spec, clauses=tuple(c for c in rules.spec.clauses if c.id != clause.id))
    return Rules(spec, rules.rule_set)


# --- masked ---------------------------------------------------------------------------------------


def masked() -> Iterator[tuple[Rules, str, str, tuple[str, ...]]]:
    """Every masked clause of the shipped rule sets, with what covers it."""
    for rules in TABLES:
        for question in COUP_QUESTIONS:
            for name, cover in covering(rules.evaluation(question)).items():
                yield rules, question, name, cover


@pytest.mark.slow
def test_a_masked_clause_stays_masked_with_its_cover_alone_and_with_no_less() -> None:
    """Removing a statement of the core changes the result; removing another one does not."""
    seen = 0
    for rules, question, name, cover in masked():
        evaluation = rules.evaluation(question)
        left_out = {o for c in evaluation.clauses for o in c.excludes}
        others = [c for c in evaluation.active({}) if c.id not in (name, *cover, *left_out)]
        alone = rules
        for clause in others:
            alone = lacking_clause(alone, clause)
        assert name in covering(alone.evaluation(question)), (rules.id, name)
        for member in cover:
            clause = next(c for c in evaluation.clauses if c.id == member)
            if member not in left_out:
                assert name not in covering(lacking_clause(alone, clause).evaluation(question)), (
                    rules.id,
                    name,
                    member,
                )
        seen += len(others) > 0
    assert seen


def test_a_finding_names_what_masks_a_statement(plain_spec: MakeSpec) -> None:
    """One row over two: both are needed, a third that speaks elsewhere is not."""
    add = "  - {id: some, cite: '22', says: x, about: player_draw, when: {player2: 4-7}, then: draw | stand}\n"
    player = """\
  - id: player
    cite: "5"
    says: the player draws on 0 to 5
    about: player_draw
    cases:
      - {cite: "6", when: {player2: 0-3}, then: draw}
      - {cite: "7", when: {player2: 4-5}, then: draw}
      - {cite: "6", when: {player2: 6-7}, then: stand}
"""
    report = check_spec(plain_spec({"player": player}, add=add))
    found = [f for f in report.findings if f.code == "masked" and f.subject == "some"]
    assert [part.id for part in found[0].parts] == ["some", "player/7", "player/6#2"]
    assert "player/7 and player/6#2 don't say too" in found[0].message


# --- gaps -----------------------------------------------------------------------------------------


def gaps(spec: Spec) -> Iterator[tuple[Rules, Finding]]:
    for rule_set in spec.rule_sets:
        rules = Rules(spec, rule_set)
        yield from ((rules, f) for f in check_spec(spec, [rules]).findings if f.code == "gap" and f.nearly)


@pytest.mark.slow
def test_widening_the_guard_as_said_covers_the_gap() -> None:
    seen = 0
    for spec in Library().specs():
        for rules, found in gaps(spec):
            evaluation = rules.evaluation(found.question)
            (part,) = found.parts
            clause = next(c for c in evaluation.clauses if c.id == part.id)
            if clause.reading:
                continue
            gap = evaluation.literal.gap
            mask = next(m for m in masks_of(rules, found) if m)
            included = lacking(evaluation, clause, mask)
            assert mask & gap == mask
            guard = tuple(
                Guard(t.field, Either((t.values, Among(included[t.field]))), "", t.span) if t.field in included else t
                for t in clause.guard
            )
            wider = tuple(change(c, guard=guard) if c.id == clause.id else c for c in spec.clauses)
            assert not Rules(change(spec, clauses=wider), rules.rule_set).evaluation(found.question).literal.gap & mask
            seen += 1
    assert seen > 5


def masks_of(rules: Rules, found: Finding) -> Iterator[int]:
    """The states of a finding, by its region."""
    from oracle.checks.gap import _gaps
    from oracle.checks.make_finding import by_resolution, in_boxes

    for mask, _ in _gaps(rules, found.question):
        for part, _, _ in by_resolution(rules.evaluation(found.question), mask):
            yield from (states for states, region in in_boxes(rules, found.question, part) if region == found.region)


def test_what_a_guard_lacks_is_the_core_of_a_solver(plain_rules: MakeRules) -> None:
    """Each test of the nearest row is named; a solver says which of them keep it from speaking in the gap."""
    cell = "  - {id: banker, cite: '11', says: x, about: banker_draw, when: {player_drew: yes, banker2: 0-6},"
    cell += " then: draw}\n"
    rules = plain_rules({"banker": cell})
    evaluation = rules.evaluation("banker_draw")
    clause = next(c for c in evaluation.clauses if c.id == "banker")
    assert lacking(evaluation, clause, evaluation.literal.gap) == {"banker2": frozenset({7})}
    head, _, _ = write_script(rules, "banker_draw").text.partition("; ---- what is asked")
    text = f"""(set-option :produce-unsat-cores true)
{head}
(assert (not |banker_draw answered|))
(assert (! (<= 0 player_third) :named drew))
(assert (! (<= banker2 6) :named row))
(check-sat)
(get-unsat-core)
"""
    (answer,) = run_z3(text)
    assert answer.verdict == "unsat"
    assert answer.core is not None
    assert "row" in answer.core
    assert run_z3(text.replace("(assert (! (<= banker2 6) :named row))", ""))[0].verdict == "sat"


def test_a_gap_that_takes_more_than_two_changes_is_not_nearly_covered(plain_rules: MakeRules) -> None:
    rules = plain_rules()
    evaluation = rules.evaluation("banker_draw")
    clause = next(c for c in evaluation.clauses if c.id == "banker/14")
    stood = evaluation.space.select([Guard("banker2", Among(frozenset({7})), "", clause.span)])
    assert set(lacking(evaluation, clause, stood & evaluation.space.masks("player_drew")["no"])) == set()


# --- equality -------------------------------------------------------------------------------------


@pytest.mark.slow
def test_engines_confirm_where_shipped_rule_sets_differ_and_where_not() -> None:
    engines = available_engines()
    for a, b in combinations(TABLES, 2):
        for script in nonempty(equality_scripts(a, b)):
            agreement = ask_engines(script, engines)
            assert agreement.agreed, [agreement.show(check) for check in agreement.checks if not check.agreed]


def test_engines_confirm_the_contradictions_of_any_flipped_row(plain_rules: MakeRules) -> None:
    """Each row of the tableau says the opposite in turn: the solvers find the same states as enumeration."""
    home, engines = BY_ID["home-pt"], available_engines("z3")
    other = told_apart([BY_ID["punto-es"], home])[0]
    flip = {("draw",): ("stand",), ("stand",): ("draw",)}
    seen = 0
    for clause in home.clauses_about("banker_draw"):
        turned = tuple(
            change(c, answer=flip[c.answer]) if c.id == clause.id else c  # type: ignore[index]
            for c in home.spec.clauses
        )
        tables = told_apart([other, Rules(change(home.spec, clauses=turned), home.rule_set)])
        script = equality_script(tables, "banker_draw")
        assert script is not None
        agreement = ask_engines(script, engines)
        assert agreement.agreed, [agreement.show(check) for check in agreement.checks if not check.agreed]
        assert {check.enumeration for check in agreement.checks} == {"sat", "unsat"}
        seen += differing(JointSpace(tables, "banker_draw")).bit_count()
    assert seen == 496, "every state is turned by one row"


def test_an_equality_that_isnt_one_is_refuted() -> None:
    tables = told_apart([BY_ID["home-pt"], BY_ID["punto-es"]])
    script = equality_script(tables, "banker_draw")
    assert script is not None
    wrong = change(script, text=script.text.replace("(<= 4 player_third 7)", "(<= 3 player_third 7)", 1))
    assert wrong.text != script.text
    assert [check.asked.kind for check in ask_engines(wrong, available_engines()).disagreements] == ["equal"]


@pytest.mark.slow
def test_removing_what_carries_an_equality_changes_it_and_removing_anything_else_does_not() -> None:
    for a, b in [("home-pt", "grid-pt"), ("punto-es", "selminha/classica")]:
        for question in ("natural", "player_draw", "banker_draw", "winner"):
            tables = told_apart([BY_ID[a], BY_ID[b]])
            panel = JointSpace(tables, question)
            for n, id in enumerate((a, b)):
                kept, spare = carrying(panel, n)
                rules = BY_ID[id]
                reduced = rules
                for clause in spare:
                    reduced = lacking_clause(reduced, clause)
                pair = [reduced, BY_ID[b]] if n == 0 else [BY_ID[a], reduced]
                assert not differing(JointSpace(told_apart(pair), question)), (
                    id,
                    question,
                    "without all that is spare",
                )
                for clause in nonempty(kept):
                    less = lacking_clause(reduced, clause)
                    pair = [less, BY_ID[b]] if n == 0 else [BY_ID[a], less]
                    panel_now = JointSpace(told_apart(pair), question)
                    states = panel_now.known[0] == panel_now.known[1] == panel_now.space.full
                    assert differing(panel_now) or not states, (id, question, clause.id)


def test_a_comparison_says_what_carries_it() -> None:
    found = compare_rules(BY_ID["home-pt"], BY_ID["punto-es"]).question("banker_draw").carried
    assert found is not None
    assert found[0].spare == ("banker-table/25",), "the banker stands on seven by `otherwise` as well"
    assert not found[1].spare
    assert compare_rules(BY_ID["home-pt"], BY_ID["punto-es"]).question("pays").carried is None


def test_without_engines_nothing_is_said_to_agree() -> None:
    found = compare_pairs([(BY_ID["home-pt"], BY_ID["punto-es"])], solvers="none")
    assert (found.engines, found.properties, found.complete) == (("enumeration",), 0, True)


def test_an_engine_that_lies_about_a_comparison_is_found_out(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    program = """
from oracle.solver import worker
from oracle.solver.engine import Engine, EngineAnswer
honest = worker.engine_named
def named(name):
    def run(text, *, rlimit):
        answers = honest(name).run(text, rlimit=rlimit)
        return [EngineAnswer(a.verdict, a.reason, () if a.core else None) for a in answers]
    return Engine(name, honest(name).version, run)
worker.engine_named = named
worker.main()
"""
    monkeypatch.setattr(oracle.solver.worker, "COMMAND", (sys.executable, "-c", program))
    monkeypatch.chdir(tmp_path)
    assert run(["compare", "home-pt", "punto-es", "--solvers", "z3"]) == 3
    out, err = capsys.readouterr()
    assert "the engines disagree" in out
    assert "unsat without specs/home-pt.yaml:" in " ".join(out.split())
    assert "disagreements/equal/home-pt/punto-es/banker_draw.smt2" in err
    assert (tmp_path / "disagreements/equal/home-pt/punto-es/banker_draw.smt2").is_file()

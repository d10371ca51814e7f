"""Enumeration and the solvers agree on shipped sources and on mutants of them; it shows when they don't."""

from __future__ import annotations

import random
import re
import subprocess
import sys
from collections import Counter
from collections.abc import Callable
from fractions import Fraction
from importlib import metadata

import msgspec
import pytest

from oracle.game.rules import Rules
from oracle.rules.answers import Atom
from oracle.rules.guard import Test as Guard
from oracle.rules.library import Library
from oracle.rules.model import Clause, Resolution, Spec
from oracle.rules.questions import COUP_QUESTIONS, FIELDS, QUESTIONS
from oracle.rules.values import Among, Any, Between, Either, Other, Values
from oracle.solver.agree import Agreement, ask_engines, cross_check
from oracle.solver.coding import Coding
from oracle.solver.engine import (
    RLIMIT,
    Engine,
    EngineAnswer,
    NotInstalled,
    SolverError,
    available_engines,
    run_cvc5,
    run_z3,
)
from oracle.solver.formula import Sheet, all_of, equal
from oracle.solver.smtlib import write_script
from oracle.solver.stage import Stage, fields_tested
from oracle.spans import OracleError, Span, UnknownName
from tests.nonempty import nonempty

MakeRules = Callable[..., Rules]
change = msgspec.structs.replace


def installed(name: str) -> bool:
    """Whether an engine is there to be tested."""
    return any(engine.name == name for engine in available_engines())


needs_cvc5 = pytest.mark.skipif(not installed("cvc5"), reason="cvc5 is an optional extra")
every_engine = pytest.mark.parametrize("name", ["z3", pytest.param("cvc5", marks=needs_cvc5)])


def all_tables(library: Library, *, literal: bool = False) -> list[Rules]:
    """Every shipped rule set."""
    return [Rules(spec, rule_set, literal=literal) for spec in library.specs() for rule_set in spec.rule_sets]


def differences(agreement: Agreement) -> list[str]:
    """What isn't confirmed, as shown to people."""
    return [agreement.show(check) for check in agreement.checks if not check.agreed]


# --- agreement ------------------------------------------------------------------------------------


@pytest.mark.parametrize("name", ["z3", pytest.param("cvc5", marks=[needs_cvc5, pytest.mark.slow])])
@pytest.mark.parametrize("question", COUP_QUESTIONS)
def test_solvers_confirm_all_that_enumeration_says_of_every_shipped_rule_set(
    library: Library, name: str, question: str
) -> None:
    engines = available_engines(name)
    for literal in (False, True):
        for rules in nonempty(all_tables(library, literal=literal)):
            agreement = cross_check(rules, question, engines)
            assert agreement.agreed, differences(agreement)
            assert not agreement.disagreements
            assert not agreement.unknown


@pytest.mark.slow
@pytest.mark.parametrize("question", COUP_QUESTIONS)
def test_every_enumerated_state_is_reachable_for_a_solver(library: Library, question: str) -> None:
    """The other half of `states`: each combination of tested fields that enumeration has can be reached."""
    for rules in nonempty(all_tables(library)):
        coding = Coding(rules.bets)
        space = rules.space(question)
        fields = [f for f in QUESTIONS[question].fields if f in fields_tested(rules, question)] or space.fields
        terms = Stage(Sheet(), rules, question, coding).terms
        rows = {
            tuple(coding.code(f, value) for f, value in zip(fields, row, strict=True))
            for row in zip(*(space.column(f) for f in fields), strict=True)
        }
        sheet = Sheet()
        for row in sorted(rows):
            sheet.command("push", "1")
            sheet.require(all_of(*(equal(terms.get(f, f), code) for f, code in zip(fields, row, strict=True))))
            sheet.command("check-sat")
            sheet.command("pop", "1")
        states, _, _ = write_script(rules, question).text.partition("; ---- what is asked")
        assert [answer.verdict for answer in run_z3(states + sheet.text)] == ["sat"] * len(rows)


@every_engine
def test_a_spec_may_lie_at_any_path(name: str) -> None:
    """Labels begin with the path as it is shown: engines read them, and name them in cores as they were written."""
    (engine,) = available_engines(name)
    odd = [chr(code) for code in (*range(1, 256), 0x2028, 0x202E, 0x3000, 0x732B, 0xDCFF, 0x1F0A1)]
    starts = ["", ".", "..", "./", "../", ".hidden/", "@", "@own/", "~/", "-", "_.", " ", "true", "specs/"]
    paths = [f"{start}{mark}mine.yaml:1 a" for start in starts for mark in ("", ".", "@", "|", "\\", "\n", "é")]
    paths += [f"{mark}/a{mark}b{mark}" for mark in odd]
    sheet = Sheet()
    sheet.command("set-option", ":produce-unsat-cores", "true")
    sheet.command("set-logic", "QF_LIA")
    sheet.declare("x")
    labels = []
    for number, path in enumerate(paths):
        sheet.command("push", "1")
        labels.append(sheet.name(path, equal("x", number)))
        sheet.require(equal("x", -1))
        sheet.command("check-sat")
        sheet.command("get-unsat-core")
        sheet.command("pop", "1")
    assert len(set(labels)) == len(paths)
    answers = engine.run(sheet.text)
    assert [(answer.verdict, answer.core) for answer in answers] == [("unsat", (label,)) for label in labels]


def test_a_script_of_a_game_without_points_has_no_states(plain_rules: MakeRules) -> None:
    """Nothing is shown of no states: that none can be reached is said, and agreed upon."""
    rules = plain_rules({"points": None})
    for question in COUP_QUESTIONS:
        agreement = cross_check(rules, question, available_engines("z3"))
        assert agreement.agreed, differences(agreement)
        empty = question not in ("card_points", "deal_order")
        assert agreement.checks[0].enumeration == ("unsat" if empty else "sat")


def test_a_resolution_that_a_clear_statement_contradicts_changes_nothing(plain_rules: MakeRules) -> None:
    """Two statements disagree; a resolution puts the same in place of one, and the other still says no."""
    rules = plain_rules(
        add="""\
  - {id: other, cite: "5", says: not on five, about: player_draw, when: {player2: 5}, then: stand}
""",
        tail="""\
resolutions:
  - {id: again, about: player_draw, when: {player2: 5}, then: draw, instead_of: [player/6], because: said}
""",
    )
    agreement = cross_check(rules, "player_draw", available_engines())
    assert agreement.agreed, differences(agreement)
    found = {check.asked.name: check.enumeration for check in agreement.checks}
    assert found["conflict"] == found["open"] == "sat"


@pytest.mark.slow
def test_a_resolution_may_be_there_twice(library: Library) -> None:
    """An extended source and the one that extends it may state the same convention."""
    for spec in nonempty(library.specs()):
        rules = Rules(change(spec, resolutions=spec.resolutions * 2), spec.rule_sets[0])
        for question in COUP_QUESTIONS:
            agreement = cross_check(rules, question, available_engines("z3"))
            assert agreement.agreed, differences(agreement)


def test_without_engines_nothing_is_agreed_upon(plain_rules: MakeRules) -> None:
    agreement = cross_check(plain_rules(), "winner", [])
    assert not agreement.agreed
    assert not agreement.disagreements
    assert [check.enumeration for check in agreement.checks][:2] == ["sat", "unsat"]


# --- disagreement ---------------------------------------------------------------------------------


def engine_of(run: Callable[..., list[EngineAnswer]], name: str = "made") -> Engine:
    """An engine for a test."""
    return Engine(name, "1", run)


def test_a_lying_engine_is_found_out_property_by_property(plain_rules: MakeRules) -> None:
    def lie(text: str, /, *, rlimit: int = RLIMIT) -> list[EngineAnswer]:
        first, *rest = run_z3(text, rlimit=rlimit)
        return [EngineAnswer("unsat" if first.verdict == "sat" else "sat"), *rest]

    agreement = cross_check(plain_rules(), "banker_draw", [*available_engines("z3"), engine_of(lie, "liar")])
    assert not agreement.agreed
    (check,) = agreement.disagreements
    assert check.asked.name == "reachable"
    version = metadata.version("z3-solver")
    assert agreement.show(check) == f"plain banker_draw, reachable: enumeration sat, z3 {version} sat, liar 1 unsat"


def test_a_wrong_formula_makes_solvers_disagree(plain_rules: MakeRules) -> None:
    script = write_script(plain_rules(), "player_draw")
    wrong = change(
        script,
        text=script.text.replace("(<= 0 player2 5))\n        :named", "(<= 0 player2 4))\n        :named"),
    )
    assert wrong.text != script.text
    found = {check.asked.name for check in ask_engines(wrong, available_engines()).disagreements}
    assert found == {"gap", "open", "answer draw"}


def test_an_unreachable_enumerated_state_is_noticed(plain_rules: MakeRules) -> None:
    """Reachability is the solvers' own: with another first deal they reach other states than enumeration."""
    script = write_script(plain_rules(), "natural")
    wrong = change(script, text=script.text.replace("(>= player2 8)", "(>= player2 9)"))
    assert wrong.text != script.text
    assert ask_engines(wrong, available_engines("z3")).agreed
    script = write_script(plain_rules(), "player_draw")
    wrong = change(script, text=script.text.replace("(>= player2 8)", "(>= player2 9)"))
    found = {check.asked.name for check in ask_engines(wrong, available_engines("z3")).disagreements}
    assert {"states", "gap", "open"} <= found


@every_engine
def test_an_engine_that_may_not_work_gives_up_and_says_so(plain_rules: MakeRules, name: str) -> None:
    agreement = cross_check(plain_rules(), "winner", available_engines(name), rlimit=1)
    assert agreement.unknown
    assert not agreement.agreed
    assert not agreement.disagreements
    shown = agreement.show(agreement.unknown[0])
    assert re.search(rf"{name} [\d.]+ unknown \(within 1 units: \w+\)$", shown)


def test_z3_gives_up_on_each_check_alone(plain_rules: MakeRules) -> None:
    script = write_script(plain_rules(), "banker_draw")
    assert {answer.verdict for answer in run_z3(script.text, rlimit=1)} == {"unknown"}
    assert {answer.verdict for answer in run_z3(script.text)} == {"sat", "unsat"}


def test_another_number_of_answers_is_an_error(plain_rules: MakeRules) -> None:
    def short(text: str, /, *, rlimit: int = RLIMIT) -> list[EngineAnswer]:
        return run_z3(text, rlimit=rlimit)[1:]

    with pytest.raises(SolverError, match=r"made 1 gave \d+ answers to \d+ checks of plain winner"):
        cross_check(plain_rules(), "winner", [engine_of(short)])


@every_engine
@pytest.mark.parametrize(
    "text",
    [
        "(set-logic QF_LIA)\n(assert missing)\n(check-sat)\n",
        "(set-logic QF_LIA)\n(no-command)\n(check-sat)\n",
        '(set-logic QF_LIA)\n(echo "unasked")\n(check-sat)\n',
        "(set-logic QF_LIA)\n(check-sat)\n(pop 3)\n",
        "(set-logic QF_LIA",
    ],
)
def test_a_script_that_a_solver_refuses_is_an_error(name: str, text: str) -> None:
    (engine,) = available_engines(name)
    with pytest.raises(SolverError, match=f"^{name} (refused a script|said something unasked) at check [01]: "):
        engine.run(text)


@pytest.mark.parametrize("run", [run_z3, pytest.param(run_cvc5, marks=needs_cvc5)])
def test_cores_name_file_line_and_clause(plain_rules: MakeRules, run: Callable[..., list[EngineAnswer]]) -> None:
    """What the labels are for: a proof that there is no gap cites the clauses that it needs."""
    rules = plain_rules()
    head, _, _ = write_script(rules, "player_draw").text.partition("; ---- what is asked")
    ask = "(assert (not |player_draw answered|))\n(check-sat)\n(get-unsat-core)\n"
    (answer,) = run(f"(set-option :produce-unsat-cores true)\n{head}{ask}")
    assert answer.core is not None
    for clause in nonempty(rules.clauses_about("player_draw")):
        assert f"plain.yaml:{clause.span.line} {clause.id}" in answer.core


@pytest.mark.parametrize("run", [run_z3, pytest.param(run_cvc5, marks=needs_cvc5)])
def test_what_is_satisfiable_has_no_core(plain_rules: MakeRules, run: Callable[..., list[EngineAnswer]]) -> None:
    head, _, _ = write_script(plain_rules(), "player_draw").text.partition("; ---- what is asked")
    asks = "(check-sat)\n(get-unsat-core)\n(push 1)\n(assert false)\n(check-sat)\n(pop 1)\n"
    answers = run(f"(set-option :produce-unsat-cores true)\n{head}{asks}")
    assert [(answer.verdict, answer.core) for answer in answers] == [("sat", None), ("unsat", None)]


# --- which engines --------------------------------------------------------------------------------


def test_engines_are_asked_for_by_name() -> None:
    assert available_engines("none") == []
    (z3,) = available_engines("z3")
    assert str(z3) == f"z3 {metadata.version('z3-solver')}"
    assert available_engines("z3, z3") == [z3]
    assert available_engines("auto")[0] == z3
    assert available_engines() == available_engines("auto")


@needs_cvc5
def test_engines_come_in_the_order_asked_for() -> None:
    assert [engine.name for engine in available_engines("cvc5,z3")] == ["cvc5", "z3"]
    assert [engine.name for engine in available_engines("auto")] == ["z3", "cvc5"]


@pytest.mark.parametrize(
    "names, help",
    [("cvc4", "did you mean `cvc5`?"), ("z3,yices", "known: auto, cvc5, none, z3"), ("", "known: ")],
)
def test_an_unknown_engine_is_refused(names: str, help: str) -> None:
    with pytest.raises(UnknownName, match=r"no solver `\w*`: ") as caught:
        available_engines(names)
    assert help in str(caught.value)


def test_a_missing_engine_says_what_to_install(monkeypatch: pytest.MonkeyPatch) -> None:
    def version(distribution: str) -> str:
        raise metadata.PackageNotFoundError(distribution)

    monkeypatch.setattr(metadata, "version", version)
    assert available_engines("auto") == []
    with pytest.raises(NotInstalled, match=r"cvc5 is not installed: install baccarat-oracle\[cross\]"):
        available_engines("cvc5")
    assert issubclass(NotInstalled, OracleError)
    assert issubclass(SolverError, OracleError)


def test_no_solver_is_imported_before_it_runs() -> None:
    program = (
        "import sys, oracle.solver.agree, oracle.solver.engine as e\n"
        "e.available_engines('auto')\n"
        "sys.exit('z3' in sys.modules or 'cvc5' in sys.modules)\n"
    )
    assert subprocess.run([sys.executable, "-c", program], check=False).returncode == 0


# --- mutants --------------------------------------------------------------------------------------
#
# Specs altered at random, mostly to something no document would say: gaps, conflicts, free choices, dead
# clauses, unread readings, clashing resolutions. What enumeration makes of them, the formulas must make too.


class Mutator:
    """Alters specs; the same seed alters in the same way."""

    BETS = ("player", "banker", "tie", "player_pair", "banker_pair")

    def __init__(self, seed: int) -> None:
        self.chance = random.Random(seed)

    def spec(self, spec: Spec) -> Spec:
        """`spec` with one to five changes."""
        for _ in range(self.chance.choice([1, 1, 2, 3, 5])):
            spec = self.chance.choice([self._clauses, self._clauses, self._clauses, self._resolutions, self._choosers])(
                spec
            )
        return spec

    def _clauses(self, spec: Spec) -> Spec:
        clauses = list(spec.clauses)
        question = self.chance.choice(sorted({c.question for c in clauses} & set(COUP_QUESTIONS)))
        place = self.chance.choice([i for i, c in enumerate(clauses) if c.question == question])
        old = clauses[place]
        new = change(old, id=f"{old.id}-{len(clauses)}", answer=self._answer(question), excludes=())
        match self.chance.randrange(6):
            case 0:
                del clauses[place]
            case 1:
                clauses[place] = change(old, answer=self._answer(question))
            case 2:
                clauses[place] = change(old, guard=self._guard(question, old.span))
            case 3:
                kept = self.chance.sample(old.guard, max(0, len(old.guard) - 1))
                clauses[place] = change(old, guard=tuple(kept))
            case 4:
                clauses.insert(place, change(new, guard=self._guard(question, old.span)))
            case _:
                clauses[place : place + 1] = [change(old, reading="one"), change(new, reading="two")]
        return change(spec, clauses=tuple(clauses))

    def _resolutions(self, spec: Spec) -> Spec:
        resolutions = list(spec.resolutions)
        if resolutions and self.chance.random() < 0.3:
            resolutions.remove(self.chance.choice(resolutions))
            return change(spec, resolutions=tuple(resolutions))
        read = sorted({c.statement for c in spec.clauses if c.reading in ("one", "two")})
        made = Resolution(f"made-{len(resolutions)}", "a test wants it", spec.source.span)
        if read and self.chance.random() < 0.7:
            made = change(made, choose=self.chance.choice(read), reading=self.chance.choice(["one", "two"]))
        else:
            question = self.chance.choice(COUP_QUESTIONS)
            about = [c for c in spec.clauses if c.question == question]
            named = self.chance.sample(about, min(len(about), self.chance.choice([0, 1, 1, 2])))
            made = change(
                made,
                question=question,
                guard=self._guard(question, spec.source.span),
                answer=self._answer(question)[:1],
                instead_of=tuple(self.chance.choice([c.id, c.statement]) for c in named),
            )
        resolutions.insert(self.chance.randint(0, len(resolutions)), made)
        return change(spec, resolutions=tuple(resolutions))

    def _choosers(self, spec: Spec) -> Spec:
        question = self.chance.choice(["player_draw", "banker_draw"])
        return change(spec, choosers={} if spec.choosers else {question: "player"})

    def _answer(self, question: str) -> tuple[Atom, ...]:
        asked = QUESTIONS[question]
        if asked.answer == "actions":
            return self.chance.choice([("draw",), ("stand",), ("draw", "stand")])
        choices: dict[str, tuple[Atom, ...]] = {
            "points": (0, 1, 5, 9, "face"),
            "total": (0, 3, 9, "units", "sum"),
            "odds": (Fraction(1), Fraction(8), Fraction(1, 2)),
            "share": (Fraction(0), Fraction(1, 20)),
        }
        return (self.chance.choice(choices.get(asked.answer, asked.options)),)

    def _guard(self, question: str, span: Span) -> tuple[Guard, ...]:
        fields = QUESTIONS[question].fields
        some = self.chance.sample(fields, min(len(fields), self.chance.choice([0, 1, 1, 2, 3])))
        return tuple(Guard(field, self._values(field), "", span) for field in some)

    def _values(self, field: str) -> Values:
        domain = self.BETS if field == "bet" else FIELDS[field].domain
        some = Among(frozenset(self.chance.sample(domain, self.chance.randint(1, min(4, len(domain))))))
        low = self.chance.randrange(10)
        card = FIELDS[field].card
        sets: list[Values] = [some, Other(some, card), Any(card), Either((some, some))]
        if any(isinstance(value, int) for value in domain):
            sets += [Between(low, None), Between(None, low), Between(low, low + 3)]
        return self.chance.choice(sets)


def cross_check_mutants(library: Library, seeds: range, engines: list[Engine]) -> Counter[str]:
    """Counts what enumeration found among mutants on which all engines agreed with it."""
    found: Counter[str] = Counter()
    specs = library.specs()
    for seed in seeds:
        mutator = Mutator(seed)
        mutant = mutator.spec(mutator.chance.choice(specs))
        rules = Rules(mutant, mutator.chance.choice(mutant.rule_sets), literal=mutator.chance.random() < 0.15)
        for question in COUP_QUESTIONS:
            agreement = cross_check(rules, question, engines)
            assert agreement.agreed, (seed, differences(agreement))
            found.update(f"{check.asked.kind} {check.enumeration}" for check in agreement.checks)
    return found


def test_solvers_agree_with_enumeration_on_mutants(library: Library) -> None:
    found = cross_check_mutants(library, range(4), available_engines("z3"))
    assert found["gap sat"]
    assert found["dead unsat"]


@pytest.mark.slow
def test_solvers_agree_with_enumeration_on_many_mutants(library: Library) -> None:
    found = cross_check_mutants(library, range(100, 170), available_engines("z3"))
    for kind in ("reachable", "gap", "conflict", "undecided", "ambiguous", "open", "dead"):
        assert found[f"{kind} sat"]
        assert found[f"{kind} unsat"]


@pytest.mark.slow
@needs_cvc5
def test_cvc5_agrees_with_enumeration_on_mutants(library: Library) -> None:
    assert cross_check_mutants(library, range(1000, 1008), available_engines("cvc5"))["gap sat"]


def test_a_mutant_is_the_same_again(library: Library) -> None:
    for seed in range(20):
        for spec in nonempty(library.specs()):
            assert Mutator(seed).spec(spec) == Mutator(seed).spec(spec)


def test_a_clause_can_be_altered(library: Library) -> None:
    """The mutants aren't the originals: most differ in what they say."""
    specs = library.specs()
    altered = [Mutator(seed).spec(spec).clauses != spec.clauses for seed in range(20) for spec in specs]
    assert sum(altered) > len(altered) / 2
    assert all(isinstance(clause, Clause) for spec in nonempty(specs) for clause in spec.clauses)

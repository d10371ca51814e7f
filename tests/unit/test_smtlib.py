"""The scripts that solvers read: complete, the same every time, and written without the enumerated states."""

from __future__ import annotations

import hashlib
import os
import random
import re
import subprocess
import sys
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from oracle.game.evaluate import Evaluation
from oracle.game.rules import Rules
from oracle.rules.guard import Test as Guard
from oracle.rules.library import Library
from oracle.rules.questions import COUP_QUESTIONS, FIELDS, QUESTIONS
from oracle.rules.values import Among, Any, Between, Either, Multiple, Other, Value, Values, contains
from oracle.solver.coding import Coding
from oracle.solver.formula import (
    FALSE,
    TRUE,
    Expr,
    Sheet,
    all_of,
    any_of,
    equal,
    negation,
    number,
    one_of,
    show,
    symbol,
)
from oracle.solver.scripts import scripts_of
from oracle.solver.smtlib import AMOUNTS, COVER, Script, write_cover_script, write_script
from oracle.solver.stage import Stage, parts_of
from oracle.solver.states import LEADING, States
from oracle.spans import Span, UnknownName
from tests.nonempty import nonempty

BETS = ("player", "banker", "tie", "player_pair")
SPAN = Span("made.yaml", 1, 1, 1, 2)
COMMANDS = {"set-logic", "declare-const", "define-fun", "assert", "push", "check-sat", "pop"}


@pytest.fixture(scope="module")
def tables(library: Library) -> list[Rules]:
    """Every shipped rule set, resolved and as the documents stand."""
    return [
        Rules(spec, rule_set, literal=literal)
        for spec in library.specs()
        for rule_set in spec.rule_sets
        for literal in (False, True)
    ]


@pytest.fixture(scope="module")
def scripts(tables: list[Rules]) -> list[tuple[Rules, Script]]:
    """Every script about a question of every shipped rule set."""
    return [(rules, script) for rules in tables for script in scripts_of(rules) if script.topic != AMOUNTS]


def test_a_script_is_made_for_each_question_of_a_coup_and_its_money() -> None:
    assert tuple(LEADING) == COUP_QUESTIONS


def test_another_question_has_no_formulas(plain_rules: Callable[..., Rules]) -> None:
    with pytest.raises(UnknownName, match="no formulas for `decks`: known are card_points, hand_total"):
        write_script(plain_rules(), "decks")


def test_scripts_use_seven_commands_of_the_standard_and_name_their_logic_first(
    scripts: list[tuple[Rules, Script]],
) -> None:
    for _, script in nonempty(scripts):
        lines = [line for line in script.text.splitlines() if line.startswith("(")]
        if script.topic == COVER:
            assert lines.pop(0) == "(set-option :produce-unsat-cores true)"
            lines = [line for line in lines if line != "(get-unsat-core)"]
        assert lines[0] == "(set-logic QF_LIA)"
        assert {re.match(r"\(([a-z-]+)", line)[1] for line in lines} <= COMMANDS  # type: ignore[index]
        assert script.text.isprintable() or script.text.replace("\n", "").isprintable()


def test_every_check_is_listed_in_order_and_marked_in_the_text(scripts: list[tuple[Rules, Script]]) -> None:
    for _, script in nonempty(scripts):
        marks = re.findall(r"^; \[(\d+)\] (.*?):", script.text, re.MULTILINE)
        assert script.text.count("(check-sat)\n") == len(script.properties) == len(marks)
        assert [asked.place for asked in script.properties] == [int(place) for place, _ in marks]
        expected = re.findall(r"^; enumeration: (sat|unsat)$", script.text, re.MULTILINE)
        assert expected == [asked.enumeration for asked in script.properties]
        names = [asked.name for asked in script.properties]
        assert len(set(names)) == len(names)
        if script.topic != COVER:
            assert {"reachable", "gap", "conflict", "open"} <= set(names)


def test_every_clause_and_resolution_on_the_way_is_an_assertion_with_its_place_as_name(
    scripts: list[tuple[Rules, Script]],
) -> None:
    for rules, script in nonempty(scripts):
        named = re.findall(r":named (\|[^|\\]*\||[\w.-]+)\)\)", script.text)
        assert len(set(named)) == len(named)
        for question in (*LEADING[script.question][1], script.question):
            for clause in rules.clauses_about(question):
                assert f"|{clause.span.file}:{clause.span.line} {clause.id}|" in named
            for resolution in rules.resolutions:
                if parts_of(resolution, question):
                    place = f"|{resolution.span.file}:{resolution.span.line} "
                    assert any(name.startswith(place) for name in named)


def test_each_clause_is_asked_for_dead_and_each_answer_for_its_region(
    scripts: list[tuple[Rules, Script]],
) -> None:
    for rules, script in nonempty(scripts):
        if script.topic == COVER:
            assert {p.kind for p in script.properties} == {"masked"}
            continue
        asked = [p.subject for p in script.properties if p.kind == "dead"]
        assert asked == [clause.id for clause in rules.clauses_about(script.question)]
        for option in QUESTIONS[script.question].options:
            assert option in [p.subject for p in script.properties if p.kind == "answer"]


def test_a_region_that_enumeration_found_is_asked_to_be_exact(scripts: list[tuple[Rules, Script]]) -> None:
    for _, script in nonempty(scripts):
        places = {asked.name: asked for asked in script.properties}
        for kind in ("gap", "conflict", "undecided", "open"):
            found = kind in places and places[kind].enumeration == "sat"
            assert (f"{kind} outside" in places) == (f"{kind} inside" in places) == found
            assert (f"(define-fun |{kind} region| () Bool" in script.text) == found


class Blind(Rules):
    """Rules that refuse to enumerate the states of a coup."""

    def evaluation(self, question: str) -> Evaluation:
        """Only of what has no states, such as the number of decks."""
        assert question not in COUP_QUESTIONS, f"enumerated {question}"
        return super().evaluation(question)


def test_reachability_and_answers_are_written_without_enumerating(tables: list[Rules]) -> None:
    for rules in nonempty(tables):
        blind = Blind(rules.spec, rules.rule_set, literal=rules.literal)
        for question in COUP_QUESTIONS:
            sheet, coding = Sheet(), Coding(blind.bets)
            text = write_script(rules, question).text
            States(sheet, blind, question, coding)
            assert (states := sheet.text.strip()) in text
            Stage(sheet, blind, question, coding)
            assert sheet.text.strip().removeprefix(states).strip() in text


@pytest.mark.slow
def test_the_text_is_the_same_whatever_the_hash_seed(root: Path) -> None:
    program = (
        "import hashlib\n"
        "from oracle.game.rules import Rules\n"
        "from oracle.rules.library import Library\n"
        "from oracle.solver.scripts import scripts_of\n"
        "digest = hashlib.sha256()\n"
        "for spec in Library().specs():\n"
        "    for rule_set in spec.rule_sets:\n"
        "        for script in scripts_of(Rules(spec, rule_set)):\n"
        "            digest.update(script.text.encode())\n"
        "print(digest.hexdigest())\n"
    )
    digests = {
        subprocess.run(
            [sys.executable, "-c", program],
            env={**os.environ, "PYTHONHASHSEED": seed},
            cwd=root,
            check=True,
            capture_output=True,
            text=True,
        ).stdout
        for seed in ("0", "1", "4711")
    }
    assert len(digests) == 1


@pytest.mark.slow
def test_the_text_is_the_same_when_written_again(scripts: list[tuple[Rules, Script]]) -> None:
    for rules, script in nonempty(scripts):
        write = write_cover_script if script.topic == COVER else write_script
        assert write(Rules(rules.spec, rules.rule_set, literal=rules.literal), script.question) == script


def test_the_script_of_a_small_question_reads_like_this(plain_rules: Callable[..., Rules]) -> None:
    """A change of the wording is seen here, and on purpose."""
    rules = plain_rules()
    text = write_script(rules, "deal_order").text
    line = rules.clauses_about("deal_order")[0].span.line
    assert text.startswith(
        f"""\
; deal order in plain: Plain game
; Generated by baccarat-oracle, do not edit.
(set-logic QF_LIA)

; ---- the state ---------------------------------------------------------------------------------

; place of a card in the deal; position: 1 to 4
(declare-const position Int)
(assert (<= 1 position 4))

; ---- the deal order question itself ------------------------------------------------------------

; deal: in turn, the player first
; line 3: player
(declare-const |deal/3 speaks| Bool)
(assert (! (= |deal/3 speaks| (or (= position 1) (= position 3)))
        :named |plain.yaml:{line} deal/3|))
; line 3: banker
"""
    )
    assert text.endswith(
        """\

; [2] conflict: a reachable state in which clauses speak and leave nothing permitted
; enumeration: unsat
(push 1)
(assert (and |deal_order answered| |deal_order forbids player| |deal_order forbids banker|))
(check-sat)
(pop 1)

; [3] open: a reachable state without an answer, resolutions and all
; enumeration: unsat
(push 1)
(assert (not (or |deal_order: player| |deal_order: banker|)))
(check-sat)
(pop 1)

; [4] answer player: a reachable state that gets player here and not in enumeration, or the reverse
; enumeration: unsat
(push 1)
(assert (distinct |deal_order: player| (or (= position 1) (= position 3))))
(check-sat)
(pop 1)

; [5] answer banker: a reachable state that gets banker here and not in enumeration, or the reverse
; enumeration: unsat
(push 1)
(assert (distinct |deal_order: banker| (or (= position 2) (= position 4))))
(check-sat)
(pop 1)

; [6] dead deal/3: a reachable state in which deal/3 speaks: it isn't dead
; enumeration: sat
(push 1)
(assert |deal/3 speaks|)
(check-sat)
(pop 1)

; [7] dead deal/3#2: a reachable state in which deal/3#2 speaks: it isn't dead
; enumeration: sat
(push 1)
(assert |deal/3#2 speaks|)
(check-sat)
(pop 1)
"""
    )


# --- formulas -------------------------------------------------------------------------------------


def test_connectives_leave_out_what_goes_without_saying() -> None:
    assert all_of() == TRUE
    assert any_of() == FALSE
    assert all_of("a", TRUE) == "a"
    assert all_of("a", FALSE, "b") == FALSE
    assert any_of("a", TRUE) == TRUE
    assert any_of("a", any_of("b", "c"), "a") == ("or", "a", "b", "c")
    assert all_of("a", any_of("b", "c")) == ("and", "a", ("or", "b", "c"))
    assert negation(negation("a")) == "a"
    assert negation(TRUE) == FALSE
    assert negation(FALSE) == TRUE


def test_numbers_are_written_as_the_standard_has_them() -> None:
    assert show(number(-1)) == "(- 1)"
    assert show(equal("x", 3)) == "(= x 3)"


def test_three_numbers_in_a_row_are_bounds() -> None:
    assert show(one_of("x", [5, 3, 4])) == "(<= 3 x 5)"
    assert show(one_of("x", [1, 2])) == "(or (= x 1) (= x 2))"
    assert show(one_of("x", [-1, 0, 1, 9])) == "(or (<= (- 1) x 1) (= x 9))"
    assert one_of("x", []) == FALSE


def test_symbols_are_quoted_where_they_have_to_be_and_hold_no_bar_and_no_backslash() -> None:
    assert symbol("banker2") == "banker2"
    assert symbol("a b") == "|a b|"
    assert symbol("c:\\d|e\n") == "|c:_d_e_|"
    assert symbol("é") == "|é|"


def test_no_symbol_begins_with_what_is_reserved_for_solvers() -> None:
    assert symbol("../mine.yaml:4 a") == "|_../mine.yaml:4 a|"
    assert symbol("@own/x.yaml:4 a") == "|_@own/x.yaml:4 a|"
    assert symbol("specs/.x@y.yaml:4 a") == "|specs/.x@y.yaml:4 a|"
    assert symbol("\n.x") == "|_.x|"


def test_a_label_is_used_once() -> None:
    sheet = Sheet()
    for _ in range(3):
        sheet.name("a b", "x")
    assert re.findall(r":named (.*)\)\)", sheet.text) == ["|a b|", "|a b (2)|", "|a b (3)|"]


def test_long_formulas_are_broken_under_their_first_part() -> None:
    parts = [f"part_{i}_{'x' * 30}" for i in range(4)]
    assert show(("and", *parts)) == f"(and {parts[0]}\n     {parts[1]}\n     {parts[2]}\n     {parts[3]})"


def test_comments_hold_no_line_break_of_their_own() -> None:
    sheet = Sheet()
    sheet.comment("one\n(check-sat)\rtwo")
    assert sheet.text == "; one (check-sat) two\n"


# --- values as numbers ----------------------------------------------------------------------------


def holds(expr: Expr, term: int) -> bool:
    """A formula about the one constant `x`, evaluated."""
    match expr:
        case "true" | "false":
            return expr == "true"
        case ("and", *parts):
            return all(holds(part, term) for part in parts)
        case ("or", *parts):
            return any(holds(part, term) for part in parts)
        case ("not", part):
            return not holds(part, term)
        case ("=", left, right):
            return meant(left, term) == meant(right, term)
        case ("<=", *parts):
            values = [meant(part, term) for part in parts]
            return values == sorted(values)
        case _:
            raise AssertionError(expr)


def meant(expr: Expr, term: int) -> int:
    """A number or the constant."""
    if isinstance(expr, tuple):
        assert expr[0] == "-"
        return -meant(expr[1], term)
    return term if expr == "x" else int(expr)


def sets_of(field: str, domain: tuple[Value, ...], chance: random.Random) -> Iterator[Values]:
    """Every kind of set, with many members each."""
    card = FIELDS[field].card
    for _ in range(20):
        some = Among(frozenset(chance.sample(domain, chance.randint(1, min(3, len(domain))))))
        low, high = sorted((chance.randint(-1, 10), chance.randint(-1, 10)))
        yield some
        yield Other(some, card)
        yield Other(Other(some, card), card)
        yield Either((some, Between(low, high)))
        yield Other(Between(low, None), card)
        yield from (Between(low, high), Between(None, high), Between(low, None), Between(None, None))
        yield Multiple(chance.randint(1, 4))
    yield Any(card)


@pytest.mark.parametrize("field", sorted({f for q in COUP_QUESTIONS for f in QUESTIONS[q].fields}))
def test_a_guard_as_formula_holds_for_the_same_values(field: str) -> None:
    coding = Coding(BETS)
    domain = coding.domain(field)
    codes = {value: coding.code(field, value) for value in domain}
    assert len(set(codes.values())) == len(domain)
    for values in sets_of(field, domain, random.Random(field)):
        formula = coding.guard((Guard(field, values, "", SPAN),), {field: "x"})
        for value in domain:
            assert holds(formula, codes[value]) == contains(values, value), (values, value)


def test_a_legend_says_what_the_numbers_mean() -> None:
    coding = Coding(BETS)
    assert coding.legend("natural") == "natural: 0 none, 1 player, 2 banker, 3 both"
    assert coding.legend("player_third") == "player_third: -1 none, 0 to 9"
    assert coding.legend("bet") == "bet: 0 player, 1 banker, 2 tie, 3 player_pair"
    assert Coding(()).legend("bet") == "bet: no values"


def test_digests_of_all_scripts_differ(scripts: list[tuple[Rules, Script]]) -> None:
    digests = [hashlib.sha256(script.text.encode()).digest() for rules, script in scripts if not rules.literal]
    assert len(set(digests)) == len(digests)

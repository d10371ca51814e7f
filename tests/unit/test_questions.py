"""What is known about a question stands on the question: a new one is one entry of one file.

The drill adds questions to a copy of the package, in `rules/questions.py` alone, states them in two small sources, and
sees them checked, compared, proved and counted there as those of the language are.
"""

from __future__ import annotations

import ast
import json
import os
import re
import shutil
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from oracle.game.rules import load_rules
from oracle.rules.questions import (
    CARD_QUESTIONS,
    COUP_QUESTIONS,
    DECISION_QUESTIONS,
    END,
    FIELDS,
    KNOWN,
    MONEY_QUESTIONS,
    NOTHING,
    QUESTIONS,
    TWO_CARDS,
    Question,
    before,
    heard_together,
)
from tests.nonempty import nonempty

ROOT = Path(__file__).resolve().parents[2]
COUP = [QUESTIONS[name] for name in COUP_QUESTIONS]


# --- the table --------------------------------------------------------------------------------


@pytest.mark.parametrize("question", QUESTIONS.values(), ids=list(QUESTIONS))
def test_a_question_comes_after_earlier_ones_only(question: Question) -> None:
    names = list(QUESTIONS)
    for earlier in question.after:
        assert names.index(earlier) < names.index(question.name)
        if question.name in COUP_QUESTIONS:
            assert earlier in COUP_QUESTIONS


def test_what_a_coup_has_only_grows() -> None:
    order = list(KNOWN)
    needs = [order.index(question.needs) for question in COUP]
    assert needs == sorted(needs)
    for question in COUP:
        assert all(order.index(QUESTIONS[earlier].needs) <= order.index(question.needs) for earlier in question.after)
    for fewer, more in zip(KNOWN.values(), list(KNOWN.values())[1:], strict=False):
        assert set(fewer) < set(more)


def test_around_a_coup_nothing_of_it_is_needed() -> None:
    assert {question.needs for question in QUESTIONS.values() if question.stage == "table"} == {NOTHING}
    assert {QUESTIONS[name].needs for name in MONEY_QUESTIONS} == {END}
    assert (*CARD_QUESTIONS, *MONEY_QUESTIONS) == COUP_QUESTIONS


def test_a_question_of_hands_asks_for_what_is_known_by_then() -> None:
    for question in COUP:
        if question.needs:
            assert set(question.cell) <= {*question.fields, *KNOWN[question.needs]}
            later = {field for field in KNOWN[END] if field not in KNOWN[question.needs]}
            assert not later & set(question.fields), question.name


def test_only_draws_have_a_side_and_they_alone_may_be_free() -> None:
    assert {question.name for question in COUP if question.side} == {q.name for q in COUP if q.answer == "actions"}


def test_before_is_all_that_leads_there() -> None:
    assert before("card_points") == before("deal_order") == ()
    assert before("banker_draw") == ("card_points", "hand_total", "natural", "player_draw")
    assert before("exhausted") == ("decks", "reshuffle")


def test_what_is_heard_together_is_heard_with_one() -> None:
    assert heard_together("pays") == ("pays", "commission")
    assert all(heard_together(name) == (name,) for name in QUESTIONS if name != "pays")
    for question in QUESTIONS.values():
        if question.heard_with:
            assert QUESTIONS[question.heard_with].fields == question.fields


# --- nobody else knows the order --------------------------------------------------------------

# Literals that name several questions because they use the answers of just these, or have words for them.
ALLOWED = {
    frozenset({"bets_offered", "bets_together", "stake", "total_stake"}): "what cases of bets are judged by",
    frozenset({"participants", "predictions", "session_end"}): "what cases of sessions are judged by",
    frozenset({"session_end", "score"}): "a session's last step is asked for both",
    frozenset({"stake", "chips"}): "why nothing can be bet: every stake is refused",
    frozenset({"bets_together", "stake"}): "why nothing can be bet: no set of bets is taken",
    frozenset({"start_balance", "total_stake", "stake"}): "why nothing can be bet: nobody has enough",
    frozenset({"decks", "burn"}): "kinds of answers, which are named like their questions",
    frozenset({"decks", "burn", "rounding"}): "kinds of answers, which are named like their questions",
    frozenset({"decks", "cut_card"}): "fields of a case of a shoe",
    frozenset({"cut_card", "reshuffle"}): "columns of truths in results",
    frozenset({"player_draw", "banker_draw"}): "the draws of both sides, of which a program has rules of its own",
    frozenset({"player_draw", "banker_draw", "winner"}): "what a program may have rules of its own about",
}
WORDS = {"natural", "outcome", "winner", "session_end", "exhausted"}  # of what answers are called in reports


def literals() -> Iterator[tuple[str, frozenset[str]]]:
    """The tuples, lists, sets and mappings of the package that name several questions, apart from fields of states."""
    for path in sorted((ROOT / "oracle").rglob("*.py")):
        if path.parts[-2:] == ("rules", "questions.py"):
            continue
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            if isinstance(node, ast.Tuple | ast.List | ast.Set):
                parts: list[ast.expr] = list(node.elts)
            elif isinstance(node, ast.Dict):
                parts = [key for key in node.keys if key is not None]
            else:
                continue
            names = frozenset(str(p.value) for p in parts if isinstance(p, ast.Constant) and p.value in QUESTIONS)
            if len(names) > 1 and not names <= set(FIELDS):
                yield f"{path.relative_to(ROOT)}:{node.lineno}", names


def test_no_other_file_lists_questions() -> None:
    found = dict(literals())
    assert found, "no literal names several questions: does this test still read the package?"
    elsewhere = {at: sorted(names) for at, names in found.items() if names not in ALLOWED and not names >= WORDS}
    assert elsewhere == {}, "derive it from `oracle.rules.questions`, or say in ALLOWED why it names just these"


def test_every_exception_is_still_there() -> None:
    assert set(ALLOWED) <= set(dict(literals()).values())


# --- the drill --------------------------------------------------------------------------------

OF_A_COUP = """
        Question(
            "drill_burn", "drill: burn after the deal", "whether a card is burnt after the deal", ("position",),
            "choice", ("burn", "keep"), cell=("position",), stage="coup", after=("deal_order",),
        ),"""
AFTER_NATURAL = """
        Question(
            "drill_announce", "drill: announcement", "who announces first", ("player2", "banker2", "natural"), "choice",
            SIDES, cell=("player2", "banker2"), stage="coup", needs=TWO_CARDS, after=("natural",),
        ),"""
AFTER_THIRD = """
        Question(
            "drill_show", "drill: third card shown", "whether the third card is shown", ("player_third", "banker2"),
            "choice", ("open", "closed"), cell=("player_third",), stage="coup", needs=THIRD_CARD,
            after=("player_draw",),
        ),"""
AFTER_WINNER = """
        Question(
            "drill_pass", "drill: deal passes", "whether the deal passes", ("winner", "margin"), "choice",
            ("passes", "stays"), silent="assumed", default="stays", cell=("winner",), stage="coup", needs=END,
            after=("winner",),
        ),"""
OF_MONEY = """
        Question(
            "drill_pot", "drill: side pot", "whether the side pot is paid", _SETTLE, "choice", ("paid", "kept"),
            silent="assumed", default="kept", row="bet", stage="money", needs=END, after=("outcome",),
        ),"""
AROUND = """
        Question("drill_seats", "drill seats", "how many seats there are", (), "number", silent="omission"),
        Question(
            "drill_tokens", "drill tokens", "which tokens are taken", ("participants",), "choice",
            ("allowed", "refused"), silent="omission", after=("drill_seats",),
        ),
        Question(
            "drill_guests", "drill guests", "how many guests may watch", ("participants",), "choice",
            ("allowed", "refused"), silent="omission",
        ),"""


def first(**parts: str) -> str:
    """The first question of the table that is so."""
    return next(q.name for q in QUESTIONS.values() if all(getattr(q, part) == is_ for part, is_ in parts.items()))


ADDED = (  # before which question each is put
    (first(needs=TWO_CARDS), OF_A_COUP),
    ("player_draw", AFTER_NATURAL),
    (first(needs=END), AFTER_THIRD),
    (first(stage="money"), AFTER_WINNER),
    (first(stage="table"), OF_MONEY),
    ("other", AROUND),
)
HOME = load_rules("home-pt")
SAID = [name for name in COUP_QUESTIONS if HOME.clauses_about(name)]
"""What the source that the drill extends says of a coup, whatever else the language asks by then."""
SOURCE = """
source: {{id: {id}, title: A drill, language: en, lines: 8}}
extends: {{source: home-pt, questions: [{said}, bets_offered, bets_together, decks]}}
statements:
  - {{id: burning, cite: "1", says: a card is burnt after the last place of the deal, about: drill_burn,
     cases: [{{when: {{position: {burns}}}, then: burn}}], otherwise: {{then: keep}}}}
  - {{id: announcing, cite: "2", says: who announces, about: drill_announce,
     cases: [{{when: {{player2: "{announces}"}}, then: player}}], otherwise: {{then: banker}}}}
  - {{id: showing, cite: "3", says: thirds are shown, about: drill_show, cases: [
     {{when: {{player_third: [0-6, 8, 9]}}, then: open}}, {{when: {{player_third: 7}}, then: {seven}}}]}}
  - {{id: passing, cite: "4", says: the deal passes, about: drill_pass,
     cases: [{{when: {{winner: {passes}}}, then: passes}}], otherwise: {{then: stays}}}}
  - {{id: potting, cite: "8", says: the side pot, about: drill_pot,
     cases: [{{when: {{bet: tie, player_total: "{pot}"}}, then: paid}}], otherwise: {{then: kept}}}}
  - {{id: sitting, cite: "5", says: there are seats, about: drill_seats, then: {seats}}}
  - {{id: taking, cite: "6", says: tokens are taken, about: drill_tokens, when: {{participants: 3}}, then: allowed}}
  - {{id: watching, cite: "7", says: some watch, about: drill_guests, cases: [
     {{when: {{participants: "<= {guests}"}}, then: allowed}}], otherwise: {{then: refused}}}}
"""


class Drill:
    """A copy of the package with more questions, and two sources that state them otherwise."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        shutil.copytree(ROOT / "oracle", folder / "oracle", ignore=shutil.ignore_patterns("__pycache__"))
        for name in ("pyproject.toml", "specs"):
            (folder / name).symlink_to(ROOT / name)
        table = folder / "oracle" / "rules" / "questions.py"
        text = table.read_text(encoding="utf-8")
        for name, question in ADDED:
            place = re.compile(rf'^(?= *Question\(\s*"{name}",)', re.MULTILINE)
            text, times = place.subn(question.lstrip("\n") + "\n", text)
            assert times == 1, name
        table.write_text(text, encoding="utf-8")
        own = folder / "own"
        own.mkdir()
        one = SOURCE.format(
            id="one",
            said=", ".join(SAID),
            burns=4,
            announces="> 3",
            seven="open",
            passes="tie",
            seats=8,
            guests=5,
            pot="> 3",
        )
        two = SOURCE.format(
            id="two",
            said=", ".join(SAID),
            burns=3,
            announces="> 5",
            seven="closed",
            passes="player",
            seats=9,
            guests=7,
            pot="> 6",
        )
        (own / "one.yaml").write_text(one, encoding="utf-8")
        (own / "two.yaml").write_text(two, encoding="utf-8")

    def run(self, *arguments: str) -> subprocess.CompletedProcess[str]:
        return subprocess.run(
            [sys.executable, "-m", "oracle", *arguments],
            cwd=self.folder,
            env={**os.environ, "PYTHONPATH": str(self.folder)},
            capture_output=True,
            text=True,
            check=False,
        )


@pytest.fixture(scope="module")
def drill(tmp_path_factory: pytest.TempPathFactory) -> Drill:
    return Drill(tmp_path_factory.mktemp("drill"))


NEW = {
    "drill_burn",
    "drill_announce",
    "drill_show",
    "drill_pass",
    "drill_pot",
    "drill_seats",
    "drill_tokens",
    "drill_guests",
}


def test_new_questions_are_checked_and_proved(drill: Drill) -> None:
    done = drill.run("check", "own/one.yaml", "--format", "json")
    assert done.returncode == 1, done.stderr
    found = json.loads(done.stdout)
    assert all(count > 0 for count in found["properties"].values())
    assert found["disagreements"] == []
    verdicts = {v["question"]: v for v in found["verdicts"]}
    assert set(verdicts) >= NEW | set(COUP_QUESTIONS)
    decided = {name: (verdicts[name]["verdict"], verdicts[name]["cells"], verdicts[name]["of_cells"]) for name in NEW}
    assert decided == {
        "drill_burn": ("verified", 4, 4),
        "drill_announce": ("verified", 64, 64),
        "drill_show": ("refuted", 10, 11),
        "drill_pass": ("verified", 3, 3),
        "drill_pot": ("verified", 28, 28),
        "drill_seats": ("verified", 1, 1),
        "drill_tokens": ("refuted", 1, 5),
        "drill_guests": ("verified", 7, 7),
    }
    states = {name: verdicts[name]["states"] for name in ("drill_show", "banker_draw", "drill_pot", "pays")}
    assert states["drill_show"] == states["banker_draw"]
    assert states["drill_pot"] == states["pays"]
    (gap,) = (f for f in found["findings"] if f["code"] == "gap" and f["question"] == "drill_show")
    assert gap["region"] == "player_third: none"
    assert gap["chance"] is not None
    assert gap["witness"]["cards"]


def test_new_questions_are_compared_and_proved(drill: Drill) -> None:
    done = drill.run("compare", "one", "two", "--specs", "own", "--format", "json")
    assert done.returncode == 0, done.stderr
    found = json.loads(done.stdout)
    assert found["disagreements"] == []
    questions = {entry["question"]: entry for entry in found["questions"]}
    apart = {name for name, entry in questions.items() if entry["relation"] == "contradiction"}
    assert apart == NEW - {"drill_tokens"}
    regions = {
        name: [r["region"] for r in questions[name]["regions"] if r["relation"] == "contradiction"] for name in apart
    }
    assert regions == {
        "drill_burn": ["position: 4", "position: 3"],
        "drill_announce": ["player2: [4, 5]"],
        "drill_show": ["player_third: 7"],
        "drill_pass": ["winner: tie", "winner: player"],
        "drill_pot": ["bet: tie, player_total: 4-6"],
        "drill_seats": ["every state"],
        "drill_guests": ["participants: [6, 7]"],
    }
    assert set(SAID) <= set(questions)
    for name in nonempty(SAID):
        assert questions[name]["relation"] == "same"
    for name in ("drill_announce", "drill_show", "drill_pass", "drill_pot"):
        assert all(r["witness"]["cards"] for r in questions[name]["regions"] if r["relation"] == "contradiction")


def test_new_decisions_are_counted_with_the_others(drill: Drill) -> None:
    done = drill.run("odds", "--rules", "two", "--specs", "own", "--all", "--format", "json")
    assert done.returncode == 0, done.stderr
    cells = json.loads(done.stdout)["cells"]
    total = {name: sum(int(cell["sequences"]) for cell in found) for name, found in cells.items()}
    assert set(cells) >= {name for name in DECISION_QUESTIONS if name in SAID} | {"drill_announce", "drill_show"}
    assert (
        total["drill_announce"]
        == total["player_draw"]
        == total["banker_draw"]
        == total["drill_show"]
        < total["natural"]
    )

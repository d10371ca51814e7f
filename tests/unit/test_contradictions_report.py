"""`reports/contradictions.md`: a rule author finds answers in it without any code."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from oracle.compare.matrix import matrices
from oracle.compare.stance import COMPARED, Stance, show_heard
from oracle.game.rules import Rules
from oracle.report.compare.contradictions import contradictions_markdown
from oracle.report.words.plain import answer_words, heard_words, where_words
from oracle.rules.library import Library
from oracle.rules.questions import QUESTIONS

REPORT = (Path(__file__).resolve().parents[2] / "reports" / "contradictions.md").read_text(encoding="utf-8")
TABLES = ("grid-pt", "home-pt", "punto-es", "selminha/classica", "selminha/sem-comissao")


def rows(title: str) -> dict[str, list[str]]:
    """The table of one question: its cells by case, without the cited lines."""
    section = REPORT.split(f"\n### {title}\n")[1].split("\n### ")[0]
    found = {}
    for line in section.splitlines():
        if line.startswith("| ") and not line.startswith("| case"):
            case, *cells = (cell.strip() for cell in line.strip("| ").split(" | "))
            found[case] = [re.sub(r"\\\*|(?<!silent) \([0-9., …]+\)", "", cell) for cell in cells]
    return found


# What a rule author asks, and where the report answers: question of the language, case, what the five tables say.
ASKED = [
    (
        "Does any source let me bet on both sides?",
        ("bets together", "2 or 3 bets together, on both player and banker"),
        ["refused"] * 5,
    ),
    (
        "May I add a bet on the tie to one on a side?",
        ("bets together", "two bets together, one of them on player or banker"),
        ["refused", "refused", "refused", "taken", "taken"],
    ),
    ("What does a tie pay?", ("pays", "a bet on the tie"), ["8 to 1", "8 to 1", "9 to 1", "8 to 1", "8 to 1"]),
    (
        "Where does a banker that wins with six pay half?",
        ("pays", "a bet on the banker, the banker ends with 6"),
        ["19 to 20", "19 to 20", "19 to 20", "19 to 20", "1 to 2"],
    ),
    (
        "Which tables have bets on pairs, and what do they pay?",
        ("pays", "a bet on the banker's pair or the player's pair"),
        ["–", "–", "–", "11 to 1", "11 to 1"],
    ),
    ("How many decks are there?", ("decks", "always"), ["1", "8", "silent", "8", "8"]),
    (
        "Do bets on a side come back on a tie everywhere?",
        ("outcome", "a bet on the banker or the player, both are equal"),
        ["comes back"] * 5,
    ),
    (
        "May I stake more than I have?",
        ("total stake", "more is staked than one has"),
        ["silent", "taken", "silent", "refused", "refused"],
    ),
    (
        "Who gets the first and the third card?",
        ("deal order", "card 1 or 3 of the deal"),
        ["player"] * 5,
    ),
    (
        "What happens when the cards run out?",
        ("exhausted shoe", "always"),
        ["the coup is void", "silent", "silent", "silent", "silent"],
    ),
    ("With what does one sit down?", ("start balance", "always"), ["silent", "0", "silent", "500", "500"]),
    (
        "Is the commission taken at once?",
        ("commission due", "always"),
        ["at once", "silent (at once)", "silent (at once)", "silent (at once)", "silent (at once)"],
    ),
]


@pytest.mark.parametrize(("asked", "place", "answers"), ASKED, ids=[asked for asked, _, _ in ASKED])
def test_a_rule_author_finds_the_answer(asked: str, place: tuple[str, str], answers: list[str]) -> None:
    title, case = place
    assert rows(title)[case] == answers


def test_the_report_says_whether_banker_draws_on_three_against_eight() -> None:
    """The most disputed cell: in no document does the banker draw, and only two say so in so many words."""
    draws, stands = rows("banker draw")
    assert "the banker has 3 to 7 with two cards, the player's third card counts 8" in stands
    assert "the banker has 0 to 2 with two cards, the player's third card counts 8" in draws


def test_each_contradiction_has_its_paragraph_with_lines_of_both_sides() -> None:
    section = REPORT.split("## Contradictions\n")[1].split("\n## ")[0]
    paragraphs = [p.strip() for p in section.split("\n\n") if p.strip().startswith("**")]
    found = matrices([Rules(*Library().rule_set(id)) for id in TABLES])
    assert len(paragraphs) == sum(row.disagree for entry in found for row in entry.rows) > 0
    tie = next(p for p in paragraphs if "a bet on the tie" in p)
    assert "8 to 1, say grid-pt (line 76.1), home-pt (lines 29.1 and 34)" in tie
    assert "9 to 1, says punto-es (line 3.5)" in tie
    assert "20 on the tie wins 160 at grid-pt and wins 180 at punto-es" in tie
    for paragraph in paragraphs:
        assert re.search(r"[a-z_]+_[a-z]+|:\d", paragraph) is None, "no names of fields or odds in notation"


def test_every_question_has_its_place() -> None:
    for question in COMPARED:
        assert f"\n### {QUESTIONS[question].title}\n" in REPORT


def test_every_answer_has_words() -> None:
    assert answer_words("pays", ()) == ""
    assert heard_words("natural", Stance("silent", ("continue",), assumed=True)) == "silent (goes on)"
    assert (
        heard_words("natural", Stance("conflict")) == show_heard("natural", Stance("conflict")) == "contradicts itself"
    )
    assert answer_words("banker_draw", ("draw", "stand")) == "draw or stand"
    assert where_words((), {}) == ""
    both = frozenset({"none", 8})
    assert where_words((("player_third", both),), {"player_third": "[none, 8]"}) == "the player stood or drew 8"


def test_a_contradiction_that_reading_takes_away_is_kept_apart(library: Library) -> None:
    """grid-pt's sentence on two naturals, without the one beside it, contradicts everybody else's."""
    import msgspec

    home = Rules(*library.rule_set("home-pt"))
    grid, rule_set = library.rule_set("grid-pt")
    clauses = tuple(c for c in grid.clauses if not (c.statement == "naturals-settle" and c.question == "natural"))
    text = contradictions_markdown([home, Rules(msgspec.structs.replace(grid, clauses=clauses), rule_set)])
    section = text.split("## Contradictions of the texts that their reading takes away\n")[1].split("\n## ")[0]
    assert "natural, natural: both: stop at home-pt, continue at grid-pt" in section

"""What is encoded of a document, by whom, and in what file: recorded is not encoded, and nothing speaks for itself."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

from oracle.checks.run import check_spec, exit_code
from oracle.report.words.check_words import coverage_words
from oracle.rules.library import Library
from oracle.rules.read import read_spec_text
from oracle.spans import SpecError
from tests.conftest import BLOCKS, HEAD
from tests.unit.findings import SHOE, TWO, codes, errors_in, lent

MakeText = Callable[..., str]


# --- what is encoded ------------------------------------------------------------------------------

BORROWED = """\
extends:
  source: home-pt
  questions: [card_points, hand_total, deal_order, natural, player_draw, banker_draw, winner, bets_offered, outcome,
              pays, bets_together]
"""
DOCUMENT = f"source: {{id: lent, title: Lent, language: en, lines: 4, sha256: {'b' * 64}}}\n{BORROWED}"
FREE = '  - {id: free, cite: ["1", "2", "3", "4"], says: x, about: other, then: whatever it says}\n'
REST = '  - {id: free, cite: ["2", "3", "4"], says: x, about: other, then: whatever it says}\n'
ONE = '  - {id: one, cite: "1", says: x, about: decks, then: endless}\n'
SILENT = 'silent: [{cite: ["1", "2", "3", "4"], because: x}]\n'
UNJUDGED = 'claims: [{id: c, cite: ["1", "2", "3", "4"], says: x, kind: not-checkable, because: x}]\n'
JUDGED = 'claims: [{id: c, cite: "1", says: x, kind: answers, about: player_draw, when: {player2: 5}, then: draw}]\n'


@pytest.mark.parametrize(
    ("text", "counted"),
    [
        (DOCUMENT + "statements:\n" + FREE, "4 recorded only"),
        (DOCUMENT + "statements: []\n" + SILENT, "4 silent"),
        (DOCUMENT.replace("lines: 4", "lines: 4, blank: [1-4]") + "statements: []\n", "4 blank lines"),
        (DOCUMENT + "statements: []\n" + UNJUDGED, "4 claimed"),
        (DOCUMENT.replace("lines: 4", "lines: 4, blank: [4]") + "statements:\n" + FREE.replace(', "4"', ""), "1 blank"),
        (DOCUMENT.replace(f", sha256: {'b' * 64}", "") + "statements:\n" + FREE, "4 recorded only"),
    ],
)
def test_a_document_of_which_nothing_is_encoded_is_an_error(tmp_path: Path, text: str, counted: str) -> None:
    found = lent(tmp_path, text)
    (error,) = [f for f in found.findings if f.level == "error"]
    assert error.code == "not-encoded"
    assert counted in error.message
    assert exit_code([found]) == 1


@pytest.mark.parametrize(
    "text",
    [
        DOCUMENT + "statements:\n" + ONE + REST,
        DOCUMENT + "statements:\n" + REST + JUDGED,
        DOCUMENT.replace(f", sha256: {'b' * 64}", "") + "statements: []\n",
    ],
)
def test_one_encoded_sentence_beside_free_text_or_a_mere_alias_is_fine(tmp_path: Path, text: str) -> None:
    found = lent(tmp_path, text)
    assert [f.code for f in found.findings if f.level == "error"] == []


def test_what_is_encoded_in_part_or_only_recorded_is_counted_apart(tmp_path: Path) -> None:
    part = '  - {id: part, cite: "2", says: x, about: bets_together, then: allowed}\n'
    text = DOCUMENT.replace(", bets_together", "") + "statements:\n" + ONE + part + REST
    coverage = lent(tmp_path, text).coverage
    assert coverage is not None
    assert (coverage.encoded, coverage.in_part, coverage.recorded) == (1, 1, 2)
    assert coverage_words(coverage) == ("4 of 4 sentences: 1 encoded, 1 in part, 2 recorded only, 0 claimed, 0 silent")


@pytest.mark.parametrize(
    ("cite", "told"),
    [
        ('["7", "9", "10"]', "7, 9 and 10 are listed as silent, and cited too"),
        ('"8-10"', "8, 9 and 10 are listed as silent, and cited too"),
        ('"5"', "5 is listed as silent, and cited too"),
    ],
)
def test_a_sentence_is_stated_or_silent(plain_text: MakeText, cite: str, told: str) -> None:
    (found,) = errors_in(plain_text(tail=f"silent:\n  - {{cite: {cite}, because: heading}}\n"))
    assert (found.code, found.message) == ("stated-and-silent", told)


def test_a_claimed_sentence_is_not_silent_and_another_one_of_its_line_may_be(plain_text: MakeText) -> None:
    head = HEAD.replace("lines: 22", "lines: 23, sentences: {23: 2}")
    claim = "claims:\n  - {id: c, cite: '23.1', says: x, kind: not-checkable, because: x}\n"
    silent = "silent:\n  - {cite: '23.2', because: x}\n"
    assert codes(plain_text(head=head, tail=claim + silent)) == []
    assert codes(plain_text(head=head, tail=claim + silent.replace("23.2", "23"))) == ["stated-and-silent"]


# --- claims against themselves --------------------------------------------------------------------


def claimed(body: str) -> str:
    return f"claims:\n  - {{id: c, cite: '5', says: x, {body}}}\n"


@pytest.mark.parametrize(
    "body",
    [
        "kind: disputed, by: plain 3",
        "kind: same, as: plain",
        "kind: compare, measure: edge, of: tie, is: equal, than: tie",
        "kind: compare, measure: frequency, of: {winner: tie}, is: equal, than: {winner: tie}",
    ],
)
def test_a_claim_against_itself_is_an_error(plain_text: MakeText, body: str) -> None:
    assert codes(plain_text(add=SHOE, tail=claimed(body))) == ["self-claim"]


def test_another_rule_set_of_the_same_source_is_another_one(plain_text: MakeText) -> None:
    head = HEAD + TWO
    same = claimed("kind: same, as: plain/two, tables: [one]")
    assert codes(plain_text(head=head, tail=same)) == []
    (found,) = errors_in(plain_text(head=head, tail=same.replace(", tables: [one]", "")))
    assert (found.code, found.rules, found.help) == ("self-claim", "plain/two", "limit it with `tables: [one]`")


def test_another_bet_or_another_source_is_fine(plain_text: MakeText) -> None:
    assert (
        codes(plain_text(add=SHOE, tail=claimed("kind: compare, measure: edge, of: tie, is: more, than: player"))) == []
    )


# --- files of one name ----------------------------------------------------------------------------

HOUSE = DOCUMENT.replace("id: lent", "id: house") + "statements:\n" + ONE + REST


def house(folder: Path, *, text: str = HOUSE, name: str = "house", specs: list[Path] | None = None) -> list[str]:
    folder.mkdir(exist_ok=True)
    (folder / f"{name}.yaml").write_text(text, encoding="utf-8")
    spec = Library(specs or []).load(folder / f"{name}.yaml")
    return [f"{f.code}: {f.message}" for f in check_spec(spec).findings if f.level == "error"]


def changed_source(folder: Path, root: Path) -> None:
    folder.mkdir(exist_ok=True)
    text = (root / "specs" / "home-pt.yaml").read_text(encoding="utf-8")
    (folder / "home-pt.yaml").write_text(text.replace("title: Home training", "title: Another"), encoding="utf-8")


def test_a_file_beside_the_spec_in_place_of_a_shipped_one_is_told(tmp_path: Path, root: Path) -> None:
    changed_source(tmp_path, root)
    (told,) = house(tmp_path)
    assert told.startswith("shadowed: house extends home-pt: ")
    assert told.endswith("home-pt.yaml is taken, not specs/home-pt.yaml")
    assert house(tmp_path, specs=[tmp_path]) == []


def test_it_is_told_of_what_a_lender_borrows_too(tmp_path: Path, root: Path) -> None:
    changed_source(tmp_path, root)
    house(tmp_path)
    text = HOUSE.replace("id: house", "id: annex").replace("source: home-pt", "source: house")
    (told,) = house(tmp_path, text=text, name="annex")
    assert told.startswith("shadowed: annex extends house: ")
    assert house(tmp_path, text=text, name="annex", specs=[tmp_path]) == []


def test_a_copy_or_another_name_or_the_shipped_file_itself_is_fine(tmp_path: Path, root: Path) -> None:
    assert house(tmp_path) == []
    (tmp_path / "home-pt.yaml").write_bytes((root / "specs" / "home-pt.yaml").read_bytes())
    assert house(tmp_path) == []
    house(tmp_path, text=HOUSE.replace("id: house", "id: hall"), name="hall")
    assert house(tmp_path, text=HOUSE.replace("id: house", "id: annex").replace("home-pt", "hall"), name="annex") == []


# --- ranges ---------------------------------------------------------------------------------------


@pytest.mark.parametrize("cite", ["5-0", "5-4", "11-9"])
def test_a_range_that_runs_backwards_is_an_error_everywhere(plain_text: MakeText, cite: str) -> None:
    for text in (
        plain_text({"player": BLOCKS["player"].replace('cite: "5"', f'cite: "{cite}"')}),
        plain_text(tail=claimed("kind: not-checkable, because: x").replace("cite: '5'", f"cite: '{cite}'")),
        plain_text(tail=f"silent:\n  - {{cite: '{cite}', because: x}}\n"),
        plain_text(tail=claimed(f"kind: disputed, by: home-pt {cite}")),
    ):
        with pytest.raises(SpecError) as caught:
            read_spec_text(text)
        assert {problem.code for problem in caught.value.problems} == {"backwards-range"}

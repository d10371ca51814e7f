"""Coverage: what of a document a spec accounts for, and the document beside it, sentence by sentence."""

from __future__ import annotations

import hashlib
from pathlib import Path

import click
import pytest

from oracle.checks.coverage import check_coverage, coverage
from oracle.checks.document import citations, cited_sentences
from oracle.checks.run import check_spec
from oracle.report.check.document_text import document_text
from oracle.report.words.check_words import coverage_words
from oracle.rules.library import Library
from oracle.rules.model import Spec
from oracle.rules.read import read_spec_text
from oracle.rules.sentences import read_document
from oracle.spans import SpecError

DOCUMENT = """\
A small table

Ten cards count nothing. An ace counts one. The rest count their number.
The total is the last digit. Nobody goes bust.
- three: draws
- four: stands
House rules apply. Good luck! Come again.
"""
DIGEST = hashlib.sha256(DOCUMENT.encode()).hexdigest()

SPEC = f"""\
source: {{id: small, title: Small, language: en, sha256: {DIGEST}, lines: 7, sentences: {{3: 3, 4: 2, 7: 3}}, blank: 2}}
notation: {{odds: to-one, because: it speaks of profits, cite: "7.1"}}
statements:
  - id: values
    cite: ["3.1", "3.2"]
    says: what cards count
    about: card_points
    cases: [{{when: {{rank: [10, J, Q, K]}}, then: 0}}, {{cite: "3.2", when: {{rank: A}}, then: 1}}]
  - id: rows
    says: two rows
    about: banker_draw
    cases:
      - {{cite: "5", when: {{banker2: 3}}, then: draw}}
      - {{cite: "6", when: {{banker2: 4}}, then: stand}}
claims:
  - {{id: bust, cite: "4.2", says: nobody goes over, kind: not-checkable, because: a word}}
  - {{id: twice, cite: "3.1", says: tens are nothing, kind: not-checkable, because: said twice}}
silent:
  - {{cite: "1", because: heading}}
  - {{cite: "7.2", because: a wish}}
"""


@pytest.fixture
def spec() -> Spec:
    return read_spec_text(SPEC)


@pytest.fixture
def written(tmp_path: Path) -> Path:
    path = tmp_path / "small.txt"
    path.write_text(DOCUMENT, encoding="utf-8", newline="\n")
    return path


# --- counting -------------------------------------------------------------------------------------


def test_a_sentence_counts_for_the_first_that_cites_it(spec: Spec) -> None:
    """11 sentences: 3.1, 3.2, 5, 6, 7.1 stated; 4.2 claimed (3.1 is stated too); 1 and 7.2 silent."""
    found = coverage(spec)
    assert (found.sentences, found.encoded, found.claimed, found.silent) == (11, 5, 1, 2)
    assert found.unaccounted == ((3, 3), (4, 1), (7, 3))
    assert found.accounted == 8
    twice = read_spec_text(SPEC.replace('cite: "7.2", because', 'cite: ["3.1", "4.2", "7.2"], because'))
    assert coverage(twice) == found
    assert coverage_words(found) == "8 of 11 sentences: 5 encoded, 1 claimed, 2 silent, 3 unaccounted"


def test_what_nothing_cites_is_told_line_by_line(spec: Spec) -> None:
    found = [(f.code, f.level, f.status, f.subject, f.message) for f in check_coverage(spec)]
    assert found == [
        ("unaccounted", "error", "open", "3.3", "nothing cites line 3, sentence 3 of the document"),
        ("unaccounted", "error", "open", "4.1", "nothing cites line 4, sentence 1 of the document"),
        ("unaccounted", "error", "open", "7.3", "nothing cites line 7, sentence 3 of the document"),
    ]


@pytest.mark.parametrize(
    ("replaced", "by", "message"),
    [
        ('cite: "4.2"', 'cite: "4.1"', "line 4, sentence 2"),
        ('  - {cite: "1", because: heading}\n', "", "line 1"),
        ('  - {id: bust, cite: "4.2"', '  - {id: bust, cite: "3.3"', "line 4 (all 2 sentences)"),
        ('cite: "7.2", because', 'cite: "3", because', "line 7, sentences 2, 3"),
    ],
)
def test_how_a_hole_is_named(replaced: str, by: str, message: str) -> None:
    assert replaced in SPEC
    messages = [finding.message for finding in check_coverage(read_spec_text(SPEC.replace(replaced, by)))]
    assert f"nothing cites {message} of the document" in messages


def test_a_cite_of_a_line_covers_its_sentences() -> None:
    spec = read_spec_text(SPEC.replace('cite: ["3.1", "3.2"]', 'cite: "3"'))
    assert coverage(spec).unaccounted == ((4, 1), (7, 3))


def test_a_spec_without_a_document_has_nothing_to_cover() -> None:
    spec = read_spec_text(SPEC.replace(f" sha256: {DIGEST},", ""))
    assert list(check_coverage(spec)) == []
    assert check_spec(spec).coverage is None


def test_borrowed_statements_account_for_nothing_here(tmp_path: Path) -> None:
    """Their lines are those of the document that they come from."""
    text = f"""\
source: {{id: lent, title: Lent, language: en, sha256: {DIGEST}, lines: 60}}
extends: {{source: home-pt, questions: [card_points, hand_total]}}
statements: [{{id: decks, cite: "2", says: one, about: decks, then: 1}}]
"""
    (tmp_path / "lent.yaml").write_text(text, encoding="utf-8")
    spec = Library([tmp_path]).spec("lent")
    assert coverage(spec).encoded == 1
    assert set(citations(spec)) == {(2, 1)}


@pytest.mark.parametrize("id", ["grid-pt", "home-pt", "punto-es", "selminha"])
def test_every_sentence_of_the_four_documents_is_accounted_for(library: Library, id: str) -> None:
    found = coverage(library.spec(id))
    assert found.unaccounted == ()
    stated = found.encoded + found.in_part + found.recorded
    assert stated + found.claimed + found.silent == found.sentences
    assert found.recorded <= 3 < found.encoded


def test_the_four_documents_have_as_many_sentences_as_a_reader_counts(library: Library) -> None:
    """Lines that aren't blank, and what their extra sentences add, from the documents."""
    counts = {id: coverage(library.spec(id)).sentences for id in ("grid-pt", "home-pt", "punto-es", "selminha")}
    assert counts == {"grid-pt": 68, "home-pt": 86, "punto-es": 28, "selminha": 103}


# --- beside the document --------------------------------------------------------------------------


def test_each_sentence_stands_beside_what_cites_it(spec: Spec, written: Path) -> None:
    sentences = cited_sentences(spec, read_document(written))
    assert [sentence.cite for sentence in sentences] == [
        "1", "3.1", "3.2", "3.3", "4.1", "4.2", "5", "6", "7.1", "7.2", "7.3",
    ]  # fmt: skip
    cited = {s.cite: [(c.kind, c.id, c.says, c.answers) for c in s.citations] for s in sentences}
    assert cited["1"] == [("silent", "", "heading", ())]
    zero = "card_points: 0 where rank: [10, J, Q, K]"
    assert cited["3.1"] == [
        ("statement", "values", "what cards count", (zero,)),
        ("claim", "twice", "tens are nothing", ()),
    ]
    assert cited["3.2"] == [("statement", "values", "what cards count", (zero, "card_points: 1 where rank: A"))]
    assert cited["5"] == [("statement", "rows", "two rows", ("banker_draw: draw where banker2: 3",))]
    assert cited["7.1"] == [("notation", "to-one", "it speaks of profits", ())]
    assert [cited[place] for place in ("3.3", "4.1", "7.3")] == [[], [], []]


def test_the_text_shows_the_sentence_its_cite_and_every_hole(spec: Spec, written: Path) -> None:
    document = read_document(written)
    text = click.unstyle(document_text(document, cited_sentences(spec, document)))
    assert "\n\n3.1  Ten cards count nothing.\n     statement  values: what cards count\n" in text
    assert "\n7.2  Good luck!\n     silent     a wish\n" in text
    assert text.count("nothing cites this") == 3
    assert text.endswith("7.3  Come again.\n     nothing cites this")


def test_control_characters_of_the_document_are_escaped(spec: Spec, written: Path) -> None:
    text = DOCUMENT.replace("A small", "A \x1b[31msmall")
    written.write_text(text, encoding="utf-8")
    changed = SPEC.replace(DIGEST, hashlib.sha256(text.encode()).hexdigest())
    document = read_document(written)
    shown = click.unstyle(document_text(document, cited_sentences(read_spec_text(changed), document)))
    assert "\x1b" not in shown
    assert "A \\x1b[31msmall table" in shown


# --- another copy ---------------------------------------------------------------------------------


def differences(spec: Spec, path: Path) -> list[tuple[str, str, str]]:
    with pytest.raises(SpecError) as caught:
        cited_sentences(spec, read_document(path))
    return [(p.code, p.message.replace(str(path), "FILE"), p.help) for p in caught.value.problems]


def test_one_changed_letter_makes_another_document(spec: Spec, written: Path) -> None:
    text = DOCUMENT.replace("one", "two")
    written.write_text(text, encoding="utf-8", newline="\n")
    ((code, message, help),) = differences(spec, written)
    assert (code, message) == ("other-document", "the spec is about another copy than FILE")
    assert help == f"the spec's is {DIGEST}, this one's {hashlib.sha256(text.encode()).hexdigest()}"


@pytest.mark.parametrize(
    "change",
    [
        lambda data: data.replace(b"\n", b"\r\n"),
        lambda data: data.rstrip(b"\n"),
        lambda data: b"\xef\xbb\xbf" + data,
    ],
    ids=["carriage returns", "no last line end", "byte order mark"],
)
def test_a_copy_that_ends_its_lines_otherwise_is_another_but_told(spec: Spec, written: Path, change: object) -> None:
    assert callable(change)
    written.write_bytes(change(DOCUMENT.encode()))
    ((code, _, help),) = differences(spec, written)
    assert code == "other-document"
    assert help.startswith("the copies differ in nothing but how lines end; ")


def test_a_spec_that_names_no_document_is_told_the_digest(written: Path) -> None:
    spec = read_spec_text(SPEC.replace(f" sha256: {DIGEST},", ""))
    ((code, message, help),) = differences(spec, written)
    assert (code, message) == ("no-digest", "the spec doesn't say which document it is about")
    assert help.endswith(f"has sha256: {DIGEST}")


def test_wrong_counts_are_all_told(written: Path) -> None:
    head = "sentences: {3: 3, 4: 2, 7: 3}, blank: 2"
    wrong = SPEC.replace("lines: 7", "lines: 8").replace(head, "sentences: {1: 2, 3: 4, 7: 3}, blank: 6")
    wrong = wrong.replace('cite: "6"', 'cite: "2"').replace('cite: "4.2"', 'cite: "4"')
    found = differences(read_spec_text(wrong), written)
    assert {code for code, _, _ in found} == {"other-count"}
    assert {message: help for _, message, help in found} == {
        "FILE has 7 lines, the spec says 8": "write lines: 7",
        "line 1 has 1 sentence, the spec says 2 sentences": "take 1 out of `sentences` and `blank`",
        "line 2 has 0 sentences, the spec says 1 sentence": "list 2 under `blank`",
        "line 3 has 3 sentences, the spec says 4 sentences": "write 3: 3 in `sentences`",
        "line 4 has 2 sentences, the spec says 1 sentence": "write 4: 2 in `sentences`",
        "line 6 has 1 sentence, the spec says 0 sentences": "take 6 out of `sentences` and `blank`",
    }

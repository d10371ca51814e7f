"""How a document counts: lines from 1, sentences within a line. A cite must mean the same to everybody."""

from __future__ import annotations

import hashlib
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from oracle.rules.sentences import read_document, split_sentences
from oracle.spans import OracleError


@pytest.mark.parametrize(
    ("line", "sentences"),
    [
        ("", []),
        ("  \t ", []),
        ("Winning", ["Winning"]),
        ("  Both stand.  ", ["Both stand."]),
        ("Both stand. The higher wins.", ["Both stand.", "The higher wins."]),
        ("Really?! Yes… Always.", ["Really?!", "Yes…", "Always."]),
        ('He says "stand." Then he draws.', ['He says "stand."', "Then he draws."]),
        ("«Fica.» Depois compra.", ["«Fica.»", "Depois compra."]),
        ("(It stands.) It draws.", ["(It stands.)", "It draws."]),
        # White space has to follow, and words.
        ("It pays 0.95:1 on the bank", ["It pays 0.95:1 on the bank"]),
        ("See punto.example for more", ["See punto.example for more"]),
        ("Stand. !", ["Stand. !"]),
        ("Stand .", ["Stand ."]),
        # The number of a line or paragraph ends nothing, the number at the end of a sentence does.
        ("1. Aim", ["1. Aim"]),
        ("12. Aim. Cards.", ["12. Aim.", "Cards."]),
        ("1) Aim. Cards", ["1) Aim.", "Cards"]),
        ("It stands on 7. It draws on 5.", ["It stands on 7.", "It draws on 5."]),
        ("7? Stand.", ["7?", "Stand."]),
        ("2026... it was.", ["2026...", "it was."]),
        # As a table of a plain text has it.
        ("| 3 | anything but 8. | draws |", ["| 3 | anything but 8.", "| draws |"]),
        ("٣. Aim", ["٣. Aim"]),
    ],
)
def test_a_line_is_cut_where_a_sentence_ends(line: str, sentences: list[str]) -> None:
    assert split_sentences(line) == sentences


@settings(deadline=None)
@given(st.text(alphabet='ab 1.!?…)"»\t\xa0', max_size=40))
def test_nothing_is_lost_and_nothing_is_empty(line: str) -> None:
    found = split_sentences(line)
    assert "".join("".join(found).split()) == "".join(line.split())
    assert all(sentence.strip() == sentence and sentence for sentence in found)
    assert bool(found) == bool(line.strip())


@settings(deadline=None)
@given(st.lists(st.sampled_from(["Both stand.", "Who wins?", "He draws!", "The rest…"]), min_size=1, max_size=8))
def test_sentences_put_together_come_apart_again(sentences: list[str]) -> None:
    assert split_sentences(" ".join(sentences)) == sentences


@pytest.mark.parametrize("unit", [". ", ".", '.")', "a. ", "?   "])
def test_a_million_marks_in_one_line_are_no_trap(unit: str) -> None:
    """They took square time once: hours for this."""
    line = "a" + unit * (1_000_000 // len(unit))
    assert "".join(split_sentences(line)).startswith("a" + unit.strip()[:1])


# --- files ----------------------------------------------------------------------------------------


def write(tmp_path: Path, data: bytes) -> Path:
    path = tmp_path / "rules.txt"
    path.write_bytes(data)
    return path


@pytest.mark.parametrize(
    ("data", "lines"),
    [
        (b"", ()),
        (b"one", ("one",)),
        (b"one\n", ("one",)),
        (b"one\n\n", ("one", "")),
        (b"one\ntwo", ("one", "two")),
        (b"one\r\ntwo\r\n", ("one", "two")),
        (b"one\rtwo\r", ("one", "two")),
        (b"\xef\xbb\xbfone\n", ("one",)),
        # Neither a form feed nor a Unicode line separator ends a line: editors would count otherwise.
        (b"one\x0ctwo\xe2\x80\xa8three\n", ("one\x0ctwo\u2028three",)),
    ],
)
def test_lines_are_counted_as_the_file_has_them(tmp_path: Path, data: bytes, lines: tuple[str, ...]) -> None:
    document = read_document(write(tmp_path, data))
    assert document.lines == lines
    assert document.sha256 == hashlib.sha256(data).hexdigest(), "of the bytes, whatever they mean"


def test_a_place_gives_its_text(tmp_path: Path) -> None:
    document = read_document(write(tmp_path, b"Aim\n  Both stand. The higher wins.\n"))
    assert document.sentences(2) == ["Both stand.", "The higher wins."]
    assert document.text(2) == "Both stand. The higher wins."
    assert document.text(2, 2) == "The higher wins."
    assert [document.text(2, 3), document.text(0), document.text(3)] == ["", "", ""]


def test_what_is_no_text_is_refused(tmp_path: Path) -> None:
    with pytest.raises(OracleError, match="byte 4 is not UTF-8; convert the document to UTF-8 text"):
        read_document(write(tmp_path, "mesa é".encode("latin-1")[:4] + b"\xe9 aberta"))
    with pytest.raises(OracleError, match=r"nowhere\.txt: no such file; give the document's text as a UTF-8 file"):
        read_document(tmp_path / "nowhere.txt")
    with pytest.raises(OracleError, match="no such file"):
        read_document(tmp_path)
    with pytest.raises(OracleError, match=r"a\\x00b"):
        read_document(Path("a\0b"))
    with pytest.raises(OracleError, match="larger than 20,000,000 bytes"):
        read_document(write(tmp_path, b"x" * 20_000_001))

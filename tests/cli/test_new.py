"""`new`: a spec to fill in, that loads at once, and tells every sentence of the document."""

from __future__ import annotations

import hashlib
import json
from pathlib import Path

import jsonschema
import pytest
import yaml
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from oracle.cli import run
from oracle.report.check.new_spec import new_spec
from oracle.rules.read import read_spec, read_spec_text
from oracle.rules.schema import spec_schema
from oracle.rules.sentences import Document, split_sentences
from oracle.spans import OracleError

DOCUMENT = """\
Harbour rules

An ace counts one. Tens count nothing.


- both: stand.
"""


@pytest.fixture
def document(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    path = tmp_path / "harbour.txt"
    path.write_text(DOCUMENT, encoding="utf-8", newline="\n")
    return path


def made(capsys: pytest.CaptureFixture[str], *args: str) -> str:
    assert run(["new", "harbour.txt", "--id", "harbour", "--language", "en", *args]) == 0
    return capsys.readouterr().out


def refused(capsys: pytest.CaptureFixture[str], *args: str) -> str:
    assert run(["new", *args]) == 2
    out, err = capsys.readouterr()
    assert out == ""
    assert "Traceback" not in err
    return err


def document_of(*lines: str) -> Document:
    return Document("x.txt", hashlib.sha256("\n".join(lines).encode()).hexdigest(), lines)


def listed(text: str) -> list[tuple[str, str]]:
    """The sentences that a new spec lists, with their cites, put together again from its comments."""
    found: list[list[str]] = []
    for line in text.partition("statements: []")[2].splitlines()[1:]:
        body = line.removeprefix("#").rstrip()
        if body[1:2].strip() and "." in body.partition("  ")[0] + "." and body[1].isdigit():
            cite, _, words = body[1:].partition("  ")
            found.append([cite, words.strip()])
        elif found and body.strip():
            found[-1][1] += f" {body.strip()}"
    return [(cite, words) for cite, words in found if words]


# --- what it writes -------------------------------------------------------------------------------


def test_the_head_is_the_document_counted(capsys: pytest.CaptureFixture[str], document: Path) -> None:
    spec = read_spec_text(made(capsys, "--title", "House rules: the harbour"))
    source = spec.source
    assert (source.id, source.title, source.language) == ("harbour", "House rules: the harbour", "en")
    assert source.sha256 == hashlib.sha256(DOCUMENT.encode()).hexdigest()
    assert source.lines == 6
    assert [source.sentences_of(line) for line in range(1, 7)] == [1, 0, 2, 0, 0, 1]
    assert spec.statements == ()


def test_every_sentence_stands_after_its_cite(capsys: pytest.CaptureFixture[str], document: Path) -> None:
    text = made(capsys)
    assert "# 4 sentences\n" in text
    assert listed(text)[-4:] == [
        ("1", "Harbour rules"),
        ("3.1", "An ace counts one."),
        ("3.2", "Tens count nothing."),
        ("6", "- both: stand."),
    ]


def test_check_finds_every_sentence_unaccounted_and_the_gaps(
    capsys: pytest.CaptureFixture[str], document: Path
) -> None:
    made(capsys, "--out", "harbour.yaml")
    args = ["check", "harbour.yaml", "--document", "harbour.txt", "--solvers", "none", "--format", "json"]
    assert run(args) == 1
    payload = json.loads(capsys.readouterr().out)
    codes = [(f["code"], f["subject"] or f["question"]) for f in payload["findings"]]
    assert [subject for code, subject in codes if code == "unaccounted"] == ["1", "3", "6"]
    (counted,) = payload["coverage"]
    assert counted["unaccounted"] == ["1.1", "3.1", "3.2", "6.1"]
    assert (counted["sentences"], counted["encoded"]) == (4, 0)
    assert {f["question"] for f in payload["findings"] if f["code"] == "gap"} == {"card_points", "deal_order"}
    assert [entry["cited_by"] for entry in payload["document"]] == [[], [], [], []]


def test_the_advice_in_it_works(capsys: pytest.CaptureFixture[str], document: Path) -> None:
    """The statement and the silent entry of its comments, uncommented, load."""
    text = made(capsys)
    advice = [line.removeprefix("#   ") for line in text.splitlines() if line.startswith("#   ")]
    head = text.partition("\n#")[0]
    spec = read_spec_text(head + "\n" + "\n".join(advice).partition("\n  silent")[0].partition("\n  1 ")[0])
    assert [clause.question for clause in spec.clauses] == ["player_draw"]


def test_editors_accept_it(capsys: pytest.CaptureFixture[str], document: Path) -> None:
    node = yaml.load(made(capsys), yaml.BaseLoader)
    assert list(jsonschema.Draft202012Validator(spec_schema()).iter_errors(node)) == []


def test_lines_are_not_endless(capsys: pytest.CaptureFixture[str], document: Path) -> None:
    document.write_text(f"{'tango ' * 100}.\n{'x' * 5000}\n" + "\n\n".join("abc"), encoding="utf-8")
    text = made(capsys)
    assert max(len(line) for line in text.splitlines()) <= 110
    assert "…" in text
    assert text.count("tango") == 100
    assert text.count("x") < 700


# --- where it writes ------------------------------------------------------------------------------


def test_out_says_what_comes_next(capsys: pytest.CaptureFixture[str], document: Path) -> None:
    whole = made(capsys)
    assert run(["new", "harbour.txt", "--id", "harbour", "--language", "en", "--out", "my spec.yaml"]) == 0
    out, err = capsys.readouterr()
    assert out == ""
    assert err == ("wrote my spec.yaml\nnext: baccarat-oracle check 'my spec.yaml' --document harbour.txt\n")
    assert Path("my spec.yaml").read_text(encoding="utf-8") == whole


def test_nothing_is_overwritten(capsys: pytest.CaptureFixture[str], document: Path) -> None:
    args = ("harbour.txt", "--id", "harbour", "--language", "en", "--out")
    Path("mine.yaml").write_text("mine", encoding="utf-8")
    assert "mine.yaml exists already, and `new` overwrites nothing" in refused(capsys, *args, "mine.yaml")
    assert Path("mine.yaml").read_text(encoding="utf-8") == "mine"
    assert "harbour.txt exists already" in refused(capsys, *args, "harbour.txt")
    assert document.read_text(encoding="utf-8") == DOCUMENT
    assert "no/such.yaml: can't be written: No such file or directory" in refused(capsys, *args, "no/such.yaml")
    assert "exists already" in refused(capsys, *args, ".")


@pytest.mark.parametrize(
    ("args", "message"),
    [
        (["nowhere.txt", "--id", "a", "--language", "en"], "nowhere.txt: no such file"),
        (["harbour.txt", "--id", "Harbour", "--language", "en"], "`Harbour` is no id"),
        (["harbour.txt", "--id", "a/b", "--language", "en"], "`a/b` is no id"),
        (["harbour.txt", "--id", "\x1b", "--language", "en"], "`\\x1b` is no id"),
        (
            ["harbour.txt", "--id", "a", "--language", "en: {x"],
            "`en: {x` is no language tag: write one as en, or pt-BR",
        ),
        (["harbour.txt", "--id", "a", "--language", ""], "`` is no language tag"),
        (["harbour.txt", "--language", "en"], "Missing option '--id'"),
        (["harbour.txt", "--id", "a"], "Missing option '--language'"),
        (["--id", "a", "--language", "en"], "Missing argument 'DOCUMENT'"),
    ],
)
def test_what_it_refuses(capsys: pytest.CaptureFixture[str], document: Path, args: list[str], message: str) -> None:
    assert message in refused(capsys, *args)


def test_a_document_without_words_or_with_too_many() -> None:
    for lines in ((), ("", "  "), ("\x0c",)):
        with pytest.raises(OracleError, match="there is nothing in it"):
            new_spec(document_of(*lines), source="a", language="en")
    with pytest.raises(OracleError, match=r"line 2 has 1,001 sentences.*break it into lines"):
        new_spec(document_of("One.", "Two. " * 1001), source="a", language="en")
    with pytest.raises(OracleError, match=r"larger than 1,000,000 bytes; cut the document down"):
        new_spec(document_of(*["a word or two here"] * 60_000), source="a", language="en")


@pytest.mark.parametrize("language", ["en", "pt-BR", "no", "zh-Hant-TW", "de-1996"])
def test_a_language_tag_stays_what_it_is(language: str) -> None:
    """Also `no`, which is Norwegian."""
    spec = read_spec_text(new_spec(document_of("Aim"), source="a", language=language))
    assert spec.source.language == language


# --- whatever the document is ---------------------------------------------------------------------


@settings(max_examples=200, deadline=None, suppress_health_check=[HealthCheck.too_slow])
@given(st.lists(st.text(max_size=60), min_size=1, max_size=12), st.text(max_size=40))
def test_any_text_makes_a_spec_that_loads_and_counts_it(lines: list[str], title: str) -> None:
    """Nothing in a document breaks out of its comments, or a title out of its quotes."""
    lines = [line.replace("\n", " ").replace("\r", " ") for line in lines]
    if not any(split_sentences(line) for line in lines):
        return
    text = new_spec(document_of(*lines), source="wild", language="en", title=title)
    spec = read_spec_text(text)
    assert spec.source.lines == len(lines)
    for number, line in enumerate(lines, start=1):
        assert spec.source.sentences_of(number) == len(split_sentences(line))
    assert spec.statements == ()
    assert spec.silent == ()
    assert all(character.isprintable() or character == "\n" for character in text)


@pytest.mark.parametrize(
    "line",
    [
        "# not a comment of its own",
        "\x1b[31mred\x07 and \x00 nothing",
        "statements: [{id: evil}]",
        "\u2028statements: x",
        "\x85source: {}",
        "right to left \u202e over",
        "\ufeffmark",
        "--- !tag &anchor *alias",
        '"quoted" \\ back',
        "\U0001f0a1 card",
    ],
)
def test_hostile_lines_stay_in_their_comment(tmp_path: Path, line: str) -> None:
    path = tmp_path / "wild.yaml"
    path.write_text(new_spec(document_of("Aim", line), source="wild", language="en", title=line), encoding="utf-8")
    spec = read_spec(path)
    assert (spec.id, spec.source.lines, spec.statements) == ("wild", 2, ())
    assert spec.source.title

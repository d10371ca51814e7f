"""`check SPEC --document FILE`, and what `check` tells of coverage and claims."""

from __future__ import annotations

import hashlib
import json
from pathlib import Path
from typing import Any

import pytest

from oracle.cli import run
from oracle.rules.library import Library
from tests.nonempty import nonempty

DOCUMENT = "Harbour rules\nAn ace counts one. Tens count nothing.\nLook it up: \u202emirrored\n" + "word " * 60 + "\n"
SPEC = """\
source: {{id: harbour, title: Harbour, language: en, sha256: {digest}, lines: 4, sentences: {{2: 2}}}}
extends: {{source: home-pt, questions: [hand_total, deal_order, natural, player_draw, banker_draw, winner]}}
statements:
  - {{id: ace, cite: "2.1", says: an ace is one, about: card_points, when: {{rank: A}}, then: 1}}
resolutions:
  - {{id: faces, about: card_points, when: {{rank: 2-9}}, then: face, because: as everywhere}}
  - {{id: zeros, about: card_points, when: {{rank: [10, J, Q, K]}}, then: 0, because: as everywhere}}
silent: [{{cite: "1", because: heading}}, {{cite: "4", because: nothing but words}}]
claims:
  - {{id: seven-and-eight, cite: "2.2", says: makes five, kind: arithmetic, cards: 7 8, sum: 15, total: 5}}
  - {{id: nine-and-nine, cite: "2.2", says: makes nine, kind: arithmetic, cards: 9 9, sum: 18, total: 9}}
  - {{id: advice, cite: "2.2", says: look it up, kind: not-checkable, because: advice}}
"""


@pytest.fixture
def spec(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> str:
    monkeypatch.chdir(tmp_path)
    Path("harbour.txt").write_text(DOCUMENT, encoding="utf-8", newline="\n")
    digest = hashlib.sha256(DOCUMENT.encode()).hexdigest()
    Path("harbour.yaml").write_text(SPEC.format(digest=digest), encoding="utf-8")
    return "harbour.yaml"


def text(capsys: pytest.CaptureFixture[str], *args: str) -> str:
    assert run(["check", *args, "--solvers", "none"]) == 1
    return capsys.readouterr().out


def refused(capsys: pytest.CaptureFixture[str], *args: str) -> str:
    assert run(["check", *args, "--solvers", "none"]) == 2
    out, err = capsys.readouterr()
    assert out == ""
    assert "Traceback" not in err
    return err


def test_each_sentence_is_printed_with_what_cites_it(capsys: pytest.CaptureFixture[str], spec: str) -> None:
    out = text(capsys, spec, "--document", "harbour.txt")
    assert out.startswith("harbour.txt: the copy that the spec is about, 4 lines, 5 sentences\n\n1    Harbour rules\n")
    assert "2.1  An ace counts one.\n     statement  ace: an ace is one\n" in out
    assert "                  card_points: 1 where rank: A\n" in out
    assert "2.2  Tens count nothing.\n     claim      seven-and-eight: makes five\n" in out
    assert "3    Look it up: \\u202emirrored\n     nothing cites this\n" in out
    assert "error[unaccounted]: nothing cites line 3 of the document" in out, "and then the check itself"
    assert max(len(line) for line in out.splitlines()) <= 80


def test_the_same_as_json(capsys: pytest.CaptureFixture[str], spec: str) -> None:
    payload = json.loads(text(capsys, spec, "--document", "harbour.txt", "--format", "json"))
    by_cite = {entry["cite"]: entry for entry in payload["document"]}
    assert list(by_cite) == ["1", "2.1", "2.2", "3", "4"]
    assert by_cite["2.1"]["text"] == "An ace counts one."
    assert by_cite["2.1"]["cited_by"] == [
        {"kind": "statement", "id": "ace", "says": "an ace is one", "answers": ["card_points: 1 where rank: A"]}
    ]
    assert by_cite["3"]["cited_by"] == []
    without: dict[str, Any] = json.loads(text(capsys, spec, "--format", "json"))
    assert "document" not in without


def test_another_copy_ends_in_2(capsys: pytest.CaptureFixture[str], spec: str) -> None:
    Path("harbour.txt").write_text(DOCUMENT.replace("ace", "eight"), encoding="utf-8")
    err = refused(capsys, spec, "--document", "harbour.txt")
    assert "harbour.yaml:1:14: error[other-document]: the spec is about another copy than harbour.txt" in err
    Path("harbour.txt").write_text(DOCUMENT, encoding="utf-8", newline="\r\n")
    assert "differ in nothing but how lines end" in refused(capsys, spec, "--document", "harbour.txt")


def test_wrong_counts_end_in_2(capsys: pytest.CaptureFixture[str], spec: str) -> None:
    path = Path(spec)
    path.write_text(
        path.read_text(encoding="utf-8").replace("lines: 4, sentences: {2: 2}", "lines: 5, sentences: {2: 3}")
    )
    err = refused(capsys, spec, "--document", "harbour.txt")
    assert "error[other-count]: harbour.txt has 4 lines, the spec says 5" in err
    assert "error[other-count]: line 2 has 2 sentences, the spec says 3 sentences" in err


@pytest.mark.parametrize(
    ("specs", "message"),
    [
        ([], "--document goes with one SPEC"),
        (["home-pt", "grid-pt"], "--document goes with one SPEC"),
        (["home-pt"], "nowhere.txt: no such file"),
    ],
)
def test_one_spec_and_one_document(
    capsys: pytest.CaptureFixture[str], spec: str, specs: list[str], message: str
) -> None:
    assert message in refused(capsys, *specs, "--document", "nowhere.txt")


# --- coverage and claims --------------------------------------------------------------------------


def test_coverage_and_claims_are_counted(capsys: pytest.CaptureFixture[str], spec: str) -> None:
    """Five sentences: 2.1 stated, 2.2 claimed, 1 and 4 silent, 3 forgotten. 9 and 9 make eight."""
    out = text(capsys, spec)
    assert "\n  claims: 1 verified, 1 refuted, 1 not-checkable\n" in out
    assert "\n  coverage: 4 of 5 sentences: 1 encoded, 1 claimed, 2 silent, 1 unaccounted\n" in out
    assert "seven-and-eight" not in out
    assert "claims:" not in text(capsys, spec, "--no-claims")


def test_all_shows_each_claim_with_its_evidence(capsys: pytest.CaptureFixture[str], spec: str) -> None:
    out = text(capsys, spec, "--all")
    assert "\n    verified      seven-and-eight (line 2.2): sum 15, total 5\n" in out
    assert "\n    refuted       nine-and-nine (line 2.2): the total is 8, not 9\n" in out
    assert "\n    not-checkable advice (line 2.2): advice\n" in out
    assert "\n                    of the text alone open: card_points is undecided for rank 7:" in out


def test_json_tells_coverage_and_both_judgements_of_each_claim(capsys: pytest.CaptureFixture[str], spec: str) -> None:
    payload = json.loads(text(capsys, spec, "--format", "json"))
    assert payload["coverage"] == [
        {
            "source": "harbour",
            "sentences": 5,
            "encoded": 1,
            "in_part": 0,
            "recorded": 0,
            "claimed": 1,
            "silent": 2,
            "unaccounted": ["3.1"],
        }
    ]
    claims = {claim["id"]: claim for claim in payload["claims"]}
    assert list(claims) == ["seven-and-eight", "nine-and-nine", "advice"]
    judged = claims["nine-and-nine"]
    assert judged["resolved"] == {"verdict": "refuted", "evidence": "the total is 8, not 9"}
    assert judged["literal"]["verdict"] == "open"
    assert (judged["kind"], judged["document_lines"], judged["rules"]) == ("arithmetic", ["2.2"], "harbour")


def test_the_report_has_every_claim_and_the_coverage(library: Library, root: Path) -> None:
    report = (root / "reports" / "checks.md").read_text(encoding="utf-8")
    for spec in nonempty(library.specs()):
        part = report[report.index(f"## {spec.id}: ") :].partition("\n## ")[0]
        assert "Coverage of the document: " in part
        for claim in nonempty(spec.claims):
            rows = [line for line in part.splitlines() if line.startswith(f"| `{claim.id}` |")]
            assert rows, claim.id
            assert all(row.count(" | ") == (6 if len(spec.rule_sets) > 1 else 5) for row in rows)

"""What tests of findings share: checking a text, and picking one finding out."""

from __future__ import annotations

from pathlib import Path

from oracle.checks.claim_context import ClaimContext
from oracle.checks.finding import Finding
from oracle.checks.run import SpecReport, Verdict, check_spec
from oracle.rules.library import Library
from oracle.rules.questions import COUP_QUESTIONS
from oracle.rules.read import read_spec_text

HALF = """\
  - id: pays
    cite: "20"
    says: x
    readings:
      even: {about: pays, then: "1:1"}
      half: {about: pays, when: {bet: banker}, then: "1:2"}
"""
"""A statement that can be read in two ways: even money, or half of it on the banker."""

DECKS = "  - {id: decks, cite: '22', says: x, about: decks, then: 8}\n"
SHUFFLED = "  - {id: shuffled, cite: '22', says: x, about: reshuffle, when: {remaining: '<= 50'}, then: shuffle}\n"
SHOE = DECKS + SHUFFLED
TWO = "rule_sets: {one: {title: One}, two: {title: Two}}\n"


def report(text: str) -> SpecReport:
    """What the checks find about a coup and its bets."""
    return check_spec(read_spec_text(text, name="plain.yaml"), questions=COUP_QUESTIONS)


def errors(checked: SpecReport) -> list[Finding]:
    return [finding for finding in checked.findings if finding.level == "error"]


def only(text: str, code: str) -> Finding:
    """The one error that a text has, of this code."""
    found = errors(report(text))
    assert [finding.code for finding in found] == [code]
    return found[0]


def note(text: str, code: str, subject: str) -> Finding:
    (found,) = (f for f in report(text).findings if f.code == code and f.subject == subject)
    assert found.level == "note"
    return found


def place(text: str, piece: str, *, after: str = "") -> str:
    """Line and column, from 1, of a piece of a text."""
    offset = text.index(piece, text.index(after) if after else 0)
    line = text.count("\n", 0, offset) + 1
    return f"{line}:{offset - text.rfind(chr(10), 0, offset)}"


def at(finding: Finding) -> str:
    return f"{finding.span.line}:{finding.span.column}"


def verdict(checked: SpecReport, question: str, rules: str = "") -> Verdict:
    return next(v for v in checked.verdicts if v.question == question and rules in ("", v.rules))


def checked(text: str) -> SpecReport:
    """What the checks find about all questions, with claims."""
    spec = read_spec_text(text, name="plain.yaml")
    return check_spec(spec, context=ClaimContext([spec]))


def errors_in(text: str, *, status: str = "open") -> list[Finding]:
    return [finding for finding in errors(checked(text)) if finding.status == status]


def lent(tmp_path: Path, text: str) -> SpecReport:
    """What the checks find in a spec that may borrow from the shipped ones."""
    (tmp_path / "lent.yaml").write_text(text, encoding="utf-8")
    spec = Library([tmp_path]).spec("lent")
    return check_spec(spec, context=ClaimContext([spec]))


def codes(text: str) -> list[str]:
    """The codes of open errors."""
    return [finding.code for finding in errors_in(text)]


def resolutions(*entries: str) -> str:
    return "resolutions:\n" + "".join(f"  - {{{entry}, because: x}}\n" for entry in entries)

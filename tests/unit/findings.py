"""What tests of findings share: checking a text, and picking one finding out."""

from __future__ import annotations

from oracle.checks.finding import Finding
from oracle.checks.run import SpecReport, Verdict, check_spec
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

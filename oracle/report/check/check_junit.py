"""`check` as JUnit XML: a test case for each question and claim of each rule set, and one for every engine's word."""

from __future__ import annotations

from collections.abc import Sequence
from xml.etree import ElementTree as ET

from oracle.checks.engines import CheckResult
from oracle.checks.finding import Finding
from oracle.checks.run import SpecReport
from oracle.report.words.check_words import verdict_words, where_words
from oracle.text import printable

_MAX_TEXT = 4000


def check_junit(result: CheckResult) -> str:
    """The XML text. Control characters, which XML can't hold, are escaped as everywhere."""
    root = ET.Element("testsuites")
    for report in result.reports:
        for rules in report.rule_sets:
            root.append(_suite(report, rules))
    root.append(_engines(result))
    for suite in root:
        cases = suite.findall("testcase")
        suite.set("tests", str(len(cases)))
        for tag, count in (("failures", "failure"), ("errors", "error"), ("skipped", "skipped")):
            suite.set(tag, str(sum(1 for case in cases if case.find(count) is not None)))
    ET.indent(root)
    return '<?xml version="1.0" encoding="utf-8"?>\n' + ET.tostring(root, encoding="unicode") + "\n"


def _suite(report: SpecReport, rules: str) -> ET.Element:
    suite = ET.Element("testsuite", name=_text(f"baccarat-oracle {rules}"))
    open_ = [f for f in report.findings if f.rules == rules and f.level == "error" and f.status == "open"]
    told: set[int] = set()
    for verdict in report.verdicts:
        if verdict.rules != rules:
            continue
        case = _case(suite, rules, f"{verdict.question}: {verdict_words(verdict)}")
        _fail(case, [f for f in open_ if f.question == verdict.question], told)
        if verdict.verdict in ("unknown", "skipped"):
            ET.SubElement(case, "error", message=_text(verdict.reason or verdict.verdict))
    for claim in (entry for entry in report.claims if entry.rules == rules):
        case = _case(suite, rules, f"claim {claim.claim.id}: {claim.resolved.verdict}")
        _fail(case, [f for f in open_ if not f.question and f.subject == claim.claim.id], told)
        if claim.resolved.verdict == "skipped":
            ET.SubElement(case, "error", message=_text(claim.resolved.evidence))
    for entry in (entry for entry in report.invariants if entry.rules == rules):
        _case(suite, rules, f"invariant {entry.name}: {entry.verdict}")
    rest = _case(suite, rules, "nothing else is open")
    _fail(rest, [f for f in open_ if id(f) not in told], told)
    return suite


def _engines(result: CheckResult) -> ET.Element:
    """A case for all engines: without any it is skipped, since then enumeration stands alone."""
    suite = ET.Element("testsuite", name="baccarat-oracle engines")
    case = _case(suite, "engines", f"they agree on {result.agreed} of {result.properties} properties")
    if result.disagreements:
        told = ET.SubElement(case, "error", message=_text(result.disagreements[0]))
        told.text = _text("\n".join(result.disagreements))
    elif len(result.engines) < 2:
        ET.SubElement(case, "skipped", message="no solver was asked")
    return suite


def _fail(case: ET.Element, findings: Sequence[Finding], told: set[int]) -> None:
    """One failure for all open findings: JUnit has at most one for a case."""
    if not findings:
        return
    told.update(id(finding) for finding in findings)
    first = findings[0]
    more = f" (and {len(findings) - 1} more)" if len(findings) > 1 else ""
    failure = ET.SubElement(case, "failure", message=_text(f"{first.span}: {first.code}: {first.message}{more}"))
    failure.text = _text("\n".join(_line(finding) for finding in findings))


def _line(finding: Finding) -> str:
    witness = f"; witness {finding.witness.text}" if finding.witness else ""
    return f"{finding.span}: {finding.code}: {finding.message}{where_words(finding)}{witness}"


def _case(suite: ET.Element, rules: str, name: str) -> ET.Element:
    return ET.SubElement(suite, "testcase", classname=_text(f"baccarat-oracle.{rules}"), name=_text(name))


def _text(text: str) -> str:
    return "\n".join(printable(line) for line in text[:_MAX_TEXT].split("\n"))

"""A run of an implementation as JUnit XML: a test case for each decision cell, and for whatever else went wrong."""

from __future__ import annotations

from xml.etree import ElementTree as ET

from oracle.conformance.run.log import EXIT
from oracle.conformance.summary.summary import Fault, Summary, hands
from oracle.programs.cells import in_words
from oracle.report.words.run_state import told_again
from oracle.report.words.run_words import difference_words, known_words
from oracle.spans import printable

_MAX_TEXT = 2000


def run_junit(summary: Summary) -> str:
    """The XML text. Control characters, which XML can't hold, are escaped as everywhere."""
    log = summary.log
    rules = log.header.rules
    suite = ET.Element("testsuite", name=_text(f"baccarat-oracle {rules}"))
    _whole(suite, summary)
    blamed = {fault.name for fault in summary.faults}
    for cell, (passed, checked) in (log.footer.cells if log.footer else {}).items():
        if passed == checked and cell not in blamed:
            _case(suite, rules, f"{cell}: {in_words(cell)}")
    for fault in summary.faults:
        case = _case(suite, rules, f"{fault.name}: {in_words(fault.name)}" if fault.cells else fault.name)
        known = fault.known == fault.differ
        message = f"known: {_message(fault)}" if known else _message(fault)
        told = ET.SubElement(case, "skipped" if known else "failure", message=_text(message))
        told.text = _text(fault.reproduce)
    for again in told_again(summary):
        case = _case(suite, rules, "an answer depends on the coup alone")
        failure = ET.SubElement(case, "failure", message=_text(again.sentence))
        failure.text = _text("; ".join((*again.details, *again.commands)))
    for entry in summary.unanswered:
        case = _case(suite, rules, f"{entry.outcome}: {entry.why} ({entry.count})")
        tag = "skipped" if entry.outcome == "skipped" or entry.known == entry.count else "error"
        told = ET.SubElement(case, tag, message=_text(f"{entry.count} cases: {entry.why}"))
        told.text = _text(entry.reproduce)
    if summary.known is not None:
        case = _case(suite, rules, "known failures are as listed")
        if summary.known.stale:
            ET.SubElement(case, "failure", message=_text("; ".join(known_words(summary.known))))
    cases = suite.findall("testcase")
    suite.set("tests", str(len(cases)))
    for tag, count in (("failures", "failure"), ("errors", "error"), ("skipped", "skipped")):
        suite.set(tag, str(sum(1 for case in cases if case.find(count) is not None)))
    root = ET.Element("testsuites")
    root.append(suite)
    ET.indent(root)
    return '<?xml version="1.0" encoding="utf-8"?>\n' + ET.tostring(root, encoding="unicode") + "\n"


def _whole(suite: ET.Element, summary: Summary) -> None:
    """A test case that only a run to its end passes, so that a file without cells is never green."""
    case = _case(suite, summary.log.header.rules, "the run is complete")
    if summary.verdict == "incomplete" and summary.exit == EXIT["incomplete"]:
        reasons = [*dict.fromkeys(summary.log.problems), *(e.why for e in summary.log.events if e.what == "gave-up")]
        counts = ", ".join(f"{count} {word}" for word, count in summary.log.counts.items())
        ET.SubElement(case, "error", message=_text("; ".join([*reasons, counts])))


def _case(suite: ET.Element, rules: str, name: str) -> ET.Element:
    return ET.SubElement(suite, "testcase", classname=_text(f"baccarat-oracle.{rules}"), name=_text(name))


def _message(fault: Fault) -> str:
    of = f" of {fault.checked}" if fault.checked else ""
    differs = "; ".join(map(difference_words, fault.example.differs))
    return f"{fault.differ}{of} cases differ, such as {', '.join(hands(fault.example))}: {differs}"


def _text(text: str) -> str:
    return printable(text[:_MAX_TEXT])

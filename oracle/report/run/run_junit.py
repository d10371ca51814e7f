"""A run of an implementation as JUnit XML: a test case for each decision cell, and for whatever else went wrong."""

from __future__ import annotations

from xml.etree import ElementTree as ET

from oracle.conformance.run.log import EXIT
from oracle.conformance.summary.summary import Summary
from oracle.programs.cells import in_words
from oracle.report.run.outline import FaultOutline, Outline, every_fault
from oracle.text import printable

_MAX_TEXT = 2000


def run_junit(summary: Summary, said: Outline) -> str:
    """The XML text, in the words of the outline of the same run.

    Control characters, which XML can't hold, are escaped as everywhere.
    """
    log = summary.log
    rules = log.header.rules
    suite = ET.Element("testsuite", name=_text(f"baccarat-oracle {rules}: {said.verdict}"))
    _whole(suite, summary, said)
    blamed = {fault.name for fault in summary.faults}
    for cell, (passed, checked) in (log.footer.cells if log.footer else {}).items():
        if passed == checked and cell not in blamed:
            _case(suite, rules, f"{cell}: {in_words(cell)}")
    for fault, told in zip(summary.faults, every_fault(summary), strict=True):
        case = _case(suite, rules, f"{told.name}: {told.title}" if told.name else told.title)
        known = fault.known == fault.differ
        message = f"known: {_message(told)}" if known else _message(told)
        _add(case, "skipped" if known else "failure", message, told.example.command)
    listed = summary.drawn is not None and all(fault.known == fault.differ for fault in summary.drawn.faults)
    for kind, asked in (summary.drawn.cases if summary.drawn else {}).items():
        case = _case(suite, rules, f"fresh cases of kind {kind}")
        wrong = [line for line in log.fresh if line.kind == kind and line.outcome != "pass"]
        if wrong:
            tag = "skipped" if listed else "failure"
            _add(case, tag, f"{len(wrong):,} of {asked:,} not as the rules have them")
    if summary.drawn and summary.drawn.repeated:
        case = _case(suite, rules, "cases asked a second time")
        wrong = [line for line in log.repeats if line.outcome != "pass"]
        if wrong:
            _add(case, "failure", f"{len(wrong):,} of {summary.drawn.repeated:,} not as the first time")
    for fault, told in zip(summary.drawn.faults if summary.drawn else (), said.fresh_faults, strict=True):
        case = _case(suite, rules, f"fresh: {told.name}: {told.title}" if told.name else f"fresh: {told.title}")
        _add(case, "skipped" if fault.known == fault.differ else "failure", _message(told), told.example.command)
    for again in said.two_answers:
        case = _case(suite, rules, "an answer depends on the coup alone")
        _add(case, "failure", again.sentence, "; ".join((*again.details, *again.commands)))
    for entry, worded in zip(summary.unanswered, said.unanswered, strict=True):
        case = _case(suite, rules, f"{worded.outcome}: {worded.why} ({entry.count})")
        tag = "skipped" if entry.outcome == "skipped" or entry.known == entry.count else "error"
        _add(case, tag, f"{worded.extent}: {worded.why}", worded.example.command)
    if summary.known is not None:
        case = _case(suite, rules, "known failures are as listed")
        if summary.known.stale:
            _add(case, "failure", "; ".join(said.known))
    cases = suite.findall("testcase")
    suite.set("tests", str(len(cases)))
    for tag, count in (("failures", "failure"), ("errors", "error"), ("skipped", "skipped")):
        suite.set(tag, str(sum(1 for case in cases if case.find(count) is not None)))
    root = ET.Element("testsuites")
    root.append(suite)
    ET.indent(root)
    return '<?xml version="1.0" encoding="utf-8"?>\n' + ET.tostring(root, encoding="unicode") + "\n"


def _whole(suite: ET.Element, summary: Summary, said: Outline) -> None:
    """A test case that only a run to its end passes, so that a file without cells is never green."""
    case = _case(suite, said.rules, "the run is complete")
    if summary.verdict in ("conforms", "agrees"):
        ET.SubElement(case, "system-out").text = _text(said.headline)
    if summary.verdict == "incomplete" and summary.exit == EXIT["incomplete"]:
        counts = ", ".join(f"{count:,} {word}" for word, count in summary.log.counts.items())
        _add(case, "error", "; ".join([*said.incomplete, counts]))


def _case(suite: ET.Element, rules: str, name: str) -> ET.Element:
    return ET.SubElement(suite, "testcase", classname=_text(f"baccarat-oracle.{rules}"), name=_text(name))


def _add(case: ET.Element, tag: str, message: str, text: str = "") -> None:
    """What is wrong with a test case."""
    made = ET.SubElement(case, tag, message=_text(message))
    made.text = _text(text) or None


def _message(fault: FaultOutline) -> str:
    return f"{fault.extent}, such as {', '.join(fault.example.asked)}: {'; '.join(fault.differences)}"


def _text(text: str) -> str:
    return printable(text[:_MAX_TEXT])

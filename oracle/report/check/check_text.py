"""`check` for a terminal: one line a verdict, then the findings, then what they add up to."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence

import click

from oracle.checks.claims import ClaimVerdict
from oracle.checks.engines import CheckResult
from oracle.checks.finding import Finding
from oracle.checks.invariants import INVARIANTS, Invariant
from oracle.checks.proofs import Proof
from oracle.checks.run import SpecReport
from oracle.report.words.check_words import (
    claims_words,
    coverage_words,
    edge_words,
    extent,
    invariants_words,
    merged,
    proof_words,
    verdict_words,
)
from oracle.report.words.figures import percent
from oracle.report.words.layout import columns, plural, wrap
from oracle.rules.questions import QUESTIONS

_COLOURS = {"verified": "green", "resolved": "yellow", "open": "red", "refuted": "red", "accepted": "yellow"}


def check_text(result: CheckResult, *, everything: bool = False) -> str:
    """The whole result; with `everything` notes and each claim too."""
    blocks = [_head(result)]
    blocks += [_verdicts(report, everything=everything) for report in result.reports]
    shown = [
        _finding(finding, rules)
        for report in result.reports
        for finding, rules in merged(report.findings)
        if everything or finding.level == "error"
    ]
    if shown:
        blocks.append(click.style("findings", bold=True))
        blocks += shown
    if result.disagreements:
        blocks.append(_disagreements(result))
    blocks.append(_summary(result, everything=everything))
    return "\n\n".join(blocks)


def _head(result: CheckResult) -> str:
    engines = ", ".join(result.engines)
    words = f"{plural(len(result.reports), 'source')}; engines: {engines}"
    if len(result.engines) > 1:
        properties = "property" if result.properties == 1 else "properties"
        words += f"; they agree on {result.agreed:,} of {result.properties:,} {properties}"
    return wrap(words)


def _verdicts(report: SpecReport, *, everything: bool) -> str:
    blocks = []
    for rule_set in report.rule_sets:
        title = click.style(rule_set, bold=True)
        lines = [f"{title}  {report.title} ({report.file})"]
        verdicts = [v for v in report.verdicts if v.rules == rule_set]
        rows = [(QUESTIONS[v.question].title, v.verdict, verdict_words(v)) for v in verdicts]
        for verdict, line in zip(verdicts, columns(rows), strict=True):
            word = click.style(verdict.verdict, fg=_COLOURS.get(verdict.verdict))
            lines.append(line.replace(verdict.verdict, word, 1))
        claims = [entry for entry in report.claims if entry.rules == rule_set]
        if claims:
            lines.append(f"  claims: {claims_words(claims)}")
            lines += [line for entry in claims if everything for line in _claim(entry)]
        invariants = [entry for entry in report.invariants if entry.rules == rule_set]
        if invariants:
            lines.append(wrap(f"invariants: {invariants_words(invariants)}", first="  ", rest="    "))
            lines += [line for entry in invariants if everything for line in _invariant(entry)]
        lines += [line for proof in report.proofs if proof.rules == rule_set for line in _proof(proof)]
        blocks.append("\n".join(lines))
    if report.coverage is not None:
        words = f"coverage: {coverage_words(report.coverage)}"
        if len(blocks) == 1:
            blocks[0] += "\n" + wrap(words, first="  ", rest="    ")
        else:
            blocks.append(wrap(f"{click.style(report.source, bold=True)}  {words}", rest="    "))
    return "\n\n".join(blocks)


def _claim(entry: ClaimVerdict) -> list[str]:
    claim, literal, resolved = entry.claim, entry.literal, entry.resolved
    places = ", ".join(str(cite) for cite in claim.cites)
    word = click.style(f"{resolved.verdict:<13}", fg=_COLOURS.get(resolved.verdict))
    said = f"{claim.id} (line {places}): {resolved.evidence or claim.says}"
    lines = [f"    {word} {wrap(said, first=' ' * 18, rest=' ' * 20)[18:]}"]
    if literal.verdict != resolved.verdict:
        because = f": {literal.evidence}" if literal.evidence else ""
        lines.append(wrap(f"of the text alone {literal.verdict}{because}", first=" " * 20, rest=" " * 20))
    return lines


def _proof(proof: Proof) -> list[str]:
    return wrap(proof_words(proof), first="  ", rest="    ").split("\n")


def _invariant(entry: Invariant) -> list[str]:
    word = click.style(f"{entry.verdict:<15}", fg=_COLOURS.get(entry.verdict))
    said = f"{INVARIANTS[entry.name][0]}: {entry.evidence}"
    return [f"    {word} {wrap(said, first=' ' * 20, rest=' ' * 22)[20:]}"]


def _finding(finding: Finding, rules: Sequence[str]) -> str:
    word = finding.level if finding.level == "note" else "error" if finding.status == "open" else finding.status
    head = click.style(f"{word}[{finding.code}]", fg=_COLOURS.get(finding.status) if word != "note" else None)
    plain = f"{finding.span}: {word}[{finding.code}]: {finding.message}"
    lines = [wrap(plain, rest="    ").replace(f"{word}[{finding.code}]", head, 1)]

    def say(label: str, text: str) -> None:
        if text:
            lines.append(wrap(text, first=f"    {label:<10}", rest=" " * 14))

    if len(rules) > 1:
        say("tables", ", ".join(rules))
    if finding.region:
        say("where", f"{finding.region} ({extent(finding.cells, finding.states)})")
    if finding.chance is not None:
        say("chance", f"{percent(finding.chance)} of coups")
    for part in finding.parts[:_PARTS]:
        label = "near" if finding.code == "gap" else "says"
        say(label, f"{part.id} (line {part.lines}): {part.answer}")
    if len(finding.parts) > _PARTS:
        say("", f"and {len(finding.parts) - _PARTS} more")
    say("nearly", finding.nearly)
    if finding.witness:
        say("witness", finding.witness.text)
    say("played", finding.played)
    say("edge", edge_words(finding))
    if finding.given:
        say("given", ", ".join(finding.given))
    say("otherwise", finding.otherwise)
    if finding.resolution:
        say("read as", f"{finding.resolution}: {finding.because}")
    elif finding.because:
        say("because", finding.because)
    say("help", finding.help)
    return "\n".join(lines)


_PARTS = 6


def _disagreements(result: CheckResult) -> str:
    lines = [click.style("the engines disagree", fg="red", bold=True)]
    lines += [wrap(entry, first="  ", rest="    ") for entry in result.disagreements]
    return "\n".join(lines)


def _summary(result: CheckResult, *, everything: bool) -> str:
    verdicts = Counter(v.verdict for report in result.reports for v in report.verdicts)
    findings = [f for report in result.reports for f, _ in merged(report.findings)]
    errors = Counter(f.status for f in findings if f.level == "error")
    notes = sum(1 for f in findings if f.level == "note")
    words = ", ".join(f"{count} {word}" for word, count in sorted(verdicts.items()))
    found = ", ".join(f"{errors.get(status, 0)} {status}" for status in ("open", "resolved", "accepted"))
    hint = "" if everything or not notes else " (--all shows them)"
    return wrap(f"questions: {words}; findings: {found}; {plural(notes, 'note')}{hint}")

"""Words about verdicts and findings that terminal and Markdown reports share."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence

from oracle.checks.claims import ClaimVerdict
from oracle.checks.coverage import Coverage
from oracle.checks.finding import Finding
from oracle.checks.invariants import Invariant
from oracle.checks.proofs import Proof
from oracle.checks.run import Verdict
from oracle.report.words.figures import percent
from oracle.report.words.layout import plural
from oracle.rules.questions import QUESTIONS

CLAIM_VERDICTS = ("verified", "refuted", "open", "vacuous", "skipped", "disputed", "not-checkable")


def extent(cells: int, states: int) -> str:
    """How much a finding covers: `4 cells`, or `8 cells, 64 states` where the two differ."""
    if states in (0, cells):
        return plural(cells, "cell")
    return f"{plural(cells, 'cell')}, {plural(states, 'state')}"


def where_words(finding: Finding, *, chance: bool = False) -> str:
    """Where a finding holds and how much that is: ` where banker2: 3 (4 cells)`; empty if it is about no region.

    With `chance` also how often a coup comes there, if that is known.
    """
    if not finding.region:
        return ""
    often = f", in {percent(finding.chance)} of coups" if chance and finding.chance is not None else ""
    return f" where {finding.region} ({extent(finding.cells, finding.states)}{often})"


def verdict_words(verdict: Verdict) -> str:
    """What a verdict is based on: `88 of 88 cells (496 states), 19 by otherwise`."""
    words = f"{verdict.cells:,} of {verdict.of_cells:,} cells"
    if verdict.states != verdict.of_cells:
        words += f" ({plural(verdict.states, 'state')})"
    if verdict.otherwise:
        words += f", {verdict.otherwise} by otherwise"
    if verdict.yielded:
        words += f", {verdict.yielded} by yields_to"
    if verdict.assumed:
        words += f", {verdict.assumed:,} assumed"
    if verdict.reason:
        words += f": {verdict.reason}"
    return words


def coverage_words(coverage: Coverage) -> str:
    """`87 of 87 sentences: 54 encoded, 6 recorded only, 20 claimed, 7 silent`, and how many nothing cites."""
    words = f"{coverage.accounted:,} of {plural(coverage.sentences, 'sentence')}: {coverage.encoded:,} encoded"
    for word, count in (("in part", coverage.in_part), ("recorded only", coverage.recorded)):
        words += f", {count:,} {word}" if count else ""
    words += f", {coverage.claimed:,} claimed, {coverage.silent:,} silent"
    return words + (f", {len(coverage.unaccounted):,} unaccounted" if coverage.unaccounted else "")


def edge_words(finding: Finding) -> str:
    """How the house edge of each bet changes with a resolution: `player +0.0123, banker -0.0045 percentage points`."""
    if not finding.edges:
        return ""
    shown = [f"{bet} {float(change) * 100:+.4f}" if change else f"{bet} 0" for bet, change in finding.edges.items()]
    return f"{', '.join(shown)} percentage points"


def claims_words(claims: Sequence[ClaimVerdict]) -> str:
    """`18 verified, 1 refuted`: what became of claims, as resolved."""
    counts = Counter(entry.resolved.verdict for entry in claims)
    return ", ".join(f"{counts[verdict]:,} {verdict}" for verdict in CLAIM_VERDICTS if counts[verdict])


def invariants_words(invariants: Sequence[Invariant]) -> str:
    """`4 verified, 1 refuted (no-debts), 3 by-construction`: what holds, and what of it nothing has to be shown for."""
    words = []
    for verdict in ("verified", "refuted", "open", "vacuous", "by-construction"):
        names = [entry.name for entry in invariants if entry.verdict == verdict]
        told = f" ({', '.join(names)})" if verdict in ("refuted", "open") else ""
        words += [f"{len(names)} {verdict}{told}"] * bool(names)
    return ", ".join(words)


def proof_words(proof: Proof) -> str:
    """What a resolution does: `without tens 16 states of hand total are open again`."""
    titles = " and ".join(QUESTIONS[question].title for question in proof.questions)
    states = plural(proof.returns, "state")
    verb = "is" if proof.returns == 1 else "are"
    if proof.falls_to:
        words = (
            f"without {proof.resolution} {states} of {titles} {verb} read otherwise by {' and '.join(proof.falls_to)}"
        )
    elif proof.returns:
        words = f"without {proof.resolution} {states} of {titles} {verb} open again"
    else:
        words = f"without {proof.resolution} nothing of {titles} is open"
    if proof.aside:
        words += f"; it sets {' and '.join(proof.aside)} aside, by name"
    if proof.clear:
        words += f"; it changes {plural(proof.clear, 'state')} that the text decides"
    return words


def merged(findings: Iterable[Finding]) -> list[tuple[Finding, tuple[str, ...]]]:
    """Findings with those that several rule sets of a source share put together, in file order."""
    groups: dict[tuple[object, ...], tuple[Finding, list[str]]] = {}
    for finding in findings:
        key = (
            finding.code, finding.question, finding.subject, finding.message, finding.span, finding.level,
            finding.status, finding.region, finding.resolution,
        )  # fmt: skip
        groups.setdefault(key, (finding, []))[1].append(finding.rules)
    return sorted(
        ((finding, tuple(rules)) for finding, rules in groups.values()),
        key=lambda entry: (entry[0].span, entry[0].code, entry[0].region),
    )

"""Checking specs: every question of every rule set, every check, and one verdict for each."""

from __future__ import annotations

from collections.abc import Sequence

import msgspec
from msgspec.structs import replace

from oracle.checks.acceptance import accept
from oracle.checks.chips import check_chips
from oracle.checks.choices import check_ambiguous, check_undecided
from oracle.checks.claim_context import ClaimContext
from oracle.checks.claims import ClaimVerdict, check_claims, judge_claims
from oracle.checks.conflict import check_conflict, check_deal
from oracle.checks.cover import check_assumed, check_masked, check_overlap
from oracle.checks.coverage import Coverage, check_coverage, check_encoded, check_silent, coverage
from oracle.checks.dead import check_dead
from oracle.checks.finding import Finding
from oracle.checks.gap import check_gap
from oracle.checks.invariants import Invariant, check_refuted, judge_invariants
from oracle.checks.no_bet import check_no_bet
from oracle.checks.overrides import check_overrides, check_yielded
from oracle.checks.proofs import Proof, prove_resolutions, read_otherwise
from oracle.checks.regions import count_cells
from oracle.checks.resolution_use import check_overriding, check_unneeded
from oracle.checks.self_claims import check_self_claims
from oracle.checks.shadowed import check_shadowed
from oracle.game.rules import Rules
from oracle.progress import tell, track
from oracle.rules.model import Spec
from oracle.rules.questions import CHECKED_QUESTIONS, COUP_QUESTIONS, QUESTIONS

CHECKS = (
    check_gap,
    check_conflict,
    check_deal,
    check_ambiguous,
    check_undecided,
    check_dead,
    check_overriding,
    check_overrides,
    check_yielded,
    check_masked,
    check_overlap,
    check_assumed,
)


class Verdict(msgspec.Struct, frozen=True):
    """What is known about one question of one rule set.

    `verdict` is verified, resolved (open places of the text are closed by resolutions), refuted, vacuous,
    unknown or skipped. `cells` of `of_cells` are decided, over `states` reachable states; `otherwise` counts
    the cells that only an `otherwise` decides, `yielded` those in which `yields_to` decides between sentences that
    contradict each other, `assumed` those that only a default of the language decides.
    """

    rules: str
    question: str
    verdict: str
    cells: int
    of_cells: int
    states: int
    otherwise: int = 0
    yielded: int = 0
    assumed: int = 0
    resolutions: tuple[str, ...] = ()
    reason: str = ""


class SpecReport(msgspec.Struct, frozen=True):
    """All verdicts and findings of one source."""

    source: str
    title: str
    file: str
    rule_sets: tuple[str, ...]
    verdicts: tuple[Verdict, ...]
    findings: tuple[Finding, ...]
    claims: tuple[ClaimVerdict, ...] = ()
    coverage: Coverage | None = None
    invariants: tuple[Invariant, ...] = ()
    proofs: tuple[Proof, ...] = ()


def tables_of(spec: Spec) -> list[Rules]:
    """The rule sets of a source, each resolved."""
    return [Rules(spec, rule_set) for rule_set in spec.rule_sets]


def check_spec(
    spec: Spec,
    tables: Sequence[Rules] = (),
    *,
    questions: Sequence[str] = CHECKED_QUESTIONS,
    context: ClaimContext | None = None,
    proofs: bool = False,
) -> SpecReport:
    """Check all rule sets of a source by enumeration.

    `tables` are its `tables_of`, if at hand. Claims and invariants are judged in `context`, which knows other sources;
    without one they are not. With `proofs` every resolution is left out once, to see what returns.
    """
    tables = tables or tables_of(spec)
    verdicts: list[Verdict] = []
    findings: list[Finding] = []
    for rules in tables:
        for question in track(questions, f"checking {rules.id}", of=len(questions)):
            if not _spoken_of(rules, question):
                continue
            found = [f for check in CHECKS for f in check(rules, question)]
            findings += [replace(f, otherwise=read_otherwise(rules, f)) if f.given else f for f in found]
            verdicts.append(_verdict(rules, question))
        findings += check_chips(rules)
        findings += check_no_bet(rules)
    findings += check_unneeded(spec, tables, questions)
    claims = judge_claims(spec, context) if context is not None else []
    findings += check_claims(claims)
    findings += check_self_claims(spec)
    tell(f"judging invariants of {spec.id}" if not proofs else f"judging invariants and resolutions of {spec.id}")
    judged = [entry for rules in tables for entry in judge_invariants(rules, context)] if context is not None else []
    findings += [f for rules in tables for f in check_refuted(rules, judged)]
    findings += [*check_coverage(spec), *check_encoded(spec), *check_silent(spec), *check_shadowed(spec)]
    return SpecReport(
        source=spec.id,
        title=spec.source.title,
        file=spec.file,
        rule_sets=tuple(rules.id for rules in tables),
        verdicts=tuple(verdicts),
        findings=tuple(accept(spec, tables[0].id, findings, judged=context is not None)),
        claims=tuple(claims),
        coverage=coverage(spec) if spec.source.sha256 else None,
        proofs=tuple(p for rules in tables for p in prove_resolutions(rules)) if proofs else (),
        invariants=tuple(entry.invariant for entry in judged),
    )


def _spoken_of(rules: Rules, question: str) -> bool:
    """Whether there is anything to say: about the coup always, about what stands around it if the source speaks."""
    if question in COUP_QUESTIONS or rules.clauses_about(question):
        return True
    resolved = any(resolution.question == question for resolution in rules.resolutions)
    return resolved or (QUESTIONS[question].silent == "gap" and len(rules.space(question)) > 0)


def _verdict(rules: Rules, question: str) -> Verdict:
    evaluation = rules.evaluation(question)
    space = evaluation.space
    decided = space.full & ~evaluation.open
    otherwise = 0
    for clause in evaluation.active({}):
        if clause.otherwise:
            mask = evaluation.masks[clause.id]
            for other in evaluation.active({}):
                if not other.otherwise:
                    mask &= ~evaluation.masks[other.id]
            otherwise |= mask
    closed = tuple(a.resolution.id for a in evaluation.applied if a.closes)
    word = "refuted" if evaluation.open else "resolved" if closed else "verified"
    if not len(space):
        word = "vacuous"
    return Verdict(
        rules=rules.id,
        question=question,
        verdict=word,
        cells=count_cells(evaluation, decided),
        of_cells=count_cells(evaluation, space.full),
        states=space.states,
        otherwise=count_cells(evaluation, otherwise),
        yielded=count_cells(evaluation, evaluation.yielded),
        assumed=count_cells(evaluation, evaluation.assumed),
        resolutions=closed,
    )


def exit_code(reports: Sequence[SpecReport], *, incomplete: bool = False) -> int:
    """3 if anything could not be completed, else 1 if an error is open, else 0."""
    if incomplete or any(v.verdict in ("unknown", "skipped") for r in reports for v in r.verdicts):
        return 3
    if any(c.resolved.verdict == "skipped" for r in reports for c in r.claims):
        return 3
    return int(any(f.level == "error" and f.status == "open" for r in reports for f in r.findings))

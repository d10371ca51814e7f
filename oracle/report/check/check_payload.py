"""`check` as JSON: structs, so that their JSON Schema is what is written."""

from __future__ import annotations

from typing import Any

import msgspec
from msgspec import UNSET, UnsetType

from oracle.checks.claims import ClaimVerdict
from oracle.checks.engines import CheckResult
from oracle.checks.finding import Finding
from oracle.report.check.check_sarif import fingerprint
from oracle.report.compare.compare_payload import PropertiesShape, StatementShape
from oracle.report.payload import state_payload

FORMAT = 2


class VerdictShape(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """What is known about one question of one rule set: verified, resolved, refuted, vacuous, unknown or skipped.

    `cells` of `of_cells` are decided, over `states` states; `otherwise`, `yielded` and `assumed` count cells that only
    an `otherwise`, a `yields_to` against a contradiction, or a default of the language decides.
    """

    rules: str
    question: str
    verdict: str
    cells: int
    of_cells: int
    states: int
    otherwise: int
    yielded: int
    assumed: int
    resolutions: list[str]
    reason: str


class JudgementShape(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """What became of a claim in one reading of the rules, with the evidence in words."""

    verdict: str
    evidence: str


class ClaimShape(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A claim of a document at one rule set, judged of the text alone and of the text as resolved."""

    rules: str
    id: str
    kind: str
    says: str
    document_lines: list[str]
    file: str
    line: int
    column: int
    literal: JudgementShape
    resolved: JudgementShape


class CoverageShape(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """How many sentences of a document are encoded, in whole, in part or not at all but recorded as free text, and how
    many only claims cite, or are silent; `unaccounted` lists those that nothing cites.
    """

    source: str
    sentences: int
    encoded: int
    in_part: int
    recorded: int
    claimed: int
    silent: int
    unaccounted: list[str]


class InvariantShape(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """What holds of bets, shoe or session at one rule set: verified, refuted, open, vacuous or by-construction.

    `unbounded` if solvers are asked about it with all whole numbers.
    """

    rules: str
    name: str
    verdict: str
    evidence: str
    unbounded: bool


class ProofShape(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """What a resolution does, shown by leaving it out: `returns` states of its questions are open again, or read
    otherwise by the resolutions in `falls_to`; `clear` states that the text decides are changed.
    """

    rules: str
    resolution: str
    questions: list[str]
    returns: int
    clear: int
    aside: list[str]
    falls_to: list[str]
    holds: bool


class FoundWitnessShape(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """The least state that shows a finding, with cards in deal order where cards can show it."""

    cards: list[str]
    state: dict[str, int | str]
    text: str


class FindingShape(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """One finding in one rule set. Lines and columns of the spec count from 1; `document_lines` are the document's.

    `level` is error or note; `status` open, resolved or accepted; `chance` is the exact share of coups that come to it.
    `played` is the witness by the text and as resolved; `edges` by how much exactly the house edge of each bet grows.
    """

    code: str
    level: str
    status: str
    rules: str
    question: str
    subject: str
    message: str
    file: str
    line: int
    column: int
    end_line: int
    end_column: int
    statements: list[StatementShape]
    document_lines: list[str]
    region: str
    cells: int
    states: int
    chance: str | None
    witness: FoundWitnessShape | None
    resolution: str
    because: str
    given: list[str]
    nearly: str
    otherwise: str
    played: str
    edges: dict[str, str]
    help: str
    fingerprint: str


class CitationShape(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """What cites a sentence."""

    kind: str
    id: str
    says: str
    answers: list[str]


class SentenceShape(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A sentence of the document, with what cites it."""

    cite: str
    text: str
    cited_by: list[CitationShape]


class CheckShape(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """`check`: engines, verdicts, claims, coverage, findings, and the exit code; with --document its sentences."""

    format: int
    engines: list[str]
    properties: PropertiesShape
    disagreements: list[str]
    verdicts: list[VerdictShape]
    claims: list[ClaimShape]
    coverage: list[CoverageShape]
    invariants: list[InvariantShape]
    proofs: list[ProofShape]
    findings: list[FindingShape]
    exit: int
    document: list[SentenceShape] | UnsetType = UNSET


def check_payload(result: CheckResult) -> CheckShape:
    """A whole check: engines, verdicts, claims, coverage, findings, exit code; and a document's sentences."""
    payload: dict[str, Any] = {
        "format": FORMAT,
        "engines": list(result.engines),
        "properties": {"checked": result.properties, "agreed": result.agreed},
        "disagreements": list(result.disagreements),
        "verdicts": [msgspec.to_builtins(v) for report in result.reports for v in report.verdicts],
        "claims": [_claim(entry) for report in result.reports for entry in report.claims],
        "coverage": [
            {
                "source": report.source,
                "sentences": report.coverage.sentences,
                "encoded": report.coverage.encoded,
                "in_part": report.coverage.in_part,
                "recorded": report.coverage.recorded,
                "claimed": report.coverage.claimed,
                "silent": report.coverage.silent,
                "unaccounted": [f"{line}.{number}" for line, number in report.coverage.unaccounted],
            }
            for report in result.reports
            if report.coverage is not None
        ],
        "invariants": [msgspec.to_builtins(entry) for report in result.reports for entry in report.invariants],
        "proofs": [{**msgspec.to_builtins(p), "holds": p.holds} for report in result.reports for p in report.proofs],
        "findings": [_finding(f) for report in result.reports for f in report.findings],
        "exit": result.exit,
    }
    if result.document is not None:
        payload["document"] = [
            {"cite": s.cite, "text": s.text, "cited_by": [msgspec.to_builtins(c) for c in s.citations]}
            for s in result.sentences
        ]
    return msgspec.convert(payload, CheckShape)


def _claim(entry: ClaimVerdict) -> dict[str, Any]:
    claim = entry.claim
    return {
        "rules": entry.rules,
        "id": claim.id,
        "kind": claim.kind,
        "says": claim.says,
        "document_lines": [str(cite) for cite in claim.cites],
        "file": claim.span.file,
        "line": claim.span.line,
        "column": claim.span.column,
        "literal": msgspec.to_builtins(entry.literal),
        "resolved": msgspec.to_builtins(entry.resolved),
    }


def _finding(finding: Finding) -> dict[str, Any]:
    return {
        "code": finding.code,
        "level": finding.level,
        "status": finding.status,
        "rules": finding.rules,
        "question": finding.question,
        "subject": finding.subject,
        "message": finding.message,
        "file": finding.span.file,
        "line": finding.span.line,
        "column": finding.span.column,
        "end_line": finding.span.end_line,
        "end_column": finding.span.end_column,
        "statements": [
            {
                "id": part.id,
                "file": part.span.file,
                "line": part.span.line,
                "column": part.span.column,
                "document_lines": part.lines,
                "answer": part.answer,
            }
            for part in finding.parts
        ],
        "document_lines": list(dict.fromkeys(line for part in finding.parts for line in part.lines.split(", "))),
        "region": finding.region,
        "cells": finding.cells,
        "states": finding.states,
        "chance": None if finding.chance is None else str(finding.chance),
        "witness": {
            "cards": list(finding.witness.cards),
            "state": state_payload(finding.witness.state),
            "text": finding.witness.text,
        }
        if finding.witness
        else None,
        "resolution": finding.resolution,
        "because": finding.because,
        "given": list(finding.given),
        "nearly": finding.nearly,
        "otherwise": finding.otherwise,
        "played": finding.played,
        "edges": {bet: str(change) for bet, change in finding.edges.items()},
        "help": finding.help,
        "fingerprint": fingerprint(finding),
    }

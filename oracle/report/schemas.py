"""The JSON of `check` as structs, and the JSON Schema (2020-12) of what `check` and `compare` print."""

from __future__ import annotations

from typing import Any

import msgspec

from oracle.report.compare.compare_payload import AllPairsShape, CompareShape, PropertiesShape, StatementShape

_DIALECT = "https://json-schema.org/draft/2020-12/schema"


class VerdictShape(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """What is known about one question of one rule set: verified, resolved, refuted, vacuous, unknown or skipped.

    `cells` of `of_cells` are decided, over `states` states; `otherwise` and `assumed` count cells that only an
    `otherwise`, or a default of the language, decides.
    """

    rules: str
    question: str
    verdict: str
    cells: int
    of_cells: int
    states: int
    otherwise: int
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
    """How many sentences of a document are cited by what; `unaccounted` lists those that nothing cites."""

    source: str
    sentences: int
    stated: int
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
    otherwise by the resolutions in `falls_to`; `clear` states of the text are changed without a name for it.
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


class CheckShape(msgspec.Struct, frozen=True, forbid_unknown_fields=True, omit_defaults=True):
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
    document: list[SentenceShape] | None = None


SHAPES: dict[str, tuple[str, Any]] = {
    "check": ("what `check --format json` prints", CheckShape),
    "compare": (
        "what `compare --format json` prints, for two rule sets or for all pairs",
        CompareShape | AllPairsShape,
    ),
}


def shape_schema(name: str) -> str:
    """The JSON Schema of an output, as text."""
    title, shape = SHAPES[name]
    if name == "compare":
        (pair, every), components = msgspec.json.schema_components(
            [CompareShape, AllPairsShape], ref_template="#/$defs/{name}"
        )
        schema: dict[str, Any] = {"anyOf": [pair, every], "$defs": components}
    else:
        schema = msgspec.json.schema(shape)
    whole = {"$schema": _DIALECT, "title": title, **schema}
    return msgspec.json.format(msgspec.json.encode(whole), indent=2).decode() + "\n"

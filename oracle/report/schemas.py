"""The JSON Schema (2020-12) of what commands print or write as JSON: of the very structs that are written."""

from __future__ import annotations

import importlib
from typing import Any

import msgspec

_DIALECT = "https://json-schema.org/draft/2020-12/schema"
# By name: what it describes, and the structs, as MODULE:NAME. Several stand for one of them.
OUTPUTS: dict[str, tuple[str, tuple[str, ...]]] = {
    "check": ("what `check --format json` prints", ("oracle.report.check.check_payload:CheckShape",)),
    "compare": (
        "what `compare --format json` prints, for two rule sets or for all pairs",
        ("oracle.report.compare.compare_payload:CompareShape", "oracle.report.compare.compare_payload:AllPairsShape"),
    ),
    "odds": (
        "what `odds --format json` prints; where the rules leave cells free, every way to play them",
        ("oracle.report.odds.odds_payload:OddsShape", "oracle.report.odds.odds_payload:RepliesShape"),
    ),
    "play": ("what `play --format json` prints", ("oracle.report.session.play_payload:PlayShape",)),
    "session": ("what `session --format json` prints", ("oracle.report.session.session_payload:SessionShape",)),
    "rules": ("what `rules --format json` prints", ("oracle.report.rules_payload:RulesShape",)),
    "test": ("what `test --format json` prints, and test.json", ("oracle.report.run.run_shapes:RunShape",)),
    "diff": ("what `diff --format json` prints", ("oracle.report.run.diff_payload:DiffShape",)),
    "log": ("a line of log.ndjson", ("oracle.conformance.run.log:Entry",)),
    "known": (
        "a line of a list of known failures: the first, or another one",
        ("oracle.conformance.summary.known:KnownHead", "oracle.conformance.summary.known:KnownEntry"),
    ),
    "evidence": ("evidence.json", ("oracle.conformance.evidence.index:EvidenceIndex",)),
    "fixtures": ("manifest.json of a suite of cases", ("oracle.cases.manifest:Manifest",)),
    "case": ("a line of a file of cases", ("oracle.cases.case:Case",)),
}


def output_schema(name: str) -> str:
    """The JSON Schema of one of `OUTPUTS`, as text."""
    title, places = OUTPUTS[name]
    shapes = [_shape(place) for place in places]
    if len(shapes) > 1:
        found, components = msgspec.json.schema_components(shapes, ref_template="#/$defs/{name}")
        schema: dict[str, Any] = {"anyOf": list(found), "$defs": components}
    else:
        schema = msgspec.json.schema(shapes[0])
    whole = {"$schema": _DIALECT, "title": title, **schema}
    return msgspec.json.format(msgspec.json.encode(whole), indent=2).decode() + "\n"


def _shape(place: str) -> Any:
    module, _, name = place.partition(":")
    return getattr(importlib.import_module(module), name)

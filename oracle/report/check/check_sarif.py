"""`check` as SARIF 2.1.0, for code scanning: a result for each finding, at the statement that it is about.

Lines and columns count characters from 1, ends are exclusive, paths are relative to the current folder. What a
resolution closes, or the spec accepts, is a result that is suppressed, with its reason.
"""

from __future__ import annotations

import hashlib
import os
from collections.abc import Sequence
from pathlib import PurePath
from typing import Any
from urllib.parse import quote

from oracle._version import __version__
from oracle.checks.codes import CODES
from oracle.checks.engines import CheckResult
from oracle.checks.finding import Finding
from oracle.report.words.check_words import edge_words, merged, where_words
from oracle.spans import Span

SCHEMA = "https://docs.oasis-open.org/sarif/sarif/v2.1.0/errata01/os/schemas/sarif-schema-2.1.0.json"
FINGERPRINT = "baccaratOracle/v1"
_MOST_RELATED = 100
_RULES = list(CODES)


def check_sarif(result: CheckResult) -> dict[str, Any]:
    """The log of one run, as plain dictionaries."""
    findings = [(finding, tables) for report in result.reports for finding, tables in merged(report.findings)]
    return {
        "$schema": SCHEMA,
        "version": "2.1.0",
        "runs": [
            {
                "tool": {"driver": _driver()},
                "invocations": [_invocation(result)],
                "columnKind": "unicodeCodePoints",
                "results": _distinct([_result(finding, tables) for finding, tables in findings]),
            }
        ],
    }


def _driver() -> dict[str, Any]:
    return {
        "name": "baccarat-oracle",
        "semanticVersion": __version__,
        "rules": [
            {
                "id": code.name,
                "shortDescription": {"text": f"{code.means[0].upper()}{code.means[1:]}."},
                "fullDescription": {"text": f"{code.name}: {code.means}."},
                "help": {"text": code.closed_by},
                "defaultConfiguration": {"level": code.level},
            }
            for code in CODES.values()
        ],
    }


def _invocation(result: CheckResult) -> dict[str, Any]:
    """How the run went: it was no success if something could not be completed, whatever was found."""
    said: dict[str, Any] = {"executionSuccessful": result.exit != 3, "exitCode": result.exit}
    if result.disagreements:
        said["toolExecutionNotifications"] = [
            {"level": "error", "message": {"text": f"Not confirmed by every engine: {entry}."}}
            for entry in result.disagreements
        ]
    return said


def _result(finding: Finding, tables: Sequence[str]) -> dict[str, Any]:
    entry: dict[str, Any] = {
        "ruleId": finding.code,
        "ruleIndex": _RULES.index(finding.code),
        "level": finding.level,
        "message": {"text": _message(finding)},
        "locations": [{"physicalLocation": _place(finding.span)}],
    }
    related = [part for part in finding.parts if part.span != finding.span][:_MOST_RELATED]
    if related:
        entry["relatedLocations"] = [
            {
                "id": number,
                "message": {"text": f"{part.id} (line {part.lines}): {part.answer}"},
                "physicalLocation": _place(part.span),
            }
            for number, part in enumerate(related, 1)
        ]
    entry["partialFingerprints"] = {FINGERPRINT: fingerprint(finding)}
    if finding.level == "error":
        entry["suppressions"] = [{"kind": "inSource", "status": "accepted", "justification": _reason(finding)}] * (
            finding.status != "open"
        )
    entry["properties"] = {
        "rules": list(tables),
        "question": finding.question,
        "status": finding.status,
        "region": finding.region,
        "cells": finding.cells,
        "states": finding.states,
        "witness": finding.witness.text if finding.witness else "",
    }
    return entry


def _message(finding: Finding) -> str:
    sentences = [f"{finding.message[0].upper()}{finding.message[1:]}{where_words(finding)}."]
    if finding.witness:
        sentences.append(f"Witness: {finding.witness.text}.")
    if finding.played:
        sentences.append(f"Played {finding.played}.")
    if finding.edges:
        sentences.append(f"The house edge changes: {edge_words(finding)}.")
    if finding.nearly:
        sentences.append(f"{finding.nearly}.")
    if finding.help:
        sentences.append(f"Help: {finding.help}.")
    return " ".join(sentences)


def _reason(finding: Finding) -> str:
    return f"{finding.resolution}: {finding.because}" if finding.resolution else finding.because


def fingerprint(finding: Finding) -> str:
    """What a finding is known by when lines move: its code, what takes part in it, and where it is so."""
    named = sorted(part.id for part in finding.parts)
    known = (finding.code, finding.rules.partition("/")[0], finding.question, finding.subject, finding.region, *named)
    reading = finding.message.partition(" if ")[2] if finding.code in ("gap", "conflict") else ""
    return hashlib.sha256("\n".join((*known, reading)).encode()).hexdigest()[:32]


def _distinct(results: list[dict[str, Any]]) -> list[dict[str, Any]]:
    """Results with a count after each fingerprint that others have too, in their order."""
    seen: dict[str, int] = {}
    for entry in results:
        prints = entry["partialFingerprints"]
        seen[prints[FINGERPRINT]] = again = seen.get(prints[FINGERPRINT], 0) + 1
        prints[FINGERPRINT] += f":{again}"
    return results


def _place(span: Span) -> dict[str, Any]:
    return {
        "artifactLocation": {"uri": _uri(span.file), "uriBaseId": "SRCROOT"},
        "region": {
            "startLine": span.line,
            "startColumn": span.column,
            "endLine": span.end_line,
            "endColumn": span.end_column,
        },
    }


def _uri(file: str) -> str:
    """A path relative to the current folder, as a relative reference."""
    path = PurePath(file)
    relative = os.path.relpath(path) if path.is_absolute() else file
    return quote(PurePath(relative).as_posix())

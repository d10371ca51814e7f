"""JSON outputs, as plain dictionaries. Each has `format`, the version of its shape; money is exact text."""

from __future__ import annotations

from collections.abc import Mapping
from fractions import Fraction
from typing import TYPE_CHECKING, Any

import msgspec

from oracle.game.coup import Coup, Decision, Hand
from oracle.game.rules import Rules
from oracle.game.settle import Settled
from oracle.rules.answers import show_atom, show_number
from oracle.rules.model import Clause
from oracle.rules.questions import QUESTIONS
from oracle.rules.values import Value

if TYPE_CHECKING:
    from oracle.checks.claims import ClaimVerdict
    from oracle.checks.engines import CheckResult
    from oracle.checks.finding import Finding
    from oracle.report.schemas import CheckShape

FORMAT = 1


def dump(payload: object) -> str:
    """A payload as indented JSON text. What isn't printable in its texts is escaped as JSON has it."""
    text = msgspec.json.format(msgspec.json.encode(payload), indent=2).decode()
    return text if text.isascii() else "".join(c if c.isprintable() or c == "\n" else _escape(c) for c in text)


def _escape(character: str) -> str:
    units = character.encode("utf-16-be", "surrogatepass").hex()
    return "".join(f"\\u{units[i : i + 4]}" for i in range(0, len(units), 4))


def play_payload(rules: Rules, coup: Coup, settled: tuple[Settled, ...]) -> dict[str, Any]:
    """A coup, its trace and its bets."""
    return {
        "format": FORMAT,
        "rules": rules.id,
        "player": _hand(coup.player),
        "banker": _hand(coup.banker),
        "winner": coup.winner,
        "natural": coup.natural,
        "pairs": {side: kind in ("rank", "card") for side, kind in coup.alike.items()},
        "cards_used": coup.cards_used,
        "unused": [str(card) for card in coup.unused],
        "trace": [_decision(decision) for decision in coup.trace],
        "bets": {
            bet.bet: {
                "stake": show_number(bet.stake),
                "outcome": bet.outcome,
                "net": show_number(bet.net),
                "trace": [_decision(decision) for decision in bet.trace],
            }
            for bet in settled
        },
    }


def _hand(hand: Hand) -> dict[str, Any]:
    return {"cards": [str(card) for card in hand.cards], "total": hand.total}


def _decision(decision: Decision) -> dict[str, Any]:
    fired = [
        {
            "id": c.id,
            "line": c.lines,
            "says": c.says,
            "file": c.span.file,
            "at": f"{c.span.line}:{c.span.column}",
        }
        for c in decision.fired
    ]
    return {
        "question": decision.question,
        "state": _state(decision.state),
        "answer": show_atom(QUESTIONS[decision.question], decision.answer),
        "statement": decision.fired[0].id if decision.fired else "",
        "line": decision.fired[0].lines if decision.fired else "",
        "fired": fired,
        "not_applied": [_clause(clause) for clause in decision.not_applied],
        "set_aside": [_clause(clause) for clause in decision.set_aside],
        "resolution": decision.resolution,
        "because": decision.because,
        "assumed": decision.assumed,
        "chosen_by": decision.chosen_by,
    }


def _state(state: Mapping[str, Value]) -> dict[str, int | str]:
    """A state with fractions as exact text."""
    return {f: show_number(v) if isinstance(v, Fraction) else v for f, v in state.items()}


def _clause(clause: Clause) -> dict[str, Any]:
    return {"id": clause.id, "line": clause.lines, "when": {test.field: test.text for test in clause.guard}}


def check_payload(result: CheckResult) -> CheckShape:
    """A whole check: engines, verdicts, claims, coverage, findings, exit code; and a document's sentences."""
    from oracle.report.schemas import CheckShape

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
                "stated": report.coverage.stated,
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
    from oracle.report.check.check_sarif import fingerprint

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
            "state": _state(finding.witness.state),
            "text": finding.witness.text,
        }
        if finding.witness
        else None,
        "resolution": finding.resolution,
        "because": finding.because,
        "given": list(finding.given),
        "nearly": finding.nearly,
        "otherwise": finding.otherwise,
        "help": finding.help,
        "fingerprint": fingerprint(finding),
    }

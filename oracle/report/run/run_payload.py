"""A run of an implementation as data. Nothing in it comes from anywhere but the log."""

from __future__ import annotations

from typing import Any

import msgspec

from oracle.conformance.diagnose.diagnose import Explanation
from oracle.conformance.diagnose.explain import EXPLAINED
from oracle.conformance.run.log import Again, Line
from oracle.conformance.summary.summary import Summary
from oracle.report.run.run_shapes import FORMAT, RunShape
from oracle.report.words.run_state import two_answers
from oracle.report.words.run_words import ABOUT


def run_payload(summary: Summary) -> RunShape:
    """The verdict, counts, faults and what is left open."""
    log = summary.log
    header, footer = log.header, log.footer
    payload = {
        "format": FORMAT,
        "verdict": summary.verdict,
        "rules": header.rules,
        "tiers": list(header.tiers),
        "adaptive": bool(header.adaptive),
        "implementation": msgspec.to_builtins(header.implementation) if header.implementation else None,
        "kinds": list(header.kinds),
        "observables": list(header.observables),
        "checked": log.checked,
        "counts": log.counts,
        "not_asked": footer.not_asked if footer else {},
        "not_confirmed": [msgspec.to_builtins(entry) for entry in summary.not_confirmed],
        "matches": list(summary.diagnosis.matches),
        "explained": {
            "coups": [_explanation(entry) for entry in summary.diagnosis.coups],
            "bets": [_explanation(entry) for entry in summary.diagnosis.bets],
            **{
                ABOUT[kind]: [_explanation(entry) for entry in summary.diagnosis.others.get(kind, ())]
                for kind in EXPLAINED
            },
            "alike": [msgspec.to_builtins(entry) for entry in summary.diagnosis.alike],
        },
        "dependent": [
            {
                "kind": found.kind,
                "example": _example(found.line),
                "alone": _answer(found.alone),
                "after": list(found.after),
                "other": _answer(found.other),
                "reproduce": list(worded.commands),
            }
            for found, worded in zip(summary.dependent, two_answers(summary), strict=True)
        ],
        "tableau": [
            {
                "cell": seen.cell,
                "due": seen.due,
                "by": seen.by,
                "action": seen.action,
                "right": seen.right,
                "wrong": seen.wrong,
            }
            for seen in summary.diagnosis.tableau
        ],
        "faults": [
            {
                "name": fault.name,
                "cells": list(fault.cells),
                "differ": fault.differ,
                "checked": fault.checked,
                "example": _example(fault.example),
                "reproduce": fault.reproduce,
                "known": fault.known,
            }
            for fault in summary.faults
        ],
        "unanswered": [
            {
                "outcome": entry.outcome,
                "why": entry.why,
                "said": entry.example.said,
                "count": entry.count,
                "example": _example(entry.example),
                "reproduce": entry.reproduce,
                "known": entry.known,
            }
            for entry in summary.unanswered
        ],
        "events": [{"what": event.what, "why": event.why, "stderr": event.stderr} for event in log.events],
        "restarts": footer.restarts if footer else None,
        "problems": list(log.problems),
        "known": msgspec.to_builtins(summary.known),
        "exit": summary.exit,
    }
    return msgspec.convert(payload, RunShape)


def _explanation(entry: Explanation) -> dict[str, Any]:
    found: dict[str, Any] = {"name": entry.name, "says": entry.says, "family": entry.family, "cells": list(entry.cells)}
    if entry.weight:
        weight = entry.weight
        found |= {"shoe": weight.shoe, "chance": str(weight.coups)}
        found |= {"nets": {bet: str(share) for bet, share in weight.nets.items()}}
        found |= {"edges": {bet: str(more) for bet, more in weight.edges.items()}}
    return found


def _answer(said: Line | Again) -> dict[str, Any]:
    differs = [msgspec.to_builtins(difference) for difference in said.differs]
    return {"outcome": said.outcome, "differs": differs, "why": said.why}


def _example(line: Line) -> dict[str, Any]:
    found: dict[str, Any] = {"id": line.id, "kind": line.kind}
    if line.cards:
        found["cards"] = list(line.cards)
    if line.bets:
        found["bets"] = line.bets
    if line.balance is not None:
        found["balance"] = line.balance
    asked = msgspec.to_builtins(line)
    found |= {name: asked[name] for name in ("dealt", "burnt", "decks", "cut_card", "steps", "text") if name in asked}
    if line.differs:
        found["differs"] = [msgspec.to_builtins(difference) for difference in line.differs]
    return found

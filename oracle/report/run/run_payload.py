"""A run of an implementation as data. Nothing in it comes from anywhere but the log."""

from __future__ import annotations

from typing import Any

import msgspec

from oracle.conformance.diagnose.diagnose import Explanation, FaultsTogether
from oracle.conformance.diagnose.explain import EXPLAINED
from oracle.conformance.run.log import Again, Line
from oracle.conformance.summary.summary import Fault, Summary
from oracle.report.run.run_shapes import FORMAT, RunShape
from oracle.report.words.run_state import two_answers
from oracle.report.words.run_words import ABOUT, compared_words


def run_payload(summary: Summary) -> RunShape:
    """The verdict, counts, faults and what is left open."""
    log = summary.log
    header, footer = log.header, log.footer
    payload = {
        "format": FORMAT,
        "verdict": summary.verdict,
        "rules": header.rules,
        "compared": compared_words(summary),
        "tiers": list(header.tiers),
        "restricted": header.restricted,
        "seed": header.seed,
        "adaptive": bool(header.adaptive),
        "implementation": msgspec.to_builtins(header.implementation) if header.implementation else None,
        "kinds": list(header.kinds),
        "observables": list(header.observables),
        "checked": log.checked,
        "counts": log.counts,
        "not_asked": footer.not_asked if footer else {},
        "fresh": footer.fresh if footer else {},
        "repeated": footer.repeated if footer else {},
        "power": _power(summary),
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
            "together": _together(summary.diagnosis.together),
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
        "faults": [_fault(fault) for fault in summary.faults],
        "fresh_faults": [_fault(fault) for fault in (summary.drawn.faults if summary.drawn else ())],
        "fresh_card": summary.drawn.card if summary.drawn else "",
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
        "troubles": footer.troubles if footer else None,
        "log_sha256": log.sha256,
        "problems": list(log.problems),
        "known": msgspec.to_builtins(summary.known),
        "exit": summary.exit,
    }
    return msgspec.convert(payload, RunShape)


def _fault(fault: Fault) -> dict[str, Any]:
    return {
        "name": fault.name,
        "cells": list(fault.cells),
        "differ": fault.differ,
        "checked": fault.checked,
        "example": _example(fault.example),
        "reproduce": fault.reproduce,
        "known": fault.known,
    }


def _power(summary: Summary) -> dict[str, Any] | None:
    power = summary.power
    if power is None:
        return None
    found: dict[str, Any] = {
        "changes": power.changes.faults,
        "shown": power.changes.shown,
        "at_least": power.at_least,
        "unseen": power.unseen,
        "not_shown": list(power.changes.hidden),
    }
    if power.miscounts is not None:
        found |= {"miscounts": power.miscounts.faults, "miscounts_shown": power.miscounts.shown}
    return found


def _explanation(entry: Explanation) -> dict[str, Any]:
    found: dict[str, Any] = {"name": entry.name, "says": entry.says, "family": entry.family, "cells": list(entry.cells)}
    if entry.weight:
        weight = entry.weight
        found |= {"shoe": weight.shoe, "chance": str(weight.coups)}
        found |= {"nets": {bet: str(share) for bet, share in weight.nets.items()}}
        found |= {"edges": {bet: str(more) for bet, more in weight.edges.items()}}
    return found


def _together(found: FaultsTogether | None) -> dict[str, Any] | None:
    if found is None:
        return None
    faults = [
        {
            **_explanation(fault.explanation),
            "layer": fault.layer,
            "wrong": fault.wrong,
            "alone": fault.alone,
            "by": fault.by,
        }
        for fault in found.faults
    ]
    return {"faults": faults, "answers": found.answers, "wrong": found.wrong, "left": found.left}


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

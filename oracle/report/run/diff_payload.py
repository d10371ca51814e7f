"""`diff` as JSON: structs, so that their JSON Schema is what is written."""

from __future__ import annotations

import msgspec

from oracle.conformance.summary.changes import KINDS, CaseChange, Changes

FORMAT = 1


class DiffShape(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """`diff`: the verdicts of both runs, and every change; `counts` are of cases by kind of change.

    `dropped` cases were asked only in the old run, `added` only in the new one; both are 0 unless `by_case`.
    """

    format: int
    rules: str
    old: str
    new: str
    by_case: bool
    counts: dict[str, int]
    dropped: int
    added: int
    changes: list[CaseChange]
    exit: int


def diff_payload(changes: Changes) -> DiffShape:
    """The changes from one run to the next."""
    return DiffShape(
        format=FORMAT,
        rules=changes.new.rules,
        old=changes.old.verdict,
        new=changes.new.verdict,
        by_case=changes.by_case,
        counts={kind: changes.count(kind) for kind in KINDS},
        dropped=changes.dropped,
        added=changes.added,
        changes=list(changes.changes),
        exit=changes.exit,
    )

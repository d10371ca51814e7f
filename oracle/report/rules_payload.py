"""`rules` as JSON: structs, so that their JSON Schema is what is written."""

from __future__ import annotations

from collections.abc import Iterable

import msgspec

from oracle.rules.model import RuleSet, Spec

FORMAT = 1


class RuleSetShape(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A rule set: its id, its title or that of its source, the language of the document, and the file of the spec."""

    id: str
    title: str
    language: str
    spec: str


class RulesShape(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """`rules`: every rule set."""

    format: int
    rules: list[RuleSetShape]


def rules_payload(found: Iterable[tuple[Spec, RuleSet]]) -> RulesShape:
    """Rule sets, each with its spec."""
    entries = [
        RuleSetShape(table.id, table.title or spec.source.title, spec.source.language, spec.file)
        for spec, table in found
    ]
    return RulesShape(FORMAT, entries)

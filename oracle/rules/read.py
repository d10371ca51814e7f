"""One spec file to frozen structs, with all mistakes of the file told together."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from oracle.rules.document import read_extends, read_notation, read_rule_sets, read_source
from oracle.rules.draft import Draft
from oracle.rules.fields import Fields
from oracle.rules.link import FindBase, link, no_base
from oracle.rules.model import Clause, Source, Spec, Statement
from oracle.rules.nodes import Node, SpecFile, TooManyProblems, parse, read_text
from oracle.rules.resolutions import (
    read_accepted,
    read_choosers,
    read_resolution,
    read_silent,
)
from oracle.rules.statements import StatementReader
from oracle.spans import SpecError

if TYPE_CHECKING:
    from oracle.rules.assertions import Claim


def read_spec(path: Path, *, name: str = "", find_base: FindBase = no_base, claims: bool = True) -> Spec:
    """The spec at `path`; `name` is how messages call the file. Raises `SpecError` with all its problems.

    `find_base` finds the source that an `extends` names. Without `claims` those are passed over, unread: playing
    needs none.
    """
    return _finish(read_text(path, name or str(path)), find_base, claims=claims)


def read_spec_text(text: str, *, name: str = "spec.yaml", find_base: FindBase = no_base) -> Spec:
    """The spec that `text` holds. Raises `SpecError` with all its problems."""
    return _finish(SpecFile(name, text), find_base)


def _finish(file: SpecFile, find_base: FindBase, *, claims: bool = True) -> Spec:
    spec = None
    try:
        root = parse(file)
        if root is not None:
            spec = _spec(file, root, find_base, claims=claims)
    except TooManyProblems:
        pass
    if spec is None or file.problems:
        raise SpecError(file.problems)
    return spec


def _spec(file: SpecFile, root: Node, find_base: FindBase, *, claims: bool) -> Spec | None:
    fields = Fields.read(file, root, "spec")
    if fields is None:
        return None
    draft = Draft(file)
    draft.source = read_source(draft, fields.get("source"))
    rule_sets = read_rule_sets(draft, fields)
    draft.rule_sets = tuple(rule_set.name for rule_set in rule_sets if rule_set.name)
    notation = read_notation(draft, fields.get("notation"))
    draft.for_one = notation is not None and notation.odds == "for-one"
    statements: list[Statement] = []
    clauses: list[Clause] = []
    reader = StatementReader(draft)
    for node in fields.items("statements"):
        if (read := reader.read(node)) is not None:
            statements.append(read[0])
            clauses += read[1]
    resolutions = [read_resolution(draft, node) for node in fields.items("resolutions")]
    accepted = [read_accepted(draft, node) for node in fields.items("accepted")]
    silent = [read_silent(draft, node) for node in fields.items("silent")]
    asserted = [_read_claim(draft, node) for node in fields.items("claims")] if claims else []
    spec = Spec(
        file=file.name,
        source=draft.source or Source("", "", "", 0, file.at()),
        rule_sets=rule_sets,
        statements=tuple(statements),
        clauses=tuple(clauses),
        resolutions=tuple(entry for entry in resolutions if entry is not None),
        accepted=tuple(entry for entry in accepted if entry is not None),
        silent=tuple(entry for entry in silent if entry is not None),
        claims=tuple(entry for entry in asserted if entry is not None),
        choosers=read_choosers(draft, fields),
        notation=notation,
        extends=read_extends(draft, fields.get("extends")),
    )
    return link(file, spec, draft.references, find_base)


def _read_claim(draft: Draft, node: Node) -> Claim | None:
    from oracle.rules.claims import read_claim

    return read_claim(draft, node)

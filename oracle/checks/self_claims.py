"""self-claim: claims that set something against itself, which proves nothing."""

from __future__ import annotations

from collections.abc import Iterator

from oracle.checks.finding import Finding
from oracle.rules.assertions import Claim, CompareClaim, DisputedClaim, SameClaim
from oracle.rules.model import RuleSet, Spec


def check_self_claims(spec: Spec) -> Iterator[Finding]:
    """One finding for each claim at each rule set at which it is disputed by, same as, or measured against itself."""
    for claim in spec.claims:
        for table in spec.rule_sets:
            if claim.tables and table.name not in claim.tables:
                continue
            told = _against_itself(spec, table, claim)
            if told:
                what, help = told
                yield Finding(
                    code="self-claim",
                    rules=table.id,
                    question="",
                    subject=claim.id,
                    message=f"claim {claim.id} (line {', '.join(str(cite) for cite in claim.cites)}) {what}",
                    span=claim.span,
                    help=help,
                )


def _against_itself(spec: Spec, table: RuleSet, claim: Claim) -> tuple[str, str] | None:
    """What a claim sets against itself at a table, and how to mend it; None if it doesn't."""
    body = claim.body
    if isinstance(body, DisputedClaim) and body.source == spec.id:
        return f"is disputed by {spec.id}, its own source", "name the other source that says otherwise, or remove it"
    if isinstance(body, SameClaim) and body.other == table.id:
        others = ", ".join(other.name for other in spec.rule_sets if other.id != table.id)
        help = f"limit it with `tables: [{others}]`" if others else "name the other rule set that it speaks of"
        return f"compares {table.id} with itself", help
    if isinstance(body, CompareClaim) and body.than is not None:
        alike = (body.of.bet, body.of.guard) == (body.than.bet, body.than.guard)
        named = {(t.field, t.values) for t in body.of.guard}
        if alike or (not body.of.bet and not body.than.bet and named == {(t.field, t.values) for t in body.than.guard}):
            return f"compares {body.of.bet or body.of.text} with itself", "name what the document compares it with"
    return None

"""What documents assert of one another, and of the world: where two of them can't both be right.

disputed    two documents assert opposite facts; nothing in their rules tells who is right
refuted     a document says how another table is, and that table's rules say otherwise
confirmed   a document says how some other table is, and this one is so
"""

from __future__ import annotations

from collections.abc import Iterator

import msgspec

from oracle.checks.claim_context import FAILS, HOLDS, ClaimContext
from oracle.checks.claims import exists_in, judge
from oracle.game.rules import Rules
from oracle.rules.assertions import Claim, DisputedClaim, ExistsClaim, SameClaim
from oracle.rules.cite import Cite
from oracle.rules.model import Spec
from oracle.spans import Span

DISPUTED, REFUTED, CONFIRMED = "disputed", "refuted", "confirmed"


class Assertion(msgspec.Struct, frozen=True):
    """What a document asserts, in our words, and where."""

    rules: str
    id: str
    says: str
    lines: str
    span: Span | None = None


class Dispute(msgspec.Struct, frozen=True):
    """An assertion of one rule set's document, and what the other's document or rules have to say about it."""

    kind: str
    of: Assertion
    against: Assertion


def compare_claims(a: Rules, b: Rules) -> tuple[Dispute, ...]:
    """The claims of either document about which the other one, or its rules, say something."""
    context = ClaimContext([a.spec] if a.spec.id == b.spec.id else [a.spec, b.spec])
    found: dict[frozenset[tuple[str, str]], Dispute] = {}
    for one, other in ((a, b), (b, a)):
        for claim in one.spec.claims:
            if claim.tables and one.rule_set.name not in claim.tables:
                continue
            for dispute in _about(claim, one, other, context):
                sides = {(side.rules, side.id or side.lines) for side in (dispute.of, dispute.against)}
                found.setdefault(frozenset(sides), dispute)
    return tuple(found.values())


def _about(claim: Claim, one: Rules, other: Rules, context: ClaimContext) -> Iterator[Dispute]:
    of = _asserted(one, claim)
    body = claim.body
    if isinstance(body, DisputedClaim) and body.source == other.spec.id != one.spec.id:
        yield Dispute(DISPUTED, of, _at(other, body.place, one.spec.id))
    elif isinstance(body, ExistsClaim) and other.spec.id != one.spec.id:
        answer = exists_in(body, other)
        if answer:
            yield Dispute(CONFIRMED, of, Assertion(other.id, "", f"{body.question} {answer}", ""))
    elif isinstance(body, SameClaim) and body.other == other.id:
        found = judge(claim, one, context)
        if found.verdict in (HOLDS, FAILS):
            kind = CONFIRMED if found.verdict == HOLDS else REFUTED
            yield Dispute(kind, of, Assertion(other.id, "", found.evidence, ""))


def _asserted(rules: Rules, claim: Claim) -> Assertion:
    return Assertion(rules.id, claim.id, claim.says, ", ".join(str(cite) for cite in claim.cites), claim.span)


def _at(rules: Rules, place: Cite, disputing: str) -> Assertion:
    """What a document says at a place: a claim, first one that disputes back, else a statement, else nothing known."""
    spec: Spec = rules.spec
    claims = [claim for claim in spec.claims if any(_covers(cite, place) for cite in claim.cites)]
    claims.sort(key=lambda claim: not (isinstance(claim.body, DisputedClaim) and claim.body.source == disputing))
    if claims:
        return msgspec.structs.replace(_asserted(rules, claims[0]), lines=str(place))
    for clause in spec.clauses:
        if any(_covers(cite, place) for cite in clause.cites):
            return Assertion(rules.id, clause.statement, clause.says, str(place), clause.span)
    return Assertion(rules.id, "", "", str(place))


def _covers(cite: Cite, place: Cite) -> bool:
    return cite.line == place.line and place.sentence in (0, cite.sentence)

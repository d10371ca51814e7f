"""Which layer notices a slip in a spec: the checks of its text, another source, its own claims, or only fixtures.

A slip that changes no answer of the question in any state is equivalent, and nothing could notice it. Layers are asked
in order, the cheapest first; what one notices the later ones aren't asked.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence

import msgspec

from oracle.cases.reference import reference_of
from oracle.cases.tiers import cases
from oracle.checks.claim_context import HOLDS, ClaimContext
from oracle.checks.claims import judge
from oracle.game.evaluate import Evaluation
from oracle.game.rules import Rules
from oracle.mutants.clauses import Slip, slips
from oracle.rules.assertions import BoundClaim, Claim, CompareClaim, ConsecutiveClaim
from oracle.rules.model import Spec
from oracle.spans import OracleError

LAYERS = ("equivalent", "checks", "another source", "claims", "fixtures", "nothing")
_COUNTED = (BoundClaim, CompareClaim, ConsecutiveClaim)  # decided by counting coups, which takes longer


class Strength(msgspec.Struct, frozen=True):
    """What notices the slips in one rule set: how many by layer and kind, and those that only fixtures notice."""

    rules: str
    counts: dict[str, dict[str, int]]
    only_fixtures: tuple[str, ...]
    unnoticed: tuple[str, ...]

    def total(self, layer: str) -> int:
        """How many slips a layer is the first to notice."""
        return sum(self.counts.get(layer, {}).values())


def strength(rules: Rules, specs: Sequence[Spec]) -> Strength:
    """Try every slip in the spec of a rule set. `specs` are all sources."""
    watch = _Watch(rules, specs)
    counts: dict[str, Counter[str]] = {layer: Counter() for layer in LAYERS}
    told: dict[str, list[str]] = {layer: [] for layer in LAYERS}
    for slip in slips(rules):
        layer = watch.layer(slip)
        counts[layer][slip.kind] += 1
        told[layer].append(slip.says)
    return Strength(
        rules=rules.id,
        counts={layer: dict(found) for layer, found in counts.items()},
        only_fixtures=tuple(told["fixtures"]),
        unnoticed=tuple(told["nothing"]),
    )


class _Watch:
    """What stands guard over one rule set."""

    def __init__(self, rules: Rules, specs: Sequence[Spec]) -> None:
        self.rules = rules
        self.specs = [spec for spec in specs if spec.id != rules.spec.id]
        self.others = [Rules(spec, rule_set) for spec in self.specs for rule_set in spec.rule_sets]
        context = ClaimContext([rules.spec, *self.specs])
        own = context.rules(rules.id)
        assert own is not None
        concerned = [c for c in rules.spec.claims if not c.tables or rules.rule_set.name in c.tables]
        self.claims = [claim for claim in concerned if judge(claim, own, context).verdict == HOLDS]
        self.claims.sort(key=lambda claim: isinstance(claim.body, _COUNTED))
        self._kept = [*cases(rules, "minimal"), *cases(rules, "settlement")]

    def layer(self, slip: Slip) -> str:
        """The first layer that notices a slip."""
        wrong = Rules(slip.spec, self.rules.rule_set)
        before = self.rules.evaluation(slip.question)
        after = wrong.evaluation_over(slip.question, before.space)
        if not after.open and _answers(before) == _answers(after):
            return "equivalent"
        if after.open or _newly_dead(before, after) or _resolved_otherwise(before, after):
            return "checks"
        if self._another_source(slip.question, before, after):
            return "another source"
        if any(self._fails(claim, slip.spec) for claim in self.claims):
            return "claims"
        return "fixtures" if self._shown(wrong) else "nothing"

    def _another_source(self, question: str, before: Evaluation, after: Evaluation) -> bool:
        """Whether a source that agreed on every state of the question no longer does."""
        for other in self.others:
            theirs = other.evaluation(question)
            if (theirs.space.fields, theirs.space.rows) != (before.space.fields, before.space.rows):
                continue
            answers = _answers(theirs)
            if answers == _answers(before) and answers != _answers(after):
                return True
        return False

    def _fails(self, claim: Claim, spec: Spec) -> bool:
        context = ClaimContext([spec, *self.specs])
        own = context.rules(self.rules.id)
        assert own is not None
        try:
            return judge(claim, own, context).verdict != HOLDS
        except OracleError:
            return True

    def _shown(self, wrong: Rules) -> bool:
        """Whether some case of the suite is answered otherwise, or can't be answered at all."""
        try:
            reference = reference_of(wrong)
            return any(reference.again(case) != case for case in self._kept)
        except (OracleError, KeyError):
            return True


def _answers(evaluation: Evaluation) -> dict[object, int]:
    """The states by answer."""
    return {atom: mask for atom, mask in evaluation.resolved.permits.items() if mask}


def _newly_dead(before: Evaluation, after: Evaluation) -> bool:
    """Whether a clause speaks in no state any more that did."""
    return any(not after.masks[id] and mask for id, mask in before.masks.items() if id in after.masks)


def _resolved_otherwise(before: Evaluation, after: Evaluation) -> bool:
    """Whether a resolution closes nothing any more, or changes what is clear now."""
    closed = {a.resolution.id: (bool(a.closes), bool(a.overrides), bool(a.clashes)) for a in before.applied}
    return any(
        closed.get(a.resolution.id) != (bool(a.closes), bool(a.overrides), bool(a.clashes)) for a in after.applied
    )

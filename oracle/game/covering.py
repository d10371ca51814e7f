"""Which clauses cover another one: together they speak wherever it does, and say the same."""

from __future__ import annotations

from oracle.game.evaluate import Evaluation, any_mask


def covering(evaluation: Evaluation) -> dict[str, tuple[str, ...]]:
    """For each clause that says nothing of its own, clauses that together speak wherever it does, and say the same.

    A minimal set, not the only one: of all that speak there the last in the file are left out first. Each of them is
    needed.
    """
    active = evaluation.active({})
    once = twice = 0
    for clause in active:
        twice |= once & evaluation.masks[clause.id]
        once |= evaluation.masks[clause.id]
    alike = twice & ~evaluation.literal.conflict
    found: dict[str, tuple[str, ...]] = {}
    for clause in active:
        mask = evaluation.masks[clause.id]
        if not mask or mask & ~alike:
            continue
        cover = [other.id for other in active if other is not clause and evaluation.masks[other.id] & mask]
        for name in reversed(cover):
            rest = [other for other in cover if other != name]
            if not mask & ~any_mask(evaluation.masks[other] for other in rest):
                cover = rest
        found[clause.id] = tuple(cover)
    return found

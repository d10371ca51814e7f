"""conflict: a reachable state whose statements leave no permitted answer."""

from __future__ import annotations

from collections.abc import Iterator

from oracle.checks.finding import Finding
from oracle.checks.make_finding import by_resolution, finding
from oracle.checks.regions import show_region
from oracle.game.evaluate import Evaluation, expand
from oracle.game.rules import Rules
from oracle.game.space import bits
from oracle.rules.model import Clause

_MOST = 24  # statements in one state of which every pair is looked at


def check_conflict(rules: Rules, question: str) -> Iterator[Finding]:
    """One finding for each group of statements that disagree, over all states in which they do."""
    evaluation = rules.evaluation(question)
    known = 0
    for readings in [{}, *evaluation.combinations()]:
        mask = evaluation.under(readings).conflict & ~known
        known |= mask
        for statements, (states, clauses) in _groups(evaluation, evaluation.active(readings), mask).items():
            suffix = " and ".join(f"{s} is read as {r}" for s, r in readings.items())
            for part, resolution, because in by_resolution(evaluation, states):
                there = [c for c in clauses if evaluation.masks[c.id] & part]
                names = " and ".join(statements)
                verb = "disagree" if len(statements) > 1 else "permits no answer"
                yield finding(
                    rules,
                    question,
                    "conflict",
                    part,
                    message=f"{names} {verb} about {evaluation.question.asks}" + (f" if {suffix}" if suffix else ""),
                    subject=question,
                    clauses=there,
                    region=show_region(rules, question, part),
                    resolution=resolution,
                    because=because,
                    help=""
                    if resolution
                    else "mend the statements, or resolve with `instead_of` naming the one set aside",
                )


def check_deal(rules: Rules, question: str) -> Iterator[Finding]:
    """A finding if every place of the deal is answered, and the hands don't get two of the first four cards each."""
    evaluation = rules.evaluation(question)
    if question != "deal_order" or evaluation.open:
        return
    players = evaluation.resolved.permits.get("player", 0)
    if players.bit_count() != 2:
        yield finding(
            rules,
            question,
            "conflict",
            evaluation.space.full,
            message=f"of the first four cards the player gets {players.bit_count()}, not two",
            subject=question,
            clauses=evaluation.active({}),
            region=show_region(rules, question, players) if players else "",
            help="mend who gets which card",
        )


def _groups(
    evaluation: Evaluation, clauses: tuple[Clause, ...], mask: int
) -> dict[tuple[str, ...], tuple[int, tuple[Clause, ...]]]:
    """Conflict states by the statements that disagree there: pairs where a pair does, else all that speak."""
    said = {c.id: expand(evaluation.question, evaluation.space, c.answer) for c in clauses}
    found: dict[tuple[str, ...], tuple[int, dict[str, Clause]]] = {}
    for i in bits(mask):
        speaking = [c for c in clauses if evaluation.masks[c.id] >> i & 1]
        atoms = {c.id: {a for a, where in said[c.id].items() if where >> i & 1} for c in speaking}
        pairs: list[tuple[Clause, ...]] = [
            (a, b)
            for n, a in enumerate(speaking[:_MOST])
            for b in speaking[n + 1 : _MOST]
            if not atoms[a.id] & atoms[b.id]
        ]
        for group in pairs or [tuple(speaking)]:
            statements = tuple(dict.fromkeys(c.statement for c in group))
            states, members = found.get(statements, (0, {}))
            members.update((c.id, c) for c in group)
            found[statements] = (states | 1 << i, members)
    return {key: (states, tuple(members.values())) for key, (states, members) in found.items()}

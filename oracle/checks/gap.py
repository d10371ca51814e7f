"""gap: a reachable state that no statement answers."""

from __future__ import annotations

from collections.abc import Iterator

from oracle.checks.finding import Finding
from oracle.checks.make_finding import by_resolution, finding, in_boxes, nearest, show_lacking
from oracle.game.rules import Rules


def check_gap(rules: Rules, question: str) -> Iterator[Finding]:
    """One finding for each box of states in which the text is silent. Questions with a default have none."""
    evaluation = rules.evaluation(question)
    if evaluation.question.silent == "assumed":
        return
    for mask, reading in _gaps(rules, question):
        for part, resolution, because in by_resolution(evaluation, mask):
            for states, region in in_boxes(rules, question, part):
                near = nearest(evaluation, states)
                yield finding(
                    rules,
                    question,
                    "gap",
                    states,
                    message=f"nothing says {evaluation.question.asks}" + (f" if {reading}" if reading else ""),
                    subject=question,
                    clauses=near,
                    region=region,
                    resolution=resolution,
                    because=because,
                    help="" if resolution else "add a statement that the document has, or a resolution that fills it",
                    nearly=show_lacking(evaluation, near[0], states) if near else "",
                )


def _gaps(rules: Rules, question: str) -> Iterator[tuple[int, str]]:
    """The gaps of the text as read, and what resolutions open; then those that other readings would add."""
    evaluation = rules.evaluation(question)
    known = evaluation.literal.gap | (evaluation.resolved.gap & evaluation.clear)
    yield known, ""
    for readings in evaluation.combinations():
        more = evaluation.under(readings).gap & ~known
        if more:
            known |= more
            yield more, " and ".join(f"{s} is read as {r}" for s, r in readings.items())

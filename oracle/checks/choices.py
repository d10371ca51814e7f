"""undecided and ambiguous: places where the text permits several things."""

from __future__ import annotations

from collections.abc import Iterator

from oracle.checks.finding import Finding, Part
from oracle.checks.make_finding import by_resolution, finding, in_boxes
from oracle.checks.make_finding import part as as_part
from oracle.checks.regions import show_region
from oracle.game.evaluate import Evaluation
from oracle.game.rules import Rules
from oracle.game.space import first_bit


def check_undecided(rules: Rules, question: str) -> Iterator[Finding]:
    """One finding for each box in which several actions are permitted and nobody is declared to choose."""
    evaluation = rules.evaluation(question)
    for part, resolution, because in by_resolution(evaluation, evaluation.literal.undecided):
        for states, region in in_boxes(rules, question, part):
            i = first_bit(states)
            yield finding(
                rules,
                question,
                "undecided",
                states,
                message=f"{evaluation.question.asks} is left free, and nobody is named to choose",
                subject=question,
                clauses=[c for c in evaluation.active({}) if evaluation.masks[c.id] >> i & 1],
                region=region,
                resolution=resolution,
                because=because,
                help="" if resolution else f"name who chooses, as in choosers: {{{question}: player}}, or resolve it",
            )


def check_ambiguous(rules: Rules, question: str) -> Iterator[Finding]:
    """One finding for each statement whose readings differ in some state."""
    evaluation = rules.evaluation(question)
    asks = evaluation.question.asks
    for statement, mask in evaluation.ambiguous.items():
        if not mask:
            continue
        chosen = evaluation.chosen.get(statement)
        clauses = [clause for clause in evaluation.clauses if clause.statement == statement]
        names = evaluation.readings[statement]
        yield finding(
            rules,
            question,
            "ambiguous",
            mask,
            message=f"{statement} can be read as {' or '.join(names)}, which differ about {asks}",
            subject=statement,
            clauses=clauses,
            parts=tuple(_reading_parts(evaluation, statement, mask)),
            region=show_region(rules, question, mask),
            resolution=f"{chosen.id} (read as {chosen.reading})" if chosen else "",
            because=chosen.because if chosen else "",
            help=""
            if chosen
            else f"choose one in `resolutions`: {{id: …, choose: {statement}, reading: {names[0]}, because: …}}",
        )


def _reading_parts(evaluation: Evaluation, statement: str, mask: int) -> Iterator[Part]:
    """What each reading of a statement says in the states where they differ."""
    clauses = [clause for clause in evaluation.clauses if clause.statement == statement]
    for reading in evaluation.readings[statement]:
        speaking = [c for c in clauses if c.reading == reading and evaluation.masks[c.id] & mask]
        for clause in speaking:
            yield as_part(evaluation, clause)
        if not speaking:
            yield Part(f"{statement}/{reading}", clauses[0].span, clauses[0].lines, "nothing there")

"""unneeded-resolution and overriding-resolution: is what a spec resolves needed, and honest?"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence

from oracle.checks.finding import Finding
from oracle.checks.make_finding import finding
from oracle.checks.regions import show_region
from oracle.game.rules import Rules
from oracle.rules.answers import show_atom
from oracle.rules.model import Spec
from oracle.rules.questions import QUESTIONS


def check_overriding(rules: Rules, question: str) -> Iterator[Finding]:
    """One finding for each resolution that closes nothing open, and would change what clear statements say.

    One that fills open states may reach over clear ones too: it doesn't touch them.
    """
    evaluation = rules.evaluation(question)
    for place, applied in enumerate(evaluation.applied):
        if applied.clashes:
            earlier = next(a.resolution for a in evaluation.applied[:place] if a.closes & applied.clashes)
            yield finding(
                rules,
                question,
                "overriding-resolution",
                applied.clashes,
                message=f"{applied.resolution.id} answers otherwise than {earlier.id} in the same states",
                subject=applied.resolution.id,
                span=applied.resolution.span,
                region=show_region(rules, question, applied.clashes),
                help="narrow the `when` of one of them",
            )
            continue
        if not applied.overrides or applied.closes:
            continue
        resolution = applied.resolution
        clauses = [c for c in evaluation.active({}) if evaluation.masks[c.id] & applied.overrides]
        answer = show_atom(evaluation.question, resolution.answer[0])
        yield finding(
            rules,
            question,
            "overriding-resolution",
            applied.overrides,
            message=f"{resolution.id} says {answer} where the text clearly says otherwise; the text holds",
            subject=resolution.id,
            clauses=clauses,
            span=resolution.span,
            region=show_region(rules, question, applied.overrides),
            help="narrow its `when`, or name what it sets aside in `instead_of`",
        )


def check_unneeded(spec: Spec, tables: Sequence[Rules], questions: Iterable[str]) -> Iterator[Finding]:
    """One finding for each resolution that closes nothing at any table of its source."""
    closed: set[str] = set()
    conflicts: set[str] = set()
    asked = tuple(questions)
    for rules in tables:
        for question in asked:
            evaluation = rules.evaluation(question)
            for applied in evaluation.applied:
                if applied.closes or applied.overrides:
                    closed.add(applied.resolution.id)
                if applied.region & evaluation.resolved.conflict:
                    conflicts.add(applied.resolution.id)
    for resolution in spec.resolutions:
        table = next((r for r in tables if resolution in r.resolutions), None)
        if resolution.id in closed or table is None:
            continue
        question = resolution.question or next(
            (c.question for c in spec.clauses if c.statement == resolution.choose), "outcome"
        )
        if question not in asked:
            continue
        help = "remove it"
        if resolution.id in conflicts:
            help = "statements conflict there: name the one that it sets aside in `instead_of`"
        yield Finding(
            code="unneeded-resolution",
            rules=table.id,
            question=question,
            subject=resolution.id,
            message=f"{resolution.id} closes nothing about {QUESTIONS[question].asks}",
            span=resolution.span,
            help=help,
        )

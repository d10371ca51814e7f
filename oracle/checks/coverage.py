"""unaccounted: sentences of the document that nothing in the spec cites."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

import msgspec

from oracle.checks.finding import Finding
from oracle.rules.cite import Cite
from oracle.rules.model import Clause, Source, Spec, Statement

Place = tuple[int, int]


class Coverage(msgspec.Struct, frozen=True):
    """How many of a document's sentences statements, claims and silent entries cite, and which nothing cites.

    A sentence that several cite counts for the first of these kinds.
    """

    sentences: int
    stated: int
    claimed: int
    silent: int
    unaccounted: tuple[Place, ...]

    @property
    def accounted(self) -> int:
        """All sentences that something cites."""
        return self.sentences - len(self.unaccounted)


def coverage(spec: Spec) -> Coverage:
    """What the spec accounts for of its document; borrowed statements count where they come from."""
    stated = places(spec.source, _own_cites(spec))
    claimed = places(spec.source, (cite for claim in spec.claims for cite in claim.cites)) - stated
    silent = places(spec.source, (cite for entry in spec.silent for cite in entry.cites)) - stated - claimed
    every = {
        (line, number)
        for line in range(1, spec.source.lines + 1)
        for number in range(1, spec.source.sentences_of(line) + 1)
    }
    missing = tuple(sorted(every - stated - claimed - silent))
    return Coverage(len(every), len(stated), len(claimed), len(silent), missing)


_MOST = 200


def check_coverage(spec: Spec) -> Iterator[Finding]:
    """One finding for each run of sentences that nothing cites. Sources without a document have none."""
    if not spec.source.sha256:
        return
    lines = list(_by_line(coverage(spec).unaccounted))
    for line, numbers in lines[:_MOST]:
        whole = len(numbers) == spec.source.sentences_of(line)
        if spec.source.sentences_of(line) == 1:
            what = f"line {line}"
        elif whole:
            what = f"line {line} (all {len(numbers)} sentences)"
        else:
            what = f"line {line}, sentence{'s' * (len(numbers) > 1)} {', '.join(str(n) for n in numbers)}"
        yield Finding(
            code="unaccounted",
            rules=spec.rule_sets[0].id,
            question="",
            subject=str(line) if whole else f"{line}.{numbers[0]}",
            message=f"nothing cites {what} of the document",
            span=spec.source.span,
            help="cite it in a statement, a claim, or `silent` with the reason",
        )
    if len(lines) > _MOST:
        yield Finding(
            code="unaccounted",
            rules=spec.rule_sets[0].id,
            question="",
            subject="more",
            message=f"nothing cites {len(lines) - _MOST:,} more lines of the document",
            span=spec.source.span,
            help="see whether `lines` of the source is right",
        )


def own_clauses(spec: Spec) -> Iterator[Clause]:
    """The clauses that cite this document, not that of a source that lends questions."""
    return (clause for clause in spec.clauses if clause.source == spec.id)


def own_statements(spec: Spec) -> Iterator[Statement]:
    """The statements that cite this document."""
    lent = {clause.statement for clause in spec.clauses if clause.source != spec.id}
    return (statement for statement in spec.statements if statement.id not in lent)


def _own_cites(spec: Spec) -> Iterator[Cite]:
    for statement in own_statements(spec):
        yield from statement.cites
    for clause in own_clauses(spec):
        yield from clause.cites
    if spec.notation is not None:
        yield from spec.notation.cites


def places(source: Source, cites: Iterable[Cite]) -> set[Place]:
    """The sentences that cites name, as line and number within the line."""
    found: set[Place] = set()
    for cite in cites:
        for line in range(cite.line, (cite.last_line or cite.line) + 1):
            count = source.sentences_of(line)
            numbers = [cite.sentence] if cite.sentence else range(1, count + 1)
            found.update((line, number) for number in numbers)
    return found


def _by_line(places: Iterable[Place]) -> Iterator[tuple[int, list[int]]]:
    lines: dict[int, list[int]] = {}
    for line, number in places:
        lines.setdefault(line, []).append(number)
    yield from lines.items()

"""unaccounted, not-encoded, stated-and-silent: what a spec makes of the sentences of its document."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence

import msgspec

from oracle.checks.finding import Finding
from oracle.rules.assertions import DisputedClaim, NotCheckableClaim
from oracle.rules.cite import Cite
from oracle.rules.model import Clause, Source, Spec, Statement
from oracle.rules.questions import CHECKED_QUESTIONS

Place = tuple[int, int]


class Coverage(msgspec.Struct, frozen=True):
    """How many of a document's sentences are encoded, in whole or in part, and which nothing cites.

    `encoded`: all that statements make of the sentence answers questions that are checked. `in_part`: some of it does,
    some is free text. `recorded`: all of it is free text. `claimed`: only claims cite it. `silent`: it is listed as
    saying nothing of the rules. A sentence that several cite counts for the first of these kinds.
    """

    sentences: int
    encoded: int
    in_part: int
    recorded: int
    claimed: int
    silent: int
    unaccounted: tuple[Place, ...]

    @property
    def accounted(self) -> int:
        """All sentences that something cites."""
        return self.sentences - len(self.unaccounted)


def coverage(spec: Spec) -> Coverage:
    """What the spec accounts for of its document; borrowed statements count where they come from."""
    kinds = _stated(spec)
    stated = set(kinds)
    claimed = _claimed(spec) - stated
    silent = _silent(spec) - stated - claimed
    every = {
        (line, number)
        for line in range(1, spec.source.lines + 1)
        for number in range(1, spec.source.sentences_of(line) + 1)
    }
    counts = Counter(kinds.values())
    missing = tuple(sorted(every - stated - claimed - silent))
    return Coverage(
        len(every), counts["encoded"], counts["in part"], counts["recorded"], len(claimed), len(silent), missing
    )


def _stated(spec: Spec) -> dict[Place, str]:
    """The sentences that statements and the notation cite: encoded, in part, or recorded.

    A sentence that a statement cites and none of its answers, as the head of a table, is what these are together.
    """
    source = spec.source
    checked: dict[Place, set[bool]] = {}
    answers: dict[str, list[Clause]] = {}
    for clause in own_clauses(spec):
        answers.setdefault(clause.statement, []).append(clause)
        for place in places(source, clause.cites):
            checked.setdefault(place, set()).add(clause.question in CHECKED_QUESTIONS)
    for statement in own_statements(spec):
        said = {clause.question in CHECKED_QUESTIONS for clause in answers.get(statement.id, ())}
        cited = places(source, (cite for clause in answers.get(statement.id, ()) for cite in clause.cites))
        for place in places(source, statement.cites) - cited:
            checked.setdefault(place, set()).update(said)
    if spec.notation is not None:
        for place in places(source, spec.notation.cites):
            checked.setdefault(place, set()).update({True})
    words = {frozenset({True}): "encoded", frozenset({True, False}): "in part"}
    return {place: words.get(frozenset(said), "recorded") for place, said in checked.items()}


def _claimed(spec: Spec) -> set[Place]:
    return places(spec.source, (cite for claim in spec.claims for cite in claim.cites))


def _silent(spec: Spec) -> set[Place]:
    return places(spec.source, (cite for entry in spec.silent for cite in entry.cites))


def check_encoded(spec: Spec) -> Iterator[Finding]:
    """A finding if nothing of the document is encoded: no statement answers a question, and no claim can be judged.

    A spec that is about no document and says nothing of its own, but borrows all, has nothing to encode.
    """
    if any(clause.question in CHECKED_QUESTIONS for clause in own_clauses(spec)):
        return
    if any(not isinstance(claim.body, NotCheckableClaim | DisputedClaim) for claim in spec.claims):
        return
    if not (spec.source.sha256 or spec.silent or spec.claims or any(True for _ in own_statements(spec))):
        return
    found = coverage(spec)
    blank = sum(1 for line in range(1, spec.source.lines + 1) if not spec.source.sentences_of(line))
    counts = {"recorded only": found.recorded, "claimed": found.claimed, "silent": found.silent}
    words = [f"{count:,} {word}" for word, count in counts.items() if count]
    words += [f"{blank:,} blank lines"] * bool(blank)
    yield Finding(
        code="not-encoded",
        rules=spec.rule_sets[0].id,
        question="",
        subject=spec.id,
        message=f"nothing of the document is encoded{f': {_and(words)}' if words else ''}",
        span=spec.source.span,
        help="encode what it says of the rules in statements with `about` and `then`; `about: other` checks nothing",
    )


def _and(words: Sequence[str]) -> str:
    return ", ".join(words[:-1]) + " and " * (len(words) > 1) + words[-1]


def check_silent(spec: Spec) -> Iterator[Finding]:
    """One finding for each silent entry that lists sentences which statements or claims cite."""
    stated = set(_stated(spec))
    cited = stated | _claimed(spec)
    for entry in spec.silent:
        both = sorted(places(spec.source, entry.cites) & cited)
        if not both:
            continue
        names = [str(line) if spec.source.sentences_of(line) == 1 else f"{line}.{number}" for line, number in both]
        shown = names[:_SHOWN] + [f"{len(names) - _SHOWN} more"] * (len(names) > _SHOWN)
        yield Finding(
            code="stated-and-silent",
            rules=spec.rule_sets[0].id,
            question="",
            subject=names[0],
            message=f"{_and(shown)} {'is' if len(names) == 1 else 'are'} listed as silent, and cited too",
            span=entry.span,
            help="take what says something of the rules out of `silent`",
        )


_SHOWN = 8
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

"""unneeded-acceptance and miscounted-acceptance: what the entries of `accepted` accept, and whether that is all."""

from __future__ import annotations

from collections.abc import Sequence

from msgspec.structs import replace

from oracle.checks.codes import ACCEPTABLE
from oracle.checks.finding import Finding
from oracle.rules.model import Accepted, Spec

_INVARIANTS = ("false-claim ", "refuted-invariant ")


def accept(spec: Spec, rules: str, findings: Sequence[Finding], *, judged: bool) -> list[Finding]:
    """The findings with accepted ones marked, and a finding for each entry that accepts nothing, or miscounts.

    An entry whose numbers don't fit accepts nothing: what it named stays open, so that what came later is seen. One
    without a number fits a single finding; the same one at several rule sets counts once. Entries of the spec itself
    go before borrowed ones, and a borrowed one that doesn't fit the rules that borrow it is passed over. `rules` is the
    rule set to which such findings are told; `judged` whether claims and invariants were.
    """
    entries = sorted(spec.accepted, key=lambda entry: entry.borrowed)
    named: dict[int, list[int]] = {place: [] for place in range(len(entries))}
    taken: set[int] = set()
    told: list[Finding] = []
    marked = list(findings)
    for place, entry in enumerate(entries):
        named[place] = [n for n, f in enumerate(findings) if n not in taken and _names(entry, f, spec)]
        found = [findings[n] for n in named[place]]
        wrong = _miscounted(entry, found)
        if not found:
            if judged or not entry.finding.startswith(_INVARIANTS):
                told.append(_unused(rules, entry))
        elif wrong:
            if not entry.borrowed:
                taken.update(named[place])
                told.append(_finding("miscounted-acceptance", rules, entry, *wrong))
        else:
            taken.update(named[place])
            for n in named[place]:
                marked[n] = replace(findings[n], status="accepted", because=entry.because, help="")
    return marked + told


def _names(entry: Accepted, finding: Finding, spec: Spec) -> bool:
    """Whether an entry is about a finding: by its code, and by its subject, statement or question."""
    code, _, subject = entry.finding.partition(" ")
    if code not in ACCEPTABLE or code != finding.code:
        return False
    table = finding.rules.partition("/")[2]
    if entry.tables and table not in entry.tables:
        return False
    statement = next((c.statement for c in spec.clauses if c.id == finding.subject), "")
    return subject in (finding.subject, statement, finding.question)


def _miscounted(entry: Accepted, findings: Sequence[Finding]) -> tuple[str, str] | None:
    """How the numbers of an entry don't fit what it names, and how to mend it; None if they do."""
    once = {(f.subject, f.question, f.message, f.region, f.states): f for f in findings}
    cases, states = len(once), sum(f.states for f in once.values())
    write = f"look at each again, then write `cases: {cases}`" + (f" or `states: {states}`" if states else "")
    if entry.cases is not None and entry.cases != cases:
        return f"`{entry.finding}` is said to be {_count(entry.cases, 'finding')}, and is {cases:,}", write
    if entry.states is not None and entry.states != states:
        return f"`{entry.finding}` is said to be {_count(entry.states, 'state')}, and is {states:,}", write
    if entry.cases is None and entry.states is None and cases > 1:
        return f"`{entry.finding}` accepts {cases:,} findings, and doesn't say so", write
    return None


def _count(number: int, noun: str) -> str:
    return f"{number:,} {noun}{'' if number == 1 else 's'}"


def _unused(rules: str, entry: Accepted) -> Finding:
    code = entry.finding.partition(" ")[0]
    help = "remove it, or name a finding as `check` prints it: its code and the statement, case or question"
    if code not in ACCEPTABLE:
        help = f"only {', '.join(ACCEPTABLE)} can be accepted; the others are closed by a resolution"
    return _finding("unneeded-acceptance", rules, entry, f"`{entry.finding}` accepts nothing", help)


def _finding(code: str, rules: str, entry: Accepted, message: str, help: str) -> Finding:
    return Finding(
        code=code, rules=rules, question="", subject=entry.finding, message=message, span=entry.span, help=help
    )

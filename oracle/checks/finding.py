"""What a check found: one struct for every code, and the closed list of codes."""

from __future__ import annotations

from collections.abc import Mapping
from fractions import Fraction

import msgspec

from oracle.rules.values import Value
from oracle.spans import Span

CODES = {
    "gap": "a reachable state that no statement answers",
    "conflict": "a reachable state whose statements leave no permitted answer",
    "ambiguous": "one sentence with several readings that differ in some state",
    "undecided": "several permitted actions and nobody declared to choose",
    "dead": "no state meets the guard: contradictory in itself, or unreachable",
    "vacuous": "a question, a guard or a comparison with no state to speak about",
    "false-claim": "an assertion of the document that its own rules refute",
    "chips": "legal stakes whose net is not payable in chips, and no rounding rule",
    "unaccounted": "a sentence of the document that nothing in the spec cites",
    "unneeded-resolution": "a resolution that closes nothing",
    "overriding-resolution": "a resolution that changes what a clear statement says without naming it",
    "unneeded-acceptance": "an accepted entry that accepts nothing",
    "masked": "a statement fully covered by others that say the same",
    "overlap": "several statements answer a state alike",
    "assumed": "a closed-world default of the language was used",
}
NOTES = ("masked", "overlap", "assumed")
ACCEPTABLE = ("dead", "vacuous", "masked", "false-claim", "chips")


class Part(msgspec.Struct, frozen=True):
    """A statement that takes part in a finding: where it stands, what it cites and what it says."""

    id: str
    span: Span
    lines: str
    answer: str


class Witness(msgspec.Struct, frozen=True):
    """The least state that shows a finding, with cards in deal order where cards can show it."""

    cards: tuple[str, ...]
    state: Mapping[str, Value]
    text: str


class Finding(msgspec.Struct, frozen=True):
    """One finding in one rule set.

    `subject` is what `accepted` names: a clause, statement, question or resolution. `span` is the later
    statement in file order, `parts` are all that take part. `resolution` is the id of what closed it, and
    `because` its reason. `nearly` says of a gap which clause would cover it, and what its guard lacks; `otherwise`
    what becomes of one that rests on the resolutions `given` if these are read the other way. `chance` is the share of
    coups that come to its states, None where that is not known.
    """

    code: str
    rules: str
    question: str
    subject: str
    message: str
    span: Span
    level: str = "error"
    status: str = "open"
    parts: tuple[Part, ...] = ()
    region: str = ""
    cells: int = 0
    states: int = 0
    witness: Witness | None = None
    resolution: str = ""
    because: str = ""
    given: tuple[str, ...] = ()
    help: str = ""
    chance: Fraction | None = None
    nearly: str = ""
    otherwise: str = ""

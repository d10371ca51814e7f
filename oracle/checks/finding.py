"""What a check found: one struct for every code."""

from __future__ import annotations

from collections.abc import Mapping
from fractions import Fraction

import msgspec

from oracle.checks.codes import CODES
from oracle.rules.values import Value
from oracle.spans import Span


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
    coups that come to its states, None where that is not known. `played` is the witness by the text and as resolved,
    `edges` by how much the house edge of each bet grows with a resolution (a share: 0.01 is a percentage point).
    """

    code: str
    rules: str
    question: str
    subject: str
    message: str
    span: Span
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
    played: str = ""
    edges: Mapping[str, Fraction] = {}

    @property
    def level(self) -> str:
        """How much it weighs, by its code: error or note."""
        return CODES[self.code].level

"""The kinds of claims as frozen structs: what a document asserts about its own game."""

from __future__ import annotations

from fractions import Fraction

import msgspec

from oracle.rules.answers import Atom
from oracle.rules.cite import Cite
from oracle.rules.guard import Guard
from oracle.spans import Span


class CoupClaim(msgspec.Struct, frozen=True, tag="coup"):
    """These cards, dealt in this order, end so.

    `net` is by bet, for the stakes of `bets`; `by` has the line that decides a question.
    """

    cards: tuple[str, ...]
    expect: dict[str, str]
    bets: dict[str, Fraction]
    net: dict[str, Fraction]
    by: dict[str, str]


class ArithmeticClaim(msgspec.Struct, frozen=True, tag="arithmetic"):
    """Cards of these ranks add up to `sum` points, and make `total`; None is not claimed."""

    cards: tuple[str, ...]
    sum: int | None
    total: int | None


class AnswersClaim(msgspec.Struct, frozen=True, tag="answers"):
    """Every reachable state of a guard has one of these answers; with none given, exactly one answer, whichever."""

    question: str
    guard: Guard
    then: tuple[Atom, ...]


class EndsClaim(msgspec.Struct, frozen=True, tag="ends"):
    """Every end of a coup in `guard` is also in `then`; or with `some`, one at least is."""

    guard: Guard
    then: Guard
    some: bool


class Measured(msgspec.Struct, frozen=True):
    """What is measured: a bet's edge, or how often ends of a guard come."""

    bet: str = ""
    guard: Guard = ()
    text: str = ""


class CompareClaim(msgspec.Struct, frozen=True, tag="compare"):
    """One measure is less or more than another, or than that of every other bet (`than` None)."""

    measure: str
    of: Measured
    relation: str
    than: Measured | None


class BoundClaim(msgspec.Struct, frozen=True, tag="bound"):
    """A measure is below or above a number; `bound` is a share (0.1 for 10 %)."""

    measure: str
    of: Measured
    relation: str
    bound: Fraction


class SameClaim(msgspec.Struct, frozen=True, tag="same"):
    """Another rule set answers alike, and differs in exactly the questions `differs`."""

    other: str
    differs: tuple[str, ...]


class ExistsClaim(msgspec.Struct, frozen=True, tag="exists"):
    """Some other loaded rule set has a state of a guard with this answer."""

    question: str
    guard: Guard
    then: tuple[Atom, ...]


class InvariantClaim(msgspec.Struct, frozen=True, tag="invariant"):
    """In the states of a guard the answer depends on these fields alone."""

    question: str
    guard: Guard
    depends_on: tuple[str, ...]


class ConsecutiveClaim(msgspec.Struct, frozen=True, tag="consecutive"):
    """The winner of a coup tells nothing of the next one; or with `independent` false, it does."""

    independent: bool


class DisputedClaim(msgspec.Struct, frozen=True, tag="disputed"):
    """Another source says otherwise, at this place; the oracle can't tell who is right."""

    source: str
    place: Cite


class NotCheckableClaim(msgspec.Struct, frozen=True, tag="not-checkable"):
    """Nothing that rules could show, and why."""

    because: str


Body = (
    CoupClaim
    | ArithmeticClaim
    | AnswersClaim
    | EndsClaim
    | CompareClaim
    | BoundClaim
    | SameClaim
    | ExistsClaim
    | InvariantClaim
    | ConsecutiveClaim
    | DisputedClaim
    | NotCheckableClaim
)


class Claim(msgspec.Struct, frozen=True):
    """One claim of a document. `tables` empty = it is made of every rule set of the source."""

    id: str
    cites: tuple[Cite, ...]
    says: str
    kind: str
    body: Body
    span: Span
    tables: tuple[str, ...] = ()

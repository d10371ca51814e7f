"""The JSON of a run as structs, of which its JSON Schema is made."""

from __future__ import annotations

from typing import Any

import msgspec
from msgspec import UNSET, UnsetType

from oracle.conformance.diagnose.indistinguishable import Alike
from oracle.conformance.protocol.messages import Implementation
from oracle.conformance.summary.known import Matched
from oracle.conformance.summary.summary import Unconfirmed

FORMAT = 2


class DifferenceShape(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """An observable that is not as the rules have it; `expected` and `got` are as the protocol writes them."""

    observable: str
    expected: Any
    got: Any
    note: str | UnsetType = UNSET


class ExampleShape(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """A case with what was asked, as far as its kind asks that, and with what was wrong about the answer."""

    id: str
    kind: str
    cards: list[str] | UnsetType = UNSET
    bets: dict[str, str] | UnsetType = UNSET
    balance: str | UnsetType = UNSET
    dealt: int | UnsetType = UNSET
    burnt: int | UnsetType = UNSET
    decks: int | UnsetType = UNSET
    cut_card: bool | UnsetType = UNSET
    steps: list[str | dict[str, list[str] | dict[str, str]]] | UnsetType = UNSET
    text: str | UnsetType = UNSET
    differs: list[DifferenceShape] | UnsetType = UNSET


class ExplanationShape(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """A change of the rules that gives all answers. `chance` is the exact share of coups of `shoe` that it changes,
    `nets` and `edges` by bet in how many coups the net, and by how much the edge changes.
    """

    name: str
    says: str
    family: str
    cells: list[str]
    shoe: str | UnsetType = UNSET
    chance: str | UnsetType = UNSET
    nets: dict[str, str] | UnsetType = UNSET
    edges: dict[str, str] | UnsetType = UNSET


class NamedFaultShape(ExplanationShape, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """One of several faults. `layer` is where in an answer it shows first; without it `wrong` of the wrong answers
    aren't given; `alone` is the id of a case that shows it and no other fault, empty if there is none; `by` says which
    rule it is about, where there is one.
    """

    layer: str
    wrong: int
    alone: str
    by: str


class TogetherShape(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """Faults that together give all but `left` of so many `answers` about coups, of which `wrong` are wrong; no right
    answer contradicts them.
    """

    faults: list[NamedFaultShape]
    answers: int
    wrong: int
    left: int


class ExplainedShape(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """Explanations by what cases are about; `alike` are those that the observables can't tell apart.

    `together` are several faults of coups that no single change explains, null if there was nothing to learn.
    """

    coups: list[ExplanationShape]
    bets: list[ExplanationShape]
    shoes: list[ExplanationShape]
    sessions: list[ExplanationShape]
    cards: list[ExplanationShape]
    alike: list[Alike]
    together: TogetherShape | None


class AnswerShape(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """What became of a case in one order of asking."""

    outcome: str
    differs: list[DifferenceShape]
    why: str


class DependentShape(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A case that is answered otherwise alone than after the cases `after`, and the commands that show it."""

    kind: str
    example: ExampleShape
    alone: AnswerShape
    after: list[str]
    other: AnswerShape
    reproduce: list[str]


class CellShape(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """What the answers show of one decision cell: what is `due`, by what, and how many answers are right and wrong."""

    cell: str
    due: str
    by: str
    action: str
    right: int
    wrong: int


class FaultShape(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """Failures that have something in common; `checked` is 0 where it is not known how many cases could show it."""

    name: str
    cells: list[str]
    differ: int
    checked: int
    example: ExampleShape
    reproduce: str
    known: int


class UnansweredShape(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """Cases that got no answer, and why; `said` is what the example said."""

    outcome: str
    why: str
    said: str
    count: int
    example: ExampleShape
    reproduce: str
    known: int


class EventShape(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """Something that happened to the program, with the end of its standard error."""

    what: str
    why: str
    stderr: str


class PowerShape(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """What the coups that were asked could have shown: of so many `changes` so many were `shown`, `unseen` can't be.

    `miscounts` are cards counted otherwise; both are absent where no fresh coup was asked.
    """

    changes: int
    shown: int
    at_least: bool
    unseen: int
    not_shown: list[str]
    miscounts: int | UnsetType = UNSET
    miscounts_shown: int | UnsetType = UNSET


class RunShape(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """`test`: the verdict, counts, what is wrong and what explains it, and what is left open.

    `known` is null where no list of known failures was given, `restarts` and `troubles` where the run did not come to
    its end. `counts` are those of the suite; `fresh` has by kind the outcomes of fresh cases, `repeated` those of cases
    asked a second time. `compared` says in what; `restricted` is the option by which less was asked than all.
    """

    format: int
    verdict: str
    rules: str
    compared: str
    tiers: list[str]
    restricted: str
    seed: str
    adaptive: bool
    implementation: Implementation | None
    kinds: list[str]
    observables: list[str]
    checked: int
    counts: dict[str, int]
    not_asked: dict[str, int]
    fresh: dict[str, dict[str, int]]
    repeated: dict[str, int]
    power: PowerShape | None
    not_confirmed: list[Unconfirmed]
    matches: list[str]
    explained: ExplainedShape
    dependent: list[DependentShape]
    tableau: list[CellShape]
    faults: list[FaultShape]
    fresh_faults: list[FaultShape]
    fresh_card: str
    unanswered: list[UnansweredShape]
    events: list[EventShape]
    restarts: int | None
    troubles: int | None
    log_sha256: str
    problems: list[str]
    known: Matched | None
    exit: int

"""The messages between the harness and an implementation, version 2. docs/protocol.md explains them to implementers.

These structs are what we write, and what JSON Schema is made of. Replies are read by
`oracle.conformance.protocol.decode`, which looks only at what an implementation declared.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Annotated, Any, Literal, TypeVar

import msgspec
from msgspec import UNSET, Meta, UnsetType

from oracle.cases.case import KINDS, Case, Kind, Step
from oracle.programs.observables import FIELDS, OBSERVABLES, SIDES, AnswerField
from oracle.programs.observables import AmountText as Amount
from oracle.programs.observables import CardText as Card

PROTOCOL = 2
VERSIONS = (1, 2)
"""The versions that a program may speak; in version 1 results need no `id`, and nothing is declared of bets."""
IDS_SINCE = 2
RESERVED_KINDS = ("road",)
"""Kinds of a later version, which nobody may declare before."""
ANY_RULES = "*"

Action = Literal["draw", "stand"]
Rank = Annotated[str, Meta(description="A, 2 to 9, T or 10, J, Q, K, in either case.")]
Suit = Annotated[str, Meta(description="C, D, H or S, in either case, or ♣ ♦ ♥ ♠; empty or absent where none is told.")]
Name = Annotated[str, Meta(max_length=200)]


class Start(msgspec.Struct, frozen=True, tag_field="cmd", tag="start"):
    """The first message: the highest version that the harness speaks."""

    protocol: int = PROTOCOL


class Implementation(msgspec.Struct, frozen=True, omit_defaults=True):
    """Who answers."""

    name: Name
    version: Name = ""
    language: Name = ""


class Started(msgspec.Struct, frozen=True):
    """The reply to `start`: what can be asked. `rules` are ids of rule sets, `*` stands for any.

    `protocol` is the highest version that the program speaks. `bets` are those that it takes, all if there are none
    named; `choices` the sides for which it can be told to draw or stand; `options` the values that it can play of
    options of rules. Version 1 has none of these three.
    """

    protocol: int
    implementation: Implementation
    rules: tuple[str, ...]
    kinds: tuple[str, ...]
    observables: tuple[str, ...] = ()
    bets: tuple[Name, ...] | UnsetType = UNSET
    choices: tuple[str, ...] | UnsetType = UNSET
    options: dict[Name, list[str | int | float | bool]] | UnsetType = UNSET


class AskedCoup(msgspec.Struct, frozen=True, omit_defaults=True, gc=False):
    """A case of kind coup: cards in the order in which they leave the shoe, more perhaps than are needed."""

    id: str
    cards: tuple[Card, ...]
    bets: dict[str, Amount] = {}
    choices: dict[Literal["player", "banker"], Action] = {}


class AskedBets(msgspec.Struct, frozen=True, omit_defaults=True, gc=False):
    """A case of kind bets: may these bets be laid? `balance` is what the bettor has, if it matters."""

    id: str
    bets: dict[str, Amount]
    balance: Amount | UnsetType = UNSET


class AskedShoe(msgspec.Struct, frozen=True, omit_defaults=True, gc=False):
    """A case of kind shoe: is it shuffled before the next coup?

    Coups took `dealt` cards out of it since it was shuffled, after `burnt` ones. `decks` and `cut_card`, whether it is
    out, are there where it depends on them and the rules don't say.
    """

    id: str
    dealt: int
    burnt: int = 0
    decks: int | UnsetType = UNSET
    cut_card: bool | UnsetType = UNSET


class AskedSession(msgspec.Struct, frozen=True, omit_defaults=True, gc=False):
    """A case of kind session. `balance` is what one starts with, where the rules don't say it."""

    id: str
    steps: tuple[Step, ...]
    balance: Amount | UnsetType = UNSET


class AskedCards(msgspec.Struct, frozen=True, omit_defaults=True, gc=False):
    """A case of kind cards: which card does this text name, if any?"""

    id: str
    text: str


class RunCoups(msgspec.Struct, frozen=True, tag_field="cmd", tag="run"):
    """Coups to play."""

    seq: int
    rules: str
    kind: Literal["coup"]
    cases: list[AskedCoup]


class RunBets(msgspec.Struct, frozen=True, tag_field="cmd", tag="run"):
    """Bets to allow or refuse."""

    seq: int
    rules: str
    kind: Literal["bets"]
    cases: list[AskedBets]


class RunShoes(msgspec.Struct, frozen=True, tag_field="cmd", tag="run"):
    """Shoes to shuffle or to deal from."""

    seq: int
    rules: str
    kind: Literal["shoe"]
    cases: list[AskedShoe]


class RunSessions(msgspec.Struct, frozen=True, tag_field="cmd", tag="run"):
    """Sessions to play from the first step to the last."""

    seq: int
    rules: str
    kind: Literal["session"]
    cases: list[AskedSession]


class RunCards(msgspec.Struct, frozen=True, tag_field="cmd", tag="run"):
    """Texts to read."""

    seq: int
    rules: str
    kind: Literal["cards"]
    cases: list[AskedCards]


class Stop(msgspec.Struct, frozen=True, tag_field="cmd", tag="stop"):
    """The last message: end now."""


def _said_group(field: AnswerField) -> type[msgspec.Struct]:
    """The shape of a group of an answer. What several observables share may lack those that are not declared."""
    inner: list[Any] = [
        (place.inner, each.form.type | UnsetType, UNSET) if field.shared else (place.inner, each.form.type)
        for each, place in field.places
    ]
    says = field.places[0][0].says
    name, doc = _HAND if field.shared else (f"Said{field.name.title()}", f"{says[0].upper()}{says[1:]}.")
    return msgspec.defstruct(name, inner, frozen=True, namespace={"__doc__": doc}, module=__name__)


def _said_coup() -> type[msgspec.Struct]:
    """The shape of an answer to a coup."""
    groups: dict[object, type[msgspec.Struct]] = {}
    found: list[tuple[str, Any, Any]] = [("id", str | UnsetType | None, UNSET)]
    for field in FIELDS:
        type_ = field.places[0][0].form.type
        if field.grouped:
            alike = tuple((each.name, place.inner) for each, place in field.places)
            type_ = groups.setdefault(alike, _said_group(field))
        found.append((field.name, type_ | UnsetType | None, UNSET))
    doc = "The answer to a coup: whatever was declared of it."
    return msgspec.defstruct("SaidCoup", found, frozen=True, namespace={"__doc__": doc}, module=__name__)


_HAND = ("SaidHand", "A hand as reported.")
SaidCoup = _said_coup()


class SaidBets(msgspec.Struct, frozen=True):
    """The answer to a case of kind bets."""

    legal: bool
    id: str | UnsetType | None = UNSET


class SaidShoe(msgspec.Struct, frozen=True):
    """The answer to a case of kind shoe."""

    reshuffle: bool
    id: str | UnsetType | None = UNSET


class SaidSession(msgspec.Struct, frozen=True):
    """The answer to a case of kind session: the balance after each step, and whether it is over after the last."""

    balances: list[Amount | int | float]
    ended: bool
    id: str | UnsetType | None = UNSET


class SaidCards(msgspec.Struct, frozen=True):
    """The answer to a case of kind cards whose text names a card; to others it is an error."""

    rank: Rank
    suit: Suit | UnsetType | None = UNSET
    id: str | UnsetType | None = UNSET


class Skipped(msgspec.Struct, frozen=True):
    """A case that the implementation doesn't do."""

    skipped: str
    id: str | UnsetType | None = UNSET


class Failed(msgspec.Struct, frozen=True):
    """A case that the implementation refused, or failed at."""

    error: str
    id: str | UnsetType | None = UNSET


def encode(message: Start | RunCoups | RunBets | RunShoes | RunSessions | RunCards | Stop) -> bytes:
    """A message as its line."""
    return msgspec.json.encode(message) + b"\n"


def run_message(seq: int, rules: str, kind: Kind, cases: Iterable[Case], ids: Iterable[str]) -> bytes:
    """The line that asks cases of one kind under ids of the run."""
    pairs = zip(cases, ids, strict=True)
    match kind:
        case "coup":
            return encode(RunCoups(seq, rules, "coup", [AskedCoup(id, case.cards, case.bets) for case, id in pairs]))
        case "bets":
            bets = [AskedBets(id, case.bets, _there(case.balance)) for case, id in pairs]
            return encode(RunBets(seq, rules, "bets", bets))
        case "shoe":
            shoes = [
                AskedShoe(id, case.dealt or 0, case.burnt, _there(case.decks), _there(case.cut_card))
                for case, id in pairs
            ]
            return encode(RunShoes(seq, rules, "shoe", shoes))
        case "session":
            sessions = [AskedSession(id, case.steps, _there(case.balance)) for case, id in pairs]
            return encode(RunSessions(seq, rules, "session", sessions))
        case "cards":
            return encode(RunCards(seq, rules, "cards", [AskedCards(id, case.text or "") for case, id in pairs]))


_T = TypeVar("_T")


def _there(value: _T | None) -> _T | UnsetType:
    return UNSET if value is None else value


_MESSAGES = ("Start", "RunCoups", "RunBets", "RunShoes", "RunSessions", "RunCards", "Stop", "Started")


def schema() -> dict[str, Any]:
    """JSON Schema (2020-12) of every message, each under its name in `$defs`."""
    single = {
        "start": Start, "started": Started, "run_coups": RunCoups, "run_bets": RunBets, "run_shoes": RunShoes,
        "run_sessions": RunSessions, "run_cards": RunCards, "stop": Stop, "answered_coup": SaidCoup,
        "answered_bets": SaidBets, "answered_shoe": SaidShoe, "answered_session": SaidSession,
        "answered_cards": SaidCards, "skipped": Skipped, "error": Failed,
    }  # fmt: skip
    shapes, components = msgspec.json.schema_components(single.values(), ref_template="#/$defs/{name}")
    names = dict(zip(single, shapes, strict=True))
    components["Started"]["properties"]["kinds"]["items"] = {"enum": list(KINDS)}
    components["Started"]["properties"]["observables"]["items"] = {"enum": list(OBSERVABLES)}
    components["Started"]["properties"]["choices"]["items"] = {"enum": list(SIDES)}
    answers = ("answered_bets", "answered_shoe", "answered_session", "answered_cards", "answered_coup")
    results = [names[name] for name in ("error", "skipped", *answers)]
    components["Answered"] = {
        "title": "Answered",
        "description": "The reply to `run`: one result for each case, in order, with its id from version 2 on.",
        "type": "object",
        "properties": {"seq": {"type": "integer"}, "results": {"type": "array", "items": {"anyOf": results}}},
        "required": ["seq", "results"],
    }
    return {
        "$schema": "https://json-schema.org/draft/2020-12/schema",
        "$comment": "Generated by `baccarat-oracle schema protocol`; do not edit.",
        "title": f"The adapter protocol, version {PROTOCOL}",
        "anyOf": _refs((*_MESSAGES, "Answered")),
        "$defs": dict(sorted(components.items())),
    }


def schema_text() -> str:
    """The schema as JSON text, the same for the same protocol."""
    return msgspec.json.format(msgspec.json.encode(schema()), indent=1).decode() + "\n"


def _refs(names: Iterable[str]) -> list[dict[str, str]]:
    return [{"$ref": f"#/$defs/{name}"} for name in names]

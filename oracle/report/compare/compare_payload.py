"""`compare` as JSON. The shapes are structs, so that their JSON Schema is what is written; money is exact text."""

from __future__ import annotations

from collections.abc import Mapping
from fractions import Fraction

import msgspec

from oracle.checks.finding import Part
from oracle.compare.disputes import Assertion, Dispute
from oracle.compare.pair import Pair
from oracle.compare.proof import Carried
from oracle.compare.relation import Compared, Region, Side, Standing
from oracle.compare.run import Comparison
from oracle.compare.witness import PlayedWitness, Shown
from oracle.rules.answers import show_number
from oracle.rules.values import Value

FORMAT = 1


class StandingShape(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """How the two stand in a question, and in how many of the states that both know."""

    relation: str
    states: int
    same: int
    contradiction: int
    open: int
    omission: int


class StatementShape(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A statement with its place in the spec, the lines of the document that it cites, and its answer."""

    id: str
    file: str
    line: int
    column: int
    document_lines: str
    answer: str


class SideShape(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """What one rule set says in a region."""

    says: str
    kind: str
    statements: list[StatementShape]
    resolutions: list[str]


class PlayedShape(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """What becomes of the witness at one table."""

    winner: str
    player_total: int | None
    banker_total: int | None
    cards: list[str]
    net: dict[str, str]
    left_open: str


class WitnessShape(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """The least state of a region, with cards in deal order where cards show it, and the bets laid on it."""

    cards: list[str]
    state: dict[str, int | str]
    text: str
    bets: dict[str, str]
    a: PlayedShape | None
    b: PlayedShape | None


class RegionShape(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """States in which the two don't say the same; `literal` of the texts alone, `resolved` as they are read.

    `chance` is the exact share of coups that come to a contradiction, with the shoe of the rule set `chance_at`.
    """

    relation: str
    region: str
    states: int
    literal: bool
    resolved: bool
    a: SideShape
    b: SideShape
    chance: str | None
    chance_at: str
    witness: WitnessShape | None


class CarriedShape(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """The statements that carry what two rule sets say alike, and those that could be missing."""

    by: list[str]
    spare: list[str]


class QuestionShape(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """One question; `relation` is that of the texts alone, `witness` that of the first contradiction."""

    question: str
    relation: str
    literal: StandingShape
    resolved: StandingShape
    silent: list[str]
    only_a: int
    only_b: int
    regions: list[RegionShape]
    witness: WitnessShape | None
    carried_a: CarriedShape | None
    carried_b: CarriedShape | None
    reason: str


class AssertionShape(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """What a document asserts, and where; or what a rule set answers to it."""

    rules: str
    id: str
    says: str
    document_lines: str
    file: str
    line: int | None
    column: int | None


class DisputeShape(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A claim of one document, and what the other has to say about it: disputed, refuted, confirmed."""

    kind: str
    of: AssertionShape
    against: AssertionShape


class PropertiesShape(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """How many properties every engine was asked for, and how many all of them answered as enumeration does."""

    checked: int
    agreed: int


class BetCostShape(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A bet of both: the share of coups in which it nets otherwise, and the house edge at each, as exact fractions."""

    bet: str
    chance: str
    edge_a: str
    edge_b: str


class CostShape(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """What it comes to that the two differ, on one shoe: the share of coups that go otherwise, and bets."""

    shoe: str
    coups: str
    bets: list[BetCostShape]


class PairShape(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """Two rule sets."""

    a: str
    b: str
    questions: list[QuestionShape]
    claims: list[DisputeShape]
    cost: CostShape | None


class CompareShape(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """`compare A B`."""

    format: int
    engines: list[str]
    properties: PropertiesShape
    disagreements: list[str]
    a: str
    b: str
    questions: list[QuestionShape]
    claims: list[DisputeShape]
    cost: CostShape | None


class AllPairsShape(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """`compare` without names: every pair of rule sets."""

    format: int
    engines: list[str]
    properties: PropertiesShape
    disagreements: list[str]
    pairs: list[PairShape]


def compare_payload(found: Comparison) -> CompareShape:
    """Two rule sets compared."""
    pair = _pair(found.pairs[0])
    asked = PropertiesShape(found.properties, found.agreed)
    told = list(found.disagreements)
    return CompareShape(
        FORMAT, list(found.engines), asked, told, pair.a, pair.b, pair.questions, pair.claims, pair.cost
    )


def all_pairs_payload(found: Comparison) -> AllPairsShape:
    """Every pair."""
    asked = PropertiesShape(found.properties, found.agreed)
    pairs = [_pair(pair) for pair in found.pairs]
    return AllPairsShape(FORMAT, list(found.engines), asked, list(found.disagreements), pairs)


def _pair(pair: Pair) -> PairShape:
    cost = None
    if pair.cost is not None:
        bets = [BetCostShape(b.bet, str(b.chance), str(b.edge_a), str(b.edge_b)) for b in pair.cost.bets]
        cost = CostShape(pair.cost.shoe, str(pair.cost.coups), bets)
    return PairShape(pair.a, pair.b, [_question(q) for q in pair.questions], [_dispute(d) for d in pair.claims], cost)


def _question(entry: Compared) -> QuestionShape:
    regions = [_region(region) for region in entry.regions]
    return QuestionShape(
        question=entry.question,
        relation=entry.relation,
        literal=_standing(entry.literal),
        resolved=_standing(entry.resolved),
        silent=list(entry.silent),
        only_a=entry.only_a,
        only_b=entry.only_b,
        regions=regions,
        witness=next((region.witness for region in regions if region.witness), None),
        carried_a=None if entry.carried is None else _carried(entry.carried[0]),
        carried_b=None if entry.carried is None else _carried(entry.carried[1]),
        reason=entry.reason,
    )


def _carried(side: Carried) -> CarriedShape:
    return CarriedShape(list(side.by), list(side.spare))


def _standing(standing: Standing) -> StandingShape:
    return StandingShape(
        standing.relation, standing.states, standing.same, standing.contradiction, standing.open, standing.omission
    )


def _region(region: Region) -> RegionShape:
    witness = None if region.witness is None else _witness(region.witness)
    return RegionShape(
        region.relation, region.region, region.states, region.literal, region.resolved, _side(region.a),
        _side(region.b), None if region.chance is None else str(region.chance), region.at, witness,
    )  # fmt: skip


def _side(side: Side) -> SideShape:
    return SideShape(side.says, side.kind, [_part(part) for part in side.statements], list(side.resolutions))


def _part(part: Part) -> StatementShape:
    return StatementShape(part.id, part.span.file, part.span.line, part.span.column, part.lines, part.answer)


def _witness(shown: Shown) -> WitnessShape:
    return WitnessShape(
        list(shown.cards), _state(shown.state), shown.text, _money(shown.bets), _played(shown.a), _played(shown.b)
    )


def _played(played: PlayedWitness | None) -> PlayedShape | None:
    if played is None:
        return None
    return PlayedShape(
        played.winner, played.player, played.banker, list(played.cards), _money(played.nets), played.left_open
    )


def _state(state: Mapping[str, Value]) -> dict[str, int | str]:
    return {f: show_number(v) if isinstance(v, Fraction) else v for f, v in state.items()}


def _money(amounts: Mapping[str, Fraction]) -> dict[str, str]:
    return {bet: show_number(amount) for bet, amount in amounts.items()}


def _dispute(dispute: Dispute) -> DisputeShape:
    return DisputeShape(dispute.kind, _assertion(dispute.of), _assertion(dispute.against))


def _assertion(made: Assertion) -> AssertionShape:
    span = made.span
    return AssertionShape(
        made.rules, made.id, made.says, made.lines, span.file if span else "", span.line if span else None,
        span.column if span else None,
    )  # fmt: skip

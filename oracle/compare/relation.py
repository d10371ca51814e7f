"""Two rule sets in one question: where they say the same, and where and how they don't."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from fractions import Fraction

import msgspec

from oracle.checks.finding import Part
from oracle.checks.make_finding import part
from oracle.checks.regions import Box, boxes, show_box
from oracle.compare.joint_space import JointSpace
from oracle.compare.proof import Carried, carried
from oracle.compare.stance import OPEN, SAYS, SILENT, Stance, show_heard, speaks, voice
from oracle.compare.witness import Shown, witness_of
from oracle.game.evaluate import Evaluation, any_mask
from oracle.game.rules import Rules
from oracle.game.space import Space
from oracle.rules.model import Clause
from oracle.rules.questions import COUP_QUESTIONS, QUESTIONS, heard_together
from oracle.rules.values import Value

SAME, CONTRADICTION, OMISSION, VACUOUS = "same", "contradiction", "omission", "vacuous"
RELATIONS = (SAME, CONTRADICTION, "open", OMISSION, VACUOUS)
_CARRIED = tuple(q for q in COUP_QUESTIONS if heard_together(q) == (q,) and not QUESTIONS[q].heard_with)
_MANY = 8
_FEW = 3


class Standing(msgspec.Struct, frozen=True):
    """How two rule sets stand to each other in a question, and in how many of the states that both know.

    `relation` is contradiction if they contradict each other anywhere, else open if either leaves a state open, else
    omission if one is silent where the other speaks, else same; vacuous if they share no state.
    """

    relation: str
    states: int
    same: int = 0
    contradiction: int = 0
    open: int = 0
    omission: int = 0


class Side(msgspec.Struct, frozen=True):
    """What one of them says in a region, and the statements and resolutions behind it.

    `kind` is `says`, `silent`, or why a place is open.
    """

    says: str
    kind: str
    statements: tuple[Part, ...] = ()
    resolutions: tuple[str, ...] = ()


class Region(msgspec.Struct, frozen=True):
    """States in which the two don't say the same, the same way in all of them.

    `literal` and `resolved` say of which comparison this is so: of the texts alone, of the texts as read, or both.
    `boxes` are the states by field, `region` is their text. Contradictions come with a witness, and with the share of
    coups that come to them: at the first table whose rules say what its shoe is, `at`.
    """

    relation: str
    region: str
    boxes: tuple[Box, ...]
    states: int
    a: Side
    b: Side
    literal: bool
    resolved: bool
    witness: Shown | None = None
    chance: Fraction | None = None
    at: str = ""


class Compared(msgspec.Struct, frozen=True):
    """One question of two rule sets. `silent` are the ids of those whose text says nothing about it; `only_a` and
    `only_b` count the states that only one of them knows. `reason` says why it could not be compared. `carried` has the
    clauses on which it rests that they say the same about the coup.
    """

    question: str
    literal: Standing
    resolved: Standing
    silent: tuple[str, ...] = ()
    only_a: int = 0
    only_b: int = 0
    regions: tuple[Region, ...] = ()
    reason: str = ""
    carried: tuple[Carried, Carried] | None = None

    @property
    def relation(self) -> str:
        """How the texts stand to each other, before anything is read into them."""
        return self.literal.relation


def compare_question(tables: Sequence[Rules], question: str) -> Compared:
    """Compare two rule sets, `told_apart`, in one question."""
    panel = JointSpace(tables, question)
    shared = panel.shared
    silent = tuple(rules.id for rules in tables if not speaks(rules, question, literal=True))
    standings = []
    found: dict[_Place, list[bool]] = {}
    for literal in (True, False):
        groups = dict(_groups(panel, question, shared, literal=literal))
        standings.append(_standing(panel, tables, question, groups, literal=literal))
        for place in _places(groups):
            found.setdefault(place, []).append(literal)
    fields = fields_of(panel)
    differences = [
        _region(panel, fields, place, literal=True in whose, resolved=False in whose) for place, whose in found.items()
    ]
    order = (CONTRADICTION, "open", OMISSION)
    differences.sort(key=lambda entry: (order.index(entry.relation), not entry.resolved))
    count = panel.space.count
    return Compared(
        question=question,
        literal=standings[0],
        resolved=standings[1],
        silent=silent,
        only_a=count(panel.known[0] & ~shared),
        only_b=count(panel.known[1] & ~shared),
        regions=tuple(differences),
        carried=carried(panel) if standings[1].relation == SAME and question in _CARRIED else None,
    )


class _Place(msgspec.Struct, frozen=True):
    """States in which two rule sets stand alike to each other, and what is heard of either there."""

    relation: str
    first: tuple[Stance, ...]
    second: tuple[Stance, ...]
    mask: int


def _places(groups: Mapping[tuple[Stance, Stance], int]) -> Iterator[_Place]:
    """Where they don't say the same: every contradiction alone; open and silent places by why they are so."""
    found: dict[tuple[str, ...], list[tuple[Stance, Stance, int]]] = {}
    for (first, second), mask in groups.items():
        relation = _relation(first, second)
        if relation == CONTRADICTION:
            yield _Place(relation, (first,), (second,), mask)
        elif relation != SAME and not first.kind == second.kind == SILENT:
            found.setdefault((relation, first.kind, second.kind), []).append((first, second, mask))
    for (relation, *_), entries in found.items():
        firsts = dict.fromkeys(first for first, _, _ in entries)
        seconds = dict.fromkeys(second for _, second, _ in entries)
        yield _Place(relation, tuple(firsts), tuple(seconds), any_mask(mask for _, _, mask in entries))


def _groups(
    panel: JointSpace, question: str, shared: int, *, literal: bool
) -> Iterator[tuple[tuple[Stance, Stance], int]]:
    """The shared states by what is heard of both."""
    voices = []
    for n, rules in enumerate(panel.tables):
        heard = voice(rules, question, panel.evaluations[n], literal=literal).heard
        voices.append({key: panel.lift(n, mask) & shared for key, mask in heard.items()})
    for first, here in voices[0].items():
        for second, there in voices[1].items():
            if here & there:
                yield (first, second), here & there


def _relation(first: Stance, second: Stance) -> str:
    """How two answers to one state stand to each other. What silence is taken to mean contradicts nothing."""
    if OPEN.keys() & {first.kind, second.kind}:
        return "open"
    if first.kind == second.kind == SAYS:
        return SAME if first.answer == second.answer else CONTRADICTION
    if first.kind == second.kind or (first.answer and first.answer == second.answer):
        return SAME
    return OMISSION


def _standing(
    panel: JointSpace,
    tables: Sequence[Rules],
    question: str,
    groups: dict[tuple[Stance, Stance], int],
    *,
    literal: bool,
) -> Standing:
    counts = {SAME: 0, CONTRADICTION: 0, "open": 0, OMISSION: 0}
    for (first, second), mask in groups.items():
        counts[_relation(first, second)] += panel.space.count(mask)
    states = sum(counts.values())
    relation = next((r for r in (CONTRADICTION, "open", OMISSION) if counts[r]), SAME)
    if not all(speaks(rules, question, literal=literal) for rules in tables):
        relation = OMISSION
    elif not states:
        relation = VACUOUS
    return Standing(relation, states, counts[SAME], counts[CONTRADICTION], counts["open"], counts[OMISSION])


# --- regions ----------------------------------------------------------------------------------


def fields_of(panel: JointSpace) -> tuple[str, ...]:
    """The fields by which regions are shown: what either tests, in the order of the question."""
    question = QUESTIONS[panel.question]
    tested = {f for rules in panel.tables for part in heard_together(panel.question) for f in _tested(rules, part)}
    if "bet" in panel.space.fields:
        tested |= set(panel.space.fields) - set(question.cell)
    if len(question.fields) == 1:
        tested |= set(question.fields)
    order = dict.fromkeys((*question.fields, *panel.space.fields))
    return tuple(f for f in order if f in tested and panel.space.has(f))


def regions(space: Space, mask: int, fields: Sequence[str], *, among: int) -> list[Box]:
    """`mask` as boxes that tell it apart from other states of `among`; bet by bet where there are bets."""
    if "bet" not in fields:
        return [box for box, _ in boxes(space, mask, fields, among=among)]
    rest = [field for field in fields if field != "bet"]
    shapes: dict[tuple[Box, ...], list[Value]] = {}
    bets = space.masks("bet")
    for bet, states in bets.items():
        if mask & states:
            shape = tuple(box for box, _ in boxes(space, mask & states, rest, among=among & states))
            shapes.setdefault(shape, []).append(bet)
    everywhere = [bet for bet, states in bets.items() if among & states]
    found: list[Box] = []
    for shape, named in shapes.items():
        head: Box = () if len(named) == len(everywhere) else (("bet", frozenset(named)),)
        found += [(*head, *box) for box in shape]
    return found


def _tested(rules: Rules, question: str) -> set[str]:
    return {test.field for guard in rules.guards(question) for test in guard}


def _region(panel: JointSpace, fields: Sequence[str], place: _Place, *, literal: bool, resolved: bool) -> Region:
    found = regions(panel.space, place.mask, fields, among=panel.shared)
    shown = [show_box(panel.space, box) for box in found[:_MANY]]
    more = [f"and {len(found) - _MANY} more"] if len(found) > _MANY else []
    sides = [
        _side(panel, n, heard, place.mask, literal=not resolved) for n, heard in enumerate((place.first, place.second))
    ]
    witness, often, at = None, None, ""
    if place.relation == CONTRADICTION:
        often, at = _chance(panel, place.mask)
        witness = witness_of(panel, place.mask, (place.first[0], place.second[0]), literal=not resolved)
    return Region(
        relation=place.relation,
        region="; ".join([*shown, *more]),
        boxes=tuple(found),
        states=panel.space.count(place.mask),
        a=sides[0],
        b=sides[1],
        literal=literal,
        resolved=resolved,
        witness=witness,
        chance=often,
        at=at,
    )


def _chance(panel: JointSpace, mask: int) -> tuple[Fraction | None, str]:
    """The share of coups that come to these rows, and the table whose shoe that is of."""
    if panel.question not in COUP_QUESTIONS:
        return None, ""
    from oracle.odds.chance import chance

    for n, rules in enumerate(panel.tables):
        found = chance(rules, panel.question, panel.own(n, mask))
        if found is not None:
            return found, rules.id
    return None, ""


def _side(panel: JointSpace, n: int, heard: tuple[Stance, ...], mask: int, *, literal: bool) -> Side:
    statements, resolutions = behind(panel, n, mask, literal=literal) if heard[0].kind != SILENT else ((), ())
    said = [show_heard(panel.question, one) for one in heard]
    says = " or ".join(said) if len(said) <= _FEW else "an answer to each"
    return Side(says, heard[0].kind, statements, resolutions)


def behind(panel: JointSpace, n: int, mask: int, *, literal: bool) -> tuple[tuple[Part, ...], tuple[str, ...]]:
    """The statements of a table that speak somewhere in these rows, and the resolutions that closed any of them."""
    rules = panel.tables[n]
    places = panel.own(n, mask)
    statements: list[Part] = []
    resolutions: dict[str, None] = {}
    for question in heard_together(panel.question):
        evaluation = panel.evaluations[n] if question == panel.question else rules.evaluation(question)
        statements += [part(evaluation, c) for c in _speaking(evaluation, places, literal=literal)]
        if not literal:
            closed = [a.resolution for a in evaluation.applied if a.closes & places]
            resolutions.update(dict.fromkeys(r.id or r.convention for r in closed))
    return tuple(statements), tuple(resolutions)


def _speaking(evaluation: Evaluation, places: int, *, literal: bool) -> list[Clause]:
    """The clauses that speak somewhere in these states; as read, those that resolutions left standing there."""
    found = []
    for clause in evaluation.clauses if literal else evaluation.active({}):
        mask = evaluation.masks[clause.id] & places
        if not literal:
            mask &= ~evaluation.removed.get(clause.id, 0)
            for fill in evaluation.fills:
                mask &= ~fill.mask
        if mask:
            found.append(clause)
    return found

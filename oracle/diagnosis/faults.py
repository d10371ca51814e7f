"""The faults of a program: what was learnt taken apart into changes of the rules, each named and shown alone."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from itertools import product
from typing import Any

import msgspec
from msgspec.structs import replace

from oracle.cards import RANKS, Card
from oracle.cases.reference import Reference
from oracle.diagnosis.boxes import Learnt
from oracle.diagnosis.counts import RIGHT_REDUCTION, totals_of
from oracle.diagnosis.layers import Layers
from oracle.diagnosis.nets import Prize
from oracle.diagnosis.words import GATES, base_words, box_words
from oracle.game.end import BankerState
from oracle.mutants.single import Mutant, changes
from oracle.programs.behaviour import Behaviour, banker_draws, player_draws
from oracle.programs.cells import banker_cell, in_words, natural_cell, player_cell
from oracle.programs.facts import SINGLE, Spot
from oracle.programs.program import BASES, RIGHT, Box, Program, Rule, draws_of
from oracle.rules.answers import show_number
from oracle.rules.values import NONE

_SINGLE = {fact.name for fact in SINGLE}


class LearntFault(msgspec.Struct, frozen=True):
    """One thing that is wrong: in which layer, in words, its name, and the change of a program that makes it.

    `name` is that of the catalogued mistake or single change that it is equal to (`known`), else it says the same in
    short. `cells` are the decision cells in which it changes what is done, `boxes` how many boxes describe it.
    """

    layer: str
    name: str
    says: str
    change: Callable[[Program], Program]
    cells: tuple[str, ...] = ()
    boxes: int = 0
    known: bool = False


def faults_of(reference: Reference, layers: Layers) -> tuple[LearntFault, ...]:
    """What is wrong, in the order of the layers; applied in that order they make the program that was learnt."""
    return tuple(_faults(reference, layers))


def _faults(reference: Reference, layers: Layers) -> Iterator[LearntFault]:
    learnt = layers.program.behaviour
    yield from _dealing(reference, learnt)
    yield from _counting(reference, layers)
    decisions = layers.decisions
    rules: dict[str, Learnt] = {"player_draw": decisions.player, "banker_draw": decisions.banker, **layers.rules}
    if decisions.gate != RIGHT:
        yield _gate(reference, layers)
    for pair, value in decisions.flipped.items():
        cell = natural_cell(*pair)
        says = in_words(cell, "stop" if value else "go on")
        yield LearntFault("natural", f"flip {cell}", says, _with_table("stops", {pair: value}), (cell,), 1)
    for question, rule in rules.items():
        if rule.base != RIGHT or rule.boxes:
            yield from _rule_faults(reference, question, rule)
    for prizes in _joined(layers.prizes):
        yield _prize(reference, prizes)
    if layers.floating:
        known = _same_as(reference, replace(reference.behaviour, money="float"), ("money",))
        says = known.says if known else "money is kept in floating point"
        name = known.id if known else "money float"
        yield LearntFault("nets", name, says, _ways(money="float"), known=known is not None)


def _with_table(field: str, values: Mapping[Any, object]) -> Callable[[Program], Program]:
    def change(program: Program) -> Program:
        behaviour = program.behaviour
        return replace(program, behaviour=replace(behaviour, **{field: {**getattr(behaviour, field), **values}}))

    return change


def _ways(**ways: object) -> Callable[[Program], Program]:
    return lambda program: replace(program, behaviour=replace(program.behaviour, **ways))


def _same_as(
    reference: Reference, behaviour: Behaviour, fields: Iterable[str], also: Iterable[str] = ()
) -> Mutant | None:
    """The catalogued or single change that has these tables, where the rules get; a catalogued one goes before.

    It may change nothing else but what `also` names. None if there is none.
    """
    right, wanted = reference.behaviour, frozenset(fields)
    allowed = wanted | frozenset(also)
    fitting = [
        mutant
        for mutant in reference.candidates
        if wanted & (names := {name for name, _ in changes(right, mutant.behaviour)})
        and names <= allowed
        and all(
            _equal(getattr(right, name), getattr(mutant.behaviour, name), getattr(behaviour, name)) for name in wanted
        )
    ]
    return min(fitting, key=lambda mutant: mutant.family != "mistake", default=None)


def _equal(due: object, one: object, other: object) -> bool:
    if isinstance(due, Mapping) and isinstance(one, Mapping) and isinstance(other, Mapping):
        return all(one[key] == other[key] for key in due if key in one and key in other)
    return one == other


# The deal and the points


def _dealing(reference: Reference, learnt: Behaviour) -> Iterator[LearntFault]:
    right = reference.behaviour
    words = {
        "from_back": "cards are taken from the back of the list",
        "banker_first": "the banker takes his third card before the player does",
    }
    for field in ("from_back", "skipped", "deals", "banker_first"):
        value = getattr(learnt, field)
        if value == getattr(right, field):
            continue
        known = _same_as(reference, replace(right, **{field: value}), (field,))
        says = words.get(field, "")
        if field == "skipped":
            says = f"card {min(learnt.skipped) + 1} goes to nobody"
        if field == "deals":
            says = f"the first four cards go {' '.join(('player', 'banker')[side] for side in learnt.deals)}"
        yield LearntFault(
            "deal", known.id if known else f"deal {field}", known.says if known else says, _ways(**{field: value}),
            known=known is not None,
        )  # fmt: skip


_REDUCED = {
    RIGHT_REDUCTION: "tens are taken off",
    "once": "ten is subtracted once: sums of twenty and more stay above nine",
    "ten less": "a sum above nine counts ten less the sum",
    "none": "sums above nine are not reduced",
    "over ten": "a sum of ten stays ten: ten is subtracted only above ten",
}


def _counting(reference: Reference, layers: Layers) -> Iterator[LearntFault]:
    right, counts = reference.behaviour, layers.counts
    changed: dict[int, list[str]] = {}
    for rank in RANKS:
        if counts.points[rank] != right.points[rank]:
            changed.setdefault(counts.points[rank], []).append(rank)
    for count, ranks in changed.items():
        points = {**right.points, **dict.fromkeys(ranks, count)}
        thirds = {**right.third_points, **dict.fromkeys(ranks, count)}
        known = _same_as(reference, replace(right, points=points, third_points=thirds), ("points", "third_points"))
        says = f"{' and '.join(ranks)} {'count' if len(ranks) > 1 else 'counts'} {count}"
        yield LearntFault(
            "points", known.id if known else f"points {'-'.join(ranks)}={count}", known.says if known else says,
            _points(dict.fromkeys(ranks, count)), tuple(f"card_points {rank}" for rank in ranks),
            known=known is not None,
        )  # fmt: skip
    if counts.reduction != RIGHT_REDUCTION:
        totals = totals_of(counts.reduction)
        known = _same_as(reference, replace(right, totals=totals), ("totals",))
        yield LearntFault(
            "sums", known.id if known else f"totals {counts.reduction}",
            known.says if known else _REDUCED[counts.reduction], _ways(totals=totals), known=known is not None,
        )  # fmt: skip
    decides = layers.decides
    if decides:
        says = f"decisions are made on other sums than those that are reported: {_REDUCED[decides]}"
        yield LearntFault("sums", f"decides {decides}", says, _deciding(totals_of(decides)))
    if not counts.thirds:
        known = _same_as(reference, replace(right, thirds_uncounted=True), ("thirds_uncounted",))
        says = known.says if known else "third cards are dealt and not counted"
        yield LearntFault(
            "sums", known.id if known else "thirds uncounted", says, _ways(thirds_uncounted=True),
            known=known is not None,
        )  # fmt: skip


def _points(changed: Mapping[str, int]) -> Callable[[Program], Program]:
    def change(program: Program) -> Program:
        behaviour = program.behaviour
        points = {**behaviour.points, **changed}
        return replace(
            program,
            behaviour=replace(behaviour, points=points, third_points={**behaviour.third_points, **changed}),
        )

    return change


def _deciding(totals: Mapping[int, int]) -> Callable[[Program], Program]:
    return lambda program: replace(program, decides=totals)


# Decisions


def _rule_faults(reference: Reference, question: str, learnt: Learnt) -> Iterator[LearntFault]:
    """A rule as one fault where it is a known change, else its base and each of its boxes."""
    rule = Rule(learnt.base, learnt.boxes)
    whole = _named(reference, question, rule)
    if whole is not None and whole.family != "rows":
        yield _rule_fault(reference, question, rule, whole)
        return
    if rule.base != RIGHT:
        base = Rule(rule.base)
        yield _rule_fault(reference, question, base, _named(reference, question, base))
    for box in rule.boxes:
        parts = [Rule(RIGHT, (part,)) for part in _by_row(box)]
        known = [_named(reference, question, part) for part in parts]
        if not any(mutant and mutant.family == "mistake" for mutant in known):
            parts = [Rule(RIGHT, (box,))]
            known = [_named(reference, question, parts[0])]
        for part, mutant in zip(parts, known, strict=True):
            yield _rule_fault(reference, question, part, mutant)


def _by_row(box: Box) -> list[Box]:
    """A box about several of the banker's totals as one for each."""
    rows = dict(box.where).get("banker2", frozenset())
    return [
        Box(box.action, tuple((f, frozenset((row,)) if f == "banker2" else values) for f, values in box.where))
        for row in sorted(rows, key=str)
    ]


_LAYERS = {
    "player_draw": "draws",
    "banker_draw": "draws",
    "player_another": "another card",
    "banker_another": "another card",
    "counts_as": "sums",
    "winner": "winner",
}


def _rule_fault(reference: Reference, question: str, part: Rule, known: Mutant | None) -> LearntFault:
    """A part of a rule: its boxes, and its base unless that is the right one."""
    based = part.base != RIGHT
    says = [base_words(question, part.base)] * based + [box_words(question, box) for box in part.boxes]
    name = " ".join([question, *[part.base] * based, *map(_slug, part.boxes)])

    def change(program: Program) -> Program:
        now = program.rule(question)
        return program.with_rule(question, Rule(part.base if based else now.base, (*now.boxes, *part.boxes)))

    return LearntFault(
        _LAYERS[question],
        known.id if known else name,
        known.says if known and known.family != "rows" else " and ".join(says),
        change,
        _changed_cells(reference, change) if question in _TABLES else (),
        len(part.boxes),
        known=known is not None,
    )


def _slug(box: Box) -> str:
    where = " ".join(f"{fact}={','.join(sorted(map(str, values)))}" for fact, values in box.where)
    return f"{box.action} {where}".strip()


_TABLES = {"player_draw": "player_draws", "banker_draw": "banker_draws"}


def _tableau_only(rule: Rule) -> bool:
    """Whether a rule looks at no single card."""
    if any(fact in _SINGLE for box in rule.boxes for fact, _ in box.where):
        return False
    words = rule.base.split()[1:]
    return rule.base != "raises" and not any("first" in word or "second" in word or word == "next" for word in words)


def tables(program: Program) -> Behaviour | None:
    """A program as a behaviour with full tables; None if it looks at more than these hold, or draws a fourth card."""
    if program.decides is not None or set(program.rules) - {*_TABLES, "winner"}:
        return None
    if not all(_tableau_only(rule) for rule in program.rules.values()):
        return None
    behaviour = program.behaviour
    found: dict[str, object] = {}
    if "player_draw" in program.rules:
        found["player_draws"] = {
            (player2, banker2): draws_of(program, "player_draw", _spot(BankerState(player2, banker2, NONE, player2)))
            for player2, banker2 in product(range(10), repeat=2)
        }
    if "banker_draw" in program.rules:
        states = [*behaviour.banker_draws, *_states()]
        found["banker_draws"] = {state: draws_of(program, "banker_draw", _spot(state)) for state in states}
    if "winner" in program.rules:
        rule = program.rules["winner"]
        ends = {}
        for end, due in behaviour.winners.items():
            cards = (3 if end.player_third != NONE else 2, 3 if end.banker_third != NONE else 2)
            spot = Spot(
                _HAND[: cards[0]], _HAND[: cards[1]], *end.two_cards, *end.totals, end.player_third, behaviour.points
            )
            said = rule.boxed(spot)
            if said is None:
                said = due if rule.base == RIGHT else BASES["winner"][rule.base](program, spot)
            ends[end] = str(said)
        found["winners"] = ends
    return replace(behaviour, **found)


def _states() -> Iterator[BankerState]:
    for player2, banker2 in product(range(10), repeat=2):
        yield BankerState(player2, banker2, NONE, player2)
        for third in range(10):
            yield BankerState(player2, banker2, third, (player2 + third) % 10)


_HAND = tuple(map(Card, RANKS[:3]))


def _spot(state: BankerState) -> Spot:
    """A state without cards, for rules that look at none."""
    hand = _HAND if state.player_drew else _HAND[:2]
    totals = (state.player2, state.banker2, state.player_total, state.banker2)
    return Spot(hand, _HAND[:2], *totals, state.player_third, {})


def _named(reference: Reference, question: str, rule: Rule) -> Mutant | None:
    """The mutant that is this rule where the rules get."""
    right = Program(reference.behaviour)
    if question.endswith("_another"):
        wanted = {"player_another": "player_again", "banker_another": "banker_again"}[question]
        return (
            _same_as(reference, replace(right.behaviour, **{wanted: True}), (wanted,)) if rule == Rule("five") else None
        )
    made = tables(right.with_rule(question, rule)) if question in (*_TABLES, "winner") else None
    if made is None:
        return None
    return _same_as(reference, made, (_TABLES.get(question, "winners"),))


def _changed_cells(reference: Reference, change: Callable[[Program], Program]) -> tuple[str, ...]:
    """The decision cells in which a change of the rules does something else, where the rules get."""
    right = reference.behaviour
    made = tables(change(Program(right)))
    if made is None:
        return ()
    cells = [
        player_cell(pair[0]) for pair in right.player_draws if player_draws(made, *pair) != right.player_draws[pair]
    ]
    cells += [
        banker_cell(*state.cell) for state, draws in right.banker_draws.items() if banker_draws(made, state) != draws
    ]
    return tuple(dict.fromkeys(cells))


def _gate(reference: Reference, layers: Layers) -> LearntFault:
    """Another set of two-card totals ends the coup."""
    right, learnt, decisions = reference.behaviour, layers.program.behaviour, layers.decisions
    every = {pair: value for pair, value in learnt.stops.items() if pair not in decisions.flipped}
    table = {pair: every.get(pair, due) for pair, due in right.stops.items()}
    known = _same_as(reference, replace(right, stops=table), ("stops",), ("naturals", "natural_of"))
    cells = tuple(natural_cell(*pair) for pair, due in right.stops.items() if table[pair] != due)
    says = known.says if known else GATES[decisions.gate]
    name = known.id if known else f"natural {decisions.gate}"
    return LearntFault("natural", name, says, _with_table("stops", every), cells, known=known is not None)


# Money


def _joined(prizes: Sequence[Prize]) -> Iterable[Sequence[Prize]]:
    """Prizes that are one mistake: the same thing due and paid on the same result for several bets."""
    groups: dict[object, list[Prize]] = {}
    for prize in prizes:
        groups.setdefault((prize.winner if prize.winner == "tie" else "", prize.due, prize.paid), []).append(prize)
    return groups.values()


def _prize(reference: Reference, prizes: Sequence[Prize]) -> LearntFault:
    right = reference.behaviour
    nets = {(prize.bet, row): prize.paid for prize in prizes for row in prize.rows}
    made = replace(right, nets={**right.nets, **nets})
    known = _same_as(reference, made, ("nets",))
    first = prizes[0]
    bets = list(dict.fromkeys(prize.bet for prize in prizes))
    on = {"player": "when the player wins", "banker": "when the banker wins", "tie": "on a tie"}
    where = list(dict.fromkeys(on.get(prize.winner, "") for prize in prizes))
    part = "" if all(prize.every for prize in prizes) else " in some cases"
    says = (
        f"a bet on {' or '.join(bets)} nets {show_number(first.paid)} of the stake {' or '.join(where)}{part}, not "
        f"{show_number(first.due)}"
    )
    return LearntFault(
        "nets", known.id if known else f"net {'-'.join(bets)}={show_number(first.paid)}",
        known.says if known else says, _with_table("nets", nets),
        tuple(f"net {bet}" for bet in bets), known=known is not None,
    )  # fmt: skip

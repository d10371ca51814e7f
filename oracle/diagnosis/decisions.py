"""The layers of naturals and draws: which totals end the coup, and when each side draws.

Where hands are answered every decision is seen. Else it is worked out which decisions an answer allows, and what all
of them have in common is known.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping, Sequence

import msgspec
from msgspec.structs import replace

from oracle.cards import Card
from oracle.diagnosis.boxes import NAMED, Candidates, Learnt, Rows, learn
from oracle.diagnosis.observation import Observation, gives_nets
from oracle.programs.behaviour import Behaviour, Pair, banker_draws, player_draws, stops
from oracle.programs.facts import SINGLE, TABLEAU, Spot
from oracle.programs.program import BASES, RIGHT, Program, Rule, dealt, end_spot, ended, spot_of
from oracle.rules.values import Value

Gate = Callable[[int, int], bool]
_SINGLE = tuple(fact.name for fact in SINGLE)
_TABLEAU = tuple(fact.name for fact in TABLEAU)
_GATES: dict[str, Gate] = {
    "none": lambda _p, _b: False,
    "player": lambda p, _b: p >= 8,
    "banker": lambda _p, b: b >= 8,
    "nine": lambda p, b: p == 9 or b == 9,
    "nine of the player": lambda p, _b: p == 9,
    "nine of the banker": lambda _p, b: b == 9,
    "eight": lambda p, b: p == 8 or b == 8,
    "both": lambda p, b: p >= 8 and b >= 8,
    "one": lambda p, b: (p >= 8) != (b >= 8),
    "seven": lambda p, b: p >= 7 or b >= 7,
    "equal": lambda p, b: p >= 8 or b >= 8 or p == b,
    "player or equal": lambda p, b: p >= 8 or p == b,
}
"""What else than eight and nine of either side may end the coup, by name."""


class Turn(msgspec.Struct, frozen=True):
    """What a coup shows of the decisions: the states of both sides, and which pairs of decisions the answer allows.

    A pair says whether the player drew, and whether the banker did. `banker` is by whether the player drew.
    """

    pair: Pair
    player: Spot
    banker: Mapping[bool, Spot]
    allowed: frozenset[tuple[bool, bool]]
    seen: Observation


class LearntDecisions(msgspec.Struct, frozen=True):
    """What was learnt: the gate by its name, the pairs of totals that it has otherwise, and the rule of each side."""

    gate: str
    flipped: Mapping[Pair, bool]
    player: Learnt
    banker: Learnt

    @property
    def length(self) -> float:
        """How long all of it is; what is left over counts most."""
        left = self.player.left.bit_count() + self.banker.left.bit_count()
        named = 0.0 if self.gate == RIGHT else NAMED
        return named + len(self.flipped) + self.player.length + self.banker.length + 3 * left


def turns_of(program: Program, seen: Sequence[Observation]) -> list[Turn]:
    """What each coup shows; answers that no decisions allow are left out."""
    found = []
    for each in seen:
        turn = _seen(program, each) if each.hands is not None else _inferred(program, each)
        if turn is not None:
            found.append(turn)
    return found


def _seen(program: Program, each: Observation) -> Turn | None:
    assert each.hands is not None
    player, banker = each.hands
    if len(player) < 2 or len(banker) < 2:
        return None
    _, left = dealt(program.behaviour, each.cards)
    first = left[0] if left else None
    drew = len(player) > 2
    after = left[len(player) - 2] if len(left) > len(player) - 2 else None
    at = spot_of(program, player[:2], banker[:2], first)
    now = spot_of(program, player, banker[:2], after)
    return Turn((at.player2, at.banker2), at, {drew: now}, frozenset(((drew, len(banker) > 2),)), each)


def _inferred(program: Program, each: Observation) -> Turn | None:
    """The decisions that totals, or the winner alone, allow; each side takes one card at most."""
    (player, banker), left = dealt(program.behaviour, each.cards)
    rest = list(left)
    at = spot_of(program, player, banker, rest[0] if rest else None)
    bankers: dict[bool, Spot] = {}
    allowed = set()
    for player_drew in (False, True):
        drawn: tuple[Sequence[Card], Sequence[Card]]
        thirds = rest[: int(player_drew)]
        following = rest[len(thirds)] if len(rest) > len(thirds) else None
        bankers[player_drew] = spot_of(program, [*player, *thirds], banker, following)
        for banker_drew in (False, True):
            drawn = ([*player, *thirds], [*banker, *([following] if banker_drew and following else [])])
            if _allows(program, each, drawn):
                allowed.add((player_drew, banker_drew))
    if not allowed:
        return None
    return Turn((at.player2, at.banker2), at, bankers, frozenset(allowed), each)


def _allows(program: Program, each: Observation, hands: tuple[Sequence[Card], Sequence[Card]]) -> bool:
    end = end_spot(program, *hands)
    if each.totals is not None:
        return each.totals == (end.player_total, end.banker_total)
    played = ended(program, end)
    if each.winner is not None:
        return played.winner == each.winner
    return each.nets is not None and gives_nets(replace(program.behaviour, money="float"), played, each)


class _Turns:
    """All turns of a run as rows, whichever of them a gate leaves; what bases say is worked out once."""

    def __init__(self, program: Program, turns: Sequence[Turn]) -> None:
        self.program = program
        self.turns = turns
        self.players = Rows([turn.player for turn in turns], [_known(turn, 0) for turn in turns])
        self._bankers: dict[tuple[bool, ...], tuple[Rows, int]] = {}

    def among(self, gate: Callable[[Pair], bool | None], flipped: Collection[Pair]) -> int:
        """The turns that a gate leaves."""
        goes = ["1" if turn.pair in flipped or not _ends(gate, turn.pair) else "0" for turn in self.turns]
        return int("".join(reversed(goes)) or "0", 2)

    def bankers(self, drew: Sequence[bool]) -> tuple[Rows, int]:
        """The banker's rows, where a player who isn't seen draws so; and those that there are."""
        key = tuple(
            said if len({player for player, _ in turn.allowed}) > 1 else False
            for turn, said in zip(self.turns, drew, strict=True)
        )
        if key not in self._bankers:
            known = [_banker(turn, said) for turn, said in zip(self.turns, drew, strict=True)]
            there = ["0" if each is None else "1" for each in known]
            rows = Rows(
                [turn.player if each is None else each[0] for turn, each in zip(self.turns, known, strict=True)],
                [None if each is None else each[1] for each in known],
            )
            self._bankers[key] = rows, int("".join(reversed(there)) or "0", 2)
        return self._bankers[key]


def learn_decisions(program: Program, turns: Sequence[Turn]) -> LearntDecisions:
    """The gate and the rules of both sides that together are shortest."""
    asked = _Turns(program, turns)
    right = _learnt(asked, RIGHT, program.behaviour.stops.get)
    if not right.length:
        return right
    usual = program.behaviour.stops
    drawn = {turn.pair for turn in turns if (False, False) not in turn.allowed}
    gates = {name: gate for name, gate in _GATES.items() if not any(gate(*pair) for pair in drawn)}
    best = right
    for name, gate in gates.items():
        if all(gate(*pair) == usual.get(pair) for pair in {turn.pair for turn in turns}):
            continue
        if best is right and not right.flipped and all(_opens(gate, pair, stops) for pair, stops in usual.items()):
            continue  # opening what nobody drew at explains nothing
        found = _learnt(asked, name, lambda pair, gate=gate: gate(*pair))  # type: ignore[misc]
        if found.length < best.length:
            best = found
    return best


def _opens(gate: Gate, pair: Pair, stops: bool) -> bool:  # noqa: FBT001 (an entry of a table)
    """Whether a gate ends the coup at no pair at which the rules don't."""
    return stops or not gate(*pair)


def _learnt(asked: _Turns, name: str, gate: Callable[[Pair], bool | None]) -> LearntDecisions:
    flipped = {
        turn.pair: False for turn in asked.turns if (False, False) not in turn.allowed and _ends(gate, turn.pair)
    }
    program, among = asked.program, asked.among(gate, flipped)
    player = _rule(program, asked.players, "player_draw", among)
    drew = [act == "draw" for act in _says(program, asked.players, "player_draw", player)]
    rows, there = asked.bankers(drew)
    banker = _rule(program, rows, "banker_draw", among & there)
    return LearntDecisions(name, flipped, player, banker)


def _ends(gate: Callable[[Pair], bool | None], pair: Pair) -> bool:
    said = gate(pair)
    return max(pair) >= 8 if said is None else said


def _known(turn: Turn, side: int) -> Value | None:
    """What a side did, if the answer tells."""
    did = {pair[side] for pair in turn.allowed}
    return ("draw" if did.pop() else "stand") if len(did) == 1 else None


def _banker(turn: Turn, player_drew: bool) -> tuple[Spot, Value | None] | None:  # noqa: FBT001 (an answer)
    """The state of the banker and what he did, with the player's decision filled in where the answer doesn't tell."""
    drew = {player for player, _ in turn.allowed}
    known = drew.pop() if len(drew) == 1 else player_drew
    spot = turn.banker.get(known)
    if spot is None:
        return None
    did = {banker for player, banker in turn.allowed if player == known}
    return spot, ("draw" if did.pop() else "stand") if len(did) == 1 else None


def _says(program: Program, rows: Rows, question: str, learnt: Learnt) -> list[Value]:
    """What a rule says in each row."""
    rule = Rule(learnt.base, learnt.boxes)
    base = BASES[question][rule.base]
    said = []
    for spot in rows.spots:
        boxed = rule.boxed(spot)
        said.append(base(program, spot) if boxed is None else boxed)
    return said


def _rule(program: Program, rows: Rows, question: str, among: int | None = None) -> Learnt:
    bases, spots = BASES[question], rows.spots
    if not spots:
        return Learnt(next(iter(bases)), (), 0.0)

    def says(name: str) -> list[Value]:
        base = bases[name]
        return [base(program, spot) for spot in spots]

    cells = _CELLS[question]
    facts = rows.telling(dict.fromkeys((*(fact for fact in cells if fact not in _TABLEAU), *_TABLEAU)))
    return learn(rows, Candidates(tuple(bases), says, facts, _SINGLE, cells), among)


_CELLS: dict[str, tuple[str, ...]] = {
    "player_draw": ("player2",),
    "banker_draw": ("banker2", "third"),
    "player_another": ("player_total",),
    "banker_another": ("banker_total",),
}


def missed_decisions(program: Program, turns: Sequence[Turn]) -> int:
    """How many turns show another decision than the tables, before anything is learnt."""
    behaviour, missed = program.behaviour, 0
    for turn in turns:
        if (False, False) in turn.allowed and len(turn.allowed) == 1 and stops(behaviour, *turn.pair):
            continue
        player = player_draws(behaviour, *turn.pair)
        spot = turn.banker.get(player)
        fine = spot is not None and (player, banker_draws(behaviour, spot.state)) in turn.allowed
        missed += not fine or stops(behaviour, *turn.pair)
    return missed


def learn_further(program: Program, seen: Sequence[Observation], side: str) -> Learnt | None:
    """When a hand of this side that drew takes another card; None if none ever does."""
    place = ("player", "banker").index(side)
    spots: list[Spot] = []
    actions: list[Value] = []
    for each in seen:
        if each.hands is None or len(each.hands[place]) < 3:
            continue
        hand = each.hands[place]
        for count in range(3, len(hand) + 1):
            hands = [*each.hands]
            hands[place] = hand[:count]
            if side == "player":
                hands[1] = each.hands[1][:2]
            spots.append(spot_of(program, hands[0], hands[1], None))
            actions.append("draw" if len(hand) > count else "stand")
    if "draw" not in actions:
        return None
    rows = Rows(spots, actions)
    return _rule(program, rows, f"{side}_another")


def with_decisions(program: Program, found: LearntDecisions) -> Program:
    """A program that decides as was learnt."""
    behaviour: Behaviour = program.behaviour
    if found.gate != RIGHT or found.flipped:
        gate = _GATES.get(found.gate)
        pairs = {pair: stops if gate is None else gate(*pair) for pair, stops in behaviour.stops.items()}
        if gate is not None:
            pairs |= {(p, b): gate(p, b) for p in range(-9, 40) for b in range(-9, 40) if (p, b) not in pairs}
        behaviour = replace(behaviour, stops={**pairs, **found.flipped})
    program = replace(program, behaviour=behaviour)
    for question, learnt in (("player_draw", found.player), ("banker_draw", found.banker)):
        if learnt.base != RIGHT or learnt.boxes:
            program = program.with_rule(question, Rule(learnt.base, learnt.boxes))
    return program

"""The layers of what hands count as and of who wins: from the hands and totals that were answered."""

from __future__ import annotations

from collections.abc import Sequence

from oracle.diagnosis.boxes import Candidates, Learnt, Rows, learn
from oracle.diagnosis.observation import Observation
from oracle.programs.facts import ENDS, SINGLE, TABLEAU, Spot
from oracle.programs.program import BASES, RIGHT, Program, end_spot, play_program, spot_of
from oracle.rules.values import NONE, Value

_ENDS = ("higher", "player_total", *(fact.name for fact in ENDS))
_BY_TOTALS = (RIGHT, "player", "banker", "tie", "lower", "player unless higher", "banker unless higher")
_TABLEAU = tuple(fact.name for fact in TABLEAU)
_SINGLE = tuple(fact.name for fact in SINGLE)


def learn_counted(program: Program, seen: Sequence[Observation]) -> Learnt:
    """What the banker's first two cards count as when his turn comes, where his total isn't that of his cards."""
    spots: list[Spot] = []
    actions: list[Value] = []
    points = program.behaviour.points
    for each in seen:
        if each.hands is None or each.totals is None:
            continue
        player, banker = each.hands
        further = sum(points[card.rank] for card in banker[2:])
        spots.append(spot_of(program, player, banker[:2], None))
        actions.append((each.totals[1] - further) % 10 if banker[2:] else each.totals[1])
    rows = Rows(spots, actions)
    facts = rows.telling(_TABLEAU)
    return learn(rows, Candidates((RIGHT,), lambda _: [spot.banker2 for spot in spots], facts, _SINGLE, ("banker2",)))


def learn_winner(program: Program, seen: Sequence[Observation], *, played: bool = False) -> Learnt:
    """Who wins, as a rule over the ends that were answered; with `played` over those that the program comes to."""
    spots: list[Spot] = []
    actions: list[Value] = []
    shown = True
    for each in seen:
        if each.winner is None:
            continue
        if each.hands is not None:
            spot = end_spot(program, *each.hands)
        elif played:
            coup, _ = play_program(program, each.cards)
            spot = end_spot(program, coup.player, coup.banker)
        elif each.totals is not None:
            shown = False
            spot = Spot((), (), -1, -1, 0, 0, NONE, program.behaviour.points)
        else:
            continue
        if each.totals is not None:
            spot = spot._replace(player_total=each.totals[0], banker_total=each.totals[1])
        spots.append(spot)
        actions.append(each.winner)
    if not spots:
        return Learnt(RIGHT, (), 0.0)
    rows = Rows(spots, actions)
    bases = [name for name in BASES["winner"] if shown or name in _BY_TOTALS]

    def says(name: str) -> list[Value]:
        base = BASES["winner"][name]
        return [base(program, spot) for spot in spots]

    facts = (*_ENDS, "player2", "banker2") if shown else ("player_total", "banker_total", "higher")
    return learn(rows, Candidates(tuple(bases), says, rows.telling(facts)))

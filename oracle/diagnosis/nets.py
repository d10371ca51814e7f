"""The layer of money: what each bet nets in each end of a coup that the rules tell apart, by what most answers show."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping, Sequence
from fractions import Fraction

import msgspec
from msgspec.structs import replace

from oracle.diagnosis.observation import Observation
from oracle.game.space import Row
from oracle.programs.behaviour import Net, Played, in_money
from oracle.programs.program import Program, end_spot, ended, play_program


class Prize(msgspec.Struct, frozen=True):
    """What a bet nets of a unit in some ends: what is due, what was answered, and where.

    `every`: in all ends with this winner in which so much is due that were shown.
    """

    bet: str
    winner: str
    due: Fraction
    paid: Fraction
    rows: tuple[Row, ...]
    every: bool


def ends_of(program: Program, seen: Iterable[Observation]) -> list[tuple[Observation, Played]]:
    """The coups with nets, each with its end: as answered where the answer tells, else as the program plays it."""
    found = []
    for each in seen:
        if each.nets is None:
            continue
        played, _ = play_program(program, each.cards)
        if each.hands is not None:
            spot = end_spot(program, *each.hands)
            if each.totals is not None:
                spot = spot._replace(player_total=each.totals[0], banker_total=each.totals[1])
            played = ended(program, spot)
        if each.winner is not None and each.winner != played.winner:
            played = replace(played, winner=each.winner)
        found.append((each, played))
    return found


def learn_nets(program: Program, seen: Sequence[Observation]) -> tuple[Program, tuple[Prize, ...]]:
    """The program with the prizes that most answers show, and the prizes that are not as due."""
    behaviour = program.behaviour
    shown: defaultdict[Net, Counter[Fraction]] = defaultdict(Counter)
    for each, played in ends_of(program, seen):
        row = behaviour.classes.of(played.end, played.winner, *played.alike)
        if (next(iter(each.stakes), ""), row) not in behaviour.nets:
            row = behaviour.classes.nearest(row) or row
        for bet, amount in (each.nets or {}).items():
            due = behaviour.nets.get((bet, row))
            stake = each.stakes[bet]
            if due is None or not stake:
                continue
            right = bet in each.floating or in_money(behaviour, due, stake) == amount
            shown[bet, row][due if right else amount / stake] += each.weight
    learnt = {
        key: max(counts, key=lambda unit, key=key: (counts[unit], unit == behaviour.nets[key]))  # type: ignore[misc]
        for key, counts in shown.items()
    }
    prizes = tuple(_prizes(program, learnt))
    if not prizes:
        return program, ()
    changed = dict(behaviour.nets)
    for prize in prizes:
        changed |= {(prize.bet, row): prize.paid for row in prize.rows}
    return replace(program, behaviour=replace(behaviour, nets=changed)), prizes


def _prizes(program: Program, learnt: Mapping[Net, Fraction]) -> Iterable[Prize]:
    """What is not as due, gathered by bet, winner and what is due; ends that weren't shown go with the others."""
    behaviour = program.behaviour
    place = behaviour.classes.fields.index("winner")
    alike: defaultdict[tuple[str, str, Fraction], list[Row]] = defaultdict(list)
    for (bet, row), due in behaviour.nets.items():
        alike[bet, str(row[place]), due].append(row)
    for (bet, winner, due), rows in alike.items():
        paid: defaultdict[Fraction, list[Row]] = defaultdict(list)
        silent = []
        for row in rows:
            if (bet, row) in learnt:
                paid[learnt[bet, row]].append(row)
            else:
                silent.append(row)
        for unit, where in paid.items():
            if unit != due:
                every = len(paid) == 1
                yield Prize(bet, winner, due, unit, tuple([*where, *silent] if every else where), every)

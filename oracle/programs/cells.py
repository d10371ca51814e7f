"""Cells: the entries of the tables that a coup comes to, by name.

A decision cell is `natural 8/3` (both two-card totals), `player_draw 5` (the player's), `banker_draw 3/8` (the
banker's and the third card's points) or `banker_draw 3/none` (the player stood). What a coup looks up besides is
named alike: `card_points A`, `hand_total 15`, `winner 7/7` (final totals), `net banker`.
"""

from __future__ import annotations

from collections.abc import Iterable

from oracle.game.space import Row
from oracle.programs.behaviour import Behaviour, Played
from oracle.rules.questions import KNOWN, QUESTIONS
from oracle.rules.values import NONE, Value


def natural_cell(player2: Value, banker2: Value) -> str:
    """The cell of both two-card totals."""
    return f"natural {player2}/{banker2}"


def player_cell(player2: Value) -> str:
    """The cell of the player's two-card total."""
    return f"player_draw {player2}"


def banker_cell(banker2: Value, third: Value) -> str:
    """The cell of the banker's two-card total and the points of the player's third card, or none."""
    return f"banker_draw {banker2}/{third}"


def cell_of(question: str, row: Row) -> str:
    """The cell of a state of natural, player_draw or another decision, in the fields of its space."""
    known = KNOWN[QUESTIONS[question].needs]
    return f"{question} {'/'.join(str(row[known.index(field)]) for field in QUESTIONS[question].cell)}"


def decisions(played: Played) -> tuple[str, ...]:
    """The decision cells that a coup comes to."""
    player2, banker2 = played.end[0], played.end[1]
    if not played.continued or played.looked_up is None:
        return (natural_cell(player2, banker2),)
    third = banker_cell(played.looked_up[1], played.looked_up[2])
    return natural_cell(player2, banker2), player_cell(player2), third


def consulted(behaviour: Behaviour, played: Played, bets: Iterable[str] = ()) -> frozenset[str]:
    """Every entry that a coup looks up: a change elsewhere in the tables can't change this coup."""
    found = set(decisions(played))
    for hand in (played.player, played.banker):
        total = 0
        for place, card in enumerate(hand):
            found.add(f"card_points {card.rank}")
            total += behaviour.points[card.rank]
            if place:
                found.add(f"hand_total {total}")
    found.add(f"winner {played.end[4]}/{played.end[5]}")
    found.update(f"net {bet}" for bet in bets)
    return frozenset(found)


def in_words(cell: str, action: str = "") -> str:
    """A decision cell as people say it: `banker on 3 against a third card of 8`.

    With an action (draw, stand, stop or go on) what happens there: `banker stands on 3 against a third card of 8`.
    """
    question, _, place = cell.partition(" ")
    first, _, second = place.partition("/")
    does = f" {action}s" if action else ""
    match question:
        case "natural":
            where = f"{first} against {second} with two cards"
            return f"the coup {'ends' if action == 'stop' else 'goes on'} at {where}" if action else where
        case "player_draw":
            return f"player{does} on {first}"
        case "banker_draw" if second == NONE:
            return f"banker{does} on {first} when the player stood"
        case "banker_draw":
            return f"banker{does} on {first} against a third card of {second}"
        case _:
            return cell

"""Every single change of a rule set: one entry flipped, moved or replaced, one scope, order, prize or rounding changed.

Each mutant knows where it can show: the entries that it changes (see `oracle.programs.cells`). A coup that looks up
none of them is played as by the rules. Changes that change nothing are left out; of two equal mutants the first stays.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from fractions import Fraction
from functools import partial
from itertools import combinations, permutations
from typing import Any

import msgspec
from msgspec.structs import replace

from oracle.cards import RANKS
from oracle.game.end import BankerState, End
from oracle.game.space import Row, who_is_higher
from oracle.programs.behaviour import Behaviour
from oracle.programs.cells import banker_cell, cell_of, in_words, natural_cell
from oracle.rules.answers import show_number
from oracle.rules.values import NONE, Value


class Mutant(msgspec.Struct, frozen=True):
    """A wrong program: what it does wrong in words, the entries that it changes (none: it can show anywhere).

    `family` is flip, move, rows, points, total, deal, scope, winner, net, sides or mistake.
    """

    id: str
    family: str
    says: str
    behaviour: Behaviour
    cells: tuple[str, ...] = ()


def single_changes(right: Behaviour) -> tuple[Mutant, ...]:
    """Every single change of a behaviour, each different from it and from the others in some table."""
    return distinct(right, (mutant for family in _FAMILIES for mutant in family(right)))


def distinct(right: Behaviour, mutants: Iterable[Mutant]) -> tuple[Mutant, ...]:
    """Those that differ from the right behaviour in some table; of several alike the first."""
    found: dict[object, Mutant] = {}
    for mutant in mutants:
        changed = changes(right, mutant.behaviour)
        if changed:
            found.setdefault(changed, mutant)
    return tuple(found.values())


def changes(right: Behaviour, wrong: Behaviour) -> tuple[tuple[str, object], ...]:
    """What a behaviour has in other tables than the right one, and what there."""
    found: list[tuple[str, object]] = []
    for name in right.__struct_fields__:
        before, after = getattr(right, name), getattr(wrong, name)
        if before is after or before == after:
            continue
        if isinstance(before, dict):
            found.append((name, frozenset(_differing(before, after))))
        else:
            found.append((name, after))
    return tuple(found)


def _differing(before: Mapping[object, object], after: Mapping[object, object]) -> Iterator[tuple[object, object]]:
    """The items of a table that an earlier one has otherwise. Most values are the same object, which is soon seen."""
    for key, value in after.items():
        due = before.get(key)
        if due is not value and due != value:
            yield key, value


def both(right: Behaviour, first: Behaviour, second: Behaviour) -> Behaviour | None:
    """A behaviour with the changes of both; None if they change the same thing in different ways."""
    changed: dict[str, object] = {}
    for name in right.__struct_fields__:
        due, one, two = getattr(right, name), getattr(first, name), getattr(second, name)
        if one is due or one == due:
            changed[name] = two
        elif two is due or two in (due, one):
            changed[name] = one
        elif isinstance(due, dict):
            other = {key: value for key, value in two.items() if due.get(key) != value}
            if any(one.get(key) not in (due.get(key), value) for key, value in other.items()):
                return None
            changed[name] = {**one, **other}
        else:
            return None
    return replace(right, **changed)


def with_draws(right: Behaviour, draws: Callable[[BankerState], bool]) -> Behaviour:
    """A behaviour whose banker draws as `draws` says of each state."""
    return replace(right, banker_draws={state: draws(state) for state in right.banker_draws})


def with_nets(right: Behaviour, net: Callable[[str, Mapping[str, Value], Fraction], Fraction]) -> Behaviour:
    """A behaviour that nets what `net` says of a bet, the fields of an end class, and the right net of a unit."""
    fields = right.classes.fields
    nets = {(bet, row): net(bet, dict(zip(fields, row, strict=True)), unit) for (bet, row), unit in right.nets.items()}
    return replace(right, nets=nets)


def _flips(right: Behaviour) -> Iterator[Mutant]:
    for pair, stops in right.stops.items():
        cell = natural_cell(*pair)
        says = in_words(cell, "go on" if stops else "stop")
        yield Mutant(f"flip {cell}", "flip", says, replace(right, stops={**right.stops, pair: not stops}), (cell,))
    for cell, pairs in _by_cell("player_draw", right.player_draws).items():
        flipped = {pair: not right.player_draws[pair] for pair in pairs}
        changed = replace(right, player_draws={**right.player_draws, **flipped})
        yield Mutant(f"flip {cell}", "flip", in_words(cell, _acts(flipped)), changed, (cell,))
    for cell, rows in _by_cell("banker_draw", right.banker_draws).items():
        turned = {row: not right.banker_draws[row] for row in rows}
        changed = replace(right, banker_draws={**right.banker_draws, **turned})
        yield Mutant(f"flip {cell}", "flip", in_words(cell, _acts(turned)), changed, (cell,))


def _by_cell(question: str, table: Mapping[Any, bool]) -> dict[str, list[Any]]:
    cells: dict[str, list[Any]] = {}
    for row in table:
        cells.setdefault(cell_of(question, row), []).append(row)
    return cells


def _acts(answers: Mapping[Any, bool]) -> str:
    """What the side does in these states, in one word if it is one."""
    return "/".join("draw" if answer else "stand" for answer in dict.fromkeys(answers.values()))


def _table(right: Behaviour) -> dict[tuple[int, Value], bool]:
    """The banker's table by cell, as of the first state of each."""
    table: dict[tuple[int, Value], bool] = {}
    for state, draws in right.banker_draws.items():
        table.setdefault(state.cell, draws)
    return table


def _moves(right: Behaviour) -> Iterator[Mutant]:
    """A third card moved from the draws of one row of the banker's table to another row."""
    table = _table(right)
    for (source, third), draws in table.items():
        for target in {banker2 for banker2, _ in table}:
            if third == NONE or not draws or table.get((target, third), True):
                continue
            moved = {(source, third): False, (target, third): True}
            wrong = with_draws(right, partial(_looked_up, right, moved))
            says = f"banker draws against {third} on {target} rather than on {source}"
            cells = tuple(banker_cell(*place) for place in moved)
            yield Mutant(f"move {third} from {source} to {target}", "move", says, wrong, cells)


def _looked_up(right: Behaviour, table: Mapping[tuple[int, Value], bool], state: BankerState) -> bool:
    """Whether the banker draws as `table` says by cell, where it speaks."""
    return table.get(state.cell, right.banker_draws[state])


def _rows(right: Behaviour) -> Iterator[Mutant]:
    """Two rows of the banker's table swapped, or one read for another; with a third card."""
    table = _table(right)
    totals = sorted({banker2 for banker2, _ in table})
    for first, second in combinations(totals, 2):
        for how, says in (
            ({first: second, second: first}, f"rows {first} and {second} of the banker's table are swapped"),
            ({first: second}, f"banker on {first} follows row {second}"),
            ({second: first}, f"banker on {second} follows row {first}"),
        ):
            read = {
                (b, third): table.get((how[b], third), draws)
                for (b, third), draws in table.items()
                if b in how and third != NONE
            }
            changed = with_draws(right, partial(_looked_up, right, read))
            cells = tuple(banker_cell(*place) for place in read)
            yield Mutant(f"rows {' '.join(f'{a}={b}' for a, b in how.items())}", "rows", says, changed, cells)


def _points(right: Behaviour) -> Iterator[Mutant]:
    for rank in RANKS:
        for points in range(10):
            changed = {**right.points, rank: points}
            says = f"{rank} counts {points}, not {right.points[rank]}"
            wrong = replace(right, points=changed, third_points={**right.third_points, rank: points})
            yield Mutant(f"points {rank}={points}", "points", says, wrong, (f"card_points {rank}",))


def _totals(right: Behaviour) -> Iterator[Mutant]:
    for summed, due in right.rules.totals.items():
        for total in range(10):
            wrong = replace(right, totals={**right.totals, summed: total})
            says = f"a sum of {summed} makes {total}, not {due}"
            yield Mutant(f"total {summed}={total}", "total", says, wrong, (f"hand_total {summed}",))


def _deals(right: Behaviour) -> Iterator[Mutant]:
    for deals in sorted(set(permutations(right.deals))):
        order = " ".join(("player", "banker")[side] for side in deals)
        says = f"the first four cards go {order}"
        yield Mutant(f"deal {order.replace(' ', '-')}", "deal", says, replace(right, deals=deals))


def _scopes(right: Behaviour) -> Iterator[Mutant]:
    """Which two-card totals end the coup: none, one of eight and nine, or seven too; of one side or both."""
    usual = frozenset((8, 9))
    for totals in (frozenset(), frozenset((8,)), frozenset((9,)), frozenset((7, 8, 9))):
        shown = " and ".join(str(total) for total in sorted(totals)) or "no total"
        for sides in (("player", "banker"), ("player",), ("banker",)):
            player = totals if "player" in sides else usual
            banker = totals if "banker" in sides else usual
            wrong = replace(
                right,
                stops={(p, b): p in player or b in banker for p, b in right.stops},
                naturals=totals if len(sides) == 2 else right.naturals,
            )
            whose = "" if len(sides) == 2 else f" of the {sides[0]}"
            yield Mutant(
                f"natural{whose.replace(' of the ', '-')}={'-'.join(str(t) for t in sorted(totals)) or 'none'}",
                "scope",
                f"{shown}{whose} with two cards end{'s' if len(totals) < 2 else ''} the coup",
                wrong,
            )
    both = replace(right, stops={pair: s and not min(pair) >= 8 for pair, s in right.stops.items()})
    yield Mutant("natural-both-goes-on", "scope", "two naturals don't end the coup", both)
    only = replace(right, stops={pair: s and min(pair) >= 8 for pair, s in right.stops.items()})
    yield Mutant("natural-both-only", "scope", "only two naturals end the coup", only)


def _winners(right: Behaviour) -> Iterator[Mutant]:
    for natural in (False, True):
        for higher in ("player", "banker", "equal"):
            for wrong in ("player", "banker", "tie"):
                what = {"player": "the player's higher total", "banker": "the banker's higher total"}.get(
                    higher, "equal totals"
                )
                where = "of two naturals " if natural else ""
                verb = "make" if higher == "equal" else "makes"
                yield Mutant(
                    f"winner {'naturals-' if natural else ''}{higher}={wrong}",
                    "winner",
                    f"{what} {where}{verb} {'a tie' if wrong == 'tie' else f'the {wrong} win'}",
                    with_winner(right, natural=natural, higher=higher, winner=wrong),
                )
    swap = {"player": "banker", "banker": "player", "tie": "tie"}
    lower = replace(right, winners={end: swap[winner] for end, winner in right.winners.items()})
    yield Mutant("winner lower", "winner", "the lower total wins", lower)


def with_winner(right: Behaviour, *, natural: bool, higher: str, winner: str) -> Behaviour:
    """A behaviour with another winner where the higher total is `higher` (equal: neither); of two naturals only."""

    def holds(end: End) -> bool:
        return who_is_higher(*end.totals) == higher and (min(end.two_cards) >= 8 or not natural)

    return replace(right, winners={end: winner if holds(end) else due for end, due in right.winners.items()})


def _sides(right: Behaviour) -> Iterator[Mutant]:
    """The two sides taken for one another in what bets net."""
    swap = {"player": "banker", "banker": "player", "player_pair": "banker_pair", "banker_pair": "player_pair"}
    bets = {bet for bet, _ in right.nets}
    for first, second in (("player", "banker"), ("player_pair", "banker_pair")):
        if first in bets and second in bets:
            swapped = {(swap[b] if b in (first, second) else b, row): unit for (b, row), unit in right.nets.items()}
            says = f"bets on {first} and {second} are settled as each other"
            yield Mutant(
                f"swap {first}", "sides", says, replace(right, nets=swapped), (f"net {first}", f"net {second}")
            )


def _nets(right: Behaviour) -> Iterator[Mutant]:
    """What a bet nets, in each case that the rules tell apart, and wherever it nets the same."""
    for bet in dict.fromkeys(bet for bet, _ in right.nets):
        cells = net_cells(right, bet)
        units = {unit for _, unit, _ in cells}
        for unit in sorted(units):
            alike = [row for _, u, rows in cells if u == unit for row in rows]
            groups = [(f"where it nets {show_number(unit)}", unit, alike), *(c for c in cells if c[1] == unit)]
            for where, _, rows in groups:
                others = (units | {Fraction(-1), Fraction(0)} | _near(unit)) - {unit}
                for wrong in sorted(others):
                    nets = {**right.nets, **{(bet, row): wrong for row in rows}}
                    yield Mutant(
                        f"net {bet}={show_number(wrong)} {where}".replace(", ", ",")
                        .replace(" ", "_")
                        .replace("_", " ", 1),
                        "net",
                        f"{bet} nets {show_number(wrong)} of the stake, not {show_number(unit)} ({where})",
                        replace(right, nets=nets),
                        (f"net {bet}",),
                    )


def _near(unit: Fraction) -> set[Fraction]:
    """Prizes that a slip makes of another: one more, one less, no commission, twice the commission."""
    if unit <= 0:
        return set()
    near = {unit + 1} | ({unit - 1} if unit > 1 else set())
    return near | ({Fraction(1), 2 * unit - 1} if Fraction(1, 2) < unit < 1 else set())


def net_cells(right: Behaviour, bet: str) -> list[tuple[str, Fraction, list[Row]]]:
    """The cases in which the rules tell apart what a bet nets: in words, the net of a unit, and the end classes."""
    rows = {row: unit for (b, row), unit in right.nets.items() if b == bet}
    fields = list(right.classes.fields)
    kept = sorted(range(len(fields)), key=lambda i: fields[i] == "winner")
    for place in list(kept):
        fewer = [i for i in kept if i != place]
        seen: dict[Row, Fraction] = {}
        if all(seen.setdefault(tuple(row[i] for i in fewer), unit) == unit for row, unit in rows.items()):
            kept = fewer
    found: dict[Row, list[Row]] = {}
    for row in rows:
        found.setdefault(tuple(row[i] for i in kept), []).append(row)
    return [
        (", ".join(f"{fields[i]} {value}" for i, value in zip(kept, key, strict=True)) or "always", rows[same[0]], same)
        for key, same in found.items()
    ]


_FAMILIES = (_flips, _moves, _rows, _points, _totals, _deals, _scopes, _winners, _sides, _nets)

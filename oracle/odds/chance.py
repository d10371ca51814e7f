"""How often a coup comes to a state of a question: what a finding weighs.

Only what is decided before the question matters. So the chance of a state that the rules leave open is known as long as
everything that leads to it is decided; what would follow from it is cut off, since unused cards count in full.

This module needs numpy; import it where it is used.
"""

from __future__ import annotations

from collections.abc import Callable
from fractions import Fraction
from weakref import WeakKeyDictionary

import numpy as np  # noqa: TID253 (imported where it is used)

from oracle.game.rules import MONEY, Rules
from oracle.game.space import Row, Space, bits
from oracle.odds.composition import PLACES, Composition
from oracle.odds.counts import Odds
from oracle.odds.decisions import Decisions, decisions_before
from oracle.odds.tableau import Tableau, tableau_of
from oracle.odds.ways import Numbers, all_ways
from oracle.rules.questions import COUP_QUESTIONS, END, KNOWN, QUESTIONS
from oracle.spans import OracleError

Sequences = Callable[[int], int]
_KNOWN: WeakKeyDictionary[Rules, dict[str, tuple[Sequences, int] | None]] = WeakKeyDictionary()


def chance(rules: Rules, question: str, mask: int) -> Fraction | None:
    """The share of coups from the full shoe that come to one of these states of a question, as the rules are resolved.

    Of states that need a bet, the share of coups in which one laid would come to them. None if they aren't of a coup,
    if the rules don't say how many decks there are, or if what leads to these states is open or free.
    """
    if question not in COUP_QUESTIONS or not mask:
        return None
    known = _KNOWN.setdefault(rules, {})
    if question not in known:
        try:
            known[question] = _counter(rules, question)
        except OracleError:
            known[question] = None
    found = known[question]
    return None if found is None else Fraction(found[0](mask), found[1])


def _counter(rules: Rules, question: str) -> tuple[Sequences, int]:
    """A function from states to the sequences that come to them, and how many sequences there are."""
    if question in MONEY:
        return _by_class(rules, question)
    composition = Composition.of(rules).by_rank()
    total = 1
    for used in range(PLACES):
        total *= composition.cards - (0 if composition.endless else used)
    space = rules.space(question)
    if not QUESTIONS[question].needs and set(space.fields) <= {"position"}:  # every coup deals all four cards
        return (lambda _: total), total
    made = decisions_before(rules, question)
    if space.fields == ("rank",):
        return _by_rank(rules, space, made, composition, total), total
    weights = all_ways().weights(composition.stock(rules.points), endless=composition.endless)
    tableau = tableau_of(made)
    if space.fields == ("sum",):
        return _by_sum(space, tableau, weights), total
    if not QUESTIONS[question].needs:
        raise OracleError(f"which coups come to a state of {question} is not counted")
    return _by_state(space, tableau, weights), total


def _by_state(space: Space, tableau: Tableau, weights: Numbers) -> Sequences:
    """By the fields of a state that ends know too; nobody's bets are among them."""
    fields = KNOWN[END]
    shared = [field for field in space.fields if field in fields]
    places = [fields.index(field) for field in shared]
    by_end = tableau.by_end
    counts: dict[Row, int] = {}
    for end, count in zip(by_end.names.tolist(), by_end.sums(weights).tolist(), strict=True):
        key = tuple(tableau.ends[end][place] for place in places)
        counts[key] = counts.get(key, 0) + count
    keys = list(zip(*(space.column(field) for field in shared), strict=True))
    return lambda mask: sum(counts.get(key, 0) for key in {keys[i] for i in bits(mask)})


def _by_sum(space: Space, tableau: Tableau, weights: Numbers) -> Sequences:
    """Coups in which some hand, of two cards or of three, adds up so."""
    ways = all_ways()
    rows = np.flatnonzero(tableau.happens)
    counts = ways.grouped(np.where(tableau.happens, np.arange(len(tableau.happens)), -1)).sums(weights)
    player, banker = ways.player[rows], ways.banker[rows]
    sums = [player, banker]
    sums += [player + np.maximum(ways.player_third[rows], 0), banker + np.maximum(ways.banker_third[rows], 0)]
    column = space.column("sum")

    def sequences(mask: int) -> int:
        wanted = [int(column[i]) for i in bits(mask)]
        seen = np.isin(sums, wanted).any(axis=0)
        return sum(counts[seen].tolist())

    return sequences


def _by_rank(rules: Rules, space: Space, made: Decisions, composition: Composition, total: int) -> Sequences:
    """Coups that use a card of some rank: all but those that a shoe without them deals, its unused places from all."""
    tableau = tableau_of(made)
    ranks = [str(rank) for rank in space.column("rank")]

    def sequences(mask: int) -> int:
        without = dict(composition.ranks) | {ranks[i]: 0 for i in bits(mask)}
        stock = [0] * 10
        for rank, count in without.items():
            stock[rules.points[rank]] += count
        weights = all_ways().weights(stock, endless=composition.endless, whole=composition.cards)
        unseen: list[int] = tableau.by_end.sums(weights).tolist()
        return total - sum(unseen)

    return sequences


def _by_class(rules: Rules, question: str) -> tuple[Sequences, int]:
    odds = Odds(rules)
    counts = odds.by_class
    fields = rules.space(question).fields
    assert fields[1:] == odds.book.fields
    rows = rules.space(question).rows
    return lambda mask: sum(counts.get(key, 0) for key in {rows[i][1:] for i in bits(mask)}), odds.total

"""Which mistake gives all answers about shoes, sessions or cards: each kind of case explained by its own candidates.

A session is also explained by what is wrong with coups or with bets, since it is made of them.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from contextlib import suppress
from fractions import Fraction

import msgspec
from msgspec.structs import replace

from oracle.cards import Card
from oracle.cases.case import LEAVE, Answer, Case, Kind
from oracle.cases.reference import Reference, step_of
from oracle.cases.shoes import shoes
from oracle.cases.tiers import silent
from oracle.conformance.judge import FLOATING, REFUSED, Difference
from oracle.conformance.run.log import Line
from oracle.game.rules import Rules
from oracle.mutants.readers import reader_mutants
from oracle.mutants.shuffles import shoe_mutants
from oracle.mutants.wrong_limits import limit_mutants
from oracle.mutants.wrong_sessions import session_mutants
from oracle.programs.behaviour import Behaviour, play
from oracle.programs.bettor import Bettor, start_of
from oracle.programs.cells import consulted
from oracle.programs.shoe_left import Left, left_of
from oracle.rules.answers import show_number
from oracle.spans import OracleError

EXPLAINED: tuple[Kind, ...] = ("shoe", "session", "cards")


class Candidate(msgspec.Struct, frozen=True):
    """Something that may be wrong, in words, and in what its answer to a case differs, as a log tells it.

    One that `floats` may be off by a hair wherever it is noted so.
    """

    name: str
    says: str
    family: str
    differences: Callable[[Case], dict[str, str]]
    cells: tuple[str, ...] = ()
    floats: bool = False


class Suspects:
    """The candidates of one kind that give all answers so far."""

    def __init__(self, reference: Reference, kind: Kind) -> None:
        self._reference = reference
        self.found = list(_CANDIDATES[kind](reference))

    def add(self, case: Case, line: Line) -> None:
        """Leave those that answer a case as the implementation did."""
        said = {d.observable: _plain(d) for d in line.differs}
        hairs = {d.observable for d in line.differs if d.note == FLOATING}
        looked_up = _looked_up(self._reference, case)
        self.found = [candidate for candidate in self.found if _agrees(candidate, case, said, hairs, looked_up)]


def _agrees(candidate: Candidate, case: Case, said: dict[str, str], hairs: set[str], looked_up: frozenset[str]) -> bool:
    if candidate.cells and looked_up.isdisjoint(candidate.cells):
        return not said
    if candidate.floats:
        said = {name: got for name, got in said.items() if name not in hairs}
    return candidate.differences(case) == said


def _plain(difference: Difference) -> str:
    """What was answered, as candidates tell it."""
    got = str(difference.got)
    if difference.observable.startswith("balance "):
        with suppress(ValueError, ZeroDivisionError):
            return show_number(Fraction(got))
    return got


def _looked_up(reference: Reference, case: Case) -> frozenset[str]:
    """What the coups of a session look up when they are played right."""
    coups = [step for step in map(step_of, case.steps) if step != LEAVE]
    bets = reference.rules.bets
    return frozenset().union(
        *(
            consulted(reference.behaviour, play(reference.behaviour, cards), [bet for bet in stakes if bet in bets])
            for cards, stakes in coups
        )
    )


def case_of(reference: Reference, line: Line) -> Case:
    """The case of a line of a log, with its expectation."""
    asked = Case(
        line.id, line.kind, Answer(), line.cards, line.bets, line.balance,  # type: ignore[arg-type]
        dealt=line.dealt, burnt=line.burnt, decks=line.decks, cut_card=line.cut_card, steps=line.steps, text=line.text,
    )  # fmt: skip
    return reference.again(asked)


def speaks(rules: Rules, case: Case) -> bool:
    """Whether a rule set says what a case asks, which may have been made for another one."""
    return not silent(rules, case.kind) and (case.kind != "session" or _says_start(rules) == (case.balance is None))


def gives(other: Reference, case: Case, line: Line) -> bool:
    """Whether another rule set, which speaks of what is asked, gives this answer."""
    said = {d.observable: _plain(d) for d in line.differs}
    try:
        expect = other.again(case).expect
    except OracleError:
        return False
    due = case.expect
    told = dict(_told(due.balances or (), expect.balances or (), due.ended, expect.ended))
    return {**told, **_differ("reshuffle", due.reshuffle, expect.reshuffle)} == said


def _says_start(rules: Rules) -> bool:
    return isinstance(rules.value("start_balance"), int)


# Shoes


def _of_shoes(reference: Reference) -> Iterable[Candidate]:
    rules = reference.rules

    def shoe(case: Case) -> Left:
        return left_of(rules, case.dealt or 0, burnt=case.burnt, decks=case.decks, cut_card=case.cut_card)

    for mutant in shoe_mutants(rules, map(shoe, shoes(reference))):

        def differences(case: Case, shuffles: Callable[[Left], bool] = mutant.shuffles) -> dict[str, str]:
            return _differ("reshuffle", case.expect.reshuffle, shuffles(shoe(case)))

        yield Candidate(mutant.id, mutant.says, "shoe", differences)


def _differ(name: str, due: bool | None, said: bool | None) -> dict[str, str]:  # noqa: FBT001 (answers)
    return {} if due == said else {name: str(said)}


# Sessions


def _of_sessions(reference: Reference) -> Iterable[Candidate]:
    right = reference.behaviour

    def sitting(make: Callable[[Fraction], Bettor]) -> Callable[[Case], dict[str, str]]:
        def differences(case: Case) -> dict[str, str]:
            start = start_of(reference.rules, None if case.balance is None else Fraction(case.balance))
            balances, ended = make(start).sit(map(step_of, case.steps))
            expect = case.expect
            return dict(_told(expect.balances or (), list(map(show_number, balances)), expect.ended, ended))

        return differences

    for wrong in session_mutants(reference.rules):
        made = sitting(lambda start, program=wrong.program: program(right, start))  # type: ignore[misc]
        yield Candidate(wrong.id, wrong.says, "session", made, floats=wrong.floats)
    for judge in limit_mutants(reference.rules):
        made = sitting(lambda start, judge=judge: Bettor(right, start, judge.takes))  # type: ignore[misc]
        yield Candidate(judge.id, judge.says, "bets", made)
    for mutant in reference.candidates:
        floats = mutant.behaviour.money == "float"
        behaviour: Behaviour = replace(mutant.behaviour, money="exact") if floats else mutant.behaviour
        made = sitting(lambda start, behaviour=behaviour: Bettor(behaviour, start))  # type: ignore[misc]
        yield Candidate(mutant.id, mutant.says, mutant.family, made, mutant.cells, floats)


def _told(
    due: Sequence[str],
    said: Sequence[str],
    due_end: bool | None,  # noqa: FBT001 (answers)
    said_end: bool | None,  # noqa: FBT001
) -> Iterable[tuple[str, str]]:
    """What differs of a session, as the judge names it."""
    pairs = zip(due, said, strict=True)
    yield from ((f"balance {place}", got) for place, (want, got) in enumerate(pairs, 1) if want != got)
    if due_end != said_end:
        yield "ended", str(said_end)


# Cards


def _of_cards(_reference: Reference) -> Iterable[Candidate]:
    for mutant in reader_mutants():

        def differences(case: Case, reads: Callable[[str], Card | None] = mutant.reads) -> dict[str, str]:
            return _read(case, reads(case.text or ""))

        yield Candidate(mutant.id, mutant.says, "cards", differences)


def _read(case: Case, card: Card | None) -> dict[str, str]:
    """What differs of a text that was read, as the judge names it."""
    expect = case.expect
    due = None if expect.refused else Card(expect.rank or "", expect.suit or "")
    if due is None or card is None:
        return {} if due == card else {"card": REFUSED if card is None else str(card)}
    pairs = (("rank", due.rank, card.rank), ("suit", due.suit, card.suit))
    return {name: got for name, want, got in pairs if want != got}


_CANDIDATES: dict[Kind, Callable[[Reference], Iterable[Candidate]]] = {
    "shoe": _of_shoes,
    "session": _of_sessions,
    "cards": _of_cards,
}

"""How the values of fields and answers are written as whole numbers, and guards as formulas about them."""

from __future__ import annotations

from collections.abc import Iterable
from fractions import Fraction

import msgspec

from oracle.rules.answers import Atom
from oracle.rules.guard import Test
from oracle.rules.questions import FIELDS, Question
from oracle.rules.values import NONE, Among, Any, Between, Either, Multiple, Other, Share, Value, Values
from oracle.solver.formula import FALSE, TRUE, Expr, all_of, any_of, negation, number, one_of

NO_CARD = -1


class Coding(msgspec.Struct, frozen=True):
    """Values as numbers: numbers as themselves, a missing card as -1, names by their place in their domain.

    `bets` are the names of bets at this table, in its own order.
    """

    bets: tuple[str, ...]

    def domain(self, field: str) -> tuple[Value, ...]:
        """Every value of a field, in witness order."""
        return self.bets if field == "bet" else FIELDS[field].domain

    def code(self, field: str, value: Value) -> int:
        """The number that stands for a value of a field."""
        if isinstance(value, int):
            return value
        return NO_CARD if FIELDS[field].card and value == NONE else self.domain(field).index(value)

    def codes(self, field: str) -> list[int]:
        """The numbers of all values of a field."""
        return [self.code(field, value) for value in self.domain(field)]

    def is_numeric(self, field: str) -> bool:
        """Whether a field counts something; its values can then be compared."""
        return any(isinstance(value, int) for value in self.domain(field))

    def legend(self, field: str) -> str:
        """What the numbers of a field mean: `natural: 0 none, 1 player, 2 banker, 3 both`."""
        values = self.domain(field)
        names = [f"{self.code(field, value)} {value}" for value in values if isinstance(value, str)]
        numbers = [value for value in values if isinstance(value, int)]
        if numbers:
            names.append(f"{numbers[0]} to {numbers[-1]}")
        return f"{field}: {', '.join(names) or 'no values'}"

    def member(self, field: str, values: Values, term: Expr) -> Expr:
        """That `term`, a value of `field`, is in the set."""
        match values:
            case Among(among):
                domain = self.domain(field)
                return one_of(term, (self.code(field, value) for value in among if value in domain))
            case Between(low, high):
                return self._between(field, low, high, term)
            case Multiple(of):
                return one_of(term, (v for v in self.domain(field) if isinstance(v, int) and v % of == 0))
            case Either(parts):
                return any_of(*(self.member(field, part, term) for part in parts))
            case Other(part, card):
                return all_of(self._exists(term, card=card), negation(self.member(field, part, term)))
            case Any(card):
                return self._exists(term, card=card)
            case Share():
                return FALSE

    def _between(self, field: str, low: int | None, high: int | None, term: Expr) -> Expr:
        if not self.is_numeric(field):
            return FALSE
        if FIELDS[field].card:
            low = max(low or 0, 0)
        if low is not None and high is not None:
            return ("<=", number(low), term, number(high))
        if low is not None:
            return ("<=", number(low), term)
        return TRUE if high is None else ("<=", term, number(high))

    def _exists(self, term: Expr, *, card: bool) -> Expr:
        return ("<=", "0", term) if card else TRUE

    def guard(self, tests: tuple[Test, ...], terms: dict[str, Expr]) -> Expr:
        """That every test of a guard holds; `terms` has the terms of fields that aren't called like them."""
        return all_of(*(self.member(t.field, t.values, terms.get(t.field, t.field)) for t in tests))


def is_number(question: Question) -> bool:
    """Whether answers are numbers that the state may enter into: card points and hand totals."""
    return question.answer in ("points", "total")


def value(question: Question, atom: Atom) -> Expr:
    """The number that an answer means, where it is one; ranks are coded from ace = 0."""
    if question.answer == "points" and atom == "face":
        return ("+", "rank", "1")
    if question.answer == "total" and atom in ("units", "sum"):
        return ("last_digit", "sum") if atom == "units" else "sum"
    return str(atom)


def exists(question: Question, atom: Atom) -> Expr:
    """Where an answer means something: a court card has no number printed on it, a total has one digit."""
    if question.answer == "points" and atom == "face":
        ranks = FIELDS["rank"].domain
        return one_of("rank", (place for place, rank in enumerate(ranks) if str(rank).isdigit()))
    return ("<=", "sum", "9") if question.answer == "total" and atom == "sum" else TRUE


def concrete(question: Question, said: Iterable[Atom]) -> tuple[Atom, ...]:
    """The answers that there can be, in a fixed order."""
    if is_number(question):
        return tuple(range(10))
    if question.options:
        return question.options
    return tuple(sorted(set(said), key=lambda atom: (Fraction(str(atom)), str(atom))))

"""Reading guards: the `when` of a statement, as tests on fields of its question."""

from __future__ import annotations

import re
from fractions import Fraction

from oracle.cards import parse_rank
from oracle.rules.answers import is_bet_name
from oracle.rules.fields import texts
from oracle.rules.model import Test
from oracle.rules.nodes import Mapping, Node, Scalar, SpecFile
from oracle.rules.questions import FIELDS, YES_NO, Field, Question
from oracle.rules.values import Among, Any, Between, Either, Multiple, Other, Share, Value, Values, select
from oracle.spans import Span
from oracle.text import near_name

_COMPARE = re.compile(r"(<=|>=|<|>) ?(-?[0-9]{1,9}(?:\.[0-9]{1,6})?)( ?%)?\Z")
_MULTIPLE = re.compile(r"multiple of ([0-9]{1,9})\Z")
_RANGE = re.compile(r"(-?\w+) ?- ?(-?\w+)\Z", re.ASCII)
_WHOLE = re.compile(r"-?[0-9]{1,9}\Z")
_NUMERIC = ("digits", "number", "share")

# Fields of outcome that are also names of bets, and so fields of bets_together.
BET_FIELDS = ("player_pair", "banker_pair")


def field_of(question: Question, name: str) -> Field | None:
    """The field `name` of a question; in bets_together any bet's name is a yes/no field."""
    if name in question.fields:
        return FIELDS[name]
    if question.name == "bets_together" and is_bet_name(name) and (name in BET_FIELDS or name not in FIELDS):
        return Field(name, YES_NO, "whether this bet is placed")
    return None


def unknown_field(file: SpecFile, question: Question, name: str, span: Span) -> None:
    """Note that a question has no such field."""
    near = near_name(name, question.fields)
    help = f"did you mean `{near}`?" if near else f"fields of {question.name}: {', '.join(question.fields)}"
    if not question.fields:
        help = f"{question.name} has no fields: its answer holds always"
    file.problem("unknown-field", f"{question.name} has no field `{name[:40]}`", span, help=help)


def read_guard(file: SpecFile, node: Node, question: Question) -> tuple[Test, ...]:
    """The tests of a guard; problems for unknown fields and values, and for sets without members."""
    if not isinstance(node, Mapping):
        what = "a guard that maps no fields to values"
        file.problem("wrong-kind", what, node.span, help="write fields and their values, as in {banker2: 0-5}")
        return ()
    if not node.pairs:
        file.problem("empty-guard", "an empty guard", node.span, help="remove `when` to mean every state")
    tests = []
    for key, value in node.pairs:
        field = field_of(question, key.text)
        if field is None:
            unknown_field(file, question, key.text, key.span)
            continue
        if isinstance(value, Scalar) and not value.text.strip():
            file.problem("empty-text", f"`{field.name}` is empty", key.span, help=f"values: {_domain(field)}")
            continue
        written = texts(file, value)
        parts = [_values(file, text, span, field) for text, span in written]
        known = tuple(part for part in parts if part is not None)
        if not known or len(known) < len(parts):
            continue
        values = known[0] if len(known) == 1 else Either(known)
        if field.domain and not select(values, field.domain):
            what = f"no value of {field.name} is in this set"
            file.problem("empty-set", what, value.span, help=f"values: {_domain(field)}")
            continue
        shown = ", ".join(text for text, _ in written)
        place = Span(file.name, key.span.line, key.span.column, value.span.end_line, value.span.end_column)
        tests.append(Test(field.name, values, shown, place))
    return tuple(tests)


def read_value(file: SpecFile, text: str, span: Span, field: Field) -> Value | None:
    """One value of a field; a problem if `text` is none."""
    value = _single(text.strip(), field)
    if value is None:
        _no_value(file, text, span, field)
    return value


def _domain(field: Field) -> str:
    if field.kind == "ranks":
        return "A, 2-9, 10 (or T), J, Q, K"
    if not field.domain:
        if field.kind == "share":
            return 'whole numbers, and shares as in "<= 15%"'
        return "whole numbers" if field.kind != "bet" else "names of bets, as in player_pair"
    numbers = [value for value in field.domain if isinstance(value, int)]
    words = [str(value) for value in field.domain if not isinstance(value, int)]
    if numbers:
        words.append(f"{numbers[0]}-{numbers[-1]}")
    return ", ".join(words)


def _values(file: SpecFile, text: str, span: Span, field: Field) -> Values | None:
    if text == "any":
        return Any(field.card)
    if text.startswith("not "):
        inner = text[4:]
        if inner == "any" or inner.startswith(("not ", "[")):
            help = 'one value or a range stands after `not`, as in "not 4-7"; of a list, write the other values'
            file.problem("bad-value", f"`{text[:40]}` can't be read", span, help=help)
            return None
        part = _values(file, inner, span, field)
        return None if part is None else Other(part, field.card)
    if field.kind in _NUMERIC and (match := _COMPARE.match(text)):
        return _comparison(file, match, span, field)
    if field.kind in _NUMERIC and (match := _MULTIPLE.match(text)) and int(match[1]):
        return Multiple(int(match[1]))
    value = _single(text, field)
    if value is not None:
        return Among(frozenset([value]))
    if match := _RANGE.match(text):
        low, high = _single(match[1], field), _single(match[2], field)
        if low is not None and high is not None and _ordered(field, low, high):
            ranged = _range(low, high, field)
            if ranged is None:
                help = f"the lower end comes first; values: {_domain(field)}"
                file.problem("backwards-range", f"the range `{text[:40]}` runs backwards", span, help=help)
            return ranged
    _no_value(file, text, span, field)
    return None


def _no_value(file: SpecFile, text: str, span: Span, field: Field) -> None:
    help = f"values: {_domain(field)}"
    if field.kind == "names":
        near = near_name(text, [str(value) for value in field.domain])
        help = f"did you mean `{near}`?" if near else help
    elif field.kind in _NUMERIC and "," in text:
        help = "a set of values is written [0, 1, 8-9]"
    code = "unknown-rank" if field.kind == "ranks" else "bad-value"
    file.problem(code, f"`{text[:40]}` is no value of {field.name}", span, help=help)


def _comparison(file: SpecFile, match: re.Match[str], span: Span, field: Field) -> Values | None:
    relation, amount, percent = match[1], match[2], match[3]
    if percent:
        if field.kind != "share":
            what = f"{field.name} has no whole to take a percentage of"
            file.problem("bad-value", what, span, help="write a number")
            return None
        if not 0 <= Fraction(amount) <= 100:
            what = f"`{amount}%` is no share of a shoe"
            file.problem("bad-value", what, span, help="write a percentage from 0% to 100%")
            return None
        return Share(relation, Fraction(amount))
    if "." in amount:
        help = "write a whole number, or a percentage" if field.kind == "share" else "write a whole number"
        file.problem("bad-value", f"`{amount}` is no whole number", span, help=help)
        return None
    bound = int(amount)
    sets: dict[str, Values] = {
        "<": Other(Between(bound, None), field.card),  # not "at most bound - 1": a balance may be a fraction
        "<=": Between(None, bound),
        ">": Other(Between(None, bound), field.card),
        ">=": Between(bound, None),
    }
    return sets[relation]


def _single(text: str, field: Field) -> Value | None:
    if field.kind == "ranks":
        return parse_rank(text)
    if field.kind == "bet":
        return text if is_bet_name(text) else None
    if _WHOLE.match(text):
        value = int(text)
        return value if not field.domain or value in field.domain else None
    return text if text in field.domain else None


def _ordered(field: Field, low: Value, high: Value) -> bool:
    """Whether a range between these means anything: numbers have an order, and ranks; names have none."""
    return field.kind == "ranks" or (isinstance(low, int) and isinstance(high, int))


def _range(low: Value, high: Value, field: Field) -> Values | None:
    if field.domain:
        first, last = field.domain.index(low), field.domain.index(high)
        return Among(frozenset(field.domain[first : last + 1])) if first <= last else None
    if isinstance(low, int) and isinstance(high, int) and low <= high:
        return Between(low, high)
    return None

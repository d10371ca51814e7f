"""Answers: reading them from text by the kind that a question declares, and showing them again.

An answer is a tuple of atoms, all of them permitted: `("draw", "stand")` is a free choice. Atoms are names,
whole numbers, exact fractions, or tuples of these for lists.
"""

from __future__ import annotations

import re
from fractions import Fraction

from oracle.rules.questions import Question

Atom = str | int | Fraction | tuple[object, ...]

BETS = ("player", "banker", "tie", "player_pair", "banker_pair")
_BET = re.compile(r"[a-z][a-z0-9_]*\Z")
_RESERVED = ("any", "none", "not")
_NUMBER = re.compile(r"[0-9]{1,9}\Z")
_ODDS = re.compile(r"([0-9]{1,6}) ?: ?([0-9]{1,6})\Z")
_PERCENT = re.compile(r"([0-9]{1,6}(?:\.[0-9]{1,6})?) ?%\Z")
_DECIMAL = re.compile(r"([0-9]{0,6}(?:\.[0-9]{1,6}|,[0-9]{1,2}))(?: ?: ?1)?\Z")
_FRACTION = re.compile(r"([0-9]{1,6}) ?(?:/|-| to ) ?([0-9]{1,6})\Z")
_ROUNDING = re.compile(r"(up|down|nearest) (?:to )?([0-9]{1,9})\Z")


class AnswerError(ValueError):
    """Text that is no answer of this kind; `help` says how to write one, `item` which one of a list it is."""

    def __init__(self, message: str, help: str, *, code: str = "bad-answer", item: int | None = None) -> None:
        super().__init__(message)
        self.help = help
        self.code = code
        self.item = item


def is_bet_name(text: str) -> bool:
    """Whether a bet may be called so: snake case, and no word of the guard language."""
    return _BET.match(text) is not None and len(text) <= 40 and text not in _RESERVED


def parse_answer(question: Question, texts: list[str], *, is_list: bool) -> tuple[Atom, ...]:
    """The atoms that `texts` (one, or the items of a list) permit. Raises `AnswerError`."""
    kind = question.answer
    if kind in ("bets", "numbers"):
        if not texts:
            raise AnswerError(f"an empty list for {question.name}", "list at least one")
        return (_items(question, texts),)
    if is_list:
        help = "write one value"
        if kind == "actions":
            help = f"write `{' | '.join(question.options)}` to permit both"
        raise AnswerError(f"a list where {question.name} has one answer", help)
    text = " ".join(texts[0].split())
    if not text:
        raise AnswerError(f"no answer to {question.name}", _how(question))
    if kind == "actions":
        return tuple(dict.fromkeys(_choice(question, part.strip()) for part in text.split("|")))
    if kind == "choice":
        return (_choice(question, text),)
    return (_scalar(kind, question, text),)


def _how(question: Question) -> str:
    """How an answer of the question's kind is written."""
    names = " or ".join(question.options)
    return {
        "actions": f"write {names}, or `{' | '.join(question.options)}` to permit both",
        "choice": f"write {names}",
        "points": "write 0 to 9, or `face` for the number printed on the card",
        "total": "write `units`, `sum`, or 0 to 9",
        "odds": "write winnings:stake, as in 8:1, or a percentage of the stake, as in 95%",
        "share": "write a percentage from 0% to 100%, as in 5%",
        "decks": "write 1 to 100, or `endless`",
        "burn": "write a whole number, or `first card`",
        "rounding": "write `exact`, `up to 5`, `down to 1` or `nearest 1`",
        "text": "say it in a few words",
        "bets": "bets are named in snake case, as in player_pair",
    }.get(question.answer, "write a whole number, in digits only")


def _choice(question: Question, text: str) -> Atom:
    if text not in question.options:
        raise AnswerError(f"`{text[:40]}` is no answer to {question.name}", _how(question))
    return text


def _items(question: Question, texts: list[str]) -> tuple[Atom, ...]:
    read = _number if question.answer == "numbers" else _bet
    items: dict[Atom, None] = {}
    for number, text in enumerate(texts):
        try:
            item = read(question, text.strip())
        except AnswerError as error:
            error.item = number
            raise
        if item in items:
            message = f"`{item}` stands twice in a list for {question.name}"
            raise AnswerError(message, "list it once", item=number)
        items[item] = None
    return tuple(sorted(items, key=_place))


def _place(item: Atom) -> tuple[int, int, str]:
    """Lists are sets, so they have one order: numbers ascending, the usual bets before others by name."""
    if isinstance(item, int):
        return 0, item, ""
    return (0, BETS.index(str(item)), "") if item in BETS else (1, 0, str(item))


def _bet(question: Question, text: str) -> Atom:
    if not is_bet_name(text):
        raise AnswerError(f"`{text[:40]}` is no name of a bet", _how(question))
    return text


def _number(question: Question, text: str) -> int:
    if not _NUMBER.match(text):
        raise AnswerError(f"`{text[:40]}` is no answer to {question.name}", _how(question))
    return int(text)


def _scalar(kind: str, question: Question, text: str) -> Atom:
    if kind == "odds":
        return parse_odds(text)
    if kind == "share":
        return parse_share(text)
    if kind == "text":
        return text
    words = {"points": ("face",), "total": ("sum", "units"), "decks": ("endless",), "burn": ("first card",)}
    if text in words.get(kind, ()):
        return text
    if kind == "rounding":
        match = _ROUNDING.match(text)
        if text != "exact" and (match is None or int(match[2]) == 0):
            raise AnswerError(f"`{text[:40]}` is no rounding", _how(question))
        return text if match is None else f"{match[1]} {int(match[2])}"
    number = _number(question, text)
    if kind in ("points", "total") and len(text) > 1:
        raise AnswerError(f"`{text}` is no answer to {question.name}", _how(question))
    if kind == "decks" and not 1 <= number <= 100:
        raise AnswerError(f"`{text}` is no number of decks", _how(question))
    return number


def parse_odds(text: str) -> Fraction:
    """Odds as written: `8:1`, `19:20`, or a percentage of the stake, `95%`. Raises `AnswerError`."""
    if match := _ODDS.match(text):
        if int(match[2]) == 0:
            raise AnswerError(f"odds `{text}` divide by zero", "write winnings:stake, as in 8:1")
        return Fraction(int(match[1]), int(match[2]))
    if match := _PERCENT.match(text):
        return Fraction(match[1]) / 100
    if match := _DECIMAL.match(text):
        exact = Fraction(match[1].replace(",", "."))
        help = f"write {exact.numerator}:{exact.denominator}"
        raise AnswerError(f"decimal odds `{text}`", help, code="decimal-odds")
    help = "write winnings:stake, as in 8:1, or a percentage of the stake, as in 95%"
    if _NUMBER.match(text):
        help = f"write {int(text)}:1"
    elif match := _FRACTION.match(text):
        help = f"write {match[1]}:{match[2]}"
    raise AnswerError(f"`{text[:40]}` is no odds", help)


def parse_share(text: str) -> Fraction:
    """A share of something: `5%`, `2.5%` or `0`. Raises `AnswerError`."""
    if text == "0":
        return Fraction(0)
    match = _PERCENT.match(text)
    if match and Fraction(match[1]) <= 100:
        return Fraction(match[1]) / 100
    help = "write a percentage from 0% to 100%, as in 5%"
    if (match := _DECIMAL.match(text)) and (exact := Fraction(match[1].replace(",", "."))) <= 1:
        help = f"write {show_number(exact * 100)}%"
    raise AnswerError(f"`{text[:40]}` is no share", help)


def show_number(number: Fraction | int) -> str:
    """Exact text: `19`, `2.5` where the decimals end, else `1/3`."""
    number = Fraction(number)
    rest = number.denominator
    twos = fives = 0
    while rest % 2 == 0:
        rest //= 2
        twos += 1
    while rest % 5 == 0:
        rest //= 5
        fives += 1
    if rest != 1:
        return f"{number.numerator}/{number.denominator}"
    places = max(twos, fives)
    if places == 0:
        return str(number.numerator)
    scaled = abs(number.numerator) * 10**places // number.denominator
    digits = str(scaled).rjust(places + 1, "0")
    return f"{'-' if number < 0 else ''}{digits[:-places]}.{digits[-places:]}"


def show_atom(question: Question, atom: Atom) -> str:
    """An atom as a spec would write it."""
    if isinstance(atom, tuple):
        return ", ".join(str(item) for item in atom)
    if question.answer == "odds":
        odds = Fraction(atom)
        return f"{odds.numerator}:{odds.denominator}"
    if question.answer == "share":
        return f"{show_number(Fraction(atom) * 100)}%"
    return str(atom)

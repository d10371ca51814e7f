"""What an implementation can report about a coup: all that is known of each observable, in one record.

To add an observable: write its record, add it to `TABLE`, and add the field of its path to `oracle.cases.case.Answer`
(or to the group there that holds it). Expectations, the protocol and its schema, reading, judging, diagnosing, Python
callables, results files, exports and evidence are made from the records. `tests/conformance/test_observables.py` holds
every record against coups and programs, and says which part of which observable is wrong or missing. Then give it a
row in the table of docs/protocol.md and, as `expect.NAME` with its column, in that of docs/fixtures.md, and write the
fixtures and schemas again with `make regenerate`. The adapters name the six that a coup is usually reported by; they
don't have to name more.

Proofs that a mistake can't be seen (`oracle.mutants.domain`) play coups by points. They hold for an observable that
looks at totals, winners, and how many cards there are or which; not for one that looks only at some suits or ranks.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping, Sequence
from decimal import Decimal
from fractions import Fraction
from functools import lru_cache
from typing import Annotated, Any, Literal

import msgspec

from oracle.cards import parse_card
from oracle.game.coup import Coup
from oracle.game.space import is_pair
from oracle.programs.behaviour import Behaviour, Played, net, unit_net
from oracle.rules.answers import show_number
from oracle.spans import BadCards
from oracle.text import printable

Stakes = Mapping[str, Fraction]
Values = tuple[Any, ...]
Shows = Literal["decisions", "deal", "pairs", "bets"]
Winner = Literal["player", "banker", "tie"]
Natural = Literal["none", "player", "banker", "both"]
CardText = Annotated[
    str, msgspec.Meta(description="Rank and suit, as 8S or TD; in an answer `10` and lower case do as well.")
]
AmountText = Annotated[str, msgspec.Meta(description="Exact text: 19, -20, 2.5 or 1/3.")]
Total = Annotated[int, msgspec.Meta(ge=-999, le=999)]  # wrong ones too, but none that no program can hold
SIDES = ("player", "banker")
_WORDS = {"true": True, "yes": True, "1": True, "false": False, "no": False, "0": False}
_MOST_DIGITS = 18
_MOST_CARDS = 20
_LONGEST_CARD = 20


class ValueForm(msgspec.Struct, frozen=True, kw_only=True):
    """How a value is written in messages, files and code.

    `type` is its type in the JSON Schema, `strict` that by which an answer is read. `write` makes what stands in an
    answer of what was seen of a coup. `normal` is the one way to write a value that can be written in several; it
    raises `ValueError` with what is wrong, and with what was written instead. `cell`
    reads a field of CSV and raises `ValueError` that says
    what the field is, `text` writes one. `given` makes what stands in an answer of what a Python function returned.
    With `by_bet` there is such a value for each bet of the case, and amounts are compared by value.
    """

    type: Any
    strict: Any
    write: Callable[[Any], Any] | None = None
    normal: Callable[[Any], Any] | None = None
    cell: Callable[[str], Any] = str
    text: Callable[[Any], str] = str
    given: Callable[[Any], Any] = lambda value: value
    by_bet: bool = False


def _number(text: str) -> int:
    if len(text) > _MOST_DIGITS or not text.removeprefix("-").isdecimal() or not text.isascii():
        raise ValueError("no whole number")
    return int(text)


def truth(text: str) -> bool:
    """A truth value in a field of CSV. Raises `ValueError` that says what the field is."""
    found = _WORDS.get(text.lower())
    if found is None:
        raise ValueError("neither true nor false")
    return found


def truth_text(said: bool) -> str:  # noqa: FBT001 (a truth value to write down)
    """A truth value as a field of CSV."""
    return "true" if said else "false"


def amount(given: Any) -> Any:
    """Exact text for exact numbers of Python; a float stays one, as the JSON number that it is written as."""
    if isinstance(given, Decimal):
        return format(given, "f")
    return show_number(given) if isinstance(given, Fraction | int) and not isinstance(given, bool) else given


@lru_cache(maxsize=4096)
def _normal_card(text: str) -> str:
    try:
        return str(parse_card(text))
    except BadCards:
        raise ValueError("hold what is no card", f"`{printable(text)}`") from None


def _words(type_: Any) -> ValueForm:
    return ValueForm(type=type_, strict=type_)


NUMBER = ValueForm(type=int, strict=Total, cell=_number)
TRUTH = ValueForm(type=bool, strict=bool, cell=truth, text=truth_text)
CARDS = ValueForm(
    type=list[CardText],
    strict=tuple[str, ...],
    write=lambda cards: tuple(map(str, cards)),
    normal=lambda texts: tuple(_normal_card(text[:_LONGEST_CARD]) for text in texts[:_MOST_CARDS]),
    cell=lambda text: text.replace(",", " ").split(),
    text=" ".join,
    given=lambda cards: (
        [str(card) for card in cards] if isinstance(cards, Sequence) and not isinstance(cards, str) else cards
    ),
)
MONEY = ValueForm(
    type=dict[str, AmountText | int | float],
    strict=dict[str, msgspec.Raw],
    write=lambda nets: {bet: show_number(each) for bet, each in nets} or None,
    given=lambda nets: {bet: amount(each) for bet, each in nets.items()} if isinstance(nets, Mapping) else nets,
    by_bet=True,
)


class AnswerPlace(msgspec.Struct, frozen=True):
    """One place of an answer: the field, and in a field that holds a group the field of that."""

    field: str
    inner: str
    word: str

    @property
    def path(self) -> str:
        """As `player.total`."""
        return f"{self.field}.{self.inner}" if self.inner else self.field

    @property
    def side(self) -> str:
        """Player or banker, if it belongs to one of them; else empty."""
        return next((side for side in SIDES if side in (self.field, self.inner)), "")

    @property
    def called(self) -> str:
        """What it is called where it is missing, as ``the player's `total` ``."""
        return f"the {self.field}'s `{self.inner}`" if self.field in SIDES else f"`{self.path}`"

    @property
    def difference(self) -> str:
        """What a difference here is called, as `player total`; a bet follows if there is a value for each."""
        return f"{self.side} {self.word}" if self.side else self.word

    @property
    def column(self) -> str:
        """Its column in CSV, as `player_total`; `_` and a bet follow if there is a value for each."""
        return f"{self.side}_{self.word}" if self.side else self.word


class Observable(msgspec.Struct, frozen=True, kw_only=True):
    """All that is known of one observable.

    `says` describes it. `paths` are its places in an answer, as `winner` or `player.total`; differences and columns
    are named after the side that is in the path, and `word`. Of each place, in their order, `of_played` gives the
    value that a behaviour's coup shows with these stakes (which has to be hashable), `of_coup` that of a coup of the
    oracle, with what each bet nets; both before `form.write`. `shows` says what of a program it shows first: decisions
    of play, the deal before them, what a pair is, or what becomes of bets; failures in anything but decisions are
    gathered by it. An observable by bet has `of_unit`: what a unit stake on a bet gives, before rounding. `minimal` are
    the smaller minimal sets that are made for it; the set `minimal` is for all.
    """

    name: str
    says: str
    paths: tuple[str, ...]
    word: str
    form: ValueForm
    of_played: Callable[[Behaviour, Played, Stakes], Values]
    of_coup: Callable[[Coup, Stakes], Values]
    shows: Shows
    of_unit: Callable[[Behaviour, Played, str], Fraction] | None = None
    minimal: tuple[str, ...] = ()

    def __post_init__(self) -> None:
        if len({self.by_bet, self.of_unit is not None, self.shows == "bets"}) > 1:
            raise TypeError(f"observable {self.name}: a form by bet, `of_unit` and showing bets go together")

    @property
    def by_bet(self) -> bool:
        """Whether there is a value for each bet."""
        return self.form.by_bet

    @property
    def places(self) -> tuple[AnswerPlace, ...]:
        """Its places in an answer."""
        return tuple(
            AnswerPlace(field, inner, self.word) for field, _, inner in (path.partition(".") for path in self.paths)
        )


WINNER = Observable(
    name="winner",
    says="player, banker or tie",
    paths=("winner",),
    word="winner",
    form=_words(Winner),
    of_played=lambda _, played, __: (played.winner,),
    of_coup=lambda coup, _: (coup.winner,),
    shows="decisions",
    minimal=("minimal-winner", "minimal-totals", "minimal-cards"),
)
TOTALS = Observable(
    name="totals",
    says="the final total of each hand",
    paths=("player.total", "banker.total"),
    word="total",
    form=NUMBER,
    of_played=lambda _, played, __: played.end[4:6],
    of_coup=lambda coup, _: (coup.player.total, coup.banker.total),
    shows="decisions",
    minimal=("minimal-totals", "minimal-cards"),
)
HANDS = Observable(
    name="cards",
    says="the cards of each hand in the order drawn",
    paths=("player.cards", "banker.cards"),
    word="cards",
    form=CARDS,
    of_played=lambda _, played, __: (played.player, played.banker),
    of_coup=lambda coup, _: (coup.player.cards, coup.banker.cards),
    shows="decisions",
    minimal=("minimal-cards",),
)
NATURAL = Observable(
    name="natural",
    says="who has eight or nine with two cards: none, player, banker or both",
    paths=("natural",),
    word="natural",
    form=_words(Natural),
    of_played=lambda _, played, __: (played.natural,),
    of_coup=lambda coup, _: (coup.natural,),
    shows="deal",
)
PAIRS = Observable(
    name="pairs",
    says="whether the first two cards of each hand are of one rank",
    paths=("pairs.player", "pairs.banker"),
    word="pair",
    form=TRUTH,
    of_played=lambda _, played, __: tuple(map(is_pair, played.alike)),
    of_coup=lambda coup, _: tuple(is_pair(coup.alike[side]) for side in SIDES),
    shows="pairs",
)
NET = Observable(
    name="net",
    says="what each bet of the case changes the balance by",
    paths=("net",),
    word="net",
    form=MONEY,
    of_played=lambda behaviour, played, stakes: (
        tuple((bet, net(behaviour, played, bet, stake)) for bet, stake in stakes.items()),
    ),
    of_coup=lambda _, nets: (tuple(nets.items()),),
    shows="bets",
    of_unit=unit_net,
)

TABLE: tuple[Observable, ...] = (WINNER, TOTALS, HANDS, NATURAL, PAIRS, NET)
OBSERVABLES: tuple[str, ...] = tuple(observable.name for observable in TABLE)
"""Their names, in the order in which they are reported."""
BY_BET = frozenset(observable.name for observable in TABLE if observable.by_bet)
DECIDED = frozenset(observable.name for observable in TABLE if observable.shows == "decisions")
SHOW_PAIRS = frozenset(observable.name for observable in TABLE if observable.shows == "pairs")


class AnswerField(msgspec.Struct, frozen=True):
    """A field of an answer with the places in it: one of its own, or a group. `shared`: by several observables."""

    name: str
    places: tuple[tuple[Observable, AnswerPlace], ...]
    shared: bool

    @property
    def grouped(self) -> bool:
        """Whether its places are fields of a group."""
        return bool(self.places[0][1].inner)

    @property
    def by_bet(self) -> bool:
        """Whether it holds a value for each bet."""
        return self.places[0][0].by_bet


def fields(observables: Collection[str] = OBSERVABLES) -> tuple[AnswerField, ...]:
    """The fields of an answer that holds some observables, in the order of the table."""
    found: dict[str, list[tuple[Observable, AnswerPlace]]] = {}
    for observable in TABLE:
        for place in observable.places:
            found.setdefault(place.field, []).append((observable, place))
    return tuple(
        AnswerField(name, kept, shared=len({observable.name for observable, _ in places}) > 1)
        for name, places in found.items()
        if (kept := tuple((observable, place) for observable, place in places if observable.name in observables))
    )


FIELDS = fields()
IN_FILES = tuple(sorted(FIELDS, key=lambda field: (field.by_bet, field.grouped)))
"""The fields in the order in which rows of files and results of callables have them: plain ones first."""
_DIFFERENCES = {place.difference: (each, place) for each in TABLE if not each.by_bet for place in each.places}
_BET_DIFFERENCES = {place.difference: (each, place) for each in TABLE if each.by_bet for place in each.places}


def differing(name: str) -> tuple[Observable, AnswerPlace, str] | None:
    """What a difference called so is about: the observable, its place, and the bet if there is one; None if nothing."""
    word, _, bet = name.partition(" ")
    if word in _BET_DIFFERENCES:
        return (*_BET_DIFFERENCES[word], bet)
    found = _DIFFERENCES.get(name)
    return None if found is None else (*found, "")


def gathered(names: Sequence[str]) -> bool:
    """Whether failures that differ in these are gathered by what differs: in one thing, which no decision makes."""
    return any(all(mark in name for name in names) for mark in _MARKS)


_MARKS = tuple(f"{each.word} " if each.by_bet else each.word for each in TABLE if each.shows != "decisions")


def reported(result: Mapping[str, Any]) -> list[str]:
    """The observables that a result of JSON has, those with fields of their own first."""
    return [observable.name for observable in _OWN_FIRST if _is_there(observable, result)]


def _is_there(observable: Observable, result: Mapping[str, Any]) -> bool:
    place = observable.places[0]
    value = result.get(place.field)
    if place.field in _SHARED:
        return isinstance(value, dict) and value.get(place.inner) is not None
    return value is not None


_SHARED = {field.name for field in FIELDS if field.shared}
_OWN_FIRST = sorted(TABLE, key=lambda observable: observable.places[0].field in _SHARED)


def observe(
    behaviour: Behaviour, played: Played, observables: Collection[str], stakes: Stakes | None = None
) -> tuple[object, ...]:
    """What of a coup is seen through these observables; those by bet are of the stakes."""
    return tuple([each.of_played(behaviour, played, stakes or {}) for each in TABLE if each.name in observables])


def values_played(behaviour: Behaviour, played: Played, stakes: Stakes) -> list[Any]:
    """What stands at each place of an answer, in the order of the table, after a behaviour played this."""
    found: list[Any] = []
    for of_played, _, write in _WAYS:
        values = of_played(behaviour, played, stakes)
        found += map(write, values) if write else values
    return found


def values_of(coup: Coup, nets: Stakes) -> list[Any]:
    """What stands at each place of an answer, in the order of the table, of a coup of the oracle and its nets."""
    found: list[Any] = []
    for _, of_coup, write in _WAYS:
        values = of_coup(coup, nets)
        found += map(write, values) if write else values
    return found


_WAYS = [(each.of_played, each.of_coup, each.form.write) for each in TABLE]

"""Cases for programs that read and write files: what is asked, and if wanted the answers, as lines or as rows."""

from __future__ import annotations

import csv
import io
from collections.abc import Collection, Iterable, Iterator, Sequence
from itertools import islice

import msgspec
from msgspec.structs import replace

from oracle.cases.case import KINDS, Answer, Case, Kind, Step, StepCoup, value_at
from oracle.cases.tiers import LARGE, cases
from oracle.game.rules import Rules
from oracle.programs.observables import TABLE, truth_text

Row = list[str]
_CARDS = 6
_TOGETHER = 200  # lines in a chunk
_NOTHING = Answer()


def cases_of(rules: Rules, tiers: Sequence[str]) -> Iterator[Case]:
    """The cases of some tiers, each once."""
    asked = tuple(dict.fromkeys(tiers))
    seen: set[str] = set()
    for tier in asked:
        for case in cases(rules, tier):
            if len(asked) == 1:
                yield case
            elif case.id not in seen:
                seen.add(case.id)
                yield case


def json_lines(found: Iterable[Case], *, answers: bool) -> Iterator[bytes]:
    """Cases as JSON Lines, in chunks of whole lines."""
    encode = msgspec.json.Encoder(order="deterministic").encode_lines
    found = iter(found)
    while batch := list(islice(found, _TOGETHER)):
        if not answers:
            batch = [replace(case, expect=_NOTHING, cells=(), tags=(), why="") for case in batch]
        yield encode(batch)


def csv_lines(
    found: Iterable[Case], bets: Sequence[str], *, answers: bool, kinds: Collection[Kind] = ()
) -> Iterator[bytes]:
    """Cases as CSV with a header, in chunks of whole lines."""
    table = rows(found, bets, answers=answers, kinds=kinds)
    while batch := list(islice(table, _TOGETHER)):
        text = io.StringIO()
        csv.writer(text, lineterminator="\n").writerows(batch)
        yield text.getvalue().encode()


_ASKED: dict[Kind, Row] = {
    "shoe": ["dealt", "burnt", "decks", "cut_card"],
    "session": ["steps"],
    "cards": ["text"],
}
_SAID: dict[Kind, Row] = {
    "shoe": ["reshuffle"],
    "session": ["balances", "ended"],
    "cards": ["rank", "suit", "error"],
}


def asked_columns(bets: Sequence[str], kinds: Collection[Kind] = ()) -> Row:
    """The columns of what is asked; those of kinds other than coup and bets only where such a kind is there."""
    return [
        "id",
        "kind",
        *(f"card{place}" for place in range(1, _CARDS + 1)),
        *(f"bet_{bet}" for bet in bets),
        "balance",
        *(name for kind, names in _ASKED.items() if kind in kinds for name in names),
    ]


def answer_columns(bets: Sequence[str], kinds: Collection[Kind] = ()) -> Row:
    """The columns of answers, which `test --results` reads too."""
    one = [place.column for each in TABLE if not each.by_bet for place in each.places]
    by_bet = [f"{place.column}_{bet}" for each in TABLE if each.by_bet for place in each.places for bet in bets]
    more = [name for kind, names in _SAID.items() if kind in kinds for name in names]
    return [*one, *by_bet, "legal", *more]


def bets_in(rules: Rules, tiers: Sequence[str]) -> list[str]:
    """The bets that come up in the cases of tiers, in the order in which they do; none do in large ones."""
    return list(
        dict.fromkeys(bet for tier in tiers if tier not in LARGE for case in cases(rules, tier) for bet in case.bets)
    )


def step_text(step: Step) -> str:
    """A step of a session in a field: cards, then bets; or `leave`."""
    if not isinstance(step, StepCoup):
        return step
    return " ".join([*step.cards, *(f"{bet}={stake}" for bet, stake in step.bets.items())])


def kinds_in(tiers: Sequence[str]) -> list[Kind]:
    """The kinds of cases other than coups in tiers, which have the names of these kinds."""
    return [kind for kind in KINDS if kind in tiers]


def rows(found: Iterable[Case], bets: Sequence[str], *, answers: bool, kinds: Collection[Kind] = ()) -> Iterator[Row]:
    """The header, and a row for each case; a bet that is not laid is empty. `kinds` are those that come up."""
    yield asked_columns(bets, kinds) + (answer_columns(bets, kinds) if answers else [])
    for case in found:
        cards = [*case.cards, *("" for _ in range(_CARDS - len(case.cards)))]
        row = [case.id, case.kind, *cards, *(case.bets.get(bet, "") for bet in bets), case.balance or ""]
        asked = {
            "shoe": [*map(_shown, (case.dealt, case.burnt or None, case.decks, case.cut_card))],
            "session": ["; ".join(map(step_text, case.steps))],
            "cards": [case.text or ""],
        }
        row += [field for kind in _ASKED if kind in kinds for field in asked[kind]]
        yield row + (_answers(case, bets, kinds) if answers else [])


def _answers(case: Case, bets: Sequence[str], kinds: Collection[Kind]) -> Row:
    expect = case.expect
    said = {
        "shoe": [_shown(expect.reshuffle)],
        "session": [" ".join(expect.balances or ()), _shown(expect.ended)],
        "cards": [expect.rank or "", expect.suit or "", "no card" if expect.refused else ""],
    }
    places = [(each.form, value_at(expect, place)) for each in TABLE for place in each.places]
    return [
        *("" if value is None else form.text(value) for form, value in places if not form.by_bet),
        *((value or {}).get(bet, "") for form, value in places if form.by_bet for bet in bets),
        "" if expect.legal is None else truth_text(expect.legal),
        *(field for kind in _SAID if kind in kinds for field in said[kind]),
    ]


def _shown(value: bool | int | None) -> str:  # noqa: FBT001 (a value to write down)
    """A value in a field, empty if it isn't there."""
    return "" if value is None else truth_text(value) if isinstance(value, bool) else str(value)

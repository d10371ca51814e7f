"""Replies are read strictly and exactly, and no reply can make the harness itself fail."""

from __future__ import annotations

import json
from fractions import Fraction
from typing import Any

import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as st

from oracle.cases.case import Answer, Case, HandAnswer, Pairs
from oracle.conformance.judge import FLOATING, WORDS, Judge, Outcome
from oracle.conformance.protocol.decode import Reader, read_amount, read_started
from oracle.conformance.protocol.trouble import Trouble
from oracle.programs.observables import OBSERVABLES

ALL = OBSERVABLES
# Worked by hand: 4 and 9 make 3, the player draws an 8 and has 1; 2 and an ace make 3, against an 8 the banker stands.
CASE = Case(
    id="coup-1",
    kind="coup",
    expect=Answer(
        winner="banker",
        player=HandAnswer(("4H", "9C", "8D"), 1),
        banker=HandAnswer(("2S", "AD"), 3),
        natural="none",
        pairs=Pairs(player=False, banker=False),
        net={"banker": "14.25"},
    ),
    cards=("4H", "2S", "9C", "AD", "8D", "3C"),
    bets={"banker": "15"},
)
RIGHT: dict[str, Any] = {
    "winner": "banker",
    "player": {"cards": ["4H", "9C", "8D"], "total": 1},
    "banker": {"cards": ["2S", "AD"], "total": 3},
    "natural": "none",
    "pairs": {"player": False, "banker": False},
    "net": {"banker": "14.25"},
}


def judged(line: bytes, observables: tuple[str, ...] = ALL, case: Case = CASE) -> Outcome:
    """The outcome of the case from a whole reply."""
    (said,) = Reader(case.kind, observables).read(line, 1, ["a1"])
    judge = Judge(observables)
    alone = judge.outcome(case, said)
    assert judge.outcomes([case, case], [said, said]) == [alone, alone], "at once as one by one"
    return alone


def outcome(result: Any, observables: tuple[str, ...] = ALL, case: Case = CASE) -> Outcome:
    """The outcome of the case from a result."""
    return judged(json.dumps({"seq": 1, "results": [result]}).encode(), observables, case)


def test_the_right_answer_passes() -> None:
    assert outcome(RIGHT) == Outcome("pass")


@pytest.mark.parametrize(
    ("change", "differs"),
    [
        ({"winner": "tie"}, {"winner": ("banker", "tie")}),
        ({"natural": "both"}, {"natural": ("none", "both")}),
        ({"pairs": {"player": True, "banker": False}}, {"player pair": (False, True)}),
        ({"banker": {"cards": ["2S", "AD"], "total": 13}}, {"banker total": (3, 13)}),
        ({"player": {"cards": ["4H", "9C"], "total": 1}}, {"player cards": (("4H", "9C", "8D"), ("4H", "9C"))}),
        ({"banker": {"cards": ["AD", "2S"], "total": 3}}, {"banker cards": (("2S", "AD"), ("AD", "2S"))}),
        ({"net": {"banker": "14"}}, {"net banker": ("14.25", "14")}),
        ({"net": {"banker": "14.25", "tie": "-1"}}, {"net tie": ("0", "-1")}),
    ],
)  # fmt: skip
def test_each_observable_can_differ(change: dict[str, Any], differs: dict[str, tuple[Any, Any]]) -> None:
    said = outcome(RIGHT | change)
    assert said.outcome == "fail"
    assert {d.observable: (d.expected, d.got) for d in said.differs} == differs


@pytest.mark.parametrize("name", ALL)
def test_what_was_not_declared_is_not_looked_at(name: str) -> None:
    wrong = {
        "winner": "nobody",
        "player": {"cards": 5, "total": "many"},
        "banker": 7,
        "natural": [],
        "pairs": "yes",
        "net": 3,
    }
    fields = {"totals": ("player", "banker"), "cards": ("player", "banker")}.get(name, (name,))
    assert outcome(wrong | {field: RIGHT[field] for field in fields}, (name,)).outcome == "pass"
    for field in fields:
        assert outcome(RIGHT | {field: None}, (name,)).outcome == "error", "but what was declared has to be there"


@pytest.mark.parametrize(
    "net",
    ["14.25", "14.250", "57/4", 14.25, "014.25"],
)
def test_money_is_compared_by_value(net: Any) -> None:
    assert outcome(RIGHT | {"net": {"banker": net}}).outcome == "pass"


def test_a_number_is_read_as_the_decimal_that_is_written() -> None:
    line = json.dumps({"seq": 1, "results": [RIGHT]}).replace('"14.25"', "14.249999999999998").encode()
    (difference,) = judged(line).differs
    assert (difference.got, difference.note) == ("14.249999999999998", FLOATING)
    line = line.replace(b"14.249999999999998", b"1425e-2")
    assert judged(line).outcome == "pass"


def test_money_that_is_off_by_more_is_just_wrong() -> None:
    (difference,) = outcome(RIGHT | {"net": {"banker": "14.24999"}}).differs
    assert difference.note == ""
    (difference,) = outcome(RIGHT | {"net": {"banker": "14.2499999"}}).differs
    assert difference.note == FLOATING


@pytest.mark.parametrize("text", ['"19 "', '"1/0"', '"+1"', '""', "1e100", "[]", "{}", '"\\u0661"', "true", '"\xff"'])
def test_what_is_no_amount_is_none(text: str) -> None:
    assert read_amount(msgspec.Raw(text.encode("latin-1"))).value is None


def test_amounts_are_exact() -> None:
    assert read_amount(msgspec.Raw(b'"-1/3"')).value == Fraction(-1, 3)
    assert read_amount(msgspec.Raw(b"0.1")).value == Fraction(1, 10)


@pytest.mark.parametrize(
    ("result", "word", "why"),
    [
        ({"skipped": "later"}, "skipped", "later"),
        ({"error": "no"}, "error", "it said: no"),
        ({"error": "no", **RIGHT}, "error", "it said: no"),
        ({}, "error", "`winner` is missing"),
        ("banker", "error", "its result is text, not an object"),
        (RIGHT | {"winner": "punto"}, "error", "`winner` is none of player, banker, tie"),
        (RIGHT | {"player": {"total": 1}}, "error", "the player's `cards` are missing"),
        (RIGHT | {"banker": {"cards": ["2S", "AD"]}}, "error", "the banker's `total` is missing"),
        (RIGHT | {"net": {}}, "error", "the `net` of banker is missing"),
        (RIGHT | {"net": {"banker": None}}, "error", "the `net` of banker is missing"),
        (RIGHT | {"net": {"banker": "much"}}, "error", "the `net` of banker is no amount"),
    ],
)
def test_whatever_is_no_answer_says_why(result: Any, word: str, why: str) -> None:
    said = outcome(result)
    assert said.outcome == word
    assert said.why.startswith(why)


@pytest.mark.parametrize("word", ["error", "skipped"])
def test_an_answer_beside_a_refusal_does_not_count(word: str) -> None:
    assert outcome(RIGHT | {word: "no"}, ("winner", "totals", "cards")).outcome == word


def test_legality_is_compared() -> None:
    case = Case(id="bets-1", kind="bets", expect=Answer(legal=False), bets={"player": "7"})
    assert outcome({"legal": False}, (), case).outcome == "pass"
    assert outcome({"legal": True}, (), case).outcome == "fail"
    assert outcome({"legal": 0}, (), case).outcome == "error"
    assert outcome({}, (), case).why == "`legal` is missing"


def test_results_that_are_not_those_asked_for_are_nonsense() -> None:
    reader = Reader("coup", ALL)
    for line in (
        b'{"seq":2,"results":[{}]}',
        b'{"seq":1,"results":[]}',
        b'{"seq":1}',
        b"[]",
        b"",
        b'{"seq":1.5,"results":[{}]}',
    ):
        with pytest.raises(Trouble) as trouble:
            reader.read(line, 1, ["a1"])
        assert trouble.value.kind == "nonsense"


JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=5) | st.sampled_from(["8S", "player"]),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.sampled_from([*RIGHT, "total", "cards"]), inner),
    max_leaves=8,
)
KINDS_OF_LINES = st.one_of(
    st.binary(max_size=60),
    st.tuples(st.integers(0, 10_000), st.binary(min_size=1, max_size=4)).map(lambda cut: _patched(*cut)),
    st.tuples(st.sampled_from(sorted(RIGHT)), JSON).map(
        lambda change: json.dumps({"seq": 1, "results": [RIGHT | {change[0]: change[1]}]}).encode()
    ),
    JSON.map(lambda value: json.dumps({"seq": 1, "results": [value]}).encode()),
)


def _patched(place: int, piece: bytes) -> bytes:
    line = json.dumps({"seq": 1, "results": [RIGHT]}).encode()
    place %= len(line)
    return line[:place] + piece + line[place + len(piece) :]


@given(line=KINDS_OF_LINES, observables=st.sets(st.sampled_from(ALL)))
def test_no_line_makes_the_harness_fail(line: bytes, observables: set[str]) -> None:
    try:
        said = judged(line, tuple(observables))
    except Trouble as trouble:
        said = Outcome("error", why=trouble.why)
    assert said.outcome in WORDS
    assert said.why.isprintable()
    msgspec.json.encode(said)


@given(line=KINDS_OF_LINES)
def test_no_start_makes_the_harness_fail(line: bytes) -> None:
    with pytest.raises(Trouble) as trouble:
        read_started(line)
    assert trouble.value.why.isprintable()

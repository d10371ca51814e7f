"""The page, the schema and the messages agree; the oracle speaks them for every rule set, whatever it is told."""

from __future__ import annotations

import io
import json
import re
import sys
from pathlib import Path
from typing import Any

import jsonschema
import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as st

from oracle.cards import parse_cards
from oracle.cases.case import KINDS, Case
from oracle.cases.tiers import DEFAULT, cases
from oracle.conformance.protocol.decode import read_started
from oracle.conformance.protocol.messages import Start, Stop, encode, run_message, schema, schema_text
from oracle.conformance.protocol.serve import Server, serve
from oracle.conformance.run.log import LogWriter
from oracle.conformance.run.runner import Limits, Runner, Subject
from oracle.conformance.run.tally import Record
from oracle.game.coup import play
from oracle.game.rules import Rules, load_rules
from oracle.game.settle import parse_stake, settle
from oracle.programs.observables import OBSERVABLES
from oracle.rules.answers import show_number
from tests.conftest import ROOT, RULE_SETS, mostly_slow
from tests.nonempty import nonempty

PAGE = (ROOT / "docs" / "protocol.md").read_text(encoding="utf-8")
KINDS_PAGE = (ROOT / "docs" / "kinds.md").read_text(encoding="utf-8")


@pytest.fixture(scope="module")
def home(shipped: dict[str, Rules]) -> Server:
    """The oracle for home-pt."""
    return Server(shipped["home-pt"])


def validator(name: str) -> jsonschema.Draft202012Validator:
    return jsonschema.Draft202012Validator({**schema(), "anyOf": [{"$ref": f"#/$defs/{name}"}]})


def messages_of_the_page() -> list[tuple[str, Any]]:
    """The example of the page, each message with its direction."""
    (block,) = re.findall(r"^```\n(->.*?)^```$", PAGE, flags=re.DOTALL | re.MULTILINE)
    lines = re.split(r"^(->|<-) ", block, flags=re.MULTILINE)[1:]
    return [(way, json.loads(text.replace("…", ""))) for way, text in zip(lines[::2], lines[1::2], strict=True)]


def test_the_example_of_the_page_is_valid_and_right() -> None:
    talk = messages_of_the_page()
    names = ("Start", "Started", "RunCoups", "Answered", "Stop")
    assert [way for way, _ in talk] == ["->", "<-", "->", "<-", "->"]
    for name, (_, message) in zip(names, talk, strict=True):
        validator(name).validate(message)
    (case,), (said,) = talk[2][1]["cases"], talk[3][1]["results"]
    coup = play(load_rules("home-pt"), parse_cards(case["cards"]))
    assert said["id"] == case["id"]
    assert said["winner"] == coup.winner
    assert said["player"] == {"cards": [str(card) for card in coup.player.cards], "total": coup.player.total}
    assert said["banker"] == {"cards": [str(card) for card in coup.banker.cards], "total": coup.banker.total}


def test_the_committed_schema_is_that_of_the_structs() -> None:
    committed = (ROOT / "docs" / "protocol.schema.json").read_text(encoding="utf-8")
    assert committed == schema_text(), "stale: make regenerate"
    jsonschema.Draft202012Validator.check_schema(schema())


def test_the_page_has_every_observable_and_the_limits_in_force() -> None:
    for name in OBSERVABLES:
        assert f"\n| {name} | `" in PAGE
    limits = Limits()
    assert f"| {limits.start:.0f} s, {limits.batch:.0f} s, {limits.case:.0f} s |" in KINDS_PAGE
    assert f"| {limits.run / 60:.0f} min |" in KINDS_PAGE
    assert f"| {limits.restarts} times |" in KINDS_PAGE
    assert f"| {limits.memory >> 30} GiB |" in KINDS_PAGE
    assert len(PAGE.splitlines()) < 65, "the messages and coups are one screen"


EXAMPLE = re.compile(r"^\| (?:([a-z/-]+) \| )?`(\{.*\})` \| `(\{.*\})` \|$", flags=re.MULTILINE)


def test_the_examples_of_the_page_are_answered_so(shipped: dict[str, Rules]) -> None:
    """Those of kinds shoe, session and cards, in tables."""
    asked = 0
    for section in KINDS_PAGE.split("\n## Kind `")[1:]:
        kind = section.partition("`")[0]
        for id, case, answer in EXAMPLE.findall(section):
            rules = id or "home-pt"
            message = {"cmd": "run", "seq": 1, "rules": rules, "kind": kind, "cases": [json.loads(case)]}
            (said,) = json.loads(msgspec.json.encode(Server(shipped[rules]).reply(json.dumps(message).encode())))[
                "results"
            ]
            due = json.loads(answer)
            assert ({"error": "…"} if "error" in said else said) == due
            asked += 1
    assert asked == 11


def test_our_messages_are_valid(totals: list[Case], shipped: dict[str, Rules]) -> None:
    validator("Start").validate(json.loads(encode(Start())))
    validator("Stop").validate(json.loads(encode(Stop())))
    for kind, name, some in (
        ("coup", "RunCoups", totals[:3] + list(cases(shipped["home-pt"], "settlement"))[:3]),
        ("bets", "RunBets", list(cases(shipped["home-pt"], "bets"))),
        ("shoe", "RunShoes", list(cases(shipped["home-pt"], "shoe"))),
        ("session", "RunSessions", list(cases(shipped["selminha/classica"], "session"))),
        ("session", "RunSessions", list(cases(shipped["grid-pt"], "session"))),
        ("cards", "RunCards", list(cases(shipped["home-pt"], "cards"))),
    ):
        message = run_message(1, "home-pt", kind, some, [str(i) for i in range(len(some))])  # type: ignore[arg-type]
        validator(name).validate(json.loads(message))
        assert b"\\" not in message
        asked = json.loads(message)["cases"]
        assert all("expect" not in case and case["id"] == str(i) for i, case in enumerate(asked))


@pytest.mark.parametrize("step", [7, pytest.param(1, marks=pytest.mark.slow)])
@pytest.mark.parametrize("id", mostly_slow(RULE_SETS, "home-pt", "selminha/classica"))
def test_the_oracle_conforms_to_itself(shipped: dict[str, Rules], id: str, step: int, tmp_path: Path) -> None:
    rules = shipped[id]
    asked = [case for tier in DEFAULT for case in cases(rules, tier)][::step]
    with LogWriter(tmp_path / "log") as log:
        record = Record(log)
        command = [sys.executable, "-m", "oracle", "serve", "--rules", id]
        assert Runner(command, Subject(rules=id, target=()), record).run(lambda _: asked) == "agrees"
    assert record.counts["pass"] == len(asked)
    assert not record.not_asked


@pytest.mark.parametrize("id", mostly_slow(RULE_SETS, "home-pt", "selminha/classica"))
def test_what_it_serves_is_what_play_and_settle_say(shipped: dict[str, Rules], id: str) -> None:
    """Served answers come from compiled tables; these come from the statements, one by one."""
    rules = shipped[id]
    server = Server(rules)
    some = [case for tier in ("totals", "settlement") for case in cases(rules, tier)][::23]
    validate = validator("SaidCoup").validate
    reply = server.reply(run_message(1, id, "coup", some, [case.id for case in some]))
    for case, said in nonempty(zip(some, json.loads(msgspec.json.encode(reply))["results"], strict=True)):
        validate(said)
        stakes = {bet: parse_stake(stake) for bet, stake in case.bets.items()}
        coup = play(rules, parse_cards(case.cards), bets=stakes)
        assert said["winner"] == coup.winner
        for side, hand in (("player", coup.player), ("banker", coup.banker)):
            assert said[side] == {"cards": [str(card) for card in hand.cards], "total": hand.total}
            assert said["pairs"][side] == (coup.alike[side] in ("rank", "card"))
        assert said["natural"] == coup.natural
        nets = {s.bet: show_number(s.net) for s in settle(rules, coup, stakes)}
        assert said.get("net", {}) == nets


def test_it_declares_everything(home: Server) -> None:
    reply = msgspec.json.encode(home.reply(b'{"cmd":"start","protocol":1}'))
    started = read_started(reply)
    assert (started.rules, started.kinds, started.observables) == (("home-pt",), KINDS, OBSERVABLES)


@pytest.mark.parametrize(
    ("message", "told"),
    [
        (b"\xff\n", "no message: "),
        (b"[" * 100_000, "no message: "),
        (b"{}", "no message: "),
        (b'{"cmd":"go"}', "no command `go`: start, run, stop"),
        (b'{"cmd":"start","protocol":0}', "this is protocol 2"),
        (b'{"cmd":"start"}', "this is protocol 2"),
        (b'{"cmd":"run","rules":"home-pt","kind":"coup","cases":[]}', "`run` needs a `seq`"),
    ],
)
def test_bad_messages_are_answered_with_an_error(home: Server, message: bytes, told: str) -> None:
    assert home.reply(message)["error"].startswith(told)


@pytest.mark.parametrize(
    ("kind", "case", "told"),
    [
        ("coup", {}, "a coup needs `cards`"),
        ("coup", {"cards": "8S"}, "Expected `array"),
        ("coup", {"cards": ["8S", "1Z"]}, "`1Z` is not a card"),
        ("coup", {"cards": ["8S", "9S"]}, "the third card is missing"),
        ("coup", {"cards": ["2S", "3S", "2S", "3S"]}, "the fifth card is missing"),
        ("coup", {"cards": ["2S"] * 101}, "101 cards are too many"),
        ("coup", {"cards": ["8S", "9S", "KS", "KD"], "bets": {"dragon": "1"}}, "home-pt has no bet `dragon`"),
        ("coup", {"cards": ["8S", "9S", "KS", "KD"], "bets": {"tie": "0"}}, "`0` is no stake"),
        ("coup", {"cards": ["8S", "9S", "KS", "KD"], "choices": {"player": "draw"}}, ""),
        ("bets", {"bets": {}}, "no bet is laid"),
        ("bets", {"bets": {"tie": "x"}}, "`x` is no stake"),
        ("bets", {"bets": {"tie": "5"}, "balance": "x"}, "`x` is no stake"),
        ("shoe", {}, "a shoe needs `dealt`"),
        ("shoe", {"dealt": 417}, "0 cards burnt and 417 dealt can't be, of a shoe of 416"),
        ("shoe", {"dealt": -1}, "0 cards burnt and -1 dealt can't be"),
        ("shoe", {"dealt": 4, "decks": 6}, "home-pt deals from 8 decks, not 6"),
        ("session", {}, "a session needs `steps`"),
        ("session", {"steps": ["stay"]}, "Invalid enum value 'stay'"),
        ("session", {"steps": ["leave"]}, "home-pt doesn't let anybody leave"),
        ("session", {"steps": [], "balance": "5"}, "home-pt says with how much a session starts"),
        ("session", {"steps": ["leave"] * 1001}, "1001 steps are too many"),
        ("cards", {}, "a card needs `text`"),
        ("cards", {"text": "1H"}, "`1H` is not a card"),
        ("wheel", {}, None),
    ],
)
def test_bad_cases_are_answered_one_by_one(home: Server, kind: str, case: Any, told: str | None) -> None:
    good = {"cards": ["8S", "9S", "KS", "KD"], "bets": {"tie": "5"}, "dealt": 4, "steps": [], "text": "8S"}
    message = {"cmd": "run", "seq": 3, "rules": "home-pt", "kind": kind, "cases": [case, good]}
    reply = home.reply(json.dumps(message).encode())
    first, second = json.loads(msgspec.json.encode(reply))["results"]
    if told is None:
        assert first == second == {"skipped": "no kind `wheel`"}
        return
    if told:
        assert first["error"].startswith(told)
    assert set(second) & {"winner", "legal", "reshuffle", "balances", "rank"}


def test_other_rules_are_refused(home: Server) -> None:
    message = b'{"cmd":"run","seq":1,"rules":"punto-es","kind":"coup","cases":[{}]}'
    assert home.reply(message)["results"][0]["error"].startswith("`punto-es` is not served here")


def test_it_answers_line_by_line_until_stop(shipped: dict[str, Rules]) -> None:
    replies = io.BytesIO()
    requests = io.BytesIO(b'{"cmd":"start","protocol":1}\nnonsense\n{"cmd":"stop"}\n{"cmd":"start","protocol":1}\n')
    serve(shipped["home-pt"], requests, replies)
    assert len(replies.getvalue().splitlines()) == 2


FIELDS = ["cards", "bets", "choices", "balance", "tie", "player", "dealt", "decks", "cut_card", "steps", "text"]
JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.text(max_size=5) | st.sampled_from(["8S", "draw", "5"]),
    lambda inner: st.lists(inner, max_size=6) | st.dictionaries(st.sampled_from(FIELDS), inner),
    max_leaves=10,
)


@given(case=JSON, kind=st.sampled_from(KINDS))
def test_no_case_makes_it_fail(case: Any, kind: str, home: Server) -> None:
    message = {"cmd": "run", "seq": 1, "rules": "home-pt", "kind": kind, "cases": [case]}
    msgspec.json.encode(home.reply(json.dumps(message).encode()))

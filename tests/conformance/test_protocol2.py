"""Version 2 of the protocol: ids come back, bets are declared, keys stand once, a mistake of form is one entry."""

from __future__ import annotations

import json
import re
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import msgspec
import pytest

from oracle.cases.case import Answer, Case, StepCoup
from oracle.cases.tiers import cases
from oracle.cli import run as oracle
from oracle.conformance.evidence.rejudge import rejudge
from oracle.conformance.protocol.decode import Reader, Unreadable, read_started
from oracle.conformance.protocol.keys_twice import key_twice
from oracle.conformance.protocol.trouble import Trouble
from oracle.conformance.protocol.wire_ids import HIDDEN, WireIds
from oracle.conformance.run.asked import Askable
from oracle.conformance.run.log import Log
from oracle.conformance.run.results import ResultsFile
from oracle.game.rules import Rules
from oracle.programs.observables import OBSERVABLES
from oracle.spans import OracleError

ROOT = Path(__file__).resolve().parents[2]
PROGRAM = """\
import json, sys
sys.path.insert(0, {examples!r})
import mine
START = dict(mine.START, **{start!r})
def answer(case):
    return mine.answer(case)
def results(message):
    return [answer(case) for case in message["cases"]]
def write(reply):
    return json.dumps(reply)
{change}
for line in sys.stdin:
    message = json.loads(line)
    if message["cmd"] == "stop":
        break
    reply = START
    if message["cmd"] == "run":
        reply = {{"seq": message["seq"], "results": results(message)}}
    print(write(reply), flush=True)
"""
Ask = Callable[..., tuple[int, dict[str, Any], Log]]


@pytest.fixture
def ask(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> Ask:
    """Runs the example program with a change; its exit code, what is reported of it, and the log."""

    def go(change: str = "", *options: str, rules: str = "home-pt", **start: Any) -> tuple[int, dict[str, Any], Log]:
        program, path = tmp_path / "program.py", tmp_path / "log.ndjson"
        text = PROGRAM.format(examples=str(ROOT / "examples"), start=start, change=change)
        program.write_text(text, encoding="utf-8")
        words = ["test", "--rules", rules, "--log", str(path), "--format", "json", *(options or ("--tier", "minimal"))]
        code = oracle([*words, "--", sys.executable, str(program)])
        return code, json.loads(capsys.readouterr().out), Log(path)

    return go


def started(**fields: Any) -> bytes:
    least = {"implementation": {"name": "x"}, "rules": ["*"], "kinds": ["coup"], "observables": ["winner"]}
    return json.dumps({"protocol": 2, **least, **fields}).encode()


def test_a_program_answers_with_the_version_that_it_speaks() -> None:
    assert read_started(started(protocol=1)).protocol == 1
    assert read_started(started()).protocol == 2
    with pytest.raises(Trouble, match="it speaks protocol 3, not 1 or 2"):
        read_started(started(protocol=3))


def test_what_version_2_declares() -> None:
    said = read_started(started(bets=["tie", "dragon", "tie"], choices=["banker"], options={"decks": [6, "8"]}))
    assert (said.bets, said.choices, said.options) == (("tie", "dragon"), ("banker",), {"decks": [6, "8"]})
    nothing = read_started(started(bets=[]))
    assert (nothing.bets, nothing.choices, nothing.options) == ((), msgspec.UNSET, msgspec.UNSET)
    assert read_started(started()).bets is msgspec.UNSET
    assert read_started(started(unknown={"a": 1})).kinds == ("coup",)


def test_in_version_1_these_fields_are_unknown_ones() -> None:
    said = read_started(started(protocol=1, bets="all", choices=7, options=[]))
    assert (said.bets, said.choices, said.options) == (msgspec.UNSET,) * 3


@pytest.mark.parametrize(
    ("fields", "told"),
    [
        ({"kinds": ["coup", "road"]}, "it declares kind `road`, which is reserved"),
        ({"choices": ["tie"]}, "it declares choice `tie`, which isn't one: known: banker, player"),
        ({"bets": "all"}, "Expected `array`, got `str`"),
        ({"options": {"decks": 6}}, "Expected `array`, got `int`"),
    ],
)
@pytest.mark.parametrize("protocol", [1, 2])
def test_what_can_not_be_declared(fields: dict[str, Any], told: str, protocol: int) -> None:
    if protocol == 1 and "kinds" not in fields:
        return
    with pytest.raises(Trouble, match=re.escape(told)):
        read_started(started(protocol=protocol, **fields))


def test_a_key_twice_in_what_is_declared_is_an_error() -> None:
    for text in (b'{"kinds":[],' + started()[1:], started().replace(b'"name"', b'"name": "y", "n\\u0061me"')):
        with pytest.raises(Trouble, match="the key `(kinds|name)` stands twice"):
            read_started(text)


@pytest.mark.parametrize("protocol", [1, 2])
def test_right_programs_of_both_versions_conform(ask: Ask, protocol: int) -> None:
    change = (
        "" if protocol == 2 else "def answer(case): return {k: v for k, v in mine.answer(case).items() if k != 'id'}"
    )
    code, said, log = ask(change, protocol=protocol)
    assert (code, said["unanswered"], log.header.protocol) == (0, [], protocol)


NO, OTHER = "its `id` is missing", "its `id` is not that of its case"


@pytest.mark.parametrize(
    ("change", "whys"),
    [
        ("def answer(case): return {**mine.answer(case), 'id': None}", {NO}),
        ("def answer(case): return {'skipped': 'no'}", {NO}),
        ("def answer(case): return {'error': 'no', 'id': case['id'][:-1]}", {OTHER}),
        ("def answer(case): return {**mine.answer(case), 'id': ''}", {OTHER}),
        ("def answer(case): return {**mine.answer(case), 'id': 7}", {"`id` is a whole number, not text"}),
        ("def results(m): return [answer(case) for case in m['cases'][::-1]]", {OTHER}),
        ("def results(m): return [{**answer(case), 'id': m['cases'][0]['id']} for case in m['cases']]", {OTHER}),
    ],
)
def test_an_id_that_is_not_that_of_its_case_is_one_entry_and_no_crash(ask: Ask, change: str, whys: set[str]) -> None:
    code, said, log = ask(change)
    assert code == 3
    assert {entry["why"] for entry in said["unanswered"]} == whys
    assert (log.counts["error"] + log.counts["pass"], said["events"], said["restarts"]) == (121, [], 0)


SHOWN = """
def answer(case):
    print("stderr", case["id"], case["id"].upper(), file=sys.stderr)
    return {"id": case["id"], "error": "no " + case["id"]}
"""
WORDS = "def answer(case): return {**mine.answer(case), 'winner': case['id']}"
CRASH = SHOWN + "def write(reply):\n    if 'seq' in reply: sys.exit(3)\n    return json.dumps(reply)\n"
JUNK = "def write(reply): return json.dumps(reply).replace(']}', '') if 'seq' in reply else json.dumps(reply)"


@pytest.mark.parametrize("change", [SHOWN, WORDS, CRASH, JUNK])
def test_no_id_of_the_wire_is_shown_so_that_logs_are_the_same(ask: Ask, change: str) -> None:
    """The ids that the program had, from its requests, stand nowhere; only the seed of the run differs."""
    logs = []
    for _ in range(2):
        _, said, log = ask(change)
        logs.append([line for line in log.path.read_text().splitlines() if '"type":"header"' not in line])
        assert not re.search(r"\b[0-9a-f]{16}\b", "\n".join(logs[-1]), flags=re.IGNORECASE)
        assert len(said["unanswered"]) == 1
    assert logs[0] == logs[1]


def test_ids_are_new_and_hidden_whole_or_cut() -> None:
    wire = WireIds()
    ids = wire.fresh(1000)
    assert len(set(ids)) == 1000
    assert {len(id) for id in ids} == {16}
    assert wire.hide(f"a {ids[0]}, {ids[1].upper()}, {ids[2][:11]}") == f"a {HIDDEN}, {HIDDEN}, {HIDDEN}"
    assert not set(ids) & set(WireIds().fresh(1000))


RIGHT = '"winner":"tie","player":{"total":1,"cards":["AS"]},"net":{"tie":"8"}'


@pytest.mark.parametrize("white", ["", " ", "\t \r"])
@pytest.mark.parametrize(
    ("result", "key"),
    [
        ('{"winner":"banker",' + RIGHT + "}", "winner"),
        ("{" + RIGHT + ',"winn\\u0065r":"tie"}', "winner"),
        ("{" + RIGHT.replace('"total":1', '"total":2,"total":1') + "}", "total"),
        ("{" + RIGHT.replace('"tie":"8"', '"tie":"9","tie":"8"') + "}", "tie"),
        ("{" + RIGHT.replace('"tie":"8"', '"tie":"8","x":{"a":[{"b":1,"b":1}]}') + "}", "b"),
        ("{" + RIGHT + ',"unknown":[{"c":1,"c":2}]}', "c"),
        ("{" + RIGHT + ',"error":null,"error":null}', "error"),
        ("{" + RIGHT + ',"id":"b","id":"a"}', "id"),
        ("{" + RIGHT + ',"x":1e400,"y":"\\ud83d\\ude00","":1,"":2}', ""),
        ("{" + RIGHT.replace('"tie"', '"B"', 1) + ',"net":{}}', "net"),
    ],
)
@pytest.mark.parametrize("ids_due", [False, True])
def test_a_key_twice_is_a_mistake_of_its_answer(result: str, key: str, white: str, *, ids_due: bool) -> None:
    good = "{" + RIGHT + ',"id":"z"}'
    named = result if '"id"' in result else result.replace("{", '{"id":"a",', 1)
    line = f'{{"seq":1,"results":[{good},{named}]}}'
    line = line.replace(",", f",{white}").replace(":", f"{white}:") if white else line
    first, second = Reader("coup", OBSERVABLES, ids_due=ids_due).read(line.encode(), 1, ["z", "a"])
    assert first.winner == "tie"
    assert isinstance(second, Unreadable)
    assert second.why == f"the key `{key}` stands twice"


@pytest.mark.parametrize(
    "reply",
    [
        '{"seq":9,"seq":1,"results":[%s]}',
        '{"seq":1,"results":[],"results":[%s]}',
        '{"seq":1,"a":1,"\\u0061":2,"results":[%s]}',
    ],
)
def test_a_key_twice_in_the_reply_itself_is_a_mistake_of_all_its_answers(reply: str) -> None:
    line = (reply % ('{"id":"a","winner":"tie"}')).encode()
    (said,) = Reader("coup", ("winner",)).read(line, 1, ["a"])
    assert re.fullmatch("the key `(seq|results|a)` stands twice", said.why)


@pytest.mark.parametrize(
    "text",
    [
        '{"a":{"b":1},"b":1}', '[{"a":1},{"a":1}]', '{"a":1.50,"b":1e2,"c":-0,"d":2E+05}', '{"\\u00e9":"\\u0041\\/"}',
        '{"a":"\\ud800","A":1}', '{"a":1e400}', '{"a":"b\\":1,\\"b"}', '{ "a b" : " " }', "{}", '{"é":1,"e\u0301":2}',
    ],
)  # fmt: skip
def test_keys_that_stand_once_are_no_mistake(text: str) -> None:
    assert key_twice(text.encode()) is None


def test_a_batch_of_many_answers_with_one_key_twice(totals: list[Case]) -> None:
    """Whatever stands around it, in words that are shorter written by others, too."""
    results = [{"id": case.id, "winner": case.expect.winner, "note": "é\t" * 50, "x": 1e22} for case in totals]
    lines = [json.dumps(result) for result in results]
    lines[1777] = lines[1777].replace('"winner"', '"winner": "tie", "winner"')
    line = f'{{"seq": 1, "results": [{", ".join(lines)}]}}'.encode()
    said = Reader("coup", ("winner",), ids_due=True).read(line, 1, [case.id for case in totals])
    assert [place for place, each in enumerate(said) if isinstance(each, Unreadable)] == [1777]


H08 = """
def write(reply):
    if 'seq' not in reply: return json.dumps(reply)
    said = [json.dumps(each).replace('{"id"', '{"winner": "none", "id"', 1) for each in reply["results"]]
    return '{"seq":99,"seq":%d,"results":[],"results":[%s]}' % (reply["seq"], ",".join(said))
"""


def test_right_answers_behind_wrong_ones_never_conform(ask: Ask) -> None:
    code, said, log = ask(H08)
    assert (code, log.counts["pass"]) == (3, 0)
    assert [(entry["why"], entry["count"]) for entry in said["unanswered"]] == [("the key `seq` stands twice", 121)]


def test_a_key_twice_in_a_results_file_is_bad_input(tmp_path: Path) -> None:
    path = tmp_path / "mine.jsonl"
    path.write_text('{"id":"a","winner":"tie"}\n{"id":"b","player":{"total":1, "tot\\u0061l":2}}\n')
    with pytest.raises(OracleError, match=":2: the key `total` stands twice"):
        ResultsFile(path)


def changed(statement: str) -> str:
    return f"def answer(case):\n    r = mine.answer(case)\n    {statement}\n    return r"


@pytest.mark.parametrize(
    ("change", "whys"),
    [
        (
            changed("r['winner'] = r['winner'][0].upper()"),
            ["`winner` is none of player, banker, tie"],
        ),
        (
            changed("r['player']['total'] = str(r['player']['total'])"),
            ["the player's `total` is text, not a whole number"],
        ),
        (
            changed("r['banker']['cards'] = ' '.join(r['banker']['cards'])"),
            ["the banker's `cards` is text, not a list"],
        ),
        (
            changed("r['pairs'] = {'player': True}"),
            ["`pairs.banker` is missing"],
        ),
        (
            "def results(m): return [json.dumps(answer(case)) for case in m['cases']]",
            ["its result is text, not an object"],
        ),
        (
            changed("r['banker']['cards'][0] = '1' + case['cards'][1]"),
            ["the banker's `cards` hold what is no card"],
        ),
    ],
)
def test_one_mistake_of_form_is_one_entry_with_a_count(ask: Ask, change: str, whys: list[str]) -> None:
    _, said, _ = ask(change)
    assert [entry["why"] for entry in said["unanswered"]] == whys
    assert said["unanswered"][0]["count"] == 121
    assert said["unanswered"][0]["said"].startswith("`")


def case_of(kind: Any, bets: dict[str, str], steps: tuple[Any, ...] = ()) -> Case:
    return Case(id=f"{kind}-1", kind=kind, expect=Answer(winner="tie"), bets=bets, steps=steps)


def test_which_cases_a_declaration_of_bets_leaves_out() -> None:
    askable = Askable(("coup", "bets", "session"), ("winner",), ("player",), ("player", "tie", "dragon"))
    assert askable.left_out == ("tie", "dragon")
    step = StepCoup(("AS",), {"player": "5", "tie": "5"})
    for case, asked in (
        (case_of("coup", {}), True),
        (case_of("coup", {"player": "5"}), True),
        (case_of("coup", {"player": "5", "tie": "5"}), False),
        (case_of("bets", {"dragon": "5"}), False),
        (case_of("bets", {"lucky": "5"}), True),
        (case_of("session", {}, ("leave", step)), False),
        (case_of("shoe", {}), False),
    ):
        assert askable.asks(case) is asked
    for bets in (msgspec.UNSET, ("player", "tie", "dragon", "lucky")):
        assert Askable(("coup",), ("winner",), bets, ("player", "tie")).left_out == ()


@pytest.mark.parametrize("adaptive", [False, True])
def test_bets_that_are_not_declared_are_not_confirmed_and_not_skipped(
    ask: Ask, shipped: dict[str, Rules], *, adaptive: bool
) -> None:
    options = ("--adaptive",) if adaptive else ("--tier", "minimal", "--tier", "settlement")
    code, said, log = ask("", *options, bets=["player", "banker", "lucky"])
    assert code == 0
    assert {"what": "bet", "name": "tie", "why": "not declared"} in said["not_confirmed"]
    assert log.counts["skipped"] == 0
    assert log.header.bets == ("player", "banker", "lucky")
    if not adaptive:
        with_tie = [
            case for tier in ("minimal", "settlement") for case in cases(shipped["home-pt"], tier) if "tie" in case.bets
        ]
        assert with_tie, "coups are asked without the bet that is left out"
        assert log.footer is not None
        assert (log.footer.not_asked, log.footer.left_out) == ({}, ("tie",))
        assert set(log.footer.bets) == {"player", "banker"}
        assert all("tie" not in line.bets for line in (*log.fresh, *log.repeats))
    assert list(rejudge(log, shipped["home-pt"])) == []
    log.path.write_bytes(log.path.read_bytes().replace(b'"bets":["player","banker","lucky"]', b'"bets":["player"]', 1))
    assert list(rejudge(Log(log.path), shipped["home-pt"])) != []


def test_choices_and_options_are_listed(ask: Ask) -> None:
    code, said, _ = ask("", choices=["player"], options={"decks": [6, 8]})
    assert code == 0
    listed = {(entry["what"], entry["name"]) for entry in said["not_confirmed"]}
    assert {("choice", "player"), ("option", "decks")} <= listed


def test_kind_road_ends_at_the_start(ask: Ask) -> None:
    code, said, _ = ask("", kinds=["coup", "road"])
    assert code == 3
    assert said["events"][0]["why"].startswith("it declares kind `road`, which is reserved")

"""docs/downstream.md, of services, other deal orders, missing bets and own generators: what it shows finds a fault."""

from __future__ import annotations

import json
import random
import re
import shlex
import subprocess
import sys
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any

import pytest

from tests.conftest import ROOT, mostly_slow

DOCS = (ROOT / "docs" / "downstream.md").read_text(encoding="utf-8")
MINE = (ROOT / "examples" / "mine.py").read_text(encoding="utf-8")
RIGHT = "3: (0, 1, 2, 3, 4, 5, 6, 7, 9)"
STANDS_ON_37 = RIGHT.replace("7, ", "")
Play = Callable[[list[str], dict[str, str]], dict[str, Any]]


def changed(text: str, before: str, after: str) -> str:
    assert text.count(before) == 1, before
    return text.replace(before, after)


def player_of(source: str) -> Play:
    """The function `play` of an adapter in Python."""
    names: dict[str, Any] = {"__name__": "mine"}
    exec(compile(source, "mine.py", "exec"), names)
    found: Play = names["play"]
    return found


PLAYS = player_of(MINE)
PLAYS_WRONG = player_of(changed(MINE, RIGHT, STANDS_ON_37))


def shown(beginning: str) -> str:
    """The one command of docs/downstream.md that begins so, on one line."""
    (found,) = re.findall(rf"^{re.escape(beginning)}(?:.*\\\n)*.*$", DOCS, re.MULTILINE)
    return str(found).replace("\\\n", " ")


def ran(command: str, *options: str, cwd: Path = ROOT) -> tuple[int, str]:
    """The exit code of a command as the page shows it, and what it prints."""
    words = shlex.split(command)
    if words[0] == "baccarat-oracle":
        words = [sys.executable, "-m", "oracle", *words[1:]]
    words = [sys.executable if word == "python3" else word for word in words]
    if options:
        words[words.index("--") : words.index("--")] = options
    done = subprocess.run(words, cwd=cwd, capture_output=True, text=True, check=False, timeout=120)
    return done.returncode, done.stdout + done.stderr


@contextmanager
def service(play: Play, *, status: int = 200) -> Iterator[str]:
    """A service on this machine that plays what is posted, and its address."""

    class Handler(BaseHTTPRequestHandler):
        protocol_version = "HTTP/1.1"
        disable_nagle_algorithm = True

        def do_POST(self) -> None:
            asked = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
            said = play(asked["shoe"], asked["stakes"])
            told: dict[str, Any] = {"result": said["winner"].upper()}
            for side in ("player", "banker"):
                told[side] = {"hand": said[side]["cards"], "points": said[side]["total"]}
            body = json.dumps(told).encode()
            self.send_response(status)
            self.send_header("Content-Length", str(len(body)))
            self.end_headers()
            self.wfile.write(body)

        def log_message(self, *args: Any) -> None:
            pass

    server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    server.daemon_threads = True
    thread = threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.05})
    thread.start()
    try:
        yield f"http://127.0.0.1:{server.server_port}"
    finally:
        server.shutdown()
        thread.join()
        server.server_close()


def over_http(play: Play, **options: int) -> tuple[int, str]:
    """What `test` says of a service, by the command of the page, asked the minimal set alone."""
    command = shown("baccarat-oracle test --rules home-pt -- \\\n  python3 examples/downstream/http_adapter.py")
    with service(play, **options) as address:
        return ran(changed(command, "http://localhost:8000", address), "--tier", "minimal", "--no-fresh")


@pytest.mark.slow
def test_a_service_behind_http_is_asked_by_the_command_of_the_page() -> None:
    code, printed = over_http(PLAYS)
    assert (code, printed.split()[0]) == (0, "agrees"), printed


def test_a_wrong_rule_of_a_service_comes_through() -> None:
    code, printed = over_http(PLAYS_WRONG)
    assert code == 1, printed
    assert "(flip banker_draw 3/7)" in printed


def test_a_service_that_refuses_is_incomplete() -> None:
    code, printed = over_http(PLAYS, status=503)
    assert (code, printed.split()[0]) == (3, "incomplete:"), printed
    assert "status 503" in printed


@pytest.mark.slow
def test_a_service_that_is_not_there_is_incomplete() -> None:
    with service(PLAYS) as address:
        pass
    command = shown("baccarat-oracle test --rules home-pt -- \\\n  python3 examples/downstream/http_adapter.py")
    code, printed = ran(changed(command, "http://localhost:8000", address), "--tier", "minimal", "--no-fresh")
    assert (code, printed.split()[0]) == (3, "incomplete:"), printed
    assert "ConnectionRefusedError" in printed


# Deal orders: the lines of the page stand in `play` of an adapter, before what deals.
BEGINS = "    shoe = iter(cards)\n"
TURNS = "    for _ in range(2):\n        player.append(next(shoe))\n        banker.append(next(shoe))\n"
ORDERS = {
    "player player banker banker": "player, player, banker, banker",
    "banker player banker player": "banker, player, banker, player",
}


@pytest.mark.parametrize("order", mostly_slow(ORDERS, "player player banker banker"))
def test_an_adapter_arranges_cards_for_another_deal_order_as_the_page_says(order: str, tmp_path: Path) -> None:
    (row,) = re.findall(rf"^\| {order} \| `(.*)` \|$", DOCS, re.MULTILINE)
    dealt = changed(MINE, TURNS, f"    for hand in ({ORDERS[order]}):\n        hand.append(next(shoe))\n")
    command = "baccarat-oracle test --rules home-pt --tier minimal --no-fresh -- python3 mine.py"
    (tmp_path / "mine.py").write_text(dealt, encoding="utf-8")
    code, printed = ran(command, cwd=tmp_path)
    assert code == 1, "without it the order is a fault"
    assert f"the first four cards go {order}" in " ".join(printed.split())
    (tmp_path / "mine.py").write_text(changed(dealt, BEGINS, f"    {row}\n{BEGINS}"), encoding="utf-8")
    code, printed = ran(command, cwd=tmp_path)
    assert (code, printed.split()[0]) == (0, "agrees"), printed


@pytest.mark.slow
def test_a_bet_that_is_not_declared_is_not_asked_but_listed(tmp_path: Path) -> None:
    (line,) = re.findall(r'^"bets": \[.*\],$', DOCS, re.MULTILINE)
    source = changed(MINE, '    "observables": [', f'    {line}\n    "observables": [')
    source = changed(source, ', "tie": Fraction(8)}', "}")
    (tmp_path / "mine.py").write_text(source, encoding="utf-8")
    code, printed = ran("baccarat-oracle test --rules home-pt -- python3 mine.py", cwd=tmp_path)
    assert (code, printed.split()[0]) == (0, "conforms"), printed
    assert "  bet tie: not declared\n" in printed
    (tmp_path / "mine.py").write_text(changed(source, f"    {line}\n", ""), encoding="utf-8")
    code, printed = ran("baccarat-oracle test --rules home-pt --tier minimal -- python3 mine.py", cwd=tmp_path)
    assert code != 0, "declared by silence, it would be asked"


def recorded(play: Play, count: int, path: Path) -> None:
    """Coups that a program dealt from a generator of its own: the cards that it used, and what it said of them."""
    drawn = random.Random(7)
    shoe = [rank + suit for rank in "A23456789TJQK" for suit in "CDHS"] * 8
    lines = []
    for _ in range(count):
        cards = drawn.sample(shoe, 6)
        said = play(cards, {})
        used = len(said["player"]["cards"]) + len(said["banker"]["cards"])
        kept = {side: {"total": said[side]["total"]} for side in ("player", "banker")}
        lines.append(json.dumps({"cards": cards[:used], "winner": said["winner"], **kept}) + "\n")
    path.write_text("".join(lines), encoding="utf-8")


@pytest.mark.parametrize(
    ("play", "wrong"),
    [pytest.param(PLAYS, False, id="right", marks=pytest.mark.slow), pytest.param(PLAYS_WRONG, True, id="wrong")],
)
def test_recorded_coups_are_compared_by_the_command_of_the_page(play: Play, wrong: bool, tmp_path: Path) -> None:
    recorded(play, 3000, tmp_path / "coups.jsonl")
    command = shown("python3 examples/downstream/recorded.py home-pt coups.jsonl")
    code, printed = ran(command.replace("coups.jsonl", str(tmp_path / "coups.jsonl")))
    assert code == int(wrong), printed
    if not wrong:
        assert printed == "3000 coups, 0 differ; 88 of 88 cells of the banker's table compared\n"
        return
    *found, counted, missed = printed.splitlines()
    assert found
    assert all(line.endswith(": the sixth card is missing, the banker's third: the banker draws") for line in found)
    assert counted == f"3000 coups, {len(found)} differ; 87 of 88 cells of the banker's table compared"
    assert missed == "  not compared: banker_draw 3/7"


def test_too_few_recorded_coups_say_what_they_never_came_to(tmp_path: Path) -> None:
    recorded(PLAYS, 40, tmp_path / "coups.jsonl")
    code, printed = ran(f"python3 examples/downstream/recorded.py home-pt {tmp_path / 'coups.jsonl'}")
    first, *missed = printed.splitlines()
    assert code == 0
    told = re.search(r"(\d+) of 88", first)
    assert told
    assert len(missed) == 88 - int(told[1]) > 20
    assert all(re.fullmatch(r"  not compared: banker_draw [0-7]/(\d|none)", line) for line in missed)

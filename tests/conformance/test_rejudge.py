"""A log is judged anew from the rules: it comes out the same to the byte, and nothing else does."""

from __future__ import annotations

import json
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from oracle.cli import run as oracle
from oracle.conformance.evidence.rejudge import rejudge
from oracle.conformance.run.log import Log
from oracle.game.rules import Rules
from tests.conformance.conftest import command


@pytest.fixture(scope="module")
def made(tmp_path_factory: pytest.TempPathFactory) -> Callable[..., Path]:
    """Makes the log of a fake, once."""
    folder = tmp_path_factory.mktemp("logs")
    tier = ["--tier", "minimal"]

    def make(*fake: str, options: tuple[str, ...] = ()) -> Path:
        path = folder / f"{'-'.join(fake)}{len(options)}.ndjson"
        if not path.exists():
            limits = ["--restarts", "1", "--case-timeout", "0.5"]
            oracle(["test", "--rules", "home-pt", *tier, *limits, "--log", str(path), *options, "--", *command(*fake)])
        return path

    return make


@pytest.mark.parametrize(
    "fake",
    [
        "right", "always-player", "off-by-one", "float-net", "huge-net", "other-words", "skips", "refuses",
        "babbles", "no-kinds", "other-rules", "dies-at-start", "null", "too-few",
    ],
)  # fmt: skip
@pytest.mark.slow
def test_a_log_as_it_was_written_is_right(fake: str, made: Callable[..., Path], shipped: dict[str, Rules]) -> None:
    path = made(fake)
    assert list(rejudge(Log(path), shipped["home-pt"])) == []


def test_so_is_one_of_some_cases(made: Callable[..., Path], shipped: dict[str, Rules]) -> None:
    first = next(Log(made("off-by-one")).lines())
    path = made("off-by-one", options=("--case", first.id))
    assert Log(path).checked == 1
    assert list(rejudge(Log(path), shipped["home-pt"])) == []


Entry = dict[str, Any]
Edit = Callable[[list[Entry]], list[Entry]]


def recount(entries: list[Entry]) -> list[Entry]:
    """With a footer that agrees with the lines, as somebody would write who hides something."""
    counts: dict[str, int] = {}
    for entry in entries:
        if entry["type"] == "case":
            counts[entry["outcome"]] = counts.get(entry["outcome"], 0) + 1
    verdict = "differs" if counts.get("fail") else "agrees"
    return [
        {**entry, "counts": counts, "verdict": verdict} if entry["type"] == "footer" else entry for entry in entries
    ]


def all_pass(entries: list[Entry]) -> list[Entry]:
    return recount([{"type": "case", "id": e["id"], "outcome": "pass"} if e["type"] == "case" else e for e in entries])


def cut_short(entries: list[Entry]) -> list[Entry]:
    return recount([*entries[:20], entries[-1]])


def one_left_out(entries: list[Entry]) -> list[Entry]:
    return recount([*entries[:5], *entries[6:]])


def swapped(entries: list[Entry]) -> list[Entry]:
    return [*entries[:5], entries[6], entries[5], *entries[7:]]


def changed(place: int, **fields: Any) -> Edit:
    def edit(entries: list[Entry]) -> list[Entry]:
        return [*entries[:place], {**entries[place], **fields}, *entries[place + 1 :]]

    return edit


def fails_right(entries: list[Entry]) -> list[Entry]:
    """A failure whose answer is the right one."""
    differs = [{**d, "got": d["expected"]} for d in entries[3]["differs"]]
    return changed(3, differs=differs)(entries)


def expects_else(entries: list[Entry]) -> list[Entry]:
    differs = [{**d, "expected": 17} for d in entries[3]["differs"]]
    return changed(3, differs=differs)(entries)


def cells_counted_else(entries: list[Entry]) -> list[Entry]:
    cells = {cell: [0, 1_000] for cell in entries[-1]["cells"]}
    return changed(-1, cells=cells)(entries)[: len(entries)]


@pytest.mark.parametrize(
    ("edit", "told"),
    [
        (cut_short, "was to be asked, and is not there"),
        (one_left_out, "stands where"),
        (swapped, "stands where"),
        (all_pass, "is not what judging its answers anew makes of it"),
        (fails_right, "line 4 is not what judging"),
        (expects_else, "line 4 is not what judging"),
        (changed(3, cards=["AS"] * 6), "line 4 is not what judging"),
        (changed(3, cells=["banker_draw 3/7"]), "line 4 is not what judging"),
        (changed(3, outcome="skipped", differs=[], why="no"), "is not what judging"),
        (changed(3, id="coup-000000000000"), "line 4: coup-000000000000 stands where coup-"),
        (changed(0, tiers=["minima"], chosen=["minima"]), "no tier `minima`"),
        (changed(0, tiers=["totals"], chosen=["totals"]), "stands where"),
        (changed(0, tiers=["totals"]), "its tiers are not those that were asked for"),
        (changed(0, observables=["winner"]), "its tiers are not those that were asked for"),
        (cells_counted_else, "is not what judging"),
        (changed(0, kinds=["coup", "bets"]), None),
        (changed(0, kinds=["coup", "dice"]), "the kind `dice` is none"),
        (changed(0, observables=["totals", "totals"]), "stands twice"),
        (changed(0, protocol=2), "it speaks protocol 2, not 1"),
        (changed(0, adaptive=True, fresh=False), "an adaptive run chooses its cases itself"),
        (lambda entries: [entries[0], *entries], "line 2: a log begins with its header"),
        (lambda entries: [*entries[1:-1], entries[0], entries[-1]], "line 1: a log begins with its header"),
        (lambda entries: [*entries[:-1], {"type": "event", "what": "gave-up", "why": ""}, entries[-1]], "was given up"),
        (lambda entries: [*entries[:-1], entries[3], entries[-1]], "the suite is asked first, then fresh cases"),
        (lambda entries: [*entries[:-1], {**entries[-1], "restarts": 1}], "counts 1 as restarts, with reasons for 0"),
    ],
)
def test_whatever_was_changed_is_told(
    edit: Edit, told: str | None, made: Callable[..., Path], tmp_path: Path, shipped: dict[str, Rules]
) -> None:
    entries = [json.loads(line) for line in made("off-by-one").read_text().splitlines()]
    path = tmp_path / "log.ndjson"
    path.write_text("".join(json.dumps(entry, separators=(",", ":")) + "\n" for entry in edit(entries)))
    problems = list(rejudge(Log(path), shipped["home-pt"]))
    if told is None:  # the tier has no bets: this declaration would have come to the same
        assert problems == []
    else:
        assert len(problems) == 1
        assert told in problems[0]


def test_by_other_rules_it_is_of_no_run(made: Callable[..., Path], shipped: dict[str, Rules]) -> None:
    assert list(rejudge(Log(made("off-by-one")), shipped["selminha/classica"]))


PROGRAM = """\
import json, sys
for line in sys.stdin:
    m = json.loads(line)
    if m["cmd"] == "stop":
        break
    said = {"protocol": 1, "implementation": {"name": "small"}, "rules": ["*"], "kinds": [KIND], "observables": ["net"]}
    if m["cmd"] == "run":
        said = {"seq": m["seq"], "results": [answer(case) for case in m["cases"]]}
    print(json.dumps(said), flush=True)
"""


@pytest.mark.parametrize(
    ("tier", "answer", "there", "instead"),
    [
        ("bets", "{'legal': True}", b'"got":true', b'"got":false'),
        (
            "settlement",
            "{'net': {**dict.fromkeys(case['bets'], 1e30), 'gho\\x1bst' * 9: 5}}",
            b'"got":"5"',
            b'"got":"0"',
        ),
        ("settlement", "{'net': dict.fromkeys(case['bets'], 1e30)}", b'"got":"1e+30"', b'"got":"1e+31x"'),
    ],
)
def test_bets_and_money_are_judged_too(
    tier: str, answer: str, there: bytes, instead: bytes, *, tmp_path: Path, shipped: dict[str, Rules]
) -> None:
    program, path = tmp_path / "small.py", tmp_path / "log.ndjson"
    program.write_text(f"KIND = {'bets' if tier == 'bets' else 'coup'!r}\ndef answer(case): return {answer}\n{PROGRAM}")
    arguments = ["test", "--rules", "home-pt", "--tier", tier, "--log", str(path)]
    assert oracle([*arguments, "--", sys.executable, str(program)]) == 1
    assert list(rejudge(Log(path), shipped["home-pt"])) == []
    assert there in path.read_bytes()
    path.write_bytes(path.read_bytes().replace(there, instead, 1))
    assert list(rejudge(Log(path), shipped["home-pt"])) != []

"""Known failures don't count, as long as they fail; whatever else fails does."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from xml.etree import ElementTree as ET

import pytest

from oracle.cli import run as oracle

HEAD = '{"format":1,"rules":"home-pt"}\n'
MINIMAL = ["test", "--rules", "home-pt", "--tier", "minimal-cards"]


@pytest.fixture
def programs(tmp_path: Path, root: Path) -> Callable[..., list[str]]:
    """The words that run the example, its banker standing on three against some third cards."""

    def make(*stands: int) -> list[str]:
        row = "3: (0, 1, 2, 3, 4, 5, 6, 7, 9)"
        text = (root / "examples" / "mine.py").read_text()
        assert row in text
        kept = ", ".join(str(third) for third in (0, 1, 2, 3, 4, 5, 6, 7, 9) if third not in stands)
        path = tmp_path / "mine.py"
        path.write_text(text.replace(row, f"3: ({kept})"))
        return ["--", "python3", str(path)]

    return make


@pytest.fixture
def listed(tmp_path: Path, programs: Callable[..., list[str]]) -> Path:
    """The list of a program whose banker stands on three against seven, with a reason."""
    path = tmp_path / "known.jsonl"
    assert oracle([*MINIMAL, "--write-known", str(path), *programs(7)]) == 1
    path.write_text(path.read_text().replace('"reason":""', '"reason":"the house stands"'))
    return path


def test_one_command_writes_a_list_with_reasons_to_fill_in(
    tmp_path: Path, programs: Callable[..., list[str]], capsys: pytest.CaptureFixture[str]
) -> None:
    path = tmp_path / "known.jsonl"
    assert oracle([*MINIMAL, "--write-known", str(path), *programs(7)]) == 1
    assert [json.loads(line) for line in path.read_text().splitlines()] == [
        {"format": 1, "rules": "home-pt"},
        {"cell": "banker_draw 3/7", "reason": ""},
    ]
    assert oracle([*MINIMAL, "--known", str(path), *programs(7)]) == 2
    assert "known.jsonl:2: banker_draw 3/7 has no reason" in capsys.readouterr().err


def test_known_failures_do_not_count(
    listed: Path, tmp_path: Path, programs: Callable[..., list[str]], capsys: pytest.CaptureFixture[str]
) -> None:
    out = tmp_path / "out"
    assert oracle([*MINIMAL, "--known", str(listed), "--report", str(out), *programs(7)]) == 0
    printed = capsys.readouterr().out
    assert printed.startswith("differs: "), "the verdict is the same"
    assert "\nknown failures: 1 case by 1 entry\n" in printed
    suite = ET.parse(out / "junit.xml").getroot().find("testsuite")
    assert suite is not None
    assert suite.get("failures") == "0"
    told = [(case.get("name"), entry.get("message")) for case in suite for entry in case]
    assert told
    assert all("known" in str(message) or "fresh" in str(name) for name, message in told)


def test_anything_else_that_fails_does(listed: Path, programs: Callable[..., list[str]]) -> None:
    assert oracle([*MINIMAL, "--known", str(listed), *programs(6, 7)]) == 1


def test_one_that_passes_is_an_error(
    listed: Path, tmp_path: Path, programs: Callable[..., list[str]], capsys: pytest.CaptureFixture[str]
) -> None:
    out = tmp_path / "out"
    assert oracle([*MINIMAL, "--known", str(listed), "--report", str(out), *programs()]) == 1
    assert "\nknown, but passes now: banker_draw 3/7\n" in capsys.readouterr().out
    suite = ET.parse(out / "junit.xml").getroot().find("testsuite")
    assert suite is not None
    assert suite.get("failures") == "1"


def test_one_that_was_not_asked_is_an_error(
    listed: Path, programs: Callable[..., list[str]], capsys: pytest.CaptureFixture[str]
) -> None:
    listed.write_text(listed.read_text() + '{"case":"coup-000000000000","reason":"long ago"}\n')
    assert oracle([*MINIMAL, "--known", str(listed), *programs(7)]) == 1
    assert "\nknown, but was not asked: coup-000000000000\n" in capsys.readouterr().out


@pytest.mark.slow
def test_a_case_can_be_listed_by_its_id(
    listed: Path, programs: Callable[..., list[str]], capsys: pytest.CaptureFixture[str]
) -> None:
    oracle([*MINIMAL, "--format", "json", *programs(7)])
    id = json.loads(capsys.readouterr().out)["faults"][0]["example"]["id"]
    listed.write_text(f'{{"format":1,"rules":"home-pt"}}\n{{"case":"{id}","reason":"so it is"}}\n')
    assert oracle([*MINIMAL, "--known", str(listed), *programs(7)]) == 0
    assert oracle([*MINIMAL, "--known", str(listed), *programs()]) == 1


def test_reasons_are_kept_when_a_list_is_written_anew(
    listed: Path, tmp_path: Path, programs: Callable[..., list[str]]
) -> None:
    anew = tmp_path / "anew.jsonl"
    assert oracle([*MINIMAL, "--known", str(listed), "--write-known", str(anew), *programs(6, 7)]) == 1
    entries = [json.loads(line) for line in anew.read_text().splitlines()[1:]]
    assert {entry["cell"]: entry["reason"] for entry in entries} == {
        "banker_draw 3/6": "", "banker_draw 3/7": "the house stands",
    }  # fmt: skip


def test_skipped_cases_can_be_known_but_not_all_of_them(
    listed: Path, tmp_path: Path, programs: Callable[..., list[str]]
) -> None:
    words = programs()
    path = Path(words[-1])
    right = path.read_text()
    skips = right.replace(
        "    shoe = iter(cards)\n",
        "    if cards[0][0] == '9':\n        return {'skipped': 'no'}\n    shoe = iter(cards)\n",
    )
    assert skips != right
    path.write_text(skips)
    out = tmp_path / "some.jsonl"
    assert oracle([*MINIMAL, "--write-known", str(out), *words]) == 3
    out.write_text(out.read_text().replace('"reason":""', '"reason":"no nines"'))
    assert oracle([*MINIMAL, "--known", str(out), *words]) == 0
    path.write_text(skips.replace("if cards[0][0] == '9'", "if True"))
    assert oracle([*MINIMAL, "--write-known", str(out), *words]) == 3
    out.write_text(out.read_text().replace('"reason":""', '"reason":"nothing"'))
    assert oracle([*MINIMAL, "--known", str(out), *words]) == 3, "nothing was answered"


@pytest.mark.parametrize(
    ("text", "told"),
    [
        ("", "known.jsonl:1: "),
        ('{"format":2,"rules":"home-pt"}\n', "known.jsonl:1: a list of format 2, not 1"),
        ('{"format":1,"rules":"grid-pt"}\n', "known.jsonl:1: a list for grid-pt, not for home-pt"),
        (HEAD + '\n{"case":"a","reason":"b"}\n{"case":"a","reason":"b"}\n', ":4: a stands twice"),
        (HEAD + '{"case":"a","cell":"b","reason":"c"}\n', ":2: an entry names a case or a cell"),
        (HEAD + '{"reason":"c"}\n', ":2: an entry names a case or a cell"),
        (HEAD + '{"case":"\\u001b[31m","reason":" "}\n', ":2: \\x1b[31m has no reason"),
        (HEAD + '{"kase":"a"}\n', ":2: Object contains unknown field `kase`"),
        (HEAD + '[\n', ":2: "),
    ],
)  # fmt: skip
def test_a_bad_list_is_told_with_its_line(
    text: str, told: str, tmp_path: Path, programs: Callable[..., list[str]], capsys: pytest.CaptureFixture[str]
) -> None:
    path = tmp_path / "known.jsonl"
    path.write_text(text)
    assert oracle([*MINIMAL, "--known", str(path), *programs()]) == 2
    assert told in capsys.readouterr().err

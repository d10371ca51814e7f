"""An observable is one record: every part of it is held against coups, and a new one is seen everywhere.

The drill adds an observable to a copy of the package, in its table and in `Answer` and nowhere else. Whatever is left
out or wrong there is named; a wrong program never conforms for it, and no diagnosis is empty.
"""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from oracle.programs.observables import OBSERVABLES
from tests.conformance.observable_checks import problems

ROOT = Path(__file__).resolve().parents[2]
TABLE = "oracle/programs/observables.py"
ANSWER = "oracle/cases/case.py"


def record(name: str, **parts: str) -> str:
    """The text of a record."""
    lines = [f"    {part}={text},\n" for part, text in {"name": f'"{name}"', **parts}.items()]
    return f"{name.upper()} = Observable(\n{''.join(lines)})\n\n"


RECORD = record(
    "margin",
    says='"by how many points the totals differ"',
    paths='("margin",)',
    word='"margin"',
    form="NUMBER",
    of_played="lambda _, played, __: (abs(int(played.end[4]) - int(played.end[5])),)",
    of_coup="lambda coup, _: (abs(coup.player.total - coup.banker.total),)",
    shows='"decisions"',
)
PARTS = [line.strip().partition("=")[0] for line in RECORD.splitlines()[1:-2]]
ADDED: dict[str, tuple[tuple[str, str], ...]] = {
    TABLE: (("TABLE: tuple", f"{RECORD}TABLE: tuple"), ("PAIRS, NET)", "PAIRS, NET, MARGIN)")),
    ANSWER: (("    legal: bool", "    margin: int | None = None\n    legal: bool"),),
    "docs/protocol.md": (("\n| net | ", '\n| margin | `"margin": 3`: how far apart totals are |\n| net | '),),
}
# A program that plays right and reports what it is told to. `off` adds a point to each margin of three. With
# `stands` the banker stands on three against a nine, too.
PROGRAM = """
import json, sys

mode, observables = sys.argv[1], sys.argv[2].split(",")
POINTS = dict(zip("A23456789TJQK", (1, 2, 3, 4, 5, 6, 7, 8, 9, 0, 0, 0, 0)))
DRAWS = {3: {0, 1, 2, 3, 4, 5, 6, 7, 9}, 4: set(range(2, 8)), 5: set(range(4, 8)), 6: {6, 7}, 7: set()}
if mode == "stands":
    DRAWS[3].discard(9)

def play(cards):
    values = [POINTS[card[0]] for card in cards]
    player, banker = (values[0] + values[2]) % 10, (values[1] + values[3]) % 10
    if player < 8 and banker < 8:
        if player > 5:
            if banker < 6:
                banker = (banker + values[4]) % 10
        else:
            player = (player + values[4]) % 10
            if banker < 3 or values[4] in DRAWS[banker]:
                banker = (banker + values[5]) % 10
    margin = abs(player - banker)
    said = {"winner": "player" if player > banker else "banker" if banker > player else "tie"}
    said["margin"] = margin + (mode == "off" and margin == 3)
    return {name: said[name] for name in observables}

for line in sys.stdin:
    message = json.loads(line)
    if message["cmd"] == "stop":
        break
    reply = {"protocol": 1, "implementation": {"name": "small"}, "rules": ["*"], "kinds": ["coup"]}
    reply["observables"] = observables
    if message["cmd"] == "run":
        reply = {"seq": message["seq"], "results": [play(case["cards"]) for case in message["cases"]]}
    print(json.dumps(reply), flush=True)
"""

Copy = Callable[..., Path]


@pytest.mark.parametrize("name", OBSERVABLES)
def test_every_part_of_an_observable_is_there_and_right(name: str) -> None:
    assert list(problems(name)) == []


@pytest.fixture(scope="module")
def copied(tmp_path_factory: pytest.TempPathFactory) -> Copy:
    """Makes copies of the package, each with one observable more; `edits` of a file come on top."""
    whole = tmp_path_factory.mktemp("whole")
    shutil.copytree(ROOT / "oracle", whole / "oracle")
    made: dict[str, Path] = {}

    def copy(*edits: tuple[str, str, str], added: tuple[str, ...] = tuple(ADDED)) -> Path:
        key = repr((edits, added))
        if key in made:
            return made[key]
        folder = made[key] = tmp_path_factory.mktemp("copy")
        shutil.copytree(whole / "oracle", folder / "oracle", copy_function=os.link)
        for name in ("specs", "fixtures"):
            (folder / name).symlink_to(ROOT / name)
        for name in ("tests/conformance/observable_checks.py", "docs/protocol.md", "pyproject.toml"):
            (folder / name).parent.mkdir(parents=True, exist_ok=True)
            shutil.copyfile(ROOT / name, folder / name)
        for path, old, new in (*((each, *pair) for each in added for pair in ADDED[each]), *edits):
            file = folder / path
            text = file.read_text(encoding="utf-8")
            assert text.count(old) == 1, f"{old!r} is there {text.count(old)} times in {path}"
            file.unlink()  # other copies are links to the same file
            file.write_text(text.replace(old, new), encoding="utf-8")
        return folder

    return copy


def python(folder: Path, *words: str, given: str = "") -> subprocess.CompletedProcess[str]:
    """Runs Python with the copy of the package that is in a folder."""
    environment = {**os.environ, "PYTHONPATH": str(folder)}
    environment.pop("COVERAGE_PROCESS_START", None)
    return subprocess.run(
        [sys.executable, *words], cwd=folder, env=environment, input=given, capture_output=True, text=True, check=False
    )


def oracle(folder: Path, *words: str, given: str = "") -> subprocess.CompletedProcess[str]:
    return python(folder, "-m", "oracle", *words, given=given)


def run_of(folder: Path, mode: str, *observables: str, options: tuple[str, ...] = ()) -> dict[str, Any]:
    """What `test` says of the program."""
    (folder / "program.py").write_text(PROGRAM, encoding="utf-8")
    run = ["test", "--rules", "home-pt", "--tier", "totals", "--format", "json", *options]
    done = oracle(folder, *run, "--", sys.executable, "program.py", mode, ",".join(observables))
    assert done.stdout, done.stderr
    found: dict[str, Any] = json.loads(done.stdout)
    return found


def said_of(folder: Path, name: str = "margin") -> str:
    """The problems of the new observable, as the check of each part names them."""
    done = python(folder, "tests/conformance/observable_checks.py", name)
    return done.stderr


def test_a_new_observable_is_complete_with_its_record_and_its_field(copied: Copy) -> None:
    assert said_of(copied()) == ""


SIZES = record(
    "sizes",
    says='"how many cards each hand has"',
    paths='("player.size", "banker.size")',
    word='"size"',
    form="NUMBER",
    of_played="lambda _, played, __: (len(played.player), len(played.banker))",
    of_coup="lambda coup, _: (len(coup.player.cards), len(coup.banker.cards))",
    shows='"decisions"',
)
VALUES = record(
    "values",
    says='"whether the first two cards of each hand are worth the same"',
    paths='("values.player", "values.banker")',
    word='"value"',
    form="TRUTH",
    of_played='lambda _, played, __: tuple(kind != "none" for kind in played.alike)',
    of_coup='lambda coup, _: tuple(kind != "none" for kind in coup.alike.values())',
    shows='"pairs"',
)
TWICE = record(
    "twice",
    says='"what each bet would change the balance by at twice the stake"',
    paths='("twice",)',
    word='"twice"',
    form="MONEY",
    of_played="lambda how, played, stakes: (tuple((bet, 2 * net(how, played, bet, stakes[bet])) for bet in stakes),)",
    of_coup="lambda _, nets: (tuple((bet, 2 * net) for bet, net in nets.items()),)",
    of_unit="unit_net",
    shows='"bets"',
)


@pytest.mark.parametrize(
    ("text", "field", "before"),
    [
        pytest.param(SIZES, "size: int | None = None", "total: int", id="in a hand"),
        pytest.param(VALUES, "values: Pairs | None = None", "legal: bool", id="in a group of its own"),
        pytest.param(TWICE, "twice: dict[str, str] | None = None", "legal: bool", id="for each bet"),
    ],
)
def test_it_may_stand_anywhere_in_an_answer(text: str, field: str, before: str, copied: Copy) -> None:
    name = text.split('"')[1]
    folder = copied(
        (TABLE, "TABLE: tuple", f"{text}TABLE: tuple"),
        (TABLE, "PAIRS, NET)", f"PAIRS, NET, {name.upper()})"),
        (ANSWER, f"    {before}", f"    {field}\n    {before}"),
        ("docs/protocol.md", "\n| net | ", f"\n| {name} | somewhere |\n| net | "),
        added=(),
    )
    assert said_of(folder, name) == ""


def test_a_program_wrong_in_nothing_but_the_new_observable_differs(copied: Copy) -> None:
    folder = copied()
    right = run_of(folder, "right", "winner", "margin")
    assert right["counts"].get("fail", 0) == 0
    assert {"what": "observable", "name": "margin", "why": "not declared"} not in right["not_confirmed"]
    for observables in (("winner", "margin"), ("margin",)):
        wrong = run_of(folder, "off", *observables)
        assert wrong["verdict"] == "differs"
        assert {each["observable"] for fault in wrong["faults"] for each in fault["example"]["differs"]} == {"margin"}
    unseen = run_of(folder, "off", "winner")
    assert {"what": "observable", "name": "margin", "why": "not declared"} in unseen["not_confirmed"]


def test_a_mistake_that_only_the_new_observable_shows_is_named(copied: Copy) -> None:
    found = run_of(copied(), "stands", "margin")
    assert [entry["name"] for entry in found["explained"]["coups"]] == ["flip banker_draw 3/9"]
    (seen,) = (entry for entry in found["tableau"] if entry["cell"] == "banker_draw 3/9")
    assert (seen["action"], seen["due"]) == ("stand", "draw"), "the tableau shows it, too"


def test_the_log_of_a_wrong_program_is_judged_again(copied: Copy) -> None:
    folder = copied()
    run_of(folder, "off", "winner", "margin", options=("--log", "log.ndjson"))
    code = """
from pathlib import Path
from oracle.conformance.evidence.rejudge import rejudge
from oracle.conformance.run.log import Log
from oracle.game.rules import load_rules
log = Log(Path("log.ndjson"))
print(log.verdict, list(rejudge(log, load_rules("home-pt"))))
"""
    done = python(folder, "-c", code)
    assert done.stdout == "differs []\n", done.stderr


def test_files_servers_schemas_and_trials_have_the_new_observable(copied: Copy) -> None:
    folder = copied()
    exported = oracle(folder, "fixtures", "export", "--rules", "home-pt", "--tier", "totals", "--csv", "--answers")
    header, *rows = (line.split(",") for line in exported.stdout.splitlines())
    id, place = header.index("id"), header.index("margin")
    answers = [f"{row[id]},{row[place]}" for row in rows]
    for change, verdict in (("", "agrees"), ("9", "differs")):
        (folder / "answers.csv").write_text("\n".join(["id,margin", *answers, ""]), encoding="utf-8")
        run = ["test", "--rules", "home-pt", "--tier", "totals", "--format", "json", "--results", "answers.csv"]
        assert json.loads(oracle(folder, *run).stdout)["verdict"] == verdict
        answers[0] = f"{rows[0][id]},{change or 9}"
    start = '{"cmd":"start","protocol":1}\n'
    asked = {"id": "a", "cards": ["4H", "2S", "9C", "AD", "8D", "3C"]}
    run_one = json.dumps({"cmd": "run", "seq": 1, "rules": "home-pt", "kind": "coup", "cases": [asked]}) + "\n"
    first, second = map(
        json.loads, oracle(folder, "serve", "--rules", "home-pt", given=start + run_one).stdout.splitlines()
    )
    assert "margin" in first["observables"]
    assert second["results"][0]["margin"] == 2
    schema = json.loads(oracle(folder, "schema", "protocol").stdout)
    assert "margin" in schema["$defs"]["SaidCoup"]["properties"]
    code = """
import oracle
from oracle.conformance.trial import trial_of
trial = trial_of(oracle.load_rules("home-pt"), "4H 2S 9C AD 8D 3C")
print(repr(trial.problem({"margin": 2})), trial.problem({"margin": 3}))
"""
    done = python(folder, "-c", code)
    assert done.stdout.startswith("'' "), done.stderr
    assert "margin: 2 expected, 3 answered" in done.stdout


@pytest.mark.parametrize("part", PARTS)
def test_a_part_left_out_of_the_record_is_named(part: str, copied: Copy) -> None:
    """Nothing starts without it: there is no run that could conform."""
    (line,) = (line for line in RECORD.splitlines(keepends=True) if line.startswith(f"    {part}="))
    done = python(copied((TABLE, RECORD, RECORD.replace(line, ""))), "-c", "import oracle.programs.observables")
    assert done.returncode
    assert "MARGIN = Observable(" in done.stderr
    assert f"'{part}'" in done.stderr


def test_a_field_that_the_answer_lacks_is_named(copied: Copy) -> None:
    done = python(copied(added=(TABLE,)), "-c", "import oracle.cases.case")
    assert "TypeError: observable margin: `Answer` has no field `margin`" in done.stderr


@pytest.mark.parametrize(
    ("old", "new", "said"),
    [
        ('word="margin"', 'word="winner"', "margin.word: "),
        ("form=NUMBER", "form=TRUTH", "margin.form: "),
        ("of_coup=lambda coup, _: (abs(coup", "of_coup=lambda coup, _: (1 + abs(coup", "margin.of_coup: "),
        ("(abs(int(played.end[4]) - int(played.end[5])),)", "(played.end[4], 0)", "margin.of_played: "),
        ("(abs(int(played.end[4]) - int(played.end[5])),)", "(0,)", "margin.of_played: "),
        ('shows="decisions"', 'shows="deal"', "margin.shows: "),
        ('shows="decisions"', 'shows="bets"', "observable margin: "),
    ],
    ids=["word", "form", "of_coup", "two values", "nothing seen", "shows", "shows bets"],
)  # fmt: skip
def test_a_part_that_is_wrong_is_named(old: str, new: str, said: str, copied: Copy) -> None:
    assert RECORD.count(old) == 1
    assert said in said_of(copied((TABLE, RECORD, RECORD.replace(old, new))))


def test_a_row_that_the_protocol_lacks_is_named(copied: Copy) -> None:
    assert "margin.docs/protocol.md: " in said_of(copied(added=(TABLE, ANSWER)))

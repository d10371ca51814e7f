"""An observable is one record: every part of it is held against coups, and a new one is seen everywhere.

The drill adds an observable to a copy of the package, in its table and in `Answer` and nowhere else; under names that
no observable will ever have, at the end of whatever table stands there by then. Whatever is left
out or wrong there is named; a wrong program never conforms for it, and no diagnosis is empty.
"""

from __future__ import annotations

import json
import os
import re
import shutil
import subprocess
import sys
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

import msgspec
import pytest

from oracle.programs import observables as module
from oracle.programs.observables import OBSERVABLES, Observable
from oracle.programs.observables import TABLE as TABLE_OF_THEM
from tests.conformance.observable_checks import problems

ROOT = Path(__file__).resolve().parents[2]
TABLE = "oracle/programs/observables.py"
ANSWER = "oracle/cases/case.py"
Inserted = dict[str, tuple[tuple[re.Pattern[str], str], ...]]


# Where something is inserted, whatever stands there by now: with what comes before it in the first group.
END_OF_TABLE = re.compile(r"^(TABLE\b[^=\n]*= \([^()]*?)(?=,?\s*\))", re.MULTILINE)
BEFORE_TABLE = re.compile(r"()^(?=TABLE\b)", re.MULTILINE)
ROWS = re.compile(r"^(\| observable \|[^\n]*(?:\n\|[^\n]*)*)$", re.MULTILINE)


def last_field(struct: str) -> re.Pattern[str]:
    """After the last field of a struct."""
    return re.compile(rf"^(class {struct}\b[^\n]*(?:\n(?!class |def )[^\n]*)*?\n    \w+: [^\n]*)(?=\n\n)", re.MULTILINE)


def record(name: str, **parts: str) -> str:
    """The text of a record."""
    lines = [f"    {part}={text},\n" for part, text in {"name": f'"{name}"', **parts}.items()]
    return f"{name.upper()} = Observable(\n{''.join(lines)})\n\n"


def added(name: str, text: str, struct: str, field: str) -> Inserted:
    """What is inserted for an observable, by file: its record and entry, its field, and its row."""
    return {
        TABLE: ((END_OF_TABLE, f", {name.upper()}"), (BEFORE_TABLE, text)),
        ANSWER: ((last_field(struct), f"\n    {field} = None"),),
        "docs/protocol.md": ((ROWS, f"\n| {name} | somewhere |"),),
    }


RECORD = record(
    "drill_margin",
    says='"by how many points the totals differ"',
    paths='("drill_margin",)',
    word='"drill_margin"',
    form="NUMBER",
    of_played="lambda _, played, __: (abs(int(played.end[4]) - int(played.end[5])),)",
    of_coup="lambda coup, _: (abs(coup.player.total - coup.banker.total),)",
    shows='"decisions"',
)
PARTS = [line.strip().partition("=")[0] for line in RECORD.splitlines()[1:-2]]
ADDED = added("drill_margin", RECORD, "Answer", "drill_margin: int | None")
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
    said["drill_margin"] = margin + (mode == "off" and margin == 3)
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


def test_every_record_is_in_the_table() -> None:
    """One without its entry would be noticed by nothing else."""
    assert left_out(vars(module)) == []
    assert left_out({"SPARE": msgspec.structs.replace(TABLE_OF_THEM[0], name="spare")}) == ["SPARE"]


def left_out(names: Mapping[str, object]) -> list[str]:
    """The records of a module that its table lacks, by what they are called there."""
    return [name for name, each in names.items() if isinstance(each, Observable) and each not in TABLE_OF_THEM]


def test_every_row_of_the_protocol_is_an_observable() -> None:
    (rows,) = ROWS.findall((ROOT / "docs" / "protocol.md").read_text(encoding="utf-8"))
    assert re.findall(r"^\| (\w+) \|", rows, re.MULTILINE)[1:] == list(OBSERVABLES)


@pytest.mark.parametrize("name", OBSERVABLES)
def test_every_part_of_an_observable_is_there_and_right(name: str) -> None:
    assert list(problems(name)) == []


def changed(file: Path, where: re.Pattern[str], new: str) -> None:
    """Puts something into a file of a copy, in the one place where it belongs."""
    text, times = where.subn(new, file.read_text(encoding="utf-8"))
    assert times == 1, f"{where.pattern!r} is there {times} times in {file}"
    file.unlink()  # other copies are links to the same file
    file.write_text(text, encoding="utf-8")


@pytest.fixture(scope="module")
def copied(tmp_path_factory: pytest.TempPathFactory) -> Copy:
    """Makes copies of the package, each with one observable more; `edits` of a file come on top."""
    whole = tmp_path_factory.mktemp("whole")
    shutil.copytree(ROOT / "oracle", whole / "oracle")
    made: dict[str, Path] = {}

    def copy(*edits: tuple[str, str, str], inserted: Inserted | None = None) -> Path:
        inserted = ADDED if inserted is None else inserted
        key = repr((edits, inserted))
        if key in made:
            return made[key]
        folder = made[key] = tmp_path_factory.mktemp("copy")
        shutil.copytree(whole / "oracle", folder / "oracle", copy_function=os.link)
        for name in ("specs", "fixtures"):
            (folder / name).symlink_to(ROOT / name)
        for name in ("tests/conformance/observable_checks.py", "docs/protocol.md", "pyproject.toml"):
            (folder / name).parent.mkdir(parents=True, exist_ok=True)
            shutil.copyfile(ROOT / name, folder / name)
        for path, where, new in [(path, *pair) for path, pairs in inserted.items() for pair in pairs]:
            changed(folder / path, where, "\\1" + new)
        for path, old, new in edits:
            changed(folder / path, re.compile(re.escape(old)), new)
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


def said_of(folder: Path, name: str = "drill_margin") -> str:
    """The problems of the new observable, as the check of each part names them."""
    done = python(folder, "tests/conformance/observable_checks.py", name)
    return done.stderr


def test_a_new_observable_is_complete_with_its_record_and_its_field(copied: Copy) -> None:
    assert said_of(copied()) == ""


SIZES = record(
    "drill_sizes",
    says='"how many cards each hand has"',
    paths='("player.drill_size", "banker.drill_size")',
    word='"drill_size"',
    form="NUMBER",
    of_played="lambda _, played, __: (len(played.player), len(played.banker))",
    of_coup="lambda coup, _: (len(coup.player.cards), len(coup.banker.cards))",
    shows='"decisions"',
)
VALUES = record(
    "drill_values",
    says='"whether the first two cards of each hand are worth the same"',
    paths='("drill_values.player", "drill_values.banker")',
    word='"drill_value"',
    form="TRUTH",
    of_played='lambda _, played, __: tuple(kind != "none" for kind in played.alike)',
    of_coup='lambda coup, _: tuple(kind != "none" for kind in coup.alike.values())',
    shows='"pairs"',
)
TWICE = record(
    "drill_twice",
    says='"what each bet would change the balance by at twice the stake"',
    paths='("drill_twice",)',
    word='"drill_twice"',
    form="MONEY",
    of_played="lambda how, played, stakes: (tuple((bet, 2 * net(how, played, bet, stakes[bet])) for bet in stakes),)",
    of_coup="lambda _, nets: (tuple((bet, 2 * net) for bet, net in nets.items()),)",
    of_unit="unit_net",
    shows='"bets"',
)


@pytest.mark.parametrize(
    ("text", "struct", "field"),
    [
        pytest.param(SIZES, "HandAnswer", "drill_size: int | None", id="in a hand"),
        pytest.param(VALUES, "Answer", "drill_values: Pairs | None", id="in a group of its own"),
        pytest.param(TWICE, "Answer", "drill_twice: dict[str, str] | None", id="for each bet"),
    ],
)
def test_it_may_stand_anywhere_in_an_answer(text: str, struct: str, field: str, copied: Copy) -> None:
    name = text.split('"')[1]
    assert said_of(copied(inserted=added(name, text, struct, field)), name) == ""


@pytest.mark.slow
def test_a_program_wrong_in_nothing_but_the_new_observable_differs(copied: Copy) -> None:
    folder = copied()
    right = run_of(folder, "right", "winner", "drill_margin")
    assert right["counts"].get("fail", 0) == 0
    assert {"what": "observable", "name": "drill_margin", "why": "not declared"} not in right["not_confirmed"]
    for observables in (("winner", "drill_margin"), ("drill_margin",)):
        wrong = run_of(folder, "off", *observables)
        assert wrong["verdict"] == "differs"
        assert {each["observable"] for fault in wrong["faults"] for each in fault["example"]["differs"]} == {
            "drill_margin"
        }
    unseen = run_of(folder, "off", "winner")
    assert {"what": "observable", "name": "drill_margin", "why": "not declared"} in unseen["not_confirmed"]


@pytest.mark.slow
def test_a_mistake_that_only_the_new_observable_shows_is_named(copied: Copy) -> None:
    found = run_of(copied(), "stands", "drill_margin")
    assert [entry["name"] for entry in found["explained"]["coups"]] == ["flip banker_draw 3/9"]
    (seen,) = (entry for entry in found["tableau"] if entry["cell"] == "banker_draw 3/9")
    assert (seen["action"], seen["due"]) == ("stand", "draw"), "the tableau shows it, too"


def test_the_log_of_a_wrong_program_is_judged_again(copied: Copy) -> None:
    folder = copied()
    run_of(folder, "off", "winner", "drill_margin", options=("--log", "log.ndjson"))
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


@pytest.mark.slow
def test_files_servers_schemas_and_trials_have_the_new_observable(copied: Copy) -> None:
    folder = copied()
    exported = oracle(folder, "fixtures", "export", "--rules", "home-pt", "--tier", "totals", "--csv", "--answers")
    header, *rows = (line.split(",") for line in exported.stdout.splitlines())
    id, place = header.index("id"), header.index("drill_margin")
    answers = [f"{row[id]},{row[place]}" for row in rows]
    for change, verdict in (("", "agrees"), ("9", "differs")):
        (folder / "answers.csv").write_text("\n".join(["id,drill_margin", *answers, ""]), encoding="utf-8")
        run = ["test", "--rules", "home-pt", "--tier", "totals", "--format", "json", "--results", "answers.csv"]
        assert json.loads(oracle(folder, *run).stdout)["verdict"] == verdict
        answers[0] = f"{rows[0][id]},{change or 9}"
    start = '{"cmd":"start","protocol":1}\n'
    asked = {"id": "a", "cards": ["4H", "2S", "9C", "AD", "8D", "3C"]}
    run_one = json.dumps({"cmd": "run", "seq": 1, "rules": "home-pt", "kind": "coup", "cases": [asked]}) + "\n"
    first, second = map(
        json.loads, oracle(folder, "serve", "--rules", "home-pt", given=start + run_one).stdout.splitlines()
    )
    assert "drill_margin" in first["observables"]
    assert second["results"][0]["drill_margin"] == 2
    schema = json.loads(oracle(folder, "schema", "protocol").stdout)
    assert "drill_margin" in schema["$defs"]["SaidCoup"]["properties"]
    code = """
import oracle
from oracle.conformance.trial import trial_of
trial = trial_of(oracle.load_rules("home-pt"), "4H 2S 9C AD 8D 3C")
print(repr(trial.problem({"drill_margin": 2})), trial.problem({"drill_margin": 3}))
"""
    done = python(folder, "-c", code)
    assert done.stdout.startswith("'' "), done.stderr
    assert "drill_margin: 2 expected, 3 answered" in done.stdout


@pytest.mark.parametrize("part", PARTS)
def test_a_part_left_out_of_the_record_is_named(part: str, copied: Copy) -> None:
    """Nothing starts without it: there is no run that could conform."""
    (line,) = (line for line in RECORD.splitlines(keepends=True) if line.startswith(f"    {part}="))
    done = python(copied((TABLE, RECORD, RECORD.replace(line, ""))), "-c", "import oracle.programs.observables")
    assert done.returncode
    assert "DRILL_MARGIN = Observable(" in done.stderr
    assert f"'{part}'" in done.stderr


def test_a_field_that_the_answer_lacks_is_named(copied: Copy) -> None:
    done = python(copied(inserted={TABLE: ADDED[TABLE]}), "-c", "import oracle.cases.case")
    assert "TypeError: observable drill_margin: `Answer` has no field `drill_margin`" in done.stderr


@pytest.mark.parametrize(
    ("old", "new", "said"),
    [
        ('word="drill_margin"', 'word="winner"', "drill_margin.word: "),
        ("form=NUMBER", "form=TRUTH", "drill_margin.form: "),
        ("of_coup=lambda coup, _: (abs(coup", "of_coup=lambda coup, _: (1 + abs(coup", "drill_margin.of_coup: "),
        ("(abs(int(played.end[4]) - int(played.end[5])),)", "(played.end[4], 0)", "drill_margin.of_played: "),
        ("(abs(int(played.end[4]) - int(played.end[5])),)", "(0,)", "drill_margin.of_played: "),
        ('shows="decisions"', 'shows="deal"', "drill_margin.shows: "),
        ('shows="decisions"', 'shows="bets"', "observable drill_margin: "),
    ],
    ids=["word", "form", "of_coup", "two values", "nothing seen", "shows", "shows bets"],
)  # fmt: skip
def test_a_part_that_is_wrong_is_named(old: str, new: str, said: str, copied: Copy) -> None:
    assert RECORD.count(old) == 1
    assert said in said_of(copied((TABLE, RECORD, RECORD.replace(old, new))))


def test_a_row_that_the_protocol_lacks_is_named(copied: Copy) -> None:
    assert "drill_margin.docs/protocol.md: " in said_of(
        copied(inserted={path: ADDED[path] for path in (TABLE, ANSWER)})
    )

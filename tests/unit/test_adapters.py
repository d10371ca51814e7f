"""Adapters: unfilled ones pass nothing, the filled ones in examples/ conform, and wrong ones don't."""

from __future__ import annotations

import ast
import json
import re
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from oracle.cases.tiers import cases
from oracle.cli import run
from oracle.conformance.adapters import LANGUAGES, adapter
from oracle.conformance.protocol.messages import run_message
from oracle.game.rules import Rules
from oracle.programs.observables import OBSERVABLES
from tests.nonempty import nonempty

ROOT = Path(__file__).resolve().parents[2]
EXAMPLES = ROOT / "examples"
TOOLS = ("python", "node", "java", "c", "cpp", "rust", "go")
QUICK = ("python", "node", "c")  # to build, or to start


def in_turn(*quick: str) -> list[Any]:
    """Every language with a toolchain; those that aren't quick only in the slow tests."""
    return [pytest.param(name, marks=[] if name in quick else [pytest.mark.slow], id=name) for name in TOOLS]


# What a mistake is in the words of each example: the banker stands on 3 against 7; the banker's win pays even money.
STANDS_ON_37 = {
    "python": ("3: (0, 1, 2, 3, 4, 5, 6, 7, 9)", "3: (0, 1, 2, 3, 4, 5, 6, 9)"),
    "node": ("banker === 3 ? third !== 8", "banker === 3 ? third < 7 || third > 8"),
    "java": ("case 3: return third != 8", "case 3: return third < 7 || third > 8"),
    "c": ("case 3: return third != 8", "case 3: return third < 7 || third > 8"),
    "cpp": ("case 3: return third != 8", "case 3: return third < 7 || third > 8"),
    "rust": ("3 => third != 8", "3 => third < 7 || third > 8"),
    "go": ("return third != 8", "return third < 7 || third > 8"),
}
PAYS_EVEN = {
    "python": ('"banker": Fraction(95, 100)', '"banker": Fraction(1)'),
    "node": ("(stake * 95) / 100", "stake"),
    "java": ('"0.95"', '"1"'),
    "c": ("== 'b' ? 95 :", "== 'b' ? 100 :"),
    "cpp": ('"banker" ? 95 :', '"banker" ? 100 :'),
    "rust": ("95 * stake", "100 * stake"),
    "go": ("NewRat(95, 100)", "NewRat(1, 1)"),
}
# The least that can be filled in; what stands in quotes as it is told in the adapter.
LEAST = {
    "python": 'return {"winner": "tie", "player": {"total": 1}, "banker": {"total": 1}}',
    "node": 'return { winner: "tie", player: { total: 1 }, banker: { total: 1 } }',
    "java": 'return Map.of("winner", "tie", "player", Map.of("total", 1), "banker", Map.of("total", 1));',
    "c": 'coup->winner = "tie"; coup->hands[PLAYER].total = coup->hands[BANKER].total = 1; return NULL;',
    "cpp": 'Coup c; c.winner = "tie"; c.player.total = c.banker.total = 1; return c;',
    "rust": 'Ok(Coup { winner: "tie", player: Hand { total: 1, ..Default::default() },'
    " banker: Hand { total: 1, ..Default::default() }, ..Default::default() })",
    "go": 'return object{"winner": "tie", "player": object{"total": 1}, "banker": object{"total": 1}}',
}
FILL_IN = {
    "python": 'raise NotImplementedError("fill me in")',
    "node": 'throw new Error("fill me in");',
    "java": 'throw new UnsupportedOperationException("fill me in");',
    "c": 'return "fill me in";',
    "cpp": 'throw std::logic_error("fill me in");',
    "rust": 'Err("fill me in".into())',
    "go": 'panic("fill me in")',
}
# Programs print: into standard error, where the languages let an adapter see to it.
CHATTER = {
    "python": "print('hello')\n    ",
    "node": "console.log('hello'); ",
    "java": 'System.out.println("hello"); ',
    "cpp": 'std::cout << "hello" << std::endl; ',
    "go": 'fmt.Println("hello"); ',
}
Make = Callable[..., list[str]]
Find = Callable[[str], str]


def changed(text: str, *changes: tuple[str, str]) -> str:
    for before, after in changes:
        assert text.count(before) == 1, f"`{before}` isn't there once"
        text = text.replace(before, after)
    return text


@pytest.fixture(scope="module")
def program(tmp_path_factory: pytest.TempPathFactory, tool: Find) -> Make:
    """Saves a source under the name that the adapter tells, builds it once, and tells how to run it."""
    built: dict[tuple[str, str], list[str]] = {}

    def make(language: str, source: str) -> list[str]:
        found = tool(language)
        if (language, source) not in built:
            folder = tmp_path_factory.mktemp(language)
            known = LANGUAGES[language]
            (folder / known.file).write_text(source, encoding="utf-8")
            if known.build:
                command = [found, *known.build.split()[1:]]
                done = subprocess.run(command, cwd=folder, capture_output=True, text=True, check=False)
                assert done.returncode == 0, done.stderr
                built[language, source] = [str(folder / "mine")]
            else:
                built[language, source] = [
                    sys.executable if language == "python" else known.run.split()[0],
                    str(folder / known.file),
                ]
        return built[language, source]

    return make


def example(language: str) -> str:
    return (EXAMPLES / LANGUAGES[language].file).read_text(encoding="utf-8")


def said(command: list[str], *messages: object) -> list[Any]:
    """What a program answers to these messages, each a line, and nothing after."""
    lines = "".join(json.dumps(message, separators=(",", ":")) + "\n" for message in messages)
    done = subprocess.run(command, input=lines, capture_output=True, text=True, timeout=30, check=True)
    return [json.loads(line) for line in done.stdout.splitlines()]


def asked(*cases: dict[str, object], seq: int = 7) -> dict[str, object]:
    return {"cmd": "run", "seq": seq, "rules": "home-pt", "kind": "coup", "cases": list(cases)}


def verdict(command: list[str], rules: str = "home-pt") -> int:
    return run(["test", "--rules", rules, "--", *command])


START = {"cmd": "start", "protocol": 2}
STOP = {"cmd": "stop"}
CARDS = ["4H", "2S", "9C", "AD", "8D", "KC"]  # the README's coup: the banker stands on 3 against an eight
NATURALS = ["9H", "9S", "KC", "KD", "2C", "3C"]


@pytest.mark.parametrize("language", LANGUAGES)
def test_an_adapter_is_short_and_says_how_it_was_tested(language: str) -> None:
    lines = adapter(language).splitlines()
    assert len(lines) < 60
    assert max(map(len, lines)) <= 120
    assert "in the tests of baccarat-oracle" in lines[0] if language in TOOLS else "ntested: " in lines[0]
    assert f"baccarat-oracle test --rules home-pt -- {LANGUAGES[language].run}" in adapter(language)
    assert LANGUAGES[language].file in adapter(language)
    assert LANGUAGES[language].build in adapter(language)


def declared(language: str) -> list[str]:
    """The observables that stand at the top of an adapter."""
    top = adapter(language).replace('\\"', '"').partition("fill me in")[0]
    found = re.search(r'"?observables"?[^"]*?((?:"\w+",? ?){2,})', top.replace("what it doesn't report", ""))
    assert found
    return re.findall(r'"(\w+)"', found[1])


@pytest.mark.parametrize("language", LANGUAGES)
def test_an_adapter_names_what_a_coup_is_reported_by_at_its_top(language: str) -> None:
    """All of them the same; observables that few programs report may be left to those who do."""
    found = declared(language)
    assert set(found) >= {"winner", "totals", "cards", "natural", "pairs", "net"}
    assert found == [name for name in OBSERVABLES if name in found], "none twice, in the order of the table"
    assert found == declared("python")


@pytest.mark.parametrize("language", in_turn(*QUICK))
def test_the_version_that_an_adapter_says_was_used_is_not_newer_than_what_is_here(language: str, tool: Find) -> None:
    claimed = re.search(r"run with \w+ (\d+(?:\.\d+)?)", adapter(language).splitlines()[0])
    assert claimed
    command = [tool(language), "version" if language == "go" else "--version"]
    told = subprocess.run(command, capture_output=True, text=True, check=True).stdout
    here = re.findall(r"\d+\.\d+", told.splitlines()[0])[-1 if language in ("c", "cpp") else 0]
    assert numbers(claimed[1]) <= numbers(here), told


def numbers(version: str) -> tuple[int, ...]:
    return tuple(map(int, version.split(".")))


def test_the_c_adapter_is_clean_c99(tmp_path: Path, tool: Find) -> None:
    for source in (adapter("c"), example("c")):
        (tmp_path / "mine.c").write_text(source, encoding="utf-8")
        flags = ["-std=c99", "-pedantic-errors", "-Wall", "-Werror"]
        subprocess.run([tool("c"), *flags, "-o", "mine", "mine.c"], cwd=tmp_path, check=True)


@pytest.mark.slow
def test_the_cpp_adapter_is_clean_cpp_17(tmp_path: Path, tool: Find) -> None:
    for source in (adapter("cpp"), example("cpp")):
        (tmp_path / "mine.cpp").write_text(source, encoding="utf-8")
        flags = ["-std=c++17", "-pedantic-errors", "-Wall", "-Werror"]
        subprocess.run([tool("cpp"), *flags, "-o", "mine", "mine.cpp"], cwd=tmp_path, check=True)


@pytest.mark.slow
def test_the_java_adapter_is_clean_java_11(tmp_path: Path, tool: Find) -> None:
    for source in (adapter("java"), example("java")):
        (tmp_path / "Mine.java").write_text(source, encoding="utf-8")
        flags = ["--release", "11", "-Xlint:all", "-Werror"]
        subprocess.run([tool("java"), *flags, "Mine.java"], cwd=tmp_path, check=True)


def test_the_python_adapter_is_python_3_9() -> None:
    ast.parse(adapter("python"), feature_version=(3, 9))


@pytest.mark.slow
def test_the_go_adapter_is_formatted(tool: Find) -> None:
    tool("go")
    for source in (adapter("go"), example("go")):
        done = subprocess.run(["gofmt"], input=source, capture_output=True, text=True, check=True)
        assert done.stdout == source


@pytest.mark.parametrize("language", TOOLS)
def test_an_example_is_its_adapter_filled_in(language: str) -> None:
    """No line of the adapter is lost or changed but the one to fill in."""
    filled = iter(example(language).splitlines())
    lost = [line for line in adapter(language).splitlines() if "fill me in" not in line and line not in filled]
    assert lost == []


@pytest.mark.parametrize("language", in_turn(*QUICK))
def test_an_unfilled_adapter_answers_every_case_with_an_error(language: str, program: Make) -> None:
    command = program(language, adapter(language))
    started, answered = said(command, START, asked({"id": "a", "cards": CARDS}, {"id": "b", "cards": CARDS}), STOP)
    assert started["protocol"] == 2
    assert started["implementation"]["language"] == language
    assert (started["rules"], started["kinds"]) == (["*"], ["coup"])
    assert started["observables"] == declared(language)
    assert [result.keys() for result in answered["results"]] == [{"id", "error"}, {"id", "error"}]
    assert all("fill me in" in result["error"] for result in nonempty(answered["results"]))


@pytest.mark.parametrize("language", in_turn("python"))
def test_an_unfilled_adapter_is_no_verdict(language: str, program: Make) -> None:
    assert verdict(program(language, adapter(language))) == 3


@pytest.mark.parametrize("language", in_turn())
def test_an_example_conforms(language: str, program: Make) -> None:
    command = program(language, example(language))
    assert verdict(command) == 0


@pytest.mark.parametrize("language", in_turn(*QUICK))
def test_a_banker_who_stands_on_three_against_seven_differs(language: str, program: Make) -> None:
    assert verdict(program(language, changed(example(language), STANDS_ON_37[language]))) == 1


@pytest.mark.parametrize("language", in_turn("python"))
def test_a_banker_paid_without_commission_differs(language: str, program: Make) -> None:
    assert verdict(program(language, changed(example(language), PAYS_EVEN[language]))) == 1


@pytest.mark.parametrize("language", in_turn(*QUICK))
def test_winner_and_totals_are_a_line_to_fill_in(language: str, program: Make) -> None:
    """As the adapter itself tells, and the answer is none of the observables that were left out."""
    source, least = adapter(language), LEAST[language]
    if language not in ("c", "cpp", "rust"):
        assert least.removeprefix("return ").removesuffix(";") in source
    command = program(language, changed(source, (FILL_IN[language], least)))
    _, answered = said(command, START, asked({"id": "a", "cards": CARDS, "bets": {"banker": "20"}}), STOP)
    (result,) = answered["results"]
    assert result["winner"] == "tie"
    assert (result["player"]["total"], result["banker"]["total"]) == (1, 1)


@pytest.mark.parametrize("language", in_turn(*QUICK))
def test_an_adapter_reads_keys_in_any_order_and_batches_of_any_size(language: str, program: Make) -> None:
    command = program(language, example(language))
    turned = {
        "cases": [
            {"bets": {"banker": "20", "tie": "20"}, "cards": CARDS, "id": "a"},
            {"cards": NATURALS, "id": "b"},
            {"bets": {"tie": "20"}, "id": "c", "cards": NATURALS},
        ],
        "kind": "coup",
        "rules": "home-pt",
        "seq": 12,
        "cmd": "run",
    }
    many = asked(*({"id": str(n), "cards": CARDS, "bets": {"player": "20"}} for n in range(200)), seq=13)
    _, first, second = said(command, START, turned, many, STOP)
    assert (first["seq"], second["seq"]) == (12, 13)
    assert [result["id"] for result in first["results"]] == ["a", "b", "c"]
    assert [result["id"] for result in second["results"]] == [str(n) for n in range(200)]
    banker, tie, paid = first["results"]
    assert banker["winner"] == "banker"
    assert banker["player"] == {"total": 1, "cards": ["4H", "9C", "8D"]}
    assert banker["banker"] == {"total": 3, "cards": ["2S", "AD"]}
    assert (banker["natural"], banker["pairs"]) == ("none", {"player": False, "banker": False})
    assert {bet: amount(net) for bet, net in banker["net"].items()} == {"banker": 19, "tie": -20}
    assert (tie["winner"], tie["natural"], tie["net"]) == ("tie", "both", {})
    assert amount(paid["net"]["tie"]) == 160
    assert len(second["results"]) == 200
    assert all(
        result["winner"] == "banker" and amount(result["net"]["player"]) == -20
        for result in nonempty(second["results"])
    )


def amount(text: str) -> float:
    over, _, under = text.partition("/")
    return float(over) / float(under or 1)


@pytest.mark.parametrize(("rules", "tier"), [("home-pt", "totals"), ("selminha/classica", "settlement")])
def test_messages_are_as_plain_as_adapters_without_a_json_library_need_them(
    rules: str, tier: str, shipped: dict[str, Rules]
) -> None:
    asked = list(cases(shipped[rules], tier))
    line = run_message(1, rules, "coup", asked, [case.id for case in asked]).decode()
    assert len(asked) > 600
    assert not set(line) & set(" \\")


@pytest.mark.parametrize("language", in_turn(*QUICK))
def test_an_adapter_does_no_case_with_choices(language: str, program: Make) -> None:
    """They can't be told to `play`, and an answer that doesn't know them would be a guess."""
    command = program(language, example(language))
    chosen = {"id": "a", "cards": CARDS, "choices": {"player": "draw"}}
    _, answered = said(command, START, asked(chosen, {"id": "b", "cards": CARDS}), STOP)
    why, played = answered["results"]
    assert "choices" in (why.get("skipped") or why["error"])
    assert (why["id"], played["id"]) == ("a", "b")
    assert played["winner"] == "banker"


@pytest.mark.parametrize("language", in_turn(*QUICK))
def test_an_adapter_ends_with_its_input(language: str, program: Make) -> None:
    assert len(said(program(language, adapter(language)), START)) == 1


@pytest.mark.parametrize("language", [param for param in in_turn(*QUICK) if param.id in CHATTER])
def test_what_a_program_prints_stays_out_of_the_answers(language: str, program: Make) -> None:
    source = changed(adapter(language), (FILL_IN[language], CHATTER[language] + LEAST[language]))
    _, answered = said(program(language, source), START, asked({"id": "a", "cards": CARDS}), STOP)
    assert answered["results"][0]["winner"] == "tie"


def test_adapter_prints_the_file(capsys: pytest.CaptureFixture[str]) -> None:
    for language in LANGUAGES:
        assert run(["adapter", language]) == 0
        assert capsys.readouterr() == (adapter(language), "")


def test_adapter_alone_lists_the_languages(capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["adapter"]) == 0
    out = capsys.readouterr().out
    assert [line.split()[0] for line in out.splitlines()[1:]] == list(LANGUAGES)
    assert max(map(len, out.splitlines())) <= 80


@pytest.mark.parametrize(
    ("name", "meant"),
    [
        ("pyton", "python"),
        ("javascript", "node"),
        ("JS", "node"),
        ("Java", "java"),
        ("c#", "csharp"),
        ("C++", "cpp"),
        ("rst", "rust"),
    ],
)
def test_an_unknown_language_is_told_with_the_one_meant(
    name: str, meant: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert run(["adapter", name]) == 2
    assert capsys.readouterr() == ("", f"error: no adapter for `{name}`: did you mean `{meant}`?\n")


def test_a_language_without_an_adapter_is_told_with_all_that_have_one(capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["adapter", "cobol\x1b[31m"]) == 2
    err = capsys.readouterr().err
    assert err.startswith("error: no adapter for `cobol\\x1b[31m`: known: c, cpp, csharp")

"""`fixtures lint`: the form of a suite, and statements that nothing tests."""

from __future__ import annotations

from pathlib import Path

import msgspec
import pytest

from oracle.cases.case import Answer, Case
from oracle.cases.firing import unfired
from oracle.cases.lint import check_suite, lint, read_manifest
from oracle.cases.manifest import SUITE, FileEntry, Manifest, RuleEntry, digest
from oracle.cases.reference import reference_of
from oracle.cases.shipped import read_cases
from oracle.cases.suite import cells, described, lines, pretty
from oracle.cases.tiers import DEFAULT, cases
from oracle.cli import run
from oracle.game.rules import Rules
from oracle.spans import OracleError
from tests.conftest import BLOCKS, ROOT, MakeRules, MakeText, mostly_slow

Files = dict[str, bytes]
EXTRA = '  - {id: %s, says: of its own, cite: "22", about: %s, when: {%s}, then: %s}\n'


def suite_of(rules: Rules, changed: dict[str, list[Case]] | None = None) -> Files:
    """A suite without minimal sets, some of its tiers replaced."""
    found = {tier: list(cases(rules, tier)) for tier in DEFAULT} | (changed or {})
    texts = {f"plain/{tier}.jsonl": lines(kept) for tier, kept in found.items()}
    entries = {path: FileEntry(path[6:-6], text.count("\n"), digest(text.encode())) for path, text in texts.items()}
    tiers = {entry.tier: path for path, entry in entries.items()}
    texts |= dict(described()) | {"plain/cells.json": pretty(cells(reference_of(rules)))}
    manifest = Manifest("", 1, SUITE, {"plain": RuleEntry("", tiers, {})}, entries, {})
    return {path: text.encode() for path, text in texts.items()} | {"manifest.json": msgspec.json.encode(manifest)}


@pytest.fixture(scope="module")
def plain(plain_rules: MakeRules) -> Rules:
    return plain_rules()


@pytest.fixture(scope="module")
def good(plain: Rules) -> Files:
    return suite_of(plain)


def test_a_suite_as_it_should_be_has_nothing_wrong(good: Files, plain: Rules) -> None:
    assert list(lint(good, [plain])) == []


def test_a_tier_without_a_file_is_told(good: Files, plain: Rules) -> None:
    """Else whoever takes a file away, and its entry, has a suite that is in order."""
    manifest = msgspec.json.decode(good["manifest.json"], type=Manifest)
    del manifest.files["plain/bets.jsonl"]
    files = {**good, "manifest.json": msgspec.json.encode(manifest)}
    del files["plain/bets.jsonl"]
    told = "plain: the manifest has no file for the tier bets: run `baccarat-oracle fixtures build`"
    assert list(lint(files, [plain])) == [told]
    del manifest.rules["plain"].tiers["bets"]
    files["manifest.json"] = msgspec.json.encode(manifest)
    assert "plain: no cases of the tier bets" in " ".join(check_suite(files, [plain]))


def test_cases_nested_too_deep_are_told() -> None:
    deep = b'{"id":"x","more":' + b"[" * 5_000 + b"]" * 5_000 + b"}\n"
    with pytest.raises(msgspec.DecodeError, match="nested too deep"):
        read_cases(deep)
    with pytest.raises(OracleError, match="manifest.json can't be read"):
        read_manifest({"manifest.json": deep})


@pytest.mark.slow
def test_each_fault_of_form_is_told(good: Files, plain: Rules) -> None:
    def told(path: str, old: bytes, new: bytes) -> str:
        return " ".join(lint({**good, path: good[path].replace(old, new, 1)}, [plain]))

    bets = "plain/bets.jsonl"
    assert "has not the bytes" in told(bets, b'"1"', b'"2"')
    assert "is not written as cases are: fields that none has" in told(bets, b'"kind":"bets",', b'"kind":"bets","x":1,')
    assert "is not written as cases are" in told(bets, b'"kind":"bets",', b'"kind": "bets",')
    assert "Invalid enum value 'best'" in told(bets, b'"kind":"bets"', b'"kind":"best"')
    assert "Expected `bool | null`, got `str`" in told(bets, b'"legal":true', b'"legal":"yes"')
    assert "expects nothing" in told(bets, b'"legal":true', b"")
    assert "cards or stakes that can't be read" in told(bets, b'{"player":"', b'{"player":"1/0 ')
    assert "or not six cards" in told("plain/totals.jsonl", b'"cells"', b'"cards":["8S"],"cells"')
    assert "has the tag `" in told(bets, b'"tags":["', b'"tags":["un')
    assert "plain/cells.json is not as it should be" in told("plain/cells.json", b"draw", b"darw")
    assert "tags.json is not as it should be" in told("tags.json", b"natural", b"unnatural")
    more = {**good, "plain/new.jsonl": b"", "bare\x1b.json": b""}
    problems = list(lint(more, [plain]))
    assert problems == [f"{name} belongs to nothing in the manifest" for name in ("bare\\x1b.json", "plain/new.jsonl")]


def test_answers_that_disagree_are_told(plain: Rules) -> None:
    """The same bets in two tiers, which no file sees alone."""
    (first, *_) = cases(plain, "bets")
    other = msgspec.structs.replace(first, expect=Answer(legal=not first.expect.legal))
    problems = list(lint(suite_of(plain, {"settlement": [*cases(plain, "settlement"), other]}), [plain]))
    assert problems == [f"plain: {first.id} is expected to be answered in two ways"]


def test_a_statement_that_no_case_makes_speak_is_told(plain: Rules) -> None:
    few = [case for case in cases(plain, "totals") if "banker_draw 6/7" not in case.cells]
    few = [case for case in few if "banker_draw 6/6" not in case.cells]
    nothing: list[Case] = []
    problems = " ".join(lint(suite_of(plain, {"totals": few, "settlement": nothing, "bets": nothing}), [plain]))
    assert "no case comes to what banker/16, " in problems
    lost = [clause.id for clause in unfired(reference_of(plain), few)]
    assert lost == [
        "banker/16",
        *(c.id for c in plain.clauses if c.statement in ("outcome", "pays", "commission", "together")),
    ]


def test_statements_about_shoes_and_sessions_have_to_speak_too(plain_rules: MakeRules) -> None:
    """Of a fresh shoe and of one coup, where the rules shuffle before each later coup and end with the second."""
    said = [
        EXTRA.replace(", when: {%s}", "") % ("decks", "decks", "8"),
        EXTRA % ("later", "reshuffle", "coup: later", "shuffle"),
        EXTRA % ("second", "session_end", "coups: 2", "end"),
    ]
    rules = plain_rules(add="".join(said))
    asked = [*cases(rules, "shoe"), *cases(rules, "session")]
    short = [case for case in asked if not case.dealt and len(case.steps) < 2]
    lost = [{clause.id for clause in unfired(reference_of(rules), few)} & {"later", "second"} for few in (asked, short)]
    assert lost == [set(), {"later", "second"}]


ADDED = [
    ("banker_draw", "banker2: 0", "draw"),  # masked
    ("pays", "bet: tie", '"8:1"'),  # speaks
    ("player_draw", "player2: 8", "draw"),  # unreachable
    ("bets_together", "count: 9", "allowed"),  # dead: there are three bets
    ("natural", "natural: none", "continue"),  # speaks
]


@pytest.mark.parametrize(("about", "when", "then"), mostly_slow(ADDED, *ADDED[:2]))
def test_what_speaks_or_is_reported_by_check_is_not_told(
    plain_rules: MakeRules, about: str, when: str, then: str
) -> None:
    rules = plain_rules(add=EXTRA % ("extra", about, when, then))
    assert list(lint(suite_of(rules), [rules])) == []


def test_what_a_resolution_sets_aside_is_not_told(plain_rules: MakeRules) -> None:
    twice = BLOCKS["together"] + EXTRA % ("never", "bets_together", "count: 2", "refused")
    fill = """\
resolutions:
  - {id: pairs-go, about: bets_together, when: {count: 2}, then: allowed, instead_of: [never], because: chosen}
"""
    rules = plain_rules({"together": twice}, tail=fill)
    assert list(lint(suite_of(rules), [rules])) == []


def test_the_command_looks_at_any_folder(
    tmp_path: Path, good: Files, capsys: pytest.CaptureFixture[str], plain_text: MakeText
) -> None:  # type: ignore[no-untyped-def]
    (tmp_path / "specs").mkdir()
    (tmp_path / "specs" / "plain.yaml").write_text(plain_text())
    for path, data in good.items():
        (tmp_path / "suite" / path).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / "suite" / path).write_bytes(data)
    lint_it = ["fixtures", "lint", "--specs", str(tmp_path / "specs"), "--fixtures", str(tmp_path / "suite")]
    assert run(lint_it) == 0
    assert capsys.readouterr().out == f"{len(good)} files, in order\n"
    (tmp_path / "suite" / "tags.json").unlink()
    assert run(lint_it) == 1
    assert capsys.readouterr().out == "tags.json is missing: run `baccarat-oracle fixtures build`\n"
    (tmp_path / "suite" / "manifest.json").write_text("{}")
    assert run(lint_it) == 2
    assert "manifest.json can't be read" in capsys.readouterr().err


def test_the_shipped_suite_is_in_order(capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["fixtures", "lint", "--fixtures", str(ROOT / "fixtures")]) == 0

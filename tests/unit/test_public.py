"""The public functions, one for each command, called from Python: their results, and what their errors name."""

from __future__ import annotations

import gc
import inspect
import json
import subprocess
import sys
from fractions import Fraction
from pathlib import Path

import msgspec
import pytest

import oracle
from oracle.conformance.evidence.index import digest_subjects
from oracle.conformance.evidence.verify import verify
from oracle.conformance.evidence.write import plan_evidence, write_evidence
from oracle.report.odds.odds_formats import FORMATS, render_odds
from oracle.report.run.run_files import REPORTS, run_files
from oracle.rules.library import Library

ROOT = Path(__file__).resolve().parents[2]
VARIANTS = ROOT / "tests" / "variants"
FAKE = (sys.executable, "-S", str(ROOT / "tests" / "conformance" / "fake.py"))
RIGHT = oracle.TestRequest(rules="home-pt", command=(*FAKE, "right"), tiers=("minimal",))
WRONG = oracle.TestRequest(rules="home-pt", command=(*FAKE, "stands-on-three"), tiers=("minimal",))


# --- check ---------------------------------------------------------------------------------------------


def test_check_takes_ids_files_and_specs(library: Library) -> None:
    one = oracle.check("home-pt", solvers="none", claims=False)
    assert [report.source for report in one.reports] == ["home-pt"]
    spec = library.spec("home-pt")
    same = oracle.check(ROOT / "specs" / "home-pt.yaml", spec, spec, solvers="none", claims=False, library=library)
    assert [report.source for report in same.reports] == ["home-pt"], "one source, however it is named"
    assert same.reports[0].verdicts == one.reports[0].verdicts


def test_findings_of_check_are_results() -> None:
    found = oracle.check(ROOT / "tests" / "golden" / "faulty.yaml", solvers="none", claims=False)
    assert found.exit == 1
    assert "conflict" in {finding.code for report in found.reports for finding in report.findings}
    assert found.document is None
    assert found.sentences == ()


def test_check_names_what_it_doesnt_know() -> None:
    with pytest.raises(oracle.UnknownName, match="no source `home-tp`: .*home-pt"):
        oracle.check("home-tp", solvers="none")
    with pytest.raises(oracle.UnknownName, match="z4"):
        oracle.check("home-pt", solvers="z4")
    with pytest.raises(oracle.SpecError, match=r"missing\.yaml"):
        oracle.check("missing.yaml")
    with pytest.raises(oracle.OracleError, match="one source, not with 2"):
        oracle.check("home-pt", "grid-pt", solvers="none", document=Path("a.txt"))


# --- compare -------------------------------------------------------------------------------------------


def test_compare_takes_two_or_more(library: Library) -> None:
    found = oracle.compare("home-pt", library.find_rule_set("punto-es")[1].id, solvers="none", library=library)
    assert [(pair.a, pair.b) for pair in found.pairs] == [("home-pt", "punto-es")]
    assert found.complete
    rules = oracle.load_rules("grid-pt")
    three = oracle.compare("home-pt", ROOT / "specs" / "punto-es.yaml", rules, solvers="none")
    assert [(pair.a, pair.b) for pair in three.pairs] == [
        ("home-pt", "punto-es"), ("home-pt", "grid-pt"), ("punto-es", "grid-pt"),
    ]  # fmt: skip


def test_compare_refuses_a_rule_set_alone() -> None:
    with pytest.raises(oracle.OracleError, match="home-pt alone can't be compared: name two"):
        oracle.compare("home-pt")
    with pytest.raises(oracle.OracleError, match="home-pt is compared with itself"):
        oracle.compare("home-pt", "home-pt")
    with pytest.raises(oracle.UnknownName, match="no rule set `home-tp`"):
        oracle.compare("home-tp", "home-pt")


# --- odds ----------------------------------------------------------------------------------------------


def test_odds_have_the_published_edge() -> None:
    """Wizard of Odds, baccarat, appendix 1: eight decks."""
    found = oracle.odds("home-pt")
    assert isinstance(found, oracle.OddsSummary)
    assert found.total == 4998398275503360
    assert round(float(found.bets["banker"].odds.edge), 6) == 0.010579
    assert list(found.bets) == ["player", "banker", "tie"]
    assert found.details is None


def test_odds_of_a_shoe_that_lacks_cards() -> None:
    gone = oracle.parse_cards("9 9 8")
    found = oracle.odds(oracle.load_rules("home-pt"), "6 decks", gone=gone, bets=["tie"], everything=True)
    assert isinstance(found, oracle.OddsSummary)
    assert (found.shoe.cards, found.gone, list(found.bets)) == (309, tuple(gone), ["tie"])
    details = found.details
    assert details is not None
    assert sum(details.ends.values()) == found.total == sum(found.outcomes.values())
    assert details.removal is not None
    assert set(details.removal["9"]) == {"tie"}
    low, high = details.ranges["tie"][0]
    assert low < found.bets["tie"].odds.payback < high


def test_free_cells_give_every_way_to_play_them() -> None:
    rules = oracle.load_rules("chemin-de-fer", folders=[VARIANTS])
    every = oracle.odds(rules, "8 decks")
    assert isinstance(every, oracle.Replies)
    assert (every.rules, len(every.lines)) == ("chemin-de-fer", 2 ** len(every.cells))
    one = oracle.odds(rules, "8 decks", choices=["player=draw", "banker=stand"])
    assert isinstance(one, oracle.OddsSummary)
    assert {str(cell) for cell in one.strategy} == {str(cell) for cell in every.cells}


@pytest.mark.parametrize(
    ("options", "error", "words"),
    [
        ({"bets": ["dragon"]}, oracle.UnknownName, "dragon"),
        ({"shoe": "8 deks"}, oracle.BadShoe, "8 deks"),
        ({"shoe": "A=6", "gone": oracle.parse_cards("K")}, oracle.BadShoe, "K"),
        ({"choices": ["player=draw"]}, oracle.UnknownName, "nothing free at `player`"),
        ({"choices": ["player"]}, oracle.BadChoice, "player"),
    ],
)
def test_odds_say_what_doesnt_fit(options: dict[str, object], error: type[Exception], words: str) -> None:
    with pytest.raises(error, match=words):
        oracle.odds("home-pt", **options)


@pytest.mark.parametrize("form", FORMATS)
def test_every_format_renders_the_same_summary_without_counting(form: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """Nothing below `oracle.report` may count: with counting broken the text is the same."""
    found = oracle.odds("home-pt", everything=True)
    due = render_odds(found, form)
    for name in ("oracle.odds.counts.Odds.__init__", "oracle.odds.removal.removal", "oracle.odds.bets.over_stakes"):
        monkeypatch.setattr(name, lambda *_: pytest.fail("counted again"))
    assert render_odds(found, form) == due
    assert due.endswith("\n")


# --- run_test ------------------------------------------------------------------------------------------


def test_a_right_and_a_wrong_program() -> None:
    assert oracle.run_test(RIGHT).verdict == "agrees"
    told: list[int] = []
    wrong = oracle.run_test(WRONG, tell=lambda record: told.append(sum(record.counts.values())))
    assert (wrong.verdict, wrong.exit) == ("differs", 1)
    assert any("banker_draw 3/7" in fault.cells for fault in wrong.faults)
    assert told
    assert wrong.log.header.target == ("--", *WRONG.command)


def test_the_log_lives_as_long_as_the_summary_or_where_it_was_wanted(tmp_path: Path) -> None:
    summary = oracle.run_test(WRONG)
    path = summary.log.path
    assert list(summary.log.lines())
    del summary
    gc.collect()
    assert not path.parent.exists()
    kept = oracle.run_test(msgspec.structs.replace(WRONG, log=tmp_path / "log.ndjson"))
    assert kept.log.path == tmp_path / "log.ndjson"
    del kept
    gc.collect()
    assert (tmp_path / "log.ndjson").is_file()


@pytest.mark.parametrize(
    ("request_", "error", "words"),
    [
        (oracle.TestRequest(rules="home-pt"), oracle.OracleError, "one of command, function and results"),
        (msgspec.structs.replace(RIGHT, function="a:b"), oracle.OracleError, "one of command, function and results"),
        (msgspec.structs.replace(RIGHT, adaptive=True), oracle.OracleError, "neither tiers, only nor results"),
        (msgspec.structs.replace(RIGHT, rules="home-tp"), oracle.UnknownName, "no rule set `home-tp`"),
        (msgspec.structs.replace(RIGHT, tiers=("minmal",)), oracle.UnknownName, "no tier `minmal`: .*minimal"),
        (msgspec.structs.replace(RIGHT, only=("nope",)), oracle.UnknownName, "no case nope"),
        (msgspec.structs.replace(RIGHT, known=Path("nowhere.jsonl")), oracle.OracleError, "nowhere.jsonl"),
        (msgspec.structs.replace(RIGHT, command=(), results=Path("no.csv")), oracle.OracleError, "no.csv"),
        (msgspec.structs.replace(RIGHT, specs=(Path("nowhere"),)), oracle.SpecError, "nowhere"),
    ],
)
def test_run_test_says_what_is_wrong_with_a_request(
    request_: oracle.TestRequest, error: type[Exception], words: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("tempfile.tempdir", str(tmp_path))
    with pytest.raises(error, match=words):
        oracle.run_test(request_)
    assert list(tmp_path.iterdir()) == [], "no log is left behind"


@pytest.mark.slow
def test_evidence_from_python(tmp_path: Path) -> None:
    """What is verified without rendering says so; with another summary's reports it is noticed."""
    library = Library(claims=False)
    subject = tmp_path / "fake.py"
    subject.write_bytes(Path(FAKE[-1]).read_bytes())
    plan = plan_evidence(tmp_path / "filed", WRONG, library=library, subjects=[subject])
    summary = oracle.run_test(WRONG, library=library)
    write_evidence(plan, summary, run_files(summary))
    found = verify(tmp_path / "filed", digest_subjects([subject]), render=run_files)
    assert (found.problems, found.notes) == ((), ())
    assert set(REPORTS) <= set(found.index.files)
    assert "nothing here renders them" in verify(tmp_path / "filed", {}).uncompared[0]
    other = verify(tmp_path / "filed", {}, render=lambda _: {"test.txt": "another"})
    assert other.problems == ("test.txt is not what its log comes to",)
    with pytest.raises(oracle.OracleError, match="is not empty"):
        plan_evidence(tmp_path / "filed", WRONG, library=library)
    subject.write_text("changed")
    again = plan_evidence(tmp_path / "other", WRONG, library=library, subjects=[subject])
    subject.write_text("changed again")
    with pytest.raises(oracle.OracleError, match="changed while it was tested"):
        write_evidence(again, summary, {})
    assert not (tmp_path / "other").exists()


# --- start_session, and what is public -----------------------------------------------------------------


def test_a_session_starts_with_what_the_rules_give() -> None:
    session = oracle.start_session(oracle.load_rules("home-pt"), ["ana", "rui"])
    assert isinstance(session, oracle.Session)
    assert [(p.name, p.balance) for p in session.participants] == [("ana", Fraction(0)), ("rui", Fraction(0))]
    with pytest.raises(oracle.OracleError, match="each once, none empty"):
        oracle.start_session(oracle.load_rules("home-pt"), ["ana", "ana"])


@pytest.mark.parametrize("name", ["check", "compare", "odds", "run_test", "start_session"])
def test_every_function_has_a_signature_and_words(name: str) -> None:
    function = getattr(oracle, name)
    assert inspect.signature(function).parameters
    assert inspect.getdoc(function)


def test_packages_that_are_called_stay_packages() -> None:
    """Whatever was imported first, `oracle.odds` and `oracle.compare` are called, and have their modules."""
    lines = (
        "import oracle.odds.counts, oracle.compare.run, oracle",
        "assert oracle.odds.counts.Odds and oracle.compare.run.Comparison",
        "from oracle import compare, odds",
        "print(len(odds('home-pt').bets), len(compare('home-pt', 'punto-es', solvers='none').pairs))",
    )
    for first in (lines, ("import oracle; oracle.odds", *lines)):
        done = subprocess.run([sys.executable, "-c", "\n".join(first)], capture_output=True, text=True, check=True)
        assert done.stdout == "3 1\n"


def test_a_request_is_data() -> None:
    """It can be written down and read again."""
    text = msgspec.json.encode(msgspec.to_builtins(WRONG, enc_hook=str))
    read = msgspec.convert(json.loads(text), oracle.TestRequest, dec_hook=lambda kind, value: kind(value))
    assert read == WRONG

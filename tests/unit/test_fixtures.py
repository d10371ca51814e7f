"""The committed suite and its certificates: each kind of damage is told, and what is said of minimal sets is true."""

from __future__ import annotations

import csv
import io
import json
from pathlib import Path

import msgspec
import pytest
from msgspec.structs import replace

from oracle.cases.case import Case
from oracle.cases.large_tiers import large_name
from oracle.cases.lint import certified, check_suite, lint
from oracle.cases.manifest import Certificate, FileEntry, Manifest, digest
from oracle.cases.meaning import meaning_digest
from oracle.cases.minimal import SETS, minimal
from oracle.cases.reference import Reference, reference_of
from oracle.cases.shipped import committed, read_cases
from oracle.cases.suite import TAGS, certificate
from oracle.cases.tiers import KEPT, LARGE, cases, silent
from oracle.cli import run
from oracle.game.rules import Rules
from oracle.programs.behaviour import play
from tests.conftest import BLOCKS, ROOT, MakeRules
from tests.nonempty import nonempty

REFUSED = """\
  - {id: one, cite: "22", says: one alone, about: bets_together, when: {count: "> 1"}, then: refused}
"""
TWO_NATURALS = """\
  - {id: player-stops, cite: "4", says: eight or nine, about: natural, when: {player2: 8-9}, then: stop}
  - {id: banker-stops, cite: "4", says: eight or nine, about: natural, when: {banker2: 8-9}, then: stop}
"""
FIXTURES = ROOT / "fixtures"
BESIDE = ("tags.json", "case.schema.json", "punto-es/cells.json")


@pytest.fixture(scope="module")
def home(shipped: dict[str, Rules]) -> Reference:
    return reference_of(shipped["home-pt"])


@pytest.fixture(scope="module")
def manifest() -> Manifest:
    return msgspec.json.decode((FIXTURES / "manifest.json").read_bytes(), type=Manifest)


def certificate_of(path: str) -> Certificate:
    place = FIXTURES / f"{path.removesuffix('.jsonl')}.certificate.json"
    return msgspec.json.decode(place.read_bytes(), type=Certificate)


def kept(path: str) -> list[Case]:
    return read_cases((FIXTURES / path).read_bytes())


@pytest.mark.parametrize("tier", SETS)
def test_a_minimal_set_is_as_large_as_its_bound_and_speaks_of_every_mutant(
    home: Reference, manifest: Manifest, tier: str
) -> None:
    path = manifest.rules["home-pt"].tiers[tier]
    known, found = certificate_of(path), kept(path)
    assert len(found) == known.cases == len(known.bound) == len(set(known.bound))
    assert list(certified(home, SETS[tier], known, found)) == []


def test_certificates_that_are_wrong_are_told(home: Reference, manifest: Manifest) -> None:
    path = manifest.rules["home-pt"].tiers["minimal-cards"]
    known, found = certificate_of(path), kept(path)
    observables = SETS["minimal-cards"]

    def told(changed: Certificate, cases: list[Case] = found) -> str:
        return " ".join(certified(home, observables, changed, cases))

    flip = "flip banker_draw 3/8"
    other = next(id for mutant, id in known.shown.items() if mutant == "flip banker_draw 6/6")
    assert f"{other} doesn't show `{flip}`" in told(replace(known, shown={**known.shown, flip: other}))
    shown = {mutant: id for mutant, id in known.shown.items() if mutant != flip}
    assert flip in told(replace(known, shown=shown))
    assert f"`{flip}` can be seen" in told(replace(known, shown=shown, unseen=(*known.unseen, flip)))
    twice = tuple("flip player_draw 3" if id == flip else id for id in known.bound)
    assert "show in one coup" in told(replace(known, bound=twice))
    assert "121 cases, and 120 mutants" in told(replace(known, bound=known.bound[1:]))
    assert "it is for winner" in told(replace(known, observables=("winner",)))


@pytest.mark.parametrize(
    "id", ["natural-both-goes-on", "winner naturals-player=banker", "winner lower", "flip natural 8/3"]
)
def test_coups_that_a_mutant_plays_otherwise_are_all_found(home: Reference, id: str) -> None:
    """Also where only those are tried that come to what it changes."""
    domain = home.domain
    mutant = next(mutant for mutant in home.mutants if mutant.id == id)
    found = dict(domain.differing(mutant))
    some = range(0, len(domain.coups), 23)
    due = {i: play(mutant.behaviour, domain.coups[i]) for i in some}
    assert {i: found[i] for i in some if i in found} == {i: due[i] for i in some if due[i] != domain.played[i]}
    assert any(i in found for i in some)


def test_no_case_of_a_minimal_set_can_be_left_out(home: Reference, manifest: Manifest) -> None:
    path = manifest.rules["home-pt"].tiers["minimal-cards"]
    known, found = certificate_of(path), kept(path)
    needed = {known.shown[id] for id in known.bound}
    assert needed == {case.id for case in found}


def test_each_kind_of_damage_to_a_suite_is_told(shipped: dict[str, Rules], manifest: Manifest) -> None:
    path = manifest.rules["punto-es"].tiers["bets"]
    text = (FIXTURES / path).read_bytes()

    def told(data: bytes | None) -> list[str]:
        entry = replace(manifest.files[path], sha256=digest(data or b""), cases=(data or b"").count(b"\n"))
        small = replace(
            manifest,
            rules={"punto-es": replace(manifest.rules["punto-es"], tiers={"bets": path})},
            files={path: entry},
        )
        files = {name: (FIXTURES / name).read_bytes() for name in BESIDE}
        files |= {"manifest.json": msgspec.json.encode(small)} | ({} if data is None else {path: data})
        wanted = ("punto-es: no case comes to", "punto-es: no cases of the tier")  # the suite here has bets alone
        return [line for line in check_suite(files, [shipped["punto-es"]]) if not line.startswith(wanted)]

    assert told(text) == []
    assert told(None) == [f"{path} is missing: run `baccarat-oracle fixtures build`"]
    first, *rest = text.splitlines(keepends=True)
    case = msgspec.json.decode(first, type=Case)
    wrong = msgspec.json.encode(replace(case, expect=replace(case.expect, legal=not case.expect.legal))) + b"\n"
    assert any("answer 1 cases otherwise" in line for line in told(wrong + b"".join(rest)))
    assert any("comes twice" in line for line in told(first + text))
    assert any(
        "is not the id of what it asks" in line for line in told(text.replace(case.id.encode(), b"bets-000000000000"))
    )
    assert any("has the tag `new`" in line for line in told(text.replace(b'"sets"', b'"new"', 1)))
    assert any("doesn't ask what the tier bets asks" in line for line in told(b"".join(rest)))
    assert any(path in line for line in told(first[:-5]))
    silent = {"punto-es": replace(manifest.rules["punto-es"], tiers={}, silent={})}
    unsaid = {"manifest.json": msgspec.json.encode(replace(manifest, rules=silent, files={}))}
    assert any(
        "tells otherwise of tiers that have no cases" in line for line in check_suite(unsaid, [shipped["punto-es"]])
    )
    changed = {"manifest.json": msgspec.json.encode(manifest), path: text + b" "}
    assert f"{path} has not the bytes that the manifest names" in list(lint(changed, []))
    assert next(iter(lint({"manifest.json": b"{"}, []))).startswith("manifest.json can't be read")


def test_the_meaning_changes_with_an_answer_and_not_with_words(plain_rules: MakeRules) -> None:
    def meaning(rules: Rules) -> str:
        return meaning_digest(reference_of(rules))

    now = meaning(plain_rules())
    worded = plain_rules({"natural": TWO_NATURALS})
    assert meaning(worded) == now
    paid = plain_rules({"pays": BLOCKS["pays"].replace("8:1", "9:1")})
    assert meaning(paid) != now
    table = plain_rules({"banker": BLOCKS["banker"].replace("player_third: 6-7", "player_third: 7")})
    assert meaning(table) != now
    taken = plain_rules({"together": BLOCKS["together"].replace('">= 1"', "1")}, add=REFUSED)
    assert meaning(taken) != now


def test_kept_sets_are_used_for_rules_of_the_same_meaning_alone(
    home: Reference, manifest: Manifest, plain_rules: MakeRules
) -> None:
    assert committed(home, "minimal") == kept(manifest.rules["home-pt"].tiers["minimal"])
    assert [c.id for c in cases(home.rules, "minimal")] == [c.id for c in kept("home-pt/minimal.jsonl")]
    assert committed(home, "settlement") is not None
    assert committed(home, "unheard-of") is None


@pytest.mark.exhaustive
@pytest.mark.parametrize("tier", SETS)
def test_minimal_sets_are_found_again_to_the_byte(home: Reference, manifest: Manifest, tier: str) -> None:
    found = minimal(home, SETS[tier])
    path = manifest.rules["home-pt"].tiers[tier]
    assert list(found.cases) == kept(path)
    assert certificate(found) == certificate_of(path)


def test_every_rule_set_has_every_tier_or_says_why_not(manifest: Manifest, shipped: dict[str, Rules]) -> None:
    assert set(manifest.rules) == set(shipped)
    for name, entry in nonempty(manifest.rules.items()):
        assert {*entry.tiers, *entry.silent} == set(KEPT), f"{name}: run `baccarat-oracle fixtures build`"
        assert not set(entry.tiers) & set(entry.silent)
        assert set(entry.large) == set(LARGE)
        assert all(silent(shipped[name], tier) == why for tier, why in entry.silent.items())
        assert all(path in manifest.files for path in entry.tiers.values())


def test_tags_are_explained_and_used(manifest: Manifest) -> None:
    used = {tag for path in manifest.files for case in kept(path) for tag in case.tags}
    assert used == set(TAGS) == set(json.loads((FIXTURES / "tags.json").read_text()))


def test_export_prints_rows_that_results_are_read_from(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    asked = ["fixtures", "export", "--rules", "punto-es", "--tier", "settlement", "--tier", "bets", "--csv"]
    assert run(asked) == 0
    rows = list(csv.DictReader(io.StringIO(capsys.readouterr().out)))
    assert len(rows) == sum(len(kept(f"punto-es/{tier}.jsonl")) for tier in ("settlement", "bets"))
    assert "winner" not in rows[0]
    assert run([*asked, "--answers"]) == 0
    file = tmp_path / "mine.csv"
    answers = list(csv.DictReader(io.StringIO(capsys.readouterr().out)))
    names = [name for name in answers[0] if name == "id" or name not in rows[0]]
    with file.open("w", newline="") as stream:
        writer = csv.DictWriter(stream, names, extrasaction="ignore")
        writer.writeheader()
        writer.writerows(answers)
    told = ["test", "--rules", "punto-es", "--tier", "settlement", "--tier", "bets", "--results", str(file)]
    assert run(told) == 0
    file.write_text(file.read_text().replace("true", "false"))
    capsys.readouterr()
    assert run(told) == 1


def test_bad_use_is_told(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["fixtures", "check", "--fixtures", str(tmp_path)]) == 2
    assert "holds no suite: there is no manifest.json" in capsys.readouterr().err
    assert run(["fixtures", "build", "--rules", "home-pt"]) == 2
    assert "give --out DIR" in capsys.readouterr().err
    assert run(["fixtures", "export", "--rules", "home-pt", "--tier", "total"]) == 2
    assert "no tier `total`: did you mean `totals`?" in capsys.readouterr().err


def test_large_tiers_are_made_anew_where_they_are_asked_for(
    manifest: Manifest, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    entries = {entry.sha256: entry for entry in manifest.large.values()}
    made: list[str] = []

    def as_known(reference: Reference, tier: str) -> FileEntry:
        made.append(large_name(reference, tier))
        return entries[manifest.large[made[-1]].sha256]

    monkeypatch.setattr("oracle.cases.lint.large_entry", as_known)
    for other in ("lint", "_rule_set"):
        monkeypatch.setattr(f"oracle.cases.lint.{other}", lambda *_: iter(()))
    assert run(["fixtures", "check"]) == 0
    assert capsys.readouterr().out.endswith("\nnot made anew: ranks, values; --all takes these too\n")
    assert made == []
    assert run(["fixtures", "check", "--tier", "ranks"]) == 0
    assert "44 files and 3,317,539 cases made anew, as the rules have them\nnot made anew: values;" in (
        capsys.readouterr().out
    )
    assert sorted(made) == [name for name in sorted(manifest.large) if "/ranks" in name]
    assert run(["fixtures", "check", "--all"]) == 0
    assert "not made anew" not in capsys.readouterr().out
    assert set(made) == set(manifest.large)
    one = manifest.large[made[0]]
    monkeypatch.setattr("oracle.cases.lint.large_entry", lambda *_: one)
    assert run(["fixtures", "check", "--all"]) == 1
    told = {line.partition(" is not what the manifest says: run ")[0] for line in capsys.readouterr().out.splitlines()}
    assert told == {name for name, entry in manifest.large.items() if entry != one}
    assert run(["fixtures", "check", "--tier", "totals"]) == 2
    assert "no large tier `totals`" in capsys.readouterr().err


def test_rules_that_leave_something_open_have_no_fixtures(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    variants = str(ROOT / "tests" / "variants")
    assert run(["fixtures", "export", "--specs", variants, "--rules", "chemin-de-fer", "--tier", "totals"]) == 2
    assert "free choice" in capsys.readouterr().err

"""`check --format sarif`, `junit` and `json`: shapes that other programs rely on."""

from __future__ import annotations

import json
import os
import re
import subprocess
from collections.abc import Callable
from pathlib import Path
from typing import Any
from xml.etree import ElementTree as ET

import jsonschema
import pytest

from oracle.checks.codes import CODES
from oracle.cli import run
from oracle.report.check.check_sarif import FINGERPRINT
from tests.conftest import missing

ROOT = Path(__file__).resolve().parents[2]
TOOL = ROOT / ".venv" / "npm" / "node_modules" / "@microsoft"

CONFLICT = """\
  - {id: never, cite: "22", says: never on five, about: player_draw, when: {player2: 5}, then: stand}
"""


def printed(capsys: pytest.CaptureFixture[str], *args: str, code: int = 0) -> str:
    assert run(["check", *args, "--solvers", "none"]) == code
    return capsys.readouterr().out


def sarif(capsys: pytest.CaptureFixture[str], *args: str, code: int = 0) -> dict[str, Any]:
    found: dict[str, Any] = json.loads(printed(capsys, *args, "--format", "sarif", code=code))
    return found


@pytest.fixture
def faulty(plain_text: Callable[..., str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A spec with one conflict, in a folder of its own below the current one."""
    monkeypatch.chdir(tmp_path)
    path = tmp_path / "my specs" / "plain.yaml"
    path.parent.mkdir()
    path.write_text(plain_text(add=CONFLICT), encoding="utf-8")
    return path


def test_a_conflict_has_two_places_counted_from_one_with_exclusive_ends(
    faulty: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    log = sarif(capsys, "my specs/plain.yaml", code=1)
    (result,) = [entry for entry in log["runs"][0]["results"] if entry["ruleId"] == "conflict"]
    lines = faulty.read_text(encoding="utf-8").splitlines()

    def text(location: dict[str, Any]) -> str:
        region = location["physicalLocation"]["region"]
        assert region["startLine"] == region["endLine"]
        return lines[region["startLine"] - 1][region["startColumn"] - 1 : region["endColumn"] - 1]

    assert [text(place) for place in result["locations"]] == [CONFLICT.strip().removeprefix("- {")]
    assert [text(place) for place in result["relatedLocations"]] == ['cite: "6", when: {player2: 0-5}, then: draw}']
    assert "player/6 (line 6): draw" in result["relatedLocations"][0]["message"]["text"]
    assert (result["level"], result.get("suppressions")) == ("error", [])
    uris = {p["physicalLocation"]["artifactLocation"]["uri"] for p in result["locations"] + result["relatedLocations"]}
    assert uris == {"my%20specs/plain.yaml"}
    assert "P 5 K" in result["message"]["text"]
    assert log["runs"][0]["columnKind"] == "unicodeCodePoints"
    assert log["runs"][0]["invocations"][0] == {"executionSuccessful": True, "exitCode": 1}


def test_no_path_is_absolute_however_the_spec_is_named(faulty: Path, capsys: pytest.CaptureFixture[str]) -> None:
    text = json.dumps(sarif(capsys, str(faulty), code=1))
    assert str(faulty.parent.parent) not in text
    assert '"uri": "/' not in text


def test_a_fingerprint_stays_when_lines_move_and_changes_with_what_is_found(
    faulty: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    def prints() -> dict[str, str]:
        log = sarif(capsys, "my specs/plain.yaml", code=1)
        return {
            entry["message"]["text"]: entry["partialFingerprints"][FINGERPRINT] for entry in log["runs"][0]["results"]
        }

    before = prints()
    text = faulty.read_text(encoding="utf-8")
    faulty.write_text(text.replace("statements:\n", "# a comment\n\nstatements:\n", 1), encoding="utf-8")
    assert prints() == before
    faulty.write_text(
        text.replace("when: {player2: 5}, then: stand", "when: {player2: 4}, then: stand"), encoding="utf-8"
    )
    after = prints()
    assert set(after.values()) != set(before.values())
    assert len(set(before.values())) == len(before)


@pytest.mark.slow
def test_what_is_closed_is_suppressed_with_its_reason(capsys: pytest.CaptureFixture[str]) -> None:
    log = sarif(capsys)
    results = log["runs"][0]["results"]
    errors = [entry for entry in results if entry["level"] == "error"]
    assert errors
    for entry in errors:
        (suppression,) = entry["suppressions"]
        assert suppression["kind"] == "inSource"
        assert suppression["justification"]
    assert all("suppressions" not in entry for entry in results if entry["level"] == "note")
    prints = [entry["partialFingerprints"][FINGERPRINT] for entry in results]
    assert len(set(prints)) == len(prints)
    for entry in results:
        assert log["runs"][0]["tool"]["driver"]["rules"][entry["ruleIndex"]]["id"] == entry["ruleId"]


def test_every_code_is_a_rule_that_says_how_it_is_closed(faulty: Path, capsys: pytest.CaptureFixture[str]) -> None:
    rules = sarif(capsys, str(faulty), code=1)["runs"][0]["tool"]["driver"]["rules"]
    assert [rule["id"] for rule in rules] == list(CODES)
    for rule, code in zip(rules, CODES.values(), strict=True):
        assert rule["help"]["text"] == code.closed_by != ""
        assert code.means in rule["fullDescription"]["text"]
        assert rule["defaultConfiguration"] == {"level": code.level}


def test_what_could_not_be_completed_is_no_success(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    import oracle.solver.worker

    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(oracle.solver.worker, "COMMAND", ("false",))
    assert run(["check", "home-pt", "--solvers", "z3", "--no-claims", "--format", "sarif"]) == 3
    invocation = json.loads(capsys.readouterr().out)["runs"][0]["invocations"][0]
    assert invocation["executionSuccessful"] is False
    assert "ended without an answer" in invocation["toolExecutionNotifications"][0]["message"]["text"]


# --- the official schema and its validator ----------------------------------------------------------


@pytest.fixture
def multitool() -> Path:
    """The validator with its schema."""
    found = sorted(TOOL.glob("sarif-multitool-*/Sarif.Multitool"))
    if not found:
        missing("sarif", "no SARIF multitool here: `make sarif-multitool` gets it")
    return found[0]


def complaints(multitool: Path, log: dict[str, Any], folder: Path) -> list[str]:
    """What the validator says; it ends in 0 whatever it finds, so its output is read."""
    path = folder / "check.sarif"
    path.write_text(json.dumps(log), encoding="utf-8")
    ran = subprocess.run(
        [multitool, "validate", "--rule-kind", "Sarif;Ghas", path],
        capture_output=True,
        text=True,
        check=False,
        env={**os.environ, "DOTNET_SYSTEM_GLOBALIZATION_INVARIANT": "1"},
    )
    assert "1 files scanned" in ran.stdout, ran.stdout + ran.stderr
    return re.findall(r"(?:error|warning) (\w+: .*)", ran.stdout)


@pytest.mark.downstream
def test_the_official_schema_accepts_it(multitool: Path, faulty: Path, capsys: pytest.CaptureFixture[str]) -> None:
    schema = json.loads(multitool.with_name("sarif-2.1.0.json").read_text(encoding="utf-8"))
    validator = jsonschema.validators.validator_for(schema)(schema)
    for log in (sarif(capsys), sarif(capsys, str(faulty), code=1)):
        assert [error.message for error in validator.iter_errors(log)] == []
    log["runs"][0]["results"][0]["locations"][0]["physicalLocation"]["region"]["startLine"] = 0
    assert [error.message for error in validator.iter_errors(log)]


@pytest.mark.downstream
def test_the_multitool_has_nothing_to_say(
    multitool: Path, tmp_path: Path, faulty: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """But that the tool names no page of its own, which it has none of."""
    for log in (sarif(capsys), sarif(capsys, str(faulty), code=1)):
        assert {said.split(":")[0] for said in complaints(multitool, log, tmp_path)} <= {"SARIF2005"}
    log["version"] = "2.1.9"
    assert any(said.startswith("JSON") for said in complaints(multitool, log, tmp_path))


# --- JUnit and JSON -----------------------------------------------------------------------------------


def test_junit_has_a_case_for_each_question_and_claim(capsys: pytest.CaptureFixture[str]) -> None:
    root = ET.fromstring(printed(capsys, "home-pt", "--format", "junit"))
    suites = {suite.attrib["name"]: suite for suite in root}
    home = suites["baccarat-oracle home-pt"]
    names = [case.attrib["name"] for case in home]
    assert "banker_draw: 88 of 88 cells (496 states), 19 by otherwise" in names
    assert "claim five-draws: verified" in names
    assert (home.attrib["failures"], home.attrib["errors"]) == ("0", "0")
    assert int(home.attrib["tests"]) == len(names)
    (engines,) = suites["baccarat-oracle engines"]
    assert engines.find("skipped") is not None, "nobody confirmed anything"


def test_junit_fails_where_a_finding_is_open(faulty: Path, capsys: pytest.CaptureFixture[str]) -> None:
    root = ET.fromstring(printed(capsys, str(faulty), "--format", "junit", code=1))
    failed = [case for case in root.iter("testcase") if case.find("failure") is not None]
    assert [case.attrib["name"].split(":")[0] for case in failed] == ["player_draw"]
    failure = failed[0].find("failure")
    assert failure is not None
    assert "conflict: player and never disagree" in failure.attrib["message"]
    assert root[0].attrib["failures"] == "1"


def test_an_open_finding_of_no_question_fails_too(
    plain_text: Callable[..., str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(tmp_path)
    accepted = "accepted:\n  - {finding: dead nothing, because: x}\n"
    Path("plain.yaml").write_text(plain_text(tail=accepted), encoding="utf-8")
    root = ET.fromstring(printed(capsys, "plain.yaml", "--format", "junit", code=1))
    failed = [case.attrib["name"] for case in root.iter("testcase") if case.find("failure") is not None]
    assert failed == ["nothing else is open"]


@pytest.mark.parametrize(
    ("name", "args"),
    [
        ("check", ("check", "--solvers", "none")),
        ("compare", ("compare", "home-pt", "punto-es", "--solvers", "none")),
        ("compare", ("compare", "--solvers", "none")),
    ],
)
@pytest.mark.slow
def test_json_outputs_keep_to_their_schema(
    name: str, args: tuple[str, ...], capsys: pytest.CaptureFixture[str]
) -> None:
    assert run(["schema", name]) == 0
    schema = json.loads(capsys.readouterr().out)
    assert schema["$schema"] == "https://json-schema.org/draft/2020-12/schema"
    jsonschema.Draft202012Validator.check_schema(schema)
    run([*args, "--format", "json"])
    found = json.loads(capsys.readouterr().out)
    validator = jsonschema.Draft202012Validator(schema)
    assert [error.message for error in validator.iter_errors(found)] == []
    assert list(validator.iter_errors({**found, "surprise": 1}))
    assert list(validator.iter_errors({key: value for key, value in found.items() if key != "format"}))

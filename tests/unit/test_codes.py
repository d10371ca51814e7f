"""The registry of codes: each is whole, is documented, and is found in a spec that is at fault in its way."""

from __future__ import annotations

import re
from collections.abc import Callable
from pathlib import Path

import msgspec
import pytest

from oracle.checks.claim_context import ClaimContext
from oracle.checks.codes import _ALL, ACCEPTABLE, CODES, Code
from oracle.checks.finding import Finding
from oracle.checks.run import check_spec
from oracle.rules.library import Library
from oracle.rules.link import Base
from oracle.rules.model import Extends
from oracle.rules.nodes import SpecFile
from oracle.rules.read import read_spec_text
from oracle.spans import Span
from tests.conftest import BLOCKS, HEAD
from tests.unit.findings import HALF

MakeText = Callable[..., str]

NAMES = sorted(CODES)
PLAYER = "  - {id: low, cite: '6', says: x, about: player_draw, when: {player2: 0-5}, then: draw}\n"
ZERO = "  - {id: zero, cite: '22', says: x, about: player_draw, when: {player2: 0}, then: draw}\n"
FIVE = "  - {id: five, cite: '22', says: x, about: player_draw, when: {player2: 5}, then: stand}\n"
FREE = "  - {id: free, cite: '7', says: x, about: player_draw, when: {player2: 6-7}, then: draw | stand}\n"
NINE = "  - {id: nine, cite: '22', says: x, about: player_draw, when: {player2: 8-9}, then: stand}\n"
STOP = "  - {id: natural, cite: '4', says: x, about: natural, then: stop}\n"
CHIPS = """\
  - id: chips
    cite: "22"
    says: x
    cases:
      - {about: chips, then: [5, 25]}
      - {about: stake, when: {stake: 5-100, in_chips: yes}, then: allowed}
      - {about: stake, when: {stake: not 5-100}, then: refused}
      - {about: stake, when: {in_chips: no}, then: refused}
"""
CLAIM = "claims:\n  - {id: wrong, cite: '5', says: x, kind: answers, about: player_draw, then: stand}\n"
RESOLUTION = "resolutions:\n  - {id: r, about: player_draw, when: {player2: 4-6}, then: stand, because: x}\n"
OTHER = "  - {id: free, cite: '1', says: x, about: other, then: the table is green}\n"
ENDLESS = "  - {id: endless, cite: '22', says: x, about: decks, then: endless}\n"
OWN = "kind: disputed, by: plain 3"
HIGH = "  - {id: high, cite: '7', says: x, about: player_draw, when: {player2: 6-7}, then: stand}\n"

# By code: changes of the plain game that bring it about, as the fixture `plain_text` takes them, and its subject.
FAULTS: dict[str, tuple[dict[str, str | None], dict[str, str], str]] = {
    "gap": ({"player": PLAYER}, {}, "player_draw"),
    "conflict": ({}, {"add": FIVE}, "player_draw"),
    "ambiguous": ({"pays": HALF}, {}, "pays"),
    "undecided": ({"player": PLAYER + FREE}, {}, "player_draw"),
    "dead": ({}, {"add": NINE}, "nine"),
    "vacuous": ({"natural": STOP}, {}, "player_draw"),
    "false-claim": ({}, {"tail": CLAIM}, "wrong"),
    "chips": ({}, {"add": CHIPS}, "banker"),
    "unaccounted": ({}, {"head": HEAD.replace("lines: 22", f"lines: 23, sha256: {'0' * 64}")}, "23"),
    "not-encoded": (dict.fromkeys(BLOCKS), {"add": OTHER}, "plain"),
    "stated-and-silent": ({}, {"tail": "silent:\n  - {cite: '5', because: x}\n"}, "5"),
    "self-claim": ({}, {"tail": CLAIM.replace("kind: answers, about: player_draw, then: stand", OWN)}, "wrong"),
    "no-bet": ({"together": BLOCKS["together"].replace("allowed", "refused")}, {}, "plain"),
    "shadowed": ({}, {"tail": "extends: {source: home-pt, questions: [decks]}\n"}, "home-pt"),
    "overrides-clear": (
        {},
        {"tail": RESOLUTION.replace("4-6", "5").replace("because", "instead_of: [player], because")},
        "r",
    ),
    "yielded-conflict": (
        {"player": PLAYER.replace("then", "yields_to: [five], then") + HIGH},
        {"add": FIVE},
        "low",
    ),
    "refuted-invariant": ({"pays": BLOCKS["pays"].replace("8:1", "80:1")}, {"add": ENDLESS}, "no-gift"),
    "unneeded-resolution": ({}, {"tail": RESOLUTION.replace("4-6", "6-7")}, "r"),
    "overriding-resolution": ({"player": PLAYER + HIGH}, {"tail": RESOLUTION}, "r"),
    "unneeded-acceptance": ({}, {"tail": "accepted:\n  - {finding: dead player/6, because: x}\n"}, "dead player/6"),
    "miscounted-acceptance": (
        {},
        {"add": NINE, "tail": "accepted:\n  - {finding: dead nine, cases: 2, because: x}\n"},
        "dead nine",
    ),
    "masked": ({}, {"add": ZERO}, "zero"),
    "overlap": ({}, {"add": ZERO}, "player_draw"),
    "assumed": ({"commission": None}, {}, "commission"),
}


def lend(file: SpecFile, extends: Extends) -> Base:
    """The shipped source, as if it lay beside the spec in place of another file."""
    spec = Library().spec(extends.source)
    return Base(spec, spec.rule_sets[0], "beside.yaml is taken, not shipped.yaml")


def found(text: str) -> list[Finding]:
    """What `check` finds, claims and all."""
    spec = read_spec_text(text, name="plain.yaml", find_base=lend)
    return list(check_spec(spec, context=ClaimContext([spec])).findings)


@pytest.mark.parametrize("name", NAMES)
def test_every_code_is_found_in_a_spec_that_is_at_fault_so_and_not_in_one_that_isnt(
    plain_text: MakeText, name: str
) -> None:
    assert name in FAULTS, f"no spec here shows {name}"
    changes, parts, subject = FAULTS[name]
    (finding,) = (f for f in found(plain_text(changes, **parts)) if (f.code, f.subject) == (name, subject))
    assert (finding.level, finding.status) == (CODES[name].level, "open")
    assert [f for f in found(plain_text()) if (f.code, f.subject) == (name, subject)] == []


@pytest.mark.parametrize("name", NAMES)
def test_what_may_be_accepted_can_be_and_nothing_else(plain_text: MakeText, name: str) -> None:
    changes, parts, subject = FAULTS[name]
    if " " in subject:  # an entry names one word, so no acceptance can be accepted
        assert not CODES[name].acceptable
        return
    entry = f"accepted:\n  - {{finding: {name} {subject}, because: so it is}}\n"
    findings = found(plain_text(changes, **{**parts, "tail": parts.get("tail", "") + entry}))
    (finding,) = (f for f in findings if (f.code, f.subject) == (name, subject))
    wanted = ("accepted", "so it is") if CODES[name].acceptable else ("open", "")
    assert (finding.status, finding.because) == wanted
    unneeded = [f.help for f in findings if f.code == "unneeded-acceptance" and f.subject == f"{name} {subject}"]
    assert len(unneeded) == (not CODES[name].acceptable)
    assert all(", ".join(ACCEPTABLE) in help for help in unneeded)


def test_specs_at_fault_are_those_of_codes_that_there_are() -> None:
    assert set(FAULTS) <= set(CODES)
    assert len(CODES) == len(_ALL), "a name is used once"


@pytest.mark.parametrize("code", _ALL, ids=lambda code: code.name)
def test_a_code_has_all_of_its_fields(code: Code) -> None:
    assert re.fullmatch(r"[a-z]+(-[a-z]+)*", code.name)
    assert all(value not in ("", None) for value in msgspec.structs.asdict(code).values())
    assert code.level in ("error", "note")
    assert code.means[0].islower()
    assert not code.means.endswith(".")
    assert re.fullmatch(r"[A-Z].*\.", code.closed_by)
    if code.level == "error":
        assert ("accept the finding with the reason" in code.closed_by) == code.acceptable
    else:
        assert code.closed_by.startswith("Nothing has to be done")


def test_a_code_has_no_field_that_may_be_left_out() -> None:
    assert all(field.required for field in msgspec.structs.fields(Code))


def test_the_guide_to_the_language_lists_every_code_with_what_the_registry_says(root: Path) -> None:
    text = (root / "docs" / "language.md").read_text(encoding="utf-8")
    rows = [
        "| code | level | what was found | may be accepted | what closes it |",
        "|---|---|---|---|---|",
        *(f"| {c.name} | {c.level} | {c.means} | {'yes' if c.acceptable else 'no'} | {c.closed_by} |" for c in _ALL),
    ]
    table = text.partition("## Findings\n")[2].partition("\n## ")[0]
    assert [line for line in table.splitlines() if line.startswith("|")] == rows


def test_a_finding_of_an_unknown_code_has_no_level() -> None:
    finding = Finding("no-such", "plain", "", "x", "x", Span("plain.yaml", 1, 1, 1, 2))
    with pytest.raises(KeyError):
        _ = finding.level

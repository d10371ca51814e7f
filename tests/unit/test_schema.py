"""The JSON Schema for editors: up to date, and of one mind with the reader as far as a schema can be."""

from __future__ import annotations

import datetime as dt
import json
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Any

import jsonschema
import pytest
import yaml

from oracle.rules.forms import FORMS
from oracle.rules.questions import FIELDS, QUESTIONS
from oracle.rules.read import read_spec_text
from oracle.rules.schema import _KINDS, schema_text, spec_schema
from tests.nonempty import nonempty

ROOT = Path(__file__).resolve().parents[2]
SPECS = ROOT / "specs"
BAD = ROOT / "tests" / "bad_specs"
CASES = sorted(path.relative_to(BAD).as_posix() for pattern in ("*.yaml", "*/main.yaml") for path in BAD.glob(pattern))
# What only the reader sees: how the YAML is written, whether numbers and names fit together, and other files.
READER_ONLY = {
    *("alias", "anchor", "duplicate-key", "merge-key", "tag"),
    *(
        "cite-outside",
        "backwards-range",
        "empty-set-comparison",
        "ragged-grid",
        "unknown-letter",
        "grid-overlap-row",
    ),
    *(
        "duplicate-id",
        "unknown-id",
        "unknown-rule-set",
        "cyclic-yields",
        "idle-yields",
        "duplicate-entry-line",
    ),
    *("answered-twice", "nothing-borrowed", "unknown-source", "cyclic-extends", "unknown-question-base"),
    *("bad-answer-choice", "bad-answer-for-one", "bad-cite-range", "bad-grid-one-field", "bad-number-line"),
    *("bad-value-finding", "bad-value-row"),
}
# YAML makes the boolean of `true` that it makes of `yes`.
TEXT_ONLY = {"bad-value-yes", "merge-key"}
# What isn't one YAML document, or one that no loader gets to the end of.
NO_YAML = {"control-character", "documents", "encoding", "not-a-key", "not-yaml", "tab", "too-deep-far"}
LOADERS = (yaml.CSafeLoader, yaml.BaseLoader)


def as_json(node: object) -> object:
    """What YAML made of a file, as JSON has it: keys are texts, dates too."""
    if isinstance(node, dict):
        return {str(key): as_json(value) for key, value in node.items()}
    if isinstance(node, list):
        return [as_json(item) for item in node]
    return str(node) if isinstance(node, dt.date) else node


@pytest.fixture(scope="module")
def validator() -> jsonschema.Draft202012Validator:
    return jsonschema.Draft202012Validator(spec_schema())


def test_committed_schema_is_up_to_date() -> None:
    assert (SPECS / "spec.schema.json").read_text(encoding="utf-8") == schema_text(), "stale: make regenerate"


@pytest.mark.slow
def test_schema_is_a_schema_of_the_dialect_that_it_names() -> None:
    schema = json.loads(schema_text())
    assert schema["$schema"] == "https://json-schema.org/draft/2020-12/schema"
    jsonschema.Draft202012Validator.check_schema(schema)
    assert schema_text().endswith("}\n")
    assert schema_text() == schema_text()


def test_every_spec_names_the_schema() -> None:
    for path in nonempty(SPECS.glob("*.yaml")):
        first = path.read_text(encoding="utf-8").splitlines()[0]
        assert first == "# yaml-language-server: $schema=spec.schema.json", path.name


@pytest.mark.parametrize("loader", LOADERS, ids=lambda loader: loader.__name__)
@pytest.mark.parametrize("path", sorted(SPECS.glob("*.yaml")), ids=lambda path: path.stem)
def test_shipped_spec_is_accepted_typed_or_as_text(
    path: Path, loader: type[yaml.SafeLoader], validator: jsonschema.Draft202012Validator
) -> None:
    """Whether an editor makes 481 of 8:1 and False of no, or leaves them alone."""
    node = as_json(yaml.load(path.read_text(encoding="utf-8"), loader))
    assert [f"{error.json_path}: {error.message}" for error in validator.iter_errors(node)] == []


def refused(case: str, validator: jsonschema.Draft202012Validator) -> Iterator[tuple[str, bool]]:
    """For each way that YAML can be loaded, whether the schema refuses what comes out."""
    for loader in LOADERS:
        try:
            node = as_json(yaml.load((BAD / case).read_bytes(), loader))
        except (yaml.YAMLError, ValueError, RecursionError):
            continue
        yield loader.__name__, not validator.is_valid(node)


def named(name: str, codes: Iterable[str]) -> bool:
    """Whether a bad spec is about one of these codes."""
    return any(name == code or name.startswith(f"{code}-") for code in codes)


@pytest.mark.parametrize("case", CASES)
def test_schema_refuses_what_is_wrong_in_structure(case: str, validator: jsonschema.Draft202012Validator) -> None:
    name = case.removesuffix("/main.yaml").removesuffix(".yaml")
    beyond = named(name, READER_ONLY)
    found = list(refused(case, validator))
    assert bool(found) != named(name, NO_YAML), "what no loader reads the schema never sees"
    for loader, wrong in found:
        if name in TEXT_ONLY:
            assert wrong == (loader == "BaseLoader")
        else:
            assert wrong != beyond, loader


def test_every_key_is_described() -> None:
    schema = spec_schema()
    definitions = schema["$defs"]
    assert isinstance(definitions, dict)
    for form in FORMS.values():
        entry: dict[str, Any] = schema if form.name == "spec" else definitions[f"form_{form.name}"]
        assert set(entry["properties"]) == set(form.names())
        assert all(described["description"] for described in entry["properties"].values())
        assert entry["additionalProperties"] is False


def test_every_kind_question_and_field_has_a_schema() -> None:
    kinds = {key.kind for form in FORMS.values() for key in form.keys}
    assert {kind for kind in kinds if ":" not in kind} <= set(_KINDS)
    definitions = spec_schema()["$defs"]
    assert isinstance(definitions, dict)
    for name in QUESTIONS:
        assert {f"about_{name}", f"guard_{name}", f"answer_{name}"} <= set(definitions)
    assert {f"field_{name}" for name in FIELDS} <= set(definitions)


STATEMENT = {"id": "a", "cite": "1", "says": "x"}
SOURCE = {"id": "a", "title": "t", "language": "en", "lines": 9}


@pytest.mark.parametrize(
    "entry",
    [
        {"about": "decks", "then": 8},
        {"about": "decks", "then": "endless"},
        {"about": "pays", "when": {"bet": "tie"}, "then": 481},  # 8:1 in YAML 1.1
        {"about": "pays", "when": {"bet": "tie"}, "then": "19:20"},
        {"about": "commission", "then": 0},
        {"about": "commission", "then": "2.5 %"},
        {"about": "banker_draw", "when": {"player_drew": False, "banker2": 7}, "then": "draw | stand"},
        {"about": "banker_draw", "when": {"player_third": ["none", "8-9", 0]}, "then": "draw"},
        {"about": "banker_draw", "when": {"player_third": "not 8", "banker2": "<= 5"}, "then": "draw"},
        {"about": "card_points", "when": {"rank": [10, "J", "q", "2-9", "t"]}, "then": "0"},
        {
            "about": "bets_together",
            "when": {"tie": True, "lucky_six": "no", "player_pair": "yes"},
            "then": "refused",
        },
        {"about": "reshuffle", "when": {"remaining": "<= 15%"}, "then": "shuffle"},
        {"about": "session_end", "when": {"balance": "< -5", "coups": "multiple of 10"}, "then": "end"},
        {"about": "other", "then": True},
        {"when": {"tie": True}, "cases": [{"about": "bets_together", "then": "refused"}]},
        {"about": "winner", "cases": [{"about": "outcome", "when": {"bet": "tie"}, "then": "win"}]},
        {"about": "hand_total", "readings": {"a": {"then": "units"}, "b": {"cases": [{"then": 0}]}}},
    ],
)
def test_valid_statement_is_accepted(entry: dict[str, object], validator: jsonschema.Draft202012Validator) -> None:
    validator.validate({"source": SOURCE, "statements": [STATEMENT | entry]})


@pytest.mark.parametrize(
    "entry",
    [
        {"about": "pays", "then": 8},
        {"about": "pays", "then": 0.95},
        {"about": "banker_draw", "when": {"bet": "tie"}, "then": "draw"},  # a field of other questions
        {
            "about": "banker_draw",
            "when": {"tie": "yes"},
            "then": "draw",
        },  # a bet is one of bets_together alone
        {"about": "banker_draw", "cases": [{"when": {"bet": "tie"}, "then": "draw"}]},  # inherited
        {"about": "banker_draw", "cases": [{"then": "hit"}]},
        {"about": "banker_draw", "cases": [{"then": "draw"}], "otherwise": {"then": "hit"}},
        {"about": "hand_total", "readings": {"a": {"then": "units"}, "b": {"cases": [{"then": "x"}]}}},
        {"about": "decks", "when": {"coup": "first"}, "then": 8},
        {"cases": [{"then": 8}]},
    ],
)
def test_answer_and_guard_are_measured_by_the_question(
    entry: dict[str, object], validator: jsonschema.Draft202012Validator
) -> None:
    assert not validator.is_valid({"source": SOURCE, "statements": [STATEMENT | entry]})


@pytest.mark.parametrize("loader", LOADERS, ids=lambda loader: loader.__name__)
@pytest.mark.parametrize(
    "claim",
    [
        'kind: coup, cards: 4H 2S 9C AD 8D, expect: {player_drew: yes}, by: {banker_draw: "21"}',
        "kind: coup, cards: [10, 2, 9c, T♥], bets: {banker: 20}, net: {banker: 19}",
        "kind: arithmetic, cards: 4 9 8, sum: 21, total: 1",
        "kind: arithmetic, cards: 9, total: 9",
        "kind: answers, about: player_draw, when: {player2: 0-5}, then: draw",
        "kind: ends, when: {winner: tie}, then: {player_cards: 2-3}",
        "kind: compare, measure: edge, of: banker, is: less, than: every other bet",
        "kind: compare, measure: frequency, of: {winner: banker}, is: more, than: {winner: player}",
        'kind: bound, measure: frequency, of: {winner: tie}, is: "< 10%"',
        "kind: same, as: home-pt, differs: [pays, commission]",
        "kind: exists, about: banker_draw, when: {banker2: 3}, then: draw",
        "kind: invariant, about: banker_draw, depends_on: [banker2, player_third]",
        "kind: consecutive, is: independent",
        "kind: disputed, by: home-pt 5.1",
        "kind: not-checkable, because: nobody can know",
    ],
)
def test_valid_claim_is_accepted_by_both(
    claim: str, loader: type[yaml.SafeLoader], validator: jsonschema.Draft202012Validator
) -> None:
    text = f"""\
source: {{id: a, title: t, language: en, lines: 9}}
statements: []
claims:
  - {{id: b, cite: "1", says: x, {claim}}}
"""
    read_spec_text(text)
    validator.validate(as_json(yaml.load(text, loader)))

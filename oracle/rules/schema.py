"""The JSON Schema of a spec, for editors: generated from the forms, questions and fields of the reader.

The reader is the authority. The schema accepts whatever it accepts, whether an editor takes `8:1`, `no` and
`26.1` for texts, numbers or booleans, and refuses wrong structure: keys, kinds, questions, fields, answers.
"""

from __future__ import annotations

import json
from collections.abc import Iterable

from oracle.rules.claims import DECIDED, DEPENDENCES, EXPECTED, MEASURES, RELATIONS
from oracle.rules.conventions import CONVENTIONS
from oracle.rules.document import NOTATIONS
from oracle.rules.forms import FORMS, Form
from oracle.rules.questions import FIELDS, LANGUAGE_VERSION, QUESTIONS, SIDES, YES_NO, Field, Question
from oracle.rules.read_guard import BET_FIELDS
from oracle.rules.statements import BODIES, MAX_READINGS

Schema = dict[str, object]

_DIALECT = "https://json-schema.org/draft/2020-12/schema"
_BET = "[a-z][a-z0-9_]{0,39}"
_ID = "^[a-z0-9][a-z0-9-]{0,59}$"
_WHOLE = "-?[0-9]{1,9}"
_RANK = "(?:[2-9]|10|[AaTtJjQqKk])"
_LINES = "[0-9]{1,6}(?:-[0-9]{1,6})?"
_PERCENT = r"[0-9]{1,6}(?:\.[0-9]{1,6})? ?%"
_SHARE = r"0*(?:[0-9]{1,2}(?:\.[0-9]{1,6})?|100(?:\.0{1,6})?) ?%"
_SCALARS = ["string", "integer", "number", "boolean"]


def schema_text() -> str:
    """The schema as JSON text, the same for the same language."""
    return json.dumps(spec_schema(), indent=1, ensure_ascii=False) + "\n"


def spec_schema() -> Schema:
    """The schema of a spec, JSON Schema 2020-12."""
    definitions: Schema = {f"form_{form.name}": _form(form) for form in FORMS.values() if form.name != "spec"}
    definitions["form_claim"] = _claim()
    definitions |= {f"field_{field.name}": _field(field) for field in FIELDS.values()}
    definitions["guard"] = _any_guard()
    definitions["answer"] = _one_or_list({"type": _SCALARS})
    definitions["by_question"] = {"allOf": [_if_about(question) for question in QUESTIONS.values()]}
    for question in QUESTIONS.values():
        definitions |= _question(question)
    return {
        "$schema": _DIALECT,
        "$comment": "Generated from oracle/rules by `baccarat-oracle schema`; do not edit.",
        "title": f"A spec of baccarat rules, language version {LANGUAGE_VERSION}",
        **_form(FORMS["spec"]),
        "$defs": definitions,
    }


# --- forms ------------------------------------------------------------------------------------


def _form(form: Form) -> Schema:
    schema: Schema = {
        "type": "object",
        "properties": {key.name: {"description": key.help, **_kind(key.kind)} for key in form.keys},
        "required": [key.name for key in form.keys if key.required],
        "additionalProperties": False,
    }
    shape = _SHAPES.get(form.name, {})
    if not shape and "about" in form.names():
        shape = {"allOf": [_ref("by_question")]}
    if form.name.startswith("claim-"):
        shape = {**shape, "anyOf": [_require("cite")]}
    return schema | shape


def _claim() -> Schema:
    """A claim: the form that its kind names."""
    kinds = [form.name.removeprefix("claim-") for form in FORMS.values() if form.name.startswith("claim-")]
    return {
        "type": "object",
        "required": ["kind"],
        "properties": {"kind": {"enum": kinds}},
        "allOf": [
            {"if": {"properties": {"kind": {"const": kind}}}, "then": _ref(f"form_claim-{kind}")} for kind in kinds
        ],
    }


def _kind(kind: str) -> Schema:
    """The schema of what a key of this kind may hold."""
    nesting, _, name = kind.partition(":")
    if nesting == "form":
        return _ref(f"form_{name}")
    if nesting == "list":
        least = {"minItems": 1} if name == "case" else {}
        return {"type": "array", **least, "items": _ref(f"form_{name}")}
    if nesting == "named":
        bounds = {"minProperties": 1}
        if name == "reading":
            bounds = {"minProperties": 2, "maxProperties": MAX_READINGS}
        names = {"propertyNames": {"pattern": _ID}}
        return {"type": "object", **bounds, **names, "additionalProperties": _ref(f"form_{name}")}
    return _KINDS.get(kind, {})


def _ref(name: str) -> Schema:
    return {"$ref": f"#/$defs/{name}"}


def _one_or_list(one: Schema, **of_list: object) -> Schema:
    return {"anyOf": [one, {"type": "array", "minItems": 1, **of_list, "items": one}]}


def _text(pattern: str, *numbers: Schema) -> Schema:
    """Text of this pattern, or what YAML may have made a number of."""
    text: Schema = {"type": "string", "pattern": f"^(?:{pattern})$"}
    return {"anyOf": [text, *numbers]} if numbers else text


def _whole(low: int, high: int | None = None) -> Schema:
    bound: Schema = {} if high is None else {"maximum": high}
    return _text("[0-9]{1,9}", {"type": "integer", "minimum": low, **bound})


def _line(low: int = 1) -> Schema:
    return {"type": "integer", "minimum": low}


_QUESTION: Schema = {"enum": list(QUESTIONS)}
_TEXT: Schema = {"type": _SCALARS, "minLength": 1}
_NAME: Schema = {"type": ["string", "integer"], "minLength": 1}

_ENDS: Schema = {"allOf": [_ref("guard_outcome"), {"properties": {"bet": False}}]}
_KINDS: dict[str, Schema] = {
    "text": _TEXT,
    "id": _text(_ID.strip("^$"), {"type": "integer"}),
    "count": _whole(1),
    "hex": _text("[0-9a-f]{64}"),
    "cites": _one_or_list(_text(r"\s*[0-9]{1,6}(?:\.[0-9]{1,4}|-[0-9]{1,6})?\s*", {"type": "number", "minimum": 1})),
    "lines": _one_or_list(_text(rf"\s*{_LINES}\s*", _line())),
    "range": _text(rf"\s*{_LINES}\s*", _line()),
    "sentences": {
        "type": "object",
        "minProperties": 1,
        "propertyNames": {"pattern": f"^{_LINES}$"},
        "additionalProperties": _whole(0, 1000),
    },
    "names": _one_or_list(_NAME, uniqueItems=True),
    "question": _QUESTION,
    "questions": _one_or_list(_QUESTION, uniqueItems=True),
    "guard": _ref("guard"),
    "answer": _ref("answer"),
    "notation": {"enum": list(NOTATIONS)},
    "convention": {"enum": list(CONVENTIONS)},
    "choosers": {
        "type": "object",
        "minProperties": 1,
        "properties": {
            question.name: {"enum": list(SIDES)} for question in QUESTIONS.values() if question.answer == "actions"
        },
        "additionalProperties": False,
    },
    "columns": {
        "type": "object",
        "minProperties": 1,
        "maxProperties": 1,
        "additionalProperties": {
            "type": "array",
            "minItems": 1,
            "uniqueItems": True,
            "items": {"type": _SCALARS},
        },
    },
    "rows": {
        "type": "object",
        "minProperties": 1,
        "maxProperties": 1,
        "additionalProperties": {"type": "object", "minProperties": 1, "additionalProperties": _TEXT},
    },
    "legend": {"type": "object", "minProperties": 1, "additionalProperties": _ref("answer")},
    "cards": _one_or_list(_TEXT),
    "words": {"type": "object", "minProperties": 1, "additionalProperties": _TEXT},
    "ends": _ENDS,
    "measured": {"anyOf": [_TEXT, _ENDS]},
}


def _require(*names: str) -> Schema:
    return {"required": list(names)}


def _without(*names: str) -> Schema:
    return {"properties": dict.fromkeys(names, False)}


_UNCITED: Schema = {
    "if": {"not": _require("cite")},
    "then": {"properties": {"then": False, "cases": {"items": _require("cite")}}},
}
_UNASKED: Schema = {
    "if": {"not": _require("about")},
    "then": {
        "properties": {
            "then": False,
            "grid": False,
            "otherwise": False,
            "cases": {"items": _require("about")},
        }
    },
}

# What forms ask for beyond their keys.
_SHAPES: dict[str, Schema] = {
    "statement": {
        "allOf": [_ref("by_question"), _UNCITED, _UNASKED],
        "oneOf": [_require(body) for body in BODIES],
        "dependentSchemas": {"otherwise": {"anyOf": [_require("cases"), _require("grid")]}},
    },
    "case": {"required": ["then"], "allOf": [_ref("by_question")]},
    "reading": {"allOf": [_ref("by_question")], "oneOf": [_require("then"), _require("cases")]},
    "resolution": {
        "allOf": [_ref("by_question")],
        "oneOf": [
            _require("choose", "reading", "id") | _without("about", "when", "then", "instead_of", "convention"),
            _require("about", "then", "id") | _without("choose", "reading", "convention"),
            _require("convention") | _without("about", "when", "then", "instead_of", "choose", "reading"),
        ],
    },
}


_CARD_RANK = "(?:10|[2-9AaTtJjQqKk])"
_CARD = f"{_CARD_RANK}[CDHScdhs♣♦♥♠]?"
_EVERY: Schema = {"const": "every other bet"}


def _cards(card: str) -> Schema:
    return {"properties": {"cards": _one_or_list(_text(rf"[\s,]*{card}(?:[\s,]+{card})*[\s,]*", _line(2)))}}


def _measures(claimed: Schema) -> list[Schema]:
    """What an edge and a frequency are taken of."""
    ends, bet = _ref("guard_outcome"), _text(rf"\s*{_BET}\s*")
    return [
        {"properties": {"measure": {"enum": list(MEASURES)}, "is": claimed}},
        {
            "if": {"properties": {"measure": {"const": "frequency"}}},
            "then": {"properties": {"of": ends, "than": {"anyOf": [ends, _EVERY]}}},
            "else": {"properties": {"of": bet, "than": {"anyOf": [bet, _EVERY]}}},
        },
    ]


_SHAPES |= {
    "claim-coup": {
        "allOf": [
            _cards(_CARD),
            {
                "properties": {
                    "expect": {"propertyNames": {"enum": list(EXPECTED)}},
                    "by": {"propertyNames": {"enum": list(DECIDED)}},
                }
            },
            *(
                {
                    "if": {"properties": {"by": {"required": [question]}}, "required": ["by"]},
                    "then": {"required": ["bets"]},
                }
                for question in DECIDED
                if QUESTIONS[question].stage == "money"
            ),
        ]
    },
    "claim-arithmetic": {"allOf": [_cards(_CARD_RANK)]},
    "claim-ends": {"oneOf": [{"required": ["then"]}, {"required": ["some"]}]},
    "claim-compare": {
        "allOf": [
            *_measures({"enum": list(RELATIONS)}),
            {
                "if": {"properties": {"than": {"type": "string"}}, "required": ["than"]},
                "then": {"properties": {"measure": {"const": "edge"}}},
            },
        ]
    },
    "claim-bound": {"allOf": _measures(_text(r"(?:<=|>=|<|>|=)\s?[0-9]{1,3}(?:\.[0-9]{1,6})?\s?%"))},
    "claim-consecutive": {"allOf": [{"properties": {"is": {"enum": list(DEPENDENCES)}}}]},
    "claim-disputed": {
        "allOf": [{"properties": {"by": _text(r"\s*[^\s]+\s+[0-9]{1,6}(?:\.[0-9]{1,4}|-[0-9]{1,6})?\s*")}}]
    },
}


# --- questions --------------------------------------------------------------------------------


def _if_about(question: Question) -> Schema:
    return {
        "if": {"properties": {"about": {"const": question.name}}, **_require("about")},
        "then": _ref(f"about_{question.name}"),
    }


def _question(question: Question) -> Schema:
    """What being about a question asks of a block, and of the cases inside it that are about the same."""
    answer, inherits = _ref(f"answer_{question.name}"), _ref(f"inherits_{question.name}")
    axis: Schema = {"propertyNames": _field_names(question)}
    return {
        f"about_{question.name}": {
            "properties": {
                "then": answer,
                "otherwise": {"properties": {"then": answer}},
                "grid": {
                    "properties": {
                        "legend": {"additionalProperties": answer},
                        "columns": axis,
                        "rows": axis,
                    }
                },
                "cases": {"items": inherits},
                "readings": {"additionalProperties": inherits},
            },
            "if": {"anyOf": [_require("then"), _require("grid")]},
            "then": {"properties": {"when": _ref(f"guard_{question.name}")}},
        },
        f"inherits_{question.name}": {
            "if": {"not": _require("about")},
            "then": _ref(f"about_{question.name}"),
        },
        f"guard_{question.name}": _guard(question),
        f"answer_{question.name}": {"description": f"The {question.title}.", **_answer(question)},
    }


def _answer(question: Question) -> Schema:
    options = "|".join(question.options)
    number = _whole(0)
    match question.answer:
        case "actions":
            return _text(rf"\s*(?:{options})(?:\s*\|\s*(?:{options}))*\s*")
        case "choice":
            return {"enum": list(question.options)}
        case "points":
            return _text("[0-9]|face", {"type": "integer", "minimum": 0, "maximum": 9})
        case "total":
            return _text("[0-9]|units|sum", {"type": "integer", "minimum": 0, "maximum": 9})
        case "odds":
            # YAML 1.1 makes 481 of 8:1; no odds come out below 60.
            return _text(rf"\s*(?:[0-9]{{1,6}} ?: ?0*[1-9][0-9]{{0,5}}|{_PERCENT})\s*", _line(60))
        case "share":
            return _text(rf"\s*(?:0|{_SHARE})\s*", {"const": 0})
        case "number":
            return number
        case "numbers":
            return _one_or_list(number, uniqueItems=True)
        case "bets":
            return _one_or_list(_text(_BET), uniqueItems=True)
        case "decks":
            return _text("0*(?:[1-9][0-9]?|100)|endless", {"type": "integer", "minimum": 1, "maximum": 100})
        case "burn":
            return _text("[0-9]{1,9}|first card", _line(0))
        case "rounding":
            return _text(r"\s*(?:exact|(?:up|down|nearest)\s+(?:to\s+)?[0-9]{1,9})\s*")
        case _:
            return _TEXT


# --- guards -----------------------------------------------------------------------------------


def _field_names(question: Question) -> Schema:
    if question.name == "bets_together":
        return {"pattern": f"^{_BET}$"}
    return {"enum": list(question.fields)} if question.fields else {"not": {}}


def _guard(question: Question) -> Schema:
    """The guard of a block that is about this question."""
    names = _field_names(question)
    return {
        "type": "object",
        "minProperties": 1,
        "propertyNames": names,
        "properties": _fields(question.fields),
    }


def _any_guard() -> Schema:
    """A guard around cases that are about several questions; a bet's name is a field of bets_together."""
    placed = _sets(YES_NO, "")
    fields = _fields(FIELDS)
    for name in BET_FIELDS:
        fields[name] = {"anyOf": [_ref(f"field_{name}"), placed]}
    return {
        "type": "object",
        "minProperties": 1,
        "propertyNames": {"pattern": f"^{_BET}$"},
        "properties": fields,
        "additionalProperties": {"description": "whether this bet is placed", **placed},
    }


def _fields(names: Iterable[str]) -> Schema:
    return {name: _ref(f"field_{name}") for name in names}


def _field(field: Field) -> Schema:
    """The sets of values that a guard may ask of a field."""
    if field.kind == "ranks":
        schema = _sets((), rf"{_RANK}(?:\s?-\s?{_RANK})?", {"type": "integer", "minimum": 2, "maximum": 10})
    elif field.kind == "bet":
        schema = _sets((), _BET)
    elif field.kind == "names":
        schema = _sets([str(value) for value in field.domain], "")
    else:
        words = [value for value in field.domain if isinstance(value, str)]
        numbers = [value for value in field.domain if isinstance(value, int)]
        bounds = {"minimum": numbers[0], "maximum": numbers[-1]} if numbers else {}
        whole = f"0*(?:{'|'.join(str(number) for number in numbers)})" if numbers else _WHOLE
        bound = f"(?:{_WHOLE}|{_SHARE})" if field.kind == "share" else _WHOLE
        pattern = rf"{whole}(?:\s?-\s?{whole})?|multiple\s+of\s+0*[1-9][0-9]{{0,8}}|(?:<=|>=|<|>)\s?{bound}"
        schema = _sets(words, pattern, {"type": "integer", **bounds})
    return {"description": field.help, **schema}


def _sets(words: Iterable[str], pattern: str, *others: Schema) -> Schema:
    """One value, or a list of them: one of the words or a text of the pattern, perhaps after `not`."""
    words = list(words)
    inner = "|".join([*words, *([pattern] if pattern else [])])
    if set(words) & set(YES_NO):
        others = (*others, {"type": "boolean"})
    return _one_or_list(_text(rf"\s*(?:any|(?:not\s+)?(?:{inner}))\s*", *others))

"""Reading what stands beside the statements: resolutions, choosers, accepted findings and so on."""

from __future__ import annotations

from oracle.rules.answers import Atom
from oracle.rules.conventions import CONVENTIONS
from oracle.rules.draft import Draft
from oracle.rules.fields import Fields, number, scalar
from oracle.rules.guard import Test
from oracle.rules.model import Accepted, Resolution, Silent
from oracle.rules.nodes import Node
from oracle.rules.questions import QUESTIONS, SIDES, Question
from oracle.rules.read_guard import read_guard
from oracle.text import did_you_mean

_MOST_STATES = 999_999_999
KINDS = ("choose", "convention", "then")
_STRANGE = {
    "choose": ("about", "when", "instead_of"),
    "convention": ("about", "when", "instead_of", "reading"),
    "then": ("reading",),
}


def read_resolution(draft: Draft, node: Node) -> Resolution | None:
    """A resolution of one of the three kinds; None if it is none of them."""
    file = draft.file
    fields = Fields.read(file, node, "resolution")
    kind = _kind(draft, fields) if fields is not None else ""
    if fields is None or not kind:
        return None
    convention = fields.text("convention")
    if convention and convention not in CONVENTIONS:
        what = f"unknown convention `{convention[:40]}`"
        help = did_you_mean(convention, CONVENTIONS)
        file.problem("unknown-convention", what, fields.place("convention"), help=help)
        return None
    name = fields.id() if "id" in fields else convention
    if "id" not in fields and kind != "convention":
        help = "add `id`: a name, unique in the file"
        file.problem("missing-key", "a resolution without `id`", fields.head, help=help)
    elif name:
        draft.register(name, fields.place("id") if "id" in fields else fields.place("convention"))
    partner = {"choose": "reading", "then": "about"}.get(kind, "")
    if partner and partner not in fields:
        help = {"reading": "add `reading`: the one chosen", "about": "add `about`: the question"}[partner]
        file.problem("missing-key", f"`{kind}` without `{partner}`", fields.keys[kind], help=help)
    question = draft.question(fields, None)
    guard, answer = _fill(draft, fields, question) if question is not None else ((), ())
    _refer(draft, fields)
    return Resolution(
        id=name,
        because=fields.text("because"),
        span=fields.head,
        tables=draft.tables(fields),
        choose=fields.text("choose"),
        reading=fields.text("reading"),
        question=question.name if question else "",
        guard=guard,
        answer=answer,
        instead_of=fields.names("instead_of"),
        convention=convention,
        source=draft.source_id,
    )


def _kind(draft: Draft, fields: Fields) -> str:
    """`choose`, `convention` or `then`; empty (with a problem) unless it is exactly one."""
    kinds = sorted((name for name in KINDS if name in fields), key=lambda name: fields.keys[name])
    help = "give `choose` and `reading`, or `about`, `when` and `then`, or `convention`"
    if not kinds:
        draft.file.problem("no-answer", "a resolution that resolves nothing", fields.head, help=help)
        return ""
    if len(kinds) > 1:
        what = f"a resolution with {' and '.join(f'`{kind}`' for kind in kinds)}"
        draft.file.problem("two-answers", what, fields.keys[kinds[1]], help=help)
        return ""
    for name in _STRANGE[kinds[0]]:
        if name in fields:
            what = f"`{name}` beside `{kinds[0]}`"
            draft.file.problem("two-answers", what, fields.keys[name], help=f"remove `{name}`; {help}")
    return kinds[0]


def _fill(draft: Draft, fields: Fields, question: Question) -> tuple[tuple[Test, ...], tuple[Atom, ...]]:
    """The states that a resolution decides, and how. Its odds are ours, always to one."""
    when, then = fields.get("when"), fields.get("then")
    answer = draft.answer(then, question, for_one=False) if then is not None else ()
    if then is not None and len(answer) > 1:
        what = "a resolution that leaves a choice"
        help = "resolve to one answer; who may choose is said in `choosers`"
        draft.file.problem("bad-answer", what, then.span, help=help)
    return read_guard(draft.file, when, question) if when is not None else (), answer


def _refer(draft: Draft, fields: Fields) -> None:
    """Note the names that a resolution uses."""
    draft.references.instead += fields.places("instead_of")
    chosen, reading = fields.text("choose"), fields.text("reading")
    if chosen:
        draft.references.chosen.append((chosen, fields.place("choose")))
        if reading:
            draft.references.readings.append((chosen, reading, fields.place("reading")))


def read_accepted(draft: Draft, node: Node) -> Accepted | None:
    """A finding that stays."""
    fields = Fields.read(draft.file, node, "accepted")
    if fields is None:
        return None
    finding = fields.text("finding")
    if finding and len(finding.split()) != 2:
        what = f"`{finding[:60]}` names no finding"
        help = "write its code and its subject, as in dead grid-intro/55"
        draft.file.problem("bad-value", what, fields.place("finding"), help=help)
    states, cases = (_accepted_number(draft, fields, name) for name in ("states", "cases"))
    return Accepted(finding, fields.text("because"), fields.head, draft.tables(fields), states, cases)


def _accepted_number(draft: Draft, fields: Fields, name: str) -> int | None:
    node = fields.get(name)
    return None if node is None else number(draft.file, node, f"number of {name}", low=1, high=_MOST_STATES)


def read_silent(draft: Draft, node: Node) -> Silent | None:
    """Sentences that say nothing about the rules."""
    fields = Fields.read(draft.file, node, "silent")
    return None if fields is None else Silent(draft.cites(fields), fields.text("because"), fields.head)


def read_choosers(draft: Draft, fields: Fields) -> dict[str, str]:
    """Who chooses where a question permits both, by question."""
    choices = [question.name for question in QUESTIONS.values() if question.answer == "actions"]
    found = {}
    for key, node in fields.pairs("choosers"):
        question = draft.known_question(key.text, key.span)
        if question is not None and question.name not in choices:
            what = f"nobody can choose in {question.name}"
            draft.file.problem("bad-value", what, key.span, help=f"choices are made in {' and '.join(choices)}")
        text = scalar(draft.file, node)
        if text is not None and text not in SIDES:
            what = f"`{text[:40]}` can't choose"
            draft.file.problem("bad-value", what, node.span, help=f"write {' or '.join(SIDES)}")
        found[key.text] = text or ""
    return found

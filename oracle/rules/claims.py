"""What a document asserts about its own game: the closed list of kinds, and reading them.

A kind is a struct (`oracle.rules.assertions`) and a form. No code knows a single claim; each is judged by its kind
(`oracle.checks.claims`).
"""

from __future__ import annotations

import re
from fractions import Fraction

from oracle.cards import parse_card, parse_rank
from oracle.rules.answers import Atom, is_bet_name, parse_share
from oracle.rules.assertions import (
    AnswersClaim,
    ArithmeticClaim,
    Body,
    BoundClaim,
    Claim,
    CompareClaim,
    ConsecutiveClaim,
    CoupClaim,
    DisputedClaim,
    EndsClaim,
    ExistsClaim,
    InvariantClaim,
    Measured,
    NotCheckableClaim,
    SameClaim,
)
from oracle.rules.cite import Cite
from oracle.rules.draft import Draft
from oracle.rules.fields import Fields, parse_cite, scalar, texts
from oracle.rules.guard import Guard
from oracle.rules.nodes import Mapping, Node, Scalar
from oracle.rules.questions import COUP_QUESTIONS, QUESTIONS
from oracle.rules.read_guard import read_guard
from oracle.spans import BadCards, Span
from oracle.text import did_you_mean

EXPECTED = (
    "winner", "natural", "player2", "banker2", "player_total", "banker_total", "player_third", "banker_third",
    "player_cards", "banker_cards", "player_drew", "banker_drew", "player_pair", "banker_pair", "margin", "higher",
)  # fmt: skip
DECIDED = tuple(name for name in COUP_QUESTIONS if QUESTIONS[name].needs)
RELATIONS = ("less", "more", "equal")
MEASURES = ("edge", "frequency")
DEPENDENCES = ("independent", "dependent")
_COMPARISON = re.compile(r"(<=|>=|<|>|=) ?([0-9]{1,3}(?:\.[0-9]{1,6})?) ?%\Z")
_MONEY = re.compile(r"-?[0-9]{1,9}(?:\.[0-9]{1,6})?\Z")
KINDS = (
    "coup", "arithmetic", "answers", "ends", "compare", "bound", "same", "exists", "invariant", "consecutive",
    "disputed",
    "not-checkable",
)  # fmt: skip


def read_claim(draft: Draft, node: Node) -> Claim | None:
    """A claim of one of the kinds; None (with problems) if it is none."""
    file = draft.file
    kind, where = _kind_of(node)
    if kind not in KINDS:
        if not isinstance(node, Mapping):
            Fields.read(file, node, "claim-not-checkable")
        elif where is None:
            file.problem("missing-key", "a claim without `kind`", node.span, help=f"kinds: {', '.join(KINDS)}")
        else:
            file.problem("bad-value", f"unknown kind of claim `{kind[:40]}`", where, help=did_you_mean(kind, KINDS))
        return None
    fields = Fields.read(file, node, f"claim-{kind}")
    if fields is None:
        return None
    name = fields.id()
    draft.register(name, fields.place("id"))
    cites = draft.cites(fields)
    if not cites and "cite" not in fields:
        file.problem("missing-cite", "a claim without `cite`", fields.head, help="cite the sentence that claims it")
    body = _BODIES[kind](draft, fields)
    if body is None:
        return None
    return Claim(name, cites, fields.text("says"), kind, body, fields.head, draft.tables(fields))


def _kind_of(node: Node) -> tuple[str, Span | None]:
    for key, value in node.pairs if isinstance(node, Mapping) else ():
        if key.text == "kind" and isinstance(value, Scalar):
            return value.text.strip(), value.span
    return "", None


def _coup(draft: Draft, fields: Fields) -> Body | None:
    cards = []
    for text in _card_texts(draft, fields):
        try:
            cards.append(str(parse_card(text)))
        except BadCards as error:
            draft.file.problem("bad-value", str(error), fields.place("cards"), help="as in cards: 4H 2S 9C AD 8D")
    expect = _words(draft, fields, "expect", EXPECTED)
    by = _words(draft, fields, "by", DECIDED)
    bets, net = _money(draft, fields, "bets"), _money(draft, fields, "net")
    if any(QUESTIONS[name].stage == "money" for name in by) and "bets" not in fields:
        help = "name the stakes under `bets`"
        draft.file.problem("missing-key", "what decides about bets, without a bet", fields.place("by"), help=help)
    if not any(name in fields for name in ("expect", "net", "by")):
        help = "give `expect`, `net` or `by`"
        draft.file.problem("missing-key", "a coup that claims nothing", fields.head, help=help)
    for bet in net:
        if bet not in bets:
            draft.file.problem(
                "missing-key",
                f"a net of {bet} without a stake",
                fields.place("net"),
                help="name the stake under `bets`",
            )
    return CoupClaim(tuple(cards), expect, bets, net, by)


def _card_texts(draft: Draft, fields: Fields) -> list[str]:
    node = fields.get("cards")
    found = [] if node is None else texts(draft.file, node)
    return [part for text, _ in found for part in text.replace(",", " ").split()]


def _words(draft: Draft, fields: Fields, name: str, known: tuple[str, ...]) -> dict[str, str]:
    found = {}
    for key, node in fields.pairs(name):
        if key.text not in known:
            draft.file.problem(
                "unknown-field",
                f"`{name}` has no `{key.text[:40]}`",
                key.span,
                help=did_you_mean(key.text, known),
            )
            continue
        text = scalar(draft.file, node)
        if text is not None:
            found[key.text] = text.strip()
    return found


def _money(draft: Draft, fields: Fields, name: str) -> dict[str, Fraction]:
    found = {}
    for key, node in fields.pairs(name):
        text = scalar(draft.file, node)
        if not is_bet_name(key.text) or text is None or not _MONEY.match(text.strip()):
            draft.file.problem(
                "bad-value", f"`{name}` maps bets to amounts", node.span, help=f"as in {name}: {{banker: 20}}"
            )
            continue
        found[key.text] = Fraction(text.strip())
    return found


def _arithmetic(draft: Draft, fields: Fields) -> Body | None:
    cards = []
    for text in _card_texts(draft, fields):
        rank = parse_rank(text)
        if rank is None:
            draft.file.problem(
                "unknown-rank",
                f"`{text[:20]}` is no rank",
                fields.place("cards"),
                help="ranks: A, 2-9, 10 (or T), J, Q, K",
            )
        else:
            cards.append(rank)
    numbers = []
    for name in ("sum", "total"):
        text = fields.text(name)
        if text and not re.match(r"[0-9]{1,2}\Z", text):
            draft.file.problem("bad-number", f"`{text[:20]}` is no {name}", fields.place(name), help="a whole number")
            text = ""
        numbers.append(int(text) if text else None)
    if numbers == [None, None] and "sum" not in fields and "total" not in fields:
        draft.file.problem("missing-key", "arithmetic that claims nothing", fields.head, help="give `sum` or `total`")
    return ArithmeticClaim(tuple(cards), numbers[0], numbers[1])


def _about(draft: Draft, fields: Fields) -> tuple[str, Guard, tuple[Atom, ...]] | None:
    question = draft.question(fields, None)
    if question is None:
        return None
    when, then = fields.get("when"), fields.get("then")
    guard = read_guard(draft.file, when, question) if when is not None else ()
    answer: tuple[Atom, ...] = ()
    if then is not None:
        answer = draft.answer(then, question, for_one=draft.for_one)
    return question.name, guard, answer


def _answers(draft: Draft, fields: Fields) -> Body | None:
    about = _about(draft, fields)
    return AnswersClaim(*about) if about else None


def _exists(draft: Draft, fields: Fields) -> Body | None:
    about = _about(draft, fields)
    return ExistsClaim(*about) if about else None


def _invariant(draft: Draft, fields: Fields) -> Body | None:
    about = _about(draft, fields)
    if about is None:
        return None
    question = QUESTIONS[about[0]]
    depends = []
    for text, span in fields.places("depends_on"):
        if text in question.fields:
            depends.append(text)
        else:
            draft.file.problem(
                "unknown-field",
                f"{question.name} has no field `{text[:40]}`",
                span,
                help=did_you_mean(text, question.fields),
            )
    return InvariantClaim(about[0], about[1], tuple(depends))


def _end_guard(draft: Draft, fields: Fields, name: str) -> Guard:
    node = fields.get(name)
    return _over_ends(draft, node) if node is not None else ()


def _over_ends(draft: Draft, node: Node) -> Guard:
    guard = read_guard(draft.file, node, QUESTIONS["outcome"])
    for test in guard:
        if test.field == "bet":
            help = "ends are those of coups, whatever was laid; remove `bet`"
            draft.file.problem("unknown-field", "ends have no field `bet`", test.span, help=help)
    return guard


def _ends(draft: Draft, fields: Fields) -> Body | None:
    some = "some" in fields
    if some == ("then" in fields):
        what = "both `then` and `some`" if some else "ends of which nothing is claimed"
        help = "`then` is what all of them are, `some` what one of them is; give one"
        draft.file.problem("bad-value" if some else "missing-key", what, fields.head, help=help)
    return EndsClaim(_end_guard(draft, fields, "when"), _end_guard(draft, fields, "some" if some else "then"), some)


def _measured(draft: Draft, fields: Fields, name: str, measure: str) -> Measured | None:
    node = fields.get(name)
    if node is None or measure not in MEASURES:
        return None
    if isinstance(node, Scalar):
        if measure == "edge" and is_bet_name(node.text):
            return Measured(bet=node.text, text=node.text)
        help = "an edge is that of a bet, as in of: banker; a frequency that of ends, as in of: {winner: tie}"
        draft.file.problem("bad-value", f"`{node.text[:40]}` has no {measure}", node.span, help=help)
        return None
    if measure == "edge":
        draft.file.problem("bad-value", "an edge is that of a bet", node.span, help="as in of: banker")
        return None
    guard = _over_ends(draft, node)
    return Measured(guard=guard, text=", ".join(f"{test.field} {test.text}" for test in guard))


def _measure(draft: Draft, fields: Fields) -> str:
    measure = fields.text("measure")
    if "measure" in fields and measure not in MEASURES:
        draft.file.problem(
            "bad-value",
            f"`{measure[:40]}` is no measure",
            fields.place("measure"),
            help=" or ".join(MEASURES),
        )
    return measure


def _compare(draft: Draft, fields: Fields) -> Body | None:
    measure = _measure(draft, fields)
    relation = fields.text("is")
    if "is" in fields and relation not in RELATIONS:
        draft.file.problem(
            "bad-value", f"`{relation[:40]}` is no comparison", fields.place("is"), help=", ".join(RELATIONS)
        )
    node = fields.get("than")
    every = isinstance(node, Scalar) and node.text.strip() == "every other bet"
    if every and measure == "frequency":
        help = "an edge is compared with that of every other bet; name other ends, as in than: {winner: tie}"
        draft.file.problem("bad-value", "bets have no frequency", fields.place("than"), help=help)
    than = None if every else _measured(draft, fields, "than", measure)
    of = _measured(draft, fields, "of", measure)
    return CompareClaim(measure, of, relation, than) if of is not None else None


def _bound(draft: Draft, fields: Fields) -> Body | None:
    measure = _measure(draft, fields)
    text = fields.text("is")
    match = _COMPARISON.match(text)
    of = _measured(draft, fields, "of", measure)
    if match is None:
        if text:
            draft.file.problem("bad-value", f"`{text[:40]}` is no bound", fields.place("is"), help='as in is: "< 10%"')
        return None
    return BoundClaim(measure, of, match[1], parse_share(f"{match[2]}%")) if of is not None else None


def _same(draft: Draft, fields: Fields) -> Body | None:
    differs = tuple(text for text, span in fields.places("differs") if draft.known_question(text, span) is not None)
    return SameClaim(fields.text("as"), differs)


def _consecutive(draft: Draft, fields: Fields) -> Body | None:
    said = fields.text("is")
    if "is" in fields and said not in DEPENDENCES:
        help = did_you_mean(said, DEPENDENCES)
        draft.file.problem("bad-value", f"coups are not `{said[:40]}`", fields.place("is"), help=help)
        return None
    return ConsecutiveClaim(said == "independent")


def _disputed(draft: Draft, fields: Fields) -> Body | None:
    source, _, place = fields.text("by").partition(" ")
    parsed = parse_cite(place)
    if parsed is None:
        if "by" in fields:
            draft.file.problem(
                "bad-cite", "no place in another source", fields.place("by"), help="as in by: home-pt 5.1"
            )
        return None
    cite = Cite(*parsed)
    return None if draft.backwards(cite, place, fields.place("by")) else DisputedClaim(source, cite)


def _not_checkable(draft: Draft, fields: Fields) -> Body | None:
    return NotCheckableClaim(fields.text("because"))


_BODIES = {
    "coup": _coup,
    "arithmetic": _arithmetic,
    "answers": _answers,
    "ends": _ends,
    "compare": _compare,
    "bound": _bound,
    "same": _same,
    "exists": _exists,
    "invariant": _invariant,
    "consecutive": _consecutive,
    "disputed": _disputed,
    "not-checkable": _not_checkable,
}

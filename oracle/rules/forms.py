"""The forms of a spec: which mapping has which keys, of which kind.

One table drives the reader (unknown and missing keys) and the JSON Schema, so that they can't part.
A kind is a word that the readers and `oracle.rules.schema` both know; `form:`, `list:` and `named:` nest
forms.
"""

from __future__ import annotations

import msgspec


class Key(msgspec.Struct, frozen=True):
    """One key of a form, with its help text."""

    name: str
    kind: str
    help: str
    required: bool = False


class Form(msgspec.Struct, frozen=True):
    """The keys that one kind of mapping may have."""

    name: str
    title: str
    keys: tuple[Key, ...]

    def names(self) -> tuple[str, ...]:
        """The names of its keys, in the order of the documentation."""
        return tuple(key.name for key in self.keys)


_CITE = Key("cite", "cites", "line or line.sentence of the document; a list; a range for one table")
_ABOUT = Key("about", "question", "the question that is answered")
_WHEN = Key("when", "guard", "the states that the statement speaks of; absent = all")
_THEN = Key("then", "answer", "the answer; `draw | stand` permits both")
_TABLES = Key("tables", "names", "only these rule sets of the source")
_BECAUSE = Key("because", "text", "the reason, in one sentence", required=True)
_ID = Key("id", "id", "name, unique in the file", required=True)

_SAYS = Key("says", "text", "the claim in our own words, in English", required=True)
_KIND = Key("kind", "text", "the kind of the claim", required=True)
_QUESTION = Key("about", "question", "the question that it is about", required=True)
_MEASURE = Key("measure", "text", "edge or frequency", required=True)
_OF = Key("of", "measured", "a bet, or for a frequency the ends of coups", required=True)
_ENDS = Key("when", "ends", "the ends of coups that it speaks of; absent = all")
_CLAIMS: dict[str, tuple[Key, ...]] = {
    "coup": (
        Key("cards", "cards", "the cards in the order in which they are dealt", required=True),
        Key("expect", "words", "how the coup ends, field by field"),
        Key("bets", "words", "stakes by bet"),
        Key("net", "words", "what each bet nets"),
        Key("by", "words", "the line of the document that decides a question"),
    ),
    "arithmetic": (
        Key("cards", "cards", "the ranks that are added", required=True),
        Key("sum", "count", "the sum of their points"),
        Key("total", "count", "the total that they make"),
    ),
    "answers": (_QUESTION, _WHEN, _THEN),
    "ends": (_ENDS, Key("then", "ends", "what all of them are"), Key("some", "ends", "what one of them is")),
    "compare": (
        _MEASURE,
        _OF,
        Key("is", "text", "less, more or equal", required=True),
        Key("than", "measured", "the other, or `every other bet`", required=True),
    ),
    "bound": (_MEASURE, _OF, Key("is", "text", 'the bound, as "< 10%"', required=True)),
    "same": (
        Key("as", "text", "the other rule set", required=True),
        Key("differs", "questions", "the questions in which they differ"),
    ),
    "exists": (_QUESTION, _WHEN, Key("then", "answer", "the answer that another rule set gives", required=True)),
    "invariant": (
        _QUESTION,
        _WHEN,
        Key("depends_on", "names", "the only fields that matter", required=True),
    ),
    "consecutive": (Key("is", "text", "independent or dependent: what a coup tells of the next", required=True),),
    "disputed": (Key("by", "text", "source and place, as home-pt 5.1", required=True),),
    "not-checkable": (_BECAUSE,),
}


def _claim_form(kind: str, keys: tuple[Key, ...]) -> Form:
    return Form(f"claim-{kind}", f"a claim of kind {kind}", (_ID, _CITE, _SAYS, _KIND, _TABLES, *keys))


FORMS = {
    form.name: form
    for form in (
        Form(
            "spec",
            "a spec",
            (
                Key("source", "form:source", "the document", required=True),
                Key("notation", "form:notation", "how the document writes odds"),
                Key("rule_sets", "named:rule_set", "the playable tables; absent = one, named like the source"),
                Key("extends", "form:extends", "whole questions taken from another source"),
                Key("statements", "list:statement", "what the document says", required=True),
                Key("choosers", "choosers", "who decides where the rules permit both"),
                Key("resolutions", "list:resolution", "how unclear places are read"),
                Key("accepted", "list:accepted", "findings that stay, with the reason"),
                Key("silent", "list:silent", "sentences that say nothing about the rules"),
                Key("claims", "list:claim", "what the document asserts about its own game"),
            ),
        ),
        Form(
            "source",
            "a source",
            (
                _ID,
                Key("title", "text", "title of the document", required=True),
                Key("language", "text", "language tag, as pt-PT", required=True),
                Key("lines", "count", "number of lines of the document", required=True),
                Key("sha256", "hex", "digest of the document's bytes"),
                Key("edition", "text", "edition or date of the document"),
                Key("retrieved", "text", "when the copy was taken"),
                Key("sentences", "sentences", "lines that don't have exactly one sentence: line -> sentences"),
                Key("blank", "lines", "lines with nothing on them"),
            ),
        ),
        Form(
            "notation",
            "a notation",
            (
                Key("odds", "notation", "to-one: 8:1 wins eight stakes; for-one: seven", required=True),
                _BECAUSE,
                _CITE,
            ),
        ),
        Form("rule_set", "a rule set", (Key("title", "text", "title of the table"),)),
        Form(
            "extends",
            "an extension",
            (
                Key("source", "text", "id of a source or of one of its rule sets", required=True),
                Key("questions", "questions", "the questions taken whole", required=True),
            ),
        ),
        Form(
            "statement",
            "a statement",
            (
                _ID,
                _CITE,
                Key("says", "text", "the sentence in our own words, in English", required=True),
                _TABLES,
                _ABOUT,
                _WHEN,
                _THEN,
                Key("cases", "list:case", "the rows, or the several answers of one sentence"),
                Key("otherwise", "form:otherwise", "what the cases leave inside this block's guard"),
                Key("grid", "form:grid", "a printed grid"),
                Key("readings", "named:reading", "the ways to understand the sentence"),
                Key("yields_to", "names", "statements that the text itself excepts from this one"),
            ),
        ),
        Form("case", "a case", (_CITE, _ABOUT, _WHEN, _THEN)),
        Form("otherwise", "an otherwise", (_CITE, Key("then", "answer", "the answer", required=True))),
        Form(
            "reading",
            "a reading",
            (_CITE, _ABOUT, _WHEN, _THEN, Key("cases", "list:case", "its several answers")),
        ),
        Form(
            "grid",
            "a grid",
            (
                Key("columns", "columns", "one field and its values, in printed order", required=True),
                Key("legend", "legend", "what the letters mean: letter -> answer", required=True),
                Key("lines", "range", "the lines of the rows, as 61-68", required=True),
                Key("rows", "rows", "one field: value -> the row as printed", required=True),
            ),
        ),
        Form(
            "resolution",
            "a resolution",
            (
                Key("id", "id", "name, unique in the file; a convention is its own"),
                Key("choose", "text", "the statement whose reading is chosen"),
                Key("reading", "text", "the reading chosen"),
                _ABOUT,
                _WHEN,
                _THEN,
                Key("instead_of", "names", "the statements that it sets aside there"),
                Key("convention", "convention", "a named convention"),
                _TABLES,
                _BECAUSE,
            ),
        ),
        Form(
            "accepted",
            "an accepted finding",
            (
                Key("finding", "text", "code and subject, as `dead grid-intro/55`", required=True),
                Key("states", "count", "how many states these findings have together"),
                Key("cases", "count", "how many findings of that name there are; needed if there are several"),
                _TABLES,
                _BECAUSE,
            ),
        ),
        Form("silent", "a silent sentence", (Key("cite", "cites", "the sentences", required=True), _BECAUSE)),
        *(_claim_form(kind, keys) for kind, keys in _CLAIMS.items()),
    )
}

"""A spec as frozen structs: what one document says, with file, line and column of everything."""

from __future__ import annotations

from collections.abc import Mapping

import msgspec

from oracle.rules.answers import Atom
from oracle.rules.assertions import Claim
from oracle.rules.cite import Cite
from oracle.rules.guard import Test
from oracle.spans import Span


class Statement(msgspec.Struct, frozen=True):
    """One thing that the document says, as the author of the spec cut it; its answers are clauses."""

    id: str
    cites: tuple[Cite, ...]
    says: str
    span: Span
    yields_to: tuple[str, ...] = ()


class Clause(msgspec.Struct, frozen=True):
    """One answer to one question in the states of one guard; what statements are made of.

    `excludes` are ids of clauses whose states are left out of this one: the cases before an `otherwise`, and
    those of the statements that a statement yields to, which `yields` lists too. `tables` empty = every rule set of
    the source; `borrowed` that `extends` took it from another one.
    """

    id: str
    statement: str
    question: str
    cites: tuple[Cite, ...]
    guard: tuple[Test, ...]
    answer: tuple[Atom, ...]
    span: Span
    answer_span: Span
    says: str
    source: str
    reading: str = ""
    excludes: tuple[str, ...] = ()
    otherwise: bool = False
    tables: tuple[str, ...] = ()
    borrowed: bool = False
    yields: tuple[str, ...] = ()

    @property
    def lines(self) -> str:
        """The cited lines as shown to people: `26.1`, or `32, 33`; of another source with its id, `home-pt:26.1`."""
        prefix = f"{self.source}:" if self.borrowed else ""
        return ", ".join(f"{prefix}{cite}" for cite in self.cites)


class Resolution(msgspec.Struct, frozen=True):
    """How an unclear place is read. One of three kinds: a reading chosen, a fill, a convention.

    A `narrowed` one leaves every state as it is that the text decides: what `check` compares a resolution with.
    """

    id: str
    because: str
    span: Span
    tables: tuple[str, ...] = ()
    choose: str = ""
    reading: str = ""
    question: str = ""
    guard: tuple[Test, ...] = ()
    answer: tuple[Atom, ...] = ()
    instead_of: tuple[str, ...] = ()
    convention: str = ""
    source: str = ""
    narrowed: bool = False


class Accepted(msgspec.Struct, frozen=True):
    """A finding that stays, with the reason. `finding` is its code and subject.

    `states` and `cases` say how many states and findings that are, None if the spec doesn't. `borrowed`: `extends`
    took it from another source.
    """

    finding: str
    because: str
    span: Span
    tables: tuple[str, ...] = ()
    states: int | None = None
    cases: int | None = None
    borrowed: bool = False


class Silent(msgspec.Struct, frozen=True):
    """Sentences that say nothing about the rules."""

    cites: tuple[Cite, ...]
    because: str
    span: Span


class Source(msgspec.Struct, frozen=True):
    """The document. `sentences` counts the sentences of the lines that don't have exactly one."""

    id: str
    title: str
    language: str
    lines: int
    span: Span
    sha256: str = ""
    edition: str = ""
    retrieved: str = ""
    sentences: Mapping[int, int] = {}

    def sentences_of(self, line: int) -> int:
        """How many sentences a line of the document has."""
        return self.sentences.get(line, 1)


class Notation(msgspec.Struct, frozen=True):
    """How the document writes odds, decided once for all of it."""

    odds: str
    because: str
    cites: tuple[Cite, ...]
    span: Span


class RuleSet(msgspec.Struct, frozen=True):
    """One playable table of a source. `id` is `source` or `source/name`."""

    id: str
    name: str
    title: str
    span: Span


class Extends(msgspec.Struct, frozen=True):
    """Questions taken whole from another source; `span` is where that is named.

    `shadows` says in words which files were taken though a folder of specs has another one of that name, also by the
    source that lends.
    """

    source: str
    questions: tuple[str, ...]
    span: Span
    shadows: tuple[str, ...] = ()


class Spec(msgspec.Struct, frozen=True):
    """One document's rules: literal clauses, and apart from them how they are read."""

    file: str
    source: Source
    rule_sets: tuple[RuleSet, ...]
    statements: tuple[Statement, ...]
    clauses: tuple[Clause, ...]
    resolutions: tuple[Resolution, ...] = ()
    accepted: tuple[Accepted, ...] = ()
    silent: tuple[Silent, ...] = ()
    claims: tuple[Claim, ...] = ()
    choosers: Mapping[str, str] = {}
    notation: Notation | None = None
    extends: Extends | None = None

    @property
    def id(self) -> str:
        """The id of the source, which the spec goes by."""
        return self.source.id

    def clauses_of(self, rule_set: RuleSet) -> tuple[Clause, ...]:
        """The clauses that hold at one table, in file order."""
        return tuple(c for c in self.clauses if not c.tables or rule_set.name in c.tables)

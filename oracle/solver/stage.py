"""One question of a rule set as formulas: what each clause says where, and what holds after the resolutions.

Built from the clauses and resolutions alone, never from the states that enumeration found. A resolution is a
further speaker: it speaks where it takes effect, and there the clauses that it stands instead of don't count.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence

import msgspec

from oracle.game.evaluate import default_atom, ways_to_read
from oracle.game.rules import Rules
from oracle.rules.answers import Atom, show_atom
from oracle.rules.conventions import CONVENTIONS
from oracle.rules.model import Clause, Resolution, Test
from oracle.rules.questions import COUP_QUESTIONS, QUESTIONS, TWO_CARDS
from oracle.solver.coding import Coding, concrete, exists, is_number, value
from oracle.solver.formula import FALSE, TRUE, Expr, Sheet, all_of, any_of, negation, symbol

TWO_CARD_QUESTIONS = tuple(name for name in COUP_QUESTIONS if QUESTIONS[name].needs == TWO_CARDS)
HIGHER_OF_TWO = "higher_of_two"


def parts_of(resolution: Resolution, question: str) -> list[tuple[tuple[Test, ...], Atom]]:
    """The guards and answers by which a resolution fills states of a question; none if it doesn't."""
    if resolution.convention:
        convention = CONVENTIONS[resolution.convention]
        if convention.question != question:
            return []
        return [
            (tuple(Test(field, values, "", resolution.span) for field, values in guard), answer)
            for guard, answer in convention.parts
        ]
    if resolution.choose or resolution.question != question or not resolution.answer:
        return []
    return [(resolution.guard, resolution.answer[0])]


def fields_tested(rules: Rules, question: str) -> set[str]:
    """The fields that the clauses and resolutions of a question test: all that its answer can depend on."""
    guards = [clause.guard for clause in rules.clauses_about(question)]
    guards += [guard for resolution in rules.resolutions for guard, _ in parts_of(resolution, question)]
    return {test.field for guard in guards for test in guard}


class Speaker(msgspec.Struct, frozen=True):
    """Something that answers: where it speaks, and the answers that it permits there."""

    where: Expr
    answer: tuple[Atom, ...]


class FillFormula(msgspec.Struct, frozen=True):
    """One guard and answer of a resolution, and what messages call it."""

    label: str
    guard: Expr
    atom: Atom
    resolution: Resolution


class Spoken(msgspec.Struct, frozen=True):
    """What several speakers say together, as defined on the sheet under names that end in `suffix`."""

    answered: Expr
    suffix: str


class Stage:
    """The formulas of one question, written on a sheet when made.

    With `given` (the one field that card points or hand totals depend on) everything is a function of it, so
    that it serves several cards or hands. Else the question's fields are constants of the sheet, and every
    clause is an assertion with a label. `prefix` begins all names, so that a second rule set fits on the same sheet.
    """

    def __init__(
        self, sheet: Sheet, rules: Rules, question: str, coding: Coding, *, given: str = "", prefix: str = ""
    ) -> None:
        self.sheet = sheet
        self.rules = rules
        self.question = QUESTIONS[question]
        self.prefix = prefix
        self.name = f"{prefix}{question}"
        self.coding = coding
        self.given = (given,) if given else ()
        self.number = self.question.answer  # the parameter that stands for an answer, where answers are numbers
        self.clauses = rules.clauses_about(question)
        chooser = rules.spec.choosers.get(question, "")
        self.free = self.question.answer == "actions" and not chooser
        self.terms: dict[str, Expr] = {"higher": HIGHER_OF_TWO} if question in TWO_CARD_QUESTIONS else {}
        self.chosen = {r.choose: r.reading for r in rules.resolutions if r.choose}
        self.fills = [(r, parts) for r in rules.resolutions if (parts := parts_of(r, question))]
        said = [atom for clause in self.clauses for atom in clause.answer]
        said += [atom for _, parts in self.fills for _, atom in parts]
        if self.question.silent == "assumed":
            said.append(default_atom(self.question))
        self.atoms = concrete(self.question, said)
        self._statement = ""
        self.speaks: dict[str, Expr] = {}
        self.labels: dict[str, str] = {}  # of the assertions that say where clauses and fills speak, by clause or fill
        self.ambiguous: dict[str, Expr] = {}
        self.readings = self._readings()
        self._write()

    # --- what others ask for ------------------------------------------------------------------

    def gap(self) -> Expr:
        """That no clause speaks."""
        return negation(self.literal.answered)

    def conflict(self) -> Expr:
        """That clauses speak, and forbid every answer."""
        return all_of(self.literal.answered, *(self._forbidden(self.literal, atom) for atom in self.atoms))

    def undecided(self) -> Expr:
        """That clauses speak and permit every action, and nobody chooses."""
        permitted = (negation(self._forbidden(self.literal, atom)) for atom in self.atoms)
        return all_of(self.literal.answered, *permitted) if self.free else FALSE

    def open(self) -> Expr:
        """That the state has no answer, resolutions and all."""
        return negation(any_of(*(self.answered(atom) for atom in self.atoms)))

    def answered(self, atom: Atom) -> Expr:
        """That as resolved `atom` is permitted, and the state isn't open."""
        if atom not in self.atoms:
            return FALSE
        if is_number(self.question):
            return (symbol(self.name), *self.given, str(atom))
        return symbol(f"{self.name}: {show_atom(self.question, atom)}")

    # --- what the text says -------------------------------------------------------------------

    def _write(self) -> None:
        if not self.clauses:
            self.sheet.comment("No clause speaks of this.")
        for clause in self.clauses:
            self._clause(clause)
        counts = {clause.id: self._speaker(clause) for clause in self._active({})}
        self.literal = self._together(counts.values())
        for name in self.readings:
            self._differ(name)
        self.unread = any_of(*(where for name, where in self.ambiguous.items() if name not in self.chosen))
        self._resolve(counts)

    def _clause(self, clause: Clause) -> None:
        """Defines where a clause speaks; those that it leaves out first."""
        if clause.id in self.speaks:
            return
        spoken = {other.id: other for other in self._active({})}
        others = {name: spoken[name] for name in clause.excludes if name in spoken}
        excluded = [others[name] for name in clause.excludes if name in others]
        for other in excluded:
            self._clause(other)
        where = all_of(
            self.coding.guard(clause.guard, self.terms),
            *(negation(self.speaks[other.id]) for other in excluded),
        )
        if clause.statement != self._statement:
            self._statement = clause.statement
            self.sheet.comment(f"{clause.statement}: {clause.says}")
        answer = " or ".join(show_atom(self.question, atom) for atom in clause.answer)
        self.sheet.comment(f"line {clause.lines}: {answer}")
        label = f"{clause.span.file}:{clause.span.line} {clause.id}"
        self.speaks[clause.id] = self._claim(f"{self.prefix}{clause.id} speaks", where, label, of=clause.id)

    def _speaker(self, clause: Clause) -> Speaker:
        return Speaker(self.speaks[clause.id], clause.answer)

    def _readings(self) -> dict[str, tuple[str, ...]]:
        """The readings of the statements that say something here in one of them, in file order."""
        here = {clause.statement for clause in self.clauses if clause.reading}
        found: dict[str, dict[str, None]] = {}
        for clause in self.rules.clauses:
            if clause.reading and clause.statement in here:
                found.setdefault(clause.statement, {})[clause.reading] = None
        return {statement: tuple(names) for statement, names in found.items()}

    def _active(self, read: Mapping[str, str]) -> list[Clause]:
        """The clauses that speak, with statements read as in `read`, else as chosen, else the first way."""

        def reading(statement: str) -> str:
            return read.get(statement) or self.chosen.get(statement) or self.readings[statement][0]

        return [c for c in self.clauses if not c.reading or c.reading == reading(c.statement)]

    def _differ(self, statement: str) -> None:
        """Defines where the readings of a statement differ, however others that nobody chose are read.

        They differ in whether the text answers, or how. With too many ways to read the others, every state in which a
        reading of it speaks counts.
        """
        free = {} if statement in self.chosen else self.readings
        ways = ways_to_read({s: names for s, names in free.items() if s not in self.chosen and s != statement})
        if ways is None:
            differing = [self.speaks[c.id] for c in self.clauses if c.reading and c.statement == statement]
        else:
            differing = [term for way in ways for term in self._distinct(statement, way)]
        self.ambiguous[statement] = self._define(f"{self.name} depends on {statement}", any_of(*differing))

    def _distinct(self, statement: str, way: Mapping[str, str]) -> list[Expr]:
        """Where two readings of a statement answer otherwise, the others read in one way."""
        read = "".join(f" and {other} is {name}" for other, name in way.items())
        versions = []
        for name in self.readings[statement]:
            active = (self._speaker(clause) for clause in self._active({**way, statement: name}))
            spoken = self._together(active, f" if {statement} is {name}{read}")
            versions.append([spoken.answered, *(self._forbidden(spoken, atom) for atom in self.atoms)])
        pairs = [pair for other in versions[1:] for pair in zip(versions[0], other, strict=True)]
        return [("distinct", first, other) for first, other in pairs]

    # --- how it is read -----------------------------------------------------------------------

    def _resolve(self, counts: dict[str, Speaker]) -> None:
        """Defines the answers as resolved; `counts` are the clauses that speak, lowered in place."""
        name = self.name
        so_far = self.literal
        filled: list[Speaker] = []
        used: list[str] = []
        for resolution, parts in self.fills:
            label = resolution.id or resolution.convention
            used.append(label)
            if (again := used.count(label)) > 1:  # a convention that an extended source states as well
                label = f"{label} ({again})"
            self.sheet.comment(f"{label}, a resolution: {resolution.because}")
            for place, (guard, atom) in enumerate(parts, 1):
                where = self.coding.guard(guard, self.terms)
                fill = FillFormula(f"{label}/{place}" if len(parts) > 1 else label, where, atom, resolution)
                so_far = self._fill(fill, so_far, counts, filled)
        if self.question.silent == "assumed":
            self.sheet.comment("what silence means")
            silence = all_of(negation(so_far.answered), negation(self.unread))
            default = Speaker(self._define(f"{name} assumed", silence), (default_atom(self.question),))
            so_far = self._added(so_far, default, " or assumed")
        self.sheet.comment("the answers, resolutions and all")
        if is_number(self.question):
            forbidden = self._forbidden_number(so_far, self.number)
            body = all_of(so_far.answered, negation(forbidden), negation(self.unread))
            self.sheet.define(symbol(name), body, given=(*self.given, self.number))
            return
        for atom in self.atoms:
            others = [self._forbidden(so_far, other) for other in self.atoms if other != atom]
            body = all_of(
                so_far.answered,
                negation(self._forbidden(so_far, atom)),
                all_of(*others) if self.free else TRUE,
                negation(self.unread),
            )
            self._define(f"{name}: {show_atom(self.question, atom)}", body)

    def _fill(self, fill: FillFormula, so_far: Spoken, counts: dict[str, Speaker], filled: list[Speaker]) -> Spoken:
        """What is spoken with one guard and answer of a resolution more.

        It takes effect where the others leave a gap, or a choice of actions that nobody makes; what it stands
        instead of is left out first. Where the others are clear and say something else, it changes nothing.
        """
        statements = {clause.id: clause.statement for clause in self.clauses}
        named = [name for name in counts if {name, statements[name]} & set(fill.resolution.instead_of)]
        rest = so_far
        if named:
            others = [speaker for name, speaker in counts.items() if name not in named]
            rest = self._together([*others, *filled], f" without what {fill.label} replaces")
        free = all_of(*(negation(self._forbidden(rest, a)) for a in self.atoms)) if self.free else FALSE
        takes = all_of(
            fill.guard,
            exists(self.question, fill.atom),
            any_of(negation(rest.answered), free),
            negation(self.unread),
        )
        for name in named:
            overrides = all_of(rest.answered, self._clear(rest, fill.atom), negation(self.unread))
            where = all_of(counts[name].where, negation(all_of(fill.guard, negation(overrides))))
            lowered = self._define(f"{self.prefix}{name} counts beside {fill.label}", where)
            counts[name] = Speaker(lowered, counts[name].answer)
        span = fill.resolution.span
        label = f"{span.file}:{span.line} {fill.label}"
        where = self._claim(f"{self.prefix}{fill.label} takes effect", takes, label, of=fill.label)
        filled.append(Speaker(where, (fill.atom,)))
        suffix = f" with {fill.label}"
        if named:
            return self._together([*counts.values(), *filled], suffix)
        return self._added(so_far, filled[-1], suffix)

    def _clear(self, spoken: Spoken, atom: Atom) -> Expr:
        """That these speakers, if they speak, leave an answer other than `atom` alone."""
        if is_number(self.question):
            some = negation(all_of(*(self._forbidden(spoken, other) for other in self.atoms)))
            ours = self._forbidden_number(spoken, value(self.question, atom))
            return all_of(some, any_of(ours, negation(exists(self.question, atom))))
        others = any_of(*(negation(self._forbidden(spoken, other)) for other in self.atoms if other != atom))
        return all_of(others, self._forbidden(spoken, atom)) if self.free else others

    # --- speakers together --------------------------------------------------------------------

    def _together(self, speakers: Iterable[Speaker], suffix: str = "") -> Spoken:
        """Defines what speakers say together."""
        spoken = list(speakers)
        answered = self._define(f"{self.name} answered{suffix}", any_of(*(s.where for s in spoken)))
        return self._forbid(Spoken(answered, suffix), spoken)

    def _added(self, so_far: Spoken, speaker: Speaker, suffix: str) -> Spoken:
        """Defines what one more speaker makes of it."""
        answered = self._define(f"{self.name} answered{suffix}", any_of(so_far.answered, speaker.where))
        return self._forbid(Spoken(answered, suffix), [speaker], so_far)

    def _forbid(self, spoken: Spoken, speakers: Sequence[Speaker], before: Spoken | None = None) -> Spoken:
        """Defines what speakers forbid, besides what was forbidden `before`."""
        if is_number(self.question):
            parts = [] if before is None else [self._forbidden_number(before, self.number)]
            for s in speakers:
                said = [all_of(exists(self.question, a), ("=", self.number, value(self.question, a))) for a in s.answer]
                parts.append(all_of(s.where, negation(any_of(*said))))
            name = symbol(f"{self.name} forbids{spoken.suffix}")
            self.sheet.define(name, any_of(*parts), given=(*self.given, self.number))
            return spoken
        for atom in self.atoms:
            parts = [] if before is None else [self._forbidden(before, atom)]
            parts += [s.where for s in speakers if atom not in s.answer]
            name = symbol(f"{self.name} forbids {show_atom(self.question, atom)}{spoken.suffix}")
            self.sheet.define(name, any_of(*parts))
        return spoken

    def _forbidden(self, spoken: Spoken, atom: Atom) -> Expr:
        """That one of these speakers doesn't permit an answer."""
        if is_number(self.question):
            return self._forbidden_number(spoken, str(atom))
        return symbol(f"{self.name} forbids {show_atom(self.question, atom)}{spoken.suffix}")

    def _forbidden_number(self, spoken: Spoken, term: Expr) -> Expr:
        return (symbol(f"{self.name} forbids{spoken.suffix}"), *self.given, term)

    # --- writing ------------------------------------------------------------------------------

    def _define(self, name: str, body: Expr) -> Expr:
        return self.sheet.define(symbol(name), body, given=self.given)

    def _claim(self, name: str, body: Expr, label: str, *, of: str) -> Expr:
        """A definition that cores can name: an assertion with a label about a constant."""
        if self.given:
            return self._define(name, body)
        self.sheet.declare(symbol(name), "Bool")
        self.labels[of] = self.sheet.name(label, ("=", symbol(name), body))
        return symbol(name)

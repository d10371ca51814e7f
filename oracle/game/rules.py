"""One rule set, resolved question by question: reachable states and answers, computed when asked for."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from functools import cached_property
from itertools import product
from pathlib import Path

from oracle.cards import RANKS
from oracle.game.around import space_of
from oracle.game.evaluate import Evaluation, all_readings
from oracle.game.space import Row, Space, bits
from oracle.rules.answers import Atom
from oracle.rules.assertions import AnswersClaim, Guard, InvariantClaim
from oracle.rules.conventions import CONVENTIONS
from oracle.rules.library import Library
from oracle.rules.model import Clause, Resolution, RuleSet, Spec, Test
from oracle.rules.questions import (
    CARD_QUESTIONS,
    END,
    FIELDS,
    KNOWN,
    MONEY_QUESTIONS,
    QUESTIONS,
    THIRD,
    THIRD_CARD,
    TWO_CARDS,
    Question,
    before,
)
from oracle.rules.values import NONE, Among, Any, Either, Other, Value, Values

ALIKE_FIELDS = ("player_pair", "banker_pair")
MONEY = MONEY_QUESTIONS


class Rules:
    """The rules of one table. With `literal` nothing is resolved: the text up to its first open state.

    `also` are more guards by question whose fields the states are to tell apart, as those of another table.
    """

    def __init__(
        self, spec: Spec, rule_set: RuleSet, *, literal: bool = False, also: Mapping[str, Sequence[Guard]] | None = None
    ) -> None:
        self.spec = spec
        self.rule_set = rule_set
        self.literal = literal
        self._also = also or {}
        self.clauses = spec.clauses_of(rule_set)
        self.resolutions: tuple[Resolution, ...] = (
            () if literal else tuple(r for r in spec.resolutions if not r.tables or rule_set.name in r.tables)
        )
        self.readings = all_readings(self.clauses)
        self._evaluations: dict[str, Evaluation] = {}
        self._spaces: dict[str, Space] = {}

    @property
    def id(self) -> str:
        """The id of the rule set, as `source` or `source/table`."""
        return self.rule_set.id

    def beside(self, others: Sequence[Rules]) -> Rules:
        """These rules over states that tell apart whatever the guards of other tables do too.

        Whether a stake can be laid depends on a table's own chips, so nobody takes that test over.
        """
        also = {
            question: [tuple(t for t in g if t.field != "in_chips") for other in others for g in other.guards(question)]
            for question in QUESTIONS
        }
        return Rules(self.spec, self.rule_set, literal=self.literal, also=also)

    def clauses_about(self, question: str) -> tuple[Clause, ...]:
        """The clauses of this table that answer a question, in file order."""
        return tuple(clause for clause in self.clauses if clause.question == question)

    def spoken(self, question: str) -> tuple[Clause, ...]:
        """As `clauses_about`, without those of readings that a resolution did not choose."""
        chosen = {r.choose: r.reading for r in self.resolutions if r.choose}
        return tuple(
            clause
            for clause in self.clauses_about(question)
            if not clause.reading or chosen.get(clause.statement, clause.reading) == clause.reading
        )

    def evaluation(self, question: str) -> Evaluation:
        """The answers of a question over its reachable states."""
        found = self._evaluations.get(question)
        if found is None:
            found = self._evaluations[question] = self.evaluation_over(question, self.space(question))
        return found

    def evaluation_over(self, question: str, space: Space) -> Evaluation:
        """The answers of a question over other states than the reachable ones."""
        return Evaluation(
            QUESTIONS[question],
            space,
            self.clauses_about(question),
            [r for r in self.resolutions if self._concerns(r, question)],
            readings=self.readings,
            chooser=self.spec.choosers.get(question, ""),
        )

    def _concerns(self, resolution: Resolution, question: str) -> bool:
        if resolution.choose:
            return any(c.statement == resolution.choose for c in self.clauses_about(question))
        if resolution.convention:
            return CONVENTIONS[resolution.convention].question == question
        return resolution.question == question

    def space(self, question: str) -> Space:
        """The reachable states of a question, in witness order."""
        found = self._spaces.get(question)
        if found is None:
            if QUESTIONS[question].needs:
                found = self._space_of_hands(QUESTIONS[question])
            elif question in CARD_QUESTIONS:
                found = self._space_of_cards(QUESTIONS[question])
            else:
                found = space_of(self, question)
            self._spaces[question] = found
        return found

    # --- the coup -----------------------------------------------------------------------------

    def _space_of_cards(self, asked: Question) -> Space:
        """The states of a question that is asked of cards, sums or places of the deal: all that there can be."""
        domains = (self._sums[1] if field == "sum" else FIELDS[field].domain for field in asked.fields)
        return Space(asked.fields, product(*domains))

    @cached_property
    def points(self) -> dict[str, int]:
        """Card points by rank, where they are decided."""
        evaluation = self.evaluation("card_points")
        return {
            str(rank): int(answer[0])  # type: ignore[arg-type]
            for i, (rank,) in enumerate(evaluation.space.rows)
            if (answer := evaluation.answer(i))
        }

    @cached_property
    def _sums(self) -> tuple[list[int], list[int]]:
        """The sums that two cards, and two or three cards, can make."""
        values = sorted(set(self.points.values()))
        two = {a + b for a, b in product(values, values)}
        return sorted(two), sorted(two | {a + b for a, b in product(two, values)})

    @cached_property
    def totals(self) -> dict[int, int]:
        """Hand totals by sum of card points, where they are decided."""
        evaluation = self.evaluation("hand_total")
        return {
            int(total): int(answer[0])  # type: ignore[arg-type]
            for i, (total,) in enumerate(evaluation.space.rows)
            if (answer := evaluation.answer(i))
        }

    @cached_property
    def two_card_totals(self) -> list[int]:
        """The totals that two cards can make."""
        return sorted({self.totals[s] for s in self._sums[0] if s in self.totals})

    @cached_property
    def third_totals(self) -> dict[tuple[int, int], list[int]]:
        """The final totals that a two-card total and a third card make: one, if totals are the last digit."""
        found: dict[tuple[int, int], set[int]] = {}
        for two in self._sums[0]:
            if two in self.totals:
                for value in sorted(set(self.points.values())):
                    if two + value in self.totals:
                        found.setdefault((self.totals[two], value), set()).add(self.totals[two + value])
        return {key: sorted(values) for key, values in found.items()}

    def _space_of_hands(self, asked: Question) -> Space:
        """The states of a question of which hands have to be there, from what it needs and what comes before it."""
        earlier = before(asked.name)
        if asked.stage == "money":
            return self._wins if "outcome" in earlier else self._bets_and_ends()
        if asked.needs == TWO_CARDS:
            return self._two_cards(asked.name, every="natural" not in earlier)
        if asked.needs == THIRD_CARD:
            return self._third_cards()
        if "winner" in earlier:
            names = QUESTIONS["winner"].options
            won = ((*row, name) for name in names for row in self._answered("winner", name))
            return Space((*KNOWN[END], "winner"), won)
        return self.ends

    def _two_cards(self, question: str, *, every: bool) -> Space:
        """Both two-card totals: `every` pair of them, or those with which the coup goes on."""
        totals = self.two_card_totals
        rows = list(product(totals, totals)) if every else list(self._answered("natural", "continue"))
        if self.tests(question, "player_backed"):
            return Space((*KNOWN[TWO_CARDS], "player_backed"), ((*row, b) for row in rows for b in ("yes", "no")))
        return Space(KNOWN[TWO_CARDS], rows)

    def _third_cards(self) -> Space:
        """Both two-card totals, with what the player drew."""
        rows: set[Row] = {(*row[:2], NONE, row[0]) for row in self._answered("player_draw", "stand")}
        for player2, banker2, *_ in self._answered("player_draw", "draw"):
            for value in sorted(set(self.points.values())):
                for total in self.third_totals.get((int(player2), value), ()):
                    rows.add((player2, banker2, value, total))
        return Space(KNOWN[THIRD_CARD], sorted(rows, key=_draw_order))

    @cached_property
    def ends(self) -> Space:
        """Every way a coup can end, by totals and third cards: fewest cards first, then in deal order."""
        rows: set[Row] = {
            (player2, banker2, NONE, NONE, player2, banker2) for player2, banker2 in self._answered("natural", "stop")
        }
        for player2, banker2, third, total in self._answered("banker_draw", "stand"):
            rows.add((player2, banker2, third, NONE, total, banker2))
        for player2, banker2, third, total in self._answered("banker_draw", "draw"):
            for value in sorted(set(self.points.values())):
                for banker_total in self.third_totals.get((int(banker2), value), ()):
                    rows.add((player2, banker2, third, value, total, banker_total))
        return Space(KNOWN[END], sorted(rows, key=_end_order))

    def _answered(self, question: str, answer: str) -> Iterator[Row]:
        """The states of a question in which, as resolved, `answer` is permitted."""
        evaluation = self.evaluation(question)
        mask = evaluation.resolved.permits.get(answer, 0) & ~evaluation.open
        rows = evaluation.space.rows
        for i in range(len(rows)):
            if mask >> i & 1:
                yield rows[i]

    # --- settling -----------------------------------------------------------------------------

    def at(self, question: str, state: Mapping[str, Value], *, whole: int | None = None) -> Evaluation:
        """The answers of a question in one state alone, of any numbers: an evaluation over a single row.

        `whole` is what percentages refer to: the cards of the shoe, by default of the one that the source says.
        """
        if whole is None and question == "reshuffle":
            whole = self.space(question).whole
        return self.evaluation_over(question, Space(tuple(state), [tuple(state.values())], whole=whole))

    def known(self, question: str) -> Evaluation | None:
        """The answers of a question if they were computed already."""
        return self._evaluations.get(question)

    def value(self, question: str) -> Atom | None:
        """The resolved answer of a question without inputs; None if it is silent or open."""
        evaluation = self.evaluation(question)
        answer = evaluation.answer(0) if len(evaluation.space) else ()
        return answer[0] if len(answer) == 1 else None

    @cached_property
    def bets(self) -> tuple[str, ...]:
        """The bets of this table: those it offers, else those that its money statements name."""
        offered = self.value("bets_offered")
        if isinstance(offered, tuple):
            return tuple(str(bet) for bet in offered)
        named: dict[str, None] = {}
        for clause in self.clauses:
            for test in clause.guard:
                if test.field == "bet":
                    named.update(dict.fromkeys(sorted(_bets_in(test.values))))
        return tuple(named)

    @cached_property
    def money_fields(self) -> tuple[str, ...]:
        """The fields that the money statements test, apart from the bet: what settling can depend on."""
        tested = {test.field for question in MONEY for guard in self.guards(question) for test in guard}
        for resolution in self.resolutions:
            if resolution.convention:
                convention = CONVENTIONS[resolution.convention]
                tested |= {field for guard, _ in convention.parts for field, _ in guard}
        tested |= {"winner"}
        order = QUESTIONS["outcome"].fields
        return tuple(field for field in order if field in tested and field != "bet")

    def tests(self, question: str, field: str) -> bool:
        """Whether any guard about a question tests a field."""
        return any(test.field == field for guard in self.guards(question) for test in guard)

    def guards(self, question: str) -> list[Guard]:
        """The guards of all statements, resolutions and claims about a question."""
        found = [c.guard for c in self.clauses_about(question)]
        found += [r.guard for r in self.resolutions if r.question == question]
        for claim in self.spec.claims:
            body = claim.body
            if claim.tables and self.rule_set.name not in claim.tables:
                continue
            if isinstance(body, AnswersClaim | InvariantClaim) and body.question == question:
                found.append(body.guard)
                if isinstance(body, InvariantClaim):
                    found.append(tuple(Test(field, Any(), "any", claim.span) for field in body.depends_on))
        return [*found, *self._also.get(question, ())]

    @cached_property
    def alikeness(self) -> dict[int, tuple[str, ...]]:
        """How alike two cards can be, by their total. Two of one card need two decks."""
        found: dict[int, set[str]] = {}
        single = self.value("decks") == 1
        for first, second in product(RANKS, RANKS):
            if first not in self.points or second not in self.points:
                continue
            total = self.totals.get(self.points[first] + self.points[second])
            if total is None:
                continue
            kinds = found.setdefault(total, set())
            if first == second:
                kinds.update(("rank",) if single else ("rank", "card"))
            else:
                kinds.add("value" if self.points[first] == self.points[second] else NONE)
        order = (NONE, "value", "rank", "card")
        return {total: tuple(kind for kind in order if kind in kinds) for total, kinds in found.items()}

    @cached_property
    def end_classes(self) -> Space:
        """The ends as far as settling tells them apart, each with its least end and its number of ends."""
        fields = self.money_fields
        winners = self.evaluation("winner")
        ends = self.ends
        plain = [field for field in fields if field not in ALIKE_FIELDS and field != "winner"]
        columns = [ends.column(field) for field in plain]
        pairs = [field for field in fields if field in ALIKE_FIELDS]
        counts: dict[Row, int] = {}
        examples: dict[Row, Row] = {}
        names = [*plain, "winner", *pairs]
        open_winner = winners.open
        won = {i: str(atom) for atom, mask in winners.resolved.permits.items() for i in bits(mask & ~open_winner)}
        for i, row in enumerate(ends.rows):
            if i not in won:
                continue
            base = (*(column[i] for column in columns), won[i])
            kinds = [self.alikeness[int(row[0 if field == "player_pair" else 1])] for field in pairs]
            for alike in product(*kinds):
                key = (*base, *alike)
                if key in counts:
                    counts[key] += 1
                else:
                    counts[key] = 1
                    shown = dict(zip(pairs, alike, strict=True))
                    examples[key] = (*row, shown.get("player_pair", ""), shown.get("banker_pair", ""))
        return Space(names, counts, counts=list(counts.values()), examples=list(examples.values()))

    def _bets_and_ends(self) -> Space:
        return self._with_bets([(bet, i) for bet in self.bets for i in range(len(self.end_classes))])

    @cached_property
    def _wins(self) -> Space:
        """The bets that win, by the ends with which they do."""
        evaluation = self.evaluation("outcome")
        wins = evaluation.resolved.permits.get("win", 0) & ~evaluation.open
        size = len(self.end_classes)
        return self._with_bets([(self.bets[i // size], i % size) for i in bits(wins)])

    def _with_bets(self, places: list[tuple[str, int]]) -> Space:
        classes = self.end_classes
        return Space(
            ("bet", *classes.fields),
            [(bet, *classes.rows[i]) for bet, i in places],
            counts=[classes.counts[i] for _, i in places],
            examples=[classes.examples[i] for _, i in places],
        )


def load_rules(id: str, *, folders: Sequence[Path] = (), literal: bool = False) -> Rules:
    """The rule set `id`, as `source` or `source/table`, from the shipped specs and `folders`.

    With `literal` nothing is resolved. Raises `UnknownName`, `SpecError`.
    """
    spec, rule_set = Library(folders).rule_set(id)
    return Rules(spec, rule_set, literal=literal)


def _draw_order(row: Row) -> tuple[object, ...]:
    return (row[2] != NONE, row[0], row[1], THIRD.index(row[2]), row[3])


def _end_order(row: Row) -> tuple[object, ...]:
    cards = (row[2] != NONE) + (row[3] != NONE)
    return (cards, row[0], row[1], THIRD.index(row[2]), THIRD.index(row[3]), row[4], row[5])


def _bets_in(values: Values) -> set[str]:
    match values:
        case Among(among):
            return {str(value) for value in among}
        case Either(parts):
            return {bet for part in parts for bet in _bets_in(part)}
        case Other(part, _):
            return _bets_in(part)
        case _:
            return set()

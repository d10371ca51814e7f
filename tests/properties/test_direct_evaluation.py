"""A second reading of docs/language.md: clauses interpreted one state at a time, without masks, agree with the oracle.

Nothing of `oracle.game` is used to decide: states are dictionaries that follow from cards, guards are tried value by
value, resolutions are applied in order to the one state at hand.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from fractions import Fraction
from functools import cache
from itertools import product

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from oracle.game.rules import Rules
from oracle.rules.conventions import CONVENTIONS
from oracle.rules.library import Library
from oracle.rules.model import Clause, Resolution, RuleSet, Spec
from oracle.rules.read import read_spec_text
from oracle.rules.values import Among, Any, Between, Either, Multiple, Other, Value, Values
from tests.nonempty import nonempty

State = dict[str, Value]
Answer = frozenset[object]

RANKS = ("A", "2", "3", "4", "5", "6", "7", "8", "9", "T", "J", "Q", "K")
OPTIONS = {
    "deal_order": ("player", "banker"),
    "natural": ("stop", "continue"),
    "player_draw": ("draw", "stand"),
    "banker_draw": ("draw", "stand"),
    "winner": ("player", "banker", "tie"),
    "outcome": ("win", "lose", "push"),
}
ASSUMED: dict[str, object] = {"natural": "continue", "commission": Fraction(0)}
MONEY = ("outcome", "pays", "commission")


def holds(values: Values, value: Value) -> bool:
    """Whether a value is in a set, form by form as docs/language.md explains them."""
    if isinstance(values, Among):
        return value in values.values
    if isinstance(values, Between):
        number = int(value)
        return (values.low is None or number >= values.low) and (values.high is None or number <= values.high)
    if isinstance(values, Multiple):
        return int(value) % values.of == 0
    if isinstance(values, Either):
        return any(holds(part, value) for part in values.parts)
    if isinstance(values, Other):
        return not (values.card and value == "none") and not holds(values.part, value)
    if isinstance(values, Any):
        return not (values.card and value == "none")
    raise TypeError(values)


class Direct:
    """One rule set, evaluated state by state."""

    def __init__(self, spec: Spec, rule_set: RuleSet, *, literal: bool) -> None:
        self.spec = spec
        self.clauses = [c for c in spec.clauses if not c.tables or rule_set.name in c.tables]
        self.by_id = {clause.id: clause for clause in self.clauses}
        self.about: dict[str, list[Clause]] = {}
        for clause in self.clauses:
            self.about.setdefault(clause.question, []).append(clause)
        self.resolutions = [r for r in spec.resolutions if not literal and (not r.tables or rule_set.name in r.tables)]
        self.readings: dict[str, list[str]] = {}
        for clause in self.clauses:
            names = self.readings.setdefault(clause.statement, [])
            if clause.reading and clause.reading not in names:
                names.append(clause.reading)
        self.chosen = {s: names[0] for s, names in self.readings.items() if names}
        self.chosen |= {r.choose: r.reading for r in self.resolutions if r.choose}
        self.settled = {r.choose for r in self.resolutions if r.choose}
        self.unsettled: dict[str, dict[str, list[str]]] = {}
        for question, clauses in self.about.items():
            read = {c.statement: self.readings[c.statement] for c in clauses if c.reading}
            self.unsettled[question] = {s: names for s, names in read.items() if s not in self.settled}
        self.sums = sorted({a + b for a in self.points() for b in self.points()})

    def speaks(self, clause: Clause, state: State) -> bool:
        return all(holds(test.values, state[test.field]) for test in clause.guard) and not any(
            self.speaks(self.by_id[id], state) for id in clause.excludes if id in self.by_id and self.is_read(id)
        )

    def is_read(self, id: str) -> bool:
        """Whether a clause is of no reading, or of the one that counts."""
        clause = self.by_id[id]
        return not clause.reading or self.chosen[clause.statement] == clause.reading

    def says(self, clause: Clause, state: State) -> Answer:
        found: set[object] = set()
        for atom in clause.answer:
            if clause.question == "card_points" and atom == "face":
                found |= {int(state["rank"])} if str(state["rank"]).isdigit() else set()
            elif clause.question == "hand_total" and atom in ("units", "sum"):
                total = int(state["sum"]) % 10 if atom == "units" else int(state["sum"])
                found |= {total} if total <= 9 else set()
            else:
                found.add(atom)
        return frozenset(found)

    def text(self, question: str, state: State, chosen: Mapping[str, str], aside: set[str]) -> Answer | None:
        """What the text permits; None if no statement speaks."""
        permitted: Answer | None = None
        for clause in self.about.get(question, ()):
            if clause.id in aside:
                continue
            if clause.reading and chosen[clause.statement] != clause.reading:
                continue
            if self.speaks(clause, state):
                said = self.says(clause, state)
                permitted = said if permitted is None else permitted & said
        return permitted

    def is_ambiguous(self, question: str, state: State) -> bool:
        unsettled = self.unsettled.get(question, {})
        ways = [dict(zip(unsettled, names, strict=True)) for names in product(*unsettled.values())]
        return len({self.text(question, state, {**self.chosen, **way}, set()) for way in ways}) > 1

    def is_clear(self, question: str, permitted: Answer | None) -> bool:
        if not permitted:
            return False
        return len(permitted) == 1 or question in self.spec.choosers

    def answer(self, question: str, state: State) -> Answer:
        """What holds as resolved; nothing if the state is open."""
        if self.is_ambiguous(question, state):
            return frozenset()
        aside: set[str] = set()
        permitted = self.text(question, state, self.chosen, aside)
        filled = False
        for guard, value, resolution in self.fills(question, state):
            if not all(holds(values, state[field]) for field, values in guard):
                continue
            named = {
                c.id
                for c in self.about.get(question, ())
                if c.id in resolution.instead_of or c.statement in resolution.instead_of
            }
            left = permitted if filled else self.text(question, state, self.chosen, aside | named)
            if left is None or (len(left) > 1 and value in left and question not in self.spec.choosers):
                permitted, filled, aside = frozenset({value}), True, aside | named
            elif not filled and (not left or left == {value}):
                permitted, aside = left, aside | named
        if permitted is None and question in ASSUMED:
            permitted = frozenset({ASSUMED[question]})
        return permitted if permitted and self.is_clear(question, permitted) else frozenset()

    def fills(self, question: str, state: State) -> Iterator[tuple[list[tuple[str, Values]], object, Resolution]]:
        for resolution in self.resolutions:
            if resolution.convention:
                convention = CONVENTIONS[resolution.convention]
                if convention.question == question:
                    for guard, answer in convention.parts:
                        yield list(guard), answer, resolution
            elif resolution.question == question:
                value = resolution.answer[0]
                if value == "units" and question == "hand_total":
                    value = int(state["sum"]) % 10
                yield [(test.field, test.values) for test in resolution.guard], value, resolution

    # --- states ---------------------------------------------------------------------------------

    def states(self, question: str) -> Iterator[State]:
        """The states that a coup can reach, from the answers to the questions before."""
        match question:
            case "card_points":
                for rank in RANKS:
                    yield {"rank": rank}
            case "hand_total":
                sums = {a + b for a in self.sums for b in self.points()} | set(self.sums)
                for total in sorted(sums):
                    yield {"sum": total}
            case "deal_order":
                for place in (1, 2, 3, 4):
                    yield {"position": place}
            case "natural":
                two = sorted({total for value in self.sums for total in self.total(value)})
                yield from (with_naturals({"player2": p, "banker2": b}) for p in two for b in two)
            case "player_draw":
                yield from (s for s in self.states("natural") if "continue" in self.answer("natural", s))
            case "banker_draw":
                for state in self.states("player_draw"):
                    actions = self.answer("player_draw", state)
                    if "stand" in actions:
                        yield {
                            **state,
                            "player_third": "none",
                            "player_drew": "no",
                            "player_total": state["player2"],
                        }
                    if "draw" in actions:
                        for third, total in self.thirds(state["player2"]):
                            yield {**state, "player_third": third, "player_drew": "yes", "player_total": total}
            case "winner":
                yield from self.ends()
            case _:
                raise KeyError(question)

    @cache  # noqa: B019
    def points(self) -> tuple[int, ...]:
        """What cards can be worth."""
        return tuple(sorted({int(str(v)) for rank in RANKS for v in self.answer("card_points", {"rank": rank})}))

    @cache  # noqa: B019
    def total(self, value: int) -> tuple[int, ...]:
        """The total of a sum, if it has one."""
        return tuple(int(str(total)) for total in self.answer("hand_total", {"sum": value}))

    @cache  # noqa: B019
    def thirds(self, two: Value) -> tuple[tuple[int, int], ...]:
        """Third cards and the totals that they make, whatever cards the first two were."""
        sums = [value for value in self.sums if two in self.total(value)]
        found = {(third, t) for value in sums for third in self.points() for t in self.total(value + third)}
        return tuple(sorted(found))

    def ends(self) -> Iterator[State]:
        for state in self.states("natural"):
            if "stop" in self.answer("natural", state):
                both = {"player_third": "none", "player_total": state["player2"]}
                yield ended({**state, **both, "banker_third": "none", "banker_total": state["banker2"]})
        for state in self.states("banker_draw"):
            actions = self.answer("banker_draw", state)
            if "stand" in actions:
                yield ended({**state, "banker_third": "none", "banker_total": state["banker2"]})
            if "draw" in actions:
                for third, total in self.thirds(state["banker2"]):
                    yield ended({**state, "banker_third": third, "banker_total": total})


def with_naturals(state: State) -> State:
    player, banker = int(state["player2"]) > 7, int(state["banker2"]) > 7
    natural = {(True, True): "both", (True, False): "player", (False, True): "banker"}.get((player, banker), "none")
    return {**state, "natural": natural, "higher": higher(state["player2"], state["banker2"])}


def higher(player: Value, banker: Value) -> str:
    return "equal" if player == banker else "player" if int(player) > int(banker) else "banker"


def ended(state: State) -> State:
    """An end of a coup with all that follows from its hands."""
    made = dict(state)
    for side in ("player", "banker"):
        third = state[f"{side}_third"]
        made[f"{side}_drew"] = "no" if third == "none" else "yes"
        made[f"{side}_cards"] = 2 if third == "none" else 3
    player, banker = int(made["player_total"]), int(made["banker_total"])
    return {**made, "higher": higher(player, banker), "margin": abs(player - banker)}


SPECS = Library().specs()
TABLES = [(spec, rule_set, literal) for spec in SPECS for rule_set in spec.rule_sets for literal in (False, True)]
IDS = [f"{rule_set.id}{' literal' * literal}" for _, rule_set, literal in TABLES]
COUP = ("card_points", "hand_total", "deal_order", "natural", "player_draw", "banker_draw", "winner")


def compare(direct: Direct, rules: Rules, question: str, state: State, place: int) -> None:
    """One state of a question in both evaluations."""
    evaluation = rules.evaluation(question)
    assert frozenset(evaluation.answer(place)) == direct.answer(question, state), (question, state)
    permitted = direct.text(question, state, direct.chosen, set())
    verdict = (
        permitted is None,
        permitted == frozenset(),
        bool(permitted) and not direct.is_clear(question, permitted),
    )
    literal = evaluation.literal
    masks = (literal.gap, literal.conflict, literal.undecided)
    assert tuple(bool(mask >> place & 1) for mask in masks) == verdict, (question, state)
    assert bool(evaluation.unread >> place & 1) == direct.is_ambiguous(question, state), (question, state)


@pytest.mark.parametrize(("spec", "rule_set", "literal"), TABLES, ids=IDS)
def test_the_coup_is_decided_alike_in_every_state(spec: Spec, rule_set: RuleSet, literal: bool) -> None:
    direct, rules = Direct(spec, rule_set, literal=literal), Rules(spec, rule_set, literal=literal)
    for question in COUP:
        space = rules.space(question)
        states = list(direct.states(question))
        assert {tuple(state[field] for field in space.fields) for state in states} == set(space.rows), question
        for state in nonempty(states):
            place = space.index(tuple(state[field] for field in space.fields))
            assert place is not None
            compare(direct, rules, question, state, place)


def alike(total: int, *, one_deck: bool) -> set[str]:
    """How alike two cards that make a total can be, over all pairs of ranks."""
    worth = {rank: min(place + 1, 10) % 10 for place, rank in enumerate(RANKS)}
    found = set()
    for first, second in product(RANKS, RANKS):
        if (worth[first] + worth[second]) % 10 == total:
            if first == second:
                found |= {"rank"} if one_deck else {"rank", "card"}
            else:
                found.add("value" if worth[first] == worth[second] else "none")
    return found


@pytest.mark.parametrize(("spec", "rule_set", "literal"), TABLES, ids=IDS)
@pytest.mark.slow
def test_money_is_decided_alike_in_every_state(spec: Spec, rule_set: RuleSet, literal: bool) -> None:
    direct, rules = Direct(spec, rule_set, literal=literal), Rules(spec, rule_set, literal=literal)
    one_deck = any(c.question == "decks" and c.answer == (1,) for c in spec.clauses)
    kinds = {total: alike(total, one_deck=one_deck) for total in range(10)}
    pairs = any("pair" in field for field in rules.end_classes.fields)
    seen: dict[str, set[int]] = {question: set() for question in MONEY}
    tried: set[tuple[object, ...]] = set()
    for end in direct.ends():
        if len(won := direct.answer("winner", end)) != 1:
            continue
        (winner,) = won
        for player_pair in kinds[int(end["player2"])] if pairs else {"none"}:
            for banker_pair in kinds[int(end["banker2"])] if pairs else {"none"}:
                state = {**end, "winner": str(winner), "player_pair": player_pair, "banker_pair": banker_pair}
                # With pairs there are 16,587 ends; those that no guard tells apart are tried once.
                told = tuple(state[field] for field in rules.end_classes.fields)
                if pairs and told in tried:
                    continue
                tried.add(told)
                for bet in rules.bets:
                    money(direct, rules, {**state, "bet": bet}, seen)
    for question in MONEY:
        assert seen[question] == set(range(len(rules.space(question)))), "no class of ends that no end is in"


def money(direct: Direct, rules: Rules, state: State, seen: dict[str, set[int]]) -> None:
    for question in MONEY:
        space = rules.space(question)
        place = space.index(tuple(state[field] for field in space.fields))
        if question != "outcome" and direct.answer("outcome", state) != {"win"}:
            assert place is None, "only a bet that wins is paid"
            continue
        assert place is not None
        compare(direct, rules, question, state, place)
        seen[question].add(place)


def test_the_reachable_states_are_as_many_as_everybody_counts() -> None:
    spec = next(spec for spec in SPECS if spec.id == "home-pt")
    direct = Direct(spec, spec.rule_sets[0], literal=False)
    counts = {question: sum(1 for _ in direct.states(question)) for question in COUP}
    assert counts == {
        "card_points": 13,
        "hand_total": 28,
        "deal_order": 4,
        "natural": 100,
        "player_draw": 64,
        "banker_draw": 496,
        "winner": 3394,
    }


# --- specs that nobody wrote ------------------------------------------------------------------------

ACTIONS = st.sampled_from(["draw", "stand", "draw | stand"])
DIGIT_SETS = st.sampled_from(["0-5", "5-7", "'not 3'", "[0, 2, 6-7]", "any", "'>= 4'", "multiple of 3", "7"])
GUARDS = st.dictionaries(st.sampled_from(["player2", "banker2"]), DIGIT_SETS, min_size=1)


def guard(tests: dict[str, str]) -> str:
    return "{" + ", ".join(f"{field}: {values}" for field, values in tests.items()) + "}"


@st.composite
def specs(draw: st.DrawFn) -> str:
    """A spec about the player's third card, full of gaps, conflicts, readings, exceptions and resolutions."""
    lines = ["source: {id: any, title: Any, language: en, lines: 9}", "statements:"]
    lines += ["  - {id: points, cite: '1', says: x, about: card_points, when: {rank: 2-9}, then: face}"]
    lines += ["  - {id: ten, cite: '1', says: x, about: card_points, when: {rank: not 2-9}, then: 0}"]
    lines += ["  - {id: total, cite: '1', says: x, about: hand_total, then: units}"]
    lines += ["  - {id: stop, cite: '1', says: x, about: natural, when: {natural: not none}, then: stop}"]
    count = draw(st.integers(1, 4))
    read = []
    for n in range(count):
        head = f"  - {{id: s{n}, cite: '{n + 2}', says: x, about: player_draw"
        if n and draw(st.booleans()):
            head += f", yields_to: [s{n - 1}]"
        shape = draw(st.sampled_from(["plain", "plain", "cases", "readings"]))
        if shape == "plain":
            lines.append(f"{head}, when: {guard(draw(GUARDS))}, then: {draw(ACTIONS)}}}")
            continue
        parts = [f"when: {guard(draw(GUARDS))}, then: {draw(ACTIONS)}" for _ in range(2)]
        if shape == "readings":
            read.append(f"s{n}")
            lines.append(f"{head}, readings: {{a: {{{parts[0]}}}, b: {{{parts[1]}}}}}}}")
        else:
            rest = f", when: {guard(draw(GUARDS))}, otherwise: {{then: {draw(ACTIONS)}}}"
            lines.append(f"{head}{rest}, cases: [{{{parts[0]}}}, {{{parts[1]}}}]}}")
    resolutions = []
    for n in range(draw(st.integers(0, 3))):
        aside = draw(st.sets(st.sampled_from([f"s{i}" for i in range(count)]), max_size=2))
        instead = f", instead_of: [{', '.join(sorted(aside))}]" if aside else ""
        then = draw(st.sampled_from(["draw", "stand"]))
        when = guard(draw(GUARDS))
        resolutions.append(f"  - {{id: r{n}, about: player_draw, when: {when}, then: {then}{instead}, because: x}}")
    chosen = draw(st.sets(st.sampled_from(read))) if read else ()
    resolutions += [f"  - {{id: c{s}, choose: {s}, reading: b, because: x}}" for s in sorted(chosen)]
    if resolutions:
        lines += ["resolutions:", *draw(st.permutations(resolutions))]
    if draw(st.booleans()):
        lines.append("choosers: {player_draw: player}")
    return "\n".join(lines) + "\n"


@settings(deadline=None, max_examples=150)
@given(specs(), st.booleans())
@pytest.mark.slow
def test_specs_that_nobody_wrote_are_decided_alike(text: str, literal: bool) -> None:
    spec = read_spec_text(text)
    direct = Direct(spec, spec.rule_sets[0], literal=literal)
    rules = Rules(spec, spec.rule_sets[0], literal=literal)
    space = rules.space("player_draw")
    for place, row in enumerate(space.rows):
        state = with_naturals(dict(zip(space.fields, row, strict=True)))
        compare(direct, rules, "player_draw", state, place)

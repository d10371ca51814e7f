"""The reachable states of a question as formulas: cards, totals, and the answers of the earlier questions."""

from __future__ import annotations

from oracle.game.rules import Rules
from oracle.rules.answers import Atom
from oracle.rules.questions import (
    COUP_QUESTIONS,
    END,
    FIELDS,
    KNOWN,
    QUESTIONS,
    THIRD_CARD,
    Question,
    before,
    heard_together,
)
from oracle.solver.coding import NO_CARD, Coding
from oracle.solver.formula import Expr, Sheet, all_of, any_of, equal, number, one_of
from oracle.solver.stage import HIGHER_OF_TWO, TWO_CARD_QUESTIONS, Stage, fields_tested

PAIRS = {"player_pair": "player", "banker_pair": "banker"}


def _state_of(question: Question) -> tuple[str, ...]:
    if not question.needs:
        return question.fields
    # the player's hand in full, then what else the banker's adds
    hands = dict.fromkeys(f for f in (*KNOWN[THIRD_CARD], *KNOWN[END]) if f in KNOWN[question.needs])
    winner = ("winner",) if "winner" in before(question.name) else ()
    return (*hands, *winner, *(("bet",) if question.stage == "money" else ()))


# For each question the fields that are its state, and the questions of hands whose answers lead there.
LEADING: dict[str, tuple[tuple[str, ...], tuple[str, ...]]] = {
    name: (_state_of(QUESTIONS[name]), tuple(q for q in before(name) if QUESTIONS[q].needs)) for name in COUP_QUESTIONS
}

_NATURAL: tuple[tuple[bool, bool, str], ...] = (
    (True, True, "both"),
    (True, False, "player"),
    (False, True, "banker"),
)


class States:
    """The states of one question, written on a sheet when made: their fields, and which are reachable.

    `beside` is another rule set whose fields have to be there too.
    """

    def __init__(
        self, sheet: Sheet, rules: Rules, question: str, coding: Coding, *, beside: Rules | None = None
    ) -> None:
        self.sheet = sheet
        self.rules = rules
        self.question = question
        self.coding = coding
        self.fields, self.earlier = LEADING[question]
        self.tested = {name: fields_tested(rules, name) for name in (*self.earlier, question)}
        if beside is not None:
            for name in (question, *heard_together(QUESTIONS[question].heard_with or question)):
                self.tested[name] = (
                    self.tested.get(name, set()) | fields_tested(rules, name) | fields_tested(beside, name)
                )
        self.defined: set[str] = set()
        self.stages: dict[str, Stage] = {}
        self._fields()
        self._derived()
        if not QUESTIONS[question].needs and "sum" not in self.fields:
            return
        self._cards()
        for earlier in self.earlier:
            sheet.heading(f"the {QUESTIONS[earlier].title} question, which comes before")
            self.stages[earlier] = Stage(sheet, rules, earlier, coding)
        sheet.heading("the states that can be reached")
        self._reachable()

    # --- fields -------------------------------------------------------------------------------

    def _fields(self) -> None:
        everything = set().union(*self.tested.values())
        extra = [f for f in ("player_backed",) if f in everything and QUESTIONS[self.question].needs]
        if "winner" in self.earlier:
            extra += [field for field in PAIRS if field in everything]
        self.sheet.heading("the state")
        for field in (*self.fields, *extra):
            self.sheet.comment(f"{FIELDS[field].help}; {self.coding.legend(field)}")
            self.sheet.declare(field)
            self.sheet.require(one_of(field, self.coding.codes(field)))
        self.extra = extra

    def _derived(self) -> None:
        """Definitions of the tested fields that follow from others."""
        for question, tested in self.tested.items():
            for field in FIELDS:
                if field not in tested or field in self.fields or field in self.extra:
                    continue
                name = HIGHER_OF_TWO if field == "higher" and question in TWO_CARD_QUESTIONS else field
                if name not in self.defined:
                    self.defined.add(name)
                    self._derive(name, field)

    def _derive(self, name: str, field: str) -> None:
        code = self.coding.code
        body: Expr
        if field == "natural":
            body = number(code(field, "none"))
            for player, banker, who in reversed(_NATURAL):
                body = (
                    "ite",
                    all_of(_eight("player2", reached=player), _eight("banker2", reached=banker)),
                    number(code(field, who)),
                    body,
                )
        elif field == "higher":
            of = ("player2", "banker2") if name == HIGHER_OF_TWO else ("player_total", "banker_total")
            less: Expr = ("ite", (">", *of), number(code(field, "player")), number(code(field, "banker")))
            body = ("ite", ("=", *of), number(code(field, "equal")), less)
        elif field == "margin":
            p, b = "player_total", "banker_total"
            body = ("ite", (">=", p, b), ("-", p, b), ("-", b, p))
        else:
            side, _, what = field.partition("_")
            without, drawn = (2, 3) if what == "cards" else (code(field, "no"), code(field, "yes"))
            body = ("ite", equal(f"{side}_third", NO_CARD), number(without), number(drawn))
        self.sheet.comment(f"{FIELDS[field].help}; {self.coding.legend(field)}")
        self.sheet.define(name, body, sort="Int")

    # --- cards --------------------------------------------------------------------------------

    def _cards(self) -> None:
        self.sheet.heading("card points, which come before")
        Stage(self.sheet, self.rules, "card_points", self.coding, given="rank")
        ranks = self.coding.codes("rank")
        self.sheet.comment("points that some card has")
        body = any_of(*(("card_points", number(rank), "points") for rank in ranks))
        self.sheet.define("points_of_a_card", body, given=("points",))
        if "sum" in self.fields:
            for card in (1, 2, 3):
                self._card(f"points_{card}")
            self._last_digit()
            return
        self.sheet.heading("hand totals, which come before")
        self._last_digit()
        Stage(self.sheet, self.rules, "hand_total", self.coding, given="sum")
        pairs = {PAIRS[field] for field in self.extra if field in PAIRS}
        for side in ("player", "banker"):
            self.sheet.comment(f"the {side}'s first two cards")
            for card in (1, 2):
                self._card(f"{side}_points_{card}", rank=f"{side}_rank_{card}" if side in pairs else "")
            self.sheet.require(("hand_total", _sum(side), f"{side}2"))

    def _last_digit(self) -> None:
        """Written out rather than with `mod`, which linear integer arithmetic doesn't have."""
        body: Expr = (
            "ite",
            ("<", "sum", "10"),
            "sum",
            ("ite", ("<", "sum", "20"), ("-", "sum", "10"), ("-", "sum", "20")),
        )
        self.sheet.comment("the last digit of a sum of two or three cards")
        self.sheet.define("last_digit", body, sort="Int", given=("sum",))

    def _card(self, points: str, *, rank: str = "") -> None:
        self.sheet.declare(points)
        if not rank:
            self.sheet.require(("points_of_a_card", points))
            return
        self.sheet.declare(rank)
        self.sheet.require(one_of(rank, self.coding.codes("rank")))
        self.sheet.require(("card_points", rank, points))

    def _pair(self, field: str) -> None:
        """How alike the first two cards of a hand are; two of one card need a second deck."""
        side = PAIRS[field]
        first, second = f"{side}_rank_1", f"{side}_rank_2"
        same = ["rank"] if self.rules.value("decks") == 1 else ["rank", "card"]
        here = {name: self.coding.code(field, name) for name in ("none", "value", "rank", "card")}
        alike: Expr = ("=", f"{side}_points_1", f"{side}_points_2")
        self.sheet.comment(f"whether the {side} has a pair")
        self.sheet.require(
            (
                "ite",
                ("=", first, second),
                one_of(field, [here[name] for name in same]),
                ("=", field, ("ite", alike, number(here["value"]), number(here["none"]))),
            )
        )

    # --- what is reachable --------------------------------------------------------------------

    def _reachable(self) -> None:
        if "sum" in self.fields:
            two: Expr = ("+", "points_1", "points_2")
            self.sheet.require(any_of(("=", "sum", two), ("=", "sum", ("+", "points_1", "points_2", "points_3"))))
            return
        if "natural" not in self.earlier:
            return
        if "banker_total" not in self.fields:
            self.sheet.require(self._on())
        else:
            self.sheet.comment("stopped by a natural, or played on")
            self.sheet.require(
                any_of(
                    all_of(self._answer("natural", "stop"), self._stood("player"), self._stood("banker")),
                    self._on(),
                )
            )
        if "winner" in self.earlier:
            self._settled()

    def _settled(self) -> None:
        self.sheet.comment("who wins, as answered")
        names = self.coding.domain("winner")
        self.sheet.require(
            any_of(*(all_of(equal("winner", self.coding.code("winner", n)), self._answer("winner", n)) for n in names))
        )
        for field in self.extra:
            if field in PAIRS:
                self._pair(field)
        if "outcome" in self.earlier:
            self.sheet.comment("only where the bet wins")
            self.sheet.require(self._answer("outcome", "win"))

    def _on(self) -> Expr:
        """The coup goes on after the first two cards each, as far as this question knows it."""
        parts = [self._answer("natural", "continue")]
        for question in self.earlier:
            side = QUESTIONS[question].side
            if side:
                parts.append(
                    any_of(
                        all_of(self._answer(question, "stand"), self._stood(side)),
                        all_of(self._answer(question, "draw"), self._drew(side)),
                    )
                )
        return all_of(*parts)

    def _stood(self, side: str) -> Expr:
        return all_of(equal(f"{side}_third", NO_CARD), ("=", f"{side}_total", f"{side}2"))

    def _drew(self, side: str) -> Expr:
        third = f"{side}_third"
        return all_of(("points_of_a_card", third), ("hand_total", _sum(side, third), f"{side}_total"))

    def _answer(self, question: str, atom: Atom) -> Expr:
        return self.stages[question].answered(atom)


def _eight(total: str, *, reached: bool) -> Expr:
    return (">=", total, "8") if reached else ("<", total, "8")


def _sum(side: str, *third: Expr) -> Expr:
    return ("+", f"{side}_points_1", f"{side}_points_2", *third)

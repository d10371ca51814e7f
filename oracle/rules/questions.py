"""The closed list of questions that rules answer, and the fields that their guards may test.

A question has finite inputs; its reachable states are computed from the resolved answers of the earlier ones
(`oracle.game.rules`).

To add a question: write its entry here, and no other code: its place in a coup stands on it, and states, formulas,
witnesses, chances and comparisons follow from there. It is a change of the language's version. Then give it a row in
the table of docs/language.md, and write schemas and reports again with `make regenerate`. `play` doesn't show it: the
game asks by name those that it plays by, and a new question of the coup changes what becomes of cards only once
`oracle.game.coup` asks it.
"""

from __future__ import annotations

from functools import cache

import msgspec

from oracle.cards import RANKS
from oracle.rules.values import NONE, Value

LANGUAGE_VERSION = 1

DIGITS = tuple(range(10))
THIRD: tuple[Value, ...] = (NONE, *DIGITS)
YES_NO = ("yes", "no")
SIDES = ("player", "banker")
ALIKE = (NONE, "value", "rank", "card")


class Field(msgspec.Struct, frozen=True):
    """Something a guard may test. `domain` is in witness order; empty = whole numbers, or any bet."""

    name: str
    domain: tuple[Value, ...]
    help: str
    card: bool = False
    kind: str = "names"


def _field(name: str, domain: tuple[Value, ...], help: str, *, card: bool = False, kind: str = "") -> Field:
    return Field(name, domain, help, card, kind or ("digits" if domain and isinstance(domain[-1], int) else "names"))


FIELDS = {
    field.name: field
    for field in (
        _field("rank", RANKS, "rank of a card", kind="ranks"),
        _field("sum", tuple(range(28)), "sum of the card points of a hand of two or three cards"),
        _field("position", (1, 2, 3, 4), "place of a card in the deal"),
        _field("player2", DIGITS, "total of the player's first two cards"),
        _field("banker2", DIGITS, "total of the banker's first two cards"),
        _field("player_backed", YES_NO, "whether anybody bet on the player"),
        _field("player_drew", YES_NO, "whether the player took a third card"),
        _field("banker_drew", YES_NO, "whether the banker took a third card"),
        _field("player_third", THIRD, "points of the player's third card, or none", card=True),
        _field("banker_third", THIRD, "points of the banker's third card, or none", card=True),
        _field("player_total", DIGITS, "the player's final total"),
        _field("banker_total", DIGITS, "the banker's final total"),
        _field("player_cards", (2, 3), "number of the player's cards"),
        _field("banker_cards", (2, 3), "number of the banker's cards"),
        _field("natural", (NONE, "player", "banker", "both"), "who has 8 or 9 with two cards"),
        _field("higher", ("equal", "player", "banker"), "whose total is higher"),
        _field("margin", DIGITS, "difference of the final totals"),
        _field("winner", ("player", "banker", "tie"), "who wins, as the winner question answers"),
        _field("player_pair", ALIKE, "how alike the player's first two cards are"),
        _field("banker_pair", ALIKE, "how alike the banker's first two cards are"),
        _field("bet", (), "name of a bet", kind="bet"),
        _field("count", (), "number of bets placed together", kind="number"),
        _field("sides", (0, 1, 2), "how many of them are on player or banker"),
        _field("extras", (), "how many of them are on anything else", kind="number"),
        _field("stake", (), "amount on one bet", kind="number"),
        _field("in_chips", YES_NO, "whether the stake can be laid with the chips"),
        _field("over_balance", YES_NO, "whether all stakes together exceed the balance"),
        _field("remaining", (), "cards left in the shoe, as a count or a percentage", kind="share"),
        _field("coup", ("first", "later"), "whether this is the first coup of a shoe"),
        _field("cut_card", YES_NO, "whether the cut card has come out"),
        _field("participants", (), "number of participants", kind="number"),
        _field("predictions", (), "predictions of one participant for one coup", kind="number"),
        _field("event", ("coup", "leave"), "what just happened in a session"),
        _field("coups", (), "coups played in the session", kind="number"),
        _field("balance", (), "what a participant has", kind="number"),
        _field("leaders", ("one", "several"), "whether the highest score is shared"),
    )
}

_WINNER = (
    "player2", "banker2", "player_third", "banker_third", "player_total", "banker_total", "player_cards",
    "banker_cards", "player_drew", "banker_drew", "natural", "higher", "margin",
)  # fmt: skip
_SETTLE = ("bet", *_WINNER, "winner", "player_pair", "banker_pair")

NOTHING, TWO_CARDS, THIRD_CARD, END = "", "two cards", "third card", "end"
KNOWN: dict[str, tuple[str, ...]] = {
    NOTHING: (),
    TWO_CARDS: ("player2", "banker2"),
    THIRD_CARD: ("player2", "banker2", "player_third", "player_total"),
    END: ("player2", "banker2", "player_third", "banker_third", "player_total", "banker_total"),
}
"""By what a question needs of a coup, the fields of the hands that are known by then."""


class Question(msgspec.Struct, frozen=True):
    """One thing that rules decide.

    `title` names it in tables, `asks` in sentences ("nothing says …"). `answer` names the kind of answer
    (`oracle.rules.answers`), `options` its closed list where it has one.
    `silent` is what silence means: `gap`, `omission`, or `assumed` with the `default`.
    `cell` are the fields that verdicts count cells by; `row` is the field that names the row of a table.
    `stage` groups questions: `coup` (the coup itself), `money`, `table` (everything around it).
    `needs` is what of a coup has to be there before it can be asked: NOTHING of it, both hands of TWO_CARDS, the
    player's THIRD_CARD (or that there is none), or its END.
    `after` are the questions whose answers lead to its states; those before them follow (`before`). Questions of a
    coup stand in the table in the order in which a coup comes to them.
    `side` is whose third card it decides, `heard_with` the question that it is compared together with.
    """

    name: str
    title: str
    asks: str
    fields: tuple[str, ...]
    answer: str
    options: tuple[str, ...] = ()
    silent: str = "gap"
    default: str = ""
    cell: tuple[str, ...] = ()
    row: str = ""
    stage: str = "table"
    needs: str = NOTHING
    after: tuple[str, ...] = ()
    side: str = ""
    heard_with: str = ""


QUESTIONS = {
    question.name: question
    for question in (
        Question(
            "card_points",
            "card points",
            "what a card counts",
            ("rank",),
            "points",
            cell=("rank",),
            stage="coup",
        ),
        Question(
            "hand_total",
            "hand total",
            "what a hand adds up to",
            ("sum",),
            "total",
            cell=("sum",),
            stage="coup",
            after=("card_points",),
        ),
        Question(
            "deal_order",
            "deal order",
            "who gets which card",
            ("position",),
            "choice",
            SIDES,
            cell=("position",),
            stage="coup",
        ),
        Question(
            "natural",
            "natural",
            "whether a natural ends the coup",
            ("player2", "banker2", "natural", "higher"),
            "choice",
            ("stop", "continue"),
            silent="assumed",
            default="continue",
            cell=("player2", "banker2"),
            stage="coup",
            needs=TWO_CARDS,
            after=("hand_total",),
        ),
        Question(
            "player_draw",
            "player draw",
            "whether the player draws",
            ("player2", "banker2", "player_backed"),
            "actions",
            ("draw", "stand"),
            cell=("player2",),
            row="player2",
            stage="coup",
            needs=TWO_CARDS,
            after=("natural",),
            side="player",
        ),
        Question(
            "banker_draw",
            "banker draw",
            "whether the banker draws",
            ("banker2", "player2", "player_drew", "player_third", "player_total"),
            "actions",
            ("draw", "stand"),
            cell=("banker2", "player_third"),
            row="banker2",
            stage="coup",
            needs=THIRD_CARD,
            after=("player_draw",),
            side="banker",
        ),
        Question(
            "winner",
            "winner",
            "who wins",
            _WINNER,
            "choice",
            ("player", "banker", "tie"),
            cell=("player_total", "banker_total", "player_cards", "banker_cards"),
            stage="coup",
            needs=END,
            after=("banker_draw",),
        ),
        Question(
            "outcome",
            "outcome",
            "what becomes of a bet",
            _SETTLE,
            "choice",
            ("win", "lose", "push"),
            row="bet",
            stage="money",
            needs=END,
            after=("winner",),
        ),
        Question(
            "pays",
            "pays",
            "what a winning bet pays",
            _SETTLE,
            "odds",
            row="bet",
            stage="money",
            needs=END,
            after=("outcome",),
        ),
        Question(
            "commission",
            "commission",
            "the commission",
            _SETTLE,
            "share",
            silent="assumed",
            default="0",
            row="bet",
            stage="money",
            needs=END,
            after=("outcome",),
            heard_with="pays",
        ),
        Question("rounding", "rounding", "how payments are rounded", (), "rounding", silent="omission"),
        Question("bets_offered", "bets offered", "which bets there are", (), "bets", silent="omission"),
        Question(
            "bets_together",
            "bets together",
            "which bets go together",
            ("count", "sides", "extras"),
            "choice",
            ("allowed", "refused"),
        ),
        Question("chips", "chips", "which chips there are", (), "numbers", silent="omission"),
        Question(
            "stake",
            "stake",
            "which stakes are taken",
            ("bet", "stake", "in_chips"),
            "choice",
            ("allowed", "refused"),
            silent="omission",
        ),
        Question(
            "total_stake",
            "total stake",
            "how much may be staked in all",
            ("over_balance",),
            "choice",
            ("allowed", "refused"),
            silent="omission",
        ),
        Question("decks", "decks", "how many decks there are", (), "decks", silent="omission"),
        Question("burn", "burn cards", "how many cards are burnt", (), "burn", silent="assumed", default="0"),
        Question("cut_card", "cut card", "where the cut card lies", (), "number", silent="omission"),
        Question(
            "reshuffle",
            "reshuffle",
            "when the shoe is shuffled",
            ("remaining", "coup", "cut_card"),
            "choice",
            ("shuffle", "deal"),
            silent="assumed",
            default="deal",
            after=("decks",),
        ),
        Question(
            "exhausted",
            "exhausted shoe",
            "what happens when the cards run out",
            (),
            "choice",
            ("void", "shuffle"),
            after=("reshuffle",),
        ),
        Question(
            "participants",
            "participants",
            "how many may take part",
            ("participants",),
            "choice",
            ("allowed", "refused"),
            silent="omission",
        ),
        Question(
            "predictions",
            "predictions",
            "how many predictions one may make",
            ("predictions",),
            "choice",
            ("allowed", "refused"),
            silent="omission",
        ),
        Question("start_balance", "start balance", "with how much one starts", (), "number", silent="omission"),
        Question(
            "session_end",
            "session end",
            "when a session ends",
            ("event", "coups", "balance"),
            "choice",
            ("end", "continue"),
            silent="assumed",
            default="continue",
        ),
        Question(
            "score",
            "score",
            "what the score is",
            ("event", "balance"),
            "choice",
            ("balance", "none"),
            silent="omission",
            after=("session_end",),
        ),
        Question(
            "ranking",
            "ranking",
            "who wins the session",
            ("leaders",),
            "choice",
            ("wins", "share", "kept"),
            silent="omission",
        ),
        Question("kept", "scores kept", "how many scores are kept", (), "number", silent="omission"),
        Question(
            "commission_due",
            "commission due",
            "when the commission is due",
            (),
            "choice",
            ("coup", "shoe"),
            silent="assumed",
            default="coup",
        ),
        Question("other", "other", "anything else", (), "text", silent="omission"),
    )
}

CHECKED_QUESTIONS = tuple(name for name in QUESTIONS if name != "other")
COUP_QUESTIONS = tuple(q.name for q in QUESTIONS.values() if q.stage in ("coup", "money"))
CARD_QUESTIONS = tuple(q.name for q in QUESTIONS.values() if q.stage == "coup")
"""The questions of the coup itself, from what a card counts to who wins."""
DEAL_QUESTIONS = tuple(name for name in CARD_QUESTIONS if not QUESTIONS[name].needs)
"""Those that can be asked before any card is dealt."""
DECISION_QUESTIONS = tuple(name for name in CARD_QUESTIONS if QUESTIONS[name].needs in (TWO_CARDS, THIRD_CARD))
"""Those that are decided while a coup goes on: the cells of a tableau."""
DRAW_QUESTIONS = tuple(name for name in CARD_QUESTIONS if QUESTIONS[name].side)
"""Those that decide whether a hand gets a third card."""
MONEY_QUESTIONS = tuple(q.name for q in QUESTIONS.values() if q.stage == "money")
"""The questions that settle a bet."""


def heard_together(question: str) -> tuple[str, ...]:
    """The questions that are compared as one: a win's net is what it pays and what is taken off."""
    return (question, *(q.name for q in QUESTIONS.values() if q.heard_with == question))


@cache
def before(question: str) -> tuple[str, ...]:
    """All questions whose answers lead to the states of this one, in the order of the table."""
    found = set(QUESTIONS[question].after)
    found.update(earlier for name in QUESTIONS[question].after for earlier in before(name))
    return tuple(name for name in QUESTIONS if name in found)

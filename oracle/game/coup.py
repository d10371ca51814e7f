"""Playing a coup: cards in deal order to both hands, the winner, and why."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence

import msgspec

from oracle.cards import Card
from oracle.game.evaluate import Evaluation
from oracle.game.rules import Rules
from oracle.game.space import Row, who_has_natural
from oracle.rules.answers import Atom
from oracle.rules.model import Clause, Resolution
from oracle.rules.values import NONE, Value, contains
from oracle.spans import BadCards, BadChoice, Undecided
from oracle.text import printable

ORDINALS = ("first", "second", "third", "fourth", "fifth", "sixth")


class Decision(msgspec.Struct, frozen=True):
    """One question of a coup, answered: the state, the answer, and the clauses that gave it.

    `fired` are the statements that speak, `not_applied` those of the same row that don't, `set_aside` those that a
    resolution sets aside. `resolution` is what closed an unclear place, `because` its reason, `assumed` that the
    language's default holds. `chosen_by` says who chose freely.
    """

    question: str
    state: dict[str, Value]
    answer: Atom
    fired: tuple[Clause, ...]
    not_applied: tuple[Clause, ...] = ()
    set_aside: tuple[Clause, ...] = ()
    resolution: str = ""
    because: str = ""
    assumed: bool = False
    chosen_by: str = ""


class Hand(msgspec.Struct, frozen=True):
    """One side's cards in the order in which it got them, and their total."""

    cards: tuple[Card, ...]
    total: int


class Coup(msgspec.Struct, frozen=True):
    """A coup played to its end. `alike`: a side's first two cards are alike in none, value, rank or card."""

    rules: str
    player: Hand
    banker: Hand
    winner: str
    natural: str
    alike: dict[str, str]
    unused: tuple[Card, ...]
    trace: tuple[Decision, ...]
    end: Row

    @property
    def cards_used(self) -> int:
        """How many cards the coup took: four to six."""
        return len(self.player.cards) + len(self.banker.cards)


def play(
    rules: Rules, cards: Sequence[Card], *, choose: Mapping[str, str] | None = None, bets: Iterable[str] = ()
) -> Coup:
    """Play one coup of `rules` with `cards` in the order in which they leave the shoe.

    `choose` maps player or banker to draw or stand where the rules leave a choice; `bets` are the names of the
    bets laid, which some rules ask about. Raises `BadCards`, `BadChoice`, `Undecided`.
    """
    table = _Table(rules, tuple(cards), dict(choose or {}), frozenset(bets))
    return table.play()


def why_open(evaluation: Evaluation, i: int) -> str:
    """In a few words why state i of a question has no answer."""
    named = " and ".join(f"{c.id} (line {c.lines})" for c in evaluation.fired(i))
    if evaluation.unread >> i & 1:
        statements = [s for s, mask in evaluation.ambiguous.items() if mask >> i & 1 and s not in evaluation.chosen]
        return f"the readings of {' and '.join(statements)} differ"
    if evaluation.resolved.conflict >> i & 1:
        return f"{named} leave no answer" if evaluation.fired(i) else "no answer is left"
    if evaluation.resolved.undecided >> i & 1:
        return f"{named} permit several answers and nobody is named to choose"
    return "no statement speaks"


class Place(msgspec.Struct, frozen=True):
    """A state of a question: the evaluation that knows it, and which of its rows it is."""

    evaluation: Evaluation
    row: int

    @property
    def state(self) -> dict[str, Value]:
        """The state in the fields that statements test, or that make its cell."""
        return shown_state(self.evaluation, self.row)

    @property
    def permitted(self) -> tuple[Atom, ...]:
        """What is permitted here; never empty for a place that `decide` returned."""
        return self.evaluation.answer(self.row)


def decide(rules: Rules, question: str, state: Mapping[str, Value]) -> Place:
    """Where a question stands in one state. Raises `Undecided` if the rules leave it open there.

    Tables that were computed before are looked up; else this state alone is evaluated, which starts faster.
    """
    place = _place(rules, question, state)
    if not place.permitted:
        raise Undecided(question, show_state(place.state), why_open(place.evaluation, place.row))
    return place


def _place(rules: Rules, question: str, state: Mapping[str, Value]) -> Place:
    known = rules.known(question)
    if known is not None:
        i = known.space.index(tuple(state[field] for field in known.space.fields))
        if i is not None:
            return Place(known, i)
    return Place(rules.at(question, state), 0)


def shown_state(evaluation: Evaluation, i: int) -> dict[str, Value]:
    """State i of a question in the fields that its statements test, or that make its cell."""
    question = evaluation.question
    tested = {test.field for clause in evaluation.clauses for test in clause.guard}
    return evaluation.space.state(i, [f for f in question.fields if f in tested or f in question.cell])


def show_state(state: Mapping[str, Value]) -> str:
    """A state in words: `banker2 3, player_third 8`."""
    return ", ".join(f"{field} {value}" for field, value in state.items())


def decision(place: Place, answer: Atom, *, chosen_by: str = "") -> Decision:
    """A place with its answer and the statements behind it."""
    evaluation, i = place.evaluation, place.row
    fired = evaluation.fired(i)
    aside = evaluation.set_aside(i)
    filled = evaluation.filled_by(i)
    resolution = filled or _closed_by(evaluation, i)
    return Decision(
        question=evaluation.question.name,
        state=place.state,
        answer=answer,
        fired=tuple(fired) if filled is None else (),
        not_applied=tuple(_not_applied(evaluation, i, [*fired, *aside])),
        set_aside=tuple(aside),
        resolution=resolution.id if resolution else "",
        because=resolution.because if resolution else "",
        assumed=bool(evaluation.assumed >> i & 1),
        chosen_by=chosen_by,
    )


def _closed_by(evaluation: Evaluation, i: int) -> Resolution | None:
    """The resolution that chose a reading, or set statements aside, where that matters in state i."""
    return next((applied.resolution for applied in evaluation.applied if applied.closes >> i & 1), None)


def _not_applied(evaluation: Evaluation, i: int, fired: Sequence[Clause]) -> Iterable[Clause]:
    """The statements of the same row of a table that don't speak in state i."""
    row = evaluation.question.row
    if not row:
        return
    value = evaluation.space.column(row)[i]
    for clause in evaluation.active({}):
        if clause in fired or clause.otherwise:
            continue
        in_row = [test for test in clause.guard if test.field == row]
        block = [t for t in clause.guard if t.field == "player_drew"]
        columns = evaluation.space
        if (
            in_row
            and all(contains(t.values, value) for t in in_row)
            and all(contains(t.values, columns.column(t.field)[i]) for t in block)
        ):
            yield clause


class _Table:
    """One coup being played."""

    def __init__(self, rules: Rules, cards: tuple[Card, ...], choose: dict[str, str], bets: frozenset[str]) -> None:
        self.rules = rules
        self.cards = cards
        self.choose = choose
        self.bets = bets
        self.used = 0
        self.trace: list[Decision] = []
        self.hands: dict[str, list[Card]] = {"player": [], "banker": []}
        for side, action in choose.items():
            if side not in self.hands or action not in ("draw", "stand"):
                raise BadChoice(
                    f"`{printable(side[:20])}={printable(action[:20])}` is no choice: "
                    "write player=draw, player=stand, banker=draw or banker=stand"
                )

    def play(self) -> Coup:
        self._check_copies()
        for position in range(1, 5):
            side = str(decide(self.rules, "deal_order", {"position": position}).permitted[0])
            self._deal(side, f"the coup starts with four cards, and only {len(self.cards)} came")
        if any(len(hand) != 2 for hand in self.hands.values()):
            dealt = " and ".join(f"the {side} {len(hand)}" for side, hand in self.hands.items())
            raise Undecided("deal_order", "the first four cards", f"{dealt} of them, not two each")
        end: dict[str, Value] = {"player2": self._total("player"), "banker2": self._total("banker")}
        player_third = banker_third = NONE  # type: Value
        if self._answer("natural", end) == "continue":
            backed = "yes" if "player" in self.bets else "no"
            if self._answer("player_draw", {**end, "player_backed": backed}, side="player") == "draw":
                player_third = self._deal("player", "the player draws")
            state = {**end, "player_third": player_third, "player_total": self._total("player")}
            if self._answer("banker_draw", state, side="banker") == "draw":
                banker_third = self._deal("banker", "the banker draws")
        end |= {"player_third": player_third, "banker_third": banker_third}
        end |= {"player_total": self._total("player"), "banker_total": self._total("banker")}
        winner = self._answer("winner", end)
        return Coup(
            rules=self.rules.id,
            player=Hand(tuple(self.hands["player"]), int(end["player_total"])),
            banker=Hand(tuple(self.hands["banker"]), int(end["banker_total"])),
            winner=str(winner),
            natural=who_has_natural(end["player2"], end["banker2"]),
            alike={side: self._alike(side) for side in self.hands},
            unused=self.cards[self.used :],
            trace=tuple(self.trace),
            end=tuple(end.values()),
        )

    def _check_copies(self) -> None:
        decks = self.rules.value("decks")
        if not isinstance(decks, int):
            return
        for card in dict.fromkeys(self.cards):
            copies = decks if card.suit else 4 * decks
            count = sum(1 for c in self.cards if c.rank == card.rank and card.suit in ("", c.suit))
            if count > copies:
                plural = "" if decks == 1 else "s"
                raise BadCards(f"{card} stands {count} times: {decks} deck{plural} hold{'s' * (decks == 1)} {copies}")

    def _deal(self, side: str, why: str) -> Value:
        """Give the next card to a side; its points."""
        if self.used >= len(self.cards):
            place = ORDINALS[self.used] if self.used < len(ORDINALS) else f"{self.used + 1}th"
            number = ORDINALS[len(self.hands[side])]
            raise BadCards(f"the {place} card is missing, the {side}'s {number}: {why}")
        card = self.cards[self.used]
        self.used += 1
        self.hands[side].append(card)
        return self._points(card)

    def _points(self, card: Card) -> int:
        if card.rank not in self.rules.points:
            decide(self.rules, "card_points", {"rank": card.rank})
        return self.rules.points[card.rank]

    def _total(self, side: str) -> int:
        total = sum(self._points(card) for card in self.hands[side])
        if total not in self.rules.totals:
            decide(self.rules, "hand_total", {"sum": total})
        return self.rules.totals[total]

    def _answer(self, question: str, state: Mapping[str, Value], *, side: str = "") -> Atom:
        place = decide(self.rules, question, state)
        permitted = place.permitted
        chosen_by = ""
        answer = permitted[0]
        chosen = self.choose.get(side)
        if len(permitted) > 1:
            chosen_by = self.rules.spec.choosers.get(question, side)
            if chosen is None:
                raise BadChoice(
                    f"the {chosen_by} may draw or stand ({show_state(place.state)}): "
                    f"say --choose {side}=draw or --choose {side}=stand"
                )
            answer = chosen
        elif chosen is not None and chosen != answer:
            raise BadChoice(f"the {side} can't {chosen} here: the rules say {answer} ({show_state(place.state)})")
        self.trace.append(decision(place, answer, chosen_by=chosen_by))
        return answer

    def _alike(self, side: str) -> str:
        first, second = self.hands[side][:2]
        if first.rank != second.rank:
            return "value" if self._points(first) == self._points(second) else NONE
        if not (first.suit and second.suit):
            return "rank"
        return "card" if first.suit == second.suit else "rank"

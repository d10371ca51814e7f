"""A hand of cards, or a set of bets, on which two rule sets contradict each other: played by both before it is shown.

Stakes are twenty where both tables take that, else the least that both take, else twenty all the same.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from fractions import Fraction
from itertools import islice

import msgspec

from oracle.cards import RANKS, Card
from oracle.checks.witness import Deal, lay, show_deal
from oracle.compare.joint_space import JointSpace
from oracle.compare.stance import Stance, voice
from oracle.game.coup import Coup, decide, play, show_state
from oracle.game.money import stakes_up_to
from oracle.game.rules import Rules
from oracle.game.settle import settle
from oracle.game.space import EXAMPLE_FIELDS, bits
from oracle.rules.answers import Atom
from oracle.rules.questions import DECISION_QUESTIONS, KNOWN, MONEY_QUESTIONS, QUESTIONS, heard_together
from oracle.rules.values import NONE, Value
from oracle.spans import OracleError, Undecided

STAKE = 20
_MOST_STAKE = 500
_ATTEMPTS = 500
_LAID = ("player2", "banker2", "player_third", "banker_third")
_NEUTRAL = ("player", "banker", "tie")


class PlayedWitness(msgspec.Struct, frozen=True):
    """What becomes of a witness at one table: the winner and totals of the coup, the net of each bet that has one.

    `left_open` says why it has no end, where it has none.
    """

    winner: str = ""
    player: int | None = None
    banker: int | None = None
    cards: tuple[str, ...] = ()
    nets: Mapping[str, Fraction] = {}
    left_open: str = ""


class Shown(msgspec.Struct, frozen=True):
    """The least state of a region that both tables were seen to reach, with cards in deal order where cards show it."""

    state: Mapping[str, Value]
    text: str
    cards: tuple[str, ...] = ()
    bets: Mapping[str, Fraction] = {}
    a: PlayedWitness | None = None
    b: PlayedWitness | None = None


class NotReplayed(AssertionError):
    """Two ways to evaluate a state differ: a mistake in this program, not in a spec."""


def witness_of(panel: JointSpace, mask: int, heard: tuple[Stance, Stance], *, literal: bool) -> Shown | None:
    """The witness of a region in which both say what is `heard`; None if no cards reach it at both tables.

    Raises `NotReplayed` if evaluating a state alone gives another answer than the region has.
    """
    for i in islice(bits(mask), _ATTEMPTS):
        for n in (0, 1):
            _check(panel, n, i, heard[n], literal=literal)
        shown = _show(panel, i, heard, literal=literal)
        if shown is not None:
            return shown
    return None


def common_stake(tables: Sequence[Rules], bets: Sequence[str]) -> Fraction:
    """What to stake on each of these bets so that tables take it, if any stake is taken by all."""
    common: set[int] | None = None
    for rules in tables:
        for bet in bets:
            if bet in rules.bets:
                taken = set(stakes_up_to(rules, bet, _MOST_STAKE))
                common = taken if common is None else common & taken
    if not common or STAKE in common:
        return Fraction(STAKE)
    return Fraction(min(common))


def _check(panel: JointSpace, n: int, i: int, heard: Stance, *, literal: bool) -> None:
    """See that the state alone, evaluated anew, has the same answer."""
    rules, place = panel.tables[n], panel.place(n, i)
    assert place is not None
    space = panel.evaluations[n].space
    state = dict(zip(space.fields, space.rows[place], strict=True))
    alone = {part: rules.at(part, state, whole=space.whole) for part in heard_together(panel.question)}
    found = voice(_Alone(rules, alone), panel.question, alone[panel.question], literal=literal).heard
    if list(found) != [heard]:
        raise NotReplayed(f"{rules.id} {panel.question}: {show_state(state)} is {list(found)}, not {heard}")


class _Alone(Rules):
    """A table that knows one state of some questions."""

    def __init__(self, rules: Rules, alone: Mapping[str, object]) -> None:
        super().__init__(rules.spec, rules.rule_set, literal=rules.literal)
        self._evaluations.update(alone)  # type: ignore[arg-type]


def _show(panel: JointSpace, i: int, heard: tuple[Stance, Stance], *, literal: bool) -> Shown | None:
    question = panel.question
    asked = QUESTIONS[question]
    fields = [f for f in dict.fromkeys((*asked.fields, *panel.space.fields)) if panel.space.has(f)]
    state = panel.space.state(i, fields)
    if asked.needs:
        return _by_cards(panel, i, heard, literal=literal)
    if question == "card_points":
        return Shown(state, f"card {state['rank']}", (str(state["rank"]),))
    if question == "bets_together":
        laid = [f for f in panel.space.fields if state[f] == "yes"]
        stake = common_stake(panel.tables, laid)
        return Shown(state, f"bets on {' and '.join(laid)}", bets=dict.fromkeys(laid, stake))
    if question == "bets_offered":
        return _only_one_offers(panel)
    return Shown(state, show_state(state))


def _only_one_offers(panel: JointSpace) -> Shown:
    a, b = panel.tables
    apart = [bet for bet in dict.fromkeys((*a.bets, *b.bets)) if (bet in a.bets) != (bet in b.bets)]
    return Shown({}, f"a bet on {apart[0]}" if apart else "", bets={bet: common_stake((a, b), [bet]) for bet in apart})


# --- coups ------------------------------------------------------------------------------------


def _by_cards(panel: JointSpace, i: int, heard: tuple[Stance, Stance], *, literal: bool) -> Shown | None:
    """The coup of a state at both tables; None if its cards don't lead there at one of them."""
    row = panel.space.state(i, panel.space.fields)
    for n in (0, 1):
        place = panel.place(n, i)
        assert place is not None
        example = panel.evaluations[n].space.example(place)
        deal = lay(panel.tables[n], example)
        if deal is None:
            continue
        for cards in _continued(panel, deal):
            shown = _played(panel, cards, row, heard, literal=literal)
            if shown is not None:
                return shown
    return None


def _continued(panel: JointSpace, deal: Deal) -> Iterator[list[Card]]:
    """The cards of a deal with further ones that the other table may draw: where the coup isn't decided by then,
    first those that make the two tables' winners differ.
    """
    cards = [*deal[0], *deal[1]]
    ranks = [rank for rank in RANKS if all(rank in rules.points for rules in panel.tables)]
    ways = [[*cards, Card(one), Card(two)] for two in ranks for one in ranks]
    if panel.question in DECISION_QUESTIONS:
        yield from (way for way in ways if len({_winner(rules, way) for rules in panel.tables}) > 1)
    yield from ways[:1]


def _winner(rules: Rules, cards: list[Card]) -> str:
    try:
        return play(rules, cards).winner
    except OracleError:
        return ""


def _played(
    panel: JointSpace, cards: list[Card], row: Mapping[str, Value], heard: tuple[Stance, Stance], *, literal: bool
) -> Shown | None:
    """A coup at both tables with the bets that show the difference, if it gets to the state at both."""
    tables, question = panel.tables, panel.question
    bets = [str(row["bet"])] if "bet" in row else [b for b in _NEUTRAL if all(b in rules.bets for rules in tables)]
    stake = common_stake(tables, bets)
    played: list[PlayedWitness] = []
    used = 0
    for n, rules in enumerate(tables):
        backed = ["player"] if row.get("player_backed") == "yes" else []
        try:
            coup = play(rules, cards, bets=backed)
        except OracleError as error:
            if not _reaches(rules, question, row, None):
                return None
            played.append(PlayedWitness(left_open=str(error)))
            continue
        if not _reaches(rules, question, row, coup):
            return None
        used = max(used, coup.cards_used)
        nets = {bet: net for bet in bets if (net := _net(rules, coup, bet, stake)) is not None}
        if not literal:
            _see(rules, question, coup, heard[n], row=row, nets=nets, stake=stake)
        hands = tuple(" ".join(str(card) for card in hand.cards) for hand in (coup.player, coup.banker))
        played.append(PlayedWitness(coup.winner, coup.player.total, coup.banker.total, hands, nets))
    differing = [b for b in bets if len({p.nets.get(b) for p in played}) > 1] or bets[:1]
    laid = (cards[:4], cards[4 : max(used, 4)])
    fields = [f for f in QUESTIONS[question].fields if f in row]
    return Shown(
        state={f: row[f] for f in (*fields, *(f for f in row if f not in fields))},
        text=show_deal(tables[0], laid),
        cards=tuple(str(card) for card in (*laid[0], *laid[1])),
        bets=dict.fromkeys(differing, stake),
        a=_only(played[0], differing),
        b=_only(played[1], differing),
    )


def _net(rules: Rules, coup: Coup, bet: str, stake: Fraction) -> Fraction | None:
    """What a bet nets; None where the table leaves that open."""
    try:
        return settle(rules, coup, {bet: stake})[0].net
    except Undecided:
        return None


def _only(played: PlayedWitness, bets: Sequence[str]) -> PlayedWitness:
    return msgspec.structs.replace(played, nets={bet: net for bet, net in played.nets.items() if bet in bets})


def _reaches(rules: Rules, question: str, row: Mapping[str, Value], coup: Coup | None) -> bool:
    """Whether a coup passes through a state of a question, as far as the state names its hands."""
    if coup is None:
        return question not in MONEY_QUESTIONS
    end = dict(zip(EXAMPLE_FIELDS, coup.end, strict=False))
    end |= {"winner": coup.winner, "player_pair": coup.alike["player"], "banker_pair": coup.alike["banker"]}
    if question in MONEY_QUESTIONS:
        at = decide(rules, "outcome", {"bet": row["bet"], **_derived(rules, end)})
        wanted = {field: value for field, value in row.items() if field in at.evaluation.space.fields}
        return wanted == at.evaluation.space.state(at.row, list(wanted))
    known = [field for field in _LAID if field in KNOWN[QUESTIONS[question].needs]]
    return all(end.get(field, NONE) == row[field] for field in known if field in row)


def _derived(rules: Rules, end: Mapping[str, Value]) -> dict[str, Value]:
    from oracle.game.space import Space

    space = Space(tuple(end), [tuple(end.values())])
    return {**end, **{field: space.column(field)[0] for field in rules.money_fields}}


def _see(
    rules: Rules,
    question: str,
    coup: Coup,
    heard: Stance,
    *,
    row: Mapping[str, Value],
    nets: Mapping[str, Fraction],
    stake: Fraction,
) -> None:
    """See that the coup as played has the answer that the region has. Raises `NotReplayed`."""
    if not heard.answer:
        return
    if question == "pays":
        found = nets.get(str(row["bet"]))
        if found is None:
            return
        if rules.value("rounding") in (None, "exact") and found != stake * Fraction(heard.answer[0]):  # type: ignore[arg-type]
            raise NotReplayed(f"{rules.id} nets {found} on {row['bet']}, not {heard.answer[0]} times {stake}")
        return
    answers = [decision.answer for decision in coup.trace if decision.question == question]
    if question == "outcome":
        answers = [settled.outcome for settled in settle(rules, coup, {str(row["bet"]): stake})]
    elif not answers:
        answers = _beside(rules, question, coup, row)
    if any(answer not in heard.answer for answer in answers) or not answers:
        raise NotReplayed(f"{rules.id} {question}: played as {answers}, not {heard.answer}")


def _beside(rules: Rules, question: str, coup: Coup, row: Mapping[str, Value]) -> list[Atom]:
    """What is permitted, in the state that a coup comes to, of a question that playing it doesn't ask."""
    evaluation = rules.evaluation(question)
    end = {**row, **dict(zip(EXAMPLE_FIELDS, coup.end, strict=False)), "winner": coup.winner}
    place = evaluation.space.index(tuple(end[field] for field in evaluation.space.fields))
    return [] if place is None else list(evaluation.answer(place))

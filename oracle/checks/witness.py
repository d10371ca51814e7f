"""Witnesses: the least state of a set, and cards that anyone can lay on a table to reach it.

The order: fewest cards first, then totals and third cards in deal order, 0 < 1 < … < 9. A two-card total t is
laid as the card t with a king (player) or a queen (banker) where nothing else asks for other cards. Each
witness is replayed through the oracle before it is shown.
"""

from __future__ import annotations

from itertools import product

from oracle.cards import RANKS, Card
from oracle.checks.finding import Witness
from oracle.game.coup import play, shown_state
from oracle.game.rules import Rules
from oracle.game.space import first_bit
from oracle.rules.questions import KNOWN, QUESTIONS
from oracle.rules.values import NONE, Value
from oracle.spans import BadCards, BadChoice, OracleError, Undecided


class WitnessFailed(AssertionError):
    """A witness that doesn't reach its state: a mistake in this program, not in a spec."""


def witness(rules: Rules, question: str, mask: int) -> Witness:
    """The least state of `mask`, with cards. Raises `WitnessFailed` if the replay doesn't reach it."""
    evaluation = rules.evaluation(question)
    i = first_bit(mask)
    state = shown_state(evaluation, i)
    example = evaluation.space.example(i)
    if question == "card_points":
        return Witness((str(example["rank"]),), state, f"card {example['rank']}")
    if question == "hand_total":
        hand = _hand_of_sum(rules, int(example["sum"]))
        return Witness(hand, state, f"hand {' '.join(hand)}")
    if "player2" not in example:
        return Witness((), state, ", ".join(f"{field} {value}" for field, value in state.items()))
    cards = lay(rules, example)
    if cards is None or not _replay(rules, question, cards, example):
        return Witness((), state, ", ".join(f"{field} {value}" for field, value in state.items()))
    return Witness(tuple(str(card) for card in cards[0] + cards[1]), state, show_deal(rules, cards))


Deal = tuple[list[Card], list[Card]]


def lay(rules: Rules, example: dict[str, Value]) -> Deal | None:
    """Cards that make a state: the first four in deal order, then the third cards. None if there are none."""
    hands: dict[str, list[Card]] = {}
    for side, zero in (("player", "K"), ("banker", "Q")):
        total = example[f"{side}2"]
        hand = _two_cards(rules, int(total), str(example.get(f"{side}_pair", "")), zero)
        if hand is None:
            return None
        hands[side] = hand
    thirds = [
        _card_worth(rules, value) for f in ("player_third", "banker_third") if (value := example.get(f, NONE)) != NONE
    ]
    if any(card is None for card in thirds):
        return None
    first = [hands[side].pop(0) for side in deal_sides(rules)]
    return first, [card for card in thirds if card is not None]


def deal_sides(rules: Rules) -> list[str]:
    """Who gets each of the first four cards; alternating where the rules leave it open, for showing only."""
    evaluation = rules.evaluation("deal_order")
    sides = [str(evaluation.answer(i)[0]) if evaluation.answer(i) else "" for i in range(4)]
    return sides if sorted(sides) == ["banker", "banker", "player", "player"] else ["player", "banker"] * 2


def show_deal(rules: Rules, cards: Deal) -> str:
    """A deal as people lay it: `P 4 K + 8 | B 2 Q`."""
    hands: dict[str, list[str]] = {"player": [], "banker": []}
    for side, card in zip(deal_sides(rules), cards[0], strict=True):
        hands[side].append(str(card))
    texts = {side: " ".join(hand) for side, hand in hands.items()}
    return f"P {texts['player']} | B {texts['banker']}" + (
        f" | then {' '.join(str(card) for card in cards[1])}" if cards[1] else ""
    )


def _card_worth(rules: Rules, value: Value) -> Card | None:
    return next((Card(rank) for rank in RANKS if rules.points.get(rank) == value), None)


def _two_cards(rules: Rules, total: int, alike: str, zero: str) -> list[Card] | None:
    seconds = [zero, *(rank for rank in RANKS if rank != zero)]
    for second, first in product(seconds, RANKS):
        if first not in rules.points or second not in rules.points:
            continue
        if rules.totals.get(rules.points[first] + rules.points[second]) != total:
            continue
        kind = "rank" if first == second else "value" if rules.points[first] == rules.points[second] else NONE
        if alike in ("", kind):
            return [Card(first, "H"), Card(second, "S")] if kind == "rank" and alike else [Card(first), Card(second)]
        if alike == "card" and kind == "rank":
            return [Card(first, "H"), Card(second, "H")]
    return None


def _hand_of_sum(rules: Rules, total: int) -> tuple[str, ...]:
    values = {value: rank for rank, value in reversed(list(rules.points.items()))}
    for count in (2, 3):
        for hand in product(sorted(values), repeat=count):
            if sum(hand) == total:
                return tuple(values[value] for value in hand)
    return ()


def _replay(rules: Rules, question: str, cards: Deal, example: dict[str, Value]) -> bool:
    """Play the witness and see that it reaches the question in this state, decided or not.

    False if no shoe of these rules holds the cards.
    """
    choose = {}
    for side in ("player", "banker"):
        if f"{side}_third" in example:
            choose[side] = "stand" if example[f"{side}_third"] == NONE else "draw"
    bets = ["player"] if example.get("player_backed") == "yes" else []
    deck = [*cards[0], *cards[1]]
    deck += [Card(rank) for rank in RANKS if rank in rules.points and all(rank != card.rank for card in deck)][:2]
    for attempt in ({}, choose, {s: a for s, a in choose.items() if s == "player"}):
        try:
            coup = play(rules, deck, choose=attempt, bets=bets)
        except BadChoice:
            continue
        except Undecided:
            return True
        except BadCards:
            return False
        except OracleError as error:
            raise WitnessFailed(f"{rules.id} {question}: {show_deal(rules, cards)} can't be played: {error}") from error
        shown = dict(zip(("player2", "banker2", "player_third", "banker_third"), coup.end, strict=False))
        known = KNOWN[QUESTIONS[question].needs]
        if any(example.get(field, shown[field]) != shown[field] for field in shown if field in known):
            raise WitnessFailed(f"{rules.id} {question}: {show_deal(rules, cards)} ends in {shown}, not {example}")
        return True
    return True

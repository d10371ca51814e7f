"""Baccarat written once more, straight from the four rule texts, apart from the oracle: a second way to every answer.

Nothing here may import from `oracle`. A wrong program is a subclass that goes about one thing otherwise.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

Hand = list[str]
SIDES = ("player", "banker")
ROWS: dict[int, set[int]] = {  # third cards against which the banker draws on three and more
    3: {0, 1, 2, 3, 4, 5, 6, 7, 9},
    4: {2, 3, 4, 5, 6, 7},
    5: {4, 5, 6, 7},
    6: {6, 7},
}


@dataclass
class Table:
    """What a rule text says about bets: prizes of a unit stake, and which stakes it takes."""

    prizes: Mapping[str, Fraction]
    stakes: frozenset[int] | None = None  # None: the text limits none
    several: bool = False  # tie and pairs beside each other and beside one side
    balance: bool = False  # whether stakes are held against what one has
    half_on_six: bool = False
    start: int | None = None  # with how much one sits down, where the text says it
    coups: int | None = None  # after so many the session is over
    least: int | None = None  # with less than this left it is over too
    leaving: bool = False  # whether one may leave with what one has
    shuffles_each_time: bool = False
    shuffles_at: Fraction | None = None  # with no more than this share of 416 cards left


_CHIPS = frozenset(range(5, 501, 5))  # what chips of 5, 25, 100 and 500 make
_USUAL = {"player": Fraction(1), "banker": Fraction(19, 20), "tie": Fraction(8)}
_PAIRS = {"player_pair": Fraction(11), "banker_pair": Fraction(11)}
_SELMINHA: dict[str, Any] = {
    "stakes": _CHIPS, "several": True, "balance": True, "start": 500, "least": 5, "leaving": True,
    "shuffles_at": Fraction(15, 100),
}  # fmt: skip

TABLES = {
    "home-pt": Table(_USUAL, stakes=frozenset({20}), start=0, coups=10, shuffles_each_time=True),
    "grid-pt": Table(_USUAL),
    "punto-es": Table({**_USUAL, "tie": Fraction(9)}),
    "selminha/classica": Table({**_USUAL, **_PAIRS}, **_SELMINHA),
    "selminha/sem-comissao": Table({**_USUAL, **_PAIRS, "banker": Fraction(1)}, half_on_six=True, **_SELMINHA),
}


@dataclass
class Coup:
    """A coup that has been played."""

    hands: dict[str, Hand]
    first: dict[str, int]  # totals of two cards
    totals: dict[str, int]
    winner: str


class Baccarat:
    """The right game of one rule set."""

    order = ("player", "banker", "player", "banker")

    def __init__(self, id: str) -> None:
        self.table = TABLES[id]

    # What cards are worth

    def points(self, rank: str) -> int:
        return int(rank) if rank.isdigit() else 1 if rank == "A" else 0

    def seen(self, rank: str) -> int:
        """What the banker takes the player's third card for."""
        return self.points(rank)

    def last_digit(self, summed: int) -> int:
        return summed % 10

    def total(self, hand: Hand) -> int:
        return self.last_digit(sum(self.points(card[0]) for card in hand))

    # How a coup goes

    def is_natural(self, total: int) -> bool:
        return total in (8, 9)

    def ends(self, player: int, banker: int) -> bool:
        """Whether the coup ends with two cards each."""
        return self.is_natural(player) or self.is_natural(banker)

    def player_draws(self, total: int) -> bool:
        return total <= 5

    def banker_draws(self, total: int, third: int | None, player: int) -> bool:
        """By the banker's two cards and the player's third; `player` is the player's total by now."""
        return total <= 5 if third is None else total <= 2 or third in ROWS.get(total, ())

    def draw(self, shoe: Iterator[str], hands: dict[str, Hand]) -> None:
        """Deal third cards."""
        player, banker = hands["player"], hands["banker"]
        if self.player_draws(self.total(player)):
            player.append(next(shoe))
        third = self.seen(player[2][0]) if len(player) > 2 else None
        if self.banker_draws(self.total(banker), third, self.total(player)):
            banker.append(next(shoe))

    def wins(self, totals: dict[str, int], first: dict[str, int]) -> str:
        if totals["player"] == totals["banker"]:
            return "tie"
        return max(totals, key=totals.__getitem__)

    def play(self, cards: list[str]) -> Coup:
        shoe = iter(cards)
        hands: dict[str, Hand] = {"player": [], "banker": []}
        for side in self.order:
            hands[side].append(next(shoe))
        first = {side: self.total(hand) for side, hand in hands.items()}
        if not self.ends(first["player"], first["banker"]):
            self.draw(shoe, hands)
        totals = {side: self.total(hand) for side, hand in hands.items()}
        return Coup(hands, first, totals, self.wins(totals, first))

    # What is told of it

    def naturals(self, coup: Coup) -> str:
        sides = [side for side in SIDES if self.is_natural(coup.first[side])]
        return "both" if len(sides) == 2 else "".join(sides) or "none"

    def is_pair(self, hand: Hand) -> bool:
        return hand[0][0] == hand[1][0]

    # Money

    def prize(self, bet: str, coup: Coup) -> Fraction:
        """What a unit stake wins."""
        if bet == "banker" and self.table.half_on_six and coup.totals["banker"] == 6:
            return Fraction(1, 2)
        return self.table.prizes[bet]

    def unit(self, bet: str, coup: Coup) -> Fraction:
        """What a unit stake changes the balance by."""
        if bet.endswith("_pair"):
            won = self.is_pair(coup.hands[bet.removesuffix("_pair")])
        else:
            won = bet == coup.winner
            if coup.winner == "tie" and not won:
                return Fraction(0)
        return self.prize(bet, coup) if won else Fraction(-1)

    def net(self, bet: str, stake: Fraction, coup: Coup) -> Any:
        return stake * self.unit(bet, coup)

    # Which bets are taken

    def takes(self, bets: Mapping[str, Fraction], balance: Fraction | None) -> bool:
        table = self.table
        if not all(bet in table.prizes and stake > 0 for bet, stake in bets.items()):
            return False
        if table.stakes is not None and not all(stake in table.stakes for stake in bets.values()):
            return False
        if table.balance and balance is not None and sum(bets.values()) > balance:
            return False
        return not {"player", "banker"} <= set(bets) if table.several else len(bets) == 1

    # Shoes

    def shuffles(self, dealt: int) -> bool:
        """Whether the shoe is shuffled before the next coup, once coups took so many of its 416 cards."""
        table = self.table
        if dealt == 0:
            return False
        left = 416 - dealt
        return table.shuffles_each_time or (table.shuffles_at is not None and Fraction(left, 416) <= table.shuffles_at)

    # Sessions

    def night(self, steps: list[Any], balance: Fraction | None) -> dict[str, Any]:
        """The balance after each step, and whether the session is over in the end."""
        table = self.table
        has = Fraction(table.start) if table.start is not None else balance
        if has is None:
            return {"skipped": "the text doesn't say with how much a session starts"}
        played, over, told = 0, False, []
        for step in steps:
            if over:
                pass
            elif step == "leave":
                over = table.leaving
            else:
                bets = {bet: Fraction(stake) for bet, stake in step["bets"].items()}
                if bets and self.takes(bets, has):
                    coup = self.play(list(step["cards"]))
                    has += sum(self.net(bet, stake, coup) for bet, stake in bets.items())
                    played += 1
                    over = played == table.coups or (table.least is not None and has < table.least)
            told.append(str(has))
        return {"balances": told, "ended": over}

    # Notation

    def read(self, text: str) -> dict[str, Any]:
        """The card that a text names."""
        found = re.fullmatch(r" *([AaJjQqKkTt2-9]|10)([CcDdHhSs♣♦♥♠]?) *", text)
        if not found:
            return {"error": "no card"}
        rank, suit = found[1].upper().replace("10", "T"), found[2].upper()
        return {"rank": rank, "suit": dict(zip("♣♦♥♠", "CDHS", strict=True)).get(suit, suit)}

    # The protocol

    def answer(self, case: Mapping[str, Any]) -> dict[str, Any]:
        """The result of a case as an adapter gives it."""
        if case["kind"] == "shoe":
            return {"reshuffle": self.shuffles(case["dealt"])}
        if case["kind"] == "session":
            balance = case.get("balance")
            return self.night(case["steps"], None if balance is None else Fraction(balance))
        if case["kind"] == "cards":
            return self.read(case["text"])
        bets = {bet: Fraction(stake) for bet, stake in case.get("bets", {}).items()}
        if case["kind"] == "bets":
            balance = case.get("balance")
            return {"legal": self.takes(bets, None if balance is None else Fraction(balance))}
        coup = self.play(list(case["cards"]))
        return {
            "winner": coup.winner,
            "player": {"total": coup.totals["player"], "cards": coup.hands["player"]},
            "banker": {"total": coup.totals["banker"], "cards": coup.hands["banker"]},
            "natural": self.naturals(coup),
            "pairs": {side: self.is_pair(coup.hands[side]) for side in SIDES},
            "net": {bet: str(self.net(bet, stake, coup)) for bet, stake in bets.items()},
        }

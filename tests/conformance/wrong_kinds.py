"""Small programs that are wrong about shoes, sessions or notation, by the id of the mistake that has to be named.

Each is the game of `right_program` with one thing gone wrong, as somebody would write it. Nothing here may import from
`oracle`.
"""

from __future__ import annotations

from fractions import Fraction
from typing import Any

from tests.conformance.right_program import Baccarat, Coup, Hand

WRONG: dict[str, tuple[str, type[Baccarat]]] = {}


class Wrong(Baccarat):
    """A program with this mistake, which shows in cases of this kind; `way` tells several of one id apart."""

    def __init_subclass__(cls, id: str, kind: str, way: str = "") -> None:
        WRONG[f"{id}: {way}" if way else id] = kind, cls


# Shoes


class Never(Wrong, id="shuffle-never", kind="shoe"):
    def shuffles(self, dealt: int) -> bool:
        return False


class Fresh(Wrong, id="shuffle-fresh", kind="shoe"):
    def shuffles(self, dealt: int) -> bool:
        return dealt == 0 or super().shuffles(dealt)


class Reversed(Wrong, id="shuffle-reversed", kind="shoe"):
    def shuffles(self, dealt: int) -> bool:
        return dealt > 0 and not super().shuffles(dealt)


class OneLate(Wrong, id="shuffle-late-by-one", kind="shoe"):
    def shuffles(self, dealt: int) -> bool:
        return 416 - dealt < 62


class OneEarly(Wrong, id="shuffle-early-by-one", kind="shoe", way="rounded up"):
    def shuffles(self, dealt: int) -> bool:
        return 416 - dealt <= 63


class ShareDealt(Wrong, id="shuffle-by-dealt", kind="shoe"):
    def shuffles(self, dealt: int) -> bool:
        return dealt / 416 >= 0.15


class Count(Wrong, id="shuffle-15-cards", kind="shoe"):
    def shuffles(self, dealt: int) -> bool:
        return 416 - dealt <= 15


class SixDecks(Wrong, id="shuffle-15-of-6", kind="shoe"):
    def shuffles(self, dealt: int) -> bool:
        return 416 - dealt <= 0.15 * 312


class LastDeck(Wrong, id="shuffle-at-52", kind="shoe"):
    def shuffles(self, dealt: int) -> bool:
        return 416 - dealt <= 52


# Sessions


class Table(Wrong, id="", kind="session"):
    """A program that lasts from one step to the next, and may keep what it shouldn't."""

    def night(self, steps: list[Any], balance: Fraction | None) -> dict[str, Any]:
        self.sit_down()
        return super().night(steps, balance)

    def sit_down(self) -> None:
        pass

    def __init_subclass__(cls, id: str, kind: str = "session", way: str = "") -> None:
        super().__init_subclass__(id, kind, way)


del WRONG[""]


class TieAsBefore(Table, id="session-tie-as-before"):
    """Sets its winner only where somebody wins."""

    def sit_down(self) -> None:
        self.winner = "tie"

    def wins(self, totals: dict[str, int], first: dict[str, int]) -> str:
        if totals["player"] > totals["banker"]:
            self.winner = "player"
        elif totals["banker"] > totals["player"]:
            self.winner = "banker"
        return self.winner


class FlagStays(Table, id="session-natural-kept"):
    """Never takes its flag back."""

    def sit_down(self) -> None:
        self.natural = False

    def ends(self, player: int, banker: int) -> bool:
        if max(player, banker) >= 8:
            self.natural = True
        return self.natural


class TotalsGoOn(Table, id="session-totals-kept"):
    """Adds cards to totals that it didn't set to nothing."""

    def sit_down(self) -> None:
        self.before = {"player": 0, "banker": 0}
        self.hands: list[Hand] = []

    def play(self, cards: list[str]) -> Coup:
        self.hands = []
        coup = super().play(cards)
        self.before = coup.totals
        return coup

    def total(self, hand: Hand) -> int:
        if not any(hand is known for known in self.hands):
            self.hands.append(hand)
        place = next(place for place, known in enumerate(self.hands) if known is hand)
        return (super().total(hand) + self.before[("player", "banker")[place]]) % 10


class ThirdCardStays(Table, id="session-third-card-kept"):
    def sit_down(self) -> None:
        self.third: int | None = None

    def banker_draws(self, total: int, third: int | None, player: int) -> bool:
        self.third = self.third if third is None else third
        return super().banker_draws(total, self.third, player)


class PairStays(Table, id="session-pairs-kept"):
    def sit_down(self) -> None:
        self.pairs = {"player": False, "banker": False}

    def play(self, cards: list[str]) -> Coup:
        coup = super().play(cards)
        for side, hand in coup.hands.items():
            self.pairs[side] |= hand[0][0] == hand[1][0]
        return coup

    def unit(self, bet: str, coup: Coup) -> Fraction:
        side, _, pair = bet.partition("_")
        if pair and self.pairs[side]:
            return self.prize(bet, coup)
        return super().unit(bet, coup)


class CardsStay(Table, id="session-cards-kept"):
    def sit_down(self) -> None:
        self.shoe: list[str] = []

    def play(self, cards: list[str]) -> Coup:
        self.shoe += cards
        coup = super().play(self.shoe)
        del self.shoe[: sum(map(len, coup.hands.values()))]
        return coup


class BetsStay(Table, id="session-bets-left-lying"):
    """Adds chips to what lies on the spots, and never takes any away."""

    def sit_down(self) -> None:
        self.spots: dict[str, Fraction] = {}
        self.laid: dict[str, Fraction] = {}

    def takes(self, bets: Any, balance: Fraction | None) -> bool:
        taken = super().takes(bets, balance)
        self.laid = dict(bets) if taken else {}
        return taken

    def play(self, cards: list[str]) -> Coup:
        for bet, stake in self.laid.items():
            self.spots[bet] = self.spots.get(bet, Fraction(0)) + stake
        return super().play(cards)

    def net(self, bet: str, stake: Fraction, coup: Coup) -> Any:
        if bet != next(iter(self.laid)):
            return 0
        return sum(super(BetsStay, self).net(spot, lying, coup) for spot, lying in self.spots.items())


class Broke(Wrong, id="session-ends-with-nothing-left", kind="session"):
    def __init__(self, id: str) -> None:
        super().__init__(id)
        self.table = type(self.table)(**{**vars(self.table), "least": None})

    def night(self, steps: list[Any], balance: Fraction | None) -> dict[str, Any]:
        for count in range(1, len(steps) + 1):
            said = super().night(steps[:count], balance)
            if Fraction(said["balances"][-1]) == 0:
                return {"balances": [*said["balances"], *["0"] * (len(steps) - count)], "ended": True}
        return super().night(steps, balance)


class AtMost(Wrong, id="session-balance-at-the-bound", kind="session"):
    """Takes `less than` for `at most`."""

    def __init__(self, id: str) -> None:
        super().__init__(id)
        self.table = type(self.table)(**{**vars(self.table), "least": Fraction(5) + Fraction(1, 1000)})


class Remains(Wrong, id="session-leaving-unseen", kind="session"):
    def __init__(self, id: str) -> None:
        super().__init__(id)
        self.table = type(self.table)(**{**vars(self.table), "leaving": False})


class PaidFirst(Wrong, id="session-paid-before-checked", kind="session"):
    """Pays what the coup wins, and looks then whether the stakes were there."""

    def night(self, steps: list[Any], balance: Fraction | None) -> dict[str, Any]:
        self.coups = iter([step for step in steps if step != "leave"])
        self.steps = steps
        return super().night(steps, balance)

    def takes(self, bets: Any, balance: Fraction | None) -> bool:
        step = next(step for step in self.coups if dict_of(step) == dict(bets))
        if not all(bet in self.table.prizes for bet in bets) or balance is None:
            return False
        coup = self.play(list(step["cards"]))
        return super().takes(bets, balance + sum(max(self.net(b, s, coup), Fraction(0)) for b, s in bets.items()))


def dict_of(step: Any) -> dict[str, Fraction]:
    return {bet: Fraction(stake) for bet, stake in step["bets"].items()}


# Notation


class NoTen(Wrong, id="reads-no-10", kind="cards"):
    def read(self, text: str) -> dict[str, Any]:
        return {"error": "what is 10?"} if "10" in text else super().read(text)


class CapitalsOnly(Wrong, id="reads-no-lower-case", kind="cards"):
    def read(self, text: str) -> dict[str, Any]:
        return super().read(text) if text == text.upper() else {"error": "no capitals"}


class NeedsSuit(Wrong, id="reads-no-bare-rank", kind="cards"):
    def read(self, text: str) -> dict[str, Any]:
        said = super().read(text)
        return said if said.get("suit") else {"error": "no suit"}


class SwapsReds(Wrong, id="reads-hearts-as-diamonds", kind="cards"):
    def read(self, text: str) -> dict[str, Any]:
        said = super().read(text)
        return {**said, "suit": {"H": "D", "D": "H"}.get(said["suit"], said["suit"])} if "suit" in said else said


class LooksAtTheStart(Wrong, id="reads-junk-after", kind="cards"):
    def read(self, text: str) -> dict[str, Any]:
        for end in range(len(text), 0, -1):
            said = super().read(text[:end])
            if "rank" in said:
                return said
        return {"error": "no card"}


class TakesOne(Wrong, id="reads-1-as-ace", kind="cards"):
    def read(self, text: str) -> dict[str, Any]:
        return super().read(f"A{text[1:]}" if text[:1] == "1" and text[1:2] in ("", *"CDHS") else text)


class OneSign(Wrong, id="reads-first-sign", kind="cards"):
    """Takes the first sign for the rank and the last for the suit."""

    def read(self, text: str) -> dict[str, Any]:
        shown = text.strip().upper()
        if shown[:1] not in tuple("A23456789TJQK1"):
            return {"error": "no card"}
        suit = dict(zip("CDHS♣♦♥♠", "CDHSCDHS", strict=True)).get(shown[-1], "") if len(shown) > 1 else ""
        return {"rank": "A" if shown[0] == "1" else shown[0], "suit": suit}

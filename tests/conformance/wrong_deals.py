"""Wrong programs that deal: decisions at the wrong time, cards too many, other orders; with the rest in `WRONG`."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import suppress

from tests.conformance.right_program import SIDES, Coup, Hand
from tests.conformance.wrong_programs import Wrong

# The order of things


class BankerPeeks(Wrong, id="banker-three-card-total"):
    def draw(self, shoe: Iterator[str], hands: dict[str, Hand]) -> None:
        player, banker = hands["player"], hands["banker"]
        if self.player_draws(self.total(player)):
            player.append(next(shoe))
        third = self.seen(player[2][0]) if len(player) > 2 else None
        card = next(shoe)
        if self.banker_draws(self.total([*banker, card]), third, self.total(player)):
            banker.append(card)


class BankerDecidesEarly(Wrong, id="banker-before-player"):
    def draw(self, shoe: Iterator[str], hands: dict[str, Hand]) -> None:
        banker_draws = self.total(hands["banker"]) <= 5
        if self.player_draws(self.total(hands["player"])):
            hands["player"].append(next(shoe))
        if banker_draws:
            hands["banker"].append(next(shoe))


class BankerFirst(Wrong, id="banker-third-first"):
    def draw(self, shoe: Iterator[str], hands: dict[str, Hand]) -> None:
        if self.total(hands["banker"]) <= 5:
            hands["banker"].append(next(shoe))
        if self.player_draws(self.total(hands["player"])):
            hands["player"].append(next(shoe))


class TwoThenTwo(Wrong, id="two-then-two"):
    order = ("player", "player", "banker", "banker")


class FromTheBack(Wrong, id="cards-from-the-back"):
    def play(self, cards: list[str]) -> Coup:
        return super().play([cards.pop() for _ in range(len(cards))])


class FirstSkipped(Wrong, id="first-card-skipped"):
    """A card that nobody gets; where cards then run out the coup stays as it is."""

    burnt = 0

    def play(self, cards: list[str]) -> Coup:
        return super().play(cards[: self.burnt] + cards[self.burnt + 1 :])

    def draw(self, shoe: Iterator[str], hands: dict[str, Hand]) -> None:
        with suppress(StopIteration):
            super().draw(shoe, hands)


class SkippedBeforeThirds(FirstSkipped, id="card-skipped"):
    burnt = 4


class SkippedBetweenRounds(FirstSkipped, id="card-skipped", way="between the rounds of the deal"):
    burnt = 2


# Cards too many


class PlayerLooksAhead(Wrong, id="player-looks-ahead"):
    sides: tuple[str, ...] = ("player",)

    def draw(self, shoe: Iterator[str], hands: dict[str, Hand]) -> None:
        following = list(shoe)

        def raises(hand: Hand) -> bool:
            return self.total([*hand, following[0]]) > self.total(hand)

        player, banker = hands["player"], hands["banker"]
        if raises(player) if "player" in self.sides else self.player_draws(self.total(player)):
            player.append(following.pop(0))
        third = self.seen(player[2][0]) if len(player) > 2 else None
        by_table = self.banker_draws(self.total(banker), third, self.total(player))
        if raises(banker) if "banker" in self.sides else by_table:
            banker.append(following.pop(0))


class BankerLooksAhead(PlayerLooksAhead, id="banker-looks-ahead"):
    sides = ("banker",)


class PlayerDrawsOn(Wrong, id="player-fourth-card"):
    goes_on = "player"

    def draw(self, shoe: Iterator[str], hands: dict[str, Hand]) -> None:
        player, banker = hands["player"], hands["banker"]
        if self.player_draws(self.total(player)):
            player.append(next(shoe))
            self.draw_on("player", player, shoe)
        third = self.seen(player[2][0]) if len(player) > 2 else None
        if self.banker_draws(self.total(banker), third, self.total(player)):
            banker += [card for card in [next(shoe, "")] if card]
            self.draw_on("banker", banker, shoe)

    def draw_on(self, side: str, hand: Hand, shoe: Iterator[str]) -> None:
        while side == self.goes_on and self.total(hand) <= 5 and (card := next(shoe, "")):
            hand.append(card)


class BankerDrawsOn(PlayerDrawsOn, id="banker-fourth-card"):
    goes_on = "banker"


class Thirds(Wrong, id="always-third-cards"):
    """Third cards for whoever `drawing` says, by the totals of two cards; None: as is right."""

    def drawing(self, player: int, banker: int) -> tuple[bool, bool] | None:
        return True, True

    def ends(self, player: int, banker: int) -> bool:
        return self.drawing(player, banker) is None and super().ends(player, banker)

    def draw(self, shoe: Iterator[str], hands: dict[str, Hand]) -> None:
        said = self.drawing(self.total(hands["player"]), self.total(hands["banker"]))
        if said is None:
            super().draw(shoe, hands)
            return
        for side, draws in zip(SIDES, said, strict=True):
            if draws:
                hands[side].append(next(shoe))


class ThirdsWithoutNaturals(Thirds, id="always-third-cards", way="but for naturals"):
    def drawing(self, player: int, banker: int) -> tuple[bool, bool] | None:
        return None if max(player, banker) >= 8 else (True, True)


class ThirdOnNatural(Thirds, id="third-on-natural"):
    def drawing(self, player: int, banker: int) -> tuple[bool, bool] | None:
        return (player >= 8, banker >= 8) if max(player, banker) >= 8 else None


class ThirdAfterStanding(Thirds, id="third-after-both-stood"):
    extra = (True, False)

    def drawing(self, player: int, banker: int) -> tuple[bool, bool] | None:
        return self.extra if {player, banker} <= {6, 7} else None


class BankersThirdAfterStanding(ThirdAfterStanding, id="third-after-both-stood", way="the banker's"):
    extra = (False, True)


class ThirdsAfterStanding(ThirdAfterStanding, id="third-after-both-stood", way="two"):
    extra = (True, True)

"""The part of the catalogue about who gets which card: decisions at the wrong time, cards too many, other orders."""

from __future__ import annotations

from oracle.mutants import change
from oracle.mutants.mistake import NOT_FOUND, Mistake
from oracle.programs.behaviour import BANKER, PLAYER

DEALING: tuple[Mistake, ...] = (
    Mistake(
        "banker-three-card-total",
        "the banker's row is that of the total which his next card would make",
        "stevenhalverson/baccarat_simulator the_deal.py @0a09de1",
        change.ways(peeks=True),
    ),
    Mistake(
        "banker-before-player",
        "the banker decides as if the player had stood",
        "AryaMoghaddam/Baccarat baccarat.cpp @4a2fd20",
        change.ways(decides_early=True),
    ),
    Mistake(
        "banker-third-first",
        "the banker takes his third card before the player does",
        "MChang360686/tcs-projects baccarat.py @164b176",
        change.ways(banker_first=True),
    ),
    Mistake(
        "banker-looks-ahead",
        "the banker draws where his next card makes a higher total",
        NOT_FOUND,
        change.ways(banker_foresees=True),
    ),
    Mistake(
        "player-looks-ahead",
        "the player draws where his next card makes a higher total",
        NOT_FOUND,
        change.ways(player_foresees=True),
    ),
    Mistake(
        "third-on-natural",
        "a hand that has a natural takes a third card",
        NOT_FOUND,
        change.thirds(lambda p, b: (p >= 8, b >= 8) if p >= 8 or b >= 8 else None),
    ),
    Mistake(
        "third-after-both-stood",
        "the player takes a third card where both should stand",
        NOT_FOUND,
        change.after_standing("player"),
        also=(change.after_standing("banker"), change.after_standing("player", "banker")),
    ),
    Mistake(
        "always-third-cards",
        "both hands take a third card, whatever they have",
        NOT_FOUND,
        change.thirds(lambda _p, _b: (True, True)),
        also=(change.thirds(lambda p, b: (True, True) if p < 8 and b < 8 else None),),  # but for naturals
    ),
    Mistake(
        "player-fourth-card",
        "a player who draws goes on until he has more than five",
        NOT_FOUND,
        change.ways(player_again=True),
    ),
    Mistake(
        "banker-fourth-card",
        "a banker who draws goes on until he has more than five",
        NOT_FOUND,
        change.ways(banker_again=True),
    ),
    Mistake(
        "first-card-skipped",
        "the first card goes to nobody",
        NOT_FOUND,
        change.ways(skipped=frozenset((0,))),
    ),
    Mistake(
        "card-skipped",
        "a card between two others goes to nobody, as before the third cards",
        NOT_FOUND,
        change.ways(skipped=frozenset((4,))),
        also=(change.ways(skipped=frozenset((2,))),),  # between the rounds of the deal
    ),
    Mistake(
        "cards-from-the-back",
        "cards are taken from the back of the list",
        NOT_FOUND,
        change.ways(from_back=True),
    ),
    Mistake(
        "two-then-two",
        "the first two cards go to the player, the next two to the banker",
        "spycasino.biz/help/mini_baccarat.php",
        change.ways(deals=(PLAYER, PLAYER, BANKER, BANKER)),
    ),
)

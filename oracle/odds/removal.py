"""What one card that is gone changes: the edge of each bet without it, less the edge of the full shoe."""

from __future__ import annotations

from fractions import Fraction

from oracle.cards import RANKS, Card
from oracle.odds.composition import PLACES, Composition
from oracle.odds.counts import Odds
from oracle.spans import BadShoe


def removal(odds: Odds) -> dict[str, dict[str, Fraction]]:
    """By rank and bet, how much the edge grows once one card of this rank is gone, for ranks that the shoe holds.

    Where suits matter, the mean over the cards of the rank. Raises `BadShoe` if nothing can be gone: from an endless
    shoe, or one of six cards.
    """
    shoe = odds.composition
    if shoe.endless or shoe.cards <= PLACES:
        raise BadShoe(f"no card can be gone from {'an endless shoe' if shoe.endless else f'{shoe.cards} cards'}")
    found = {}
    for rank in RANKS:
        if shoe.ranks[rank]:
            found[rank] = dict.fromkeys(odds.rules.bets, Fraction(0))
            for without, share in _without(shoe, rank, suits=odds.book.parts_suits):
                rest = Odds(odds.rules, without, strategy=odds.strategy)
                for bet in odds.rules.bets:
                    found[rank][bet] += (rest.bet(bet).edge - odds.bet(bet).edge) * share
    return found


def _without(shoe: Composition, rank: str, *, suits: bool) -> list[tuple[Composition, Fraction]]:
    """The shoe without one card of a rank: once if suits don't matter or are all alike, else for each suit."""
    if not suits or shoe.suited is None:
        return [(shoe.without([Card(rank)]), Fraction(1))]
    held = {suit: count for suit, count in shoe.suited[rank].items() if count}
    if len(set(held.values())) == 1:
        return [(shoe.without([Card(rank, next(iter(held)))]), Fraction(1))]
    return [(shoe.without([Card(rank, s)]), Fraction(n, shoe.ranks[rank])) for s, n in held.items()]

"""What a shoe holds: cards by rank, by rank and suit where suits are known, or drawn with replacement."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from math import gcd

from oracle.cards import RANKS, SUITS, Card, parse_card, parse_rank
from oracle.game.rules import Rules
from oracle.spans import BadCards, BadShoe, OracleError
from oracle.text import quoted

PLACES = 6
MAX_DECKS = 9_999
_DECKS = re.compile(r"([0-9]{1,4}) ?decks?\Z", re.IGNORECASE)
_COUNT = re.compile(r"[0-9]{1,6}\Z")
_FORMS = 'write "8 decks", "8 decks, A=30", "A=30, 2=32, …" or "endless"'


class Composition:
    """The cards of a shoe by rank; `endless` draws with replacement.

    `suited` has the cards of each rank by suit, where those are known. Raises `BadShoe` for a shoe that can't be.
    """

    def __init__(
        self,
        ranks: Mapping[str, int],
        *,
        suited: Mapping[str, Mapping[str, int]] | None = None,
        endless: bool = False,
    ) -> None:
        self.ranks = {rank: ranks.get(rank, 0) for rank in RANKS}
        self.suited = None
        if suited is not None:
            self.suited = {rank: {s: suited.get(rank, {}).get(s, 0) for s in SUITS} for rank in RANKS}
            assert all(sum(self.suited[rank].values()) == count for rank, count in self.ranks.items())
        self.endless = endless
        self.cards = sum(self.ranks.values())
        if any(count < 0 for count in self.ranks.values()):
            raise BadShoe("a shoe holds of no rank fewer than no cards")
        if self.suited and any(count < 0 for suits in self.suited.values() for count in suits.values()):
            raise BadShoe("a shoe holds of no card fewer than no copies")
        if self.cards < (1 if endless else PLACES):
            are = "card is" if self.cards == 1 else "cards are"
            raise BadShoe(f"a shoe of {self.cards} cards: {PLACES} {are} needed, the most that a coup takes")

    @classmethod
    def of(cls, rules: Rules) -> Composition:
        """The full shoe of a rule set. Raises `OracleError` if the source doesn't say how many decks it has."""
        decks = rules.value("decks")
        if decks == "endless":
            return cls.unlimited()
        if not isinstance(decks, int):
            raise OracleError(f"{rules.id} doesn't say how many decks there are")
        return cls.full(decks)

    @classmethod
    def full(cls, decks: int) -> Composition:
        """A full shoe of so many decks. Raises `BadShoe`."""
        if not 1 <= decks <= MAX_DECKS:
            raise BadShoe(f"a shoe of {decks} decks: one to {MAX_DECKS:,} can be counted")
        return cls(dict.fromkeys(RANKS, 4 * decks), suited={rank: dict.fromkeys(SUITS, decks) for rank in RANKS})

    @classmethod
    def unlimited(cls) -> Composition:
        """Drawing with replacement: every rank, and every suit of it, as likely as any other."""
        return cls(dict.fromkeys(RANKS, 4), suited={rank: dict.fromkeys(SUITS, 1) for rank in RANKS}, endless=True)

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Composition) and self._key() == other._key()

    def __hash__(self) -> int:
        return hash(str(self._key()))

    def _key(self) -> tuple[object, ...]:
        return self.ranks, self.suited, self.endless

    def __str__(self) -> str:
        """In the words of `parse_shoe`, as short as it goes."""
        if self.endless:
            return "endless"
        decks, rest = divmod(self.cards, 52)
        if not rest and decks and self == Composition.full(decks):
            return f"{decks} deck{'s' * (decks != 1)}"
        if self.suited and any(len(set(suits.values())) > 1 for suits in self.suited.values()):
            return ", ".join(f"{r}{s}={n}" for r, suits in self.suited.items() for s, n in suits.items())
        return ", ".join(f"{rank}={count}" for rank, count in self.ranks.items())

    def stock(self, points: Mapping[str, int]) -> list[int]:
        """How many cards there are of each value 0 to 9."""
        counts = [0] * 10
        for rank, count in self.ranks.items():
            if count:
                counts[points[rank]] += count
        return counts

    def by_rank(self) -> Composition:
        """The same shoe with suits forgotten; an endless one in lowest terms."""
        least = gcd(*self.ranks.values()) if self.endless else 1
        return Composition({rank: count // least for rank, count in self.ranks.items()}, endless=self.endless)

    def without(self, cards: Iterable[Card]) -> Composition:
        """What is left once these cards are gone. Raises `BadShoe` if the shoe never held them.

        A card whose suit is not told leaves the suits of the shoe unknown.
        """
        ranks = dict(self.ranks)
        suited = None if self.suited is None else {rank: dict(suits) for rank, suits in self.suited.items()}
        for number, card in enumerate(cards):
            if self.endless:
                raise BadShoe("from an endless shoe no card is ever gone")
            ranks[card.rank] -= 1
            if ranks[card.rank] < 0:
                raise BadShoe(
                    f"card {number + 1} that is gone, {card}, is one {card.rank} too many: {self._holds(card)}"
                )
            if suited is not None and card.suit:
                suited[card.rank][card.suit] -= 1
                if suited[card.rank][card.suit] < 0:
                    raise BadShoe(f"card {number + 1} that is gone, {card}, is one too many: {self._holds(card)}")
            else:
                suited = None
        return Composition(ranks, suited=suited)

    def _holds(self, card: Card) -> str:
        if self.suited is not None and card.suit:
            held = self.suited[card.rank][card.suit]
            if held <= self.ranks[card.rank]:
                return f"the shoe holds {held} {card}, {self.ranks[card.rank]} {card.rank} in all"
        return f"the shoe holds {self.ranks[card.rank]}"


def parse_shoe(text: str) -> Composition:
    """A shoe as people write it: `8 decks`, `8 decks, A=30`, `A=30, 2=32`, `AS=8, AH=7`, `endless`. Raises `BadShoe`.

    Counts after decks replace those of the full shoe and can't be more. Without decks, what isn't named isn't there.
    """
    parts = [part for part in re.split(r"\s*,\s*|\s+(?=[^\s=]+\s*=)", text.strip()) if part]
    if not parts:
        raise BadShoe(f"an empty shoe: {_FORMS}")
    if len(parts) == 1 and parts[0].lower() == "endless":
        return Composition.unlimited()
    if parts[0].lower() == "endless":
        raise BadShoe("an endless shoe holds each rank as often as any other: it has no counts")
    match = _DECKS.match(parts[0])
    full = Composition.full(int(match[1])) if match else None
    if full is None:
        return _counted(parts, None)
    return _counted(parts[1:], full) if parts[1:] else full


def _counted(parts: list[str], full: Composition | None) -> Composition:
    """A shoe of counts by rank or by card, within a full shoe if one is named."""
    given: dict[Card, int] = {}
    for part in parts:
        card, count = _entry(part)
        if card in given:
            raise BadShoe(f"{card} is given twice: give one count for each")
        if any(other.rank == card.rank and bool(other.suit) != bool(card.suit) for other in given):
            raise BadShoe(f"{card.rank} is given both in all and by suit: give one of them")
        most = None
        if full is not None and full.suited is not None:
            most = full.suited[card.rank][card.suit] if card.suit else full.ranks[card.rank]
        if most is not None and count > most:
            raise BadShoe(f"{card}={count}: {full} hold{'s' * (str(full) == '1 deck')} {most}")
        given[card] = count
    base = {rank: dict.fromkeys(SUITS, 0) for rank in RANKS}
    if full is not None and full.suited is not None:
        base = {rank: dict(suits) for rank, suits in full.suited.items()}
    suits_known = True
    ranks = {rank: sum(suits.values()) for rank, suits in base.items()}
    for card, count in given.items():
        if card.suit:
            base[card.rank][card.suit] = count
            ranks[card.rank] = sum(base[card.rank].values())
        elif count != ranks[card.rank]:
            ranks[card.rank] = count
            suits_known = False
    return Composition(ranks, suited=base if suits_known else None)


def _entry(part: str) -> tuple[Card, int]:
    name, equals, number = (piece.strip() for piece in part.partition("="))
    if not equals:
        raise BadShoe(f"{quoted(part, 30)} is no shoe: {_FORMS}")
    rank = parse_rank(name)
    try:
        card = Card(rank) if rank else parse_card(name)
    except BadCards:
        raise BadShoe(f"{quoted(name, 20)} is no rank: A, 2-9, 10 (or T), J, Q, K, perhaps with a suit") from None
    if not _COUNT.match(number):
        raise BadShoe(f"{quoted(number, 20)} cards of {card}: write a whole number of at most six digits")
    return card, int(number)

"""Every sequence of values, or of ranks, that a coup can use and a shoe can hold: the large tiers, as streams.

What a coup comes to depends on the sum of points in each hand and on the points of each card after; which of two cards
of one value it is changes nothing but the cards that are told, and pairs. So a coup is played once for each of these,
and hundreds of cases share what it came to.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from hashlib import sha256
from itertools import product
from typing import NamedTuple

from msgspec.structs import replace

from oracle.cards import SUITS, Card, parse_cards
from oracle.cases.case import Answer, Case, HandAnswer, Pairs, case_id
from oracle.cases.reference import Reference, answer_of
from oracle.programs.behaviour import BANKER, PLAYER, play
from oracle.programs.cells import decisions
from oracle.programs.observables import OBSERVABLES

Picks = tuple[int, ...]
Texts = tuple[str, ...]
ENOUGH = 6  # of one card, for any coup
_PAIRS = {(player, banker): Pairs(player, banker) for player, banker in product((False, True), repeat=2)}
_NO_BETS: dict[str, str] = {}
_MADE_HERE = {"winner", "totals", "cards", "natural", "pairs", "net"}  # of the answers; no bet is laid
_OTHERS = set(OBSERVABLES) - _MADE_HERE


def values(reference: Reference) -> Iterator[Case]:
    """Every sequence of card values, each filled up to six cards with spare ones; ranks and suits go round."""
    points = reference.behaviour.points
    alike = [[rank for rank in points if points[rank] == value] for value in sorted(set(points.values()))]
    return _whole(reference, _Sequences(reference, alike).cases())


def ranks(reference: Reference) -> Iterator[Case]:
    """Every sequence of ranks, each filled up to six cards with spare ones; suits go round."""
    return _whole(reference, _Sequences(reference, [[rank] for rank in reference.behaviour.points]).cases())


def _whole(reference: Reference, found: Iterator[Case]) -> Iterator[Case]:
    """Cases with all that is expected of them: each coup is played, which is slow, for what is not made here."""
    if not _OTHERS:
        return found
    right = reference.behaviour
    return (replace(case, expect=answer_of(right, play(right, parse_cards(case.cards)), {})) for case in found)


def copies(reference: Reference) -> int:
    """How many cards of a rank a coup may hold: as many as the shoe has, of which it can't use more than six."""
    decks = reference.rules.value("decks")
    return min(ENOUGH, len(SUITS) * decks) if isinstance(decks, int) else ENOUGH


class _Played(NamedTuple):
    """What a coup comes to, whichever cards of these points it has."""

    used: int
    player_drew: bool
    winner: str
    player_total: int
    banker_total: int
    natural: str
    cells: Texts


class _Sequences:
    """The sequences of groups of ranks that are worth the same. A pick is the place of a group."""

    def __init__(self, reference: Reference, alike: Sequence[Sequence[str]]) -> None:
        self.behaviour = behaviour = reference.behaviour
        self.points = [behaviour.points[group[0]] for group in alike]
        self.cards = [[Card(rank, suit) for rank in group for suit in SUITS] for group in alike]
        self.texts = [[str(card) for card in cards] for cards in self.cards]
        self.holds = [len(group) * copies(reference) for group in alike]
        self.tight = min(self.holds) < ENOUGH
        counting = [pick for pick, worth in enumerate(self.points) if worth]
        # Cards that the coup doesn't need, and that would show if it took them: a nine and an ace, or what comes near.
        self.wanted = (
            sorted(counting, key=lambda pick: -self.points[pick]),
            sorted(counting, key=lambda pick: self.points[pick]),
        )
        self.spares = self._spares_beside(())
        self._known: dict[tuple[int, int], Sequence[Sequence[_Played]]] = {}

    def cases(self) -> Iterator[Case]:
        """The cases in the order of the sequences."""
        for turn, first in enumerate(product(range(len(self.points)), repeat=4)):
            laid = self._laid(turn, first)
            hands = self._hands(laid)
            ends = self._ends(first)
            played = ends[self.spares[0]][self.spares[1]]
            if played.used > 4:
                yield from self._fifth(turn, first, laid, hands, ends)
            elif self._fits(first):
                yield _case(self._filled(turn, first, laid), hands, played)

    def _fifth(
        self, turn: int, first: Picks, laid: Texts, hands: tuple[Texts, Texts], ends: Sequence[Sequence[_Played]]
    ) -> Iterator[Case]:
        """The cases that begin with these four cards, where a coup needs more."""
        following = self._following(turn, first)
        for fifth, further in enumerate(ends):
            five, cards = (*first, fifth), (*laid, following[fifth])
            if further[0].used > 5:
                more = following.copy()
                more[fifth] = self._text(fifth, turn + five.count(fifth))
                if any(five.count(pick) >= self.holds[pick] for pick in five):
                    allowed = [pick for pick in range(len(more)) if self._fits((*five, pick))]
                    if allowed:
                        yield from _sixth(cards, hands, [more[i] for i in allowed], [further[i] for i in allowed])
                else:
                    yield from _sixth(cards, hands, more, further)
            elif self._fits(five):
                side = PLAYER if further[0].player_drew else BANKER
                three = (*hands[side], cards[4])
                both = (three, hands[BANKER]) if side == PLAYER else (hands[PLAYER], three)
                yield _case(self._filled(turn, five, cards), both, further[self.spares[1]])

    def _hands(self, laid: Texts) -> tuple[Texts, Texts]:
        """The player's first two cards, and the banker's."""
        dealt = list(zip(laid, self.behaviour.deals, strict=True))
        return tuple(card for card, side in dealt if side == PLAYER), tuple(c for c, side in dealt if side == BANKER)

    def _laid(self, turn: int, picks: Picks) -> Texts:
        """The cards of these picks. Suits, and ranks where several are worth the same, go round."""
        return tuple([self._text(pick, turn + picks[:place].count(pick)) for place, pick in enumerate(picks)])

    def _text(self, pick: int, turn: int) -> str:
        return self.texts[pick][turn % len(self.texts[pick])]

    def _following(self, turn: int, picks: Picks) -> list[str]:
        """For each pick the card that it gets after these."""
        return [self._text(pick, turn + picks.count(pick)) for pick in range(len(self.points))]

    def _filled(self, turn: int, picks: Picks, laid: Texts) -> Texts:
        """Six cards: those that are laid, and spare ones that the shoe has besides."""
        spares = self._spares_beside(picks) if self.tight else self.spares
        return laid + self._laid(turn, picks + spares[: 6 - len(picks)])[len(picks) :]

    def _spares_beside(self, picks: Picks) -> Picks:
        for wanted in self.wanted:
            picks += (next(pick for pick in wanted if picks.count(pick) < self.holds[pick]),)
        return picks[-2:]

    def _fits(self, picks: Picks) -> bool:
        """Whether a shoe can hold these."""
        return not self.tight or all(picks.count(pick) <= self.holds[pick] for pick in picks)

    def _ends(self, first: Picks) -> Sequence[Sequence[_Played]]:
        """What a coup comes to that begins with these four, for each fifth card and each sixth."""
        sums = [0, 0]
        for pick, side in zip(first, self.behaviour.deals, strict=True):
            sums[side] += self.points[pick]
        key = (sums[PLAYER], sums[BANKER])
        known = self._known.get(key)
        if known is None:
            begun = [self.cards[pick][0] for pick in first]
            further = dict(zip(self.points, (cards[0] for cards in self.cards), strict=True))
            ends = {
                (fifth, sixth): self._played([*begun, further[fifth], further[sixth]])
                for fifth, sixth in product(further, repeat=2)
            }
            known = self._known[key] = [[ends[fifth, sixth] for sixth in self.points] for fifth in self.points]
        return known

    def _played(self, cards: Sequence[Card]) -> _Played:
        played = play(self.behaviour, cards)
        player, banker = played.end.totals
        used, drew = len(played.player) + len(played.banker), len(played.player) > 2
        return _Played(used, drew, played.winner, player, banker, played.natural, decisions(played))


def _pairs(hands: tuple[Texts, Texts]) -> Pairs:
    """Whether the first two cards of each hand, as text, are of one rank."""
    player, banker = hands
    return _PAIRS[player[0][0] == player[1][0], banker[0][0] == banker[1][0]]


def _sixth(five: Texts, hands: tuple[Texts, Texts], cards: Sequence[str], ends: Sequence[_Played]) -> Iterator[Case]:
    """A case for each of these cards after five, the last of which is the player's."""
    two, pairs = hands[BANKER], _pairs(hands)
    player = HandAnswer((*hands[PLAYER], five[4]), ends[0].player_total)
    begun = f"coup {' '.join(five)} "
    for card, (_, _, winner, _, total, natural, cells) in zip(cards, ends, strict=True):
        yield Case(
            f"coup-{sha256(f'{begun}{card}||'.encode()).hexdigest()[:12]}",
            "coup",
            Answer(winner, player, HandAnswer((*two, card), total), natural, pairs),
            (*five, card),
            _NO_BETS,
            None,
            cells,
        )


def _case(cards: Texts, hands: tuple[Texts, Texts], played: _Played) -> Case:
    player, banker = HandAnswer(hands[PLAYER], played.player_total), HandAnswer(hands[BANKER], played.banker_total)
    return Case(
        case_id("coup", cards, _NO_BETS),
        "coup",
        Answer(played.winner, player, banker, played.natural, _pairs(hands)),
        cards,
        cells=played.cells,
    )

"""Wrong ideas of when a shoe is shuffled: never, always, one card too early or late, by any other count of cards."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from fractions import Fraction

import msgspec

from oracle.game.rules import Rules
from oracle.programs.shoe_left import DECK, Left
from oracle.rules.values import Either, Other, Share, Values


class ShoeMutant(msgspec.Struct, frozen=True):
    """A wrong idea of when to shuffle, in words, and what it says of a shoe."""

    id: str
    says: str
    shuffles: Callable[[Left], bool]


def shoe_mutants(rules: Rules, shoes: Iterable[Left]) -> Iterator[ShoeMutant]:
    """Every wrong idea that is wrong of some of these shoes; of several that say the same of all of them the first."""
    known = list(shoes)
    seen = {tuple(shoe.due for shoe in known)}
    for mutant in _all(rules, known):
        said = tuple(map(mutant.shuffles, known))
        if said not in seen:
            seen.add(said)
            yield mutant


def _all(rules: Rules, shoes: list[Left]) -> Iterator[ShoeMutant]:
    yield ShoeMutant("shuffle-never", "the shoe is never shuffled", lambda _: False)
    yield ShoeMutant("shuffle-each-coup", "the shoe is shuffled after each coup", lambda shoe: shoe.dealt > 0)
    yield ShoeMutant("shuffle-always", "the shoe is shuffled before each coup, the first too", lambda _: True)
    yield ShoeMutant("shuffle-fresh", "a fresh shoe is shuffled again", lambda shoe: shoe.due or not shoe.dealt)
    yield ShoeMutant(
        "shuffle-reversed",
        "the shoe is shuffled where it should be dealt from, and dealt from where it should be shuffled",
        lambda shoe: shoe.dealt > 0 and not shoe.due,
    )
    last = max((shoe.left for shoe in shoes if shoe.due), default=None)
    if last is not None and any(shoe.dealt and not shoe.due for shoe in shoes):
        yield _at("shuffle-late-by-one", "the shoe is shuffled one card too late", last - 1)
        yield _at("shuffle-early-by-one", "the shoe is shuffled one card too early", last + 1)
        for by_dealt in (lambda shoe: shoe.dealt > last, lambda shoe: shoe.dealt >= last):
            says = "the bound is held against the cards that were dealt, not those that are left"
            yield ShoeMutant("shuffle-by-dealt", says, by_dealt)
    yield from _shares(rules)
    for left in range(max((shoe.whole for shoe in shoes), default=0)):
        yield _at(f"shuffle-at-{left}", f"the shoe is shuffled once no more than {_cards(left)} left", left)


def _cards(count: int) -> str:
    return "one card is" if count == 1 else f"{count} cards are"


def _at(id: str, says: str, bound: int) -> ShoeMutant:
    """Whoever shuffles a shoe that was dealt from with so many cards left, or fewer."""
    return ShoeMutant(id, says, lambda shoe: shoe.dealt > 0 and shoe.left <= bound)


def _shares(rules: Rules) -> Iterator[ShoeMutant]:
    """Shares of the shoe read as counts, as shares of another shoe, or of what was dealt."""
    for share in dict.fromkeys(share for guard in rules.guards("reshuffle") for t in guard for share in _in(t.values)):
        part = share / 100
        name = f"{float(share):g}"
        yield _at(f"shuffle-{name}-cards", f"{name} % of the cards is read as {name} cards", int(share))
        for decks in (1, 6, 8):
            yield _at(
                f"shuffle-{name}-of-{decks}", f"{name} % is taken of {decks * DECK} cards", int(part * decks * DECK)
            )


def _in(values: Values) -> Iterator[Fraction]:
    """The percentages in a set of values."""
    match values:
        case Share(_, percent):
            yield percent
        case Either(parts):
            for part in parts:
                yield from _in(part)
        case Other(part, _):
            yield from _in(part)
        case _:
            return

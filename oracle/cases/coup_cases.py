"""What is asked: streams of coups and bets with their answers, in a fixed order."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from fractions import Fraction
from itertools import combinations

from oracle.cases.arrange import Dealer
from oracle.cases.case import Case
from oracle.cases.reference import Reference, Stakes
from oracle.game.bets import refusals
from oracle.game.end import End
from oracle.game.money import legal_stakes
from oracle.game.rules import Rules
from oracle.rules.values import NONE, Value

_SEED = {"totals": 1, "settlement": 2}
_UNLIMITED = (1, 7, 20, 100, 333, 10_000)  # stakes where the source limits none: odd ones, round ones, a large one
_SETS = 6  # bets of which every set is asked; of more only small sets


def totals(reference: Reference) -> Iterator[Case]:
    """Every way in which a coup can end, by two-card totals and third cards."""
    dealer = Dealer(reference.behaviour, seed=_SEED["totals"])
    for end in reference.rules.every_end:
        cards = dealer.lay(*end[:4])
        if cards is not None:
            yield reference.coup(cards, tags=_tags(end))


def _tags(end: End) -> tuple[str, ...]:
    if max(end.two_cards) >= 8 and end.player_third == end.banker_third == NONE:
        return ("natural",)
    drawn = (end.player_third != NONE, end.banker_third != NONE)
    named = {(True, True): "both-draw", (True, False): "player-draws", (False, True): "banker-draws"}
    return (named.get(drawn, "none-draws"),)


def settlement(reference: Reference) -> Iterator[Case]:
    """Each bet against every end that settling tells apart, with every stake of the ladder.

    Besides, once with each set of bets, every end by final totals and numbers of cards, which other tables tell apart.
    """
    dealer = Dealer(reference.behaviour, seed=_SEED["settlement"])
    rules = reference.rules
    ladder = {bet: stakes_of(rules, bet) for bet in rules.bets}
    sets = bet_sets(rules)
    for row in rules.end_classes.examples:
        end, kinds = End._make(row[:6]), row[6:]
        for bets in sets:
            for step in range(max(len(ladder[bet]) for bet in bets)):
                stakes = {bet: ladder[bet][step % len(ladder[bet])] for bet in bets}
                yield from _settled(reference, dealer, end, stakes, kinds)
    turn = 0
    for end in _by_totals(rules):
        for bets in sets:
            turn += 1
            yield from _settled(reference, dealer, end, {bet: ladder[bet][turn % len(ladder[bet])] for bet in bets})


def _settled(
    reference: Reference, dealer: Dealer, end: End, stakes: Stakes, kinds: Sequence[Value] = ("", "")
) -> Iterator[Case]:
    """A coup that ends so with these stakes; `kinds` says how alike first cards are, empty that any will do."""
    player_pair, banker_pair = (str(kind) or "any" for kind in kinds)
    cards = dealer.lay(*end[:4], alike=(player_pair, banker_pair))
    if cards is not None:
        yield reference.coup(cards, stakes, ("settlement",))


def _by_totals(rules: Rules) -> Iterator[End]:
    """The least end for each pair of final totals with so many cards in each hand."""
    seen: set[tuple[bool, bool, int, int]] = set()
    for end in rules.every_end:
        key = (end.player_third == NONE, end.banker_third == NONE, *end.totals)
        if key not in seen:
            seen.add(key)
            yield end


def stakes_of(rules: Rules, bet: str) -> list[Fraction]:
    """Stakes to try on a bet: the least three that are legal, and the greatest; fixed ones where none is limited."""
    legal = legal_stakes(rules, bet)
    if legal is None:
        return [Fraction(stake) for stake in _UNLIMITED]
    return [Fraction(stake) for stake in dict.fromkeys([*legal[:3], *legal[-1:]])]


def bet_sets(rules: Rules) -> list[tuple[str, ...]]:
    """Sets of bets that may be laid together and that have every bet among them, as large as they come."""
    least = {bet: stakes_of(rules, bet)[0] for bet in rules.bets if stakes_of(rules, bet)}
    found: list[tuple[str, ...]] = []
    for bet in least:
        if any(bet in bets for bets in found):
            continue
        together = [bet]
        for other in least:
            wanted = [*together, other]
            if other != bet and not list(refusals(rules, {name: least[name] for name in wanted})):
                together.append(other)
        if not list(refusals(rules, {name: least[name] for name in together})):
            found.append(tuple(name for name in least if name in together))
    return found


def bets(reference: Reference) -> Iterator[Case]:
    """Sets of bets and stakes, legal and not: every set, stakes around every limit, stakes above what one has."""
    rules = reference.rules
    least = {bet: (stakes_of(rules, bet) or [Fraction(1)])[0] for bet in rules.bets}
    sizes = range(1, len(least) + 1) if len(least) <= _SETS else (1, 2, 3)
    for size in sizes:
        for names in combinations(least, size):
            yield reference.placed({bet: least[bet] for bet in names}, ("sets",))
    for stranger in ("player_pair", "banker_pair", "dragon"):
        if stranger not in rules.bets:
            yield reference.placed({stranger: min(least.values())}, ("unknown-bet",))
    for bet in least:
        for stake in _around(rules, bet):
            yield reference.placed({bet: stake}, ("stakes",))
    for names in [(bet,) for bet in least] + bet_sets(rules):
        stakes = {bet: least[bet] for bet in names}
        total = sum(stakes.values(), Fraction(0))
        for balance in (total, total - Fraction(1, 2), total - 1, total + 1, Fraction(0)):
            yield reference.placed(stakes, ("balance",), balance=balance)


def _around(rules: Rules, bet: str) -> list[Fraction]:
    """Stakes on, below and above each end of a run of legal stakes, halves, nothing and less than nothing."""
    odd = [Fraction(-1), Fraction(0), Fraction(1, 2), Fraction(1), Fraction(5, 2)]
    legal = legal_stakes(rules, bet)
    if not legal:
        return odd
    near = {Fraction(stake) for end in (legal[0], legal[-1]) for stake in (end - 1, end, end + 1, 2 * end)}
    known = set(legal)
    inner = [stake for stake in range(legal[0], legal[-1]) if (stake in known) != (stake + 1 in known)]
    near |= {Fraction(stake + step) for stake in inner[:4] for step in (0, 1)}
    return sorted({*odd, *near})

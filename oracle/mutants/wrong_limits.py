"""Wrong judges of which bets may be laid: rules that a program doesn't look at, and limits that it misses."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from fractions import Fraction

import msgspec

from oracle.game.bets import Refusal
from oracle.game.money import legal_stakes
from oracle.game.rules import Rules
from oracle.programs.placed_bets import PlacedBets


class LimitMutant(msgspec.Struct, frozen=True):
    """A wrong judge of bets: what it does wrong in words, and whether it takes bets."""

    id: str
    says: str
    takes: Callable[[PlacedBets], bool]


def limit_mutants(rules: Rules) -> Iterator[LimitMutant]:
    """Every wrong judge of bets that this table can have."""
    yield LimitMutant("bets-all-taken", "all bets are taken", lambda _: True)
    yield LimitMutant("bets-none-taken", "no bets are taken", lambda _: False)
    for question, says in _UNSEEN.items():
        yield LimitMutant(f"bets-{question}-unseen", says, _blind(lambda r, q=question: r.question == q))  # type: ignore[misc]
    yield LimitMutant("stakes-of-nothing", "stakes of nothing and less are taken", _blind_stake(lambda s: s <= 0))
    yield LimitMutant(
        "stakes-in-fractions", "stakes in fractions are taken", _blind_stake(lambda s: s.denominator != 1)
    )
    limits = {bet: legal for bet in rules.bets if (legal := legal_stakes(rules, bet))}
    if limits:
        yield from _limits(limits)
    yield LimitMutant(
        "balance-all-in-refused",
        "one may not stake all that one has",
        lambda bets: bets.legal and not (bets.balance is not None and sum(bets.stakes.values()) == bets.balance),
    )
    yield LimitMutant(
        "balance-always-counts",
        "no bets above the balance are taken, though the table takes them",
        lambda bets: bets.legal and not (bets.balance is not None and sum(bets.stakes.values()) > bets.balance),
    )


_UNSEEN = {
    "bets_offered": "bets that the table doesn't offer are taken",
    "bets_together": "any bets may be laid together",
    "stake": "any stake is taken",
    "total_stake": "stakes above the balance are taken",
}


def _limits(limits: Mapping[str, list[int]]) -> Iterator[LimitMutant]:
    """Stakes at, below and above the limits, and those between that the table doesn't take."""

    def least(bet: str, stake: Fraction) -> bool:
        return bet in limits and stake == limits[bet][0]

    def most(bet: str, stake: Fraction) -> bool:
        return bet in limits and stake == limits[bet][-1]

    def below(bet: str, stake: Fraction) -> bool:
        return bet in limits and 0 < stake < limits[bet][0]

    def above(bet: str, stake: Fraction) -> bool:
        return bet in limits and stake > limits[bet][-1]

    def between(bet: str, stake: Fraction) -> bool:
        return bet in limits and limits[bet][0] < stake < limits[bet][-1] and stake.denominator == 1

    for name, says, refuses in (("least", "the least stake", least), ("most", "the greatest stake", most)):
        yield LimitMutant(f"stakes-{name}-refused", f"{says} is refused", _refusing(refuses))
    for name, says, takes in (
        ("below", "stakes below the least are taken", below),
        ("above", "stakes above the greatest are taken", above),
        ("between", "any whole stake between the limits is taken", between),
    ):
        yield LimitMutant(f"stakes-{name}-taken", says, _taking(takes))


def _blind(ignored: Callable[[Refusal], bool]) -> Callable[[PlacedBets], bool]:
    """A judge who doesn't see some refusals."""
    return lambda bets: all(ignored(refusal) for refusal in bets.refusals)


def _blind_stake(ignored: Callable[[Fraction], bool]) -> Callable[[PlacedBets], bool]:
    """A judge who takes such stakes, if nothing else speaks against them."""
    return _taking(lambda _bet, stake: ignored(stake))


def _taking(takes: Callable[[str, Fraction], bool]) -> Callable[[PlacedBets], bool]:
    """A judge who takes such stakes, if every refusal is about a stake and each other stake is right."""

    def judge(bets: PlacedBets) -> bool:
        if bets.legal:
            return True
        wrong = [stake for bet, stake in bets.stakes.items() if takes(bet, stake)]
        return all(refusal.question == "stake" for refusal in bets.refusals) and len(wrong) >= len(bets.refusals)

    return judge


def _refusing(refuses: Callable[[str, Fraction], bool]) -> Callable[[PlacedBets], bool]:
    """A judge who refuses such stakes too."""
    return lambda bets: bets.legal and not any(refuses(bet, stake) for bet, stake in bets.stakes.items())

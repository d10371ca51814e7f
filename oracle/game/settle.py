"""Settling bets on a coup: exact nets, with the statements behind them."""

from __future__ import annotations

import re
from collections.abc import Mapping
from fractions import Fraction

import msgspec

from oracle.game.coup import Coup, Decision, decide, decision
from oracle.game.money import round_net
from oracle.game.rules import ALIKE_FIELDS, MONEY, Rules
from oracle.game.space import EXAMPLE_FIELDS, Space
from oracle.rules.values import Value, contains
from oracle.spans import BadBet, BadCards, UnknownName
from oracle.text import did_you_mean, quoted

_AMOUNT = re.compile(r"-?[0-9]{1,12}(?:\.[0-9]{1,6})?\Z")
_NUMBER = re.compile(r"-?[0-9]+(?:\.[0-9]+)?\Z")


class Settled(msgspec.Struct, frozen=True):
    """One bet after a coup. `net` is the exact change of the bettor's balance, in the unit of the stake."""

    bet: str
    stake: Fraction
    outcome: str
    net: Fraction
    trace: tuple[Decision, ...]


def parse_stake(text: str) -> Fraction:
    """A stake as text: a positive whole or decimal number. Raises `BadBet`."""
    amount = parse_amount(text)
    if amount <= 0:
        raise BadBet(no_stake(text))
    return amount


def parse_amount(text: str) -> Fraction:
    """A whole or decimal number as text, which no table need take as a stake. Raises `BadBet`."""
    if not _AMOUNT.match(text.strip()):
        if _NUMBER.match(text.strip()):
            raise BadBet(f"{no_stake(text)}, of at most 12 digits and 6 after the point")
        raise BadBet(no_stake(text))
    return Fraction(text.strip())


def no_stake(text: str) -> str:
    """What is said of a stake that can't be one anywhere."""
    return f"{quoted(text, 30)} is no stake: write a number above 0, as in player=20"


def check_bet(rules: Rules, bet: str) -> None:
    """Raises `UnknownName` if the table doesn't offer this bet."""
    if bet not in rules.bets:
        raise UnknownName(f"{rules.id} has no bet {quoted(bet)}: {did_you_mean(bet, rules.bets)}")


def settle(rules: Rules, coup: Coup, bets: Mapping[str, Fraction]) -> tuple[Settled, ...]:
    """What each bet of a coup gains or loses. Raises `UnknownName`, `Undecided`, `BadCards`."""
    return tuple(_settle_one(rules, coup, bet, Fraction(stake)) for bet, stake in bets.items())


def _settle_one(rules: Rules, coup: Coup, bet: str, stake: Fraction) -> Settled:
    check_bet(rules, bet)
    state = {"bet": bet, **end_state(rules, coup)}
    place = decide(rules, "outcome", state)
    outcome = str(place.permitted[0])
    trace = [decision(place, outcome)]
    net = Fraction(0)
    if outcome == "lose":
        net = -stake
    elif outcome == "win":
        share = Fraction(1)
        for question in ("pays", "commission"):
            place = decide(rules, question, state)
            said = Fraction(place.permitted[0])  # type: ignore[arg-type]
            share *= said if question == "pays" else 1 - said
            trace.append(decision(place, said))
        net = round_net(rules, stake * share)
    return Settled(bet, stake, outcome, net, tuple(trace))


def end_state(rules: Rules, coup: Coup) -> dict[str, Value]:
    """The end of a coup in all fields that settling may ask for. Raises `BadCards` if suits are missing for it."""
    end: dict[str, Value] = dict(zip(EXAMPLE_FIELDS, coup.end, strict=False))
    end["winner"] = coup.winner
    for field in ALIKE_FIELDS:
        end[field] = _alike(rules, coup, field)
    fields = rules.money_fields
    space = Space(tuple(end), [tuple(end.values())])
    return {**end, **{field: space.column(field)[0] for field in fields}}


def _alike(rules: Rules, coup: Coup, field: str) -> str:
    side = field.removesuffix("_pair")
    kind = coup.alike[side]
    first, second = getattr(coup, side).cards[:2]
    if kind == "rank" and not (first.suit and second.suit):
        for question in MONEY:
            for clause in rules.spoken(question):
                for test in clause.guard:
                    if test.field == field and contains(test.values, "rank") != contains(test.values, "card"):
                        raise BadCards(
                            f"the {side}'s pair {first} {second} needs suits: "
                            f"{clause.id} (line {clause.lines}) tells one card twice from two of a rank"
                        )
    return kind

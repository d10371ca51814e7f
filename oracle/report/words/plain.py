"""States and answers in plain words, for readers who know the game and no code."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from fractions import Fraction

from oracle.checks.regions import Box
from oracle.compare.stance import OPEN, SILENT, Stance
from oracle.rules.answers import Atom, show_number
from oracle.rules.questions import FIELDS, QUESTIONS
from oracle.rules.values import NONE, Value

_MANY = 12

# What a field's values mean in a sentence; `{}` is the set of them in words.
_WORDED: Mapping[str, Mapping[Value, str]] = {
    "player_backed": {"yes": "somebody bet on the player", "no": "nobody bet on the player"},
    "player_drew": {"yes": "the player drew", "no": "the player stood"},
    "banker_drew": {"yes": "the banker drew", "no": "the banker stood"},
    "natural": {
        "none": "nobody has a natural",
        "player": "only the player has a natural",
        "banker": "only the banker has a natural",
        "both": "both have a natural",
    },
    "higher": {"equal": "both are equal", "player": "the player is higher", "banker": "the banker is higher"},
    "winner": {"player": "the player wins", "banker": "the banker wins", "tie": "it is a tie"},
    "over_balance": {"yes": "more is staked than one has", "no": "no more is staked than one has"},
    "coup": {"first": "before the first coup of a shoe", "later": "before a later coup"},
    "cut_card": {"yes": "the cut card is out", "no": "the cut card is not out"},
    "event": {"coup": "after a coup", "leave": "when somebody leaves"},
    "leaders": {"one": "one has the most", "several": "several have the most"},
}
_ALIKE = {
    NONE: "no pair",
    "value": "two of one value only",
    "rank": "a pair of one rank",
    "card": "the same card twice",
}
_COUNTED = {
    "rank": "a card of rank {}",
    "sum": "cards that add up to {}",
    "position": "card {} of the deal",
    "player2": "the player has {} with two cards",
    "banker2": "the banker has {} with two cards",
    "player_third": "the player's third card counts {}",
    "banker_third": "the banker's third card counts {}",
    "player_total": "the player ends with {}",
    "banker_total": "the banker ends with {}",
    "player_cards": "the player has {} cards",
    "banker_cards": "the banker has {} cards",
    "margin": "the totals differ by {}",
    "stake": "a stake of {}",
    "remaining": "{} cards left",
    "participants": "{} taking part",
    "predictions": "{} predictions of one person",
    "coups": "{} coups played",
    "balance": "{} left to bet with",
}
_SIDES = {
    (0,): "neither on player nor on banker",
    (1,): "one of them on player or banker",
    (2,): "on both player and banker",
    (0, 1): "not on both player and banker",
    (0, 2): "on neither or both of player and banker",
    (1, 2): "at least one of them on player or banker",
    (0, 1, 2): "any of them on player or banker",
}
_ANSWERS = {
    "natural": {"stop": "ends at once", "continue": "goes on"},
    "outcome": {"win": "wins", "lose": "loses", "push": "comes back"},
    "winner": {"player": "player", "banker": "banker", "tie": "tie"},
    "bets_together": {"allowed": "taken", "refused": "refused"},
    "stake": {"allowed": "taken", "refused": "refused"},
    "total_stake": {"allowed": "taken", "refused": "refused"},
    "reshuffle": {"shuffle": "shuffled", "deal": "dealt on"},
    "session_end": {"end": "ends", "continue": "goes on"},
    "score": {"balance": "the balance", "none": "no score"},
    "ranking": {"wins": "the leader wins", "share": "leaders share", "kept": "scores are kept"},
    "exhausted": {"void": "the coup is void", "shuffle": "the shoe is shuffled"},
    "commission_due": {"coup": "at once", "shoe": "at the end of the shoe"},
}


def where_words(box: Box, shown: Mapping[str, str]) -> str:
    """A box in words: `a bet on the banker, the banker ends with 6`; empty for one without walls.

    `shown` has each wall as guards write it.
    """
    walls = dict(box)
    parts = []
    if "bet" in walls:
        parts.append(f"a bet on {_joined([bet_words(str(bet)) for bet in _ordered('bet', walls.pop('bet'))])}")
    parts += _laid(walls, shown)
    parts += [_wall(field, values, shown[field]) for field, values in walls.items()]
    return ", ".join(parts)


def bet_words(bet: str) -> str:
    """`the tie`, `the player's pair`."""
    return {"player_pair": "the player's pair", "banker_pair": "the banker's pair"}.get(
        bet, f"the {bet.replace('_', ' ')}"
    )


def _laid(walls: dict[str, frozenset[Value]], shown: Mapping[str, str]) -> list[str]:
    """How many bets are laid together, and on what."""
    count, sides, extras = (walls.pop(field, None) for field in ("count", "sides", "extras"))
    parts = []
    if count is not None:
        parts.append(
            "one bet alone" if shown["count"] in ("1", "< 2") else f"{_how_many(shown['count'])} bets together"
        )
    if sides is not None:
        parts.append(_SIDES[tuple(sorted(int(n) for n in sides))])
    if extras is not None:
        parts.append(f"{_how_many(shown['extras'])} of them on something else")
    if parts and count is None:
        parts[0] = f"bets {parts[0]}"
    for field in [field for field in walls if field not in FIELDS]:
        values = walls.pop(field)
        parts.append(f"{'with' if values == {'yes'} else 'without'} a bet on {bet_words(field)}")
    return parts


def _how_many(shown: str) -> str:
    words = _numbers(shown)
    return {"1": "one", "2": "two", "0": "none", "1 or more": "at least one", "2 or more": "at least two"}.get(
        words, words
    )


def _wall(field: str, values: frozenset[Value], shown: str) -> str:
    if field in _WORDED:
        return " or ".join(_WORDED[field][value] for value in _ordered(field, values))
    if field in ("player_pair", "banker_pair"):
        kinds = " or ".join(_ALIKE[str(value)] for value in _ordered(field, values))
        return f"the {field.removesuffix('_pair')}'s first two cards are {kinds}"
    if field.endswith("_third") and NONE in values:
        side = field.removesuffix("_third")
        others = shown.strip("[]").removeprefix(NONE).removeprefix(", ")
        alone = f"the {side} stood"
        return f"{alone} or drew {_numbers(others)}" if others else alone
    numbers = _numbers(shown, "less" if field in ("stake", "balance") else "fewer")
    words = _COUNTED.get(field, f"{FIELDS[field].help} {{}}").format(numbers)
    if field == "rank":
        for rank, name in (("A", "ace"), ("T", "ten"), ("J", "jack"), ("Q", "queen"), ("K", "king")):
            words = re.sub(rf"\b{rank}\b", name, words)
    return (
        words.removesuffix("s of one person") + " of one person" if shown == "1" and field == "predictions" else words
    )


def _numbers(shown: str, less: str = "fewer") -> str:
    """A set of numbers as guards write it, in words: `0 to 5, 8 or 9`, `less than 2`, `9 or more`."""
    words = []
    for part in shown.strip("[]").split(", "):
        relation, _, number = part.partition(" ")
        match relation:
            case "<":
                words.append(f"{less} than {number}")
            case "<=":
                words.append(f"at most {number}")
            case ">=":
                words.append(f"{number} or more")
            case ">":
                words.append(f"more than {number}")
            case "...":
                continue
            case _:
                words.append(part.replace("-", " to "))
    if len(words) > _MANY:
        return f"{', '.join(words[:4])} … {words[-1]}"
    return _joined(words)


def _ordered(field: str, values: frozenset[Value]) -> list[Value]:
    domain = FIELDS[field].domain if field in FIELDS else ()

    def place(value: Value) -> tuple[int, Fraction | int, str]:
        if value in domain:
            return 0, domain.index(value), ""
        return (1, 0, value) if isinstance(value, str) else (1, value, "")

    return sorted(values, key=place)


def _joined(words: Sequence[str]) -> str:
    return words[0] if len(words) == 1 else f"{', '.join(words[:-1])} or {words[-1]}"


def heard_words(question: str, heard: Stance) -> str:
    """An answer in words: `8 to 1`, `refused`, `silent`."""
    if heard.kind in OPEN:
        return OPEN[heard.kind]
    if heard.kind == SILENT:
        return f"silent ({answer_words(question, heard.answer)})" if heard.assumed else "silent"
    return answer_words(question, heard.answer)


def answer_words(question: str, answer: Sequence[Atom]) -> str:
    """Permitted answers in words."""
    return " or ".join(_atom(question, atom) for atom in answer)


def _atom(question: str, atom: Atom) -> str:
    kind = QUESTIONS[question].answer
    if isinstance(atom, tuple):
        items = [bet_words(str(item)).removeprefix("the ") if kind == "bets" else str(item) for item in atom]
        return ", ".join(items)
    if kind == "odds":
        odds = Fraction(atom)
        return f"{odds.numerator} to {odds.denominator}"
    if kind == "share":
        return f"{show_number(Fraction(atom) * 100)} %"
    return _ANSWERS.get(question, {}).get(str(atom), str(atom))

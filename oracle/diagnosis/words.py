"""Rules that were learnt, in plain words: bases by name, boxes as `banker stands when the player has 8 or 9`."""

from __future__ import annotations

from collections.abc import Collection, Mapping

from oracle.programs.facts import FACTS
from oracle.programs.program import Box
from oracle.rules.values import NONE, Value

GATES = {
    "none": "a natural doesn't end the coup",
    "player": "only a natural of the player ends the coup",
    "banker": "only a natural of the banker ends the coup",
    "nine": "only a nine is a natural",
    "nine of the player": "only a nine of the player ends the coup",
    "nine of the banker": "only a nine of the banker ends the coup",
    "eight": "only an eight is a natural",
    "both": "only two naturals end the coup",
    "one": "two naturals don't end the coup",
    "seven": "7, 8 and 9 with two cards end the coup",
    "equal": "equal totals of two cards end the coup",
    "player or equal": "a natural of the player, or equal totals of two cards, end the coup",
}
_SIDE = {"player_draw": "player", "banker_draw": "banker", "player_another": "player", "banker_another": "banker"}
_BASES = {
    ("player_draw", "never"): "the player never draws",
    ("player_draw", "always"): "the player always draws",
    ("player_draw", "raises"): "the player draws where the next card makes a higher total",
    ("banker_draw", "never"): "the banker never draws",
    ("banker_draw", "always"): "the banker always draws",
    ("banker_draw", "raises"): "the banker draws where the next card makes a higher total",
    ("banker_draw", "player's rule"): "the banker draws on 0 to 5 whatever the player drew",
    ("winner", "two cards"): "the winner is that of the two-card totals",
    ("winner", "player's two cards"): "the player's third card doesn't count for the winner",
    ("winner", "banker's two cards"): "the banker's third card doesn't count for the winner",
    ("winner", "sums"): "the winner has the higher sum, tens not taken off",
    ("winner", "lower"): "the lower total wins",
    ("winner", "player unless higher"): "equal totals make the player win",
    ("winner", "banker unless higher"): "equal totals make the banker win",
    ("winner", "player"): "the player always wins",
    ("winner", "banker"): "the banker always wins",
    ("winner", "tie"): "it is always a tie",
    ("winner", "more cards"): "the hand with more cards wins",
}
_AGAIN = {
    "own rule": "a {side} who drew is looked up again with his new total, and draws again",
    "later row": "a {side} who drew is looked up again with his new total in the rows below, and draws again",
    "five": "a {side} who draws goes on until he has more than five",
    "rose": "a {side} whose total rose draws again",
    "always": "a {side} who drew draws again",
}
_READ = {
    "banker2": "the banker's total",
    "third": "the third card",
    "player_total": "the player's total",
    "player_total_always": "the player's total, whether he drew or not",
    "player2": "the player's first two cards together",
    "player2_always": "the player's first two cards together, whether he drew or not",
    "player_first": "the player's first card",
    "player_second": "the player's second card",
    "player_first_always": "the player's first card, whether he drew or not",
    "player_second_always": "the player's second card, whether he drew or not",
    "banker_first": "the banker's first card",
    "banker_second": "the banker's second card",
    "third_or_zero": "the third card, which counts 0 when the player stood",
    "none": "no third card, whatever the player drew",
    "next": "the next card",
}
_WHO = {
    "player_first": "the player's first card",
    "player_second": "the player's second card",
    "banker_first": "the banker's first card",
    "banker_second": "the banker's second card",
    "banker_third": "the banker's third card",
    "third_rank": "the third card",
    "third_suit": "the suit of the third card",
    "next": "the next card",
    **{
        f"{side}_{word}_rank": f"the {side}'s {word} card"
        for side in ("player", "banker")
        for word in ("first", "second")
    },
}


def base_words(question: str, base: str) -> str:
    """What a base says, in words."""
    if (question, base) in _BASES:
        return _BASES[question, base]
    if question.endswith("_another"):
        return _AGAIN.get(base, base).format(side=_SIDE[question])
    if base.startswith("swapped "):
        column = base.split()[1]
        low = ", which has no rows for 0 to 2" if "row" in base else ""
        read = "as against a third card of 0" if column == "third_or_zero" else f"as against {_READ[column]}"
        read = read.replace(", whether he drew or not", "")
        return (
            "the banker's rules after the player drew and after he stood are swapped: he draws on 0 to 5 when the "
            f"player drew, and follows the table {read} when the player stood{low}"
        )
    if base.startswith("table "):
        _, row, column = base.split()
        if row == "banker2":
            if column == "none":
                return "the banker draws on 0 to 5 whatever the player drew"
            return f"the banker's table is read with {_READ[column]}, not with the third card"
        if column == "third":
            return f"the banker's row is that of {_READ[row]}, not of his own total"
        return f"the banker's table is read in the row of {_READ[row]} with {_READ[column]}"
    return base


def box_words(question: str, box: Box) -> str:
    """What a box says, in words."""
    where = dict(box.where)
    if question == "winner":
        who = {"tie": "it is a tie", "player": "the player wins", "banker": "the banker wins"}.get(
            str(box.action), str(box.action)
        )
        return " ".join([who, *_conditions(where, "winner")])
    if question == "counts_as":
        return " ".join([f"the banker's first two cards count as {box.action}", *_conditions(where, question)])
    side = _SIDE.get(question, question)
    does = "draws" if box.action == "draw" else "stands"
    if question.endswith("_another"):
        does = "draws another card" if box.action == "draw" else "stops"
    own = where.pop("player2" if side == "player" else "banker2", None) if not question.endswith("_another") else None
    words = [f"the {side} {does}"]
    if own is not None:
        words = [f"the {side} on {numbers(own)} {does}"]
    third = set(where.get("third", ()))
    if not where and own is not None:
        words = [f"the {side} on {numbers(own)} always {does}"]
    elif set(where) == {"third"} and third >= set(range(10)) and NONE not in third:
        where.pop("third")
        words.append("against every third card")
    elif not where and own is None:
        words = [f"the {side} always {does}"]
    words += _conditions(where, question)
    return " ".join(words)


def _conditions(where: Mapping[str, frozenset[Value]], question: str) -> list[str]:
    """Conditions as parts of a sentence; of several that begin alike all but the first begin with `and`."""
    said = [_condition(fact, values, question) for fact, values in where.items()]
    return [f"and {words[5:]}" if place and words.startswith("when ") else words for place, words in enumerate(said)]


def _condition(fact: str, values: frozenset[Value], question: str) -> str:
    shown = numbers(values - {NONE})
    match fact:
        case "third" if values == {NONE}:
            return "when the player stood"
        case "third":
            against = f"against a third card of {shown}"
            missing = frozenset(range(10)) - values
            if NONE not in values and len(missing) < 3:
                against = "against every third card" if not missing else f"unless the third card is {numbers(missing)}"
                if missing:
                    against = f"against a third card, {against}"
            return f"{against}, or when the player stood" if NONE in values else against
        case "drew":
            return "after the player drew" if "yes" in values else "when the player stood"
        case "banker2" if question == "counts_as":
            return f"where they make {shown}"
        case "banker2" | "player2":
            side = fact[:6]
            return f"when the {side}'s first two cards make {shown}"
        case "player_total" | "banker_total":
            return f"when the {fact[:6]} has {shown}"
        case "player_cards" | "banker_cards":
            return f"when the {fact[:6]} has {shown} cards"
        case "higher":
            words = {"player": "the player is ahead", "banker": "the banker is ahead", "equal": "the totals are equal"}
            return "when " + " or ".join(words[value] for value in words if value in values)
        case "player_pair" | "banker_pair":
            return f"when the {fact[:6]}'s first two cards are {'a pair' if 'yes' in values else 'no pair'}"
        case _:
            return f"when {_WHO.get(fact, fact)} is {shown}"


def numbers(values: Collection[Value]) -> str:
    """Values in words: `3`, `8 or 9`, `2 to 7`, `0, 1 or 9`, `all but 8` where that is shorter."""
    texts = {value: str(value) for value in values}
    order = next((fact.values for fact in FACTS.values() if all(value in fact.values for value in values)), ())
    ranked = sorted(values, key=lambda value: (order.index(value) if value in order else 0, texts[value]))
    groups: list[list[Value]] = []
    for value in ranked:
        if groups and isinstance(value, int) and isinstance(groups[-1][-1], int) and value == groups[-1][-1] + 1:
            groups[-1].append(value)
        else:
            groups.append([value])
    parts: list[str] = []
    for group in groups:
        parts += [f"{group[0]} to {group[-1]}"] if len(group) > 2 else [str(value) for value in group]
    return parts[0] if len(parts) == 1 else f"{', '.join(parts[:-1])} or {parts[-1]}" if parts else "nothing"

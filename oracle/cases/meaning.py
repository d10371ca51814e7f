"""Digests of what rules mean, so that another wording of them changes nothing and another answer does.

The meaning of a rule set is its tableau, what each bet nets in every end, and which bets may be laid. When shoes are
shuffled and sessions end shows in the cases about them.
"""

from __future__ import annotations

from itertools import product

from oracle.cases.coup_cases import bets
from oracle.cases.digests import text_digest
from oracle.cases.reference import Reference
from oracle.game.rules import ALIKE_FIELDS
from oracle.game.space import Row
from oracle.programs.behaviour import ALIKE
from oracle.rules.answers import show_number
from oracle.rules.values import NONE


def meaning_digest(reference: Reference) -> str:
    """The SHA-256 of how coups go, what bets net, and which are taken, in hexadecimal."""
    behaviour, rules = reference.behaviour, reference.rules
    lines = [reference.tableau]
    nets = {key: show_number(net) for key, net in behaviour.nets.items()}
    fields = behaviour.classes.fields
    pairs = [place for place, field in enumerate(fields) if field in ALIKE_FIELDS]
    kinds = list(product(ALIKE, repeat=len(pairs)))
    ends = sorted(behaviour.winners.items(), key=lambda item: tuple(map(str, item[0])))
    classes = [behaviour.classes.of(end, winner, NONE, NONE) for end, winner in ends]

    def line(bet: str, row: Row) -> str:
        shown = []
        for kind in kinds:
            full = list(row)
            for place, alike in zip(pairs, kind, strict=True):
                full[place] = alike
            shown.append(nets.get((bet, tuple(full)), "-"))
        return f"{bet} {shown[0] if len(set(shown)) == 1 else ' '.join(shown)}"

    for bet in sorted(rules.bets):
        by_class = {row: line(bet, row) for row in dict.fromkeys(classes)}
        lines += [by_class[row] for row in classes]
    lines += [f"{case.id} {case.expect.legal}" for case in bets(reference)]
    return text_digest(lines)

"""chips: legal stakes whose net, rounded as the source rounds, is not payable in chips."""

from __future__ import annotations

from collections.abc import Iterator

from oracle.checks.finding import Finding, Part
from oracle.checks.make_finding import finding, part
from oracle.checks.regions import show_region
from oracle.game.money import unpayable
from oracle.game.rules import Rules
from oracle.game.space import first_bit
from oracle.rules.answers import show_number
from oracle.rules.questions import heard_together


def check_chips(rules: Rules) -> Iterator[Finding]:
    """One finding for each bet and kind of win: how many legal stakes, the least one, and the balance it leaves."""
    evaluation = rules.evaluation("rounding")
    rounded = [a for a in evaluation.applied if a.closes]
    for entry in unpayable(rules):
        of = f"{entry.among} {entry.of_stakes}".lstrip()
        left = f", which leaves {show_number(entry.balance)} of the first balance" if entry.balance is not None else ""
        yield finding(
            rules,
            "outcome",
            "chips",
            entry.states,
            message=(
                f"{entry.stakes} of {of} legal stakes on {entry.bet} win what chips can't pay, least: "
                f"{entry.least} nets {show_number(entry.net)}{left}"
            ),
            subject=entry.bet,
            parts=tuple(_behind(rules, entry.states)),
            region=show_region(rules, "outcome", entry.states),
            resolution=rounded[0].resolution.id if rounded else "",
            because=rounded[0].resolution.because if rounded else "",
            help="" if rounded else "say in a statement or a resolution how nets are rounded, or accept the finding",
        )


def _behind(rules: Rules, states: int) -> Iterator[Part]:
    """The statements that make the prize in the first of these states."""
    row = rules.evaluation("outcome").space.rows[first_bit(states)]
    for question in heard_together("pays"):
        evaluation = rules.evaluation(question)
        place = evaluation.space.index(row)
        if place is not None:
            yield from (part(evaluation, clause) for clause in evaluation.fired(place))

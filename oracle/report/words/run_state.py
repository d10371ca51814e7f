"""Words about cases that were asked again: what a program answers in two ways, and after what."""

from __future__ import annotations

from collections.abc import Iterator

import msgspec

from oracle.conformance.run.log import Again, Line, Log
from oracle.conformance.run.state_dependence import Dependent
from oracle.conformance.summary.summary import Summary, hands, reproduce, reproduce_after
from oracle.report.words.layout import plural
from oracle.report.words.run_words import difference_words


class TwoAnswers(msgspec.Struct, frozen=True):
    """A case that is answered in two ways: a sentence, what was asked and answered, and commands. Not escaped."""

    sentence: str
    details: tuple[str, ...]
    commands: tuple[str, ...]


def two_answers(summary: Summary) -> Iterator[TwoAnswers]:
    """The cases that are answered in two ways, a fault each."""
    yield from (_worded(summary.log, found) for found in summary.dependent)


def _worded(log: Log, found: Dependent) -> TwoAnswers:
    id, after = found.line.id, found.after
    others = after[0] if len(after) == 1 else plural(len(after), "other case")
    one: Line | Again = found.alone
    commands = [reproduce(log, found.line)]
    if found.kind == "state":
        what = f"state is kept between coups: its answer to {id} alone differs from its answer after {others}"
        names = ("alone", f"after {others}")
        commands.append(reproduce_after(log, after, id))
    elif found.kind == "unknown":
        what = f"its answer to {id} alone differs from that in the run; by what it differs was not found"
        names = ("alone", "in the run")
    elif after:
        what = f"its answers vary: {id} is answered in two ways, after {others}, the same both times"
        names, one = ("in the run", "again"), found.line
    else:
        what = f"its answers vary: {id} is answered in two ways, asked first by a program freshly started"
        names = ("once", "again")
    details = (f"asked: {', '.join(hands(found.line))}", f"{names[0]}: {_answer(one)}")
    return TwoAnswers(what, (*details, f"{names[1]}: {_answer(found.other)}"), tuple(commands))


def _answer(said: Line | Again) -> str:
    if said.outcome == "pass":
        return "as the rules have it"
    return "; ".join(map(difference_words, said.differs)) or f"{said.outcome}: {said.why}"

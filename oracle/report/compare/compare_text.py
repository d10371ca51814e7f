"""`compare` for a terminal: how two rule sets stand in each question, then every place where they differ."""

from __future__ import annotations

from fractions import Fraction

import click

from oracle.compare.disputes import Dispute
from oracle.compare.pair import Pair
from oracle.compare.relation import CONTRADICTION, Compared, Region, Side, Standing
from oracle.compare.run import Comparison
from oracle.compare.witness import PlayedWitness, Shown
from oracle.report.words.figures import percent
from oracle.report.words.layout import columns, plural, wrap
from oracle.rules.answers import show_number
from oracle.rules.questions import QUESTIONS

_COLOURS = {"same": "green", "contradiction": "red", "open": "yellow"}
_PARTS = 4
_NUMBERS = 200


def compare_text(found: Comparison, *, everything: bool = False) -> str:
    """The comparison of two rule sets; with `everything` what carries what they say alike too."""
    pair = found.pairs[0]
    blocks = [_standings(pair)]
    regions = [(entry, region) for entry in pair.questions for region in entry.regions]
    for relation, title in ((CONTRADICTION, "contradictions"), ("open", "open")):
        there = [(entry, region) for entry, region in regions if region.relation == relation]
        if there:
            blocks.append(click.style(title, bold=True))
            blocks += [_region(pair, entry, region) for entry, region in there]
    if pair.cost is not None and (pair.cost.coups or pair.cost.bets):
        blocks.append("\n".join([click.style(f"what it comes to, on {pair.cost.shoe}", bold=True), *cost_lines(pair)]))
    if everything:
        blocks.append(click.style("what carries what they say alike", bold=True))
        blocks += [_carried(pair, entry) for entry in pair.questions if entry.carried]
    if pair.claims:
        blocks.append(click.style("claims", bold=True))
        blocks += [_dispute(dispute) for dispute in pair.claims]
    blocks.append(engines_text(found))
    return "\n\n".join(blocks)


def cost_lines(pair: Pair) -> list[str]:
    """What the differences cost, a sentence each."""
    found = pair.cost
    assert found is not None
    lines = [wrap(f"{percent(found.coups)} of coups go otherwise", first="  ")] if found.coups else []
    for bet in found.bets:
        edges = f"{percent(bet.edge_a)} at {pair.a}, {percent(bet.edge_b)} at {pair.b}"
        text = f"a bet on {bet.bet} nets otherwise in {percent(bet.chance)} of coups; house edge {edges}"
        lines.append(wrap(text, first="  ", rest="    "))
    return lines


def engines_text(found: Comparison) -> str:
    """Which engines were asked, and whether they agree."""
    words = f"engines: {', '.join(found.engines)}"
    if len(found.engines) > 1:
        words += f"; they agree on {found.agreed:,} of {found.properties:,} properties"
    lines = [wrap(words)]
    if found.disagreements:
        lines += ["", click.style("the engines disagree", fg="red", bold=True)]
        lines += [wrap(entry, first="  ", rest="    ") for entry in found.disagreements]
    return "\n".join(lines)


def _carried(pair: Pair, entry: Compared) -> str:
    assert entry.carried is not None
    lines = [f"  {QUESTIONS[entry.question].title} ({plural(entry.resolved.states, 'state')})"]
    width = max(len(pair.a), len(pair.b)) + 2
    for name, side in zip((pair.a, pair.b), entry.carried, strict=True):
        words = f"by {', '.join(side.by) or 'no statement'}" + (
            f"; {', '.join(side.spare)} could be missing" if side.spare else ""
        )
        lines.append(wrap(words, first=f"    {name:<{width}}", rest=" " * (width + 6)))
    return "\n".join(lines)


def _standings(pair: Pair) -> str:
    spoken = [entry for entry in pair.questions if len(entry.silent) < 2 or entry.reason]
    rows = [("question", "the texts", "as read", "same in")]
    rows += [(QUESTIONS[e.question].title, e.literal.relation, e.resolved.relation, _extent(pair, e)) for e in spoken]
    head = f"{click.style(pair.a, bold=True)} and {click.style(pair.b, bold=True)}"
    lines = [head, ""]
    for row, line in zip(rows, columns(rows), strict=True):
        word = click.style(row[2], fg=_COLOURS.get(row[2]))
        before, _, after = line.rpartition(row[2]) if row[3] == "" else _split(line, row)
        lines.append(f"{before}{word}{after}")
    neither = [QUESTIONS[entry.question].title for entry in pair.questions if entry not in spoken]
    if neither:
        lines.append(wrap(f"neither speaks of {', '.join(neither)}", first="  ", rest="    "))
    return "\n".join(lines)


def _split(line: str, row: tuple[str, ...]) -> tuple[str, str, str]:
    place = line.index(row[2], line.index(row[1], len(row[0])) + len(row[1]))
    return line[:place], row[2], line[place + len(row[2]) :]


def _extent(pair: Pair, entry: Compared) -> str:
    """In how many states they are the same, and who is silent."""
    if entry.reason:
        return entry.reason
    standing = entry.resolved
    words = []
    if standing.states:
        words.append(_counted(standing))
    alone = [(pair.a, entry.only_a), (pair.b, entry.only_b)]
    if standing.states:
        words += [f"{count:,} more at {name}" for name, count in alone if count]
    if entry.silent:
        words.append(f"{' and '.join(entry.silent)} silent")
    return "; ".join(words)


def _counted(standing: Standing) -> str:
    states = plural(standing.states, "state")
    return states if standing.same == standing.states else f"{standing.same:,} of {states}"


def _region(pair: Pair, entry: Compared, region: Region) -> str:
    title = QUESTIONS[entry.question].title
    whose = "" if region.literal and region.resolved else ", the texts only" if region.literal else ", as read only"
    head = f"{title}: {short(region.region)} ({plural(region.states, 'state')}{whose})"
    lines = [wrap(head, first="  ", rest="    ")]
    width = max(len(pair.a), len(pair.b)) + 2
    for name, side in ((pair.a, region.a), (pair.b, region.b)):
        lines.append(wrap(_side(side), first=f"    {name:<{width}}", rest=" " * (width + 6)))
    if region.chance is not None:
        lines.append(f"    {'chance':<{width}}{percent(region.chance)} of coups at {region.at}")
    if region.witness is not None and (region.witness.cards or region.witness.bets or region.witness.text):
        text = witness_words(region.witness, pair.a, pair.b)
        lines.append(wrap(text, first=f"    {'witness':<{width}}", rest=" " * (width + 6)))
    return "\n".join(lines)


def short(region: str) -> str:
    """A region, with a long list of numbers cut."""
    return region if len(region) <= _NUMBERS else f"{region[:_NUMBERS].rsplit(', ', 1)[0]}, …"


def _side(side: Side) -> str:
    said = [f"{part.id} (line {part.lines})" for part in side.statements[:_PARTS]]
    more = len(side.statements) - _PARTS
    if more > 0:
        said.append(f"and {more} more")
    read = f"; read as {', '.join(side.resolutions)}" if side.resolutions else ""
    return side.says + (f": {', '.join(said)}" if said else "") + read


def witness_words(shown: Shown, a: str, b: str) -> str:
    """A witness in one sentence: the cards, the result, and what each bet nets on either side."""
    sentences = [shown.text]
    played = [(a, shown.a), (b, shown.b)]
    results = {name: _result(entry) for name, entry in played if entry is not None}
    if results:
        if len(set(results.values())) == 1:
            sentences.append(next(iter(results.values())))
        else:
            sentences += [f"{result} at {name}" for name, result in results.items()]
        for bet, stake in shown.bets.items():
            nets = [
                f"{signed(entry.nets[bet])} at {name}"
                for name, entry in played
                if entry is not None and bet in entry.nets
            ]
            sentences.append(f"{show_number(stake)} on {bet} nets {' and '.join(nets)}" if nets else "")
    return "; ".join(sentence for sentence in sentences if sentence)


def _result(played: PlayedWitness) -> str:
    if played.left_open:
        return f"no end ({played.left_open})"
    if played.winner == "tie":
        return f"a tie, {played.player}:{played.banker}"
    return f"the {played.winner} wins, {played.player}:{played.banker}"


def signed(amount: Fraction) -> str:
    """`+160`, `-20`, `0`."""
    return f"{'+' if amount > 0 else ''}{show_number(amount)}"


def _dispute(dispute: Dispute) -> str:
    of, against = dispute.of, dispute.against
    lines = [wrap(f"{dispute.kind}: {of.rules} (line {of.lines}) says that {of.says}", first="  ", rest="    ")]
    place = f" (line {against.lines})" if against.lines else ""
    said = f"{place} says that {against.says}" if against.id else f": {against.says}"
    lines.append(wrap(f"{against.rules}{said}", first="    ", rest="      "))
    return "\n".join(lines)

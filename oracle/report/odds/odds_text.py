"""`odds` for a terminal: outcomes with bars, a line for each bet, and with `everything` what stands behind them."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from fractions import Fraction

import click

from oracle.game.space import Row
from oracle.odds.replies import Replies
from oracle.odds.summary import BetSummary, OddsDetails, OddsSummary
from oracle.report.words.figures import bar, decimal, percent, root
from oracle.report.words.layout import columns, plural, wrap
from oracle.rules.questions import DRAW_QUESTIONS, QUESTIONS

_BAR = 40
_SHORT = 60
_LEGEND = (
    "edge and return: of the stake first laid, coups that return it counted; wins, returned: share of coups; sd: "
    "standard deviation of what a unit stake nets in one coup"
)


def render(found: OddsSummary | Replies) -> str:
    """What `odds --format text` prints."""
    return f"{replies_text(found) if isinstance(found, Replies) else odds_text(found)}\n"


def odds_text(found: OddsSummary) -> str:
    """The odds of one shoe, at most 80 columns wide."""
    blocks = [_head(found), _outcomes(found), _bets(found)]
    if found.details is not None:
        cells = found.details.cells
        blocks += [_hits(found.bets)]
        blocks += [_cells(question, cells[question], found.total) for question in DRAW_QUESTIONS]
        blocks += [_removal(found.details, list(found.bets)), _consecutive(found.details, list(found.outcomes))]
    return "\n\n".join(block for block in blocks if block)


def _head(odds: OddsSummary) -> str:
    shoe = odds.shoe
    size = "cards come back before the next" if shoe.endless else plural(shoe.cards, "card")
    held = str(shoe) if len(str(shoe)) <= _SHORT else str(shoe.by_rank())
    lines = wrap(f"{odds.rules}  {held}: {size}", rest="  ").splitlines()
    lines[0] = lines[0].replace(odds.rules, click.style(odds.rules, bold=True), 1)
    if odds.gone:
        lines.append(wrap(" ".join(str(card) for card in odds.gone), first="  gone: ", rest=" " * 8))
    if odds.strategy:
        played = ", ".join(f"{cell} {action}" for cell, action in odds.strategy.items())
        lines.append(wrap(played, first="  free cells: ", rest=" " * 14))
    return "\n".join(lines)


def _outcomes(odds: OddsSummary) -> str:
    rows = []
    for winner, count in odds.outcomes.items():
        share = Fraction(count, odds.total)
        rows.append((winner, f"{percent(share):>10}", bar(share, _BAR)))
    return "\n".join([*columns(rows), f"  of {odds.total:,} sequences of six cards"])


def _bets(odds: OddsSummary) -> str:
    rows: list[tuple[str, ...]] = [("bet", "     edge", "   return", "     wins", " returned", "      sd")]
    for name, summary in odds.bets.items():
        bet = summary.odds
        cells = (bet.edge, bet.payback, bet.hit, bet.share("push"))
        rows.append((name, *(f"{decimal(value * 100):>9}" for value in cells), f"{decimal(root(bet.variance)):>8}"))
    lines = columns(rows)
    lines[0] = click.style(lines[0], bold=True)
    said = [words for bet in odds.bets.values() for words in stakes_words(odds, bet)]
    notes = [wrap(words, first="  ", rest="    ") for words in said]
    return "\n".join([*lines, *notes, wrap(f"per cent; {_LEGEND}", first="  ", rest="  ")])


def stakes_words(odds: OddsSummary, summary: BetSummary) -> Iterator[str]:
    """In words, how the edge depends on the stake, and which stakes favour the bettor; nothing where none does."""
    stakes, bet = summary.stakes, summary.odds.bet
    if summary.unsettled:
        yield summary.unsettled
    if stakes is None:
        return
    if odds.rounded and stakes.least[1] != stakes.most[1]:
        limited = "" if stakes.limited else " up to where rounding can't turn it"
        yield (
            f"{bet}: nets are rounded, so the edge goes from {percent(stakes.least[1])} at {stakes.least[0]} "
            f"to {percent(stakes.most[1])} at {stakes.most[0]}, over {plural(stakes.checked, 'legal stake')}{limited}"
        )
    if stakes.all_favour:
        yield f"{bet}: the bettor gains"
    elif stakes.favourable:
        which = f"{len(stakes.favourable):,} of {plural(stakes.checked, 'legal stake')}"
        yield f"{bet}: {which} favour the bettor, the least {stakes.favourable[0]}"


def _hits(bets: Mapping[str, BetSummary]) -> str:
    rows = [("bet", "ends in", "net", "share", "sequences")]
    for bet in (summary.odds for summary in bets.values()):
        for hit in bet.hits:
            share = percent(Fraction(hit.sequences, bet.total))
            rows.append((bet.bet, hit.outcome, f"{hit.net}", f"{share:>10}", f"{hit.sequences:,}"))
    return "\n".join(columns(rows))


def _cells(question: str, counts: Mapping[Row, int], whole: int) -> str:
    """How often each cell of a table is asked: with bars, or as a grid where cells have two fields."""
    cells = {cell: Fraction(count, whole) for cell, count in counts.items()}
    asked = f"{QUESTIONS[question].title}: asked in {percent(sum(cells.values(), Fraction(0)))} of coups"
    if len(QUESTIONS[question].cell) == 1:
        top = max(cells.values(), default=Fraction(1))
        rows = [
            (str(cell[0]), f"{percent(share):>10}", bar(share / top, _BAR)) for cell, share in sorted(cells.items())
        ]
        return "\n".join([asked, *columns(rows)])
    totals = sorted({int(cell[0]) for cell in cells})
    thirds = ["none", *range(10)]
    lines = [asked, "  per cent, by the banker's total and the player's third card"]
    lines.append("     " + "".join(f"{third!s:>6}" for third in thirds))
    for total in totals:
        shares = (cells.get((total, third), Fraction(0)) for third in thirds)
        lines.append(f"  {total:>3}" + "".join(f"{decimal(share * 100, 2):>6}" for share in shares))
    return "\n".join(lines)


_PER_LINE = 6


def _removal(details: OddsDetails, bets: Sequence[str]) -> str:
    """What one card less of each rank does to each edge; nothing for a shoe that no card leaves."""
    if details.removal is None:
        return ""
    lines = ["one card gone: the edge grows by, in thousandths of a per cent"]
    for start in range(0, len(bets), _PER_LINE):
        some = bets[start : start + _PER_LINE]
        rows = [("  ", *(f"{bet:>10}" for bet in some))]
        rows += [
            (rank, *(f"{decimal(of[bet] * 100_000, 2):>{max(10, len(bet))}}" for bet in some))
            for rank, of in details.removal.items()
        ]
        lines += columns(rows)
    return "\n".join(lines)


def _consecutive(details: OddsDetails, winners: Sequence[str]) -> str:
    """What the winner of the first coup of a shoe tells of the second."""
    if details.shuffled:
        return "the coup before tells nothing: the shoe is shuffled after every coup"
    found = details.consecutive
    if found is None:
        return ""
    rows = [("after", *(f"{winner:>10}" for winner in winners))]
    rows += [(one, *(f"{percent(found.after(one, two), 5):>10}" for two in winners)) for one in winners]
    first, second = found.largest
    words = (
        f"the second coup of this shoe by the first; most of all {second} after {first}: "
        f"{percent(found.after(first, second), 5)} instead of {percent(found.share(second), 5)}"
    )
    return "\n".join([*columns(rows), wrap(words, first="  ", rest="  ")])


def replies_text(found: Replies) -> str:
    """Every way to play the free cells of a rule set, with the edge on each side and who plays best."""
    heads = [str(cell) for cell in found.cells]
    rows = [(*heads, "    player", "    banker", "plays best")]
    for line in found.lines:
        best = " and ".join(line.best) or "nobody"
        rows.append((*line.actions, f"{percent(line.player):>10}", f"{percent(line.banker):>10}", best))
    words = (
        "what a unit stake on each side nets on average; plays best: nothing else that this side could do is better "
        "while the other plays so. Cells: the player's total; the banker's total and the player's third card"
    )
    head = f"{click.style(found.rules, bold=True)}  leaves {plural(len(found.cells), 'cell')} free"
    return "\n".join([head, "", *columns(rows), "", wrap(words, first="  ", rest="  ")])

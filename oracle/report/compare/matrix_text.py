"""Every rule set and question on one screen: who says the same, and every place where they contradict each other."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence

import click

from oracle.compare.matrix import Matrix, MatrixRow, matrices
from oracle.compare.pair import Pair
from oracle.compare.relation import CONTRADICTION
from oracle.compare.run import Comparison
from oracle.compare.stance import show_heard
from oracle.game.rules import Rules
from oracle.report.compare.compare_text import engines_text, short
from oracle.report.words.layout import WIDTH, columns, plural, wrap
from oracle.rules.questions import QUESTIONS

_SHORT = 8
_LEGEND = (
    "In a line the same letter, or the same number, means the same answer in every state that both know; * where a "
    "resolution has a part in it, ? open, - silent."
)


def all_pairs_text(tables: Sequence[Rules], compared: Comparison) -> str:
    """The matrix of rule sets by question, the rows on which they contradict each other, and the sum of it."""
    found = matrices(tables)
    blocks = [matrix_text(found)]
    rows = [(entry, row) for entry in found for row in entry.rows if row.disagree]
    if rows:
        blocks.append(click.style("where they contradict each other", bold=True))
        blocks += [_disagreement(entry, row) for entry, row in rows]
    blocks.append(f"{_summary(compared.pairs)}\n{engines_text(compared)}")
    return "\n\n".join(blocks)


def matrix_text(found: Sequence[Matrix]) -> str:
    """The matrix. Questions that nobody speaks of are named below it."""
    names = found[0].rules if found else ()
    spoken = [entry for entry in found if entry.spoken]
    cells = [[QUESTIONS[entry.question].title, *_cells(entry)] for entry in spoken]
    heads = ["question", *names]
    wide = columns([heads, *cells])
    lines = []
    if max(len(line) for line in wide) > WIDTH:
        lines += [wrap(f"{n} {name}", first="  ", rest="    ") for n, name in enumerate(names, 1)] + [""]
        heads = ["question", *(str(n) for n in range(1, len(names) + 1))]
        wide = columns([heads, *cells])
    lines += wide
    silent = [QUESTIONS[entry.question].title for entry in found if not entry.spoken]
    lines.append("")
    if silent:
        lines.append(wrap(f"nobody speaks of {', '.join(silent)}", first="  ", rest="    "))
    lines.append(wrap(_LEGEND, first="  ", rest="  "))
    return "\n".join(lines)


def _cells(entry: Matrix) -> list[str]:
    shown = []
    single = len(entry.rows) == 1
    for n, place in enumerate(entry.classes()):
        if place is None:
            shown.append("-")
            continue
        letter = chr(ord("A") + place % 26)
        cell = entry.rows[0].cells[n] if single else None
        text = show_heard(entry.question, cell.heard) if cell is not None else ""
        word = text if text and len(text) <= _SHORT and "silent" not in text else letter
        shown.append(word + ("?" if entry.open(n) else "" if entry.by_text(n) else "*"))
    return shown


def _disagreement(entry: Matrix, row: MatrixRow) -> str:
    title = QUESTIONS[entry.question].title
    lines = [wrap(f"{title}: {short(row.region)} ({plural(row.states, 'state')})", first="  ", rest="    ")]
    for heard in row.answers:
        who = [
            name for name, cell in zip(entry.rules, row.cells, strict=True) if cell is not None and cell.heard == heard
        ]
        lines.append(wrap(f"{show_heard(entry.question, heard)}: {', '.join(who)}", first="    ", rest="      "))
    return "\n".join(lines)


def _summary(pairs: Sequence[Pair]) -> str:
    counts = Counter(entry.resolved.relation for pair in pairs for entry in pair.questions if len(entry.silent) < 2)
    places = sum(
        1 for pair in pairs for q in pair.questions for region in q.regions if region.relation == CONTRADICTION
    )
    words = ", ".join(f"{counts[word]} {word}" for word in ("same", CONTRADICTION, "open", "omission", "vacuous")
                      if counts[word])  # fmt: skip
    text = f"{plural(len(pairs), 'pair')}, as read: {words}; {plural(places, 'place')} of contradiction; "
    return wrap(f"{text}`compare A B` shows a pair with cards, lines and nets")

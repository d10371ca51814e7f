"""Where something stands in a spec, and what is wrong with it there.

Exceptions of the package:

    OracleError                 anything that a user of the package may want to catch
    ├── SpecError               one or more spec files can't be read; carries every `Problem`
    ├── UnknownName             no such rule set, bet, card, question …
    ├── BadCards                cards that can't be a coup: malformed, too few, impossible
    ├── BadBet                  a stake or a set of bets that can't be settled
    ├── BadChoice               a free choice that nobody made, or one where there is none
    ├── BadShoe                 a shoe that can't be: malformed, too few cards, more of a card than there are
    └── Undecided               the rules as read don't decide a state; names question and state
"""

from __future__ import annotations

import msgspec

from oracle.text import printable


class Span(msgspec.Struct, frozen=True, order=True):
    """A place in a file: lines and columns count characters from 1, the end is exclusive."""

    file: str
    line: int
    column: int
    end_line: int
    end_column: int

    def __str__(self) -> str:
        return f"{self.file}:{self.line}:{self.column}"


class Problem(msgspec.Struct, frozen=True):
    """One mistake in a spec: what, where, and how to mend it."""

    code: str
    message: str
    span: Span
    help: str = ""
    line_text: str = ""

    def render(self) -> str:
        """The problem as `file:line:column: error[code]: …` with its line, a caret and help."""
        parts = [printable(f"{self.span}: error[{self.code}]: {self.message}")]
        if self.line_text:
            number = str(self.span.line)
            gutter = " " * len(number)
            shown, start, width = _window(self.line_text, self.span)
            parts += [
                f"{gutter} |",
                f"{number} | {shown}",
                f"{gutter} | {' ' * start}{'^' * width}",
            ]
        if self.help:
            parts.append(f" = help: {printable(self.help)}")
        return "\n".join(parts)


class OracleError(Exception):
    """The root of every error that this package raises on purpose."""


class SpecError(OracleError):
    """Spec files that can't be read. `problems` holds all mistakes found, in file order."""

    def __init__(self, problems: list[Problem]) -> None:
        self.problems = tuple(sorted(problems, key=lambda p: (p.span, p.code, p.message)))
        super().__init__("\n".join(problem.render() for problem in self.problems))


class UnknownName(OracleError):
    """A name that nothing answers to; the message lists the near and the known ones."""


class BadCards(OracleError):
    """Cards that can't be played: malformed, missing, or more of one than the shoe holds."""


class BadBet(OracleError):
    """A stake, a bet or a set of bets that can't be settled, with the reason."""


class BadChoice(OracleError):
    """A free choice that nobody made, or a choice of what the rules forbid."""


class BadShoe(OracleError):
    """A shoe that can't be: malformed, with too few cards, or with more of a card than there are."""


class Undecided(OracleError):
    """The rules as read leave this state open. Never read as "stand"."""

    def __init__(self, question: str, state: str, because: str) -> None:
        self.question = question
        self.state = state
        super().__init__(f"{question} is undecided for {state}: {because}")


def _window(line: str, span: Span, width: int = 100) -> tuple[str, int, int]:
    """A piece of `line` around the start of `span`, escaped, and where the carets start and how many."""
    column = min(span.column - 1, len(line))
    end = span.end_column - 1 if span.end_line == span.line else len(line.rstrip())
    left = 0 if len(line) <= width else max(0, column - width // 2)
    right = left + width
    before = printable(line[left:column])
    marked = printable(line[column : min(max(end, column + 1), right)])
    start = len(before) + bool(left)
    shown = f"{'…' if left else ''}{printable(line[left:right])}{'…' if right < len(line) else ''}"
    return shown, start, max(1, len(marked))

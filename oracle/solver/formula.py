"""Formulas of SMT-LIB as nested tuples, and the sheet that they are written on.

A formula is a symbol or a tuple of formulas, the operator first: `("and", "a", ("not", "b"))`. The
connectives here leave out what goes without saying (`true` in an `and`), so that the text stays readable.
"""

from __future__ import annotations

import textwrap
from collections.abc import Iterable, Sequence
from typing import TypeAlias

Expr: TypeAlias = "str | tuple[Expr, ...]"

TRUE = "true"
FALSE = "false"
WIDTH = 110


def all_of(*parts: Expr) -> Expr:
    """The conjunction; `true` of nothing."""
    return _join("and", parts, neutral=TRUE, final=FALSE)


def any_of(*parts: Expr) -> Expr:
    """The disjunction; `false` of nothing."""
    return _join("or", parts, neutral=FALSE, final=TRUE)


def _join(operator: str, parts: Sequence[Expr], *, neutral: str, final: str) -> Expr:
    kept: dict[Expr, None] = {}
    for part in parts:
        for inner in part[1:] if isinstance(part, tuple) and part[0] == operator else (part,):
            if inner == final:
                return final
            if inner != neutral:
                kept[inner] = None
    if not kept:
        return neutral
    return next(iter(kept)) if len(kept) == 1 else (operator, *kept)


def negation(part: Expr) -> Expr:
    """The formula that holds where `part` doesn't."""
    if part == TRUE:
        return FALSE
    if part == FALSE:
        return TRUE
    return part[1] if isinstance(part, tuple) and part[0] == "not" else ("not", part)


def number(value: int) -> Expr:
    """A whole number; SMT-LIB has no negative literals."""
    return str(value) if value >= 0 else ("-", str(-value))


def equal(term: Expr, value: int) -> Expr:
    """That a term has this value."""
    return ("=", term, number(value))


def one_of(term: Expr, values: Iterable[int]) -> Expr:
    """That a term has one of these values; runs of three and more are written as bounds."""
    parts: list[Expr] = []
    runs: list[list[int]] = []
    for value in sorted(set(values)):
        if runs and runs[-1][-1] == value - 1:
            runs[-1].append(value)
        else:
            runs.append([value])
    for run in runs:
        if len(run) > 2:
            parts.append(("<=", number(run[0]), term, number(run[-1])))
        else:
            parts += [equal(term, value) for value in run]
    return any_of(*parts)


def symbol(name: str) -> str:
    """`name` as a symbol, quoted where it is more than one word.

    No quotes hold a bar or a backslash, and names that begin with `.` or `@` belong to the solvers, quoted or not.
    """
    clean = "".join(c if c.isprintable() and c not in "|\\" else "_" for c in name)
    if clean.startswith((".", "@")):
        clean = f"_{clean}"
    return clean if clean.isidentifier() and clean.isascii() else f"|{clean}|"


def is_long(expr: Expr) -> bool:
    """Whether a formula takes more than a few lines."""
    return len(_flat(expr)) > 4 * WIDTH


def show(expr: Expr, indent: int = 0) -> str:
    """The text of a formula: on one line where it fits, else each part under the first."""
    flat = _flat(expr)
    if isinstance(expr, str) or len(flat) + indent <= WIDTH or len(expr) < 2:
        return flat
    head = _flat(expr[0])
    inner = indent + len(head) + 2
    return f"({head} " + f"\n{' ' * inner}".join(show(part, inner) for part in expr[1:]) + ")"


def _flat(expr: Expr) -> str:
    return expr if isinstance(expr, str) else f"({' '.join(_flat(part) for part in expr)})"


class Sheet:
    """A script in the making. Commands are added from top to bottom, each symbol and label at most once."""

    def __init__(self) -> None:
        self.lines: list[str] = []
        self._labels: set[str] = set()

    @property
    def text(self) -> str:
        """The script so far."""
        return "\n".join(self.lines) + "\n"

    def heading(self, title: str) -> None:
        """A section begins."""
        self.gap()
        self.lines += [f"; ---- {title} {'-' * max(4, 90 - len(title))}", ""]

    def gap(self) -> None:
        """An empty line, unless there is one."""
        if self.lines and self.lines[-1]:
            self.lines.append("")

    def comment(self, words: str) -> None:
        """A comment, wrapped."""
        self.lines += textwrap.wrap(
            "".join(c if c.isprintable() else " " for c in words),
            WIDTH,
            initial_indent="; ",
            subsequent_indent=";   ",
            break_on_hyphens=False,
        )

    def command(self, *parts: Expr) -> None:
        """A command as it is."""
        self.lines.append(show(parts))

    def declare(self, name: str, sort: str = "Int") -> None:
        """A constant."""
        self.command("declare-const", name, sort)

    def define(self, name: str, body: Expr, *, sort: str = "Bool", given: Sequence[str] = ()) -> Expr:
        """A definition, with parameters if some are given; returns how to use it with these same names."""
        parameters: Expr = tuple((parameter, "Int") for parameter in given)
        head = f"(define-fun {name} {_flat(parameters)} {sort}"
        tail = _flat(body)
        if len(head) + len(tail) + 2 <= WIDTH:
            self.lines.append(f"{head} {tail})")
        else:
            self.lines.append(f"{head}\n  {show(body, 2)})")
        return (name, *given) if given else name

    def require(self, formula: Expr) -> None:
        """An assertion."""
        self.command("assert", formula)

    def name(self, label: str, formula: Expr) -> str:
        """An assertion with a label, by which unsatisfiable cores call it; the label as it is written in them."""
        chosen, again = label, 1
        while symbol(chosen) in self._labels:
            again += 1
            chosen = f"{label} ({again})"
        self._labels.add(symbol(chosen))
        self.lines.append(f"(assert (! {show(formula, 11)}\n        :named {symbol(chosen)}))")
        return symbol(chosen).strip("|")

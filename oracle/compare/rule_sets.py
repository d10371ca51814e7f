"""Comparing rule sets that are given by name, by file or as they are: these, or all there are, each with each."""

from __future__ import annotations

from itertools import combinations
from pathlib import Path

from oracle.compare.run import Comparison, compare_pairs
from oracle.game.rules import Rules
from oracle.rules.library import Library
from oracle.spans import OracleError


def compare(*rule_sets: str | Path | Rules, library: Library | None = None, solvers: str = "auto") -> Comparison:
    """Compare rule sets question by question: where they say the same, and where they contradict each other.

    Each is an id (`home-pt`, `selminha/classica`), the file of a spec, or a rule set; every pair of them is compared,
    and without any every pair of the library (default: the shipped specs). `solvers` says which engines have to agree
    with the enumeration: `auto` for those that are installed, `none`, or names as `z3,cvc5`.

    Raises `UnknownName` for a rule set or solver that doesn't exist, `SpecError` for a file that can't be read,
    `NotInstalled` for a missing solver, `OracleError` if there is nothing to compare a rule set with but itself.

    >>> import oracle
    >>> found = oracle.compare("home-pt", "punto-es", solvers="none")
    >>> found.complete, [pair.a for pair in found.pairs]
    (True, ['home-pt'])
    """
    library = Library() if library is None else library
    chosen = [found if isinstance(found, Rules) else _rules(library, found) for found in rule_sets]
    if len(chosen) == 1:
        raise OracleError(f"{chosen[0].id} alone can't be compared: name two rule sets, or none for every pair")
    pairs = list(combinations(chosen or rules_of(library), 2))
    for a, b in pairs:
        if (a.spec.file, a.id) == (b.spec.file, b.id):
            raise OracleError(f"{a.id} is compared with itself: name two rule sets")
    return compare_pairs(pairs, solvers=solvers)


def rules_of(library: Library) -> list[Rules]:
    """Every rule set of a library, in its order. Raises `SpecError`."""
    return [Rules(spec, table) for spec in library.specs() for table in spec.rule_sets]


def _rules(library: Library, name: str | Path) -> Rules:
    return Rules(*library.find_rule_set(name))

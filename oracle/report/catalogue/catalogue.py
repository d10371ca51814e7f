"""What stands under `reports/`, in one table: a report is an entry of it, and a module that makes its text."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import cached_property

import msgspec

from oracle.cases.reference import Reference, reference_of
from oracle.checks.engines import CheckResult, check_all
from oracle.game.rules import Rules
from oracle.progress import tell
from oracle.rules.library import Library


class Shipped:
    """What reports are made from: the shipped sources, and what several reports work out of them."""

    def __init__(self, library: Library) -> None:
        self.library = library
        self.specs = library.specs()
        self.tables = [Rules(spec, rule_set) for spec in self.specs for rule_set in spec.rule_sets]

    @cached_property
    def result(self) -> CheckResult:
        """What `check` finds in all of them, with each resolution proved."""
        return check_all(self.specs, solvers="none", proofs=True)

    @cached_property
    def references(self) -> list[Reference]:
        """The reference behaviour of each rule set."""
        return [reference_of(rules) for rules in self.tables]


Texts = Mapping[str, str]
"""Texts by file name below `reports`."""


class Report(msgspec.Struct, frozen=True):
    """What stands under `reports/` by one name, which ends in `/` for a folder, and what it is for.

    `make` makes all its files. Without it another program does, which needs what isn't part of this package.
    """

    name: str
    purpose: str
    make: Callable[[Shipped], Texts] | None
    slow: bool = False


def slow_report_files(library: Library) -> dict[str, str]:
    """The text of each report that takes minutes to make, by file name."""
    return _made(library, slow=True)


def report_files(library: Library) -> dict[str, str]:
    """The text of each other report by file name."""
    return _made(library, slow=False)


def _made(library: Library, *, slow: bool) -> dict[str, str]:
    shipped = Shipped(library)
    made: dict[str, str] = {}
    chosen = [report for report in REPORTS if report.make is not None and report.slow is slow]
    for number, report in enumerate(chosen, 1):
        assert report.make is not None
        tell(f"report {number} of {len(chosen)}, {report.name}")
        made |= report.make(shipped)
    return made


def _checks(shipped: Shipped) -> Texts:
    from oracle.report.check.check_markdown import check_markdown

    return {"checks.md": check_markdown(shipped.result)}


def _findings(shipped: Shipped) -> Texts:
    from oracle.report.check.baseline import baseline_text

    return {"findings.json": baseline_text(shipped.result)}


def _contradictions(shipped: Shipped) -> Texts:
    from oracle.report.compare.contradictions import contradictions_markdown

    return {"contradictions.md": contradictions_markdown(shipped.tables)}


def _tables(shipped: Shipped) -> Texts:
    from oracle.report.catalogue.tables_markdown import tables_markdown

    return {"tables.md": tables_markdown(shipped.tables)}


def _smt(shipped: Shipped) -> Texts:
    from oracle.report.catalogue.smt_files import all_scripts, kept_files, script_files

    return kept_files(script_files(all_scripts(shipped.library)))


def _odds(shipped: Shipped) -> Texts:
    from oracle.report.odds.odds_markdown import odds_reports

    return odds_reports(shipped.tables)


def _verification(shipped: Shipped) -> Texts:
    from oracle.cases.experiments.strength import strength
    from oracle.report.catalogue.verification_markdown import verification_markdown

    return {"verification.md": verification_markdown([strength(rules, shipped.specs) for rules in shipped.tables])}


def _fixtures(shipped: Shipped) -> Texts:
    from oracle.cases.experiments.left_alive import left_alive
    from oracle.conformance.diagnose.adaptive import coups_to_locate, table_of
    from oracle.programs.observables import OBSERVABLES
    from oracle.report.catalogue.fixtures_markdown import Located, fixtures_markdown

    searches = [coups_to_locate(table_of(reference, OBSERVABLES), "flip") for reference in shipped.references]
    located = [Located(rules.id, tuple(found.values())) for rules, found in zip(shipped.tables, searches, strict=True)]
    return {"fixtures.md": fixtures_markdown([left_alive(reference) for reference in shipped.references], located)}


REPORTS = (
    Report("checks.md", "every verdict, finding, claim and proof, and what each source leaves open", _checks),
    Report("findings.json", "the baseline of all findings, whose difference says what came and what went", _findings),
    Report("contradictions.md", "where the sources contradict each other, in plain words, with coups", _contradictions),
    Report("tables.md", "the tables of every rule set, cell by cell, with what each cell cites", _tables),
    Report("smt/", "what the solvers are asked: a line a script with the answers to expect, and examples", _smt),
    Report("odds/", "a math report of every rule set", _odds),
    Report("verification.md", "which layer notices a slip in a spec, and how few coups one in a program", _verification,
           slow=True),
    Report("fixtures.md", "what random coups leave alive beside the minimal sets", _fixtures, slow=True),
    Report("implementations.md", "what public packages answer; `make implementations` gets and runs them", None),
)  # fmt: skip
"""Everything under `reports/`, in the order in which it is made."""

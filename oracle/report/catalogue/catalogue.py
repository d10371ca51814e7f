"""The committed reports: what stands under `reports/`, and making it."""

from __future__ import annotations

from itertools import combinations

from oracle.checks.engines import check_all
from oracle.compare.proof import equality_scripts
from oracle.game.rules import Rules
from oracle.report.catalogue.smt_files import smt_files
from oracle.report.catalogue.tables_markdown import tables_markdown
from oracle.report.check.baseline import baseline_text
from oracle.report.check.check_markdown import check_markdown
from oracle.report.compare.contradictions import contradictions_markdown
from oracle.report.odds.odds_markdown import odds_reports
from oracle.rules.library import Library
from oracle.solver.smtlib import scripts_of


def slow_report_files(library: Library) -> dict[str, str]:
    """The text of each report that takes minutes to make, by file name."""
    from oracle.cases.experiments.left_alive import left_alive
    from oracle.cases.experiments.strength import strength
    from oracle.cases.reference import reference_of
    from oracle.conformance.diagnose.adaptive import coups_to_locate, table_of
    from oracle.programs.observables import OBSERVABLES
    from oracle.report.catalogue.fixtures_markdown import Located, fixtures_markdown
    from oracle.report.catalogue.verification_markdown import verification_markdown

    specs = library.specs()
    tables = [Rules(spec, rule_set) for spec in specs for rule_set in spec.rule_sets]
    references = [reference_of(rules) for rules in tables]
    searches = [coups_to_locate(table_of(reference, OBSERVABLES), "flip") for reference in references]
    located = [Located(rules.id, tuple(found.values())) for rules, found in zip(tables, searches, strict=True)]
    return {
        "verification.md": verification_markdown([strength(rules, specs) for rules in tables]),
        "fixtures.md": fixtures_markdown([left_alive(reference) for reference in references], located),
    }


def report_files(library: Library) -> dict[str, str]:
    """The text of each other report by file name."""
    specs = library.specs()
    tables = [Rules(spec, rule_set) for spec in specs for rule_set in spec.rule_sets]
    result = check_all(specs, solvers="none", proofs=True)
    return {
        "checks.md": check_markdown(result),
        "findings.json": baseline_text(result),
        "contradictions.md": contradictions_markdown(tables),
        "tables.md": tables_markdown(tables),
        **smt_files(
            [
                *(script for rules in tables for script in scripts_of(rules)),
                *(script for a, b in combinations(tables, 2) for script in equality_scripts(a, b)),
            ]
        ),
        **odds_reports(tables),
    }

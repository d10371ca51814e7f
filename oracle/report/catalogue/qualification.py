"""`docs/qualification.md`: what is required of this project, how it is checked, by which tests, and what came out.

Results are computed here where a number tells them. A test is named by its file and function, so that it can be run.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence

import msgspec

from oracle.cases.manifest import MANIFEST, Certificate, Manifest
from oracle.checks.engines import CheckResult, check_all
from oracle.report.words.layout import plural
from oracle.rules.library import Library, data_folder
from oracle.spans import OracleError

COMMAND = "baccarat-oracle evidence qualification"
_INTRODUCTION = (
    "What is required of the harness and its oracle, what checks it, and what came out. Results with numbers are "
    "worked out by the command above, from the specs and the committed fixtures. Where it says *by its tests* no "
    "number tells more than that they pass, which `make test-all` shows."
)
NOT_TESTED = {
    "random numbers": "neither a generator nor its seeding is judged; cards are given, and answers compared",
    "shuffling": "no order of cards is judged; the oracle's own shoes come from a seed, to be dealt again",
    "how cards are shown": "squeezing, dealing speed, sound, pictures: only what is decided is compared",
    "network": "no server, no account, no delay, no lost connection; the harness talks to a program over pipes",
    "money outside a coup": "wallets, currencies, jackpots, taxes but the commission of the rules",
    "the program's source": "a program is judged by its answers; what it wasn't asked stands under not confirmed",
    "documents": "whether a spec says what its document says is for a reader: every sentence stands beside its cite",
}


class Requirement(msgspec.Struct, frozen=True):
    """One requirement. `tests` are node ids without parameters."""

    says: str
    check: str
    tests: tuple[str, ...]
    result: str = "by its tests"


def requirements(
    result: CheckResult, manifest: Manifest, certificates: Sequence[tuple[str, Certificate]]
) -> list[Requirement]:
    """All of them, in order."""
    reports = result.reports
    tables = [table for report in reports for table in report.rule_sets]
    verdicts = Counter(verdict.verdict for report in reports for verdict in report.verdicts)
    sentences = [report.coverage for report in reports if report.coverage is not None]
    accounted = f"{sum(c.accounted for c in sentences):,} of {sum(c.sentences for c in sentences):,} sentences"
    claims = Counter(claim.resolved.verdict for report in reports for claim in report.claims)
    shown = sum(len(certificate.shown) for _, certificate in certificates)
    unseen = sum(len(certificate.unseen) for _, certificate in certificates)
    return [
        Requirement(
            "Every state that a coup can reach is decided, once, or is told",
            "`baccarat-oracle check`: enumeration of all states",
            (
                "tests/unit/test_shipped_sources.py::test_every_shipped_source_is_closed_question_by_question",
                "tests/properties/test_direct_evaluation.py::test_the_coup_is_decided_alike_in_every_state",
            ),
            f"{plural(len(tables), 'rule set')}: {_counted(verdicts)}",
        ),
        Requirement(
            "Independent engines come to the same verdicts",
            "`baccarat-oracle check`: Z3 and cvc5 on the same text",
            (
                "tests/unit/test_engines.py::test_solvers_confirm_all_that_enumeration_says_of_every_shipped_rule_set",
                "tests/unit/test_engines.py::test_solvers_agree_with_enumeration_on_mutants",
            ),
        ),
        Requirement(
            "Every sentence of a document is accounted for",
            "`baccarat-oracle check`: coverage by sentence",
            ("tests/unit/test_coverage.py::test_every_sentence_of_the_four_documents_is_accounted_for",),
            accounted,
        ),
        Requirement(
            "What a document claims of its own game is judged",
            "`baccarat-oracle check`: claims, of the bare text and as resolved",
            ("tests/unit/test_claims.py::test_negating_a_claim_turns_its_verdict",),
            _counted(claims),
        ),
        Requirement(
            "Tables of different documents were encoded apart and agree",
            "comparison cell by cell",
            ("tests/unit/test_shipped_sources.py::test_all_documents_have_one_tableau",),
        ),
        Requirement(
            "The game comes out as published",
            "counting all coups of a shoe",
            ("tests/published/test_outcomes.py::test_outcomes_are_the_published_integers",),
        ),
        Requirement(
            "An open state is never played as if it were decided",
            "playing the bare texts",
            ("tests/unit/test_evaluate.py::test_a_state_of_which_no_statement_speaks_is_a_gap_and_never_stand",),
        ),
        Requirement(
            "The cases show every single change of the rules that can be seen",
            "`baccarat-oracle fixtures check`: certificates, played anew",
            (
                "tests/unit/test_fixtures.py::test_a_minimal_set_is_as_large_as_its_bound_and_speaks_of_every_mutant",
                "tests/unit/test_fixtures.py::test_certificates_that_are_wrong_are_told",
            ),
            f"{plural(len(certificates), 'certificate')}: {shown:,} changes shown, {unseen:,} proved unseen",
        ),
        Requirement(
            "The cases are what they were",
            "`baccarat-oracle fixtures check --all`: answers, bytes and digests",
            (
                "tests/unit/test_fixtures.py::test_each_kind_of_damage_to_a_suite_is_told",
                "tests/unit/test_sequences.py::test_the_tiers_are_as_large_as_counting_by_totals_says",
            ),
            f"suite {manifest.suite}: {sum(entry.cases for entry in manifest.files.values()):,} cases "
            f"in {plural(len(manifest.files), 'file')}, "
            f"{sum(entry.cases for entry in manifest.large.values()):,} made and known by digest",
        ),
        Requirement(
            "A right program conforms, in any language",
            "`baccarat-oracle test`",
            (
                "tests/conformance/test_fakes.py::test_a_right_implementation_conforms",
                "tests/conformance/test_results.py::test_right_answers_conform_in_both_formats",
            ),
        ),
        Requirement(
            "A wrong answer is never passed, money to the last digit",
            "`baccarat-oracle test`: strict reading, exact comparison",
            (
                "tests/conformance/test_reply.py::test_each_observable_can_differ",
                "tests/conformance/test_reply.py::test_money_is_compared_by_value",
                "tests/conformance/test_reply.py::test_whatever_is_no_answer_says_why",
            ),
        ),
        Requirement(
            "What was skipped, lost or never asked is never conforming",
            "`baccarat-oracle test`: exit code 3, and a list of what is not confirmed",
            (
                "tests/conformance/test_fakes.py::test_one_that_skips_everything_never_conforms",
                "tests/conformance/test_fakes.py::test_no_cases_at_all_never_conform",
                "tests/conformance/test_fakes.py::test_nonsense_all_the_time_ends_as_incomplete",
            ),
        ),
        Requirement(
            "The rule that is wrong is named",
            "`baccarat-oracle test`: all single changes held against all answers",
            (
                "tests/conformance/test_diagnose.py::test_every_flip_is_named_by_its_cell",
                "tests/conformance/test_diagnose.py::test_every_mistake_is_named_or_cannot_be_seen",
            ),
        ),
        Requirement(
            "When to shuffle, what becomes of a balance and how cards are written is held to the rules, too",
            "`baccarat-oracle test`: tiers `shoe`, `session` and `cards`",
            (
                "tests/conformance/test_kinds.py::test_every_bound_of_cards_is_told_from_every_other",
                "tests/conformance/test_kinds.py::test_every_wrong_session_is_shown",
                "tests/conformance/test_kinds.py::test_every_wrong_reader_is_shown_and_no_two_read_alike",
                "tests/conformance/test_kinds.py::test_a_wrong_program_is_named",
            ),
        ),
        Requirement(
            "A program that keeps something from coup to coup, or guesses, is told apart from a wrong rule",
            "`baccarat-oracle test`: failing cases asked again alone",
            (
                "tests/conformance/test_state.py::test_what_the_last_coup_left_is_told_with_that_coup",
                "tests/conformance/test_state.py::test_chance_is_no_state",
            ),
        ),
        Requirement(
            "A run of few coups passes only if every single change would have shown",
            "`baccarat-oracle test --adaptive`",
            (
                "tests/conformance/test_adaptive.py::test_a_pass_takes_every_coup_that_is_needed",
                "tests/conformance/test_adaptive.py::test_a_pass_that_leaves_a_change_open_is_incomplete",
            ),
        ),
        Requirement(
            "A known failure that passes is an error",
            "`baccarat-oracle test --known`",
            ("tests/conformance/test_known.py::test_one_that_passes_is_an_error",),
        ),
        Requirement(
            "Evidence can be judged anew, and any change to it is told",
            "`baccarat-oracle evidence verify`",
            (
                "tests/cli/test_evidence.py::test_a_changed_byte_fails_and_names_the_file",
                "tests/cli/test_evidence.py::test_a_log_cut_short_never_conforms",
                "tests/conformance/test_rejudge.py::test_whatever_was_changed_is_told",
            ),
        ),
        Requirement(
            "Nothing that a program says becomes markup or a command of a terminal",
            "reports of hostile texts, one of them in a browser",
            (
                "tests/conformance/test_run_reports.py::test_every_report_holds_printable_text_alone",
                "tests/conformance/test_run_reports.py::test_in_markdown_it_stays_within_code",
                "tests/conformance/test_run_reports.py::test_a_browser_shows_the_page_and_runs_nothing",
            ),
        ),
        Requirement(
            "Bad input is told, whatever it is",
            "random and broken files",
            (
                "tests/properties/test_loader_fuzz.py::test_any_bytes_are_read_or_refused",
                "tests/conformance/test_reply.py::test_no_line_makes_the_harness_fail",
            ),
        ),
    ]


def qualification(library: Library) -> str:
    """The page as Markdown. Raises `OracleError`."""
    result = check_all(library.specs(), solvers="none")
    manifest, certificates = _suite()
    return "\n".join(_lines(requirements(result, manifest, certificates))) + "\n"


def _lines(found: Sequence[Requirement]) -> Iterator[str]:
    yield f"<!-- generated by `{COMMAND}`; do not edit -->"
    yield ""
    yield "# Qualification"
    yield ""
    yield _INTRODUCTION
    yield ""
    yield "| | requirement | check | tests | result |"
    yield "|---|---|---|---|---|"
    for number, entry in enumerate(found, 1):
        tests = "<br>".join(f"`{test}`" for test in entry.tests)
        yield f"| {number} | {entry.says} | {entry.check} | {tests} | {entry.result} |"
    yield ""
    yield "## Not tested"
    yield ""
    yield from (f"- {what}: {why}" for what, why in NOT_TESTED.items())


def _counted(counts: Counter[str]) -> str:
    return ", ".join(f"{count:,} {word}" for word, count in counts.most_common())


def _suite() -> tuple[Manifest, list[tuple[str, Certificate]]]:
    """The committed manifest, and the certificates of its minimal sets by path."""
    folder = data_folder("fixtures")
    try:
        manifest = msgspec.json.decode((folder / MANIFEST).read_bytes(), type=Manifest)
        paths = [path.removesuffix(".jsonl") for path, entry in manifest.files.items() if "minimal" in entry.tier]
        read = msgspec.json.Decoder(Certificate).decode
        return manifest, [(path, read((folder / f"{path}.certificate.json").read_bytes())) for path in paths]
    except (OSError, msgspec.DecodeError) as error:
        raise OracleError(f"the suite can't be read: {error}") from error

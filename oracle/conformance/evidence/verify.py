"""Verifying the evidence of a run from its log, without the program: every digest and every verdict again."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from pathlib import Path

import msgspec

from oracle.conformance.evidence.files import check_files
from oracle.conformance.evidence.index import (
    INDEX,
    KNOWN,
    LOG,
    SPECS,
    EvidenceIndex,
    FileDigest,
    command_of,
    harness,
    read_index,
    rules_entry,
    suite_version,
)
from oracle.conformance.evidence.rejudge import rejudge
from oracle.conformance.request import summary_of
from oracle.conformance.run.log import Log, Unwritable
from oracle.conformance.summary.known import read_known
from oracle.conformance.summary.summary import Summary
from oracle.game.rules import Rules
from oracle.rules.library import Library
from oracle.spans import OracleError, UnknownName
from oracle.text import printable

Render = Callable[[Summary], Mapping[str, str]]
"""The reports of a run, by file name."""


class Verified(msgspec.Struct, frozen=True):
    """What verifying came to: the index, what is wrong, and what could not be compared or is different here."""

    index: EvidenceIndex
    answers: int
    problems: tuple[str, ...]
    notes: tuple[str, ...]


def verify(folder: Path, subjects: Mapping[str, FileDigest], *, render: Render | None = None) -> Verified:
    """Compute every digest and every verdict of a folder again. Raises `OracleError` if it holds no evidence,
    or if there is no room to write its log again.

    `subjects` are files that have to be among those that were tested. `render` makes the reports of a summary, by file
    name; without it reports are only held against their digests, which is noted.
    """
    index = read_index(folder)
    problems = list(check_files(folder, index))
    notes: list[str] = []
    answers = 0
    try:
        log = Log(folder / LOG)
        answers = log.checked
        problems += _check_run(folder, index, log, notes, render)
    except Unwritable:
        raise
    except OracleError as error:
        problems.append(f"can't be judged anew: {error}")
    problems += _check_subjects(index, subjects, notes)
    if index.suite != suite_version():
        notes.append(f"the suite here is another one: {suite_version().version}, there {index.suite.version}")
    return Verified(index, answers, tuple(problems), tuple(notes))


def _check_run(folder: Path, index: EvidenceIndex, log: Log, notes: list[str], render: Render | None) -> Iterator[str]:
    """The log by the rules in the folder, and the reports by the log."""
    header = log.header
    if index.verdict == "incomplete":  # as it was written, and told so
        notes += dict.fromkeys(log.problems)
    else:
        yield from (f"{LOG}: {problem}" for problem in dict.fromkeys(log.problems))
    if log.verdict != index.verdict:
        yield f"{LOG} comes to {log.verdict}, {INDEX} says {index.verdict}"
    if (header.rules, command_of(header), {"ids": header.seed}) != (index.rules.id, index.command, index.seeds):
        yield f"{LOG} is of another run than {INDEX} tells of"
    library = Library((folder / SPECS,), shipped=False, claims=False)
    rules = Rules(*library.rule_set(header.rules))
    entry, documents = rules_entry(library, rules)
    if (entry, documents) != (index.rules, index.documents):
        yield f"the specs in {SPECS} mean something else, or name other documents, than {INDEX} says"
    yield from _check_installed(entry.id, entry.meaning, notes)
    for problem in rejudge(log, rules):
        yield f"{LOG}: {problem}"
    if index.harness != harness():
        notes.append(f"the harness here is another one, {harness().version}: reports were not made anew")
        return
    if render is None:
        notes.append("reports were not made again: nothing here renders them")
        return
    known = read_known(folder / KNOWN, rules.id) if KNOWN in index.files else None
    for name, text in render(summary_of(log, library, rules, known)).items():
        if (folder / name).is_file() and (folder / name).read_bytes() != text.encode():
            yield f"{name} is not what its log comes to"


def _check_installed(id: str, meaning: str, notes: list[str]) -> Iterator[str]:
    """Whether the rule set of this installation means the same as that of the folder."""
    shipped = Library(claims=False)
    try:
        rules = Rules(*shipped.rule_set(id))
    except UnknownName:
        notes.append(f"{id} is no shipped rule set: judged by the specs in the folder alone")
        return
    if rules_entry(shipped, rules)[0].meaning != meaning:
        yield f"{id} means something else here than in the folder"


def _check_subjects(index: EvidenceIndex, subjects: Mapping[str, FileDigest], notes: list[str]) -> Iterator[str]:
    recorded = set(index.subjects.values())
    for name, found in subjects.items():
        if found not in recorded:
            yield f"{printable(name)} is none of the files that were tested"
    left = [name for name, entry in index.subjects.items() if entry not in subjects.values()]
    if left:
        notes.append(f"tested files not compared, give them with --subject: {printable(', '.join(left))}")

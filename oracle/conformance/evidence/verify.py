"""Verifying the evidence of a run from its log, without the program: every digest and every verdict again."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator, Mapping
from pathlib import Path

import msgspec

from oracle.conformance.evidence.files import check_files, digests, foreign
from oracle.conformance.evidence.index import (
    INDEX,
    KNOWN,
    LOG,
    SPECS,
    SUMS,
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
    """What verifying came to: the index, and what is wrong.

    `asked` says which cases the run was to ask. `uncompared` is what could not be compared, which may hide anything;
    `notes` what is different here, or was incomplete.
    """

    index: EvidenceIndex
    answers: int
    asked: str
    problems: tuple[str, ...]
    uncompared: tuple[str, ...]
    notes: tuple[str, ...]


def verify(
    folder: Path, subjects: Mapping[str, FileDigest], *, noted: str = "", render: Render | None = None
) -> Verified:
    """Compute every digest and every verdict of a folder again. Raises `OracleError` if it holds no evidence,
    or if there is no room to write its log again.

    `subjects` are files that have to be among those that were tested. `noted` is the sha256 of SHA256SUMS that was
    noted elsewhere when the folder was made, in hex. `render` makes the reports of a summary, by file name; without it
    reports are only held against their digests, which is noted.
    """
    index = read_index(folder)
    before = digests(folder)
    told = _Told([*_check_noted(before, noted), *check_files(folder, index)])
    answers, asked = 0, "unknown"
    if not any(foreign(folder)):
        try:
            log = Log(folder / LOG)
            answers, asked = log.checked, _asked(log)
            told.problems += _check_run(folder, index, log, told, render)
        except Unwritable:
            raise
        except OracleError as error:
            told.problems.append(f"can't be judged anew: {error}")
    told.problems += _check_subjects(index, subjects, told)
    after = digests(folder)
    told.problems += (
        f"{printable(name)} was changed while it was verified"
        for name in sorted({*before, *after})
        if before.get(name) != after.get(name)
    )
    if index.suite != suite_version():
        told.notes.append(f"the suite here is another one: {suite_version().version}, there {index.suite.version}")
    return Verified(index, answers, asked, tuple(told.problems), tuple(told.uncompared), tuple(told.notes))


class _Told:
    """What is found on the way."""

    def __init__(self, problems: list[str]) -> None:
        self.problems = problems
        self.uncompared: list[str] = []
        self.notes: list[str] = []


def _check_noted(there: Mapping[str, FileDigest], noted: str) -> Iterator[str]:
    """The one digest that nobody who has the folder can make anew."""
    if noted and SUMS in there and there[SUMS].sha256 != noted.lower():
        yield f"{SUMS} is not the one whose digest was noted: sha256 {there[SUMS].sha256}, noted {noted.lower()}"


def _asked(log: Log) -> str:
    """Which cases a run was to ask: those of tiers, some of them by id, or chosen by the answers."""
    header = log.header
    tiers = f"{'tier' if len(header.tiers) == 1 else 'tiers'} {printable(', '.join(header.tiers))}"
    if header.adaptive:
        return f"coups chosen by the answers, of {tiers}"
    if header.only:
        return f"only {printable(', '.join(header.only))} of {tiers}"
    return f"all cases of {tiers}"


def _check_run(folder: Path, index: EvidenceIndex, log: Log, told: _Told, render: Render | None) -> Iterator[str]:
    """The log by the rules in the folder, and the reports by the log."""
    header = log.header
    if index.verdict == "incomplete":  # as it was written, and told so
        told.notes += dict.fromkeys(log.problems)
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
    yield from _check_installed(entry.id, entry.meaning, told)
    for problem in rejudge(log, rules, same_harness=index.harness == harness()):
        yield f"{LOG}: {problem}"
    if index.harness != harness():
        reports = [name for name in index.files if name not in (LOG, KNOWN) and not name.startswith(f"{SPECS}/")]
        told.uncompared.append(
            f"reports with their log, since the harness here is another one ({harness().version}, there "
            f"{printable(index.harness.version)}): {printable(', '.join(reports))}"
        )
        return
    if render is None:
        told.uncompared.append("reports with their log: nothing here renders them")
        return
    known = read_known(folder / KNOWN, rules.id) if KNOWN in index.files else None
    for name, text in render(summary_of(log, library, rules, known)).items():
        if (folder / name).is_file() and (folder / name).read_bytes() != text.encode():
            yield f"{name} is not what its log comes to"


def _check_installed(id: str, meaning: str, told: _Told) -> Iterator[str]:
    """Whether the rule set of this installation means the same as that of the folder."""
    shipped = Library(claims=False)
    try:
        rules = Rules(*shipped.rule_set(id))
    except UnknownName:
        told.uncompared.append(
            f"{id} with an installed rule set, there is none: judged by the specs in the folder alone"
        )
        return
    if rules_entry(shipped, rules)[0].meaning != meaning:
        yield f"{id} means something else here than in the folder"


def _check_subjects(index: EvidenceIndex, subjects: Mapping[str, FileDigest], told: _Told) -> Iterator[str]:
    """The files at hand against those that were tested: by path where that is recorded, else by digest."""
    recorded = {os.path.normpath(name): entry for name, entry in index.subjects.items()}
    seen: set[str] = set()
    for name, found in subjects.items():
        path = os.path.normpath(name)
        same = [old for old, entry in recorded.items() if entry == found]
        if path in recorded:
            due = path
        elif same:
            seen.update(same)
            continue
        else:  # perhaps the same file, told from another folder
            due = next((old for old in recorded if Path(old).name == Path(path).name), "")
        if due:
            seen.add(due)
            if recorded[due] != found:
                yield (
                    f"{printable(name)} was changed since it was tested: sha256 {found.sha256}, "
                    f"{INDEX} says {printable(recorded[due].sha256)} of {printable(due)}"
                )
        else:
            yield f"{printable(name)} is none of the files that were tested"
    left = [name for name in index.subjects if os.path.normpath(name) not in seen]
    if left:
        told.uncompared.append(f"tested files, give them with --subject: {printable(', '.join(left))}")

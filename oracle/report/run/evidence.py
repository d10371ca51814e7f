"""Evidence of a run, in a folder: writing it, and verifying it from its log without the program."""

from __future__ import annotations

import datetime as dt
import os
import shutil
import tempfile
from collections.abc import Iterator, Mapping
from pathlib import Path

import msgspec

from oracle.conformance.diagnose.diagnose import diagnose
from oracle.conformance.evidence.files import check_files
from oracle.conformance.evidence.index import (
    INDEX,
    KNOWN,
    LOG,
    SPECS,
    SUMS,
    EvidenceIndex,
    FileDigest,
    command_of,
    digest_file,
    environment,
    harness,
    index_text,
    read_index,
    rules_entry,
    spec_texts,
    suite_version,
    sums_text,
)
from oracle.conformance.evidence.rejudge import rejudge
from oracle.conformance.run.limits import Limits
from oracle.conformance.run.log import Log
from oracle.conformance.summary.known import read_known
from oracle.conformance.summary.summary import Summary, summarise
from oracle.files import write_files
from oracle.game.rules import Rules
from oracle.report.run.run_files import run_files
from oracle.rules.library import Library
from oracle.spans import OracleError, UnknownName
from oracle.text import printable


class Verified(msgspec.Struct, frozen=True):
    """What verifying came to: the index, what is wrong, and what could not be compared or is different here."""

    index: EvidenceIndex
    answers: int
    problems: tuple[str, ...]
    notes: tuple[str, ...]


def check_place(folder: Path) -> None:
    """Evidence goes into a folder of its own. Raises `OracleError` if something lies there."""
    try:
        if folder.exists() and any(folder.iterdir()):
            raise OracleError(f"{printable(str(folder))} is not empty: evidence goes into a folder of its own")
    except OSError as error:
        raise OracleError(f"can't look into {printable(str(folder))}: {error.strerror}") from error


def write_evidence(
    folder: Path,
    summary: Summary,
    *,
    library: Library,
    rules: Rules,
    subjects: Mapping[str, FileDigest],
    limits: Limits,
    known: Path | None = None,
) -> str:
    """Make the folder, whole or not at all; the SHA-256 of its SHA256SUMS.

    Raises `OracleError` if that fails, or if a subject is not what it was before the run.
    """
    for name, before in subjects.items():
        if digest_file(Path(name)) != before:
            raise OracleError(f"{printable(name)} changed while it was tested: there is no evidence of that")
    try:
        folder.parent.mkdir(parents=True, exist_ok=True)
        with tempfile.TemporaryDirectory(dir=folder.parent, prefix=f".{folder.name}.") as made:
            work = Path(made) / "evidence"
            write_files(work, {**run_files(summary), **spec_texts(library)})
            shutil.copyfile(summary.log.path, work / LOG)
            if known is not None:
                shutil.copyfile(known, work / KNOWN)
            entry, documents = rules_entry(library, rules)
            index = EvidenceIndex(
                date=_now(),
                verdict=summary.verdict,
                harness=harness(),
                suite=suite_version(),
                rules=entry,
                documents=documents,
                subjects=dict(subjects),
                command=command_of(summary.log.header),
                limits=limits,
                environment=environment(),
                seeds={"ids": summary.log.header.seed},
                files=_digests(work),
            )
            write_files(work, {INDEX: index_text(index)})
            write_files(work, {SUMS: sums_text(_digests(work))})
            work.chmod(0o755)
            work.replace(folder)
    except OSError as error:
        raise OracleError(f"can't write to {printable(str(folder))}: {error.strerror}") from error
    return digest_file(folder / SUMS).sha256


def _digests(folder: Path) -> dict[str, FileDigest]:
    paths = sorted(path for path in folder.rglob("*") if path.is_file())
    return {path.relative_to(folder).as_posix(): digest_file(path) for path in paths}


def _now() -> str:
    """The one date in the evidence: now, or what SOURCE_DATE_EPOCH says."""
    epoch = os.environ.get("SOURCE_DATE_EPOCH", "")
    now = dt.datetime.now(dt.UTC)
    if epoch.isascii() and epoch.isdecimal() and len(epoch) < 12:
        now = dt.datetime.fromtimestamp(int(epoch), dt.UTC)
    return now.strftime("%Y-%m-%dT%H:%M:%SZ")


def verify(folder: Path, subjects: Mapping[str, FileDigest]) -> Verified:
    """Compute every digest and every verdict of a folder anew. Raises `OracleError` if it holds no evidence."""
    index = read_index(folder)
    problems = list(check_files(folder, index))
    notes: list[str] = []
    answers = 0
    try:
        log = Log(folder / LOG)
        answers = log.checked
        problems += _check_run(folder, index, log, notes)
    except OracleError as error:
        problems.append(f"can't be judged anew: {error}")
    problems += _check_subjects(index, subjects, notes)
    if index.suite != suite_version():
        notes.append(f"the suite here is another one: {suite_version().version}, there {index.suite.version}")
    return Verified(index, answers, tuple(problems), tuple(notes))


def _check_run(folder: Path, index: EvidenceIndex, log: Log, notes: list[str]) -> Iterator[str]:
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
    known = read_known(folder / KNOWN, rules.id) if KNOWN in index.files else None
    others = [Rules(spec, table) for spec in library.specs() for table in spec.rule_sets] if log.counts["fail"] else []
    for name, text in run_files(summarise(log, diagnose(log, rules, others), known)).items():
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

"""Writing the evidence of a run: a folder of its own, with the log, reports, specs, and digests of everything."""

from __future__ import annotations

import datetime as dt
import os
import shutil
import tempfile
from collections.abc import Iterable, Mapping
from pathlib import Path

import msgspec

from oracle.conformance.evidence.files import digests
from oracle.conformance.evidence.index import (
    INDEX,
    KNOWN,
    LOG,
    SUMS,
    EvidenceIndex,
    FileDigest,
    command_of,
    digest_file,
    digest_subjects,
    environment,
    harness,
    index_text,
    rules_entry,
    spec_texts,
    suite_version,
    sums_text,
)
from oracle.conformance.request import TestRequest
from oracle.conformance.summary.summary import Summary
from oracle.files import write_files
from oracle.game.rules import Rules
from oracle.rules.library import Library
from oracle.spans import OracleError
from oracle.text import printable


class EvidencePlan(msgspec.Struct, frozen=True):
    """Evidence that a test is to leave: where, of what, and the digests that the tested files had before the run."""

    folder: Path
    request: TestRequest
    library: Library
    subjects: Mapping[str, FileDigest]


def plan_evidence(
    folder: Path, request: TestRequest, *, library: Library, subjects: Iterable[Path] = ()
) -> EvidencePlan:
    """What is to be known before the run. Raises `OracleError` if the folder holds anything, or a file can't be read.

    `library` is the one that the run gets too; `subjects` are the files of what is tested.
    """
    found = digest_subjects(subjects)
    _check_place(folder)
    return EvidencePlan(folder, request, library, found)


def _check_place(folder: Path) -> None:
    """Evidence goes into a folder of its own. Raises `OracleError` if something lies there."""
    try:
        if folder.exists() and any(folder.iterdir()):
            raise OracleError(f"{printable(str(folder))} is not empty: evidence goes into a folder of its own")
    except OSError as error:
        raise OracleError(f"can't look into {printable(str(folder))}: {error.strerror}") from error


def write_evidence(plan: EvidencePlan, summary: Summary, files: Mapping[str, str]) -> str:
    """Write the folder atomically; the SHA-256 of its SHA256SUMS. `files` are the reports of the run, by name.

    Raises `OracleError` if that fails, or if a subject is not what it was before the run.
    """
    folder, known = plan.folder, plan.request.known
    entry, documents = rules_entry(plan.library, Rules(*plan.library.rule_set(plan.request.rules)))
    for name, before in plan.subjects.items():
        if digest_file(Path(name)) != before:
            raise OracleError(f"{printable(name)} changed while it was tested: there is no evidence of that")
    try:
        folder.parent.mkdir(parents=True, exist_ok=True)
        with tempfile.TemporaryDirectory(dir=folder.parent, prefix=f".{folder.name}.") as made:
            work = Path(made) / "evidence"
            write_files(work, {**files, **spec_texts(plan.library)}, told=folder)
            with summary.log.open() as log, (work / LOG).open("wb") as kept:
                shutil.copyfileobj(log, kept)
            if known is not None:
                shutil.copyfile(known, work / KNOWN)
            index = EvidenceIndex(
                date=_now(),
                verdict=summary.verdict,
                harness=harness(),
                suite=suite_version(),
                rules=entry,
                documents=documents,
                subjects=dict(plan.subjects),
                command=command_of(summary.log.header),
                limits=plan.request.limits,
                environment=environment(),
                seeds={"ids": summary.log.header.seed},
                files=digests(work),
            )
            write_files(work, {INDEX: index_text(index)}, told=folder)
            write_files(work, {SUMS: sums_text(digests(work))}, told=folder)
            work.chmod(0o755)
            work.replace(folder)
    except OSError as error:
        at = f"{Path(error.filename).name}: " if isinstance(error.filename, str) else ""
        raise OracleError(f"can't write to {printable(str(folder))}: {printable(at)}{error.strerror}") from error
    return digest_file(folder / SUMS).sha256


def _now() -> str:
    """The one date in the evidence: now, or what SOURCE_DATE_EPOCH says."""
    epoch = os.environ.get("SOURCE_DATE_EPOCH", "")
    now = dt.datetime.now(dt.UTC)
    if epoch.isascii() and epoch.isdecimal() and len(epoch) < 12:
        now = dt.datetime.fromtimestamp(int(epoch), dt.UTC)
    return now.strftime("%Y-%m-%dT%H:%M:%SZ")

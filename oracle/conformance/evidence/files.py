"""The files of an evidence folder against its index and its list of digests: changed, missing, or too many."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

from oracle.conformance.evidence.index import INDEX, SUMS, EvidenceIndex, FileDigest, digest_file, index_text, sums_text
from oracle.spans import OracleError
from oracle.text import printable


def foreign(folder: Path) -> Iterator[str]:
    """Whatever there is no plain file or folder, and so is never opened: links, devices, pipes; each by its name."""
    for path in sorted(folder.rglob("*")):
        if path.is_symlink() or not (path.is_file() or path.is_dir()):
            yield f"{printable(path.relative_to(folder).as_posix())} is no file of its own"


def check_files(folder: Path, index: EvidenceIndex) -> Iterator[str]:
    """What is wrong with the files, each by its name. Raises `OracleError` for what can't be read at all."""
    yield from foreign(folder)
    there = digests(folder)
    for name, due in index.files.items():
        if name not in there:
            yield f"{printable(name)} is missing"
        elif there[name] != due:
            yield f"{printable(name)} was changed: sha256 {there[name].sha256}, {INDEX} says {printable(due.sha256)}"
    for name in there:
        if name not in index.files and name not in (INDEX, SUMS):
            yield f"{printable(name)} is too many: {INDEX} doesn't list it"
    yield from _check_sums(folder, there)
    yield from _check_form(folder, index)


def digests(folder: Path) -> dict[str, FileDigest]:
    """The digest of every plain file of a folder, by its name. Raises `OracleError`."""
    return {
        path.relative_to(folder).as_posix(): digest_file(path)
        for path in sorted(folder.rglob("*"))
        if path.is_file() and not path.is_symlink()
    }


def _check_form(folder: Path, index: EvidenceIndex) -> Iterator[str]:
    """The index has to be the very text that is written of it: nothing beside what is read, nothing twice."""
    if (folder / INDEX).read_bytes() != index_text(index).encode():
        yield f"{INDEX} is not the text that is written of what it says: something in it is never read"


def _check_sums(folder: Path, there: dict[str, FileDigest]) -> Iterator[str]:
    if SUMS not in there:
        yield f"{SUMS} is missing"
        return
    try:
        text = (folder / SUMS).read_bytes().decode("utf-8", "backslashreplace")
    except OSError as error:
        raise OracleError(f"can't read {SUMS}: {error.strerror}") from error
    due = sums_text({name: entry for name, entry in there.items() if name != SUMS})
    if text == due:
        return
    told = {name: digest for digest, _, name in (line.partition("  ") for line in text.splitlines())}
    wrong = [name for name, entry in there.items() if name != SUMS and told.get(name) != entry.sha256]
    yield f"{SUMS} or what it lists was changed: {printable(', '.join(wrong)) or 'its form'}"

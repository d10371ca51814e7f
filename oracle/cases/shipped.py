"""The suite that comes with the package, read back where it belongs to the rules at hand."""

from __future__ import annotations

import msgspec

from oracle.cases.case import Case
from oracle.cases.manifest import MANIFEST, Certificate, Manifest, certificate_path, digest
from oracle.cases.meaning import meaning_digest
from oracle.cases.reference import Reference
from oracle.rules.library import data_folder


def committed(reference: Reference, tier: str) -> list[Case] | None:
    """The kept cases of a tier for rules that mean the same; None if there are none, or their bytes were changed."""
    data = _kept(reference, tier)
    try:
        return read_cases(data) if data else None
    except msgspec.DecodeError:
        return None


def proved_unseen(reference: Reference, tier: str) -> frozenset[str]:
    """The mutants that show in no coup through what a minimal set is for, by the kept certificate; none without one."""
    data = _kept(reference, tier, certificate=True)
    try:
        return frozenset(msgspec.json.decode(data, type=Certificate).unseen) if data else frozenset()
    except msgspec.DecodeError:
        return frozenset()


def _kept(reference: Reference, tier: str, *, certificate: bool = False) -> bytes:
    """The kept bytes of a tier, or of its certificate, for rules that mean the same; empty if there are none."""
    folder = data_folder("fixtures")
    try:
        manifest = msgspec.json.decode((folder / MANIFEST).read_bytes(), type=Manifest)
        path = f"tableau-{reference.tableau[:8]}/{tier}.jsonl"
        if path not in manifest.files:
            meaning = meaning_digest(reference)
            path = next((e.tiers.get(tier, "") for e in manifest.rules.values() if e.meaning == meaning), "")
        data = (folder / path).read_bytes() if path else b""
        if not data or digest(data) != manifest.files[path].sha256:
            return b""
        return (folder / certificate_path(path)).read_bytes() if certificate else data
    except (OSError, msgspec.DecodeError, KeyError):
        return b""


def read_cases(data: bytes) -> list[Case]:
    """Cases from JSON Lines. Raises `msgspec.DecodeError`."""
    try:
        return msgspec.json.Decoder(Case).decode_lines(data)
    except RecursionError as error:
        raise msgspec.DecodeError("nested too deep") from error

"""The suite that comes with the package, read back where it belongs to the rules at hand."""

from __future__ import annotations

import msgspec

from oracle.cases.case import Case
from oracle.cases.manifest import MANIFEST, Manifest, digest
from oracle.cases.meaning import meaning_digest
from oracle.cases.reference import Reference
from oracle.rules.library import data_folder


def committed(reference: Reference, tier: str) -> list[Case] | None:
    """The kept cases of a tier for rules that mean the same; None if there are none, or their bytes were changed."""
    folder = data_folder("fixtures")
    try:
        manifest = msgspec.json.decode((folder / MANIFEST).read_bytes(), type=Manifest)
        path = f"tableau-{reference.tableau[:8]}/{tier}.jsonl"
        if path not in manifest.files:
            meaning = meaning_digest(reference)
            path = next((e.tiers.get(tier, "") for e in manifest.rules.values() if e.meaning == meaning), "")
        data = (folder / path).read_bytes() if path else b""
        if not data or digest(data) != manifest.files[path].sha256:
            return None
        return read_cases(data)
    except (OSError, msgspec.DecodeError, KeyError):
        return None


def read_cases(data: bytes) -> list[Case]:
    """Cases from JSON Lines. Raises `msgspec.DecodeError`."""
    try:
        return msgspec.json.Decoder(Case).decode_lines(data)
    except RecursionError as error:
        raise msgspec.DecodeError("nested too deep") from error

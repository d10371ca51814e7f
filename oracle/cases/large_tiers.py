"""Large tiers of a suite: made when they are asked for, and known by the digest of what they then are.

They depend on the tableau and on how many cards of a rank the shoe has, so that rule sets share them. The digest is
that of their cases as JSON Lines, answers and all.
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterator

import msgspec

from oracle.cases.case import Case
from oracle.cases.manifest import FileEntry
from oracle.cases.reference import Reference
from oracle.cases.sequences import ENOUGH, copies
from oracle.cases.tiers import TIERS
from oracle.progress import track


def large_name(reference: Reference, tier: str) -> str:
    """What the manifest calls a large tier of these rules."""
    held = copies(reference)
    return f"tableau-{reference.tableau[:8]}/{tier}{'' if held == ENOUGH else f'-{held}-of-a-rank'}"


def _told(reference: Reference, tier: str) -> Iterator[Case]:
    return track(TIERS[tier].make(reference), f"{tier} of {reference.rules.id}", every=1_000)


def large_entry(reference: Reference, tier: str) -> FileEntry:
    """How many cases a large tier has, and the SHA-256 of all of them. Takes some seconds."""
    encode = msgspec.json.Encoder(order="deterministic").encode
    digest = hashlib.sha256()
    count = 0
    for count, case in enumerate(_told(reference, tier), start=1):  # noqa: B007 (the last one counts)
        digest.update(encode(case) + b"\n")
    return FileEntry(tier, count, digest.hexdigest())

"""Large tiers of a suite: made when they are asked for, and known by the digest of what they then are.

They depend on the tableau and on how many cards of a rank the shoe has, so that rule sets share them. The digest is
that of their cases as JSON Lines, answers and all.
"""

from __future__ import annotations

import hashlib

import msgspec

from oracle.cases.manifest import FileEntry
from oracle.cases.reference import Reference
from oracle.cases.sequences import ENOUGH, copies
from oracle.cases.tiers import TIERS


def large_name(reference: Reference, tier: str) -> str:
    """What the manifest calls a large tier of these rules."""
    held = copies(reference)
    return f"tableau-{reference.tableau[:8]}/{tier}{'' if held == ENOUGH else f'-{held}-of-a-rank'}"


def large_entry(reference: Reference, tier: str) -> FileEntry:
    """How many cases a large tier has, and the SHA-256 of all of them. Takes some seconds."""
    encode = msgspec.json.Encoder(order="deterministic").encode
    digest = hashlib.sha256()
    count = 0
    for count, case in enumerate(TIERS[tier].make(reference), start=1):  # noqa: B007 (the last one counts)
        digest.update(encode(case) + b"\n")
    return FileEntry(tier, count, digest.hexdigest())

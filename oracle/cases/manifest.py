"""The manifest of a suite: its rule sets and files, with digests."""

from __future__ import annotations

import hashlib

import msgspec

# Patch: texts, tags, notes. Minor: new cases. Major: another expectation of a case that was there, another protocol.
SUITE = "1.3.0"
MANIFEST = "manifest.json"


class FileEntry(msgspec.Struct, frozen=True):
    """One file of cases, or a large tier: its tier, how many cases it has, and the SHA-256 of its bytes."""

    tier: str
    cases: int
    sha256: str


class RuleEntry(msgspec.Struct, frozen=True):
    """A rule set: the digest of what its rules mean, its file of each tier, its large tiers by name.

    `silent` says why a tier has no cases.
    """

    meaning: str
    tiers: dict[str, str]
    large: dict[str, str]
    silent: dict[str, str] = {}


class Manifest(msgspec.Struct, frozen=True):
    """The suite by rule set and by file. `large` tiers have no file; their digest is that of what `export` makes."""

    note: str
    format: int
    suite: str
    rules: dict[str, RuleEntry]
    files: dict[str, FileEntry]
    large: dict[str, FileEntry]


class Certificate(msgspec.Struct, frozen=True):
    """Why a minimal set is enough and can't be smaller; see `oracle.cases.minimal`."""

    observables: tuple[str, ...]
    cases: int
    bound: tuple[str, ...]
    unseen: tuple[str, ...]
    shown: dict[str, str]


def digest(data: bytes) -> str:
    """The SHA-256 of bytes, in hexadecimal."""
    return hashlib.sha256(data).hexdigest()


def certificate_path(path: str) -> str:
    """Where the certificate of a minimal set lies, beside the file of its cases."""
    return f"{path.removesuffix('.jsonl')}.certificate.json"

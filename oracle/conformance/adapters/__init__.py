"""Adapters to fill in: for each language a program that speaks the protocol, in the file beside this one."""

from __future__ import annotations

from pathlib import Path

import msgspec

from oracle.spans import UnknownName
from oracle.text import did_you_mean, quoted

_FOLDER = Path(__file__).resolve().parent


class Language(msgspec.Struct, frozen=True, kw_only=True):
    """A language that there is an adapter for: the file to save it as, and the commands to build and to run it."""

    name: str
    file: str
    build: str = ""
    run: str


_ALL = (
    Language(name="python", file="mine.py", run="python3 mine.py"),
    Language(name="node", file="mine.js", run="node mine.js"),
    Language(name="java", file="Mine.java", run="java Mine.java"),
    Language(name="c", file="mine.c", build="cc -o mine mine.c", run="./mine"),
    Language(name="cpp", file="mine.cpp", build="c++ -std=c++17 -o mine mine.cpp", run="./mine"),
    Language(name="rust", file="mine.rs", build="rustc -O mine.rs", run="./mine"),
    Language(name="go", file="mine.go", build="go build mine.go", run="./mine"),
    Language(name="csharp", file="Program.cs", build="dotnet build", run="dotnet run --no-build"),
)
LANGUAGES = {language.name: language for language in _ALL}

# What else people call them; `javascript` would otherwise be taken for a misspelt `java`.
_ALSO = {
    "py": "python", "python3": "python", "js": "node", "javascript": "node", "typescript": "node", "ts": "node",
    "nodejs": "node", "jvm": "java", "c++": "cpp", "cxx": "cpp", "rs": "rust", "golang": "go",
    "c#": "csharp", "cs": "csharp", "dotnet": "csharp",
}  # fmt: skip


def adapter(name: str) -> str:
    """The source of the adapter for a language in `LANGUAGES`. Raises `UnknownName`."""
    if name not in LANGUAGES:
        meant = _ALSO.get(name.lower()) or name.lower()
        near = f"did you mean `{meant}`?" if meant in LANGUAGES else did_you_mean(name, LANGUAGES)
        raise UnknownName(f"no adapter for {quoted(name)}: {near}")
    return (_FOLDER / LANGUAGES[name].file).read_text(encoding="utf-8")

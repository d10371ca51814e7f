"""What a YAML parser's complaints mean to somebody who writes a spec."""

from __future__ import annotations

import msgspec
import yaml

_QUOTING = "quote texts that hold `: ` or ` #`, or begin with one of - ? : , [ ] { } # & * ! | > ' \" % @ `"


class YamlTrouble(msgspec.Struct, frozen=True):
    """What is wrong with the YAML, where (line and column from 1), and how to mend it."""

    code: str
    message: str
    help: str
    line: int
    column: int


def explain(error: yaml.MarkedYAMLError, lines: list[str]) -> YamlTrouble:
    """The mistake behind `error`, at a place inside the file."""
    here = _place(error.problem_mark or error.context_mark, lines)
    opened = _place(error.context_mark or error.problem_mark, lines)
    tab = _tab(lines, *here)
    if tab or "tab character" in (error.problem or ""):
        line, column = here if tab is None else (here[0], tab)
        return YamlTrouble("tab", "a tab where YAML allows only spaces", "indent with spaces", line, column)
    if "nesting depth" in (error.problem or ""):
        return YamlTrouble("too-deep", "nested far too deep", "no form is that deep", *here)
    message, help, from_context = _meaning(error, lines, here, opened)
    line, column = opened if from_context else here
    return YamlTrouble("not-yaml", message, help, line, column)


def _meaning(
    error: yaml.MarkedYAMLError, lines: list[str], here: tuple[int, int], opened: tuple[int, int]
) -> tuple[str, str, bool]:
    """Message, help, and whether the mistake stands where the parser's context began."""
    problem, context = error.problem or "", error.context or ""
    line = lines[here[0] - 1] if here[0] <= len(lines) else ""
    character = line[here[1] - 1 : here[1]]
    if "cannot start any token" in problem:
        return f"`{character}` can't begin a value", "quote the text that begins with it", False
    if "mapping values are not allowed" in problem:
        if ": " in line[: here[1] - 1]:
            return "a second `: ` in one value", "quote texts that hold `: `", False
        help = "check the indentation, and that the key above has a space after its colon"
        return "a key where none can stand", help, False
    if "could not find expected ':'" in problem:
        help = "put a colon and a space after the key; indent a text that goes on from the line above"
        return "a line that is no `key: value`", help, True
    if "quoted scalar" in context and ("end of stream" in problem or "document indicator" in problem):
        return "a quote that is never closed", "close it with the same kind of quote", True
    if "flow" in context and "expected ','" in problem:
        bracket = "}" if "flow mapping" in context else "]"
        if here[0] == opened[0] and character:
            help = "separate entries with commas; quote texts that hold one of , [ ] { }"
            return f"`,` or `{bracket}` is due here", help, False
        return (
            f"a bracket that is never closed with `{bracket}`",
            "close it, or put a comma where one is missing",
            True,
        )
    if "scanning an alias" in context or "scanning an anchor" in context:
        character = lines[opened[0] - 1][opened[1] - 1 : opened[1]]
        return f"`{character}` can't begin a value", "quote the text that begins with it", True
    if "block mapping" in context or "block collection" in context:
        help = "give the keys of a mapping the same indentation, and so the entries of a list"
        return "an indentation that fits no line above", help, False
    if "block sequence entries" in problem:
        help = "begin a list in a line of its own, or write [a, b]; quote a text that begins with `- `"
        return "`- ` in the middle of a line", help, False
    if "expected <document start>" in problem:
        return "something after the end of the YAML", "mend the brackets or the indentation before it", False
    if "escape" in problem:
        return (
            "an escape that YAML doesn't know",
            "write the text in single quotes, where `\\` is a plain character",
            False,
        )
    return f"not YAML: {problem or context or 'it breaks off'}", _QUOTING, False


def _place(mark: yaml.Mark | None, lines: list[str]) -> tuple[int, int]:
    """Line and column of a mark, the end of the last line if it stands behind it."""
    if mark is None or not lines:
        return 1, 1
    if mark.line >= len(lines):
        return len(lines), len(lines[-1]) + 1
    return mark.line + 1, min(mark.column, len(lines[mark.line])) + 1


def _tab(lines: list[str], line: int, column: int) -> int | None:
    """The column of a tab at this place or in the indentation of its line."""
    text = lines[line - 1] if line <= len(lines) else ""
    if text[column - 1 : column] == "\t":
        return column
    indent = text[: len(text) - len(text.lstrip())]
    return indent.index("\t") + 1 if "\t" in indent else None

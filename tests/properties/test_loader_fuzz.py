"""Whatever a file holds, reading it gives a spec or a `SpecError`, and all problems stand inside the file."""

from __future__ import annotations

import re
from collections.abc import Callable
from pathlib import Path

import msgspec
import pytest
from hypothesis import HealthCheck, example, given, settings
from hypothesis import strategies as st

from oracle.rules.library import Library
from oracle.rules.model import Spec
from oracle.rules.read import read_spec, read_spec_text
from oracle.spans import Problem, Span, SpecError

SPECS = Path(__file__).resolve().parents[2] / "specs"
TEXTS = [path.read_text(encoding="utf-8") for path in sorted(SPECS.glob("*.yaml"))]
FAST = settings(deadline=None, max_examples=80, derandomize=True, suppress_health_check=[HealthCheck.too_slow])

# Scalars that have led some parser astray.
STRANGE = st.sampled_from(
    [
        *(
            "",
            "''",
            '""',
            "~",
            "null",
            "no",
            "NO",
            "true",
            "07",
            "0o7",
            "0x1F",
            "1e3",
            "1_000",
            ".inf",
            "8:1",
            "-0",
        ),
        *(
            "٣",
            "²",
            "Ⅷ",
            "\u212a",
            "ſ",
            "9" * 30,
            "9" * 5000,
            "-" * 300,
            "not " * 3000 + "8",
            "0-" * 50,
            "a" * 70_000,
        ),
        *("[]", "{}", "[[]]", "{{}}", "{a: {b: c}}", "[{}]", "[a, [b]]", "{[a]: b}", "{A, 2-9}", "!!set {a}"),
        *(
            "&a b",
            "*a",
            "<<",
            "!x y",
            "? a",
            "|",
            ">-",
            "%a",
            "@a",
            "`a`",
            '"\\0"',
            '"\\ud800"',
            '"\\x1b[31m"',
        ),
        *(
            "draw | stand",
            "|",
            "1:0",
            "0.95",
            "99999:1",
            "-1:1",
            "1/3",
            "101%",
            "< 5",
            "<= 15%",
            "> ",
            "multiple of 0",
        ),
        *(
            "not any",
            "not none",
            "not not 8",
            "5-0",
            "none-9",
            "-5--1",
            "K-A",
            "61-68",
            "68-61",
            "4.0",
            "0.1",
            "1.2.3",
        ),
        *(
            "home-pt",
            "../x",
            "/etc/passwd",
            "a/b/c",
            "x" * 300,
            "\u2028",
            "\u0085",
            "\ufeff",
            "\u202e",
            "e\u0301",
        ),
    ]
)
# Where a value begins: after a colon or in a list, up to a comma, a bracket or the end of the line.
VALUE = re.compile(r"(?<=: )[^,\[\]{}\n]+|(?<=\[)[^,\[\]{}\n]+|(?<=, )[^,:\[\]{}\n]+")


def check(text: str) -> None:
    """Read `text`, and look at all problems if it has any."""
    check_problems(lambda: read_spec_text(text), text)


def check_problems(read: Callable[[], Spec], text: str) -> None:
    """Call `read`: it returns a spec, or tells problems that all stand inside `text`."""
    problems: tuple[Problem, ...] | None = None
    try:
        spec = read()
    except SpecError as error:
        problems = error.problems
    else:
        assert isinstance(spec, Spec)
    if problems is not None:
        lines = text.removeprefix("\ufeff").splitlines() or [""]
        assert problems
        for problem in problems:
            assert_inside(problem.span, lines)
            assert all(line.isprintable() for line in problem.render().split("\n"))


def assert_inside(span: Span, lines: list[str]) -> None:
    assert span.file == "spec.yaml"
    assert 1 <= span.line <= len(lines)
    assert 1 <= span.column <= len(lines[span.line - 1]) + 1
    assert (span.line, span.column) < (span.end_line, span.end_column)


@st.composite
def changed_specs(draw: st.DrawFn) -> str:
    """A shipped spec after a few changes of lines, scalars or characters."""
    text = draw(st.sampled_from(TEXTS))
    for _ in range(draw(st.integers(1, 4))):
        change = draw(st.sampled_from(("drop", "double", "swap", "move", "value", "value", "character", "cut")))
        lines = text.split("\n")
        i, j = draw(st.integers(0, len(lines) - 1)), draw(st.integers(0, len(lines) - 1))
        if change == "drop":
            del lines[i]
        elif change == "double":
            lines.insert(j, lines[i])
        elif change == "swap":
            lines[i], lines[j] = lines[j], lines[i]
        elif change == "move":
            lines[i] = " " * draw(st.integers(0, 6)) + lines[i].strip()
        text = "\n".join(lines)
        if change == "value":
            values = list(VALUE.finditer(text))
            if values:
                value = values[draw(st.integers(0, len(values) - 1))]
                text = text[: value.start()] + draw(STRANGE) + text[value.end() :]
        elif change == "character":
            at = draw(st.integers(0, len(text)))
            text = text[:at] + draw(st.sampled_from("\t\n\r\0:-,[]{}#&*!|>'\"%@`\\é😀\u2028")) + text[at + 1 :]
        elif change == "cut":
            text = text[: draw(st.integers(0, len(text)))]
    return text


@settings(FAST, max_examples=250)
@given(changed_specs())
@pytest.mark.slow
def test_changed_spec_is_read_or_refused(text: str) -> None:
    check(text)


@FAST
@given(st.text(st.sampled_from("\t \nab0-1:,[]{}#&*!|>'\"%@`\\?<=.~é\u2028\ufeff"), max_size=60))
@example("a: [")
@example("source: {id: a, title: t, language: l, lines: ²}")
@example("\ufeff")
@example("--- |")
@example("? ? ? a")
def test_any_yaml_is_read_or_refused(text: str) -> None:
    check(text)


@FAST
@given(st.lists(st.tuples(st.sampled_from(("source", "statements", "extends", "resolutions", "x")), STRANGE)))
def test_any_values_of_the_parts_are_read_or_refused(parts: list[tuple[str, str]]) -> None:
    check("".join(f"{key}: {value}\n" for key, value in parts))


@FAST
@given(st.dictionaries(st.sampled_from(("id", "lines", "sha256", "sentences", "blank", "counted", "x")), STRANGE))
@example({"lines": "9", "blank": "²"})
@example({"lines": "9", "counted": "٣"})
def test_any_document_is_read_or_refused(fields: dict[str, str]) -> None:
    """`counted` is a line among the counted sentences."""
    body = {key: f"{{{value}: 2}}" if key == "counted" else value for key, value in fields.items()}
    lines = "".join(f"  {'sentences' if key == 'counted' else key}: {value}\n" for key, value in body.items())
    check(f"source:\n  title: t\n{lines}statements:\n  - {{id: a, cite: 4.1, says: x, about: decks, then: 8}}\n")


@st.composite
def statements(draw: st.DrawFn) -> str:
    """A statement that has the right keys, with any values."""
    keys = (
        "id",
        "cite",
        "says",
        "about",
        "when",
        "then",
        "cases",
        "otherwise",
        "grid",
        "readings",
        "yields_to",
        "tables",
    )
    chosen = draw(st.lists(st.sampled_from(keys), unique=True))
    questions = ("card_points", "banker_draw", "winner", "pays", "bets_together", "bets_offered", "other")
    body = []
    for key in chosen:
        value = draw(STRANGE)
        if key == "about":
            value = draw(st.sampled_from(questions))
        elif key == "when":
            field = draw(st.sampled_from(("rank", "banker2", "player_third", "higher", "bet", "count", "tie", "x")))
            value = f"{{{field}: {value}}}"
        elif key == "cases":
            value = f"[{{then: {value}}}, {{cite: {draw(STRANGE)}, then: draw}}]"
        elif key in ("otherwise", "readings"):
            value = f"{{then: {value}, a: {{then: draw}}}}"
        elif key == "grid":
            value = (
                f"{{columns: {{player_third: {draw(STRANGE)}}}, legend: {{S: {value}}}, "
                f"lines: {draw(STRANGE)}, rows: {{banker2: {{7: {draw(STRANGE)}}}}}}}"
            )
        body.append(f"{key}: {value}")
    return "  - {" + ", ".join(body) + "}\n"


@settings(FAST, max_examples=200)
@given(st.lists(statements(), min_size=1, max_size=3))
@pytest.mark.slow
def test_any_statement_is_read_or_refused(entries: list[str]) -> None:
    check("source: {id: a, title: t, language: en, lines: 9}\nstatements:\n" + "".join(entries))


@FAST
@given(data=st.binary(max_size=200))
@example(data=b"\xff\xfea\x00:\x00")
@example(data=b"a: \xe2\x80")
@example(data=b"\xef\xbb\xbf\xef\xbb\xbf")
def test_any_bytes_are_read_or_refused(data: bytes, tmp_path_factory: pytest.TempPathFactory) -> None:
    path = tmp_path_factory.getbasetemp() / "bytes.yaml"
    path.write_bytes(data)
    check_problems(lambda: read_spec(path, name="spec.yaml"), data.decode("utf-8", "replace"))


@FAST
@given(source=STRANGE, questions=STRANGE)
@example(source="home-pt", questions="[natural, banker_draw]")
@example(source="selminha/classica", questions="pays")
def test_any_extension_is_read_or_refused(
    source: str, questions: str, tmp_path_factory: pytest.TempPathFactory
) -> None:
    path = tmp_path_factory.getbasetemp() / "extends.yaml"
    text = f"""\
source: {{id: extends, title: t, language: en, lines: 9}}
extends: {{source: {source}, questions: {questions}}}
statements:
  - {{id: a, cite: "1", says: chips, about: chips, then: 5}}
"""
    path.write_text(text, encoding="utf-8", newline="")
    library = Library()

    def read() -> Spec:
        try:
            return library.load(path)
        except SpecError as error:
            places = [msgspec.structs.replace(p.span, file="spec.yaml") for p in error.problems]
            problems = [msgspec.structs.replace(p, span=span) for p, span in zip(error.problems, places, strict=True)]
            raise SpecError(problems) from error

    check_problems(read, text)


@FAST
@given(st.sampled_from(TEXTS), st.integers(0, 8000), st.binary(min_size=1, max_size=4))
def test_spec_with_broken_bytes_is_read_or_refused(text: str, at: int, junk: bytes) -> None:
    data = text.encode()
    broken = data[:at] + junk + data[at + len(junk) :]
    check(broken.decode("utf-8", "replace"))

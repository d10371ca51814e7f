"""Whatever a program says, and whatever it is called, stays text in every report."""

from __future__ import annotations

import re
import subprocess
import sys
from collections.abc import Callable
from html.parser import HTMLParser
from pathlib import Path
from xml.etree import ElementTree as ET

import msgspec
import pytest

from oracle.cases.case import StepCoup
from oracle.cases.manifest import SUITE
from oracle.cli import run as oracle
from oracle.conformance.diagnose.diagnose import Diagnosis, Explanation
from oracle.conformance.judge import NOT_LAID, Difference
from oracle.conformance.protocol.messages import Implementation
from oracle.conformance.run.log import Again, Event, Footer, Header, Line, Log, LogWriter
from oracle.conformance.summary.known import Known
from oracle.conformance.summary.summary import Drawn, Summary, summarise
from oracle.report.run.run_files import run_files
from oracle.report.words.escape import code_block, code_span
from oracle.report.words.run_words import headline

HOSTILE = [
    "</script><script>document.title='owned'</script>",
    "<img src=x onerror=\"document.title='owned'\">",
    "`code` ``more`` ```` | a | b |\n\n# heading [link](https://example.org) ![i](x) **bold**",
    "``` \n</details><h1>out</h1>\n~~~",
    "\x1b[31mred\x1b]0;title\x07\x9b",
    "\u202egnirts\u202c \u2066hidden\u2069 \u200b \ufeff",
    "]]> --> &amp; &#60;b&#62; '\" \\",
    "\\| \\` \\",
    "@everyone www.example.org a@example.org",
    "`",
    " ` ",
]
FILES = ["test.txt", "test.json", "junit.xml", "summary.md", "report.html", "badge.svg"]


@pytest.fixture(params=HOSTILE, ids=range(len(HOSTILE)))
def hostile(request: pytest.FixtureRequest) -> str:
    text: str = request.param
    return text


def summary_of(path: Path, text: str) -> Summary:
    """A run in which everything that a program or a user can word is `text`."""
    header = Header(
        protocol=1, rules="home-pt", tiers=("totals",), only=(), specs=(text,), target=("--", text), seed="",
        implementation=Implementation(text, text, text), kinds=("coup",), observables=("winner", "net"),
    )  # fmt: skip
    differs = (Difference("winner", "banker", text), Difference(f"net {text}", "0", text, NOT_LAID))
    cards = ("AS", "2S", "3S", "4S", "5S", "6S")
    with LogWriter(path) as log:
        log.write(
            header,
            Event("start", text, text),
            Event("gave-up", text),
            Line("coup-1", "fail", differs, kind="coup", cards=cards, bets={text: text}, cells=("banker_draw 3/7",)),
            Line("coup-2", "fail", differs[1:], kind="coup", cards=cards),
            Line("coup-3", "error", why=text, kind="coup", cards=cards),
            Again("coup-1", "error", why=text),
            Again("coup-1", "fail", differs, after=(text,)),
            Footer(
                verdict="incomplete", finished=True, counts={"fail": 2, "error": 1}, not_asked={}, restarts=0,
                answered={}, cells={"banker_draw 3/7": (0, 1)}, compared=("winner",), again=2, troubles=1,
            ),
        )  # fmt: skip
    return summarise(Log(path), known=Known("home-pt", {text: text}, {text: text}))


@pytest.fixture
def files(hostile: str, tmp_path: Path) -> dict[str, str]:
    return run_files(summary_of(tmp_path / "log.ndjson", hostile))


def test_every_report_holds_printable_text_alone(files: dict[str, str]) -> None:
    assert list(files) == FILES
    for name, text in files.items():
        bad = {char for char in text if not char.isprintable() and char != "\n"}
        assert not bad, (name, bad)


class Tags(HTMLParser):
    """Collects the elements of a page, their attributes and its text."""

    def __init__(self, text: str) -> None:
        super().__init__()
        self.found: list[tuple[str, dict[str, str | None]]] = []
        self.text: list[str] = []
        self.feed(text)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.found.append((tag, dict(attrs)))

    def handle_data(self, data: str) -> None:
        self.text.append(data)


OURS = {
    "html", "head", "meta", "title", "style", "body", "main", "h1", "h2", "h3", "p", "span", "strong", "ul", "li",
    "section", "pre", "div", "table", "caption", "thead", "tbody", "tr", "th", "td",
}  # fmt: skip


def test_the_page_has_no_element_but_ours_and_loads_nothing(files: dict[str, str], hostile: str) -> None:
    tags = Tags(files["report.html"])
    assert {tag for tag, _ in tags.found} <= OURS
    names = {name for _, attributes in tags.found for name in attributes}
    assert names <= {
        "charset", "http-equiv", "content", "name", "lang", "class", "id", "scope", "title", "tabindex", "role",
        "aria-label",
    }  # fmt: skip
    assert "url(" not in files["report.html"]
    assert "@import" not in files["report.html"]
    shown = hostile.replace("\n", "\\n")
    if shown.isprintable():
        assert shown in "".join(tags.text), "it is shown as it was said"


def test_a_session_is_shown_step_by_step(tmp_path: Path) -> None:
    header = Header(
        protocol=1, rules="selminha/classica", tiers=("session",), only=(), specs=(), target=("--", "mine"), seed="",
        implementation=Implementation("mine", "1", "c"), kinds=("session",), observables=(),
    )  # fmt: skip
    coup = StepCoup(("8S", "TD", "KC", "7H", "2C", "3C"), {"player": "5"})
    differs = (Difference("balance 2", "505", "500"),)
    with LogWriter(tmp_path / "log.ndjson") as log:
        log.write(
            header,
            Line("session-1", "fail", differs, kind="session", steps=("leave", coup)),
            Footer(
                verdict="differs", finished=True, counts={"fail": 1}, not_asked={}, restarts=0, cells={}, compared=(),
                answered={"session": 1},
            ),
        )  # fmt: skip
    two = (Explanation("one", "a session never ends", "session"), Explanation("two", "no coups end it", "session"))
    found = Diagnosis((), (), (), (), (), others={"session": two})
    made = run_files(msgspec.structs.replace(summarise(Log(tmp_path / "log.ndjson")), diagnosis=found))
    due = "balance after step 2: 505 expected, 500 answered"
    coup_words = "step 2: 8S TD KC 7H 2C 3C player=5"
    assert f"  such as step 1: leave\n          {coup_words}\n    {due}\n" in made["test.txt"]
    assert f"<li>step 1: leave</li><li>{coup_words}</li>" in made["report.html"]
    assert all(due in made[name] for name in ("junit.xml", "summary.md", "report.html"))
    assert all("what was asked can't tell these apart" in made[name] for name in ("test.txt", "summary.md"))
    assert "<p>what was asked can't tell these apart</p>" in made["report.html"]


def test_xml_reports_are_read_back(files: dict[str, str]) -> None:
    ET.fromstring(files["junit.xml"])
    badge = ET.fromstring(files["badge.svg"])
    assert {element.tag.rpartition("}")[2] for element in badge.iter()} == {"svg", "title", "rect", "text"}


def test_in_markdown_it_stays_within_code(files: dict[str, str]) -> None:
    """What is left without code blocks and spans is words of ours, in which nothing is markup of theirs."""
    left = outside_code(files["summary.md"])
    for piece in ("<", ">", "](", "![", "www.", "@", "owned", "everyone", "\\", "heading", "hidden"):
        assert piece not in left, left
    assert "`" not in left


def outside_code(text: str) -> str:
    """Markdown without its code, as CommonMark reads it: fences first, then spans by runs of equal length."""
    lines, fence = [], ""
    for line in text.split("\n"):
        run = re.match(r"`{3,}", line)
        if fence:
            fence = "" if line.strip() == fence or (run and run[0] >= fence and line.strip("`") == "") else fence
        elif run and "`" not in line[len(run[0]) :]:
            fence = run[0]
        else:
            lines.append(re.sub(r"(?<!`)(`+)(?!`)(.*?[^`])\1(?!`)", "", line))
    assert not fence
    return "\n".join(lines)


def test_that_reading_of_markdown_sees_what_is_outside() -> None:
    assert outside_code("a `b` c") == "a  c"
    assert outside_code("a ``b ` <c>`` d") == "a  d"
    assert "<c>" in outside_code("a `b` <c>` d")
    assert "<b>" in outside_code("```text\na\n```\n<b>")


def test_code_spans_hold_whatever_they_get(hostile: str) -> None:
    span = code_span(hostile)
    assert outside_code(f"a {span} b") == "a  b"
    block = code_block([hostile, "````"])
    assert outside_code("\n".join(block)) == ""
    assert code_span("  ") == ""


def test_a_long_command_is_not_broken_within_an_option(tmp_path: Path) -> None:
    """Browsers break a line after any hyphen. What is copied is the command all the same."""
    made = run_files(summary_of(tmp_path / "log.ndjson", "x"))
    page = made["report.html"]
    assert ".whole { white-space: nowrap; }" in page
    due = "baccarat-oracle test --rules home-pt --specs x --case coup-2 -- x"
    assert f"  {due}\n" in made["test.txt"]
    spans = re.sub(r"(--[a-z]*)", r'<span class="whole">\1</span>', due)
    assert f"<pre>{spans}</pre>" in page


def test_the_whole_tableau_fits_a_narrow_page(tmp_path: Path) -> None:
    """A marked cell is three times as wide as another one: it may break, or the last column is cut off."""
    page = run_files(summary_of(tmp_path / "log.ndjson", "x"))["report.html"]
    (narrow,) = re.findall(r"@media \(max-width: 32rem\) {(.*)}$", page, re.MULTILINE)
    assert "td.wrong { white-space: normal; }" in narrow


def test_pages_say_what_was_drawn_beside_what_was_checked(tmp_path: Path) -> None:
    summary = summary_of(tmp_path / "log.ndjson", "x")
    drawn = Drawn(seed="7f3a", cases={"coup": 399}, wrong=0, repeated=97, repeated_wrong=0)
    made = run_files(msgspec.structs.replace(summary, drawn=drawn))
    due = ", and 399 fresh cases, seed 7f3a; 97 of the suite a second time."
    assert all(f"suite {SUITE}{due}" in made[name] for name in ("report.html", "summary.md"))


@pytest.mark.browser
def test_a_browser_shows_the_page_and_runs_nothing(tmp_path: Path, tool: Callable[[str], str]) -> None:
    browser = tool("chromium")
    for number, text in enumerate(HOSTILE):
        path = tmp_path / f"{number}.html"
        path.write_text(run_files(summary_of(tmp_path / "log.ndjson", text))["report.html"], encoding="utf-8")
        tags = Tags(dom(browser, path, tmp_path))
        assert {tag for tag, _ in tags.found} <= OURS
        assert "".join(tags.text).startswith("\nincomplete: home-pt\n"), "the title is still ours"


@pytest.mark.browser
def test_a_browser_shows_the_tableau_with_the_wrong_cell_marked(
    tmp_path: Path, root: Path, tool: Callable[[str], str]
) -> None:
    browser = tool("chromium")
    program = tmp_path / "mine.py"
    program.write_text((root / "examples" / "mine.py").read_text().replace("5, 6, 7, 9)", "5, 6, 9)"))
    out = tmp_path / "out"
    arguments = ["test", "--rules", "home-pt", "--tier", "minimal", "--report", str(out)]
    assert oracle([*arguments, "--", sys.executable, str(program)]) == 1
    page = dom(browser, out / "report.html", tmp_path)
    cells = [attributes for tag, attributes in Tags(page).found if tag == "td"]
    assert len(cells) == 88 + 8
    (wrong,) = (attributes for attributes in cells if attributes.get("class") == "wrong")
    assert str(wrong["title"]).startswith("banker on 3 against a third card of 7: by the rules draws, by line 21")
    assert "S ≠ D" in page
    assert "banker stands on 3 against a third card of 7" in page
    assert 'id="verdict"' in page


def dom(browser: str, path: Path, home: Path) -> str:
    """The page as a browser has it after its scripts, if it had any."""
    arguments = ["--headless", "--no-sandbox", "--disable-gpu", f"--user-data-dir={home / 'profile'}", "--dump-dom"]
    done = subprocess.run([browser, *arguments, path.as_uri()], capture_output=True, timeout=120, check=True)
    return done.stdout.decode()


def test_known_failures_stand_in_every_report(tmp_path: Path) -> None:
    summary = summary_of(tmp_path / "log.ndjson", "x")
    listed = summarise(summary.log, known=Known("home-pt", {"coup-1": "so"}, {}))
    files = run_files(listed)
    for name in ("test.txt", "summary.md", "report.html"):
        assert "known failures: 1 case by 1 entry" in files[name]
    assert msgspec.json.decode(files["test.json"])["known"]["cases"] == 1


@pytest.mark.parametrize(("fails", "said"), [(1, "1 of 1 answer differs"), (2, "2 of 2 answers differ")])
def test_the_headline_counts_in_english(tmp_path: Path, fails: int, said: str) -> None:
    with LogWriter(tmp_path / "log.ndjson") as log:
        log.write(
            Header(
                protocol=1, rules="home-pt", tiers=("totals",), only=(), specs=(), target=("--", "x"), seed="",
                implementation=Implementation("x"), kinds=("coup",), observables=("winner",),
            ),
            *(Line(f"coup-{n}", "fail", (Difference("winner", "banker", "tie"),), kind="coup") for n in range(fails)),
            Footer(
                verdict="differs", finished=True, counts={"fail": fails}, not_asked={}, restarts=0, answered={},
                cells={}, compared=("winner",),
            ),
        )  # fmt: skip
    assert headline(summarise(Log(tmp_path / "log.ndjson"))) == f"differs: {said} from home-pt"

"""Text, Markdown and page of a run say the same: every sentence and fact of its outline is in each of them."""

from __future__ import annotations

import html
import re
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import Any

import click
import msgspec
import pytest

from oracle.cases.case import Case, StepCoup
from oracle.conformance.diagnose.diagnose import Diagnosis, Explanation, diagnose
from oracle.conformance.diagnose.indistinguishable import Alike
from oracle.conformance.judge import Difference
from oracle.conformance.protocol.messages import Implementation
from oracle.conformance.run.log import Footer, Header, Line, Log, LogWriter
from oracle.conformance.summary.known import Known
from oracle.conformance.summary.summary import Summary, Unconfirmed, summarise
from oracle.game.rules import Rules
from oracle.report.run.outline import Example, Outline, ShownTableau, outline
from oracle.report.run.run_badge import run_badge
from oracle.report.run.run_html import run_html
from oracle.report.run.run_junit import run_junit
from oracle.report.run.run_markdown import run_markdown
from oracle.report.run.run_text import run_text
from oracle.text import printable
from tests.conformance.conftest import Run, asked

MOST = 3  # of anything, which every format shows in full
SERIALISERS: dict[str, Callable[[Outline], str]] = {
    "text": lambda said: click.unstyle(run_text(said)),
    "markdown": run_markdown,
    "page": run_html,
}
PLAYED = {
    "right": (["right"], 400),
    "one rule": (["stands-on-three"], 3394),
    "many rules": (["always-player"], 3394),
    "state": (["keeps-third"], 400),
    "incomplete": (["crashes-at"], 300),
    "dead": (["dies-at-start"], 100),
    "nothing": (["skips"], 100),
    "known": (["stands-on-three"], 3394),
}


@pytest.fixture(scope="module")
def made() -> dict[str, Summary]:
    """The runs that some test has made already."""
    return {}


@pytest.fixture(params=[*PLAYED, "session", "alike"])
def summary(
    request: pytest.FixtureRequest,
    made: dict[str, Summary],
    run: Run,
    totals: list[Case],
    shipped: dict[str, Rules],
) -> Summary:
    """A run of each kind, explained."""
    name: str = request.param
    if name in made:
        return made[name]
    if name == "session":
        made[name] = session(request.getfixturevalue("tmp_path") / "session.ndjson")
    elif name == "alike":
        made[name] = alike(run(["always-player"], totals[:40]).summary)
    else:
        fake, count = PLAYED[name]
        more = [asked(totals[5])] if name == "incomplete" else []
        log = run([*fake, *more], totals[:count], restarts=20).log
        known = Known("home-pt", {}, {"banker_draw 3/7": "so", "banker_draw 3/6": "gone"}) if name == "known" else None
        found = diagnose(log, shipped["home-pt"], list(shipped.values()), totals[:count])
        made[name] = summarise(log, found, known)
    return made[name]


def session(path: Path) -> Summary:
    """A run of sessions, of which one ends wrong in two ways of its rules."""
    coup = StepCoup(("8S", "TD", "KC", "7H", "2C", "3C"), {"player": "5"})
    with LogWriter(path) as log:
        log.write(
            Header(
                protocol=1, rules="selminha/classica", tiers=("session",), only=(), specs=(), target=("--", "mine"),
                seed="", implementation=Implementation("mine", "1", "c"), kinds=("session",), observables=(),
            ),
            Line("s-1", "fail", (Difference("balance 2", "505", "500"),), kind="session", steps=("leave", coup)),
            Line("s-2", "error", why="not a number", kind="session", steps=(coup, "leave")),
            Footer(
                verdict="incomplete", finished=True, counts={"fail": 1, "error": 1}, not_asked={}, restarts=0,
                answered={}, cells={}, compared=(),
            ),
        )  # fmt: skip
    two = (Explanation("one", "a session never ends", "session"), Explanation("two", "no coups end it", "session"))
    return summarise(Log(path), Diagnosis((), (), (), (), (), others={"session": two}))


def alike(ran: Summary) -> Summary:
    """A run that other rules explain, some of them indistinguishable, with a mistake that can't show."""
    coups = tuple(Explanation(f"change-{n}", f"change {n} of the rules", "flip") for n in range(3))
    groups = Alike(("change-0", "change-1"), ("totals", "cards"), (("change-0",), ("change-1",)))
    found = Diagnosis(
        coups, (), ("grid-pt", "five-pt"), (), (Explanation("hidden-1", "a hidden one", "flip"),),
        alike=(groups,), partly=("grid-pt",),
    )  # fmt: skip
    return summarise(ran.log, found)


def test_every_fact_is_in_each_of_them(summary: Summary) -> None:
    said = few(outline(summary))
    facts = [printable(fact) for fact in strings(said)]
    assert len(facts) > 5
    for name, serialise in SERIALISERS.items():
        text = plain(name, serialise(said))
        assert [fact for fact in facts if plain("text", fact) not in text] == [], name


def test_nothing_of_an_outline_is_left_out(summary: Summary) -> None:
    """A word in the place of each fact is in each of them, however alike facts are."""
    count = 0

    def word(_: str) -> str:
        nonlocal count
        count += 1
        return f"fact{count:03}"

    said = few(outline(summary))
    marked = msgspec.structs.replace(changed(said, word), verdict=said.verdict, rules=said.rules)
    for name, serialise in SERIALISERS.items():
        text = plain(name, serialise(marked))
        left = {fact for fact in strings(marked) if fact not in text}
        assert left <= {said.rules}, name  # the headline names them


def test_wrong_cells_are_marked_in_each_of_them(summary: Summary) -> None:
    said = outline(summary)
    seen = [cell for row in said.tableau.banker.values() for cell in row.values()] + [*said.tableau.player]
    wrong = sum(bool(cell.wrong) for cell in seen)
    tables = {name: serialise(said) for name, serialise in SERIALISERS.items()}
    rows = [line for line in tables["text"].splitlines() if re.match(r"  (banker \d|player) {3}", line)]
    assert sum(len(re.findall(r"\[(?:D|S|D/S)\]", row)) for row in rows) == wrong
    assert len(re.findall(r"\| \*\*(?:D|S|D/S)\*\*", tables["markdown"])) == wrong
    assert tables["page"].count('class="wrong"') == wrong


def test_what_is_too_much_is_counted_in_each_of_them() -> None:
    base = Outline(
        verdict="differs", rules="r", headline="differs: h", checked="c", suite="s", drawn="", power=(),
        card="", fresh_faults=(), log="l", reporter=None, known=(), incomplete=(),
        events=(), last_words=(), two_answers=(), explained=(), tableau=ShownTableau((), {}, (), ()), faults=(),
        unanswered=(), not_confirmed=tuple(Unconfirmed("kind", str(n), "so") for n in range(3)), hidden=None,
    )  # fmt: skip
    many = msgspec.structs.replace(base, events=tuple(f"event {n}" for n in range(150)))
    for name, serialise in SERIALISERS.items():
        text = plain(name, serialise(many))
        shown = len(set(re.findall(r"\bevent \d+", text)))
        assert f"… {150 - shown} more events in the JSON report" in text, name


def test_badge_and_junit_have_its_words(summary: Summary) -> None:
    said = outline(summary)
    word = said.headline if said.verdict in ("conforms", "agrees") else said.verdict
    assert f"{said.rules}, {said.suite}: {word}, {said.checked}" in run_badge(said)
    xml = plain("page", run_junit(summary, said))
    attributes = html.unescape(run_junit(summary, said))
    for fault in few(said).faults:
        assert fault.title in attributes
        assert f"{fault.extent}, such as {', '.join(fault.example.asked)}" in attributes
        assert fault.example.command in xml
    for entry in few(said).unanswered:
        assert f"{entry.extent}: {entry.why}" in attributes


def few(value: Any) -> Any:
    """An outline with at most so many entries of anything as every format shows."""
    if isinstance(value, tuple):
        return tuple(map(few, value[:MOST]))
    if isinstance(value, ShownTableau):
        return msgspec.structs.replace(value, naturals=value.naturals[:MOST])
    if isinstance(value, Example):  # a case is shown to its last card
        return value
    if isinstance(value, msgspec.Struct):
        return msgspec.structs.replace(value, **{name: few(getattr(value, name)) for name in value.__struct_fields__})
    return value


def changed(value: Any, make: Callable[[str], str]) -> Any:
    """An outline with every text of it made into another one, but for cells and what is empty."""
    if isinstance(value, str):
        return make(value) if value else value
    if isinstance(value, tuple):
        return tuple(changed(each, make) for each in value)
    if isinstance(value, ShownTableau):
        return msgspec.structs.replace(value, naturals=changed(value.naturals, make))
    if isinstance(value, msgspec.Struct):
        fields = value.__struct_fields__
        return msgspec.structs.replace(value, **{name: changed(getattr(value, name), make) for name in fields})
    return value


def strings(value: Any) -> Iterator[str]:
    """Every text of an outline, but for cells."""
    if isinstance(value, str):
        yield from [value] * bool(value)
    elif isinstance(value, ShownTableau):
        yield from value.naturals
    elif isinstance(value, Unconfirmed):
        yield f"{value.what} {value.name}: {value.why}"
    elif isinstance(value, Sequence):
        for each in value:
            yield from strings(each)
    elif isinstance(value, msgspec.Struct):
        for name in value.__struct_fields__:
            yield from strings(getattr(value, name))


def plain(name: str, text: str) -> str:
    """A serialisation without its markup: neither tags nor marks of code, and any white space as one space."""
    if name == "page":
        text = html.unescape(re.sub(r"<style>.*</style>|<[^>]*>", " ", text, flags=re.DOTALL))
        text = re.sub(r" +(?=[:.,)])", "", text)
    if name == "markdown":
        text = text.replace("```text\n", "").replace("`", "").replace("**", "")
    return re.sub(r"\s+", " ", text.replace("`", ""))

"""Twelve faulty copies of the shipped specs: each gives the finding that it should, at its place, and no other one.

The first nine are seen by the checks of one source. A moved cell and an inverted row leave a complete and consistent
table behind: only another source shows them. Wrong odds are what a claim of the same document denies.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from functools import cache
from pathlib import Path

import msgspec
import pytest

from oracle.checks.claim_context import ClaimContext
from oracle.checks.finding import Finding
from oracle.checks.run import check_spec
from oracle.compare.pair import compare_rules
from oracle.game.rules import Rules
from oracle.rules.library import Library, data_folder
from oracle.rules.model import Spec
from oracle.rules.read import read_spec_text

FOLDER: Path = data_folder("specs")
END = "\nsilent:\n"


class Faulty(msgspec.Struct):
    """A copy of a spec with one piece of its text replaced; the finding at `at`, a piece of the copy, that it gives."""

    source: str
    old: str
    new: str
    code: str
    at: str
    subject: str
    region: str = ""
    status: str = "open"
    message: str = ""


COPIES = {
    "gap": Faulty(
        source="punto-es",
        old='      - {cite: "27", when: {banker2: 6, player_third: [0-5, 8, 9]}, then: stand}\n',
        new='      - {cite: "27", when: {banker2: 6, player_third: [0-4, 8, 9]}, then: stand}\n',
        code="gap",
        at='cite: "27"',
        subject="banker_draw",
        region="banker2: 6, player_third: 5",
        message="nothing says whether the banker draws",
    ),
    "conflict": Faulty(
        source="home-pt",
        old='      - {cite: "25", when: {banker2: 7}, then: stand}\n',
        new='      - {cite: "25", when: {banker2: 6-7}, then: stand}\n',
        code="conflict",
        at='cite: "25", when: {banker2: 6-7}',
        subject="banker_draw",
        region="banker2: 6, player_third: [6, 7]",
        message="banker-table permits no answer about whether the banker draws",
    ),
    "dead, contradictory in itself": Faulty(
        source="home-pt",
        old='      - {cite: "25", when: {banker2: 7}, then: stand}\n',
        new='      - {cite: "25", when: {banker2: 7}, then: stand}\n'
        '      - {cite: "25", when: {banker2: 7, player_third: none}, then: stand}\n',
        code="dead",
        at='cite: "25", when: {banker2: 7, player_third: none}',
        subject="banker-table/25#2",
        message="banker-table/25#2 contradicts itself: no state has player_drew: yes, banker2: 7, player_third: none",
    ),
    "dead, never reached": Faulty(
        source="home-pt",
        old="      - {about: player_draw, when: {player2: 6-7}, then: stand}\n",
        new="      - {about: player_draw, when: {player2: 6-7}, then: stand}\n"
        "      - {about: player_draw, when: {player2: 9}, then: draw}\n",
        code="dead",
        at="about: player_draw, when: {player2: 9}",
        subject="player-acts/16.1#4",
        message="player-acts/16.1#4 is never reached: player2: 9 is settled before",
    ),
    "masked": Faulty(
        source="selminha",
        old='      - {cite: "35", when: {player2: 0-5}, then: draw}\n',
        new='      - {cite: "35", when: {player2: 0-5}, then: draw}\n'
        '      - {cite: "35", when: {player2: 5}, then: draw}\n',
        code="masked",
        at='cite: "35", when: {player2: 5}',
        subject="player-acts/35#2",
        region="player2: 5",
        message="player-acts/35#2 says nothing that player-acts/35 doesn't say too",
    ),
    "unneeded": Faulty(
        source="grid-pt",
        old="  - convention: losing-bets-lose\n",
        new="  - {id: again, about: player_draw, when: {player2: 5}, then: draw, because: a test}\n"
        "  - convention: losing-bets-lose\n",
        code="unneeded-resolution",
        at="id: again",
        subject="again",
        message="again closes nothing about whether the player draws",
    ),
    "overriding": Faulty(
        source="grid-pt",
        old="  - convention: losing-bets-lose\n",
        new="  - {id: bold, about: player_draw, when: {player2: 5}, then: stand, because: a test}\n"
        "  - convention: losing-bets-lose\n",
        code="overriding-resolution",
        at="id: bold",
        subject="bold",
        region="player2: 5",
        message="bold says stand where the text clearly says otherwise; the text holds",
    ),
    "vacuous": Faulty(
        source="grid-pt",
        old='      - {cite: "16", when: {rank: A}, then: 1}\n',
        new='      - {cite: "16", when: {rank: A}, then: 1}\n      - {cite: "17", when: {rank: 2-9}, then: face}\n',
        code="vacuous",
        at='cite: "17", then: face',
        subject="card-values/otherwise",
        message="card-values/otherwise has nothing to decide: the cases before it leave no state",
    ),
    "ambiguous": Faulty(
        source="home-pt",
        old="    about: total_stake\n    then: allowed\n",
        new="    readings:\n"
        "      any: {about: total_stake, then: allowed}\n"
        "      within:\n"
        "        about: total_stake\n"
        "        cases: [{when: {over_balance: no}, then: allowed}, {when: {over_balance: yes}, then: refused}]\n",
        code="ambiguous",
        at="when: {over_balance: yes}",
        subject="no-limit",
        region="over_balance: yes",
        message="no-limit can be read as any or within, which differ about how much may be staked in all",
    ),
}


def text_of(source: str) -> str:
    return (FOLDER / f"{source}.yaml").read_text(encoding="utf-8")


def copy_of(faulty: Faulty) -> tuple[str, Spec]:
    text = text_of(faulty.source)
    assert text.count(faulty.old) == 1
    text = text.replace(faulty.old, faulty.new)
    return text, read_spec_text(text, name="copy.yaml")


def place(text: str, piece: str) -> tuple[int, int]:
    """The line and the column, from 1, at which a piece of text that occurs once begins."""
    assert text.count(piece) == 1, piece
    before = text[: text.index(piece)]
    return before.count("\n") + 1, len(before) - before.rfind("\n")


def known(findings: tuple[Finding, ...]) -> Counter[tuple[str, ...]]:
    """Findings by what they are about, wherever they stand; notes that statements agree are nothing new."""
    return Counter(
        (f.code, f.question, f.subject, f.region, f.status, f.message) for f in findings if f.code != "overlap"
    )


@cache
def original(source: str) -> Counter[tuple[str, ...]]:
    """The findings of a shipped source."""
    return known(check_spec(Library().spec(source)).findings)


def added(source: str, spec: Spec) -> Iterator[Finding]:
    """The findings that a copy has and its original hasn't, once for all tables of the source."""
    before = original(source)
    seen = set()
    for found in check_spec(spec).findings:
        (key,) = known((found,)) or [()]
        if key and key not in before and (key, found.span) not in seen:
            seen.add((key, found.span))
            yield found


@pytest.mark.parametrize("name", COPIES)
def test_a_fault_gives_its_finding_at_its_place_and_no_other(name: str) -> None:
    faulty = COPIES[name]
    text, spec = copy_of(faulty)
    found = list(added(faulty.source, spec))
    expected = (faulty.code, place(text, faulty.at), faulty.region)
    assert [(f.code, (f.span.line, f.span.column), f.region) for f in found] == [expected]
    assert [(f.subject, f.status, f.message) for f in found] == [(faulty.subject, faulty.status, faulty.message)]


@pytest.mark.slow
def test_nothing_that_was_found_before_is_lost() -> None:
    """Apart from what the fault itself changes: a row that is gone can't be masked any more."""
    for faulty in COPIES.values():
        before = original(faulty.source)
        after = known(check_spec(copy_of(faulty)[1]).findings)
        assert {key for key in before if key[0] not in ("masked", "assumed")} <= set(after), faulty


# --- what one source can't show ---------------------------------------------------------------------

FOUR = '{cite: "22", when: {banker2: 4, player_third: 2-7}, then: draw}'
FIVE = '{cite: "23", when: {banker2: 5, player_third: 4-7}, then: draw}'
MOVED = ((FOUR, FOUR.replace("2-7", "3-7")), (FIVE, FIVE.replace("4-7", "[2, 4-7]")))
INVERTED = ((FIVE, FIVE.replace("4-7", "not 4-7")),)


def altered(source: str, edits: tuple[tuple[str, str], ...]) -> tuple[str, Spec]:
    text = text_of(source)
    for old, new in edits:
        assert text.count(old) == 1
        text = text.replace(old, new)
    return text, read_spec_text(text, name="copy.yaml")


@pytest.mark.parametrize(
    ("edits", "regions"),
    [
        (MOVED, {("banker2: 4, player_third: 2", "stand"), ("banker2: 5, player_third: 2", "draw")}),
        (
            INVERTED,
            {("banker2: 5, player_third: [0-3, 8, 9]", "draw"), ("banker2: 5, player_third: 4-7", "stand")},
        ),
    ],
    ids=["moved cell", "inverted row"],
)
def test_only_another_source_shows_a_complete_and_consistent_mistake(
    edits: tuple[tuple[str, str], ...], regions: set[tuple[str, str]]
) -> None:
    text, spec = altered("home-pt", edits)
    assert list(added("home-pt", spec)) == []
    library = Library()
    pair = compare_rules(Rules(spec, spec.rule_sets[0]), Rules(*library.rule_set("punto-es")))
    found = [region for region in pair.question("banker_draw").regions if region.relation == "contradiction"]
    assert {(region.region, region.a.says) for region in found} == regions
    places = {(part.span.line, part.span.column) for region in found for part in region.a.statements}
    five = dict(edits)[FIVE].removeprefix("{")
    assert places == {place(text, five), place(text, 'cite: "26.1", then: stand')}
    for region in found:
        assert region.witness is not None
        assert region.witness.cards, "and a coup shows it"


@pytest.mark.slow
def test_wrong_odds_are_denied_by_a_claim_of_the_same_document() -> None:
    """And by every other source: the tie of grid-pt at nine to one."""
    right = '{about: pays, when: {bet: tie}, then: "8:1"}'
    text, spec = altered("grid-pt", ((right, right.replace("8:1", "9:1")),))
    context = ClaimContext([spec])
    before = known(check_spec(Library().spec("grid-pt"), context=ClaimContext([Library().spec("grid-pt")])).findings)
    found = [
        f for f in check_spec(spec, context=context).findings if f.code == "false-claim" and not known((f,)) <= before
    ]
    assert [(f.subject, f.span.line, f.span.column, f.status) for f in found] == [
        ("tie-pays-and-pushes", *place(text, "id: tie-pays-and-pushes"), "open")
    ]
    assert found[0].message.endswith("fails: tie nets 90, not 80")
    pair = compare_rules(Rules(spec, spec.rule_sets[0]), Rules(*Library().rule_set("home-pt")))
    (region,) = pair.question("pays").regions
    assert (region.region, region.a.says, region.b.says) == ("bet: tie", "9:1", "8:1")
    line, column = place(text, 'about: pays, when: {bet: tie}, then: "9:1"')
    assert [(part.span.line, part.span.column) for part in region.a.statements] == [(line, column)]


def test_there_are_twelve_of_them() -> None:
    assert len(COPIES) + 3 == 12

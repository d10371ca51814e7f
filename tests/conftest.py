"""What tests share: the shipped sources, and a small complete game whose statements a test replaces one by one."""

from __future__ import annotations

import os
import re
import shutil
from collections.abc import Callable, Iterable
from pathlib import Path
from typing import Any, NoReturn

import pytest

from oracle.game.rules import Rules
from oracle.rules import library as library_module
from oracle.rules.library import Library, data_folder
from oracle.rules.model import RuleSet, Spec
from oracle.rules.read import read_spec, read_spec_text

ROOT = Path(__file__).resolve().parent.parent
os.environ.setdefault("BACCARAT_ORACLE_QUIET", "1")  # how far a slow machine has come is in no expected output
RULE_SETS = ("grid-pt", "home-pt", "punto-es", "selminha/classica", "selminha/sem-comissao")


def _share() -> None:
    """Lets all that runs in this process share the shipped specs and their rules, which never change.

    Else each command and each module would read, resolve and enumerate them anew.
    """
    specs: dict[tuple[Any, ...], Spec] = {}
    tables: dict[tuple[int, str, bool], Rules] = {}
    folder = data_folder("specs")

    def read_once(path: Path, **options: Any) -> Spec:
        if path.parent != folder:
            return read_spec(path, **options)
        key = (path, options["name"], options["claims"], path.read_bytes())
        if key not in specs:
            specs[key] = read_spec(path, **options)
        return specs[key]

    def one_of_each(
        cls: type[Rules], spec: Spec, rule_set: RuleSet, *, literal: bool = False, also: object = None
    ) -> Rules:
        if cls is not Rules or also or not any(spec is shipped for shipped in specs.values()):
            return object.__new__(cls)
        return tables.setdefault((id(spec), rule_set.id, literal), object.__new__(cls))

    begin = Rules.__init__

    def begin_once(self: Rules, *args: Any, **options: Any) -> None:
        if not vars(self):
            begin(self, *args, **options)

    library_module.read_spec = read_once
    Rules.__new__ = one_of_each  # type: ignore[method-assign,assignment]
    Rules.__init__ = begin_once  # type: ignore[method-assign]


_share()

HEAD = """\
source: {id: plain, title: Plain game, language: en, lines: 22}
"""

# The usual game in as few statements as it takes, each answering one question alone.
BLOCKS = {
    "points": """\
  - id: points
    cite: "1"
    says: values of cards
    about: card_points
    cases:
      - {when: {rank: A}, then: 1}
      - {when: {rank: 2-9}, then: face}
      - {when: {rank: [10, J, Q, K]}, then: 0}
""",
    "total": """\
  - {id: total, cite: "2", says: the last digit counts, about: hand_total, then: units}
""",
    "deal": """\
  - id: deal
    cite: "3"
    says: in turn, the player first
    about: deal_order
    cases:
      - {when: {position: [1, 3]}, then: player}
      - {when: {position: [2, 4]}, then: banker}
""",
    "natural": """\
  - {id: natural, cite: "4", says: eight or nine stops, about: natural, when: {natural: not none}, then: stop}
""",
    "player": """\
  - id: player
    cite: "5"
    says: the player draws on 0 to 5
    about: player_draw
    cases:
      - {cite: "6", when: {player2: 0-5}, then: draw}
      - {cite: "7", when: {player2: 6-7}, then: stand}
""",
    "banker-free": """\
  - id: banker-free
    cite: "8"
    says: without a third card the banker does what the player does
    about: banker_draw
    when: {player_drew: no}
    cases:
      - {cite: "9", when: {banker2: 0-5}, then: draw}
      - {cite: "10", when: {banker2: 6-7}, then: stand}
""",
    "banker": """\
  - id: banker
    cite: "11"
    says: after a third card the table holds
    about: banker_draw
    when: {player_drew: yes}
    cases:
      - {cite: "12", when: {banker2: 0-2}, then: draw}
      - {cite: "13", when: {banker2: 3, player_third: not 8}, then: draw}
      - {cite: "14", when: {banker2: 4, player_third: 2-7}, then: draw}
      - {cite: "15", when: {banker2: 5, player_third: 4-7}, then: draw}
      - {cite: "16", when: {banker2: 6, player_third: 6-7}, then: draw}
    otherwise: {cite: "17", then: stand}
""",
    "winner": """\
  - id: winner
    cite: "18"
    says: the higher total wins
    about: winner
    cases:
      - {when: {higher: player}, then: player}
      - {when: {higher: banker}, then: banker}
      - {when: {higher: equal}, then: tie}
""",
    "outcome": """\
  - id: outcome
    cite: "19"
    says: a bet wins with its hand, and a tie returns the bets on hands
    about: outcome
    cases:
      - {when: {bet: player, winner: player}, then: win}
      - {when: {bet: player, winner: banker}, then: lose}
      - {when: {bet: banker, winner: banker}, then: win}
      - {when: {bet: banker, winner: player}, then: lose}
      - {when: {bet: [player, banker], winner: tie}, then: push}
      - {when: {bet: tie, winner: tie}, then: win}
      - {when: {bet: tie, winner: not tie}, then: lose}
""",
    "pays": """\
  - id: pays
    cite: "20"
    says: even money, and eight to one for a tie
    about: pays
    cases:
      - {when: {bet: [player, banker]}, then: "1:1"}
      - {when: {bet: tie}, then: "8:1"}
""",
    "commission": """\
  - id: commission
    cite: "21"
    says: the banker's prize is taxed
    about: commission
    cases:
      - {when: {bet: banker}, then: 5%}
      - {when: {bet: [player, tie]}, then: 0}
""",
    "together": """\
  - {id: together, cite: "22", says: any bets, about: bets_together, when: {count: ">= 1"}, then: allowed}
""",
}

MakeText = Callable[..., str]
MakeSpec = Callable[..., Spec]
MakeRules = Callable[..., Rules]


def _text(changes: dict[str, str | None] | None = None, *, head: str = HEAD, add: str = "", tail: str = "") -> str:
    """The plain game with some blocks replaced (None = left out), statements added, and sections after them.

    Lines of the document that nothing cites any more are listed as silent.
    """
    blocks = {**BLOCKS, **(changes or {})}
    text = head + "statements:\n" + "".join(block for block in blocks.values() if block) + add + tail
    cited = {int(line) for line in re.findall(r"cite: ['\"]([0-9]+)", text)}
    uncited = ", ".join(f"'{line}'" for line in range(1, 23) if line not in cited)
    return text + (f"silent:\n  - {{cite: [{uncited}], because: left out}}\n" if uncited else "")


def mostly_slow(values: Iterable[Any], *quick: Any) -> list[Any]:
    """Values to parametrize with, of which all but these make a slow test: one more of a kind, and not a quick one."""
    return [value if value in quick else pytest.param(*_parts(value), marks=pytest.mark.slow) for value in values]


def _parts(value: Any) -> tuple[Any, ...]:
    return value if isinstance(value, tuple) else (value,)


@pytest.fixture(scope="session")
def plain_text() -> MakeText:
    """Makes the text of the plain game, changed; see `_text`."""
    return _text


@pytest.fixture(scope="session")
def plain_spec() -> MakeSpec:
    """Makes the plain game as a spec, changed; see `_text`."""

    def make(changes: dict[str, str | None] | None = None, **parts: str) -> Spec:
        return read_spec_text(_text(changes, **parts), name="plain.yaml")

    return make


@pytest.fixture(scope="session")
def plain_rules(plain_spec: MakeSpec) -> MakeRules:
    """Makes the plain game as rules, changed; see `_text`."""

    def make(changes: dict[str, str | None] | None = None, *, literal: bool = False, **parts: str) -> Rules:
        spec = plain_spec(changes, **parts)
        return Rules(spec, spec.rule_sets[0], literal=literal)

    return make


@pytest.fixture(scope="session")
def library() -> Library:
    """The shipped specs."""
    return Library()


@pytest.fixture(scope="session")
def shipped(library: Library) -> dict[str, Rules]:
    """The shipped rule sets by id, resolved."""
    return {id: Rules(*library.rule_set(id)) for id in RULE_SETS}


@pytest.fixture(scope="session")
def shipped_literal(library: Library) -> dict[str, Rules]:
    """The shipped rule sets by id, as the documents stand."""
    return {id: Rules(*library.rule_set(id), literal=True) for id in RULE_SETS}


@pytest.fixture(scope="session")
def root() -> Path:
    """The folder of the checkout."""
    return ROOT


# By the name that `ORACLE_TOOLCHAINS` has for it: the program that is looked for, or several that will do.
TOOLS = {
    "python": ("python3",),
    "node": ("node",),
    "java": ("javac",),
    "c": ("cc",),
    "cpp": ("c++", "g++"),
    "rust": ("rustc",),
    "go": ("go",),
    "sha256sum": ("sha256sum",),
    "chromium": ("chromium", "chromium-browser", "google-chrome"),
}


def missing(name: str, reason: str) -> NoReturn:
    """Skips a test for want of a tool, or fails it if `ORACLE_TOOLCHAINS` names that, as .ci/run does."""
    if name in os.environ.get("ORACLE_TOOLCHAINS", "").split():
        pytest.fail(f"{reason}, and ORACLE_TOOLCHAINS says that it is there")
    pytest.skip(reason)


@pytest.fixture(scope="session")
def tool() -> Callable[[str], str]:
    """Finds a compiler, an interpreter or another program by the name that it has in `TOOLS`; see `missing`."""

    def find(name: str) -> str:
        for program in TOOLS[name]:
            found = shutil.which(program) or shutil.which(program, path=str(Path.home() / ".cargo" / "bin"))
            if found is not None:
                return found
        missing(name, f"no {TOOLS[name][0]} here")

    return find

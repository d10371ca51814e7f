"""Finding sources and rule sets by id, shipped ones and those of one's own folders; extending a source."""

from __future__ import annotations

import os
from collections.abc import Callable
from fractions import Fraction
from pathlib import Path

import pytest

from oracle.rules.library import Library, data_folder, display_path
from oracle.rules.model import Spec
from oracle.spans import SpecError, UnknownName

DECKS = '  - {id: decks, cite: "1", says: decks, about: decks, then: 8}\n'
Write = Callable[..., Path]


@pytest.fixture
def write(tmp_path: Path) -> Write:
    """Writes a small spec below the test's folder."""

    def make(name: str, *, source: str = "", head: str = "", statements: str = DECKS, tail: str = "") -> Path:
        path = tmp_path / name
        path.parent.mkdir(parents=True, exist_ok=True)
        about = f"source: {{id: {source or path.stem}, title: {path.stem}, language: en, lines: 9}}\n"
        path.write_text(f"{about}{head}statements:\n{statements}{tail}", encoding="utf-8")
        return path

    return make


def decks(spec: Spec) -> object:
    (clause,) = [clause for clause in spec.clauses if clause.question == "decks"]
    return clause.answer[0]


# --- shipped sources ------------------------------------------------------------------------------


def test_shipped_sources_and_rule_sets() -> None:
    specs = Library().specs()
    ids = [spec.id for spec in specs]
    assert ids == sorted(ids)
    assert set(ids) >= {"grid-pt", "home-pt", "punto-es", "selminha"}
    assert {"selminha/classica", "selminha/sem-comissao", "home-pt"} <= {r.id for s in specs for r in s.rule_sets}


def test_rule_set_by_id() -> None:
    spec, rule_set = Library().rule_set("selminha/sem-comissao")
    assert (spec.id, rule_set.name, rule_set.title) == ("selminha", "sem-comissao", "No commission")
    assert Library().rule_set("home-pt")[1].id == "home-pt"


def test_looking_up_one_source_reads_no_other() -> None:
    library = Library()
    library.spec("home-pt")
    assert library._everything is None


@pytest.mark.parametrize(
    "wanted, message",
    [
        ("home-tp", "no rule set `home-tp`: did you mean `home-pt`?"),
        ("selminha/clasica", "no rule set `selminha/clasica`: did you mean `selminha/classica`?"),
        ("selminha", "`selminha` has several rule sets: say selminha/classica or selminha/sem-comissao"),
        ("selminha/", "`selminha/` has several rule sets: say selminha/classica or selminha/sem-comissao"),
        ("home-pt/x", "no rule set `home-pt/x`: did you mean `home-pt`?"),
    ],
)
def test_wrong_rule_set_is_answered_with_the_nearest(wanted: str, message: str) -> None:
    with pytest.raises(UnknownName) as caught:
        Library().rule_set(wanted)
    assert str(caught.value) == message


@pytest.mark.parametrize(
    "wanted",
    ["", ".", "..", "/", "../home-pt", "/etc/passwd", "x" * 5000, "a\0b", "home-pt.yaml", "\x1b[31m"],
)
def test_nonsense_is_an_unknown_name_and_is_shown_safely(wanted: str) -> None:
    for look_up in (Library().rule_set, Library().spec):
        with pytest.raises(UnknownName) as caught:
            look_up(wanted)
        assert str(caught.value).isprintable()
        assert len(str(caught.value)) < 300


def test_unknown_name_without_any_specs(tmp_path: Path) -> None:
    for library in (Library(shipped=False), Library([tmp_path], shipped=False)):
        with pytest.raises(UnknownName, match="no rule set `x`: no specs are loaded"):
            library.rule_set("x")
        with pytest.raises(UnknownName, match="no source `x`: no specs are loaded"):
            library.spec("x")


# --- folders of one's own -------------------------------------------------------------------------


def test_folder_adds_sources(write: Write, tmp_path: Path) -> None:
    write("mine.yaml")
    library = Library([tmp_path])
    assert library.spec("mine").id == "mine"
    assert {"mine", "home-pt"} <= {spec.id for spec in library.specs()}
    assert library.replaced == []


@pytest.mark.parametrize("name", ["home-pt.yaml", "draft.yaml", "home-pt.yml"])
@pytest.mark.parametrize("all_first", [False, True])
def test_folder_replaces_a_shipped_source_by_its_id(
    write: Write, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, name: str, all_first: bool
) -> None:
    """Whatever the file is called, and whether or not all sources were loaded before; it is said once."""
    write(name, source="home-pt", statements=DECKS.replace("8}", "6}"))
    monkeypatch.chdir(tmp_path)
    library = Library([tmp_path])
    if all_first:
        library.specs()
    assert decks(library.spec("home-pt")) == 6
    assert decks(library.spec("home-pt")) == 6
    library.specs()
    assert library.replaced == [f"home-pt: {name} replaces specs/home-pt.yaml"]
    assert len([spec for spec in library.specs() if spec.id == "home-pt"]) == 1


def test_later_folder_replaces_an_earlier_one(write: Write, tmp_path: Path) -> None:
    write("one/mine.yaml", statements=DECKS.replace("8}", "1}"))
    write("two/mine.yaml", statements=DECKS.replace("8}", "2}"))
    assert decks(Library([tmp_path / "one", tmp_path / "two"]).spec("mine")) == 2
    assert decks(Library([tmp_path / "two", tmp_path / "one"]).spec("mine")) == 1


def test_folder_given_twice_or_shipped_anyway_replaces_nothing(write: Write, tmp_path: Path) -> None:
    write("mine.yaml")
    library = Library([data_folder("specs"), tmp_path, Path(os.path.relpath(tmp_path))])
    assert {"mine", "home-pt"} <= {spec.id for spec in library.specs()}
    assert library.replaced == []


def test_two_files_of_one_source_in_a_folder_are_an_error(
    write: Write, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    write("a.yaml", source="mine")
    write("b.yaml", source="mine")
    monkeypatch.chdir(tmp_path)
    with pytest.raises(
        SpecError,
        match=r"^b\.yaml:1:14: error\[duplicate-id\]: two files of source `mine`, the other is a\.yaml",
    ):
        Library([tmp_path]).specs()


def test_errors_of_all_files_are_told_together(write: Write, tmp_path: Path) -> None:
    write("a.yaml", statements=DECKS.replace("8}", "none}"))
    write("b.yaml", statements=DECKS.replace("about: decks", "about: deks"))
    with pytest.raises(SpecError) as caught:
        Library([tmp_path]).specs()
    assert [problem.code for problem in caught.value.problems] == ["bad-answer", "unknown-question"]


def test_error_in_an_extended_file_is_told_once(write: Write, tmp_path: Path) -> None:
    write("base.yaml", statements=DECKS.replace("8}", "none}"))
    for name in ("a", "b"):
        write(f"{name}.yaml", head="extends: {source: base, questions: [decks]}\n",
              statements='  - {id: x, cite: "1", says: x, about: chips, then: 5}\n')  # fmt: skip
    with pytest.raises(SpecError) as caught:
        Library([tmp_path]).specs()
    assert [problem.code for problem in caught.value.problems] == ["bad-answer"]


def test_what_is_no_spec_file_is_left_alone(write: Write, tmp_path: Path) -> None:
    write("mine.yaml")
    (tmp_path / "notes.txt").write_text("nothing", encoding="utf-8")
    (tmp_path / "folder.yaml").mkdir()
    (tmp_path / "gone.yaml").symlink_to(tmp_path / "nowhere")
    assert [spec.id for spec in Library([tmp_path], shipped=False).specs()] == ["mine"]


@pytest.mark.parametrize("name", ["nowhere", "file.txt", "a\0b"])
def test_missing_folder_is_named(tmp_path: Path, name: str) -> None:
    (tmp_path / "file.txt").write_text("", encoding="utf-8")
    with pytest.raises(SpecError, match=r"error\[unreadable\]: no folder of specs: "):
        Library([tmp_path / name]).specs()


def test_paths_are_shown_from_the_current_folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    assert display_path(tmp_path / "a" / "b.yaml") == "a/b.yaml"
    assert display_path(Path("a.yaml")) == "a.yaml"
    assert display_path(data_folder("specs") / "home-pt.yaml") == "specs/home-pt.yaml"
    assert display_path(Path("/elsewhere/a.yaml")) == "/elsewhere/a.yaml"
    for other in ("tests/variants/a.yaml", "reports/checks.md", "pyproject.toml"):
        assert display_path(data_folder("specs").parent / other) == str(data_folder("specs").parent / other)
    assert display_path(Path("../a.yaml")) == "../a.yaml"
    (tmp_path / "loop").symlink_to(tmp_path / "loop")
    assert display_path(tmp_path / "loop") == "loop"


# --- extends --------------------------------------------------------------------------------------

BASE = """\
  - id: values
    cite: "1"
    says: values
    about: card_points
    cases:
      - {when: {rank: A}, then: 1}
      - {when: {rank: 2-9}, then: face}
  - id: total
    cite: "3"
    says: something above nine is cancelled
    about: hand_total
    readings: {tens: {then: units}, all: {then: sum}}
  - {id: low, cite: "4", says: x, about: player_draw, when: {player2: 0-5}, then: draw | stand}
  - {id: bank, cite: "5", says: x, about: pays, when: {bet: banker}, then: 1:1, yields_to: [six]}
  - {id: six, tables: [new], cite: "6", says: x, about: pays, when: {bet: banker, banker_total: 6}, then: 1:2}
  - {id: tax, tables: [old], cite: "7", says: x, about: commission, when: {bet: banker}, then: 5%}
"""
BESIDE = """\
choosers: {player_draw: player}
resolutions:
  - {id: tens, choose: total, reading: tens, because: x}
  - {id: courts, about: card_points, when: {rank: [10, J, Q, K]}, then: 0, because: x}
  - {id: high, about: player_draw, when: {player2: 6-7}, then: stand, because: x}
  - {id: old-tie, tables: [old], about: pays, when: {bet: tie}, then: 8:1, because: x}
  - {id: new-tie, tables: [new], about: pays, when: {bet: tie}, then: 9:1, because: x}
  - {convention: losing-bets-lose, because: x}
accepted:
  - {finding: dead values/1, because: x}
  - {finding: gap card_points, because: x}
  - {finding: dead low, because: x}
  - {finding: dead bank, tables: [old], because: x}
  - {finding: dead six, tables: [new], because: x}
  - {finding: unneeded-resolution courts, because: x}
"""
TABLES = "rule_sets: {old: {title: Old}, new: {title: New}}\n"


@pytest.fixture
def extend(write: Write, tmp_path: Path) -> Callable[..., Spec]:
    """Reads a spec that extends the source above."""
    write("base.yaml", head=TABLES, statements=BASE, tail=BESIDE)

    def make(questions: str, *, source: str = "base/old", statements: str = DECKS, tail: str = "") -> Spec:
        head = f"extends: {{source: {source}, questions: [{questions}]}}\n"
        path = write("mine.yaml", head=head, statements=statements, tail=tail)
        return Library([tmp_path], shipped=False).load(path)

    return make


def test_extended_question_comes_whole_and_before_ones_own(extend: Callable[..., Spec]) -> None:
    spec = extend("card_points")
    assert [clause.id for clause in spec.clauses] == ["values/1", "values/1#2", "decks"]
    assert [statement.id for statement in spec.statements] == ["values", "decks"]
    assert {clause.source for clause in spec.clauses} == {"base", "mine"}
    assert spec.clauses[0].span.file.endswith("base.yaml")


def test_extended_question_brings_its_resolutions_choosers_and_accepted_findings(
    extend: Callable[..., Spec],
) -> None:
    spec = extend("card_points, hand_total")
    assert [resolution.id for resolution in spec.resolutions] == ["tens", "courts"]
    assert [entry.finding for entry in spec.accepted] == [
        "dead values/1",
        "gap card_points",
        "unneeded-resolution courts",
    ]
    assert spec.choosers == {}
    spec = extend("player_draw", tail="choosers: {banker_draw: banker}\n")
    assert [resolution.id for resolution in spec.resolutions] == ["high"]
    assert [entry.finding for entry in spec.accepted] == ["dead low"]
    assert spec.choosers == {"player_draw": "player", "banker_draw": "banker"}


def test_convention_comes_with_its_question(extend: Callable[..., Spec], write: Write) -> None:
    convention = "resolutions:\n  - {convention: losing-bets-lose, because: x}\n"
    wins = '  - {id: wins, cite: "1", says: x, about: outcome, when: {bet: tie}, then: win}\n'
    write("base.yaml", statements=wins, tail=convention)
    spec = extend("outcome", source="base")
    assert [resolution.id for resolution in spec.resolutions] == ["losing-bets-lose"]
    with pytest.raises(SpecError, match=r"error\[duplicate-id\]: `losing-bets-lose` is taken from base"):
        extend("outcome", source="base", tail=convention)


@pytest.mark.parametrize(
    "source, statements, resolutions, accepted",
    [
        ("base/old", ["bank", "tax"], ["old-tie"], ["dead bank"]),
        ("base/new", ["bank", "six"], ["new-tie"], ["dead six"]),
    ],
)
def test_one_rule_set_is_extended_with_what_holds_there(
    extend: Callable[..., Spec],
    source: str,
    statements: list[str],
    resolutions: list[str],
    accepted: list[str],
) -> None:
    """And what is taken holds at every table of the extending source."""
    questions = "pays, commission" if source == "base/old" else "pays"
    spec = extend(questions, source=source)
    assert [statement.id for statement in spec.statements] == [*statements, "decks"]
    assert [resolution.id for resolution in spec.resolutions] == resolutions
    assert [entry.finding for entry in spec.accepted] == accepted
    limits = [clause.tables for clause in spec.clauses]
    limits += [resolution.tables for resolution in spec.resolutions]
    limits += [entry.tables for entry in spec.accepted]
    assert set(limits) == {()}


def test_own_resolution_may_refer_to_what_is_extended(extend: Callable[..., Spec]) -> None:
    spec = extend(
        "card_points",
        tail="""\
resolutions:
  - {id: ace, about: card_points, when: {rank: A}, then: 0, instead_of: [values/1], because: x}
  - {id: nine, about: card_points, when: {rank: 9}, then: 9, instead_of: [values], because: x}
""",
    )
    assert [resolution.id for resolution in spec.resolutions] == ["courts", "ace", "nine"]


def test_extended_odds_stay_what_they_are_in_another_notation(
    extend: Callable[..., Spec], write: Write, tmp_path: Path
) -> None:
    path = write(
        "other.yaml",
        head='extends: {source: base/new, questions: [pays]}\nnotation: {odds: for-one, cite: "1", because: x}\n',
    )
    extend("card_points")
    spec = Library([tmp_path], shipped=False).load(path)
    assert [clause.answer for clause in spec.clauses if clause.question == "pays"] == [
        (Fraction(1),),
        (Fraction(1, 2),),
    ]


def test_extension_of_an_extension(extend: Callable[..., Spec], write: Write, tmp_path: Path) -> None:
    extend("card_points")
    path = write("third.yaml", head="extends: {source: mine, questions: [card_points, decks]}\n",
                 statements='  - {id: chips, cite: "1", says: x, about: chips, then: 5}\n')  # fmt: skip
    spec = Library([tmp_path], shipped=False).load(path)
    assert [statement.id for statement in spec.statements] == ["values", "decks", "chips"]
    assert [resolution.id for resolution in spec.resolutions] == ["courts"]


def test_shipped_source_can_be_extended_from_anywhere(write: Write) -> None:
    path = write("mine.yaml", head="extends: {source: home-pt, questions: [natural, player_draw, banker_draw]}\n")
    spec = Library().load(path)
    assert {"banker-table/21", "banker-table/otherwise"} <= {clause.id for clause in spec.clauses}


def test_neighbour_is_extended_before_a_folder(write: Write, tmp_path: Path) -> None:
    write("far/base.yaml", statements=DECKS.replace("8}", "1}"))
    write("near/base.yaml", statements=DECKS.replace("8}", "2}"))
    path = write("near/mine.yaml", head="extends: {source: base, questions: [decks]}\n",
                 statements='  - {id: chips, cite: "1", says: x, about: chips, then: 5}\n')  # fmt: skip
    assert decks(Library([tmp_path / "far"]).load(path)) == 2


def test_source_that_extends_itself_is_a_circle(write: Write) -> None:
    path = write("mine.yaml", head="extends: {source: mine, questions: [chips]}\n")
    with pytest.raises(SpecError, match=r"error\[cyclic-extends\]: sources that extend in a circle: `mine` → `mine`"):
        Library().load(path)

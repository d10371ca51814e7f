"""Reading specs: every form of docs/language.md, and that every value knows its place."""

from __future__ import annotations

import re
from fractions import Fraction
from pathlib import Path

import pytest

from oracle.rules.cite import Cite
from oracle.rules.model import Clause, Spec
from oracle.rules.questions import FIELDS, QUESTIONS
from oracle.rules.read import read_spec, read_spec_text
from oracle.rules.values import select
from oracle.spans import Problem, Span, SpecError

ROOT = Path(__file__).resolve().parents[2]
LANGUAGE = ROOT / "docs" / "language.md"
HEAD = "source: {id: example, title: Example, language: en, lines: 70, sentences: {4: 3}, blank: [2, 6-8]}\n"


def read(statements: str, *, head: str = HEAD, tail: str = "") -> Spec:
    return read_spec_text(f"{head}statements:\n{statements}{tail}")


def problems(text: str) -> tuple[Problem, ...]:
    with pytest.raises(SpecError) as caught:
        read_spec_text(text)
    return caught.value.problems


def clause(spec: Spec, name: str) -> Clause:
    return {clause.id: clause for clause in spec.clauses}[name]


def region(clause: Clause) -> dict[str, set[object]]:
    """What a guard asks of each field, several tests of one field taken together."""
    found: dict[str, set[object]] = {}
    for test in clause.guard:
        values: set[object] = set(select(test.values, FIELDS[test.field].domain))
        found[test.field] = found.get(test.field, values) & values
    return found


# --- scalars are the text they are ---------------------------------------------------------------


@pytest.mark.parametrize("written", ["8:1", '"8:1"', "'8 : 1'", "08:01", "800%"])
def test_eight_to_one_is_eight_however_it_is_quoted(written: str) -> None:
    """PyYAML would make 481 of 8:1."""
    spec = read(f'  - {{id: tie, cite: "1", says: x, about: pays, when: {{bet: tie}}, then: {written}}}\n')
    assert clause(spec, "tie").answer == (Fraction(8),)


def test_no_is_a_word() -> None:
    spec = read('  - {id: no-chips, cite: "1", says: no, about: stake, when: {in_chips: no}, then: refused}\n')
    assert spec.statements[0].says == "no"
    assert region(clause(spec, "no-chips")) == {"in_chips": {"no"}}


def test_seven_with_a_leading_zero_is_seven_where_a_number_is_due() -> None:
    spec = read('  - {id: a, cite: "07.1", says: x, about: banker_draw, when: {banker2: 07}, then: stand}\n',
                head=HEAD.replace("6-8", "8"))  # fmt: skip
    assert region(clause(spec, "a")) == {"banker2": {7}}
    assert spec.statements[0].cites == (Cite(7, 1),)


def test_seven_with_a_leading_zero_is_no_card_value() -> None:
    text = '  - {id: a, cite: "1", says: x, about: card_points, when: {rank: 7}, then: 07}\n'
    assert [p.code for p in problems(f"{HEAD}statements:\n{text}")] == ["bad-answer"]


def test_sentence_ten_is_not_sentence_one() -> None:
    """A YAML number would lose the zero of 4.10."""
    spec = read("  - {id: a, cite: 4.10, says: x, about: decks, then: 8}\n", head=HEAD.replace("{4: 3}", "{4: 12}"))
    assert spec.statements[0].cites == (Cite(4, 10),)
    assert str(spec.statements[0].cites[0]) == "4.10"


@pytest.mark.parametrize("word", ["true", "null", "~", "on", "2026-11-29", "1e3", "0x10", ".inf", "12:30:45"])
def test_free_text_stays_as_written(word: str) -> None:
    spec = read(f'  - {{id: a, cite: "1", says: {word}, about: other, then: {word}}}\n')
    assert spec.statements[0].says == word
    assert spec.clauses[0].answer == (word,)


def test_text_over_several_lines_is_one_line() -> None:
    spec = read('  - id: a\n    cite: "1"\n    says: >-\n      eight\n      decks\n    about: decks\n    then: 8\n')
    assert spec.statements[0].says == "eight decks"


@pytest.mark.parametrize("end", ["\n", "\r\n", "\r"])
def test_line_ends_and_byte_order_mark_make_no_difference(end: str, tmp_path: Path) -> None:
    text = f'{HEAD}statements:\n  - {{id: a, cite: "1", says: é😀, about: deks, then: 8}}\n'
    path = tmp_path / "a.yaml"
    path.write_bytes(b"\xef\xbb\xbf" + text.replace("\n", end).encode())
    with pytest.raises(SpecError) as caught:
        read_spec(path, name="a.yaml")
    (problem,) = caught.value.problems
    column = text.splitlines()[2].index("deks") + 1
    assert problem.span == Span("a.yaml", 3, column, 3, column + 4)
    assert problem.line_text == text.splitlines()[2]


# --- statements -----------------------------------------------------------------------------------


def test_document_is_described() -> None:
    digest = "4f" * 32
    head = HEAD.replace("lines: 70", f"lines: 70, sha256: {digest}, edition: first, retrieved: 2026-11-29")
    source = read('  - {id: a, cite: "1", says: x, about: decks, then: 8}\n', head=head).source
    assert (source.id, source.title, source.language, source.lines) == ("example", "Example", "en", 70)
    assert (source.sha256, source.edition, source.retrieved) == (digest, "first", "2026-11-29")
    assert [source.sentences_of(line) for line in (1, 2, 4, 5, 6, 7, 8, 9)] == [1, 0, 3, 1, 0, 0, 0, 1]


def test_plain_statement_knows_its_places() -> None:
    spec = read('  - id: a\n    cite: "4.2"\n    says: eight decks\n    about: decks\n    then: 8\n')
    (statement,), (made,) = spec.statements, spec.clauses
    assert statement.span == Span("spec.yaml", 3, 5, 3, 7)
    assert made.span == Span("spec.yaml", 3, 5, 8, 1)
    assert made.answer_span == Span("spec.yaml", 7, 11, 7, 12)
    assert (made.id, made.statement, made.question, made.says) == ("a", "a", "decks", "eight decks")
    assert (made.cites, made.lines, made.source) == ((Cite(4, 2),), "4.2", "example")


def test_test_of_a_guard_spans_field_and_value() -> None:
    line = '  - {id: a, cite: "1", says: x, about: banker_draw, '
    line += "when: {banker2: [0, 1-2], player_drew: no}, then: draw}"
    spec = read(line + "\n")
    first, second = spec.clauses[0].guard
    assert line[first.span.column - 1 : first.span.end_column - 1] == "banker2: [0, 1-2]"
    assert line[second.span.column - 1 : second.span.end_column - 1] == "player_drew: no"
    assert (first.text, second.text) == ("0, 1-2", "no")


def test_guard_of_the_block_is_added_to_every_case() -> None:
    spec = read("""\
  - id: banker-table
    cite: "17"
    says: after a third card the banker follows the table
    about: banker_draw
    when: {player_drew: yes}
    cases:
      - {cite: "20", when: {banker2: 0-2}, then: draw}
      - {cite: "21", when: {banker2: 3, player_third: not 8}, then: draw}
    otherwise: {cite: "26", then: stand}
""")
    assert [c.id for c in spec.clauses] == ["banker-table/20", "banker-table/21", "banker-table/otherwise"]
    assert region(clause(spec, "banker-table/21")) == {
        "player_drew": {"yes"},
        "banker2": {3},
        "player_third": {0, 1, 2, 3, 4, 5, 6, 7, 9},
    }
    otherwise = clause(spec, "banker-table/otherwise")
    assert otherwise.otherwise
    assert otherwise.excludes == ("banker-table/20", "banker-table/21")
    assert region(otherwise) == {"player_drew": {"yes"}}  # the complement inside the block, never of the question
    assert otherwise.cites == (Cite(26),)


def test_otherwise_leaves_out_the_cases_of_its_own_question_only() -> None:
    spec = read("""\
  - id: settled
    cite: "1"
    says: the higher total wins, and bets with it
    about: outcome
    cases:
      - {about: winner, when: {higher: player}, then: player}
      - {when: {bet: player, higher: player}, then: win}
    otherwise: {then: lose}
""")
    assert clause(spec, "settled/otherwise").excludes == ("settled/1#2",)


def test_cases_inherit_what_they_do_not_say() -> None:
    spec = read("""\
  - id: naturals
    cite: "33"
    says: a natural wins at once
    about: winner
    cases:
      - {about: natural, when: {natural: not none}, then: stop}
      - {cite: ["34", "35"], when: {natural: player}, then: player}
      - {when: {natural: banker}, then: banker}
""")
    assert [(c.id, c.question, c.lines) for c in spec.clauses] == [
        ("naturals/33", "natural", "33"),
        ("naturals/34+35", "winner", "34, 35"),
        ("naturals/33#2", "winner", "33"),
    ]


def test_statement_whose_cases_cite_has_their_cites() -> None:
    spec = read("""\
  - id: pays
    says: what bets pay
    about: pays
    cases:
      - {cite: "32", when: {bet: player}, then: 1:1}
      - {cite: "34", when: {bet: tie}, then: 8:1}
""")
    assert spec.statements[0].cites == (Cite(32), Cite(34))


GRID = """\
  - id: grid
    cite: "57"
    says: the grid says what the banker does
    about: banker_draw
    when: {player_drew: yes}
    grid:
      columns: {player_third: [0, 1, 2, 3]}
      legend: {S: stand, D: draw, F: draw | stand}
      lines: 61-62
      rows:
        banker2:
          7: "S S S S"
          6: "S D  D F"
"""


def test_grid_gives_a_clause_for_each_letter_of_a_row() -> None:
    spec = read(GRID)
    assert [c.id for c in spec.clauses] == [
        "grid/61-stand", "grid/62-draw", "grid/62-draw-stand", "grid/62-stand",
    ]  # fmt: skip
    drawn = clause(spec, "grid/62-draw")
    assert region(drawn) == {"player_drew": {"yes"}, "banker2": {6}, "player_third": {1, 2}}
    assert drawn.cites == (Cite(62),)
    assert drawn.answer == ("draw",)
    assert drawn.span == Span("spec.yaml", 15, 14, 15, 24)
    assert clause(spec, "grid/62-draw-stand").answer == ("draw", "stand")
    assert region(clause(spec, "grid/61-stand"))["player_third"] == {0, 1, 2, 3}


def test_otherwise_of_a_grid_leaves_out_its_rows() -> None:
    spec = read(GRID + "    otherwise: {then: stand}\n")
    assert len(clause(spec, "grid/otherwise").excludes) == 4
    assert clause(spec, "grid/otherwise").cites == (Cite(57),)


@pytest.mark.parametrize("row", ['          6: "S D D X"\n', "          6: S D D X\n", "          6: 'S D D X'\n"])
def test_unknown_letter_is_pointed_at_with_any_quotes(row: str) -> None:
    text = f"{HEAD}statements:\n" + GRID.replace('          6: "S D  D F"\n', row)
    (problem,) = problems(text)
    assert problem.line_text[problem.span.column - 1 : problem.span.end_column - 1] == "X"


def test_letter_in_an_escaped_row_is_pointed_at_as_the_whole_row() -> None:
    r"""`\x53` reads as S, so columns of the text are not columns of the file."""
    text = f"{HEAD}statements:\n" + GRID.replace('"S D  D F"', r'"\x53 D D X"')
    (problem,) = problems(text)
    assert problem.line_text[problem.span.column - 1 : problem.span.end_column - 1] == r'"\x53 D D X"'


def test_readings_are_named_and_may_have_cases() -> None:
    spec = read("""\
  - id: cancelled
    cite: "4.3"
    says: a value above nine is cancelled
    about: hand_total
    when: {sum: "> 9"}
    readings:
      tens-cancelled: {then: units}
      all-cancelled:
        cases:
          - {when: {sum: "< 20"}, then: 0}
          - {cite: "5", when: {sum: ">= 20"}, then: 1}
""")
    assert [(c.id, c.reading) for c in spec.clauses] == [
        ("cancelled/tens-cancelled", "tens-cancelled"),
        ("cancelled/all-cancelled/4.3", "all-cancelled"),
        ("cancelled/all-cancelled/5", "all-cancelled"),
    ]
    assert region(spec.clauses[1]) == {"sum": set(range(10, 20))}


def test_statement_that_yields_leaves_out_the_other_where_both_answer() -> None:
    spec = read("""\
  - id: half
    cite: "1"
    says: half on six, and it is no push
    cases:
      - {about: pays, when: {bet: banker, banker_total: 6}, then: 1:2}
      - {about: outcome, when: {bet: banker, winner: banker}, then: win}
  - {id: even, cite: "3", says: even money, about: pays, when: {bet: banker}, then: 1:1, yields_to: half}
""")
    assert clause(spec, "even").excludes == ("half/1",)
    assert spec.statements[1].yields_to == ("half",)


def test_tables_limit_statements_and_resolutions() -> None:
    spec = read(
        """\
  - {id: pays, cite: "1", says: x, about: pays, when: {bet: banker}, then: 1:1}
  - {id: tax, tables: [classica], cite: "3", says: x, about: commission, when: {bet: banker}, then: 5%}
""",
        head=HEAD + "rule_sets: {classica: {title: With commission}, nova: {}}\n",
        tail="resolutions:\n  - {id: r, tables: nova, about: exhausted, then: void, because: x}\n",
    )
    classica, nova = spec.rule_sets
    assert (classica.id, classica.name, classica.title) == ("example/classica", "classica", "With commission")
    assert [c.id for c in spec.clauses_of(classica)] == ["pays", "tax"]
    assert [c.id for c in spec.clauses_of(nova)] == ["pays"]
    assert spec.resolutions[0].tables == ("nova",)


def test_source_without_rule_sets_is_one() -> None:
    (rule_set,) = read('  - {id: a, cite: "1", says: x, about: decks, then: 8}\n').rule_sets
    assert (rule_set.id, rule_set.name, rule_set.title) == ("example", "", "Example")


# --- odds -----------------------------------------------------------------------------------------


def test_for_one_counts_the_stake_in() -> None:
    """ "9 for 1" is 8 to 1. A resolution is ours, and always to one."""
    spec = read(
        """\
  - {id: tie, cite: "1", says: nine for one, about: pays, when: {bet: tie}, then: 9:1}
  - {id: even, cite: "3", says: two for one, about: pays, when: {bet: player}, then: 200%}
  - {id: back, cite: "3", says: one for one, about: pays, when: {bet: banker}, then: 1:1}
  - {id: tax, cite: "3", says: five per cent, about: commission, when: {bet: banker}, then: 5%}
""",
        head=HEAD + 'notation: {odds: for-one, cite: "3", because: it says so}\n',
        tail="resolutions:\n  - {id: r, about: pays, when: {bet: player_pair}, then: 11:1, because: x}\n",
    )
    assert [c.answer for c in spec.clauses] == [(8,), (1,), (0,), (Fraction(1, 20),)]
    assert spec.resolutions[0].answer == (Fraction(11),)
    assert spec.notation is not None
    assert (spec.notation.odds, spec.notation.cites) == ("for-one", (Cite(3),))


# --- beside the statements ------------------------------------------------------------------------


def test_resolutions_of_all_three_kinds() -> None:
    spec = read(
        """\
  - id: cancelled
    cite: "1"
    says: a value above nine is cancelled
    about: hand_total
    when: {sum: "> 9"}
    readings: {tens: {then: units}, all: {then: 0}}
  - {id: eight, cite: "3", says: x, about: winner, when: {player2: 8}, then: player}
""",
        tail="""\
choosers: {player_draw: player, banker_draw: banker}
resolutions:
  - {id: tens, choose: cancelled, reading: tens, because: other sources do}
  - {id: nine, about: winner, when: {player2: 8, banker2: 9}, then: banker, instead_of: [eight], because: x}
  - {convention: losing-bets-lose, because: nobody says it}
accepted: [{finding: dead eight, because: harmless}]
silent: [{cite: ["5", 4.1], because: heading}]
""",
    )
    tens, nine, lose = spec.resolutions
    assert (tens.id, tens.choose, tens.reading, tens.because) == (
        "tens",
        "cancelled",
        "tens",
        "other sources do",
    )
    assert (nine.question, nine.answer, nine.instead_of) == ("winner", ("banker",), ("eight",))
    assert [(test.field, test.text) for test in nine.guard] == [("player2", "8"), ("banker2", "9")]
    assert (lose.id, lose.convention) == ("losing-bets-lose", "losing-bets-lose")
    assert spec.choosers == {"player_draw": "player", "banker_draw": "banker"}
    assert spec.accepted[0].finding == "dead eight"
    assert spec.silent[0].cites == (Cite(5), Cite(4, 1))


def test_resolution_may_stand_instead_of_one_case() -> None:
    spec = read(
        """\
  - id: bank
    cite: "1"
    says: x
    about: banker_draw
    cases:
      - {cite: "3", when: {banker2: 6}, then: draw}
      - {cite: "5", when: {banker2: 7}, then: stand}
""",
        tail="""\
resolutions:
  - {id: six, about: banker_draw, when: {banker2: 6}, then: stand, instead_of: bank/3, because: x}
""",
    )
    assert spec.resolutions[0].instead_of == ("bank/3",)


# --- errors ---------------------------------------------------------------------------------------


def test_all_errors_of_a_file_are_told_together() -> None:
    """Also those of different stages: a duplicate key, an unknown field and a name of nothing."""
    found = problems("""\
source: {id: example, title: Example, language: en, lines: 9}
statements:
  - {id: a, id: b, cite: "1", says: x, about: decks, then: 8}
  - {id: c, cite: "3", says: x, about: winner, when: {hgher: player}, then: player, yields_to: [z]}
""")
    assert [(p.code, p.span.line) for p in found] == [
        ("duplicate-key", 3),
        ("unknown-field", 4),
        ("unknown-id", 4),
    ]


@pytest.mark.parametrize(
    "key, near",
    [("abuot", "about"), ("About", "about"), ("wen", "when"), ("yields-to", "yields_to"), ("case", "cases")],
)
def test_misspelt_key_is_named_and_read_as_the_one_that_was_meant(key: str, near: str) -> None:
    body = {"about": "decks", "when": "{}", "then": "8", "yields_to": "[]", "cases": "[]"}
    entry = f'id: a, cite: "1", says: x, about: decks, then: 8, {key}: {body[near]}'
    if near == "about":
        entry = f'id: a, cite: "1", says: x, then: 8, {key}: decks'
    found = problems(f"{HEAD}statements:\n  - {{{entry}}}\n")
    told = [p for p in found if p.code == "unknown-key"]
    assert [(p.message, p.help) for p in told] == [(f"unknown key `{key}` in a statement", f"did you mean `{near}`?")]
    assert not [p for p in found if p.code == "missing-key"]


def test_misspelt_key_beside_the_right_one_is_only_named() -> None:
    text = f'{HEAD}statements:\n  - {{id: a, cite: "1", says: x, about: decks, abuot: deks, then: 8}}\n'
    assert [p.code for p in problems(text)] == ["unknown-key"]


def test_wrong_number_of_lines_does_not_make_every_cite_wrong() -> None:
    text = (
        HEAD.replace("lines: 70", "lines: many")
        + 'statements:\n  - {id: a, cite: "50", says: x, about: decks, then: 8}\n'
    )
    assert [p.code for p in problems(text)] == ["bad-number"]


def test_message_shows_the_place_in_a_long_line() -> None:
    text = f'{HEAD}statements:\n  - {{id: a, cite: "1", says: {"long " * 100}, about: deks, then: 8}}\n'
    *_, code, caret, help = problems(text)[0].render().splitlines()
    assert len(code) < 120
    assert code[caret.index("^") : caret.rindex("^") + 1] == "deks"
    assert help == " = help: did you mean `decks`?"


def test_message_underlines_a_value_of_several_lines_to_the_end_of_its_first() -> None:
    text = f'{HEAD}statements:\n  - id: a\n    cite: "1"\n    says: x\n    about: decks\n'
    text += "    then: [8,\n      6]\n"
    (problem,) = problems(text)
    *_, code, caret, _ = problem.render().splitlines()
    assert code[caret.index("^") : caret.rindex("^") + 1] == "[8,"


def test_unknown_source_without_a_library() -> None:
    text = f"{HEAD}extends: {{source: home-pt, questions: [natural]}}\nstatements:\n"
    text += '  - {id: a, cite: "1", says: x, about: decks, then: 8}\n'
    (problem,) = problems(text)
    assert (problem.code, problem.help) == ("unknown-source", "give its folder with --specs")


# --- the documentation ----------------------------------------------------------------------------


def table(heading: str) -> list[list[str]]:
    """The rows of the first table under a heading of docs/language.md."""
    section = LANGUAGE.read_text(encoding="utf-8").split(f"\n## {heading}\n")[1].split("\n## ")[0]
    rows = [line.strip("|").split("|") for line in section.splitlines() if line.startswith("|")]
    return [[cell.strip() for cell in row] for row in rows[2:]]


def test_documented_questions_are_the_closed_list() -> None:
    assert [row[0] for row in table("Questions")] == list(QUESTIONS)


@pytest.mark.parametrize("row", table("Questions"), ids=lambda row: str(row[0]))
def test_documented_fields_and_answers_are_those_of_the_question(row: list[str]) -> None:
    name, fields, answers, silence = row
    question = QUESTIONS[name]
    named = {word for word in re.findall(r"\b[a-z_0-9]+\b", re.sub(r"\([^)]*\)", "", fields)) if word in FIELDS}
    if "winner's" in fields:
        named = {"bet", *QUESTIONS["winner"].fields, "winner", "player_pair", "banker_pair"}
    elif "as outcome" in fields or "as pays" in fields:
        named = set(QUESTIONS["outcome"].fields)
    assert named - {"bets"} == set(question.fields)
    for option in question.options:
        assert option in answers
    if name not in ("rounding", "other"):  # silence about rounding is judged by `chips`
        assert question.silent in silence
    if question.default:
        assert silence.startswith(question.default)

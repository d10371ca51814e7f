"""The states around the coup: what is listed of endless numbers tells everything apart that guards can."""

from __future__ import annotations

import time
from collections.abc import Callable
from fractions import Fraction
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from oracle.checks.chips import check_chips
from oracle.checks.conflict import check_conflict
from oracle.checks.dead import check_dead
from oracle.checks.gap import check_gap
from oracle.checks.regions import show_region
from oracle.game.bets import refusals
from oracle.game.chip_sums import can_be_laid
from oracle.game.money import legal_stakes, round_net, unpayable
from oracle.game.rules import Rules
from oracle.game.space import MAX_ROWS, Space, mask_of
from oracle.rules import model
from oracle.rules.values import Between, Value, contains
from oracle.spans import OracleError, Span

Make = Callable[..., Rules]


def said(question: str, *cases: str) -> str:
    """A statement about a question, a case each as `guard -> answer`."""
    lines = []
    for case in cases:
        guard, _, answer = case.rpartition("->")
        lines.append(f"      - {{when: {{{guard.strip()}}}, then: {answer.strip()}}}\n")
    head = f'  - id: {question.replace("_", "-")}\n    cite: "22"\n    says: x\n    about: {question}\n    cases:\n'
    return head + "".join(lines)


def chips(values: str) -> str:
    return f'  - {{id: chips, cite: "22", says: chips, about: chips, then: [{values}]}}\n'


def open_values(rules: Rules, question: str, field: str, kind: str) -> list[Value]:
    """The values of a field at which a question is open in this way."""
    evaluation = rules.evaluation(question)
    mask = getattr(evaluation.literal, kind)
    return sorted({v for i, v in enumerate(evaluation.space.column(field)) if mask >> i & 1}, key=str)


# --- which numbers are listed ---------------------------------------------------------------------


def test_a_conflict_past_the_greatest_constant_is_found_at_the_next_sum_of_chips(plain_rules: Make) -> None:
    stakes = said("stake", "in_chips: yes -> allowed", "in_chips: no -> refused", 'stake: "> 500" -> refused')
    rules = plain_rules(add=chips("25, 100") + stakes)
    assert open_values(rules, "stake", "stake", "conflict") == [525]
    assert len(list(check_conflict(rules, "stake"))) == 1


def test_a_gap_past_the_greatest_constant_is_found_at_the_next_sum_of_chips(plain_rules: Make) -> None:
    stakes = said("stake", "in_chips: no -> refused", 'stake: "<= 500", in_chips: yes -> allowed')
    rules = plain_rules(add=chips("25, 100") + stakes)
    assert open_values(rules, "stake", "stake", "gap") == [525]
    assert len(list(check_gap(rules, "stake"))) == 1


def test_chips_alone_need_no_number_to_speak_of(plain_rules: Make) -> None:
    rules = plain_rules(add=chips("5, 25, 100") + said("stake", "in_chips: yes -> allowed", "in_chips: no -> refused"))
    assert list(check_dead(rules, "stake")) == []


def test_sums_of_chips_are_listed_as_far_as_they_are_irregular(plain_rules: Make) -> None:
    """Of 7 and 11 nothing makes 59, and everything from 60 on is made."""
    rules = plain_rules(add=chips("7, 11") + said("stake", "in_chips: yes -> allowed", "in_chips: no -> refused"))
    refused = rules.evaluation("stake").resolved.permits["refused"]
    column = rules.space("stake").column("stake")
    assert max(int(v) for i, v in enumerate(column) if refused >> i & 1) == 59


def test_a_conflict_a_period_below_the_least_constant_is_found(plain_rules: Make) -> None:
    score = said(
        "score",
        "balance: multiple of 5 -> balance",
        'balance: "< 20" -> none',
        'balance: ">= 20" -> balance',
    )
    ends = said("session_end", "event: leave -> end")
    rules = plain_rules(add=ends + score)
    assert open_values(rules, "score", "balance", "conflict") == [15]
    assert len(list(check_conflict(rules, "score"))) == 1


tests = st.one_of(
    st.integers(0, 60).map(lambda n: f'stake: "> {n}"'),
    st.integers(2, 60).map(lambda n: f'stake: "< {n}"'),
    st.integers(1, 60).map(lambda n: f"stake: {n}"),
    st.integers(1, 6000).map(lambda n: f"stake: {n}"),
    st.integers(2, 12).map(lambda n: f"stake: multiple of {n}"),
    st.sampled_from(("in_chips: yes", "in_chips: no")),
)


@settings(max_examples=60, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(st.lists(tests, min_size=1, max_size=4), st.lists(st.integers(1, 30), min_size=1, max_size=3, unique=True))
@pytest.mark.slow
def test_every_number_has_a_listed_one_that_all_guards_treat_alike(
    plain_rules: Make, guards: list[str], values: list[int]
) -> None:
    stakes = said("stake", *(f"{guard} -> allowed" for guard in guards))
    rules = plain_rules(add=chips(", ".join(map(str, values))) + stakes)
    space = rules.space("stake")
    clauses = rules.clauses_about("stake")

    def seen(state: dict[str, Any]) -> tuple[bool, ...]:
        return tuple(all(contains(test.values, state[test.field]) for test in clause.guard) for clause in clauses)

    listed = {seen(space.state(i, space.fields)) for i in range(len(space))}
    for stake in range(1, 8000):
        word = "yes" if can_be_laid(stake, values) else "no"
        assert seen({"stake": stake, "in_chips": word}) in listed, stake


# --- how much is listed ---------------------------------------------------------------------------


def test_large_spans_are_few_states_and_fast(plain_rules: Make) -> None:
    stakes = said(
        "stake",
        "stake: 100-100000, in_chips: yes, bet: [player, banker, tie] -> allowed",
        "stake: not 100-100000 -> refused",
        "in_chips: no -> refused",
    )
    ends = said("session_end", 'balance: ">= 1000000" -> end', 'balance: "<= 0" -> end', 'coups: ">= 5000" -> end')
    begun = time.perf_counter()
    rules = plain_rules(add=chips("25, 100") + stakes + ends)
    for question in ("stake", "session_end"):
        evaluation = rules.evaluation(question)
        assert len(evaluation.space) < 3000
        assert not evaluation.open
        show_region(rules, question, evaluation.resolved.permits["allowed" if question == "stake" else "end"])
    assert legal_stakes(rules, "tie") == list(range(100, 100_001, 25))
    assert time.perf_counter() - begun < 5


def test_many_multiples_are_thinned_to_their_kinds(plain_rules: Make) -> None:
    score = said(
        "score", "balance: multiple of 10007 -> balance", "balance: multiple of 7 -> none", "balance: 3 -> none"
    )
    rules = plain_rules(add=said("session_end", "event: leave -> end") + score)
    assert len(rules.space("score")) < 100
    assert {int(v) % (7 * 10007) for v in open_values(rules, "score", "balance", "conflict")} == {0}


def test_the_product_of_fields_is_limited(plain_rules: Make) -> None:
    many = [f'balance: "{n * 1000}" -> end' for n in range(300)] + [f"coups: {n * 50 + 1} -> end" for n in range(300)]
    rules = plain_rules(add=said("session_end", *many))
    with pytest.raises(OracleError, match="states; the limit is"):
        rules.space("session_end")
    assert MAX_ROWS == 200_000


def test_what_cannot_be_listed_is_told(plain_rules: Make) -> None:
    rules = plain_rules(add=said("stake", "stake: multiple of 1000003 -> allowed", 'stake: "> 7000000" -> refused'))
    with pytest.raises(OracleError, match="tells too many numbers apart"):
        rules.space("stake")


def test_guards_of_many_values_are_looked_up_row_by_row() -> None:
    """One mask for each of so many values would be gigabytes."""
    space = Space(("stake",), ((n,) for n in range(100_000)))
    begun = time.perf_counter()
    mask = space.select([model.Test("stake", Between(10, 70_000), "", Span("", 1, 1, 1, 1))])
    assert mask == mask_of(range(10, 70_001))
    assert time.perf_counter() - begun < 2


# --- bets and scores ------------------------------------------------------------------------------


def test_a_bet_that_the_table_lacks_is_laid_by_nobody(plain_rules: Make) -> None:
    together = said("bets_together", "dragon: yes -> refused", "dragon: no -> allowed")
    rules = plain_rules({"together": together})
    assert set(rules.space("bets_together").column("dragon")) == {"no"}
    assert not rules.evaluation("bets_together").open
    assert list(refusals(rules, {"tie": Fraction(5)})) == []


def test_scores_are_those_of_ends_alone(plain_rules: Make) -> None:
    """After a coup the session ends at 100 alone, so nothing has to say what the score of another balance is then."""
    ends = said("session_end", "event: leave -> end", 'event: coup, balance: ">= 100" -> end')
    score = said("score", "event: leave -> balance", 'event: coup, balance: ">= 100" -> none')
    rules = plain_rules(add=ends + score)
    assert list(check_gap(rules, "score")) == []
    column = zip(rules.space("score").column("event"), rules.space("score").column("balance"), strict=True)
    assert min(balance for event, balance in column if event == "coup") == 100


def test_a_score_may_ask_for_what_the_end_does_not(plain_rules: Make) -> None:
    rules = plain_rules(
        add=said("session_end", 'coups: ">= 8" -> end')
        + said("score", "event: coup -> balance", "event: leave -> none")
    )
    assert set(rules.space("score").column("event")) == {"coup", "leave"}
    assert list(check_gap(rules, "score")) == []


def test_constants_of_resolutions_count(plain_rules: Make) -> None:
    tail = 'resolutions:\n  - {id: r, about: stake, when: {stake: "> 70"}, then: refused, because: x}\n'
    rules = plain_rules(add=said("stake", "stake: multiple of 5 -> allowed"), tail=tail)
    assert open_values(rules, "stake", "stake", "gap")[-1] == 9
    assert {71, 72, 73, 74, 75} <= set(rules.space("stake").column("stake"))


# --- chips without a limit ------------------------------------------------------------------------


def test_stakes_without_a_limit_are_no_list(plain_rules: Make) -> None:
    rules = plain_rules(add=said("stake", "stake: multiple of 5 -> allowed"))
    assert legal_stakes(rules, "tie") is None


def test_chips_are_counted_over_a_period_where_stakes_have_no_limit(plain_rules: Make) -> None:
    """19/20 of 5, 10 … 95 is no multiple of five, of 100 it is, and so on for ever."""
    rules = plain_rules(add=chips("5, 25") + said("stake", "stake: multiple of 5 -> allowed"))
    (entry,) = unpayable(rules)
    assert (entry.stakes, entry.of_stakes, entry.among, entry.least) == (19, 20, "every", 5)
    (finding,) = check_chips(rules)
    assert finding.message == "19 of every 20 legal stakes on banker win what chips can't pay, least: 5 nets 4.75"


def test_where_nothing_is_said_of_stakes_those_that_chips_make_are_counted(plain_rules: Make) -> None:
    (entry,) = unpayable(plain_rules(add=chips("5, 25")))
    assert (entry.stakes, entry.of_stakes, entry.among, entry.least) == (19, 20, "every", 5)


@pytest.mark.parametrize("how", ["exact", "down to 1", "up to 5", "nearest 2"])
@pytest.mark.parametrize("values", ["5, 25", "3, 7", "4, 10"])
def test_a_period_of_nets_counts_as_the_next_ones_do(plain_rules: Make, how: str, values: str) -> None:
    rounded = f'  - {{id: rounded, cite: "22", says: x, about: rounding, then: {how}}}\n'
    rules = plain_rules(add=chips(values) + rounded + said("stake", 'stake: ">= 2", in_chips: yes -> allowed'))
    whole = [int(value) for value in values.split(", ")]

    def bad(stakes: range) -> tuple[int, int]:
        legal = [stake for stake in stakes if can_be_laid(stake, whole)]
        nets = [round_net(rules, Fraction(stake) * Fraction(19, 20)) for stake in legal]
        return sum(not (n.denominator == 1 and can_be_laid(int(n), whole)) for n in nets), len(legal)

    entries = [entry for entry in unpayable(rules) if entry.bet == "banker" and entry.among == "every"]
    share, of = bad(range(2000, 2000 + 4200))  # a multiple of every period here
    assert [Fraction(e.stakes, e.of_stakes) for e in entries] == ([Fraction(share, of)] if share else [])


@pytest.mark.slow
def test_chips_of_far_limits_are_counted_as_far_as_lists_go(plain_rules: Make) -> None:
    stakes = said(
        "stake",
        'stake: "<= 1000000", in_chips: yes -> allowed',
        'stake: "> 1000000" -> refused',
        "in_chips: no -> refused",
    )
    rules = plain_rules(add=chips("100") + stakes)
    assert legal_stakes(rules, "tie") is None
    (entry,) = unpayable(rules)
    assert (entry.stakes, entry.of_stakes, entry.among) == (1900, 2000, "the first")


# --- regions --------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("question", "cases", "shown"),
    [
        ("participants", ["participants: multiple of 3 -> refused"], "participants: [1, 2, ...]"),
        ("participants", ["participants: 2-8 -> allowed"], "participants: [< 2, >= 9]"),
        ("participants", ['participants: "< 2" -> allowed', 'participants: "> 8" -> refused'], "participants: 2-8"),
        ("participants", ['participants: "> 300000" -> refused'], "participants: < 300001"),
        (
            "participants",
            [
                "participants: 5-399999 -> refused",
                'participants: "< 4" -> refused',
                'participants: "> 400000" -> refused',
            ],
            "participants: [4, 400000]",
        ),
        ("participants", ["participants: not 5-400000 -> refused"], "participants: 5-400000"),
        (
            "participants",
            ["participants: multiple of 3 -> refused", 'participants: "< 4" -> refused'],
            "participants: [4, 5, 7, ...]",
        ),
    ],
)
def test_numbers_are_shown_as_guards_write_them(plain_rules: Make, question: str, cases: list[str], shown: str) -> None:
    rules = plain_rules(add=said(question, *cases))
    assert show_region(rules, question, rules.evaluation(question).literal.gap) == shown


@pytest.mark.parametrize(
    ("guard", "shown"),
    [
        ('balance: "< 5"', "balance: >= 5"),
        ('balance: "<= 5"', "balance: > 5"),
        ('balance: ">= 5"', "balance: < 5"),
        ('balance: "> 5"', "balance: <= 5"),
        ("balance: not 5-9", "balance: 5-9"),
        ("balance: not 5", "balance: 5"),
        ("balance: 5-9", "balance: [< 5, > 9]"),
        ("balance: [5, 6, 7]", "balance: [< 5, between 5 and 6, between 6 and 7, > 7]"),
    ],
)
def test_halves_stand_for_what_lies_between(plain_rules: Make, guard: str, shown: str) -> None:
    rules = plain_rules(add=said("session_end", "event: leave -> end") + said("score", f"{guard} -> none"))
    assert show_region(rules, "score", rules.evaluation("score").literal.gap) == shown


def test_a_countdown_is_shown_ascending(plain_rules: Make) -> None:
    decks = '  - {id: decks, cite: "22", says: x, about: decks, then: 1}\n'
    rules = plain_rules(add=decks + said("reshuffle", 'remaining: "< 4" -> shuffle'))
    shown = show_region(rules, "reshuffle", rules.evaluation("reshuffle").resolved.permits["shuffle"])
    assert shown == "remaining: < 4"


def test_the_only_field_of_a_question_is_shown_though_nothing_tests_it(plain_rules: Make) -> None:
    rules = plain_rules({"total": '  - {id: total, cite: "2", says: x, about: hand_total, then: sum}\n'})
    assert show_region(rules, "hand_total", rules.evaluation("hand_total").literal.conflict).startswith("sum: ")


# --- sums of chips --------------------------------------------------------------------------------


@given(st.lists(st.integers(1, 40), min_size=1, max_size=4), st.integers(-3, 900))
def test_sums_of_chips_are_those_of_trying_all(values: list[int], amount: int) -> None:
    sums = {0}
    for total in range(1, amount + 1):
        if any(total - chip in sums for chip in values):
            sums.add(total)
    assert can_be_laid(amount, values) == (amount in sums)

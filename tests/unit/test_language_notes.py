"""What `docs/language.md` says in passing, held by the loader."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from oracle.checks.run import check_spec
from oracle.game.rules import Rules
from oracle.rules.model import Spec
from oracle.rules.read import read_spec_text
from oracle.spans import SpecError

MakeSpec = Callable[..., Spec]
MakeRules = Callable[..., Rules]


@pytest.mark.parametrize("written", ["7", "07", "0007"])
def test_a_number_may_have_leading_zeros(plain_rules: MakeRules, written: str) -> None:
    rules = plain_rules(add=f'  - {{id: seven, cite: "22", says: x, about: decks, then: {written}}}\n')
    assert rules.value("decks") == 7


def test_points_are_one_digit(plain_text: Callable[..., str]) -> None:
    text = plain_text({"total": '  - {id: total, cite: "2", says: x, about: hand_total, then: 07}\n'})
    with pytest.raises(SpecError, match="`07` is no answer to hand_total"):
        read_spec_text(text)


def test_without_a_digest_nothing_is_counted(plain_spec: MakeSpec) -> None:
    spec = plain_spec({"natural": None}, tail="")
    report = check_spec(spec, [Rules(spec, spec.rule_sets[0])])
    assert report.coverage is None
    assert "unaccounted" not in {finding.code for finding in report.findings}


@pytest.mark.parametrize("notation", ["", 'notation: {odds: for-one, because: x, cite: "1"}\n'])
def test_odds_of_a_resolution_are_to_one_whatever_the_document_writes(plain_rules: MakeRules, notation: str) -> None:
    head = "source: {id: plain, title: Plain game, language: en, lines: 22}\n" + notation
    pays = '  - {id: pays, cite: "20", says: x, about: pays, when: {bet: [player, banker]}, then: "2:1"}\n'
    tie = 'resolutions:\n  - {id: tie, about: pays, when: {bet: tie}, then: "8:1", because: x}\n'
    evaluation = plain_rules({"pays": pays}, head=head, tail=tie).evaluation("pays")
    found = {str(row[0]): evaluation.answer(i)[0] for i, row in enumerate(evaluation.space.rows)}
    assert found == {"player": 1 if notation else 2, "banker": 1 if notation else 2, "tie": 8}

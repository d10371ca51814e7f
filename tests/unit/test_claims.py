"""Claims are judged by what the rules compute: each kind by hand, and every shipped claim against its own negation."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from fractions import Fraction
from functools import cache
from pathlib import Path

import pytest
from msgspec.structs import replace

from oracle.cards import parse_card
from oracle.checks.claim_context import ClaimContext
from oracle.checks.claims import ClaimVerdict, judge, judge_claims
from oracle.checks.run import check_spec
from oracle.game.coup import play
from oracle.game.evaluate import Evaluation
from oracle.game.rules import Rules
from oracle.rules.answers import Atom
from oracle.rules.assertions import (
    AnswersClaim,
    ArithmeticClaim,
    BoundClaim,
    Claim,
    CompareClaim,
    ConsecutiveClaim,
    CoupClaim,
    EndsClaim,
    ExistsClaim,
    InvariantClaim,
    SameClaim,
)
from oracle.rules.guard import Test as GuardLine
from oracle.rules.library import Library
from oracle.rules.model import Spec
from oracle.rules.questions import FIELDS, QUESTIONS
from oracle.rules.read import read_spec_text
from oracle.rules.values import Among, Other
from tests.nonempty import nonempty

ROOT = Path(__file__).resolve().parents[2]
SPECS = Library().specs()
ROOM = ClaimContext(SPECS)
TEXT = (ROOT / "specs" / "home-pt.yaml").read_text(encoding="utf-8")

Make = Callable[[dict[str, str]], Rules]


@cache
def verdicts() -> list[ClaimVerdict]:
    """The verdicts on all claims of the shipped sources."""
    return [verdict for spec in SPECS for verdict in judge_claims(spec, ROOM)]


def checkable() -> list[ClaimVerdict]:
    """Those that something was found out about."""
    return [v for v in verdicts() if v.resolved.verdict in ("verified", "refuted")]


def judged(claim: str, *, literal: bool = False, head: str = TEXT) -> tuple[str, str]:
    """The verdict on one more claim of home-pt, and its evidence."""
    text = f"{head.rstrip()}\n  - {{id: probe, cite: '1', says: probe, {claim}}}\n"
    spec = read_spec_text(text, name="probe.yaml")
    rules = Rules(spec, spec.rule_sets[0], literal=literal)
    context = ClaimContext([spec, *(other for other in SPECS if other.id != spec.id)])
    found = judge(spec.claims[-1], rules, context)
    return found.verdict, found.evidence


# The example of home-pt, section 06: 4H 9C against 2S AD and an eight; the banker stands and wins.
@pytest.mark.parametrize(
    ("claim", "verdict"),
    [
        ("kind: coup, cards: 4H 2S 9C AD 8D, expect: {winner: banker, player_total: 1, banker_drew: no}", "verified"),
        ("kind: coup, cards: 4H 2S 9C AD 8D, expect: {winner: player}", "refuted"),
        ("kind: coup, cards: 4H 2S 9C AD 8D, bets: {banker: 20}, net: {banker: 19}", "verified"),
        ("kind: coup, cards: 4H 2S 9C AD 8D, bets: {banker: 20}, net: {banker: 20}", "refuted"),
        ("kind: coup, cards: 4H 2S 9C AD 8D, by: {banker_draw: '26.1'}", "verified"),
        ("kind: coup, cards: 4H 2S 9C AD 8D, by: {banker_draw: '21'}", "refuted"),
        ("kind: coup, cards: 4H 2S 9C, expect: {winner: banker}", "refuted"),
        ("kind: arithmetic, cards: 7 8, sum: 15, total: 5", "verified"),
        ("kind: arithmetic, cards: K 9 8, total: 7", "verified"),
        ("kind: arithmetic, cards: 7 8, total: 6", "refuted"),
        ("kind: answers, about: player_draw, when: {player2: 5}, then: draw", "verified"),
        ("kind: answers, about: player_draw, when: {player2: 5-6}, then: draw", "refuted"),
        ("kind: answers, about: banker_draw", "verified"),
        ("kind: answers, about: player_draw, when: {player2: 9}, then: draw", "vacuous"),
        ("kind: ends, then: {player_cards: 2-3}", "verified"),
        ("kind: ends, when: {player2: 8}, then: {winner: player}", "refuted"),
        ("kind: ends, when: {player2: 8}, some: {winner: banker}", "verified"),
        ("kind: ends, when: {player2: 9}, some: {winner: banker}", "refuted"),
        ("kind: compare, measure: frequency, of: {winner: banker}, is: more, than: {winner: player}", "verified"),
        ("kind: compare, measure: edge, of: banker, is: less, than: every other bet", "verified"),
        ("kind: compare, measure: edge, of: tie, is: less, than: player", "refuted"),
        ("kind: bound, measure: frequency, of: {winner: tie}, is: '< 9.52%'", "verified"),
        ("kind: bound, measure: frequency, of: {winner: tie}, is: '< 9.51%'", "refuted"),
        ("kind: bound, measure: edge, of: tie, is: '>= 14.3596%'", "verified"),
        ("kind: exists, about: pays, when: {bet: tie}, then: '9:1'", "verified"),
        ("kind: exists, about: pays, when: {bet: tie}, then: '10:1'", "open"),
        ("kind: invariant, about: banker_draw, depends_on: [banker2, player_third]", "verified"),
        ("kind: invariant, about: banker_draw, depends_on: [banker2]", "refuted"),
        ("kind: same, as: grid-pt, differs: [bets_together]", "refuted"),
        ("kind: consecutive, is: independent", "verified"),
        ("kind: consecutive, is: dependent", "refuted"),
        ("kind: disputed, by: grid-pt 5.2", "disputed"),
        ("kind: disputed, by: nobody 1", "skipped"),
        ("kind: not-checkable, because: taste", "not-checkable"),
    ],
)
def test_a_claim_is_judged_by_its_kind(claim: str, verdict: str) -> None:
    assert judged(claim)[0] == verdict


def test_frequencies_are_the_published_ones() -> None:
    """Player 44.6247 %, banker 45.8597 %, tie 9.5156 %: the integers of wizardofodds.com, baccarat, appendix 1."""
    _, evidence = judged("kind: compare, measure: frequency, of: {winner: banker}, is: more, than: {winner: player}")
    assert evidence == (
        "frequency of (winner banker) 45.8597 % (2,292,252,566,437,888 of 4,998,398,275,503,360 sequences), "
        "of (winner player) 44.6247 % (2,230,518,282,592,256)"
    )


def test_what_the_text_leaves_open_is_not_held_against_it() -> None:
    """grid-pt gives totals by two examples only: of the text alone nothing about whole coups is known."""
    ends = [v for v in checkable() if v.rules == "grid-pt" and isinstance(v.claim.body, EndsClaim)]
    assert any(v.resolved.verdict == "verified" for v in ends)
    assert all(v.literal.verdict in ("open", "refuted") for v in nonempty(ends))


def test_the_rule_decides_everything_only_as_resolved() -> None:
    """selminha line 3 says so; its rows 3 to 6 leave 19 cells, 114 states, open."""
    found = [v for v in verdicts() if v.rules == "selminha/classica" and any(str(c) == "3.2" for c in v.claim.cites)]
    banker = [v for v in found if v.literal.verdict == "refuted"]
    assert banker
    assert all("114 of 496 states" in v.literal.evidence and v.resolved.verdict == "verified" for v in nonempty(banker))


def test_the_cheapest_bet_depends_on_the_table() -> None:
    """selminha line 74: banker 1.0579 % against player 1.2351 % with commission, 1.4581 % where six pays half."""
    found = {
        v.rules: v
        for v in checkable()
        if isinstance(v.claim.body, CompareClaim) and v.claim.body.than is None and v.claim.body.of.bet == "banker"
    }
    assert found["selminha/classica"].resolved.verdict == "verified"
    assert found["selminha/sem-comissao"].resolved.verdict == "refuted"
    assert "banker 1.4581 %, of player 1.2351 %" in found["selminha/sem-comissao"].resolved.evidence


@pytest.mark.parametrize("spec", SPECS, ids=lambda spec: spec.id)
def test_what_fails_is_accepted_with_a_reason(spec: Spec) -> None:
    report = check_spec(spec, context=ROOM)
    failed = [finding for finding in report.findings if finding.code == "false-claim"]
    assert all(finding.status in ("accepted", "resolved") and finding.because for finding in nonempty(failed))
    assert not [verdict for verdict in report.claims if verdict.resolved.verdict == "skipped"]


def test_no_source_file_knows_a_claim() -> None:
    code = "\n".join(path.read_text(encoding="utf-8") for path in sorted((ROOT / "oracle").rglob("*.py")))
    words = set(re.findall(r"[a-z0-9]+(?:-[a-z0-9]+)+|[a-z]+", code))
    assert not {claim.id for spec in SPECS for claim in spec.claims} & words


# --- every checkable claim against its negation -----------------------------------------------


@pytest.mark.parametrize("id", [rule_set.id for spec in SPECS for rule_set in spec.rule_sets])
def test_negating_a_claim_turns_its_verdict(id: str) -> None:
    rules = ROOM.rules(id)
    assert rules is not None
    entries = [entry for entry in checkable() if entry.rules == id]
    assert entries
    for entry in entries:
        held = entry.resolved.verdict == "verified"
        turned = [judge(claim, other, ROOM).verdict for claim, other in negations(entry.claim, rules)]
        assert any((verdict == "verified") != held for verdict in turned), entry.claim.id


def negations(claim: Claim, rules: Rules) -> Iterator[tuple[Claim, Rules]]:
    """The claim negated as its kind allows: one of these has to be judged otherwise."""
    body = claim.body
    match body:
        case EndsClaim(guard, then, some):
            for test in then:  # "all are" against "one is not", and the other way round
                yield (
                    replace(claim, body=EndsClaim(guard, (replace(test, values=Other(test.values)),), not some)),
                    rules,
                )
        case CoupClaim():
            yield from ((replace(claim, body=other), rules) for other in coups(body, rules))
        case ArithmeticClaim(cards, _, _):
            for number in range(28):
                yield replace(claim, body=ArithmeticClaim(cards, number, None)), rules
                yield replace(claim, body=ArithmeticClaim(cards, None, number)), rules
        case AnswersClaim(question, guard, then):
            if then:
                for atom in others(question, then):
                    yield replace(claim, body=AnswersClaim(question, guard, (atom,))), rules
            else:
                yield claim, without(rules, question)
        case CompareClaim(measure, of, relation, than):
            opposite = {"less": "more", "more": "less", "equal": "less"}[relation]
            yield replace(claim, body=CompareClaim(measure, of, opposite, than)), rules
            for bet in rules.bets if of.bet else ():
                yield replace(claim, body=CompareClaim(measure, replace(of, bet=bet, text=bet), relation, than)), rules
        case BoundClaim(measure, of, relation, bound):
            opposite = {"<": ">=", "<=": ">", ">": "<=", ">=": "<", "=": "<"}[relation]
            yield replace(claim, body=BoundClaim(measure, of, opposite, bound)), rules
        case ConsecutiveClaim(independent):
            yield replace(claim, body=ConsecutiveClaim(not independent)), rules
        case SameClaim(id, differs):
            yield replace(claim, body=SameClaim(id, differs[1:])), rules
        case ExistsClaim(question, guard, then):
            for atom in others(question, then):
                yield replace(claim, body=ExistsClaim(question, guard, (atom,))), rules
        case InvariantClaim(question, guard, depends_on):
            for field in depends_on:
                rest = tuple(other for other in depends_on if other != field)
                yield replace(claim, body=InvariantClaim(question, guard, rest)), rules
            yield claim, changed(rules, body)
        case _:
            raise AssertionError(claim.kind)


def coups(body: CoupClaim, rules: Rules) -> Iterator[CoupClaim]:
    for field in body.expect:
        for value in ("player", "banker", "tie", "none", "both", "yes", "no", *map(str, range(10)), "value", "rank"):
            yield replace(body, expect={**body.expect, field: value})
    for bet, net in body.net.items():
        yield replace(body, net={**body.net, bet: net + Fraction(1)})
    coup = play(rules, [parse_card(card) for card in body.cards], bets=body.bets)
    for question in body.by:
        lines = [c.lines for d in coup.trace if d.question == question for c in d.fired]
        yield from (replace(body, by={**body.by, question: line}) for line in [*lines, "1"])


def others(question: str, then: tuple[Atom, ...]) -> list[Atom]:
    """Answers of a question that the claim doesn't name."""
    kind = QUESTIONS[question]
    table: dict[str, list[Atom]] = {
        "odds": [Fraction(97), Fraction(1, 97)],
        "share": [Fraction(97, 100)],
        "points": list(range(10)),
        "total": list(range(10)),
        "number": [9797],
        "decks": [97],
        "bets": [("nothing",)],
        "numbers": [(97,)],
    }
    known = table.get(kind.answer, list(kind.options))
    return [atom for atom in known if atom not in then]


def without(rules: Rules, question: str) -> Rules:
    """The rules with nothing said about a question."""
    spec = rules.spec
    bare = replace(
        spec,
        clauses=tuple(c for c in spec.clauses if c.question != question),
        resolutions=tuple(r for r in spec.resolutions if r.question != question),
    )
    return Rules(bare, rules.rule_set)


def changed(rules: Rules, body: InvariantClaim) -> Rules:
    """The rules with one clause that the claim speaks of made to depend on a field that it doesn't name."""
    spec = rules.spec
    evaluation = rules.evaluation(body.question)
    mask = evaluation.space.select(body.guard)
    clause = next(c for c in evaluation.active({}) if evaluation.masks[c.id] & mask)
    taken = {test.field for test in clause.guard} | {*body.depends_on, "bet", "winner", "natural", "higher"}
    field = next(f for f in QUESTIONS[body.question].fields if f not in taken and known_to(evaluation, f))
    value = FIELDS[field].domain[len(FIELDS[field].domain) // 2]
    test = GuardLine(field, Among(frozenset([value])), str(value), clause.span)
    answer = (others(body.question, clause.answer)[0],)
    other = replace(clause, id=f"{clause.id}-changed", answer=answer, guard=(*clause.guard, test))
    rest = replace(clause, excludes=(*clause.excludes, other.id))
    clauses = [new for c in spec.clauses for new in ([rest, other] if c.id == clause.id else [c])]
    return Rules(replace(spec, clauses=tuple(clauses)), rules.rule_set)


def known_to(evaluation: Evaluation, field: str) -> bool:
    """Fields of the coup are known to every question about bets, whether its space shows them or not."""
    return evaluation.space.has(field) or evaluation.question.stage == "money"


def test_every_kind_that_can_be_judged_is_among_the_shipped_ones() -> None:
    assert {v.claim.kind for v in checkable()} == {
        "answers", "arithmetic", "bound", "compare", "consecutive", "coup", "ends", "exists", "invariant", "same",
    }  # fmt: skip


# --- guards and fields that only claims name ---------------------------------------------------


@pytest.mark.parametrize(
    ("claim", "verdict"),
    [
        ("kind: answers, about: pays, when: {bet: banker, banker_total: 6}, then: '1:1'", "refuted"),
        ("kind: answers, about: pays, when: {bet: banker, banker_total: 6}, then: '19:20'", "verified"),
        ("kind: invariant, about: pays, when: {bet: banker}, depends_on: [banker_total]", "verified"),
        ("kind: exists, about: pays, when: {bet: banker, player_third: 6}, then: '1:1'", "verified"),
        ("kind: exists, about: bets_together, when: {dragon: yes}, then: allowed", "open"),
        ("kind: bound, measure: frequency, of: {player_pair: [rank, card]}, is: '> 7.4%'", "verified"),
        ("kind: bound, measure: frequency, of: {player_pair: [rank, card]}, is: '< 7.4%'", "refuted"),
        ("kind: bound, measure: frequency, of: {player_pair: card}, is: '> 1.68%'", "verified"),  # 7 of 415
        ("kind: bound, measure: frequency, of: {player_pair: card}, is: '< 1.68%'", "refuted"),
        ("kind: coup, cards: 4H 2S 9C AD 8D, bets: {dragon: 20}, net: {dragon: 20}", "refuted"),
        ("kind: coup, cards: 4H 2S 9C AD 8D, bets: {banker: 20}, by: {outcome: '1'}", "refuted"),
    ],
)
def test_a_claim_may_test_what_no_statement_tests(claim: str, verdict: str) -> None:
    assert judged(claim)[0] == verdict


@pytest.mark.parametrize(
    "claim",
    [
        "about: stake, when: {bet: player}, then: allowed",
        "about: score, when: {balance: 7}, then: balance",
        "about: session_end, when: {event: leave, balance: 7}, then: end",
        "about: player_draw, when: {player2: 5, player_backed: no}, then: draw",
    ],
)
def test_fields_that_only_a_claim_tests_are_told_apart(claim: str) -> None:
    assert judged(f"kind: answers, {claim}")[0] in ("verified", "refuted")


def test_what_decides_a_bet_is_seen() -> None:
    _, evidence = judged("kind: coup, cards: 4H 2S 9C AD 8D, bets: {banker: 20}, by: {pays: '1'}")
    assert re.match(r"pays is decided by line [0-9]", evidence)


def test_tables_that_part_in_other_fields_are_not_the_same() -> None:
    """Half on a banker's six, against half on a player's three: each tests a field that the other doesn't."""
    rules = ROOM.rules("selminha/classica")
    assert rules is not None
    spec = rules.spec
    old = next(c for c in rules.clauses_about("pays") if any(t.text == "banker" for t in c.guard))
    tables = []
    for field, value in (("banker_total", 6), ("player_total", 3)):
        test = GuardLine(field, Among(frozenset([value])), str(value), old.span)
        half = replace(old, id="half", guard=(*old.guard, test), answer=(Fraction(1, 2),), tables=())
        rest = replace(old, excludes=(*old.excludes, "half"), tables=())
        kept = tuple(c for c in rules.clauses if c.id != old.id)
        id = f"probe-{field.replace('_', '-')}"
        rule_set = replace(rules.rule_set, id=id)
        source = replace(spec.source, id=id)
        tables.append(replace(spec, source=source, rule_sets=(rule_set,), clauses=(*kept, half, rest), claims=()))
    context = ClaimContext(tables)
    claim = replace(spec.claims[0], kind="same", body=SameClaim("probe-player-total", ()), tables=())
    one = context.rules("probe-banker-total")
    assert one is not None
    found = judge(claim, one, context)
    assert (found.verdict, found.evidence) == ("refuted", "they differ in pays")


def test_draws_that_depend_on_bets_have_no_odds() -> None:
    rules = ROOM.rules("home-pt")
    assert rules is not None
    old = next(c for c in rules.clauses_about("player_draw") if c.answer == ("draw",))
    test = GuardLine("player_backed", Among(frozenset(["yes"])), "yes", old.span)
    new = replace(old, id="unbacked", answer=("stand",), guard=(*old.guard, replace(test, values=Other(test.values))))
    clauses = []
    for clause in rules.spec.clauses:
        backed = replace(clause, guard=(*clause.guard, test))
        clauses += [backed, new] if clause.id == old.id else [clause]
    spec = replace(rules.spec, clauses=tuple(clauses), claims=())
    context = ClaimContext([spec])
    other = Rules(spec, rules.rule_set)
    claim = next(v.claim for v in verdicts() if isinstance(v.claim.body, BoundClaim | CompareClaim))
    found = judge(claim, other, context)
    assert found.verdict == "skipped"
    assert "depends on the bets laid" in found.evidence

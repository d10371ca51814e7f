"""What is wrong or missing in the record of an observable, part by part: `python observable_checks.py [NAME…]`.

Each problem begins with the observable and the part: `margin.of_coup: …`. The tests run this on the records that there
are, and on copies of the package in which a record was added or spoiled.
"""

from __future__ import annotations

import csv
import io
import sys
import tempfile
from collections.abc import Callable, Iterator
from fractions import Fraction
from functools import lru_cache
from itertools import islice
from pathlib import Path
from typing import Any

import msgspec

from oracle.cards import parse_cards
from oracle.cases.case import Answer, Case, value_at
from oracle.cases.export import csv_lines
from oracle.cases.minimal import SETS
from oracle.cases.reference import Reference, reference_of
from oracle.cases.tiers import LARGE, TIERS, cases
from oracle.conformance.adapters.python_function import result_of
from oracle.conformance.diagnose.observed_coup import Answered
from oracle.conformance.evidence.rejudge import _answer
from oracle.conformance.judge import Judge, Outcome, checkable, compared
from oracle.conformance.protocol.decode import Reader
from oracle.conformance.protocol.messages import run_message, schema
from oracle.conformance.protocol.serve import Server
from oracle.conformance.run.results import BY_BET_COLUMNS, COLUMNS, ResultsFile
from oracle.conformance.run.tally import line_of
from oracle.conformance.summary.summary import common
from oracle.conformance.trial import Trial
from oracle.game.coup import play as play_coup
from oracle.game.rules import Rules, load_rules
from oracle.game.settle import settle
from oracle.mutants.domain import unseen
from oracle.mutants.single import Mutant
from oracle.programs.behaviour import play
from oracle.programs.observables import OBSERVABLES, TABLE, AnswerPlace, Observable, differing, observe, reported

PROTOCOL = Path(__file__).resolve().parents[2] / "docs" / "protocol.md"
SOME = 29  # every so many cases
FEW = 40
OTHER_SUITS = str.maketrans("SHDC", "HDCS")
BY_NAME = {observable.name: observable for observable in TABLE}

Problems = Iterator[tuple[str, str]]


@lru_cache(maxsize=1)
def some() -> tuple[Rules, Reference, list[Case]]:
    """A rule set, its reference, and some coups of it, with and without bets."""
    rules = load_rules("home-pt")
    asked = [case for tier in ("settlement", "totals") for case in islice(cases(rules, tier), 0, None, SOME)]
    return rules, reference_of(rules), asked


def stakes_of(case: Case) -> dict[str, Fraction]:
    return {bet: Fraction(stake) for bet, stake in case.bets.items()}


def asked_of(observable: Observable) -> list[Case]:
    """The coups that ask for an observable."""
    return [case for case in some()[2] if observable.name in compared(case, OBSERVABLES)]


def plain(value: Any) -> Any:
    """A value as JSON has it."""
    return msgspec.json.decode(msgspec.json.encode(value))


def put(result: dict[str, Any], place: AnswerPlace, value: Any) -> dict[str, Any]:
    """A result with another value at a place."""
    changed: dict[str, Any] = plain(result)
    if place.inner:
        changed.setdefault(place.field, {})[place.inner] = value
    else:
        changed[place.field] = value
    return changed


def wrong_answers(observable: Observable) -> Iterator[tuple[Case, AnswerPlace, dict[str, Any], str]]:
    """For each place a case, a result wrong in nothing else, and what the difference is called."""
    found = asked_of(observable)
    for place in observable.places:
        for case in found:
            right = plain(case.expect)
            due = plain(value_at(case.expect, place))
            if observable.by_bet:
                bet, net = next(iter(due.items()))
                other = due | {bet: str(Fraction(net) + 1)}
                yield case, place, put(right, place, other), f"{place.difference} {bet}"
                break
            others = (plain(value_at(each.expect, place)) for each in found)
            if (other := next((value for value in others if value != due), None)) is not None:
                yield case, place, put(right, place, other), place.difference
                break


def judged(case: Case, result: dict[str, Any], observables: tuple[str, ...]) -> Outcome:
    """The outcome of a result, judged alone and among others."""
    reply = msgspec.json.encode({"seq": 1, "results": [result, plain(case.expect)]})
    said = Reader("coup", observables).read(reply, 1, [case.id, case.id])
    judge = Judge(observables)
    alone = judge.outcome(case, said[0])
    assert judge.outcomes([case, case], said)[0] == alone, "at once as one by one"
    return alone


def names_are_its_own(observable: Observable) -> Problems:
    names: dict[str, list[str]] = {"name": [], "paths": [], "word": []}
    for each in TABLE:
        names["name"].append(each.name)
        names["paths"] += [place.path for place in each.places]
        names["word"] += [place.difference for place in each.places]
    own = {"name": [observable.name], "paths": [*observable.paths], "word": [p.difference for p in observable.places]}
    for part, called in own.items():
        for name in called:
            if names[part].count(name) != 1:
                yield part, f"`{name}` is that of another observable, too"
    for place in observable.places:
        found = differing(place.difference + " banker" * observable.by_bet)
        if found is None or found[0].name != observable.name or found[1] != place:
            yield "word", f"a difference called `{place.difference}` is taken for something else"
    if not observable.says:
        yield "says", "nothing"
    row = f"\n| {observable.name} | "
    if row not in PROTOCOL.read_text(encoding="utf-8"):
        yield "docs/protocol.md", "its table has no row for it"


def it_is_expected(observable: Observable) -> Problems:
    """Expected in every tier with coups: else whoever answers wrongly there conforms."""
    rules, reference, asked = some()
    for case in asked:
        played = play(reference.behaviour, parse_cards(case.cards))
        for part, values in (
            ("of_played", observable.of_played(reference.behaviour, played, stakes_of(case))),
            ("of_coup", values_of_coup(observable, rules, case)),
        ):
            if len(values) != len(observable.paths):
                yield part, f"{len(values)} values for {len(observable.paths)} paths"
                return
        hash(observable.of_played(reference.behaviour, played, stakes_of(case)))
    tiers = [tier for tier in TIERS if tier not in SETS and tier not in ("bets", "shoe", "session", "cards")]
    for tier in tiers:
        for case in islice(cases(rules, tier), FEW):
            if case.kind == "coup" and (case.bets or not observable.by_bet):
                missing = [p.path for p in observable.places if value_at(case.expect, p) is None]
                if missing or not checkable(case, (observable.name,)):
                    what = "tier made by oracle/cases/sequences.py" if tier in LARGE else "tier"
                    yield "expected", f"not in the {what} {tier}"
                    break


def values_of_coup(observable: Observable, rules: Rules, case: Case) -> tuple[Any, ...]:
    stakes = stakes_of(case)
    coup = play_coup(rules, parse_cards(case.cards), bets=stakes)
    return observable.of_coup(coup, {settled.bet: settled.net for settled in settle(rules, coup, stakes)})


def the_oracle_says_the_same(observable: Observable) -> Problems:
    """What is expected comes from a behaviour, what the oracle answers from the statements."""
    rules, _, asked = some()
    server = Server(rules)
    write = observable.form.write or (lambda value: value)
    for case in asked:
        said = tuple(map(write, values_of_coup(observable, rules, case)))
        due = tuple(value_at(case.expect, place) for place in observable.places)
        if said != due:
            yield "of_coup", f"gives {said} of a coup of which {due} is expected, by of_played"
            return
    found = asked_of(observable)
    reply = server.reply(run_message(1, rules.id, "coup", found, [case.id for case in found]))
    for case, result in zip(found, reply["results"], strict=True):
        answer = msgspec.json.decode(msgspec.json.encode(result), type=Answer)
        if any(value_at(answer, place) != value_at(case.expect, place) for place in observable.places):
            yield "of_coup", "is served otherwise than it is expected"
            return


def it_shows_what_it_says(observable: Observable) -> Problems:
    """Which mutants change it decides what its failures are gathered under, and what a proof takes into account."""
    _, reference, asked = some()
    right = reference.behaviour
    flips = [mutant for mutant in reference.mutants if mutant.family == "flip"]
    pairs = [msgspec.structs.replace(right, pair_of=pair_of) for pair_of in ("card", "value", "three", "two")]

    def changed_by(mutant: Mutant, case: Case) -> bool:
        cards = parse_cards(case.cards)
        due = observable.of_played(right, play(right, cards), {})
        return observable.of_played(mutant.behaviour, play(mutant.behaviour, cards), {}) != due

    flipped = [(flip, case) for flip in flips for case in asked if set(flip.cells) & set(case.cells)]
    by_decisions = any(changed_by(flip, case) for flip, case in flipped)
    by_pairs = any(changed_by(Mutant("", "", "", each), case) for each in pairs for case in asked)
    shows = "bets" if observable.by_bet else "decisions" if by_decisions else "pairs" if by_pairs else "deal"
    if by_decisions and by_pairs:
        yield "shows", "decisions change it, and what a pair is: make two observables of it"
    for flip, case in flipped[::FEW]:
        other = msgspec.structs.replace(case, cards=tuple(text.translate(OTHER_SUITS) for text in case.cards))
        if changed_by(flip, case) != changed_by(flip, other):
            yield (
                "of_played",
                "suits decide whether it shows a decision, and proofs that nothing shows it try one of each",
            )
            break
    if observable.shows != shows:
        yield "shows", f"says {observable.shows}, and mutants change it that make it {shows}"
    if shows == "decisions" and all(unseen(reference.domain, flip, (observable.name,)) for flip in flips):
        yield "of_played", "no flip of a decision is seen"


def a_wrong_one_differs(observable: Observable) -> Problems:
    """A program wrong in nothing else fails, under its name; whether it declares all or this alone."""
    wrong = list(wrong_answers(observable))
    if len(wrong) != len(observable.paths):
        yield "paths", "the coups tried don't have two different values at each"
    for case, place, result, name in wrong:
        right = plain(case.expect)
        if (
            judged(case, right, OBSERVABLES).outcome != "pass"
            or judged(case, right, (observable.name,)).outcome != "pass"
        ):
            yield "form", f"the right answer doesn't pass at {place.path}"
        for declared in (OBSERVABLES, (observable.name,)):
            outcome = judged(case, result, declared)
            if [difference.observable for difference in outcome.differs] != [name]:
                yield "judged", f"a wrong {place.path} comes to {outcome}"
        others = tuple(each for each in OBSERVABLES if each != observable.name)
        if judged(case, result, others).outcome != "pass":
            yield "judged", f"a wrong {place.path} fails a program that doesn't declare it"
        missing = judged(case, put(right, place, None), OBSERVABLES)
        named = place.called in missing.why or f"`{place.field}` is missing" in missing.why
        if missing.outcome != "error" or not (named or "can't be read" in missing.why):
            yield "judged", f"without {place.path} it comes to {missing}"


def it_is_told_again(observable: Observable) -> Problems:
    """What a log has of a wrong answer becomes that answer again, is gathered and is explained."""
    _, reference, _ = some()
    for case, place, result, name in wrong_answers(observable):
        outcome = judged(case, result, OBSERVABLES)
        line = line_of(case, outcome)
        again = judged(case, plain(_answer(case, line)), OBSERVABLES)
        if again != outcome:
            yield "rejudged", f"a wrong {place.path} in a log comes to {again} when it is judged again"
        gathered = common(line, {}) == name if observable.shows != "decisions" else common(line, {}) in case.cells
        if case.cells and not gathered:
            yield "shows", f"a failure in it is gathered under `{common(line, {})}`"
        told = Trial(reference.rules, case).problem(result)
        if name.split(" ")[-1] not in told:
            yield "given", f"a trial says of a wrong {place.path}: {told or 'nothing'}"


def mistakes_are_found_by_it(observable: Observable) -> Problems:
    """A program that reports nothing else and has one mistake that shows in it is explained by this mistake."""
    _, reference, asked = some()
    right, declared = reference.behaviour, (observable.name,)
    for mutant in reference.mutants:
        for case in asked:
            if mutant.cells and not set(mutant.cells) & set(case.cells):
                continue
            cards, stakes = parse_cards(case.cards), stakes_of(case)
            due = observe(right, play(right, cards), declared, stakes)
            played = play(mutant.behaviour, cards)
            if observe(mutant.behaviour, played, declared, stakes) == due:
                continue
            values = observable.of_played(mutant.behaviour, played, stakes)
            write = observable.form.write or (lambda value: value)
            result = plain(case.expect)
            for place, value in zip(observable.places, map(write, values), strict=True):
                result = put(result, place, plain(value))
            coup = Answered(reference, declared, case, line_of(case, judged(case, result, declared)))
            if not coup.gives(mutant.behaviour) or coup.gives(right):
                yield "diagnosed", f"`{mutant.id}` doesn't explain {coup.differs}"
            return
    yield "of_played", "no mutant shows in it"


def it_is_in_files(observable: Observable) -> Problems:
    """Written by an export, read from a results file, in CSV and JSON."""
    columns = [place.column for place in observable.places]
    for column in columns:
        if column not in COLUMNS and f"{column}_" not in BY_BET_COLUMNS:
            yield "word", f"no column {column} in results files"
    found = asked_of(observable)[:FEW]
    bets = sorted({bet for case in found for bet in case.bets})
    text = b"".join(csv_lines(found, bets, answers=True)).decode()
    header = next(csv.reader(io.StringIO(text)))
    kept = [f"{name}_{bet}" for name in columns for bet in bets] if observable.by_bet else columns
    if missing := [name for name in kept if name not in header]:
        yield "word", f"no column {', '.join(missing)} in exports"
        return
    rows = [{name: row[name] for name in ("id", *kept) if row[name]} for row in csv.DictReader(io.StringIO(text))]
    own = io.StringIO()
    writer = csv.DictWriter(own, ["id", *kept])
    writer.writeheader()
    writer.writerows(rows)
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "results.csv"
        path.write_text(own.getvalue(), encoding="utf-8")
        results = ResultsFile(path)
        if results.declared().observables != (observable.name,):
            yield "paths", f"a results file that has only it declares {results.declared().observables}"
        for case in found:
            outcome = judged(case, msgspec.json.decode(results.rows[case.id]), (observable.name,))
            if outcome.outcome != "pass":
                yield "form", f"the right answer, exported and read as a results file, comes to {outcome}"
                return


class _Attributes:
    """A result as an object, as a Python program has it."""

    def __init__(self, result: Any) -> None:
        vars(self).update({n: _Attributes(v) if isinstance(v, dict) and n != "net" else v for n, v in result.items()})


def functions_can_return_it(observable: Observable) -> Problems:
    for case in asked_of(observable)[:FEW]:
        right = plain(case.expect)
        for said in (right, right if observable.by_bet else _Attributes(right)):
            result = plain(result_of(said))
            if observable.name not in reported(result):
                yield "paths", "what a function returns doesn't declare it"
                return
            if judged(case, result, (observable.name,)).outcome != "pass":
                yield "form", "the right answer, returned by a function, doesn't pass"
                return


def the_schema_has_it(observable: Observable) -> Problems:
    shapes = schema()["$defs"]
    if observable.name not in shapes["Started"]["properties"]["observables"]["items"]["enum"]:
        yield "name", "can't be declared by the schema"
    for place in observable.places:
        field = shapes["SaidCoup"]["properties"].get(place.field)
        if field is not None and place.inner:
            (reference,) = (each["$ref"] for each in field["anyOf"] if "$ref" in each)
            field = shapes[reference.rpartition("/")[2]]["properties"].get(place.inner)
        if field is None:
            yield "paths", f"{place.path} is not in the schema"


CHECKS: tuple[Callable[[Observable], Problems], ...] = (
    names_are_its_own, it_is_expected, the_oracle_says_the_same, it_shows_what_it_says, a_wrong_one_differs,
    it_is_told_again, mistakes_are_found_by_it, it_is_in_files, functions_can_return_it, the_schema_has_it,
)  # fmt: skip


def problems(name: str) -> Iterator[str]:
    """Each part of an observable that is wrong or missing, and in what."""
    for check in CHECKS:
        try:
            for part, what in check(BY_NAME[name]):
                yield f"{name}.{part}: {what}"
        except Exception as error:  # noqa: BLE001 (a part that can't be used at all is what is looked for)
            yield f"{name}, {check.__name__}: {type(error).__name__}: {error}"


if __name__ == "__main__":
    FOUND = [problem for name in sys.argv[1:] or OBSERVABLES for problem in problems(name)]
    sys.exit("\n".join(FOUND) or 0)

"""Each way in which an implementation can misbehave: what it costs, and what is told of it."""

from __future__ import annotations

import shlex
import time
from pathlib import Path

import pytest

from oracle.cases.case import Case
from oracle.cli import run as oracle
from oracle.conformance.run import process
from oracle.conformance.run.limits import MAX_BATCH
from oracle.report.run.outline import outline
from oracle.report.run.run_text import run_text
from tests.conformance.conftest import SHORT, Ran, Run, asked, command

BAD = 777  # the case at which fakes go wrong: in the middle of a batch, with others before and after


def test_a_right_implementation_conforms(run: Run, totals: list[Case], settlement: list[Case]) -> None:
    ran = run(["right"], totals + settlement)
    assert ran.summary.verdict == "agrees"
    assert ran.counts == {"pass": len(totals) + len(settlement)}
    assert [(entry.what, entry.name) for entry in ran.summary.not_confirmed] == [
        ("cases", "fresh ones"),
        ("tier", "settlement"),
        ("tier", "bets"),
        ("tier", "shoe"),
        ("tier", "session"),
        ("tier", "cards"),
        ("kind", "bets"),
        ("kind", "shoe"),
        ("kind", "session"),
        ("kind", "cards"),
    ]


def test_always_player_differs_where_the_player_does_not_win(run: Run, totals: list[Case]) -> None:
    ran = run(["always-player"], totals)
    wrong = sum(case.expect.winner != "player" for case in totals)
    assert ran.summary.verdict == "differs"
    assert ran.counts == {"pass": len(totals) - wrong, "fail": wrong}
    assert {entry.name for entry in ran.summary.not_confirmed} >= {"totals", "cards", "natural", "pairs", "net"}


def test_totals_that_are_off_by_one_are_all_wrong(run: Run, totals: list[Case]) -> None:
    ran = run(["off-by-one"], totals)
    assert ran.counts == {"fail": len(totals)}
    assert {d.observable for line in ran.log.lines() for d in line.differs} == {"player total"}


@pytest.mark.slow
def test_a_slow_one_is_asked_less_at_a_time(run: Run, totals: list[Case]) -> None:
    few = totals[: 2 * MAX_BATCH + 20]
    ran = run(["slow", "0.006"], few, batch=1.0)
    assert ran.summary.verdict == "incomplete", "it had to be started again"
    assert ran.counts == {"pass": len(few)}
    assert ran.log.footer is not None
    assert ran.log.footer.restarts == 1, "two hundred at once are too many, fewer get through"


@pytest.mark.parametrize(
    ("fake", "why"),
    [
        ("hangs-at", "no answer within 0.5 s"),
        ("crashes-at", "it ended with exit code 3"),
        ("segfaults-at", "it was killed by SIGSEGV"),
    ],
)
@pytest.mark.slow
def test_a_bad_case_costs_itself_a_batch_a_case_and_restarts(run: Run, totals: list[Case], fake: str, why: str) -> None:
    good = run(["right"], totals)
    ran = run([fake, asked(totals[BAD])], totals)
    assert ran.counts == {"pass": len(totals) - 1, "crashed": 1}
    assert ran.whys("crashed") == [why]
    assert [line.id for line in ran.log.lines()] == [case.id for case in totals], "in order, nothing lost or twice"
    assert ran.summary.verdict == "incomplete"
    assert ran.log.footer is not None
    assert ran.log.footer.restarts == 2, "one for the batch, one to go on after the case"
    waits = SHORT.batch + SHORT.case if fake == "hangs-at" else 0.0
    assert ran.seconds < good.seconds + waits + 3.0


def test_last_words_are_kept_and_shown_safely(run: Run, totals: list[Case]) -> None:
    ran = run(["crashes-at", asked(totals[3])], totals[:10])
    assert ran.log.events[0].stderr == "about to go\x1b[31m\n"
    assert "  | about to go\\x1b[31m" in run_text(outline(ran.summary))


@pytest.mark.parametrize("fake", ["hogs-at", "child-hogs-at"])
@pytest.mark.slow
def test_a_memory_hog_is_ended(run: Run, totals: list[Case], fake: str) -> None:
    few = totals[: MAX_BATCH + 10]
    ran = run([fake, asked(few[5])], few, memory=150 << 20, batch=20.0, case=20.0)
    assert ran.counts == {"pass": len(few) - 1, "crashed": 1}
    assert ran.whys("crashed") == ["it took more than 150 MiB of memory"]


@pytest.mark.parametrize(
    ("fake", "told"),
    [
        ("endless-line", "a line is longer than 4 MiB"),
        ("babbles", "invalid character: `dealing \\x1b[2J a card`; what is no answer goes to standard error"),
        ("wrong-seq", "it answered another message: `seq` 2 instead of 1"),
        ("invalid-json", "it can't be read: Input data was truncated"),
        ("nan", "it can't be read: JSON is malformed: invalid character"),
        ("too-few", "199 results came for 200 cases"),
        ("too-many", "201 results came for 200 cases"),
        ("null", "it can't be read: Expected `object`, got `null`: `null`"),
        ("closes-output", "it closed its output"),
    ],
)
def test_nonsense_all_the_time_ends_as_incomplete(run: Run, totals: list[Case], fake: str, told: str) -> None:
    ran = run([fake], totals, restarts=2)
    assert ran.summary.verdict == "incomplete"
    assert "pass" not in ran.counts
    assert sum(ran.counts.values()) == 2, "each restart costs a case"
    assert told in ran.events()[0]
    assert ran.events()[-1] == "gave-up: it had to be started anew more than 2 times"
    assert "the run was given up before its end" in ran.log.problems
    assert ran.seconds < 5


@pytest.mark.parametrize(("fake", "right"), [("repeated-ids", 1), ("forged-ids", 0)])
def test_a_wrong_id_costs_the_answer_that_has_it(run: Run, totals: list[Case], fake: str, right: int) -> None:
    """In version 1 too, where results need none."""
    ran = run([fake], totals[:20])
    assert ran.counts == {word: count for word, count in (("pass", right), ("error", 20 - right)) if count}
    assert set(ran.whys("error")) == {"its `id` is not that of its case"}
    assert ran.events() == []


def test_one_that_dies_at_start_is_told_with_its_last_words(run: Run, totals: list[Case]) -> None:
    ran = run(["dies-at-start"], totals)
    assert ran.summary.verdict == "incomplete"
    assert ran.events() == ["start: it ended with exit code 7", "gave-up: the program did not start"]
    assert ran.log.events[0].stderr == "no such module\n"
    assert {entry.why for entry in ran.summary.not_confirmed if entry.what == "kind"} == {"it never said what it plays"}
    assert ran.counts == {}


@pytest.mark.parametrize(
    ("fake", "told"),
    [
        ("silent", "start: no answer within 0.5 s; does it flush its output after each line?"),
        ("other-protocol", "start: it speaks protocol 3, not 1 or 2"),
        ("other-rules", "gave-up: it does not play home-pt; it declares: klondike"),
        ("odd-observable", "start: it declares observable `wins`, which isn't one: "),
        (
            "no-start",
            "start: its answer to `start` can't be read: JSON is malformed: invalid character: `hello`",
        ),
    ],
)
def test_a_start_that_can_not_be_used_ends_as_incomplete(run: Run, totals: list[Case], fake: str, told: str) -> None:
    ran = run([fake], totals, start=0.5)
    assert ran.summary.verdict == "incomplete"
    assert ran.events()[0].startswith(told)
    assert ran.counts == {}


def test_one_that_takes_no_kind_of_case_never_conforms(run: Run, totals: list[Case]) -> None:
    ran = run(["no-kinds"], totals)
    assert ran.summary.verdict == "incomplete"
    assert ran.log.footer is not None
    assert ran.log.footer.finished
    assert ran.log.footer.not_asked == {"coup": len(totals)}


def test_no_cases_at_all_never_conform(run: Run) -> None:
    assert run(["right"], []).summary.verdict == "incomplete"


@pytest.mark.slow
def test_one_that_ignores_stop_is_ended_after_two_seconds(run: Run, totals: list[Case]) -> None:
    ran = run(["ignores-stop"], totals[:5])
    assert ran.summary.verdict == "agrees"
    assert 2.0 <= ran.seconds < 4.0


@pytest.mark.parametrize("fake", ["leaves-a-child", "leaves-a-group"])
def test_what_it_left_behind_is_ended(run: Run, totals: list[Case], tmp_path: Path, fake: str) -> None:
    note = tmp_path / "pid"
    ran = run([fake, str(note)], totals)
    assert ran.summary.verdict == "agrees"
    until = time.monotonic() + 2
    while is_alive(int(note.read_text())) and time.monotonic() < until:
        time.sleep(0.01)
    assert not is_alive(int(note.read_text()))


def test_one_that_fled_into_another_session_is_ended_too(run: Run, totals: list[Case], tmp_path: Path) -> None:
    note = tmp_path / "pid"
    ran = run(["escapes", str(note)], totals)
    assert ran.summary.verdict == "agrees"
    assert ran.seconds < 5
    assert ran.events() == []
    assert not is_alive(int(note.read_text()))


def is_alive(pid: int) -> bool:
    """Whether a process runs; a zombie that nobody took leave of doesn't."""
    try:
        state = Path(f"/proc/{pid}/stat").read_text().rpartition(") ")[2][0]
    except OSError:
        return False
    return state not in "ZX"


def test_right_on_the_first_batch_and_wrong_after(run: Run, totals: list[Case]) -> None:
    ran = run(["right-then-wrong"], totals)
    wrong = sum(case.expect.winner != "player" for case in totals[MAX_BATCH:])
    assert ran.counts == {"pass": len(totals) - wrong, "fail": wrong}


def test_one_that_skips_everything_never_conforms(run: Run, totals: list[Case]) -> None:
    ran = run(["skips"], totals)
    assert ran.summary.verdict == "incomplete"
    assert ran.counts == {"skipped": len(totals)}
    assert ran.log.checked == 0


def test_one_that_refuses_everything_never_conforms(run: Run, totals: list[Case]) -> None:
    ran = run(["refuses"], totals)
    assert ran.summary.verdict == "incomplete"
    assert ran.counts == {"error": len(totals)}
    assert set(ran.whys("error")) == {"it said: bad \\x1b]0;title\\x07 cards"}


@pytest.mark.parametrize(
    ("fake", "why"),
    [
        ("huge-number", "the player's `total` is above 999"),
        ("text-total", "the player's `total` is text, not a whole number"),
        ("null-winner", "`winner` is missing"),
        ("no-card", "the player's `cards` hold what is no card"),
    ],
)
def test_a_result_of_a_wrong_kind_costs_only_its_case(run: Run, totals: list[Case], fake: str, why: str) -> None:
    ran = run([fake, asked(totals[BAD])], totals)
    assert ran.counts == {"pass": len(totals) - 1, "error": 1}
    assert ran.whys("error")[0].startswith(why)
    assert ran.log.footer is not None
    assert ran.log.footer.restarts == 0


@pytest.mark.parametrize(
    ("fake", "why"),
    [
        ("nested", "it can't be read: nested too deep"),
        ("non-utf8", "its result can't be read: Invalid UTF-8 encoded string"),
    ],
)
def test_a_line_that_can_not_be_read_costs_only_its_case(run: Run, totals: list[Case], fake: str, why: str) -> None:
    ran = run([fake, asked(totals[BAD])], totals)
    assert ran.counts == {"pass": len(totals) - 1, "error": 1}
    assert ran.whys("error")[0].startswith(why)


def test_money_in_floating_point_is_called_so(run: Run, settlement: list[Case]) -> None:
    ran = run(["float-net"], settlement)
    notes = {d.note for line in ran.log.lines() for d in line.differs}
    assert notes == {"floating-point money"}
    assert ran.summary.verdict == "differs"


def test_a_huge_net_is_an_amount_that_is_wrong(run: Run, settlement: list[Case]) -> None:
    ran = run(["huge-net"], settlement[:50])
    assert ran.counts == {"error": 50}
    assert {line.said for line in ran.log.lines()} == {"`1e+300`"}
    assert {line.why for line in ran.log.lines()} <= {
        f"the `net` of {bet} is no amount" for bet in ("player", "banker", "tie")
    }


def test_words_that_mean_the_same_pass(run: Run, totals: list[Case], settlement: list[Case]) -> None:
    assert run(["other-words"], totals + settlement).summary.verdict == "agrees"


@pytest.mark.slow
def test_a_flood_on_standard_error_is_drained(run: Run, totals: list[Case]) -> None:
    ran = run(["floods-stderr"], totals[:400], batch=10.0)
    assert ran.summary.verdict == "agrees"


def test_one_that_changes_its_declaration_is_given_up(run: Run, totals: list[Case], tmp_path: Path) -> None:
    ran = run(["changes-its-mind", asked(totals[3]), str(tmp_path / "began")], totals)
    assert ran.events()[-1] == "gave-up: after a restart it declares something else than before"
    assert ran.summary.verdict == "incomplete"


def test_too_much_output_ends_the_run(run: Run, totals: list[Case], monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(process, "MAX_OUTPUT", 300_000)
    ran = run(["right"], totals)
    assert ran.summary.verdict == "incomplete"
    assert ran.events()[-1].startswith("gave-up: the program wrote more than")
    assert 0 < ran.counts["pass"] < len(totals)


@pytest.mark.slow
def test_no_fake_is_left_running(run: Run, totals: list[Case]) -> None:
    """The other tests kill what they start; this one sees that such a process would be found."""
    ran: Ran = run(["hangs-at", asked(totals[0])], totals[:3])
    assert ran.counts == {"pass": 2, "crashed": 1}
    mine = [entry.name for entry in Path("/proc").iterdir() if entry.name.isdigit() and is_fake(int(entry.name))]
    assert mine == []


def is_fake(pid: int) -> bool:
    """Whether a living process is a fake that hangs at the first case of `totals`."""
    try:
        return b"hangs-at" in Path(f"/proc/{pid}/cmdline").read_bytes() and is_alive(pid)
    except OSError:
        return False


@pytest.mark.parametrize(("fake", "end"), [("off-by-one", (1, "differs: ")), ("crashes-at", (3, "can't start"))])
def test_a_program_that_is_gone_costs_only_what_it_did_not_answer(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], totals: list[Case], fake: str, end: tuple[int, str]
) -> None:
    """It removes itself once it runs, so that it can't be started anew: not after a crash, nor to ask again."""
    script = tmp_path / "program"
    words = shlex.join(command(fake, asked(totals[0])))
    script.write_text(f'#!/bin/sh\nrm -- "$0"\nexec {words}\n')
    script.chmod(0o755)
    only = [word for case in totals[:3] for word in ("--case", case.id)]
    assert oracle(["test", "--rules", "home-pt", "--tier", "totals", *only, "--", str(script)]) == end[0]
    assert end[1] in capsys.readouterr().out


def test_a_hang_costs_at_most_what_is_left_of_the_run(run: Run, totals: list[Case]) -> None:
    """Wherever it hangs: in a batch, at a case that is asked alone, at the start; after any number of restarts."""
    for fake in (["hangs-at", asked(totals[BAD])], ["silent"], ["slow", "300"]):
        ran = run(fake, totals, start=60.0, batch=60.0, case=60.0, run=1.0)
        assert ran.summary.verdict == "incomplete"
        assert ran.events() == ["gave-up: stopped by the limit of the run: 1 s"]
        assert ran.seconds < 3
    ran = run(["hangs-at", asked(totals[BAD])], totals, batch=0.4, case=60.0, run=1.5)
    assert ran.events() == ["batch: no answer within 0.4 s", "gave-up: stopped by the limit of the run: 1.5 s"]
    assert "the run was given up before its end" in ran.log.problems
    assert ran.seconds < 4


def test_asking_again_is_bounded_too_and_changes_no_verdict(run: Run, totals: list[Case]) -> None:
    ran = run(["sleeps-when-alone"], totals[:50], batch=60.0, case=60.0, run=1.5)
    assert ran.counts["fail"]
    assert ran.summary.verdict == "differs"
    assert ran.events() == ["again: stopped by the limit of the run: 1.5 s"]
    assert ran.log.problems == []
    assert ran.seconds < 4

"""A child process is fed and drained without either side waiting for the other, and is gone in the end."""

from __future__ import annotations

import os
import sys
import time

import pytest

from oracle.conformance.protocol.trouble import Trouble
from oracle.conformance.run.process import MIB, Child, Spent
from oracle.spans import OracleError


def child(code: str, memory: int = 1 << 30) -> Child:
    return Child([sys.executable, "-S", "-E", "-c", code], memory=memory, spent=Spent())


def test_big_lines_both_ways_do_not_block() -> None:
    """A program that writes before it reads, and requests larger than any pipe."""
    code = """
import sys
for line in sys.stdin:
    sys.stdout.write("r" * 3_000_000 + "\\n")
    sys.stdout.flush()
"""
    with child(code) as program:
        for _ in range(3):
            program.send(b"q" * (2 * MIB) + b"\n")
        for _ in range(3):
            assert len(program.receive(20)) == 3_000_000


def test_lines_that_came_in_one_piece_are_read_one_by_one() -> None:
    with child("import os; os.write(1, b'one\\ntwo\\n\\nthr')") as program:
        assert [program.receive(10) for _ in range(3)] == [b"one", b"two", b""]
        with pytest.raises(Trouble, match="it ended with exit code 0"):
            program.receive(10)


def test_one_that_closed_its_input_is_still_heard() -> None:
    with child("import os, time; os.close(0); time.sleep(0.2); os.write(1, b'here\\n')") as program:
        for _ in range(20):
            program.send(b"x" * MIB + b"\n")
        assert program.receive(10) == b"here"


def test_a_dead_one_is_noticed_though_another_holds_its_output() -> None:
    code = """
import os, time
if os.fork() == 0:
    time.sleep(300)
os.write(1, b'bye\\n')
os._exit(4)
"""
    start = time.perf_counter()
    with child(code) as program:
        assert program.receive(10) == b"bye"
        with pytest.raises(Trouble, match="it ended with exit code 4"):
            program.receive(10)
    assert time.perf_counter() - start < 5


def test_standard_error_is_kept_to_its_end() -> None:
    code = "import os; [os.write(2, b'%07d\\n' % i) for i in range(300_000)]; os.write(1, b'done\\n')"
    with child(code) as program:
        assert program.receive(30) == b"done"
        program.stop()
        kept = program.stderr()
        assert MIB <= len(kept) < MIB + (1 << 18)
        assert kept.endswith("0299999\n")
        assert program.stderr(8) == "0299999\n"


def test_ending_twice_does_no_harm_and_nothing_is_left() -> None:
    program = child("import time; time.sleep(300)")
    program.kill()
    program.kill()
    with pytest.raises(ProcessLookupError):
        os.kill(program.pid, 0)


@pytest.mark.parametrize("command", [["/no/such/program"], ["/"], [""], ["a\0b"]])
def test_what_can_not_be_started_is_bad_input(command: list[str]) -> None:
    with pytest.raises(OracleError, match="can't start"):
        Child(command, memory=1 << 30, spent=Spent())

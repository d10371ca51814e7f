"""How fast large tiers are made, and the suite checked: python benchmarks/bench_fixtures.py [CASES]

Each figure is that of a process of its own, with its start, in seconds of CPU: making the cases, as `test --tier ranks`
gets them; writing them as JSON Lines with answers, as `fixtures export --out` does; `fixtures check`. Peak memory is
that of the whole process.
"""

from __future__ import annotations

import os
import subprocess
import sys
import tempfile
from pathlib import Path

BAR_RATE = 100_000  # cases a second, written
BAR_MEMORY = 300  # MiB
BAR_CHECK = 10  # seconds
RULES = "home-pt"
MAKE = """
import sys
from itertools import islice
from oracle.cases.tiers import cases
from oracle.game.rules import load_rules
asked = islice(cases(load_rules(sys.argv[1]), sys.argv[2]), int(sys.argv[3]) or None)
print(sum(1 for _ in asked))
"""
WRITE = """
import sys
from itertools import islice
from pathlib import Path
from oracle.cases.export import cases_of, json_lines
from oracle.game.rules import load_rules
from oracle.report.export.export_file import write_lines
asked = islice(cases_of(load_rules(sys.argv[1]), [sys.argv[2]]), int(sys.argv[3]) or None)
write_lines(Path(sys.argv[4]), json_lines(asked, answers=True))
"""
CHECK = "from oracle.cli import main; main(['fixtures', 'check'])"


def measured(code: str, *arguments: object) -> tuple[float, float, str]:
    """The seconds of CPU and the peak MiB of a process, and what it prints."""
    done = subprocess.Popen([sys.executable, "-c", code, *map(str, arguments)], stdout=subprocess.PIPE, text=True)
    assert done.stdout is not None
    printed = done.stdout.read()
    _, status, usage = os.wait4(done.pid, 0)
    done.returncode = os.waitstatus_to_exitcode(status)
    if done.returncode:
        sys.exit(f"a process ended with {done.returncode}")
    return usage.ru_utime + usage.ru_stime, usage.ru_maxrss / 1024, printed


def met(figure: float, *, least: float = 0, most: float = float("inf")) -> str:
    return "met" if least <= figure <= most else "MISSED"


def main() -> None:
    count = int(sys.argv[1]) if len(sys.argv) > 1 else 0
    with tempfile.TemporaryDirectory() as folder:
        for tier in ("values", "ranks"):
            taken, peak, printed = measured(MAKE, RULES, tier, count)
            made = int(printed)
            print(f"{made:,} cases of {tier}, {RULES}")
            print(f"made     {taken:>6.1f} s {taken / made * 1e6:>6.2f} us a case, {peak:.0f} MiB")
            taken, peak, _ = measured(WRITE, RULES, tier, count, Path(folder) / "cases.jsonl")
            rate = made / taken
            print(
                f"written  {taken:>6.1f} s {rate:>9,.0f} cases a second, bar {BAR_RATE:,}: {met(rate, least=BAR_RATE)}"
            )
            print(f"peak     {peak:>6.0f} MiB, bar {BAR_MEMORY}: {met(peak, most=BAR_MEMORY)}")
    taken, peak, _ = measured(CHECK)
    print(f"fixtures check {taken:.1f} s, {peak:.0f} MiB, bar {BAR_CHECK} s: {met(taken, most=BAR_CHECK)}")


if __name__ == "__main__":
    main()

"""How long the commands take to start: `--version` and `play` beside a bare interpreter, and `check` cold.

Each round runs every command once, in a rotated order, so that a slow moment of the machine strikes all alike;
what counts are the differences and ratios to the bare interpreter of the same round. Bytecode is cached, as it is after
the first run of any installation, in a folder of its own. Standard library only.

    python benchmarks/bench_start.py [ROUNDS]
"""

from __future__ import annotations

import os
import statistics
import subprocess
import sys
import tempfile
import time
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
PYTHON = [sys.executable]
ORACLE = [*PYTHON, "-m", "oracle"]
PLAY = ["play", "--rules", "home-pt", "4H", "2S", "9C", "AD", "8D", "--bet", "banker=20"]
COMMANDS = {
    "python -c pass": [*PYTHON, "-c", "pass"],
    "--version": [*ORACLE, "--version"],
    "play": [*ORACLE, *PLAY],
    "play, JSON": [*ORACLE, *PLAY, "--format", "json"],
    "rules": [*ORACLE, "rules"],
    "check home-pt, no solver": [*ORACLE, "check", "home-pt", "--solvers", "none"],
    "check, no solver": [*ORACLE, "check", "--solvers", "none"],
    "check, z3": [*ORACLE, "check", "--solvers", "z3"],
    "check, all engines": [*ORACLE, "check"],
}
BARE = "python -c pass"
CHECK_BARS = {"check, z3": 2000, "check, all engines": 3000}  # milliseconds in all
BAR = {"--version": 0.150, "play": 0.150, "play, JSON": 0.150}  # seconds above a bare interpreter
ROUNDS = 15


def run(command: list[str], cache: str) -> float:
    """Wall time of a command in seconds. Ends the benchmark if the command can't do its work."""
    environment = {**os.environ, "PYTHONPYCACHEPREFIX": cache}
    environment.pop("PYTHONDONTWRITEBYTECODE", None)
    start = time.perf_counter()
    done = subprocess.run(
        command, cwd=ROOT, env=environment, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, check=False
    )
    taken = time.perf_counter() - start
    if done.returncode == 2 or done.stderr:
        sys.exit(f"{' '.join(command)} ended with {done.returncode}:\n{done.stderr.decode(errors='replace')}")
    return taken


def measure(rounds: int) -> dict[str, list[float]]:
    """The wall times of every command, round by round."""
    names = list(COMMANDS)
    times: dict[str, list[float]] = {name: [] for name in names}
    with tempfile.TemporaryDirectory() as cache:
        for name in names:
            run(COMMANDS[name], cache)
        for number in range(rounds):
            turn = number % len(names)
            for name in names[turn:] + names[:turn]:
                times[name].append(run(COMMANDS[name], cache))
    return times


def main() -> None:
    rounds = int(sys.argv[1]) if len(sys.argv) > 1 else ROUNDS
    times = measure(rounds)
    print(f"start, {rounds} interleaved rounds, medians of paired differences and ratios")
    print(f"{'command':<26}{'median':>10}{'over bare':>12}{'ratio':>8}  bar")
    for name in COMMANDS:
        over = statistics.median(t - bare for t, bare in zip(times[name], times[BARE], strict=True))
        ratio = statistics.median(t / bare for t, bare in zip(times[name], times[BARE], strict=True))
        bar = BAR.get(name)
        verdict = "" if bar is None else f"{bar * 1000:.0f} ms: {'met' if over <= bar else 'MISSED'}"
        if name in CHECK_BARS:
            met = statistics.median(times[name]) * 1000 <= CHECK_BARS[name]
            verdict = f"{CHECK_BARS[name]:,} ms in all: {'met' if met else 'MISSED'}"
        median = statistics.median(times[name]) * 1000
        print(f"{name:<26}{median:>7.0f} ms{over * 1000:>9.0f} ms{ratio:>7.1f}x  {verdict}".rstrip())


if __name__ == "__main__":
    main()

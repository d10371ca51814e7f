"""What the harness costs over bare piping: python benchmarks/bench_harness.py [CASES [ROUNDS]]

Both sides talk to the same child, a small Python program that plays by the table and says who wins. Bare writes
requests that were made before, and reads replies by line and throws them away. The harness has its cases from before,
too; it makes the requests, reads the answers, compares and logs them. Medians of interleaved rounds, for a machine with
two idle cores. Beside it: what making the cases takes, and the memory of a process that runs them from a file.
"""

from __future__ import annotations

import gc
import os
import statistics
import subprocess
import sys
import tempfile
import threading
import time
from collections.abc import Iterable, Iterator
from itertools import islice
from pathlib import Path

import msgspec

from oracle.cases.case import Case
from oracle.cases.tiers import cases
from oracle.conformance.protocol.messages import Start, Stop, encode, run_message
from oracle.conformance.run.limits import MAX_BATCH
from oracle.conformance.run.log import Log, LogWriter
from oracle.conformance.run.runner import Runner, Subject
from oracle.conformance.run.tally import Record
from oracle.game.rules import load_rules

ALL = 339_400
BAR = 1 / 0.6
ROUNDS = 5
RULES = "home-pt"

CHILD = """
import json, sys

POINTS = dict(zip("A23456789TJQK", (1, 2, 3, 4, 5, 6, 7, 8, 9, 0, 0, 0, 0)))
ROWS = {3: {0, 1, 2, 3, 4, 5, 6, 7, 9}, 4: set(range(2, 8)), 5: set(range(4, 8)), 6: {6, 7}, 7: set()}

def play(cards):
    values = [POINTS[card[0]] for card in cards]
    player, banker = (values[0] + values[2]) % 10, (values[1] + values[3]) % 10
    if player < 8 and banker < 8:
        if player > 5:
            if banker < 6:
                banker = (banker + values[4]) % 10
        else:
            player = (player + values[4]) % 10
            if banker < 3 or values[4] in ROWS[banker]:
                banker = (banker + values[5]) % 10
    return "player" if player > banker else "banker" if banker > player else "tie"

for line in sys.stdin:
    message = json.loads(line)
    if message["cmd"] == "start":
        reply = {"protocol": 1, "implementation": {"name": "small"}, "rules": ["*"], "kinds": ["coup"],
                 "observables": ["winner"]}
    elif message["cmd"] == "run":
        results = [{"winner": play(case["cards"])} for case in message["cases"]]
        reply = {"seq": message["seq"], "results": results}
    else:
        break
    sys.stdout.write(json.dumps(reply) + "\\n")
    sys.stdout.flush()
"""
COMMAND = [sys.executable, "-S", "-E", "-c", CHILD, os.environ.get("CH", "plays")]


def prepared(path: Path) -> Iterator[Case]:
    """Cases from a file of JSON lines, one at a time."""
    decoder = msgspec.json.Decoder(Case)
    with path.open("rb") as file:
        for line in file:
            yield decoder.decode(line)


def prepare(folder: Path, count: int) -> tuple[Path, Path, float]:
    """Files of cases and of requests, and how long making the cases took."""
    fixtures, requests = folder / "cases.ndjson", folder / "requests.ndjson"
    rules = load_rules(RULES)
    encoder = msgspec.json.Encoder()
    start = time.perf_counter()
    with fixtures.open("wb") as file:
        for case in islice(cases(rules, "values"), count):
            file.write(encoder.encode(case) + b"\n")
    taken = time.perf_counter() - start
    with requests.open("wb") as file:
        file.write(encode(Start()))
        stream = prepared(fixtures)
        seq = 0
        while batch := list(islice(stream, MAX_BATCH)):
            seq += 1
            file.write(run_message(seq, RULES, "coup", batch, [f"{seq:08x}{i:08x}" for i in range(len(batch))]))
        file.write(encode(Stop()))
    return fixtures, requests, taken


def bare(requests: Path) -> float:
    """Seconds to pipe the requests through the child, replies read by line and discarded."""
    data = requests.read_bytes()
    start = time.perf_counter()
    child = subprocess.Popen(COMMAND, stdin=subprocess.PIPE, stdout=subprocess.PIPE)
    assert child.stdin is not None
    assert child.stdout is not None
    stdin = child.stdin

    def feed() -> None:
        stdin.write(data)
        stdin.close()

    writer = threading.Thread(target=feed)
    writer.start()
    replies = sum(1 for _ in child.stdout)
    writer.join()
    child.stdout.close()
    if child.wait() or replies != data.count(b"\n") - 1:
        sys.exit(f"the bare child ended with {child.returncode} after {replies} replies")
    return time.perf_counter() - start


def harness(asked: Iterable[Case], folder: Path, count: int) -> float:
    """Seconds to run the cases through the child with everything that a test does up to its log."""
    start = time.perf_counter()
    with LogWriter(folder / "log.ndjson") as log:
        Runner(COMMAND, Subject(rules=RULES, target=()), Record(log)).run(lambda _: asked)
    taken = time.perf_counter() - start
    if Log(folder / "log.ndjson").checked != count:
        sys.exit("the harness did not check every case")
    return taken


def lines_of(path: Path) -> int:
    with path.open("rb") as file:
        return sum(1 for _ in file)


def peak() -> float:
    """The peak of this process's resident memory since it began, in MiB (Linux; getrusage counts its parent's too)."""
    status = Path("/proc/self/status").read_text(encoding="utf-8")
    return int(status.partition("VmHWM:")[2].split()[0]) / 1024


def peak_of(fixtures: Path, folder: Path) -> float:
    """The peak memory of a process that does nothing but one run."""
    code = "import sys; from pathlib import Path; import bench_harness as b; "
    code += "b.harness(b.prepared(Path(sys.argv[1])), Path(sys.argv[2]), int(sys.argv[3])); print(b.peak())"
    count = lines_of(fixtures)
    done = subprocess.run(
        [sys.executable, "-c", code, str(fixtures), str(folder), str(count)],
        env={**os.environ, "PYTHONPATH": str(Path(__file__).resolve().parent)},
        capture_output=True,
        text=True,
        check=True,
    )
    return float(done.stdout)


def main() -> None:
    wanted = int(sys.argv[1]) if len(sys.argv) > 1 else ALL
    rounds = int(sys.argv[2]) if len(sys.argv) > 2 else ROUNDS
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        fixtures, requests, made = prepare(folder, wanted)
        count = lines_of(fixtures)
        tenth = folder / "tenth.ndjson"
        with fixtures.open("rb") as file:
            tenth.write_bytes(b"".join(islice(file, max(1, count // 10))))
        ready = list(prepared(fixtures))
        gc.collect()
        gc.freeze()
        times: dict[str, list[float]] = {"bare": [], "harness": []}
        for turn in range(rounds):
            for side in ("bare", "harness") if turn % 2 else ("harness", "bare"):
                times[side].append(bare(requests) if side == "bare" else harness(ready, folder, count))
        ratio = statistics.median(h / b for h, b in zip(times["harness"], times["bare"], strict=True))
        print(f"{count:,} cases of {RULES} through a small Python child, {rounds} interleaved rounds")
        for side, taken in times.items():
            median = statistics.median(taken)
            print(f"{side:<10}{median:>7.2f} s{median / count * 1e6:>8.2f} us a case")
        print(f"ratio     {ratio:>7.2f}    bar {BAR:.2f}: {'met' if ratio <= BAR else 'MISSED'}")
        print(f"making the cases with their answers took {made:.1f} s, {made / count * 1e6:.1f} us a case")
        print(f"peak memory of the harness: {peak_of(fixtures, folder):.0f} MiB; with a tenth of the cases ", end="")
        print(f"{peak_of(tenth, folder):.0f} MiB")


if __name__ == "__main__":
    main()

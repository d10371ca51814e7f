"""What the harness costs over bare piping: python benchmarks/bench_harness.py [CASES]

Both sides talk to the same child, a Python program that answers every case with one and the same winner. Bare writes
requests that were made before, and reads replies by line and throws them away. The harness makes the requests, reads
the answers, compares them and logs them; its cases, too, were made before, as fixtures are. Medians of interleaved
rounds. What making the cases takes is printed beside it.
"""

from __future__ import annotations

import os
import resource
import statistics
import subprocess
import sys
import tempfile
import threading
import time
from collections.abc import Iterator
from itertools import islice
from pathlib import Path

import msgspec

from oracle.conformance.log import Log, LogWriter
from oracle.conformance.protocol import Start, Stop, encode, run_message
from oracle.conformance.record import Record
from oracle.conformance.run import MAX_BATCH, Runner, Subject
from oracle.fixtures.case import Case
from oracle.fixtures.tiers import cases
from oracle.game.rules import load_rules

ALL = 339_400
BAR = 1 / 0.6
ROUNDS = 5
RULES = "home-pt"

CHILD = """
import json, sys
for line in sys.stdin:
    message = json.loads(line)
    if message["cmd"] == "start":
        reply = {"protocol": 1, "implementation": {"name": "trivial"}, "rules": ["*"], "kinds": ["coup"],
                 "observables": ["winner"]}
    elif message["cmd"] == "run":
        reply = {"seq": message["seq"], "results": [{"winner": "player"} for case in message["cases"]]}
    else:
        break
    sys.stdout.write(json.dumps(reply) + "\\n")
    sys.stdout.flush()
"""
COMMAND = [sys.executable, "-S", "-E", "-c", CHILD]


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


def harness(fixtures: Path, folder: Path, count: int) -> float:
    """Seconds to run the cases through the child with everything that a test does up to its log."""
    start = time.perf_counter()
    with LogWriter(folder / "log.ndjson") as log:
        Runner(COMMAND, Subject(rules=RULES, target=()), Record(log), log).run(prepared(fixtures))
    taken = time.perf_counter() - start
    if Log(folder / "log.ndjson").checked != count:
        sys.exit("the harness did not check every case")
    return taken


def peak() -> float:
    """The peak of this process's resident memory so far, in MiB."""
    used = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    return used / (1 << 20 if sys.platform == "darwin" else 1 << 10)


def peak_of(fixtures: Path, folder: Path) -> float:
    """The peak memory of a process that does nothing but one run."""
    code = "import sys; from pathlib import Path; import bench_harness as b; "
    code += "b.harness(Path(sys.argv[1]), Path(sys.argv[2]), int(sys.argv[3])); print(b.peak())"
    count = sum(1 for _ in fixtures.open("rb"))
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
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        fixtures, requests, made = prepare(folder, wanted)
        count = sum(1 for _ in fixtures.open("rb"))
        tenth = folder / "tenth.ndjson"
        tenth.write_bytes(b"".join(islice(fixtures.open("rb"), max(1, count // 10))))
        times: dict[str, list[float]] = {"bare": [], "harness": []}
        for turn in range(ROUNDS):
            for side in ("bare", "harness") if turn % 2 else ("harness", "bare"):
                times[side].append(bare(requests) if side == "bare" else harness(fixtures, folder, count))
        ratio = statistics.median(h / b for h, b in zip(times["harness"], times["bare"], strict=True))
        print(f"{count:,} cases of {RULES} through a trivial Python child, {ROUNDS} interleaved rounds")
        for side, taken in times.items():
            median = statistics.median(taken)
            print(f"{side:<10}{median:>7.2f} s{median / count * 1e6:>8.2f} us a case")
        print(f"ratio     {ratio:>7.2f}    bar {BAR:.2f}: {'met' if ratio <= BAR else 'MISSED'}")
        print(f"making the cases with their answers took {made:.1f} s, {made / count * 1e6:.1f} us a case")
        print(f"peak memory of the harness: {peak_of(fixtures, folder):.0f} MiB; with a tenth of the cases ", end="")
        print(f"{peak_of(tenth, folder):.0f} MiB")


if __name__ == "__main__":
    main()

"""Coups a second of the numpy batch on one core, from random shoes: python benchmarks/bench_batch.py [COUPS [ROUNDS]]

Beside it what one coup at a time does in the same run, by compiled tables and with its trace. Cards come from eight
decks with replacement, which costs the same as shoes and is made before the clock starts. Medians of processor time,
so that other programs on the machine count little.
"""

from __future__ import annotations

import statistics
import sys
import time
from collections.abc import Callable

import numpy as np

from oracle.cards import RANKS, Card
from oracle.game.batch import Batch
from oracle.game.coup import play
from oracle.game.rules import load_rules
from oracle.game.tables import Tables

COUPS = 4_000_000
ROUNDS = 7
ONE_BY_ONE = 5_000
BAR = 25e6  # coups a second


def seconds(work: Callable[[], object], rounds: int) -> float:
    times = []
    for _ in range(rounds):
        start = time.process_time()
        work()
        times.append(time.process_time() - start)
    return statistics.median(times)


def main() -> None:
    coups = int(sys.argv[1]) if len(sys.argv) > 1 else COUPS
    rounds = int(sys.argv[2]) if len(sys.argv) > 2 else ROUNDS
    rules = load_rules("home-pt")
    start = time.process_time()
    batch = Batch(rules)
    compiled = time.process_time() - start
    ranks = np.random.default_rng(1).integers(0, 13, (6, coups), dtype=np.uint8)
    values = np.array([rules.points[rank] for rank in RANKS], dtype=np.uint8)[ranks]
    tables = Tables(rules)
    few = values[:, :ONE_BY_ONE].T.tolist()
    cards = [[Card(RANKS[rank]) for rank in coup] for coup in ranks[:, :ONE_BY_ONE].T.tolist()]
    play(rules, cards[0])
    print(f"{coups:,} random coups of home-pt, {rounds} rounds; compiled in {compiled * 1000:.0f} ms")
    for name, work, count in (
        ("batch, by values", lambda: batch.play(values), coups),
        ("batch, by ranks", lambda: batch.play_ranks(ranks), coups),
        ("tables, one by one", lambda: [tables.play(coup) for coup in few], len(few)),
        ("with trace, one by one", lambda: [play(rules, coup) for coup in cards], len(cards)),
    ):
        pace = count / seconds(work, rounds)
        bar = f"    bar {BAR / 1e6:.0f} million: {'met' if pace >= BAR else 'MISSED'}" if "batch" in name else ""
        print(f"{name:<24}{pace / 1e6:>10.3f} million coups a second{bar}")


if __name__ == "__main__":
    main()

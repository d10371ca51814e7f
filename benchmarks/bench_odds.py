"""Exact odds of any shoe: by card values, and by ranks and pairs jointly, beside plain loops in the same run.

Each round takes a new random composition of 416 cards, so nothing is kept from the one before; the tables of the rules
are made once, before the first round. The baseline is what one would write first: six nested loops over ten
values, all in Python integers. It is run a few times only. Every counted number is compared with the baseline's.

    python benchmarks/bench_odds.py [ROUNDS]
"""

from __future__ import annotations

import random
import statistics
import sys
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

from oracle.cards import RANKS
from oracle.game.rules import Rules, load_rules
from oracle.odds.composition import Composition
from oracle.odds.counts import Odds
from oracle.rules.library import Library

ROUNDS = 200
BASELINE_ROUNDS = 3
BAR_VALUES, BAR_PAIRS = 1.0, 20.0  # milliseconds
VARIANTS = Path(__file__).resolve().parent.parent / "tests" / "variants"


def six_loops(left: list[int]) -> dict[str, int]:
    """How many sequences each side wins: six nested loops over ten values."""
    found = {"player": 0, "banker": 0, "tie": 0}
    whole = sum(left)
    for a in range(10):
        wa = left[a]
        left[a] -= 1
        for b in range(10):
            wb = wa * left[b]
            left[b] -= 1
            for c in range(10):
                wc = wb * left[c]
                left[c] -= 1
                for d in range(10):
                    wd = wc * left[d]
                    left[d] -= 1
                    for e in range(10):
                        we = wd * left[e]
                        left[e] -= 1
                        for f in range(10):
                            if wf := we * left[f]:
                                found[winner(a, b, c, d, e, f)] += wf
                        left[e] += 1
                    left[d] += 1
                left[c] += 1
            left[b] += 1
        left[a] += 1
    assert sum(left) == whole
    return found


def winner(a: int, b: int, c: int, d: int, e: int, f: int) -> str:  # noqa: PLR0917 (one for each loop)
    player, banker = (a + c) % 10, (b + d) % 10
    if player < 8 and banker < 8:
        if player <= 5:
            if banker <= 2 or (banker == 3 and e != 8) or e in DRAWS.get(banker, ()):
                banker = (banker + f) % 10
            player = (player + e) % 10
        elif banker <= 5:
            banker = (banker + e) % 10
    return "tie" if player == banker else "player" if player > banker else "banker"


DRAWS = {4: (2, 3, 4, 5, 6, 7), 5: (4, 5, 6, 7), 6: (6, 7)}


def compositions(rounds: int) -> list[Composition]:
    """Random shoes of 416 cards that go down to any ratio of ranks."""
    chance = random.Random(5)
    found = []
    for _ in range(rounds):
        ranks = dict.fromkeys(RANKS, 0)
        for rank in chance.choices(RANKS, weights=[chance.random() for _ in RANKS], k=416):
            ranks[rank] += 1
        found.append(Composition(ranks))
    return found


def timed(work: Callable[[], Any]) -> tuple[float, Any]:
    start = time.perf_counter()
    result = work()
    return time.perf_counter() - start, result


def milliseconds(times: list[float]) -> str:
    return f"{statistics.median(times) * 1000:>10.2f} ms"


def main() -> None:
    rounds = int(sys.argv[1]) if len(sys.argv) > 1 else ROUNDS
    home, pairs = load_rules("home-pt"), load_rules("selminha/sem-comissao")
    spec = Library().load(VARIANTS / "pair-bets.yaml")
    suits = Rules(spec, spec.rule_sets[0])
    cold = timed(lambda: Odds(home).outcomes)[0]
    for rules in (home, pairs, suits):
        assert Odds(rules).bets
    times: dict[str, list[float]] = {name: [] for name in ("values", "ends", "pairs", "suits", "loops")}
    shoes, outcomes = compositions(rounds), []
    for shoe in shoes:
        taken, counted = timed(lambda shoe=shoe: Odds(home, shoe).outcomes)
        times["values"].append(taken)
        outcomes.append(counted)
        times["ends"].append(timed(lambda shoe=shoe: Odds(home, shoe).ends)[0])
        times["pairs"].append(timed(lambda shoe=shoe: Odds(pairs, shoe).bets)[0])
        times["suits"].append(timed(lambda: Odds(suits).bets)[0])
    for shoe, counted in list(zip(shoes, outcomes, strict=True))[:BASELINE_ROUNDS]:
        taken, slow = timed(lambda shoe=shoe: six_loops(shoe.stock(home.points)))
        times["loops"].append(taken)
        assert slow == counted, (slow, counted)
    loops = statistics.median(times["loops"])
    print(f"odds, {rounds} random shoes of 416 cards, medians; the loops {BASELINE_ROUNDS} times")
    print(f"making the tables of one rule set, cold, numpy included{cold * 1000:>12.0f} ms")
    for name, what, bar in (
        ("values", "player, banker, tie, by card values", BAR_VALUES),
        ("ends", "all 3,394 ends, by card values", None),
        ("pairs", "every bet, totals with ranks and both pairs jointly", BAR_PAIRS),
        ("suits", "every bet on perfect pairs, suits too", None),
        ("loops", "player, banker, tie, six nested loops in Python", None),
    ):
        median = statistics.median(times[name])
        verdict = "" if bar is None else f"  {bar:.0f} ms: {'met' if median * 1000 <= bar else 'MISSED'}"
        print(f"{what:<52}{milliseconds(times[name])}{loops / median:>9,.0f}x{verdict}")


if __name__ == "__main__":
    main()

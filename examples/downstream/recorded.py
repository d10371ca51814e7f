"""Compares coups that a program dealt by itself with the rules: python3 recorded.py RULES FILE

FILE has a coup a line, {"cards": ["4H", "2S", …], "winner": "banker", "player": {"total": 1}, "banker": {"total": 3}}:
the cards in the order in which they left the shoe, and what the program said, in the words of the protocol.
"""

import json
import sys
from pathlib import Path

import oracle
from oracle.conformance.trial import trial_of
from oracle.spans import BadCards

# The banker's table as cases name it: the banker's two-card total, and the player's third card.
CELLS = [f"banker_draw {total}/{third}" for total in range(8) for third in (*range(10), "none")]


def main(name: str, path: str) -> int:
    """Print each coup that differs, how many there were, and the cells of the banker's table not compared."""
    rules = oracle.load_rules(name)
    count = wrong = 0
    cells: set[str] = set()
    with Path(path).open(encoding="utf-8") as file:
        for line in file:
            said = json.loads(line)
            cards = " ".join(said.pop("cards"))
            count += 1
            try:
                trial = trial_of(rules, cards)
                cells.update(trial.case.cells)
                trial.check(said)
            except (AssertionError, BadCards) as error:  # too few cards: it stood where the rules draw
                wrong += 1
                print(error if isinstance(error, AssertionError) else f"{cards}: {error}")
    missed = [cell for cell in CELLS if cell not in cells]
    shown = len(CELLS) - len(missed)
    print(f"{count} coups, {wrong} differ; {shown} of {len(CELLS)} cells of the banker's table compared")
    for cell in missed:
        print(f"  not compared: {cell}")
    return 1 if wrong or not count else 0


sys.exit(main(*sys.argv[1:]))

"""Adapter for Python 3.9 or newer, run with Python 3.11 in the tests of baccarat-oracle.

Save it as mine.py, fill in `play`, take out of "observables" what it doesn't report, then run
`baccarat-oracle test --rules home-pt -- python3 mine.py`.
"""

import json
import sys
from typing import Any

START = {
    "protocol": 2,
    "implementation": {"name": "mine", "version": "1.0", "language": "python"},
    "rules": ["*"],  # the rule sets that `play` follows; with "*" it is asked about any
    "kinds": ["coup"],
    "observables": ["winner", "totals", "cards", "natural", "pairs", "net"],
}


def play(cards: list[str], bets: dict[str, str]) -> dict[str, object]:
    """Play one coup: call your program here, and return what it says.

    `cards` come in the order in which they leave the shoe, ["4H", "2S", "9C", "AD", "8D", "KC"], some perhaps unused.
    `bets` are stakes by name, {"banker": "20"}.

    winner, totals  {"winner": "tie", "player": {"total": 1}, "banker": {"total": 1}}
    cards           "player": {"total": 1, "cards": ["4H", "9C", "8D"]}, and "banker" likewise
    natural, pairs  "natural": "none" (or player, banker, both), "pairs": {"player": False, "banker": False}
    net             "net": {"banker": "19"}, what a bet adds to the balance: text as "-20", "2.5", "1/3"
    """
    raise NotImplementedError("fill me in")


def answer(case: dict[str, Any]) -> dict[str, object]:
    """Answer one case under its id; what `play` raises is an error of this case alone."""
    if "choices" in case:
        return {"id": case["id"], "skipped": "this adapter passes no choices on"}
    try:
        return {"id": case["id"], **play(case["cards"], case.get("bets", {}))}
    except Exception as error:
        return {"id": case["id"], "error": f"{type(error).__name__}: {error}"}


def main() -> None:
    """Answer each line with a line; what your program prints goes to standard error."""
    out, sys.stdout = sys.stdout, sys.stderr
    for line in sys.stdin:
        message = json.loads(line)
        if message["cmd"] == "stop":
            break
        reply = START
        if message["cmd"] == "run":
            reply = {"seq": message["seq"], "results": [answer(case) for case in message["cases"]]}
        out.write(json.dumps(reply) + "\n")
        out.flush()


if __name__ == "__main__":
    main()

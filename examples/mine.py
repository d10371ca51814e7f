"""Adapter for Python 3.9 or newer, run with Python 3.11 in the tests of baccarat-oracle.

Save it as mine.py, fill in `play`, take out of "observables" what it doesn't report, then run
`baccarat-oracle test --rules home-pt -- python3 mine.py`.
"""

import json
import sys
from fractions import Fraction
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
    shoe = iter(cards)
    player, banker = [], []
    for _ in range(2):
        player.append(next(shoe))
        banker.append(next(shoe))
    first = {"player": total(player), "banker": total(banker)}
    naturals = [side for side, points in first.items() if points >= 8]
    if not naturals:
        if first["player"] <= 5:
            player.append(next(shoe))
        if banker_draws(first["banker"], player[2:]):
            banker.append(next(shoe))
    ends = {"player": total(player), "banker": total(banker)}
    winner = "tie" if len(set(ends.values())) == 1 else max(ends, key=ends.__getitem__)
    return {
        "winner": winner,
        "player": {"total": ends["player"], "cards": player},
        "banker": {"total": ends["banker"], "cards": banker},
        "natural": "both" if len(naturals) == 2 else "".join(naturals) or "none",
        "pairs": {"player": player[0][0] == player[1][0], "banker": banker[0][0] == banker[1][0]},
        "net": {bet: str(net(bet, Fraction(stake), winner)) for bet, stake in bets.items()},
    }


def total(hand: list[str]) -> int:
    """The last digit of the sum: aces are one, tens and court cards nothing."""
    return sum(1 if card[0] == "A" else int(card[0]) if card[0].isdigit() else 0 for card in hand) % 10


def banker_draws(banker: int, player_third: list[str]) -> bool:
    """Whether the banker draws on a total of two cards, after the player's third card if there is one."""
    if not player_third:
        return banker <= 5
    rows = {3: (0, 1, 2, 3, 4, 5, 6, 7, 9), 4: (2, 3, 4, 5, 6, 7), 5: (4, 5, 6, 7), 6: (6, 7), 7: ()}
    return banker <= 2 or total(player_third) in rows[banker]


def net(bet: str, stake: Fraction, winner: str) -> Fraction:
    """What a bet adds to the balance; a tie returns stakes on the hands."""
    if bet == winner:
        return stake * {"player": Fraction(1), "banker": Fraction(95, 100), "tie": Fraction(8)}[bet]
    return Fraction(0) if winner == "tie" else -stake


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

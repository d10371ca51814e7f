"""Adapter for the PyPI package pybaccarat, whose own game plays every coup. It translates notation, and nothing else.

    python3 pybaccarat_adapter.py FOLDER [OBSERVABLE]...

FOLDER holds the package; without observables all that the package tells are reported.
"""

import json
import sys
from types import ModuleType
from typing import Any

if len(sys.argv) < 2:
    sys.exit("usage: python3 pybaccarat_adapter.py FOLDER [OBSERVABLE]...")
sys.path.insert(0, sys.argv[1])
if sys.platform != "win32":  # the package reads a key through it in its interactive game, which isn't played here
    windows_keys = ModuleType("msvcrt")
    windows_keys.getch = None  # type: ignore[attr-defined]
    sys.modules["msvcrt"] = windows_keys
from pybaccarat import baccarat
from pybaccarat.playingcards import Card, Shoe

START = {
    "protocol": 2,
    "implementation": {"name": "pybaccarat", "version": str(baccarat.__version__), "language": "python"},
    "rules": ["*"],
    "kinds": ["coup"],
    "observables": sys.argv[2:] or ["winner", "totals", "cards", "natural"],
}
WINNERS = {"P": "player", "B": "banker", "T": "tie"}


def play(cards: list[str]) -> dict[str, object]:
    """Play one coup of cards from a shoe that holds these alone."""
    player, banker = baccarat.Hand(), baccarat.Hand()
    won, *_ = baccarat.Game(Shoe([Card(card) for card in cards]), player, banker).play_hand()
    naturals = [side for side, hand in (("player", player), ("banker", banker)) if hand.is_natural()]
    return {
        "winner": WINNERS[won],
        "player": told(player),
        "banker": told(banker),
        "natural": "both" if len(naturals) == 2 else "".join(naturals) or "none",
    }


def told(hand: Any) -> dict[str, object]:
    """A hand as the protocol has it."""
    cards = [str(card) for card in map(hand.get_card, range(3)) if card is not None]
    return {"total": hand.value(), "cards": [card[0] + card[1].upper() for card in cards]}


def answer(case: dict[str, Any]) -> dict[str, object]:
    """Answer one case under its id; what the package raises is an error of this case alone."""
    if "choices" in case:
        return {"id": case["id"], "skipped": "the package offers no choices"}
    try:
        return {"id": case["id"], **play(case["cards"])}
    except Exception as error:  # noqa: BLE001 (whatever the package raises)
        return {"id": case["id"], "error": repr(error)}


def main() -> None:
    """Answer each line with a line; what the package prints goes to standard error."""
    out, sys.stdout = sys.stdout, sys.stderr
    for line in sys.stdin:
        message = json.loads(line)
        if message["cmd"] == "stop":
            break
        reply: dict[str, object] = START
        if message["cmd"] == "run":
            reply = {"seq": message["seq"], "results": [answer(case) for case in message["cases"]]}
        print(json.dumps(reply), file=out, flush=True)


main()

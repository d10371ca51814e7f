"""Adapter for a service behind HTTP, which plays every coup: a request for each case. It translates, and nothing else.

    python3 http_adapter.py URL [OBSERVABLE]...

What is posted is {"shoe": ["4H", "2S", …], "stakes": {"banker": "20"}}, and the answer is
{"result": "BANKER", "player": {"hand": ["4H", …], "points": 1}, "banker": {…}}.
Your service has other words: all of them stand in `ask`.
"""

import json
import sys
from http.client import HTTPConnection, HTTPSConnection
from typing import Any
from urllib.parse import urlsplit

if len(sys.argv) < 2:
    sys.exit("usage: python3 http_adapter.py URL [OBSERVABLE]...")
URL = urlsplit(sys.argv[1])
TARGET = (URL.path or "/") + ("?" + URL.query if URL.query else "")
CONNECTION = (HTTPSConnection if URL.scheme == "https" else HTTPConnection)(URL.netloc, timeout=4)  # stays open

START = {
    "protocol": 2,
    "implementation": {"name": "service", "version": "1.0", "language": "http"},
    "rules": ["*"],
    "kinds": ["coup"],
    "observables": sys.argv[2:] or ["winner", "totals", "cards"],
}


def ask(case: dict[str, Any]) -> dict[str, object]:
    """Play one coup: what the service says of it, in the words of the protocol."""
    said = post({"shoe": case["cards"], "stakes": case.get("bets", {})})
    return {
        "winner": said["result"].lower(),
        **{side: {"total": said[side]["points"], "cards": said[side]["hand"]} for side in ("player", "banker")},
    }


def post(body: object) -> Any:
    """Send a request, and read its answer; a connection that failed is closed, and the next request opens another."""
    try:
        CONNECTION.request("POST", TARGET, json.dumps(body), {"Content-Type": "application/json"})
        response = CONNECTION.getresponse()
        text = response.read().decode()
    except Exception:
        CONNECTION.close()
        raise
    if response.status != 200:
        raise RuntimeError(f"status {response.status}: {text[:200]}")
    return json.loads(text)


def answer(case: dict[str, Any]) -> dict[str, object]:
    """Answer one case under its id; what the service refuses is an error of this case alone, and is not sent again."""
    if "choices" in case:
        return {"id": case["id"], "skipped": "the service takes no choices"}
    try:
        return {"id": case["id"], **ask(case)}
    except Exception as error:  # noqa: BLE001 (whatever a network raises)
        return {"id": case["id"], "error": f"{type(error).__name__}: {error}"}


def main() -> None:
    """Answer each line with a line."""
    for line in sys.stdin:
        message = json.loads(line)
        if message["cmd"] == "stop":
            break
        reply: dict[str, object] = START
        if message["cmd"] == "run":
            reply = {"seq": message["seq"], "results": [answer(case) for case in message["cases"]]}
        print(json.dumps(reply), flush=True)


main()

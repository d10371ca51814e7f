"""An implementation of the usual game with misbehaviours to choose from: `python -S fake.py NAME [VALUE…]`.

It knows nothing of the package under test and plays by the standard table, in the words of the protocol.
"""

# ruff: noqa: C901, PTH110, PTH123, UP031

import json
import os
import signal
import subprocess
import sys
import time

POINTS = dict(zip("A23456789TJQK", (1, 2, 3, 4, 5, 6, 7, 8, 9, 0, 0, 0, 0), strict=True))
NAME, VALUES = sys.argv[1], sys.argv[2:]
OBSERVABLES = ["winner", "totals", "cards", "natural", "pairs", "net"]


def total(hand):
    return sum(POINTS[card[0]] for card in hand) % 10


def play(case):
    cards = case["cards"]
    player, banker = [cards[0], cards[2]], [cards[1], cards[3]]
    p, b = total(player), total(banker)
    natural = "none"
    if p >= 8 or b >= 8:
        natural = "both" if p >= 8 and b >= 8 else "player" if p >= 8 else "banker"
    elif p > 5:
        if b <= 5:
            banker.append(cards[4])
    else:
        player.append(cards[4])
        third = POINTS[cards[4][0]]
        draws = {0: range(10), 1: range(10), 2: range(10), 3: set(range(10)) - {8}, 4: range(2, 8), 5: range(4, 8)}
        stands = NAME == "stands-on-three" and (b, third) == (3, 7)
        if third in {**draws, 6: (6, 7), 7: ()}[b] and not stands:
            banker.append(cards[5])
    p, b = total(player), total(banker)
    winner = "player" if p > b else "banker" if b > p else "tie"
    net = {}
    for bet, stake in case.get("bets", {}).items():
        cents = 0
        if bet == "tie":
            cents = int(stake) * (800 if winner == "tie" else -100)
        elif winner == bet:
            cents = int(stake) * (95 if bet == "banker" else 100)
        elif winner != "tie":
            cents = int(stake) * -100
        net[bet] = f"{'-' * (cents < 0)}{abs(cents) // 100}.{abs(cents) % 100:02}"
    return {
        "winner": winner,
        "player": {"cards": player, "total": p},
        "banker": {"cards": banker, "total": b},
        "natural": natural,
        "pairs": {"player": player[0][0] == player[1][0], "banker": banker[0][0] == banker[1][0]},
        "net": net,
    }


kept = []  # what is left over of coups before


def keeping(case, answer):
    """An answer that depends on the coups before, in the way that the name says."""
    hands = answer["player"], answer["banker"]
    match NAME:
        case "keeps-natural":  # a flag that is set by a natural and cleared too late
            natural = answer["natural"] != "none"
            if kept[-1:] == [True] and not natural:
                cards = case["cards"]
                hands[0]["cards"], hands[1]["cards"] = [cards[0], cards[2]], [cards[1], cards[3]]
            kept[:] = [natural]
        case "keeps-third":  # a third card that stays on the table
            answer["player"]["total"] = (answer["player"]["total"] + sum(kept)) % 10
            kept[:] = [POINTS[card[0]] for card in answer["player"]["cards"][2:]]
        case "sums-on":
            kept.append(answer["banker"]["total"])
            answer["banker"]["total"] = sum(kept) % 10
        case "keeps-cards":  # the hands of the last coup are told
            kept.append([dict(hand) for hand in hands])
            answer["player"], answer["banker"] = kept[-2:][0]
        case "keeps-place":  # the shoe is never begun anew: after ten coups cards shift
            kept.append(None)
            if len(kept) > 10:
                answer.update(play({**case, "cards": case["cards"][1:] + case["cards"][:1]}))
        case "guesses":
            answer["natural"] = ["none", "player", "banker", "both"][os.urandom(1)[0] % 4]
        case "guesses-at-times" if os.urandom(1)[0] < 8:
            answer["winner"] = "tie" if answer["winner"] != "tie" else "player"
        case "ties-to-player" if answer["winner"] == "tie":
            answer["winner"] = "player"


def say(text):
    sys.stdout.write(text + "\n")
    sys.stdout.flush()


def is_bad(case):
    """The case that a misbehaviour waits for, by its cards."""
    return " ".join(case["cards"]) == VALUES[0]


def take_memory(step=16):
    held = []
    while True:
        held.append(bytearray(os.urandom(1) * (step << 20)))
        time.sleep(0.01)


def leave_child(*, own_group=False):
    code = "import os, sys, time; own = sys.argv[1] == 'True'; own and os.setpgid(0, 0); print(os.getpid()); "
    code += "sys.stdout.flush(); time.sleep(300)"
    arguments = [sys.executable, "-S", "-c", code, str(own_group)]
    with open(VALUES[0], "w") as file:
        subprocess.Popen(arguments, stdout=file, stderr=2 if own_group else None)
    subprocess.Popen([sys.executable, "-S", "-c", "import time; time.sleep(300)"])  # holds our output


def result(case, number, batch, size):
    """What is said of a case, of `size` in its message; `number` counts those of this process, `batch` its messages."""
    answer = play(case)
    keeping(case, answer)
    match NAME:
        case "always-player":
            return {"winner": "player"}
        case "off-by-one":
            answer["player"]["total"] = (answer["player"]["total"] + 1) % 10
        case "slow":
            time.sleep(float(VALUES[0]))
        case "sleeps-when-alone":
            answer["winner"] = "player"
            time.sleep(300 * (size == 1))
        case "hangs-at" if is_bad(case):
            time.sleep(300)
        case "crashes-at" if is_bad(case):
            sys.stderr.write("about to go\x1b[31m\n")
            sys.stderr.flush()
            os._exit(3)
        case "segfaults-at" if is_bad(case):
            os.kill(os.getpid(), signal.SIGSEGV)
        case "hogs-at" if is_bad(case):
            take_memory()
        case "child-hogs-at" if is_bad(case):
            if os.fork() == 0:
                take_memory(4)
            time.sleep(300)
        case "right-then-wrong" if batch > 1:
            answer["winner"] = "player"
        case "skips":
            return {"skipped": "not today"}
        case "refuses":
            return {"error": "bad \x1b]0;title\x07 cards"}
        case "huge-number" if is_bad(case):
            answer["player"]["total"] = 10**4000
        case "huge-net":
            answer["net"] = dict.fromkeys(case.get("bets", {}), 1e300)
        case "float-net":
            answer["net"] = {bet: float(net) * (1 + 1e-12) for bet, net in answer["net"].items()}
        case "text-total" if is_bad(case):
            answer["player"]["total"] = str(answer["player"]["total"])
        case "null-winner" if is_bad(case):
            answer["winner"] = None
        case "no-card" if is_bad(case):
            answer["player"]["cards"][0] = "1Z"
        case "other-words":
            answer["player"]["cards"] = [card.lower().replace("t", "10") for card in answer["player"]["cards"]]
            answer["extra"] = {"ignored": [1, 2]}
            answer["error"] = answer["skipped"] = None
            answer["id"] = case["id"]
    return answer


def reply(message, results):
    ids = [case["id"] for case in message["cases"]]
    said = {"seq": message["seq"], "results": results}
    match NAME:
        case "wrong-seq":
            said["seq"] += 1
        case "forged-ids":
            said["results"] = [{**r, "id": "0" * 16} for r in results]
        case "repeated-ids":
            said["results"] = [{**r, "id": ids[0]} for r in results]
        case "too-few":
            said["results"] = results[:-1]
        case "too-many":
            said["results"] = [*results, results[-1]]
        case "invalid-json":
            return json.dumps(said)[:-1]
        case "nan":
            said["results"][0]["net"] = {"banker": float("nan")}
        case "nested" if any(is_bad(case) for case in message["cases"]):
            return '{"seq":%d,"results":[%s]}' % (message["seq"], "[" * 100_000 + "]" * 100_000)
        case "non-utf8" if any(is_bad(case) for case in message["cases"]):
            sys.stdout.flush()
            os.write(1, b'{"seq":%d,"results":[{"winner":"\xff\xfe"}]}\n' % message["seq"])
            return None
        case "babbles":
            say("dealing \x1b[2J a card")
        case "endless-line":
            while True:
                os.write(1, b"x" * 65536)
        case "floods-stderr":
            for _ in range(40):
                os.write(2, b"e" * (1 << 20))
            os.write(2, b"\nlast words\n")
        case "null":
            return "null"
        case "closes-output":
            os.close(1)
            time.sleep(300)
    return json.dumps(said)


def start():
    declared = {
        "protocol": 1,
        "implementation": {"name": "fake", "version": "1", "language": "python"},
        "rules": ["*"],
        "kinds": ["coup"],
        "observables": OBSERVABLES,
    }
    match NAME:
        case "dies-at-start":
            sys.stderr.write("no such module\n")
            sys.exit(7)
        case "silent":
            time.sleep(300)
        case "always-player":
            declared["observables"] = ["winner"]
        case "other-protocol":
            declared["protocol"] = 3
        case "other-rules":
            declared["rules"] = ["klondike"]
        case "odd-observable":
            declared["observables"] = ["wins"]
        case "no-kinds":
            declared["kinds"] = []
        case "no-start":
            return "hello"
        case "changes-its-mind":
            if os.path.exists(VALUES[1]):
                declared["observables"] = ["winner"]
            open(VALUES[1], "w").close()
        case "leaves-a-child":
            leave_child()
        case "leaves-a-group":
            leave_child(own_group=True)
        case "escapes":
            child = os.fork()
            if child == 0:
                os.setsid()
                time.sleep(300)
            with open(VALUES[0], "w") as file:
                file.write(str(child))
        case "ignores-stop":
            for number in (signal.SIGTERM, signal.SIGHUP, signal.SIGINT):
                signal.signal(number, signal.SIG_IGN)
    return json.dumps(declared)


def main():
    number = batch = 0
    for line in sys.stdin:
        message = json.loads(line)
        if message["cmd"] == "start":
            say(start())
        elif message["cmd"] == "run":
            batch += 1
            results = []
            for case in message["cases"]:
                number += 1
                results.append(result(case, number, batch, len(message["cases"])))
            if NAME == "changes-its-mind" and any(is_bad(case) for case in message["cases"]):
                os._exit(1)
            said = reply(message, results)
            if said is not None:
                say(said)
        elif NAME != "ignores-stop":
            return
    if NAME == "ignores-stop":
        time.sleep(300)


main()

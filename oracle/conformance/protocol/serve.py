"""The oracle itself as an implementation: it answers the protocol line by line."""

from __future__ import annotations

from typing import IO, Any

import msgspec
from msgspec import UNSET, UnsetType

from oracle._version import __version__
from oracle.cases.case import KINDS, Answer, Step
from oracle.cases.tiers import silent
from oracle.conformance.protocol.messages import IDS_SINCE, PROTOCOL, VERSIONS, Implementation, Started
from oracle.conformance.protocol.oracle_answers import Answers
from oracle.game.rules import Rules
from oracle.programs.observables import OBSERVABLES
from oracle.spans import OracleError
from oracle.text import printable, quoted


class _Asked(msgspec.Struct, frozen=True):
    id: str | UnsetType = UNSET
    cards: list[str] | None = None
    bets: dict[str, str] = {}
    balance: str | None = None
    choices: dict[str, str] = {}
    dealt: int | None = None
    burnt: int = 0
    decks: int | None = None
    cut_card: bool | None = None
    steps: list[Step] | None = None
    text: str | None = None


class _Message(msgspec.Struct, frozen=True):
    cmd: str
    protocol: int | UnsetType = UNSET
    seq: int | UnsetType = UNSET
    rules: str = ""
    kind: str = ""
    cases: list[msgspec.Raw] = []


def serve(rules: Rules, requests: IO[bytes], replies: IO[bytes]) -> None:
    """Answer until `stop` or the end of the input. What can't be understood is answered with an error."""
    server = Server(rules)
    for line in requests:
        reply = server.reply(line)
        if reply is None:
            return
        replies.write(msgspec.json.encode(reply) + b"\n")
        replies.flush()


class Server:
    """Answers messages by one rule set."""

    def __init__(self, rules: Rules) -> None:
        self.rules = rules
        self._answers = Answers(rules)
        self._message = msgspec.json.Decoder(_Message)
        self._case = msgspec.json.Decoder(_Asked)

    def reply(self, line: bytes) -> Any:
        """The reply to a message; None to `stop`."""
        try:
            message = self._message.decode(line)
        except (msgspec.DecodeError, RecursionError) as error:
            return {"error": f"no message: {printable(str(error))}"}
        match message.cmd:
            case "start":
                if not isinstance(message.protocol, int) or message.protocol < min(VERSIONS):
                    return {"error": f"this is protocol {PROTOCOL}"}
                who = Implementation("baccarat-oracle", __version__, "python")
                version = min(message.protocol, PROTOCOL)
                bets = self.rules.bets if version >= IDS_SINCE else UNSET
                return Started(version, who, (self.rules.id,), KINDS, OBSERVABLES, bets)
            case "run":
                if message.seq is UNSET:
                    return {"error": "`run` needs a `seq`"}
                return {"seq": message.seq, "results": [self._result(message, raw) for raw in message.cases]}
            case "stop":
                return None
            case _:
                return {"error": f"no command {quoted(message.cmd)}: start, run, stop"}

    def _result(self, message: _Message, raw: msgspec.Raw) -> Any:
        """The result for a case, under its id if it has one."""
        found = {} if (id := _id_of(raw)) is None else {"id": id}
        if message.rules != self.rules.id:
            return found | {"error": f"{quoted(message.rules, 80)} is not served here, {self.rules.id} is"}
        if message.kind not in KINDS:
            return found | {"skipped": f"no kind {quoted(message.kind)}"}
        try:
            case = self._case.decode(raw)
            answer = self._answer(message.kind, case)
        except (OracleError, msgspec.DecodeError, RecursionError) as error:
            return found | {"error": printable(str(error))}
        if isinstance(answer, Answer):
            answer = {name: value for name in Answer.__struct_fields__ if (value := getattr(answer, name)) is not None}
        return found | answer

    def _answer(self, kind: str, case: _Asked) -> Any:
        """The answer to a case of a kind that there is. Raises `OracleError`."""
        if why := silent(self.rules, kind):
            return {"skipped": why}
        if kind == "bets":
            return self._answers.legal(case.bets, case.balance)
        what = {"coup": case.cards, "shoe": case.dealt, "session": case.steps, "cards": case.text}[kind]
        if what is None:
            return {"error": _NEEDED[kind]}
        if kind == "shoe":
            asked = {"burnt": case.burnt, "decks": case.decks, "cut_card": case.cut_card}
            return self._answers.shoe(case.dealt or 0, **asked)  # type: ignore[arg-type]
        if kind == "session":
            return self._answers.session(case.steps or [], case.balance)
        if kind == "cards":
            return self._answers.card(case.text or "")
        return self._answers.coup(case.cards or [], case.bets, case.choices)


def _id_of(raw: msgspec.Raw) -> str | None:
    try:
        return msgspec.json.decode(raw, type=_Id).id
    except (msgspec.DecodeError, RecursionError):
        return None


class _Id(msgspec.Struct, frozen=True):
    id: str | None = None


_NEEDED = {
    "coup": "a coup needs `cards`",
    "shoe": "a shoe needs `dealt`",
    "session": "a session needs `steps`",
    "cards": "a card needs `text`",
}

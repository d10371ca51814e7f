"""A Python function as an implementation: run as a module, with `module:function`, it answers the protocol.

The function gets the cards of a coup as a list of texts and its bets as a dictionary of exact texts, and returns a
dictionary with the fields of a result, an object that has them as attributes, or the winner alone. Which fields it has
for a first coup is what it declares. Whatever it prints goes to standard error.
"""

from __future__ import annotations

import importlib
import os
import sys
import traceback
from collections.abc import Callable, Mapping, Sequence
from typing import Any, BinaryIO

import msgspec

from oracle.cases.case import Kind
from oracle.conformance.protocol.messages import PROTOCOL
from oracle.programs.observables import IN_FILES, amount, reported
from oracle.spans import OracleError
from oracle.text import printable, quoted

_FIRST = (["4H", "2S", "9C", "AD", "8D", "3C"], {"banker": "20"})

Answering = Callable[[list[str], dict[str, str]], Any]


def find(name: str) -> Answering:
    """The function that `module:function` names. Raises `OracleError`."""
    module, colon, path = name.partition(":")
    if not (module and colon and path):
        raise OracleError(f"{quoted(name, 80)} names no function: write module:function")
    try:
        found: Any = importlib.import_module(module)
    except ModuleNotFoundError as error:
        raise OracleError(f"there is no module {printable(str(error.name))} to import from this folder") from error
    for part in path.split("."):
        if not hasattr(found, part):
            raise OracleError(f"{printable(module)} has no {quoted(path, 80)}")
        found = getattr(found, part)
    if not callable(found):
        raise OracleError(f"{quoted(name, 80)} can't be called")
    function: Answering = found
    return function


def result_of(said: Any) -> dict[str, Any]:
    """A result in the words of the protocol from what a function returned: only the fields that are there."""
    if isinstance(said, str):
        return {"winner": said}
    result: dict[str, Any] = {}
    for name in ("skipped", "error"):
        if (value := _part(said, name)) is not None:
            result[name] = value
    for field in IN_FILES:
        if (value := _part(said, field.name)) is None:
            continue
        if field.grouped:
            shown = {place.inner: each.form.given(_part(value, place.inner)) for each, place in field.places}
            # Of a group of one observable nothing may be missing, so what is shows; of a hand some need not be there.
            result[field.name] = {name: each for name, each in shown.items() if each is not None or not field.shared}
        else:
            result[field.name] = field.places[0][0].form.given(value)
    return result


def result_of_kind(kind: Kind, said: Any) -> dict[str, Any]:
    """A result of another kind than coup: a truth for bets and shoe, nothing for a text that is no card."""
    if kind in _TRUTHS:
        name = _TRUTHS[kind]
        return {name: said.get(name) if isinstance(said, Mapping) else said}
    if kind == "cards" and said is None:
        return {"error": "no card"}
    names = ("rank", "suit") if kind == "cards" else ("balances", "ended")
    result = {name: _part(said, name) for name in (*names, "skipped", "error")}
    if isinstance(balances := result.get("balances"), Sequence) and not isinstance(balances, str):
        result["balances"] = [amount(balance) for balance in balances]
    return {name: value for name, value in result.items() if value is not None}


_TRUTHS: dict[Kind, str] = {"bets": "legal", "shoe": "reshuffle"}


def answer(function: Answering, requests: BinaryIO, replies: BinaryIO, *, name: str) -> None:
    """Answer messages until `stop` or the end of the input."""
    for line in requests:
        message = msgspec.json.decode(line)
        if message["cmd"] == "start":
            reply = {
                "protocol": PROTOCOL,
                "implementation": {"name": name, "version": "", "language": "python"},
                "rules": ["*"],
                "kinds": ["coup"],
                "observables": reported(result_of(function(*_FIRST))),
            }
        elif message["cmd"] == "run":
            reply = {"seq": message["seq"], "results": [_one(function, case) for case in message["cases"]]}
        else:
            return
        replies.write(msgspec.json.encode(reply) + b"\n")
        replies.flush()


def _one(function: Answering, case: Mapping[str, Any]) -> dict[str, Any]:
    """The result of one case, under its id if it has one."""
    named = {"id": case["id"]} if "id" in case else {}
    try:
        result = result_of(function(case["cards"], case.get("bets", {})))
        msgspec.json.encode(result)
    except Exception as error:  # noqa: BLE001 (whatever a function under test raises is its answer)
        traceback.print_exc()
        return named | {"error": f"{type(error).__name__}: {error}"}
    return named | result


def _part(said: Any, name: str) -> Any:
    return said.get(name) if isinstance(said, Mapping) else getattr(said, name, None)


def main() -> None:
    """Answer on the standard output that the process was given; what the function prints goes to standard error."""
    replies = os.fdopen(os.dup(1), "wb")
    os.dup2(2, 1)
    sys.path.insert(0, "")
    try:
        function = find(sys.argv[1])
    except OracleError as error:
        sys.exit(f"error: {error}")
    answer(function, sys.stdin.buffer, replies, name=sys.argv[1])


if __name__ == "__main__":
    main()

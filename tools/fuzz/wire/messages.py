"""JSON-RPC messages of every method that MCP has, on every wire, well-formed and otherwise."""

from __future__ import annotations

import copy
import json
import random
from collections.abc import Callable, Mapping
from functools import cache
from typing import Any, NamedTuple

from mcp_types import methods
from pydantic import BaseModel

from tools.fuzz.episode import Fuzzer
from tools.fuzz.wire.schemas import SchemaSampler
from tools.fuzz.wire.values import mutate, written
from toolworld.prove.arguments import CaseArguments
from toolworld.prove.facts import SeenValues

Json = dict[str, Any]

MODERN, OLDER = "2026-07-28", ("2025-11-25", "2025-06-18", "2025-03-26", "2024-11-05")
META = "io.modelcontextprotocol/"
Models = Mapping[tuple[str, str], type[BaseModel]]
TOGETHER: Models = {**methods.CLIENT_REQUESTS, **methods.CLIENT_NOTIFICATIONS}
SENT_BY_SERVERS: Models = {**methods.SERVER_REQUESTS, **methods.SERVER_NOTIFICATIONS}
CONTROL = ("open", "reset", "restore", "snapshot", "say", "grade", "state", "diff", "digest")
PREFIX = "toolworld/episode/"
MUTATED, SPOILT, CALLS, CONTROLLED = 0.6, 0.12, 0.3, 0.15
NO_UTF8 = (b"\xff", b"\xc3", b"\xed\xa0\x80", b"\xf8\x88\x80\x80\x80", b"\x00", b"\xef\xbb\xbf")


class WireLine(NamedTuple):
    """A message that is sent as one line or body.

    Attributes:
        data: The bytes, with no end of line in them.
        answered: The id that an answer must have; None if no answer has to come.
        cancels: The id of the request that it cancels.
        writer: Its id as JSON if it may change something; empty if not.
        method: The method it had before it was changed.
        name: The name of the tool it called before it was changed.
    """

    data: bytes
    answered: str | int | None = None
    cancels: str | int | None = None
    writer: str = ""
    method: str = ""
    name: str = ""


@cache
def _schema(method: str, version: str) -> Json:
    return {**TOGETHER, **SENT_BY_SERVERS}[method, version].model_json_schema()


class MessageMaker:
    """Makes messages for servers of one package.

    Attributes:
        number: How many ids were given.
    """

    def __init__(self, fuzzer: Fuzzer, rng: random.Random) -> None:
        """Take a package's tools and rows."""
        self._fuzzer, self._rng = fuzzer, rng
        self.number = 0
        self._ids: list[str | int] = [0]
        self._facts = SeenValues()

    def line(self, version: str, *, calm: bool) -> WireLine:
        """Return a message of a wire, or something that is no message.

        Args:
            version: The protocol version of the wire.
            calm: Whether a message that would change something must fail.
        """
        rng, message = self._rng, self.message(version)
        method, name = message["method"], str((message.get("params") or {}).get("name", ""))
        if calm:
            _calm(message)
        if rng.random() < MUTATED:
            message = copy.deepcopy(message)
            mutate(message, rng)
        text = written(message)
        writer = json.dumps(message.get("id")) if _may_write(message.get("method")) else ""
        if rng.random() < SPOILT:
            return WireLine(self._spoilt(text.encode()), None, None, writer, method, name)
        answered, cancels = answered_id(text), _cancelled(message)
        return WireLine(text.encode(), answered, cancels, writer, method, name)

    def message(self, version: str) -> Json:
        """Return a well-formed message of a wire."""
        rng = self._rng
        if rng.random() < CALLS:
            return self.request("tools/call", self.call(), version)
        if rng.random() < CONTROLLED:
            operation = rng.choice(CONTROL)
            return self.request(PREFIX + operation, self.parameters(operation), version)
        known = SENT_BY_SERVERS if rng.random() < 0.05 else TOGETHER
        method = rng.choice(sorted({name for name, _ in known}))
        versions = [one for name, one in known if name == method]
        schema = _schema(method, version if version in versions else rng.choice(versions))
        message: Json = SchemaSampler(schema, rng).value(schema)
        message |= {"jsonrpc": "2.0", "method": method}
        if "id" in schema["properties"] or (method, version) in methods.CLIENT_REQUESTS:
            message["id"] = self.fresh_id()
        elif method == "notifications/cancelled" and rng.random() < 0.7:
            message["params"]["requestId"] = rng.choice(self._ids[-20:])
        return with_meta(message, version)

    def request(self, method: str, params: Json, version: str) -> Json:
        """Return a request."""
        message = {"jsonrpc": "2.0", "id": self.fresh_id(), "method": method, "params": params}
        return with_meta(message, version)

    def fresh_id(self) -> str | int:
        """Return an id that no message had."""
        self.number += 1
        made = self.number if self._rng.random() < 0.7 else f"s{self.number}"
        self._ids = [*self._ids[-50:], made]
        return made

    def call(self) -> Json:
        """Return the parameters of a call of a tool."""
        fuzzer, rng = self._fuzzer, self._rng
        for row in fuzzer.world.around(rng):
            self._facts.learn(row)
        tool = rng.choice(fuzzer.tools)
        maker = CaseArguments(self._facts, fuzzer.base.clock, rng)
        schema = fuzzer.definitions[tool]["inputSchema"]
        made = maker.arguments(schema, fuzzer.examples.get(tool, ()))
        self._facts = SeenValues() if rng.random() < 0.05 else self._facts
        return {"name": tool, "arguments": made}

    def parameters(self, operation: str) -> Json:
        """Return parameters of an operation of the control plane."""
        rng = self._rng
        tasks = [task.id for task in self._fuzzer.tasks] or ["none"]
        made: dict[str, Callable[[], Json]] = {
            "open": lambda: self._start(tasks),
            "reset": lambda: self._start(tasks),
            "restore": lambda: {"snapshot": rng.choice("12345")},
            "say": lambda: {"text": rng.choice(("yes", "No.", "", "Which one?", "x" * 3_000))},
            "grade": lambda: {"answer": rng.choice((None, "Done.", "12.50"))},
        }
        return made.get(operation, dict)()

    def _start(self, tasks: list[str]) -> Json:
        rng = self._rng
        task = rng.choice((None, rng.choice(tasks), {"id": "mine", "instruction": "Do it."}))
        return {"task": task, "seed": rng.choice((0, 1, 5, 10**6))}

    def _spoilt(self, data: bytes) -> bytes:
        """Return bytes that are no message, or several messages in one line."""
        rng = self._rng
        at = rng.randrange(len(data) + 1)
        chosen = rng.randrange(8)
        if chosen == 0:
            return data[:at]
        if chosen == 1:
            return data[at:]
        if chosen == 2:
            return data[:at] + rng.choice(NO_UTF8) + data[at:]
        if chosen == 3:
            return b"[" + b",".join([data] * rng.choice((0, 1, 2, 5))) + b"]"
        if chosen == 4:
            return data + data
        if chosen == 5:
            return rng.choice((b"", b" ", b"\t\r", b"null", b"0", b'""', b"[]", b"{}", b"GET /"))
        if chosen == 6:
            return b" " * rng.choice((1, 100, 70_000)) + data + b"\r"
        return rng.randbytes(rng.choice((1, 10, 300))).replace(b"\n", b"")


def with_meta(message: Json, version: str) -> Json:
    """Return a message with the metadata that the newer wire wants in each."""
    if version == MODERN and isinstance(message.get("params", {}), dict):
        told = {
            META + "protocolVersion": version,
            META + "clientInfo": {"name": "fuzz", "version": "1"},
            META + "clientCapabilities": {},
        }
        message["params"] = {**message.get("params", {}), "_meta": told}
    return message


def _calm(message: Json) -> None:
    """Give a message that would change something an unknown parameter, so that it fails."""
    odd = {"no_such_parameter": 1}
    if message["method"] == "tools/call":
        message["params"]["arguments"] = {**(message["params"].get("arguments") or {}), **odd}
    elif _may_write(message["method"]):
        message["params"] = {**message["params"], **odd}


def _may_write(method: object) -> bool:
    return method == "tools/call" or str(method).startswith(PREFIX)


def answered_id(text: str) -> str | int | None:
    """Return the id of a well-formed request, which must be answered; None for anything else."""
    try:
        message = json.loads(text, parse_constant=_refuse)
        json.dumps(message, ensure_ascii=False).encode()  # not with a lone surrogate in it
    except (ValueError, RecursionError):
        return None
    if message.get("jsonrpc") != "2.0":
        return None
    request_id, params = message.get("id"), message.get("params", {})
    sound = isinstance(message.get("method"), str) and isinstance(params, dict)
    return request_id if sound and type(request_id) in (str, int) else None


def _refuse(_: str) -> None:
    raise ValueError


def _cancelled(message: Json) -> str | int | None:
    params = message.get("params")
    asked = params.get("requestId") if isinstance(params, dict) else None
    return asked if isinstance(asked, str | int) else None

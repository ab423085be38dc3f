"""A file of calls with expectations, replayed against any MCP server.

The file is JSON: a list of calls, or an object whose ``calls`` is one. A call is

    {"tool": "add", "arguments": {"a": 1, "b": 2}, "expect": "ok",
     "result": {"sum": 3}, "text": "3"}

``tool`` is required. ``expect`` is ``ok`` unless said otherwise, or ``error``: a result marked as
an error, or a protocol error. ``result`` must be contained in the structured result (or in the
text read as JSON, where a server sends no structured one): an object in an object that has at
least its members, a list in a list of equal length, anything else in an equal value. ``text``
must occur in the text. Arguments may refer to earlier results with ``{"$step": 0, "path": "id"}``.
"""

from __future__ import annotations

import json
import time
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Literal

import anyio
from pydantic import BaseModel, ConfigDict, Field, TypeAdapter, ValidationError

from toolworld.errors import LaunchError, ToolworldError
from toolworld.harness.client import Caller, any_server, is_url
from toolworld.harness.diff import short
from toolworld.harness.launch import USUAL, Timeouts
from toolworld.harness.reply import Reply
from toolworld.harness.report import Failure, PackageReport, Report
from toolworld.harness.steps import Unresolved, resolve


class ExpectedCall(BaseModel):
    """One call and what is expected of it.

    Attributes:
        tool: The tool.
        arguments: Values, or ``{"$step": 0, "path": "id"}`` for a value in an earlier result.
        expect: Whether the server is expected to do it, or to answer with an error.
        result: What the structured result must contain.
        text: What the text must contain.
    """

    model_config = ConfigDict(frozen=True, extra="forbid", strict=True)

    tool: str = Field(min_length=1)
    arguments: dict[str, Any] = Field(default_factory=dict)
    expect: Literal["ok", "error"] = "ok"
    result: dict[str, Any] | None = None
    text: str | None = None


NO_ARGUMENTS = "The call cannot be made."

CALLS = TypeAdapter(list[ExpectedCall])


def read_calls(path: Path) -> list[ExpectedCall]:
    """Read a file of calls.

    Raises:
        ToolworldError: It cannot be read, is no JSON, or breaks the format; the text lists every
            problem with its place.
    """
    try:
        content = json.loads(path.read_text(encoding="utf-8"))
    except OSError as error:
        raise ToolworldError(f"{path} cannot be read: {error.strerror}.") from error
    except UnicodeDecodeError as error:
        raise ToolworldError(f"{path} is not UTF-8 text: {error}.") from error
    except json.JSONDecodeError as error:
        where = f"{path}:{error.lineno}:{error.colno}"
        raise ToolworldError(f"{where}: this is no JSON: {error.msg}.") from error
    return _checked(path, _listed(path, content))


def _listed(path: Path, content: object) -> object:
    if isinstance(content, dict):
        if content.keys() != {"calls"}:
            raise ToolworldError(f'{path}: an object must have "calls" and nothing else.')
        return content["calls"]
    return content


def _checked(path: Path, content: object) -> list[ExpectedCall]:
    try:
        calls = CALLS.validate_python(content)
    except ValidationError as error:
        lines = [_problem(path, problem["loc"], problem["msg"]) for problem in error.errors()]
        raise ToolworldError("\n".join(lines)) from error
    if not calls:
        raise ToolworldError(f"{path}: there are no calls.")
    return calls


def _problem(path: Path, place: tuple[int | str, ...], message: str) -> str:
    where = f"calls[{place[0]}]" if place else "the file"
    inside = "".join(f".{part}" for part in place[1:])
    return f"{path}: {where}{inside}: {message}."


@dataclass
class CheckedCalls:
    """What came of some calls.

    Attributes:
        failures: What was not as expected.
        made: How many calls were made.
    """

    failures: list[Failure] = field(default_factory=list)
    made: int = 0


async def check_calls(caller: Caller, calls: Sequence[ExpectedCall]) -> CheckedCalls:
    """Make the calls one after the other and return the first that was not as expected.

    A call whose arguments refer to a result that is not there is not made. When the server is
    lost, so are the calls that are left.
    """
    results: dict[int, Mapping[str, Any]] = {}
    checked = CheckedCalls()
    for index, call in enumerate(calls):
        try:
            failure = await _check(caller, call, index, results)
        except LaunchError as error:
            reason, _, detail = str(error).partition("\n")
            lost = Failure(_name(call, index), reason, index, detail)
            rest = enumerate(calls[index + 1 :], index + 1)
            checked.failures += [lost, *(_not_made(late, place) for place, late in rest)]
            checked.made += 1
            return checked
        checked.made += failure is None or failure.reason != NO_ARGUMENTS
        checked.failures += [failure] if failure is not None else []
    return checked


async def _check(
    caller: Caller, call: ExpectedCall, index: int, results: dict[int, Mapping[str, Any]]
) -> Failure | None:
    try:
        arguments = resolve(call.arguments, results)
    except Unresolved as error:
        return Failure(_name(call, index), NO_ARGUMENTS, index, str(error))
    reply = await caller.call(call.tool, arguments)
    if reply.outcome == "ok":
        results[index] = _structured(reply)
    reason = _surprise(call, reply)
    made = f"call: {call.tool} {short(arguments)}\ngot: {reply.outcome}: {short(reply.text)}"
    return Failure(_name(call, index), reason, index, made) if reason else None


def _not_made(call: ExpectedCall, index: int) -> Failure:
    return Failure(_name(call, index), "Not called: the server was lost before.", index)


def _name(call: ExpectedCall, index: int) -> str:
    return f"calls[{index}] {call.tool}"


def _surprise(call: ExpectedCall, reply: Reply) -> str:
    if reply.outcome == "broken":
        return reply.text
    outcome = "ok" if reply.outcome == "ok" else "error"
    if outcome != call.expect:
        return f"{call.expect} was expected, but the outcome is {outcome}."
    if call.text is not None and call.text not in reply.text:
        return f"The text does not contain {call.text!r}."
    if call.result is not None:
        missing = _missing(call.result, _structured(reply), "")
        return f"The result differs at {missing}." if missing else ""
    return ""


def _structured(reply: Reply) -> Mapping[str, Any]:
    if reply.structured:
        return reply.structured
    try:
        value = json.loads(reply.text)
    except json.JSONDecodeError:
        return {}  # plain text has no members to compare
    return value if isinstance(value, dict) else {}


def _missing(wanted: Any, actual: Any, place: str) -> str:
    """Return the first place at which a wanted value is not contained in the actual one, or ""."""
    if isinstance(wanted, dict) and isinstance(actual, Mapping):
        inner = ((f"{place}.{name}", wanted[name], actual.get(name, ...)) for name in wanted)
    elif isinstance(wanted, list) and isinstance(actual, list) and len(wanted) == len(actual):
        pairs = enumerate(zip(wanted, actual, strict=True))
        inner = ((f"{place}.{index}", one, other) for index, (one, other) in pairs)
    else:
        return "" if _equal(wanted, actual) else _told(place, wanted, actual)
    return next((found for where, a, b in inner if (found := _missing(a, b, where))), "")


def _equal(wanted: object, actual: object) -> bool:
    return wanted == actual and isinstance(wanted, bool) == isinstance(actual, bool)


def _told(place: str, wanted: object, actual: object) -> str:
    got = "nothing" if actual is ... else short(actual)
    return f"{place.lstrip('.') or 'its root'}: {short(wanted)} was expected, not {got}"


def replay_calls(server: str, calls: Path, *, timeouts: Timeouts = USUAL) -> Report:
    """Replay a file of calls on any MCP server.

    Args:
        server: The command that starts it over stdio, or its URL.
        calls: The file of calls.
        timeouts: How long the server is waited for.

    Raises:
        ToolworldError: The file or the command cannot be read.
        LaunchError: The server cannot be started or reached.
    """
    return anyio.run(_replay, server, calls, timeouts)


async def _replay(server: str, path: Path, timeouts: Timeouts) -> Report:
    calls = read_calls(path)
    began = time.perf_counter()
    async with any_server(server, timeouts) as caller:
        checked = await check_calls(caller, calls)
    seconds = time.perf_counter() - began
    transport = "http" if is_url(server) else "stdio"
    failures = tuple(checked.failures)
    row = PackageReport(server, str(path), len(calls), checked.made, seconds, failures)
    return Report(transport, (row,), seconds, of="calls")

"""The interface for programs: one JSON command a line in, one JSON answer a line out."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Mapping
from dataclasses import asdict
from typing import Any, TextIO

from toolworld.errors import PlayError
from toolworld.jsonvalues import JsonValue
from toolworld.play.reading import read_json
from toolworld.play.session import PlaySession

Answer = dict[str, Any]
Command = Callable[[PlaySession, JsonValue], Answer]


def play_in_json(session: PlaySession, lines: Iterable[bytes], out: TextIO) -> None:
    """Answer each line, until there are no more.

    Args:
        session: The episode.
        lines: The lines that the program writes.
        out: Where the answers go; the first line is the opening.
    """
    opening = session.opening
    first = {
        "task": opening.task,
        "message": opening.message,
        "role": opening.role,
        "tools": opening.tools,
    }
    _write(out, first)
    for line in lines:
        _write(out, answer(session, line))


def _write(out: TextIO, value: Answer) -> None:
    out.write(json.dumps(value) + "\n")
    out.flush()


def answer(session: PlaySession, line: bytes) -> Answer:
    """Return the answer to a line: the command's result, or an error."""
    try:
        name, value = _command(line)
        return COMMANDS[name](session, value)
    except PlayError as error:
        return {"ok": False, "error": str(error)}


def _command(line: bytes) -> tuple[str, JsonValue]:
    """Return a command's name and its argument.

    Raises:
        PlayError: The line is no command.
    """
    try:
        text = line.decode()
    except UnicodeDecodeError as error:
        raise PlayError(f"This is no UTF-8 text: {error}.") from error
    command = read_json(text)
    if not isinstance(command, dict) or len(command) != 1 or not command.keys() <= COMMANDS.keys():
        raise PlayError(f"A command is an object with one member: {', '.join(COMMANDS)}.")
    return next(iter(command.items()))


def _call(session: PlaySession, value: JsonValue) -> Answer:
    if not isinstance(value, dict) or not value.keys() <= {"tool", "arguments"}:
        raise PlayError('call takes an object: {"tool": "NAME", "arguments": {}}.')
    tool, arguments = value.get("tool"), value.get("arguments", {})
    if not isinstance(tool, str) or not isinstance(arguments, dict):
        raise PlayError("The tool is a text, and the arguments are an object.")
    made = session.call(tool, arguments)
    if made.outcome != "ok":
        rejection = {"code": made.code, "values": made.values} if made.code else {}
        return {"ok": False, "error": made.text, "outcome": made.outcome, **rejection}
    return {"ok": True, "outcome": "ok", "result": made.result}


def _say(session: PlaySession, value: JsonValue) -> Answer:
    if not isinstance(value, str):
        raise PlayError("say takes a text.")
    return {"ok": True, "reply": session.say(value)}


def _tools(session: PlaySession, value: JsonValue) -> Answer:
    if not isinstance(value, str | None):
        raise PlayError("tools takes null, or a text to look for.")
    return {"ok": True, "tools": session.tools(value or "")}


def _policy(session: PlaySession, value: JsonValue) -> Answer:
    _refuse_argument("policy", value)
    return {"ok": True, "policy": session.policy}


def _diff(session: PlaySession, value: JsonValue) -> Answer:
    _refuse_argument("diff", value)
    return {"ok": True, "changes": session.diff()}


def _refuse_argument(name: str, value: JsonValue) -> None:
    if value is not None:
        raise PlayError(f"{name} takes null.")


def _finish(session: PlaySession, value: JsonValue) -> Answer:
    if not isinstance(value, str | None):
        raise PlayError("finish takes the final answer as a text, or null.")
    return {"ok": True, **asdict(session.finish(value))}


COMMANDS: Mapping[str, Command] = {
    "call": _call,
    "say": _say,
    "tools": _tools,
    "policy": _policy,
    "diff": _diff,
    "finish": _finish,
}
"""What a program can do, by the name of the command."""

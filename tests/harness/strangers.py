"""A stdio server that speaks raw lines, and answers a call oddly: ``strangers.py MODE``."""

from __future__ import annotations

import json
import sys
import time
from typing import Any

DEEP, DEEPEST = 20, 180
"""How deep a schema is nested: what parses the message takes no more."""


def items(depth: int) -> dict[str, Any]:
    """Return a schema of lists in lists."""
    return {"type": "array", "items": items(depth - 1)} if depth else {}


def structured(depth: int) -> str:
    """Return a result with lists in lists."""
    return f'{{"content": [], "structuredContent": {{"a": {"[" * depth + "]" * depth}}}}}'


PATTERN = "^(a+)+$"
TOOL: dict[str, Any] = {"name": "odd", "inputSchema": {"type": "object"}}
WITH_SCHEMA = {
    "regex": {"type": "object", "properties": {"a": {"type": "string", "pattern": PATTERN}}},
    "mismatch": {"type": "object", "properties": {"a": {"type": "integer"}}},
    "nothing": {"type": "object", "properties": {"a": {"type": "integer"}}},
    "loop": {"type": "object", "$ref": "#"},
    "remote": {"type": "object", "$ref": sys.argv[2] if sys.argv[2:] else ""},
    "deep_schema": {"type": "object", "properties": {"a": items(DEEP)}},
    "deepest_schema": {"type": "object", "properties": {"a": items(DEEPEST)}},
}


def text(said: str, **more: Any) -> str:
    """Return a result with a text."""
    return json.dumps({"content": [{"type": "text", "text": said}], **more})


ANSWERS = {
    "regex": text("ok", structuredContent={"a": "a" * 40 + "!"}),
    "mismatch": text("ok", structuredContent={"a": "one"}),
    "nothing": text("ok"),
    "digits": '{"content": [], "structuredContent": {"a": ' + "9" * 5_000 + "}}",
    "deep": '{"content": [], "structuredContent": {"a": ' + "[" * 100_000 + "]" * 100_000 + "}}",
    "surrogate": '{"content": [{"type": "text", "text": "\\ud800"}]}',
    "control": text("\x1b[31mred\x07 \u202eback"),
    "wrong": '{"content": "no list"}',
    "no_object": "[]",
    "nan": '{"content": [], "structuredContent": {"a": NaN}}',
    "loop": text("ok", structuredContent={"a": 1}),
    "remote": text("ok", structuredContent={"a": 1}),
    "deep_schema": structured(DEEP),
    "deepest_schema": structured(DEEPEST),
    "pages": text("ok", structuredContent={"a": 1}),
    "error": text("It is refused.", isError=True),
}


def main(mode: str) -> None:
    """Answer until the input ends."""
    for line in sys.stdin:
        asked = json.loads(line)
        if "id" in asked:
            answer(mode, asked)


def answer(mode: str, asked: dict[str, Any]) -> None:
    """Answer one request."""
    result = "{}"
    if asked["method"] == "initialize":
        version = asked["params"]["protocolVersion"]
        told = {"protocolVersion": version, "capabilities": {"tools": {}}}
        result = json.dumps({**told, "serverInfo": {"name": "odd", "version": "1"}})
    elif asked["method"] == "tools/list":
        if (asked.get("params") or {}).get("cursor"):
            sys.exit("There are pages without end, and one more of them was asked for.")
        schema = {"outputSchema": WITH_SCHEMA[mode]} if mode in WITH_SCHEMA else {}
        told = {"tools": [{**TOOL, **schema}]}
        result = json.dumps({**told, "nextCursor": "more"} if mode == "pages" else told)
    elif asked["method"] == "tools/call":
        if mode == "ends":
            sys.exit(3)
        if mode == "hangs":
            time.sleep(600)
        if mode == "endless":
            write_on()
        result = ANSWERS[mode]
    elif asked["method"].startswith("server/"):
        say(asked, '"error": {"code": -32601, "message": "no"}')
        return
    say(asked, f'"result": {result}')


def write_on() -> None:
    """Write a line that does not end."""
    while True:
        sys.stdout.write("x" * 2**20)


def say(asked: dict[str, Any], what: str) -> None:
    """Write an answer to a request as one line."""
    sys.stdout.write(f'{{"jsonrpc": "2.0", "id": {json.dumps(asked["id"])}, {what}}}\n')
    sys.stdout.flush()


if __name__ == "__main__":
    main(sys.argv[1])

"""A model's server on this machine, which does what a script says, fault by fault.

It speaks as much of OpenAI's chat completions and Anthropic's messages as a streamed answer
takes, over a plain socket, so that it can also hang and break off.
"""

from __future__ import annotations

import asyncio
import json
from collections.abc import AsyncIterator, Awaitable, Callable, Sequence
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from typing import Any


@dataclass(frozen=True)
class Request:
    """What a client sent."""

    path: str
    headers: dict[str, str]
    body: dict[str, Any]


Move = Callable[[Request, asyncio.StreamWriter], Awaitable[None]]


@dataclass
class Provider:
    """A server that is listening.

    Attributes:
        url: Where.
        requests: What came, in order.
    """

    moves: Sequence[Move]
    url: str = ""
    requests: list[Request] = field(default_factory=list)

    async def serve(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        """Answer one request with the next move; the last one serves all further ones."""
        try:
            request = await _request(reader)
            self.requests.append(request)
            await self.moves[min(len(self.requests), len(self.moves)) - 1](request, writer)
        finally:
            writer.close()


@asynccontextmanager
async def serving(*moves: Move) -> AsyncIterator[Provider]:
    """Serve moves on a free port of this machine."""
    provider = Provider(moves)
    server = await asyncio.start_server(provider.serve, "127.0.0.1", 0)
    port = server.sockets[0].getsockname()[1]
    provider.url = f"http://127.0.0.1:{port}/v1"
    try:
        yield provider
    finally:
        server.close()


def says(text: str, usage: bool = True) -> Move:
    """Answer with a text, streamed in three pieces."""

    async def move(request: Request, writer: asyncio.StreamWriter) -> None:
        _head(writer, 200, "text/event-stream")
        stream = _messages if request.path.endswith("/messages") else _completions
        for event in stream(request, text, usage):
            writer.write(event.encode())
            await writer.drain()

    return move


def refuses(why: str) -> Move:
    """Decline to answer, as OpenAI's models do."""

    async def move(request: Request, writer: asyncio.StreamWriter) -> None:
        _head(writer, 200, "text/event-stream")
        writer.write(_chunk(request, {"refusal": why}).encode())
        writer.write(_chunk(request, {}, "stop").encode() + b"data: [DONE]\n\n")
        await writer.drain()

    return move


def fails(status: int, message: str = "Something is wrong.", **headers: str) -> Move:
    """Answer with a status and a message."""

    async def move(request: Request, writer: asyncio.StreamWriter) -> None:
        _head(writer, status, "application/json", headers)
        error = {"type": "error", "error": {"type": "an_error", "message": message}}
        writer.write(json.dumps(error).encode())
        await writer.drain()

    return move


async def shows_a_page(request: Request, writer: asyncio.StreamWriter) -> None:
    """Answer as a server does that is no model's."""
    _head(writer, 200, "text/html")
    writer.write(b"<html>Welcome!</html>")
    await writer.drain()


async def drops(request: Request, writer: asyncio.StreamWriter) -> None:
    """Break off in the middle of an answer."""
    _head(writer, 200, "text/event-stream", {"content-length": "100000"})
    writer.write(_chunk(request, {"content": "{"}).encode())
    await writer.drain()


async def hangs(request: Request, writer: asyncio.StreamWriter) -> None:
    """Take a request and never answer."""
    await asyncio.sleep(60)


async def _request(reader: asyncio.StreamReader) -> Request:
    head = (await reader.readuntil(b"\r\n\r\n")).decode().splitlines()
    pairs = (line.split(": ", 1) for line in head[1:] if line)
    headers = {name.lower(): value for name, value in pairs}
    body = await reader.readexactly(int(headers["content-length"]))
    return Request(head[0].split()[1], headers, json.loads(body))


def _head(
    writer: asyncio.StreamWriter, status: int, kind: str, headers: dict[str, str] | None = None
) -> None:
    lines = [f"HTTP/1.1 {status} Status", f"content-type: {kind}", "connection: close"]
    lines += [f"{name.replace('_', '-')}: {value}" for name, value in (headers or {}).items()]
    writer.write("\r\n".join([*lines, "", ""]).encode())


def _pieces(text: str) -> list[str]:
    third = len(text) // 3 + 1
    return [text[start : start + third] for start in range(0, len(text), third)]


def _chunk(
    request: Request, delta: dict[str, Any], ended: str | None = None, usage: Any = None
) -> str:
    choice = {"index": 0, "delta": delta, "finish_reason": ended}
    value = {
        "id": "c1",
        "object": "chat.completion.chunk",
        "created": 1,
        "model": request.body["model"],
        "choices": [] if usage else [choice],
        "usage": usage,
    }
    return f"data: {json.dumps(value)}\n\n"


def _completions(request: Request, text: str, usage: bool) -> list[str]:
    called = "tools" in request.body
    counted = {"prompt_tokens": 1000, "completion_tokens": 200, "total_tokens": 1200}
    delta = _call_delta if called else _text_delta
    deltas = [delta(piece, n == 0) for n, piece in enumerate(_pieces(text))]
    return [
        *(_chunk(request, delta) for delta in deltas),
        _chunk(request, {}, "tool_calls" if called else "stop"),
        *([_chunk(request, {}, usage=counted)] if usage else []),
        "data: [DONE]\n\n",
    ]


def _text_delta(text: str, first: bool) -> dict[str, Any]:
    return {"content": text, **({"role": "assistant"} if first else {})}


def _call_delta(text: str, first: bool) -> dict[str, Any]:
    named = {"id": "t1", "type": "function"} if first else {}
    function = {"arguments": text, **({"name": "answer"} if first else {})}
    return {"tool_calls": [{"index": 0, "function": function, **named}]}


def _messages(request: Request, text: str, usage: bool) -> list[str]:
    called = "tools" in request.body
    message = {
        "id": "m1",
        "type": "message",
        "role": "assistant",
        "model": request.body["model"].removesuffix("-latest"),
        "content": [],
        "stop_reason": None,
        "stop_sequence": None,
        "usage": {"input_tokens": 1000, "output_tokens": 1},
    }
    block: dict[str, Any] = {"type": "text", "text": ""}
    if called:
        block = {"type": "tool_use", "id": "t1", "name": "answer", "input": {}}
    kind, key = ("input_json_delta", "partial_json") if called else ("text_delta", "text")
    ended = {"stop_reason": "tool_use" if called else "end_turn", "stop_sequence": None}
    return [
        _event("message_start", message=message),
        _event("content_block_start", index=0, content_block=block),
        *(
            _event("content_block_delta", index=0, delta={"type": kind, key: piece})
            for piece in _pieces(text)
        ),
        _event("content_block_stop", index=0),
        _event("message_delta", delta=ended, usage={"output_tokens": 200}),
        _event("message_stop"),
    ]


def _event(name: str, **fields: Any) -> str:
    return f"event: {name}\ndata: {json.dumps({'type': name, **fields})}\n\n"

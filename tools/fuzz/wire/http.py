"""Sends requests of all kinds to a server over HTTP, and checks it after each batch."""

from __future__ import annotations

import asyncio
import json
import random
from collections.abc import Mapping, Sequence
from contextlib import aclosing
from typing import Any

from tools.fuzz.wire.client import RawClient, Response
from tools.fuzz.wire.control import HostControl, PackageControl, Source
from tools.fuzz.wire.messages import MODERN, OLDER, MessageMaker
from tools.fuzz.wire.requests import RequestMaker, WireRequest
from tools.fuzz.wire.tally import Tally
from tools.servers import TOKEN, Server

Json = dict[str, Any]
TOGETHER, BATCH, CALM, TO_CONTROL, UNAUTHORIZED = 8, 40, 0.6, 0.25, 0.1
TRACEBACKS = ("Traceback", "Exception in ASGI")
JSON_TYPE = "application/json"


class HttpSession:
    """An episode of a server, and the requests to it.

    Attributes:
        path: The MCP endpoint of the episode.
    """

    def __init__(self, server: Server, maker: MessageMaker, rng: random.Random) -> None:
        """Take a server that answers."""
        self._server, self._maker, self._rng = server, maker, rng
        host, _, port = server.address.rpartition(":")
        self.client = RawClient(host, int(port))
        self._requests = RequestMaker(server.address, rng)
        self._others = ["default", "x"]
        self._id = self.path = self._token = ""
        self._digest: object = None

    async def open(self) -> None:
        """Open the episode that is watched from now on."""
        opened = await self.ask(b"POST", "/episodes", self._server.opens)
        self._others = [*self._others[-20:], self._id or "default"]
        self._id, self._token = opened["id"], opened.get("token", "")
        self.path = "/" + opened["url"].split("/", 3)[3]
        self._digest = opened["digest"]

    async def ask(self, method: bytes, path: str, body: Json) -> Any:
        """Return the answer to a plain request.

        Raises:
            EOFError: The server refuses it.
        """
        sent = json.dumps(body).encode()
        head = b"%s %s HTTP/1.1\r\nHost: %s\r\n" % (
            method, path.encode(), self._server.address.encode()
        )  # fmt: skip
        head += b"Content-Type: application/json\r\nAuthorization: Bearer " + TOKEN.encode()
        whole = head + b"\r\nContent-Length: %d\r\n\r\n" % len(sent) + sent
        response = await self.client.send(WireRequest([whole], is_sound=True))
        if not 200 <= response.status < 300:
            raise EOFError(f"answers {response.status} to {path}: {response.body[:200]!r}")
        return json.loads(response.body)

    async def run(self, source: Source, tally: Tally) -> bool:
        """Make up a batch and send it; return whether the server still runs well."""
        calm = self._rng.random() < CALM
        return await self.send([self._request(source, calm=calm) for _ in range(BATCH)], tally)

    async def send(self, requests: Sequence[WireRequest], tally: Tally) -> bool:
        """Send a batch, and check the answers; return whether the server still runs well."""
        sent = b"\n".join(b"".join(request.parts) for request in requests)
        tally.counts["messages"] += len(requests)
        tally.counts["batches"] += 1
        wrote = False
        try:
            for at in range(0, len(requests), TOGETHER):
                some = requests[at : at + TOGETHER]
                answers = await asyncio.gather(*(self.client.send(one) for one in some))
                for request, answer in zip(some, answers, strict=True):
                    wrote |= self._look(request, answer, tally, sent)
            await self._compare(wrote, tally, sent)
        except (TimeoutError, OSError, EOFError) as error:
            what = f"{error!r}, {self._server.process.returncode}; {self._said()[-400:]}"
            tally.fault(self._server.name, f"the server {what}", sent)
            return False
        if any(mark in self._said() for mark in TRACEBACKS):
            tally.fault(self._server.name, f"a traceback: {self._said()[-600:]}", sent)
            return False
        return True

    async def _compare(self, wrote: bool, tally: Tally, sent: bytes) -> None:
        """Compare the state with the one before, unless something was written."""
        if wrote:
            listed = await self.ask(b"GET", "/episodes", {})
            if self._id not in listed["episodes"]:
                await self.open()
                return
        else:
            tally.counts["batches that changed nothing"] += 1
        path = f"/episodes/{self._id}/digest"
        digest = (await self.ask(*self._digests(path)))["digest"]
        if not wrote and digest != self._digest:
            tally.fault(self._server.name, "nothing was done, yet the state changed", sent)
        self._digest = digest

    def _digests(self, path: str) -> tuple[bytes, str, Json]:
        method = b"POST" if "domain" in self._server.opens else b"GET"
        return method, path, {}

    def _request(self, source: Source, *, calm: bool) -> WireRequest:
        """Return a request; a calm one changes nothing in the watched episode."""
        rng = self._rng
        if rng.random() > TO_CONTROL:
            version = rng.choice((MODERN, *OLDER))
            line = self._maker.line(version, calm=calm)
            token = "wrong" if rng.random() < UNAUTHORIZED else self._token
            return self._requests.mcp(self.path, line, version, token)
        episode = rng.choice(self._others) if calm else rng.choice((self._id, *self._others))
        made = source(episode)
        token = rng.choice(("", "wrong", self._token)) if rng.random() < UNAUTHORIZED else TOKEN
        writer = "*" if made.may_write and not calm else ""
        return self._requests.request(made.method, made.path, (), made.body, token, writer)

    def _look(self, request: WireRequest, response: Response, tally: Tally, sent: bytes) -> bool:
        """Count an answer, note what is wrong, and return whether it may mean a change."""
        name = self._server.name
        tally.counts[f"status {response.status}"] += 1
        if response.status >= 500 or (request.is_sound and not response.is_whole):
            what = f"{response.status} is answered: {response.body[:300]!r} to {request.parts}"
            tally.fault(name, what, sent)
        if not 200 <= response.status < 300 or not response.is_whole:
            return False
        if request.writer == "*" or not response.body or response.media_type != JSON_TYPE:
            return request.writer == "*"
        answer = json.loads(response.body)
        if not isinstance(answer, dict) or "jsonrpc" not in answer:
            return False
        answer = tally.take(name, response.body, sent)
        result = answer.get("result")
        succeeded = isinstance(result, dict) and not result.get("isError")
        return succeeded and json.dumps(answer["id"]) == request.writer

    def _said(self) -> str:
        return self._server.log.read_text("utf-8", "replace")


async def source_of(
    session: HttpSession, server: Server, maker: MessageMaker, rng: random.Random
) -> Source:
    """Return the source of control requests for a server."""
    if "domain" not in server.opens:
        return PackageControl(maker, rng)
    document: Mapping[str, Any] = await session.ask(b"GET", "/openapi.json", {})
    domains: Sequence[Json] = (await session.ask(b"GET", "/domains", {}))["domains"]
    return HostControl(dict(document), [one["domain"] for one in domains], maker, rng)


async def fuzz_http(server: Server, maker: MessageMaker, messages: int, tally: Tally) -> None:
    """Send a number of requests to a server, then end it."""
    rng = random.Random(messages)  # noqa: S311 - guards nothing
    session = HttpSession(server, maker, rng)
    async with aclosing(session.client):
        await session.open()
        source = await source_of(session, server, maker, rng)
        wanted = tally.counts["messages"] + messages
        while tally.counts["messages"] < wanted:
            if not await session.run(source, tally):
                break
    server.process.terminate()
    status = await server.process.wait()
    if status not in (0, -15, 143):
        tally.fault(server.name, f"it ended with {status}: {server.log.read_text('utf-8')[-400:]}")

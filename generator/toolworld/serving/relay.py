"""Hands requests for the episodes of another worker on to it.

An episode lives in the worker that opened it; its id begins with the worker's number. A
connection may come to any worker. One that opens an episode and uses it stays with its worker;
only other connections need this.
"""

from __future__ import annotations

import asyncio
import json
import re
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import httpx2
from starlette.requests import Request
from starlette.responses import JSONResponse, Response
from starlette.types import ASGIApp, Receive, Scope, Send

from toolworld.serving.access import giving, refused

NUMBER = re.compile(r"(\d{1,4})-")
PINNED = re.compile(r"/(?:[^/]+/)?episodes/(\d{1,4})-")
MANY = ("/step", "/ask", "/open")
"""Requests to many episodes, which may belong to several workers."""
SECONDS = 60.0
STARTS, START_SECONDS = 50, 0.1
"""How often a worker that does not answer is tried again, and the seconds between tries."""
GONE = "The worker of this episode is gone, and the episode with it. Open another one."
HANDED_ON = "x-toolworld-handed-on"
OF_THE_HOP = {"connection", "content-length", "transfer-encoding", "keep-alive", "date", "server"}


class Relay:
    """Wraps the app of a worker, and hands on requests for other workers."""

    def __init__(self, app: ASGIApp, worker: int, sockets: Sequence[Path]) -> None:
        """Take the app.

        Args:
            app: Answers the requests for this worker.
            worker: The number of this worker.
            sockets: The path of each worker's socket, by number.
        """
        self._app, self._worker = app, worker
        self._peers = [
            httpx2.AsyncClient(
                transport=httpx2.AsyncHTTPTransport(uds=str(path)),
                base_url="http://localhost",
                timeout=SECONDS,
            )
            for path in sockets
        ]

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Answer a request, or hand it on."""
        if scope["type"] != "http" or (HANDED_ON.encode(), b"1") in scope["headers"]:
            await self._app(scope, receive, send)
            return
        request = Request(scope, receive)
        what = scope["method"], scope["path"]
        found = PINNED.match(scope["path"])
        if found and int(found[1]) != self._worker:
            await (await self._by(int(found[1]), request))(scope, receive, send)
        elif what == ("GET", "/episodes"):
            await (await self._listed(request))(scope, receive, send)
        elif what[0] == "POST" and what[1] in MANY:
            await self._many(request, send)
        else:
            await self._app(scope, receive, send)

    async def _by(self, worker: int, request: Request, body: bytes | None = None) -> Response:
        """Return a worker's answer to a request, or to one like it with another body."""
        if worker >= len(self._peers):
            return refused(404, GONE)
        content = await request.body() if body is None else body
        # As bytes: the headers of a client may be no text.
        headers = [pair for pair in request.headers.raw if pair[0].decode() not in OF_THE_HOP]
        asked = self._peers[worker].build_request(
            request.method,
            request.url.path,
            content=content,
            headers=[*headers, (HANDED_ON.encode(), b"1")],
        )
        try:
            answer = await self._sent(worker, asked)
        except httpx2.LocalProtocolError:
            return refused(400, "The headers of the request are not those of HTTP.")
        except httpx2.TransportError:
            return refused(503, GONE)
        kept = {name: value for name, value in answer.headers.items() if name not in OF_THE_HOP}
        return Response(answer.content, answer.status_code, kept)

    async def _sent(self, worker: int, asked: httpx2.Request) -> httpx2.Response:
        """Return a worker's answer; wait for a worker that is being started.

        Raises:
            TransportError: It does not answer.
        """
        for _ in range(STARTS):
            try:
                return await self._peers[worker].send(asked)
            except httpx2.ConnectError:
                await asyncio.sleep(START_SECONDS)
        return await self._peers[worker].send(asked)

    async def _listed(self, request: Request) -> Response:
        """Return the episodes of all workers."""
        workers = range(len(self._peers))
        answers = await asyncio.gather(*(self._by(worker, request) for worker in workers))
        if answers[self._worker].status_code != 200:
            return answers[self._worker]
        found = [json.loads(bytes(one.body)) for one in answers if one.status_code == 200]
        return JSONResponse({"episodes": [one for part in found for one in part["episodes"]]})

    async def _many(self, request: Request, send: Send) -> None:
        """Have each worker answer its share of a request to many episodes."""
        body = await request.body()
        shares = _shares(body, self._worker, len(self._peers))
        if shares is None or shares.keys() <= {self._worker}:
            await self._app(request.scope, giving(body, request.receive), send)
            return
        if shares.keys() == {worker := next(iter(shares))}:
            await (await self._by(worker, request, body))(request.scope, request.receive, send)
            return
        asked = [
            self._by(worker, request, json.dumps({"steps": [step for _, step in share]}).encode())
            for worker, share in shares.items()
        ]
        answers = await asyncio.gather(*asked)
        results: dict[int, Any] = {}
        for share, answer in zip(shares.values(), answers, strict=True):
            places = [place for place, _ in share]
            results |= dict(zip(places, _results(answer, len(share)), strict=True))
        ordered = [results[place] for place in sorted(results)]
        await JSONResponse({"results": ordered})(request.scope, request.receive, send)


def _shares(body: bytes, own: int, workers: int) -> dict[int, list[tuple[int, Any]]] | None:
    """Return the steps of a request by worker, each with its place; None if it is no request.

    Steps without an episode are shared out evenly.
    """
    try:
        steps = json.loads(body)["steps"]
        shares: dict[int, list[tuple[int, Any]]] = {}
        for place, step in enumerate(steps):
            found = NUMBER.match(step["episode"]) if "episode" in step else None
            other = own if "episode" in step else place % workers
            shares.setdefault(int(found[1]) if found else other, []).append((place, step))
    except (ValueError, TypeError, KeyError, RecursionError):
        return None
    return shares


def _results(answer: Response, count: int) -> list[Any]:
    """Return a worker's results for its steps; if it failed, its error for each of them."""
    found = json.loads(bytes(answer.body))
    return found["results"] if "results" in found else [{"error": found["error"]}] * count

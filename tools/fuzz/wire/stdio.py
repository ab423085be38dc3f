"""Sends messages of all kinds to a server over stdio, and checks it after each batch."""

from __future__ import annotations

import asyncio
import json
import random
from asyncio.subprocess import PIPE, Process
from collections.abc import AsyncIterator, Collection, Sequence
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

from tools.fuzz.wire.messages import MODERN, OLDER, PREFIX, MessageMaker, WireLine
from tools.fuzz.wire.tally import Tally
from toolworld.harness.launch import Command

SECONDS = 60.0
LONGEST_ANSWER = 2**28
BATCH, BATCHES = (1, 10, 40, 60), 100
CALM = 0.7
TRACEBACK = "Traceback"
WHERE = "stdio"

Json = dict[str, Any]


class StdioSession:
    """A server in a process of its own, on one wire."""

    def __init__(self, process: Process, log: Path, maker: MessageMaker, version: str) -> None:
        """Take a process that was started."""
        self.process, self._log, self._maker, self._version = process, log, maker, version
        self._digest: object = None

    async def greet(self) -> None:
        """Initialize the session on an older wire, and read the digest."""
        lines = []
        if self._version != MODERN:
            hello = {"protocolVersion": self._version, "capabilities": {}}
            hello["clientInfo"] = {"name": "fuzz", "version": "1"}
            request = self._maker.request("initialize", hello, self._version)
            ready = {"jsonrpc": "2.0", "method": "notifications/initialized"}
            lines = [_line(request), WireLine(json.dumps(ready).encode())]
        _, self._digest = await self._exchange(lines)

    async def run(self, batch: Sequence[WireLine], tally: Tally) -> bool:
        """Send a batch, and check the answers; return whether the server still runs well."""
        sent = b"\n".join(line.data for line in batch)
        tally.counts["messages"] += len(batch)
        tally.counts["batches"] += 1
        try:
            texts, digest = await self._exchange(batch)
        except (TimeoutError, OSError, EOFError) as error:
            what = f"ended: {self.process.returncode}" if self.process.returncode else repr(error)
            tally.fault(WHERE, f"the server {what}; {self._said()[-400:]}", sent)
            return False
        writers = {line.writer for line in batch}
        answers = [tally.take(WHERE, text, sent) for text in texts]
        if not any(_may_have_written(answer, writers) for answer in answers):
            tally.counts["batches that changed nothing"] += 1
            if digest != self._digest:
                tally.fault(WHERE, "nothing was done, yet the state changed", sent)
        self._digest = digest
        if TRACEBACK in self._said():
            tally.fault(WHERE, f"a traceback: {self._said()[-400:]}", sent)
            return False
        return True

    async def end(self, tally: Tally, rest: bytes) -> None:
        """End the input in the middle of a line; the server must end, too, without an error."""
        writer = self.process.stdin
        if writer is None or self.process.returncode is not None:
            return
        writer.write(rest)
        writer.close()
        await asyncio.wait_for(self._read_all(), SECONDS)
        status = await asyncio.wait_for(self.process.wait(), SECONDS)
        if status or TRACEBACK in self._said():
            tally.fault(WHERE, f"it ended with {status}: {self._said()[-400:]}", rest)

    async def _read_all(self) -> None:
        while self.process.stdout is not None and await self.process.stdout.read(2**20):
            continue

    async def _exchange(self, batch: Sequence[WireLine]) -> tuple[list[bytes], object]:
        """Send lines; return the answers, once all have come, and the digest after them.

        Raises:
            TimeoutError: Something is not answered.
            EOFError: The server ended.
        """
        last = self._maker.request(PREFIX + "digest", {}, self._version)
        missing = {line.answered for line in batch} - {line.cancels for line in batch} - {None}
        missing.add(last["id"])
        sending = asyncio.create_task(self._send([*batch, _line(last)]))
        answers: list[bytes] = []
        digest: object = None
        try:
            while missing:
                text = await asyncio.wait_for(self._next(), SECONDS)
                answer = json.loads(text)
                missing.discard(answer.get("id"))
                if answer.get("id") == last["id"]:
                    digest = answer.get("result", {}).get("digest")
                else:
                    answers.append(text)
            await sending
        except TimeoutError:
            raise TimeoutError(f"did not answer {sorted(map(str, missing))[:5]}") from None
        finally:
            sending.cancel()
        if digest is None:
            raise EOFError("has no digest any more")
        return answers, digest

    async def _send(self, batch: Sequence[WireLine]) -> None:
        if self.process.stdin is not None:
            for line in batch:
                self.process.stdin.write(line.data + b"\n")
                await self.process.stdin.drain()

    async def _next(self) -> bytes:
        if self.process.stdout is None or not (line := await self.process.stdout.readline()):
            await self.process.wait()
            raise EOFError
        return line

    def _said(self) -> str:
        return self._log.read_text("utf-8", "replace")


def _may_have_written(answer: Json, writers: Collection[str]) -> bool:
    """Return whether an answer is to a request that may have changed the state."""
    succeeded = "result" in answer and not answer["result"].get("isError")
    return succeeded and json.dumps(answer["id"]) in writers


def _line(request: Json) -> WireLine:
    return WireLine(json.dumps(request).encode(), request["id"])


@asynccontextmanager
async def process_of(command: Command, log: Path) -> AsyncIterator[Process]:
    """Start a server over stdio."""
    with log.open("w") as said:
        process = await asyncio.create_subprocess_exec(
            command.command, *command.args, env=command.env,
            stdin=PIPE, stdout=PIPE, stderr=said, limit=LONGEST_ANSWER,
        )  # fmt: skip
    try:
        yield process
    finally:
        if process.returncode is None:
            process.kill()
            await process.wait()


async def fuzz_stdio(
    command: Command, maker: MessageMaker, messages: int, tally: Tally, log: Path
) -> None:
    """Send a number of messages to servers, each of which runs for some batches."""
    rng = random.Random(messages)  # noqa: S311 - guards nothing
    wanted = tally.counts["messages"] + messages
    while tally.counts["messages"] < wanted:
        version = rng.choice((MODERN, *OLDER))
        async with process_of(command, log) as process:
            session = StdioSession(process, log, maker, version)
            await session.greet()
            for _ in range(BATCHES):
                calm, size = rng.random() < CALM, rng.choice(BATCH)
                batch = [maker.line(version, calm=calm) for _ in range(size)]
                if not await session.run(batch, tally) or tally.counts["messages"] >= wanted:
                    break
            await session.end(tally, maker.line(version, calm=True).data)

"""A package's server over stdio, spoken to directly."""

from __future__ import annotations

import subprocess
from collections.abc import AsyncIterator, Iterable
from contextlib import asynccontextmanager
from itertools import count
from typing import IO, Any

from pydantic_core import from_json, to_json

from toolworld.emit import Package
from toolworld.errors import LaunchError
from toolworld.harness.launch import ServerLog, package_command, server_log
from toolworld.tasks.certificate.wire import CLIENT, Request, Run, Wire, jsonrpc, stop

Json = Any

CHUNK = 64 * 1024
"""How much is read at once: what a pipe holds."""

VERSION = "2025-11-25"
HELLO = Request(
    "initialize", {"protocolVersion": VERSION, "capabilities": {}, "clientInfo": CLIENT}
)
READY = {"jsonrpc": "2.0", "method": "notifications/initialized"}


class Stdio(Wire):
    """A server over its standard input and output."""

    def __init__(self, process: subprocess.Popen[bytes], log: ServerLog) -> None:
        """Take a server that may still be starting, and say hello to it."""
        super().__init__("stdio", log)
        self._process = process
        # The ids of the requests, as they are asked and as their answers are due.
        self._asked, self._due = count(1), count(1)
        self._is_ready = False
        self._send([self._jsonrpc(HELLO)])

    def ask(self, run: Run) -> None:
        """Ask for all of a run at once."""
        if not self._is_ready:
            self._end_handshake()
        self._send(map(self._jsonrpc, run.requests()))

    def _end_handshake(self) -> None:
        self._granted(HELLO.method, self._receive())
        self._send([READY])
        self._is_ready = True

    async def next_answer(self) -> Json:
        """Return the next answer that is due."""
        return self._receive()

    def _jsonrpc(self, request: Request) -> Json:
        return jsonrpc(*request, next(self._asked))

    def _send(self, messages: Iterable[Json]) -> None:
        lines = b"".join(to_json(message) + b"\n" for message in messages)
        try:
            pipe_of(self._process.stdin).write(lines)
            pipe_of(self._process.stdin).flush()
        except OSError as error:
            raise self._lost(error) from error

    def _receive(self) -> Json:
        try:
            answer = from_json(pipe_of(self._process.stdout).readline())
        except (OSError, ValueError) as error:
            raise self._lost(error) from error
        if answer.get("id") != next(self._due):
            raise self._log.error("The server over stdio answers in another order than asked.")
        return answer

    def _lost(self, error: Exception) -> LaunchError:
        return self._log.error(f"The server over {self._name} is lost: {error}")


def pipe_of(pipe: IO[bytes] | None) -> IO[bytes]:
    """Return an end of a process that was opened as a pipe."""
    if pipe is None:
        raise LaunchError("The server was started without pipes.")
    return pipe


@asynccontextmanager
async def stdio_wire(package: Package) -> AsyncIterator[Wire]:
    """Serve a package over stdio.

    Raises:
        LaunchError: It could not be started.
    """
    command = package_command(package, "--control")
    with server_log() as (log, errors):
        try:
            process = subprocess.Popen(
                [command.command, *command.args],
                bufsize=CHUNK,
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE,
                stderr=errors,
                env=command.env,
            )
        except OSError as error:
            raise LaunchError(f"{command.command} cannot be started: {error.strerror}.") from error
        try:
            yield Stdio(process, log)
        finally:
            stop(process)

"""Starting servers, and saying why when they do not start, stop answering or die.

Servers are real subprocesses, which the harness ends on its way out, after Ctrl-C too. One over
stdio also ends with its input; one over HTTP stays in the terminal's reach, so that it ends even
when an impatient second Ctrl-C cuts the harness short.
"""

from __future__ import annotations

import asyncio
import contextlib
import logging
import os
import secrets
import shutil
import subprocess
import sys
from collections.abc import AsyncIterator, Iterator
from contextlib import asynccontextmanager, contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Any, TextIO

import anyio
import httpx2
from anyio.abc import Process
from mcp import Client, StdioServerParameters
from mcp.client.session import IncomingMessage
from mcp.client.stdio import stdio_client
from pydantic import ValidationError

from toolworld.errors import LaunchError, first_of
from toolworld.system.processes import tied
from toolworld.system.temporary import temporary_folder

if TYPE_CHECKING:
    from toolworld.emit import Package

TIMEOUT = 30.0
"""The most seconds to wait for a server to start, and for any answer of it."""

TOKEN_VARIABLE = "TOOLWORLD_TOKEN"  # noqa: S105 - the name of a variable
SERVING = "Serving "
TAIL_LINES, TAIL_BYTES, LONGEST_STRAY = 15, 16_384, 200
POLL_SECONDS = 0.01
STOP_SECONDS = 3.0

Command = StdioServerParameters
"""A command, its arguments and its environment variables."""


@dataclass
class ServerLog:
    """What is known of a server outside of the protocol.

    Attributes:
        path: The file that takes its standard error; None if it was not started here.
        strays: What it printed to standard output that is no JSON-RPC.
        lost: Why a request got no response at all; empty while all did.
    """

    path: Path | None = None
    strays: list[str] = field(default_factory=list)
    lost: str = ""

    async def note(self, message: IncomingMessage) -> None:
        """Keep a line that the client could not read."""
        if isinstance(message, ValidationError):
            self.strays.append(str(message.errors()[0]["input"]))
        elif isinstance(message, Exception):
            self.strays.append(str(message))

    def text(self) -> str:
        """Return the end of the standard error so far."""
        if self.path is None:
            return ""
        content = self.path.read_bytes()[-TAIL_BYTES:].decode("utf-8", "replace")
        return "\n".join(content.splitlines()[-TAIL_LINES:])

    def error(self, reason: str) -> LaunchError:
        """Return an error: the reason on its first line, then what is known."""
        parts = [reason]
        if self.lost:
            parts.append(self.lost)
        if self.strays:
            stray = repr(self.strays[0][:LONGEST_STRAY])
            parts.append(f"It printed to standard output, which is no JSON-RPC: {stray}")
        if said := self.text():
            parts.append(f"Its standard error ends with:\n{said}")
        return LaunchError("\n".join(parts))


class HttpClient(httpx2.AsyncClient):
    """A client that answers 503 for a server that does not, and logs why.

    The SDK's transport does not outlive a request without a response; this way it does, and the
    harness says what happened.
    """

    def __init__(self, log: ServerLog, **options: Any) -> None:
        """Take the log to write to, and the options of httpx2."""
        super().__init__(**options)
        self._log = log

    async def send(self, request: httpx2.Request, **options: Any) -> httpx2.Response:
        """Send a request and return its response."""
        try:
            return await super().send(request, **options)
        except httpx2.TransportError as error:
            self._log.lost = str(error) or type(error).__name__
            return httpx2.Response(503, request=request)


@contextmanager
def server_log() -> Iterator[tuple[ServerLog, TextIO]]:
    """Make a log for one server, and the open file for its standard error."""
    with temporary_folder() as folder:
        path = folder / "stderr"
        with path.open("a", encoding="utf-8") as file:
            yield ServerLog(path), file


def package_command(package: Package, *options: str) -> Command:
    """Return the command that serves a package with this Python."""
    paths = [str((package.path / "src").resolve()), os.environ.get("PYTHONPATH", "")]
    return Command(
        command=sys.executable,
        args=["-m", package.module_name, *options],
        env={**os.environ, "PYTHONPATH": os.pathsep.join(filter(None, paths))},
    )


@asynccontextmanager
async def stdio_server(
    command: Command, name: str, timeout: float
) -> AsyncIterator[tuple[Client, ServerLog]]:
    """Start a server, and connect to it over stdio.

    Args:
        command: What starts it.
        name: What errors call it.
        timeout: The most seconds to wait for any answer.

    Raises:
        LaunchError: It could not be started, died, or did not answer in time.
    """
    with server_log() as (log, file), _quiet("mcp.client.stdio"):
        transport = stdio_client(_tied(command, name), file)
        client = Client(transport, read_timeout_seconds=timeout, message_handler=log.note)
        async with entered(client, log, f"{name} could not be started"):
            yield client, log


def _tied(command: Command, name: str) -> Command:
    """Return a command that also ends when this process does.

    Raises:
        LaunchError: There is no such program.
    """
    path = (command.env or {}).get("PATH")
    if shutil.which(command.command, path=path) is None:
        raise LaunchError(f"{name} could not be started: there is no program {command.command}.")
    first, *rest = tied([command.command, *command.args])
    return command.model_copy(update={"command": first, "args": rest})


@asynccontextmanager
async def entered(client: Client, log: ServerLog, failing: str) -> AsyncIterator[Client]:
    """Connect a client.

    Args:
        client: The client.
        log: What its server says, to explain with.
        failing: How the error begins.

    Raises:
        LaunchError: It could not be connected.
    """
    try:
        await client.__aenter__()
    except Exception as error:
        if _is_cancelled():
            raise asyncio.CancelledError from error
        raise log.error(f"{failing}: {_cause(error)}") from error
    try:
        yield client
    except BaseException as error:
        await _leave(client, error)
        raise
    await _leave(client, None)


def _is_cancelled() -> bool:
    """Return whether the task is to end, as by Ctrl-C: the SDK may raise an error for it."""
    task = asyncio.current_task()
    return task is not None and task.cancelling() > 0


async def _leave(client: Client, error: BaseException | None) -> None:
    """Disconnect a client; an answer that still comes, for which the SDK raises, is no error.

    It would take the place of what ended the block, and Ctrl-C would end in a traceback.
    """
    try:
        await client.__aexit__(type(error) if error else None, error, None)
    except* anyio.BrokenResourceError:
        pass


@dataclass(frozen=True)
class HttpServer:
    """A server on a loopback port, the client to reach it by, and its control plane's token."""

    url: str
    http: HttpClient
    token: str
    log: ServerLog


@asynccontextmanager
async def http_server(package: Package, timeout: float) -> AsyncIterator[HttpServer]:
    """Serve a package over HTTP on a free port of this machine.

    Raises:
        LaunchError: It could not be started, died, or was not ready in time.
    """
    command = package_command(package, "--http", "--port", "0", "--control")
    token = secrets.token_urlsafe(24)
    with server_log() as (log, file):
        # Loopback only: a proxy from the environment must not come between.
        http = HttpClient(log, timeout=2 * timeout, trust_env=False)
        async with _process(command, {TOKEN_VARIABLE: token}, file) as process, http:
            url = await _ready(process, log, timeout)
            yield HttpServer(url.removesuffix("/mcp"), http, token, log)


@asynccontextmanager
async def _process(
    command: Command, variables: dict[str, str], file: TextIO
) -> AsyncIterator[Process]:
    process = await anyio.open_process(
        tied([command.command, *command.args]),
        env={**(command.env or {}), **variables},
        stdin=subprocess.DEVNULL,
        stdout=file,
        stderr=file,
    )
    try:
        yield process
    finally:
        with anyio.CancelScope(shield=True):
            await _stop(process)


async def _stop(process: Process) -> None:
    for end in (process.terminate, process.kill):
        if process.returncode is None:
            with contextlib.suppress(ProcessLookupError):
                end()
            with anyio.move_on_after(STOP_SECONDS):
                await process.wait()
    await process.aclose()


async def _ready(process: Process, log: ServerLog, timeout: float) -> str:
    with anyio.move_on_after(timeout):
        while process.returncode is None:
            for line in log.text().splitlines():
                if line.startswith(SERVING):
                    return line.removeprefix(SERVING).strip()
            await anyio.sleep(POLL_SECONDS)
    if process.returncode is None:
        raise log.error(f"The HTTP server was not ready within {timeout:g} seconds.")
    raise log.error(f"The HTTP server ended with exit code {process.returncode}.")


@contextmanager
def _quiet(logger_name: str) -> Iterator[None]:
    """Keep a logger from printing tracebacks of what the harness reports in its own words."""
    logger = logging.getLogger(logger_name)
    before = logger.disabled
    logger.disabled = True
    try:
        yield
    finally:
        logger.disabled = before


def _cause(error: BaseException) -> str:
    first = first_of(error)
    return str(first) or type(first).__name__

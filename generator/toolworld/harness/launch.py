"""Starting servers, and saying why when they do not start, stop answering or die.

Servers are real subprocesses, which the harness ends on its way out, after Ctrl-C too. One over
stdio also ends with its input; one over HTTP stays in the terminal's reach, so that it ends even
when an impatient second Ctrl-C cuts the harness short.
"""

from __future__ import annotations

import asyncio
import contextlib
import os
import secrets
import shutil
import subprocess
import sys
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import dataclass
from functools import partial
from typing import TYPE_CHECKING, TextIO

import anyio
from anyio.abc import Process
from mcp import Client, StdioServerParameters

from toolworld.errors import LaunchError, first_of
from toolworld.harness.http import HttpClient
from toolworld.harness.log import ServerLog, server_log
from toolworld.harness.pipes import Pipes, Start, spawn
from toolworld.system.processes import tied

if TYPE_CHECKING:
    from toolworld.packages import Package

SECONDS = 30.0


@dataclass(frozen=True)
class Timeouts:
    """How long a server is waited for.

    Attributes:
        start: The most seconds until it has started and greets.
        call: The most seconds for any answer after that.
    """

    start: float = SECONDS
    call: float = SECONDS


USUAL = Timeouts()

TOKEN_VARIABLE = "TOOLWORLD_TOKEN"  # noqa: S105 - the name of a variable
SERVING = "Serving "
POLL_SECONDS = 0.01
STOP_SECONDS = 3.0

Command = StdioServerParameters
"""A command, its arguments and its environment variables."""


def package_command(package: Package, *options: str) -> Command:
    """Return the command that serves a package with this Python."""
    paths = [str(package.files.source.resolve()), os.environ.get("PYTHONPATH", "")]
    return Command(
        command=sys.executable,
        args=["-m", package.module_name, *options],
        env={**os.environ, "PYTHONPATH": os.pathsep.join(filter(None, paths))},
    )


@asynccontextmanager
async def stdio_server(
    start: Command | Start, name: str, timeouts: Timeouts
) -> AsyncIterator[tuple[Client, ServerLog]]:
    """Start a server, and connect to it over stdio.

    Args:
        start: The command of it, or what else starts it.
        name: What errors call it.
        timeouts: How long it is waited for.

    Raises:
        LaunchError: It could not be started, died, or did not answer in time.
    """
    if isinstance(start, Command):
        start = partial(spawn, _tied(start, name))
    with server_log() as (log, file):
        transport = Pipes(start, file, log).connected()
        client = Client(transport, read_timeout_seconds=timeouts.start, message_handler=log.note)
        async with entered(client, log, f"{name} could not be started", timeouts.start):
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
async def entered(
    client: Client, log: ServerLog, failing: str, seconds: float
) -> AsyncIterator[Client]:
    """Connect a client.

    Args:
        client: The client.
        log: What its server says, to explain with.
        failing: How the error begins.
        seconds: The most that it may take.

    Raises:
        LaunchError: It could not be connected.
    """
    try:
        # The client may ask more than once, and its own time-out is for each time.
        async with asyncio.timeout(seconds):
            await client.__aenter__()
    except TimeoutError as error:
        raise log.error(f"{failing}: It did not greet within {seconds:g} seconds.") from error
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
    """Disconnect a client; a late answer, for which the SDK raises, is no error.

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
async def http_server(package: Package, timeouts: Timeouts) -> AsyncIterator[HttpServer]:
    """Serve a package over HTTP on a free port of this machine.

    Raises:
        LaunchError: It could not be started, died, or was not ready in time.
    """
    command = package_command(package, "--http", "--port", "0", "--control")
    token = secrets.token_urlsafe(24)
    with server_log() as (log, file):
        # Loopback only: a proxy from the environment must not come between.
        http = HttpClient(log, timeout=2 * timeouts.call, trust_env=False)
        async with _process(command, {TOKEN_VARIABLE: token}, file) as process, http:
            url = await _ready(process, log, timeouts.start)
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


def _cause(error: BaseException) -> str:
    first = first_of(error)
    return str(first) or type(first).__name__

"""A package's server over stdio, spoken to directly."""

from __future__ import annotations

import json
import subprocess
from collections.abc import AsyncIterator, Mapping
from contextlib import asynccontextmanager
from typing import IO, Any

from toolworld.emit import Package
from toolworld.errors import LaunchError
from toolworld.harness.connect import PREFIX
from toolworld.harness.launch import ServerLog, package_command, server_log
from toolworld.tasks.certificate.wire import Wire, outcome, request, said, stop

Json = Any


class Stdio(Wire):
    """A server over its standard input and output."""

    def __init__(self, process: subprocess.Popen[bytes], log: ServerLog) -> None:
        """Take a running server."""
        self._process, self._log = process, log
        self._number = 0

    async def open(self, task: Mapping[str, Json]) -> str:
        """Go on with a new episode of a task."""
        return str((await self.control("open", {"task": task, "seed": 0}))["digest"])

    async def call(self, tool: str, arguments: Mapping[str, Json]) -> tuple[bool, str]:
        """Call a tool."""
        return outcome(self._request("tools/call", {"name": tool, "arguments": arguments}))

    async def control(self, operation: str, parameters: Mapping[str, Json]) -> Json:
        """Do an operation of the control plane."""
        answer = self._request(PREFIX + operation, parameters)
        if "result" not in answer:
            raise self._log.error(f"{operation} over stdio: {said(answer)}")
        return answer["result"]

    def _request(self, method: str, parameters: Mapping[str, Json]) -> Json:
        self._number += 1
        body = json.dumps(request(self._number, method, parameters)) + "\n"
        try:
            pipe_of(self._process.stdin).write(body.encode())
            pipe_of(self._process.stdin).flush()
            answer = json.loads(pipe_of(self._process.stdout).readline())
        except (OSError, ValueError) as error:
            raise self._log.error(f"The server over stdio is lost at {method}: {error}") from error
        if answer.get("id") != self._number:
            raise self._log.error(f"The server over stdio answers something else to {method}.")
        return answer


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

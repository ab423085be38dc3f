"""Holds a server's module, imported once, and forks a server for each request: forking.py MODULE.

Requests come over the socket that is its standard input: the server's options as JSON, with four
files: its input, output and error, and a pipe. Through the pipe the server's number is told at
once, and how it ended when it has.
"""

from __future__ import annotations

import ctypes
import importlib
import json
import os
import select
import signal
import socket
import sys
from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass
from typing import NoReturn

import anyio

PR_SET_PDEATHSIG = 1
MOST_BYTES = 2**20
FILES = 4
READY = b"\n"
PARTS = ("methods", "server", "stdio")
"""What a server over stdio imports when it starts."""


def main() -> None:
    """Fork servers on request until the requesting process is gone."""
    module = sys.argv[1]
    command = importlib.import_module(f"{module}.__main__")
    for part in PARTS:
        importlib.import_module(f"{module}.serving.{part}")
    # What an episode needs is read before the first fork.
    importlib.import_module(f"{module}.environment").Environment().digest()
    anyio.run(anyio.sleep, 0)  # the first loop imports its backend
    requests = socket.socket(fileno=sys.stdin.fileno())
    requests.sendall(READY)
    running: dict[int, RunningServer] = {}
    while True:
        ready, _, _ = select.select([requests.fileno(), *running], [], [])
        for end in running.keys() & set(ready):
            running.pop(end).tell_end()
            os.close(end)
        if requests.fileno() in ready:
            server = fork(requests, command.main)
            if server is None:
                return
            running[os.pidfd_open(server.number)] = server


@dataclass(frozen=True)
class RunningServer:
    """A server that was forked: its number, and the pipe where its end is told."""

    number: int
    pipe: int

    def tell(self, number: int) -> None:
        """Write a number into the pipe, if anybody still reads."""
        with suppress(BrokenPipeError):
            os.write(self.pipe, f"{number}\n".encode())

    def tell_end(self) -> None:
        """Say how it ended: its exit code, below 0 for a signal."""
        _, status = os.waitpid(self.number, 0)
        self.tell(os.waitstatus_to_exitcode(status))
        os.close(self.pipe)


def fork(requests: socket.socket, command: Callable[[list[str]], int]) -> RunningServer | None:
    """Fork the server that is asked for; None if there are no more requests."""
    message, files, _, _ = socket.recv_fds(requests, MOST_BYTES, FILES)
    if not message:
        return None
    parent, number = os.getpid(), os.fork()
    if number == 0:
        serve(parent, files, command, json.loads(message))
    *standard, pipe = files
    for file in standard:
        os.close(file)
    with suppress(OSError):  # it may have done so itself, or have ended
        os.setpgid(number, number)
    server = RunningServer(number, pipe)
    server.tell(number)
    return server


def serve(
    parent: int, files: list[int], command: Callable[[list[str]], int], options: list[str]
) -> NoReturn:
    """Be the server."""
    os.setpgid(0, 0)
    ctypes.CDLL(None).prctl(PR_SET_PDEATHSIG, signal.SIGKILL)
    if os.getppid() != parent:
        os._exit(1)
    for place, file in enumerate(files[:3]):
        os.dup2(file, place)
    os.closerange(3, os.sysconf("SC_OPEN_MAX"))
    sys.exit(command(options))


if __name__ == "__main__":
    main()

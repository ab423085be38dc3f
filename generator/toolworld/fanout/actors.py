"""Hosts on the nodes of a Ray cluster, for trainers that run there."""

from __future__ import annotations

import secrets
import socket
from collections.abc import Sequence
from multiprocessing import get_context
from multiprocessing.connection import Connection
from pathlib import Path

from toolworld.errors import ToolworldError

SECONDS = 60.0


class HostActor:
    """Holds a host on the node where it runs: ``ray.remote(HostActor).remote([package])``.

    The handle's ``address`` gives what ``Environment.remote`` and ``VectorEnvironment.remote``
    take. The host ends with the actor.
    """

    def __init__(self, packages: Sequence[str], workers: int = 1) -> None:
        """Start the host.

        Args:
            packages: Folders of packages on this node.
            workers: How many processes.

        Raises:
            ToolworldError: It does not start.
        """
        self._token = secrets.token_urlsafe(24)
        self._name = socket.gethostbyname(socket.gethostname())
        context = get_context("spawn")
        ours, theirs = context.Pipe()
        self._process = context.Process(
            target=_serve, args=(theirs, [*packages], workers, self._token, self._name)
        )
        self._process.start()
        if not ours.poll(SECONDS):
            raise ToolworldError("The host did not start in time.")
        said = str(ours.recv())
        if not said.startswith("http"):
            raise ToolworldError(f"The host did not start: {said}")
        self._url = said

    def address(self) -> tuple[str, str]:
        """Return the URL of the host, and its token."""
        return self._url, self._token

    def stop(self) -> None:
        """End the host."""
        self._process.terminate()
        self._process.join()


def _serve(pipe: Connection, packages: Sequence[str], workers: int, token: str, name: str) -> None:
    import os

    from toolworld.serving import HostSettings, serve
    from toolworld.serving.run import TOKEN_VARIABLE
    from toolworld.system.processes import end_with

    end_with(os.getppid())
    os.environ[TOKEN_VARIABLE] = token

    def say(text: str) -> None:
        if text.startswith("Serving "):
            pipe.send(text.rpartition(" at ")[2])

    try:
        serve([Path(one) for one in packages], HostSettings(name, 0, [name], workers), say)
    except ToolworldError as error:
        pipe.send(str(error))

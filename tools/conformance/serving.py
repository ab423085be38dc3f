"""Servers of a conformance run: each a process that prints its URL once it listens."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from toolworld.packages.loading import find_module

REPOSITORY = Path(__file__).resolve().parents[2]
SERVING = "Serving "
STOP_SECONDS = 10


class ServingError(Exception):
    """A server did not start."""


@contextmanager
def package_server(package: Path) -> Iterator[str]:
    """Serve an emitted package over HTTP, and yield its URL."""
    module = find_module(package)
    command = [sys.executable, "-m", module.name, "--http", "--port", "0"]
    with serving(command, str(module.parent)) as url:
        yield url


@contextmanager
def fixture_server(package: Path) -> Iterator[str]:
    """Serve the fixture on top of an emitted package, and yield its URL."""
    command = [sys.executable, "-m", "tools.conformance.fixture", str(package.resolve())]
    with serving(command, str(REPOSITORY)) as url:
        yield url


@contextmanager
def serving(command: list[str], python_path: str) -> Iterator[str]:
    """Run a server and yield its URL.

    Raises:
        ServingError: It ended instead of serving.
    """
    environment = {**os.environ, "PYTHONPATH": python_path}
    process = subprocess.Popen(command, env=environment, stderr=subprocess.PIPE, text=True)
    try:
        yield url_of(process)
    finally:
        process.send_signal(signal.SIGTERM)
        process.communicate(timeout=STOP_SECONDS)


def url_of(process: subprocess.Popen[str]) -> str:
    """Return the URL a server says it serves.

    Raises:
        ServingError: It ended instead.
    """
    said: list[str] = []
    for line in process.stderr or ():
        said.append(line)
        if line.startswith(SERVING):
            return line.removeprefix(SERVING).strip()
    raise ServingError("".join(said))

"""A host in a process of its own, as a trainer has it."""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Callable, Iterator, Sequence
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass
from pathlib import Path

import pytest

from toolworld.packages import Package

TOKEN = "a token for tests"  # noqa: S105 - of no other use


@dataclass(frozen=True)
class StartedHost:
    """A host that answers."""

    url: str
    process: subprocess.Popen[str]
    said: list[str]


@contextmanager
def started(
    *arguments: object, python: Sequence[str] = ("-m", "toolworld")
) -> Iterator[StartedHost]:
    """Start a host on any port, and wait until it answers."""
    command = [sys.executable, *python, "serve", *map(str, arguments), "--port", "0"]
    environment = {"TOOLWORLD_TOKEN": TOKEN, "PATH": "/usr/bin:/bin"}
    with subprocess.Popen(command, stderr=subprocess.PIPE, text=True, env=environment) as process:
        said: list[str] = []
        try:
            for line in process.stderr or ():
                said.append(line)
                if line.startswith("Serving "):
                    break
            assert said and said[-1].startswith("Serving "), said
            yield StartedHost(said[-1].rpartition(" at ")[2].strip(), process, said)
        finally:
            process.terminate()
            assert process.wait(20) in (0, 143)


@pytest.fixture(scope="module")
def host(starter: Package) -> Iterator[StartedHost]:
    """A host of the bike shop."""
    with started(starter.path, "--most-bytes", 20_000) as found:
        yield found


@pytest.fixture
def start() -> Iterator[Callable[..., StartedHost]]:
    """Start hosts with options of their own."""
    with ExitStack() as stack:
        yield lambda *arguments: stack.enter_context(started(*arguments))


@pytest.fixture
def broken(tmp_path: Path) -> Path:
    """The folder of a package that cannot be loaded."""
    source = tmp_path / "broken" / "src" / "toolworld_broken"
    source.mkdir(parents=True)
    (source / "__init__.py").write_text("1 / 0\n")
    return tmp_path / "broken"

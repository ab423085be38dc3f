"""Replays packages: finds and loads them, checks each task, and reports.

A server that dies or hangs costs the task at hand: the next one gets a new server. After three
of them, or when none can be started, the rest of the package is not replayed, and counts as failed.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from functools import partial
from pathlib import Path
from typing import Any

import anyio
from anyio.lowlevel import checkpoint
from pydantic import ValidationError

from toolworld.errors import LaunchError, PackageLoadError, ToolworldError
from toolworld.harness.connect import TRANSPORTS, Connection, Transport, connect
from toolworld.harness.launch import USUAL, Timeouts
from toolworld.harness.progress import OnProgress, Progress
from toolworld.harness.replay import Mismatch, TaskReplay, Trace, read_only_tools
from toolworld.harness.report import Failure, PackageReport, Report, package_failed
from toolworld.harness.steps import problems_of
from toolworld.packages import Package, load_package
from toolworld.packages.files import SOURCE
from toolworld.packages.tasks_file import read_tasks

MOST_LOST = 3

Json = dict[str, Any]


def replay_packages(
    paths: Sequence[Path],
    transport: Transport = "inproc",
    on_progress: OnProgress | None = None,
    *,
    timeouts: Timeouts = USUAL,
) -> Report:
    """Replay every task of packages, and check that its reward can be trusted.

    Args:
        paths: Package folders, and folders of packages.
        transport: How to reach them: ``inproc``, ``memory``, ``stdio`` or ``http``.
        on_progress: Told after each task how far the replay is.
        timeouts: How long a server is waited for.

    Raises:
        ToolworldError: There is no such transport.
        PackageLoadError: A path is no package and holds none. A package that is there but broken
            is a failure in the report.
    """
    if transport not in TRANSPORTS:
        known = ", ".join(TRANSPORTS)
        raise ToolworldError(f"There is no transport {transport!r}; there are {known}.")
    folders = [folder for path in paths for folder in package_folders(Path(path))]
    began = time.perf_counter()
    jobs = [_job(folder) for folder in folders]
    total = sum(len(job.tasks) for job in jobs if isinstance(job, PackageReplay))
    done = 0

    def advance(name: str, steps: int) -> None:
        nonlocal done
        done += steps
        if on_progress is not None:
            on_progress(Progress(name, done, total))

    rows = [
        job if isinstance(job, PackageReport) else _replay(job, transport, timeouts, advance)
        for job in jobs
    ]
    return Report(transport, tuple(rows), time.perf_counter() - began)


def package_folders(path: Path) -> list[Path]:
    """Return the package a path is, or the packages in it, in name order.

    Raises:
        PackageLoadError: There is none.
    """
    if not path.is_dir():
        raise PackageLoadError(f"{path} is no folder; give a package, or a folder of packages.")
    if _is_package(path):
        return [path]
    found = sorted(folder for folder in path.iterdir() if _is_package(folder))
    if not found:
        raise PackageLoadError(f"{path} is no toolworld package and holds none.")
    return found


def _is_package(folder: Path) -> bool:
    return any((folder / SOURCE).glob("toolworld_*"))


@dataclass
class PackageReplay:
    """A package, its tasks still to replay, and the failures found so far."""

    package: Package
    read_only: frozenset[str]
    tasks: list[Json]
    failures: list[Failure] = field(default_factory=list)
    calls: int = 0
    done: int = 0
    lost: bool = False

    @property
    def left(self) -> list[Json]:
        """The tasks still to replay."""
        return self.tasks[self.done :]


def _job(folder: Path) -> PackageReplay | PackageReport:
    """Return the replay of a package, or its row in the report if it is broken."""
    try:
        package = load_package(folder)
        tasks = read_tasks(package.files.tasks)
        read_only = read_only_tools(package.environment().tools)
    except Exception as error:  # noqa: BLE001 - broken code of a package may raise anything
        reason, _, detail = f"The package cannot be loaded: {_said(error)}".partition("\n")
        return package_failed(folder.name, str(folder), Failure("", reason, None, detail))
    if not tasks:
        empty = Failure("", "The package has no tasks, so nothing shows that it works.")
        return package_failed(package.name, str(folder), empty)
    return PackageReplay(package, read_only, tasks)


def _said(error: Exception) -> str:
    return str(error) if isinstance(error, ToolworldError) else f"{type(error).__name__}: {error}"


def _replay(
    job: PackageReplay,
    transport: Transport,
    timeouts: Timeouts,
    advance: Callable[[str, int], None],
) -> PackageReport:
    began = time.perf_counter()
    name = job.package.name
    advance(name, 0)
    anyio.run(partial(_replay_tasks, job, transport, timeouts, partial(advance, name)))
    return PackageReport(
        name,
        str(job.package.path),
        tasks=len(job.tasks),
        calls=job.calls,
        seconds=time.perf_counter() - began,
        failures=tuple(job.failures),
    )


async def _replay_tasks(
    job: PackageReplay, transport: Transport, timeouts: Timeouts, advance: Callable[[int], None]
) -> None:
    for _ in range(MOST_LOST):
        try:
            async with connect(job.package, transport, timeouts) as connection:
                await _over(connection, job, transport, advance)
        except ToolworldError as error:
            _give_up(job, str(error), advance)
        if not job.left:
            return
    _give_up(job, f"the server was lost {MOST_LOST} times.", advance)


async def _over(
    connection: Connection, job: PackageReplay, transport: Transport, advance: Callable[[int], None]
) -> None:
    """Replay tasks until none is left or the server is lost."""
    job.lost = False
    while job.left and not job.lost:
        await checkpoint()  # in process nothing else waits, so this is where Ctrl-C gets through
        failure = await _check(connection, job, job.left[0], transport)
        job.failures += [failure] if failure is not None else []
        job.done += 1
        advance(1)


async def _check(
    connection: Connection, job: PackageReplay, definition: Json, transport: Transport
) -> Failure | None:
    task = _id(definition)
    try:
        replay = TaskReplay(connection, definition, job.read_only)
    except ValidationError as error:
        return Failure(task, "The task cannot be read.", None, "\n".join(problems_of(error)))
    try:
        reference = None if transport == "inproc" else await _reference(job, definition)
        await replay.check(reference)
    except Mismatch as mismatch:
        return mismatch.failure(task)
    except LaunchError as error:
        job.lost = True
        return _failure(task, error, replay.step)
    except ToolworldError as error:
        return _failure(task, error, replay.step)
    finally:
        job.calls += replay.calls
    return None


async def _reference(job: PackageReplay, definition: Json) -> Trace:
    """Play gold in process, as the reference for other transports."""
    async with connect(job.package) as connection:
        return await TaskReplay(connection, definition, job.read_only).gold()


def _give_up(job: PackageReplay, why: str, advance: Callable[[int], None]) -> None:
    """Fail every task that is left: the first says why in full."""
    reason, _, detail = why.partition("\n")
    for definition in job.left:
        job.failures.append(Failure(_id(definition), f"Not replayed: {reason}", None, detail))
        detail = ""
        advance(1)
    job.done = len(job.tasks)


def _failure(task: str, error: ToolworldError, step: int | None) -> Failure:
    reason, _, detail = str(error).partition("\n")
    return Failure(task, reason, step, detail)


def _id(definition: Json) -> str:
    return str(definition.get("id") or "(no id)")

"""The first thing to try: builds a domain, makes tasks for it, and replays them over stdio."""

from __future__ import annotations

import shlex
import sys
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

from toolworld import bundled, emit, harness
from toolworld.tasks import TaskOrder, make_tasks

DOMAIN = "retail"
TASKS = 20


@dataclass(frozen=True)
class Demo:
    """What the demo made and found.

    Attributes:
        package: The folder of the package built.
        connect: The shell command that connects Claude Code to it.
    """

    package: Path
    report: harness.Report
    connect: str


def run_demo(
    out: Path,
    on_step: Callable[[str], None],
    on_progress: harness.OnProgress,
) -> Demo:
    """Build the demo's package, make some tasks, and replay them over stdio.

    Args:
        out: The folder to build in; the package gets a folder of its name inside.
        on_step: Called with each step, in words.
        on_progress: Called with the progress of the replay.
    """
    package = (out / DOMAIN).resolve()
    on_step(f"building {DOMAIN} in {package}")
    emit.build(bundled.domain_folder(DOMAIN), package)
    on_step(f"making {TASKS} certified tasks")
    make_tasks(package, TaskOrder(TASKS))
    on_step("replaying them over stdio")
    report = harness.replay_packages([package], "stdio", on_progress)
    return Demo(package, report, connect_command(package, DOMAIN))


def connect_command(package: Path, domain: str) -> str:
    """Return the shell command that connects Claude Code to a package in its folder."""
    name = f"toolworld-{domain.replace('_', '-')}"
    source = shlex.quote(f"PYTHONPATH={package / 'src'}")
    python = shlex.quote(sys.executable)
    return f"claude mcp add {name} --env {source} -- {python} -m toolworld_{domain}"

"""Rebuilds every committed package: ``make rebuild``; with its tasks made anew: ``make tasks``.

A rebuild alone keeps the tasks that were made before. A domain without scenarios always keeps
them: a model drafted it together with its tasks. Where a change has made tasks wrong, the test
that certifies the committed ones says so.
"""

from __future__ import annotations

import argparse
import os
from pathlib import Path

from tools import committed
from toolworld import emit
from toolworld.packages import files_of
from toolworld.packages.made import made_in
from toolworld.tasks import TaskOrder, make_tasks

TASKS = 250


def main() -> None:
    """Rebuild all packages, one after the other."""
    parser = argparse.ArgumentParser(prog="python -m tools.rebuild", description=__doc__)
    parser.add_argument("--tasks", action="store_true", help="make the tasks anew")
    anew = parser.parse_args().tasks
    domain, package = committed.golden()
    _build(domain, package)
    for domain, package in committed.servers():
        _build(domain, package)
        if anew and (domain / "scenarios").is_dir():
            report = make_tasks(package, TaskOrder(TASKS, workers=os.cpu_count() or 1))
            print(f"  {report.content['delivered']} tasks", flush=True)


def _build(domain: Path, package: Path) -> None:
    """Build a package; the tasks that were made for it stay."""
    print(f"{package.relative_to(committed.REPOSITORY)} ...", flush=True)
    made = _made(package) if package.is_dir() else ""
    emit.build(domain, package)
    with files_of(package).tasks.open("a", encoding="utf-8") as file:
        file.write(made)


def _made(package: Path) -> str:
    return made_in(files_of(package).tasks.read_text(encoding="utf-8"))


if __name__ == "__main__":
    main()

"""Rebuilds every committed package, and makes its tasks: ``make rebuild``."""

from __future__ import annotations

import os
from pathlib import Path

from tools import committed
from toolworld import emit
from toolworld.tasks import Order, make_tasks

TASKS = 200


def main() -> None:
    """Rebuild them, one after the other."""
    domain, package = committed.golden()
    _build(domain, package)
    for domain, package in committed.servers():
        _build(domain, package)
        report = make_tasks(package, Order(TASKS, workers=os.cpu_count() or 1))
        print(f"  {report.content['delivered']} tasks", flush=True)


def _build(domain: Path, package: Path) -> None:
    print(f"{package.relative_to(committed.REPOSITORY)} ...", flush=True)
    emit.build(domain, package)


if __name__ == "__main__":
    main()

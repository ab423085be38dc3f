"""What a cluster of two nodes gains over one process on the same two cores."""

from __future__ import annotations

import os
import shutil
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from functools import partial
from pathlib import Path

from tools.bench.rows import BenchRow
from tools.bench.timing import race, repeated
from toolworld.fanout.engines import Engine, LocalEngine, RayEngine
from toolworld.fanout.jobs import Job
from toolworld.fanout.run import fan_out, jobs_of
from toolworld.packages import Package

NODES_BAR = 1 / 1.6
PACKAGES = 4
OPTIONS = ("--calls", "8000", "--suspects", "0")


def nodes(package: Package, rounds: int) -> Iterator[BenchRow]:
    """Race Ray on two nodes of one core each with one process at a time on this machine."""
    with tempfile.TemporaryDirectory(prefix="toolworld-bench-") as folder, cluster() as engine:
        for number in range(PACKAGES):
            shutil.copytree(package.path, Path(folder) / f"copy_{number}")
        jobs = jobs_of("laws", [Path(folder)], OPTIONS)
        ours, alone = (repeated(partial(_run, jobs, one), 1) for one in (engine, LocalEngine(1)))
        times = race(ours, alone, rounds)
    note = f"a search of {PACKAGES} packages for faults, the cluster running already"
    yield BenchRow("a node more, by Ray", *times, NODES_BAR, note)


def _run(jobs: list[Job], engine: Engine) -> None:
    found = fan_out(jobs, engine, None, lambda _: None)
    if not found.passed:
        raise RuntimeError("\n".join(end.said for end in found.ends if not end.passed))


@contextmanager
def cluster() -> Iterator[RayEngine]:
    """Start a cluster of two nodes on this machine, and join it."""
    # Before Ray is imported: it reads this once.
    os.environ["RAY_AUTH_MODE"] = "disabled"
    import ray
    from ray.cluster_utils import Cluster

    found = Cluster(initialize_head=True, head_node_args={"num_cpus": 1})
    try:
        found.add_node(num_cpus=1)
        yield RayEngine(found.address)
    finally:
        ray.shutdown()
        found.shutdown()  # type: ignore[no-untyped-call]

"""The engines that run jobs: all give the same ends in the same order."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from typing import Literal, Protocol

from toolworld.errors import ToolworldError
from toolworld.fanout.jobs import Job, JobEnd, run_job

EngineName = Literal["local", "ray"]
TRIES = 3
"""How often a job is restarted when its node is lost."""


class Engine(Protocol):
    """Runs jobs, several at once."""

    def ends(self, jobs: Sequence[Job]) -> Iterator[JobEnd]:
        """Yield the end of each job, in order."""
        ...


class LocalEngine:
    """Runs jobs on this machine."""

    def __init__(self, workers: int) -> None:
        """Run this many jobs at once."""
        self._workers = workers

    def ends(self, jobs: Sequence[Job]) -> Iterator[JobEnd]:
        """Yield the end of each job, in order."""
        with ThreadPoolExecutor(self._workers) as pool:
            try:
                yield from pool.map(run_job, jobs)
            finally:
                pool.shutdown(wait=False, cancel_futures=True)


class RayEngine:
    """Runs jobs on the nodes of a Ray cluster; if a node is lost, its job runs on another one.

    Every node needs toolworld installed, and the packages under the same paths.
    """

    def __init__(self, address: str | None = None) -> None:
        """Join a cluster.

        Args:
            address: The cluster's address; None for the one that ``RAY_ADDRESS`` names, or else a
                cluster on this machine that ends with this process.

        Raises:
            ToolworldError: Ray is not installed, or the cluster does not answer.
        """
        try:
            import ray
        except ImportError as error:
            raise ToolworldError(
                "Ray is not installed. Install it: pip install 'toolworld[ray]'"
            ) from error
        self._ray = ray
        try:
            ray.init(address, ignore_reinit_error=True, log_to_driver=False)
        except (ConnectionError, RuntimeError, ValueError) as error:
            raise ToolworldError(f"The Ray cluster cannot be joined: {error}") from error

    def ends(self, jobs: Sequence[Job]) -> Iterator[JobEnd]:
        """Yield the end of each job, in order."""
        remote = self._ray.remote(num_cpus=1, max_retries=TRIES)(run_job)
        for handle in [remote.remote(job) for job in jobs]:
            try:
                yield self._ray.get(handle)
            except self._ray.exceptions.RayError as error:
                yield JobEnd(1, f"Ray lost it: {str(error).splitlines()[0]}")


def engine_of(name: EngineName, workers: int) -> Engine:
    """Return the engine with a name.

    Raises:
        ToolworldError: It cannot be used here.
    """
    return RayEngine() if name == "ray" else LocalEngine(workers)

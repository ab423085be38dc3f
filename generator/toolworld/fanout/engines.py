"""Where jobs run: all engines give the same ends in the same order."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from typing import Literal, Protocol

from toolworld.errors import ToolworldError
from toolworld.fanout.jobs import Job, JobEnd, run_job

EngineName = Literal["local", "ray"]
TRIES = 3
"""How often a job is begun again whose node is lost."""


class Engine(Protocol):
    """Runs jobs, several at once."""

    def ends(self, jobs: Sequence[Job]) -> Iterator[JobEnd]:
        """Yield how jobs end, in their order."""
        ...


class LocalEngine:
    """Runs jobs on this machine."""

    def __init__(self, workers: int) -> None:
        """Run so many at once."""
        self._workers = workers

    def ends(self, jobs: Sequence[Job]) -> Iterator[JobEnd]:
        """Yield how jobs end, in their order."""
        with ThreadPoolExecutor(self._workers) as pool:
            try:
                yield from pool.map(run_job, jobs)
            finally:
                pool.shutdown(wait=False, cancel_futures=True)


class RayEngine:
    """Runs jobs on the nodes of a Ray cluster; one whose node is lost runs on another one.

    Every node needs toolworld installed, and the packages under the same paths.
    """

    def __init__(self, address: str | None = None) -> None:
        """Join a cluster.

        Args:
            address: Where it is; None for the one that ``RAY_ADDRESS`` names, or else one on
                this machine that ends with this process.

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
        """Yield how jobs end, in their order."""
        remote = self._ray.remote(num_cpus=1, max_retries=TRIES)(run_job)
        for handle in [remote.remote(job) for job in jobs]:
            try:
                yield self._ray.get(handle)
            except self._ray.exceptions.RayError as error:
                yield JobEnd(1, f"Ray lost it: {str(error).splitlines()[0]}")


def engine_of(name: EngineName, workers: int) -> Engine:
    """Return the engine of a name.

    Raises:
        ToolworldError: It cannot be had here.
    """
    return RayEngine() if name == "ray" else LocalEngine(workers)

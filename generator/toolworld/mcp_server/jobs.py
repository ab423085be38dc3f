"""Long work in threads: a client waits as long as it likes, and calls again for the result."""

from __future__ import annotations

import logging
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any, Generic, TypeVar

import anyio
from anyio.abc import TaskGroup
from pydantic import BaseModel

from toolworld.errors import ToolworldError

ResultT = TypeVar("ResultT", bound=BaseModel)
Say = Callable[[str], None]

logger = logging.getLogger(__name__)


@dataclass(frozen=True)
class WorkOrder(Generic[ResultT]):
    """A piece of work.

    Attributes:
        tool: The tool that was called for it.
        arguments: The arguments of the tool, apart from how long to wait.
        work: Does the work in a thread, and says what it is doing.
    """

    tool: str
    arguments: BaseModel
    work: Callable[[Say], ResultT]

    def is_like(self, other: WorkOrder[Any]) -> bool:
        """Return whether another order asks for the same."""
        return (self.tool, self.arguments) == (other.tool, other.arguments)


@dataclass
class BegunWork(Generic[ResultT]):
    """Work that was begun.

    Attributes:
        doing: What it does at the moment, in words.
        ended: Set when there is a result or an error.
    """

    order: WorkOrder[ResultT]
    doing: str = "Starting"
    ended: anyio.Event = field(default_factory=anyio.Event)
    result: ResultT | None = None
    error: ToolworldError | None = None

    async def run(self) -> None:
        """Do the work, and keep its result or error."""
        try:
            self.result = await anyio.to_thread.run_sync(
                self.order.work, self._say, abandon_on_cancel=True
            )
        except ToolworldError as error:
            self.error = error
        except Exception:
            logger.exception("%s failed.", self.order.tool)
            self.error = ToolworldError(
                f"{self.order.tool} failed because of a defect of toolworld; the server's log "
                "(standard error) says more."
            )
        self.ended.set()

    def _say(self, text: str) -> None:
        self.doing = text


class Jobs:
    """The work in progress: one piece for each world at a time."""

    def __init__(self, tasks: TaskGroup) -> None:
        """Take the task group that jobs run in."""
        self._tasks = tasks
        self._by_world: dict[str, BegunWork[Any]] = {}

    async def run(
        self, world: str, order: WorkOrder[ResultT], seconds: float
    ) -> ResultT | BegunWork[ResultT]:
        """Begin some work, or join the same work if it was begun, and wait for it.

        Args:
            world: The world's name.
            order: What is to be done.
            seconds: How long to wait.

        Returns:
            The result, or the job itself if it goes on.

        Raises:
            ToolworldError: The work failed, or there is other work on this world.
        """
        job = self._job(world, order)
        with anyio.move_on_after(seconds):
            await job.ended.wait()
        if not job.ended.is_set():
            return job
        self._by_world.pop(world, None)
        if job.error is not None or job.result is None:
            raise job.error or ToolworldError(f"{order.tool} came to nothing.")
        return job.result

    def check_idle(self, world: str) -> None:
        """Check that no work on a world is in progress.

        Raises:
            ToolworldError: Some work is.
        """
        job = self._by_world.get(world)
        if job is not None and not job.ended.is_set():
            raise ToolworldError(
                f"{world} is still at work: {job.doing}. Wait for it: call "
                f"{job.order.tool} again with the same arguments."
            )

    def _job(self, world: str, order: WorkOrder[ResultT]) -> BegunWork[ResultT]:
        job: BegunWork[ResultT] | None = self._by_world.get(world)
        if job is not None and not job.order.is_like(order):
            self.check_idle(world)
            job = None
        if job is None:
            job = self._by_world[world] = BegunWork(order)
            self._tasks.start_soon(job.run)
        return job

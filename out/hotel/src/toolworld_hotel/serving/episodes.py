"""The episodes a server holds, each found by its id.

The episode called ``default`` is always there; the control plane opens and closes the others.
"""

from __future__ import annotations

import secrets
import time
from collections.abc import Mapping
from contextlib import AbstractContextManager

from ..bounds import MOST_SNAPSHOTS, Bounds
from ..calls.definitions import ToolDefinition, definitions
from ..environment import Environment, EnvironmentSnapshot
from ..errors import LimitReached, UnknownEpisode, UnknownSnapshot
from ..tasks.task import Task

DEFAULT_EPISODE = "default"


class Episode:
    """One environment that a client is connected to, with the snapshots taken of it.

    Attributes:
        used: When it was last used, by the monotonic clock.
        bound: A context manager that each tool runs in; None for none.
    """

    def __init__(
        self, task: Task | Mapping[str, object] | str | None = None, seed: int = 0
    ) -> None:
        """Open an environment.

        Raises:
            UnknownTask: No task has that id.
            BadTask: The task does not fit the database.
        """
        self._environment = Environment(task, seed) if task is not None else None
        self._seed = seed
        self._snapshots: dict[str, EnvironmentSnapshot] = {}
        self.used = time.monotonic()
        self.bound: AbstractContextManager[None] | None = None

    @property
    def environment(self) -> Environment:
        """The environment; without a task, it is made when first used.

        So a client can list the tools before the database is read.
        """
        if self._environment is None:
            self._environment = Environment(seed=self._seed)
        self._environment.bound = self.bound
        return self._environment

    @property
    def tools(self) -> list[ToolDefinition]:
        """The definitions of the episode's tools."""
        if self._environment is None:
            return list(definitions().values())
        return self._environment.tools

    def snapshot(self) -> str:
        """Keep a snapshot of the present state, and return its name.

        Raises:
            LimitReached: The episode has too many snapshots.
        """
        if len(self._snapshots) >= MOST_SNAPSHOTS:
            raise LimitReached(f"An episode may have {MOST_SNAPSHOTS} snapshots, and has them.")
        name = str(len(self._snapshots) + 1)
        self._snapshots[name] = self.environment.snapshot()
        return name

    def restore(self, name: str) -> None:
        """Go back to a snapshot.

        Raises:
            UnknownSnapshot: No snapshot has that name.
        """
        if name not in self._snapshots:
            raise UnknownSnapshot(f'This episode has no snapshot "{name:.80}".')
        self.environment.restore(self._snapshots[name])


class Episodes:
    """The open episodes of a server."""

    def __init__(
        self,
        default: Episode,
        bounds: Bounds | None = None,
        bound: AbstractContextManager[None] | None = None,
    ) -> None:
        """Start with only the default episode.

        Args:
            default: The default episode.
            bounds: How many episodes may be open, and for how long.
            bound: A context manager that each tool runs in; None for none.
        """
        self._bounds, self._bound = bounds or Bounds(), bound
        self._open: dict[str, Episode] = {}
        self.start_over(default)

    def ids(self) -> list[str]:
        """Return the ids of the open episodes, oldest first."""
        return list(self._open)

    def find(self, episode_id: str) -> Episode:
        """Return an open episode.

        Raises:
            UnknownEpisode: None has that id.
        """
        episode = self._open.get(episode_id)
        if episode is None:
            raise UnknownEpisode(f'No open episode has the id "{episode_id:.80}".')
        episode.used = time.monotonic()
        return episode

    def start_over(self, episode: Episode) -> None:
        """Make an episode the default one, instead of the present one."""
        episode.bound = self._bound
        self._open[DEFAULT_EPISODE] = episode

    def open(self, episode: Episode) -> str:
        """Add an episode, and return its id.

        The id cannot be guessed: an agent knows the URL of its own episode and of no other.

        Raises:
            LimitReached: There are too many, and none was idle for long enough.
        """
        self.close_idle()
        if len(self._open) > self._bounds.episodes:
            raise LimitReached(
                f"{self._bounds.episodes} episodes are open, and there may be no more. "
                "Close some, or start the server with more --episodes."
            )
        episode.bound = self._bound
        episode_id = secrets.token_urlsafe(16)
        self._open[episode_id] = episode
        return episode_id

    def close_idle(self) -> None:
        """Close the episodes that were idle for too long."""
        if not self._bounds.idle:
            return
        since = time.monotonic() - self._bounds.idle
        for episode_id in [one for one, episode in self._open.items() if episode.used < since]:
            if episode_id != DEFAULT_EPISODE:
                del self._open[episode_id]

    def close(self, episode_id: str) -> None:
        """Forget an episode and all its changes.

        Raises:
            UnknownEpisode: None has that id, or it is the default one, which stays.
        """
        if episode_id == DEFAULT_EPISODE:
            raise UnknownEpisode("The default episode stays open; reset it instead.")
        self.find(episode_id)
        del self._open[episode_id]

"""The episodes a server holds, each found by its id.

The episode called ``default`` is always there; the others are opened and closed by the control
plane.
"""

from __future__ import annotations

import secrets
from collections.abc import Mapping

from .definitions import ToolDefinition, definitions
from .environment import Environment, EnvironmentSnapshot
from .errors import UnknownEpisode, UnknownSnapshot
from .task import Task

DEFAULT_EPISODE = "default"


class Episode:
    """One environment that a client is connected to, with the snapshots taken of it."""

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

    @property
    def environment(self) -> Environment:
        """The environment; without a task it is made when first used.

        So a client can list the tools before the database is read.
        """
        if self._environment is None:
            self._environment = Environment(seed=self._seed)
        return self._environment

    @property
    def tools(self) -> list[ToolDefinition]:
        """The definitions of the tools there are."""
        if self._environment is None:
            return list(definitions().values())
        return self._environment.tools

    def snapshot(self) -> str:
        """Remember the present moment, under the name returned."""
        name = str(len(self._snapshots) + 1)
        self._snapshots[name] = self.environment.snapshot()
        return name

    def restore(self, name: str) -> None:
        """Go back to a moment remembered.

        Raises:
            UnknownSnapshot: There is none of that name.
        """
        if name not in self._snapshots:
            raise UnknownSnapshot(f'This episode has no snapshot "{name:.80}".')
        self.environment.restore(self._snapshots[name])


class Episodes:
    """The open episodes of a server."""

    def __init__(self, default: Episode) -> None:
        """Hold the default episode, and no other yet."""
        self._open = {DEFAULT_EPISODE: default}

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
        return episode

    def start_over(self, episode: Episode) -> None:
        """Put an episode in the place of the default one."""
        self._open[DEFAULT_EPISODE] = episode

    def open(self, episode: Episode) -> str:
        """Hold one more episode, under the id returned.

        The id cannot be guessed: an agent knows the URL of its own episode and of no other.
        """
        episode_id = secrets.token_urlsafe(16)
        self._open[episode_id] = episode
        return episode_id

    def close(self, episode_id: str) -> None:
        """Forget an episode and all its changes.

        Raises:
            UnknownEpisode: None has that id, or it is the default one, which stays.
        """
        if episode_id == DEFAULT_EPISODE:
            raise UnknownEpisode("The default episode stays open; reset it instead.")
        self.find(episode_id)
        del self._open[episode_id]

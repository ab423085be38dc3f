"""An episode as a Gymnasium environment: reset, step, reward."""

from __future__ import annotations

import json
import string
from collections.abc import Sequence
from typing import Any

import gymnasium

from toolworld.client.environment import Environment
from toolworld.errors import EpisodeError

MOST_CHARACTERS = 100_000
SAID = (
    'An action is {"tool": NAME, "arguments": {...}}, {"say": TEXT} or {"finish": ANSWER}, '
    "as one JSON object."
)
PRINTABLE = frozenset(string.printable)


class GymnasiumEnvironment(gymnasium.Env[str, str]):
    """Tasks one after another; actions and observations are JSON texts.

    An action calls a tool, says something to the person, or finishes, which gives the reward:
    1.0 or 0.0. If an action cannot be done, the observation says why and the episode goes on.
    """

    metadata = {"render_modes": []}  # noqa: RUF012 - as Gymnasium declares it

    def __init__(
        self, environment: Environment, tasks: Sequence[str] = (), most_steps: int = 50
    ) -> None:
        """Take an environment.

        Args:
            environment: An episode of the package that has the tasks.
            tasks: The ids of the tasks, empty for all; a reset picks one at random, or takes its
                option ``task``.
            most_steps: The number of steps after which an episode is cut off.

        Raises:
            EpisodeError: There is no such task, or none at all.
        """
        self._instructions = {one["id"]: one["instruction"] for one in environment.tasks}
        unknown = [one for one in tasks if one not in self._instructions]
        if unknown or not self._instructions:
            raise EpisodeError(f"There is no task {unknown[0] if unknown else ''}to start at.")
        space = gymnasium.spaces.Text(MOST_CHARACTERS, min_length=0, charset=PRINTABLE)
        self.observation_space = self.action_space = space
        self._environment, self._most = environment, most_steps
        self._tasks = [*tasks] or [*self._instructions]
        self._steps = 0

    def reset(
        self, *, seed: int | None = None, options: dict[str, Any] | None = None
    ) -> tuple[str, dict[str, Any]]:
        """Start a task; return the person's opening message and the definitions of the tools."""
        super().reset(seed=seed)
        chosen = self._tasks[int(self.np_random.integers(len(self._tasks)))]
        task = str((options or {}).get("task", chosen))
        if task not in self._instructions:
            raise EpisodeError(f"There is no task {task:.60}.")
        self._environment.reset(task)
        self._steps = 0
        told = _text({"person": self._instructions[task]})
        return told, {"task": task, "tools": self._environment.tools}

    def step(self, action: str) -> tuple[str, float, bool, bool, dict[str, Any]]:
        """Do an action; return the observation, the reward, and whether the episode is over."""
        self._steps += 1
        cut_off = self._steps >= self._most
        try:
            asked = json.loads(action)
            if not isinstance(asked, dict):
                raise ValueError(SAID)
            if "finish" in asked:
                grade = self._environment.grade(str(asked["finish"]))
                told = {"reasons": list(grade.reasons)}
                return _text(told), grade.reward, True, False, {"score": grade.score}
            return self._done(asked), 0.0, False, cut_off, {}
        except (ValueError, RecursionError, EpisodeError) as error:
            said = str(error) if isinstance(error, EpisodeError) else SAID
            return _text({"error": said}), 0.0, False, cut_off, {}

    def _done(self, asked: dict[str, Any]) -> str:
        if "say" in asked:
            return _text({"person": self._environment.say(str(asked["say"])).text})
        if not isinstance(asked.get("arguments", {}), dict) or "tool" not in asked:
            raise ValueError(SAID)
        result = self._environment.call(str(asked["tool"]), asked.get("arguments", {}))
        return _text({"outcome": result.outcome, "result": result.structured or result.text})

    def close(self) -> None:
        """Close the episode."""
        self._environment.close()


def _text(told: dict[str, Any]) -> str:
    """Return an observation: JSON in printable characters, cut where it is too long."""
    return json.dumps(told)[:MOST_CHARACTERS]

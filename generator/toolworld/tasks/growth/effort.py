"""How hard a planner has to look for a task's goal: the calls it makes until it is there.

The planner is told the values that a person would tell, which gold has as they are, but not
what to do with them. Of the calls it could make it takes first those with the most such values,
keeps each change that brings it nearer to the goal, and undoes the others.
"""

from __future__ import annotations

import heapq
import itertools
from collections.abc import Iterable, Iterator, Mapping
from typing import Any

from toolworld.emit import Package
from toolworld.graph.surface import ParameterFacts, Surface, ToolFacts, surface_of
from toolworld.tasks.episodes import Episodes
from toolworld.tasks.growth.approach import Approach, Goals
from toolworld.tasks.growth.feeding import MOST_KEPT, Pool, lesson
from toolworld.tasks.growth.links import Links
from toolworld.tasks.growth.settings import GrowthSettings

Json = Any

MOST_VALUES, MOST_CALLS = 3, 4
"""How many values are tried for an argument, and how many calls of a tool at a time."""


class Effort:
    """Measures tasks of a package."""

    def __init__(
        self,
        package: Package,
        links: Links,
        settings: GrowthSettings,
        episodes: Episodes | None = None,
    ) -> None:
        """Take the package, its graph, how many calls may be made, and where."""
        self._goals = Goals(package)
        self._episodes = episodes or Episodes(package)
        self._surface = surface_of(package)
        self._links = links
        self._budget = settings.planner_budget
        self._asked = {
            name: frozenset(e for part in tool.parameters.values() for e in part.ids.values())
            for name, tool in self._surface.tools.items()
        }

    def of(self, task: Mapping[str, Json]) -> int:
        """Return how many calls the planner makes until the task's reward is earned.

        Args:
            task: A whole task; its gold only says which values people know.

        Returns:
            The number of calls; the whole budget if the goal is not found.
        """
        goal = Approach(self._goals, self._episodes.open(task.get("initial")), task["goal"])
        tools = [self._surface.tools[name] for name in task["tools"] or self._surface.tools]
        known = Known(self._surface, task["gold"])
        return Search(goal, self._useful(tools, goal), self._asked, known).run(self._budget)

    def _useful(self, tools: Iterable[ToolFacts], goal: Approach) -> list[ToolFacts]:
        """Return the tools that change what is to be changed, and those that look."""
        return [tool for tool in tools if tool.read_only or tool.changed_tables & goal.tables]


class Search:
    """One search for a goal, the most promising call first."""

    def __init__(
        self,
        goal: Approach,
        tools: list[ToolFacts],
        asked: Mapping[str, frozenset[str]],
        known: Known,
    ) -> None:
        """Start knowing what people know.

        Args:
            goal: What is to be reached.
            tools: What may be called.
            asked: The entities whose ids each tool takes.
            known: What people tell.
        """
        self._goal = goal
        self._tools = tools
        self._asked = asked
        self._known = known
        self._queue: list[tuple[int, bool, int, ToolFacts, Json]] = []
        self._queued: dict[str, int] = {}
        self._seen: set[str] = set()
        self._numbers = itertools.count()
        self._look_for_calls(tools)

    def run(self, budget: int) -> int:
        """Return the calls made until the goal is reached; the budget if it is not."""
        for calls in range(1, budget):
            if not self._queue:
                return budget
            *_, tool, arguments = heapq.heappop(self._queue)
            result = self._goal.make(tool, arguments)
            if self._goal.reached:
                return calls
            if result:
                self._learn(tool, result)
        return budget

    def _learn(self, tool: ToolFacts, result: Mapping[str, Json]) -> None:
        new = self._known.learn(tool, result)
        if not tool.read_only:
            # What was rejected before may work now.
            self._seen.clear()
            self._look_for_calls(one for one in self._tools if not one.read_only)
        self._look_for_calls(one for one in self._tools if new & self._asked[one.name])

    def _look_for_calls(self, tools: Iterable[ToolFacts]) -> None:
        """Queue the calls that can be made: the more of what people said in them, the earlier."""
        for tool in tools:
            for arguments, heard in self._known.calls(tool):
                key = f"{tool.name} {arguments}"
                if key not in self._seen:
                    self._seen.add(key)
                    turn = self._queued[tool.name] = self._queued.get(tool.name, 0) + 1
                    rank = turn - 2 * heard
                    number = next(self._numbers)
                    heapq.heappush(self._queue, (rank, tool.read_only, number, tool, arguments))


class Known:
    """Values by argument name, as people tell them, and ids as tools give them."""

    def __init__(self, surface: Surface, gold: Json) -> None:
        """Take the values that gold has as they are."""
        self._pool = Pool()
        self._said: dict[str, list[Json]] = {}
        self._told: set[str] = set()
        for step in gold:
            tool = surface.tools[step["tool"]]
            for name, value in step["arguments"].items():
                self._hear(tool.parameters[name], value)

    def _hear(self, parameter: ParameterFacts, value: Json) -> None:
        if parameter.name not in parameter.ids:
            values = self._said.setdefault(parameter.name, [])
            if value not in values:
                values.append(value)
        elif isinstance(value, str):
            ids = self._pool.ids.setdefault(parameter.ids[parameter.name], [])
            self._told.add(value)
            if value not in ids:
                ids.append(value)

    def learn(self, tool: ToolFacts, result: Json) -> set[str]:
        """Take in the ids of a result; return the entities of which there are others now."""
        before = dict(self._pool.ids)
        self._pool.learn(lesson(tool, result))
        return {entity for entity, ids in self._pool.ids.items() if before.get(entity) != ids}

    def calls(self, tool: ToolFacts) -> Iterator[tuple[Mapping[str, Json], int]]:
        """Yield arguments for a tool from what is known, and how many of them people told.

        There are none if one that it needs is not known.
        """
        given: list[list[tuple[str, Json, bool]]] = []
        for name, parameter in tool.parameters.items():
            values = [MOST_KEPT] if name == "limit" else self._values(parameter, tool)
            if values:
                said, is_id = name in self._said, name in parameter.ids
                given.append(
                    [(name, value, value in self._told if is_id else said) for value in values]
                )
            elif parameter.required:
                return
        for chosen in itertools.islice(itertools.product(*given), MOST_CALLS):
            arguments = {name: value for name, value, _ in chosen}
            yield arguments, sum(told for *_, told in chosen)

    def _values(self, parameter: ParameterFacts, tool: ToolFacts) -> list[Json]:
        """Return values for an argument; for one that may be left out, only what was said."""
        name = parameter.name
        if name in self._said:
            filled = (self._filled(value, name, parameter) for value in self._said[name])
            return [value for value in filled if value is not None][:MOST_VALUES]
        if not parameter.required:
            return []
        if name in parameter.ids:
            return self._pool.ids.get(parameter.ids[name], [])[:MOST_VALUES]
        return list(tool.schema["properties"][name].get("enum", ()))[:MOST_VALUES]

    def _filled(self, value: Json, path: str, parameter: ParameterFacts) -> Json:
        """Return a value that was said with ids put where gold looks them up; None if unknown."""
        if isinstance(value, Mapping):
            if "$step" in value:
                ids = self._pool.ids.get(parameter.ids.get(path, ""))
                return ids[0] if ids else None
            parts = {
                key: self._filled(one, f"{path}.{key}", parameter) for key, one in value.items()
            }
            return (
                None
                if any(value[key] is not None and parts[key] is None for key in parts)
                else parts
            )
        if isinstance(value, list):
            items = [self._filled(one, f"{path}.*", parameter) for one in value]
            return None if None in items else items
        return value

"""Several packages joined into one world: one list of tools, one digest, one reset, one grade."""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Any, NoReturn, cast

from toolworld.episodes.hosted import HostedPackage, OpenedEpisode, Start
from toolworld.episodes.joint_tasks import JOINT, JointTask, joint_task, joint_tasks
from toolworld.episodes.tool_names import joined_names
from toolworld.errors import EpisodeError
from toolworld.jsonvalues import JsonObject

NOBODY = "In a joined world there is nobody to talk to: its tasks need no conversation."
PARTS = ("state", "answers", "conduct")


class JoinedPackages:
    """Packages whose episodes are opened together.

    Attributes:
        domain: Their domains, joined.
        packages: The packages, in order.
        names: The name of each tool here, by domain and own name.
    """

    def __init__(self, packages: Sequence[HostedPackage]) -> None:
        """Join packages.

        Raises:
            EpisodeError: There are fewer than two, or one is named twice.
        """
        self.packages = tuple(packages)
        domains = [one.domain for one in packages]
        if len(domains) < 2 or len({*domains}) < len(domains):
            raise EpisodeError(f"A joined world has two packages or more, each once: {domains}.")
        self.domain = JOINT.join(domains)
        self.names = joined_names(
            {one.domain: list(one.package.modules.definitions.definitions()) for one in packages}
        )

    def open(self, task: Start = None, seed: int = 0) -> JoinedEpisode:
        """Open an episode.

        Args:
            task: The ids of a task of each package, joined by ``+``; None for the plain data.
            seed: Varies the ids of new rows.

        Raises:
            EpisodeError: There is no such task, or its parts cannot be joined.
        """
        return JoinedEpisode(self, task, seed)

    def tasks(self) -> list[dict[str, Any]]:
        """Return joint tasks; any other combination of tasks that can be joined may be opened."""
        return [task.as_json() for task in joint_tasks(self.packages)]

    @property
    def tool_count(self) -> int:
        """How many tools they have together."""
        return sum(one.tool_count for one in self.packages)

    @property
    def episode_key(self) -> str:
        """The key of a request's scope under which the server finds its episode."""
        return self.packages[0].episode_key

    def mcp_server(self) -> Any:
        """Return an MCP server of joined episodes; its instructions are all the policies."""
        modules = [one.package.modules for one in self.packages]
        # On one page, as some clients read no more.
        find = modules[0].web.episode_of
        server = modules[0].server.build_server(find, page_size=self.tool_count)
        server.name = f"toolworld-{self.domain}"
        server.title = " and ".join(one.about.TITLE for one in modules)
        server.description = " ".join(one.about.SUMMARY for one in modules)
        server.instructions = "\n\n".join(one.clauses.policy_text() for one in modules)
        return server


class JoinedEpisode:
    """One episode of several packages.

    Attributes:
        domain: Their domains, joined.
        joined: The packages.
        task: The joint task; None for none.
        parts: The episode of each package, in order.
    """

    def __init__(self, joined: JoinedPackages, task: Start, seed: int) -> None:
        """Open an episode of each package; see ``JoinedPackages.open``."""
        self.joined, self.domain = joined, joined.domain
        self.task: JointTask | None = None
        self._seed = 0
        self._start(task, seed)

    def _start(self, task: Start, seed: int) -> None:
        found = joint_task(self.joined.packages, task)
        ids = [part.id for part in found.parts] if found else [None] * len(self.joined.packages)
        opened = [one.open(part, seed) for one, part in zip(self.joined.packages, ids, strict=True)]
        # Nothing below can fail: an episode is never left half open.
        self.task, self._seed, self.parts = found, seed, tuple(opened)
        self._tools = {
            self.joined.names[part.domain][str(tool["name"])]: (part, str(tool["name"]))
            for part in self.parts
            for tool in part.tools
        }
        self._snapshots: list[tuple[str, ...]] = []

    @property
    def for_server(self) -> JoinedForServer:
        """The episode as the MCP server of its domain uses it."""
        return JoinedForServer(self)

    @property
    def tools(self) -> list[JsonObject]:
        """The definitions of the tools of all packages, under their names here."""
        names = self.joined.names
        return [
            {**tool, "name": names[part.domain][str(tool["name"])]}
            for part in self.parts
            for tool in part.tools
        ]

    def owner_of(self, tool: str) -> tuple[OpenedEpisode, str] | None:
        """Return the part that a tool belongs to, and its name there; None if there is none."""
        return self._tools.get(tool)

    def call(self, tool: str, arguments: Mapping[str, object]) -> JsonObject:
        """Call a tool of a package; unless the outcome is ``ok``, nothing is changed.

        Raises:
            EpisodeError: There is no such tool.
        """
        owner = self.owner_of(tool)
        if owner is None:
            raise EpisodeError(f'There is no tool "{tool!s:.80}".')
        part, name = owner
        return part.call(name, arguments)

    def ask(self, operation: str, parameters: Mapping[str, object]) -> JsonObject:
        """Run a control operation on all parts.

        Raises:
            EpisodeError: There is no such operation, or it cannot be done.
        """
        if operation not in OPERATIONS:
            known = ", ".join(sorted(OPERATIONS))
            raise EpisodeError(f"An episode has no {operation:.80}; there are: {known}.")
        run, takes = OPERATIONS[operation]
        unknown = sorted(set(parameters) - set(takes))
        if unknown:
            raise EpisodeError(f"{operation} takes no {unknown[0]:.80}.")
        return run(self, parameters)

    def _of_all(
        self, operation: str, parameters: Mapping[str, object]
    ) -> Iterator[tuple[str, JsonObject]]:
        """Run an operation on each part, and yield its domain and what came of it."""
        for part in self.parts:
            yield part.domain, part.ask(operation, parameters)

    def digest(self) -> str:
        """Return the digest of all states; equal states have equal ones."""
        parts = [f"{domain}:{told['digest']}" for domain, told in self._of_all("digest", {})]
        return hashlib.sha256("\n".join(parts).encode()).hexdigest()

    def described(self) -> JsonObject:
        """Return the id of the task, and the digest of the state."""
        return {"task": self.task.id if self.task else None, "digest": self.digest()}

    def state(self) -> JsonObject:
        """Return all rows, by domain, table and key."""
        return {"state": {domain: told["state"] for domain, told in self._of_all("state", {})}}

    def diff(self) -> JsonObject:
        """Return the rows that differ from the start, each with its domain."""
        return {
            "changes": [
                {"domain": domain, **change}
                for domain, told in self._of_all("diff", {})
                for change in cast("list[JsonObject]", told["changes"])
            ]
        }

    def reset(self, parameters: Mapping[str, object]) -> JsonObject:
        """Go back to the start, or to the start of another task or seed."""
        task, seed = parameters.get("task"), parameters.get("seed")
        if task is None and seed is None:
            for _ in self._of_all("reset", {}):
                pass
        elif not isinstance(seed, int | None) or not isinstance(task, str | Mapping | None):
            raise EpisodeError("reset takes a task or its id, and a whole number as seed.")
        else:
            going_on = self.task.id if self.task else None
            self._start(task or going_on, self._seed if seed is None else seed)
        return self.described()

    def snapshot(self) -> JsonObject:
        """Keep a snapshot of the present state, and return its name."""
        names = tuple(str(told["snapshot"]) for _, told in self._of_all("snapshot", {}))
        self._snapshots.append(names)
        return {"snapshot": str(len(self._snapshots))}

    def restore(self, parameters: Mapping[str, object]) -> JsonObject:
        """Go back to a snapshot."""
        name = str(parameters.get("snapshot"))
        kept = {str(number): names for number, names in enumerate(self._snapshots, 1)}
        if name not in kept:
            raise EpisodeError(f'This episode has no snapshot "{name:.80}".')
        for part, own in zip(self.parts, kept[name], strict=True):
            part.ask("restore", {"snapshot": own})
        return self.described()

    def grade(self, parameters: Mapping[str, object]) -> JsonObject:
        """Return one grade: each of its parts passes if it passes in every package."""
        if self.task is None:
            raise EpisodeError("This episode has no task to grade it by. Open it with one.")
        told = dict(self._of_all("grade", parameters))
        rewards = [cast("float", one["reward"]) for one in told.values()]
        scores = [cast("float", one["score"]) for one in told.values()]
        parts = {name: _both({domain: one[name] for domain, one in told.items()}) for name in PARTS}
        return {
            "reward": min(rewards),
            "score": sum(scores) / len(scores),
            "reasons": [reason for one in parts.values() for reason in one["reasons"]],
            **parts,
            **self.described(),
        }

    def say(self, _: Mapping[str, object]) -> NoReturn:
        """Refuse: there is nobody to talk to."""
        raise EpisodeError(NOBODY)


def _both(parts: Mapping[str, Any]) -> dict[str, Any]:
    """Return one part of a grade for all packages; its reasons say of which they are."""
    return {
        "passed": all(part["passed"] for part in parts.values()),
        "reasons": [f"{name}: {one}" for name, part in parts.items() for one in part["reasons"]],
        "unseen": [f"{name} {one}" for name, part in parts.items() for one in part["unseen"]],
    }


Operation = Callable[[JoinedEpisode, Mapping[str, object]], JsonObject]

OPERATIONS: Mapping[str, tuple[Operation, tuple[str, ...]]] = {
    "state": (lambda episode, _: episode.state(), ()),
    "diff": (lambda episode, _: episode.diff(), ()),
    "digest": (lambda episode, _: episode.described(), ()),
    "reset": (JoinedEpisode.reset, ("task", "seed")),
    "snapshot": (lambda episode, _: episode.snapshot(), ()),
    "restore": (JoinedEpisode.restore, ("snapshot",)),
    "say": (JoinedEpisode.say, ("text",)),
    "grade": (JoinedEpisode.grade, ("answer",)),
}
"""What can be done to an episode, each with the parameters that it takes."""


class JoinedForServer:
    """A joined episode as the MCP server of its first package uses it.

    That server knows the errors of its own package only, so those of the others become its own.
    """

    def __init__(self, episode: JoinedEpisode) -> None:
        """Take the episode."""
        self._episode = episode
        first = episode.parts[0].hosted
        self._unknown_tool = first.package.modules.errors.UnknownTool
        self._took_too_long = first.took_too_long

    @property
    def environment(self) -> JoinedForServer:
        """What the server calls tools of."""
        return self

    @property
    def tools(self) -> list[JsonObject]:
        """The definitions of the tools."""
        return self._episode.tools

    def call(self, name: str, arguments: Mapping[str, object] | None = None) -> Any:
        """Call a tool; see ``Environment.call`` of a package."""
        owner = self._episode.owner_of(str(name))
        if owner is None:
            raise self._unknown_tool(f'There is no tool "{name!s:.80}".')
        part, own = owner
        try:
            return part.for_server.environment.call(own, arguments)
        except part.hosted.took_too_long as error:
            raise self._took_too_long(str(error)) from error

"""Tasks of joined worlds: one task of each package, asked by one person in one message.

The person has nobody to be but someone of the house, who may ask for every tool: a customer of one
package is not a guest of another. There is no talk, so tasks that need a conversation stay out.
"""

from __future__ import annotations

import random
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from toolworld.episodes.hosted import HostedPackage, Start
from toolworld.errors import EpisodeError
from toolworld.packages.task import TaskModel

JOINT = "+"
"""What stands between the ids of the tasks that are joined, and between the domains."""


@dataclass(frozen=True)
class JointTask:
    """A task of a joined world.

    Attributes:
        parts: The task of each package, in the order of the packages.
        instruction: What the person says first.
    """

    parts: tuple[TaskModel, ...]
    instruction: str

    @property
    def id(self) -> str:
        """The ids of the parts, joined."""
        return JOINT.join(part.id for part in self.parts)

    def as_json(self) -> dict[str, Any]:
        """Return what a trainer is told of the task."""
        return {"id": self.id, "instruction": self.instruction}


def joint_task(packages: Sequence[HostedPackage], task: Start) -> JointTask | None:
    """Return a joint task by its id, or by a mapping with its id; None for none.

    Raises:
        EpisodeError: There is no such task, or a part of it cannot be joined.
    """
    if task is None:
        return None
    wanted = str(task["id"]) if isinstance(task, Mapping) and "id" in task else str(task)
    ids = wanted.split(JOINT)
    if len(ids) != len(packages):
        domains = JOINT.join(one.domain for one in packages)
        raise EpisodeError(
            f'"{wanted:.80}" is no task of {domains}. Name a task of each, such as a-001+b-002.'
        )
    return _joined(packages, [_part(one, part) for one, part in zip(packages, ids, strict=True)])


def _part(hosted: HostedPackage, task_id: str) -> TaskModel:
    """Return a task of a package.

    Raises:
        EpisodeError: There is none, or it cannot be joined.
    """
    task = hosted.package.modules.task.all_tasks().get(task_id)
    if task is None:
        raise EpisodeError(f'{hosted.domain} has no task "{task_id:.80}".')
    if not can_be_joined(hosted, task):
        raise EpisodeError(
            f"The task {task_id} of {hosted.domain} cannot be joined with others: it needs a "
            "conversation, or is asked by someone who may not ask for every tool."
        )
    return task  # type: ignore[no-any-return]


def can_be_joined(hosted: HostedPackage, task: TaskModel) -> bool:
    """Return whether a task needs no talk, and is asked by someone who may ask for every tool."""
    clauses = hosted.package.modules.clauses
    known = task.role in clauses.roles()
    return known and not task.conversation and not clauses.tools_of_others(task.role)


def joint_tasks(packages: Sequence[HostedPackage]) -> list[JointTask]:
    """Return joint tasks in which each task that can be joined occurs, at least once."""
    return list(_side_by_side(packages, _joinable(packages)))


def sampled(packages: Sequence[HostedPackage], seed: int) -> Iterator[JointTask]:
    """Yield joint tasks in random order, no two alike; there is an end to them."""
    rng = random.Random(seed)  # noqa: S311 - no secret
    joinable, found = _joinable(packages), set[str]()
    for _ in range(max(map(len, joinable))):
        for tasks in joinable:
            rng.shuffle(tasks)
        for task in _side_by_side(packages, joinable):
            if task.id not in found:
                found.add(task.id)
                yield task


def _joinable(packages: Sequence[HostedPackage]) -> list[list[TaskModel]]:
    """Return the tasks of each package that can be joined, in file order."""
    return [
        [task for task in one.package.modules.task.all_tasks().values() if can_be_joined(one, task)]
        for one in packages
    ]


def _side_by_side(
    packages: Sequence[HostedPackage], joinable: Sequence[Sequence[TaskModel]]
) -> Iterator[JointTask]:
    """Yield a joint task for each place of the longest list; shorter lists begin anew."""
    if all(joinable):
        for place in range(max(map(len, joinable))):
            yield _joined(packages, [tasks[place % len(tasks)] for tasks in joinable])


def _joined(packages: Sequence[HostedPackage], parts: Sequence[TaskModel]) -> JointTask:
    titles = [one.package.modules.about.TITLE for one in packages]
    first, *others = parts
    told = [first.instruction]
    told += [
        f"And something else, for {title}: {part.instruction}"
        for title, part in zip(titles[1:], others, strict=True)
    ]
    return JointTask(tuple(parts), "\n\n".join(told))

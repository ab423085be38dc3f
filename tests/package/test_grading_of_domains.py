"""The reward of every hand-written task of every domain: gold earns it, one mistake loses it."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from toolworld.packages import Package

Built = Callable[[str], Package]

BY_HAND = Path(__file__).resolve().parents[1] / "by_hand"
DOMAINS = ["library", *sorted(path.name for path in BY_HAND.iterdir())]
each_domain = pytest.mark.parametrize("domain", DOMAINS)


def play(package: Package, task: Any, seed: int) -> Any:
    """Return an episode in which a task's gold was done."""
    environment = package.environment(task, seed)
    resolve = package.module("tasks.task").resolve
    results: list[dict[str, Any]] = []
    for step in task.gold:
        result = environment.call(step.tool, resolve(step.arguments, results))
        assert result.outcome == step.expect, (task.id, step.tool, result.text)
        results.append(result.structured)
    return environment


def spoken(task: Any) -> str:
    return "; ".join(str(answer) for answer in task.goal.answers)


@each_domain
def test_gold_is_worth_it_under_any_seed(built: Built, domain: str) -> None:
    package = built(domain)
    for number, task in enumerate(package.module("tasks.task").all_tasks().values()):
        for seed in (0, 1, number + 2, 10**6 + number):
            graded = play(package, task, seed).grade(spoken(task))
            assert (graded.reward, graded.score, graded.reasons) == (1.0, 1.0, ()), task.id
        assert (
            package.environment(task).grade(spoken(task) if task.goal.changes else "").reward == 0
        )


@each_domain
def test_answers_hold_under_any_seed(built: Built, domain: str) -> None:
    """No answer is a key that a seed changes."""
    for task in built(domain).tasks():
        keys = {change["key"] for change in task["goal"]["changes"] if change["before"] is None}
        assert not any(key in str(answer) for key in keys for answer in task["goal"]["answers"])


def mutations(package: Package, changes: Sequence[Any]) -> list[list[Any]]:
    """Return changes with one hard column of one row made another, one row lost or one more."""
    schemas = package.module("database.models").SCHEMAS
    made = []
    for index, change in enumerate(changes):
        made.append([*changes[:index], *changes[index + 1 :]])
        schema = schemas[change.table]
        exempt = {schema.key, *(schema.policies or {})}
        for column in set(change.after or ()) - exempt:
            after = {**change.after, column: other(change.after[column])}
            wrong = replace(change, after=after)
            made.append([*changes[:index], wrong, *changes[index + 1 :]])
    return made


def other(value: Any) -> Any:
    """Return another value of the same kind."""
    if isinstance(value, bool):
        return not value
    if isinstance(value, int | float):
        return value + 1
    if isinstance(value, str):
        return f"{value}x"
    if isinstance(value, list):
        return value[1:] if value else [1]
    return "something" if value is None else None


@each_domain
def test_any_single_mistake_costs_the_reward(built: Built, domain: str) -> None:
    package = built(domain)
    grading, schemas = package.module("tasks.grading"), package.module("database.models").SCHEMAS
    kept = grading.GradePart(passed=True)
    for task in package.module("tasks.task").all_tasks().values():
        done = play(package, task, 3).diff()
        for wrong in mutations(package, done):
            graded = grading.grade(task.goal, wrong, [spoken(task)], kept, schemas)
            assert graded.reward == 0.0 and 0.0 <= graded.score < 1.0 and graded.reasons, task.id

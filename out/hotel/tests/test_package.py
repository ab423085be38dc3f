"""The package by itself: its tools, its tasks, and episodes on its database."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import pytest

from toolworld_hotel import Environment, Task, UnknownTool, all_tasks

TOOLS = Environment().tools
TASKS = list(all_tasks().values())


def sample(schema: Mapping[str, Any]) -> Any:
    """Return some value that a schema accepts."""
    if "anyOf" in schema:
        return sample(schema["anyOf"][0])
    if "enum" in schema:
        return schema["enum"][0]
    if schema["type"] == "object":
        return {name: sample(inner) for name, inner in schema["properties"].items()}
    texts = {"date": "2026-01-31", "date-time": "2026-01-31T09:00:00Z"}
    values = {
        "string": texts.get(schema.get("format", ""), "text"),
        "integer": schema.get("minimum", 1),
        "number": 1.5,
        "boolean": True,
        "array": [sample(schema["items"])] if "items" in schema else [],
    }
    return values[schema["type"]]


def play(environment: Environment, task: Task) -> None:
    """Do every step of a task's gold, and assert that each call ends as the step expects."""
    results: list[dict[str, Any]] = []
    for step in task.gold:
        if step.say:
            environment.say(step.say)
            results.append({})
            continue
        result = environment.call(step.tool, step.resolved(results))
        assert result.outcome == step.expect, result.text
        results.append(result.structured)


def answer(task: Task) -> str | None:
    """Return an answer with all that a task's goal wants; None if the gold has messages."""
    if any(step.say for step in task.gold):
        return None
    return ", ".join(str(wanted) for wanted in task.goal.answers)


@pytest.mark.parametrize("tool", TOOLS, ids=lambda tool: tool["name"])
def test_a_tool_takes_what_its_schema_allows(tool: dict[str, Any]) -> None:
    schema = tool["inputSchema"]
    arguments = sample(schema)
    assert Environment().call(tool["name"], arguments).outcome in ("ok", "rejected")
    required = {name: arguments[name] for name in schema["required"]}
    assert Environment().call(tool["name"], required).outcome in ("ok", "rejected")


@pytest.mark.parametrize("tool", TOOLS, ids=lambda tool: tool["name"])
def test_a_tool_refuses_anything_else(tool: dict[str, Any]) -> None:
    environment = Environment()
    arguments = sample(tool["inputSchema"])
    wrong = [{**arguments, "no_such_argument": 1}]
    wrong += [{**arguments, name: object()} for name in arguments]
    required = tool["inputSchema"]["required"]
    wrong += [{n: v for n, v in arguments.items() if n != name} for name in required]
    for attempt in wrong:
        assert environment.call(tool["name"], attempt).outcome == "invalid"
    assert environment.diff() == []


def test_an_unknown_tool_is_an_error() -> None:
    with pytest.raises(UnknownTool):
        Environment().call("no_such_tool")


@pytest.mark.parametrize("task", TASKS, ids=lambda task: task.id)
def test_gold_earns_the_reward_and_doing_nothing_does_not(task: Task) -> None:
    environment = Environment(task)
    assert environment.grade().reward == 0.0
    play(environment, task)
    grade = environment.grade(answer(task))
    assert (grade.reward, grade.score) == (1.0, 1.0), grade.reasons


@pytest.mark.parametrize("task", TASKS, ids=lambda task: task.id)
def test_reset_restore_and_fork_go_back_exactly(task: Task) -> None:
    environment = Environment(task)
    digest, start = environment.digest(), environment.snapshot()
    play(environment, task)
    fork, played = environment.fork(), environment.digest()
    environment.reset()
    assert (environment.digest(), environment.diff()) == (digest, [])
    play(environment, task)
    assert environment.digest() == fork.digest() == played
    environment.restore(start)
    assert (environment.digest(), fork.digest()) == (digest, played)


def test_episodes_do_not_see_each_other() -> None:
    untouched = Environment()
    before = untouched.digest()
    for task in TASKS:
        play(Environment(task), task)
    assert untouched.digest() == before
    assert untouched.diff() == []

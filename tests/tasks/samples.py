"""Tasks written on the spot for the library package; their goal is where gold leads."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from toolworld.packages import Package

JsonTask = dict[str, Any]

GRETA = "greta.novak7@example.com"
FARID = "farid.moreau6@example.com"


def call(tool: str, expect: str = "ok", **arguments: Any) -> dict[str, Any]:
    """Return a step of gold."""
    return {"tool": tool, "arguments": arguments, "expect": expect}


def taken(number: int, path: str) -> dict[str, Any]:
    """Return a reference to the result of a step."""
    return {"$step": number, "path": path}


def written(package: Package, instruction: str, *gold: Mapping[str, Any], **more: Any) -> JsonTask:
    """Return a task of a few steps, with the goal that they lead to.

    Args:
        package: The package it is for.
        instruction: What the person says.
        gold: The steps.
        more: Other parts of the task, and the ``answers`` of its goal.
    """
    answers = more.pop("answers", [])
    task = {"id": "written_on_the_spot", "instruction": instruction, "gold": gold, **more}
    environment = package.environment(task)
    resolve = package.module("tasks.task").resolve
    results: list[dict[str, Any]] = []
    for step in gold:
        if "say" in step:
            environment.say(step["say"])
            results.append({})
            continue
        arguments = {key: resolve(one, results) for key, one in step["arguments"].items()}
        results.append(environment.call(step["tool"], arguments).structured)
    changes = [change.as_json() for change in environment.diff()]
    return {**task, "goal": {"changes": changes, "answers": answers}}

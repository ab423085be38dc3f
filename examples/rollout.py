"""A rollout loop in this process: every task of a package is played and graded.

    python examples/rollout.py generated_servers/retail

Put your model in the place of the policies here. One gives up at once; the other does what each
task's own solution does, and must earn every reward.
"""

from __future__ import annotations

import sys
from collections.abc import Callable
from typing import Any

from toolworld.client import Environment
from toolworld.harness.steps import resolve

Json = dict[str, Any]
Policy = Callable[[Json, list[Json]], tuple[str, Json] | None]
"""Gets the task and all results so far; returns a tool and its arguments, ``say`` and a text, or
None at the end."""


def give_up(task: Json, results: list[Json]) -> tuple[str, Json] | None:
    """Do nothing but say so."""
    return None if results else ("say", {"text": "I am sorry, I cannot help you with that."})


def solution(task: Json, results: list[Json]) -> tuple[str, Json] | None:
    """Do the next step of the task's own solution, which may refer to earlier results."""
    if len(results) == len(task["gold"]):
        return None
    step = task["gold"][len(results)]
    if step["say"]:
        return "say", {"text": step["say"]}
    return step["tool"], resolve(step["arguments"], dict(enumerate(results)))


def rollout(environment: Environment, task: Json, policy: Policy) -> float:
    """Play a task from its start; return the reward."""
    environment.reset(task["id"])
    results: list[Json] = []
    while (action := policy(task, results)) is not None:
        tool, arguments = action
        if tool == "say":
            results.append({"text": environment.say(arguments["text"]).text})
        else:
            results.append(environment.call(tool, arguments).structured)
    return environment.grade().reward


if __name__ == "__main__":
    with Environment.local(sys.argv[1]) as env:
        tasks = [task for task in env.tasks if task["person"]]
        for policy in (give_up, solution):
            rewards = [rollout(env, task, policy) for task in tasks]
            print(f"{policy.__name__}: {sum(rewards):.0f} of {len(rewards)} tasks rewarded")

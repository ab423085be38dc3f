"""Sequences that begin with the gold of committed tasks, and deviate from it at random."""

from __future__ import annotations

import random
from collections.abc import Iterator
from typing import Any, Protocol

MOST_EXAMPLES = 60
STRAY, LEFT_OUT, TURNED, SAID_ODDLY = 0.6, 0.06, 0.15, 0.3
ODD_TEXTS = ("", " ", "\x00", "\ud800", "yes", "No, thank you.", "?" * 50, "1" * 2_000, "%s {0}")

Json = dict[str, Any]


class GoldPlayer(Protocol):
    """An episode that a sequence is played in."""

    def call(self, tool: str, rng: random.Random) -> None:
        """Call a tool with arguments made up for it."""

    def make(self, tool: str, arguments: Json) -> Json:
        """Make a call and return its structured result."""

    def say(self, text: str) -> None:
        """Tell the person something."""


def examples_of(package: Any, rng: random.Random) -> dict[str, list[Json]]:
    """Return arguments of gold calls by tool, a random sample of each."""
    examples: dict[str, list[Json]] = {}
    for task in package.modules.task.all_tasks().values():
        for tool, arguments in _gold_calls(package, task):
            examples.setdefault(tool, []).append(arguments)
    return {
        tool: rng.sample(found, min(len(found), MOST_EXAMPLES)) for tool, found in examples.items()
    }


def _gold_calls(package: Any, task: Any) -> Iterator[tuple[str, Json]]:
    environment = package.environment(task)
    results: list[Json] = []
    for step in task.gold:
        if step.say:
            environment.say(step.say)
            results.append({})
            continue
        arguments = step.resolved(results)
        results.append(environment.call(step.tool, arguments).structured)
        yield step.tool, arguments


def play(player: GoldPlayer, package: Any, task: Any, rng: random.Random) -> None:
    """Play the gold steps of a task, with other calls in between and some steps changed."""
    tools = list(task.tools) or list(package.modules.definitions.definitions())
    bad_task = package.modules.errors.BadTask
    results: list[Json] = []
    for step in task.gold:
        while rng.random() < STRAY:
            player.call(rng.choice(tools), rng)
        if step.say:
            said = rng.choice(ODD_TEXTS) if rng.random() < SAID_ODDLY else step.say
            player.say(said)
        left_out = step.say or rng.random() < LEFT_OUT
        results.append({} if left_out else _made(player, step, results, bad_task))
        if step.tool and rng.random() < TURNED:
            player.call(step.tool, rng)


def _made(player: GoldPlayer, step: Any, results: list[Json], bad_task: type[Exception]) -> Json:
    """Make a gold call, unless it refers to a value that no earlier step gave."""
    try:
        arguments = step.resolved(results)
    except bad_task:
        return {}
    return player.make(step.tool, arguments)

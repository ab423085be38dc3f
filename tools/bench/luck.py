"""An agent without a plan: right types, known values, and nothing but luck."""

from __future__ import annotations

import random
from collections.abc import Mapping
from functools import cache
from typing import Any

from toolworld.graph.arguments import ArgumentMaker
from toolworld.graph.examples import Explorer
from toolworld.graph.knowledge import Knowledge
from toolworld.packages import Package

Json = Any


@cache
def _explorer(package: Package) -> Explorer:
    return Explorer(package, 0)


def lucky(package: Package, task: Mapping[str, Json], seed: int) -> bool:
    """Return whether as many random calls as gold has earn the reward.

    Arguments have the right types. The agent takes ids and values from what it is told and from its
    results, and answers with its last result.
    """
    explorer = _explorer(package)
    rng = random.Random(f"{task['id']}:{seed}")  # noqa: S311 - not for secrets
    maker = ArgumentMaker(explorer.world, explorer.clock, rng)
    known, said = Knowledge(explorer.world), ""
    known.learn_result(dict(task["known_info"]), {})
    environment = package.environment(task)
    for _ in task["gold"]:
        tool = explorer.surface.tools[rng.choice(task["tools"])]
        result = environment.call(tool.name, maker.make(tool, known))
        if not result.is_error:
            said = result.text
            known.learn_result(result.structured, tool.result_names)
    return bool(environment.grade(said).reward == 1.0)

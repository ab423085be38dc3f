"""What surely misses a goal is worth nothing when it is graded, too."""

from __future__ import annotations

from collections import Counter
from pathlib import Path
from typing import Any

import pytest

from toolworld.emit import Package, load_package
from toolworld.graph.arguments import ArgumentMaker
from toolworld.graph.knowledge import Knowledge, World
from toolworld.graph.surface import surface_of
from toolworld.tasks.certificate.goal import Columns, Goal
from toolworld.tasks.chains.stage import rng_for
from toolworld.tasks.episodes import Episodes, Moment

NEAR = "MEM-00002"


def endings(package: Package, episodes: Episodes, count: int) -> list[Moment]:
    """Return moments after one to three writes for one and the same member."""
    surface, rng = surface_of(package), rng_for("endings")
    world = World(surface, package.environment().state())
    maker = ArgumentMaker(world, package.module("seed").default_base().clock, rng)
    writers = [tool for tool in surface.tools.values() if not tool.read_only]
    found: list[Moment] = []
    while len(found) < count:
        episode, known = episodes.open(), Knowledge(world)
        known.learn_rows(reversed(world.around_row(rng, "Member", NEAR)))
        for _ in range(rng.randint(2, 12)):
            tool = rng.choice(writers)
            episode.call(tool.name, maker.make(tool, known))
        if episode.diff():
            found.append(episode.now())
    return found


def test_what_surely_misses_a_goal_is_worth_nothing(library: Package) -> None:
    episodes, columns = Episodes(library), Columns(library)
    episode, judged = episodes.open(), Counter[bool]()
    moments = endings(library, episodes, 40)
    for wanted in moments:
        episode.go(wanted)
        changes = [change.as_json() for change in episode.diff()]
        goal = Goal(library, columns, {"changes": changes, "answers": []}, episode.start.rows)
        for moment in moments:
            episode.go(moment)
            missed = goal.misses(episode.since(wanted), goal.new_keys(wanted.rows))
            assert not (missed and goal.grade(episode.diff(), None).reward)
            judged[missed] += 1
    assert judged[True] > 30 * judged[False] > 30 * len(moments)  # few must be graded to see it


def other(value: Any) -> Any:
    """Return a value that is not the same, a text with one word more."""
    return f"{value} indeed" if isinstance(value, str) else [value]


@pytest.mark.parametrize("name", ["retail", "hotel"])
def test_the_quick_look_is_of_one_mind_with_the_package(repository: Path, name: str) -> None:
    package = load_package(repository / "generated_servers" / name)
    episodes, columns, rewards = Episodes(package), Columns(package), Counter[float]()
    for task in [one for one in package.tasks() if one["goal"]["changes"]][:60]:
        goal = Goal(package, columns, task["goal"], episodes.open(task["initial"]).start.rows)
        answer = " ".join(map(str, task["goal"]["answers"]))
        wanted = package.module("task").Goal.model_validate(task["goal"]).changes
        for number, change in enumerate(wanted):
            for column in change.after or ():
                after = {**change.after, column: other(change.after[column])}
                found = [*wanted]
                found[number] = change.model_copy(update={"after": after})
                reward = goal.reward(found, answer)
                assert reward == goal.grade(found, answer).reward
                rewards[reward] += 1
    assert rewards[0.0] > rewards[1.0] > 10

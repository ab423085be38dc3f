"""The way to a goal: a change that leads nearer is kept, any other is undone."""

from __future__ import annotations

from typing import Any

import pytest

from toolworld.emit import Package
from toolworld.graph.surface import surface_of
from toolworld.tasks.episodes import Episodes
from toolworld.tasks.growth.approach import Approach, Goals
from toolworld.tasks.growth.trial import Trial

Json = Any


@pytest.mark.parametrize("fixture", ["library", "retail"])
def test_a_change_is_kept_if_the_package_gives_a_higher_score(
    fixture: str, request: pytest.FixtureRequest
) -> None:
    package: Package = request.getfixturevalue(fixture)
    goals, episodes, tools = Goals(package), Episodes(package), surface_of(package).tools
    kept = 0
    for task in package.tasks():
        initial, changes = task.get("initial", {}), {**task["goal"], "answers": []}
        episode, goal = episodes.open(initial), goals.of_changes(task["goal"])
        approach = Approach(goals, episode, changes)
        played = Trial(episodes).play(task["gold"], initial)
        assert played
        score = goals.grade(goal, []).score
        for call in played.calls:
            before = episode.now()
            episode.call(call.tool, call.arguments)
            reached = goals.grade(goal, episode.diff())
            episode.go(before)
            approach.make(tools[call.tool], call.arguments)
            if not tools[call.tool].read_only:
                assert (episode.now() is not before) == (reached.score > score)
                assert approach.reached == (reached.reward == 1.0)
                kept += reached.score > score
                score = max(score, reached.score)
    assert kept


def test_a_change_that_is_not_wanted_is_undone(library: Package) -> None:
    goals, episodes, tools = Goals(library), Episodes(library), surface_of(library).tools
    for task in library.tasks():
        initial = task.get("initial", {})
        episode = episodes.open(initial)
        approach = Approach(goals, episode, {"changes": [], "answers": ["never said"]})
        played = Trial(episodes).play(task["gold"], initial)
        assert played
        for call in played.calls:
            approach.make(tools[call.tool], call.arguments)
        assert not episode.diff()
        assert not approach.reached

"""What an attempt goes for, by how long its chain begins."""

from __future__ import annotations

import pytest

from toolworld.tasks.aim import STEPS, Aim, Wanted
from toolworld.tasks.chains.stage import rng_for
from toolworld.tasks.growth.settings import LEVELS, Level


def aim(level: Level, *levels: Level) -> Aim:
    return Aim(Wanted(0, level, frozenset({level, *levels})), rng_for("aim"))


@pytest.mark.parametrize("level", LEVELS)
def test_a_chain_gets_as_many_steps_as_its_level_has(level: Level) -> None:
    fewest, most = STEPS[level]
    one = aim(level)
    found = {one.steps(begun=1) for _ in range(200)}
    assert found == set(range(fewest, most + 1))
    assert one.level == level


def test_a_chain_that_begins_too_long_becomes_a_harder_task_that_is_wanted() -> None:
    one = aim("easy", "hard")
    assert one.steps(begun=5) >= STEPS["hard"][0]
    assert one.level == "hard"


def test_a_chain_that_begins_too_long_is_left_alone_where_its_length_is_wanted_too() -> None:
    one = aim("easy", "medium", "hard")
    assert one.steps(begun=5) <= STEPS["easy"][1]
    assert one.level == "easy"


def test_a_chain_that_begins_too_long_for_all_that_is_wanted_is_left_alone() -> None:
    one = aim("easy", "medium")
    assert one.steps(begun=9) <= STEPS["easy"][1]
    assert one.level == "easy"

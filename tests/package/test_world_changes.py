"""Answers that are looked for in messages, and what changes in mid-episode."""

from __future__ import annotations

from typing import Any

import pytest

from tests.package.rentals import ASKS, BIKE, Begin, rent, rent_as_agreed
from toolworld.packages import Package

# Answers


@pytest.mark.parametrize(
    ("wanted", "says", "told"),
    [
        (66, "That is 66.00 euros.", True),
        (66, "That is 66.50 euros.", False),
        ((0.0, "free", "no charge"), "There is no charge for that.", True),
        ((0.0, "free", "no charge"), "That is 0.00 euros.", True),
        ((0.0, "free", "no charge"), "That is 5.00 euros.", False),
        ("2026-03-04", "It is due back on 4 March.", True),
        (66, "That is 66.00 euros. " + "x" * (999 - 21), True),
        (66, "That is 66.00 euros. " + "x" * (1000 - 21), False),
    ],
)
def test_answers_are_looked_for_in_messages(
    begin: Begin, wanted: Any, says: str, told: bool
) -> None:
    goal = {"answers": [wanted]}
    spoken, answered = begin(goal=goal), begin(goal=goal)
    spoken.say(says)
    assert spoken.grade().answers.passed is told
    assert answered.grade(says).answers.passed is told


def test_an_answer_may_be_in_any_message_but_not_across_two(begin: Begin) -> None:
    environment = begin(goal={"answers": ["city bike", 66]})
    environment.say("That is 66.00 euros.")
    environment.say("It is a city")
    environment.say("bike.")
    assert environment.grade().answers.reasons == ('The agent does not say "city bike".',)
    assert environment.grade("A city bike.").answers.passed


def test_it_is_said_why_a_long_message_tells_nothing(begin: Begin) -> None:
    environment = begin(goal={"answers": [[66, "sixty-six"]]})
    environment.say("That is 66.00 euros. " + "x" * 1000)
    assert environment.grade().answers.reasons == (
        'The agent does not say "66" or "sixty-six".',
        "A message of 1000 characters or more tells a person nothing.",
    )


# What changes in mid-episode


REPAIRED = {"table": "bikes", "key": "BIK-00003", "columns": {"in_repair": True}}


def in_repair(environment: Any, bike: str = "BIK-00003") -> bool:
    return bool(environment.state()["bikes"][bike]["in_repair"])


def test_the_world_changes_after_a_number_of_writes(begin: Begin) -> None:
    environment = begin(world_changes=[{**REPAIRED, "after_writes": 2}])
    rent_as_agreed(environment)
    environment.call("get_shop_day")
    rent(environment)
    assert not in_repair(environment), "reads and refused calls are no writes"
    rent(environment, bike="BIK-00004")
    assert in_repair(environment)
    assert rent(environment, bike="BIK-00003").code == "not_free"


def test_the_world_changes_after_an_act_of_the_person(begin: Begin) -> None:
    environment = begin(world_changes=[{**REPAIRED, "after_act": "agrees"}])
    environment.say("What is your e-mail address, please?")
    assert not in_repair(environment)
    environment.say(ASKS)
    assert in_repair(environment)


def test_a_change_of_the_world_is_no_change_of_the_agent(begin: Begin) -> None:
    environment = begin(world_changes=[{**REPAIRED, "after_act": "agrees"}])
    rent_as_agreed(environment)
    assert in_repair(environment)
    assert [change.table for change in environment.diff()] == ["rentals"]
    assert environment.grade().reward == 1.0


def test_what_the_agent_does_to_the_same_row_is_its_own(begin: Begin) -> None:
    dearer = {"table": "bikes", "key": BIKE, "columns": {"day_rate": 30}, "after_writes": 1}
    environment = begin(role="owner", world_changes=[dearer])
    environment.call("repair_bike", {"bike_id": BIKE})
    (change,) = environment.diff()
    assert (change.before["day_rate"], change.after["day_rate"]) == (30.0, 30.0)
    assert (change.before["in_repair"], change.after["in_repair"]) == (False, True)


def test_a_reset_takes_the_change_of_the_world_back(begin: Begin) -> None:
    environment = begin(world_changes=[{**REPAIRED, "after_act": "agrees"}])
    before = environment.digest()
    rent_as_agreed(environment)
    environment.reset()
    assert not in_repair(environment)
    assert environment.digest() == before
    environment.say(ASKS)
    assert in_repair(environment), "it happens again"


def test_a_change_of_the_world_follows_snapshots_and_forks(begin: Begin) -> None:
    environment = begin(world_changes=[{**REPAIRED, "after_act": "agrees"}])
    before = environment.snapshot()
    fork = environment.fork()
    environment.say(ASKS)
    assert (in_repair(environment), in_repair(fork)) == (True, False)
    after = environment.snapshot()
    environment.restore(before)
    assert not in_repair(environment)
    assert environment.diff() == []
    environment.restore(after)
    assert in_repair(environment)
    assert environment.diff() == []
    fork.say(ASKS)
    assert in_repair(fork)


def test_a_change_of_the_world_that_does_not_fit_is_a_bad_task(
    starter: Package, begin: Begin
) -> None:
    bad = starter.module("errors").BadTask
    for wrong in ({"table": "boats"}, {"key": "BIK-99999"}, {"columns": {"day_rate": "x"}}):
        environment = begin(world_changes=[{**REPAIRED, **wrong, "after_act": "agrees"}])
        with pytest.raises(bad, match="change of the world does not fit"):
            environment.say(ASKS)

"""Made tasks of people who make a slip, change their mind, or want more than they can have."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import pytest

from tests.tasks.samples import JsonTask
from tests.tasks.scenarios.conftest import Solver
from tests.tasks.scenarios.conftest import starter_graph as starter_graph
from toolworld.graph import ToolGraph
from toolworld.packages import Package
from toolworld.tasks.make import ScenarioTasks, TaskMaker
from toolworld.tasks.verify import CLAIMS, Certifier

COUNT = 24
FIRST = {"changes_mind": 44}
"""The draws to begin with: a bike that is free at once is rare among those before."""
WORDS: dict[str, dict[str, Any]] = {
    "wrong_first": {"wrong_first": ["email"]},
    "changes_mind": {
        "changes_mind": {
            "fact": "days",
            "instead_of": [2, 3, 4, 5, 6],
            "says": "Oh, make that {{ days }} days.",
        }
    },
    "wants_more": {"wants_more": ["And could you leave the bike at my hotel?"]},
}
Find = Callable[[str], JsonTask]


@pytest.fixture(scope="module")
def made(starter: Package, starter_graph: ToolGraph) -> dict[str, ScenarioTasks]:
    """Certified tasks of renting, by how some of the people behave."""
    maker, scenario = TaskMaker(starter, starter_graph, 0), Solver(starter).scenario("rent_one")
    found = {}
    for kind, words in WORDS.items():
        all_words = scenario.words.model_validate({**scenario.words.model_dump(), **words})
        found[kind] = maker.make(
            scenario.model_copy(update={"words": all_words}), COUNT, FIRST.get(kind, 0)
        )
    return found


@pytest.fixture
def task(made: dict[str, ScenarioTasks]) -> Find:
    """Returns a task that ends in a rental, of a person who behaves in one way."""

    def find(kind: str) -> JsonTask:
        rented = [one for one in made[kind].tasks if one["outcome"] == "rented"]
        found = [one for one in rented if behaviour(one)]
        # Something else may have been offered: that is another story.
        return next(one for one in found if not any("instead" in say for say in said(one)))

    return find


def behaviour(task: JsonTask) -> dict[str, Any]:
    found = task["person"]["behaviours"]
    return dict(found[0]) if found else {}


def said(task: JsonTask) -> list[str]:
    return [step["say"] for step in task["gold"] if "say" in step]


def calls(task: JsonTask) -> list[tuple[str, dict[str, Any]]]:
    return [(step["tool"], step["arguments"]) for step in task["gold"] if "tool" in step]


class Episode:
    """An agent at work on a task."""

    def __init__(self, package: Package, task: JsonTask) -> None:
        self.environment = package.environment()
        self.environment.reset(task)

    def say(self, text: str) -> list[str]:
        """Say something, and return what the reply does."""
        acts = self.environment.say(text).acts
        return [f"{act.kind} {act.name}".strip() for act in acts]

    def call(self, tool: str, arguments: dict[str, Any]) -> str:
        return str(self.environment.call(tool, arguments).outcome)

    def go_on(self, steps: Sequence[JsonTask]) -> float:
        """Do steps of gold, and return the reward."""
        for step in steps:
            if "say" in step:
                self.say(step["say"])
            else:
                assert self.call(step["tool"], step["arguments"]) == step["expect"]
        return float(self.environment.grade().reward)


def around(task: JsonTask, message: str) -> tuple[list[JsonTask], list[JsonTask]]:
    """Return the steps of gold before and after the first message that has some words."""
    steps = task["gold"]
    place = next(n for n, step in enumerate(steps) if message in step.get("say", ""))
    return steps[:place], steps[place + 1 :]


@pytest.mark.parametrize("kind", WORDS)
def test_each_behaviour_makes_certified_tasks(made: dict[str, ScenarioTasks], kind: str) -> None:
    assert len(made[kind].tasks) == COUNT and not made[kind].faults
    kinds = [behaviour(one).get("kind") for one in made[kind].tasks]
    assert set(kinds) == {None, kind}
    assert 1 <= kinds.count(kind) < COUNT / 2


def test_a_draw_that_is_not_for_how_the_person_behaves_is_made_plain(
    made: dict[str, ScenarioTasks],
) -> None:
    """Whoever is told that no bike is free is not led to change their mind about the days."""
    dropped = [one for one in made["changes_mind"].dropped if one.startswith("as the person")]
    assert any("first" in reason for reason in dropped)


# A slip


def test_gold_meets_the_slip_and_asks(task: Find) -> None:
    one = task("wrong_first")
    wrong, right = behaviour(one)["value"], one["person"]["facts"]["email"]["value"]
    assert wrong in one["instruction"] and right not in one["instruction"]
    assert one["gold"][0]["arguments"] == {"email": wrong}
    assert one["gold"][0]["expect"] == "rejected"
    assert one["gold"][1]["say"].startswith(f"I find nothing under {wrong}.")
    assert one["gold"][2]["arguments"] == {"email": right}
    assert one["conversation"]
    assert one["certificate"]["unique"]["wrong"] == 1


@pytest.mark.parametrize(
    "message",
    [
        "I'm sorry, there is no account with that address.",
        "Before I look: what is your e-mail address?",
        "Is {wrong} right?",
        "I looked for {wrong} and no customer came up. Could you check the spelling?",
    ],
)
def test_a_careful_agent_hears_of_the_slip(starter: Package, task: Find, message: str) -> None:
    one = task("wrong_first")
    wrong, episode = behaviour(one)["value"], Episode(starter, one)
    assert episode.call("find_customer", {"email": wrong}) == "rejected"
    assert "corrects email" in episode.say(message.format(wrong=wrong))
    assert episode.go_on(around(one, "I find nothing")[1]) == 1.0


def test_a_slip_that_fits_a_row_is_a_flaw(starter: Package, task: Find) -> None:
    one = task("wrong_first")
    customers = starter.module("database.seed").default_base().tables["customers"].rows.values()
    right = one["person"]["facts"]["email"]["value"]
    other = next(row.email for row in customers if row.email != right)
    wrong = {**behaviour(one), "value": other}
    claims = [claim for claim in CLAIMS if claim.name == "unique"]
    changed = {**one, "person": {**one["person"], "behaviours": [wrong]}}
    (flaw,) = Certifier(starter, claims).certify(changed).flaws
    assert (flaw.code, other in flaw.message) == ("wrong_value_fits", True)


# A change of mind


def test_gold_quotes_anew(task: Find) -> None:
    one = task("changes_mind")
    first, then = one["person"]["facts"]["days"]["value"], behaviour(one)["value"]
    quotes = [arguments["days"] for tool, arguments in calls(one) if tool == "quote_rental"]
    rented = [arguments["days"] for tool, arguments in calls(one) if tool == "rent_bike"]
    assert (quotes, rented) == ([first, then], [then])
    assert f"make that {then} days" in behaviour(one)["says"]
    assert len([tool for tool, _ in calls(one) if tool == "find_customer"]) == 1


@pytest.mark.parametrize(
    "messages",
    [
        ["The price is {price}. Shall I go ahead?"],
        ["You would like it for {days} days, is that right?"],
        ["For how many days would you like it?", "That would be {price}. Do you want me to book?"],
    ],
)
def test_a_careful_agent_hears_of_the_change(
    starter: Package, task: Find, messages: list[str]
) -> None:
    one = task("changes_mind")
    episode, (before, after) = Episode(starter, one), around(one, "Shall I go ahead?")
    episode.go_on(before)
    tool, arguments = [call for call in calls(one) if call[0] == "quote_rental"][0]
    price = episode.environment.call(tool, arguments).structured["price"]
    filled = [text.format(price=f"{price:.2f}", days=arguments["days"]) for text in messages]
    assert [episode.say(text) for text in filled][-1] == ["changes_mind days"]
    assert episode.go_on(after) == 1.0


def test_who_books_what_was_wanted_first_earns_nothing(starter: Package, task: Find) -> None:
    one = task("changes_mind")
    episode = Episode(starter, one)
    steps = [dict(step) for step in one["gold"]]
    for step in steps:
        if "say" in step:
            episode.say(step["say"])
            continue
        first = {"days": one["person"]["facts"]["days"]["value"]}
        old = first if step["tool"] in ("quote_rental", "rent_bike") else {}
        episode.call(step["tool"], step["arguments"] | old)
    assert episode.environment.grade().reward == 0.0


# More than can be had


def test_gold_refuses_what_cannot_be_had(task: Find) -> None:
    one = task("wants_more")
    assert said(one)[-1] == "I am sorry, I cannot do that for you."
    assert [tool for tool, _ in calls(one)][-1] == "rent_bike"


def test_a_yes_to_what_cannot_be_had_earns_nothing(starter: Package, task: Find) -> None:
    one = task("wants_more")
    episode = Episode(starter, one)
    reply, *_ = [text for text in said(one) if text.startswith("It is yours")]
    for step in one["gold"]:
        if "tool" in step:
            episode.call(step["tool"], step["arguments"])
        elif episode.say(step["say"]) == ["wants_more"]:
            break
    rented = next(arguments for tool, arguments in calls(one) if tool == "rent_bike")
    others = starter.module("database.seed").default_base().tables["bikes"].rows
    granted = [
        episode.call("rent_bike", {**rented, "bike_id": key})
        for key in others
        if key != rented["bike_id"]
    ]
    assert "ok" in granted
    assert episode.environment.grade(reply).reward == 0.0


def test_a_fact_may_be_called_first(starter: Package) -> None:
    facts = starter.module("making.facts").Facts({"first": "the red one"})
    given = starter.module("making.agent").Given(facts, {"first"}, {"first": "the blue one"})
    assert given.first == "the blue one"
    assert given.take({"first"}, {"first"})
    assert given.first == "the red one"

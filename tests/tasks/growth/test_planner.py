"""The planner finds chains that run, and its effort says how hard a goal is to find."""

from __future__ import annotations

from typing import Any

import pytest

from toolworld.emit import Package
from toolworld.graph import ToolGraph
from toolworld.graph.surface import surface_of
from toolworld.tasks.chains.stage import rng_for
from toolworld.tasks.episodes import Episodes
from toolworld.tasks.growth.difficulty import Figures, figures_of, level
from toolworld.tasks.growth.effort import Effort
from toolworld.tasks.growth.grow import Grown
from toolworld.tasks.growth.links import Links
from toolworld.tasks.growth.planner import Planner
from toolworld.tasks.growth.settings import GrowthSettings

Json = Any

SETTINGS = GrowthSettings()


@pytest.fixture(scope="module")
def links(library_graph: ToolGraph) -> Links:
    return Links(library_graph)


@pytest.fixture(scope="module")
def planner(library: Package, links: Links) -> Planner:
    return Planner(Episodes(library), surface_of(library), links, SETTINGS)


def test_a_plan_runs_again_from_the_seed_database(
    library: Package, links: Links, planner: Planner
) -> None:
    plan = planner.find(links.all_grounded, "return_loan", rng_for(0))
    assert plan
    assert plan.tools[-1] == "return_loan"
    environment = library.environment()
    for call in plan.calls:
        assert not environment.call(call.tool, call.arguments).is_error


def test_what_a_tool_needs_comes_before_it(links: Links) -> None:
    for tool in links.order:
        chain = links.all_grounded.chain_to(tool, rng_for(1))
        assert chain[-1] == tool
        for number, name in enumerate(chain):
            assert links.met(name, chain[:number])


def test_g_is_none_where_no_id_can_be_had_and_more_where_it_can(planner: Planner) -> None:
    writes = ["renew_loan", "return_loan", "cancel_hold"]
    share, plans = planner.share(writes, 16, rng_for(0))
    assert (share, plans) == (0.0, [])
    share, plans = planner.share([*writes, "find_member", "list_member_loans"], 16, rng_for(0))
    assert 0 < share < 1
    assert len(plans) == share * 16


def effort(package: Package, graph: ToolGraph, task: Json) -> int:
    return Effort(package, Links(graph), SETTINGS).of(task)


def test_effort_is_the_calls_until_the_goal_is_there(
    library: Package, library_graph: ToolGraph
) -> None:
    efforts = {task["id"]: effort(library, library_graph, task) for task in library.tasks()}
    assert efforts["next_due_date"] == 2  # find the member, list the loans
    assert efforts["wait_for_a_book"] < efforts["renew_all_loans"] < SETTINGS.planner_budget


def test_a_goal_that_cannot_be_reached_takes_the_whole_budget(
    library: Package, library_graph: ToolGraph
) -> None:
    task = library.tasks()[-1]
    tools = [name for name in library_graph.tools if name != "charge_fee"]
    assert effort(library, library_graph, {**task, "tools": tools}) == SETTINGS.planner_budget


def figures(steps: int, writes: int = 1, effort: int = 3) -> Figures:
    grown = Grown(tools=("a", "b"), initial={}, gold=(), complexity=1.0, branching=2.0)
    gold = [{"tool": f"tool_{number % 2}"} for number in range(steps)]
    return figures_of(steps, gold, writes, grown, 0.5, effort)


@pytest.mark.parametrize(
    ("found", "word"),
    [
        (figures(3), "easy"),
        (figures(4), "medium"),
        (figures(7), "medium"),
        (figures(8), "hard"),
        (figures(3, effort=SETTINGS.planner_budget), "medium"),
        (figures(5, effort=SETTINGS.planner_budget), "medium"),
        (figures(5, writes=SETTINGS.many_writes), "medium"),
        (figures(5, SETTINGS.many_writes, SETTINGS.planner_budget), "hard"),
    ],
)
def test_the_word_follows_steps_writes_and_effort(found: Figures, word: str) -> None:
    assert level(found, SETTINGS) == word
    assert found.as_json(SETTINGS)["level"] == word


def test_steps_have_the_word_that_hand_written_tasks_have(library: Package) -> None:
    for task in library.tasks():
        steps = task["difficulty"]["steps"]
        assert level(figures(steps), SETTINGS) == task["difficulty"]["level"]

"""Several packages are one world: one list of tools, one digest, one reset, one grade."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

import anyio
import httpx2
import pytest
from mcp import Client
from mcp.client.streamable_http import streamable_http_client
from typer.testing import CliRunner

from tests.serving.conftest import TOKEN, started
from toolworld.cli import app
from toolworld.client import Environment
from toolworld.episodes.hosted import HostedPackage
from toolworld.episodes.joined import JoinedPackages
from toolworld.episodes.joint_certificate import JointTrial, certify_joint
from toolworld.episodes.joint_gold import GoldPlay, moves_of
from toolworld.episodes.joint_tasks import joint_task
from toolworld.episodes.tool_names import joined_names
from toolworld.errors import EpisodeError
from toolworld.packages import load_package


@pytest.fixture(scope="module")
def folders(repository: Path) -> list[Path]:
    return [repository / "generated_servers" / name for name in ("retail", "hotel")]


@pytest.fixture(scope="module")
def joined(folders: Sequence[Path]) -> JoinedPackages:
    return JoinedPackages([HostedPackage(load_package(folder)) for folder in folders])


@pytest.fixture(scope="module")
def task_id(joined: JoinedPackages) -> str:
    """The id of a joint task that changes rows of both packages."""
    for task in joined.tasks():
        found = joint_task(joined.packages, task["id"])
        if found is not None and all(part.goal.changes for part in found.parts):
            return found.id
    raise AssertionError("no joint task changes both")


def test_only_names_that_clash_have_a_prefix() -> None:
    names = joined_names({"shop": ["pay", "ship"], "second_hand_marketplace": ["pay", "list"]})
    assert names["shop"] == {"pay": "shop_pay", "ship": "ship"}
    assert names["second_hand_marketplace"] == {
        "pay": "second_hand_marketplace_pay",
        "list": "list",
    }


def test_a_prefixed_name_is_no_longer_than_a_name_may_be() -> None:
    long = "refund_the_whole_payment"
    names = joined_names({"shop": [long], "second_hand_marketplace": [long]})
    assert names["second_hand_marketplace"][long] == f"shm_{long}"


def test_clashing_tools_of_real_packages_each_work(repository: Path) -> None:
    servers = repository / "generated_servers"
    both = [servers / "retail", servers / "second_hand_marketplace"]
    with Environment.local(both) as world:
        names = [tool["name"] for tool in world.tools]
        assert len(names) == len({*names})
        assert {"retail_get_order", "second_hand_marketplace_get_order"} < {*names}
        assert "get_order" not in names
        assert world.call("retail_get_order", {"order_id": "ORD-01000"}).outcome == "ok"
        with pytest.raises(EpisodeError, match="no tool"):
            world.call("get_order", {"order_id": "ORD-01000"})


def test_one_digest_and_one_reset_are_for_all(folders: Sequence[Path], task_id: str) -> None:
    with Environment.local(folders, task_id) as world:
        start, kept = world.digest(), world.snapshot()
        play_in(world, 1)
        assert world.digest() != start
        assert {change["domain"] for change in world.diff()} == {"hotel"}
        world.restore(kept)
        assert world.digest() == start
        play_in(world, 0)
        assert {change["domain"] for change in world.diff()} == {"retail"}
        world.reset()
        assert (world.digest(), world.diff()) == (start, [])


def play_in(world: Environment, number: int) -> None:
    """Make the gold calls of one part of the world's task."""
    episode = world.episode._opened  # type: ignore[attr-defined]
    play = GoldPlay(episode, episode.task)
    play.play([move for move in moves_of(episode.task) if move.part == number])


def test_a_joint_task_earns_its_reward_only_as_a_whole(
    joined: JoinedPackages, task_id: str
) -> None:
    episode = joined.open(task_id)
    task = episode.task
    assert task is not None
    play = GoldPlay(episode, task)
    play.play(moves_of(task))
    assert play.reward() == 1.0
    play.play([move for move in moves_of(task) if move.part == 0])
    grade = episode.ask("grade", {"answer": ""})
    assert grade["reward"] == 0.0
    assert any(str(reason).startswith("hotel: ") for reason in grade["reasons"])  # type: ignore[union-attr]


def test_every_claim_of_joint_tasks_holds(joined: JoinedPackages) -> None:
    report = certify_joint(joined, 6)
    assert not report.short
    assert all(all(task["certificate"].values()) for task in report.content["tasks"])
    assert len({task["id"] for task in report.content["tasks"]}) == 6


def test_gold_that_does_too_little_is_found(joined: JoinedPackages, task_id: str) -> None:
    task = joint_task(joined.packages, task_id)
    assert task is not None
    first, second = task.parts
    idle = replace(task, parts=(first.model_copy(update={"gold": ()}), second))
    claims = JointTrial(joined, idle).claims()
    assert not claims["gold_passes"]
    assert claims["nothing_fails"]


def test_what_cannot_be_joined_is_refused(joined: JoinedPackages) -> None:
    retail, hotel = joined.packages
    talks = next(task["id"] for task in retail.tasks() if task["conversation"])
    guest = next(task["id"] for task in hotel.tasks() if task["role"] == "guest")
    staff = next(task["id"] for task in retail.tasks() if task["role"] == "staff")
    for wanted, why in (
        (talks, "Name a task of each"),
        (f"{talks}+{guest}", "cannot be joined"),
        (f"{staff}+{guest}", "cannot be joined"),
        (f"{staff}+nothing", 'hotel has no task "nothing"'),
    ):
        with pytest.raises(EpisodeError, match=why):
            joined.open(wanted)
    episode = joined.open()
    for operation, parameters in (
        ("say", {"text": "Hello?"}),
        ("grade", {}),
        ("fly", {}),
        ("reset", {"tusk": "x"}),
        ("reset", {"seed": "x"}),
        ("restore", {"snapshot": "7"}),
    ):
        with pytest.raises(EpisodeError):
            episode.ask(operation, parameters)


def test_one_package_is_no_joined_world(folders: Sequence[Path]) -> None:
    done = CliRunner().invoke(app, ["join", str(folders[0])])
    assert done.exit_code == 1
    assert "two packages or more" in done.output


def test_a_host_serves_joined_packages(folders: Sequence[Path], task_id: str) -> None:
    with started(*folders, "--join", "retail+hotel") as host:
        with Environment.remote(host.url, "retail+hotel", token=TOKEN) as world:
            episode = world.episode
            headers = {"Authorization": f"Bearer {episode.mcp_token}"}  # type: ignore[attr-defined]

            async def look() -> tuple[set[str], str, list[bool]]:
                async with httpx2.AsyncClient(headers=headers) as http:
                    url = episode.mcp_url  # type: ignore[attr-defined]
                    async with Client(streamable_http_client(url, http_client=http)) as client:
                        tools = {tool.name for tool in (await client.list_tools()).tools}
                        order = await client.call_tool("get_order", {"order_id": "ORD-01000"})
                        stays = await client.call_tool("list_hotels", {})
                        refused = await client.call_tool("get_order", {"order_id": "ORD-0"})
                        ends = [bool(one.is_error) for one in (order, stays, refused)]
                        return tools, str(client.instructions), ends

            tools, policy, failed = anyio.run(look)
            assert tools == {tool["name"] for tool in world.tools}
            assert failed == [False, False, True]
            assert "gift card" in policy
            assert "check-out" in policy
            world.reset(task_id)
            assert world.grade("").reward == 0.0


def test_joining_what_is_not_served_is_told(folders: Sequence[Path]) -> None:
    done = CliRunner().invoke(app, ["serve", str(folders[0]), "--join", "retail+motel"])
    assert done.exit_code == 1
    assert "no package that is served is called 'motel'" in done.output

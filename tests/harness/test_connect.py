"""One protocol over four transports: the same episode gives the same answers on each."""

from __future__ import annotations

import asyncio
from collections.abc import Mapping
from pathlib import Path
from typing import Any, NoReturn

import anyio
import pytest
from mcp import Client
from mcp.server import Server

from toolworld.harness import Connection, Refused, Transport, connect
from toolworld.harness.launch import entered
from toolworld.harness.log import ServerLog
from toolworld.packages import Package, load_package

EMAIL = "boris.hale2@example.com"

FAILING, SECONDS = "It cannot be reached", 20


@pytest.fixture(scope="module")
def package(built_library: Path) -> Package:
    return load_package(built_library)


@pytest.fixture(scope="module")
def task(package: Package) -> Mapping[str, Any]:
    (found,) = (task for task in package.tasks() if task["id"] == "coffee_on_a_book")
    return found


async def walk(connection: Connection, task: Mapping[str, Any]) -> list[Any]:
    """Use everything a connection has, and return what it gave."""
    seen: list[Any] = [await connection.open(task)]
    member = await connection.call("find_member", {"email": EMAIL})
    seen += [member.outcome, member.text, member.structured]
    loans = await connection.call(
        "list_member_loans", {"member_id": member.structured["member_id"], "status": "open"}
    )
    loan = {"loan_id": loans.structured["items"][0]["loan_id"]}
    seen.append((await connection.call("return_loan", loan)).structured)
    refused = await connection.call("return_loan", loan)
    seen += [refused.outcome, refused.text, refused.structured]
    seen.append((await connection.call("burn_book", {})).outcome)
    seen += [await connection.digest(), await connection.diff(), await connection.grade("Done.")]
    seen += [await connection.reset(), await connection.diff()]
    seen += [await connection.open(task, seed=3), (await connection.grade(None)).reward]
    return seen


def walked(package: Package, task: Mapping[str, Any], transport: Transport) -> list[Any]:
    async def run() -> list[Any]:
        async with connect(package, transport) as connection:
            return await walk(connection, task)

    return anyio.run(run)


def test_what_an_episode_gives(package: Package, task: Mapping[str, Any]) -> None:
    seen = walked(package, task, "inproc")
    start, outcome, _, member, returned, again, why, nothing, unknown, digest = seen[:10]
    diff, verdict, reset, no_diff, reopened, reward = seen[10:]
    assert (outcome, again, unknown) == ("ok", "rejected", "error")
    assert member["email"] == EMAIL
    assert returned["status"] == "returned"
    assert "only an open loan" in why
    assert nothing == {}
    assert [change["key"] for change in diff] == [returned["loan_id"]]
    assert verdict.reward == 0
    assert 0 <= verdict.score < 1
    assert verdict.reasons
    assert digest != start == reset == reopened
    assert (no_diff, reward) == ([], 0)


@pytest.mark.parametrize("transport", ["memory", "stdio", "http"])
def test_every_transport_gives_the_same(
    package: Package, task: Mapping[str, Any], transport: Transport
) -> None:
    assert walked(package, task, transport) == walked(package, task, "inproc")


@pytest.mark.parametrize("transport", ["inproc", "memory", "stdio", "http"])
def test_a_task_that_does_not_fit_is_refused(package: Package, transport: Transport) -> None:
    async def run() -> None:
        async with connect(package, transport) as connection:
            with pytest.raises(Refused, match="BadTask|not valid|instruction"):
                await connection.open({"id": "nothing else"})

    anyio.run(run)


class AnsweredLate(Client):
    """A client that still gets an answer while it is left."""

    async def __aexit__(self, *raised: Any) -> None:  # noqa: D105 - as it is said above
        await super().__aexit__(*raised)
        raise ExceptionGroup("unhandled errors", [anyio.BrokenResourceError()])


class RaisedInstead(Client):
    """A client that raises another error when it is cancelled while it connects."""

    async def __aenter__(self) -> NoReturn:  # noqa: D105 - as it is said above
        try:
            await anyio.sleep_forever()
        finally:
            raise ExceptionGroup("unhandled errors", [anyio.BrokenResourceError()])


def test_ctrl_c_while_a_client_connects_is_not_lost() -> None:
    async def connect() -> None:
        task = asyncio.current_task()
        assert task is not None
        asyncio.get_running_loop().call_soon(task.cancel)  # as Ctrl-C does
        async with entered(RaisedInstead(Server("late")), ServerLog(), FAILING, SECONDS):
            pass

    with pytest.raises(asyncio.CancelledError):
        anyio.run(connect)


def test_an_answer_that_comes_while_a_client_is_left_is_no_error() -> None:
    async def leave() -> None:
        async with entered(AnsweredLate(Server("late")), ServerLog(), FAILING, SECONDS):
            pass

    anyio.run(leave)

"""Servers forked from one process: they answer like any other, and none is left behind."""

from __future__ import annotations

import os
import signal
from collections.abc import AsyncIterator
from contextlib import AsyncExitStack, suppress
from pathlib import Path

import anyio
import pytest

from tests.harness.conftest import Library
from toolworld.errors import LaunchError
from toolworld.harness.connect import connect, over_stdio
from toolworld.harness.forking import IS_AVAILABLE, Forked, ForkingParent, forking_parent
from toolworld.harness.log import server_log
from toolworld.packages import Package, load_package

pytestmark = [pytest.mark.anyio, pytest.mark.skipif(not IS_AVAILABLE, reason="needs Linux")]
EMAIL = "boris.hale2@example.com"


@pytest.fixture(scope="module")
def package(built_library: Path) -> Package:
    return load_package(built_library)


@pytest.fixture
async def parent(package: Package) -> AsyncIterator[ForkingParent]:
    async with forking_parent(package) as parent:
        yield parent


def is_there(pid: int) -> bool:
    with suppress(ProcessLookupError):
        os.kill(pid, 0)
        return True
    return False


async def test_a_forked_server_answers_like_any_other(
    package: Package, parent: ForkingParent
) -> None:
    async with AsyncExitStack() as stack:
        usual = await stack.enter_async_context(connect(package, "stdio"))
        forked = await stack.enter_async_context(over_stdio(parent.start, "a fork"))
        for tool, arguments in (("find_member", {"email": EMAIL}), ("burn_book", {})):
            assert await forked.call(tool, arguments) == await usual.call(tool, arguments)
        assert await forked.digest() == await usual.digest()


async def test_forked_servers_share_nothing(package: Package, parent: ForkingParent) -> None:
    (task,) = (task for task in package.tasks() if task["id"] == "coffee_on_a_book")
    async with AsyncExitStack() as stack:
        one, other = [
            await stack.enter_async_context(over_stdio(parent.start, name)) for name in "ab"
        ]
        before = await one.open(task)
        assert await other.open(task) == before
        member = (await one.call("find_member", {"email": EMAIL})).structured["member_id"]
        loans = await one.call("list_member_loans", {"member_id": member, "status": "open"})
        await one.call("return_loan", {"loan_id": loans.structured["items"][0]["loan_id"]})
        assert await one.diff() != []
        assert await other.diff() == [] and await other.digest() == before


async def forked(parent: ForkingParent) -> Forked:
    with server_log() as (_, file):
        return await parent.start(file)


async def test_how_a_server_ended_is_known(parent: ForkingParent) -> None:
    left, killed = await forked(parent), await forked(parent)
    left.stdin.close()
    os.kill(killed.pid, signal.SIGKILL)
    with anyio.fail_after(20):
        while left.returncode is None or killed.returncode is None:
            await anyio.sleep(0.01)
    assert (left.returncode, killed.returncode) == (0, -signal.SIGKILL)
    for server in (left, killed):
        server.close()
        assert not is_there(server.pid)


async def test_servers_end_with_their_parent_and_it_with_the_block(package: Package) -> None:
    async with forking_parent(package) as parent:
        server = await forked(parent)
        assert is_there(server.pid)
    with anyio.fail_after(20):
        while is_there(server.pid):
            await anyio.sleep(0.01)
    server.close()
    with pytest.raises(LaunchError, match="The process that forks servers has ended"):
        await forked(parent)


async def test_a_package_that_cannot_be_imported_says_why(library: Library) -> None:
    package = load_package(library.path)
    library.edit("serving/server.py", "def build_server(", "1 / 0\n\n\ndef build_server(")
    with pytest.raises(LaunchError, match="(?s)could not be imported.*ZeroDivisionError"):
        async with forking_parent(package):
            pass

"""Several things at once: drafts side by side, and long work that a client comes back to."""

from __future__ import annotations

import shutil
import threading
from pathlib import Path

import anyio
import pytest
from pydantic import BaseModel

from tests.draft.scripted import Scripted
from tests.mcp_server.driver import WISH, near
from toolworld.draft import Brief, draft, open_draft
from toolworld.errors import DraftError, ToolworldError
from toolworld.mcp_server.jobs import BegunWork, Jobs, Say, WorkOrder
from toolworld.packages import Package


class Found(BaseModel):
    """What the work of these tests finds."""

    text: str


def test_drafts_do_not_wait_for_each_other(tmp_path: Path) -> None:
    async def run() -> None:
        async with near(tmp_path) as client:
            await client.start("first")
            await client.start("second")
            assert await client.open_prompts("first") == ["outline.1"]
            await client.answer(until="plan.1", world="second")
            assert await client.open_prompts("first") == ["outline.1"]
            worlds = (await client.call("list_domains"))["worlds"]
            assert [one["world"] for one in worlds] == ["first", "second"]

    anyio.run(run)


def test_a_proof_goes_on_while_the_client_does_something_else(
    tmp_path: Path, starter: Package
) -> None:
    shutil.copytree(starter.path, tmp_path / "bikes" / "package")

    async def run() -> None:
        async with near(tmp_path) as client:
            begun = await client.call("prove_package", world="bikes", wait_seconds=0)
            assert (begun["state"], begun["found"]) == ("working", None)
            assert "Call prove_package again" in begun["message"]
            said = await client.refused("replay_package", world="bikes")
            assert "bikes is still at work" in said
            assert "call prove_package again" in said
            assert (await client.call("list_domains"))["worlds"] == []
            done = await client.call("prove_package", world="bikes", wait_seconds=240)
            assert done["state"] == "done"
            assert done["found"]["failures"] == []
            found = done["found"]
            read = await client.call("read_made", world="bikes", what="survivors", count=50)
            assert read["total"] == found["mutants"] - found["killed"]
            assert all(one["change"] and one["source"] for one in read["items"])
            report = await client.call("get_report", world="bikes")
            assert [line["name"] for line in report["lines"]] == [
                "branches", "rejections", "mutants"
            ]  # fmt: skip

    anyio.run(run)


def test_a_bundled_domain_is_built_like_a_drafted_one(tmp_path: Path) -> None:
    async def run() -> None:
        async with near(tmp_path) as client:
            domains = {one["name"]: one for one in (await client.call("list_domains"))["bundled"]}
            built = await client.call("build_package", world="pet_care_centre", wait_seconds=240)
            assert built["found"]["tools"] == domains["pet_care_centre"]["tools"]
            package = tmp_path / "pet_care_centre" / "package"
            assert Path(built["found"]["package"]) == package.resolve()

    anyio.run(run)


def test_work_that_ended_unseen_is_handed_out_once_and_then_done_anew() -> None:
    done: list[int] = []

    def work(_: Say) -> Found:
        done.append(1)
        return Found(text=f"run {len(done)}")

    async def run() -> list[str]:
        order = WorkOrder("dig", Found(text="here"), work)
        async with anyio.create_task_group() as tasks:
            jobs = Jobs(tasks)
            assert isinstance(await jobs.run("pets", order, 0), BegunWork)
            await anyio.wait_all_tasks_blocked()
            first = await jobs.run("pets", order, 9)
            second = await jobs.run("pets", order, 9)
        assert isinstance(first, Found)
        assert isinstance(second, Found)
        return [first.text, second.text]

    assert anyio.run(run) == ["run 1", "run 2"]


def test_work_that_fails_says_why_and_leaves_room_for_more() -> None:
    async def run() -> None:
        async with anyio.create_task_group() as tasks:
            jobs = Jobs(tasks)
            for error, said in ((ToolworldError("No spade."), "No spade."),
                                (ZeroDivisionError(), "a defect of toolworld")):  # fmt: skip

                def work(_: Say, error: Exception = error) -> Found:
                    raise error

                with pytest.raises(ToolworldError, match=said):
                    await jobs.run("pets", WorkOrder("dig", Found(text=said), work), 9)

    anyio.run(run)


def test_the_server_does_not_wait_for_work_at_its_end() -> None:
    begun, gate = threading.Event(), threading.Event()
    ended: list[bool] = []

    def work(say: Say) -> Found:
        say("Digging")
        begun.set()
        gate.wait(60)
        ended.append(True)
        return Found(text="late")

    async def run() -> None:
        async with anyio.create_task_group() as tasks:
            job = await Jobs(tasks).run("pets", WorkOrder("dig", Found(text=""), work), 0)
            await anyio.to_thread.run_sync(begun.wait)
            assert isinstance(job, BegunWork)
            assert job.doing == "Digging"
            tasks.cancel_scope.cancel()

    anyio.run(run)
    assert not ended
    gate.set()


def test_another_command_can_go_on_with_a_draft(tmp_path: Path) -> None:
    async def run() -> None:
        async with near(tmp_path) as client:
            await client.start()
            await client.answer(until="plan.1")

    anyio.run(run)
    folder = tmp_path / "games"
    open_draft(folder, Brief(WISH, tools=4), resume=True)
    with pytest.raises(DraftError, match=r"Nobody answers plan.1."):
        draft(folder, Brief(WISH, tools=4), Scripted({}))

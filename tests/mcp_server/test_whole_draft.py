"""An agent makes a world over MCP, through a server that is killed half-way."""

from __future__ import annotations

import json
import os
import signal
from pathlib import Path
from typing import Any

import anyio
import pytest
from mcp.shared.exceptions import MCPError

from tests.mcp_server.driver import ANSWERS, Agent, started

TASKS = 4
PATIENT = 240.0


async def first_half(folder: Path, pid_file: Path) -> list[dict[str, Any]]:
    """Draft until the tools are to be coded, then lose the server."""
    async with started(folder, pid_file) as client:
        await client.start()
        judged = await client.answer(until="bodies-lending-1.1")
        os.kill(int(pid_file.read_text("utf-8")), signal.SIGKILL)
        with pytest.raises(MCPError):
            await client.call("draft_status", world="games")
    return judged


async def second_half(client: Agent) -> list[dict[str, Any]]:
    [listed] = (await client.call("list_domains"))["worlds"]
    assert (listed["world"], listed["state"]) == ("games", "not_open")
    await client.call("resume_draft", world="games")
    judged = await client.answer(until="policy.1")
    assert sorted(await client.open_prompts()) == ["people.1", "policy.1"]
    return judged + await client.answer()


async def package(client: Agent) -> dict[str, Any]:
    """Make everything of the drafted domain; return the report."""
    world = {"world": "games", "wait_seconds": PATIENT}
    built = (await client.call("build_package", **world))["found"]
    assert (built["tools"], built["things"], built["tasks"]) == (4, 3, 0)
    assert built["connect"].startswith("claude mcp add toolworld-game-library ")
    proven = (await client.call("prove_package", **world))["found"]
    assert (proven["failures"], proven["not_reached"]) == ([], [])
    made = (await client.call("make_tasks", **world, count=TASKS))["found"]
    assert made["delivered"] == TASKS
    first = await client.call("read_made", world="games", what="tasks", count=TASKS - 1)
    rest = await client.call("read_made", world="games", what="tasks", start=first["next"])
    assert (first["total"], rest["next"]) == (TASKS, None)
    tasks = [*first["items"], *rest["items"]]
    assert len({task["id"] for task in tasks}) == TASKS
    assert all(task["gold"] for task in tasks)
    replayed = (await client.call("replay_package", **world))["found"]
    assert (replayed["passed"], replayed["failures"]) == (TASKS, [])
    return await client.call("get_report", world="games")


def test_an_agent_makes_a_world(tmp_path: Path) -> None:
    folder, pid_file = tmp_path / "worlds", tmp_path / "pid"
    folder.mkdir()

    async def run() -> None:
        judged = await first_half(folder, pid_file)
        async with started(folder, pid_file) as client:
            judged += await second_half(client)
            status = await client.call("draft_status", world="games")
            assert (status["state"], status["answered"]) == ("drafted", len(ANSWERS))
            report = await package(client)
        verdicts = {one["prompt"]: one["verdict"] for one in judged}
        assert verdicts == dict.fromkeys(ANSWERS, "accepted") | {"bodies-lending-1.1": "to_mend"}
        [mistake] = [one for one in judged if one["findings"]]
        assert "breaks the rule back_loans_say_when" in mistake["findings"][0]
        assert not report["failed"]
        assert {"tools", "tokens", "mutants", "graph", "tasks", "replay"} <= {
            line["name"] for line in report["lines"]
        }
        assert report["content"]["tools"]["passed_by_round"] == {"1": 3, "2": 1}
        assert all(Path(file).is_file() for file in report["files"])

    anyio.run(run)
    lines = (folder / "games" / "journal.jsonl").read_text("utf-8").splitlines()
    asked = [json.loads(line)["prompt"] for line in lines]
    assert sorted(asked) == sorted(ANSWERS)  # each once: what was answered is not asked again
    assert sorted(path.name for path in folder.iterdir()) == ["games"]

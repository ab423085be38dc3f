"""A draft is thrown away for good, and long results are given once."""

from __future__ import annotations

import json
from pathlib import Path

import anyio
import pytest

from tests.mcp_server.driver import MOST_TWICE, near, text_of
from toolworld.mcp_server import server
from toolworld.mcp_server.tools import TOOLS


def test_a_discarded_draft_is_gone_and_its_name_is_free(tmp_path: Path) -> None:
    async def run() -> None:
        async with near(tmp_path) as client:
            await client.start()
            await client.answer(until="tools-lending.1")
            gone = await client.call("discard_draft", world="games")
            assert gone["removed"] == ["brief.json", "journal.jsonl"]
            assert [*tmp_path.iterdir()] == []
            assert "No draft" in await client.refused("next_prompts", world="games")
            await client.start()
            assert await client.open_prompts() == ["outline.1"]

    anyio.run(run)


def test_what_toolworld_did_not_make_stays(tmp_path: Path) -> None:
    outside = tmp_path / "outside"
    outside.mkdir()
    (outside / "mine.txt").write_text("mine")
    folder = tmp_path / "worlds"
    folder.mkdir()

    async def run() -> None:
        async with near(folder) as client:
            await client.start()
            (folder / "games" / "notes.txt").write_text("mine too")
            (folder / "games" / "package").symlink_to(outside)
            gone = await client.call("discard_draft", world="games")
            assert (gone["removed"], gone["kept"]) == (["brief.json", "package"], ["notes.txt"])
            said = await client.refused("discard_draft", world="games")
            assert "games holds no draft" in said

    anyio.run(run)
    assert (outside / "mine.txt").read_text() == "mine"


def test_only_a_draft_can_be_discarded(tmp_path: Path) -> None:
    (tmp_path / "bikes" / "package").mkdir(parents=True)

    async def run() -> None:
        async with near(tmp_path) as client:
            for world in ("bikes", "nothing"):
                assert "holds no draft" in await client.refused("discard_draft", world=world)
            assert "cannot name a world" in await client.refused("discard_draft", world="../x")
            assert "no package" in await client.refused("read_made", world="x", what="tasks")

    anyio.run(run)
    assert (tmp_path / "bikes" / "package").is_dir()
    [shown] = [tool.definition for tool in TOOLS if tool.name == "discard_draft"]
    assert shown.annotations is not None
    assert shown.annotations.destructive_hint
    assert not shown.annotations.read_only_hint
    assert not shown.annotations.idempotent_hint


def test_a_long_result_is_given_once_and_its_text_says_where(tmp_path: Path) -> None:
    async def run() -> None:
        async with near(tmp_path) as client:
            await client.start()
            result = await client.client.call_tool("next_prompts", {"world": "games"})
            told = json.loads(text_of(result))
            assert len(text_of(result)) < MOST_TWICE < len(json.dumps(result.structured_content))
            assert told["the_rest"].endswith("prompts: in structuredContent of this result")
            assert told["state"] == "prompts_open"
            listed = await client.client.call_tool("draft_status", {"world": "games"})
            assert json.loads(text_of(listed)) == listed.structured_content

    anyio.run(run)


def test_a_client_without_structured_content_gets_all_of_it_as_text(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(server, "STRUCTURED", "9999-12-31")  # so that this client is an old one

    async def run() -> None:
        async with near(tmp_path) as client:
            await client.start()
            result = await client.client.call_tool("next_prompts", {"world": "games"})
            assert json.loads(text_of(result)) == result.structured_content

    anyio.run(run)

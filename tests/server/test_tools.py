"""What an agent sees, whatever lies between: the tools, their results and their refusals."""

from __future__ import annotations

import json
import logging
import os
import sys
from typing import Any

import anyio
import pytest
from mcp import Client, MCPError
from mcp_types import INVALID_PARAMS, CallToolResult, TextContent

from tests.server.conftest import WIRES, Connect, memory_server
from toolworld.packages import Package

pytestmark = pytest.mark.anyio

EMAIL = "greta.novak7@example.com"


def text_of(result: CallToolResult) -> str:
    [block] = result.content
    assert isinstance(block, TextContent)
    return block.text


async def test_the_server_introduces_itself(connect: Connect, package: Package, wire: str) -> None:
    async with connect() as client:
        assert client.protocol_version == WIRES[wire]
        assert client.server_info is not None
        assert client.server_info.name == "toolworld-library"
        assert client.server_info.title == "Town library"
        policy = (package.path / "src" / package.module_name / "policy" / "policy.md").read_text(
            "utf-8"
        )
        assert client.instructions == policy


async def test_the_tools_are_those_of_the_package(connect: Connect, package: Package) -> None:
    path = package.path / "src" / package.module_name / "calls" / "tools.json"
    definitions = json.loads(path.read_text("utf-8"))
    async with connect() as client:
        tools = (await client.list_tools()).tools
    shown = [
        tool.model_dump(by_alias=True, exclude_none=True, mode="json", exclude={"meta"})
        for tool in tools
    ]
    assert shown == definitions


async def test_a_call_gives_the_row_as_data_and_as_text(connect: Connect) -> None:
    async with connect() as client:
        result = await client.call_tool("find_member", {"email": EMAIL})
    assert not result.is_error
    assert result.structured_content is not None
    assert result.structured_content["email"] == EMAIL
    assert json.loads(text_of(result)) == result.structured_content


async def test_a_write_is_there_for_the_next_call(connect: Connect) -> None:
    async with connect() as client:
        member = await found(client, "find_member", email=EMAIL)
        loans = await found(
            client, "list_member_loans", member_id=member["member_id"], status="open"
        )
        loan_id = loans["items"][0]["loan_id"]
        renewed = await found(client, "renew_loan", loan_id=loan_id)
        again = await found(client, "list_member_loans", member_id=member["member_id"])
    assert renewed in again["items"]


async def found(client: Client, tool: str, **arguments: Any) -> dict[str, Any]:
    result = await client.call_tool(tool, arguments)
    assert not result.is_error, text_of(result)
    assert result.structured_content is not None
    return dict(result.structured_content)


async def test_a_rejected_call_says_what_to_do(connect: Connect) -> None:
    async with connect() as client:
        result = await client.call_tool("find_member", {"email": "nobody@example.com"})
    assert result.is_error
    assert result.structured_content is None
    assert "ask for the address on the card" in text_of(result)


BAD_FEE = {"reason": "damaged", "amount": float("nan"), "charged_on": "2026-03-02"}
WRONG_ARGUMENTS: list[tuple[str, dict[str, Any], str]] = [
    ("find_member", {}, "email"),
    ("find_member", {"email": EMAIL, "colour": "red"}, "colour"),
    ("find_member", {"email": 12}, "email"),
    ("search_books", {"query": "a", "limit": "many"}, "limit"),
    ("search_books", {"query": "a", "limit": 1.5}, "limit"),
    ("list_member_loans", {"member_id": "MEM-00001", "status": "eaten"}, "status"),
    ("charge_fee", {"loan_id": "LOA-00001", "fee": BAD_FEE}, "fee.amount"),
]


async def test_wrong_arguments_are_named(connect: Connect) -> None:
    async with connect() as client:
        for tool, arguments, named in WRONG_ARGUMENTS:
            result = await client.call_tool(tool, arguments)
            assert result.is_error
            assert f"- {named}:" in text_of(result)


async def test_a_megabyte_of_text_gets_an_answer(connect: Connect) -> None:
    async with connect() as client:
        result = await client.call_tool("find_member", {"email": "a" * 1_000_000})
        assert result.is_error
        after = await client.call_tool("find_member", {"email": EMAIL})
    assert not after.is_error


async def test_an_unknown_tool_is_a_protocol_error(connect: Connect) -> None:
    async with connect() as client:
        with pytest.raises(MCPError, match='no tool "fly"') as raised:
            await client.call_tool("fly", {})
    assert raised.value.error.code == INVALID_PARAMS


async def test_a_bad_cursor_is_a_protocol_error(connect: Connect) -> None:
    async with connect() as client:
        with pytest.raises(MCPError, match="cursor") as raised:
            await client.list_tools(cursor="of my own")
    assert raised.value.error.code == INVALID_PARAMS


@pytest.mark.parametrize("page_size", [1, 3, 8, 9])
async def test_pages_hold_each_tool_once_in_order(
    package: Package, wire: str, page_size: int
) -> None:
    async with Client(memory_server(package, page_size=page_size), mode=wire) as client:
        page = await client.list_tools()
        names = [tool.name for tool in page.tools]
        while page.next_cursor is not None:
            assert len(page.tools) == page_size
            page = await client.list_tools(cursor=page.next_cursor)
            names += [tool.name for tool in page.tools]
    async with Client(memory_server(package), mode=wire) as client:
        assert names == [tool.name for tool in (await client.list_tools()).tools]


async def test_a_rejection_says_which_it_is_apart_from_its_text(connect: Connect) -> None:
    async with connect() as client:
        refused = await client.call_tool("renew_loan", {"loan_id": "LOA-99999"})
        invalid = await client.call_tool("renew_loan", {})
        fine = await client.call_tool("find_member", {"email": EMAIL})
    assert refused.meta is not None
    assert refused.meta["toolworld/rejection"] == {
        "code": "unknown_loan",
        "values": {"loan_id": "LOA-99999"},
    }
    assert refused.is_error
    assert "unknown_loan" not in text_of(refused)
    assert not [found for found in (invalid, fine) if "toolworld/rejection" in (found.meta or {})]


async def test_a_defect_is_logged_and_not_shown(
    package: Package,
    wire: str,
    monkeypatch: pytest.MonkeyPatch,
    caplog: pytest.LogCaptureFixture,
) -> None:
    def broken(db: Any, loan_id: str) -> None:
        db.loans.update(loan_id, note="half done")
        raise ZeroDivisionError("a secret detail")

    monkeypatch.setattr(package.module("tools"), "renew_loan", broken)
    episode = package.module("serving.episodes").Episode()
    before = episode.environment.digest()
    server = package.module("serving.server").build_server(lambda _: episode)
    package.module("calls.arguments").arguments_of.cache_clear()
    with caplog.at_level(logging.ERROR):
        async with Client(server, mode=wire) as client:
            result = await client.call_tool("renew_loan", {"loan_id": "LOA-00001"})
    package.module("calls.arguments").arguments_of.cache_clear()
    assert result.is_error
    assert "defect" in text_of(result)
    assert "secret" not in text_of(result)
    assert "a secret detail" in caplog.text
    assert episode.environment.digest() == before


@pytest.mark.parametrize(
    ("variables", "traced"),
    [({}, False), ({"OTEL_PYTHON_TRACER_PROVIDER": "default_tracer_provider"}, True)],
)
async def test_spans_are_made_where_somebody_records_them(
    package: Package, variables: dict[str, str], traced: bool
) -> None:
    program = (
        f"from {package.module_name}.serving.server import build_server\n"
        "print(bool(build_server(lambda context: None).middleware))"
    )
    environment = {**os.environ, "PYTHONPATH": str(package.path / "src"), **variables}
    done = await anyio.run_process([sys.executable, "-c", program], env=environment)
    assert done.stdout.decode().strip() == str(traced)

"""What clients see of the tools: names, schemas and annotations that every client can take."""

from __future__ import annotations

import re
from typing import Any

import jsonschema
import pytest

from toolworld.mcp_server.tools import TOOLS, AgentTool

TOOL = pytest.mark.parametrize("tool", TOOLS, ids=lambda tool: tool.name)


@TOOL
def test_a_tool_is_described_in_full(tool: AgentTool) -> None:
    shown = tool.definition
    assert re.fullmatch(r"[a-z0-9_]{1,40}", shown.name)
    assert shown.title
    assert shown.description and len(shown.description) < 400
    assert shown.annotations is not None
    assert shown.annotations.open_world_hint is False
    assert not (shown.annotations.read_only_hint and shown.annotations.destructive_hint)


@TOOL
def test_its_schemas_are_closed_objects(tool: AgentTool) -> None:
    shown = tool.definition
    for schema in (shown.input_schema, shown.output_schema):
        assert schema is not None
        jsonschema.Draft202012Validator.check_schema(schema)
        assert (schema["type"], schema["additionalProperties"]) == ("object", False)
    every: dict[str, Any] = shown.input_schema["properties"]
    assert all(argument.get("description") for argument in every.values())


def test_tools_are_named_once() -> None:
    names = [tool.name for tool in TOOLS]
    assert len(names) == len({*names})

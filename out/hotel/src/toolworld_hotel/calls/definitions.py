"""The tools as MCP lists them: ``tools.json``, made when the package was built."""

from __future__ import annotations

import json
from functools import cache
from importlib import resources
from typing import Any

ToolDefinition = dict[str, Any]
"""Name, title, description, inputSchema, outputSchema and annotations of a tool."""


@cache
def definitions() -> dict[str, ToolDefinition]:
    """Return the definition of each tool by name, in listing order; callers must not change it."""
    text = (resources.files(__package__) / "tools.json").read_text("utf-8")
    return {definition["name"]: definition for definition in json.loads(text)}

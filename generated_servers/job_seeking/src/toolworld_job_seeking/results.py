"""Results of calls read back as what the tools returned: rows, value objects, amounts and days."""

from __future__ import annotations

from functools import cache, lru_cache
from types import GenericAlias
from typing import Any, get_args, get_origin, get_type_hints

from pydantic import TypeAdapter
from pydantic_core import from_json

from . import tools as tool_functions
from .values import Page

MOST_RESULTS = 4_000


@cache
def _reader(tool: str) -> tuple[TypeAdapter[Any], bool]:
    """Return what reads a tool's result, and whether that is a page of rows."""
    hint = get_type_hints(getattr(tool_functions, tool))["return"]
    if get_origin(hint) is Page:
        rows: Any = GenericAlias(tuple, (get_args(hint)[0], ...))
        return TypeAdapter(rows), True
    return TypeAdapter(hint), False


@lru_cache(MOST_RESULTS)
def result_of(tool: str, text: str) -> Any:
    """Return a tool's result; of a page, the tuple of its rows.

    Args:
        tool: The tool that was called.
        text: The text of a result that is ok.
    """
    adapter, paged = _reader(tool)
    content = from_json(text)
    return adapter.validate_python(content["items"] if paged else content)

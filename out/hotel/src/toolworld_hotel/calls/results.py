"""The result of a call: as text for clients, and as the rows and values the tool returned."""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache, lru_cache
from types import GenericAlias
from typing import Any, Literal, NamedTuple, get_args, get_origin, get_type_hints

from pydantic import TypeAdapter
from pydantic_core import from_json

from .. import tools as tool_functions
from ..errors import Rejected
from ..values import Page, in_json

MOST_RESULTS = 4_000

Outcome = Literal["ok", "rejected", "invalid"]


class ToolResult(NamedTuple):
    """The result of a call.

    Attributes:
        outcome: ``ok``; ``rejected`` by the tool; or ``invalid`` arguments.
        text: The result as JSON when ok, else a message that says what to do.
        code: The code of the rejection; empty unless rejected.
        values: The values of the rejection as JSON, such as the day or the fee.
    """

    outcome: Outcome
    text: str
    code: str = ""
    values: Mapping[str, Any] = {}

    @property
    def is_error(self) -> bool:
        """Whether the call was rejected or invalid, and so changed nothing."""
        return self.outcome != "ok"

    @property
    def structured(self) -> dict[str, Any]:
        """The result as fresh JSON values; empty unless ok."""
        return {} if self.is_error else from_json(self.text)


@cache
def _reader(tool: str) -> tuple[TypeAdapter[Any], bool]:
    """Return the adapter that reads a tool's result, and whether the result is a page."""
    hint = get_type_hints(getattr(tool_functions, tool))["return"]
    if get_origin(hint) is Page:
        rows: Any = GenericAlias(tuple, (get_args(hint)[0], ...))
        return TypeAdapter(rows), True
    return TypeAdapter(hint), False


@lru_cache(MOST_RESULTS)
def result_of(tool: str, text: str) -> Any:
    """Return what a tool returned; for a page, the tuple of its rows.

    Args:
        tool: The tool that was called.
        text: The text of a result that is ok.
    """
    adapter, paged = _reader(tool)
    content = from_json(text)
    return adapter.validate_python(content["items"] if paged else content)


def as_values(rejection: Rejected) -> dict[str, Any]:
    """Return a rejection's values as JSON: money as numbers, dates as texts."""
    return {name: in_json(value) for name, value in rejection.values.items()}

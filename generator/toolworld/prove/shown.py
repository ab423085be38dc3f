"""A proof's report for people: a table, with failures and survivors under it."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from rich.console import Group, RenderableType
from rich.table import Column, Table
from rich.text import Text

MOST_SHOWN = 25
PLACE = "{function} at {file}:{line}: "
WRONG = "{tool}: {reason}: {detail}\n    {mend}"


def render(content: Mapping[str, Any]) -> RenderableType:
    """Return a table with a row for each tool, with failures and survivors under it."""
    columns = ("cases", "branches", "rejections", "mutants killed", "explained")
    table = Table(Column("tool", no_wrap=True), *columns, box=None)
    for row in content["by_tool"]:
        table.add_row(row["name"], str(row["cases"] or ""), *_shares(row))
    total = f"{content['tools']} tools"
    table.add_row(total, str(content["cases"]), *_shares(content), style="bold")
    parts: list[RenderableType] = [table]
    parts += _list("not covered", content["uncovered"], PLACE + "{what}")
    unexplained = [one for one in content["survivors"] if one["because"] is None]
    parts += _list("survivor", unexplained, PLACE + "{kind}: {change}")
    stale_ones = content["stale_explanations"]
    parts += _list("stale explanation", stale_ones, "{function} {change}, in: {line}")
    parts += _list("doubt", content["doubts"], WRONG)
    parts += _list("FAILURE", content["failures"], WRONG)
    return Group(*parts)


def _shares(row: Mapping[str, Any]) -> tuple[str, str, str, str]:
    alive = row["mutants"] - row["killed"]
    return (
        _share(row["branches_covered"], row["branches"]),
        _share(row["rejections_reached"], row["rejections"]),
        _share(row["killed"], row["mutants"]),
        f"{row['explained']}/{alive}" if alive else "",
    )


def _share(part: int, whole: int) -> str:
    return f"{part}/{whole} {100 * part // whole}%" if whole else ""


def _list(title: str, items: list[dict[str, Any]], form: str) -> list[RenderableType]:
    shown: list[RenderableType] = [
        Text(f"{title}: {form.format(**item)}") for item in items[:MOST_SHOWN]
    ]
    if len(items) > MOST_SHOWN:
        shown.append(Text(f"... and {len(items) - MOST_SHOWN} more; --json FILE writes all."))
    return shown

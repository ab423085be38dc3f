"""What a person would know and no tool takes is named, with the tool that is missing."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path

import pytest
from typer.testing import CliRunner

from toolworld.cli import app
from toolworld.graph import Gap, ToolGraph, gaps_of
from toolworld.graph.surface import ParameterFacts, Surface, ToolFacts, surface_of
from toolworld.packages import Package, load_package

DAY = {"properties": {"today": {"type": "string", "format": "date"}}}
NONE = frozenset[str]()


@pytest.fixture(scope="module")
def package(golden_package: Path) -> Package:
    return load_package(golden_package)


@pytest.fixture(scope="module")
def surface(package: Package) -> Surface:
    return surface_of(package)


def reader(tool: str, result: str, *reads: str, **parameters: ParameterFacts) -> ToolFacts:
    """Return a tool that gives one row, or a page if its name begins so."""
    return ToolFacts(
        name=tool,
        title=tool,
        reads=frozenset(reads),
        writes=NONE,
        creates=NONE,
        deletes=NONE,
        rejects=(),
        parameters=parameters,
        result=result,
        result_ids={},
        schema={},
        shows_rows=True,
        paged=tool.startswith("list"),
    )


def text(name: str) -> dict[str, ParameterFacts]:
    return {name: ParameterFacts(name, "text", True, {})}


def owner(name: str, entity: str) -> dict[str, ParameterFacts]:
    return {name: ParameterFacts(name, entity, True, {name: entity})}


def told(package: Package, surface: Surface, *more: ToolFacts) -> list[tuple[str, str]]:
    tools = {**surface.tools, **{tool.name: tool for tool in more}}
    return [(gap.code, gap.entity) for gap in gaps_of(replace(surface, tools=tools), package)]


def test_the_library_lacks_what_its_readers_would_ask_with(
    package: Package, surface: Surface
) -> None:
    member, hold, day = gaps_of(surface, package)
    assert member == Gap(
        "other-text",
        "Member is found by email only, not by name.",
        "Add a tool that searches what people know, such as search_members.",
        "Member",
        ("name",),
    )
    assert (hold.code, hold.entity, hold.columns) == (
        "only-by-id",
        "Hold",
        ("placed_at", "needed_by"),
    )
    assert "list_holds" in hold.mend
    assert (day.code, day.entity, day.columns) == ("no-today", "", ())


@pytest.mark.parametrize(
    ("more", "mended"),
    [
        (reader("search_members", "Member", "members.name", **text("text")), "other-text"),
        (reader("list_holds", "Hold", **owner("member_id", "Member")), "only-by-id"),
        (
            replace(reader("get_today", "Today"), shows_rows=False, output=DAY),
            "no-today",
        ),
    ],
    ids=lambda part: part if isinstance(part, str) else "",
)
def test_the_tool_it_asks_for_mends_a_gap(
    package: Package, surface: Surface, more: ToolFacts, mended: str
) -> None:
    before = told(package, surface)
    assert told(package, surface, more) == [gap for gap in before if gap[0] != mended]


@pytest.mark.parametrize(
    "more",
    [
        reader("search_members", "Member", "members.blocked", **text("text")),  # reads no text
        reader("list_holds", "Hold", **owner("hold_id", "Hold")),  # needs what it would give
        replace(reader("get_hours", "Hours"), shows_rows=False, output={"properties": {}}),
        replace(reader("get_due", "Due", **text("isbn")), shows_rows=False, output=DAY),
    ],
    ids=lambda tool: tool.name,
)
def test_another_tool_does_not(package: Package, surface: Surface, more: ToolFacts) -> None:
    assert told(package, surface, more) == told(package, surface)


def test_what_names_one_row_must_find_it_unless_all_can_be_read(
    package: Package, surface: Surface
) -> None:
    tools = {name: tool for name, tool in surface.tools.items() if name != "find_member"}
    by_name = reader("find_by_name", "Member", "members.name", **text("name"))
    everyone = reader("list_members", "Member")
    named = replace(surface, tools={**tools, "find_by_name": by_name})
    assert ("unique-text", "Member") in told(package, named)
    assert ("unique-text", "Member") not in told(package, named, everyone)


def test_a_domain_without_days_needs_no_day(package: Package, surface: Surface) -> None:
    entities = {
        name: replace(entity, columns={entity.key: "text"})
        for name, entity in surface.entities.items()
    }
    tools = {name: replace(tool, parameters={}) for name, tool in surface.tools.items()}
    assert gaps_of(Surface(tools, entities), package) == []


def test_the_report_and_json_show_the_gaps(graph: ToolGraph) -> None:
    assert [gap["code"] for gap in graph.as_json()["gaps"]] == [
        "other-text",
        "only-by-id",
        "no-today",
    ]
    assert f"  gap: {graph.gaps[0].says} {graph.gaps[0].mend}" in str(graph).splitlines()


def test_the_command_ends_with_the_gaps(golden_package: Path, tmp_path: Path) -> None:
    made = tmp_path / "graph.json"
    options = ["graph", str(golden_package), "--tries", "4", "--json", str(made)]
    result = CliRunner().invoke(app, options)
    assert result.exit_code == 0, result.output
    assert "such as get_today." in " ".join(result.stdout.split())
    assert [gap["entity"] for gap in json.loads(made.read_text())["gaps"]] == [
        "Member",
        "Hold",
        None,
    ]

"""The documents of a package: valid for the registry and for bundles, and true to the spec."""

from __future__ import annotations

import json
import tomllib
from pathlib import Path
from typing import Any

import jsonschema
import pytest

from toolworld.emit.documents import (
    Documents,
    diagram,
    manifest,
    server_json,
    shorten,
    tool_rows,
    touches,
)
from toolworld.spec import Spec, Tool, load_spec
from toolworld.spec.model import Effects

# What the registry's schema of 2025-12-11 asks of the parts a package uses.
SERVER_RULES: dict[str, Any] = {
    "type": "object",
    "required": ["name", "description", "version"],
    "properties": {
        "$schema": {"pattern": r"/schemas/2025-12-11/server\.schema\.json$"},
        "name": {"pattern": r"^[a-zA-Z0-9.-]+/[a-zA-Z0-9._-]+$", "maxLength": 200},
        "title": {"type": "string", "minLength": 1, "maxLength": 100},
        "description": {"type": "string", "minLength": 1, "maxLength": 100},
        "version": {"type": "string", "pattern": r"^\d+\.\d+\.\d+$"},
        "packages": {
            "type": "array",
            "items": {
                "type": "object",
                "required": ["registryType", "identifier", "transport"],
                "properties": {
                    "registryType": {"const": "pypi"},
                    "runtimeHint": {"const": "uvx"},
                    "transport": {"type": "object", "properties": {"type": {"const": "stdio"}}},
                },
            },
        },
    },
    "additionalProperties": False,
}


@pytest.fixture(scope="module")
def spec(library_spec: Path) -> Spec:
    return load_spec(library_spec)


@pytest.fixture(scope="module")
def documents(spec: Spec) -> Documents:
    return Documents(spec, "toolworld_library", "toolworld-library", "1.2.3", [])


def with_summary(documents: Documents, summary: str) -> Documents:
    domain = documents.spec.domain.model_copy(update={"summary": summary})
    spec = documents.spec.model_copy(update={"domain": domain})
    return Documents(spec, documents.package, documents.distribution, documents.version, [])


def test_server_json_is_what_the_registry_takes(documents: Documents) -> None:
    jsonschema.validate(server_json(documents), SERVER_RULES)
    long = with_summary(documents, "A rather long sentence about a town library. " * 20)
    jsonschema.validate(server_json(long), SERVER_RULES)


def test_the_manifest_runs_the_console_script(documents: Documents) -> None:
    written = manifest(documents)
    assert written["manifest_version"] == "0.4"
    assert written["server"]["type"] == "uv"
    assert written["server"]["mcp_config"]["args"][-1] == "toolworld-library"
    assert [tool["name"] for tool in written["tools"]] == [t.name for t in documents.spec.tools]


def test_the_summary_is_one_toml_string(documents: Documents) -> None:
    hostile = 'Quotes " and \\ and\nlines, 日本 and 🚲'
    line = f"description = {with_summary(documents, hostile).toml_summary}"
    assert tomllib.loads(line)["description"] == 'Quotes " and \\ and lines, 日本 and 🚲'


@pytest.mark.parametrize(
    ("summary", "short"),
    [
        ("A shop.", "A shop."),
        (f"A shop for all. It sells {'things ' * 20}.", "A shop for all."),
        (f"One. Two, e.g. that. Three {'and more ' * 20}.", "One. Two, e.g. that."),
        (f"A group of hotels: rooms, {'and more ' * 20}.", "A group of hotels."),
        (f"A shop that sells {'things ' * 20}.", "Town library, as an MCP server with 9 tools."),
    ],
)
def test_the_short_summary_is_never_cut_in_the_middle_of_a_sentence(
    documents: Documents, summary: str, short: str
) -> None:
    made = with_summary(documents, summary)
    assert made.short_summary == short
    assert server_json(made)["description"] == short


def test_the_readme_marks_its_registry_name(documents: Documents, golden_package: Path) -> None:
    name = json.loads((golden_package / "server.json").read_text())["name"]
    assert name == documents.registry_name
    assert f"<!-- mcp-name: {name} -->" in (golden_package / "README.md").read_text()


def test_every_tool_is_in_one_table(documents: Documents) -> None:
    rows = f"{documents.reading_table}\n{documents.writing_table}".splitlines()
    assert sorted(row.split("`")[1] for row in rows) == sorted(
        tool.name for tool in documents.spec.tools
    )
    assert "`find_member`" in documents.reading_table
    assert "`lend_book`" in documents.writing_table


def test_a_tool_row_stays_one_row() -> None:
    tool = Tool(name="a_tool", summary="One | two\nthree", parameters=(), result="Loan", line=1)
    assert tool_rows([tool]) == r"| `a_tool` | One \| two three |  |"


def test_touches_names_tables_once() -> None:
    effects = Effects(
        reads=("books", "books.title"), writes=("loans.fine", "loans.fees"), creates=("holds",)
    )
    tool = Tool(name="t", summary="", parameters=(), result="Loan", effects=effects, line=1)
    assert touches(tool) == "adds to holds; changes loans; reads books"


def test_the_diagram_shows_entities_and_references(spec: Spec) -> None:
    lines = [line.strip() for line in diagram(spec).splitlines()]
    assert lines[0] == "erDiagram"
    assert "text member_id PK" in lines
    assert "text email UK" in lines
    assert "Fee[] fees" in lines
    assert 'Member ||--o{ Loan : "member_id"' in lines


@pytest.mark.parametrize(
    ("text", "limit", "short"),
    [
        ("as it is", 8, "as it is"),
        ("two\n lines", 20, "two lines"),
        ("cut at a word, here", 15, "cut at a word…"),
        ("unbreakable", 5, "unbr…"),
        ("One. Two. Three and more.", 12, "One. Two."),
        ("One. Two and more.", 4, "One."),
        ("One. Two and more.", 3, "On…"),
    ],
)
def test_shorten(text: str, limit: int, short: str) -> None:
    assert shorten(text, limit) == short
    assert len(short) <= limit

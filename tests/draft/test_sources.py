"""A draft starts from an API, a schema or a server; what is broken is named."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from toolworld.draft.sources import MOST_CHARACTERS, read_source
from toolworld.errors import DraftError

API = {
    "openapi": "3.1.0",
    "info": {"title": "Pets", "description": "A shelter."},
    "paths": {
        "/pets": {"get": {"summary": "List pets"}, "post": {"operationId": "add_pet"}},
        "/pets/{id}": {"delete": {"description": "Take a pet\nout"}, "parameters": []},
    },
    "components": {"schemas": {"Pet": {"properties": {"id": {}, "name": {}}}}},
}


def written(folder: Path, name: str, text: str) -> Path:
    path = folder / name
    path.write_text(text, "utf-8")
    return path


def test_an_api_is_told_by_its_routes_and_schemas(tmp_path: Path) -> None:
    told = read_source(written(tmp_path, "api.json", json.dumps(API)))
    assert told.splitlines() == [
        "API: Pets. A shelter.",
        "GET /pets: List pets",
        "POST /pets: add_pet",
        "DELETE /pets/{id}: Take a pet out",
        "Pet: id, name",
    ]


def test_an_api_may_be_yaml(tmp_path: Path) -> None:
    text = "swagger: '2.0'\ninfo: {title: Pets}\npaths: {/pets: {get: {summary: List}}}\n"
    assert "GET /pets: List" in read_source(written(tmp_path, "api.yaml", text))


def test_a_schema_is_told_by_its_tables(tmp_path: Path) -> None:
    table = "-- pets\nCREATE TABLE pets (id INT PRIMARY KEY, name TEXT NOT NULL);"
    text = f"{table}\nINSERT INTO pets VALUES (1, 'x');"
    told = read_source(written(tmp_path, "schema.sql", text))
    assert told.startswith("table pets: id INT PRIMARY KEY, name TEXT NOT NULL")
    assert "INSERT" not in told


@pytest.mark.parametrize("wrapped", [True, False])
def test_a_server_is_told_by_its_tools(tmp_path: Path, wrapped: bool) -> None:
    listed: Any = {
        "tools": [
            {
                "name": "find_pet",
                "description": "Find\na pet.",
                "inputSchema": {"properties": {"name": {}}},
            }
        ]
    }
    content = {"result": listed} if wrapped else listed
    told = read_source(written(tmp_path, "tools.json", json.dumps(content)))
    assert told == "find_pet(name): Find a pet."


@pytest.mark.parametrize(
    ("name", "text", "said"),
    [
        ("a.json", "{", "is broken"),
        ("a.yaml", "a: [", "is broken"),
        ("a.yaml", "!!python/object/apply:os.system [echo]", "is broken"),
        ("a.json", "[1]", "holds no document"),
        ("a.json", '{"swag": 1}', "neither OpenAPI nor a tools/list"),
        ("a.json", '{"tools": [{"description": "x"}]}', "a tool without a name"),
        ("a.sql", "CREATE TABLE (", "is broken"),
        ("a.sql", "SELECT 1", "has nothing to start from"),
        ("a.json", '{"tools": []}', "has nothing to start from"),
    ],
)
def test_what_is_broken_is_named(tmp_path: Path, name: str, text: str, said: str) -> None:
    path = written(tmp_path, name, text)
    with pytest.raises(DraftError) as caught:
        read_source(path)
    assert said in str(caught.value)
    assert str(path) in str(caught.value)


def test_a_missing_file_is_named(tmp_path: Path) -> None:
    with pytest.raises(DraftError, match="cannot be read"):
        read_source(tmp_path / "none.json")


def test_what_is_told_is_bounded(tmp_path: Path) -> None:
    paths = {f"/p{n}": {"get": {"summary": "x" * 100}} for n in range(1000)}
    path = written(tmp_path, "api.json", json.dumps({**API, "paths": paths}))
    assert len(read_source(path)) <= MOST_CHARACTERS + 4

"""The bundled domains' phrases cover what their tools take and give."""

from __future__ import annotations

from pathlib import Path

import pytest

from toolworld.emit import load_package
from toolworld.tasks.phrasing import Phrasebook
from toolworld.tasks.phrasing.catalogue import Catalogue

PAGING = {"cursor", "limit"}


@pytest.fixture(scope="module", params=["hotel", "retail"])
def catalogue(request: pytest.FixtureRequest, repository: Path) -> Catalogue:
    """The phrases of one bundled domain."""
    package = load_package(repository / "generated_servers" / str(request.param))
    return Phrasebook.load(package).catalogue


def test_every_entity_is_described_and_named_by_key(catalogue: Catalogue) -> None:
    for name, entity in catalogue.entities.items():
        with_key = [line for line in catalogue.rows[name] if f".{entity.key} " in line.source]
        assert len(with_key) == 1
        assert len(catalogue.rows[name]) >= 3


def test_one_phrase_of_each_tool_says_all_its_values(catalogue: Catalogue) -> None:
    for name, tool in catalogue.surface.tools.items():
        values = {
            key
            for key, part in tool.parameters.items()
            if part.type not in catalogue.entities and key not in PAGING
        }
        assert any(all(line.names(value) for value in values) for line in catalogue.tools[name]), (
            name
        )


def test_what_a_tool_gives_can_be_asked_for(catalogue: Catalogue) -> None:
    plain = {"date", "datetime", "money", "integer", "number", "boolean", *catalogue.enums}
    for tool in catalogue.surface.tools.values():
        if not tool.read_only:
            continue
        columns = {
            column
            for column, found in catalogue.shapes[tool.result].items()
            if found["type"] in plain
        }
        assert columns <= set(catalogue.asks.get(tool.result, {})), tool.result
